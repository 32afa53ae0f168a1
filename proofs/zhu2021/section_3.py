"""Section 3: Figure 1 and its numbers, the loss in the conversion from Renyi DP."""

import sympy as sp

from lapdp.privacy.mechanisms import exponential, gaussian, randomized_response
from lapdp.theory import *

alpha, eps, e, t, x, c, s = reals("alpha eps e t x c s")
w, r = positives("w r")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")

GM = mechanism_pair(gaussian(1), "P_{GM}", "Q_{GM}")
RR = mechanism_pair(randomized_response(1), "P_{RR}", "Q_{RR}")
"""p = e/(1 + e)."""
ANY_RR = mechanism_pair(randomized_response(s), "P_{RR}", "Q_{RR}")
LEAK = mechanism_pair(randomized_response(1, "1/10"), "P", "Q")
HEAVY = mechanism_pair(exponential(1, 2), "P", "Q")

E1 = sp.E
POINT3, POINT277, POINT471 = (sp.Rational(n, 1000) for n in (300, 277, 471))
MUTUAL = [ac(P1, Q1), ac(Q1, P1), ac(P2, Q2), ac(Q2, P2)]
PAIRS = {"pairs": {"P1": randomized_response(1), "P2": gaussian(1, 1)}}
LOSSY = NotAlways(
    Implies(
        Le(R(1 + w, P1, Q1), R(1 + w, P2, Q2)),
        Le(delta(P1, Q1)(e), delta(P2, Q2)(e)),
        over=(w,),
    )
)
SAME_RDP = (
    r"\text{RR also satisfies the same RDP of the Gaussian mechanism for all }\alpha"
)
NOWHERE = (
    r"\text{there are mechanisms with non-trivial }(\varepsilon,\delta)\text{-DP where RDP "
    r"parameters partially or entirely do not exist}"
)
ZCDP = r"\text{a randomized response mechanism (RR) satisfies 1-zCDP}"

with theorem("zhu2021/figure-1", "RDP and f-DP of randomized response and the Gaussian",
             fidelity="printed"):
    claim(
        "figure-1.claim-1.1",
        Eq(Pr(PLD(*RR), "==", 1), E1 / (1 + E1)),
        kind="figure",
        printed=r"\text{a randomized response mechanism with }p=\tfrac{e}{1+e}",
        note="It says the truth with this probability: (1, 0)-DP.",
    )
    claim(
        "figure-1.claim-1.2",
        Eq(R(alpha, *GM), alpha / 2),
        where=[Gt(alpha, 1)],
        kind="figure",
        printed=r"\text{a Gaussian mechanism with (normalized) }\sigma=1",
        note="Its Renyi divergence.",
    )
    claim(
        "figure-1.claim-2.1",
        Le(R(alpha, *RR), R(alpha, *GM)),
        where=[Gt(alpha, 1)],
        kind="figure",
        printed=SAME_RDP,
        note="Every alpha > 1.",
    )
    claim(
        "figure-1.claim-2.2",
        Le(R(alpha, *RR), alpha / 2),
        where=[Gt(alpha, 0), Lt(alpha, 1)],
        kind="figure",
        printed=SAME_RDP,
        note="Every alpha in (0, 1).",
    )
    claim(
        "figure-1.claim-2.3",
        Le(Ex(PLD(*RR), PLD(*RR)), sp.Rational(1, 2)),
        kind="figure",
        printed=SAME_RDP,
        note="alpha = 1: the mean loss.",
    )
    claim(
        "figure-1.claim-4.1",
        Gt(delta(*RR)(0), delta(*GM)(0)),
        kind="figure",
        printed=r"\text{the optimal [...] }(\varepsilon,\delta)\text{-DP of GM cannot be achieved "
        r"by a conversion from RDP}",
        note="RR has no larger Renyi divergences (figure-1.claim-2) and a larger delta, at "
        "eps = 0: what converts the divergences of GM bounds RR too.",
    )
    claim(
        "figure-1.claim-4.2",
        Lt(T(*RR)(1 / (1 + E1)), T(*GM)(1 / (1 + E1))),
        kind="figure",
        printed=r"\text{the optimal }f\text{-DP [...] of GM cannot be achieved by a conversion "
        r"from RDP}",
        note="RR has no larger Renyi divergences (figure-1.claim-2) and a lower trade-off "
        "function, here at 1/(1 + e), where it is 1/(1 + e) = 0.268... and that of GM is "
        "0.350...: what converts the divergences of GM bounds RR too.",
    )

