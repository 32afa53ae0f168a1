"""Equation (60): dominance by trade-off functions, and Fenchel duality with the profile."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
alpha, x, eps, t = reals("alpha x eps t")
f1, f2 = T(P1, Q1), T(P2, Q2)
d1, d2 = delta(P1, Q1), delta(P2, Q2)
LEVEL = [Ge(alpha, 0), Le(alpha, 1)]

with theorem("chourasia2024/equation-60", "Dominance by trade-off functions", fidelity="printed"):
    definition(
        "eq-60",
        ImpliesOn(Ge(f1(x), f2(x)), Le(d2(eps), d1(eps)), x, 0, 1),
        printed=r"(P_{1},Q_{1})\text{ dominates }(P_{2},Q_{2})\text{ if their trade-off curves "
        r"satisfy }\forall\alpha\in[0,1]:f_{P_{1}|Q_{1}}(\alpha)\geq f_{P_{2}|Q_{2}}"
        r"(\alpha)",
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/eq-60.repaired",
        note="Theirs implies ours, (42): the larger trade-off function belongs to the pair that "
        "is dominated, so the roles of the two pairs are exchanged in print.",
    )
    repair(
        "eq-60.repaired",
        "eq-60",
        ImpliesOn(Ge(f1(x), f2(x)), Le(d1(eps), d2(eps)), x, 0, 1),
        corrected=r"\forall\alpha\in[0,1]:f_{P_{1}|Q_{1}}(\alpha)\geq f_{P_{2}|Q_{2}}(\alpha)"
        r"\implies\forall\varepsilon\in\mathbb{R}:"
        r"\delta_{P_{1}|Q_{1}}(\varepsilon)\leq\delta_{P_{2}|Q_{2}}(\varepsilon)",
        note="Under (60) it is (P2, Q2) that dominates (P1, Q1).",
    )
    claim(
        "section-4.1.claim-1",
        Implies(Le(d2(eps), d1(eps)), Ge(f1(alpha), f2(alpha)), over=(eps,)),
        where=LEVEL,
        equations=(60,),
        printed=r"\text{our notion of dominance and their notion is equivalent}",
        fault="misprint",
        expected="refuted",
        repaired_by="chourasia2024/section-4.1.claim-1.repaired",
        note="Ours implies theirs, with the roles as printed; theirs implies ours is eq-60.  The "
        "roles of the two pairs are exchanged.",
        root="eq-60",
    )
    repair(
        "section-4.1.claim-1.repaired",
        "section-4.1.claim-1",
        Implies(Le(d1(eps), d2(eps)), Ge(f1(alpha), f2(alpha)), over=(eps,)),
        where=LEVEL,
        equations=(60,),
        corrected=r"\forall\varepsilon\in\mathbb{R}:"
        r"\delta_{P_{1}|Q_{1}}(\varepsilon)\leq\delta_{P_{2}|Q_{2}}(\varepsilon)\implies"
        r"\forall\alpha\in[0,1]:f_{P_{1}|Q_{1}}(\alpha)\geq f_{P_{2}|Q_{2}}(\alpha)",
        note="The equivalence holds for all pairs once the roles are exchanged.",
    )
    claim(
        "section-4.1.claim-2.1",
        Eq(delta(P, Q)(eps), Sup(1 - x - sp.exp(eps) * T(P, Q)(x), x, 0, 1)),
        equations=(60,),
        printed=r"\delta_{P_{i}|Q_{i}}\text{ and the corresponding trade-off curve }f_{P_{i}|Q_{i}}"
        r"\text{ are primal and dual with respect to Frenchel duality}",
        note="In the orientation of (6) and (11), for every pair and every real eps.",
    )
    claim(
        "section-4.1.claim-2.2",
        Eq(
            T(P, Q)(alpha),
            Sup(sp.exp(-t) * (1 - alpha - delta(P, Q)(t)), t, -sp.oo, sp.oo),
        ),
        where=LEVEL,
        equations=(60,),
        printed=r"\delta_{P_{i}|Q_{i}}\text{ and the corresponding trade-off curve }f_{P_{i}|Q_{i}}"
        r"\text{ are primal and dual with respect to Frenchel duality}",
        note="The profile is needed at all real eps, negative ones included.",
    )
    claim(
        "section-4.1.claim-2.3",
        Eq(delta(Q, P)(eps), 1 + Sup(-sp.exp(eps) * x - T(P, Q)(x), x, 0, 1)),
        equations=(60,),
        note="The convex conjugate itself gives the profile of the reversed pair.",
        fidelity="own",
    )
