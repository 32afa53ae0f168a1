"""Exact objects as generalised functions: each operation against its dual on test functions."""

from __future__ import annotations

from fractions import Fraction as Fr

import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp

from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.transform import bilateral, convolve, multiply, region
from lapdp.core.errors import Undefined
from tests.second_route import (
    action,
    close,
    cuts,
    form_value,
    function_of,
    function_value,
    integral,
    number,
    scalar_value,
    transform,
)

CELL = Cell()
DIGITS = 16
FEW = settings(max_examples=12)

places = st.sampled_from((Fr(-1), Fr(-1, 2), Fr(0), Fr(1), Fr(3, 2)))
masses = st.sampled_from((Fr(1), Fr(-2), Fr(1, 3), Fr(3, 2)))
rates = st.sampled_from((Fr(-2), Fr(-1), Fr(0), Fr(1)))
turns = st.sampled_from((Fr(0), Fr(0), Fr(1), Fr(-2)))
exponents = st.builds(lambda a, b: Form.of(a) + Form.of(b) * Form.of(sp.I), rates, turns)
powers = st.sampled_from((0, 0, 0, 1, 2))


def jump(at, mass, exponent, power):
    """mass (t-at)^power/power! e^(exponent (t-at)) from ``at`` on."""
    return Exact(jumps={Form.of(at): {(exponent, power): Scalar.of(mass)}})


waves = st.builds(Exact.term, masses, exponents, powers)
jumps = st.builds(jump, places, masses, exponents, powers)
impulses = st.builds(Exact.impulse, places, masses, st.sampled_from((0, 0, 1, 2)))
atoms = st.builds(Exact.impulse, places, masses)


def sums(parts, most=4):
    return st.lists(parts, min_size=1, max_size=most).map(lambda fs: sum(fs[1:], fs[0]))


anything = sums(st.one_of(waves, jumps, impulses))
functions = sums(st.one_of(waves, jumps))
causal = sums(st.one_of(jumps, atoms), 3)


def bump(t):
    """A test function with nothing symmetric about it."""
    return (1 + t / 3) * mp.exp(-t * t + t / 4)


@FEW
@given(anything, anything, masses)
def test_linear(f, g, c):
    with mp.workdps(DIGITS):
        a, b = action(f, bump), action(g, bump)
        assert close(action(f + g, bump), a + b)
        assert close(action(f - g, bump), a - b)
        assert close(action(f.scale(Scalar.of(c)), bump), number(c) * a)
        assert (f - f).is_zero()


@FEW
@given(anything, places, exponents)
def test_shift_and_tilt(f, by, exponent):
    with mp.workdps(DIGITS):
        move, rate = number(by), form_value(exponent)
        assert close(action(f.shift(Form.of(by)), bump), action(f, lambda t: bump(t + move)))
        tilted = f.tilt(exponent)
        assert close(action(tilted, bump), action(f, lambda t: bump(t) * mp.exp(rate * t)))
        assert (tilted.tilt(-exponent) - f).is_zero()
        # e^(a (t-by)) f(t-by): the two orders differ by the constant e^(-a by)
        first = f.shift(Form.of(by)).tilt(exponent)
        second = tilted.shift(Form.of(by)).scale(Scalar.exp(exponent * Form.of(by)))
        assert (first - second).is_zero()


@FEW
@given(anything, st.sampled_from((Fr(2), Fr(-1), Fr(-1, 2), Fr(3, 2))))
def test_reflection_and_dilation(f, factor):
    with mp.workdps(DIGITS):
        assert close(action(f.reflect(), bump), action(f, lambda t: bump(-t)))
        assert (f.reflect().reflect() - f).is_zero()
        a = number(factor)
        stretched = f.dilate(Form.of(factor), CELL)
        assert close(action(stretched, bump, 14), action(f, lambda t: bump(t / a) / abs(a), 20))
        assert (stretched.dilate(Form.of(1 / factor), CELL) - f).is_zero()


@FEW
@given(anything)
def test_derivative(f):
    with mp.workdps(DIGITS):
        slope = action(f, lambda t: -mp.diff(bump, t))
        assert close(action(f.derivative(), bump), slope, 8)


@FEW
@given(anything)
def test_primitive_undoes_the_derivative_and_is_undone_by_it(f):
    g = Exact({k: c for k, c in f.germ.items() if CELL.sign(k[0].real_part()) > 0}, f.jumps,
              f.impulses)
    assert (g.primitive(CELL).derivative() - g).is_zero()
    assert (g.derivative().primitive(CELL) - g).is_zero()
    if g.germ != f.germ:
        try:
            f.primitive(CELL)
        except Undefined:
            return
        raise AssertionError("a germ that does not decay has no running integral")


@FEW
@given(anything, places)
def test_after_and_before(f, at):
    with mp.workdps(DIGITS):
        point = number(at)
        here = Form.of(at)
        after, before = f.after(here, CELL), f.before(here, CELL)
        edge = Exact(impulses={c: t for c, t in f.impulses.items() if c == here})
        assert ((after + before + edge) - f).merged(CELL).is_zero()
        for t in (-2.3, -0.7, 0.3, 1.2, 2.9):
            value = function_value(f, mp.mpf(t))
            assert close(function_value(after, mp.mpf(t)), value if t > point else 0)
            assert close(function_value(before, mp.mpf(t)), value if t < point else 0)


