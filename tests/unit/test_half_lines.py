"""Joined half-lines, values of suprema, threshold tests: false neighbours are not proved."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import finite
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.statement import Statement

P, Q = pair("P", "Q")
x, eps = reals("x eps")
LEVEL = (Ge(x, 0), Le(x, 1))


def region(first, second, lower=0, floor=0, sign=1):
    return Sup(sp.Max(floor, 1 - first(eps) - sp.exp(eps) * x,
                      sp.exp(-eps) * (1 - second(sign * eps) - x)), eps, lower, sp.oo)


def under(member, first, second, relation=Le):
    return lambda at: member(Where(relation(LossAt(first, second), at)))


def kind(claim, *where, **hints):
    stated = Statement("t/x", claim, where=where, hints=hints)
    return judge(stated, numeric=False, patience=0.05).kind


def test_the_region_of_both_profiles_is_the_curve():
    assert kind(Eq(T(P, Q)(x), region(delta(Q, P), delta(P, Q))), *LEVEL) in HOLDS


@pytest.mark.parametrize("right", [
    region(delta(P, Q), delta(P, Q)),              # the profile of the wrong direction
    region(delta(P, Q), delta(Q, P)),              # P and Q exchanged
    region(delta(Q, P), delta(P, Q), lower=1),     # not all eps >= 0
    region(delta(Q, P), delta(P, Q), floor=1),     # the floor is not below the curve
    region(delta(Q, P), delta(P, Q), sign=-1),     # the second branch at -eps
])
def test_false_regions_are_not_proved(right):
    assert kind(Eq(T(P, Q)(x), right), *LEVEL) not in HOLDS


def test_a_hypothesis_on_another_variable_of_the_same_name_does_not_count():
    # the branches agree for eps = 1 only
    g, h = 1 - delta(Q, P)(eps) - sp.exp(eps) * x, 1 - delta(Q, P)(-eps) - sp.exp(-eps) * x
    right = Sup(sp.Max(0, g, h * eps), eps, 0, sp.oo)
    assert kind(Eq(T(P, Q)(x), right), *LEVEL, Eq(eps, 1)) not in HOLDS


def test_a_supremum_is_refuted_by_one_of_its_values_only():
    claim = Eq(T(P, Q)(x), region(delta(P, Q), delta(P, Q)))
    hints = {"pairs": {"P": finite([1, 0], ["1/2", "1/2"])}, "witness": {"x": sp.Rational(1, 4)}}
    assert kind(claim, *LEVEL, **hints, choose=sp.log(2)) is Kind.REFUTED
    assert kind(claim, *LEVEL, **hints, choose=0) is not Kind.REFUTED    # no value above it there
    assert kind(claim, *LEVEL, **hints, choose=-1) is not Kind.REFUTED   # outside of the range


def test_threshold_tests_are_best():
    f, g = under(P, Q, P), under(Q, Q, P)
    assert kind(Eq(T(P, Q)(1 - f(x)), g(x))) in HOLDS


@pytest.mark.parametrize("claim", [
    Eq(T(P, Q)(1 - under(P, P, Q)(x)), under(Q, P, Q)(x)),        # the loss reversed
    Eq(T(Q, P)(1 - under(P, Q, P)(x)), under(Q, Q, P)(x)),        # the curve reversed
    Eq(T(P, Q)(1 - under(P, Q, P)(x)), under(Q, Q, P, Lt)(x)),    # an atom at x in one of them
    Eq(T(P, Q)(under(P, Q, P)(x)), under(Q, Q, P)(x)),            # F for 1 - F
    Eq(T(P, Q)(1 - under(Q, Q, P)(x)), under(P, Q, P)(x)),        # P and Q exchanged
])
def test_other_tests_are_not(claim):
    assert kind(claim) not in HOLDS


def test_a_threshold_may_be_strict():
    f, g = under(P, Q, P, Lt), under(Q, Q, P, Lt)
    # the test that rejects from x on is as good as the one that rejects above x
    assert kind(Eq(T(P, Q)(1 - f(x)), g(x))) is not Kind.REFUTED
