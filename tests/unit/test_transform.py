"""Transforms, products, convolutions and inversions: values, edges, resonance, refusals."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp
from mpmath import mp

from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.transform import (
    Divergent,
    bilateral,
    convolve,
    invert,
    multiply,
    region,
)
from lapdp.core.errors import Undefined, Unsupported
from tests.second_route import close, function_value, scalar_value, transform

a, b, c = sp.symbols("a b c", real=True)
q = sp.Symbol("q", complex=True)
F, ZERO, CELL = Form.of, Form({}), Cell()
one = Exact.term(1)
decay = Exact.step(0, 1, -1)
laplace = Exact.term(1, 1).before(ZERO, CELL) + Exact.term(1, -1).after(ZERO, CELL)
box = Exact.step(0) - Exact.step(1)
ramp = Exact(jumps={ZERO: {(ZERO, 1): Scalar.of(1)}})


@pytest.mark.parametrize(
    ("f", "text"),
    [
        (decay, "Re s > -1"),
        (laplace, "-1 < Re s < 1"),
        (box, "all s"),
        (one, "no s"),
        (Exact.impulse(3), "all s"),
        (Exact.term(1, 2), "no s"),
        (Exact(), "all s"),
        (Exact.term(1, 2).before(ZERO, CELL), "Re s < 2"),
        (Exact.step(0, 1, sp.I), "Re s > 0"),
        (Exact.term(1).before(ZERO, CELL) + decay, "-1 < Re s < 0"),
        (Exact.step(0, 1, 1) - Exact.step(1, Scalar.exp(F(1)), 1), "all s"),
    ],
    ids=str,
)
def test_regions(f, text):
    assert str(region(f, CELL)) == text


def test_exponents_that_an_equation_identifies_are_collected():
    p = sp.Symbol("p", positive=True)
    for equation, other in ((a - b, b), (a * p - 1, 1 / p), (a**2 - b**2, None)):
        cell = Cell([(F(equation), "=")])
        f = (
            Exact.term(1, a) - Exact.term(1, other)
            if other is not None
            else Exact.term(1, a**2) - Exact.term(1, b**2)
        )
        assert str(region(f, cell)) == "all s"
        assert bilateral(f, F(c), cell).is_zero()


def test_coefficients_that_vanish_in_the_cell_do_not_count():
    f = decay + Exact.step(0, Scalar.of(F(a)), 5)
    assert str(region(f, Cell([(F(a), "=")]))) == "Re s > -1"
    assert str(region(f, Cell([(F(a), ">")]))) == "Re s > 5"
    with pytest.raises(NeedSplit):
        region(f, CELL)


@pytest.mark.parametrize(
    ("f", "s"),
    [
        (decay, -1),
        (decay, -2),
        (laplace, 1),
        (laplace, -1),
        (one, 0),
        (one, sp.I),
        (Exact.step(0), 0),
        (Exact.step(0, 1, sp.I), sp.I),
        (ramp, 0),
    ],
    ids=str,
)
def test_at_and_beyond_the_edge_transforms_diverge(f, s):
    with pytest.raises(Divergent):
        bilateral(f, F(s), CELL)


@pytest.mark.parametrize("s", [Fr(0), Fr(-3, 2), Fr(2)])
@pytest.mark.parametrize("power", [0, 1, 2])
def test_resonance_is_removable_on_a_bounded_piece(s, power):
    """t^n e^(s t) between two breakpoints, transformed at s itself."""
    f = Exact(germ={(F(s), power): Scalar.of(1)}).after(F(-1), CELL).before(
        F(2), CELL
    ) + Exact.step(0, 1, -4)
    with mp.workdps(15):
        assert close(
            scalar_value(bilateral(f, F(s), CELL)),
            transform(f, mp.mpf(s.numerator) / s.denominator, 40),
            9,
        )


def test_resonance_at_symbolic_breakpoints():
    f = Exact.step(a) - Exact.step(b)
    cell = Cell([(F(b - a), ">")])
    assert bilateral(f, ZERO, cell) == Scalar.of(F(b - a))
    with pytest.raises(NeedSplit):
        bilateral(f, ZERO, CELL)
    assert bilateral(f, ZERO, Cell([(F(a - b), ">")])) == Scalar.of(F(b - a))
    assert bilateral(f, ZERO, Cell([(F(a - b), "=")])).is_zero()


def test_values_at_complex_parameters():
    value = bilateral(decay, F(q), Cell([(F(sp.re(q)), ">")]))
    assert value == 1 / (Scalar.of(F(q)) + 1)
    with pytest.raises(NeedSplit):
        bilateral(decay, F(q), CELL)


def test_products_with_impulses():
    smooth = Exact.term(1, 2)
    assert (
        multiply(Exact.impulse(1, 3), smooth, CELL) - Exact.impulse(1, Scalar.exp(F(2)) * 3)
    ).is_zero()
    for other in (Exact.step(1), Exact.step(1) - Exact.step(2)):
        with pytest.raises(Unsupported):
            multiply(Exact.impulse(1), other, CELL)
    with pytest.raises(Unsupported):
        multiply(Exact.impulse(0), Exact.impulse(1), CELL)
    with pytest.raises(Undefined):
        multiply(Exact.impulse(1, 1, 1), Exact.step(1), CELL)
    with pytest.raises(NeedSplit):
        multiply(Exact.impulse(a), Exact.step(b), CELL)
    assert multiply(Exact.impulse(a), Exact.step(b), Cell([(F(b - a), ">")])).is_zero()


def test_derivatives_of_impulses_see_derivatives():
    """g d' = g(0) d' - g'(0) d."""
    found = multiply(Exact.impulse(0, 1, 1), Exact.term(1, 2), CELL)
    assert (found - Exact.impulse(0, 1, 1) + Exact.impulse(0, 2)).is_zero()


