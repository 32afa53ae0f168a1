"""The characteristic-function accountant against closed forms, exact sums and the contour."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import flint
import pytest
import sympy as sp
from mpmath import mp

from lapdp import (
    FourierAccountant,
    finite,
    gaussian,
    geometric,
    laplace,
    poisson,
    randomized_response,
)
from lapdp.accounting.inversion import characteristic
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import InputError, Undefined, Unsupported

COIN = randomized_response(sp.log(sp.Rational(52, 48)))


def gaussian_delta(mu, eps):
    """Balle and Wang 2018, theorem 8, with 50 digits."""
    with mp.workdps(50):
        mu, eps = mp.mpf(mu), mp.mpf(eps)
        return mp.ncdf(mu / 2 - eps / mu) - mp.exp(eps) * mp.ncdf(-mu / 2 - eps / mu)


@pytest.mark.parametrize("mu", ["0.25", "1", "3"])
@pytest.mark.parametrize("eps", ["-2", "0", "0.5", "4"])
def test_gaussian_closed_form(mu, eps):
    found = gaussian(1, mu).delta(eps, digits=20, method="characteristic")
    with mp.workdps(50):
        assert abs(mp.mpf(found.value.numerator) / found.value.denominator
                   - gaussian_delta(mu, eps)) <= mp.mpf(str(float(found.radius))) * 1.01


@pytest.mark.parametrize(("k", "p"), [(1, "0.52"), (10, "0.52"), (4, "0.9")])
def test_gaussian_beside_randomized_response_is_a_binomial_mean(k, p):
    """Losses add: delta = sum_j C(k, j) p^j (1 - p)^(k - j) delta_G(eps - (2j - k) c)."""
    odds = sp.Rational(p) / (1 - sp.Rational(p))
    pair = gaussian(5) ** k * randomized_response(sp.log(odds)) ** k
    found = pair.delta(1, digits=15, method="characteristic")
    with mp.workdps(50):
        c, q = mp.log(mp.mpf(odds.p) / odds.q), mp.mpf(p)
        exact = mp.fsum(comb(k, j) * q**j * (1 - q) ** (k - j)
                        * gaussian_delta(mp.sqrt(k) / 5, 1 - (2 * j - k) * c)
                        for j in range(k + 1))
        assert abs(mp.mpf(found.value.numerator) / found.value.denominator - exact) <= (
            mp.mpf(str(float(found.radius))) * 1.01)


@pytest.mark.parametrize(("pair", "eps"), [
    (gaussian(5) ** 3 * gaussian(8) ** 5 * randomized_response("0.1"), "2.18"),
    ((gaussian(5) * COIN) ** 25, 2),
    (gaussian(2) ** 3 * laplace(3) ** 2, 1),
    (gaussian(2) ** 3 * randomized_response("0.1", "1e-3") ** 3, 1),
    ((gaussian(2) ** 3 * randomized_response("0.1", "1e-3") ** 3).reverse(), -1),
    (gaussian(2) * geometric("0.1", 2) ** 3, "-0.5"),
    (gaussian(2) * finite([0, "1/3", "2/3"], ["1/4", "1/2", "1/4"]), "0.25"),
    (gaussian(2) * finite(["1/4", "1/2", "1/4"], [0, "1/3", "2/3"]), "0.25"),
    (gaussian(10) ** 100, 20),
])
def test_other_methods_agree(pair, eps):
    one = pair.delta(eps, digits=12, method="characteristic")
    other = pair.delta(eps, digits=12)
    assert one.method == "characteristic functions" != other.method
    assert abs(one.value - other.value) <= one.radius + other.radius
    assert one.radius <= abs(one.value) / 10**12


def test_masses_at_infinity_alone_are_exact():
    pair = gaussian(1) * finite([1, 0], [0, 1])
    found = pair.delta(3, method="characteristic")
    assert found.lower <= 1 <= found.upper
    assert found.radius < Fraction(1, 10**14)


@pytest.mark.parametrize("bits", [20, 60, 200])
def test_the_radius_is_a_proof_at_every_precision(bits):
    factors = releases(gaussian(3) ** 4 * COIN ** 4)
    truth = (gaussian(3) ** 4 * COIN ** 4).delta("0.7", digits=80)
    with flint.ctx.workprec(400):
        ball = characteristic.delta(factors, flint.arb("0.7"), bits)
        middle = flint.arb(flint.fmpq(truth.value.numerator, truth.value.denominator))
        assert abs(middle - ball.mid()) <= ball.rad() + flint.arb(truth.radius.numerator) / (
            truth.radius.denominator)
        assert ball.rad() < flint.arb(2) ** (8 - bits)


@pytest.mark.parametrize("half_period", [0.5, 1.0, 3.0])
@pytest.mark.parametrize("nodes", [1, 5, 40])
def test_bad_choices_make_wide_balls_not_wrong_ones(half_period, nodes):
    factors = releases(gaussian(1) * COIN)
    truth = (gaussian(1) * COIN).delta("0.5", digits=25)
    rule = characteristic._Rule(half_period, nodes, ((1, 2.5), (1, -1.5), (0, 1.5), (0, -2.5)))
    with flint.ctx.workprec(80):
        ball = characteristic._sum(factors, flint.arb("0.5"), rule, 60,
                                   characteristic.gaussian_part(factors))
        assert ball.overlaps(flint.arb(flint.fmpq(truth.value.numerator,
                                                  truth.value.denominator)))


@pytest.mark.parametrize("pair", [
    laplace(1), randomized_response(1) ** 10, poisson(gaussian(1), "0.1", direction="add") ** 9])
def test_without_gaussian_noise_it_is_refused(pair):
    with pytest.raises(Unsupported, match="Gaussian factor"):
        pair.delta("0.5", method="characteristic")


def test_bad_input():
    with pytest.raises(InputError, match="method = 'fft' must be one of"):
        gaussian(1).delta(1, method="fft")
    with pytest.raises(Unsupported, match="abs"):
        gaussian(1).delta(10**6, method="characteristic")
    with pytest.raises(InputError, match="nothing is released"):
        FourierAccountant().delta(1)
    with pytest.raises(InputError, match="whole number"):
        FourierAccountant().add(gaussian(1), 0)
    with pytest.raises(InputError, match="no mechanism"):
        FourierAccountant().add(3)


def test_logarithms_add_up():
    u = sp.Symbol("u", real=True)
    parts = [(gaussian(5), 3), (laplace(2), 2), (COIN, 4)]
    accountant = FourierAccountant()
    assert accountant.log_phi(u) == accountant.log_phi_prime(u) == 0
    for pair, k in parts:
        accountant = accountant.add(pair, k)
    for log, pair in ((accountant.log_phi(u), accountant.pair),
                      (accountant.log_phi_prime(u), accountant.pair.reverse())):
        product = sp.prod(p.characteristic(u) ** k for p, k in parts)
        for at in (sp.Rational(1, 3), 2, -5):
            value = complex(sp.exp(log).subs(u, at).evalf(25))
            assert abs(value - complex(product.subs(u, at).evalf(25))) < 1e-20
            assert abs(value - complex(pair.moment(1 + sp.I * at).evalf(25))) < 1e-20


def test_a_leak_has_no_logarithm_but_a_delta():
    leaky = FourierAccountant().add(gaussian(1)).add(randomized_response(1, "0.1"))
    with pytest.raises(Undefined):
        leaky.log_phi(sp.Symbol("u", real=True))
    assert leaky.delta(2).value > Fraction(1, 10)
    assert leaky.epsilon("0.2", digits=6).value > 0
