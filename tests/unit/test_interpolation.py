"""Zeros of powers, and of polynomials of the height, are found by as few places as they take."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp
import pytest

from lapdp import poisson, randomized_response
from lapdp.accounting import epsilon as accountant
from lapdp.accounting.bracket import Bracket, Place
from lapdp.accounting.crossing import crossing
from lapdp.accounting.interpolation import nearest, zero


@pytest.mark.parametrize("exact", [False, True])
@pytest.mark.parametrize(("origin", "side", "power"), [
    (0, 1, -3), (7, 1, -1), (7, -1, 2), (2, -1, 5), (-1, 1, -20)])
def test_two_places_or_one_and_the_slope_find_the_zero_of_a_power(origin, side, power, exact):
    """(distance/0.7)^power is 1 at 0.7 on one side of the origin."""
    with mp.workdps(40):
        log, number = (mp.log, mp.mpf) if exact else (math.log, float)

        def seen(distance):
            ratio = number(distance.numerator) / distance.denominator / number("0.7")
            return power * log(ratio), origin + side * distance, 0.0

        near, far = seen(Fraction(9, 10)), seen(Fraction(19, 10))
        slope = side * power / number("0.9")
        ten = Fraction(1, 10**(30 if exact else 13))
        for points in ([near, far], [near]):
            place, miss = zero(points, Fraction(origin), exact, slope)
            assert abs(place - origin - side * Fraction(7, 10)) < ten
            assert miss == pytest.approx(0.2)


def test_three_places_find_the_zero_of_a_parabola_of_the_height():
    points = [(h, Fraction(3) - Fraction(h) + Fraction(h)**2 / 8, 0.0) for h in (0.5, -0.75, 1.0)]
    place, _ = zero(points, None, exact=False)
    assert abs(place - 3) < Fraction(1, 10**14)


def test_which_places_are_taken():
    """At most two with heights above 1: on both sides of 0, where there are such."""
    def taken(*heights):
        return [h for h, *_ in nearest([(h, Fraction(1), 0.0) for h in heights])]

    assert taken(5.0, -2.0, -3.0, 9.0) == [-2.0, 5.0]
    assert taken(-4.0, -2.0, -3.0) == taken(-2.0, -3.0, 30.0) == [-2.0, -3.0]
    assert taken(0.5, -2.0, -3.0, 9.0) == [0.5, -2.0]
    assert taken(*(h / 8 for h in (1, 1, -2, 3, 4, 5))) == [1 / 8, -2 / 8, 3 / 8, 4 / 8]
    assert taken() == []


def test_rough_places_are_taken_where_they_say_something():
    x = Fraction(1)
    sharp, rough, far = (3e-7, x, 1e-12), (1e-7, x, 1e-6), (-0.1, x, 1e-6)
    assert nearest([rough, far, sharp]) == [sharp, far]
    assert nearest([rough, sharp]) == [sharp, rough]
    assert nearest([rough]) == [rough]
    assert nearest([rough, rough]) == [rough]


def test_a_bend_at_an_end_of_what_is_known():
    """Right of 3, which is known to be left of the crossing, or said to be a bend, a power of the
    distance from there."""
    looks = []

    def f(x):
        return 3 * (Fraction(1, 10**6) / (x - 3)) ** 2

    def look(x, digits):
        looks.append(x)
        value = f(x) if x > 3 else Fraction(10**9)
        return Place(x, value, 1 if value > 1 else -1)

    for known in (Bracket(look, 12), Bracket(look, 12, bend=Fraction(3))):
        looks.clear()
        if not known.bend:
            known.keep(Place(Fraction(3), None, 1))
        known.see(Fraction(4))
        known.see(Fraction(7, 2))
        low, high = crossing(known)
        assert f(low.x) > 1 >= f(high.x) and len(looks) < 8


def test_few_looks_next_to_an_atom(monkeypatch):
    """delta bends sharply at it, and meets the level right there."""
    asked = []
    real = accountant.delta_at
    monkeypatch.setattr(accountant, "delta_at", lambda *question, **more: asked.append(
        question) or real(*question, **more))
    pair = (poisson(randomized_response("0.73", "1e-5"), "1/1000", direction="add") ** 30
            * randomized_response("0.13"))
    found = pair.epsilon("1e-15")
    assert len(asked) <= 9
    below, above = (pair.delta(x, digits=25) for x in (found.lower, found.upper))
    assert below.compare(Fraction(1, 10**15)) == 1 and above.compare(Fraction(1, 10**15)) == -1
