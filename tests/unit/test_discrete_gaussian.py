"""The discrete Gaussian, by sums of its masses that share nothing with the code."""

from __future__ import annotations

import pytest
import sympy as sp
from flint import arb
from mpmath import mp

from lapdp import discrete_gaussian, gaussian
from lapdp.accounting.delta_rules import integral
from lapdp.accounting.inversion import lattice
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import certified
from lapdp.balls.lattice import NormalTail, _masses, _tails
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.precision import workprec

T = sp.Symbol("t", real=True)
EPS = [-4, sp.Rational(-1, 2), 0, sp.Rational(1, 3), sp.log(2), 1, 3]


def masses(sigma, copies, reach):
    """The law of the sum of the copies, as a dictionary, by convolution."""
    s = mp.mpf(sp.N(sigma, 60))
    one = {x: mp.exp(-mp.mpf(x) ** 2 / (2 * s**2)) for x in range(-reach, reach + 1)}
    total = mp.fsum(one.values())
    law = {0: mp.mpf(1)}
    for _ in range(copies):
        new = {}
        for a, w in law.items():
            for b, v in one.items():
                new[a + b] = new.get(a + b, 0) + w * v / total
        law = new
    return law


def direct(sigma, d, copies, t, reach):
    """Sum of max(0, p - e^t q), without any threshold."""
    law, alpha = masses(sigma, copies, reach), mp.exp(mp.mpf(sp.N(t, 60)))
    zero = mp.mpf(0)
    return mp.fsum(max(zero, law.get(s, zero) - alpha * law.get(s - copies * d, zero))
                   for s in range(-reach * copies, (reach + d) * copies + 1))


@pytest.mark.parametrize(("sigma", "d", "copies", "reach"), [
    (1, 1, 1, 16), (sp.Rational(1, 3), 1, 1, 8), (3, 2, 1, 42), (sp.sqrt(2), 5, 1, 24),
    (1, 1, 3, 16), (sp.Rational(1, 2), 2, 4, 10), (2, 3, 2, 30)])
def test_certified_profiles(sigma, d, copies, reach):
    pair = discrete_gaussian(sigma, d) ** copies
    with mp.workdps(50):
        for t in EPS:
            found = certified(lambda bits, t=t: pair.profile_ball(t), 25)
            value = mp.mpf(found.middle.numerator) / found.middle.denominator
            assert found.digits >= 25
            assert abs(direct(sigma, d, copies, t, reach) - value) < mp.mpf(10) ** -24


@pytest.mark.parametrize(("sigma", "d"), [(1, 1), (sp.Rational(1, 3), 2), (2, 3)])
def test_closed_profile_and_loss(sigma, d):
    pair = discrete_gaussian(sigma, d)
    curve, cdf = pair.profile(T), pair.loss.cdf()
    z = sp.Symbol("z", real=True)
    with mp.workdps(40):
        law = masses(sigma, 1, 30)
        for t in EPS:
            expected = direct(sigma, d, 1, t, 30)
            for value in (pair.profile(t), curve.subs(T, t)):
                assert abs(mp.mpf(sp.N(value, 30)) - expected) < mp.mpf(10) ** -28
            below = mp.fsum(w for x, w in law.items()
                            if (d**2 - 2 * d * x) / (2 * sigma**2) <= t)
            assert abs(mp.mpf(sp.N(cdf.subs(z, t), 30)) - below) < mp.mpf(10) ** -28


def test_an_atom_exactly_at_the_point():
    """At the loss of a whole number both formulas agree with the sum; the cdf counts the atom."""
    pair = discrete_gaussian(1, 1)
    at, mass = pair.loss.mass(0)
    assert at == sp.Rational(1, 2)
    jump = pair.loss.cdf(at) - pair.loss.cdf(at - sp.Rational(1, 10**6))
    assert abs(sp.N(jump - mass, 20)) < 1e-15
    with mp.workdps(40):
        found = certified(lambda bits: pair.profile_ball(at), 25)
        assert abs(direct(1, 1, 1, at, 20)
                   - mp.mpf(found.middle.numerator) / found.middle.denominator) < 1e-24


