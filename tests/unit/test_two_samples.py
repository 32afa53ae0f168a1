"""Two subsampled Gaussians by an integral of a formula, against a double integral by the definition
and other routes."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

import flint
import numpy as np
import pytest

from lapdp import gaussian, laplace, poisson
from lapdp.accounting.inversion import machine, two_samples
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.parameters import exact_parameter


def sampled(sigma, rate, direction="remove"):
    return poisson(gaussian(sigma), rate, direction=direction)


def by_formula(pair, eps, bits=45):
    with workprec(300):
        return two_samples.delta(releases(pair), exact_ball(exact_parameter("eps", eps)).real, bits)


def ratio(sigma, rate, direction):
    """P/Q at n deviations, which are standard normal under Q for what is removed, under P else."""
    def at(n):
        x = n / sigma if direction == "remove" else -n / sigma
        z = 1 - rate + rate * np.exp(x - 0.5 / sigma**2)
        return z if direction == "remove" else 1 / z

    return at


@pytest.mark.parametrize(("one", "other", "eps"), [
    ((2, 0.25, "remove"), (1, 0.25, "remove"), "1/4"), ((2, 0.5, "add"), (1, 0.25, "add"), "1/8"),
    ((1, 0.125, "remove"), (4, 0.5, "add"), "1/8"), ((1, 0.25, "add"), (4, 0.5, "remove"), 0),
    ((0.5, 0.125, "remove"), (0.5, 0.125, "remove"), 2)])
def test_by_the_definition(one, other, eps):
    """The mean of max(0, R S - e^eps), or of max(0, 1 - e^eps/(R S)), over two normal deviations:
    in one of them from the place where R S = e^eps on, by rules of Gauss and Legendre."""
    exact = [(str(x) if x % 1 else int(x)) for x in (one[0], one[1], other[0], other[1])]
    found = by_formula(sampled(exact[0], exact[1], one[2]) * sampled(exact[2], exact[3], other[2]),
                       eps)
    nodes, weights = np.polynomial.legendre.leggauss(30)
    level = math.exp(float(Fraction(str(eps))))
    first, second = ratio(*one), ratio(*other)

    def density(n):
        return np.exp(-n * n / 2) / math.sqrt(2 * math.pi)

    def beyond(level):
        low, high = np.full_like(level, -40.0), np.full_like(level, 40.0)
        for _ in range(70):
            middle = (low + high) / 2
            above = second(middle) > level
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        edges = np.clip(low, -12, 16)[:, None] + np.linspace(0, 1, 9) * (
            16 - np.clip(low, -12, 16))[:, None]
        total = np.zeros_like(level)
        for a, b in pairwise(edges.T):
            n = ((a + b)[:, None] + (b - a)[:, None] * nodes) / 2
            part = second(n) - level[:, None] if other[2] == "remove" else (
                1 - level[:, None] / second(n))
            total += (density(n) * np.maximum(part, 0) * weights).sum(axis=1) * (b - a) / 2
        return total

    whole = 0.0
    for a, b in pairwise(np.linspace(-12, 16, 400)):
        n = (a + b) / 2 + (b - a) / 2 * nodes
        share = first(n) if one[2] == "remove" else 1.0
        inner = density(n) * share * beyond(level / first(n))
        whole += float((inner * weights).sum()) * (b - a) / 2
    # the inner mean is flat, and no more, where it begins
    assert whole == pytest.approx(float(found), rel=2e-8)
    assert found.rad() < found / 10**12


@pytest.mark.parametrize(("pair", "eps"), [
    (sampled(5, "1/2") ** 2, 8),
    (sampled(5, "1/2", "add") ** 2, 1), (sampled(1, "1/10") * sampled(2, "1/3", "add"), "0.3"),
    (sampled(1, "1/10", "add") * sampled(2, "1/3"), "0.1"), (sampled(2, "1/2") ** 2, 0)])
def test_agrees_with_the_line_in_doubles(pair, eps):
    found = by_formula(pair, eps)
    with workprec(machine.BITS):
        there = machine.delta(releases(pair), exact_ball(exact_parameter("eps", eps)).real, 6)
    with workprec(300):
        assert found.overlaps(there)
        assert there.rad() < there / 10**5
        assert found.rad() < found / 10**12


def test_reached_where_nothing_decays():
    pair = sampled("1/2", "1/1000") ** 2
    found = pair.delta("0.00157", digits=12)
    assert found.method == "integral of a formula"
    # one release has a formula of its own, which two of them exceed by less than twice it
    one = float(sampled("1/2", "1/1000").delta("0.00157", digits=12).value)
    assert one < float(found.value) < 2 * float(sampled("1/2", "1/1000").delta(
        "0.000785", digits=12).value)


def test_more_digits_hold_the_same_number():
    pair = sampled(1, "1/100") * sampled("1/2", "1/10000", "add")
    few, many = by_formula(pair, "1/2", 30), by_formula(pair, "1/2", 200)
    with workprec(300):
        assert few.overlaps(many)
        assert many.rad() < many * flint.arb(2) ** -190


@pytest.mark.parametrize("pair", [
    sampled(1, "1/2") ** 3, sampled(1, "1/2"), gaussian(1) * sampled(1, "1/2"),
    laplace(1) * sampled(1, "1/2")])
def test_others_are_refused(pair):
    with pytest.raises(Unsupported, match="no two subsampled"):
        by_formula(pair, 1)
