"""Finding 1 of Section 1 on dominance, and the abstract on f-DP without symmetry."""


from lapdp.privacy.mechanisms import gaussian, randomized_response
from lapdp.theory import *

A1, B1 = pair("P1", "Q1")
A2, B2 = pair("P2", "Q2")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
w = positives("w")
e, t, eps, x = reals("e t eps x")

BOTH_WAYS = [ac(A1, B1), ac(B1, A1), ac(A2, B2), ac(B2, A2)]
CONVERSE = Implies(
    Le(R(1 + w, A1, B1), R(1 + w, A2, B2)),
    Le(delta(A1, B1)(e), delta(A2, B2)(e)),
    over=(w,),
)
ONE = {"pairs": {"P1": randomized_response(1), "P2": gaussian(1, 1)}, "witness": {"e": 0}}

F_DP = (
    r"\text{we resolve an issue regarding symmetry of }f\text{-DP on subsampling that prevented }"
    r"\text{equivalence across all functional DP notions}"
)

with theorem("chourasia2024/section-1.dominance", "Dominance; f-DP without symmetry",
             fidelity="printed"):
    claim(
        "section-1.claim-13",
        NotAlways(CONVERSE),
        where=BOTH_WAYS,
        hints=ONE,
        printed=r"\text{the converse does not hold}",
        note="q = 1 + w with w > 0; the instance is that of Theorem 3.6 at eps = 1, t = 0.",
    )
    claim(
        "section-1.claim-14.3",
        NotAlways(CONVERSE),
        where=BOTH_WAYS,
        hints=ONE,
        printed=r"\text{the dominance relationship [...] depends on [...] the complex line [...]; }"
        r"\text{not along }(1,\infty)",
        note="The order of the curves along (1, oo) does not decide that of the profiles.  Their "
        "values there do determine both profiles, where the transform exists (section-3.claim-2).",
    )
    claim(
        "abstract.claim-4.1",
        ImpliesOn(
            Eq(T(P1, Q1)(x), T(P2, Q2)(x)),
            Eq(delta(P1, Q1)(eps), delta(P2, Q2)(eps)),
            x,
            0,
            1,
        ),
        printed=F_DP,
        note="Trade-off functions determine profiles, symmetric or not, for every two pairs.",
    )
    claim(
        "abstract.claim-4.2",
        Implies(
            Eq(delta(P1, Q1)(t), delta(P2, Q2)(t)),
            Eq(T(P1, Q1)(x), T(P2, Q2)(x)),
            over=(t,),
        ),
        where=[Ge(x, 0), Le(x, 1)],
        printed=F_DP,
        note="And conversely: f-DP was the notion left out.  That profile and Renyi curve are "
        "equivalent is section-1.claim-11, that the loss gives both is (1) and (2).",
    )
