"""Masks of truth agree with a plain evaluation at each point."""

from __future__ import annotations

import math

import pytest

from lapdp.proving.derivation import Derivation
from lapdp.proving.items import Terms
from lapdp.proving.models import POINTS, Models


@pytest.fixture
def d():
    return Derivation()


def letters(d):
    return d.b.letter("x", "R"), d.b.letter("y", "R")


def test_relations_are_true_where_numbers_say_so(d):
    m = Models(d)
    x, y = letters(d)
    xs, ys = m.values(x), m.values(y)
    for head, holds in (("lt", lambda a, b: a < b), ("le", lambda a, b: a <= b)):
        yes, no = m.masks(d.mk(head, x, y))
        for k in range(POINTS):
            if abs(xs[k] - ys[k]) > 1e-3:
                assert (yes >> k & 1, no >> k & 1) == (holds(xs[k], ys[k]), not holds(xs[k], ys[k]))


def test_connectives_are_three_valued(d):
    m = Models(d)
    x, y = letters(d)
    a, unknown = d.mk("lt", x, y), d.mk("nat", x)
    yes, no = m.masks(a)
    assert m.masks(d.mk("not", a)) == (no, yes)
    assert m.masks(d.mk("or", a, unknown)) == (yes, 0)
    assert m.masks(d.mk("and", a, unknown)) == (0, no)
    assert m.masks(d.mk("imp", a, unknown)) == (no, 0)
    assert m.masks(d.mk("iff", a, unknown)) == (0, 0)


def test_a_value_outside_its_domain_is_no_counterexample(d):
    m = Models(d)
    x, _ = letters(d)
    values = m.values(d.mk("log", x))
    assert all(math.isnan(v) == (u <= 0) for u, v in zip(m.values(x), values, strict=True))
    assert not m.denied(d.mk("eq", d.mk("exp", d.mk("log", x)), x), [])


def test_what_the_facts_exclude_denies_nothing(d):
    m = Models(d)
    x, _ = letters(d)
    positive = d.mk("lt", d.num(0), x)
    assert m.denied(positive, [])
    assert not m.denied(positive, [d.assume(positive)])
    above = d.assume(d.mk("lt", d.num(1), x))
    assert not m.denied(positive, [above])
    assert m.denied(d.mk("lt", d.num(2), x), [above])


def test_a_relation_without_values_among_the_facts_ends_no_search(d):
    m = Models(d)
    z = d.b.letter("z", "C")
    x, _ = letters(d)
    complex_fact = d.assume(d.mk("eq", z, d.mk("cx", d.num(1))))
    assert not m.denied(d.mk("lt", d.num(0), x), [complex_fact])


def test_points_where_an_equation_holds_are_found(d):
    m = Models(d, Terms(d))
    x, y = letters(d)
    double = d.assume(d.mk("eq", x, d.mul(d.num(2), y)))
    positive = d.assume(d.mk("lt", d.num(0), y))
    assert m.denied(d.mk("lt", x, y), [double, positive])
    assert not m.denied(d.mk("lt", y, x), [double, positive])
    assert not Models(d).denied(d.mk("lt", x, y), [double, positive])
    # nothing is left of the equation where it is not supposed
    assert m.denied(d.mk("lt", y, x), [positive])


def test_an_equation_is_solved_for_a_letter_inside_a_sum(d):
    m = Models(d, Terms(d))
    x, y = letters(d)
    one = d.assume(d.mk("eq", d.add(x, d.mul(d.num(3), y)), d.num(1)))
    assert m.open(d.mk("lt", x, y), [one])
    assert not m.denied(d.mk("eq", x, d.sub(d.num(1), d.mul(d.num(3), y))), [one])


def test_no_point_has_equations_that_contradict_each_other(d):
    m = Models(d, Terms(d))
    x, y = letters(d)
    above = d.assume(d.mk("eq", x, d.add(y, d.num(1))))
    below = d.assume(d.mk("eq", y, d.add(x, d.num(1))))
    assert not m.denied(d.mk("false"), [above, below])


def test_a_value_that_is_worked_out_is_none_that_an_equation_may_give(d):
    m = Models(d, Terms(d))
    x, y = letters(d)
    same = d.assume(d.mk("eq", d.mk("abs", d.sub(x, y)), d.num(0)))
    apart = d.assume(d.mk("not", d.mk("eq", x, y)))
    assert not m.denied(d.mk("false"), [same, apart])


def test_where_functions_are_total_nothing_is_positive_at_0(d):
    """As the kernel has it: 0 < x is open where only 0 <= x and something of log x are known."""
    x, y = letters(d)
    zero = d.num(0)
    facts = [d.assume(d.mk("le", zero, x)), d.assume(d.mk("lt", d.mk("log", x), y))]
    positive = d.mk("lt", zero, x)
    assert not Models(d).open(positive, facts)
    assert Models(d, total=True).open(positive, facts)
    # with x = 0 as well it is false, with 0 < x it is not open
    none = [*facts, d.assume(d.mk("eq", x, zero))]
    assert Models(d, Terms(d), total=True).denied(positive, none)
    assert not Models(d, Terms(d)).denied(positive, none)
    assert not Models(d, total=True).open(positive, [*facts, d.assume(positive)])


def test_what_doubles_cancel_is_not_0(d):
    m = Models(d, total=True)
    x, y = letters(d)
    gap = d.add(x, y, d.neg(x), d.neg(y))
    for head in ("lt", "le"):
        assert not m.denied(d.mk(head, d.num(0), gap), [])
        assert not m.denied(d.mk("not", d.mk("lt", d.num(0), gap)), [])
    assert not m.denied(d.mk("eq", gap, d.num(0)), [])
    # nor has it a reciprocal; 0 has one, which is 0
    yes, no = m.masks(d.mk("lt", d.num(0), d.mk("inv", d.sub(x, x))))
    assert (yes, no) == (0, sum(1 << k for k, v in enumerate(m.values(x)) if v == 0))


def test_what_is_positive_and_tiny_is_not_taken_for_nothing(d):
    """exp(-x^2 1000) underflows at many points, and its half at some of them that are no zeros."""
    m = Models(d, total=True)
    x, _ = letters(d)
    for rate in (-200, -650, -690, -1000):
        bell = d.mk("mul", d.b.number(1, 2), d.mk("exp", d.mul(d.num(rate), x, x)))
        none = d.mk("eq", bell, d.num(0))
        assert not m.open(none, [])
        assert not m.masks(none)[0]
