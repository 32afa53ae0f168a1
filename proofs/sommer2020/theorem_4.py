"""Theorem 4, first part: the loss distribution and the class of n independent copies."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
n = naturals("n", start=1)
C = composition("P^n", "Q^n", each=(P, Q))
Z, Zn, Znext = PLD(P, Q), PLD(*C(n)), PLD(*C(n + 1))
PN, QN = pair("Pn", "Qn")
P1, Q1 = pair("P1", "Q1")
A, B = product_pair((PN, QN), (P1, Q1))
ZN, ZONE, ZJOINT = PLD(PN, QN), PLD(P1, Q1), PLD(A, B)
y, u, q = reals("y u q")

ALL = sp.And(Ne(PN, 0), Ne(QN, 0), Ne(P1, 0), Ne(Q1, 0))
TOGETHER = (
    "The step from n to n + 1: (Pn, Qn), any pair, stands for n releases, (P1, Q1) for one more.  "
    "Outcomes with two finite losses."
)
SETS = r"\mathcal{Y}_{%s}=\left\{%s\right\}"


def lost(loss):
    """Mass of the distinguishing events."""
    return Pr(loss, "==", sp.oo)


def at_finite(value):
    """A function of the outcome where no probability is 0, else 0."""
    return sp.Piecewise((value, ALL), (0, True), evaluate=False)


SUM = Eq(at_finite(LossAt(A, B)), at_finite(LossAt(PN, QN) + LossAt(P1, Q1)))
TWICE = Eq(
    at_finite(LossAt(A, B)),
    at_finite(sp.Add(LossAt(P1, Q1), LossAt(PN, QN), LossAt(P1, Q1))),
)
CONVOLUTION = Eq(f(ZJOINT)(y), conv(f(ZONE)(y), f(ZN)(y), y))
ONE, MANY = E(q, P, Q), E(q, *C(n))
BETWEEN = [Gt(q, 0), Lt(q, 1)]
TRANSFORM = (
    "For 0 < q < 1 the moment E_q is the sum of omega(y) e^((q - 1) y) over the finite losses, a "
    "transform that determines omega there and turns convolutions into products "
    "(theorem-1.claim-2.densities)."
)

with theorem("sommer2020/theorem-4", "The Central Limit Theorem for ADP", fidelity="printed"):
    claim(
        "theorem-4.item-1",
        SUM,
        printed=SETS % ("n", r"y\mid y=\sum_{i=1}^{n}\tilde{y}_{i},\forall\tilde{\mathbf{y}}\in"
                        r"\mathcal{Y}^{n}"),
        note=TOGETHER + "  For outcomes of n releases at once there is no word.",
        fidelity="instance",
    )
    claim(
        "theorem-4.item-2",
        Eq(MANY, ONE**n),
        where=BETWEEN,
        printed=r"\omega_{n}(y)=(\otimes_{i=1}^{n}\omega_{1})[y]\quad\forall y\in\mathcal{Y}_{n}"
        r"\setminus\{-\infty,\infty\}",
        note="Every pair, every n.  " + TRANSFORM,
    )
    claim(
        "theorem-4.item-3",
        Eq(lost(Zn), 1 - (1 - lost(Z)) ** n),
        printed=r"\omega_{n}(\infty)=1-[1-\omega_{1}(\infty)]^{n}",
        note="Every pair, every n.",
    )
    claim(
        "theorem-4.item-4",
        Eq(Pr(Zn, "==", -sp.oo), 0),
        printed=r"\omega_{n}(-\infty)=0",
    )
    claim(
        "theorem-4.item-5.1",
        Eq(inner_mean(Zn), n * inner_mean(Z)),
        where=[Defined(inner_variance(Z))],
        printed=r"\text{with privacy loss class }(n\mu,n\sigma^{2},\omega_{n}(\infty))",
        note="The mean; the variance is theorem-4.item-5.2, omega_n(oo) theorem-4.item-3.  Every "
        "pair "
        "whose inner variance is finite, every n.",
    )
    claim(
        "theorem-4.item-5.2",
        Eq(inner_variance(Zn), n * inner_variance(Z)),
        where=[Defined(inner_variance(Z))],
        printed=r"\text{with privacy loss class }(n\mu,n\sigma^{2},\omega_{n}(\infty))",
        note="The variance; the mean is theorem-4.item-5.1, omega_n(oo) theorem-4.item-3.  Every "
        "pair "
        "whose inner variance is finite, every n.",
    )
    step(
        "theorem-4.step-1",
        SUM,
        printed=SETS % ("2", r"y\mid y=\tilde{y}_{1}+\tilde{y}_{2},\forall\tilde{\mathbf{y}}\in"
                        r"\mathcal{Y}\times\mathcal{Y}"),
        fidelity="instance",
        note="Of outcomes with two finite losses.  For any two pairs: two releases of one pair are "
        "the case of equal ones.",
    )
    step(
        "theorem-4.step-2",
        CONVOLUTION,
        printed=r"\omega_{2}(y)=(\otimes_{i=1}^{2}\omega_{1})[y]\quad\forall y\in\mathcal{Y}_{2}"
        r"\setminus\{-\infty,\infty\}",
        note="For any two pairs: two releases of one pair are the case of equal ones.",
    )
    step(
        "theorem-4.step-3",
        Eq(lost(PLD(*C(2))), 1 - (1 - lost(Z)) ** 2),
        printed=r"\omega_{2}(\infty)=1-[1-\omega_{1}(\infty)]^{2}",
    )
    step(
        "theorem-4.step-4",
        Eq(Pr(PLD(*C(2)), "==", -sp.oo), 0),
        printed=r"\omega_{2}(-\infty)=0",
    )
    step(
        "theorem-4.step-5",
        TWICE,
        printed=SETS % ("n+1", r"\hat{y}\mid\hat{y}=y+\sum_{i=1}^{n}\tilde{y}_{i}+y,\forall y\in"
                        r"\mathcal{Y},\forall\tilde{\mathbf{y}}\in\mathcal{Y}^{n}"),
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/theorem-4.step-5.repaired",
        note="The loss y of the new release is printed twice.  " + TOGETHER,
    )
    repair(
        "theorem-4.step-5.repaired",
        "theorem-4.step-5",
        SUM,
        kind="step",
        corrected=SETS % ("n+1", r"\hat{y}\mid\hat{y}=\sum_{i=1}^{n}\tilde{y}_{i}+y,\forall y\in"
                        r"\mathcal{Y},\forall\tilde{\mathbf{y}}\in\mathcal{Y}^{n}"),
        note=TOGETHER,
    )
    step(
        "theorem-4.step-6",
        SUM,
        printed=r"=\left\{\hat{y}\mid\hat{y}=\sum_{i=1}^{n+1}\tilde{y}_{i},\forall\tilde{"
        r"\mathbf{y}}\in\mathcal{Y}^{n+1}\right\}",
        note=TOGETHER,
        fidelity="instance",
    )
    step(
        "theorem-4.step-7",
        CONVOLUTION,
        printed=r"\omega_{n+1}(y)=(\omega*\omega_{n})[y]\quad\forall y\in\mathcal{Y}_{n+1}"
        r"\setminus\{-\infty,\infty\}",
        note="For every two pairs, as measures on the finite losses.",
    )
    step(
        "theorem-4.step-8",
        Eq(MANY, ONE**n),
        where=BETWEEN,
        printed=r"(\omega*\omega_{n})[y]\quad\forall y\in\mathcal{Y}_{n+1}\setminus\{-\infty,"
        r"\infty\}=(\otimes_{i=1}^{n+1}\omega_{1})[y]",
        note="Every pair, every n, so n + 1, too; the left side is omega_(n+1) by step-7.  "
        + TRANSFORM,
    )
    step(
        "theorem-4.step-9",
        Eq(lost(Znext), 1 - (1 - lost(Zn)) * (1 - lost(Z))),
        printed=r"\omega_{n+1}(\infty)=1-[1-\omega_{n}(\infty)]\cdot[1-\omega_{1}(\infty)]",
    )
    step(
        "theorem-4.step-10",
        Eq(1 - (1 - lost(Zn)) * (1 - lost(Z)), 1 - (1 - lost(Z)) ** (n + 1)),
        printed=r"1-[1-\omega_{n}(\infty)]\cdot[1-\omega_{1}(\infty)]=1-[1-\omega_{1}(\infty)]"
        r"^{n+1}",
    )
    step(
        "theorem-4.step-11",
        Eq(Pr(Znext, "==", -sp.oo), 0),
        printed=r"\omega_{n+1}(-\infty)=0",
    )
