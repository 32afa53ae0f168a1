"""False claims whose parts without a value vanish when something is put in: SymPy cancels them."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge

P, Q = pair()
Z = PLD(P, Q)
x, y, v, p, q, a = reals("x y v p q a")
n, j = (sp.Symbol(name, integer=True, nonnegative=True) for name in "nj")
ONE, TWO = pair("P1", "Q1"), pair("P2", "Q2")
A, B2 = product_pair(ONE, TWO)
Z1, Z2, W = PLD(*ONE), PLD(*TWO), PLD(A, B2)
FINITE = Pr(Z, "<", sp.oo)
MEAN = BinomialMean(j, j, n, p)
UNIT = [Ge(p, 0), Le(p, 1)]
VARIANCES = [Defined(inner_variance(z)) for z in (Z1, Z2)]
MEANS = [Defined(inner_mean(z)) for z in (Z1, Z2)]
NOTHING = inner_mean(W) - inner_mean(Z1) - inner_mean(Z2)
FALSE = {
    "a pole off the bound": (Le(1 / (v - 2), 1 / (v - 2) + v), [Le(Pr(Z, ">=", y), v)]),
    "a pole on both sides": (Le(Pr(Z, ">", y) + 1 / (v - 2), 1 / (v - 2) + v),
                             [Le(Pr(Z, ">=", y), v)]),
    "equal to 0": (Eq(Pr(Z, ">", y) / a, 1), [Eq(Pr(Z, ">", y), a)]),
    "a quotient of equals": (Eq(x / y, 1), [Eq(x, y)]),
    "means over 0": (Eq(MEAN / p, MEAN / p), UNIT),
    "means and a logarithm": (Eq(MEAN * sp.log(x), MEAN * sp.log(x)), UNIT),
    "a logarithm times nothing": (Eq((FINITE - 1) * sp.log(x) / FINITE, 0), [ac(P, Q)]),
    "a divergence times nothing": (Eq((FINITE - 1) * R(q, P, Q) / FINITE, 0), [ac(P, Q)]),
    "a mean times nothing": (Eq((FINITE - 1) * Ex(Z, Z) / FINITE, 0), [ac(P, Q)]),
    "a root times nothing": (Le((FINITE - 1) * sp.sqrt(x) / FINITE, 0),
                             [Eq(Pr(Z, "==", sp.oo), 0)]),
    "a logarithm and means": (Eq(sp.log(x) * NOTHING, 0), MEANS),
    "a root and means": (Eq(sp.sqrt(x) * NOTHING, 0), MEANS),
    "a logarithm and variances": (
        Eq(sp.log(x) * (inner_variance(W) - inner_variance(Z1) - inner_variance(Z2)), 0),
        VARIANCES),
    "a divergence and means": (Eq(R(2, *ONE) * NOTHING, 0), MEANS),
    "a logarithm added": (Implies(Le(x, y), Le(sp.log(a) + x, sp.log(a) + y)), []),
    "a pole added": (Implies(Le(x, y), Le(1 / a + x, 1 / a + y)), []),
    "logarithms on both sides": (Iff(Le(sp.log(a) + x, sp.log(a) + y), Le(x, y)), []),
    "divided by a letter": (Iff(Lt(x / a, y / a), Lt(x, y)), []),
    "moments at one order": (Eq(E(x, P, Q) - E(y, P, Q), 0), [Eq(x, y)]),
    "logarithms of one profile": (
        Eq(sp.log(delta(P, Q)(x)) - sp.log(delta(P, Q)(y)), 0), [Eq(x, y)]),
    "one function twice": (Eq(sp.gamma(x) - sp.gamma(y), 0), [Eq(x, y)]),
    "one integral twice": (Eq(Int(sp.exp(x * v), v, 0, sp.oo) - Int(sp.exp(y * v), v, 0, sp.oo), 0),
                           [Eq(x, y)]),
    "suprema that are infinite": (
        Eq(Sup(x * v, v, -sp.oo, sp.oo) - Sup(y * v, v, -sp.oo, sp.oo), 0), [Eq(x, y)]),
    "a function added": (Implies(Le(x, y), Le(sp.tan(a) + x, sp.tan(a) + y)), []),
    "a divergence times equals": (
        Eq(R(2, P, Q) * (v - delta(P, Q)(0)), 0), [Eq(delta(P, Q)(0), v)]),
    "equal moments": (Eq(E(x, *ONE) - E(x, *TWO), 0), [ForAll((v,), Eq(E(v, *ONE), E(v, *TWO)))]),
    "a quotient of equal profiles": (
        Eq(delta(*ONE)(x) / delta(*TWO)(x), 1),
        [ForAll((v,), Eq(delta(*ONE)(v), delta(*TWO)(v)))]),
    "a pole in the exponent": (
        Le(Pr(Z, ">=", y), sp.exp((a * (1 - q) * y + a) / a) * E(q, P, Q)), [Gt(q, 1)]),
    "a quotient of moments": (Eq(E(q, A, B2) / (E(q, *ONE) * E(q, *TWO)), 1), [Gt(q, 1)]),
    "the exponential of nothing": (
        Eq(sp.exp(E(q, A, B2) - E(q, *ONE) * E(q, *TWO)), 1), [Gt(q, 1)]),
    "moments that are infinite": (Eq(E(q, A, B2) - E(q, *ONE) * E(q, *TWO), 0), [Gt(q, 1)]),
}


@pytest.mark.parametrize("name", FALSE)
def test_what_is_cancelled_must_have_a_value(name):
    claim, where = FALSE[name]
    statement = Statement(id="test/claim", claim=claim, where=tuple(where))
    found = judge(statement, numeric=False, patience=0.05)
    assert found.kind in (Kind.REFUTED, Kind.UNDECIDED, Kind.ILL_FORMED)


@pytest.mark.parametrize("part", [
    E(2, P, Q), R(2, P, Q), L(sp.exp(y), y, 0), Sup(y, y, 1, 0),
    FiniteSum(1 / j, j, 0, n), FiniteSum(sp.log(j), j, 0, n)], ids=str)
def test_what_is_put_in_for_there_is(part):
    """0 times what may have no value is not 0: a hint does not decide it."""
    found = judge(claim("c", Exists(x, Eq(x * part, 0)), hints={"choose": 0}))
    assert found.kind is Kind.UNDECIDED


def test_what_has_a_value_may_vanish_for_there_is():
    found = judge(claim("c", Exists(x, Eq(x * delta(P, Q)(0), 0)), hints={"choose": 0}))
    assert found.kind in HOLDS
