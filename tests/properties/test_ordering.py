"""Cells against sampled points: what a cell says holds at every rational point inside."""

from __future__ import annotations

from fractions import Fraction as Fr
from itertools import product

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from mpmath import mp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, EmptyCell, NeedSplit, explore
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Leaf
from tests.second_route import form_value, scalar_value

x, y = sp.symbols("x y", real=True)
p = sp.Symbol("p", positive=True)
q = sp.Symbol("q", complex=True)
RE, IM = sp.re(q), sp.im(q)
ATOMS = (x, y, p, RE, IM)
GRID = [dict(zip((x, y, p), v, strict=True)) for v in product(
    (Fr(-2), Fr(0), Fr(1), Fr(7, 2)), (Fr(-3, 2), Fr(0), Fr(1)), (Fr(1, 3), Fr(5, 2)))]
POINTS = [{**point, RE: r, IM: i, q: complex(r, i)} for point in GRID
          for r, i in ((Fr(0), Fr(0)), (Fr(1, 2), Fr(-1)))]

small = st.integers(-3, 3).map(Fr)
linear = st.builds(
    lambda cs, c: sum((Form.atom(a) * Form.of(k) for a, k in zip(ATOMS, cs, strict=True)),
                      Form.of(c)),
    st.tuples(*[st.sampled_from((Fr(0), Fr(0), Fr(1), Fr(-1), Fr(2)))] * 5), small)
products = st.builds(lambda a, b: a * b, linear, linear)
constraints = st.lists(st.tuples(linear, st.sampled_from((">", ">=", "="))), max_size=4)


def value(form, point):
    """An exact rational: every atom is a fraction here."""
    total = Fr(0)
    for monomial, c in form.terms.items():
        term = c
        for atom, power in monomial:
            term *= point[atom] ** power
        total += term
    return total


def holds(form, rel, point):
    v = value(form, point)
    return v > 0 if rel == ">" else v >= 0 if rel == ">=" else v == 0


def inside(found, point):
    return all(holds(form, rel, point) for form, rel in found)


@given(constraints, st.one_of(linear, products))
def test_what_a_cell_entails_holds_at_every_point(found, form):
    cell = Cell(found)
    points = [point for point in POINTS if inside(found, point)]
    if cell.is_empty():
        assert not points
    for rel in (">", ">="):
        if cell.entails(form, rel):
            assert all(holds(form, rel, point) for point in points)
    try:
        sign = cell.sign(form)
    except NeedSplit as need:
        assert not (need.form.atoms() - set(ATOMS))
        return
    for point in points:
        v = value(form, point)
        assert sign == (v > 0) - (v < 0)


@given(constraints)
def test_replaced_symbols_keep_their_values(found):
    cell = Cell(found)
    for point in POINTS:
        if inside(found, point):
            for atom, form in cell.values.items():
                with mp.workdps(20):
                    assert abs(form_value(form, point) - mp.mpmathify(
                        point[atom] if atom is q else float(point[atom]))) < 1e-9


@settings(max_examples=40)
@given(constraints, st.lists(linear, min_size=1, max_size=3))
def test_every_point_lies_in_exactly_one_leaf(found, forms):
    try:
        tree = explore(found, lambda cell: tuple(cell.sign(f) for f in forms))
    except Unsupported:
        assume(False)
    for point in POINTS:
        if not inside(found, point):
            continue
        leaves = list(matching(tree, point))
        assert len(leaves) == 1
        signs = leaves[0].obligations
        assert not isinstance(signs[0], EmptyCell)
        assert signs == tuple((v > 0) - (v < 0) for v in (value(f, point) for f in forms))


def matching(node, point):
    """The leaves whose whole path holds at the point."""
    if isinstance(node, Leaf):
        yield node
        return
    v = value(node.question.form, point)
    for answer, branch in node.branches.items():
        if {"<": v < 0, "=": v == 0, ">": v > 0}[answer]:
            yield from matching(branch, point)


coefficients = st.sampled_from((Fr(1), Fr(-1), Fr(2), Fr(1, 2)))
sums = st.lists(st.tuples(coefficients, linear), min_size=1, max_size=4).map(
    lambda terms: sum((Scalar.exp(f) * c for c, f in terms), Scalar.of(0)))


@settings(max_examples=40)
@given(constraints, sums, sums)
def test_signs_of_exponential_sums(found, first, second):
    element = first * second - first
    cell = Cell(found)
    try:
        sign = cell.sign_of(element)
    except NeedSplit:
        return
    except Unsupported:
        assume(False)
    with mp.workdps(40):
        for point in POINTS:
            if inside(found, point):
                v = mp.re(scalar_value(element, point))
                assert sign == (0 if abs(v) < mp.mpf(10) ** -25 else mp.sign(v))


@settings(max_examples=40)
@given(constraints, linear, linear)
def test_nonzero_elements_vanish_nowhere(found, real, imaginary):
    element = Scalar.exp(real + imaginary * Form.of(sp.I)) * 2 - Scalar.of(
        Form.of(1) + imaginary * Form.of(sp.I))
    cell = Cell(found)
    try:
        answer = cell.nonzero(element)
    except (NeedSplit, Unsupported):
        return
    with mp.workdps(40):
        for point in POINTS:
            if inside(found, point):
                assert answer == (abs(scalar_value(element, point)) > mp.mpf(10) ** -30)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_splitting_goes_on_below_an_earlier_path(depth):
    forms = [Form.of(x), Form.of(x - y), Form.of(y - 1)][:depth]
    whole = explore([], lambda cell: tuple(cell.sign(f) for f in forms))
    for answer in ("<", "=", ">"):
        below = explore([], lambda cell: tuple(cell.sign(f) for f in forms),
                        path=((whole.question, answer),))
        assert below == whole.branches[answer]
