"""Atoms on no lattice: normal noise added, and what it moves bounded."""

from __future__ import annotations

import itertools
import math
import random
from fractions import Fraction
from typing import Any

import flint
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from lapdp import (
    discrete_gaussian,
    finite,
    gaussian,
    geometric,
    kary_response,
    laplace,
    poisson,
    randomized_response,
)
from lapdp.accounting.delta import Tried
from lapdp.accounting.delta_rules import Apart
from lapdp.accounting.inversion import beside, counts, far_cells, smoothed, split
from lapdp.accounting.inversion.far_cells import FEW_ROWS, WIDTH
from lapdp.accounting.inversion.machine_factors import moments_of
from lapdp.accounting.inversion.machine_parts import Ended
from lapdp.accounting.inversion.noisy_tables import noisy_table
from lapdp.accounting.moments.doubled import DOUBLE, Heights, wider
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.campaigns.references import added, removed
from tests.campaigns.references import laplace as references_laplace


def ball(pair: Any, eps: Fraction, digits: int) -> Any:
    """delta at eps."""
    with workprec(smoothed.BITS):
        return smoothed.delta(releases(pair), flint.arb(flint.fmpq(
            eps.numerator, eps.denominator)), digits)


def holds(found: Any, value: Any, digits: int = 10) -> bool:
    """Is the value in the ball, which has so many digits?"""
    with workprec(160):
        inside = found.overlaps(flint.arb(mp.nstr(value, 40)))
    return bool(inside) and found.rel_accuracy_bits() > digits * 3.32


def masses(n: int, seed: int) -> list[Fraction]:
    draw = random.Random(seed)
    whole = [draw.randint(500, 1000) for _ in range(n)]
    return [Fraction(x, sum(whole)) for x in whole]


def by_outcomes(p: list[Any], q: list[Any], k: int, eps: Any) -> Any:
    """All tuples of outcomes."""
    total = mp.mpf(0)
    for way in itertools.combinations_with_replacement(range(len(p)), k):
        ways = mp.factorial(k)
        for i in set(way):
            ways /= mp.factorial(way.count(i))
        one, two = (mp.fprod(x[i] for i in way) for x in (p, q))
        total += ways * max(mp.mpf(0), one - mp.exp(eps) * two)
    return total


def number(x: Fraction) -> Any:
    return mp.mpf(x.numerator) / x.denominator


@pytest.mark.parametrize(("kappa", "loss", "eps"), [
    ("0.01", "0.3", "0.3"), ("0.01", "0.3", "0.42"), ("0.5", "1", "0.2"), ("2", "-1", "0.5"),
    ("1e-4", "0.1", "0.11")])
def test_what_noise_moves_is_below_the_density(kappa: str, loss: str, eps: str) -> None:
    """For one atom, by the integral of max(0, 1 - e^(eps - Z)) over Z = loss + noise."""
    with mp.workdps(30):
        k, where, e = mp.mpf(kappa), mp.mpf(loss), mp.mpf(eps)

        def normal(z: Any) -> Any:
            return mp.exp(-(z - where - k)**2 / (4 * k)) / mp.sqrt(4 * mp.pi * k)

        far = max(e, where + k + 40 * mp.sqrt(k))
        noisy = mp.quad(lambda z: (1 - mp.exp(e - z)) * normal(z), mp.linspace(e, far, 9))
        plain = max(mp.mpf(0), 1 - mp.exp(e - where))
        assert 0 <= noisy - plain <= 2 * k * mp.exp(k / 4) * normal(e)


@pytest.mark.parametrize(("n", "k", "eps", "digits"), [
    (3, 6, "1/10", 9), (5, 6, "1/3", 9), (7, 5, "-1/5", 8), (4, 9, "1/2", 8)])
def test_few_releases_by_all_outcomes(n: int, k: int, eps: str, digits: int) -> None:
    p, q = masses(n, 3 * n + k), masses(n, 5 * n + k)
    with mp.workdps(40):
        value = by_outcomes([number(x) for x in p], [number(x) for x in q], k,
                            number(Fraction(eps)))
        found = ball(finite(p, q)**k, Fraction(eps), digits)
        assert holds(found, value, digits)


@pytest.mark.parametrize(("k", "eps"), [(12, "1/4"), (20, "1"), (20, "0")])
def test_many_releases_by_counts(k: int, eps: str) -> None:
    """Against the exact sum over counts, which knows no integral."""
    pair = finite(masses(5, 11), masses(5, 12))**k
    found = ball(pair, Fraction(eps), 9)
    with workprec(120):
        other = counts.delta(releases(pair), flint.arb(flint.fmpq(Fraction(eps).numerator,
                                                                  Fraction(eps).denominator)), 80)
        assert found.overlaps(other)
    assert found.rel_accuracy_bits() > 29


