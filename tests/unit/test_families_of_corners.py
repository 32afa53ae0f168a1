"""Products of bounded losses whose corners lie on several lattices, and parameters such as sqrt(2).

References: the noise of one release integrated by mpmath; sums over answers of randomized response
with exact laws of Laplace releases; the normal law.
"""

from fractions import Fraction
from math import comb

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import (
    exponential_mechanism,
    gaussian,
    laplace,
    poisson,
    randomized_response,
    truncated_laplace,
)
from lapdp.accounting.inversion import residues
from lapdp.accounting.moments.corners import corners_of
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.core.precision import workprec
from tests.oracle.laplace_products import profile_of_products

R = sp.Rational


def laplace_profile(shift, t):
    """max over events, for noise of scale 1 and centers that far apart: no closed form of lapdp."""
    if t >= shift:
        return mp.mpf(0)
    return 1 - mp.exp((t - shift) / 2) if t > -shift else 1 - mp.exp(t)


def through_noise(shift, inner, t):
    """The mean of a profile at t - Z over the noise of a Laplace release."""
    points = [-mp.inf, 0, shift, mp.inf]
    kink = [(shift - t) / 2 + s / mp.mpf(2) for s in (-1, 1)]

    def integrand(x):
        return mp.exp(-abs(x)) / 2 * inner(t - (abs(x - shift) - abs(x)))

    points = sorted({*points, *(x for x in kink if 0 < x < shift)})
    return mp.quad(integrand, points)


def agrees(found, truth, digits=14):
    assert abs(mp.mpf(str(found.enclosure.middle.numerator)) / found.enclosure.middle.denominator
               - truth) <= truth * mp.mpf(10) ** -digits


@pytest.mark.parametrize("eps", ["0.2", "1.5"])
def test_two_scales_by_quadrature(eps):
    with mp.workdps(30):
        root = mp.sqrt(2) / 2
        truth = through_noise(root, lambda t: laplace_profile(mp.mpf(1), t), mp.mpf(eps))
        agrees((laplace(sp.sqrt(2)) * laplace(1)).delta(eps), truth)


@pytest.mark.parametrize(("k", "m", "eps"), [(1, 1, "0.1"), (5, 20, "2")])
def test_randomized_response_beside_laplace(k, m, eps):
    """By all answers, and exact laws of the Laplace releases."""
    truth = mp.mpf(0)
    with mp.workdps(40):
        p = 1 / (1 + mp.exp(-mp.mpf(3) / 10))
        for j in range(m + 1):
            t = Fraction(eps) - Fraction(3, 10) * (2 * j - m)
            truth += comb(m, j) * p**j * (1 - p) ** (m - j) * profile_of_products(k, t, 30)
        found = (laplace(1) ** k * randomized_response("0.3") ** m).delta(eps, digits=20)
        agrees(found, truth, 18)


def test_shared_lattices_are_one_family():
    found = corners_of(releases(laplace(10) ** 9 * randomized_response("0.3") ** 5))
    assert [family.deepest for family in found.families] == [24]
    apart = corners_of(releases(laplace(10) ** 9 * randomized_response("0.37") ** 5))
    assert [family.deepest for family in apart.families] == [5, 9]


@pytest.mark.parametrize("digits", [15, 60])
def test_roots_as_parameters(digits):
    """randomized_response(sqrt 2): sums of two binomial tails."""
    with mp.workdps(digits + 30):
        loss = mp.sqrt(2)
        p = 1 / (1 + mp.exp(-loss))
        truth = mp.fsum(comb(30, j) * (p**j * (1 - p) ** (30 - j)
                                       - mp.exp(5) * p ** (30 - j) * (1 - p) ** j)
                        for j in range(31) if (2 * j - 30) * loss > 5)
        agrees((randomized_response(sp.sqrt(2)) ** 30).delta(5, digits=digits), truth, digits - 1)
        back = (randomized_response(sp.sqrt(2)) ** 30).epsilon("0.25", digits=12)
        assert (randomized_response(sp.sqrt(2)) ** 30).delta(R(str(back.value))).value is not None


def test_losses_that_end_have_all_moments():
    """What is lost to infinity bounds no order: the truncated noise, sampled."""
    pair = poisson(truncated_laplace(1, 3), "0.1", direction="remove")
    assert releases(pair).upper == float("inf")
    found = pair.epsilon("0.01")
    at = pair.delta(R(found.value.numerator, found.value.denominator), digits=10)
    assert abs(at.value - Fraction(1, 100)) < Fraction(1, 10**9)


def test_many_small_releases_on_a_line():
    """k = 10^9 of scale 31622 leak as much as a Gaussian, to about 1/k."""
    found = (laplace(31622) ** 10**9).delta(1)
    mu = mp.sqrt(mp.mpf(10) ** 9) / 31622
    normal = (mp.erfc((1 / mu - mu / 2) / mp.sqrt(2)) - mp.e * mp.erfc(
        (1 / mu + mu / 2) / mp.sqrt(2))) / 2
    assert found.method == "contour integral"
    assert abs(float(found) - normal) < 1e-4
    one, other = (laplace(10) ** 10**4).delta("0.1"), (laplace(10) ** 10**4).delta("-0.1")
    with flint.ctx.workprec(120):
        # the reversal law: Laplace noise is symmetric
        assert (flint.arb(1) - flint.arb("-0.1").exp() + flint.arb("-0.1").exp()
                * one.enclosure.ball()).overlaps(other.enclosure.ball())


def test_gaussians_have_no_corners():
    assert not residues.is_short(releases(gaussian(1)))


@pytest.mark.parametrize("gap", ["1e-2", "1e-9", "1e-14", "1e-22"])
def test_next_to_the_largest_loss(gap):
    """Only the largest response carries a loss there, so it is 2^-10 times the density's; on the
    large circles of small gaps the place of the corner takes more bits than their bounds have."""
    sampled = poisson(randomized_response("1/10"), "1/2", direction="remove")**10
    gap, top = R(Fraction(gap)), 10 * sp.log((1 + sp.exp(R(1, 10))) / 2) + 1
    with workprec(200):
        eps = exact_ball(top - gap).real
    with workprec(80):
        found = 1024 * residues.delta(releases(exponential_mechanism(1) * sampled), eps, 60)
    alone = exponential_mechanism(1).delta(1 - gap, digits=15)
    assert found.overlaps(alone.enclosure.ball())
    assert found.rel_accuracy_bits() > 30
