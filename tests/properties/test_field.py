"""The field against numbers: random expressions, evaluated once exactly and once by mpmath."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp
from hypothesis import assume, given
from hypothesis import strategies as st
from mpmath import mp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Undefined, Unsupported
from tests.second_route import close, form_value, number, scalar_value

x, y = sp.symbols("x y", real=True)
DIGITS = 60
POINTS = ({x: Fr(3, 7), y: Fr(-11, 5)}, {x: Fr(-9, 4), y: Fr(1, 6)})

fractions = st.builds(Fr, st.integers(-4, 4), st.integers(1, 3))
exponents = st.builds(
    lambda a, b, c, d: Form.of(x) * Form.of(a) + Form.of(y) * Form.of(b) + Form.of(c)
    + Form.of(sp.log(2)) * Form.of(d),
    fractions, fractions, st.sampled_from((Fr(0), Fr(1), Fr(-1, 2))), fractions)
rotations = st.integers(0, 7).map(lambda k: Form.of(sp.I * sp.pi) * Form.of(Fr(k, 2)))


def leaf_of(form):
    """A leaf e^form with its second meaning."""
    return Scalar.exp(form), lambda point, f=form: mp.exp(form_value(f, point))


leaves = st.one_of(
    fractions.map(lambda q: (Scalar.of(q), lambda point: number(q))),
    st.sampled_from((x, y)).map(lambda s: (Scalar.of(Form.atom(s)),
                                           lambda point: number(point[s]))),
    st.sampled_from([(Scalar.of(Form.of(sp.I)), lambda point: mp.mpc(0, 1)),
                     (Scalar.of(Form.of(sp.pi)), lambda point: +mp.pi)]),
    exponents.map(leaf_of), rotations.map(leaf_of),
)


def combined(pair):
    """Sums, products and quotients of two expressions, and whole powers of the first."""
    (a, u), (b, v), kind = pair
    if kind == "+":
        return a + b, lambda p: u(p) + v(p)
    if kind == "-":
        return a - b, lambda p: u(p) - v(p)
    if kind == "*":
        return a * b, lambda p: u(p) * v(p)
    if kind == "/" and b:
        return a / b, lambda p: u(p) / v(p)
    power = -2 if a and kind == "/" else 3
    return a**power, lambda p: u(p) ** power


trees = st.recursive(
    leaves, lambda inner: st.tuples(inner, inner, st.sampled_from("+-*/^")).map(combined),
    max_leaves=6)


def numbers(tree, point):
    """Both values at a point; points where a denominator nearly vanishes are left out."""
    try:
        first, second = scalar_value(tree[0], point), tree[1](point)
    except ZeroDivisionError:
        assume(False)
    assume(abs(second) < mp.mpf(10) ** 12)
    return first, second


@given(trees, st.sampled_from(POINTS))
def test_an_element_has_the_value_of_its_expression(tree, point):
    with mp.workdps(DIGITS):
        assert close(*numbers(tree, point), 35)


@given(trees, trees)
def test_equal_elements_are_those_of_equal_values(first, second):
    with mp.workdps(DIGITS):
        gaps = []
        for point in POINTS:
            a, b = numbers(first, point)[1], numbers(second, point)[1]
            gaps.append(abs(a - b) / (1 + abs(a)))
        equal = first[0] == second[0]
        assert equal == (first[0] - second[0]).is_zero()
        # distinct elements differ at two points that no relation singles out
        assert equal == all(g < mp.mpf(10) ** -35 for g in gaps)


@given(trees, trees, trees)
def test_axioms(first, second, third):
    a, b, c = first[0], second[0], third[0]
    assert a + b == b + a
    assert a * b == b * a
    assert (a + b) + c == a + (b + c)
    assert (a * b) * c == a * (b * c)
    assert a * (b + c) == a * b + a * c
    assert (a - a).is_zero()
    assert a + 0 == a
    assert a * 1 == a
    if b:
        assert a / b * b == a
        assert b * b.inverse() == Scalar.of(1)
        assert b**-2 * b**3 == b
    else:
        with pytest.raises(Undefined):
            a / b


@given(trees, st.sampled_from(POINTS), fractions, fractions)
def test_substitution_commutes_with_evaluation(tree, point, a, b):
    values = {x: Form.of(y) * Form.of(a) + Form.of(b), y: Form.of(b) - Form.of(x)}
    try:
        moved = tree[0].substitute(values)
    except (Undefined, Unsupported):
        assume(False)
    with mp.workdps(DIGITS):
        there = {s: form_value(f, point) for s, f in values.items()}
        try:
            expected, found = scalar_value(tree[0], there), scalar_value(moved, point)
        except ZeroDivisionError:
            assume(False)
        assume(abs(expected) < mp.mpf(10) ** 12)
        assert close(found, expected, 30)


@given(trees, st.sampled_from(POINTS))
def test_factors_multiply_to_numerator_times_denominator(tree, point):
    element = tree[0]
    assume(bool(element))
    sign, parts = element.factors()
    with mp.workdps(DIGITS):
        try:
            whole = scalar_value(element, point)
            product = mp.mpf(sign)
            for factor, k in parts:
                product *= scalar_value(factor, point) ** k
        except ZeroDivisionError:
            assume(False)
        square = scalar_value(Scalar(element.keys, element.den, element.den**0), point) ** 2
        ratio = whole * square / product if product else mp.mpf(1)
        assume(abs(product) > mp.mpf(10) ** -20)
        assert close(mp.im(ratio) / abs(ratio), 0, 20)
        assert mp.re(ratio) > 0


@given(trees, st.sampled_from(POINTS))
def test_signs_agree_with_numbers(tree, point):
    """At a point every parameter is known: a cell decides the sign, or refuses."""
    try:
        element = tree[0].substitute({s: Form.of(v) for s, v in point.items()})
        sign = Cell().sign_of(element)
    except (Undefined, Unsupported):
        assume(False)
    with mp.workdps(DIGITS):
        value = scalar_value(element)
        assert close(mp.im(value), 0, 40)
        assert sign == (0 if abs(value) < mp.mpf(10) ** -40 else mp.sign(mp.re(value)))


@given(trees)
def test_views_keep_the_element(tree):
    element = tree[0]
    form = element.as_form()
    assert form is None or Scalar.of(form) == element
    shape = element.as_exponential()
    assert shape is None or Scalar.exp(shape[1]) * shape[0] == element
    assert all(s in (x, y) for s in element.parameters())
