"""The profile of the Gaussian mechanism in balls against quadrature of the definition."""

from __future__ import annotations

from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp import gaussian
from lapdp.core.errors import InputError

CASES = [(1, 1, 0), (2, 1, Fraction(1, 2)), (1, 3, 2), (Fraction(1, 3), 1, 5),
         (3, Fraction(1, 7), -1), (10, 10, 20), (sp.pi, sp.sqrt(3), sp.log(3)), (1, 1, -30),
         (1, 1, 40)]


def by_quadrature(sigma, sensitivity, eps):
    """The integral of P - e^eps Q over where it is positive, which is a half-line."""
    s, d, t = (mp.mpf(sp.N(x, 60)) if isinstance(x, sp.Basic) else mp.mpf(Fraction(x).numerator)
               / Fraction(x).denominator for x in (sigma, sensitivity, eps))
    end = d / 2 - s * s * t / d
    nodes = [end - s * mp.mpf(2) ** k for k in range(6, -7, -1)] + [end]
    # mpmath stops at an absolute error
    size = mp.npdf(end, 0, s)
    return size * mp.quad(lambda x: (mp.npdf(x, 0, s) - mp.exp(t) * mp.npdf(x, d, s)) / size,
                          nodes)


@pytest.mark.parametrize(("sigma", "sensitivity", "eps"), CASES)
def test_is_the_integral_of_the_definition(sigma, sensitivity, eps):
    with mp.workdps(60):
        found = gaussian(sigma, sensitivity).profile.at(eps, digits=25)
        there = by_quadrature(sigma, sensitivity, eps)
        assert abs(mp.mpf(found.middle.numerator) / found.middle.denominator - there) <= \
            mp.mpf("1e-24") * there
        assert found.digits >= 25


def test_far_tails_keep_relative_digits():
    found = (gaussian(10) ** 100).profile.at(200, digits=20)
    with mp.workdps(60):
        a, b = (mp.mpf(399) / 2 / mp.sqrt(2), mp.mpf(401) / 2 / mp.sqrt(2))
        there = mp.erfc(a) / 2 - mp.exp(200) * mp.erfc(b) / 2
        assert abs(mp.mpf(found.middle.numerator) / found.middle.denominator / there - 1) < 1e-19


def test_whole_roots_of_copies_are_those_of_sympy():
    for k in (1, 2, 4, 7, 9, 100, 10**12, 10**18 + 1):
        assert (gaussian(3, 2) ** k).sensitivity == 2 * sp.sqrt(k)
        assert (gaussian(3, 2) ** k).kappa == sp.Rational(2 * k, 9)


def test_floats_are_refused():
    with pytest.raises(InputError, match="float"):
        gaussian(1).profile.at(0.1)
