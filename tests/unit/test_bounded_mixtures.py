"""Moments of (P, (1 - v) P + v Q), whose losses are bounded, at orders where they are rare."""

from __future__ import annotations

import flint
import mpmath as mp
import pytest

from lapdp import gaussian, poisson
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases

CASES = [(2, "1/1000", 600.0), (5, "1/1000", 29696.0), (1, "1/10", 40.0), (10, "1/2", 7.5)]


def spectrum(sigma, rate):
    """Of one release."""
    return releases(poisson(gaussian(sigma), rate, direction="add")).parts[0][0]


def integrand(sigma, rate, q, n, y):
    """z1^q z2^(1-q) at n + iy and the size of the normal density there, by their definitions:
    l is the loss of the plain pair, normal of mean -kappa and variance 2 kappa."""
    kappa = 1 / mp.mpf(2 * sigma**2)
    ratio = mp.exp(mp.sqrt(2 * kappa) * mp.mpc(n, y) - kappa)
    one, two = mp.log(ratio), mp.log(rate + (1 - rate) * ratio)
    return mp.exp(q * one + (1 - q) * two - mp.mpc(n, y) ** 2 / 2) / mp.sqrt(2 * mp.pi)


def total(sigma, rate, q, y, of):
    """The trapezoidal sum along a line."""
    numerator, _, denominator = rate.partition("/")
    share = mp.mpf(numerator) / mp.mpf(denominator)
    return mp.fsum(of(integrand(sigma, share, q, mp.mpf(j) / 16, y))
                   for j in range(-240, 480)) / 16


def arb(x):
    """A ball around a real mpf."""
    return flint.arb(mp.nstr(x, 25))


@pytest.mark.parametrize(("sigma", "rate", "order"), CASES)
def test_moments_are_those_of_the_definition(sigma, rate, order):
    with flint.ctx.workprec(100), mp.workdps(30):
        top = 3 * order
        line = spectrum(sigma, rate).line(flint.arb(order), top, 50)
        for u in (0.0, order / 2, top):
            true = total(sigma, rate, mp.mpc(order, u), mp.mpf(0), lambda x: x)
            found = line.at(flint.arb(u))
            gap = abs(found - flint.acb(arb(true.real), arb(true.imag)))
            assert gap.lower() < 1e-20 * abs(found)
            assert line.decay(flint.arb(u)) > abs(found).lower()
            assert found.real.rad() < line.mean * flint.arb(2) ** -48


@pytest.mark.parametrize(("sigma", "rate", "order"), CASES)
def test_integrals_beside_the_real_line_lie_below_the_bound(sigma, rate, order):
    """By quadrature of the size; the bound is not far above."""
    with flint.ctx.workprec(100), mp.workdps(20):
        line = spectrum(sigma, rate).line(flint.arb(order), 0.0, 50)
        assert line.turns
        mean = total(sigma, rate, order, mp.mpf(0), abs)
        for y in (0.3, 1.0, 0.7 * mp.pi * sigma / 2):
            beside = total(sigma, rate, order, mp.mpf(y), abs) * mp.exp(-mp.mpf(y) ** 2 / 2)
            bound = line._slack(flint.arb(float(y)))
            assert bound > arb(beside / mean) * (1 - flint.arb("1e-12"))
            assert not bound > line._plain_slack(flint.arb(float(y)))
        assert line.least < arb(mean) < line.least * 100


def test_bounds_at_far_orders():
    s = spectrum(5, "1/1000")
    for order in (300.0, 10.0**6):
        with flint.ctx.workprec(100), mp.workdps(20):
            true = total(5, "1/1000", order, mp.mpf(0), abs)
            bound = moment_bound(Factors(((s, 2),)), order)
            below, above = (1 - flint.arb("1e-12"), flint.arb("1.01"))
            assert arb(true**2) * below < bound < arb(true**2) * above
