"""Sums over places of lattices in doubles, against sums of Fractions, counts and balls."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import flint
import numpy as np
import pytest
import sympy as sp

from lapdp import discrete_gaussian, randomized_response
from lapdp.accounting.inversion import counts, lattices, lattices_machine, longest, wrapped
from lapdp.accounting.moments.exponentials import FARTHEST, falling, risen
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.unit.test_lattices import by_outcomes, sampled

R = sp.Rational


def found(pair, eps, digits=10):
    """By this method alone."""
    with workprec(256):
        point = exact_ball(eps).real
    with workprec(lattices_machine.BITS):
        return lattices_machine.delta(releases(pair), point, digits)


def responses(parts):
    """Copies of responses with rational odds."""
    one, *others = (randomized_response(sp.log(R(odds.numerator, odds.denominator))) ** k
                    for odds, k in parts)
    for other in others:
        one *= other
    return one


@pytest.mark.parametrize(("parts", "alpha"), [
    (((2, 5), (3, 4)), Fraction(1)), (((2, 5), (3, 4)), Fraction(2**3 * 3**4)),
    (((2, 1), (3, 1), (5, 2)), Fraction(1, 7)), (((2, 1), (3, 1), (5, 1), (7, 2)), Fraction(6)),
    (((2, 40), (3, 30)), Fraction(10**9)), (((2, 60), (3, 2), (7, 1)), Fraction(3**30)),
    (((2, 60), (3, 2), (7, 1)), Fraction(2**30)),
    (((Fraction(11, 10), 60), (Fraction(7, 6), 50)), Fraction(200))])
def test_is_the_sum_over_the_outcomes(parts, alpha):
    """At sums of losses, where each side of a place does, and between them."""
    parts = [(Fraction(odds), k) for odds, k in parts]
    there = by_outcomes(parts, alpha)
    eps = sp.log(R(alpha.numerator, alpha.denominator))
    ball = found(responses(parts), eps)
    with workprec(400):
        whole = flint.arb(flint.fmpq(there.numerator, there.denominator))
        assert ball.contains(whole)
        assert ball.rel_accuracy_bits() > 35
        assert not found(responses(parts), eps + R(1, 10**9)).contains(whole)


@pytest.mark.parametrize(("pair", "eps"), [
    (sampled(1, "1/10") ** 50 * sampled("1/3", "1/100") ** 40, "1/2"),
    (discrete_gaussian(2) ** 3 * sampled("1/3", "1/2") ** 3 * sampled(2, "1/1000000"), "3/2")])
def test_agrees_with_sums_over_counts(pair, eps):
    ball = found(pair, R(eps))
    with workprec(160):
        point = flint.arb(flint.fmpq(int(R(eps).p), int(R(eps).q)))
        assert ball.contains(counts.delta(releases(pair), point, 60))


@pytest.mark.parametrize(("pair", "eps"), [
    (randomized_response("1/10") ** 100 * sampled("1/10", "1/3") ** 10**9, "560500"),
    (randomized_response(2) ** 100 * sampled("1/10", "1/10") ** 10**8, "45540")])
def test_many_places_agree_with_those_of_the_longest_alone(pair, eps, monkeypatch):
    """Where delta of the long lattice is worked out next to few sums of the other one."""
    monkeypatch.setattr(lattices, "MOST_PLACES", 0)
    monkeypatch.setattr(longest, "MOST_CELLS", 10**6)
    ball = found(pair, R(eps))
    with workprec(200):
        there = lattices.delta(releases(pair), flint.arb(int(eps)), 40)
    assert ball.overlaps(there) and 0 < ball < 1 and ball.rel_accuracy_bits() > 34


@pytest.mark.parametrize("ends", [(30, 0), (0, 40), (25, 25)])
def test_a_window_that_is_too_narrow_makes_the_ball_wide_not_wrong(monkeypatch, ends):
    parts, alpha = [(Fraction(2), 40), (Fraction(3), 30)], Fraction(10**9)
    there, eps, choose = by_outcomes(parts, alpha), sp.log(10**9), wrapped.window
    sharp = found(responses(parts), eps)

    def narrow(factors, gamma, goal):
        window = choose(factors, gamma, goal)
        share = [end * window.places // 200 for end in ends]
        return replace(window, first=window.first + share[0], last=window.last - share[1])

    monkeypatch.setattr(wrapped, "window", narrow)
    wide = found(responses(parts), eps)
    with workprec(200):
        assert wide.contains(flint.arb(flint.fmpq(there.numerator, there.denominator)))
        assert not wide.is_finite() or wide.rad() > sharp.rad()


def test_three_lattices_have_one_table():
    """Once a query at each of hundreds of places: twenty seconds."""
    answer = (sampled(1, "1/1000", "add") ** 10**6 * sampled("1/100", "1/100", "add") ** 10**6
              * sampled("1/100", "1/10") ** 1000).delta(8, digits=10)
    assert answer.method == "sum over places of lattices in doubles" and answer.assumes
    assert answer.lower < Fraction("6.37954218429e-14") < answer.upper  # as twenty seconds gave


def test_exponentials_are_as_near_as_is_said():
    draw = np.random.default_rng(3)
    points = [0.0, 1e-300, 2.0**-60, 1 / 16, np.nextafter(1 / 16, 0), 63.99, FARTHEST, 1e6,
              *draw.uniform(0, 1 / 8, 200), *draw.uniform(0, FARTHEST, 200)]
    x = np.array(points)
    with workprec(200):
        for point, low, high in zip(points, falling(x), risen(x), strict=True):
            there = (-flint.arb(float(point))).exp()
            gap, other = abs(flint.arb(float(low)) - there), -(-flint.arb(float(point))).expm1()
            assert gap <= 4 * 2.0**-53 * there if point < FARTHEST else gap < 2.0**-90
            assert abs(flint.arb(float(high)) - other) <= 64 * 2.0**-53 * other


def test_what_it_does_not_reach():
    with pytest.raises(Unsupported, match="several lattices"):
        found(randomized_response(1) ** 3, sp.Integer(1))
    with pytest.raises(Unsupported, match="too many for sums in doubles"):
        found(discrete_gaussian(100) ** 10**9 * sampled(1, "1/10") ** 10, sp.Integer(50000))