@pytest.mark.parametrize(("direction", "eps"), [("remove", "1/5"), ("remove", "1"),
                                                ("add", "1/10")])
def test_samples_of_discrete_gaussians_by_all_places(direction: str, eps: str) -> None:
    """Three releases, by all triples of whole numbers that count."""
    with mp.workdps(40):
        rate, places = mp.mpf(1) / 7, range(-9, 11)
        whole = [mp.exp(-mp.mpf(x * x) / 2) for x in range(-30, 31)]
        shifted = [mp.exp(-mp.mpf((x - 1)**2) / 2) / mp.fsum(whole) for x in places]
        base = [mp.exp(-mp.mpf(x * x) / 2) / mp.fsum(whole) for x in places]
        mixed = [(1 - rate) * a + rate * b for a, b in zip(base, shifted, strict=True)]
        p, q = (mixed, base) if direction == "remove" else (base, mixed)
        value = by_outcomes(p, q, 3, number(Fraction(eps)))
        pair = poisson(discrete_gaussian(1), "1/7", direction=direction)**3
        assert holds(ball(pair, Fraction(eps), 7), value, 7)


def test_the_query_takes_it() -> None:
    pair = poisson(discrete_gaussian(2), "1/100", direction="remove")
    found = (pair**1000).delta("1/2", digits=8)
    assert "little noise" in found.method
    assert "rounded" in found.assumes
    product = pair**10 * geometric(1)**10
    other = Apart(product, sp.Integer(1), Tried(), beside.delta)(5)
    assert ball(product, Fraction(1), 7).overlaps(other.ball())


@pytest.mark.parametrize("pair", [
    poisson(discrete_gaussian(2), "1/100", direction="remove")**1000,
    poisson(discrete_gaussian(10), "1/10", direction="add")**30 * geometric(1)**7,
    finite(masses(4, 7), masses(4, 8))**101])
def test_moments_come_back_no_nearer_than_the_cells_say(pair: Any) -> None:
    """At random heights, by the lines in balls."""
    draw, gamma, factors = random.Random(17), 3.5, releases(pair)
    found = far_cells.cells(factors, gamma, 1e5)
    assert found is not None
    assert found.bounds[0] == 1
    lines = [(s.line(flint.arb(gamma), 1.0, 60), k) for s, k in factors.parts]
    below = 0
    for _ in range(300):
        u = draw.uniform(0, 1e5) * draw.random() ** 3
        value = 1.0
        for line, k in lines:
            share = abs(line.at(flint.arb(u))) / line.at(flint.arb(0)).real
            value *= float(share.lower()) ** k
        bound = float(found.bounds[int(u / found.width[0])])
        assert value <= bound
        below += bound < 1
    assert below > 30


def test_nodes_of_a_cell_are_counted() -> None:
    """One by one."""
    cells = far_cells.Cells(np.array([0.0, 2.0, 4.0]), np.array([2.0, 2.0, 0.25]),
                            np.array([1.0, 0.5, 0.25]))
    squares, whole = cells.shares(0.3)
    assert squares[0] == whole[0] == np.inf
    for i in (1, 2):
        first, bound = cells.begin[i], cells.bounds[i]
        nodes = [u for u in (0.3 * j for j in range(1, 21)) if first <= u < first + cells.width[i]]
        assert nodes
        assert squares[i] >= sum(0.3 * bound / u**2 for u in nodes)
        assert whole[i] >= sum(0.3 * bound for u in nodes)


@pytest.mark.parametrize(("pair", "least"), [
    (poisson(kary_response(7, "1/10"), "1/2", direction="remove")**10**6, 1),
    (poisson(discrete_gaussian(10), "1/10", direction="add")**10**5 * geometric(1)**3, 0)])