@FEW
@given(functions, places)
def test_one_sided_limits(f, at):
    with mp.workdps(30):
        tiny = mp.mpf(10) ** -22
        for side in (-1, 1):
            found = scalar_value(f.limit(Form.of(at), side, CELL))
            assert close(found, function_value(f, number(at) + side * tiny), 18)


@FEW
@given(functions, functions, anything)
def test_products(f, g, h):
    with mp.workdps(DIGITS):
        product = multiply(f, g, CELL)
        for t in map(mp.mpf, (-2.3, -0.7, 0.3, 1.2, 2.9)):
            assert close(function_value(product, t), function_value(f, t) * function_value(g, t))
        smooth = Exact.term(2, 1, 1) + Exact.term(1, -1)
        assert close(action(multiply(h, smooth, CELL), bump),
                     action(h, lambda t: bump(t) * (2 * t * mp.exp(t) + mp.exp(-t))), 8)


def middle(found, other=None):
    """A rational abscissa inside a region (or two), and the region's edges."""
    met = found if other is None else found.intersect(other)
    if met.is_empty():
        return None
    lower, upper = (None if e is None else e.constant() for e in (met.lower, met.upper))
    if lower is None or upper is None:
        return (lower + 1 if lower is not None else Fr(0) if upper is None else upper - 1)
    return (lower + upper) / 2


two_sided = st.builds(lambda f, g: f.after(Form({}), CELL) + g.before(Form({}), CELL),
                      sums(waves, 2), sums(waves, 2))


@FEW
@given(st.one_of(causal, two_sided, st.builds(lambda f, g: f + g, causal, two_sided)), turns)
def test_transform_values_and_regions(f, turn):
    found = region(f, CELL)
    s = middle(found)
    assume(s is not None)
    with mp.workdps(12):
        point = Form.of(s) + Form.of(turn) * Form.of(sp.I)
        assert close(scalar_value(bilateral(f, point, CELL)),
                     transform(f, form_value(point), 54), 5)
    # beyond each edge the integrand does not decay
    for edge, side in ((found.lower, 1), (found.upper, -1)):
        if edge is not None:
            abscissa = edge.constant()
            assert not found.contains(abscissa)
            g = function_of(f)
            sizes = [abs(g(mp.mpf(side * t)) * mp.exp(number(abscissa) * -side * t))
                     for t in (41, 42.3, 43.9, 45.1, 47.7)]
            assert max(sizes) > 1e-3


real_jumps = st.builds(jump, places, masses, rates.map(Form.of), st.sampled_from((0, 0, 1)))
real_causal = sums(st.one_of(real_jumps, atoms), 3)
real_waves = sums(st.builds(Exact.term, masses, rates.map(Form.of), st.sampled_from((0, 0, 1))), 2)
real = st.one_of(real_causal, st.builds(
    lambda f, g: f.after(Form({}), CELL) + g.before(Form({}), CELL), real_waves, real_waves))


@FEW
@given(real, real)
def test_convolution_multiplies_transforms(f, g):
    s = middle(region(f, CELL), region(g, CELL))
    assume(s is not None)
    h = convolve(f, g, CELL)
    for point in (Form.of(s), Form.of(s) + Form.of(sp.I)):
        assert bilateral(h, point, CELL) == bilateral(f, point, CELL) * bilateral(g, point, CELL)
    assert (h - convolve(g, f, CELL)).merged(CELL).is_zero()


@FEW
@given(st.one_of(causal, two_sided), sums(waves))
def test_a_wave_against_an_integrable_object(g, wave):
    edges = region(g, CELL)
    wave = Exact({(a, n): c for (a, n), c in wave.germ.items() if edges.contains(a)})
    h = convolve(wave, g, CELL)
    with mp.workdps(DIGITS):
        for t in (mp.mpf("-0.7"), mp.mpf("1.3")):
            w = function_of(wave)
            expected = action(g, lambda u, t=t, w=w: w(t - u), 60)
            assert close(function_value(h, t), expected, 5)


@FEW
@given(st.one_of(causal, two_sided), st.one_of(causal, two_sided), st.sampled_from((-0.37, 1.61)))
def test_convolution_at_a_point(f, g, t):
    """The defining integral, impulses of order 0 taken out."""
    assume(middle(region(f, CELL), region(g, CELL)) is not None)
    with mp.workdps(DIGITS):
        t = mp.mpf(t)
        smooth = Exact(f.germ, f.jumps)
        points = [*cuts(smooth), *(t - c for c in cuts(g))]
        moved = Exact(smooth.germ, smooth.jumps)
        total = mp.mpf(0)
        for at, orders in f.impulses.items():
            total += scalar_value(orders[0]) * function_value(g, t - form_value(at))
        for at, orders in g.impulses.items():
            total += scalar_value(orders[0]) * function_value(moved, t - form_value(at))
        first, second = function_of(moved), function_of(g)
        total += integral(lambda u: first(u) * second(t - u), points, 60)
        assert close(function_value(convolve(f, g, CELL), t), total, 5)
