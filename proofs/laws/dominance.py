"""What a larger profile implies, and what does not imply it.

Reversal: chourasia2024/definition-3.2.law-1; Renyi divergences: section-1.claim-12; composition:
lemma-4.4; trade-off functions: section-4.1.claim-1.repaired and eq-60.repaired.
"""

import sympy as sp

from lapdp.privacy.mechanisms import finite, gaussian, randomized_response
from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P3, Q3 = pair("P3", "Q3")
P13, Q13 = product_pair((P1, Q1), (P3, Q3), names=("P1 x P3", "Q1 x Q3"))
P23, Q23 = product_pair((P2, Q2), (P3, Q3), names=("P2 x P3", "Q2 x Q3"))
o = outcome("o")
P2o, Q2o = family("P2", "Q2", o)
P_joint, Q_joint = adaptive_pair((P1, Q1), (P2o, Q2o))
P_both, Q_both = product_pair((P1, Q1), (P2, Q2), names=("P1 x P2", "Q1 x Q2"))
e, eps, q, x, lam = reals("e eps q x lambda")
w = positives("w")
Z1, Z2 = PLD(P1, Q1), PLD(P2, Q2)
DOMINATED = Le(delta(P1, Q1)(e), delta(P2, Q2)(e))
PRINTED = r"\delta_{P_1|Q_1}\leq\delta_{P_2|Q_2}\implies "
ORDERED = ForAll((e,), DOMINATED)
LEVEL = [Ge(x, 0), Le(x, 1)]
INSIDE = [Gt(lam, 0), Le(lam, 1)]
SHARE = 1 - lam * (1 - sp.exp(-eps))
# the outcomes of ratios 1 and 0 of the first pair are one outcome of the second, whose profile is
# therefore the same at eps >= 0, and smaller somewhere below
RIGHT_HALF = {"P1": finite(["1/2", "1/2", 0], ["1/4", "1/2", "1/4"]),
              "P2": finite(["1/2", "1/2"], ["1/4", "3/4"])}
CONVEX = "Means of convex functions of the likelihood ratio: Zhu, Dong, Wang 2022, Definition 7; "


