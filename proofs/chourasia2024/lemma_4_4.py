"""Lemma 4.4: adaptive composition, and what its hypothesis is needed for (footnotes 3 and 14)."""


import sympy as sp

from lapdp import finite
from lapdp.theory import *

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
x = outcome("x")
P2x, Q2x = family("P2", "Q2", x)
P, Q = adaptive_pair((P1, Q1), (P2x, Q2x))
BOTH, OTHER = product_pair((P1, Q1), (P2, Q2), names=("P1 x P2", "Q1 x Q2"))
eps, e, t = reals("eps e t")

DOMINATED = ForAll((e, x), Le(delta(P2x, Q2x)(e), delta(P2, Q2)(e)))

with theorem("chourasia2024/lemma-4.4", "Adaptive composition of privacy profiles",
             fidelity="printed"):
    claim(
        "lemma-4.4",
        Le(delta(P, Q)(eps), delta(BOTH, OTHER)(eps)),
        where=[DOMINATED],
        printed=r"\delta_{P^{x}_{2}|Q^{x}_{2}}(\varepsilon)\leq\delta_{P_{2}|Q_{2}}(\varepsilon)"
        r"\text{ for all }\varepsilon\in\mathbb{R}\text{ and }x\in\Omega_{1}\text{, we have }"
        r"\delta_{P|Q}(\varepsilon)\leq\delta_{P_{1}\times P_{2}|Q_{1}\times Q_{2}}(\varepsilon)",
        note="Every pair (P1, Q1), every measurable family, every pair (P2, Q2).",
    )
    claim(
        "lemma-4.4.reversed",
        Le(delta(Q, P)(eps), delta(OTHER, BOTH)(eps)),
        where=[DOMINATED],
        note="The same for the reversed joint pair: one direction of dominance suffices.",
    )
    claim(
        "section-1.claim-17",
        Le(delta(P, Q)(eps), delta(BOTH, OTHER)(eps)),
        where=[ForAll(e, Le(Sup(delta(P2x, Q2x)(e), x), delta(P2, Q2)(e)))],
        printed=r"\text{extends to adaptive scenarios, provided that the conditional }"
        r"\text{distributions }P_{2}^{\theta}\text{ and }Q_{2}^{\theta}"
        r"\text{[...] are dominated by a privacy profile for all }\theta",
        note="The profile that dominates is that of a pair, as Lemma 4.4 has it.",
    )

# A fibre below another pair at log 2 only: a point guarantee says little of the rest of the curve.
FIBRE = mechanism_pair(finite([1, 0], ["1/2", "1/2"]), "A", "B")
SAME = mechanism_pair(finite([1], [1]), "C", "D")
LOG2 = sp.log(2)

with theorem("chourasia2024/footnote-14", "Adaptive composition of points and of curves",
             fidelity="printed"):
    definition(
        "footnote-14.claim-1",
        Le(delta(P, Q)(e + eps), delta(P1, Q1)(e) + t),
        where=[ForAll(x, Le(delta(P2x, Q2x)(eps), t))],
        printed=r"\text{conditioned on any observation from }\mathcal{M}_{1}\text{, the point DP }"
        r"\text{guarantee holds for }\mathcal{M}_{2}",
        note="That this is what the composition of points needs: (eps, t) after any observation, "
        "beside any point of the first, add up.",
    )
    claim(
        "footnote-14.claim-2.5",
        Le(delta(P, Q)(eps), delta(BOTH, OTHER)(eps)),
        where=[DOMINATED],
        printed=r"\text{Adaptively composing DP curves needs a stronger assumption that }"
        r"\text{conditioned on any output of }\mathcal{M}_{1}\text{, the privacy profile of }"
        r"\mathcal{M}_{2}\text{ lies below a worst-case DP curve}",
        note="The assumption suffices; that less does not: footnote-14.claim-2.1 and 2.2.",
    )
    claim(
        "footnote-14.claim-2.1",
        Le(delta(P, Q)(eps), delta(BOTH, OTHER)(eps)),
        where=[Le(Sup(delta(P2x, Q2x)(e), x), delta(P2, Q2)(e))],
        expected="refuted",
        note="What the footnote warns of: dominance at one e only does not suffice.",
    )
    claim(
        "footnote-14.claim-2.2",
        Le(delta(P, Q)(eps), delta(BOTH, OTHER)(eps)),
        where=[ForAll((e, x), Le(delta(P2x, Q2x)(e), delta(P2, Q2)(e)), (Ge(e, 0),))],
        expected="refuted",
        note="Curves compared at e >= 0 only, as is common: not enough either.",
    )
    repair(
        "footnote-14.claim-2.2.repaired",
        "footnote-14.claim-2.2",
        Le(delta(P, Q)(eps), delta(BOTH, OTHER)(eps)),
        where=[ForAll((e, x), Le(delta(P2x, Q2x)(e), delta(P2, Q2)(e)), (Ge(e, 0),)),
               ForAll((e, x), Le(delta(Q2x, P2x)(e), delta(Q2, P2)(e)), (Ge(e, 0),))],
        corrected=r"\delta_{P_{2}^{x}|Q_{2}^{x}}(e)\leq\delta_{P_{2}|Q_{2}}(e)\text{ and }"
        r"\delta_{Q_{2}^{x}|P_{2}^{x}}(e)\leq\delta_{Q_{2}|P_{2}}(e)\text{ for all }e\geq 0",
        note="At e >= 0 in both directions: by the reversal that is all real e.",
    )
    claim("footnote-14.claim-2.3", Le(delta(*FIBRE)(LOG2), delta(*SAME)(LOG2)),
          note="Dominated at log 2 ...")
    claim("footnote-14.claim-2.4", Gt(delta(*FIBRE)(0), delta(*SAME)(0)),
          note="... and not at 0.")
