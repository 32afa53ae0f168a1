"""Renyi dominance against mpmath quadrature, and what it does not imply."""

from __future__ import annotations

import itertools
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from lapdp import (
    approximate_dp,
    exponential,
    finite,
    gaussian,
    geometric,
    laplace,
    randomized_response,
    staircase,
)
from lapdp.accounting import dominates, renyi_dominates
from lapdp.core.errors import InputError
from lapdp.testing.strategies import finite_pairs

half = sp.Rational(1, 2)
PAIRS = [randomized_response(1), laplace(1), laplace(half), geometric(half, 3), staircase(1),
         gaussian(1), gaussian(2, 3), finite(["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"])]


def divergence(pair, q):
    """log of the integral of p^q q^(1-q), by sums and quadrature, over q - 1."""
    kind, *data = pair.numeric_pair({})
    if kind == "finite":
        def number(x):
            return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(x)

        total = mp.fsum(number(a) ** q * number(b) ** (1 - q) for a, b in data[0] if a and b)
    else:
        p, r, (low, high), kinks = data
        ends = [max(low, -30), *kinks, min(high, 30)]
        total = mp.quad(lambda x: p(x) ** q * r(x) ** (1 - q), ends)
    return mp.log(total) / (q - 1)


@pytest.mark.parametrize("first, second", list(itertools.combinations(PAIRS, 2)), ids=str)
def test_signs_agree_with_quadrature(first, second):
    answer = renyi_dominates(first, second)
    below = renyi_dominates(second, first)
    assert answer.verdict != "undecided" and below.verdict != "undecided"
    for q in (1.05, 1.3, 2, 3.4, 6):
        gap = divergence(first, mp.mpf(q)) - divergence(second, mp.mpf(q))
        if abs(gap) < 1e-9:
            continue
        if gap < 0:
            assert not answer
        else:
            assert not below
        if answer.pattern is not None:
            zeros = [float(z.enclosure(15).mid()) for z in answer.pattern.zeros]
            assert (gap > 0) == (answer.pattern.signs[sum(1 for z in zeros if z < q)] > 0)


def test_dominance_implies_renyi_dominance_and_not_conversely():
    for first, second in itertools.permutations(PAIRS, 2):
        if dominates(first, second):
            assert renyi_dominates(first, second)
            assert renyi_dominates(first, second, orders=(0, 1))
    # equation (45): at every order, and yet the profiles cross
    assert renyi_dominates(gaussian(1), randomized_response(1))
    assert dominates(gaussian(1), randomized_response(1)).relation == "crossing"
    assert renyi_dominates(laplace(1) ** 2, randomized_response(1))
    assert dominates(laplace(1) ** 2, randomized_response(1)).relation == "crossing"


def test_crossings_in_q():
    answer = renyi_dominates(gaussian(1), randomized_response(4))
    (crossing,) = answer.crossings(40)
    with mp.workdps(50):
        def gap(q):
            return q / 2 - divergence(randomized_response(4), q)

        root = mp.findroot(gap, 8)
        assert abs(mp.mpf(crossing.at.middle.numerator) / crossing.at.middle.denominator
                   - root) < 1e-38
    q, larger, smaller = answer.failure
    assert larger.compare(smaller) == -1 and q > 1
    assert answer.pattern.signs == (-1, 1)
    assert renyi_dominates(gaussian(1), randomized_response(4), orders=(8, sp.oo))
    assert not renyi_dominates(gaussian(1), randomized_response(4), orders=("7.9", 9))


def test_infinite_divergences():
    heavy, heavier = exponential(1, 2), exponential(1, 3)         # infinite from q = 2, and 3/2, on
    assert renyi_dominates(heavier, heavy)
    answer = renyi_dominates(heavy, heavier)
    assert answer.verdict == "refuted" and sp.Rational(3, 2) <= answer.failure.at < 2
    assert answer.failure.smaller == sp.oo
    assert renyi_dominates(heavy, laplace("1/9"), orders=(2, 5))
    leak = randomized_response(1, "1/10")
    assert renyi_dominates(leak, gaussian("1/10"))
    answer = renyi_dominates(gaussian("1/10"), leak)
    assert answer.verdict == "refuted" and answer.failure.smaller == sp.oo
    assert renyi_dominates(gaussian("1/10"), leak, orders=(0, "1/2")).verdict == "refuted"


def test_below_one_the_order_of_moments_is_reversed():
    for q in ("1/4", "1/2", "3/4"):
        r = mp.mpf(sp.Rational(q).p) / sp.Rational(q).q
        gap = divergence(laplace(1), r) - divergence(randomized_response(half), r)
        assert gap > 0
    assert renyi_dominates(laplace(1), randomized_response(half), orders=(0, 1))
    assert not renyi_dominates(randomized_response(half), laplace(1), orders=("1/4", "1/2"))


@settings(max_examples=60, deadline=None)
@given(finite_pairs(max_size=3, absolutely_continuous="both"),
       finite_pairs(max_size=3, absolutely_continuous="both"), st.integers(2, 6))
def test_finite_pairs_against_exact_moments(first, second, q):
    answer = renyi_dominates(first, second)
    gap = first.moment(q) - second.moment(q)
    if answer.verdict in ("proved", "derived"):
        assert gap >= 0
    if answer.pattern is not None and answer.pattern.nonnegative is False:
        at, larger, smaller = answer.failure
        assert larger.compare(smaller) == -1 and at > 1
    if first.profile_dominates(second):
        assert answer.verdict in ("proved", "derived")


@pytest.mark.parametrize("orders", [(2, 1), (-1, 1), ("1/2", 3), (1,), 5, (0, sp.oo)])
def test_orders_are_checked(orders):
    with pytest.raises(InputError, match="orders"):
        renyi_dominates(laplace(1), gaussian(1), orders=orders)


def test_what_is_not_decided_says_so():
    b = sp.Symbol("b", positive=True)
    answer = renyi_dominates(laplace(b), laplace(1) * laplace(b))
    assert answer.verdict == "undecided" and not answer
    assert renyi_dominates(laplace(1) * laplace(b), laplace(b))
    with pytest.raises(InputError, match="no pair"):
        renyi_dominates(1, laplace(1))


def test_a_mass_at_infinity_that_may_be_zero_settles_nothing():
    # at d = 0 the pair is randomized_response(1), whose divergences stay below those of gaussian(1)
    d = sp.Symbol("d", nonnegative=True)
    assert renyi_dominates(approximate_dp(1, 0), gaussian(1)).verdict == "refuted"
    assert renyi_dominates(approximate_dp(1, d), gaussian(1)).verdict == "undecided"
    assert renyi_dominates(gaussian(1), approximate_dp(1, d)).verdict == "undecided"
    some = sp.Symbol("d", positive=True)
    assert renyi_dominates(approximate_dp(1, some), gaussian(1))
    assert renyi_dominates(gaussian(1), approximate_dp(1, some)).verdict == "refuted"


def test_a_failure_is_shown_at_a_plain_order_and_for_disjoint_supports():
    answer = renyi_dominates(exponential(1, 2) * laplace(1), exponential("3/4", "43/20"))
    assert answer.failure.at.q < 100 and answer.failure.smaller == sp.oo
    disjoint = finite([1, 0], [0, 1])
    answer = renyi_dominates(exponential(2, 3), disjoint, (0, 1))
    assert answer.verdict == "refuted"
    assert answer.failure.smaller == sp.oo and 0 < answer.failure.larger.middle < 1
