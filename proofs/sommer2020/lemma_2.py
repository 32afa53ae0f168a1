"""Lemma 2: the dual privacy loss distribution is that of the reversed pair; its proof."""

import sympy as sp

from lapdp.theory import *

A, B = pair("A", "B")
Z, DUAL = PLD(A, B), PLD(B, A)
y = reals("y")

BACK = LossAt(B, A)
"""The loss of M(x_1) over M(x_0); here A = M(x_0) and B = M(x_1)."""
PLUS = sp.And(Gt(BACK, -sp.oo), Lt(BACK, sp.oo))
U_INFINITE, U_ZERO = Eq(BACK, sp.oo), Eq(BACK, -sp.oo)
OUTSIDE = sp.Not(sp.Or(U_ZERO, PLUS))
SUM = Ex(sp.exp(-Z), Z)
"""The sum of omega(-y) e^y over finite y; an infinite loss adds e^(-oo) = 0."""

LEMMA = (
    r"\text{the PLD created by }M(x_1)\text{ over }M(x_0)\text{ is the dual PLD }\varpi"
    r"\text{ as defined in Definition 3}"
)
THERE = Where(Eq(LossAt(A, B), -y))
UNBOUND = Where(Eq(A(Outcomes("o")), sp.exp(-y) * B(Outcomes("o"))))
X_FOR_O = (
    "The sum runs over x; its condition is one on o, which is given nowhere, and so are terms."
)
# the chain: as printed, with o for x, and its LaTeX
CHAIN = {
    6: (B(Where(Eq(BACK, y))),) * 2
    + (r"\sum_{\{o\mid\mathcal{L}_{M(x_1)/M(x_0)}(o)=y\}}\Pr[o\leftarrow M(x_1)]",),
    7: (
        Omega(B, UNBOUND),
        Omega(A * Ratio(B, A), THERE),
        r"\sum_{\{x\mid\mathcal{L}_{M(x_0)/M(x_1)}(o)=-y\}}\Pr[o\leftarrow M(x_0)]\cdot "
        r"\frac{\Pr[x\leftarrow M(x_1)]}{\Pr[o\leftarrow M(x_0)]}",
    ),
    8: (
        Omega(A * sp.exp(BACK), UNBOUND),
        Omega(A * sp.exp(BACK), THERE),
        r"\sum_{\{x\mid\mathcal{L}_{M(x_0)/M(x_1)}(o)=-y\}}\Pr[o\leftarrow M(x_0)]\cdot "
        r"e^{\mathcal{L}_{M(x_1)/M(x_0)}(o)}",
    ),
    9: (Pr(Z, "==", -y) * sp.exp(y),) * 2 + (r"\omega(-y)e^y",),
}

with theorem("sommer2020/lemma-2", "Meaning Dual PLD", fidelity="printed"):
    claim(
        "section-4.2.claim-1",
        Eq(f(DUAL)(y), f(Z)(-y) * sp.exp(y)),
        printed=r"\text{it is possible to derive the PLD of }B\text{ over }A\text{, the dual PLD, "
        r"directly from the PLD of }A\text{ over }B",
        note="As measures on the finite reals; its mass at oo is the rest.",
    )
    claim(
        "lemma-2.finite",
        Eq(Pr(DUAL, "==", y), Pr(Z, "==", -y) * sp.exp(y)),
        printed=LEMMA,
        note="Finite y.",
    )
    claim("lemma-2.infinite", Eq(Pr(DUAL, "==", sp.oo), 1 - SUM), printed=LEMMA, note="y = oo.")
    claim(
        "lemma-2.minus-infinite", Eq(Pr(DUAL, "==", -sp.oo), 0), printed=LEMMA, note="y = -oo."
    )

