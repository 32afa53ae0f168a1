"""Densities outside the exact class: certified by bisection, in closed form by quadratics; both
against mpmath on the definition.
"""

from __future__ import annotations

from itertools import pairwise

import pytest
import sympy as sp
from flint import arb, ctx
from mpmath import mp

from lapdp import densities, exponential_mechanism
from lapdp.balls.decimals import certified
from lapdp.balls.hinges import negative_part, positive_part
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.density_pairs import CurvedDensities
from lapdp.privacy.quadratic_losses import antiderivative

x = sp.Symbol("x", real=True)
t = sp.Symbol("t", real=True)
LINE, HALF_LINE, UNIT = (-sp.oo, sp.oo), (0, sp.oo), (0, 1)


def normal(mean, sigma):
    return sp.exp(-((x - mean) ** 2) / (2 * sp.S(sigma) ** 2)) / (sigma * sp.sqrt(2 * sp.pi))


def cauchy(centre, scale=1):
    return scale / (sp.pi * (scale**2 + (x - centre) ** 2))


def logistic(centre):
    return sp.exp(centre - x) / (1 + sp.exp(centre - x)) ** 2


PAIRS = {
    "narrow against wide": (normal(0, 1), normal(0, 2), LINE),
    "wide against narrow": (normal(0, 2), normal(0, 1), LINE),
    "moved and wider": (normal(0, 1), normal(1, sp.Rational(3, 2)), LINE),
    "equal variances": (normal(0, 1), normal(1, 1), LINE),
    "Cauchy": (cauchy(0), cauchy(1), LINE),
    "wider Cauchy": (cauchy(0), cauchy(1, 3), LINE),
    "logistic": (logistic(0), logistic(1), LINE),
    "Gamma": (sp.exp(-x), x * sp.exp(-x), HALF_LINE),
    "two Gammas": (x**2 * sp.exp(-x) / 2, x * sp.exp(-x), HALF_LINE),
    "uniform against exponential": (sp.Integer(1), sp.exp(-x) / (1 - sp.exp(-1)), UNIT),
    "Beta": (6 * x * (1 - x), sp.Integer(1), UNIT),
    "Beta reversed": (sp.Integer(1), 6 * x * (1 - x), UNIT),
}
OPEN = {
    "normal against Laplace": (normal(0, 1), sp.exp(-sp.Abs(x)) / 2, LINE, [0]),
    "four crossings": (30 * x**2 * (1 - x) ** 2, 1 + sp.sin(6 * sp.pi * x) / 2, UNIT, []),
    "arcsine": (1 / (sp.pi * sp.sqrt(x * (1 - x))), sp.Integer(1), UNIT, []),
    "normal against Cauchy": (normal(0, 1), cauchy(0), LINE, []),
}
EPS = ["-2", "0", "1/5"]


def number(e):
    return mp.mpf(sp.N(e, 40))


def direct(p, q, support, eps, kinks=()):
    """The integral of max(0, p - e^eps q), crossings found on a fine grid."""
    f, g = (sp.lambdify(x, e, "mpmath") for e in (p, q))
    low, high = ({sp.oo: mp.inf, -sp.oo: -mp.inf}.get(e) or number(e) for e in support)
    alpha = mp.exp(number(eps))

    def gap(y):
        return f(y) - alpha * g(y)

    half = [mp.mpf(2) ** (mp.mpf(k) / 6) - mp.mpf(2) ** -20 for k in range(-90, 160)]
    if high == mp.inf:
        grid = sorted({*half, *(-y for y in half)}) if low == -mp.inf else half
    else:
        grid = [(mp.mpf(k) + mp.mpf("0.37")) / 1000 for k in range(1000)]
    cuts = [number(k) for k in kinks]
    for ends in pairwise(grid):
        a, b = ends
        if gap(a) * gap(b) < 0:
            for _ in range(100):
                middle = (a + b) / 2
                a, b = (middle, b) if gap(a) * gap(middle) > 0 else (a, middle)
            cuts.append(a)
    total = mp.mpf(0)
    cuts = sorted(cuts) or [mp.mpf(0) if low == -mp.inf else low + mp.mpf("0.5")]
    for a, b in pairwise([low, *cuts, high]):
        inner = (b - 1 if a == -mp.inf else a + 1 if b == mp.inf else (a + b) / 2)
        if gap(inner) > 0:
            total += mp.quad(gap, [a, inner, b])
    return total


def digits_of(pair, eps, digits=20):
    found = certified(lambda bits: pair.profile_ball(sp.sympify(eps)), digits)
    return mp.mpf(found.middle.numerator) / found.middle.denominator


