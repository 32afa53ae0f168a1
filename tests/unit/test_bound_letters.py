"""Letters that run outside of what they are declared to be: the tree that arrives is another one
than was written, so it is refused."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.errors import InputError
from lapdp.core.verdict import Kind
from lapdp.theory import (
    PLD,
    AllOf,
    B,
    BinomialMean,
    Continuous,
    ConvexOn,
    Eq,
    FiniteSum,
    ForAll,
    Ge,
    ImpliesOn,
    Indicator,
    Inf,
    Int,
    L,
    Le,
    Lim,
    LimInt,
    NonincreasingOn,
    Primitive,
    Sup,
    claim,
    complexes,
    conv,
    delta,
    f,
    naturals,
    pair,
    positives,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.statement import Statement

P, Q = pair()
Z = PLD(P, Q)
s, n, i, x = positives("s"), naturals("n"), naturals("i"), reals("x")
j = sp.Symbol("j", integer=True, positive=True)
m = sp.Symbol("m", negative=True)
half = sp.Rational(1, 2)
q = complexes("q")

FALSE = [
    Eq(Int(sp.Abs(s), s, -1, 1), 0), Eq(Int(Indicator(s > 0), s, -1, 1), 2),
    Eq(Int(sp.Abs(s), s, -x, x), 0), Eq(Int(sp.Abs(s), s, 1, -1), 0),
    Eq(Int(sp.Abs(m), m, -1, 1), 0), Eq(Int(sp.cos(2 * sp.pi * n), n, 0, half), half),
    Eq(FiniteSum(sp.Abs(i), i, -2, 2), 0), Eq(FiniteSum(sp.Abs(s), s, -2, 0), -3),
    Eq(FiniteSum(sp.sign(j), j, 0, 3), 4), Eq(BinomialMean(sp.sign(j), j, n, half), 1),
    Eq(Lim(sp.Abs(s) / s, s, 0, "-"), 1), Eq(Lim(sp.Abs(s) / s, s, -sp.oo), 1),
    Eq(Lim(sp.cos(2 * sp.pi * n), n, sp.oo), 1), Eq(Lim(sp.Abs(s), s, 0), 0),
    Le(Sup(sp.sqrt(s**2), s, -3, 0), 0), Eq(Sup(sp.sin(sp.pi * n), n, 0, 1), 0),
    Eq(Sup(sp.sign(s), s, 0, 1), 1), Eq(Inf(sp.Abs(s), s, Le(s, 0), -1, 1), -1),
    NonincreasingOn(-sp.Abs(s), s, -1, 1), ConvexOn(-sp.Abs(s), s, -1, 1),
    Continuous(sp.Abs(s) / s, s), ImpliesOn(Ge(s, x), Ge(-1, x), s, -1, 1),
    Eq(LimInt(sp.Abs(s) * sp.exp(-s**2), s), 0), Eq(B(sp.exp(-sp.Abs(s)), s)(0), 2),
    Eq(Primitive(sp.Abs(s), s, -1), s**2 / 2), Eq(conv(sp.Abs(s), sp.exp(-s**2), s), 0),
    Eq(Int(sp.Abs(s) * f(Z)(s), s, -sp.oo, sp.oo), 0),
    Ge(Sup(delta(P, Q)(sp.Abs(s)), s, -1, 0), delta(P, Q)(-1)),
    ForAll((x,), Le(Int(sp.Abs(s), s, -1, 1), 0)), AllOf((Eq(Int(sp.Abs(s), s, -1, 1), 0),)),
]
TRUE = [
    Eq(Int(sp.exp(-s), s, 0, sp.oo), 1), Eq(L(sp.exp(-s), s)(1), half),
    Eq(Lim(sp.Abs(s) / s, s, 0, "+"), 1), Eq(FiniteSum(i, i, 0, 3), 6),
    Eq(FiniteSum(sp.sign(j), j, 1, 3), 3), Eq(BinomialMean(i, i, 2, half), 1),
    NonincreasingOn(-s, s, 1, 2), Eq(Int(sp.Abs(m), m, -1, 0), half),
]


@pytest.mark.parametrize("form", FALSE, ids=str)
def test_ranges_beyond_what_is_declared_are_refused(form):
    with pytest.raises(InputError, match=r"runs from .*: bind a (real letter|whole number)"):
        claim("a-claim", form)
    found = judge(Statement("x/direct", form), numeric=False, patience=0.1, search=True)
    assert found.kind is Kind.ILL_FORMED and "runs from" in found.reason


def test_a_hypothesis_is_looked_at_as_well():
    with pytest.raises(InputError, match="runs from -1 to 1"):
        claim("a-claim", Ge(x, 0), where=[FALSE[0]])


@pytest.mark.parametrize("form", TRUE, ids=str)
def test_ranges_within_what_is_declared_are_read(form):
    found = judge(claim("a-claim", form), numeric=False, patience=0.1, search=True)
    assert found.kind in (Kind.PROVED, Kind.DERIVED)


@pytest.mark.parametrize("form", [
    # of all complex numbers these are false
    Continuous(sp.Piecewise((1, sp.Eq(sp.im(q), 0)), (0, True)), q), Eq(Lim(sp.im(q), q, sp.oo), 0),
    Eq(Lim(sp.im(q) / sp.Abs(q), q, 0), 0), ConvexOn(-sp.im(q)**2, q, 0, 1),
    ImpliesOn(Eq(sp.im(q), 0), Le(1, 0), q, 0, 1),
], ids=str)
def test_a_complex_letter_does_not_run_over_the_reals(form):
    verdict = judge(Statement("paper/eq-1", form))
    assert verdict.kind is Kind.ILL_FORMED
    assert "complex" in str(verdict)
