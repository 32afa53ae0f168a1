"""Certified values of closed forms against routes that share nothing with them."""

from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import (
    exponential,
    finite,
    gaussian,
    geometric,
    laplace,
    poisson,
    randomized_response,
    reverse,
    staircase,
    truncated_laplace,
)
from lapdp.core.errors import InputError, Undefined, Unsupported
from tests.effort import calls_at_most
from tests.oracle.laplace_products import profile_of_products

e = sp.Symbol("e", positive=True)


def close(found, value, digits):
    """Does the enclosure hold a number known to ``digits`` relative digits?"""
    with mp.workdps(digits + 20):
        value = mp.mpf(value)
        middle, radius = (mp.mpf(x.numerator) / x.denominator
                          for x in (found.middle, found.radius))
        return abs(middle - value) <= radius + mp.mpf(10) ** (-digits) * abs(value)


@pytest.mark.parametrize("t", ["-7", "-1/3", "0", "1/7", "1", "5", "13/2", "9", "99/10"])
def test_ten_laplace_mechanisms_to_thirty_digits(t):
    """The oracle integrates the definition over piecewise polynomials of noise, with Fractions."""
    expected = profile_of_products(10, Fraction(t), 60)
    found = (laplace(1)**10).profile.at(t, digits=30)
    assert close(found, expected, 50)
    assert found.radius <= abs(found.middle) / 10**30


@pytest.mark.parametrize("t", ["-1/2", "0", "1/3", "3/2"])
def test_two_laplace_mechanisms_by_quadrature(t):
    """The event of the second release is y < edge, given the first; then one integral is left."""
    with mp.workdps(40):
        point = mp.mpf(Fraction(t).numerator) / Fraction(t).denominator

        def below(x):
            return mp.exp(x) / 2 if x < 0 else 1 - mp.exp(-x) / 2

        def given(x):
            rest = point - min(1, max(-1, 1 - 2 * x))
            if abs(rest) >= 1:
                return max(0, 1 - mp.exp(rest))
            return below((1 - rest) / 2) - mp.exp(rest) * below((1 - rest) / 2 - 1)

        kinks = sorted({mp.mpf(0), mp.mpf(1), *(
            x for x in ((1 - point + d) / 2 for d in (-1, 1)) if 0 < x < 1)})
        value = mp.quad(lambda x: mp.exp(-abs(x)) / 2 * given(x), [-mp.inf, *kinks, mp.inf])
    assert close((laplace(1)**2).profile.at(t), value, 30)


MIXED = [
    (laplace(1)**2 * randomized_response("1/2", "1/100"), "1/3"),
    (truncated_laplace(1, 2) * geometric("1/2", 3), "-1/2"),
    (staircase(1)**3 * laplace("1/2"), "2"),
    (exponential(1, 2) * laplace(1), "1"),
    (exponential(1, 2)**3 * randomized_response(1), "-5"),
    (laplace(1) * laplace(1 / sp.log(3)), sp.log(2)),
]


@pytest.mark.parametrize(("pair", "t"), MIXED, ids=str)
def test_balls_agree_with_the_exact_value(pair, t):
    point = sp.sympify(t)
    exact = sp.N(pair.profile(point), 60)
    assert close(pair.profile.at(t, digits=40), str(exact), 45)
    below = sp.N(pair.loss.cdf(point), 60)
    assert close(pair.loss.cdf_at(t, digits=40), str(below), 45)


def test_values_at_breakpoints():
    m = laplace(1)**2
    for t in (-2, 0, 2):
        assert close(m.profile.at(t), str(sp.N(m.profile(t), 55)), 50)
    # an atom counts at its own place, and not just below it
    assert m.loss.cdf_at(2).middle == 1
    assert m.loss.cdf_at(-2).compare(Fraction(0)) == 1
    assert str(m.loss.cdf_at("-2.0000000000000000000000000000000000001")) == "0"


def test_zero_is_found_and_mass_at_infinity_stays():
    m = laplace(1)**10
    assert str(m.profile.at(10)) == str(m.profile.at(1000)) == "0"
    assert m.profile.at("9.9999999999999999999").compare(Fraction(0)) == 1
    leaking = m * randomized_response(1, "1e-300")
    found = leaking.profile.at(11, digits=10)
    assert found.contains(Fraction(1, 10**300)) and found.digits >= 10


def test_tiny_values_keep_their_relative_digits():
    """At the far end delta(t) = 2^-k (x + O(x^2)) for t = k - x: all outcomes on one side."""
    x = Fraction(1, 10**40)
    found = (laplace(1)**300).profile.at(300 - x, digits=30)
    with mp.workdps(60):
        assert close(found, -mp.mpf(2) ** -300 * mp.expm1(-mp.mpf(10) ** -40), 30)


def test_a_point_that_is_no_form():
    m = laplace(1)**3
    found = m.profile.at(sp.sqrt(2), digits=25)
    assert close(found, str(sp.N(m.profile(sp.sqrt(2)), 50)), 40)


