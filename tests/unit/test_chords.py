"""Ends of a crossing by convexity: they hold it, for exact functions and for rough bounds."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapdp import laplace, poisson, staircase
from lapdp.accounting import epsilon as accountant
from lapdp.accounting.answers import Answer
from lapdp.accounting.chords import agree, between
from lapdp.balls.decimals import Enclosure
from lapdp.core.errors import Unsupported

FALLING = {
    # value by e^x, and the e^x at which it is 1
    "power": (lambda u: u**-2 * 9, 3),
    "line": (lambda u: max(mp.mpf(0), (7 - u) / 2), 5),
    "kinks": (lambda u: max(mp.mpf(0), 9 - 4 * u, (7 - u) / 4), 3),
}
PLACES = st.lists(st.fractions(0, 4, max_denominator=1000), min_size=2, max_size=6, unique=True)
WIDTHS = st.sampled_from([Fraction(0), Fraction(1, 10**9), Fraction(1, 100), Fraction(1, 2)])


def seen(value, x, width):
    """Bounds of the value that hold what mpmath rounds off."""
    near = mp.mpf(value(mp.exp(mp.mpf(x.numerator) / x.denominator)))
    middle, off = Fraction(int(near * 10**40), 10**40), Fraction(2, 10**40)
    return x, middle * (1 - width) - off, middle * (1 + width) + off


@pytest.mark.parametrize("name", FALLING)
@given(places=PLACES, width=WIDTHS)
def test_the_ends_hold_the_crossing(name, places, width):
    value, crossing = FALLING[name]
    with mp.workdps(60):
        low, high = between([seen(value, x, width) for x in places], 20)
        assert agree([seen(value, x, width) for x in places], 20)
        exact = mp.log(crossing)
        assert low is None or mp.mpf(low.numerator) / low.denominator <= exact
        assert high is None or mp.mpf(high.numerator) / high.denominator >= exact


def test_three_places_hold_it_closely():
    """A far one, and two on either side."""
    value = FALLING["power"][0]
    with mp.workdps(60):
        places = [Fraction(x) for x in ("1.0986", "1.0987", "1.1")]
        low, high = between([seen(value, x, Fraction(0)) for x in places], 20)
        assert low is not None and high is not None
        assert high - low < Fraction(1, 10**6) < places[1] - places[0]


def test_places_far_apart_are_not_joined():
    one, two = Fraction(1), Fraction(2)
    assert between([(0 * one, two, two), (one * 10**6, one / 2, one / 2)], 10) == (None, None)


@pytest.mark.parametrize(("pair", "level", "digits", "most"), [
    (laplace(10) ** 100, "1e-5", 10, 3),
    (poisson(staircase("1/5"), "1/10", direction="add") ** 300, "1e-10", 10, 3)])
def test_no_look_on_the_second_side(pair, level, digits, most, monkeypatch):
    asked = []
    real = accountant.delta_at
    monkeypatch.setattr(accountant, "delta_at", lambda *question, **more: asked.append(
        question) or real(*question, **more))
    found = pair.epsilon(level, digits=digits)
    assert len(asked) <= most
    below, above = (pair.delta(x, digits=digits + 8) for x in (found.lower, found.upper))
    assert below.compare(Fraction(level)) == 1 and above.compare(Fraction(level)) == -1


@given(places=PLACES, one=st.integers(0, 5))
def test_values_of_no_convex_function_do_not_agree(places, one):
    """One of the values is too high by a tenth, or too low: not the first one, or the last one."""
    value = FALLING["power"][0]
    places = sorted(places)
    one %= len(places)
    with mp.workdps(60):
        known = [seen(value, x, Fraction(0)) for x in places]
        x, low, high = known[one]
        up = [*known[:one], (x, low * 11 / 10, high * 11 / 10), *known[one + 1:]]
        steep = one > 0 and value(mp.exp(places[one - 1])) < value(mp.exp(x)) * mp.mpf("1.1")
        if steep:
            assert not agree(up, 20)


def test_a_wrong_value_of_delta_is_no_epsilon(monkeypatch):
    """A profile that falls from 1 to next to nothing at once is none."""
    def jump(pair, eps, digits, **more):
        size = Fraction(1) if eps < 3 else Fraction(1, 10**6)
        return Answer(Enclosure(size, Fraction(1, 10**20)), "guess", 0.0)

    monkeypatch.setattr(accountant, "delta_at", jump)
    with pytest.raises(Unsupported, match="one is wrong"):
        (laplace(1) ** 3).epsilon("1e-3", digits=5)
