"""Examples 14 and 16: query release by distance to instability.

The noisy distance is dist + Lap(1/eps); an answer comes out where it exceeds log(1/delta)/eps.
Mode 1: the answers agree, and the output is a function of the noisy distance.  Mode 2: both
distances are 0 and the answers differ; what comes out with probability r is an answer of D alone.
"""

from itertools import pairwise

import sympy as sp

from lapdp import finite
from lapdp.privacy.mechanisms import laplace, outcomes
from lapdp.theory import *

eps, d = positives("epsilon delta")
t, z, q = reals("t z q")
first, second, third, fourth, one, two, reach = reals("dist dist' d1 d2 q(D) q(D') s")
S = Event("S")
UNIT = [Lt(d, 1)]

LAP = eps / 2 * sp.exp(-eps * sp.Abs(z))
SILENT = Int(LAP, z, -sp.oo, -sp.log(d) / eps)
"""The probability that nothing comes out at distance 0."""

P, Q = pair("P", "Q")
P1, Q1 = mechanism_pair(laplace(1 / eps), "M1(D)", "M1(D')")
HALF = d / 2
P2, Q2 = mechanism_pair(
    outcomes({"bot": (1 - HALF, 1 - HALF), "q(D)": (HALF, 0), "q(D')": (0, HALF)}, where=UNIT),
    "M2(D)",
    "M2(D')",
)
Z2 = PLD(P2, Q2)

# eps = log 2, delta = 1/4: at distance k the answer comes out with probability r(k)
RELEASE = [sp.Rational(1, 8), sp.Rational(1, 4), sp.Rational(1, 2), sp.Rational(3, 4),
           sp.Rational(7, 8)]
STEPS = [mechanism_pair(finite([r, 1 - r], [s, 1 - s]), f"M(D{k})", f"M(D{k + 1})")
         for k, (r, s) in enumerate(pairwise(RELEASE))]
UNSTABLE = mechanism_pair(finite(["7/8", "1/8", 0], ["7/8", 0, "1/8"]), "M2(D)", "M2(D')")
PE, QE = mechanism_pair(laplace(1 / sp.log(2)), "Lap", "Lap'")
FAR = positives("w")
PF, QF = mechanism_pair(
    outcomes({"answer": (1 - 2 / FAR, 1 - 1 / FAR), "bot": (2 / FAR, 1 / FAR)},
             where=[Ge(FAR, 4)]), "M(Dk)", "M(Dk+1)")
PB, QB = mechanism_pair(laplace(10), "Lap", "Lap'")
NINE = sp.Rational(9, 20)
PC, QC = mechanism_pair(
    finite([1 - NINE, NINE, 0], [1 - NINE, 0, NINE]), "M2(D)", "M2(D')")

TRIANGLE = [Le(first, third), Le(third, second + 1), Le(second, fourth), Le(fourth, first + 1)]
AT_ZERO = r"a point mass of }1-\delta\text{ at }0\text{ (for outputting }\bot\text{)"
SINGLE = ["example-16.claim-3", "example-16.claim-3.letter"]
HALVED = (
    "Pr[Lap(1/eps) > log(1/delta)/eps] is delta/2: the noise has two sides, and half of its mass "
    "is below 0."
)

with theorem("zhu2021/example-14", "Distance to instability: no Renyi divergence",
             fidelity="printed"):
    claim(
        "example-14.claim-1",
        Le(sp.Abs(first - second), 1),
        where=TRIANGLE,
        printed=r"\mathrm{dist}_q\text{ always has a global sensitivity of at most }1",
        note="dist(D) is the least distance to a data set of positive local sensitivity.  The "
        "nearest one of D' is at most one step further from D, and the other way round.",
    )
    definition(
        "example-14.claim-2",
        Eq(SILENT, 1 - d / 2),
        where=UNIT,
        printed=r"\text{outputs }\bot\text{ (nothing) if }\mathrm{dist}_q(D)+\mathrm{Lap}"
        r"(1/\varepsilon)\le\log(1/\delta)/\varepsilon",
        note="At dist_q(D) = 0: what the definition gives.  " + HALVED,
        fidelity="instance",
    )
    claim(
        "example-14.claim-3.mode-1",
        Le(delta(P1, Q1)(eps), d),
        where=UNIT,
        printed=r"\text{This algorithm is satisfies }(\varepsilon,\delta)\text{-DP}",
        note="Where q(D) = q(D').  The noisy distances are one apart: of them, and so of every "
        "function of them.  Their Laplace pair is its own reversal.  delta is not needed.",
    )
    claim(
        "example-14.claim-3.mode-2",
        Le(delta(P2, Q2)(eps), d),
        where=UNIT,
        printed=r"\text{This algorithm is satisfies }(\varepsilon,\delta)\text{-DP}",
        note="Where q(D) is not q(D').  The pair is its own reversal.  delta/2 is enough.",
    )
    claim(
        "example-14.claim-4",
        Gt(Pr(Z2, "==", sp.oo), 0),
        where=UNIT,
        printed=r"\text{there is a probability mass at the }+\infty\text{ for the case when }"
        r"q(D)\ne q(D')",
        note="Every delta < 1.",
    )
    claim(
        "example-14.claim-5.1",
        Eq(E(q, P2, Q2), sp.oo),
        where=[*UNIT, Gt(q, 1)],
        printed=r"\text{RDP is }+\infty\text{ for all }\alpha",
        note="The orders alpha > 1; at q > 1 the divergence log(E_q)/(q - 1) is +oo exactly "
        "where E_q is.",
    )
    claim(
        "example-14.claim-5.2",
        Eq(Ex(Z2, Z2), sp.oo),
        where=UNIT,
        printed=r"\text{RDP is }+\infty\text{ for all }\alpha",
        note="The order alpha = 1, the Kullback-Leibler divergence.",
    )
    claim(
        "example-14.claim-5.below",
        Eq(R(q, P2, Q2), sp.log(1 - d / 2) / (q - 1)),
        where=[*UNIT, Gt(q, 0), Lt(q, 1)],
        kind="law",
        note="Not in the paper, whose Renyi DP has orders from 1 on (Table 1): below 1 the "
        "divergence is finite.",
    )

