"""``tradeoff.at``: what is enclosed is the value, by closed forms, exact pairs and searches."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp
from flint import arb
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from lapdp import (
    dominating_pair,
    exponential,
    finite,
    gaussian,
    laplace,
    poisson,
    randomized_response,
    worst_case,
)
from lapdp.core.errors import InputError
from lapdp.privacy.notions.tradeoff_at import _Sandwich
from lapdp.testing.strategies import finite_pairs
from tests.oracle import finite as oracle

LEVELS = [sp.Rational(n, d) for n, d in ((1, 10**6), (1, 10), (1, 2), (9, 10), (999, 1000))]


def encloses(found, value, digits):
    """Does the enclosure hold a number known to 50 digits, with as many digits as asked for?"""
    gap = abs(mp.mpf(found.middle.numerator) / found.middle.denominator - value)
    radius = mp.mpf(found.radius.numerator) / found.radius.denominator
    return gap <= radius + abs(value) * mp.mpf(10) ** -45 and radius <= abs(value) * mp.mpf(
        10) ** -digits


@pytest.mark.parametrize("m", [
    laplace(1), laplace("1/10"), gaussian(1), gaussian(10), exponential(1, 2),
    exponential(1, 2).reverse(), laplace(1) ** 2, randomized_response(1, "1/10"),
    poisson(laplace(1), "1/10", direction="remove")], ids=str)
@pytest.mark.parametrize("digits", [5, 30])
def test_against_closed_forms(m, digits):
    with mp.workdps(60):
        for level in LEVELS:
            value = mp.mpmathify(sp.N(m.tradeoff(level), 55))
            found = m.tradeoff.at(level, digits)
            assert (found.is_exact and value == 0) or encloses(found, mp.re(value), digits)


@settings(max_examples=60)
@given(finite_pairs(), st.integers(0, 12))
def test_random_pairs_with_levels_at_vertices(pair, twelfths):
    for level in (Fr(twelfths, 12), *(a for a, _ in pair.tradeoff.curve.points)):
        value = oracle.trade_off(pair.P, pair.Q, level)
        found = pair.tradeoff.at(level, 12)
        assert found.lower <= value <= found.upper
        assert found.radius <= value / 10**12


@pytest.mark.parametrize("m", [laplace(1) ** 3, gaussian(1) * laplace(1), laplace(2) ** 10,
                               worst_case(poisson(gaussian(1), "1/4", direction="add"))], ids=str)
def test_against_a_search(m):
    """The supremum of e^-t (1 - a - delta(t)) by ternary search, without any bound."""
    t = sp.Symbol("t", real=True)
    profile = sp.lambdify(t, m.profile(t), "mpmath")
    with mp.workdps(30):
        for level in ("1/10", "2/3"):
            a = mp.mpf(sp.Rational(level).p) / sp.Rational(level).q
            low, high = mp.mpf(-6), mp.mpf(6)
            for _ in range(90):
                first, second = low + (high - low) / 3, high - (high - low) / 3
                worse = mp.exp(-first) * (1 - a - profile(first)) < (
                    mp.exp(-second) * (1 - a - profile(second)))
                low, high = (first, high) if worse else (low, second)
            best = mp.exp(-low) * (1 - a - profile(low))
            found = m.tradeoff.at(level, 12)
            assert abs(mp.mpf(found.middle.numerator) / found.middle.denominator - best) < 1e-12


def test_both_ends():
    m = finite(["1/2", "1/2", 0], ["1/4", 0, "3/4"])
    assert [str(m.tradeoff.at(k)) for k in (0, "1/2", 1)] == ["0.25", "0", "0"]
    assert gaussian(1).tradeoff.at(0).contains(1) and gaussian(1).tradeoff.at(1).middle == 0


def test_tiny_values_keep_their_digits():
    """f(1 - 10^-20) of Exp(1) against Exp(2) is 10^-40; for one Gaussian by its inverse."""
    assert encloses(exponential(1, 2).tradeoff.at(1 - sp.Rational(1, 10**20), 20),
                    mp.mpf(10) ** -40, 20)
    found = gaussian("1/10").tradeoff.at("1/10", 15)
    assert 0 < found.lower < found.upper < Fr(1, 10**15)
    with mp.workdps(40):
        value = mp.mpmathify(sp.N(gaussian("1/10").tradeoff("1/10"), 30))
        assert encloses(found, value, 15)


def test_points_of_dominating_pairs():
    pair = dominating_pair(laplace(1) ** 3)
    found = pair.cdf_at("1/3", 10)
    assert found.digits >= 10
    assert pair.cdf_at(1).contains(1) and pair.cdf_at(0).middle == 0


def test_what_has_no_value():
    b = sp.Symbol("b", positive=True)
    for m, level in ((laplace(b), "1/2"), (laplace(1), 2), (laplace(1), "-1/10"), (laplace(1), 0.5),
                     (laplace(1), b)):
        with pytest.raises(InputError):
            m.tradeoff.at(level)


def test_a_bound_that_is_no_number_is_no_bound():
    """An order would pass it over."""
    found = _Sandwich(lambda eps: arb("nan") if eps == 1 else gaussian(1).profile_ball(eps),
                      arb("0.75"), 40)
    assert found.run() is None
