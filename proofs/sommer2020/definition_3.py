"""Definition 3: the dual privacy loss distribution."""

import sympy as sp

from lapdp.theory import *

A, B = pair("A", "B")
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

with theorem("sommer2020/definition-3", "Dual PLD", fidelity="printed"):
    definition(
        "definition-3.line-1",
        Eq(loss(B, A), -loss(A, B)),
        printed=SUPPORT,
        note="The losses of the reversed pair, at every outcome that one of the two can have.",
    )
    definition(
        "definition-3.line-2",
        Eq(Pr(DUAL, "==", y), Pr(Z, "==", -y) * sp.exp(y)),
        printed=DENSITY,
        note="At finite y, for the PLD of B over A.",
        readings=["definition-3.line-2", "definition-3.line-2.reading-2"],
    )
    definition(
        "definition-3.line-2.reading-2",
        Eq(
            Pr(DUAL, "==", sp.oo),
            sp.Mul(Pr(Z, "==", -sp.oo), sp.oo, evaluate=False),
        ),
        printed=DENSITY,
        expected="refuted",
        note="To the letter: -oo lies in Y, so oo in its reflection, where the line says 0 times "
        "oo.  There the next line decides.",
        readings=["definition-3.line-2", "definition-3.line-2.reading-2"],
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
