"""Example 2, uniform noise, and Figure 4."""

import sympy as sp

from lapdp.privacy.mechanisms import outcomes
from lapdp.theory import *

eps = reals("varepsilon")
A, B = pair("A", "B")
NINTH = sp.Rational(1, 9)

# the shift by 1 of a uniform distribution on nine numbers: ratios 1, but for one end of each
UNIFORM = outcomes({
    "only x_0": (NINTH, 0), "both": (8 * NINTH, 8 * NINTH), "only x_1": (0, NINTH)
})
P0, P1 = mechanism_pair(UNIFORM, "p_0", "p_1")
LOSS, DUAL = PLD(P0, P1), PLD(P1, P0)
n = naturals("n", start=1)
LOSS_N = PLD(*composition("P", "Q", mechanism=lambda j: UNIFORM)(n))

TEX_P0 = r"p_0(o)=\begin{cases}\frac19&o\in\{-5,\dots,4\}\\0&o=5\end{cases}"
TEX_P1 = r"p_1(o)=\begin{cases}0&o=-4\\\frac19&o\in\{-4,\dots,5\}\end{cases}"
TEX_OMEGA = r"\omega(y)=\begin{cases}\frac89&y=0\\\frac19&y=\infty\end{cases}"
TEX_OMEGA_N = (
    r"\omega_n(y)=\begin{cases}(\frac89)^n&y=0\\1-(\frac89)^n&y=\infty\end{cases}"
)
NINE = (
    "Uniform noise on nine numbers, p_0 = 1/9 on {-5, ..., 3} and p_1 = 1/9 on {-4, ..., 4}: the "
    "ratio is 1 on eight of them."
)

with theorem("sommer2020/example-2", "Uniform noise", fidelity="printed"):
    definition(
        "example-2",
        AllOf((
            Eq(P0(Outcomes("only x_0", "both", "only x_1")), 1),
            Eq(P1(Outcomes("only x_0", "both", "only x_1")), 1),
        )),
        note="The mended example, for which all that follows holds.  " + NINE,
        fidelity="own",
    )
    definition(
        "example-2.claim-1",
        Eq(10 * NINTH, 1),
        printed=TEX_P0,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/example-2.claim-1.repaired",
        fidelity="instance",
        note="Of the definition only what it supposes, that the masses add up to 1: "
        "{-5, ..., 4} has ten numbers.",
    )
    repair(
        "example-2.claim-1.repaired",
        "example-2.claim-1",
        Eq(P0(Outcomes("only x_0", "both")), 1),
        corrected=r"p_0(o)=\begin{cases}\frac19&o\in\{-5,\dots,3\}\\0&\text{else}\end{cases}",
        note="Nine numbers.  With 1/10 on ten numbers the printed omega would be false.",
        kind="definition",
    )
    definition(
        "example-2.claim-2.1",
        Eq(sp.Integer(0), NINTH),
        printed=TEX_P1,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/example-2.claim-2.2.repaired",
        fidelity="instance",
        note="Of the definition only what it supposes, one value at a point: p_1 at -4 "
        "is given twice, as 0 and as 1/9; at -5 it is not given.",
    )
    definition(
        "example-2.claim-2.2",
        Eq(10 * NINTH, 1),
        printed=TEX_P1,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/example-2.claim-2.2.repaired",
        fidelity="instance",
        note="Of the definition only what it supposes: {-4, ..., 5} has ten numbers, "
        "so that the masses add up to 10/9.",
        root="example-2.claim-1",
    )
    repair(
        "example-2.claim-2.2.repaired",
        "example-2.claim-2.2",
        Eq(P1(Outcomes("both", "only x_1")), 1),
        corrected=r"p_1(o)=\begin{cases}\frac19&o\in\{-4,\dots,4\}\\0&\text{else}\end{cases}",
        note="Nine numbers.",
        kind="definition",
    )
    claim(
        "example-2.claim-3",
        AllOf((Eq(Pr(LOSS, "==", 0), 8 * NINTH), Eq(Pr(LOSS, "==", sp.oo), NINTH))),
        printed=TEX_OMEGA,
        note=NINE,
    )
    claim(
        "example-2.claim-4",
        Gt(delta(P0, P1)(eps), 0),
        where=Ge(eps, 0),
        printed=r"\text{The privacy loss distribution }\omega\text{ is not }(\varepsilon,0)"
        r"\text{-ADP}",
        note=NINE + "  For no eps >= 0.",
    )
    claim(
        "example-2.claim-5",
        AllOf((
            Gt(Pr(LOSS, "==", sp.oo), 0),
            Gt(Pr(LOSS, ">", eps), 0),
        )),
        where=Gt(eps, 0),
        printed=r"\forall\varepsilon>0,\varepsilon<\mathcal{L}_{M(x_0)/M(x_1)}(o=-5)=\infty,"
        r"\text{ i.e. }\omega(\infty)\neq 0",
        note=NINE + "  The outcome -5 has positive mass under p_0 and none under p_1.",
    )
    claim(
        "example-2.claim-7",
        AllOf((
            Eq(Pr(LOSS_N, "==", 0), (8 * NINTH) ** n),
            Eq(Pr(LOSS_N, "<", sp.oo), (8 * NINTH) ** n),
        )),
        printed=TEX_OMEGA_N + r"\text{ is the PLD after }n\text{ compositions}",
        note=NINE + "  Every n.  What is not at finite losses, 1 - (8/9)^n, is at oo.",
    )
    claim(
        "example-2.claim-6",
        AllOf((Le(delta(P0, P1)(eps), NINTH), Le(delta(P1, P0)(eps), NINTH))),
        where=Ge(eps, 0),
        printed=r"\text{it is }(\varepsilon,\frac19)\text{-ADP }\forall\varepsilon\geq 0",
        note=NINE + "  In both directions.",
    )

with theorem("sommer2020/figure-4", "ADP and PDP of the Gauss mechanism", fidelity="printed"):
    claim(
        "figure-4.claim-1.1",
        Eq(
            delta(A, B)(eps),
            Omega(A - sp.exp(eps) * B, Where(Gt(A, sp.exp(eps) * B))),
        ),
        kind="figure",
        printed=r"\text{how to compute ADP }\delta_{ADP}(\varepsilon)",
        note="Every pair, so the Gauss mechanism and the truncated one: the area between the "
        "curves.",
    )
    claim(
        "figure-4.claim-1.2",
        Eq(Pr(PLD(A, B), ">", eps), Omega(A, Where(Gt(A, sp.exp(eps) * B)))),
        kind="figure",
        printed=r"\text{how to compute [...] PDP }\delta_{PDP}(\varepsilon)",
        note="Every pair: all of the area under A where it lies above e^eps B.",
    )
    claim(
        "figure-4.claim-2",
        AllOf((Eq(Omega(sp.exp(eps) * A), sp.exp(eps)), Gt(sp.exp(eps), 1))),
        where=Gt(eps, 0),
        kind="figure",
        printed=r"e^\varepsilon\cdot A\text{ is not a probability distribution}",
        note="For eps > 0: its mass is e^eps, which is not 1.  The definitions scale B, not A; the "
        "figure shows one of the two directions.",
    )