@pytest.mark.parametrize("name", PAIRS)
def test_profiles_three_times(name):
    """Closed form, balls and mpmath."""
    p, q, support = PAIRS[name]
    made = densities(p, q, x, support)
    assert isinstance(made, CurvedDensities)
    curve = made.profile(t)
    with mp.workdps(30):
        for eps in EPS:
            value = digits_of(made, eps)
            assert abs(number(made.profile(eps)) - value) < mp.mpf(10) ** -18, eps
            assert abs(number(curve.subs(t, sp.Rational(eps))) - value) < mp.mpf(10) ** -18, eps
            assert abs(direct(p, q, support, sp.Rational(eps)) - value) < mp.mpf(10) ** -9, eps


@pytest.mark.parametrize("name", OPEN)
def test_certified_without_a_closed_form(name):
    p, q, support, kinks = OPEN[name]
    made = densities(p, q, x, support)
    with mp.workdps(20):
        for eps in ("-1/2", "1/5"):
            gap = direct(p, q, support, sp.Rational(eps), kinks) - digits_of(made, eps, 15)
            assert abs(gap) < mp.mpf(10) ** -7, eps
    with pytest.raises(Unsupported, match=r"profile\.at"):
        made.profile(0)


@pytest.mark.parametrize("name", ["logistic", "two Gammas", *OPEN])
def test_reversal_of_certified_values(name):
    p, q, support = (PAIRS.get(name) or OPEN[name])[:3]
    made, back = densities(p, q, x, support), densities(q, p, x, support)
    with ctx.workprec(100):
        for eps in (sp.Rational(1, 3),):
            alpha = arb(int(eps.p)) / int(eps.q)
            there = 1 - alpha.exp() + alpha.exp() * back.profile_ball(-eps)
            assert (there - made.profile_ball(eps)).contains(0)
            assert (there - made.profile_ball(eps)).rad() < 1e-20


def test_zero_is_exact_beyond_the_largest_loss():
    """log(p/q) <= log 2: nothing is left, and no tail is in the way."""
    made = densities(normal(0, 1), normal(0, 2), x)
    assert made.profile_ball(sp.Integer(1)).is_zero() and made.profile(1) == 0


def test_equal_densities():
    made = densities(normal(0, 1), normal(0, 1), x)
    assert made.profile_ball(sp.Integer(0)).is_zero()
    assert abs(digits_of(made, sp.Integer(-1)) - (1 - mp.exp(-1))) < 1e-14


def test_touching_is_refused_in_time():
    """At t = log 2 exactly p - e^t q touches 0: no precision tells that the profile is 0."""
    made = densities(normal(0, 1), normal(0, 2), x)
    with ctx.workprec(5000), pytest.raises(Unsupported, match="touch"):
        made.profile_ball(sp.log(2))
    with ctx.workprec(100):
        assert made.profile_ball(sp.log(2)).contains(0)
    assert made.profile(sp.log(2)) == 0


def test_logistic_densities_are_the_exponential_mechanism():
    made = densities(logistic(0), logistic(1), x)
    for eps in EPS:
        gap = made.profile(eps) - exponential_mechanism(1).profile(eps)
        assert abs(sp.N(gap, 30)) < 1e-25


@pytest.mark.parametrize("name", ["narrow against wide", "Cauchy", "Gamma", "Beta", "logistic"])
def test_distribution_of_the_loss(name):
    p, q, support = PAIRS[name]
    loss = densities(p, q, x, support).loss
    ratio = sp.lambdify(x, sp.log(p) - sp.log(q), "mpmath")
    cdf, density = loss.cdf(t), loss.density(t)
    with mp.workdps(20):
        low, high = (float(max(-60, min(60, e))) for e in map(sp.sympify, support))
        f = sp.lambdify(x, p, "mpmath")
        steps = 6000
        points = [low + (high - low) * (k + 0.5) / steps for k in range(steps)]
        for z in (-0.6, -0.1, 0.3):
            rough = mp.fsum(f(mp.mpf(y)) for y in points if ratio(mp.mpf(y)) <= z) * (
                high - low) / steps
            at = sp.Rational(str(z))
            assert abs(number(cdf.subs(t, at)) - rough) < 0.02
            step = sp.Rational(1, 10**8)
            slope = (cdf.subs(t, at + step) - cdf.subs(t, at - step)) / (2 * step)
            assert abs(sp.N(slope - density.subs(t, at), 20)) < 1e-6
    assert loss.atoms == () and loss.mass_at_infinity == 0


