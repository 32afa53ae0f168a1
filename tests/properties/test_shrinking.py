"""What is found first shrinks to what one prints in a paper: few outcomes, small fractions."""

from __future__ import annotations

from fractions import Fraction as Fr
from random import Random

import pytest
from hypothesis import HealthCheck, find, settings

from lapdp.testing.strategies import (
    alphas,
    channels,
    finite_pairs,
    loss_distributions,
    profiles,
    renyi_curves,
    tradeoff_functions,
)

SEEDS = (1, 2)
quick = settings(max_examples=2000, database=None, suppress_health_check=list(HealthCheck))


def found(strategy, holds, seed):
    return find(strategy, holds, settings=quick, random=Random(seed))


def apart(pair):
    """The total variation distance."""
    return pair.hockey_stick(1)


def mutual(pair):
    return pair.absolutely_continuous and pair.reverse_absolutely_continuous


def asymmetric(pair):
    return pair.merge() != pair.reverse().merge()


def lacking(pair):
    return pair.reverse().mass_at_infinity


def between(low, value, high):
    return low < value < high


def on_a_lattice(pair):
    """Two losses or more that are multiples of one, by the first powers."""
    ratios = [ratio for ratio in pair.breakpoints() if ratio != 1]
    return len(ratios) > 1 and all(
        any(ratio**m == ratios[0]**n for m in range(1, 7) for n in range(-6, 7))
        for ratio in ratios)


def second_moment(pair):
    return pair.moment_value(2) if pair.absolutely_continuous else 0


PAIRS = {
    "anything": (lambda pair: True, 1, 1),
    "P is not Q": (lambda pair: pair.P != pair.Q, 2, 2),
    "not P << Q": (lambda pair: not pair.absolutely_continuous, 2, 1),
    "not Q << P": (lambda pair: not pair.reverse_absolutely_continuous, 2, 2),
    "atoms at both infinities and between": (
        lambda pair: pair.mass_at_infinity and lacking(pair) and pair.breakpoints(), 3, 2),
    "delta(0) > 1/2": (lambda pair: apart(pair) > Fr(1, 2), 2, 3),
    "delta(0) > 1/2, all losses finite": (
        lambda pair: apart(pair) > Fr(1, 2) and mutual(pair), 2, 7),
    "asymmetric": (asymmetric, 2, 2),
    "asymmetric, all losses finite": (lambda pair: asymmetric(pair) and mutual(pair), 2, 3),
    "far apart": (lambda pair: apart(pair) > Fr(9, 10), 2, 11),
    "near but not equal": (lambda pair: between(0, apart(pair), Fr(1, 10)), 2, 12),
    "on a lattice": (on_a_lattice, 2, 3),
    "on no lattice": (lambda pair: len(pair.breakpoints()) > 1 and not on_a_lattice(pair), 2, 3),
    "three losses": (lambda pair: len(pair.breakpoints()) == 3, 3, 6),
    "a little mass at infinity": (
        lambda pair: between(0, pair.mass_at_infinity, Fr(1, 10)), 3, 11),
    "a large second moment": (lambda pair: second_moment(pair) > 3, 3, 5),
    "a loss of 0 among others": (
        lambda pair: pair.P != pair.Q and Fr(1) in pair.breakpoints(), 3, 24),
    "one ratio twice": (lambda pair: len(pair.masses) > len(pair.merge().masses), 3, 3),
    "a large ratio": (lambda pair: max(pair.breakpoints(), default=0) > 5, 3, 7),
    "delta(log 2) > 1/4": (lambda pair: pair.hockey_stick(2) > Fr(1, 4), 2, 3),
}
"""A predicate, the most outcomes and the largest denominator that may remain."""

OF_NOTIONS = {
    "anything": (lambda pair: True, 1, 1),
    "an atom at infinity": (lambda pair: pair.mass_at_infinity, 2, 2),
    "an atom at infinity and others": (lambda pair: between(0, pair.mass_at_infinity, 1), 3, 2),
    "E[e^-Z] < 1, f(0) < 1": (lacking, 2, 2),
    "0 < f(0) < 1": (lambda pair: between(0, lacking(pair), 1), 2, 2),
    "a negative loss": (lambda pair: min(pair.breakpoints(), default=1) < 1, 2, 3),
    "two losses, a bend": (lambda pair: len(pair.breakpoints()) > 1, 2, 3),
    "three losses, two bends": (lambda pair: len(pair.breakpoints()) > 2, 3, 6),
    "not its own reversal": (asymmetric, 2, 2),
    "its own reversal": (lambda pair: pair.P != pair.Q and not asymmetric(pair), 2, 3),
    "a steep segment": (lambda pair: min(pair.breakpoints(), default=1) < Fr(1, 4), 2, 6),
    "on a lattice": (on_a_lattice, 3, 4),
}


