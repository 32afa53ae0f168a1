"""Brackets of crossings: few looks, both ends proved, refusals in place of guesses."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp
import pytest

from lapdp import (
    discrete_gaussian,
    exponential,
    exponential_mechanism,
    gaussian,
    laplace,
    poisson,
    randomized_response,
)
from lapdp.accounting import epsilon as accountant
from lapdp.accounting.crossing import Bracket, Place, crossing
from lapdp.accounting.first_guess import FirstGuess
from lapdp.core.errors import TooManyDigits, Unsupported

SAMPLED = poisson(gaussian(1), "0.01", direction="remove") ** 1000


@pytest.mark.parametrize(("pair", "level", "most"), [
    (SAMPLED, "1e-5", 6), (SAMPLED, "1e-30", 7), (gaussian(10) ** 100, "1e-5", 6),
    (randomized_response("0.1", "1e-8") ** 1000, "1e-4", 6), (laplace(10) ** 100, "1e-5", 6),
    (laplace(1) ** 3, "1e-9", 9), (gaussian(1), "1e-300", 6)])
def test_few_looks(pair, level, most, monkeypatch):
    """The cost is the number of certified values of delta that are asked for."""
    asked = []
    real = accountant.delta_at
    monkeypatch.setattr(accountant, "delta_at",
                        lambda *question, **more: asked.append(question) or real(
                            *question, **more))
    found = pair.epsilon(level)
    assert len(asked) <= most
    assert found.radius <= found.value / 10**15


@pytest.mark.parametrize("digits", [1, 3, 30, 300, 1500])
def test_any_number_of_digits(digits):
    found = gaussian(1).epsilon("1e-5", digits=digits)
    assert found.radius * 10**digits <= found.value
    below, above = (gaussian(1).delta(x, digits=digits + 4) for x in (found.lower, found.upper))
    assert below > "1e-5" and above < "1e-5"


def search(f, start, digits=10, first=None):
    """The crossing of a falling function given exactly, and how many looks it took."""
    looks = []

    def look(x, digits):
        looks.append(x)
        value = Fraction(f(x))
        return Place(x, value, 1 if value > 1 else -1)

    known = Bracket(look, digits, first=first)
    known.see(Fraction(start))
    low, high = crossing(known)
    assert low.side == 1 or low.x == first
    assert high.side == -1 and f(high.x) <= 1
    return low.x, high.x, len(looks)


@pytest.mark.parametrize("start", ["1/1000000", 1, 10**9])
@pytest.mark.parametrize("f", [
    lambda x: 2 / x, lambda x: 1 / x**5 / 100, lambda x: 1 + (7 - x) / 10**12,
    lambda x: 2 if x < 3 else Fraction(1, 2), lambda x: max(2 - x / 5, Fraction(0)),
    lambda x: 2 - x / 5 if x < 4 else Fraction(1, 10**400)])
def test_steep_flat_kinked_and_broken_functions(f, start):
    low, high, looks = search(f, start)
    assert f(low) > 1 >= f(high) and high - low <= low / 10**10
    assert looks < 80


def test_where_there_is_no_crossing():
    with pytest.raises(Unsupported, match="no crossing"):
        search(lambda x: Fraction(2), 1)
    with pytest.raises(Unsupported, match="no crossing"):
        search(lambda x: Fraction(1, 2), 1)
    low, high, looks = search(lambda x: 1 - x / (1 + x), 1, first=Fraction(0))
    assert low == high == 0 and looks < 12


def test_an_open_side_is_no_side():
    with pytest.raises(Unsupported, match="is open"):
        known = Bracket(lambda x, digits: Place(x, Fraction(1), None), digits=5)
        known.see(Fraction(3))
        crossing(known)


@pytest.mark.parametrize(("pair", "level"), [
    (exponential(1, 2), "1/4"), (exponential(1, 2).reverse(), "1/4"), (gaussian(1), 1),
    (laplace(1) ** 40, "0.9999999999999999"), (randomized_response("1e-9"), "1/2")])
def test_levels_at_and_above_the_total_variation_distance(pair, level):
    found = pair.epsilon(level)
    assert found.radius == 0 and found.value == 0


@pytest.mark.parametrize("gap", ["1e-6", "1e-20", "1e-60"])
def test_a_level_just_below_the_total_variation_distance(gap):
    """delta(eps) = e^-eps/4 for these exponentials, eps >= 0: eps = -log(1 - 4 gap)."""
    found = exponential(1, 2).epsilon(Fraction(1, 4) - Fraction(gap), digits=12)
    with mp.workdps(120):
        eps = -mp.log1p(-4 * mp.mpf(gap))
        number = Fraction(mp.nstr(eps, 100))
    assert abs(found.value - number) <= found.radius <= number / 10**12


def test_the_mass_at_infinity_of_a_billion_releases():
    many = randomized_response("1e-6", "1e-12") ** 10**9
    assert many.epsilon("0.0009995").is_infinite
    assert many.epsilon("0.0009996") < 10**9
    exact = (1 - (1 - Fraction(1, 10**3)) ** 500)
    pair = randomized_response("0.1", "0.001") ** 500
    assert abs(pair.epsilon(exact, digits=9).value - 50) < Fraction(1, 10**7)
    assert pair.epsilon(exact - Fraction(1, 10**900), digits=9).is_infinite


@pytest.mark.parametrize(("rate", "level"), [
    ("1e-4", "1e-8"), ("1e-6", "1e-20"), ("1e-3", "1e-30")])
def test_a_profile_that_is_zero_from_a_small_loss_on(rate, level):
    """A first guess far beyond the largest loss, where delta is 0 and teaches nothing."""
    pair = poisson(gaussian(2), rate, direction="add")
    found = pair.epsilon(level, digits=6)
    assert pair.delta(found.upper) <= level <= pair.delta(found.lower)
    assert found.upper < Fraction(rate) * (1 + Fraction(rate))


def test_an_open_side_is_asked_for_a_few_digits_more_first():
    asked = []

    def look(x, digits):
        asked.append(digits)
        # 1 - x, known to so many digits
        gap = 1 - x
        known = abs(gap) > Fraction(1, 10**digits)
        return Place(x, 1 + gap, (1 if gap > 0 else -1) if known else None)

    known = Bracket(look, 6)
    assert known.see(1 - Fraction(2, 10**9), 8).side == 1
    assert asked == [8, 10]
    assert known.see(Fraction(1), 8).side is None
    assert asked == [8, 10, 8, 10, 16]


def test_a_first_slope_that_is_far_too_steep():
    """The guess is next to the place that has been seen: where no look tells more, the bracket is
    cut."""
    def look(x, digits):
        return Place(x, max(10**9 * (2 - x), Fraction(0)), 1 if x < 2 - Fraction(1, 10**9) else -1)

    known = Bracket(look, 9, slope=-1e15)
    known.see(Fraction(3, 2))
    low, high = crossing(known)
    assert low.x < 2 - Fraction(1, 10**9) <= high.x
    pair = poisson(exponential_mechanism("1037/1000"), "249/2500", direction="add")
    found = pair.epsilon("1/20000000000000000", digits=11)
    assert pair.delta(found.lower, digits=5).lower > Fraction(1, 2 * 10**16)
    assert pair.delta(found.upper, digits=5).upper < Fraction(1, 2 * 10**16)


def test_a_first_guess_for_a_billion_rare_releases():
    """Of so many the mass of usual losses is known to few digits less than doubles have."""
    pair = (poisson(randomized_response("1/100"), "1/1000", direction="remove")
            * poisson(gaussian(5), "1/1000000", direction="remove") ** 10**9)
    place, slope, _ = FirstGuess.of(pair, Fraction(1, 1000)).place()
    found = pair.epsilon("1e-3", digits=10)
    assert slope is not None and abs(float(place / found.value) - 1) < 0.01


def test_a_first_guess_for_rare_losses_of_a_lattice():
    """One of them is what delta is made of; that of a continuous Gaussian says where."""
    pair = poisson(discrete_gaussian(5), "1/250", direction="remove") ** 100
    place, slope, _ = FirstGuess.of(pair, Fraction(1, 10**15)).place()
    assert slope is not None and abs(float(place) / 0.0613748 - 1) < 1e-4


@pytest.mark.parametrize("power", [1, 2, 5])
@pytest.mark.parametrize("lost", [Fraction(0), Fraction(9, 10)])
def test_no_look_at_the_end_of_the_function(power, lost):
    """1 - lost times a power of the distance from 2, where that is small: few looks find it, none
    lies at the end or beyond."""
    looks = []

    def f(x):
        return lost + (1 - lost) * ((2 - x) * 10**6) ** power

    def look(x, digits):
        looks.append(x)
        assert 0 < x < 2
        return Place(x, (f(x) - lost) / (1 - lost), 1 if f(x) > 1 else -1, (f(x), f(x)))

    known = Bracket(look, 9, end=Place(Fraction(2), None, -1, (lost, lost)), share=float(1 - lost))
    known.see(Fraction(1))
    low, high = crossing(known)
    assert f(low.x) > 1 >= f(high.x) and len(looks) <= 6
    # where it is the end to so many digits one look before it shows that
    known = Bracket(look, 3, end=Place(Fraction(2), None, -1, (lost, lost)), share=float(1 - lost))
    known.see(Fraction(1))
    low, high = crossing(known)
    assert f(low.x) > 1 and high.x <= 2


def test_a_power_of_x_far_from_the_first_place():
    low, high, looks = search(lambda x: Fraction(1, 10**6) / x**3, 1)
    assert low < Fraction(1, 100) <= high and looks < 12


def test_what_was_seen_with_more_digits_serves_fewer(monkeypatch):
    """Looks are refused from the third one on: fewer digits begin where these ended."""
    asked = []
    real = accountant.delta_at

    def some(pair, eps, digits, **more):
        asked.append(eps)
        if digits > 11 and len(asked) > 2:
            raise TooManyDigits("11 digits")
        return real(pair, eps, digits, **more)

    monkeypatch.setattr(accountant, "delta_at", some)
    found = SAMPLED.epsilon("1e-5")
    # two for 15 digits, at most two more for 3, 5 and 10 each
    assert len(set(asked)) == len(asked) <= 6
    assert SAMPLED.delta(found.lower, digits=20) > "1e-5" > SAMPLED.delta(found.upper, digits=20)


def test_digits_do_not_fall_next_to_a_place_whose_side_was_seen():
    asked = []

    def look(x, digits):
        asked.append(digits)
        return Place(x, 3 - x, 1 if x < 2 else -1)

    known = Bracket(look, 9, slope=-2.0)
    known.see(Fraction(19, 10), 13)
    crossing(known)
    assert set(asked) == {13}


def test_two_looks_at_one_place():
    """The sharper one stays, in either order: a slope needs two places."""
    one, half = Fraction(1), Fraction(1, 2)
    rough = Place(one, Fraction(3), 1, (Fraction(2), Fraction(4)))
    sharp = Place(one, Fraction(301, 100), 1, (Fraction(3), Fraction(302, 100)))
    for order in ((rough, sharp), (sharp, rough), (rough, sharp, rough)):
        known = Bracket(lambda x, digits: Place(x, 3 / x, 1 if x < 3 else -1), digits=6)
        for place in (*order, Place(half, Fraction(6), 1)):
            known.keep(place)
        assert [place for _, place in known.places][-2] == sharp and len(known.places) == 2
        low, high = crossing(known)
        assert low.x < 3 <= high.x


def test_rough_looks_seen_before_end_in_trials():
    """Values known to six digits, then to any number: none is asked for at one place again."""
    looks = []

    def look(x, digits):
        looks.append((x, digits))
        off = Fraction(1, 10**digits)
        value = (3 / x) ** 5 * (1 + off / 3)
        bounds = value * (1 - off), value * (1 + off)
        side = 1 if bounds[0] > 1 else -1 if bounds[1] < 1 else None
        return Place(x, value, side, bounds)

    known = Bracket(look, 12)
    for x in ("2.9", "3.0001", "3.0000001"):
        known.keep(look(Fraction(x), 6))
    low, high = crossing(known)
    assert low.x < 3 <= high.x and high.x - low.x < Fraction(4, 10**12)
    assert len(set(looks)) == len(looks) < 3 + 6


def test_trials_lie_no_farther_than_the_function_falls_by_half():
    """Three digits of a crossing at a million leave 400 on each side, where e^-x is anything."""
    values = []

    def look(x, digits):
        values.append(float(x - 10**6))
        return Place(x, Fraction(math.exp(-values[-1])), 1 if values[-1] < 0 else -1)

    known = Bracket(look, digits=3, slope=-1.0)
    known.see(Fraction(10**6) + Fraction(1, 7))
    low, high = crossing(known)
    assert low.x <= 10**6 <= high.x
    assert max(map(abs, values)) < 1


def test_the_fewest_digits_do_where_more_are_not_reached():
    """Values e^(3 - x/10), each within half a unit of three digits; a crossing to three digits is
    looked for with more of them where they fall slowly."""
    wanted = []

    def look(x, digits):
        wanted.append(digits)
        if digits > 3:
            raise TooManyDigits("four digits or more")
        size = Fraction(math.exp(3 - x / 10)).limit_denominator(10**9)
        off = size / 2000
        return Place(x, size, 1 if size - off > 1 else -1 if size + off < 1 else None,
                     (size - off, size + off))

    def start(digits):
        known = Bracket(look, digits, slope=-0.1, first=Fraction(0))
        known.see(Fraction(29), 3)
        return known

    low, high = crossing(start(3))
    assert low.x < 30 < high.x and (high.x - low.x) * 1000 < 2 * low.x
    assert any(asked > 3 for asked in wanted)
    with pytest.raises(TooManyDigits):
        crossing(start(5))