def test_a_threshold_that_no_precision_decides():
    """sigma^2 t/d - d/2 is a whole number, written so that balls never see it."""
    hidden = (sp.sqrt(2) + sp.sqrt(3)) ** 2 / 2 - sp.sqrt(6) - 2
    pair, plain = discrete_gaussian(1, 1), discrete_gaussian(1, 1)
    one = certified(lambda bits: pair.profile_ball(hidden), 20)
    two = certified(lambda bits: plain.profile_ball(sp.Rational(1, 2)), 20)
    assert one.compare(two) is None


@pytest.mark.parametrize("q", [sp.Rational(1, 2), sp.Rational(3, 2), 2, 5, -1, sp.Rational(7, 3)])
@pytest.mark.parametrize(("sigma", "d"), [(1, 1), (sp.Rational(1, 2), 3), (3, 2)])
def test_moments(sigma, d, q):
    pair = discrete_gaussian(sigma, d)
    with mp.workdps(40):
        s, order = mp.mpf(sp.N(sigma, 45)), mp.mpf(sp.N(q, 45))
        law = {x: mp.exp(-mp.mpf(x) ** 2 / (2 * s**2)) for x in range(-120, 121)}
        total = mp.fsum(law.values())
        expected = mp.fsum(law[x] ** order * law[x - d] ** (1 - order) for x in range(-100, 101)
                           ) / total
        assert abs(mp.mpf(sp.N(pair.moment(q), 30)) / expected - 1) < mp.mpf(10) ** -28
        assert abs(mp.mpf(sp.N((pair**3).moment(q), 30)) / expected**3 - 1) < mp.mpf(10) ** -28
        if q not in (0, 1):
            assert abs(mp.mpf(sp.N(pair.renyi(q), 30)) * (order - 1) - mp.log(expected)) < 1e-17


def test_whole_orders_are_those_of_the_normal_distribution():
    """Canonne, Kamath, Steinke 2020, Proposition 5, and that other orders lie below."""
    s = sp.Symbol("s", positive=True)
    assert discrete_gaussian(s, 2).moment(3) == gaussian(s, 2).moment(3)
    assert discrete_gaussian(s).moment(0) == discrete_gaussian(s).moment(1) == 1
    for q in (sp.Rational(3, 2), sp.Rational(5, 2)):
        gap = gaussian("1/2").renyi(q) - discrete_gaussian("1/2").renyi(q)
        assert sp.N(gap, 20) > 0


def test_symbols_and_shapes():
    s = sp.Symbol("s", positive=True)
    pair = discrete_gaussian(s, 2)
    assert pair.free_symbols == {s} and pair.substitute({s: 3}) == discrete_gaussian(3, 2)
    assert pair.substitute({s: -1}) is None and (pair**2).substitute({s: 3}) == discrete_gaussian(
        3, 2) ** 2
    assert abs(sp.N(pair.profile(T).subs({s: 2, T: 1}) - discrete_gaussian(2, 2).profile(1), 20)
               ) < 1e-15
    assert pair.reverse() == pair and (pair**2) ** 3 == pair**6 and repr(pair**6).endswith("**6")
    k = sp.Symbol("k", integer=True, positive=True)
    assert (pair**k).renyi(2) == 4 * k / s**2 and (pair**k).substitute({s: 1, k: 3}) == (
        discrete_gaussian(1, 2) ** 3)
    assert pair.mass_at_infinity == 0 and pair.is_absolutely_continuous


@pytest.mark.parametrize("start", [0, 1, 7, -3, sp.Rational(1, 3), sp.Rational(-5, 2), sp.sqrt(2)])
@pytest.mark.parametrize("variance", [1, sp.Rational(1, 9), 30])
def test_tails_of_the_normal_sum(start, variance):
    """Numbers, the sum written out, the code for mpmath, all against the terms."""
    from sympy.printing.pycode import MpmathPrinter

    tail = NormalTail(start, variance)
    with mp.workdps(45):
        s, v = (mp.mpf(sp.N(x, 45)) for x in (start, variance))
        terms = [mp.exp(-((s + k) ** 2) / (2 * v)) for k in range(120)]
        expected = mp.fsum(terms)
        assert abs(mp.mpf(sp.N(tail, 35)) / expected - 1) < mp.mpf(10) ** -33
        written = tail.doit()
        x = written.variables[0]
        assert abs(sum(sp.N(written.function.subs(x, k), 40) for k in range(5))
                   - mp.fsum(terms[:5])) < 1e-35
        code = MpmathPrinter({"fully_qualified_modules": True}).doprint(tail)
        assert abs(eval(code, {"mpmath": mp}) - expected) < mp.mpf(10) ** -25


