"""Section 5: asymmetry of profiles under Poisson subsampling, and Figure 3's caption.

What a sentence says exists is shown at an exact pair: randomized response with odds 3, subsampled
at rate 1/2, which makes P = (1/2, 1/2) of the base pair (3/4, 1/4), (1/4, 3/4).
"""

import sympy as sp

from lapdp import finite, poisson
from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

P, Q = pair("P", "Q")
eps, lam, x, r = reals("eps lam x q")
q = complexes("q")
budget = positives("eps_0")

MIXED = lam * P + (1 - lam) * Q
CLOSED = [Ge(lam, 0), Le(lam, 1)]
HALF_OPEN = [Gt(lam, 0), Le(lam, 1)]
OPEN = [Gt(lam, 0), Lt(lam, 1)]

BASE = randomized_response(sp.log(3))
A, B_ = mechanism_pair(randomized_response(budget), "A", "B")
R0, R1 = mechanism_pair(BASE, "M(0)", "M(1)")
SUB, SUB_Q = mechanism_pair(poisson(BASE, "1/2", direction="remove"), "P", "Q")
SUB2, SUB2_Q = mechanism_pair(poisson(BASE, "1/2", direction="remove"), "P", "Q")
PAIRED, PAIRED_Q = product_pair((SUB, SUB_Q), (SUB2, SUB2_Q), names=("P^2", "Q^2"))
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
PRODUCT, PRODUCT_Q = product_pair((P1, Q1), (P2, Q2))
SYMMETRIC = finite(["1/4", "1/4", "1/2"], ["1/2", "1/4", "1/4"])
X, Y = mechanism_pair(SYMMETRIC, "X", "Y")
X2, Y2 = mechanism_pair(SYMMETRIC, "X", "Y")
XX, YY = product_pair((X, Y), (X2, Y2), names=("X^2", "Y^2"))
SKEWED = lam * A + (1 - lam) * B_
EDGE = -sp.log(lam * sp.exp(-budget) + 1 - lam)


def amplified(eps):
    """The right side of Theorem 5.1, its edge written without log 0."""
    return sp.Piecewise(
        (lam * delta(P, Q)(sp.log(1 + (sp.exp(eps) - 1) / lam)),
         sp.Gt(sp.exp(eps), 1 - lam, evaluate=False)),
        (1 - sp.exp(eps), True),
        evaluate=False,
    )


LOSSLESS = (
    r"\text{retain the chosen characterizing function in only one direction [...] Doing this "
    r"enables lossless composition operations}"
)
AT = sp.log(sp.Rational(3, 2))
COMPOSED = sp.log(sp.Rational(4, 3))
COMPOUND = (
    r"\text{these symmetrization steps can introduce small gaps that may compound significantly "
    r"when several privacy profiles are composed}"
)
SKEW = r"\text{Poisson subsampling [...] skews the privacy profile of a base mechanism}"
EXACT = "An exact pair: "
OVER = r"\text{the overestimated privacy profile in red with the actual profiles}"
ALIGNS = (
    r"\text{after symmetrization, converting to another notion [...] no longer aligns with the "
    r"actual privacy profile}"
)

