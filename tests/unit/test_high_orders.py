"""Subsampled Gaussians at orders of hundreds and thousands: their lines, by sums in mpmath."""

from __future__ import annotations

import math

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import gaussian, poisson
from lapdp.accounting.inversion import contour, saddle
from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.releases import releases


def test_high_orders_on_a_straight_line():
    """Two releases at an order of thousands, by a sum over one of them in mpmath: there the sizes
    beside the real line must not be bounded as at the edge of the strip."""
    with mp.workdps(130):
        spread, eps = mp.mpf(20), mp.mpf("0.6")

        def loss(x):
            return -mp.log((1 + mp.exp((2 * x - 1) / (2 * spread**2))) / 2)

        def alone(e):
            ratio = 2 * mp.exp(-e) - 1
            if ratio <= 0:
                return mp.mpf(0)
            x = spread * mp.log(ratio) + 1 / (2 * spread)
            return mp.ncdf(x) - mp.exp(e) * (mp.ncdf(x) + mp.ncdf(x - 1 / spread)) / 2

        step = spread / 24
        places = [step * j for j in range(-24 * 26, 24 * 2)]
        number = step * mp.fsum(mp.npdf(x, 0, spread) * alone(eps - loss(x)) for x in places)
    pair = poisson(gaussian(20), "1/2", direction="add") ** 2
    with flint.ctx.workprec(200):
        found = pair.delta("3/5", 20).enclosure.ball()
        assert abs(found / flint.arb(mp.nstr(number, 30)) - 1) < flint.arb("1e-19")


@pytest.mark.parametrize("order", [-700.0, 900.0])
@pytest.mark.parametrize(("first", "second"), [(sp.Rational(1, 2), 0), (1, sp.Rational(1, 9))])
def test_decay_at_high_orders(first, second, order):
    """The bound of the moments above a height, by the moments there, summed up in mpmath."""
    spectrum = MixedNormalSpectrum(Number(sp.sympify(first)), Number(sp.sympify(second)),
                                   Number(sp.Rational(1, 800)))
    with flint.ctx.workprec(120):
        line = spectrum.line(flint.arb(order), 3000.0, 80)
    with mp.workdps(100):
        root = mp.sqrt(mp.mpf(2) / 800)
        nodes = [mp.mpf(j) / 100 for j in range(-6400, 6401)]
        ratios = [mp.exp(root * n - mp.mpf(1) / 800) for n in nodes]
        v, w = (mp.mpf(sp.Rational(x).p) / sp.Rational(x).q for x in (second, first))
        one = [mp.log(1 - w + w * x) for x in ratios]
        two = [mp.log(1 - v + v * x) for x in ratios]
        for height in (0, 3000):
            q = mp.mpc(order, height)
            moment = mp.fsum(mp.exp(q * a + (1 - q) * b - n * n / 2)
                             for a, b, n in zip(one, two, nodes, strict=True))
            moment = moment / 100 / mp.sqrt(2 * mp.pi)
            bound = line.decay(flint.arb(height))
            assert mp.mpf(bound.str(25, radius=False)) * (1 + mp.mpf(10) ** -20) >= abs(moment)
            with flint.ctx.workprec(120):
                found = line.at(flint.arb(height)) - flint.acb(*(
                    flint.arb(mp.nstr(x, 45)) for x in (moment.real, moment.imag)))
                assert found.contains(0) or abs(found) < abs(bound) * flint.arb("1e-40")