def test_a_complex_start():
    with mp.workdps(30):
        expected = mp.fsum(mp.exp(-((mp.mpf(k) + mp.mpc(0.5, 2)) ** 2) / 6) for k in range(80))
        value = sp.N(NormalTail(sp.Rational(1, 2) + 2 * sp.I, 3), 25)
        assert abs(mp.mpmathify(value) - expected) < mp.mpf(10) ** -23
        u = discrete_gaussian(1).characteristic("1/3")
        law = {x: mp.exp(-mp.mpf(x) ** 2 / 2) for x in range(-30, 31)}
        direct = mp.fsum(w * mp.expj((mp.mpf(1) / 2 - x) / 3) for x, w in law.items())
        assert abs(mp.mpmathify(sp.N(u, 20)) - direct / mp.fsum(law.values())) < 1e-18


@pytest.mark.parametrize(("pair", "eps", "method"), [
    (discrete_gaussian(1000), "3/10", "closed form"),
    (discrete_gaussian(1000), "-3/10", "closed form"),
    (discrete_gaussian(1000) ** 3, "7/10", "lattice sum"),
    (discrete_gaussian(1000, 7) ** 2, "21/10", "lattice sum"),
])
def test_far_out_no_more_is_written_down_than_counts(pair, eps, method):
    """All masses to as many bits as delta is small took gigabytes."""
    found = pair.delta(eps)
    assert found.method == method
    other = integral(pair, releases(pair), sp.Rational(eps), lattice.delta)(20)
    assert found.enclosure.compare(other) is None and found.enclosure.digits >= 15


@pytest.mark.parametrize("variance", ["1/16", "1", "49/9", "100"])
@pytest.mark.parametrize("start", [-40, -3, 0, 1, 2, 30])
def test_masses_below_a_place_are_those_of_a_sum(variance, start):
    with workprec(120):
        v = exact_ball(sp.Rational(variance)).real
        (below, at), (other, there) = _tails(v), _masses(v, 1)
        assert below(start).overlaps(other(start)) and at(start).overlaps(there(start))
        weights = {x: (-arb(x) ** 2 / (2 * v)).exp() for x in range(-300, 301)}
        direct = sum(w for x, w in weights.items() if x < start) / sum(weights.values())
        assert abs(below(start) - direct) < arb(2) ** -100
        assert below(-40).rel_accuracy_bits() > 100


@pytest.mark.parametrize(("ask", "problem", "words"), [
    (lambda: discrete_gaussian(0), InputError, "positive"),
    (lambda: discrete_gaussian(1, "1/2"), InputError, "whole number"),
    (lambda: discrete_gaussian(1.5), InputError, "float"),
    (lambda: discrete_gaussian(1).tradeoff(), Unsupported, "infinitely many losses"),
    (lambda: discrete_gaussian(1).loss.atoms, Unsupported, "infinitely many atoms"),
    (lambda: (discrete_gaussian(1) ** 2).profile(0), Unsupported, "one sum"),
    (lambda: (discrete_gaussian(1) * discrete_gaussian(2)).profile(0), Unsupported, "infinitely"),
    (lambda: discrete_gaussian(sp.Symbol("s", positive=True)).profile_ball(1), InputError,
     "needs numbers"),
    (lambda: discrete_gaussian(1).renyi(1), Undefined, "q = 1"),
    (lambda: discrete_gaussian(10**6).profile_ball(1), Unsupported, "more than"),
])
def test_refusals(ask, problem, words):
    with pytest.raises(problem, match=words):
        ask()
