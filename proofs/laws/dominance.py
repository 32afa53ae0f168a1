"""What a larger profile implies, and what does not imply it.

Reversal: chourasia2024/eq-42.law-1; Renyi divergences: eq-44.repaired; composition: lemma-4.4;
trade-off functions: section-4.1.claim-1.repaired and eq-60.repaired.
"""

import sympy as sp

from lapdp.privacy.mechanisms import gaussian, randomized_response
from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
e, eps, q = reals("e eps q")
w = positives("w")
Z1, Z2 = PLD(P1, Q1), PLD(P2, Q2)
DOMINATED = Le(delta(P1, Q1)(e), delta(P2, Q2)(e))
PRINTED = r"\delta_{P_1|Q_1}\leq\delta_{P_2|Q_2}\implies "
CONVEX = "Means of convex functions of the likelihood ratio: Zhu, Dong, Wang 2022, Definition 7; "


def when_dominated(conclusion):
    """The first pair is dominated by the second, at all levels."""
    return Implies(DOMINATED, conclusion, over=(e,))


with theorem("laws/dominance", "What a larger profile implies"):
    claim(
        "dominance.moments",
        when_dominated(Le(E(q, P1, Q1), E(q, P2, Q2))),
        where=[Gt(q, 1), Defined(E(q, P2, Q2))],
        kind="law",
        expected="proved",
        printed=PRINTED + r"\mathrm{E}_q(P_1\|Q_1)\leq\mathrm{E}_q(P_2\|Q_2),\quad q>1",
        note=CONVEX + "(44) of Chourasia et al. 2024 for moments.",
    )
    claim(
        "dominance.moments-between",
        when_dominated(Ge(E(q, P1, Q1), E(q, P2, Q2))),
        where=[Gt(q, 0), Lt(q, 1)],
        kind="law",
        expected="proved",
        printed=PRINTED + r"\mathrm{E}_q(P_1\|Q_1)\geq\mathrm{E}_q(P_2\|Q_2),\quad 0<q<1",
        note=CONVEX + "between 0 and 1 the function is concave.",
    )
    claim(
        "dominance.mean-loss",
        when_dominated(Le(Ex(Z1, Z1), Ex(Z2, Z2))),
        kind="law",
        expected="proved",
        printed=PRINTED + r"\mathbb{E}[Z_1]\leq\mathbb{E}[Z_2]",
        note=CONVEX + "the Kullback-Leibler divergence.",
    )
    claim(
        "dominance.infinity",
        when_dominated(Le(Pr(Z1, "==", sp.oo), Pr(Z2, "==", sp.oo))),
        kind="law",
        expected="proved",
        printed=PRINTED + r"\Pr[Z_1=\infty]\leq\Pr[Z_2=\infty]",
        note="The limits of the profiles at oo: Zhu, Dong, Wang 2022, Definition 7.",
    )
    claim(
        "dominance.tails",
        when_dominated(Le(Pr(Z1, ">", eps), Pr(Z2, ">", eps))),
        kind="law",
        expected="refuted",
        printed=PRINTED + r"\Pr[Z_1>\varepsilon]\leq\Pr[Z_2>\varepsilon]",
        note="Not a law: dominance is no stochastic order of the losses; Zhu, Dong, Wang 2022, "
        "Definition 7, compares hockey-stick divergences.",
    )
    claim(
        "dominance.converse",
        Implies(Le(R(1 + w, P1, Q1), R(1 + w, P2, Q2)),
                Le(delta(P1, Q1)(eps), delta(P2, Q2)(eps)), over=(w,)),
        where=[ac(P1, Q1), ac(Q1, P1), ac(P2, Q2), ac(Q2, P2)],
        kind="law",
        expected="refuted",
        hints={"pairs": {"P1": randomized_response(1), "P2": gaussian(1, 1)},
               "witness": {"eps": 0}},
        printed=r"\mathrm{R}_q(P_1\|Q_1)\leq\mathrm{R}_q(P_2\|Q_2)\text{ for all }q>1"
        r"\implies\delta_{P_1|Q_1}\leq\delta_{P_2|Q_2}",
        note="Not a law: Zhu, Dong, Wang 2022, Figure 1; Theorem 3.6 of Chourasia et al. 2024.",
    )
    claim(
        "dominance.one-point",
        Le(delta(P1, Q1)(eps), delta(P2, Q2)(eps)),
        where=[Le(delta(P1, Q1)(0), delta(P2, Q2)(0))],
        kind="law",
        expected="refuted",
        printed=r"\delta_{P_1|Q_1}(0)\leq\delta_{P_2|Q_2}(0)\implies"
        r"\delta_{P_1|Q_1}\leq\delta_{P_2|Q_2}",
        note="Not a law: profiles cross, so one level orders none of the others; Zhu, Dong, Wang "
        "2022, Definition 7, asks for all.",
    )
