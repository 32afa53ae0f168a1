"""An order between values that may be complex says nothing, and is never found to hold."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import (
    AllOf,
    B,
    Converges,
    E,
    Eq,
    ForAll,
    Ge,
    Gt,
    Implies,
    L,
    Le,
    claim,
    complexes,
    conv,
    functions,
    pair,
    positives,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.reach import require_reach

g, h = functions("g h")
s, q = complexes("s q")
t = reals("t")
r = positives("r")
P, Q = pair()
SIDES = B(conv(g(t), h(t), t), t, s), B(conv(h(t), g(t), t), t, s)
CONVERGE = [Converges(B(g(t), t, s)), Converges(B(h(t), t, s))]
RIGHT = Gt(sp.re(s), 0)


@pytest.mark.parametrize("form, where", [
    (Le(*SIDES), CONVERGE),
    (Ge(*SIDES), CONVERGE),
    (Le(E(q, P, Q), E(q, P, Q)), []),
    (Le(L(sp.exp(-t), t, s), L(sp.exp(-t), t, s) + 1), [RIGHT]),
    (ForAll((s,), Le(L(sp.exp(-t), t, s), L(sp.exp(-t), t, s)), (RIGHT,)), []),
    (AllOf((Eq(t, t), Le(E(q, P, Q), E(q, P, Q)))), []),
    (Implies(Le(t, 0), Le(E(q, P, Q), E(q, P, Q) + 1)), []),
    (Le(B(sp.exp(-abs(t)) * sp.exp(sp.I * t), t, r / (1 + r)), 5), []),
], ids=str)
def test_an_order_of_complex_numbers_does_not_hold(form, where):
    found = judge(claim("x/eq-1", form, where=where), patience=0.5, seconds=30)
    assert found.kind not in (*HOLDS, Kind.CERTIFIED, Kind.TESTED)
    assert "an order needs real numbers" in found.reason


@pytest.mark.parametrize("form, where", [
    (Eq(*SIDES), CONVERGE),
    (Le(L(sp.exp(-t), t, r), L(sp.exp(-t), t, r) + 1), []),
], ids=str)
def test_equations_and_orders_of_real_transforms_still_do(form, where):
    assert judge(claim("x/eq-1", form, where=where), patience=0.5).kind in HOLDS


def test_orders_of_sizes_are_read():
    require_reach(claim("x/eq-1", Le(abs(SIDES[0]), abs(SIDES[1])), where=CONVERGE))