def test_nodes_left_out_are_below_the_bounds(pair: Any, least: int) -> None:
    """All nodes of the rule, where no cell says what they are, by the sums in doubles."""
    gamma, step, count, limits = 3.5, 0.02, 400_000, (1e-9, 1e-4)
    factors = releases(pair)
    found = far_cells.cells(factors, gamma, step * count, step, limits)
    assert found is not None
    order = np.argsort(found.begin)
    # next to one another, up to the top
    ends = (found.begin + found.width)[order]
    assert found.begin[order][0] == 0
    assert np.allclose(ends[:-1], found.begin[order][1:], rtol=1e-12)
    assert ends[-1] >= step * count
    sizes, u = np.ones(count), step * np.arange(count)
    with workprec(128):
        for spectrum, k in factors.parts:
            moments = moments_of(spectrum, k, gamma, step * count, step, 1)
            less, _ = moments.on(flint.arb(step), Heights.run(0, 1000, count // 1000, 1000))
            sizes *= abs(1 + less)**k
    where = order[np.searchsorted(found.begin[order], u, side="right") - 1]
    assert (sizes <= found.bounds[where] * (1 + 1e-6) + 1e-200).all()
    runs, rests = far_cells.kept(found, step, limits, count)
    out = np.ones(count, dtype=bool)
    for first, last in runs:
        out[far_cells.WIDTH * first:far_cells.WIDTH * last] = False
    assert len(runs) > least
    assert 0.5 < out.mean() < 1
    for rest, limit, part in zip(rests, limits, (sizes[out] / u[out]**2, sizes[out]), strict=True):
        assert step * part.sum() <= rest <= limit * (1 + 1e-6)


@pytest.mark.parametrize("eps", ["1", "2"])
def test_few_nodes_of_very_many_copies_by_counts(eps: str) -> None:
    """Against the exact sum over counts, which knows no integral."""
    pair = poisson(kary_response(3, "1/10"), "1/2", direction="add")**1000
    value = Fraction(eps)
    found = ball(pair, value, 9)
    with workprec(200):
        other = counts.delta(releases(pair), flint.arb(flint.fmpq(
            value.numerator, value.denominator)), 100)
        assert found.overlaps(other)
    assert found.rel_accuracy_bits() > 29


def test_more_nodes_than_fit_are_refused_at_once() -> None:
    pair = poisson(discrete_gaussian(2), "1/100", direction="remove")
    with pytest.raises(Unsupported, match=r"so many digits need \d+ nodes"):
        ball(pair**100, Fraction(1, 5), 13)
    with pytest.raises(Unsupported, match="have a density"):
        ball(poisson(gaussian(1), "1/10", direction="add") ** 3, Fraction(1), 10)


@pytest.mark.parametrize(("rate", "eps", "digits"), [("1/7", "1/5", 8), ("1/2", "1", 8)])
def test_beside_a_density(rate: str, eps: str, digits: int) -> None:
    """Two samples beside Laplace noise: the profile of the noise, moved by all pairs of losses."""
    with mp.workdps(40):
        share, places = number(Fraction(rate)), range(-9, 11)
        whole = mp.fsum(mp.exp(-mp.mpf(x * x) / 2) for x in range(-30, 31))
        base = [mp.exp(-mp.mpf(x * x) / 2) / whole for x in places]
        mixed = [(1 - share) * b + share * mp.exp(-mp.mpf((x - 1)**2) / 2) / whole
                 for x, b in zip(places, base, strict=True)]
        value = mp.mpf(0)
        for (p, q), (r, t) in itertools.product(zip(mixed, base, strict=True), repeat=2):
            value += p * r * noise_profile(number(Fraction(eps)) - mp.log(p * r / (q * t)))
        pair = poisson(discrete_gaussian(1), rate, direction="remove")**2 * laplace(2)
        assert holds(ball(pair, Fraction(eps), digits), value, digits)


@pytest.mark.parametrize(("direction", "eps"), [("add", "1/5"), ("remove", "1/5"), ("add", "1/9")])
def test_beside_pieces(direction: str, eps: str) -> None:
    """Two samples beside sampled Laplace noise: its profile, moved by all pairs of losses."""
    apart = removed if direction == "remove" else added
    with mp.workdps(40):
        profile = apart(Fraction(1, 4), references_laplace(Fraction(2)))
        share, places = number(Fraction(1, 3)), range(-9, 11)
        whole = mp.fsum(mp.exp(-mp.mpf(x * x) / 2) for x in range(-30, 31))
        base = [mp.exp(-mp.mpf(x * x) / 2) / whole for x in places]
        mixed = [(1 - share) * b + share * mp.exp(-mp.mpf((x - 1)**2) / 2) / whole
                 for x, b in zip(places, base, strict=True)]
        value = mp.fsum(p * r * profile(number(Fraction(eps)) - mp.log(p * r / (q * t)))
                        for (p, q), (r, t) in itertools.product(
                            zip(mixed, base, strict=True), repeat=2))
        pair = poisson(discrete_gaussian(1), "1/3", direction="remove")**2 * poisson(
            laplace(2), "1/4", direction=direction)
        assert holds(ball(pair, Fraction(eps), 8), value, 8)


def test_pieces_alone() -> None:
    """Too few nodes gave a number that was wrong in the sixth digit."""
    pair = poisson(laplace(23), "27/100", direction="add") ** 3
    found = ball(pair, Fraction(1, 10**6), 5)
    with workprec(120):
        assert found.overlaps(split.delta(releases(pair), flint.arb(1) / 10**6, 60))


@pytest.mark.parametrize(("direction", "scale"), [("add", 2), ("remove", 2), ("add", 1)])
def test_moments_of_pieces_at_later_heights(direction: str, scale: Any) -> None:
    """Against the rule in balls that is good up to there, one by one."""
    step, gamma, heights = 0.37, 2.5, Heights(0, 64, np.array([0, 1, 2, 9, 500]), 64)
    spectrum = releases(poisson(laplace(scale), "1/4", direction=direction)).parts[0][0]
    with workprec(128):
        known = moments_of(spectrum, 1, gamma, 0.37 * 32064, step, 32064)
        assert isinstance(known, Ended)
        less, off = known.on(flint.arb(step), heights)
        line = spectrum.line(flint.arb(gamma), 0.37 * 32064, 60)
        for j in (0, 1, 63, 64, 127, 128, 150, 200, 260, 319):
            value = line.at(flint.arb(step) * int(heights.numbers[j])) / line.at(
                flint.arb(0)).real - 1
            gap = value - flint.acb(complex(less[j]))
            assert gap.overlaps(flint.acb(0)) or abs(gap) <= flint.arb(float(off[j]))
            assert off[j] < 1e-11


def noise_profile(t: Any) -> Any:
    """Of Laplace noise of scale 2, its densities compared."""
    if t >= 0.5:
        return mp.mpf(0)
    if t <= -0.5:
        return 1 - mp.exp(t)
    return 1 - mp.exp((t - mp.mpf(1) / 2) / 2)


@pytest.mark.parametrize("heights", [
    Heights.run(0, 64, 3, 64), Heights.run(512, 64, 3, 64), Heights.run(51_200, 64, 3, 64),
    Heights(0, 64, np.array([2, 9, 5000]), 64)])
def test_moments_of_densities_at_later_heights(heights: Heights) -> None:
    """Against balls, one by one."""
    step, gamma = 0.37, 2.5
    spectrum = releases(laplace(2) * laplace(2)).parts[0][0]
    with workprec(128):
        known = moments_of(spectrum, 2, gamma, 1e5, step, 1)
        less, off = known.on(flint.arb(step), heights)
        line = spectrum.line(flint.arb(gamma), 1e5, 60)
        for j in (0, 1, 63, 64, 150, 191):
            height = flint.arb(step) * int(heights.numbers[j])
            value = line.at(height) / line.at(flint.arb(0)).real - 1
            gap = value - flint.acb(complex(less[j]))
            assert abs(gap) <= flint.arb(float(off[j]))
            assert off[j] < 1e-13


@pytest.mark.skipif(wider() is None, reason="no longer numbers")
def test_longer_numbers_say_the_same_and_more() -> None:
    """The first rows are in several blocks, and others follow in doubles; in the sum of balls no
    moment of a table is used."""
    factors = releases(randomized_response("1/2")**30 * kary_response(3, "1/3")**2)
    gamma, kappa, step = 3.0, Fraction(1, 1 << 20), 2 * math.pi / 64.0
    eps = flint.arb("0.75")
    with workprec(smoothed.BITS):
        tables = [noisy_table(factors, gamma, 64.0, kappa, 30.0, form)
                  for form in (DOUBLE, wider())]
        sums = [table.totals(eps) for table in tables]
        assert all(table.count > 1.5 * FEW_ROWS * WIDTH for table in tables)
        noise, total, density = flint.arb(1) / (1 << 20), flint.arb(0), flint.arb(0)
        lines = [(s.line(flint.arb(gamma), 0.0, 60), k) for s, k in factors.parts]
        for j in range(0, tables[0].count):
            q = flint.acb(gamma, flint.arb(step) * j)
            value = ((1 - q) * eps + noise * q * (q - 1)).exp()
            for line, k in lines:
                value *= line.at(flint.arb(step) * j) ** k
            value *= flint.arb(step) / flint.arb.pi() / (2 if j == 0 else 1)
            total, density = total + (value / (q * (q - 1))).real, density + value.real
    assert all(one.overlaps(total) and two.overlaps(density) for one, two, _ in sums)
    assert sums[1][2] < sums[0][2] / 100


def test_what_is_next_to_the_least_doubles_is_left_to_others() -> None:
    """delta is 1.06e-323: its share is no double."""
    pair = poisson(gaussian("1.22"), "0.0001", direction="remove")**10 * poisson(
        kary_response(7, "0.087"), "0.14", direction="remove")**20
    found, few = pair.delta(27), pair.delta(27, digits=5)
    assert abs(found.value - few.value) <= few.radius + found.radius
