"""Atoms on no lattice: all of their sums, met in the middle."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import pytest
import sympy as sp

from lapdp import (
    discrete_gaussian,
    finite,
    geometric,
    kary_response,
    laplace,
    poisson,
    randomized_response,
    staircase,
)
from lapdp.accounting.delta import delta
from lapdp.accounting.inversion import atom_arrays, counts, lattices, met, smoothed
from lapdp.accounting.method_names import MET
from lapdp.accounting.moments.releases import releases
from lapdp.balls.decimals import fraction_ball
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair
from tests.effort import calls_at_most

DRAWN = [poisson(staircase("1/10"), rate, direction=way) for rate, way in (
    ("1/10", "remove"), ("1/1000", "add"))]
NORMAL = poisson(discrete_gaussian(1), "1/10", direction="remove")


def by(rule: Callable[..., Any], pair: Pair, eps: str, accuracy: int) -> Any:
    with workprec(200):
        return rule(releases(pair), fraction_ball(Fraction(eps)), accuracy)


@pytest.mark.parametrize(("pair", "eps"), [
    (DRAWN[0]**100 * staircase("1/100"), "1/10"),
    (DRAWN[1]**1000 * randomized_response("1/7")**2, "1/4"),
    (DRAWN[0]**30 * poisson(kary_response(4, 1), "1/3", direction="add")**2, "1/3"),
    (kary_response(3, "1/10")**20 * poisson(staircase(1), "1/5", direction="add")**3, "-1/3"),
])
def test_sums_over_counts_say_the_same(pair: Pair, eps: str) -> None:
    found, exact = by(met.delta, pair, eps, 10), by(counts.delta, pair, eps, 60)
    assert found.overlaps(exact) and found.rel_accuracy_bits() > 32


@pytest.mark.parametrize(("pair", "eps"), [
    (staircase(1)**300 * staircase("1/100")**30 * DRAWN[0], "20"),
    (staircase("1/10")**200 * NORMAL, "1"),
])
def test_a_little_noise_says_the_same(pair: Pair, eps: str) -> None:
    found, other = by(met.delta, pair, eps, 10), by(smoothed.delta, pair, eps, 7)
    assert found.overlaps(other) and found.rel_accuracy_bits() > 32


def test_places_of_lattices_say_the_same() -> None:
    pair = randomized_response(1)**200 * poisson(randomized_response(2), "1/7", direction="add")**60
    found, other = by(met.delta, pair, "30", 10), by(lattices.delta, pair, "30", 60)
    assert found.overlaps(other) and found.rel_accuracy_bits() > 32


@pytest.mark.parametrize("eps", [Fraction(1, 100), Fraction(1, 2), Fraction(2)])
def test_against_a_sum_over_all_outcomes(eps: Fraction) -> None:
    # (w p + (1 - w) q, q) three times, by masses of 25 numbers in balls
    with workprec(200):
        kept, w = range(-12, 13), flint.arb("0.1")
        whole = sum(((-flint.arb(x * x) / 2).exp() for x in range(-40, 41)), flint.arb(0))
        q = {x: (-flint.arb(x * x) / 2).exp() / whole for x in kept}
        p = {x: w * (-flint.arb((x - 1) ** 2) / 2).exp() / whole + (1 - w) * q[x] for x in kept}
        shift, total = fraction_ball(eps).exp(), flint.arb(0)
        for xs in itertools.combinations_with_replacement(kept, 3):
            ways = math.factorial(3) // math.prod(math.factorial(xs.count(x)) for x in set(xs))
            gap = math.prod((p[x] for x in xs), start=flint.arb(1)) - shift * math.prod(
                (q[x] for x in xs), start=flint.arb(1))
            total += ways * gap.max(flint.arb(0))
        rest = flint.arb("1e-28")
    found = by(met.delta, NORMAL**3, str(eps), 10)
    assert found.overlaps(total + flint.arb(0, rest)) and found.rel_accuracy_bits() > 32


@pytest.mark.parametrize(("count", "share"), [(1, "0.3"), (50, "0.001"), (10**6, "0.4"),
                                              (10**9, "0.00001")])
def test_binomial_probabilities(count: int, share: str) -> None:
    with workprec(200):
        p = flint.arb(share)
        first, row, rest = atom_arrays.binomial(count, p, 1e-15)
        assert abs(float(row.sum()) + rest / 2 - 1) <= rest / 2 + 1e-11
        for j in {0, len(row) // 3, len(row) // 2, len(row) - 1}:
            n = first + j
            exact = (flint.arb(count + 1).lgamma() - flint.arb(n + 1).lgamma()
                     - flint.arb(count - n + 1).lgamma() + n * p.log()
                     + (count - n) * (1 - p).log()).exp()
            assert abs(float(row[j]) / float(exact) - 1) < 1e-12


def test_too_many_sums_are_refused_at_once() -> None:
    sampled = poisson(discrete_gaussian(2), "1/10", direction="add")
    for count in (30, 10**6, 10**9):
        with calls_at_most(10**6), pytest.raises(Unsupported, match=r"sums|too little"):
            by(met.delta, sampled**count, "1", 10)
    with pytest.raises(Unsupported, match="more than"):
        by(met.delta, DRAWN[1]**10**6, "1", 10)
    with pytest.raises(Unsupported, match="no atoms"):
        by(met.delta, laplace(1) * NORMAL, "1", 10)


def test_it_is_asked_first() -> None:
    found = delta(staircase("1/100")**10**6 * NORMAL, sp.Integer(1), 10)
    assert found.method == MET and "rounded" in found.assumes


def test_what_is_too_little_for_doubles_is_refused() -> None:
    pair = geometric("42/25")**100000 * finite(["1/2", "1/3", "1/6"], ["1/7", "2/7", "4/7"])**8
    with pytest.raises(Unsupported, match="for doubles"):
        by(met.delta, pair, "0", 5)
