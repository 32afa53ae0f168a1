"""Definition 2: the privacy loss distribution, its set of losses, its rules of addition."""

import sympy as sp

from lapdp.theory import *

A, B = pair("A", "B")
A2, B2 = pair("A'", "B'")
A_c, B_c = product_pair((A, B), (A2, B2), names=("A_c", "B_c"))
Z = PLD(A, B)
y = reals("y")


def loss(p, q):
    """Definition 1."""
    return sp.Piecewise(
        (sp.oo, sp.And(Ne(p, 0), Eq(q, 0))),
        (sp.log(p / q), sp.And(Ne(p, 0), Ne(q, 0))),
        (-sp.oo, True),
        evaluate=False,
    )


L_1, L_2, L_C = loss(A, B), loss(A2, B2), loss(A_c, B_c)
FINITE = sp.And(Gt(L_1, -sp.oo), Lt(L_1, sp.oo))

IMAGE = r"\mathcal{Y}=\bigcup_{o\in\mathcal{U}}\{\mathcal{L}_{A/B}(o)\}\subset\mathbb{R}"
EXTENDED = (
    r"\mathcal{Y}=\bigcup_{o\in\mathcal{U}}\{\mathcal{L}_{A/B}(o)\}"
    r"\subset\mathbb{R}\cup\{-\infty,\infty\}"
)
SUPPORT = (
    r"\text{The support }\mathcal{Y}\text{ of }\omega\text{ additionally includes the symbol }"
    r"-\infty\text{: }\mathrm{supp}(\omega):=\{y\mid\omega(y)\neq 0\}\cup\{-\infty\}"
)
RULES = r"\forall y\in\mathbb{R}:\ [...]\ y+\infty=\infty,\ -\infty+y=-\infty"
RULE = "The loss of the pair of outcomes (o, o') is the sum that the rule gives."

with theorem("sommer2020/definition-2", "Privacy Loss Distribution (PLD)", fidelity="printed"):
    definition(
        "definition-2.line-1.1",
        Lt(L_1, sp.oo),
        printed=IMAGE,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/definition-2.line-1.1.repaired",
        note="The set holds +oo where only B vanishes.",
    )
    repair(
        "definition-2.line-1.1.repaired",
        "definition-2.line-1.1",
        Le(L_1, sp.oo),
        kind="definition",
        corrected=EXTENDED,
    )
    repair(
        "definition-2.line-1.1.repaired-2",
        "definition-2.line-1.1",
        Eq(A(Where(Eq(L_1, sp.oo))), 0),
        where=[ac(A, B)],
        kind="definition",
        corrected=IMAGE + r"\text{ up to outcomes of probability }0,\quad A\ll B",
        note="A << B speaks of probabilities: on a space that is not countable there may be "
        "outcomes of loss +oo, together of probability 0 under A.",
    )
    definition(
        "definition-2.line-1.2",
        Gt(L_1, -sp.oo),
        printed=IMAGE,
        fault="misprint",
        expected="refuted",
        repaired_by="sommer2020/definition-2.line-1.2.repaired",
        note="The set holds -oo where A vanishes.",
        root="definition-2.line-1.1",
    )
    repair(
        "definition-2.line-1.2.repaired",
        "definition-2.line-1.2",
        Ge(L_1, -sp.oo),
        kind="definition",
        corrected=EXTENDED,
    )
    repair(
        "definition-2.line-1.2.repaired-2",
        "definition-2.line-1.2",
        Eq(B(Where(Eq(L_1, -sp.oo))), 0),
        where=[ac(B, A)],
        kind="definition",
        corrected=IMAGE + r"\text{ up to outcomes of probability }0,\quad B\ll A",
        note="Under B; under A the loss is -oo with probability 0 for every pair.",
    )
    OMEGA = (
        r"\omega(y)=\sum_{\{o\mid\mathcal{L}_{A/B}(o)=y,o\in\mathcal{U}\}}\Pr[o\leftarrow A]"
        r"\quad\text{with }y\in\mathcal{Y}"
    )
    definition(
        "definition-2.line-2.1",
        Eq(Pr(Z, "==", y), A(Where(Eq(L_1, y)))),
        printed=OMEGA,
        note="For real y.",
    )
    definition(
        "definition-2.line-2.2",
        Eq(Pr(Z, "==", sp.oo), A(Where(Eq(L_1, sp.oo)))),
        printed=OMEGA,
        note="At y = oo.",
    )
    definition(
        "definition-2.line-2.3",
        Eq(Pr(Z, "==", -sp.oo), A(Where(Eq(L_1, -sp.oo)))),
        printed=OMEGA,
        note="At y = -oo.",
    )
    definition(
        "definition-2.line-3.1",
        Eq(Indicator(Gt(A, 0)), Indicator(Gt(L_1, -sp.oo))),
        printed=SUPPORT,
        note="The losses above -oo are those with positive probability: of the image of L, "
        "supp(omega) adds or drops nothing but -oo.",
        readings=["definition-2.line-3.1", "definition-2.line-3.reading-2"],
    )
    definition(
        "definition-2.line-3.reading-2",
        Gt(B(Where(Eq(L_1, -sp.oo))), 0),
        printed=SUPPORT,
        expected="refuted",
        note="To the letter: Y, the image of L, always holds -oo.  It does so only if some outcome "
        "has probability 0 under A.",
        readings=["definition-2.line-3.1", "definition-2.line-3.reading-2"],
    )
    definition(
        "definition-2.line-4",
        Eq(Indicator(FINITE), Indicator(sp.And(Ne(A, 0), Ne(B, 0)))),
        printed=r"\forall y\in\mathbb{R}:\ -\infty<y<\infty",
        note="The losses strictly between the two symbols are those of outcomes with two positive "
        "probabilities.",
    )
    definition(
        "definition-2.line-5.1",
        Le(Indicator(sp.And(FINITE, Eq(L_2, sp.oo))), Indicator(Eq(L_C, sp.oo))),
        printed=RULES,
        note=RULE + "  y + oo.",
    )
    definition(
        "definition-2.line-5.2",
        Le(
            Indicator(sp.And(Eq(L_1, -sp.oo), Gt(L_2, -sp.oo), Lt(L_2, sp.oo))),
            Indicator(Eq(L_C, -sp.oo)),
        ),
        printed=RULES,
        note=RULE + "  -oo + y.",
    )
    definition(
        "definition-2.line-6",
        Le(Indicator(sp.And(Eq(L_1, -sp.oo), Eq(L_2, sp.oo))), Indicator(Eq(L_C, -sp.oo))),
        printed=r"-\infty+\infty=-\infty",
        note=RULE + "  It is what the \"else\" of Definition 1 gives where both probabilities "
        "of the pair of outcomes are 0.",
    )
    definition(
        "definition-2.line-6.plus-plus",
        Le(Indicator(sp.And(Eq(L_1, sp.oo), Eq(L_2, sp.oo))), Indicator(Eq(L_C, sp.oo))),
        note=RULE + "  oo + oo: Theorem 1 needs it, Definition 2 does not say it.",
    )
    definition(
        "definition-2.line-6.minus-minus",
        Le(Indicator(sp.And(Eq(L_1, -sp.oo), Eq(L_2, -sp.oo))), Indicator(Eq(L_C, -sp.oo))),
        fidelity="own",
        note=RULE + "  -oo + (-oo): Definition 2 does not say it.",
    )
