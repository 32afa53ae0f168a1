"""Section 2.1: the privacy profile, its reversal, Renyi divergence, its reversal; (6)-(9).

A display that chains equalities claims all its members equal; each member is compared with one
expression of the display, named in its note, so that a failure points at the member that fails.
"""

import sympy as sp

from lapdp.theory import *

P, Q = pair("P", "Q")
S = Event("S")
eps = reals("eps")
q = complexes("q")
r = reals("q")

with theorem("chourasia2024/section-2.1", "Background on Differential Privacy",
             fidelity="printed"):
    definition(
        "eq-6.1",
        Eq(delta(P, Q)(eps), Sup(P(S) - sp.exp(eps) * Q(S), S)),
        printed=r"\delta_{P|Q}(\varepsilon):=\sup_{S\subset\Omega}P(S)-e^{\varepsilon}Q(S)",
    )
    claim(
        "eq-6.2",
        Eq(
            Sup(P(S) - sp.exp(eps) * Q(S), S),
            Omega(sp.Max(0, P - sp.exp(eps) * Q)),
        ),
        printed=r"\sup_{S\subset\Omega}P(S)-e^{\varepsilon}Q(S)"
        r"=\int_{\Omega}\max\{0,P(\theta)-e^{\varepsilon}\cdot Q(\theta)\}d\theta",
    )

    claim(
        "eq-7.1",
        Eq(delta(Q, P)(eps), Sup(Q(S) - sp.exp(eps) * P(S), S)),
        printed=r"\delta_{Q|P}(\varepsilon)=\sup_{S\subset\Omega}Q(S)-e^{\varepsilon}P(S)",
    )
    claim(
        "eq-7.2",
        Eq(
            delta(Q, P)(eps),
            1
            - sp.exp(eps)
            + sp.exp(eps) * Sup(P(Complement(S)) - sp.exp(-eps) * Q(Complement(S)), S),
        ),
        printed=r"\delta_{Q|P}(\varepsilon)[...]=1-e^{\varepsilon}+e^{\varepsilon}"
        r"[\sup_{S\subset\Omega}P(S^{\complement})-e^{-\varepsilon}Q(S^{\complement})]",
        note="Compared with the first expression of the display.",
    )
    claim(
        "eq-7.3",
        Eq(delta(Q, P)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(P, Q)(-eps)),
        printed=r"\delta_{Q|P}(\varepsilon)[...]=1-e^{\varepsilon}+e^{\varepsilon}\delta_{P|Q}"
        r"(-\varepsilon)",
        note="Compared with the first expression of the display.",
    )

    definition(
        "eq-8.1",
        AllOf((Defined(R(q, P, Q)), Eq(R(q, P, Q), sp.log(E(q, P, Q)) / (q - 1)))),
        where=[Defined(E(q, P, Q)), Ne(q, 1), Ne(E(q, P, Q), 0)],
        printed=r"\text{of any order }q\in\mathrm{ROC}_{P,Q}\text{ as }"
        r"\mathrm{R}_{q}\left(P\middle\|Q\right):=\frac{1}{q-1}"
        r"\log\mathrm{E}_{q}\left(P\middle\|Q\right)",
        note="Excludes q = 1 and the zeros of E_q.",
        readings=["eq-8.1", "eq-8.1.letter"],
    )
    definition(
        "eq-8.1.letter",
        Defined(R(q, P, Q)),
        where=[Defined(E(q, P, Q))],
        printed=r"\text{of any order }q\in\mathrm{ROC}_{P,Q}\text{ as }"
        r"\mathrm{R}_{q}\left(P\middle\|Q\right):=\frac{1}{q-1}"
        r"\log\mathrm{E}_{q}\left(P\middle\|Q\right)",
        fault="convention",
        expected="refuted",
        note="What the definition supposes: R_q has a value at every order at which the integral "
        "E_q converges.  It divides by 0 at q = 1 and takes log 0 at complex orders where "
        "E_q = 0.",
        readings=["eq-8.1", "eq-8.1.letter"],
    )
    repair(
        "eq-8.1.repaired-2",
        "eq-8.1.letter",
        Defined(R(r, P, Q)),
        where=[Gt(r, 1), Defined(E(r, P, Q))],
        kind="definition",
        corrected=r"\mathrm{R}_{q}\left(P\middle\|Q\right)\text{ for real }q>1,\ "
        r"q\in\mathrm{ROC}_{P,Q}",
        note="For real orders above 1 nothing needs to be excluded: a finite E_q is at least 1.",
    )
    definition(
        "eq-8.2",
        Eq(E(q, P, Q), Omega(P**q * Q ** (1 - q))),
        where=[Defined(E(q, P, Q))],
        printed=r"\mathrm{E}_{q}\left(P\middle\|Q\right):="
        r"\int_{\theta\in\Omega}P(\theta)^{q}Q(\theta)^{1-q}d\theta",
        note="At the orders at which the integral converges.",
    )

    claim(
        "eq-9.1",
        Eq(E(q, P, Q), sp.exp((q - 1) * R(q, P, Q))),
        where=[Defined(E(q, P, Q)), Ne(q, 1), Ne(E(q, P, Q), 0)],
        printed=r"e^{(q-1)\cdot\mathrm{R}_{q}\left(P\middle\|Q\right)}"
        r"=\mathrm{E}_{q}\left(P\middle\|Q\right)",
        note="Excludes q = 1 and the zeros of E_q.",
        readings=["eq-9.1", "eq-9.1.letter"],
    )
    claim(
        "eq-9.1.letter",
        Eq(E(q, P, Q), sp.exp((q - 1) * R(q, P, Q))),
        where=[Defined(E(q, P, Q))],
        printed=r"e^{(q-1)\cdot\mathrm{R}_{q}\left(P\middle\|Q\right)}"
        r"=\mathrm{E}_{q}\left(P\middle\|Q\right)",
        fault="convention",
        expected="refuted",
        note="Each member of the display is compared with E_q(P||Q), its second expression; orders "
        "are those of (8).  R_q has no value at q = 1, nor at complex orders where E_q = 0.",
        readings=["eq-9.1", "eq-9.1.letter"],
    )
    claim(
        "eq-9.2",
        Eq(E(q, P, Q), Omega(P**q * Q ** (1 - q))),
        where=[Defined(E(q, P, Q))],
        printed=r"\mathrm{E}_{q}\left(P\middle\|Q\right)"
        r"=\int_{\theta\in\Omega}P(\theta)^{q}Q(\theta)^{1-q}d\theta",
        note="Each member of the display is compared with E_q(P||Q), its second expression, "
        "wherever that is finite.",
    )
    claim(
        "eq-9.3",
        Eq(E(q, P, Q), E(1 - q, Q, P)),
        where=[Defined(E(q, P, Q))],
        printed=r"\mathrm{E}_{q}\left(P\middle\|Q\right)[...]=\mathrm{E}_{1-q}"
        r"\left(Q\middle\|P\right)",
        note="Each member of the display is compared with E_q(P||Q), its second expression, "
        "wherever that is finite.",
    )
    claim(
        "eq-9.4",
        Eq(E(q, P, Q), sp.exp(-q * R(1 - q, Q, P))),
        where=[Defined(E(q, P, Q)), Ne(q, 0), Ne(E(q, P, Q), 0)],
        printed=r"\mathrm{E}_{q}\left(P\middle\|Q\right)[...]=e^{-q\cdot\mathrm{R}_{1-q}"
        r"\left(Q\middle\|P\right)}",
        note="Excludes q = 0 and the zeros of E_q.",
        readings=["eq-9.4", "eq-9.4.letter"],
    )
    claim(
        "eq-9.4.letter",
        Eq(E(q, P, Q), sp.exp(-q * R(1 - q, Q, P))),
        where=[Defined(E(q, P, Q))],
        printed=r"\mathrm{E}_{q}\left(P\middle\|Q\right)[...]=e^{-q\cdot\mathrm{R}_{1-q}"
        r"\left(Q\middle\|P\right)}",
        fault="convention",
        expected="refuted",
        note="Each member of the display is compared with E_q(P||Q), its second expression.  "
        "R_{1-q}(Q||P) has no value at q = 0, nor at complex orders where E_q = 0.",
        readings=["eq-9.4", "eq-9.4.letter"],
    )
