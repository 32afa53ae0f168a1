"""Definitions 1 to 4 and 6: differential privacy, hockey-stick divergence, trade-off function."""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
n = outcome("n")
Pn, Qn = family("M(D)", "M(D')", n)
S = Event("S")
eps, d, a, x, y = reals("eps delta a x y")
alpha = positives("alpha")
phi = decisions("phi")

RANGE = [Ge(eps, 0), Ge(d, 0), Le(d, 1)]
LEVEL = [Ge(a, 0), Le(a, 1)]
ONE = r"\Pr[\mathcal M(D)\in S]\le e^{\varepsilon}\Pr[\mathcal M(D'\in S)]+\delta"
HOCKEY = r"H_\alpha(P\|Q):=\mathbb{E}_{o\sim Q}[(\tfrac{dP}{dQ}(o)-\alpha)_+]"


DOMAINS = [tuple(f"definition-6.claim-1.reading-{k}.{part}" for part in (1, 2)) for k in (1, 2)]


def hockey(first, second, order):
    """The supremum over events of first - order second, as an integral."""
    return Omega(sp.Max(0, first - order * second))


PRINTED = Omega(sp.Max(0, Ratio(P, Q) - alpha) * Q)

with theorem("zhu2021/definition-1", "Differential privacy", fidelity="printed"):
    definition(
        "definition-1.claim-1",
        Le(P(S), sp.exp(eps) * Q(Q(S)) + d),
        where=RANGE,
        printed=ONE,
        fault="misprint",
        expected="ill-formed",
        repaired_by="zhu2021/definition-1.claim-1.repaired",
        note="The parenthesis closes too late: M is applied to what is no dataset, and what "
        "stands in Pr is no event.",
    )
    repair(
        "definition-1.claim-1.repaired",
        "definition-1.claim-1",
        Iff(Le(P(S), sp.exp(eps) * Q(S) + d), Le(delta(P, Q)(eps), d), over=(S,)),
        where=RANGE,
        corrected=r"\Pr[\mathcal M(D)\in S]\le e^{\varepsilon}\Pr[\mathcal M(D')\in S]+\delta",
        note="For all S: the profile of (M(D), M(D')) at eps is at most delta.",
    )

with theorem("zhu2021/definition-2", "Hockey-stick divergence", fidelity="printed"):
    definition(
        "definition-2.formula",
        Eq(PRINTED, Sup(P(S) - alpha * Q(S), S)),
        printed=HOCKEY,
        where=ac(P, Q),
        note="Where there is a derivative dP/dQ, so P << Q; every alpha > 0.",
    )
    claim(
        "definition-2.every-pair",
        Eq(hockey(P, Q, alpha), Sup(P(S) - alpha * Q(S), S)),
        fidelity="own",
        note="Every pair, as Lemma 5, item 1, and dominating pairs with disjoint supports need it: "
        "the integral of (p - alpha q)_+ counts what P has where Q has nothing.",
    )
    definition(
        "definition-2.claim-1",
        Eq(sp.Max(0, x), x * Indicator(Ge(x, 0))),
        printed=r"(x)_+:=x\mathbf{1}(x\ge 0)",
    )
    claim(
        "definition-2.claim-2",
        Eq(PRINTED, hockey(P, Q, alpha)),
        where=ac(P, Q),
        printed=r"\text{(or simply the density ratio when density exists for }P\text{ and }Q)",
        note="With densities p and q, and P << Q.",
    )

with theorem("zhu2021/definition-3", "Trade-off function", fidelity="printed"):
    definition(
        "definition-3.formula",
        Eq(T(P, Q)(a), Inf(1 - mean(Q, phi), phi, Le(mean(P, phi), a))),
        where=LEVEL,
        printed=r"T_{P,Q}(\alpha):=\inf_\phi\{\beta_\phi\mid\alpha_\phi\le\alpha\}",
        note="The classifier may be randomised: phi has values in [0, 1].  a stands for alpha.",
    )
    definition(
        "definition-3.claim-1.1",
        Ge(T(P, Q)(a), 0),
        where=LEVEL,
        printed=r"T_{P,Q}(\alpha):[0,1]\to[0,1]",
        note="a stands for alpha.",
    )
    definition(
        "definition-3.claim-1.2",
        Le(T(P, Q)(a), 1),
        where=LEVEL,
        printed=r"T_{P,Q}(\alpha):[0,1]\to[0,1]",
        note="a stands for alpha.",
    )

with theorem("zhu2021/definition-4", "Privacy loss random variable", fidelity="printed"):
    definition(
        "definition-4.law",
        Eq(Pr(PLD(P, Q), ">", x), P(Where(Gt(LossAt(P, Q), x)))),
        printed=r"L_{P,Q}:=\log\frac{\mathcal M(D)(o)}{\mathcal M(D')(o)}"
        r"\text{ where }o\sim\mathcal M(D)",
        note="Its law is that of log(P/Q) under P; it may be +oo.",
    )
    definition(
        "definition-4.claim-1",
        Eq(Pr(PLD(Q, P), ">", x), Q(Where(Lt(LossAt(P, Q), -x)))),
        printed=r"L_{Q,P}:=\log\frac{\mathcal M(D')(o)}{\mathcal M(D)(o)}"
        r"\text{ where }o\sim\mathcal M(D')",
        note="The loss of the reversed pair is minus the other one, under Q.",
    )

with theorem("zhu2021/definition-6", "Privacy profile", fidelity="printed"):
    definition(
        "definition-6.formula",
        Le(Sup(hockey(Pn, Qn, alpha), n), d),
        where=ForAll(n, Le(hockey(Pn, Qn, alpha), d)),
        printed=r"\delta_{\mathcal M}(\alpha):=\sup_{D\simeq D'}"
        r"H_\alpha(\mathcal M(D)\|\mathcal M(D'))",
        note="The supremum is at most every bound of all pairs of neighbours, here the pairs of "
        "any family.",
    )
    definition(
        "definition-6.formula.each",
        Le(hockey(Pn, Qn, alpha), d),
        where=Le(Sup(hockey(Pn, Qn, alpha), n), d),
        printed=r"\delta_{\mathcal M}(\alpha):=\sup_{D\simeq D'}"
        r"H_\alpha(\mathcal M(D)\|\mathcal M(D'))",
        note="And it is one: what it is at most bounds each pair.",
    )
    for number, (domain, order, where) in enumerate(
        (("alpha > 0", alpha, []), ("alpha >= 0", y, [Ge(y, 0)])), 1
    ):
        for part, relation, bound in ((1, Ge, 0), (2, Le, 1)):
            definition(
                f"definition-6.claim-1.reading-{number}.{part}",
                relation(Sup(hockey(Pn, Qn, order), n), bound),
                where=where,
                printed=r"\delta_{\mathcal M}:\mathbb{R}_{>0}\to[0,1]",
                note=f"Values in [0, 1].  The domain is garbled in the source; here {domain}.",
                readings=DOMAINS,
            )
