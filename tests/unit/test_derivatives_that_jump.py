"""A generalised derivative is a function almost everywhere: what holds but at its jumps is true.

D delta = -e^t Q(Z > t) almost everywhere, between -e^t and 0: delta is continuous.
"""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import Kind
from lapdp.theory import PLD, D, Eq, F, Ge, Indicator, Le, Statement, delta, pair, reals
from lapdp.theory.engine import judge

P, Q = pair("P", "Q")
t = reals("t")
SLOPE = D(delta(P, Q)(t), t)
TRUE = {
    "falls": Le(SLOPE, 0), "not steeper than e^t": Ge(SLOPE, -sp.exp(t)),
    "its value": Eq(SLOPE, -sp.exp(t) * F(PLD(Q, P))(-t)),
    "a kink": Eq(D(sp.Abs(t), t), Indicator(t > 0) - Indicator(t < 0)),
}
FALSE = {
    "rises": Ge(SLOPE, 0), "flat": Eq(SLOPE, 0), "steep": Le(SLOPE, -sp.exp(t)),
    "another factor": Eq(SLOPE, -F(PLD(Q, P))(-t)),
    "a kink, half": Eq(D(sp.Abs(t), t), Indicator(t > 0)),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_holds_almost_everywhere_is_not_refuted(name):
    found = judge(Statement("test/claim", TRUE[name]), patience=1.0, numeric=False)
    assert found.kind is not Kind.REFUTED


@pytest.mark.parametrize("name", FALSE)
def test_what_fails_between_jumps_is_refuted(name):
    found = judge(Statement("test/claim", FALSE[name]), patience=4.0, numeric=False)
    assert found.kind is Kind.REFUTED
