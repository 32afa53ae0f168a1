"""Definition 3: the dual privacy loss distribution."""

import sympy as sp

from lapdp.theory import *

A, B = pair("A", "B")
P1, Q1 = product_pair((A, B), pair("A'", "B'"), names=("A_c", "B_c"))
Z, DUAL = PLD(A, B), PLD(B, A)
y = reals("y")

SUM = Ex(sp.exp(-Z), Z)
"""The sum of omega(-y) e^y over finite y; an infinite loss adds e^(-oo) = 0."""


def loss(p, q):
    """Definition 1."""
    return sp.Piecewise(
        (sp.oo, sp.And(Ne(p, 0), Eq(q, 0))),
        (sp.log(p / q), sp.And(Ne(p, 0), Ne(q, 0))),
        (-sp.oo, True),
        evaluate=False,
    )


SUPPORT = r"\mathcal{L}=\{-y\mid y\in\mathcal{Y}\}"
DENSITY = r"\varpi(y)=\omega(-y)e^y\quad\forall y\in\mathcal{L}"
REST = r"\varpi(\infty)=1-\sum_{y\in\mathcal{L}\setminus\{-\infty,\infty\}}\varpi(y)"

with theorem("sommer2020/definition-3", "Dual PLD"):
    definition(
        "definition-3.line-1",
        Eq(loss(B, A), -loss(A, B)),
        printed=SUPPORT,
        note="The losses of the reversed pair, at every outcome that one of the two can have.",
    )
    definition(
        "definition-3.line-1.reading-2",
        Eq(loss(Q1, P1), -loss(P1, Q1)),
        printed=SUPPORT,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="sommer2020/definition-3.line-1.reading-2.repaired",
        note="If the dual PLD is to be the PLD of the reversed pair (Lemma 2), its losses must be "
        "the negative ones.  At an outcome that neither distribution can have, as there is in "
        "products, both losses are -oo.",
    )
    repair(
        "definition-3.line-1.reading-2.repaired",
        "definition-3.line-1.reading-2",
        Eq(loss(B, A), -loss(A, B)),
        kind="definition",
        corrected=SUPPORT + r"\text{, of outcomes that }A\text{ or }B\text{ can have}",
        note="At every outcome that has a probability under A or B.",
    )
    definition(
        "definition-3.line-2",
        Eq(Pr(DUAL, "==", y), Pr(Z, "==", -y) * sp.exp(y)),
        printed=DENSITY,
        note="At finite y, for the PLD of B over A.",
    )
    definition(
        "definition-3.line-2.reading-2",
        Eq(
            Pr(DUAL, "==", sp.oo),
            sp.Mul(Pr(Z, "==", -sp.oo), sp.oo, evaluate=False),
        ),
        printed=DENSITY + r",\quad y=\infty",
        fault="ill-formed",
        expected="refuted",
        repaired_by="sommer2020/definition-3.line-2.reading-2.repaired",
        note="-oo lies in Y, so oo in its reflection: there the line says 0 times oo, and "
        "contradicts the next one.",
    )
    repair(
        "definition-3.line-2.reading-2.repaired",
        "definition-3.line-2.reading-2",
        Eq(Pr(DUAL, "==", sp.oo), 1 - SUM),
        kind="definition",
        corrected=r"\varpi(y)=\omega(-y)e^y\quad\forall y\in\mathcal{L}\setminus\{-\infty,\infty\}"
        r",\quad " + REST,
        note="At oo the next line decides.",
    )
    definition(
        "definition-3.line-3",
        Eq(Pr(DUAL, "==", sp.oo), 1 - SUM),
        printed=REST,
        note="The PLD of B over A obeys it, also where omega has mass at infinity.",
    )
    definition(
        "definition-3.line-4",
        Eq(Pr(DUAL, "==", -sp.oo), 0),
        printed=r"\varpi(-\infty)=0",
    )
