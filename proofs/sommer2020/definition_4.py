"""Definition 4: the inner distribution, the privacy loss given that it is finite."""

import sympy as sp

from lapdp.theory import *

A, B = pair("A", "B")
Z = PLD(A, B)
y = reals("y")

LOST = Pr(Z, "==", sp.oo)
FINITE = Pr(Z, "<", sp.oo)
OMEGA = Pr(Z, "==", y)
ONE = r"\bar\omega(y)=\Pr_{y\sim\omega}[y\mid y\neq\infty]"
TWO = r"\Pr_{y\sim\omega}[y\mid y\neq\infty]=\frac{\omega(y)}{1-\omega(\infty)}"
NORMALISED = (
    r"\text{The inner distribution }\bar\omega\text{ of a privacy loss distribution }\omega"
    r"\text{ is the normalized distribution without }\omega(-\infty)\text{ and }\omega(\infty)"
)
EXCLUDED = r",\quad\omega(\infty)<1"
NONE = "Where every outcome of A is a distinguishing event, there is nothing to condition on."

with theorem("sommer2020/definition-4", "Inner Distribution"):
    definition(
        "definition-4.line-1",
        Gt(FINITE, 0),
        printed=ONE,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="sommer2020/definition-4.line-1.repaired",
        note="What the definition supposes: finite losses have positive probability.  " + NONE,
    )
    repair(
        "definition-4.line-1.repaired",
        "definition-4.line-1",
        Le(OMEGA / FINITE, 1),
        where=[Lt(LOST, 1)],
        kind="definition",
        printed=ONE + EXCLUDED,
        note="Then it is a probability.",
    )
    definition(
        "definition-4.line-2",
        Eq(OMEGA / FINITE, OMEGA / (1 - LOST)),
        printed=TWO,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="sommer2020/definition-4.line-2.repaired",
        note=NONE,
    )
    repair(
        "definition-4.line-2.repaired",
        "definition-4.line-2",
        Eq(OMEGA / FINITE, OMEGA / (1 - LOST)),
        where=[Lt(LOST, 1)],
        kind="definition",
        printed=TWO + EXCLUDED,
    )
    definition(
        "definition-4.claim-1",
        Eq(FINITE / (1 - LOST), 1),
        printed=NORMALISED,
        fault="missing hypothesis",
        expected="refuted",
        repaired_by="sommer2020/definition-4.claim-1.repaired",
        note="The sum of the quotients omega(y)/(1 - omega(oo)) over finite y.  " + NONE,
    )
    repair(
        "definition-4.claim-1.repaired",
        "definition-4.claim-1",
        Eq(FINITE / (1 - LOST), 1),
        where=[Lt(LOST, 1)],
        kind="definition",
        printed=NORMALISED + EXCLUDED,
    )
