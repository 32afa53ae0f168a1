"""Lemma A.1 and the appendix's proof of Theorem 4.5: (141), (142), (144)-(148)."""

import sympy as sp

from lapdp.privacy.mechanisms import outcomes, randomized_response
from lapdp.theory import *

eps, t = reals("eps t")
mass = reals("delta")
S = Event("S")
RANGE = [Ge(eps, 0), Ge(mass, 0), Le(mass, 1)]

ODDS = sp.exp(eps)
HIGH, LOW = (1 - mass) * ODDS / (ODDS + 1), (1 - mass) / (ODDS + 1)

# the lemma: P, Q are arbitrary, the others are claimed to exist
P, Q = pair("P", "Q")
A1, B1, P1, Q1 = distributions("A B P' Q'")
PRIVATE = [Le(delta(P, Q)(eps), mass), Le(delta(Q, P)(eps), mass)]

# its consequence: six distributions on one space with (141) and (142)
M, N, A, B, Pp, Qp = distributions("P Q A B P' Q'")
EQ_141 = SameMeasure(M, HIGH * A + LOW * B + mass * Pp)
EQ_142 = SameMeasure(N, HIGH * B + LOW * A + mass * Qp)

# randomized response by its printed outcomes (38)
LEAK_0, TRUE_0, TRUE_1, LEAK_1 = "(0,bot)", "(0,top)", "(1,top)", "(1,bot)"
R0, R1 = mechanism_pair(
    outcomes(
        {
            LEAK_0: (mass, sp.Integer(0)),
            TRUE_0: (HIGH, LOW),
            TRUE_1: (LOW, HIGH),
            LEAK_1: (sp.Integer(0), mass),
        },
        where=RANGE,
    ),
    "M_RR(0)",
    "M_RR(1)",
)
Z0, Z1 = mechanism_pair(randomized_response(eps, mass), "M_RR(0)", "M_RR(1)")
G = {LEAK_0: Pp, TRUE_0: A, TRUE_1: B, LEAK_1: Qp}


def after(member):
    """The output distribution of G after one member of randomized response."""
    return sum(member(Outcomes(u)) * output for u, output in G.items())


def bound(first, second, third):
    """A case distinction on t as in (147) and (148)."""
    return sp.Piecewise(
        (first, Lt(eps, t)),
        (second, sp.And(Lt(-eps, t), Le(t, eps))),
        (third, Le(t, -eps)),
        evaluate=False,
    )


def line_146(a, b, p, q):
    """The body of the supremum (146)."""
    return (
        mass * p(S)
        + (1 - mass) * (ODDS - sp.exp(t)) / (ODDS + 1) * a(S)
        + (1 - mass) * (1 - sp.exp(eps + t)) / (ODDS + 1) * b(S)
        - mass * sp.exp(t) * q(S)
    )


LINE_147 = mass + bound(
    sp.Integer(0), (1 - mass) * (ODDS - sp.exp(t)) / (ODDS + 1), (1 - mass) * (1 - sp.exp(t))
)
LINE_148 = bound(
    mass, 1 - (sp.exp(t) + 1) * (1 - mass) / (ODDS + 1), 1 - sp.exp(t) * (1 - mass)
)

