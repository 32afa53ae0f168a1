"""The exact class convolved with a normal distribution, and products with Gaussian factors."""

from __future__ import annotations

from fractions import Fraction

import flint
import pytest
import sympy as sp
from mpmath import mp

from lapdp import exponential, finite, gaussian, laplace, poisson, randomized_response
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.smoothing import Smoothed
from lapdp.core.errors import Unsupported
from lapdp.privacy.smoothed import smoothing

LN2, LN3 = sp.log(2), sp.log(3)
q = sp.Symbol("q")


def number(expression, digits=40):
    return mp.mpf(str(sp.N(expression, digits)))


# -- the calculus ---------------------------------------------------------------------------------

HALF = Form.of(Fraction(1, 2))
JUMPS = {HALF: {(Form.of(Fraction(1, 3)), 3): Scalar.of(Fraction(3, 5)),
                (Form.of(-1), 1): Scalar.of(-2), (Form.of(0), 0): Scalar.of(1)},
         -HALF: {(Form.of(-1), 4): Scalar.of(7)}}
GERM = Exact.term(Fraction(2, 3), Fraction(1, 2), 2)
OBJECTS = {
    "jumps": Exact(jumps=JUMPS),
    "with a germ": GERM + Exact(jumps=JUMPS),
    "small on the right": Exact(GERM.germ, {HALF: {(HALF, 2): Scalar.of(-1)}}),
    "reflected": (GERM + Exact(jumps=JUMPS) + Exact.impulse(Fraction(-1, 3), 2)).reflect(),
}


def function_of(f):
    """The function part, term by term."""
    def numbers(terms):
        return [(number(a.to_sympy()), n, number(c.to_sympy())) for (a, n), c in terms.items()]

    germ = numbers(f.germ)
    jumps = [(number(at.to_sympy()), numbers(terms)) for at, terms in f.jumps.items()]

    def value(y):
        found = mp.fsum(c * y**n * mp.exp(a * y) for a, n, c in germ)
        for at, terms in jumps:
            if y > at:
                found += mp.fsum(c * (y - at)**n / mp.factorial(n) * mp.exp(a * (y - at))
                                 for a, n, c in terms)
        return found

    return value


@pytest.mark.parametrize("name", OBJECTS)
def test_smoothed_by_quadrature(name):
    f, mean, variance = OBJECTS[name], sp.Rational(2, 5), sp.Rational(3, 7)
    smoothed = Smoothed(f, mean, variance)
    with mp.workdps(30):
        value_at = function_of(f)
        m, v = mp.mpf(2) / 5, mp.mpf(3) / 7

        def density(x):
            return mp.exp(-((x - m) ** 2) / (2 * v)) / mp.sqrt(2 * mp.pi * v)

        kinks = [number(at.to_sympy()) for at in f.jumps]
        for x in (sp.Integer(-1), sp.Rational(1, 3), sp.Integer(2)):
            y = number(x)
            expected = mp.quad(lambda s, y=y: value_at(s) * density(y - s),
                               sorted([-20, -3, *kinks, 3, 20]))
            for at, orders in f.impulses.items():
                expected += number(orders[0].to_sympy()) * density(y - number(at.to_sympy()))
            assert abs(number(smoothed.to_sympy(x)) - expected) < mp.mpf(10) ** -26
            with flint.ctx.workprec(200):
                ball = smoothed.enclose(*(flint.acb(int(r.p)) / int(r.q)
                                          for r in (x, mean, variance)))
            assert abs(mp.mpf(ball.real.str(45, radius=False)) - expected) < mp.mpf(10) ** -26
            assert ball.imag.is_zero()


def test_derivatives_of_impulses_are_refused():
    with pytest.raises(Unsupported, match="derivative of an impulse"):
        Smoothed(Exact.impulse(0, 1, 1), sp.Integer(0), sp.Integer(1))


# -- products with Gaussian factors ---------------------------------------------------------------

def normal_part(d, threshold):
    """P- and Q-probability that the loss (d^2 - 2 d x)/2 of N(0, 1), N(d, 1) is > threshold."""
    x = d / 2 - threshold / d
    return mp.ncdf(x), mp.ncdf(x - d)


def by_region(d, eps, log_p, log_q, points):
    """P(S) - e^eps Q(S) for the region S where the sum of both losses exceeds eps."""
    def body(y):
        inside = normal_part(d, eps - (log_p(y) - log_q(y)))
        return mp.exp(log_p(y)) * inside[0] - mp.exp(eps + log_q(y)) * inside[1]

    return mp.quad(body, points)


LAPLACE = (lambda y: -abs(y) - mp.log(2), lambda y: -abs(y - 1) - mp.log(2),
           [-80, -20, -5, 0, 1, 5, 20, 80])
EXPONENTIAL = (lambda y: -y, lambda y: mp.log(2) - 2 * y, [0, 1, 5, 20, 80])


@pytest.mark.parametrize("eps", ["-3", "-1/2", "0", "1", "5/2", "6"])
def test_profiles_by_the_region_of_the_best_test(eps):
    eps = sp.Rational(eps)
    with mp.workdps(30):
        e, d = number(eps), mp.sqrt(13)
        mine = (laplace(1) * gaussian(1) * gaussian(1, 2) ** 3).profile(eps)
        assert abs(number(mine) - by_region(d, e, *LAPLACE)) < mp.mpf(10) ** -24
        mine = (gaussian(2) * exponential(1, 2)).profile(eps)
        assert abs(number(mine) - by_region(mp.mpf(1) / 2, e, *EXPONENTIAL)) < mp.mpf(10) ** -24
        backward = EXPONENTIAL[1], EXPONENTIAL[0], EXPONENTIAL[2]
        mine = (exponential(1, 2).reverse() * gaussian(2)).profile(eps)
        assert abs(number(mine) - by_region(mp.mpf(1) / 2, e, *backward)) < mp.mpf(10) ** -24


