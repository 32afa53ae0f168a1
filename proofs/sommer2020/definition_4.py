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
SUPPOSED = [Lt(LOST, 1)]
GIVEN = "Conditioning supposes omega(oo) < 1."

with theorem("sommer2020/definition-4", "Inner Distribution", fidelity="printed"):
    definition(
        "definition-4.line-1",
        Le(OMEGA / FINITE, 1),
        where=SUPPOSED,
        printed=ONE,
        fidelity="instance",
        note=GIVEN + "  Of the definition only that it then has a value, which is a probability.",
    )
    definition(
        "definition-4.line-2",
        Eq(OMEGA / FINITE, OMEGA / (1 - LOST)),
        where=SUPPOSED,
        printed=TWO,
        note=GIVEN,
        readings=["definition-4.line-2", "definition-4.line-2.reading-2"],
    )
    definition(
        "definition-4.line-2.reading-2",
        Eq(OMEGA / FINITE, OMEGA / (1 - LOST)),
        printed=TWO,
        expected="refuted",
        note="For every omega: where all outcomes of A are distinguishing events both sides are "
        "0/0.  Definition 10 treats that case apart.",
        readings=["definition-4.line-2", "definition-4.line-2.reading-2"],
    )
    definition(
        "definition-4.claim-1",
        Eq(FINITE / (1 - LOST), 1),
        where=SUPPOSED,
        printed=NORMALISED,
        fidelity="instance",
        note=GIVEN + "  Of the definition only what it supposes: the sum of the quotients "
        "omega(y)/(1 - omega(oo)) over finite y is 1.",
    )