def test_a_breakpoint_that_balls_cannot_tell_from_the_point():
    """sqrt(5 + 2 sqrt(6)) = sqrt(2) + sqrt(3) is no form: the answer holds both sides."""
    zero = sp.sqrt(5 + 2 * sp.sqrt(6)) - sp.sqrt(2) - sp.sqrt(3)
    m = laplace(1)
    with flint.ctx.workprec(100):
        jump = m.cdf_ball(zero - 1)
        assert jump.contains(0) and jump.overlaps(flint.arb(-1).exp() / 2)
        kink = m.profile_ball(zero + 1)
    assert kink.contains(0) and kink.rad() < flint.arb(2) ** -90
    with pytest.raises(Unsupported, match="may be 0"):
        m.profile.at(zero + 1)


def test_other_pairs_are_evaluated_from_their_expressions():
    assert close(gaussian(1).profile.at(20), str(sp.N(gaussian(1).profile(20), 50)), 45)
    kept = poisson(laplace(1)**20, "0.1", direction="remove")
    small = kept.profile.at("1/2", digits=20)
    inner = sp.log(1 + 10 * (sp.exp(sp.Rational(1, 2)) - 1))
    assert close(small, str(sp.N((laplace(1)**20).profile(inner) / 10, 45)), 30)
    assert close(kept.profile.at(-1), 1 - mp.exp(-1), 13)


def test_values_of_the_reversed_pair():
    m = laplace(1)**2 * exponential(1, 2) * randomized_response(1, "1/7")
    t = Fraction(3, 4)
    with flint.ctx.workprec(200):
        forward = m.reverse().profile.at(-t).ball()
        odds = (flint.arb(3) / 4).exp()
        back = 1 - odds + odds * forward
        assert back.overlaps(m.profile.at(t).ball())


def test_moments():
    found = (laplace(1)**100).moment.at(3, digits=30)
    with mp.workdps(60):
        single = mp.quad(lambda x: mp.exp(-3 * abs(x) + 2 * abs(x - 1)) / 2, [-200, 0, 1, 200])
        assert close(found, single ** 100, 40)
    with pytest.raises(Undefined):
        exponential(1, 2).moment.at(3)
    coin = finite(["1/2", "1/2"], ["1/4", "3/4"]).moment.at(2)
    assert coin.lower <= Fraction(4, 3) <= coin.upper
    # E_50 is e^12250000
    assert gaussian("1/100").renyi(50) == 250000


def test_what_is_no_number_is_refused():
    with pytest.raises(InputError, match="float"):
        laplace(1).profile.at(0.5)
    with pytest.raises(InputError, match="needs a number"):
        laplace(1).profile.at(e)
    with pytest.raises(InputError, match="numbers for its parameters"):
        laplace(e).profile.at(1)
    with pytest.raises(InputError, match="digits"):
        laplace(1).profile.at("1/2", digits=0)


def test_a_hundred_factors_are_no_effort():
    with calls_at_most(10**7):
        m = laplace("1.0001")**100 * randomized_response(sp.log(3))
        first = m.profile.at("20.5", digits=30)
    with calls_at_most(10**7):
        for j in range(10):
            m.profile.at(20 + Fraction(j, 10), digits=30)
    assert first.digits >= 30


def test_thousands_of_atoms():
    """The sum by hand: left of both centres the ratio is e^(3/10), between them it falls."""
    n, eps = 3000, mp.mpf(1) / 10000
    found = geometric("1/10000", n).profile.at("1/10", digits=30)
    with mp.workdps(50):
        r = mp.exp(-eps)
        outer, peak = 1 / (1 + r), (1 - r) / (1 + r)
        value = outer - mp.exp(mp.mpf(1) / 10) * outer * r**n + sum(
            peak * (r**x - mp.exp(mp.mpf(1) / 10) * r ** (n - x)) for x in range(1, 1000))
        assert close(found, value, 14)
    with calls_at_most(10**7):
        assert geometric("1/10000", n).profile.at("1/9", digits=30).digits >= 30


@pytest.mark.parametrize("lost", [finite([1, 0], [0, 1]), randomized_response(2, 1)], ids=str)
def test_pairs_without_finite_losses(lost):
    for pair in (lost**2, lost * laplace(1), laplace(1) * lost * lost):
        assert str(pair.profile.at("1/3")) == "1" and pair.profile("1/3") == 1
        assert str(pair.loss.cdf_at(5)) == "0" and pair.mass_at_infinity == 1


@pytest.mark.parametrize("others", [
    laplace(1) ** 3, poisson(laplace(1), "1/10", direction="add"),
    poisson(gaussian(1), "1/10", direction="remove") ** 5,
    reverse(randomized_response(sp.log(3), "1/10")) ** 8], ids=str)
@pytest.mark.parametrize("apart", [
    randomized_response(sp.log(2), 1), finite([0, 1], [1, 0])], ids=str)
def test_one_release_without_finite_losses_tells_all_apart(apart, others):
    for pair in (apart * others, apart**2 * others):
        for eps in (-1, 0, 3):
            assert pair.delta(eps).value == 1 and pair.delta(eps).radius < 1e-12
        assert pair.epsilon("1/2").is_infinite