with theorem("zhu2021/section-3", "Limitations of Renyi DP", fidelity="printed"):
    claim(
        "section-3.claim-1",
        LOSSY,
        where=MUTUAL,
        hints={**PAIRS, "witness": {"e": sp.Rational(1, 2)}},
        printed=r"\text{The conversion from RDP to approximate DP is lossy.}",
        note="The order of Renyi curves does not give that of the profiles, here at eps = 1/2.",
    )
    claim(
        "section-3.claim-2.1",
        Eq(E(1 + w, *LEAK), sp.oo),
        printed=NOWHERE,
        note="Entirely: randomized response with delta = 1/10 has E_q = oo at every q > 1; it is "
        "(1, 1/10)-DP (section-3.claim-2.2).",
    )
    claim(
        "section-3.claim-2.2",
        Le(delta(*LEAK)(1), sp.Rational(1, 10)),
        printed=NOWHERE,
        note="The mechanism of section-3.claim-2.1 is (1, 1/10)-DP.",
    )
    claim(
        "section-3.claim-2.3",
        Eq(E(2 + w, *HEAVY), sp.oo),
        printed=NOWHERE,
        note="Partially: of Exp(1) against Exp(2) there is no E_q beyond q = 2; below there is "
        "(section-3.claim-2.4).",
    )
    claim(
        "section-3.claim-2.4",
        Defined(R(sp.Rational(3, 2), *HEAVY)),
        printed=NOWHERE,
        note="The pair of section-3.claim-2.3 has a finite R_{3/2}.",
    )
    claim(
        "section-3.claim-2.5",
        Lt(delta(*HEAVY)(0), sp.Rational(1, 2)),
        printed=NOWHERE,
        note="The pair of section-3.claim-2.3 is (0, 1/2)-DP.",
    )
    claim(
        "section-3.claim-3.1",
        Gt(delta(*RR)(sp.Rational(1, 2)), delta(*GM)(sp.Rational(1, 2))),
        printed=r"\text{even in the cases when RDP parameters exist everywhere [...], it does not "
        r"lead to a tight conversion to }(\varepsilon,\delta)\text{-DP}",
        note="RR and GM, at eps = 1/2: RR has no larger divergences (section-3.claim-9.1), and a "
        "larger delta.  That the divergences exist everywhere is section-3.claim-3.2 and 3.3.",
    )
    for number, members in ((2, RR), (3, GM)):
        claim(
            f"section-3.claim-3.{number}",
            Defined(R(1 + r, *members)),
            printed=r"\text{RDP parameters exist everywhere}",
            note="Every order above 1.",
        )
    claim(
        "section-3.claim-4",
        Implies(
            Eq(R(1 + r, P1, Q1), R(1 + r, P2, Q2)),
            Eq(delta(P1, Q1)(t), delta(P2, Q2)(t)),
            over=(r,),
        ),
        where=[Exists(c, Converges(B(delta(P1, Q1)(t), t)(1 - c)))],
        printed=r"\text{its PLD is completely captured by its Renyi divergences}",
        note="Every pair with a finite moment of some order above 1, as the Gaussian has "
        "(figure-1.claim-1.2: all its divergences are finite): no other profile, so no other loss "
        "distribution, has the same divergences.",
    )
    claim(
        "section-3.claim-5",
        Gt(delta(*RR)(POINT277), delta(*GM)(POINT277)),
        printed=r"\text{we cannot, in general, convert the RDP of Gaussian mechanism into an }"
        r"(\varepsilon,\delta)\text{-DP that matches the optimal accounting}",
        note="At eps = 0.277: RR, which has no larger divergences (section-3.claim-7.repaired).",
    )
    claim(
        "section-3.claim-6",
        Le(R(alpha, *RR), alpha),
        where=[Gt(alpha, 1)],
        printed=ZCDP,
        note="rho-zCDP: R_alpha <= rho alpha for all alpha > 1.  RR satisfies more: 1/2-zCDP.",
    )
    claim(
        "section-3.claim-7",
        Implies(
            Le(R(1 + w, *ANY_RR), 1 + w),
            Le(R(1 + r, *ANY_RR), (1 + r) / 2),
            over=(w,),
        ),
        where=[Gt(s, 0)],
        hints={"witness": {"s": sp.Rational(7, 5), "r": sp.Rational(1, 10)}},
        printed=ZCDP + r"\text{, thus the same RDP as that of a Gaussian mechanism (GM) with }"
        r"\sigma=1",
        fault="misprint",
        expected="refuted",
        repaired_by="zhu2021/section-3.claim-7.repaired",
        note="The step from 1-zCDP to the RDP of sigma = 1, R_alpha = alpha/2, for randomized "
        "response with any budget s: at s = 7/5 it is 1-zCDP and not 1/2-zCDP.  1-zCDP is what "
        "sigma = 1/sqrt(2) has.  The conclusion holds for the paper's RR, s = 1 "
        "(section-3.claim-7.repaired).",
    )
    repair(
        "section-3.claim-7.repaired",
        "section-3.claim-7",
        Le(R(alpha, *RR), alpha / 2),
        where=[Gt(alpha, 1)],
        corrected=r"\text{satisfies }\tfrac12\text{-zCDP}",
        note="The same RDP as the Gaussian with sigma = 1.",
    )
    claim(
        "section-3.claim-8",
        Gt(delta(*RR)(POINT277), delta(*GM)(POINT277)),
        printed=r"\text{If the RDP conversion is tight, then it will have to apply to RR too, but "
        r"that will lead to a contradiction}",
        note="A conversion that gave the profile of GM would bound that of RR; it does not, at "
        "0.277.",
    )
    claim(
        "section-3.claim-9.1",
        Le(R(alpha, *RR), alpha / 2),
        where=[Gt(alpha, 1)],
        printed=r"\text{both RR and GM satisfy an RDP with }\varepsilon(\alpha)=\tfrac{\alpha}{2}",
        note="Orders alpha > 1.",
    )
    claim(
        "section-3.claim-9.2",
        Le(R(alpha, *GM), alpha / 2),
        where=[Gt(alpha, 1)],
        printed=r"\text{both RR and GM satisfy an RDP with }\varepsilon(\alpha)=\tfrac{\alpha}{2}",
        note="Orders alpha > 1.",
    )
    numeric(
        "section-3.claim-10",
        Le(delta(*GM)(POINT277), POINT3),
        printed=r"\text{GM obeys }(0.277,0.3)\text{-DP}",
        note="GM is its own reversal: one direction is enough.",
    )
    numeric(
        "section-3.claim-10.sharp",
        Gt(delta(*GM)(sp.Rational(276, 1000)), POINT3),
        note="Not in the paper: 0.277 is the least such number of three digits.",
        fidelity="own",
    )
    numeric(
        "section-3.claim-11",
        Gt(delta(*RR)(eps), POINT3),
        where=[Ge(eps, 0), Lt(eps, POINT471)],
        printed=r"\text{RR does not satisfy }(\varepsilon,0.3)\text{-DP with }\varepsilon<0.471",
        note="Every eps >= 0 below 0.471; negative ones are no parameters of differential privacy.",
    )
    numeric(
        "section-3.claim-11.sharp",
        Le(delta(*RR)(sp.Rational(472, 1000)), POINT3),
        note="Not in the paper: the least eps lies between 0.471 and 0.472.",
        fidelity="own",
    )
    claim(
        "section-3.claim-13",
        Gt(delta(*RR)(POINT471), delta(*GM)(POINT471)),
        printed=r"\text{RDP is a lossy representation even for the Gaussian mechanism}",
        note="As a bound: RR is below it in Renyi divergence (section-3.claim-9.1), and above it "
        "in delta at 0.471.  That the divergences themselves determine the pair "
        "is section-3.claim-4.",
    )
