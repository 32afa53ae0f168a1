"""Notions of concrete pairs against quadrature of their definitions."""

from __future__ import annotations

import pytest
import sympy as sp
from mpmath import mp

from lapdp import exponential, finite, gaussian, laplace, randomized_response
from lapdp.core.errors import Undefined, Unsupported
from tests.oracle import finite as oracle
from tests.oracle.densities import DensityPair

t = sp.Symbol("t", real=True)
q = sp.Symbol("q")
LN2 = sp.log(2)


def number(expression, digits):
    return mp.mpf(str(sp.N(expression, digits)))


# -- densities ------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ["-3/2", "-1", "-1/3", "0", "1/10", "1/2", "9/10", "1", "3/2"])
def test_laplace_profile_by_quadrature(text):
    """25 digits against the definition: the integral of max(0, p - e^eps q)."""
    eps = sp.Rational(text)
    with mp.workdps(40):
        pair = DensityPair(lambda x: -abs(x) - mp.log(2), lambda x: -abs(x - 1) - mp.log(2), (0, 1))
        crossing = [(1 - mp.mpf(eps.p) / eps.q) / 2]
        expected = pair.profile(mp.mpf(eps.p) / eps.q, crossing)
        for value in (laplace(1).profile(eps), laplace(1).profile(t).subs(t, eps)):
            assert abs(number(value, 40) - expected) < mp.mpf(10) ** -28


def test_laplace_in_symbols():
    b = sp.Symbol("b", positive=True)
    curve = laplace(b).profile(t)
    for scale in (1, 2, sp.Rational(1, 3)):
        same = laplace(scale)
        for eps in (-2, 0, sp.Rational(1, 4), 1, 3):
            assert curve.subs(b, scale).subs(t, eps) == same.profile(t).subs(t, eps)


@pytest.mark.parametrize("eps", [-2, 0, 1])
def test_products_of_laplace_by_quadrature(eps):
    """(47): the integral of p(x) delta(eps - z(x)), delta itself checked by its definition."""
    def delta(e):
        e = mp.mpf(e)
        if e <= -1:
            return 1 - mp.exp(e)
        return mp.mpf(0) if e >= 1 else 1 - mp.exp((e - 1) / 2)

    with mp.workdps(40):
        kinks = sorted({mp.mpf(0), mp.mpf(1), *(
            x for x in ((1 - mp.mpf(eps) - s) / 2 for s in (-1, 1)) if 0 < x < 1)})
        expected = (delta(eps - 1) + mp.exp(-1) * delta(eps + 1)) / 2 + mp.quad(
            lambda x: mp.exp(-x) / 2 * delta(eps - 1 + 2 * x), kinks)
        found = number((laplace(1) ** 2).profile(eps), 40)
        assert abs(found - expected) < mp.mpf(10) ** -30
        assert abs(number((laplace(1) * laplace(2, 2)).profile(eps), 40) - expected) < 1e-30
        mixed = (laplace(1) * randomized_response(1, "1/10")).profile(eps)
        odds = mp.e
        shares = [(mp.mpf("0.9") * odds / (1 + odds), 1), (mp.mpf("0.9") / (1 + odds), -1)]
        expected = mp.mpf("0.1") + mp.fsum(m * delta(eps - z) for m, z in shares)
        assert abs(number(mixed, 40) - expected) < mp.mpf(10) ** -30


def test_exponential_by_quadrature():
    pair, backward = exponential(1, 2), exponential(1, 2).reverse()
    assert (str(pair.moment_region()), str(backward.moment_region())) == ("Re s < 2", "Re s > -1")
    assert pair.moment(2) == pair.moment(3) == sp.oo and backward.moment(-1) == sp.oo
    with mp.workdps(30):
        one = DensityPair(lambda x: -x, lambda x: mp.log(2) - 2 * x, (), (mp.mpf(0), mp.inf))
        two = DensityPair(lambda x: mp.log(2) - 2 * x, lambda x: -x, (), (mp.mpf(0), mp.inf))
        for eps in (sp.Rational(-1, 3), sp.Rational(1, 4), sp.Integer(2)):
            e = mp.mpf(eps.p) / eps.q
            for mine, theirs, sign in ((pair, one, 1), (backward, two, -1)):
                crossing = [mp.log(2) + sign * e]
                assert abs(number(mine.profile(eps), 30) - theirs.profile(e, crossing)) < 1e-20
        for order in (sp.Rational(3, 2), sp.Rational(-1, 2)):
            expected = one.moment(mp.mpf(order.p) / order.q)
            assert abs(number(pair.moment(order), 30) - expected) < 1e-20
            assert pair.moment(q).subs(q, order) == pair.moment(order)
            assert backward.moment(1 - order) == pair.moment(order)
    with pytest.raises(Undefined, match="the integral diverges"):
        pair.moment(3 + sp.I)


def test_removable_poles_of_laplace():
    value = sp.Rational(3, 2) * sp.exp(sp.Rational(-1, 2))
    assert laplace(1).moment("1/2") == laplace(1).moment(q).subs(q, sp.Rational(1, 2)) == value
    assert sp.expand(laplace(1).moment(q).subs(q, 2) - laplace(1).moment(2)) == 0
    assert str(laplace(1).moment_region()) == "all s"


# -- Gaussian pairs -------------------------------------------------------------------------------