def small(pair, outcomes, denominator):
    return len(pair.masses) <= outcomes and max(
        mass.denominator for row in pair.masses for mass in row) <= denominator


@pytest.mark.parametrize("name", PAIRS)
def test_finite_pairs(name):
    holds, outcomes, denominator = PAIRS[name]
    pair = found(finite_pairs(), holds, len(name))
    assert small(pair, outcomes, denominator), pair


@pytest.mark.parametrize("make", [loss_distributions, profiles, tradeoff_functions])
@pytest.mark.parametrize("name", OF_NOTIONS)
def test_notions(make, name):
    holds, outcomes, denominator = OF_NOTIONS[name]
    notion = found(make(), lambda notion: holds(notion.pair), len(name))
    assert small(notion.pair, outcomes, denominator), notion


@pytest.mark.parametrize(("options", "holds", "wanted"), [
    ({"lattice": 2}, lambda pair: True, {"finite([1], [1])"}),
    ({"lattice": 3, "absolutely_continuous": "both"}, lambda pair: pair.P != pair.Q,
     {'finite(["3/4", "1/4"], ["1/4", "3/4"])', 'finite(["1/4", "3/4"], ["3/4", "1/4"])'}),
    ({"lattice": 2, "absolutely_continuous": "neither"}, lambda pair: pair.breakpoints(),
     {'finite(["1/2", 0, "1/2"], ["1/2", "1/2", 0])'}),
    ({"symmetric": True}, lambda pair: pair.P != pair.Q, {"finite([0, 1], [1, 0])"}),
    ({"symmetric": True, "absolutely_continuous": "both"}, lambda pair: pair.P != pair.Q,
     {'finite(["1/3", "2/3"], ["2/3", "1/3"])'}),
    ({"symmetric": False, "absolutely_continuous": "both"}, lambda pair: True,
     {'finite(["1/2", "1/2"], ["1/3", "2/3"])'}),
    ({"absolutely_continuous": "neither"}, lambda pair: True, {"finite([0, 1], [1, 0])"}),
    ({"min_size": 3, "max_size": 3, "absolutely_continuous": "both"}, lambda pair: True,
     {'finite(["1/3", "1/3", "1/3"], ["1/3", "1/3", "1/3"])'}),
])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_smallest_pair_of_a_kind(options, holds, wanted, seed):
    assert repr(found(finite_pairs(**options), holds, seed)) in wanted


@pytest.mark.parametrize("holds", [
    lambda curve: True,
    lambda curve: max(map(second_moment, curve.pairs)) > 2,
    lambda curve: max(pair.breakpoints()[-1] for pair in curve.pairs) > 5,
    lambda curve: curve.pairs[0].moment_value(3) < curve.pairs[1].moment_value(3),
])
def test_curves_of_no_pair(holds):
    near, far = found(renyi_curves(realizable=False), holds, 1).pairs
    assert small(near, 2, 12) and small(far, 3, 72), (near, far)


def test_curves_of_a_pair():
    assert repr(found(renyi_curves(), lambda curve: True, 1).pairs) == "(finite([1], [1]),)"
    (pair,) = found(renyi_curves(realizable=True), lambda curve: curve(2) > 0, 1).pairs
    assert small(pair, 2, 2)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("holds", "wanted"), [
    (lambda alpha: True, 1), (lambda alpha: alpha > 1, 2), (lambda alpha: alpha < 1, Fr(1, 2)),
    (lambda alpha: alpha > 2, 3), (lambda alpha: alpha.denominator > 2, Fr(1, 3)),
])
def test_values_of_e_to_eps(holds, wanted, seed):
    assert found(alphas(), holds, seed) == wanted


@pytest.mark.parametrize(("holds", "outputs", "denominator"), [
    (lambda channel: True, 1, 1),
    (lambda channel: len(channel[0]) > 1, 2, 1),
    (lambda channel: channel[0] != channel[1], 2, 2),
    (lambda channel: all(0 < entry < 1 for row in channel for entry in row), 2, 2),
    (lambda channel: any(0 < entry < Fr(1, 4) for row in channel for entry in row), 2, 5),
])
def test_channels(holds, outputs, denominator):
    channel = found(channels(2), holds, 1)
    assert len(channel[0]) <= outputs
    assert max(entry.denominator for row in channel for entry in row) <= denominator
