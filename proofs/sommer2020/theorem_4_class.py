"""The printed proof of Theorem 4: inner distributions, their means and variances.

(P1, Q1) stands for i copies, (P2, Q2) for j copies: what is proved for any two pairs holds for
them.  Sums are over the finite losses.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
Z, Z1, Z2 = PLD(P, Q), PLD(P1, Q1), PLD(P2, Q2)
Z12 = PLD(*product_pair((P1, Q1), (P2, Q2)))
n = naturals("n", start=1)
C = composition("P^n", "Q^n", each=(P, Q))
Zn, Znext = PLD(*C(n)), PLD(*C(n + 1))
y, u, v, z = reals("y u v z")

FINITE = [Defined(inner_variance(Z1)), Defined(inner_variance(Z2))]
SOME = [Lt(Pr(Z, "==", sp.oo), 1)]


def lost(loss):
    """Mass of the distinguishing events."""
    return Pr(loss, "==", sp.oo)


def total(body, t):
    """A sum over all finite losses t."""
    return Int(body, t, -sp.oo, sp.oo)


BOTH = (1 - lost(Z1)) * (1 - lost(Z2))
FIRST = total(y * f(Z12)(y), y) / (1 - lost(Z12))
SECOND = total(y * conv(f(Z1)(y), f(Z2)(y), y), y) / BOTH
THIRD = total(f(Z1)(u) * total(f(Z2)(v) * (u + v), v), u) / BOTH
FOURTH = total(f(Z1)(u) * (u + inner_mean(Z2)), u) / (1 - lost(Z1))
CONDITIONAL = Pr(Z, "<=", z) / (1 - lost(Z))
MASSES = r"\Pr_{\omega_{n}}[y\leq z|y\neq\infty]=\sum_{y\leq z,y\in\mathcal{Y}\setminus"
PLAIN = MASSES + r"\{-\infty,\infty\}}\omega_{n}(y)"
NOTE = "Any two pairs whose inner variances are finite."

with theorem("sommer2020/theorem-4.class", "Theorem 4: the privacy loss class", fidelity="printed"):
    step(
        "theorem-4.step-12.1",
        Eq(Pr(Z, "==", y) / Pr(Z, "<", sp.oo), Pr(Z, "==", y) / (1 - lost(Z))),
        where=SOME,
        printed=r"\bar{\omega}_{i}(y)=\Pr_{y\sim\omega_{i}}[y\mid y\neq\infty]"
        r"=\frac{\omega_{i}(y)}{1-\omega_{i}(\infty)}",
        note="For omega(oo) < 1.",
    )
    step(
        "theorem-4.step-13",
        Eq(total(f(Z)(y), y) / (1 - lost(Z)), 1),
        where=SOME,
        printed=r"\bar{\omega}_{i}[...]\text{ which sums up to }1",
        note="For omega(oo) < 1.",
    )
    step(
        "theorem-4.step-14",
        Eq(inner_mean(Z12), FIRST),
        where=FINITE,
        printed=r"\mu_{i+j}=\mathbb{E}_{y\sim\bar{\omega}_{i+j}}y=\sum_{y\in\mathcal{Y}_{i+j}}"
        r"\bar{\omega}_{i+j}(y)y",
        note=NOTE,
    )
    step(
        "theorem-4.step-15",
        Eq(FIRST, SECOND),
        where=FINITE,
        printed=r"=\sum_{y\in\mathcal{Y}_{i+j}}\sum_{y_{i}\in\mathcal{Y}_{i}}\bar{\omega}_{i}"
        r"(y_{i})\cdot\bar{\omega}_{j}(y-y_{i})y",
        note=NOTE,
    )
    step(
        "theorem-4.step-16",
        Eq(FIRST, THIRD),
        where=FINITE,
        printed=r"\stackrel{I}{=}\sum_{y_{i}\in\mathcal{Y}_{i}}\bar{\omega}_{i}(y_{i})\cdot"
        r"\sum_{y_{j}\in\mathcal{Y}_{j}}\bar{\omega}_{j}(y_{j})(y_{i}+y_{j})",
        note=NOTE + "  From the first sum of the chain on.",
    )
    step(
        "theorem-4.step-17",
        Eq(THIRD, FOURTH),
        where=FINITE,
        printed=r"\stackrel{II}{=}\sum_{y_{i}\in\mathcal{Y}_{i}}\bar{\omega}_{i}(y_{i})\cdot"
        r"(y_{i}+\mu_{j})",
        note=NOTE,
    )
    step(
        "theorem-4.step-18",
        Eq(FOURTH, inner_mean(Z1) + inner_mean(Z2)),
        where=FINITE,
        printed=r"\stackrel{III}{=}\mu_{i}+\mu_{j}",
        note=NOTE,
    )
    step(
        "theorem-4.step-19",
        Eq(inner_variance(Z12), inner_variance(Z1) + inner_variance(Z2)),
        where=FINITE,
        printed=r"\sigma_{m+l}^{2}=\sigma_{l}^{2}+\sigma_{m}^{2}",
        note=NOTE,
    )
    step(
        "theorem-4.step-20.1",
        AllOf((
            Eq(inner_mean(Znext), inner_mean(Zn) + inner_mean(Z)),
            Eq(inner_mean(Zn), n * inner_mean(Z)),
        )),
        where=[Defined(inner_variance(Z))],
        printed=r"\text{the theorem statement about the obtained privacy loss class follows "
        r"directly by induction}",
        note="The mean: from n to n + 1, and for every n; a finite inner variance.  The variance "
        "is "
        "theorem-4.step-20.2, omega_n(oo) theorem-4.step-10.",
    )
    step(
        "theorem-4.step-20.2",
        AllOf((
            Eq(inner_variance(Znext), inner_variance(Zn) + inner_variance(Z)),
            Eq(inner_variance(Zn), n * inner_variance(Z)),
        )),
        where=[Defined(inner_variance(Z))],
        printed=r"\text{the theorem statement about the obtained privacy loss class follows "
        r"directly by induction}",
        note="The variance, where it is finite: from n to n + 1, and for every n.  The mean is "
        "theorem-4.step-20.1, omega_n(oo) theorem-4.step-10.",
    )
    step(
        "theorem-4.step-22",
        Eq(CONDITIONAL, Pr(Z, "<=", z)),
        where=SOME,
        printed=PLAIN,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/theorem-4.step-22.repaired",
        note="The probability of the condition, 1 - omega(oo), is not divided by: the right side "
        "is smaller where omega(oo) > 0.  "
        "For every pair, so for n copies of one.",
    )
    repair(
        "theorem-4.step-22.repaired",
        "theorem-4.step-22",
        Eq((1 - lost(Z)) * Pr(Z, "<=", z) / Pr(Z, "<", sp.oo), Pr(Z, "<=", z)),
        where=SOME,
        kind="step",
        corrected=r"[1-\omega_{n}(\infty)]\cdot" + PLAIN,
    )
    repair(
        "theorem-4.step-22.repaired-2",
        "theorem-4.step-22",
        Eq(CONDITIONAL, Pr(Z, "<=", z)),
        where=[Eq(lost(Z), 0)],
        kind="step",
        corrected=PLAIN + r",\quad\omega_{n}(\infty)=0",
        note="As printed, for pairs without distinguishing events.",
    )