with theorem("chourasia2024/section-5", "Asymmetry and DP Notion Equivalences",
             fidelity="printed"):
    claim(
        "section-5.claim-1",
        Gt(delta(SUB, SUB_Q)(AT), delta(SUB_Q, SUB)(AT)),
        printed=r"\text{switching }P\leftrightarrow Q\text{ may yield a different curve }"
        r"\delta_{Q|P}\text{ than the original }\delta_{P|Q}",
        note=EXACT + "1/8 against 0 at eps = log(3/2).",
    )
    claim(
        "section-5.claim-3.1",
        Eq(delta(A, B_)(eps), delta(B_, A)(eps)),
        printed=SKEW,
        note="The base of the example: Randomized response of every budget eps_0 > 0 is symmetric.",
        fidelity="instance",
    )
    claim(
        "section-5.claim-3.2",
        Gt(delta(SKEWED, B_)(EDGE), delta(B_, SKEWED)(EDGE)),
        where=OPEN,
        printed=SKEW,
        note="Subsampled at any rate 0 < lambda < 1 it is not: at the largest loss of (Q, P), "
        "-log(lambda e^-eps_0 + 1 - lambda), the reversed profile is 0 and the profile is not.",
        fidelity="instance",
    )
    claim(
        "section-5.claim-4",
        Le(delta(MIXED, Q)(0), lam),
        where=CLOSED,
        printed=r"\text{The distributions }P\text{ and }Q\text{ [...] will be identical with "
        r"probability }1-\lambda",
        note="Two distributions can be coupled so that the outputs agree with probability "
        "1 - lambda exactly when their total variation, the profile at 0, is at most lambda.",
    )
    claim(
        "section-5.claim-5.1",
        AllOf((Le(delta(MIXED, Q)(eps), delta(P, Q)(eps)),
               Eq(delta(MIXED, Q)(0), lam * delta(P, Q)(0)))),
        where=CLOSED,
        printed=r"\text{which amplifies privacy considerably}",
        note="Every pair, every eps, this direction; at eps = 0 by the factor lambda.",
    )
    claim(
        "section-5.claim-5.2",
        AllOf((Le(delta(Q, MIXED)(eps), delta(Q, P)(eps)),
               Eq(delta(Q, MIXED)(0), lam * delta(Q, P)(0)))),
        where=CLOSED,
        printed=r"\text{which amplifies privacy considerably}",
        note="The other direction.",
    )
    claim(
        "section-5.claim-8",
        Eq(delta(Q, MIXED)(eps), 1 - sp.exp(eps) + sp.exp(eps) * amplified(-eps)),
        where=HALF_OPEN,
        printed=r"\text{a single curve that exactly captures the impact of subsampling on both "
        r"directions}",
        note="The add direction is the reversal (7) of the curve of Theorem 5.1.",
    )
    claim(
        "section-5.claim-10.3",
        Eq(delta(X, Y)(eps), sp.Max(delta(SUB, SUB_Q)(eps), delta(SUB_Q, SUB)(eps))),
        note=EXACT + "the symmetrised profile is that of X = (1/4, 1/4, 1/2), Y = (1/2, 1/4, 1/4).",
        fidelity="own",
    )
    claim(
        "section-5.claim-10.4",
        Gt(delta(X, Y)(-AT), delta(SUB, SUB_Q)(-AT)),
        printed=OVER,
        note=EXACT + "(P, Q) = (1/2, 1/2) against (1/4, 3/4), the symmetrised profile that of "
        "X = (1/4, 1/4, 1/2), Y = (1/2, 1/4, 1/4); 5/12 against 1/3 at eps = -log(3/2).",
        fidelity="instance",
    )
    claim(
        "section-5.claim-10.5",
        Gt(delta(X, Y)(AT), delta(SUB_Q, SUB)(AT)),
        printed=OVER,
        note=EXACT + "(P, Q) and X, Y of section-5.claim-10.4, here against the profile of "
        "(Q, P): 1/8 against 0 at eps = log(3/2).",
        fidelity="instance",
    )
    claim(
        "section-5.claim-11.1",
        Gt(delta(XX, YY)(COMPOSED), delta(PAIRED, PAIRED_Q)(COMPOSED)),
        printed=COMPOUND,
        note=EXACT + "two releases of those of section-5.claim-10.4 at eps = log(4/3), 1/4 "
        "against 1/6.",
        fidelity="instance",
    )
    claim(
        "section-5.claim-11.2",
        Gt(delta(XX, YY)(COMPOSED), delta(PAIRED_Q, PAIRED)(COMPOSED)),
        printed=COMPOUND,
        note=EXACT + "1/4 against 11/48 in the other direction: the max of both exact directions "
        "is smaller than what the symmetrised profile composes to.",
        fidelity="instance",
    )
    claim(
        "section-5.claim-11.3",
        Eq(delta(X, Y)(COMPOSED),
           sp.Max(delta(SUB, SUB_Q)(COMPOSED), delta(SUB_Q, SUB)(COMPOSED))),
        note="Before composing, the (P, Q) and X, Y of section-5.claim-10.4 have no gap at eps = "
        "log(4/3): both sides are 1/6.",
        fidelity="own",
    )
    claim(
        "section-5.claim-12.3",
        Gt(E(2, X, Y), E(2, SUB, SUB_Q)),
        printed=ALIGNS,
        note=EXACT + "that of section-5.claim-10.4; the second moment that belongs to the "
        "symmetrised profile, 11/8, is larger than that of (P, Q), 4/3.",
        fidelity="instance",
    )
    claim(
        "section-5.claim-12.4",
        Gt(E(2, X, Y), E(2, SUB_Q, SUB)),
        printed=ALIGNS,
        note=EXACT + "that of section-5.claim-10.4; the second moment that belongs to the "
        "symmetrised profile, 11/8, is larger than that of (Q, P), 5/4, too.",
        fidelity="instance",
    )
    claim(
        "section-5.claim-13.1",
        Eq(delta(Q, P)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(P, Q)(-eps)),
        printed=r"\text{all these functional notions of privacy possess a reversal property}",
        note="The profile, (7).",
    )
    claim(
        "section-5.claim-13.2",
        Eq(E(q, P, Q), E(1 - q, Q, P)),
        where=[Defined(E(q, P, Q))],
        printed=r"\text{all these functional notions of privacy possess a reversal property}",
        note="The moment e^{(q-1) R_q}, (9), wherever it is finite.",
    )
    claim(
        "section-5.claim-13.3",
        Eq(f(PLD(P, Q))(x), sp.exp(x) * f(PLD(Q, P))(-x)),
        printed=r"\text{all these functional notions of privacy possess a reversal property}",
        note="The privacy loss distribution, (19).",
    )
    claim(
        "section-5.claim-14.1",
        Eq(
            delta(PRODUCT, PRODUCT_Q)(eps),
            conv(delta(P1, Q1)(eps), f(PLD(P2, Q2))(eps), eps) + Pr(PLD(P2, Q2), "==", sp.oo),
        ),
        printed=LOSSLESS,
        note="Every two pairs: the profile of the product is made of curves of one direction only "
        "(Theorem 4.2 with the mass at infinity, which the profile gives as its limit).",
    )
    claim(
        "section-5.claim-14.2",
        Eq(E(r, PRODUCT, PRODUCT_Q), E(r, P1, Q1) * E(r, P2, Q2)),
        where=[Defined(E(r, P1, Q1)), Defined(E(r, P2, Q2))],
        printed=LOSSLESS,
        note="Renyi DP composition: e^{(q-1) R_q} multiplies, in one direction, at real orders.",
    )
    claim(
        "section-5.claim-15",
        Iff(
            AllOf((Le(delta(P, Q)(eps), x), Le(delta(Q, P)(eps), x))),
            Le(sp.Max(delta(P, Q)(eps),
                      1 - sp.exp(eps) + sp.exp(eps) * delta(P, Q)(-eps)), x),
        ),
        printed=r"\text{query the curve [...] in both directions, providing the max of the two, "
        r"which results in an exactly-tight pointwise DP guarantee}",
        note="A delta, x here, serves both directions exactly where it is at least the larger of "
        "the two values of the one curve, at eps and at -eps.",
    )
    claim(
        "figure-3.claim-1.1",
        Eq(delta(Q, MIXED)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(MIXED, Q)(-eps)),
        where=CLOSED,
        kind="figure",
        printed=r"\text{reversal theorems for each of the plots}",
        note="For the plotted kind of pair: every pair, subsampled at every rate.",
    )
    claim(
        "figure-3.claim-1.2",
        Eq(f(PLD(MIXED, Q))(x), sp.exp(x) * f(PLD(Q, MIXED))(-x)),
        where=CLOSED,
        kind="figure",
        printed=r"\text{reversal theorems for each of the plots}",
        note="The privacy loss distribution.",
    )
    claim(
        "figure-3.claim-1.3",
        Eq(E(r, MIXED, Q), E(1 - r, Q, MIXED)),
        where=CLOSED,
        kind="figure",
        printed=r"\text{reversal theorems for each of the plots}",
        note="e^{(q-1) R_q} at every real order, values in [0, +oo].",
    )
