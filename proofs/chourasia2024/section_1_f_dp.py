"""Introduction, finding 4: f-DP, its conjugate, subsampling and symmetrisation."""

import sympy as sp

from lapdp import finite
from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
p, x, y, t, eps = reals("p x y t eps")
f = T(P, Q)

LEVEL = [Ge(x, 0), Le(x, 1)]
RATE = [Gt(p, 0), Lt(p, 1)]
MIXED = p * Q + (1 - p) * P
"""The distribution at the neighbour, subsampled."""


def amplified(f, level, p):
    """f_p, mended."""
    return p * f(level) + (1 - p) * (1 - level)


def symmetrised(f, level, p):
    """C_p(f) = min{f_p, f_p^-1}** with the mended f_p."""
    inverse_curve = left_inverse(amplified(f, y, p), y)
    return biconjugate(sp.Min(amplified(f, t, p), inverse_curve(t)), t)(level)


COIN_P, COIN_Q = mechanism_pair(finite(["1/3", "2/3"], ["2/3", "1/3"]))
coin = T(COIN_P, COIN_Q)
HALF = sp.Rational(1, 2)
HINT = {"witness": {"p": HALF, "x": HALF}}
ODDS = sp.Rational(5, 4)
"""e^eps"""
FORMULA = (
    "Subsampling replaces Q by p Q + (1 - p) P, as in Dong et al.: the pair is "
    "(P, p Q + (1 - p) P).  "
)

with theorem("chourasia2024/section-1.finding-4", "Introduction, finding 4: f-DP",
             fidelity="printed"):
    claim(
        "section-1.claim-25",
        Eq(delta(P, Q)(eps), Sup(1 - x - sp.exp(eps) * f(x), x, 0, 1)),
        printed=r"\text{the privacy profile }\delta(\varepsilon)\text{ and the trade-off curve }f"
        r"\text{ [...] exhibit a convex-conjugate relationship}",
        note="For every pair, symmetric or not.",
    )
    claim(
        "section-1.claim-27",
        Eq(T(P, MIXED)(x), p * f(x) + (1 - p) * x),
        where=[*RATE, *LEVEL],
        printed=r"f_{p}(x)=pf(x)+(1-p)\cdot x",
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/section-1.claim-27.repaired",
        hints=HINT,
        note=FORMULA + "As printed f_p(x) is no trade-off function: at x = 1 it is 1 - p.",
        readings=["section-1.claim-27", "section-1.claim-27.reading-2"],
    )
    repair(
        "section-1.claim-27.repaired",
        "section-1.claim-27",
        Eq(T(P, MIXED)(x), amplified(f, x, p)),
        where=[Ge(p, 0), Le(p, 1), *LEVEL],
        corrected=r"f_{p}(x)=pf(x)+(1-p)\cdot(1-x)",
        note=FORMULA + "With 1 - x, for every pair and every rate, 0 and 1 included.",
    )
    claim(
        "section-1.claim-27.reading-2",
        Eq(T(MIXED, P)(x), p * T(Q, P)(x) + (1 - p) * x),
        where=[*RATE, *LEVEL],
        printed=r"f_{p}(x)=pf(x)+(1-p)\cdot x",
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/section-1.claim-27.reading-2.repaired",
        hints=HINT,
        note="Second reading: the pair (p Q + (1 - p) P, P), the order of Theorem 5.1, with "
        "f = f_{Q|P}.  Not even p f(x) + (1 - p)(1 - x) is its trade-off function.",
        root="section-1.claim-27",
        readings=["section-1.claim-27", "section-1.claim-27.reading-2"],
    )
    repair(
        "section-1.claim-27.reading-2.repaired",
        "section-1.claim-27.reading-2",
        Eq(T(MIXED, P)(x), left_inverse(amplified(f, y, p), y)(x)),
        where=[Ge(p, 0), Le(p, 1), *LEVEL],
        corrected=r"f_{p}^{-1}(x),\quad f_{p}(x)=pf(x)+(1-p)\cdot(1-x)",
        note="In the order of Theorem 5.1 it is the inverse of f_p that describes the pair.",
    )
    claim(
        "section-1.claim-28",
        Gt(amplified(coin, HALF, HALF),
           left_inverse(amplified(coin, y, HALF), y)(HALF)),
        printed=r"\text{the resulting amplified curve }f_{p}[...]\text{ becomes asymmetric}",
        note="The symmetric pair (1/3, 2/3), (2/3, 1/3) at p = 1/2 and level 1/2, with the mended "
        "f_p: it differs from its inverse there.",
        fidelity="instance",
    )
    claim(
        "section-1.claim-29",
        Ge(symmetrised(f, x, p), amplified(f, x, p)),
        where=[*RATE, *LEVEL],
        printed=r"C_{p}(f):\min\{f_{p},f_{p}^{-1}\}^{**}\text{ that overestimates the }"
        r"f_{p}\text{-curve}",
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/section-1.claim-29.repaired",
        hints={"pairs": {"P": finite(["1/3", "2/3"], ["2/3", "1/3"])}, **HINT},
        note="With the mended f_p.  C_p(f) lies below f_p: it underestimates the curve and "
        "overestimates the loss of privacy.",
    )
    repair(
        "section-1.claim-29.repaired",
        "section-1.claim-29",
        Le(symmetrised(f, x, p), amplified(f, x, p)),
        where=[*RATE, *LEVEL],
        corrected=r"C_{p}(f)\leq f_{p}",
        note="For every pair.",
    )
    claim(
        "section-1.claim-30",
        Gt(
            Sup(1 - x - ODDS * symmetrised(coin, x, HALF), x, 0, 1),
            Sup(1 - x - ODDS * amplified(coin, x, HALF), x, 0, 1),
        ),
        printed=r"\text{this symmetrization step disrupts the equivalence between }f"
        r"\text{-DP and privacy profile formalisms}",
        note="The profiles that the two curves give by duality, at eps = log(5/4) and p = 1/2: "
        "that of C_p(f) is larger than that of f_p, which is the pair's own.",
        fidelity="instance",
    )
    claim(
        "section-1.claim-30.general",
        Ge(Sup(1 - x - sp.exp(eps) * symmetrised(f, x, p), x, 0, 1), delta(P, MIXED)(eps)),
        where=RATE,
        note="For every pair: the step overestimates the loss of privacy, and claim-30 shows that "
        "it may do so strictly.",
        fidelity="own",
    )
    claim(
        "section-1.claim-31.1",
        ImpliesOn(Eq(T(P1, Q1)(t), T(P2, Q2)(t)),
                  Eq(delta(P1, Q1)(eps), delta(P2, Q2)(eps)), t, 0, 1),
        printed=r"\text{This completes the equivalences across all functional notions of DP}",
        note="Without any symmetry, for arbitrary pairs.",
    )
    claim(
        "section-1.claim-31.2",
        Implies(Eq(delta(P1, Q1)(eps), delta(P2, Q2)(eps)),
                Eq(T(P1, Q1)(x), T(P2, Q2)(x)), over=(eps,)),
        where=LEVEL,
        printed=r"\text{This completes the equivalences across all functional notions of DP}",
        note="Without any symmetry, for arbitrary pairs; the profile at all real eps.",
    )
