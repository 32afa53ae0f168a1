"""Remark 4.3 and the prose before it: (47) without absolute continuity."""

import sympy as sp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *

TENTH = sp.Rational(1, 10)
LEAKY = randomized_response(sp.log(3), TENTH)
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P, Q = product_pair((P1, Q1), (P2, Q2))
eps = reals("eps")

eps1, eps2 = reals("eps_1 eps_2")
mass1, mass2 = reals("delta_1 delta_2")
A1, B1 = mechanism_pair(randomized_response(eps1, mass1), "P1", "Q1")
A2, B2 = mechanism_pair(randomized_response(eps2, mass2), "P2", "Q2")
A, AA = product_pair((A1, B1), (A2, B2))

with theorem("chourasia2024/remark-4.3", "Composition without absolute continuity",
             fidelity="printed"):
    claim(
        "section-4.claim-1",
        Eq(
            delta(P, Q)(eps),
            conv(
                delta(P1, Q1)(eps),
                D(delta(P2, Q2)(eps), eps, 2) - D(delta(P2, Q2)(eps), eps),
                eps,
            ),
        ),
        printed=r"\text{our result in (47) appears to hold even when absolute continuity fails }"
        r"\text{in either direction}",
        hints={"pairs": {"P1": LEAKY, "P2": LEAKY}, "witness": {"eps": 0}},
        fault="false claim",
        expected="refuted",
        repaired_by="chourasia2024/eq-47.1.repaired",
        note="Identity (47) for every two pairs.  It fails exactly when P2 is not absolutely "
        "continuous with respect to Q2.",
    )
    claim(
        "section-4.claim-2",
        Eq(
            delta(A, AA)(eps),
            conv(
                delta(A1, B1)(eps),
                D(delta(A2, B2)(eps), eps, 2) - D(delta(A2, B2)(eps), eps),
                eps,
            ),
        ),
        where=[Ge(eps1, 0), Ge(eps2, 0), Gt(mass1, 0), Le(mass1, 1), Gt(mass2, 0), Le(mass2, 1)],
        printed=r"\text{we apply (47) to compose the privacy profile of randomized mechanisms }"
        r"\delta_{\mathrm{RR}}^{\varepsilon_{1},\delta_{1}}\otimes"
        r"\delta_{\mathrm{RR}}^{\varepsilon_{2},\delta_{2}}\text{ and get a tight expression for }"
        r"\delta_{1},\delta_{2}>0",
        fault="false claim",
        expected="refuted",
        repaired_by="chourasia2024/eq-47.1.repaired",
        hints={"witness": {"eps_1": sp.log(3), "eps_2": sp.log(3), "delta_1": TENTH,
                           "delta_2": TENTH, "eps": 0}},
        note="Identity (47) for two randomized responses: short by delta_2.  Theorem 4.6 stands.",
        root="section-4.claim-1",
    )
    claim(
        "remark-4.3",
        Eq(
            delta(P, Q)(eps),
            conv(
                delta(P1, Q1)(eps),
                D(delta(P2, Q2)(eps), eps, 2) - D(delta(P2, Q2)(eps), eps),
                eps,
            ),
        ),
        printed=r"\text{dropping the absolute continuity assumption in Theorem 4.2 does not }"
        r"\text{compromise the validity of (47)}",
        fault="false claim",
        expected="refuted",
        repaired_by="chourasia2024/eq-47.1.repaired",
        note="The same identity without hypotheses, as the remark puts it: it loses Pr[Z_2 = oo].",
        root="section-4.claim-1",
    )
