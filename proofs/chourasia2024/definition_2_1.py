"""Definition 2.1: differential privacy of a pair of neighbours, (5), and its tight form.

P and Q are the outputs on D and D'; (5) is meant for both orders of the two.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
S = Event("S")
n = outcome("n")
Pn, Qn = family("M(D)", "M(D')", n)
eps, d = reals("eps delta")

RANGE = [Ge(eps, 0), Ge(d, 0), Le(d, 1)]
FIVE = (
    r"\forall S\subset\Omega,\quad\mathbb{P}[\mathcal{M}(D)\in S]"
    r"\leq e^{\varepsilon}\cdot\mathbb{P}[\mathcal{M}(D^{\prime})\in S]+\delta"
)
TIGHT = (
    r"\text{For any }\varepsilon>0\text{, algorithm }\mathcal{M}\text{ tightly satisfies }"
    r"(\varepsilon,\delta)\text{-DP if }\delta=\sup_{D\simeq D^{\prime}}"
    r"\delta_{\mathcal{M}(D)|\mathcal{M}(D^{\prime})}(\varepsilon)"
)

with theorem("chourasia2024/definition-2.1", "Differential Privacy and Privacy Profiles",
             fidelity="printed"):
    definition(
        "eq-5.1",
        Iff(
            Le(P(S), sp.exp(eps) * Q(S) + d),
            Le(delta(P, Q)(eps), d),
            over=(S,),
        ),
        where=RANGE,
        printed=FIVE,
        note="Consistent with (6): what (5) asks of the order (D, D') is that the profile of "
        "(P, Q) at eps is at most delta.",
    )
    definition(
        "eq-5.2",
        Iff(
            Le(Q(S), sp.exp(eps) * P(S) + d),
            Le(delta(Q, P)(eps), d),
            over=(S,),
        ),
        where=RANGE,
        printed=FIVE,
        note="The same for the order (D', D).",
    )
    definition(
        "eq-5.3",
        Iff(
            Le(Q(S), sp.exp(eps) * P(S) + d),
            Le(1 - sp.exp(eps) + sp.exp(eps) * delta(P, Q)(-eps), d),
            over=(S,),
        ),
        where=RANGE,
        fidelity="own",
        note="What (5) asks of the order (D', D), read off the profile of (P, Q) through the "
        "reversal (7), as Remark 2.1 has it in words.",
    )
    definition(
        "definition-2.1.claim-1.1",
        Le(delta(Pn, Qn)(eps), Sup(delta(Pn, Qn)(eps), n)),
        where=[Gt(eps, 0)],
        printed=TIGHT,
        note="With this delta the guarantee holds for every pair of neighbours, of which n is the "
        "number and no power; for all events it is eq-5.1.",
    )
    definition(
        "definition-2.1.claim-1.2",
        Le(Sup(delta(Pn, Qn)(eps), n), d),
        where=[Gt(eps, 0), ForAll(n, Le(delta(Pn, Qn)(eps), d))],
        printed=TIGHT,
        note="No smaller delta will do for all pairs of neighbours.",
    )
    claim(
        "remark-2.1.claim-1",
        Eq(delta(P, Q)(eps), Omega(sp.Max(0, P - sp.exp(eps) * Q))),
        printed=r"\text{The privacy profile }\delta_{P|Q}(\varepsilon)\text{ is equivalent to the }"
        r"\text{Hockey-stick divergence }H_{e^{\epsilon}}(P\|Q)",
        note="The hockey-stick divergence of order e^eps is the integral of [P - e^eps Q]_+.",
    )
    claim(
        "remark-2.1.claim-2",
        Eq(delta(P, Q)(-eps), 1 - sp.exp(-eps) + sp.exp(-eps) * delta(Q, P)(eps)),
        where=[Gt(eps, 0)],
        printed=r"\text{negative values of }\varepsilon\text{ yield the privacy profile with }"
        r"P\text{ and }Q\text{ reversed}",
    )
