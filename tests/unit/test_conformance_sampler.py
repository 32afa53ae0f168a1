"""``check_sampler``: bounds by exact sums, and what samples may and may not refute."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from lapdp.core.errors import InputError
from lapdp.testing import LawFailed, check_sampler
from lapdp.testing.conformance.sampler import GRID, largest_probability, least_probability
from lapdp.testing.strategies import neighbours

COUPLES = [((0,), (1,))]


def at_least(successes, trials, p):
    return sum(comb(trials, k) * p**k * (1 - p) ** (trials - k)
               for k in range(successes, trials + 1))


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 30), st.data(), st.sampled_from([Fraction(1, 20), Fraction(1, 10**9)]))
def test_bounds_are_those_of_exact_sums(trials, data, error):
    successes = data.draw(st.integers(0, trials))
    p = least_probability(successes, trials, error)
    assert p == 0 or at_least(successes, trials, p) <= error
    assert successes == 0 or at_least(successes, trials, p + Fraction(1, GRID)) > error
    q = largest_probability(successes, trials, error)
    assert q == 1 or 1 - at_least(successes + 1, trials, q) <= error


def biased(data, rng):
    return data[0] if rng.random() < 0.9 else 1 - data[0]


def test_a_wrong_guarantee_is_refuted():
    with pytest.raises(LawFailed, match="P\\(S\\) <= e\\^eps Q\\(S\\) \\+ delta"):
        check_sampler(biased, neighbours=COUPLES, guarantee=sp.log(5))
    assert not check_sampler(biased, neighbours=COUPLES, guarantee=(0, "1/2"), on_fail="report")


def test_a_leak_in_one_direction_is_refuted():
    def shame(data, rng):
        return "leak" if data[0] and rng.random() < 0.05 else 0

    for couples in (COUPLES, [((1,), (0,))]):
        assert not check_sampler(shame, neighbours=couples, guarantee=(1, "1/100"),
                                 on_fail="report")
        assert check_sampler(shame, neighbours=couples, guarantee=(0, "1/20"))


def test_a_right_guarantee_is_refuted_as_rarely_as_said():
    """eps is exact here, so that a looser error would show."""
    wrong = sum(not check_sampler(biased, neighbours=COUPLES, guarantee=sp.log(9), samples=200,
                                  error="1/10", seed=seed, on_fail="report")
                for seed in range(60))
    assert wrong <= 12


@pytest.mark.parametrize("arguments", [
    {"M": 1}, {"neighbours": neighbours()}, {"neighbours": []}, {"neighbours": [(0,)]},
    {"samples": 1}, {"samples": True}, {"error": 0}, {"error": 1e-6}, {"guarantee": 0.5},
    {"guarantee": sp.oo}])
def test_arguments_without_meaning(arguments):
    with pytest.raises(InputError):
        check_sampler(**{"M": biased, "neighbours": COUPLES, "guarantee": 1, **arguments})


def test_outcomes_are_counted():
    found = check_sampler(lambda data, rng: [data], neighbours=COUPLES, guarantee=1,
                          on_fail="report", samples=4)
    assert "return a hashable one" in str(found.failures[0])
    found = check_sampler(lambda data, rng: 1 / 0, neighbours=COUPLES, guarantee=1,
                          on_fail="report", samples=4)
    assert "raised ZeroDivisionError" in str(found.failures[0])