with theorem("sommer2020/lemma-2.proof", "Proof of Lemma 2", fidelity="printed"):
    step(
        "lemma-2.step-1",
        Eq(Indicator(PLUS), Indicator(sp.And(Ne(A, 0), Ne(B, 0)))),
        printed=r"\mathcal{U}_+=\{o\mid\mathcal{L}_{M(x_1)/M(x_0)}(o)\in\mathcal{L}\setminus"
        r"\{-\infty,\infty\},o\in\mathcal{U}\}",
        note="The definition, as lemma-2.step-3 reads it: neither probability is 0.",
    )
    step(
        "lemma-2.step-2",
        Eq(Indicator(PLUS) + Indicator(U_INFINITE) + Indicator(U_ZERO), 1),
        printed=r"\mathcal{U}_+,\mathcal{U}_\infty,\mathcal{U}_0\text{ are pairwise distinct and }"
        r"\mathcal{U}=\mathcal{U}_+\cup\mathcal{U}_\infty\cup\mathcal{U}_0",
        note="Every outcome lies in exactly one.",
    )
    step(
        "lemma-2.step-3",
        Le(Indicator(PLUS), Indicator(sp.And(Ne(A, 0), Ne(B, 0)))),
        printed=r"\text{for all events }o\in\mathcal{U}_+\text{ neither }\Pr[o\leftarrow M(x_0)]"
        r"\text{ nor }\Pr[o\leftarrow M(x_1)]\text{ evaluates to zero}",
    )
    step(
        "lemma-2.step-4",
        Eq(LossAt(A, B), -BACK),
        printed=r"\mathcal{L}_{M(x_0)/M(x_1)}(o)=-\mathcal{L}_{M(x_1)/M(x_0)}(o)",
        note="On U_+, and at the infinite losses too.",
    )
    step(
        "lemma-2.step-5",
        Eq(
            Indicator(PLUS) * Indicator(Eq(BACK, y)),
            Indicator(sp.And(Gt(LossAt(A, B), -sp.oo), Lt(LossAt(A, B), sp.oo)))
            * Indicator(Eq(LossAt(A, B), -y)),
        ),
        printed=r"\mathcal{L}^+=\{-y\mid\forall y\in\mathcal{Y}\setminus\{-\infty,\infty\}\}",
        note="The outcomes of U_+ with the loss y are those with a finite loss -y of the pair.",
    )
    FIRST = (
        r"\varpi(y)=\sum_{\{o\mid\mathcal{L}_{M(x_1)/M(x_0)}(o)=y\}}\Pr[o\leftarrow M(x_1)]"
    )
    step("lemma-2.step-6", Eq(Pr(DUAL, "==", y), B(Where(Eq(BACK, y)))), printed=FIRST)
    for number in (7, 8, 9):
        before, old, text = CHAIN[number - 1]
        line, mended, tex = CHAIN[number]
        step(
            f"lemma-2.step-{number}",
            Eq(before, line),
            printed=text + (",=" if number == 7 else "=") + tex,
            fault="misprint",
            expected="ill-formed",
            repaired_by=f"sommer2020/lemma-2.step-{number}.repaired",
            note=X_FOR_O,
            root=None if number == 7 else "lemma-2.step-7",
        )
        repair(
            f"lemma-2.step-{number}.repaired",
            f"lemma-2.step-{number}",
            Eq(old, mended),
            kind="step",
            corrected=f"{text}={tex}".replace(r"\{x\mid", r"\{o\mid").replace("[x", "[o"),
            note="With o for all letters.",
        )
    step(
        "lemma-2.step-10",
        Eq(B(Where(sp.And(PLUS, sp.Or(U_INFINITE, U_ZERO)))), 0),
        printed=r"\text{There are no events in }\mathcal{U}_+\text{ which could go into }"
        r"\varpi(-\infty)\text{ or }\varpi(\infty)",
    )
    ZERO_TEXT = (
        r"\text{for all }o\in\mathcal{U}_0\text{, }\mathcal{L}_{M(x_1)/M(x_0)}(o)=-\infty"
        r"\text{ and thus }\Pr[o\leftarrow M(x_0)]=0"
    )
    step(
        "lemma-2.step-11",
        Le(Indicator(U_ZERO), Indicator(Eq(A, 0))),
        printed=ZERO_TEXT,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/lemma-2.step-11.repaired",
        note="The loss of M(x_1) over M(x_0) is -oo where M(x_1) vanishes, not M(x_0).",
    )
    repair(
        "lemma-2.step-11.repaired",
        "lemma-2.step-11",
        Le(Indicator(U_ZERO), Indicator(Eq(B, 0))),
        kind="step",
        corrected=ZERO_TEXT.replace("M(x_0)]=0", "M(x_1)]=0"),
        note="With x_1.",
    )
    step(
        "lemma-2.step-12",
        Eq(Pr(DUAL, "==", -sp.oo), 0),
        printed=r"\text{In this case, according to Lemma 1: }\varpi(-\infty)=0",
    )
    step(
        "lemma-2.step-13",
        Eq(Pr(DUAL, "==", sp.oo), B(Where(U_INFINITE))),
        printed=r"\varpi(\infty)=\sum_{o\in\mathcal{U}_\infty}\Pr[o\leftarrow M(x_1)]",
    )
    step(
        "lemma-2.step-14",
        Eq(B(Where(U_INFINITE)), Omega(B) - B(Where(U_ZERO)) - B(Where(PLUS))),
        printed=r"\sum_{o\in\mathcal{U}_\infty}\Pr[o\leftarrow M(x_1)]"
        r"=\sum_{o\in\mathcal{U}\setminus\mathcal{U}_0,\mathcal{U}_+}\Pr[o\leftarrow M(x_1)]",
        note="The sum over U without those over U_0 and U_+.",
    )
    step(
        "lemma-2.step-15",
        Eq(B(Where(OUTSIDE)), 1 - Pr(DUAL, "==", -sp.oo) - SUM),
        printed=r"\sum_{o\in\mathcal{U}\setminus\mathcal{U}_0,\mathcal{U}_+}"
        r"\Pr[o\leftarrow M(x_1)]=1-\underbrace{\varpi(-\infty)}_{=0}"
        r"-\sum_{y\in\mathcal{L}^+}\varpi(y)",
        note="By Definition 3, varpi(y) is written omega(-y) e^y in the sum.",
    )
    COINCIDES = (
        r"\text{the support of }\varpi\text{ namely }\mathcal{L}\text{ coincides with }"
        r"\mathcal{L}^+\cup\{-\infty,\infty\}"
    )
    step(
        "lemma-2.step-16",
        Eq(Pr(DUAL, "<", sp.oo) + Pr(DUAL, "==", sp.oo), SUM + (1 - SUM)),
        printed=COINCIDES,
        note="The dual has no mass elsewhere: that on finite losses and that at oo are all.",
        readings=["lemma-2.step-16", "lemma-2.step-16.reading-2"],
    )
    step(
        "lemma-2.step-16.reading-2",
        Gt(Pr(DUAL, "==", sp.oo), 0),
        printed=COINCIDES,
        expected="refuted",
        note="To the letter it puts oo into the support of every dual, also where it has no mass: "
        "Definition 2 adds -oo only.",
        readings=["lemma-2.step-16", "lemma-2.step-16.reading-2"],
    )