@pytest.mark.parametrize("eps", ["-2", "0", "1/3", "3"])
def test_atoms_and_masses_at_infinity_by_sums(eps):
    """Outcome by outcome: a leak counts whole, and a share of a product that only Q has never."""
    eps = sp.Rational(eps)
    masses = [("1/5", "0"), ("1/2", "1/4"), ("3/10", "1/2"), ("0", "1/4")]
    pair = finite(*zip(*masses, strict=True))
    with mp.workdps(40):
        one = mp.mpf(0)
        for p, x in ((number(sp.Rational(a)), number(sp.Rational(b))) for a, b in masses):
            if not x:
                one += p
            elif p:
                inside = normal_part(mp.mpf(1), number(eps) - mp.log(p / x))
                one += p * inside[0] - mp.exp(number(eps)) * x * inside[1]
        assert abs(number((pair * gaussian(1)).profile(eps)) - one) < mp.mpf(10) ** -35
        assert abs(number((gaussian(1) * pair).profile(eps)) - one) < mp.mpf(10) ** -35
    assert (gaussian(1) * pair).mass_at_infinity == sp.Rational(1, 5)


PRODUCTS = {
    "laplace": (gaussian(1) * laplace(2)) ** 3,
    "exponential": exponential(1, 3) * gaussian(2),
    "leak": gaussian(2) ** 2 * randomized_response(LN3, "1/10") ** 3 * laplace("1/2"),
    "finite": finite(["1/2", "1/2", 0], ["1/4", "1/2", "1/4"]) * gaussian("1/3"),
}


@pytest.mark.parametrize("name", PRODUCTS)
def test_laws(name):
    """Reversal (7), limits, and the second route to profile and moments: the loss density."""
    pair = PRODUCTS[name]
    back, leak = pair.reverse(), pair.mass_at_infinity
    with mp.workdps(60):
        for eps in (-4, sp.Rational(-1, 3), 0, 1, 3):
            here, there = (number(p.profile(x), 60) for p, x in ((pair, eps), (back, -eps)))
            assert abs(there - (1 - mp.exp(-number(eps, 60)) * (1 - here))) < mp.mpf(10) ** -45
        assert abs(number(pair.profile(-400) - 1, 60)) < mp.mpf(10) ** -40
        assert abs(number(pair.profile(400) - leak, 60)) < mp.mpf(10) ** -40
    z = sp.Symbol("z", real=True)
    density, cdf = (sp.lambdify(z, e, "mpmath") for e in (pair.loss.density(z), pair.loss.cdf(z)))
    assert pair.loss.atoms == ()
    with mp.workdps(30):
        eps, grid = mp.mpf(1) / 3, [mp.mpf(x) for x in (-40, -8, -2, 0, 2, 8, 30, 90, 200)]
        found = mp.quad(lambda y: (1 - mp.exp(eps - y)) * density(y), [eps, *grid[4:]])
        assert abs(found + number(leak) - number(pair.profile(sp.Rational(1, 3)))) < 1e-20
        assert abs(mp.quad(density, [*grid[:4], eps]) - cdf(eps)) < 1e-20
        half = mp.quad(lambda y: mp.exp(-y / 2) * density(y), grid)
        assert abs(half - number(pair.moment(sp.Rational(1, 2)))) < 1e-20


def test_order_and_nesting_do_not_matter():
    mixed = gaussian(1) * laplace(1) * gaussian(2) ** 3
    same = laplace(1) * (gaussian(2) * gaussian(2) ** 2 * gaussian(1))
    for eps in (0, 2):
        assert abs(number(mixed.profile(eps) - same.profile(eps))) < mp.mpf(10) ** -35
    split = smoothing((gaussian(1) * laplace(1) * (gaussian(2) * laplace(1)) ** 2) ** 2)
    assert split.gaussian.kappa == sp.Rational(3, 2) and split.rest == laplace(1) ** 6
    assert smoothing(laplace(1) * laplace(2)) is None


def test_symbols_and_limits():
    sigma, b = sp.symbols("sigma b", positive=True)
    curve = (gaussian(sigma) * laplace(b)).profile()
    t = sp.Symbol("t", real=True)
    with mp.workdps(30):
        for values in ({sigma: 1, b: 2}, {sigma: sp.Rational(1, 3), b: sp.Rational(1, 2)}):
            fixed = (gaussian(values[sigma]) * laplace(values[b])).profile(sp.Rational(1, 5))
            found = curve.subs({**values, t: sp.Rational(1, 5)})
            assert abs(number(found - fixed)) < mp.mpf(10) ** -35
        quiet = (gaussian(10**12) * laplace(1)).profile(sp.Rational(1, 3))
        assert abs(number(quiet - laplace(1).profile(sp.Rational(1, 3)))) < 1e-11
        quiet = (gaussian(1) * laplace(10**12)).profile(sp.Rational(1, 3))
        assert abs(number(quiet - gaussian(1).profile(sp.Rational(1, 3)))) < 1e-11


def test_subsampled_and_refused():
    pair = gaussian(1) * randomized_response(1)
    sampled = poisson(pair, "1/10", direction="remove").profile(sp.log(2))
    assert abs(number(sampled - pair.profile(sp.log(11)) / 10)) < 1e-35
    with pytest.raises(Unsupported, match="outside the exact class"):
        (laplace(1) * poisson(gaussian(1), "1/10", direction="remove")).profile(1)
    with pytest.raises(Unsupported, match="outside the exact class"):
        (gaussian(1) * poisson(gaussian(1), "1/10", direction="remove")).profile(1)
