"""Polynomials against convolutions: two routes to the law of a sum and its integrals."""

from fractions import Fraction

import flint
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from lapdp.calculus.enclose import enclose
from lapdp.calculus.evaluation import Evaluation
from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.partial_fractions import of_products, over
from lapdp.calculus.polynomials import collect
from lapdp.calculus.transform import convolve

ONE = Form.of(1)
CELL = Cell()
HINGE = (Exact.term(1) - Exact.term(1, ONE)).before(ZERO, CELL)
weights = st.fractions(-3, 3, max_denominator=4).filter(bool)
places = st.sampled_from([Form.of(x) for x in (
    0, 1, -1, Fraction(1, 2), Fraction(-2, 3), sp.log(2), sp.log(3) / 2, 1 - sp.log(2))])
exponents = st.sampled_from([Form.of(Fraction(x)) for x in ("0", "1", "1/2", "1/3", "2", "-1")])


def atom(at, weight):
    return Exact.impulse(at, weight)


def box(at, width, exponent, power, weight):
    """weight t^power e^(exponent t) on an interval: its pole is removable, wherever it lies."""
    whole = Exact.term(weight, exponent, power)
    return whole.after(at, CELL).before(at + Form.of(width), CELL)


def tail(at, rate, weight):
    return Exact.step(at, weight, -rate)


def head(at, rate, weight):
    return Exact.term(weight, ONE + Form.of(rate)).before(at, CELL)


widths = st.sampled_from([Fraction(1, 2), Fraction(1), Fraction(3, 2)])
bounded = st.one_of(st.builds(atom, places, weights),
                    st.builds(box, places, widths, exponents, st.integers(0, 2), weights))
one_sided = st.one_of(st.builds(tail, places, widths, weights),
                      st.builds(head, places, widths, weights))
measures = st.lists(st.one_of(bounded, bounded, one_sided), min_size=1, max_size=3).map(
    lambda parts: sum(parts[1:], parts[0])).filter(lambda f: not f.is_zero())
products = st.lists(st.tuples(measures, st.integers(1, 2)), min_size=1, max_size=2)


def convolved(factors):
    """The general route, one convolution after the other."""
    total = Exact.impulse(0)
    for f, count in factors:
        for _ in range(count):
            total = convolve(total, f, CELL)
    return total


@settings(max_examples=40, deadline=None)
@given(products)
def test_the_product_is_that_of_repeated_convolutions(factors):
    found, expected = collect(factors, CELL), convolved(factors)
    assert found.equals(expected, CELL)


@settings(max_examples=15, deadline=None)
@given(products)
def test_profile_and_running_integral_are_those_of_the_general_route(factors):
    found, expected = collect(factors, CELL), convolved(factors)
    assert found.against_hinge().equals(convolve(expected, HINGE, CELL), CELL)
    assert found.integrated().equals(expected.primitive(CELL), CELL)


@settings(max_examples=20, deadline=None)
@given(products, st.one_of(places, st.fractions(-4, 4, max_denominator=7).map(Form.of)),
       st.sampled_from([53, 200, 1000]))
def test_ball_values_hold_the_exact_ones(factors, t, bits):
    found = collect(factors, CELL)
    for f in (found.against_hinge(), found.integrated()):
        exact = Exact(f.germ, f.jumps).limit(t, 1, CELL)
        assert (f.limit(t, 1, CELL) - exact).is_zero()
        before = Exact(f.germ, f.jumps).limit(t, -1, CELL)
        assert (f.limit(t, -1, CELL) - before).is_zero()
        with flint.ctx.workprec(bits):
            ball = Evaluation(f)(t)
        with flint.ctx.workprec(4 * bits):
            assert ball.overlaps(enclose(exact, {}).real)
            assert ball.rad() < flint.arb(2) ** (-bits // 2)


numbers = st.fractions(-3, 3, max_denominator=5)


@settings(max_examples=60)
@given(numbers, numbers, st.lists(st.tuples(st.tuples(st.integers(0, 3), st.integers(0, 3)),
                                            st.integers(-4, 4)), max_size=5), numbers, numbers)
def test_partial_fractions_have_the_values_of_the_function(a, b, terms, pole, s):
    if a == b or s in (a, b, pole):
        return
    u, v = 1 / (s - a), 1 / (s - b)
    value = sum((c * u**m * v**n for (m, n), c in terms), Fraction(0)) / (s - pole)
    found = over(of_products(terms, [a, b]), pole)
    total = Fraction(0)
    for x, p in found.items():
        y = p(flint.fmpq(1) if x is None else 1 / flint.fmpq((s - x).numerator,
                                                             (s - x).denominator))
        total += Fraction(int(y.p), int(y.q))
    assert total == value
