"""Lemma 8: the loss distribution and the Renyi divergences determine each other."""

import sympy as sp

from lapdp.theory import *
from lapdp.theory import B as L2

P, Q = pair("P", "Q")
A, B = pair("A", "B")
C, D = pair("C", "D")
Z = PLD(P, Q)
alpha, lam, t, x, top, top2, s = reals("alpha lambda t x b1 b2 s")
order = positives("r")
n = naturals("n", start=1)
k = naturals("k", start=1)
c, d = positives("c d")
FINITE = [Gt(lam, 0), Defined(R(lam + 1, P, Q))]

SAME_LOSS = Eq(F(PLD(A, B))(x), F(PLD(C, D))(x))
SAME_WHOLE = Eq(E(n + 1, A, B), E(n + 1, C, D))
GROWTH = ForAll((k,), Lt(E(k + 1, A, B), c * d**k * sp.factorial(k)))
FROM_LOSS = sp.log(Ex(sp.exp(lam * Z), Z)) / lam
TEX_4 = (
    r"m_\lambda=\frac{1}{\lambda}\ln\left(\mathbb{E}_{y\sim\omega}e^{\lambda y}\right)"
    r"=\mathcal{D}_{\lambda+1}(M(x_0)|M(x_1))"
)
TEX_GROWTH = (
    r"\text{If the moments }\rho_\lambda\text{ of the exponentiated }\omega\text{ are not growing "
    r"too fast, }|\rho_\lambda|<cd^\lambda\lambda!\text{ for a }\lambda>0\text{, then we have "
    r"equivalence}"
)
GROWTHS = ["section-4.6.1.claim-3.reading-1", "section-4.6.1.claim-3.reading-2"]
TEX_8 = (
    r"\text{if }\exp(\lambda m_\lambda)<cd^\lambda\lambda!\text{ for two positive constants }c,"
    r"d\text{, then [...] }R_{RDP}(\mathcal{Y},\omega)=(\alpha,D_\alpha)_\alpha\text{ and the PLD "
    r"}R_{RDP}^{-1}((\alpha,D_\alpha)_\alpha)=(\mathcal{Y},\omega)"
)

with theorem("sommer2020/lemma-8", "Equivalence of PLD and RDP", fidelity="printed"):
    claim(
        "section-4.6.1.claim-2",
        Eq(R(alpha, P, Q) ** (alpha - 1), sp.log(Ex(sp.exp((alpha - 1) * Z), Z))),
        where=[Gt(alpha, 1), Defined(R(alpha, P, Q))],
        printed=r"D_\alpha\text{ is the }\alpha\text{-1-root of the logarithm of the }(\alpha-1)"
        r"\text{-moments of the exponentiated distribution of }\omega",
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/section-4.6.1.claim-2.repaired",
        note="Both sides, >= 0, to the power alpha - 1.  The logarithm is divided by alpha - 1, as "
        "in Definition 8; no root is taken.",
    )
    repair(
        "section-4.6.1.claim-2.repaired",
        "section-4.6.1.claim-2",
        Eq(R(alpha, P, Q), sp.log(Ex(sp.exp((alpha - 1) * Z), Z)) / (alpha - 1)),
        where=[Gt(alpha, 1), Defined(R(alpha, P, Q))],
        corrected=r"D_\alpha=\frac{1}{\alpha-1}\ln\mathbb{E}_{y\sim\omega}\left[(e^y)^{\alpha-1}"
        r"\right]",
    )
    claim(
        "section-4.6.1.claim-3.reading-1",
        Iff(SAME_WHOLE, SAME_LOSS, over=(n, x)),
        where=GROWTH,
        printed=TEX_GROWTH,
        expected="proved",
        note="'For a lambda' is read as for every whole lambda, as in Lemma 8: two pairs with the "
        "same moments have the same loss distribution.",
        readings=GROWTHS,
    )
    claim(
        "section-4.6.1.claim-3.reading-2",
        Iff(SAME_WHOLE, SAME_LOSS, over=(n, x)),
        where=[Lt(E(k + 1, A, B), c * d**k * sp.factorial(k))],
        printed=TEX_GROWTH,
        expected="undecided",
        note="For one lambda, as the letter has it: that one moment is finite, which should not "
        "be enough where the others are infinite.  No witness has been found.",
        readings=GROWTHS,
    )
    claim(
        "section-4.6.1.claim-4",
        Iff(SAME_WHOLE, SAME_LOSS, over=(n, x)),
        where=[Eq(Pr(PLD(A, B), ">", top), 0), Eq(Pr(PLD(C, D), ">", top2), 0)],
        printed=r"\text{For privacy loss distributions on a bounded support we always have "
        r"equivalence}",
        expected="proved",
        note="Losses bounded above are enough, and whole orders.",
    )
    claim(
        "eq-4",
        Eq(Ex(sp.exp(lam * Z), Z), E(lam + 1, P, Q)),
        where=[Gt(lam, 0), Eq(Pr(Z, "==", sp.oo), 0)],
        printed=TEX_4,
        note="Exponentials of lambda times the sides, with values in [0, oo]: without infinite "
        "losses a moment may still be +oo, as for Exp(1) against Exp(2); then both are.",
    )
    claim(
        "eq-4.finite",
        Eq(FROM_LOSS, R(lam + 1, P, Q)),
        where=FINITE,
        printed=TEX_4,
        note="The line itself, wherever it is one between numbers: every pair with a finite "
        "divergence, which has no infinite losses.",
        fidelity="instance",
    )
    claim(
        "lemma-8",
        Iff(SAME_WHOLE, SAME_LOSS, over=(n, x)),
        where=[GROWTH, Eq(Pr(PLD(A, B), "==", sp.oo), 0), Eq(Pr(PLD(C, D), "==", sp.oo), 0)],
        printed=TEX_8,
        expected="proved",
        note="The growth for every whole lambda: losses determine the divergences of whole orders, "
        "which determine the losses.  Moments are compared: e^(lambda m_lambda) = E_(lambda+1).",
        readings=["lemma-8", "lemma-8.reading-2"],
    )
    claim(
        "lemma-8.reading-2",
        Implies(Eq(R(1 + order, A, B), R(1 + order, C, D)), SAME_LOSS, over=(order,)),
        where=Exists(s, Converges(L2(delta(A, B)(t), t, s))),
        printed=TEX_8,
        expected="proved",
        note="Read for divergences of all real orders above 1: they determine the losses without "
        "any growth, as soon as one of them is finite; the other way is lemma-8.step-7.",
        readings=["lemma-8", "lemma-8.reading-2"],
    )
    claim(
        "lemma-8.step-7",
        Implies(Eq(F(PLD(A, B))(x), F(PLD(C, D))(x)), Eq(R(alpha, A, B), R(alpha, C, D)),
                over=(x,)),
        where=[Gt(alpha, 1), Defined(R(alpha, A, B)), Defined(R(alpha, C, D))],
        printed=r"\text{any PLD }\omega\text{ generated by two distributions }A\text{ and }B"
        r"\text{ results in one specific Rényi sequence }(\alpha,D_\alpha(A|B))_\alpha",
        expected="proved",
        note="At the orders at which the divergence is defined.",
    )