TEX_141 = (
    r"P=(1-\delta)\frac{e^{\varepsilon}}{e^{\varepsilon}+1}A"
    r"+(1-\delta)\frac{1}{e^{\varepsilon}+1}B+\delta P^{\prime}"
)
TEX_142 = (
    r"Q=(1-\delta)\frac{e^{\varepsilon}}{e^{\varepsilon}+1}B"
    r"+(1-\delta)\frac{1}{e^{\varepsilon}+1}A+\delta Q^{\prime}"
)
TEX_146 = (
    r"\sup_{S\subset\Omega}\left(\delta\cdot P^{\prime}(S)"
    r"+\frac{(1-\delta)(e^{\varepsilon}-e^{t})}{e^{\varepsilon}+1}\cdot A(S)"
    r"+\frac{(1-\delta)(1-e^{\varepsilon+t})}{e^{\varepsilon}+1}\cdot B(S)"
    r"-\delta e^{t}\cdot Q^{\prime}(S)\right)"
)
TEX_147 = (
    r"\leq\delta+\begin{cases}0&\text{if}\ \varepsilon<t,\\ "
    r"\frac{(1-\delta)(e^{\varepsilon}-e^{t})}{e^{\varepsilon}+1}"
    r"&\text{if}\ -\varepsilon<t\leq\varepsilon,\\ "
    r"(1-\delta)(1-e^{t})&\text{if}\ t\leq-\epsilon,\end{cases}"
)
TEX_148 = (
    r"=\begin{cases}\delta&\text{if}\ \varepsilon<t,\\ "
    r"1-\frac{(e^{t}+1)(1-\delta)}{e^{\varepsilon}+1}"
    r"&\text{if}\ -\varepsilon<t\leq\varepsilon,\\ "
    r"1-e^{t}(1-\delta)&\text{if}\ t\leq-\varepsilon.\end{cases}"
)
SIMULATE = (
    r"\text{we can simulate these two distributions as post-processing of the randomized "
    r"response mechanism }\mathcal{M}_{\mathrm{RR}}^{\varepsilon,\delta}"
)
SWITCHED = (
    r"\text{An identical bound follows for }\delta_{Q|P}(t)\text{ as well, with the switched "
    r"roles: }P^{\prime}\leftrightarrow Q^{\prime}\text{ and }A\leftrightarrow B"
)

with theorem("chourasia2024/lemma-A.1", "Decomposition of (eps, delta)-DP pairs",
             fidelity="printed"):
    claim(
        "eq-141",
        ExistsDistributions(
            (A1, B1, P1, Q1),
            (
                SameMeasure(P, HIGH * A1 + LOW * B1 + mass * P1),
                SameMeasure(Q, HIGH * B1 + LOW * A1 + mass * Q1),
            ),
        ),
        where=[*RANGE, *PRIVATE],
        equations=(141, 142),
        printed=TEX_141 + r",\quad " + TEX_142,
        note="Every pair, eps = 0, delta = 0 and delta = 1 included.  The two lines share A and B, "
        "so they are one sentence.",
    )
    claim(
        "eq-142",
        ExistsDistributions(
            (A1, B1, P1, Q1),
            (
                SameMeasure(Q, HIGH * B1 + LOW * A1 + mass * Q1),
                SameMeasure(P, HIGH * A1 + LOW * B1 + mass * P1),
            ),
        ),
        where=[*RANGE, *PRIVATE],
        equations=(141, 142),
        printed=TEX_142,
        note="A and B are those of (141): the same sentence, read from its second line.",
    )

