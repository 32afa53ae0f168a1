"""Subsampled Gaussians at orders of hundreds and thousands: their lines, by sums in mpmath."""

from __future__ import annotations

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import gaussian, poisson
from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum


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
