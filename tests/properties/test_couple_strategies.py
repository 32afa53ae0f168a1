"""Dominated, crossing and Renyi-ordered couples: what they promise, by routes of their own."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as Fr
from itertools import combinations

import pytest
import sympy as sp
from hypothesis import HealthCheck, example, find, given, settings
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from mpmath import mp

from lapdp import dominates, finite, renyi_dominates
from lapdp.testing.strategies import (
    dominated_pairs,
    finite_pairs,
    renyi_ordered_pairs,
    unordered_pairs,
)
from lapdp.testing.strategies.differences import couple_of, through
from lapdp.testing.strategies.dominated import WAYS
from tests.oracle.feasible import feasible


def is_pair(pair):
    return finite(pair.P, pair.Q) == pair


def profile(pair, alpha):
    """The definition, over all events."""
    rows = pair.masses
    return max(sum((p - alpha * q for p, q in event), Fr(0))
               for size in range(len(rows) + 1) for event in combinations(rows, size))


def gaps(couple):
    """larger - smaller at 0+, at all breakpoints of both, and beyond."""
    cuts = sorted({p / q for pair in couple for p, q in pair.masses if p and q})
    points = [*cuts, cuts[-1] * 2] if cuts else [Fr(1)]
    first = points[0] / 2
    return [profile(couple[1], a) - profile(couple[0], a) for a in (first, *points)]


# -- dominated ------------------------------------------------------------------------------------

@pytest.mark.parametrize("way", WAYS)
def test_each_way_dominates(way):
    seen = Counter()

    @settings(max_examples=40, database=None)
    @given(dominated_pairs(ways=(way,)))
    def check(couple):
        smaller, larger = couple
        assert is_pair(smaller) and is_pair(larger)
        found = gaps(couple)
        assert min(found) >= 0
        assert dominates(larger, smaller)
        seen[any(found)] += 1

    check()
    assert seen[True] >= 3


@settings(max_examples=60)
@given(dominated_pairs(strict=True))
def test_strict_means_that_the_profiles_differ(couple):
    found = gaps(couple)
    assert min(found) >= 0 and max(found) > 0
    assert not dominates(*couple)
    assert len(couple[1].masses) <= 4


@settings(max_examples=25)
@given(dominated_pairs())
def test_dominance_orders_renyi_divergences_in_both_directions(couple):
    smaller, larger = couple
    for first, second in ((larger, smaller), (larger.reverse(), smaller.reverse())):
        assert renyi_dominates(first, second) and renyi_dominates(first, second, (0, 1))
    for n in (-3, -2, 2, 3, 5):
        assert larger.moment(n) >= smaller.moment(n)


def is_post_processing(smaller, larger):
    """Is there a channel K with P K = P' and Q K = Q'?  By linear programming, no profiles."""
    n, m = len(larger.masses), len(smaller.masses)
    places = [(i, j) for i in range(n) for j in range(m)]
    rows = [[Fr(i == k) for i, _ in places] for k in range(n)]
    right = [Fr(1)] * n
    for side in (0, 1):
        for k in range(m):
            rows.append([larger.masses[i][side] * (j == k) for i, j in places])
            right.append(smaller.masses[k][side])
    return feasible(rows, right)


@settings(max_examples=40)
@given(finite_pairs(max_size=3), finite_pairs(max_size=3))
def test_blackwell(first, second):
    """What a pair dominates are its post-processings, and nothing else."""
    assert is_post_processing(second, first) == first.profile_dominates(second)


@settings(max_examples=30)
@given(dominated_pairs(), unordered_pairs(max_size=3), renyi_ordered_pairs())
def test_couples_by_blackwell(dominated, crossing, ordered):
    assert is_post_processing(*dominated)
    for first, second in (crossing, ordered):
        assert not is_post_processing(first, second) and not is_post_processing(second, first)


# -- crossing -------------------------------------------------------------------------------------

@settings(max_examples=80, suppress_health_check=[HealthCheck.filter_too_much])
@given(unordered_pairs())
def test_crossing_profiles_cross(couple):
    assert all(map(is_pair, couple))
    found = gaps(couple)
    assert min(found) < 0 < max(found)


@settings(max_examples=40)
@given(unordered_pairs(absolutely_continuous="both", max_size=3))
def test_crossing_without_infinite_losses(couple):
    assert all(pair.absolutely_continuous and pair.reverse_absolutely_continuous
               for pair in couple)
    assert not dominates(*couple) and not dominates(couple[1], couple[0])


# -- ordered by Renyi divergences -----------------------------------------------------------------

def moment(pair, q):
    """E_q to 60 digits, None where it is infinite; by the definition."""
    if any((p and not w and q > 1) or (w and not p and q < 0) for p, w in pair.masses):
        return None
    with mp.workdps(60):
        return mp.fsum(number(p) ** number(q) * number(w) ** number(1 - q)
                       for p, w in pair.masses if p and w)


def number(x):
    return mp.mpf(x.numerator) / x.denominator


RATIONALS = [Fr(n, 7) for n in range(-30, 40) if n not in (0, 7)]


@settings(max_examples=15)
@given(renyi_ordered_pairs())
@example((finite(["1/4", "3/4"], ["3/4", "1/4"]),
          finite(["1/28", "9/14", "9/28"], ["9/28", "9/14", "1/28"])))
def test_all_orders_of_both_directions(couple):
    smaller, larger = couple
    assert is_pair(smaller) and is_pair(larger)
    found = gaps(couple)
    assert min(found) < 0 < max(found)
    for first, second in ((larger, smaller), (larger.reverse(), smaller.reverse())):
        assert renyi_dominates(first, second) and renyi_dominates(first, second, (0, 1))
    for q in RATIONALS:
        high, low = moment(larger, q), moment(smaller, q)
        if high is None:
            continue
        assert low is not None
        gap = (high - low) * (-1 if 0 < q < 1 else 1)
        assert gap > -mp.mpf(10) ** -50 * (high + low)


@pytest.mark.parametrize("continuity", [None, "both"])
@pytest.mark.parametrize(("orders", "intervals"), [
    ("positive", [(1, sp.oo), (0, 1)]), ("above 1", [(1, sp.oo)])])
def test_fewer_orders(orders, intervals, continuity):
    fails = Counter()

    @settings(max_examples=30, database=None)
    @given(renyi_ordered_pairs(orders=orders, absolutely_continuous=continuity))
    def check(couple):
        smaller, larger = couple
        for interval in intervals:
            assert renyi_dominates(larger, smaller, interval)
        backwards = renyi_dominates(larger.reverse(), smaller.reverse())
        fails[bool(backwards)] += 1

    check()
    # a third of those without infinite losses
    assert continuity is None or fails[False]


@settings(max_examples=15)
@given(renyi_ordered_pairs(strict=True), renyi_ordered_pairs(strict=True,
                                                             absolutely_continuous="both"))
def test_strict_orders_differ_at_every_order(couple, continuous):
    assert all(pair.absolutely_continuous and pair.reverse_absolutely_continuous
               for pair in continuous)
    for smaller, larger in (couple, continuous):
        for q in RATIONALS:
            high, low = moment(larger, q), moment(smaller, q)
            assert high is None or (high - low) * (-1 if 0 < q < 1 else 1) > 0
            assert low is not None
        for first, second in ((larger, smaller), (larger.reverse(), smaller.reverse())):
            assert divergence(first) > divergence(second)


def divergence(pair):
    """Of Kullback and Leibler, the order 1."""
    with mp.workdps(50):
        return mp.fsum(number(p) * mp.log(number(p) / number(q)) if q else mp.inf
                       for p, q in pair.masses if p)


@settings(max_examples=30)
@given(st.sampled_from((2, 3, 4)), st.lists(st.integers(-4, 4), min_size=1, max_size=4).filter(any))
def test_both_orders_are_read_off_a_polynomial(r, S):
    """The head of renyi_ordered.py, both ways: zeros of S, and its coefficients."""
    D = [0] * (len(S) + 2)
    for k, s in enumerate(S):
        for j, factor in enumerate((r, -1 - r, 1)):
            D[k + j] += s * factor
    smaller, larger = couple_of({Fr(r) ** k: Fr(c) for k, c in enumerate(D)})
    cuts = {*smaller.breakpoints(), *larger.breakpoints()}
    lowest = next(k for k, c in enumerate(D) if c)
    for k, s in enumerate(S):
        alpha = min(cuts) * Fr(r) ** (k + 1 - lowest)
        gap = larger.hockey_stick(alpha) - smaller.hockey_stick(alpha)
        assert (gap > 0) - (gap < 0) == (s > 0) - (s < 0)
    roots = sp.real_roots(sp.Poly(S[::-1], sp.Symbol("x")), multiple=False)
    nonnegative = next(s for s in S[::-1] if s) > 0 and all(
        count % 2 == 0 for root, count in roots if root > 0)
    ordered = (renyi_dominates(larger, smaller) and renyi_dominates(larger, smaller, (0, 1))
               and renyi_dominates(larger.reverse(), smaller.reverse()))
    assert bool(ordered) == nonnegative


def test_large_powers_and_a_catalyst_are_ordered_after_all():
    """Mu, Pomatto, Strack, Tamuz 2021: strict Renyi order is dominance of large powers."""
    smaller = finite(["1/4", "3/4"], ["3/4", "1/4"])
    larger = finite(["1/28", "9/14", "9/28"], ["9/28", "9/14", "1/28"])
    powers, one = [], finite([1], [1])
    high = low = one
    for _ in range(24):
        high, low = (high * larger).merge(), (low * smaller).merge()
        powers.append(high.profile_dominates(low))
    assert not any(powers[:5]) and all(powers[17:])
    # Polya: (1 + x)^n S has no negative coefficient, so products with enough coins are ordered
    coin, common, with_coins = finite(["1/2", "1/2"], ["3/4", "1/4"]), one, []
    for _ in range(24):
        common = (common * coin).merge()
        with_coins.append((larger * common).profile_dominates(smaller * common))
    assert not with_coins[0] and with_coins[-1]
    assert with_coins == sorted(with_coins)


# -- differences ----------------------------------------------------------------------------------

def test_a_difference_is_what_was_asked():
    points = [(Fr(1, 3), Fr(1)), (Fr(1), Fr(-2)), (Fr(2), Fr(3)), (Fr(5), Fr(-1, 2))]
    first, second = couple_of(through(points))
    assert is_pair(first) and is_pair(second)
    s = min({*first.breakpoints(), *second.breakpoints()}) / points[0][0]
    found = {(profile(second, s * a) - profile(first, s * a)) / h for a, h in points}
    assert s > 0 and len(found) == 1 and found.pop() > 0


# -- arguments, shrinking, variety ----------------------------------------------------------------

@pytest.mark.parametrize(("make", "message"), [
    (lambda: dominated_pairs(ways=()), "ways=() must name some of channel, map, leak"),
    (lambda: dominated_pairs(ways=("chanel",)), "ways=('chanel',) must name some of"),
    (lambda: dominated_pairs(ways=("product",), max_size=3), "ways=('product',) need max_size >="),
    (lambda: dominated_pairs(ways=("leak",), max_size=1), "ways=('leak',) need max_size >= 2"),
    (lambda: dominated_pairs(max_size=0), "max_size=0 must be an integer >= 1"),
    (lambda: dominated_pairs(strict=True, max_size=1), "strict=True needs max_size >= 2"),
    (lambda: unordered_pairs(max_size=1), "min_size=2 is larger than max_size=1"),
    (lambda: unordered_pairs(absolutely_continuous="forward"), "absolutely_continuous='forward'"),
    (lambda: renyi_ordered_pairs(orders="q > 1"), "orders='q > 1' must be one of"),
    (lambda: renyi_ordered_pairs(max_weight=0), "max_weight=0 must be an integer >= 1"),
])
def test_bad_arguments_are_invalid(make, message):
    with pytest.raises(InvalidArgument) as caught:
        make()
    assert message in str(caught.value)


def test_failures_shrink_to_few_outcomes():
    smaller, larger = find(dominated_pairs(), lambda c: not dominates(*c))
    assert len(smaller.masses) == 1 and len(larger.masses) == 2
    couple = find(dominated_pairs(strict=True), lambda c: c[1].absolutely_continuous
                  and c[1].reverse_absolutely_continuous)
    assert max(m.denominator for pair in couple for row in pair.masses for m in row) <= 3
    crossing = find(unordered_pairs(absolutely_continuous="both"), lambda c: True)
    assert [len(pair.masses) for pair in crossing] == [2, 2]
    ordered = find(renyi_ordered_pairs(absolutely_continuous="both"),
                   lambda c: c[0].hockey_stick(1) > c[1].hockey_stick(1))
    assert [len(pair.masses) for pair in ordered] == [2, 3]


def test_all_kinds_of_renyi_order_occur():
    seen = Counter()

    @settings(max_examples=150, database=None, derandomize=True)
    @given(renyi_ordered_pairs())
    def collect(couple):
        _, larger = couple
        seen[larger.absolutely_continuous, larger.reverse_absolutely_continuous] += 1
        seen["sizes", len(larger.masses)] += 1

    collect()
    assert min(seen[kind] for kind in ((True, True), (True, False), (False, True),
                                       (False, False))) >= 8
    assert len([key for key in seen if key[0] == "sizes"]) >= 4
