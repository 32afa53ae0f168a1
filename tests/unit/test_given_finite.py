"""Infinite losses apart: the profile of a pair given that its losses are finite."""

from __future__ import annotations

import math

import flint
import pytest
import sympy as sp

from lapdp import (
    approximate_dp,
    discrete_gaussian,
    finite,
    gaussian,
    laplace,
    poisson,
    randomized_response,
    truncated_laplace,
)
from lapdp.accounting.delta import delta
from lapdp.accounting.method_names import GIVEN_FINITE
from lapdp.accounting.moments.given import finite as given_finite
from lapdp.accounting.moments.releases import releases
from lapdp.privacy.pair import Pair

CUT = truncated_laplace(2, 10)
REMOVED, ADDED = (poisson(CUT, "1/2", direction=way) for way in ("remove", "add"))


@pytest.mark.parametrize("pair", [CUT**3, REMOVED**2, ADDED**2, REMOVED * ADDED.reverse(),
                                  poisson(approximate_dp(1, "1/10"), "1/2", direction="remove")])
@pytest.mark.parametrize("eps", ["1/100", "-1/3"])
def test_it_leads_back_to_the_profile(pair: Pair, eps: str) -> None:
    # one kind of releases is answered by rules that know of infinite losses
    found, point = given_finite(pair), sp.Rational(eps)
    assert found is not None
    inside, whole = delta(found.pair, point + found.shift, 14), delta(pair, point, 12)
    assert inside.enclosure is not None and whole.enclosure is not None
    assert whole.method != GIVEN_FINITE
    lost = found.mass()
    assert (lost + (1 - lost) * inside.enclosure.ball()).overlaps(whole.enclosure.ball())


@pytest.mark.parametrize("pair", [CUT**2 * gaussian(1), REMOVED**2 * laplace(3), ADDED])
def test_no_mass_is_left_at_infinity(pair: Pair) -> None:
    found = given_finite(pair)
    assert found is not None and given_finite(found.pair) is None
    for side in (found.pair, found.pair.reverse()):
        parts = releases(side)
        assert (1 - parts.finite_mass()).is_zero()
        # both members are probabilities
        for order in (0.0, 1.0):
            assert sum(k * s.log_moment(order + 1e-9) for s, k in parts.parts) == pytest.approx(
                0, abs=1e-6)


@pytest.mark.parametrize("sampled", [REMOVED, ADDED])
def test_beside_a_lattice_by_its_places(sampled: Pair) -> None:
    # sampled cut-off noise alone has the contour integral: the sum over x is made here
    eps = sp.Rational(1, 2)
    found = delta(discrete_gaussian(1) * sampled, eps, 9)
    assert found.method == GIVEN_FINITE
    weights = {x: math.exp(-x * x / 2) for x in range(-8, 9)}
    total = flint.arb(0)
    for x, weight in weights.items():
        inside = delta(sampled, eps - sp.Rational(1, 2) + x, 11).enclosure
        assert inside is not None
        total += weight / math.fsum(weights.values()) * inside.ball()
    assert found.enclosure is not None
    assert abs(found.enclosure.ball() - total) < 1e-9 * total


def test_little_beside_what_is_lost() -> None:
    # at 8 nothing but infinite losses is left of ten digits: 1 - (1 - p)^2 with p by hand
    pair = poisson(CUT, "1/10", direction="remove")**2 * randomized_response("1/100")
    found = delta(pair, 8, 10).enclosure
    tail = (flint.arb(-4.5).exp() - flint.arb(-5).exp()) / (2 * (1 - flint.arb(-5).exp()))
    lost = 1 - (1 - tail / 10) ** 2
    assert found is not None and abs(found.ball() - lost) < 1e-10 * lost


def test_beside_a_million_gaussians():
    """It ended with a TypeError.  The finite losses of the pair are below 2 log(1 + (e - 1)/10^6),
    and its infinite ones have a mass below 2/10^6: delta lies between that of the Gaussians alone
    and that at an eps less by so much, and that mass."""
    many = gaussian("1/2") ** 10**6
    pair = poisson(truncated_laplace(1, 10), "1/1000000", direction="remove") ** 2 * many
    found = delta(pair, 2006179, 10)
    assert found.method == GIVEN_FINITE
    low = delta(many, 2006179, 15).enclosure
    high = delta(many, 2006179 - sp.Rational(4, 10**6), 15).enclosure
    assert low.lower <= found.enclosure.upper
    assert found.enclosure.lower <= high.upper + sp.Rational(2, 10**6)


def test_an_eps_that_is_moved_to_zero() -> None:
    # of finite losses M = 1/9 and N = 1/729, so that delta(log 81) is 1 - M + M delta'(0), where
    # delta' is that of Laplace noise alone: no ball tells the sign of 2 log 9 - log 81
    pair = finite(["1/9", "8/9", 0], ["1/729", 0, "728/729"]) * laplace(1)
    found = delta(pair * laplace(1).reverse(), 2 * sp.log(9), 12).enclosure
    beside = delta(laplace(1) * laplace(1).reverse(), 0, 14).enclosure
    assert found is not None and beside is not None
    assert found.ball().overlaps(flint.arb(8) / 9 + beside.ball() / 9)
    lone = poisson(discrete_gaussian("1/2", 2), "1/10", direction="remove")
    found = delta(finite(["1/9", "8/9", 0], ["1/729", 0, "728/729"]) * lone,
                  2 * sp.log(9), 12).enclosure
    beside = delta(lone, 0, 14).enclosure
    assert found is not None and beside is not None
    assert found.ball().overlaps(flint.arb(8) / 9 + beside.ball() / 9)
    there = delta(lone, 2 * sp.log(9) - sp.log(81), 12).enclosure
    assert there is not None and there.ball().overlaps(beside.ball())
