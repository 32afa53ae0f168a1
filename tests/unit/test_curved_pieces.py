"""Many releases of densities given by the user, outside the exact class."""

from __future__ import annotations

import flint
import mpmath as mp
import numpy as np
import pytest
import sympy as sp

from lapdp import densities
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported

X = sp.Symbol("x", real=True)
WIDE = sp.exp(-(X**2) / 8) / sp.sqrt(8 * sp.pi)
SLIM = sp.exp(-(X**2) / 2) / sp.sqrt(2 * sp.pi)
PARABOLA = densities((1 + X**2) * sp.Rational(3, 4), 1, X, (0, 1))


@pytest.mark.parametrize(("order", "u"), [(0.5, 1), (1.125, 2), (1.125, 30)])
def test_normal_distributions_of_two_variances(order, u):
    """E_q of N(0, 4) against N(0, 1) is 2^-q/sqrt(1 - 3q/4)."""
    spectrum = releases(densities(WIDE, SLIM, X)).parts[0][0]
    with flint.ctx.workprec(120):
        found = spectrum.line(flint.arb(order), float(u), 60).at(flint.arb(u))
    with mp.workdps(30):
        q = mp.mpc(order, u)
        expected = complex(mp.power(2, -q) / mp.sqrt(1 - 3 * q / 4))
    assert abs(complex(found) - expected) < 1e-15 * abs(expected)
    assert float(found.real.rad()) < 1e-17


@pytest.mark.parametrize("eps", [1, 15])
def test_a_hundred_of_them_by_chi_squares(eps):
    """The losses of N(0, 1) against N(0, 4) are log 2 - 3 x^2/8: delta is two gamma functions."""
    answer = (densities(SLIM, WIDE, X) ** 100).delta(eps, digits=15)
    with mp.workdps(40):
        c = (100 * mp.log(2) - eps) * 8 / 3

        def below(y):
            return mp.gammainc(50, 0, y / 2, regularized=True)

        expected = below(c) - mp.exp(eps) * below(c / 4)
        middle = mp.mpf(answer.enclosure.middle.numerator) / answer.enclosure.middle.denominator
        assert abs(middle - expected) < 2e-15 * expected
    assert answer.method == "contour integral" and answer.enclosure.digits >= 15


@pytest.mark.parametrize(("count", "eps"), [(20, 1), (100, 3), (100, 30)])
def test_a_density_on_an_interval_between_brackets(count, eps):
    """P has the distribution function (3x + x^3)/4, the loss is log(3 (1 + x^2)/4)."""
    cells = 1500
    edges = np.linspace(np.log(0.75), np.log(1.5), cells + 1)
    place = np.sqrt(np.maximum(4 * np.exp(edges) / 3 - 1, 0))
    place[-1] = 1
    inner = np.diff((3 * place + place**3) / 4)
    bounds = []
    for shift in (0, 1):
        masses = np.zeros(cells + 1)
        masses[shift:cells + shift] = inner
        size = 1 << (count * cells + 1).bit_length()
        law = np.fft.irfft(np.fft.rfft(masses, size) ** count, size)
        total = count * edges[0] + (edges[1] - edges[0]) * np.arange(size)
        keep = (total > eps) & (np.arange(size) <= count * cells)
        bounds.append(float(np.sum(law[keep] * -np.expm1(eps - total[keep]))))
    answer = float((PARABOLA ** count).delta(eps))
    assert bounds[0] - 1e-13 <= answer <= bounds[1] + 1e-13


def test_what_decays_too_slowly_is_refused():
    with pytest.raises(Unsupported):
        (PARABOLA ** 3).delta("0.3", digits=15)


def test_an_open_end_is_no_infinity():
    """The losses are bounded, which is not seen: no answer is better than oo."""
    with pytest.raises(Unsupported):
        (PARABOLA ** 100).epsilon(0)


def test_a_constant_loss_is_not_halved_without_end():
    """On x > 0 the loss is an atom, which no contour integral of pieces can hold."""
    p = sp.Piecewise(((1 + X**2) * sp.Rational(3, 8), X < 0), (sp.Rational(1, 2), True))
    q = sp.Piecewise((sp.Rational(1, 4), X < 0), (sp.Rational(3, 4), True))
    pair = densities(p, q, X, (-1, 1))
    decay = releases(pair).parts[0][0].decay(1.5)
    assert max(map(len, decay.falls)) < 200
    with pytest.raises(Unsupported, match="not reached"):
        (pair ** 10).delta("0.5", digits=15)
