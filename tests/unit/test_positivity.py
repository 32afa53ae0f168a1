"""Signs of exponential polynomials on intervals, against values at many points."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.positivity import is_nonnegative, never_negative
from lapdp.core.errors import Unsupported

ONE = Form.of(1)
c, d = sp.symbols("c d", positive=True)


def germ(*terms):
    total = Exact()
    for coefficient, rate, power in terms:
        total = total + Exact.term(coefficient, Form.of(rate), power)
    return total.germ


small = st.integers(-3, 3)


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(small, small, st.integers(0, 2)), min_size=1, max_size=4),
       st.integers(-2, 2), st.integers(1, 3))
def test_against_values(terms, low, width):
    """A sign that is told is one that no point contradicts; a dip that is told is there."""
    function = germ(*terms)
    try:
        found = is_nonnegative(function, Form.of(low), Form.of(low + width), Cell())
    except Unsupported:
        return
    with mp.workdps(30):
        values = [mp.fsum(k * mp.mpf(x) ** n * mp.exp(a * x) for k, a, n in terms)
                  for x in (low + width * mp.mpf(j) / 400 for j in range(1, 400))]
    least = min(values)
    assert least >= -1e-20 if found else least < 1e-3


@pytest.mark.parametrize(("constant", "expected"),
                         [("26/100", True), ("1/4", True), ("0.24", False)])
def test_a_minimum_inside(constant, expected):
    """t^2 - t + constant touches 0 at 1/2 for the constant 1/4."""
    function = germ((1, 0, 2), (-1, 0, 1), (Fraction(constant), 0, 0))
    assert is_nonnegative(function, ZERO, ONE, Cell()) is expected
    assert is_nonnegative(function, None, None, Cell()) is expected


def test_infinite_ends():
    falling = germ((1, -1, 0), (-1, -2, 0))
    assert is_nonnegative(falling, ZERO, None, Cell())
    assert not is_nonnegative(falling, Form.of(-1), None, Cell())
    assert is_nonnegative({}, None, None, Cell())
    assert is_nonnegative(germ((1, 0, 2)), None, None, Cell())
    assert not is_nonnegative(germ((1, 0, 3)), None, None, Cell())


def test_symbolic_ends_and_coefficients():
    up = (Exact.term(1, ONE) - Exact.term(Scalar.exp(Form.of(c)))).germ
    assert is_nonnegative(up, Form.of(c), None, Cell())
    assert not is_nonnegative(up, ZERO, Form.of(c), Cell())
    slope = (Exact.term(Scalar.of(Form.of(c))) - Exact.term(1, ZERO, 1)).germ
    assert is_nonnegative(slope, ZERO, Form.of(c), Cell())
    with pytest.raises(NeedSplit):
        is_nonnegative(slope, ZERO, Form.of(d), Cell())


def test_terms_that_a_cell_makes_vanish():
    a = sp.Symbol("a", real=True)
    function = Exact.term(1, ONE) + Exact.term(Scalar.of(Form.of(a)), 0, 1)
    assert is_nonnegative(function.germ, None, None, Cell([(Form.of(a), "=")]))


def test_functions_of_one_parameter():
    x = Form.of(c)
    for element, expected in ((Scalar.exp(x) - 1 - Scalar.of(x), True),
                              (1 + Scalar.of(x) - Scalar.exp(x), False),
                              ((Scalar.exp(x) - 1 - Scalar.of(x)) / (1 + Scalar.exp(x)), True)):
        assert never_negative(element, Cell()) is expected
    with pytest.raises(NeedSplit):
        never_negative(Scalar.exp(x) - 2 - Scalar.of(x), Cell())
    with pytest.raises(NeedSplit):
        never_negative(Scalar.exp(x) - 1 - Scalar.of(Form.of(d)), Cell())
