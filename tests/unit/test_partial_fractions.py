"""Partial fractions of many releases: as many as memory holds, and no more."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
import sympy as sp

from lapdp import exponential, reverse
from lapdp.calculus.partial_fractions import over
from lapdp.core.errors import Unsupported


def test_the_parts_add_up_to_the_function():
    power, pole, other = 40, Fraction(2, 3), Fraction(-1, 5)
    parts = over({pole: flint.fmpq_poly([0] * power + [1])}, other)
    for s in (Fraction(7), Fraction(1, 2), Fraction(-3)):
        whole = sum((p(flint.fmpq((s - a).denominator, (s - a).numerator))
                     for a, p in parts.items()), flint.fmpq(0))
        value = 1 / (s - pole) ** power / (s - other)
        assert whole == flint.fmpq(value.numerator, value.denominator)


def test_more_digits_than_memory_holds_are_refused():
    with pytest.raises(Unsupported, match="too many digits"):
        over({Fraction(3): flint.fmpq_poly([0] * 500_000 + [1])}, Fraction(0))
    # half a million exponential losses took more than twenty gigabytes, as the last way of several
    many = reverse(exponential("1/2", 3)) ** 524_888
    with pytest.raises(Unsupported):
        many.profile_ball(sp.Integer(518_553))


def test_poles_at_a_distance_of_one_need_no_more_digits():
    found = over({Fraction(1): flint.fmpq_poly([0] * 100_000 + [1])}, Fraction(0))
    assert found[Fraction(0)] == flint.fmpq_poly([0, 1])