def moments_of_added(spread, rate, order, heights, fine=32):
    """E_q (1 - rate)^(q - 1) of (P, (1 - rate) P + rate Q) by a sum around its largest term."""
    root, odds = 1 / mp.mpf(spread), mp.mpf(rate) / (1 - mp.mpf(rate))
    kappa, p = root**2 / 2, mp.mpf(order) - 1
    low, high = mp.mpf(0), p * root + 1
    for _ in range(90):
        middle = (low + high) / 2
        rare = odds * mp.exp(kappa - root * middle)
        low, high = (middle, high) if root * (1 + p * rare / (1 + rare)) > middle else (low, middle)
    # to the left it falls as steeply as it bends
    step = 1 / (fine * mp.sqrt(1 + root * middle))
    nodes = [middle + step * j for j in range(-12 * fine, int(12 / step))]
    known = []
    for n in nodes:
        ell = root * n - kappa
        log = mp.log1p(odds * mp.exp(-ell))
        known.append((mp.exp(ell - p * log - n * n / 2), log))
    return [mp.fsum(size * mp.expj(-u * log) for size, log in known) * step / mp.sqrt(2 * mp.pi)
            for u in heights]


@pytest.mark.parametrize(("spread", "rate", "order"), [
    ("5", "0.0001", 49318461440.0), ("1", "0.01", 1e6), ("100", "0.5", 4096.0), ("2", "0.1", 40.0),
    ("0.5", "0.000001", 1e9)])
def test_added_samples_next_to_their_largest_loss(spread, rate, order):
    """At orders that only losses next to the largest one count for."""
    s = releases(poisson(gaussian(spread), rate, direction="add")).parts[0][0]
    with mp.workdps(45):
        curve = (s.log_moment(order * 1.01) - 2 * s.log_moment(order)
                 + s.log_moment(order * 0.99)) / (0.01 * order) ** 2
        top = 4 / curve**0.5
        heights = [mp.mpf(top) * j / 2 for j in range(3)]
        exact = moments_of_added(spread, rate, order, heights)
    with flint.ctx.workprec(160):
        line = s.line(flint.arb(order), top, 60)
        turn = s.second.ball().log()
        for u, value in zip(heights, exact, strict=True):
            height = flint.arb(mp.nstr(u, 40))
            found = line.at(height) * (flint.acb(order - 1, height) * turn).exp()
            near = flint.acb(*(flint.arb(mp.nstr(x, 30)) for x in (value.real, value.imag)))
            assert abs(found - near).lower() < 1e-25 * abs(near)
            assert (abs(found - near) / abs(near)).upper() < 1e-14
            bound = line.decay(height) * ((order - 1) * turn).exp()
            assert bound > abs(near) * (1 - flint.arb(10) ** -9)
        assert line.decay(flint.arb(top)) < 0.9 * line.decay(flint.arb(0))


def test_many_added_samples_next_to_their_largest_loss():
    """A thousand of them, by a rule and moments of mpmath."""
    k, order, step = 1000, mp.mpf("4.9318461440e10"), mp.mpf(2) ** 26
    with mp.workdps(40):
        odds, gap = mp.mpf(1) / 9999, k * mp.log1p(mp.mpf(1) / 9999) - mp.mpf(1) / 10
        heights = [step * j for j in range(16)]
        total = mp.mpf(0)
        for u, one in zip(heights, moments_of_added(5, odds / (1 + odds), order, heights, 10),
                          strict=True):
            q = mp.mpc(order, u)
            value = mp.exp((q - 1) * gap) * one**k / (q * (q - 1))
            total += value.real * (1 if u else 0.5)
        number = total * step / mp.pi
    pair = poisson(gaussian(5), "1/10000", direction="add")**k
    with flint.ctx.workprec(160):
        found = contour.delta(releases(pair), flint.arb(1) / 10, 40)
        assert abs(found / flint.arb(mp.nstr(number, 30)) - 1) < flint.arb("1e-11")


def test_curvatures_of_orders_whose_squares_are_no_doubles():
    """Two wide, rare releases lead the search of an order there."""
    assert saddle._flattest(1e200) == saddle.LEAST < saddle._flattest(1e100) < saddle.FLATTEST
    assert saddle.right_of_one(lambda x: -0.5 * math.log(x), 1e300, 1e160)[1] > 0
