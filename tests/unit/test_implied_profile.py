"""Renyi bounds to profiles: never below a true profile, attained, at most the known conversion."""

from __future__ import annotations

import random
from fractions import Fraction as Fr

import pytest
import sympy as sp
from mpmath import mp

from lapdp import exponential, finite, gaussian, implied_profile, laplace, randomized_response
from lapdp.core.errors import InputError

BOUNDS = [[(2, "1/2")], [(2, 1), (4, 2)], [("3/2", 1), (8, "5/4")], [(30, "1/20")], [(2, 12)]]
PLACES = [-2, 0, "1/3", 1, 4]


def moment(u, v, q):
    """E_q of masses (u, 1 - u) and (v, 1 - v), by the definition."""
    return u**q * v ** (1 - q) + (1 - u) ** q * (1 - v) ** (1 - q)


@pytest.mark.parametrize("bounds", BOUNDS, ids=str)
def test_no_pair_on_two_outcomes_exceeds_it_and_some_come_near(bounds):
    """Random admissible pairs by bisection of the definition, in the mpmath of a second route."""
    rng = random.Random(5)
    implied = implied_profile(bounds)
    numbers = [(mp.mpf(sp.Rational(q).p) / sp.Rational(q).q,
                mp.mpf(sp.Rational(r).p) / sp.Rational(r).q) for q, r in bounds]
    tops = [(implied.at(eps), mp.exp(mp.mpf(sp.Rational(eps).p) / sp.Rational(eps).q))
            for eps in PLACES]
    best = [mp.mpf(0)] * len(tops)
    for _ in range(150):
        v = mp.exp(-mp.mpf(rng.random()) * 16) if rng.random() < 0.5 else mp.mpf(rng.random())
        if not 0 < v < 1:
            continue
        low, high = v, mp.mpf(1)
        for _ in range(40):
            u = (low + high) / 2
            fits = all(moment(u, v, q) <= mp.exp((q - 1) * r) for q, r in numbers)
            low, high = (u, high) if fits else (low, u)
        for k, (_, odds) in enumerate(tops):
            best[k] = max(best[k], low - odds * v)
    for (top, _), found in zip(tops, best, strict=True):
        upper = mp.mpf(top.upper.numerator) / top.upper.denominator
        assert found <= upper * (1 + mp.mpf("1e-9"))
        assert found >= upper * mp.mpf("0.8") - mp.mpf("1e-3")


@pytest.mark.parametrize("m", [
    gaussian(1), gaussian(3), laplace(1), laplace(1) ** 2, randomized_response(1),
    finite(["1/2", "1/2"], ["1/4", "3/4"]), exponential(9, 10)], ids=str)
def test_it_is_never_below_the_profile_of_the_mechanism(m):
    few, more = (implied_profile(m.renyi, orders=orders) for orders in ([2], [2, 3, 6]))
    for eps in (-1, 0, 1, 4):
        true, one, best = m.profile.at(eps, 10), few.at(eps, 10), more.at(eps, 10)
        assert best.upper >= true.lower
        assert best.lower <= one.upper  # more bounds imply no less
        for implied, value in ((few, one), (more, best)):
            known = sp.N(implied.conversion(eps), 20)
            assert value.lower <= Fr(str(known)) * (1 + Fr(1, 10**10))


def test_two_outcomes_attain_the_bound_of_their_own_moment():
    """Randomized response is the worst pair for its R_q at its own loss, if that is where u is."""
    m = finite(["3/4", "1/4"], ["1/4", "3/4"])
    implied = implied_profile([(2, sp.log(sp.Rational(7, 3)))])
    assert implied.bounds[0][1] == m.renyi(2)
    slope = sp.Rational(1, 2)  # (a^2 - b^2)/(a - b) (q - 1)/q at a = 3, b = 1/3: 5/3
    odds = slope * (3 + sp.Rational(1, 3))
    found = implied.at(sp.log(odds), 20)
    exact = Fr(3, 4) - Fr(5, 3) * Fr(1, 4)
    assert found.contains(exact) and found.digits >= 20


def test_below_the_corner_the_bound_is_elementary():
    """For eps <= r + log(1 - 1/q) the worst pair has u = 1: delta = 1 - e^(eps - r)."""
    implied = implied_profile([(2, 1)])
    with mp.workdps(40):
        for eps in (0, "1/4", -3):
            value = 1 - mp.exp(mp.mpf(sp.Rational(eps).p) / sp.Rational(eps).q - 1)
            found = implied.at(eps, 20)
            assert abs(mp.mpf(found.middle.numerator) / found.middle.denominator - value) < 1e-19


def test_tiny_values_keep_their_digits():
    implied = implied_profile([(10**4, "1/10")])
    found = implied.at("1/2", 10)
    assert found.digits >= 10 and found.upper < Fr(1, 10**1700)
    assert found.lower <= Fr(str(sp.N(implied.conversion("1/2"), 20))) * (1 + Fr(1, 10**10))


def test_equal_distributions():
    implied = implied_profile([(2, 0), (3, 1)])
    assert implied.at(1).middle == 0 and implied.at(0).middle == 0
    assert implied.at(-1, 10).contains(implied.at(-1, 30).middle)


@pytest.mark.parametrize(("bounds", "fault"), [
    ([(1, 1)], "q > 1"), ([(2, -1)], "r >= 0"), ([], "between 1 and"), ([2], "must be a pair"),
    ([(2.5, 1)], "is a float"), ("2", "must be a list"), ([(sp.Symbol("q"), 1)], "needs numbers"),
])
def test_bad_bounds(bounds, fault):
    with pytest.raises(InputError, match=fault):
        implied_profile(bounds)


def test_renyi_curves_need_orders():
    with pytest.raises(InputError, match="orders"):
        implied_profile(gaussian(1).renyi)
    with pytest.raises(InputError, match="orders go with"):
        implied_profile([(2, 1)], orders=[2])
    with pytest.raises(InputError, match="oo is not a finite number"):
        implied_profile(exponential(1, 2).renyi, orders=[3])