def when_dominated_right(conclusion):
    """The first pair is dominated by the second, at the levels eps > 0."""
    return Implies(Le(delta(P1, Q1)(w), delta(P2, Q2)(w)), conclusion, over=(w,))


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
    claim(
        "dominance.product",
        Le(delta(P13, Q13)(eps), delta(P23, Q23)(eps)),
        where=ORDERED,
        kind="law",
        expected="proved",
        printed=PRINTED + r"\delta_{P_1\times P_3|Q_1\times Q_3}"
        r"\leq\delta_{P_2\times P_3|Q_2\times Q_3}",
        note="Composition preserves dominance: Zhu, Dong, Wang 2022, Theorem 10; for adaptive "
        "releases Lemma 4.4 of Chourasia et al. 2024.",
    )
    claim(
        "dominance.tensor",
        Ge(T(P13, Q13)(x), T(P23, Q23)(x)),
        where=[ORDERED, *LEVEL],
        kind="law",
        expected="proved",
        printed=PRINTED + r"f_{P_1\times P_3|Q_1\times Q_3}\geq f_{P_2\times P_3|Q_2\times Q_3}",
        note="The tensor product of trade-off functions is monotone: Dong, Roth, Su 2022, "
        "Section 3.",
    )
    claim(
        "dominance.adaptive-tensor",
        Ge(T(P_joint, Q_joint)(x), T(P_both, Q_both)(x)),
        where=[*LEVEL, ForAll((o, e), Le(delta(P2o, Q2o)(e), delta(P2, Q2)(e)))],
        kind="law",
        expected="proved",
        printed=r"\delta_{P_2^o|Q_2^o}\leq\delta_{P_2|Q_2}\text{ for all }o\implies "
        r"f_{P_{1:2}|Q_{1:2}}\geq f_{P_1|Q_1}\otimes f_{P_2|Q_2}",
        note="Adaptive composition of trade-off functions: Dong, Roth, Su 2022, Section 3.",
    )
    claim(
        "dominance.sampled-remove",
        Le(delta(lam * P1 + (1 - lam) * Q1, Q1)(sp.log(1 + lam * (sp.exp(eps) - 1))),
           delta(lam * P2 + (1 - lam) * Q2, Q2)(sp.log(1 + lam * (sp.exp(eps) - 1)))),
        where=[*INSIDE, ORDERED],
        kind="law",
        expected="proved",
        hints={"between": (lam * delta(P1, Q1)(eps), lam * delta(P2, Q2)(eps))},
        printed=PRINTED + r"\delta_{\lambda P_1+(1-\lambda)Q_1|Q_1}"
        r"\leq\delta_{\lambda P_2+(1-\lambda)Q_2|Q_2}",
        note="A sample of a dominating pair dominates, for removal: Zhu, Dong, Wang 2022, Theorem "
        "11.  Below log(1 - lambda) both profiles are 1 - e^eps.",
    )
    claim(
        "dominance.sampled-add",
        Le(SHARE * delta(Q1, lam * P1 + (1 - lam) * Q1)(-sp.log(SHARE)),
           SHARE * delta(Q2, lam * P2 + (1 - lam) * Q2)(-sp.log(SHARE))),
        where=[*INSIDE, ForAll((e,), Le(delta(Q1, P1)(e), delta(Q2, P2)(e)))],
        kind="law",
        expected="proved",
        hints={"between": (lam * sp.exp(-eps) * delta(Q1, P1)(eps),
                           lam * sp.exp(-eps) * delta(Q2, P2)(eps))},
        printed=r"\delta_{Q_1|P_1}\leq\delta_{Q_2|P_2}\implies "
        r"\delta_{Q_1|\lambda P_1+(1-\lambda)Q_1}\leq\delta_{Q_2|\lambda P_2+(1-\lambda)Q_2}",
        note="The same for addition, Zhu, Dong, Wang 2022; both profiles vanish from "
        "-log(1 - lambda) on.",
    )
    claim(
        "dominance.half-line",
        when_dominated_right(Le(delta(P1, Q1)(eps), delta(P2, Q2)(eps))),
        kind="law",
        expected="refuted",
        hints={"pairs": RIGHT_HALF, "witness": {"eps": -sp.log(2)}},
        printed=r"\delta_{P_1|Q_1}(\varepsilon)\leq\delta_{P_2|Q_2}(\varepsilon)"
        r"\text{ for }\varepsilon>0\implies\delta_{P_1|Q_1}\leq\delta_{P_2|Q_2}",
        note="Not a law: the half eps < 0 of a profile is that of the reversed pair, Zhu, Dong, "
        "Wang 2022.",
    )
    claim(
        "dominance.half-line-product",
        when_dominated_right(Le(delta(P13, Q13)(eps), delta(P23, Q23)(eps))),
        where=Ge(eps, 0),
        kind="law",
        expected="refuted",
        hints={"pairs": {**RIGHT_HALF, "P3": randomized_response(sp.log(3))},
               "witness": {"eps": sp.log(2)}},
        printed=r"\delta_{P_1|Q_1}(\varepsilon)\leq\delta_{P_2|Q_2}(\varepsilon)"
        r"\text{ for }\varepsilon>0\implies\delta_{P_1\times P_3|Q_1\times Q_3}(\varepsilon)"
        r"\leq\delta_{P_2\times P_3|Q_2\times Q_3}(\varepsilon)",
        note="Not a law: it fails even at eps >= 0, as footnote 2 of Zhu, Dong, Wang 2022 says: "
        "alpha < 1 counts for composition.",
    )
    claim(
        "dominance.half-line-moments",
        when_dominated_right(Le(E(2, P1, Q1), E(2, P2, Q2))),
        kind="law",
        expected="refuted",
        hints={"pairs": RIGHT_HALF},
        printed=r"\delta_{P_1|Q_1}(\varepsilon)\leq\delta_{P_2|Q_2}(\varepsilon)"
        r"\text{ for }\varepsilon>0\implies\mathrm{E}_2(P_1\|Q_1)\leq\mathrm{E}_2(P_2\|Q_2)",
        note="Not a law: Renyi dominance follows from the whole profile, Chourasia et al. 2024.",
    )