with theorem("zhu2021/example-16", "Distance to instability: no worst-case pair",
             fidelity="printed"):
    definition(
        "example-16.claim-1",
        Eq(SILENT, 1 - d / 2),
        where=UNIT,
        printed=r"\text{outputs }\bot\text{ (nothing) if }\mathrm{dist}_q(D)+\mathrm{Lap}"
        r"(1/\varepsilon)\le\log(1/\delta)/\varepsilon",
        note="At dist_q(D) = 0, as in Example 14.",
        fidelity="instance",
    )
    claim(
        "example-16.mode-1.claim-1",
        Eq(one, two),
        where=[Le(sp.Abs(one - two), reach), Eq(reach, 0)],
        printed=r"\text{When }\mathrm{dist}_q(D)>0\text{, then for all }D'\text{ neighboring to }"
        r"D,\ q(D)=q(D')",
        note="dist(D) > 0 says that the local sensitivity at D, s, is 0.",
    )
    claim(
        "example-16.mode-1.claim-2",
        Eq(delta(P1, Q1)(eps), 0),
        printed=r"\text{the PLD is from the post-processing of a Laplace mechanism [...], i.e., }"
        r"(\varepsilon,0)\text{-DP}",
        note="The Laplace mechanism; its post-processings are example-14.claim-3.mode-1.",
    )
    claim(
        "example-16.mode-2.claim-1",
        Gt(reach, 0),
        where=[Le(sp.Abs(one - two), reach), Ne(one, two)],
        printed=r"\text{it must hold that }\mathrm{dist}_q(D')=0",
        note="D is a neighbour of D', so the local sensitivity at D', s, is positive.",
    )
    claim(
        "example-16.mode-2.claim-2",
        Eq(SILENT, 1 - d),
        where=UNIT,
        printed=r"\text{the privacy loss distribution is " + AT_ZERO + "}",
        fault="false claim",
        expected="refuted",
        repaired_by="zhu2021/example-16.mode-2.claim-2.repaired",
        hints={"witness": {"epsilon": 1, "delta": sp.Rational(1, 2)}},
        note=HALVED,
    )
    repair(
        "example-16.mode-2.claim-2.repaired",
        "example-16.mode-2.claim-2",
        Eq(SILENT, 1 - d / 2),
        where=UNIT,
        corrected=r"\text{a point mass of }1-\delta/2\text{ at }0",
        note="Pr[Lap(1/eps) <= log(1/delta)/eps]: what both data sets show nothing with has the "
        "loss "
        "0.",
    )
    claim(
        "example-16.mode-2.claim-3",
        Eq(Pr(Z2, "==", sp.oo), d),
        where=UNIT,
        printed=r"\text{a point mass of }\delta\text{ at }+\infty",
        fault="false claim",
        expected="refuted",
        repaired_by="zhu2021/example-16.mode-2.claim-3.repaired",
        hints={"witness": {"delta": sp.Rational(1, 2)}},
        note=HALVED,
        root="example-16.mode-2.claim-2",
    )
    repair(
        "example-16.mode-2.claim-3.repaired",
        "example-16.mode-2.claim-3",
        Eq(Pr(Z2, "==", sp.oo), d / 2),
        where=UNIT,
        corrected=r"\text{a point mass of }\delta/2\text{ at }+\infty",
    )
    claim(
        "example-16.mode-2.claim-4",
        Le(delta(P2, Q2)(0), d),
        where=UNIT,
        printed=r"\text{i.e., }(0,\delta)\text{-DP}",
        note="True with room: it is (0, delta/2)-DP.",
    )
    claim(
        "example-16.claim-3",
        Gt(delta(*STEPS[1])(0), delta(*UNSTABLE)(0)),
        printed=r"\text{there is no single pair of datasets that attains the privacy-profile of "
        r"this mechanism for all input parameter }\tilde\varepsilon",
        note="As Section 4.1 uses the example: for some eps and delta.  At eps = log 2, delta = "
        "1/4, eps~ = 0 distances 1 and 2 give more than the second mode, which has delta/2 = 1/8; "
        "from eps on it is the other way: section-4.1.claim-3.1.",
        readings=SINGLE,
    )
    claim(
        "example-16.claim-3.letter",
        Exists(t, Lt(delta(P2, Q2)(t), delta(P1, Q1)(t))),
        where=UNIT,
        printed=r"\text{there is no single pair of datasets that attains the privacy-profile of "
        r"this mechanism for all input parameter }\tilde\varepsilon",
        expected="refuted",
        hints={"witness": {"epsilon": sp.Rational(1, 10), "delta": sp.Rational(9, 10)}},
        note="For every eps and delta: then the second mode is somewhere exceeded by a pair of the "
        "first, so by the Laplace mechanism.  It needs a delta that is small enough: at eps = "
        "1/10, delta = 9/10 it is exceeded nowhere (example-16.claim-3.large-delta).",
        readings=SINGLE,
    )
    claim(
        "example-16.claim-3.large-delta",
        Ge(delta(PC, QC)(t), delta(PB, QB)(t)),
        fidelity="own",
        note="At eps = 1/10, delta = 9/10: there the second mode lies above the Laplace mechanism, "
        "hence above every pair of the first mode, at every real eps~.",
    )
    claim(
        "example-16.claim-4",
        Eq(delta(P2, Q2)(t), d),
        where=[*UNIT, Gt(t, eps)],
        printed=r"\text{When }\tilde\varepsilon>\varepsilon,\ \delta_{\mathcal M}"
        r"(\tilde\varepsilon)=\delta\text{ and is attained by the second mode}",
        fault="false claim",
        expected="refuted",
        repaired_by="zhu2021/example-16.claim-4.repaired",
        hints={"witness": {"delta": sp.Rational(1, 2)}},
        note=HALVED + "  t stands for eps~.",
        root="example-16.mode-2.claim-2",
    )
    repair(
        "example-16.claim-4.repaired",
        "example-16.claim-4",
        Eq(sp.Max(delta(P2, Q2)(t), delta(P1, Q1)(t)), d / 2),
        where=[*UNIT, Ge(t, eps)],
        corrected=r"\tilde\varepsilon\geq\varepsilon:\ \delta_{\mathcal M}(\tilde\varepsilon)"
        r"=\delta/2",
        note="With the Laplace mechanism, which no pair of the first mode exceeds.  t stands for "
        "eps~.",
    )
    claim(
        "example-16.claim-5",
        Eq(sp.Max(*(delta(*pair)(0) for pair in STEPS)), delta(PE, QE)(0)),
        where=[Gt(delta(PE, QE)(0), sp.Rational(1, 4))],
        printed=r"\text{if we choose }\tilde\varepsilon\text{ such that }\delta_{\text{Lap. Mech.}"
        r"(1/\varepsilon)}(\tilde\varepsilon)>\delta\text{, then }\delta_{\mathcal M}"
        r"(\tilde\varepsilon)=\delta_{\text{Lap. Mech.}(1/\varepsilon)}(\tilde\varepsilon)",
        fault="false claim",
        expected="refuted",
        repaired_by="zhu2021/example-16.claim-5.repaired",
        note="At eps = log 2, delta = 1/4, eps~ = 0, where the Laplace mechanism has 1 - 2^(-1/2) "
        "> 1/4: the pairs of distances (0, 1) to (3, 4) reach 1/4, the others no more "
        "(example-16.claim-5.step-1).  The threshold keeps one event, which is the best one at "
        "few eps~ only.",
        fidelity="instance",
    )
    step(
        "example-16.claim-5.step-1",
        Le(delta(PF, QF)(0), sp.Rational(1, 4)),
        where=[Ge(FAR, 4)],
        note="Distances k >= 2 and k + 1, w = 2^k, at eps = log 2 and delta = 1/4.",
        fidelity="own",
    )
    repair(
        "example-16.claim-5.repaired",
        "example-16.claim-5",
        Le(P(S) - sp.exp(t) * Q(S), delta(P, Q)(t)),
        corrected=r"\text{a pair of the first mode never exceeds }"
        r"\delta_{\text{Lap. Mech.}(1/\varepsilon)}(\tilde\varepsilon)",
        note="Every event on the space of every pair, so of the noisy distances; every real "
        "eps~.  t stands for eps~.",
    )
