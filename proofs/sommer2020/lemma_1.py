"""Lemma 1: basic properties of the privacy loss distribution, with the lines of its proof."""

import sympy as sp

from lapdp.theory import *

A, B = pair("A", "B")
Z = PLD(A, B)
y = reals("y")

LOSS = sp.Piecewise(
    (sp.oo, sp.And(Ne(A, 0), Eq(B, 0))),
    (sp.log(A / B), sp.And(Ne(A, 0), Ne(B, 0))),
    (-sp.oo, True),
    evaluate=False,
)
"""Definition 1."""
OTHER_B, OTHER_A = Where(Eq(B(Outcomes("alpha")), 0)), Where(Eq(A(Outcomes("alpha")), 0))

FOUR = r"\omega(\infty)=\sum_{\{x\mid\Pr[\alpha\leftarrow B]=0\}}\Pr[o\leftarrow A]"
SIX = (
    r"\sum_{\{o\mid\mathcal{L}_{A/B}(o)=-\infty\}}\Pr[o\leftarrow A]"
    r"=\sum_{\{o\mid\Pr[\alpha\leftarrow A]=0\}}\Pr[o\leftarrow A]"
)
SEVEN = r"\sum_{\{o\mid\Pr[\alpha\leftarrow A]=0\}}\Pr[o\leftarrow A]=0"
LETTERS = "The condition speaks of an alpha that is given nowhere, not of the o in the sum."


def mixed(label, form, mended, printed, **rest):
    """A line whose letters are mixed up, and the line with one letter."""
    claimed = rest.pop("claimed")
    claimed(
        label,
        form,
        root=rest.pop("root", None),
        printed=printed,
        fault="misprint",
        expected="ill-formed",
        repaired_by=f"sommer2020/{label}.repaired",
        note=LETTERS,
    )
    repair(
        f"{label}.repaired",
        label,
        mended,
        kind=rest.pop("kind", "step"),
        corrected=printed.replace(r"\alpha", "o").replace(r"\{x\mid", r"\{o\mid"),
        note="With o for all letters.",
    )


with theorem("sommer2020/lemma-1", "Basic Properties of PLD", fidelity="printed"):
    claim(
        "lemma-1.item-2",
        Ge(A(Where(Eq(LOSS, y))), 0),
        printed=r"\forall y\in\mathcal{Y}:\omega(y)\geq 0",
        note="For real y; y = oo is lemma-1.item-2.infinite, y = -oo is lemma-1.item-5.",
    )
    claim(
        "lemma-1.item-2.infinite",
        Ge(A(Where(Eq(LOSS, sp.oo))), 0),
        printed=r"\forall y\in\mathcal{Y}:\omega(y)\geq 0",
        note="At y = oo.",
    )
    claim(
        "lemma-1.item-3",
        Eq(Pr(Z, "<=", sp.oo), 1),
        printed=r"\sum_{y\in\mathcal{Y}}\omega(y)=1",
        note="With oo in the set Y.",
        readings=["lemma-1.item-3", "lemma-1.item-3.reading-2"],
    )
    claim(
        "lemma-1.item-3.reading-2",
        Eq(Pr(Z, "<", sp.oo), 1),
        printed=r"\sum_{y\in\mathcal{Y}}\omega(y)=1",
        expected="refuted",
        repaired_by="sommer2020/lemma-1.item-3.reading-2.repaired",
        note="With Y a set of real numbers, as Definition 2 has it.",
        readings=["lemma-1.item-3", "lemma-1.item-3.reading-2"],
    )
    repair(
        "lemma-1.item-3.reading-2.repaired",
        "lemma-1.item-3.reading-2",
        Eq(Pr(Z, "<", sp.oo), 1 - A(Where(Eq(B, 0)))),
        corrected=r"\sum_{y\in\mathcal{Y}\cap\mathbb{R}}\omega(y)=1-\omega(\infty)",
        note="What the finite losses have, for every pair.",
    )
    mixed(
        "lemma-1.item-4",
        Eq(Pr(Z, "==", sp.oo), A(OTHER_B)),
        Eq(A(Where(Eq(LOSS, sp.oo))), A(Where(Eq(B, 0)))),
        FOUR,
        claimed=claim,
        kind="claim",
    )
    claim(
        "lemma-1.item-5",
        Eq(Pr(Z, "==", -sp.oo), 0),
        printed=r"\omega(-\infty)=0",
    )

with theorem("sommer2020/lemma-1.proof", "Proof of Lemma 1", fidelity="printed"):
    step(
        "lemma-1.step-2",
        Ge(A(Event("S")), 0),
        printed=r"\Pr[o\leftarrow A]\geq 0\quad\forall o\in\mathcal{U}",
        note="For every event S, so for every outcome.",
    )
    step(
        "lemma-1.step-3.1",
        Eq(Pr(PLD(A, B), "<=", sp.oo), Omega(A)),
        printed=r"\sum_{y\in\mathcal{Y}}\omega(y)=\sum_{o\in\mathcal{U}}\Pr[o\leftarrow A]",
        note="Every outcome has one loss, -oo and oo included.",
    )
    step(
        "lemma-1.step-3.2",
        Eq(Omega(A), 1),
        printed=r"\sum_{o\in\mathcal{U}}\Pr[o\leftarrow A]=1",
    )
    step(
        "lemma-1.step-4",
        Eq(A(Where(Eq(LOSS, sp.oo))), A(Where(Eq(B, 0)))),
        printed=r"\text{Follows by the definition of the privacy loss }\mathcal{L}",
    )
    step(
        "lemma-1.step-5",
        Eq(Pr(Z, "==", -sp.oo), A(Where(Eq(LOSS, -sp.oo)))),
        printed=r"\omega(-\infty)=\sum_{\{o\mid\mathcal{L}_{A/B}(o)=-\infty\}}"
        r"\Pr[o\leftarrow A]",
    )
    mixed(
        "lemma-1.step-6",
        Eq(A(Where(Eq(LOSS, -sp.oo))), A(OTHER_A)),
        Eq(A(Where(Eq(LOSS, -sp.oo))), A(Where(Eq(A, 0)))),
        SIX,
        claimed=step,
        root="lemma-1.item-4",
    )
    mixed(
        "lemma-1.step-7",
        Eq(A(OTHER_A), 0),
        Eq(A(Where(Eq(A, 0))), 0),
        SEVEN,
        claimed=step,
        root="lemma-1.item-4",
    )