with theorem("chourasia2024/theorem-4.5-proof", "Proof of Theorem 4.5", fidelity="printed"):
    step(
        "theorem-4.5.step-1",
        ExistsDistributions(
            (P1, A1, B1, Q1),
            (
                SameMeasure(
                    P,
                    R0(Outcomes(LEAK_0)) * P1
                    + R0(Outcomes(TRUE_0)) * A1
                    + R0(Outcomes(TRUE_1)) * B1
                    + R0(Outcomes(LEAK_1)) * Q1,
                ),
                SameMeasure(
                    Q,
                    R1(Outcomes(LEAK_0)) * P1
                    + R1(Outcomes(TRUE_0)) * A1
                    + R1(Outcomes(TRUE_1)) * B1
                    + R1(Outcomes(LEAK_1)) * Q1,
                ),
            ),
        ),
        where=[*RANGE, *PRIVATE],
        equations=(141, 142),
        printed=SIMULATE,
        note="The weights are the masses of the outcomes (38), the distributions what the "
        "post-processing puts out.",
    )
    definition(
        "eq-144.1",
        Eq(R0(Outcomes(*G)), 1),
        where=RANGE,
        printed=r"\mathcal{G}(u)=\begin{cases}P^{\prime}&\text{if}\ u=(0,\bot),\\ "
        r"A&\text{if}\ u=(0,\top),\\ B&\text{if}\ u=(1,\top),\\ "
        r"Q^{\prime}&\text{if}\ u=(1,\bot).\end{cases}",
        fidelity="instance",
        note="Of the definition only what it supposes: the four cases cover every output of "
        "M_RR(0) ...",
    )
    definition(
        "eq-144.2",
        Eq(R1(Outcomes(*G)), 1),
        where=RANGE,
        printed=r"\mathcal{G}(u)=\begin{cases}P^{\prime}&\text{if}\ u=(0,\bot),\\ "
        r"A&\text{if}\ u=(0,\top),\\ B&\text{if}\ u=(1,\top),\\ "
        r"Q^{\prime}&\text{if}\ u=(1,\bot).\end{cases}",
        fidelity="instance",
        note="... and of M_RR(1).",
    )
    step(
        "theorem-4.5.step-2.1",
        SameMeasure(after(R0), M),
        where=[*RANGE, EQ_141, EQ_142],
        equations=(144,),
        printed=r"\mathcal{G}(\mathcal{M}_{\mathrm{RR}}^{\varepsilon,\delta}(0))=\mathcal{M}(D)",
        note="P and Q as (141) and (142) have them.",
    )
    step(
        "theorem-4.5.step-2.2",
        SameMeasure(after(R1), N),
        where=[*RANGE, EQ_141, EQ_142],
        equations=(144,),
        printed=r"\mathcal{G}(\mathcal{M}_{\mathrm{RR}}^{\varepsilon,\delta}(1))"
        r"=\mathcal{M}(D^{\prime})",
        note="P and Q as (141) and (142) have them.",
    )
    step(
        "eq-145",
        Eq(delta(P, Q)(t), Sup(P(S) - sp.exp(t) * Q(S), S)),
        printed=r"\delta_{P|Q}(t)=\sup_{S\subset\Omega}P(S)-e^{t}\cdot Q(S)",
    )
    step(
        "eq-146",
        Eq(Sup(M(S) - sp.exp(t) * N(S), S), Sup(line_146(A, B, Pp, Qp), S)),
        where=[*RANGE, EQ_141, EQ_142],
        printed="=" + TEX_146,
        note="P and Q as (141) and (142) have them.",
    )
    step(
        "eq-147",
        Le(Sup(line_146(A, B, Pp, Qp), S), LINE_147),
        where=RANGE,
        printed=TEX_147,
        note="Any four distributions on one space.",
    )
    step(
        "eq-148",
        Eq(LINE_147, LINE_148),
        where=RANGE,
        printed=TEX_148,
    )
    step(
        "theorem-4.5.step-3",
        Eq(LINE_148, delta(Z0, Z1)(t)),
        where=RANGE,
        equations=(148,),
        printed=r"\text{the expression on the right is the privacy profile of the randomized "
        r"response mechanism }\mathcal{M}_{\mathrm{RR}}^{\varepsilon,\delta}",
    )
    step(
        "theorem-4.5.step-4.1",
        Eq(Sup(N(S) - sp.exp(t) * M(S), S), Sup(line_146(B, A, Qp, Pp), S)),
        where=[*RANGE, EQ_141, EQ_142],
        equations=(146,),
        printed=SWITCHED,
        note="The line (146) for (Q, P) with the switched roles.",
    )
    step(
        "theorem-4.5.step-4.2",
        Le(Sup(line_146(B, A, Qp, Pp), S), LINE_147),
        where=RANGE,
        equations=(147,),
        printed=SWITCHED,
        note="The bound (147) with the switched roles.",
    )
