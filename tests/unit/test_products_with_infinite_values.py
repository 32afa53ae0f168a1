"""A product with a value that may be +oo: where the other factor is 0, 0 oo has no value, and a
claim without a value is false.  A method that puts 0 in must not lose sight of it; nor of oo^0.

The losses k + c with probabilities that fall like 1/(k log^2 k) have E[Z] = +oo, P << Q and Q << P:
what is false here fails at them.
"""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import (
    PLD,
    Defined,
    E,
    Eq,
    Ex,
    Inf,
    Int,
    Le,
    Lim,
    R,
    Statement,
    ac,
    delta,
    naturals,
    pair,
    product_pair,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.methods.having_values import values_of_parts
from lapdp.theory.planner import Planner

P, Q = pair("P", "Q")
Z = PLD(P, Q)
x, y, c = reals("x y c")
n = naturals("n")
m = naturals("m", start=1)
BOTH = [ac(P, Q), ac(Q, P)]
MEAN, SECOND = Ex(Z, Z), E(2, P, Q)
ONE, TWO = pair("P1", "Q1"), pair("P2", "Q2")
FIRST, OTHER, WHOLE = (R(*a)(2) for a in (ONE, TWO, product_pair(ONE, TWO)))
FALSE = {
    "a sum of divergences less one": (Eq(WHOLE - FIRST, OTHER), []),
    "what cancels beside a product of divergences": (
        Eq(sp.exp(FIRST - WHOLE) + FIRST * OTHER, sp.exp(-OTHER) + FIRST * OTHER), []),
    "0 times a mean": (Eq(x * MEAN, 0), [*BOTH, Eq(x, 0)]),
    "a mean minus itself": (Eq(x * MEAN - y * MEAN, 0), [*BOTH, Eq(x, y)]),
    "0 in a sum": (Eq((x - 1) * MEAN + c, c), [*BOTH, Eq(x, 1)]),
    "0 times a moment": (Eq(x * SECOND, 0), [*BOTH, Eq(x, 0)]),
    "0 times a limit": (Eq(x * Lim(y / 10**6, y, sp.oo), 0), [Eq(x, 0)]),
    "0 times two values": (Eq(x * Inf(y, y, Le(0, y), 0, 1) * Lim(y, y, sp.oo), 0), [Eq(x, 0)]),
    "0 times an integral": (Eq(x * Int(1, y), 0), [Eq(x, 0)]),
}
TRUE = {
    "a sum of divergences": (Eq(WHOLE, FIRST + OTHER), []),
    "0 times a finite mean": (Eq(x * MEAN, 0), [Defined(MEAN), Eq(x, 0)]),
    "0 times a profile": (Eq(x * delta(P, Q)(y), 0), [Eq(x, 0)]),
    "1 times a mean": (Eq(x * MEAN, MEAN), [Defined(MEAN), Eq(x, 1)]),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_has_no_value_is_not_proved(name):
    claim, where = FALSE[name]
    found = judge(Statement("test/claim", claim, where=tuple(where)), patience=2.0, numeric=False)
    assert found.kind in (Kind.UNDECIDED, Kind.REFUTED)


@pytest.mark.parametrize("name", TRUE)
def test_what_has_a_value_is_proved(name):
    claim, where = TRUE[name]
    found = judge(Statement("test/claim", claim, where=tuple(where)), patience=2.0, numeric=False)
    assert found.kind in HOLDS


def test_a_power_that_may_be_the_0th_is_asked_for():
    """E_2^n = 1 + 0 for n = 0 hides oo^0; not for n >= 1, and not where E_2 is finite."""
    def asked(exponent, *where):
        statement = Statement("test/claim", Eq(SECOND**exponent, x), where=where)
        return values_of_parts(statement, Planner(statement, 5, 0, 0.0)._prove)
    with pytest.raises(Unsupported):
        asked(n, *BOTH)
    assert len(asked(n, Defined(SECOND))) == 1
    assert asked(m, *BOTH) == []
