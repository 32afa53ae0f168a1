"""Section 5, on trade-off functions: skew, symmetrisation, the reversal in Figure 3."""

import sympy as sp

from lapdp import finite
from lapdp.theory import *

P, Q = pair("P", "Q")
x, y, t, eps = reals("x y t eps")
f, r = T(P, Q), T(Q, P)
LEVEL = [Ge(x, 0), Le(x, 1)]
HALF = sp.Rational(1, 2)
ODDS = sp.Rational(5, 4)
"""e^eps"""

# Theorem 5.1 with the base pair (2/3, 1/3), (1/3, 2/3) at the rate 1/2
P_IN, Q_IN = mechanism_pair(finite(["2/3", "1/3"], ["1/3", "2/3"]), "P_in", "Q_in")
MIXED = HALF * P_IN + HALF * Q_IN
BASE = (
    "For the pair of Theorem 5.1 made of the symmetric pair (2/3, 1/3), (1/3, 2/3) at lambda = "
    "1/2.  "
)


def symmetrised(f, r, level):
    """min{f, r}**."""
    return biconjugate(sp.Min(f(t), r(t)), t)(level)


with theorem("chourasia2024/section-5.trade-offs", "Asymmetry of trade-off functions",
             fidelity="printed"):
    claim(
        "section-5.claim-2",
        Lt(T(MIXED, Q_IN)(HALF), T(Q_IN, MIXED)(HALF)),
        printed=r"\text{optimal hypothesis tests would experience a skew in the trade-off between "
        r"their false positive and false negative rates}",
        note=BASE + "Optimal tests of false positive rate 1/2 have different false negative rates "
        "in the two directions.",
        fidelity="instance",
    )
    claim(
        "section-5.claim-9",
        Ge(symmetrised(f, r, x), f(x)),
        where=LEVEL,
        printed=r"\min\{f_{P|Q},f_{Q|P}\}^{**}\text{ [...] leading to an overestimation of the "
        r"actual trade-off curve }f_{P|Q}",
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/section-5.claim-9.repaired",
        hints={"witness": {"x": HALF}},
        note="It lies below f_{P|Q}: an underestimation of the curve, an overestimation of the "
        "loss of privacy.",
        root="section-1.claim-29",
    )
    repair(
        "section-5.claim-9.repaired",
        "section-5.claim-9",
        Le(symmetrised(f, r, x), f(x)),
        where=LEVEL,
        corrected=r"\min\{f_{P|Q},f_{Q|P}\}^{**}\leq f_{P|Q}",
        note="For every pair, so for that of Theorem 5.1.",
    )
    claim(
        "section-5.claim-9.strict",
        Lt(symmetrised(T(MIXED, Q_IN), T(Q_IN, MIXED), HALF), T(Q_IN, MIXED)(HALF)),
        note=BASE + "Strictly below in the direction Q|P at the level 1/2.",
        fidelity="own",
    )
    claim(
        "section-5.claim-10.1",
        Ge(sp.Max(delta(P, Q)(eps), delta(Q, P)(eps)), delta(P, Q)(eps)),
        printed=r"\text{a dominating profile [...] by taking the max of }\delta_{P|Q}\text{ and }"
        r"\delta_{Q|P}",
        note="It dominates, for every pair.",
    )
    claim(
        "section-5.claim-10.2",
        Gt(
            sp.Max(delta(MIXED, Q_IN)(sp.log(ODDS)), delta(Q_IN, MIXED)(sp.log(ODDS))),
            delta(Q_IN, MIXED)(sp.log(ODDS)),
        ),
        printed=r"\text{the overestimated privacy profile}",
        note=BASE + "At eps = log(5/4) it is strictly above one of the actual profiles.",
        fidelity="instance",
    )
    claim(
        "section-5.claim-12.1",
        Ge(Sup(1 - x - sp.exp(eps) * symmetrised(f, r, x), x, 0, 1), delta(P, Q)(eps)),
        fidelity="own",
        note="The profile that the symmetrised curve gives by duality, for every pair: it is never "
        "below the actual one.",
    )
    claim(
        "section-5.claim-12.2",
        Gt(
            Sup(1 - x - ODDS * symmetrised(T(MIXED, Q_IN), T(Q_IN, MIXED), x), x, 0, 1),
            delta(Q_IN, MIXED)(sp.log(ODDS)),
        ),
        printed=r"\text{after symmetrization, converting to another notion, such as the privacy "
        r"profile, no longer aligns with the actual privacy profile}",
        note=BASE + "At eps = log(5/4) it is strictly above the profile of (Q, P).",
        fidelity="instance",
    )
    claim(
        "section-5.claim-13.trade-off",
        Eq(left_inverse(f(y), y)(x), r(x)),
        where=LEVEL,
        printed=r"\text{all these functional notions of privacy possess a reversal property}",
        note="Remark 2.3, the trade-off function: its left-continuous inverse is that of the "
        "reversed pair.",
    )
    claim(
        "figure-3.claim-1.trade-off",
        Eq(r(x), left_inverse(f(y), y)(x)),
        where=LEVEL,
        kind="figure",
        printed=r"\text{reversal theorems for each of the plots}",
        note="The plot of trade-off functions.",
    )