def test_derivatives_of_impulses_need_as_many_continuous_derivatives():
    """t^2 for t > 0 has a continuous derivative, but no continuous second one."""
    square = Exact(jumps={F(0): {(F(0), 2): Scalar.of(2)}})
    assert multiply(Exact.impulse(0, 1, 1), square, CELL).is_zero()
    with pytest.raises(Undefined):
        multiply(Exact.impulse(0, 1, 2), square, CELL)
    assert multiply(Exact.impulse(5, 1, 1), Exact.step(1), CELL).equals(
        Exact.impulse(5, 1, 1), CELL)


def test_convolutions_that_diverge():
    for f, g in (
        (one, one),
        (one, Exact.step(0)),
        (Exact.step(0), Exact.term(1).before(ZERO, CELL)),
        (Exact.term(1, 1), laplace),
        (Exact.term(1, 2), decay.reflect()),
    ):
        with pytest.raises(Divergent):
            convolve(f, g, CELL)


def test_convolutions_without_a_common_strip():
    """1 * e^-|t| = 2, and e^(t/2) * e^-|t| = 8/3 e^(t/2)."""
    assert (convolve(one, laplace, CELL) - Exact.term(2)).merged(CELL).is_zero()
    found = convolve(Exact.term(1, Fr(1, 2)), laplace + Exact.impulse(0), CELL)
    assert (found - Exact.term(Fr(11, 3), Fr(1, 2))).merged(CELL).is_zero()


def test_convolution_with_complex_exponents():
    f, g = Exact.step(0, 1, sp.I), Exact.step(1, 2, -1)
    h = convolve(f, g, CELL)
    s = F(2 + sp.I / 3)
    assert bilateral(h, s, CELL) == bilateral(f, s, CELL) * bilateral(g, s, CELL)


def test_a_common_strip_is_needed_for_halves():
    left = Exact.term(1, a).before(ZERO, CELL)
    right = Exact.step(0, 1, b)
    apart = Cell([(F(a - b), ">")])
    h = convolve(left, right, apart)
    point = {a: Fr(2), b: Fr(-1)}
    with mp.workdps(15):
        for t in (mp.mpf("-0.8"), mp.mpf("1.1")):
            expected = mp.exp(2 * t) / 3 if t < 0 else mp.exp(-t) / 3
            assert close(function_value(h, t, point), expected)
    with pytest.raises(Divergent):
        convolve(left, right, Cell([(F(b - a), ">")]))


POLES = {
    ZERO: {(F(1), 0): Scalar.of(2), (F(-1), 1): Scalar.of(1)},
    F(1): {(F(1), 0): Scalar.of(-1), (ZERO, 0): Scalar.of(3)},
}


def formula(s):
    return 2 / (s - 1) + 1 / (s + 1) ** 2 + mp.exp(-s) * (3 / s - 1 / (s - 1))


@pytest.mark.parametrize("gamma", [Fr(3), Fr(1, 2), Fr(-1, 2), Fr(-2)])
def test_inversion_on_each_side_of_the_poles(gamma):
    f = invert(POLES, {}, F(gamma), CELL)
    assert region(f, CELL).contains(gamma)
    with mp.workdps(12):
        for turn in (0, 1):
            s = mp.mpc(mp.mpf(gamma.numerator) / gamma.denominator, turn)
            assert close(scalar_value(bilateral(f, F(gamma) + F(turn * sp.I), CELL)), formula(s), 8)
            assert close(transform(f, s, 60), formula(s), 6)


@pytest.mark.parametrize("gamma", [1, 0, -1])
def test_a_pole_on_the_line_has_no_inverse(gamma):
    with pytest.raises(Undefined):
        invert(POLES, {}, F(gamma), CELL)


@pytest.mark.parametrize("pole", [Fr(0), Fr(2)])
def test_a_removable_pole_on_the_line(pole):
    """(1 - e^(pole) e^-s)/(s - pole) is entire: the box on (0, 1), tilted."""
    parts = {ZERO: {(F(pole), 0): Scalar.of(1)}, F(1): {(F(pole), 0): -Scalar.exp(F(pole))}}
    expected = box.tilt(F(pole))
    for gamma in (pole, pole + 1, pole - 1):
        assert (invert(parts, {}, F(gamma), CELL) - expected).is_zero()


def test_reflection_and_region():
    for f in (decay, laplace, box, Exact.impulse(2) + decay):
        assert region(f.reflect(), CELL) == region(f, CELL).reflect()
        half = F(Fr(1, 2))
        assert bilateral(f.reflect(), -half, CELL) == bilateral(f, half, CELL)
        assert region(f.tilt(F(3)), CELL) == region(f, CELL).shift(3)
