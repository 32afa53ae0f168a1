"""Table 1: four functional views of privacy, and how they compose."""

import sympy as sp

from lapdp.privacy.mechanisms import gaussian, randomized_response
from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
BOTH, OTHER = product_pair((P1, Q1), (P2, Q2), names=("P1 x P2", "Q1 x Q2"))
alpha, eps, e, t = reals("alpha eps e t")
w = positives("w")
Z = PLD(P, Q)

RENYI = r"D_\alpha(P\Vert Q)\le\varepsilon(\alpha),\ \forall\alpha\ge 1"
PROFILE = (
    r"\mathbb{E}_q[(\tfrac{p}{q}-e^{\varepsilon})_+]\le\delta(e^{\varepsilon}),\ "
    r"\forall\varepsilon\ge 0"
)
HOCKEY = Omega(sp.Max(0, Ratio(P, Q) - sp.exp(eps)) * Q)

with theorem("zhu2021/table-1", "Functional views of DP guarantees", fidelity="printed"):
    definition(
        "table-1.renyi",
        Eq(Lim(R(alpha, P, Q), alpha, 1, "+"), Ex(Z, Z)),
        where=[Defined(E(2, P, Q))],
        printed=RENYI,
        note="The range begins at alpha = 1, where D_1 is the limit by convention, the "
        "Kullback-Leibler divergence: it exists.  At alpha = 1, for pairs with finite E_2.",
        fidelity="instance",
    )
    claim(
        "table-1.renyi.claim-1",
        Eq(R(alpha, BOTH, OTHER), R(alpha, P1, Q1) + R(alpha, P2, Q2)),
        where=[Gt(alpha, 1), Defined(R(alpha, P1, Q1)), Defined(R(alpha, P2, Q2))],
        printed=r"\text{Renyi DP [...] Natural composition}",
        note="The divergences of independent releases add up, at the orders above 1 where they "
        "are finite.",
    )
    claim(
        "table-1.renyi.claim-2",
        NotAlways(
            Implies(
                Le(R(1 + w, P1, Q1), R(1 + w, P2, Q2)),
                Le(delta(P1, Q1)(e), delta(P2, Q2)(e)),
                over=(w,),
            )
        ),
        where=[ac(P1, Q1), ac(Q1, P1), ac(P2, Q2), ac(Q2, P2)],
        hints={
            "pairs": {"P1": randomized_response(1), "P2": gaussian(1, 1)},
            "witness": {"e": 0},
        },
        printed=r"\text{lossy conversion to }(\varepsilon,\delta)\text{-DP}",
        note="A bound by a Renyi curve gives no bound by the profile of the pair with that curve.",
    )
    definition(
        "table-1.profile",
        Eq(HOCKEY, delta(P, Q)(eps)),
        where=[Ge(eps, 0), ac(P, Q)],
        printed=PROFILE,
        note="The left side is the profile of the pair, where P << Q; the table bounds it by "
        "delta(.) of the mechanism.",
        readings=["table-1.profile", "table-1.profile.letter"],
    )
    definition(
        "table-1.profile.letter",
        Eq(HOCKEY, delta(P, Q)(eps)),
        where=[Ge(eps, 0)],
        printed=PROFILE,
        fault="convention",
        expected="refuted",
        note="The left side is the profile of the pair, which the table bounds by delta(.) of the "
        "mechanism.  The ratio p/q is left open where q = 0 < p; a mean under q does not see it.",
        readings=["table-1.profile", "table-1.profile.letter"],
    )
    definition(
        "table-1.loss",
        Eq(Int(f(Z)(t), t) + Pr(Z, "==", sp.oo), 1),
        printed=r"\text{PLD [...] Probability density of }\log(p/q)",
        fidelity="instance",
        note="Of the view only what it supposes: with the impulses at its atoms, and the mass at "
        "infinity beside it, the density has mass 1.",
    )
    claim(
        "table-1.loss.claim-1",
        Eq(f(PLD(BOTH, OTHER))(t), conv(f(PLD(P1, Q1))(t), f(PLD(P2, Q2))(t), t)),
        printed=r"\text{PLD [...] Natural composition via FFT}",
        note="The density of the composed loss is a convolution, which Fourier transforms multiply "
        "(chourasia2024).  Every two pairs; the masses at infinity are apart.",
    )