@pytest.mark.parametrize(("p", "q", "order", "expected"), [
    # closed forms by completing the square, Beta and Gamma integrals
    (normal(0, 1), normal(0, 2), "1/2", sp.sqrt(sp.Rational(4, 5))),
    (normal(0, 1), normal(0, 2), 3, 8 / sp.sqrt(10)),
    (normal(0, 2), normal(0, 1), "5/4", 2 ** sp.Rational(-5, 4) / sp.sqrt(
        sp.Rational(5, 16) - sp.Rational(1, 4))),
])
def test_certified_moments(p, q, order, expected):
    found = densities(p, q, x).moment.at(order, digits=20)
    assert abs(sp.Rational(found.middle.numerator, found.middle.denominator) - sp.N(expected, 30)
               ) < 1e-18


def test_certified_moments_with_kinks_and_without_convergence():
    made = densities(normal(0, 1), sp.exp(-sp.Abs(x)) / 2, x)
    found = made.moment.at(2, digits=15)
    with mp.workdps(20):
        expected = 2 * mp.quad(lambda y: mp.exp(-y**2) / mp.pi * mp.exp(y), [0, 2, 8, mp.inf])
        assert abs(mp.mpf(found.middle.numerator) / found.middle.denominator - expected) < 1e-13
    with pytest.raises(Unsupported):
        made.reverse().moment.at(3)
    # even powers of a negative variable must not turn complex
    square = densities(x**2 * normal(0, 1), normal(0, 1), x)
    found = square.moment.at("1/4", digits=15)
    with mp.workdps(20):
        expected = 2 * mp.quad(lambda y: mp.sqrt(y) * mp.npdf(y), [0, 1, 4, 12, 40])
        assert abs(mp.mpf(found.middle.numerator) / found.middle.denominator - expected) < 1e-10
    gamma = densities(sp.exp(-x), x * sp.exp(-x), x, HALF_LINE)
    half = gamma.moment.at("1/2", digits=15)
    assert abs(half.middle.numerator / half.middle.denominator - float(sp.gamma(1.5))) < 1e-14
    assert gamma.reverse().profile("1/5") == densities(x * sp.exp(-x), sp.exp(-x), x,
                                                       HALF_LINE).profile("1/5")


def test_bisection_on_hard_pairs():
    """Singular ends, double zeros, far supports."""
    assert positive_part(1 / (2 * sp.sqrt(x)), sp.Integer(1), x, 0, 1).overlaps(arb(1) / 4)
    assert positive_part((x - sp.Rational(1, 3)) ** 2, sp.Integer(0), x, 0, 1).overlaps(arb(1) / 9)
    touching = positive_part(x**2, 2 * x - 1, x, sp.Rational(1, 2), 2)
    assert touching.overlaps(arb(1) / 3 + arb(1) / 24) and touching.rad() < 1e-12
    far = positive_part(sp.exp(10**6 - x), sp.Integer(0) * x, x, 10**6, sp.oo)
    assert far.overlaps(arb(1)) and far.rad() < 1e-12
    assert not negative_part(x * (1 - x), x, 0, 1) > 0


@pytest.mark.parametrize(("p", "q", "support", "problem", "words"), [
    (normal(0, 1) / 2, normal(0, 2), LINE, InputError, "p integrates to 0.5"),
    (normal(0, 1), sp.Rational(11, 10) * cauchy(0), LINE, InputError, r"q integrates to 1\.1"),
    (2 * x * sp.cos(x) * sp.exp(x), normal(0, 1), (0, 3), InputError, "negative"),
    (normal(0, sp.Symbol("s", positive=True)), normal(0, 1), LINE, Unsupported, "no sum of"),
    (x * normal(0, 1), normal(0, 1), LINE, Unsupported, "not seen to be non-negative"),
    (normal(0, 1), 1 / (sp.pi * x**2), LINE, (InputError, Unsupported), "q|singular|no "),
])
def test_what_is_no_pair(p, q, support, problem, words):
    with pytest.raises(problem, match=words):
        densities(p, q, x, support)


def test_antiderivatives_with_jumps_are_not_taken():
    """2/(pi (1 + x^2)) on x > 0 as an arc tangent with a jump would have the right derivative."""
    with pytest.raises(Unsupported, match="antiderivative"):
        antiderivative(sp.Abs(sp.sin(x)), x, sp.Integer(0), sp.pi / 2)
    found = antiderivative(2 / (sp.pi * (1 + x**2)), x, sp.Integer(0), sp.oo)
    assert (found.low, found.high) == (0, 1)
