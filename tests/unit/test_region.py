"""Strips: every operation against membership of sampled points, edges included."""

from __future__ import annotations

from fractions import Fraction as Fr
from itertools import product

import pytest
import sympy as sp

from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.region import Region

POINTS = [Fr(k, 2) for k in range(-7, 8)]
EDGES = (None, -2, 0, 1)
STRIPS = [
    Region(None if a is None else Form.of(a), None if b is None else Form.of(b), left, right)
    for a, b, left, right in product(EDGES, EDGES, (False, True), (False, True))
]
CASES = [*STRIPS, Region.nothing(), Region.everything(), Region.line(0), Region.line(Fr(1, 2)),
         Region.right_of(1, closed=True), Region.left_of(-2)]


def holds(r, s):
    """Membership by the definition."""
    if r.empty:
        return False
    lower = None if r.lower is None else r.lower.constant()
    upper = None if r.upper is None else r.upper.constant()
    left = lower is None or s > lower or (s == lower and r.lower_closed)
    return left and (upper is None or s < upper or (s == upper and r.upper_closed))


@pytest.mark.parametrize("r", CASES, ids=str)
def test_membership_emptiness_and_motion(r):
    inside = {s for s in POINTS if holds(r, s)}
    assert {s for s in POINTS if r.contains(s)} == inside
    assert {s for s in POINTS if r.contains(Form.of(s) + Form.of(3 * sp.I))} == inside
    # the sample meets every strip with an interior between these edges
    assert r.is_empty() == (not inside)
    assert {s for s in POINTS if r.reflect().contains(-s)} == inside
    assert {s for s in POINTS if r.shift(Fr(5, 2)).contains(s + Fr(5, 2))} == inside
    assert r.reflect().reflect() == r
    assert r.shift(2).shift(-2) == r


@pytest.mark.parametrize("r", CASES[::3], ids=str)
def test_intersection(r):
    for other in CASES:
        met = r.intersect(other)
        assert [s for s in POINTS if met.contains(s)] == [
            s for s in POINTS if holds(r, s) and holds(other, s)]
        assert met.empty == met.is_empty()
        assert met.is_empty() == other.intersect(r).is_empty()


def test_a_complex_shift_moves_by_its_real_part():
    q = sp.Symbol("q", complex=True)
    moved = Region.right_of(0).shift(Form.of(q))
    assert moved.lower == Form.of(sp.re(q))
    assert moved.contains(Form.of(q + 1))
    assert not moved.contains(Form.of(q))


def test_symbolic_edges_are_asked_of_the_cell():
    a, b, s = sp.symbols("a b s", real=True)
    strip = Region(Form.of(a), Form.of(b))
    with pytest.raises(NeedSplit):
        strip.is_empty()
    ordered = Cell([(Form.of(b - a), ">")])
    assert not strip.is_empty(ordered)
    assert strip.is_empty(Cell([(Form.of(a - b), ">")]))
    assert strip.is_empty(Cell([(Form.of(a - b), "=")]))
    assert strip.contains(Form.of((a + b) / 2), ordered)
    assert not strip.contains(Form.of(a), ordered)
    met = strip.intersect(Region.right_of(Form.of(s)), Cell([(Form.of(s - b), ">"),
                                                              (Form.of(b - a), ">")]))
    assert met.empty
    same = strip.intersect(Region(Form.of(s), None, True), Cell([(Form.of(s - a), "="),
                                                                  (Form.of(b - a), ">")]))
    assert not same.lower_closed


@pytest.mark.parametrize(("r", "text"), [
    (Region.nothing(), "no s"), (Region.everything(), "all s"), (Region.line(2), "Re s = 2"),
    (Region.right_of(0), "Re s > 0"), (Region.right_of(0, closed=True), "Re s >= 0"),
    (Region.left_of(1), "Re s < 1"), (Region(Form.of(0), Form.of(1), True), "0 <= Re s < 1"),
])
def test_text(r, text):
    assert str(r) == text