def test_gaussian():
    x = sp.Symbol("x", real=True)
    pair = gaussian(2, 3)
    with mp.workdps(30):
        density = DensityPair(lambda y: -y**2 / 8 - mp.log(8 * mp.pi) / 2,
                              lambda y: -(y - 3) ** 2 / 8 - mp.log(8 * mp.pi) / 2, (0, 3))
        for eps in (-1, 0, 1):
            crossing = [mp.mpf(3) / 2 - mp.mpf(4 * eps) / 3]
            expected = density.profile(mp.mpf(eps), crossing)
            assert abs(number(pair.profile(eps), 30) - expected) < 1e-20
    assert pair.moment(2) == sp.exp(2 * pair.kappa)
    assert pair.renyi(5) == 5 * pair.kappa and pair.renyi(x) == x * pair.kappa
    expected = sp.exp(pair.kappa * sp.I * x * (1 + sp.I * x))
    assert sp.expand(pair.characteristic(x) - expected) == 0
    assert pair.loss.mass_at_infinity == 0 and pair.loss.atoms == ()
    assert str(pair.moment_region()) == "all s" and pair.is_absolutely_continuous
    assert sp.diff(pair.loss.cdf(x), x).equals(pair.loss.density(x))
    with pytest.raises(Unsupported, match="outside the exact class"):
        pair.model()


def test_products_with_gaussians():
    assert gaussian(1, 3) * gaussian(2, 8) == gaussian(1, 5)
    assert gaussian(3, 3) * gaussian(3, 4) == gaussian(3, 5)
    assert gaussian(2, 3) ** 4 == gaussian(2, 6)
    assert (gaussian(1) ** 2 * gaussian(1)).kappa == 3 * gaussian(1).kappa
    assert gaussian(5).reverse() == gaussian(5)
    mixed = gaussian(1) * laplace(1)
    assert sp.expand(mixed.moment(2) - sp.E * laplace(1).moment(2)) == 0
    assert str((gaussian(1) * exponential(1, 2)).moment_region()) == "Re s < 2"
    assert mixed.mass_at_infinity == 0
    with pytest.raises(Unsupported, match=r"gaussian\(1, 1\)\*laplace\(1, 1\) has no exact model"):
        mixed.model()


# -- Renyi, characteristic function ---------------------------------------------------------------


def test_renyi_is_defined_or_says_why():
    coin = finite(["1/3", "2/3"], ["2/3", "1/3"])
    assert coin.renyi(sp.Integer(2)) == sp.log(sp.Rational(3, 2))
    zero = sp.Rational(1, 2) + sp.I * sp.pi / (2 * LN2)
    leaky = randomized_response(1, "1/10")
    for order, why in ((1, "q = 1"), (zero, "E_q is 0")):
        with pytest.raises(Undefined, match=why):
            coin.renyi(order)
    for pair, order in ((leaky, 2), (exponential(1, 2), 2), (finite([1, 0], [0, 1]), "1/2")):
        assert pair.renyi(order) == sp.oo


def test_renyi_takes_the_principal_branch():
    coin, order = finite(["1/3", "2/3"], ["2/3", "1/3"]) ** 3, 2 + 7 * sp.I
    with mp.workdps(30):
        moment = oracle.moment(coin.P, coin.Q, mp.mpc(2, 7))
        expected = mp.log(moment) / mp.mpc(1, 7)
        assert abs(mp.mpmathify(sp.N(coin.renyi(order), 30)) - expected) < 1e-20


def test_characteristic_function():
    u = sp.Symbol("u", real=True)
    coin = finite(["1/3", "2/3"], ["2/3", "1/3"])
    expected = sp.exp(sp.I * u * LN2) * 2 / 3 + sp.exp(-sp.I * u * LN2) / 3
    assert sp.expand(coin.characteristic(u) - expected) == 0
    assert laplace(1).characteristic(0) == 1
    with mp.workdps(30):
        for place in (1, sp.Rational(5, 2)):
            y = mp.mpf(place.p) / place.q if place != 1 else mp.mpf(1)
            expected = (mp.exp(1j * y) + mp.exp(-1 - 1j * y)) / 2 + mp.quad(
                lambda x, y=y: mp.exp(1j * y * (1 - 2 * x) - x) / 2, [0, 1])
            for value in (laplace(1).characteristic(place),
                          laplace(1).characteristic(u).subs(u, place)):
                assert abs(mp.mpmathify(sp.N(value, 30)) - expected) < 1e-20
    with pytest.raises(Undefined, match=r"Pr\[Z = oo\] = 1/10"):
        randomized_response(1, "1/10").characteristic(u)
    # mass of Q alone does no harm
    assert randomized_response(1, "1/10").moment(1) == 1
    assert finite([1, 0], ["1/2", "1/2"]).characteristic(u) == sp.exp(sp.I * u * LN2)


def test_loss_of_laplace():
    z = laplace(1).loss
    density = z.density(t)
    assert density.subs(t, 0) == sp.exp(sp.Rational(-1, 2)) / 4 and density.subs(t, 2) == 0
    assert z.generalized_density(t).has(sp.DiracDelta(t - 1))
    assert [p[:2] for p in (laplace(1) ** 2).loss.pieces] == [(-2, 0), (0, 2)]
    total = sum(a.mass for a in z.atoms) + sp.integrate(z.pieces[0].expression,
                                                        (sp.Symbol("z", real=True), -1, 1))
    assert sp.expand(total) == 1
