"""Sums of half of the releases beside all others: against all outcomes, and exact sums."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from typing import Any

import flint
import mpmath as mp
import numpy as np
import pytest

from lapdp import discrete_gaussian, finite, gaussian, poisson, randomized_response
from lapdp.accounting.inversion import counts, half_bounds, half_laws, halves, smoothed
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.unit.test_smoothed import holds


def ball(pair: Any, eps: Fraction, digits: int = 10) -> Any:
    """delta at eps >= 0."""
    with workprec(halves.BITS):
        return halves.delta(releases(pair), point(eps), digits)


def point(eps: Fraction) -> Any:
    return flint.arb(flint.fmpq(eps.numerator, eps.denominator))


def masses(n: int, seed: int) -> list[Fraction]:
    draw = random.Random(seed)
    whole = [draw.randint(1, 1000) for _ in range(n)]
    return [Fraction(x, sum(whole)) for x in whole]


def by_outcomes(rows: list[tuple[list[Any], list[Any]]], eps: Any) -> Any:
    """All tuples of outcomes, one of each row."""
    total = mp.mpf(0)
    for way in itertools.product(*(list(zip(p, q, strict=True)) for p, q in rows)):
        one, two = mp.fprod(x for x, _ in way), mp.fprod(x for _, x in way)
        total += max(mp.mpf(0), one - mp.exp(eps) * two)
    return total


def number(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator


@pytest.mark.parametrize(("n", "k", "eps"), [
    (3, 5, "1/10"), (4, 5, "1/3"), (6, 4, "0"), (5, 4, "2"), (7, 1, "1/5")])
def test_few_releases_by_all_outcomes(n: int, k: int, eps: str) -> None:
    p, q = masses(n, 3 * n + k), masses(n, 5 * n + k)
    with mp.workdps(40):
        row = [number(x) for x in p], [number(x) for x in q]
        value = by_outcomes([row] * k, number(Fraction(eps)))
        assert holds(ball(finite(p, q)**k, Fraction(eps)), value)


def sampled(v: int, rate: Fraction, far: int) -> tuple[list[Any], list[Any]]:
    """(P, Q) of a sample of a discrete Gaussian of sensitivity 1, removed, on few places."""
    with mp.workdps(40):
        whole = mp.fsum(mp.exp(-mp.mpf(x * x) / (2 * v)) for x in range(-99, 100))
        places = range(-far, far + 2)
        base, shifted = ([mp.exp(-mp.mpf((x - s)**2) / (2 * v)) / whole for x in places]
                         for s in (0, 1))
        w = number(rate)
        return [(1 - w) * a + w * b for a, b in zip(base, shifted, strict=True)], base


@pytest.mark.parametrize(("rate", "direction", "eps", "far"), [
    ("1/7", "remove", "1/5", 10), ("1/7", "add", "1/10", 10), ("1/1000000", "remove", "1/10", 17),
    ("1/2", "remove", "0", 10), ("1/1000000", "add", "1/2000000", 9)])
def test_samples_of_discrete_gaussians_by_all_places(rate: str, direction: str, eps: str, far: int
                                                     ) -> None:
    with mp.workdps(40):
        p, q = sampled(1, Fraction(rate), far)
        row = (p, q) if direction == "remove" else (q, p)
        value = by_outcomes([row] * 2, number(Fraction(eps)))
        pair = poisson(discrete_gaussian(1), rate, direction=direction)**2
        assert holds(ball(pair, Fraction(eps)), value)


def test_products_by_all_outcomes() -> None:
    with mp.workdps(40):
        p, q = masses(4, 1), masses(4, 2)
        other = [number(x) for x in p], [number(x) for x in q]
        third = [1 / (1 + mp.exp(-1)), 1 / (1 + mp.e)]
        value = by_outcomes([sampled(1, Fraction(1, 3), 10)] * 2 + [other, (third, third[::-1])],
                            mp.mpf(1) / 2)
        pair = poisson(discrete_gaussian(1), "1/3", direction="remove")**2 * finite(p, q) * (
            randomized_response(1))
        assert holds(ball(pair, Fraction(1, 2)), value)


@pytest.mark.parametrize("eps", ["1/10", "1", "3"])
def test_small_losses_taken_together_by_counts(eps: str) -> None:
    """Against the exact sum over counts of all losses."""
    draw = random.Random(5)
    small = [Fraction(draw.randint(10**5, 10**6), 10**7) for _ in range(4)]
    p = [Fraction(1, 10**5), *small]
    q = [Fraction(1, 10**6), *(x * (1 + Fraction(draw.randint(-9, 9), 10**9)) for x in small)]
    p.append(1 - sum(p))
    q.append(1 - sum(q))
    pair = finite(p, q)**12
    found = ball(pair, Fraction(eps))
    with workprec(200):
        assert found.overlaps(counts.delta(releases(pair), point(Fraction(eps)), 120))
    assert found.rel_accuracy_bits() > 33


@pytest.mark.parametrize("eps", [Fraction(1, 10), Fraction(1, 3)])
def test_noise_says_the_same(eps: Fraction) -> None:
    for pair in (poisson(discrete_gaussian(1), "1/10", direction="remove")**10,
                 poisson(discrete_gaussian(2), "1/3", direction="add")**8):
        with workprec(smoothed.BITS):
            other = smoothed.delta(releases(pair), point(eps), 5)
        found = ball(pair, eps)
        assert found.overlaps(other)
        assert found.rel_accuracy_bits() > 33


@pytest.mark.parametrize("seed", range(6))
def test_the_profile_is_below_its_bound(seed: int) -> None:
    p, q = masses(4, seed), masses(4, 50 + seed)
    with mp.workdps(30):
        row = [number(x) for x in p], [number(x) for x in q]
        parts = [half_laws.atoms(s, k, 60) for s, k in releases(finite(p, q)**3).parts]
        found = half_bounds.bounds(parts, 0.3)
        for t in (-3.0, -0.4, 0.0, 0.2, 0.3, 1.0, 40.0):
            value = by_outcomes([row] * 3, mp.mpf(t))
            bound = float(found.at(np.array([t]))[0])
            assert value <= bound
            # a place and half a step farther
            assert bound <= by_outcomes([row] * 3, mp.mpf(t - 4 * found.step)) + 1e-3


def test_what_is_taken_together_moves_delta_by_less_than_is_said() -> None:
    """Three copies of small losses, at many t."""
    p, q = masses(5, 77), masses(5, 77)
    q = [x * (1 + Fraction(i - 2, 100)) for i, x in enumerate(q)]
    q = [x / sum(q) for x in q]
    (s, k), = releases(finite(p, q)**3).parts
    row, faint = half_laws.lumped(half_laws.atoms(s, k, 60), 1.0)
    assert faint is not None
    assert len(row.losses) == 1
    with mp.workdps(30):
        rows = [([number(x) for x in p], [number(x) for x in q])] * 3
        most = mp.sqrt((1 + mp.mpf(str(float(faint.variance))))**3 - 1) / 2
        for t in (-0.2, -0.1, -0.03, 0.0, 0.01, 0.05, 0.1, 0.2):
            psi = by_outcomes(rows, mp.mpf(t)) - max(0, 1 - mp.exp(t))
            assert -mp.mpf(10)**-25 <= psi <= most * (1 + mp.mpf(10)**-9)
            logs = faint.moments[t > 0]
            bound = min(3 * log - abs(t) * order for order, log in zip(
                faint.orders, logs, strict=True))
            assert psi <= mp.exp(bound)


def test_powers_of_e_less_one() -> None:
    draw = random.Random(3)
    x = np.array([0.0, 1e-300, -1e-12, 1 / 128, *(
        draw.uniform(-1, 1) * 10.0**draw.randint(-9, 2) for _ in range(300))])
    for place, less in zip(x.tolist(), half_laws.less_one(x).tolist(), strict=True):
        with mp.workdps(40):
            value = mp.expm1(mp.mpf(place))
            unit = mp.mpf(2)**-53
            off = 4 * unit * abs(place) if abs(place) < 1 / 128 else unit * (
                4 * mp.exp(mp.mpf(place)) + 2)
            assert abs(value - less) <= off
    with pytest.raises(Unsupported, match="too large"):
        half_laws.less_one(np.array([700.0]))


def test_the_query_takes_it() -> None:
    pair = poisson(discrete_gaussian(2), "1/100", direction="remove")**3
    found = pair.delta("1/10", digits=10)
    assert "half" in found.method
    assert "rounded" in found.assumes
    there = pair.epsilon(Fraction(1, 10**6), digits=10)
    assert there.enclosure is not None
    low, high = (ball(pair, there.enclosure.middle * (1 + x * Fraction(1, 10**8)), 9)
                 for x in (-1, 1))
    assert high < flint.arb("1e-6") < low


def test_what_is_refused() -> None:
    with pytest.raises(Unsupported, match="releases, more than"):
        ball(finite(masses(3, 1), masses(3, 2))**5000, Fraction(1))
    with pytest.raises(Unsupported, match="no atoms"):
        ball(gaussian(1), Fraction(1))
    with pytest.raises(Unsupported, match="sums of half"):
        ball(poisson(discrete_gaussian(10), "1/2", direction="remove")**30, Fraction(1))
