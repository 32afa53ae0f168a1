"""Certified decimals: what is printed contains the number, to the digits that were asked for."""

from decimal import Decimal
from fractions import Fraction

import flint
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lapdp.balls import Enclosure, certified
from lapdp.core.errors import InputError, Unsupported
from tests.effort import calls_at_most

rationals = st.fractions(max_denominator=10**9).filter(bool)
scales = st.integers(-400, 400)


def printed(x):
    """Middle and radius as they are read off the text."""
    middle, _, radius = str(x).partition(" +/- ")
    return Fraction(Decimal(middle)), Fraction(Decimal(radius or "0"))


@given(rationals, scales, st.integers(1, 60))
def test_the_printed_decimals_enclose_a_known_rational(x, scale, digits):
    value = x * Fraction(10) ** scale
    found = certified(lambda bits: flint.arb(flint.fmpq(value.numerator, value.denominator)),
                      digits)
    middle, radius = printed(found)
    assert (middle, radius) == (found.middle, found.radius)
    assert abs(middle - value) <= radius <= Fraction(1, 10**digits) * abs(value)
    assert found.contains(value) and found.lower <= value <= found.upper
    assert found.is_exact or found.digits >= digits - 1
    assert {k: Fraction(Decimal(v)) for k, v in found.to_json().items()} == {
        "value": middle, "radius": radius}


@given(rationals, scales)
def test_a_ball_of_the_enclosure_holds_both_ends(x, scale):
    found = Enclosure(x * Fraction(10) ** scale, abs(x) * Fraction(10) ** (scale - 7))
    with flint.ctx.workprec(64):
        ball = found.ball()
    with flint.ctx.workprec(2000):
        for end in (found.lower, found.upper):
            assert ball.contains(flint.arb(flint.fmpq(end.numerator, end.denominator)))


def test_precision_rises_until_the_cancellation_is_overcome():
    tried = []
    def tiny(bits):
        tried.append(bits)
        whole = flint.arb(10) ** 300
        return (whole * whole + 1).sqrt() - whole

    found = certified(tiny, 30)
    assert str(found).startswith("5e-301 +/- ") and found.digits >= 30
    assert tried == sorted(tried) and len(tried) <= 5


def test_numbers_of_hundred_thousands_of_digits_are_no_effort():
    with calls_at_most(10**7):
        found = certified(lambda bits: (flint.arb(-500_000) / 7).exp() / 3, 30)
    assert str(found).startswith("3.07933603652") and "e-31022 +/- " in str(found)
    assert found.digits >= 30
    found = certified(lambda bits: (flint.arb(-500_000)).exp() / 3, 30)
    assert found.digits >= 30


def test_fractions_that_are_no_decimals():
    third = Enclosure(Fraction(1, 3), Fraction(0))
    assert str(third) == "1/3" and third.is_exact
    value, radius = (Fraction(Decimal(x)) for x in third.to_json().values())
    assert 0 < abs(value - Fraction(1, 3)) <= radius < Fraction(1, 10**49)


def test_exact_numbers_have_no_radius():
    assert str(certified(lambda bits: flint.arb(0), 30)) == "0"
    assert str(certified(lambda bits: flint.arb(-3) / 8, 30)) == "-0.375"
    assert str(certified(lambda bits: flint.arb(10) ** 40, 50)) == "1e40"
    assert Enclosure(Fraction(1, 2), Fraction(0)).compare(Fraction(1, 2)) == 0


def test_order_is_claimed_only_where_it_is_proved():
    a, b = Enclosure(Fraction(1), Fraction(1, 10)), Enclosure(Fraction(2), Fraction(1, 10))
    assert (a.compare(b), b.compare(a), a.compare(a)) == (-1, 1, None)
    assert a.compare(Fraction(11, 10)) is None
    assert Enclosure(Fraction(0), Fraction(1)).digits == 0


def test_a_hidden_zero_is_refused():
    def nothing(bits):
        return flint.arb(2).sqrt() ** 2 - 2

    with pytest.raises(Unsupported, match="it may be 0"):
        certified(nothing, 30, most_bits=4096)
    with pytest.raises(Unsupported, match="it may be 0"):
        certified(lambda bits: flint.arb(1) / flint.arb(0, 1), 30, most_bits=4096)


def test_digits_out_of_range_are_refused():
    with pytest.raises(InputError):
        certified(lambda bits: flint.arb(1), 0)
