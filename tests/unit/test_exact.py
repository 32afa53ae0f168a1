"""The exact class with symbolic breakpoints: merging, edges, limits, masses, what is undefined."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp
from mpmath import mp

from lapdp.calculus.exact import Exact, _partial
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import Undefined, Unsupported
from tests.second_route import close, form_value, function_value, scalar_value

a, b, c = sp.symbols("a b c", real=True)
F = Form.of
ORDERED = Cell([(F(b - a), ">"), (F(c - b), ">")])
EQUAL = Cell([(F(b - a), "=")])


def test_breakpoints_are_ordered_by_the_cell():
    f = Exact.step(c) + Exact.step(a) + Exact.impulse(b)
    assert f.breakpoints(ORDERED) == [F(a), F(b), F(c)]
    with pytest.raises(NeedSplit):
        f.breakpoints(Cell())


def test_equal_breakpoints_are_written_once():
    f = Exact.step(a) - Exact.step(b) + Exact.impulse(a) - Exact.impulse(b)
    assert not f.is_zero()
    assert f.merged(EQUAL).is_zero()
    assert len(f.breakpoints(EQUAL)) == 1
    assert f.merged(ORDERED).jumps.keys() == {F(a), F(b)}


def test_one_sided_limits_at_a_symbolic_point():
    f = Exact.step(a, 2, 1) + Exact.term(1, -1)
    before, after = (f.limit(F(a), side, Cell()) for side in (-1, 1))
    assert after - before == Scalar.of(2)
    assert before == Scalar.exp(F(-a))
    with pytest.raises(NeedSplit):
        f.limit(F(b), 1, Cell())
    assert f.limit(F(b), 1, ORDERED) == Scalar.exp(F(b - a)) * 2 + Scalar.exp(F(-b))


def test_masses_of_impulses():
    f = Exact.impulse(a, 3) + Exact.impulse(b, Fr(1, 2)) + Exact.step(0)
    assert f.mass_at(F(a), ORDERED) == Scalar.of(3)
    assert f.mass_at(F(c), ORDERED).is_zero()
    assert f.mass_at(F(a), EQUAL) == Scalar.of(Fr(7, 2))
    with pytest.raises(Unsupported):
        Exact.impulse(0, 1, 1).mass_at(Form({}), Cell())


def test_cuts_at_an_impulse_drop_it():
    f = Exact.impulse(0, 2) + Exact.impulse(1, 3) + Exact.impulse(-1, 5)
    zero = Form({})
    assert f.after(zero, Cell()).impulses == {F(1): {0: Scalar.of(3)}}
    assert f.before(zero, Cell()).impulses == {F(-1): {0: Scalar.of(5)}}
    assert f.after(F(-1), Cell()).impulses.keys() == {zero, F(1)}


@pytest.mark.parametrize("sign", [1, -1])
def test_dilation_by_a_symbol(sign):
    factor = sp.Symbol("k", real=True)
    cell = Cell([(F(sign * factor), ">")])
    f = Exact.step(1, 1, -2) + Exact.impulse(2, 3, 1)
    g = f.dilate(F(factor), cell)
    k = Fr(3 * sign, 2)
    with mp.workdps(20):
        for t in (mp.mpf("0.9"), mp.mpf("-2.4"), mp.mpf("1.7")):
            expected = function_value(f, sign * mp.mpf("1.5") * t)
            assert close(function_value(g, t, {factor: k}), expected)
        # d'(k t - 2) = d'(t - 2/k) / (k |k|)
        (at, orders), = g.impulses.items()
        assert close(form_value(at, {factor: k}), mp.mpf(2) / (sign * 1.5))
        assert close(scalar_value(orders[1], {factor: k}), mp.mpf(3) / (2.25 * sign))


def test_dilation_by_zero_is_undefined():
    with pytest.raises(Undefined):
        Exact.step(0).dilate(Form({}), Cell())
    with pytest.raises(Undefined):
        Exact.step(0).dilate(F(a), Cell([(F(a), "=")]))
    with pytest.raises(NeedSplit):
        Exact.step(0).dilate(F(a), Cell())


def test_the_running_integral_needs_decay():
    with pytest.raises(Undefined):
        Exact.term(1).primitive(Cell())
    with pytest.raises(Undefined):
        Exact.term(1, sp.I).primitive(Cell())
    with pytest.raises(NeedSplit):
        Exact.term(1, a).primitive(Cell())
    assert Exact.term(1, 2).primitive(Cell()).germ == {(F(2), 0): Scalar.of(Fr(1, 2))}


def test_a_jump_differentiates_to_an_impulse():
    f = Exact.step(a, 5)
    assert (f.derivative() - Exact.impulse(a, 5)).is_zero()
    assert (f.derivative().derivative() - Exact.impulse(a, 5, 1)).is_zero()


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 2), (3, 1), (2, 3)])
def test_partial_fractions(n, m):
    """1/((s-p)^n (s-q)^m) at a point, poles apart and poles equal."""
    for p, q in ((F(2), F(-1)), (F(a), F(b)), (F(1), F(1)), (F(sp.I), F(-sp.I))):
        found = _partial(p, n, q, m, ORDERED)
        point = {a: Fr(-1, 3), b: Fr(5, 2)}
        with mp.workdps(25):
            s = mp.mpc("0.7", "1.9")
            x, y = form_value(p, point), form_value(q, point)
            total = sum(scalar_value(v, point) / (s - form_value(r, point)) ** (k + 1)
                        for (r, k), v in found.items())
            assert close(total, 1 / ((s - x) ** n * (s - y) ** m), 20)


def test_equal_poles_by_an_equation_of_the_cell():
    assert _partial(F(a), 1, F(b), 2, EQUAL) == {(F(a), 2): Scalar.of(1)}
