"""Definition 7 with (1), footnote 2, and the trivial dominating pair."""

import sympy as sp

from lapdp import finite, laplace, randomized_response
from lapdp.theory import *

P, Q = pair("P", "Q")
n = outcome("n")
Mn, Nn = family("M(D)", "M(D')", n)
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P3, Q3 = pair("P3", "Q3")
P13, Q13 = product_pair((P1, Q1), (P3, Q3), names=("P1 x P3", "Q1 x Q3"))
P23, Q23 = product_pair((P2, Q2), (P3, Q3), names=("P2 x P3", "Q2 x Q3"))
alpha, e, eps = reals("alpha e eps")
w = positives("w")
U, V = mechanism_pair(finite([1, 0], [0, 1]), "U", "V")

# the outcomes of ratios 1 and 0 of the first pair are one outcome of the second
RIGHT_HALF = {
    "P1": finite(["1/2", "1/2", 0], ["1/4", "1/2", "1/4"]),
    "P2": finite(["1/2", "1/2"], ["1/4", "3/4"]),
}
# Example 16 at eps = log 2, delta = 1/4: the answer comes out with probability 1/4 at distance 1,
# 1/2 at distance 2, and 1/8 at distance 0, where it may tell D from D'
LAPLACE = mechanism_pair(laplace(1 / sp.log(2)), "P", "Q")
STABLE = mechanism_pair(finite(["1/4", "3/4"], ["1/2", "1/2"]), "M(D1)", "M(D1')")
UNSTABLE = mechanism_pair(finite(["7/8", "1/8", 0], ["7/8", 0, "1/8"]), "M(D2)", "M(D2')")

SUPPORTS = ["section-4.1.claim-2.reading-1", "section-4.1.claim-2.reading-2"]
ONE = r"\sup_{D\simeq D'}H_\alpha(\mathcal M(D)\|\mathcal M(D'))\le H_\alpha(P\|Q)"
IMPORTANT = (
    r"\text{the region for }\alpha<1\text{ is important for composition and lossless conversions "
    r"to other representations}"
)
DISJOINT = (
    r"\text{one can trivially take }P\text{ and }Q\text{ that have disjoint supports}"
)
NO_WORST = (
    r"\text{worst-case pair of datasets do not always exist, as is shown by Example 16}"
)
EXAMPLE = "Example 16 at eps = log 2, delta = 1/4.  "


def hockey(first, second, order):
    """H_order(first || second), the supremum over events, as an integral."""
    return Omega(sp.Max(0, first - order * second))


with theorem("zhu2021/definition-7", "Dominating pairs", fidelity="printed"):
    definition(
        "eq-1",
        Le(Sup(hockey(Mn, Nn, alpha), n), hockey(P, Q, alpha)),
        where=[Ge(alpha, 0),
               ForAll((n, e), Le(hockey(Mn, Nn, e), hockey(P, Q, e)), (Ge(e, 0),))],
        printed=ONE,
        note="For any family of pairs of neighbours: what dominates each dominates the supremum.",
    )
    definition(
        "eq-1.each",
        Le(hockey(Mn, Nn, alpha), hockey(P, Q, alpha)),
        where=[Ge(alpha, 0), Le(Sup(hockey(Mn, Nn, alpha), n), hockey(P, Q, alpha))],
        printed=ONE,
        note="And what dominates the supremum dominates each.",
    )
    claim(
        "footnote-2.range",
        Iff(Ge(sp.exp(eps), 1), Ge(eps, 0)),
        printed=r"\alpha\ge 1\text{ corresponds to the typical range of }"
        r"(\varepsilon,\delta)\text{-DP}",
        note="alpha = e^eps: the range is eps >= 0.",
    )
    claim(
        "footnote-2.claim-1.1",
        NotAlways(
            Implies(
                Le(delta(P1, Q1)(w), delta(P2, Q2)(w)),
                Le(delta(P13, Q13)(eps), delta(P23, Q23)(eps)),
                over=(w,),
            )
        ),
        where=Ge(eps, 0),
        hints={"pairs": {**RIGHT_HALF, "P3": randomized_response(sp.log(3))},
               "witness": {"eps": sp.log(2)}},
        printed=IMPORTANT,
        note="Composition: order at alpha > 1 alone is lost in a product, even at eps >= 0.",
    )
    claim(
        "footnote-2.claim-1.2",
        NotAlways(
            Implies(
                Eq(delta(P1, Q1)(w), delta(P2, Q2)(w)),
                Eq(E(2, P1, Q1), E(2, P2, Q2)),
                over=(w,),
            )
        ),
        hints={"pairs": RIGHT_HALF},
        printed=IMPORTANT,
        note="Conversion: profiles that are equal at every alpha > 1 do not give equal Renyi "
        "divergences; here E_2 is 3/2 and 4/3.",
    )
    claim(
        "section-4.1.claim-2.reading-1",
        Le(hockey(P, Q, alpha), hockey(U, V, alpha)),
        where=Ge(alpha, 0),
        printed=DISJOINT,
        note="With H_alpha as the supremum over events: it is 1 for disjoint supports.",
        readings=SUPPORTS,
    )
    claim(
        "section-4.1.claim-2.reading-2",
        Le(hockey(P, Q, alpha), Omega(sp.Max(0, Ratio(U, V) - alpha) * V)),
        where=Ge(alpha, 0),
        printed=DISJOINT,
        expected="refuted",
        note="With H_alpha as Definition 2 prints it, a mean under V here: it is 0, the least "
        "that there is, since U has no mass where V has.",
        readings=SUPPORTS,
    )
    claim(
        "section-4.1.claim-3.1",
        Gt(delta(*UNSTABLE)(eps), delta(*LAPLACE)(eps)),
        where=[Ge(eps, sp.log(2))],
        printed=NO_WORST,
        note=EXAMPLE + "From log 2 on mode 2 is worse than the Laplace mechanism, so than every "
        "pair of mode 1 (example-16.claim-5.repaired); at 0 it is not: section-4.1.claim-3.2.",
    )
    claim(
        "section-4.1.claim-3.2",
        Lt(delta(*UNSTABLE)(0), delta(*STABLE)(0)),
        printed=NO_WORST,
        note=EXAMPLE + "At 0 a pair of mode 1, distances 1 and 2, is worse than mode 2; from log "
        "2 on it is the other way: section-4.1.claim-3.1.",
    )
