"""Batches in doubles: each interval holds the number that balls give at 25 digits."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp

from lapdp import gaussian, laplace, poisson
from lapdp.core.errors import InputError


def holds(pair, copies, eps, value, radius):
    """Does the interval hold delta, and is it no wider than 1e-10 of it?"""
    exact = sp.Rational(*float(eps).as_integer_ratio())
    truth = (pair ** int(copies)).delta(exact, digits=25).enclosure
    gap = abs(Fraction(float(value)) - truth.middle)
    assert gap <= Fraction(float(radius)) + truth.radius, (pair, copies, eps, value, radius)
    return radius <= 1e-10 * abs(value)


@pytest.mark.parametrize("sigma", ["1", "10", "1/3", "1e4", "sqrt(2)"])
def test_gaussians(sigma):
    pair = gaussian(sp.sqrt(2) if sigma == "sqrt(2)" else sigma)
    rng = np.random.default_rng(1)
    copies = rng.integers(1, 10, 12) ** rng.integers(1, 9, 12)
    kappa = float(pair.kappa) * copies
    eps = kappa + np.sqrt(2 * kappa) * rng.uniform(-8, 36, 12)
    found = pair.deltas(eps, copies)
    for query in zip(copies, eps, found.values, found.radii, strict=True):
        assert holds(pair, *query), query


@pytest.mark.parametrize("direction", ["remove", "add"])
@pytest.mark.parametrize(("sigma", "rate"), [("1", "0.01"), ("2", "1/2"), ("3", "1e-2")])
def test_sampled_gaussians(sigma, rate, direction):
    pair = poisson(gaussian(sigma), rate, direction=direction)
    rng = np.random.default_rng(2)
    copies = 10 ** rng.integers(3, 7, 5)
    spread = float(Fraction(rate)) * np.sqrt(copies * np.expm1(1 / float(sigma)**2))
    eps = spread * spread / 2 + spread * rng.uniform(-3, 8, 5)
    found = pair.deltas(eps, copies)
    for query in zip(copies, eps, found.values, found.radii, strict=True):
        assert holds(pair, *query), query


def test_a_batch_is_indexed_and_iterated():
    found = gaussian(1).deltas([[0.5, 1.0], [2.0, 3.0]])
    assert found.values.shape == found.wide.shape == (2, 2)
    assert found[0][1].compare(gaussian(1).delta(1, digits=30)) is None
    assert [[float(x) for x in row] for row in found] == found.values.tolist()
    assert "NumPy" in found.assumes and found.certified.all()


def test_copies_are_broadcast():
    found = gaussian(10).deltas([[0.5], [20.0]], copies=[1, 10, 100])
    assert found.values.shape == (2, 3)
    assert holds(gaussian(10), 100, 20.0, found.values[1, 2], found.radii[1, 2])


@pytest.mark.parametrize(("eps", "copies", "says"), [
    ([0.5, float("nan")], 1, "nan"), ([float("inf")], 1, "inf"), (["0.5"], 1, "doubles"),
    ([sp.Rational(1, 2)], 1, "doubles"), ([[0.5], [1.0, 2.0]], 1, "rows"), ([True], 1, "doubles"),
    ([0.5, 1.0], [1, 2, 3], "fit"), ([0.5], [0], "copies"), ([0.5], [1.5], "copies"),
    ([2**53 + 1], 1, "no doubles"), ([1j], 1, "doubles")])
def test_what_is_refused(eps, copies, says):
    with pytest.raises(InputError, match=says):
        gaussian(1).deltas(eps, copies)
    with pytest.raises(InputError, match="substitute numbers"):
        laplace(sp.Symbol("b", positive=True)).deltas([1.0])
