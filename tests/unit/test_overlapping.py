"""Overlapping mixtures of continuous pairs against the definitions, by quadrature of densities."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp, mpf

from lapdp import (
    exponential,
    finite,
    gaussian,
    laplace,
    outcomes,
    overlapping_mixtures,
    poisson,
    randomized_response,
    reverse,
    truncated_laplace,
)
from lapdp.calculus.form import Form
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy.pair import Pair
from lapdp.testing.strategies import alphas, finite_pairs
from tests.oracle import finite as oracle

BASES = {
    "laplace": laplace(1),
    "strong laplace": laplace(1, 3),
    "truncated laplace": truncated_laplace(1, 2),
    "exponential": exponential(1, 2),
    "reversed exponential": reverse(exponential(1, 2)),
    "gaussian": gaussian(1),
}
WEIGHTS = [("1/10", 0), (1, "1/3"), ("3/4", "1/4")]
CASES = [(name, weights) for name in BASES for weights in WEIGHTS]
HALF = sp.Rational(1, 2)
POINTS = [sp.Rational(n, 10) for n in (-25, -1, 0, 1, 7)]


def integral(f, lower, upper, kinks):
    """Over a line cut at the kinks and at whole numbers; f decays like e^-|x| or faster."""
    a, b = (mp.mpf(x) if mp.isfinite(x) else mp.sign(x) * 60 for x in (lower, upper))
    inner = {mpf(k) for k in (-20, -8, -4, -2, 0, 2, 4, 8, 20)} | {mp.mpf(k) for k in kinks}
    cuts = [a, *sorted(x for x in inner if a < x < b), b]
    return mp.fsum(mp.quad(f, part) for part in pairwise(cuts))


def root(g, lower, upper):
    """Zeros of a piecewise monotone g, by signs on a grid and bisection."""
    grid = [mpf(k) / 2 for k in range(-40, 41) if lower <= mpf(k) / 2 <= upper]
    found = [x for x in grid if g(x) == 0]
    for a, b in pairwise(grid):
        if g(a) * g(b) < 0:
            found.append(mp.findroot(g, (a, b), solver="anderson", tol=1e-30, verify=False))
    return found


def by_definition(pair, x):
    """The integral of max(0, p - x q)."""
    _, p, q, (lower, upper), kinks = pair.numeric_pair({})
    cuts = [*kinks, *root(lambda y: p(y) - x * q(y), lower, upper)]
    return integral(lambda y: max(mpf(0), p(y) - x * q(y)), lower, upper, cuts)


def moment(pair, n):
    """The integral of p^n q^(1 - n), with 0^0 = 1."""
    _, p, q, (lower, upper), kinks = pair.numeric_pair({})

    def integrand(x):
        a, b = p(x), q(x)
        return a**n * b ** (1 - n) if a and b else (b, a)[n] if n in (0, 1) else 0

    return integral(integrand, lower, upper, kinks)


def number(e):
    return mp.mpf(str(e).replace("oo", "inf")) if abs(e) == sp.oo else mp.mpmathify(sp.N(e, 30))


def same(a, b):
    """Equal to 40 digits: for two printed forms of one number."""
    return abs(sp.N(a - b, 50)) < sp.Float("1e-40")


@pytest.mark.parametrize("name, weights", CASES)
def test_the_profile_is_the_defining_integral(name, weights):
    found = overlapping_mixtures(BASES[name], *weights)
    curve = found.profile(sp.Symbol("t", real=True))
    with mp.workdps(16):
        for t in POINTS:
            value = number(found.profile(t))
            assert mp.almosteq(value, number(curve.subs(sp.Symbol("t", real=True), t)), 1e-14)
            assert abs(value - by_definition(found, mp.exp(number(t)))) < mpf(10) ** -12, t


@pytest.mark.parametrize("name, weights", CASES)
def test_the_loss_gives_the_profile_and_its_distribution_function(name, weights):
    """delta(t) = E[(1 - e^(t - Z))^+], and F adds up atoms and density: three formulas, one law."""
    found = overlapping_mixtures(BASES[name], *weights)
    loss, mass = found.loss, found.mass_at_infinity
    z = sp.Symbol("z", real=True)
    parts = [(p.lower, p.upper, sp.lambdify(z, p.expression, "mpmath")) for p in loss.pieces]
    with mp.workdps(16):
        atoms = [(number(at), number(m)) for at, m in loss.atoms]

        def mean(h, below, above):
            total = mp.fsum(m * h(at) for at, m in atoms if below < at <= above)
            for lower, upper, density in parts:
                a, b = max(number(lower), below), min(number(upper), above)
                if a < b:
                    total += integral(lambda y, d=density: h(y) * d(y) if d(y) else 0, a, b, ())
            return total

        assert abs(mean(lambda y: 1, -mp.inf, mp.inf) + number(mass) - 1) < mpf(10) ** -10
        for t in POINTS[1:]:
            at = number(t)
            assert abs(mean(lambda y: 1, -mp.inf, at) - number(loss.cdf(t))) < mpf(10) ** -10, t
            above = mean(lambda y, s=at: 1 - mp.exp(s - y), at, mp.inf)
            assert abs(above + number(mass - found.profile(t))) < mpf(10) ** -10, t


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("rate", ["1/10", "2/3"])
def test_the_two_directions_obey_the_reversal_law(name, rate):
    """(7): the formulas of the two directions come from two changes of variable."""
    remove, add = (poisson(BASES[name], rate, direction=d) for d in ("remove", "add"))
    for t in POINTS:
        other = 1 - sp.exp(t) + sp.exp(t) * remove.profile(-t)
        assert abs(sp.N(add.profile(t) - other, 40)) < 1e-35


@pytest.mark.parametrize("name", BASES)
@pytest.mark.parametrize("rate", ["1/10", "2/3"])
def test_moments_of_whole_order(name, rate):
    for direction, orders in (("remove", (0, 1, 2, 3)), ("add", (1, 0, -1, -2))):
        found = poisson(BASES[name], rate, direction=direction)
        for n in orders:
            value = found.moment(n)
            if value == sp.oo:
                assert not found.moment.region.contains(n)
                continue
            assert n in (0, 1) or found.moment.region.contains(n)
            with mp.workdps(16):
                assert mp.almosteq(moment(found, n), number(value), 1e-12), n


@pytest.mark.parametrize("name", [n for n in BASES if n != "gaussian"])
@pytest.mark.parametrize("direction", ["remove", "add"])
def test_moments_of_other_orders(name, direction):
    """By quadrature; oo or no value exactly outside the region; symbols agree with numbers."""
    found = poisson(BASES[name], "1/3", direction=direction)
    q = sp.Symbol("q")
    for order in (HALF, -HALF, 5 * HALF, 1 + sp.I / 3, sp.Integer(-2), sp.Integer(4)):
        if not found.moment.region.contains(Form.of(order)):
            if order.is_real:
                assert found.moment(order) == sp.oo
                continue
            with pytest.raises(Undefined):
                found.moment(order)
            continue
        value = found.moment(order)
        with mp.workdps(16):
            assert mp.almosteq(moment(found, mp.mpmathify(order)), number(value), 1e-10), order
        assert same(sp.Abs(found.moment(q).subs(q, order) - value), 0)
        if order.is_real:
            assert same(found.renyi(order), sp.log(value) / (order - 1))


def test_the_characteristic_function():
    """phi(u) = E[e^(iuZ)] over atoms and density of the loss."""
    found = poisson(laplace(1), "1/10", direction="add")
    with mp.workdps(16):
        (piece,) = found.loss.pieces
        density = sp.lambdify(sp.Symbol("z", real=True), piece.expression, "mpmath")
        whole = mp.quad(lambda z: density(z) * mp.expj(2 * z), [
            number(piece.lower), 0, number(piece.upper)]) + mp.fsum(
                number(m) * mp.expj(2 * number(z)) for z, m in found.loss.atoms)
        assert mp.almosteq(whole, number(found.characteristic(2)), 1e-12)
    with pytest.raises(Undefined):
        poisson(truncated_laplace(1, 2), "1/10", direction="remove").characteristic(2)


@pytest.mark.parametrize("name", ["laplace", "strong laplace", "truncated laplace"])
@pytest.mark.parametrize("weights", WEIGHTS)
def test_the_trade_off_function_is_dual_to_the_profile(name, weights):
    """f(a) = sup over alpha of 1 - alpha a - delta_{Q|P}(log alpha), read on a fine grid."""
    found = overlapping_mixtures(BASES[name], *weights)
    back = sp.lambdify(sp.Symbol("t", real=True), found.reverse().profile(), "mpmath")
    for level in (0, "1/20", "1/5", "1/2", "4/5", "19/20", 1):
        a = sp.Rational(level)
        value = float(found.tradeoff(a))
        lines = [1 - mp.exp(t) * float(a) - back(t)
                 for t in (mpf(k) / 100 for k in range(-330, 331))]
        assert -1e-12 < value - max(lines) < 6e-3, level


def test_the_trade_off_function_of_a_gaussian_in_the_direction_that_is_closed():
    found = poisson(laplace(1), "1/10", direction="add").tradeoff("1/4")
    assert found == sp.Rational(9, 10) * sp.Rational(3, 4) + sp.exp(-1) / 10
    with pytest.raises(Unsupported):
        poisson(exponential(1, 3), "1/10", direction="remove").tradeoff()


@settings(max_examples=60, deadline=None)
@given(finite_pairs(max_size=3), alphas(), st.fractions(0, 1, max_denominator=4),
       st.fractions(0, 1, max_denominator=4))
def test_finite_pairs(pair, alpha, w, v):
    found = overlapping_mixtures(pair, w, v)
    first, second = (tuple(c * p + (1 - c) * q for p, q in pair.masses) for c in sorted(
        (w, v), reverse=True))
    if w < v:
        first, second = second, first
    assert found.hockey_stick(alpha) == oracle.hockey_stick(first, second, alpha)


@settings(max_examples=25, deadline=None)
@given(st.fractions(0, 1, max_denominator=5), st.fractions(0, 1, max_denominator=5),
       st.sampled_from(["remove", "add"]), st.sampled_from(["remove", "add"]))
def test_subsamples_of_subsamples(r1, r2, first, second):
    """Collapsed symbolically as by masses; rates multiply where the directions agree."""
    masses = finite(["3/4", "1/4"], ["1/4", "3/4"])
    odds = randomized_response(sp.log(3))
    exact = poisson(poisson(masses, r1, direction=first), r2, direction=second)
    found = poisson(poisson(odds, r1, direction=first), r2, direction=second)
    for alpha in (Fraction(1, 2), Fraction(1), Fraction(5, 4)):
        t = sp.log(sp.Rational(alpha.numerator, alpha.denominator))
        assert found.profile(t) == sp.Rational(*exact.hockey_stick(alpha).as_integer_ratio())
    if first == second == "remove":
        assert found.profile() == poisson(odds, r1 * r2, direction="remove").profile()


def test_rates_at_the_ends():
    for base in (laplace(1), gaussian(2), randomized_response(1, "1/10")):
        assert poisson(base, 1, direction="remove") == base
        assert poisson(base, 1, direction="add") == base.reverse()
        for direction in ("remove", "add"):
            equal = poisson(base, 0, direction=direction)
            assert same(equal.profile(-1), 1 - sp.exp(-1)) and equal.profile(1) == 0
            assert equal.moment(5) == 1 and equal.mass_at_infinity == 0
            assert [tuple(x) for x in equal.loss.atoms] == [(0, 1)]


def test_masses_at_infinity():
    leaky = truncated_laplace(1, 2)
    p = leaky.mass_at_infinity
    remove, add = (poisson(leaky, "1/4", direction=d) for d in ("remove", "add"))
    assert same(remove.mass_at_infinity, p / 4) and add.mass_at_infinity == 0
    both = overlapping_mixtures(leaky, "3/4", "1/4")
    assert both.mass_at_infinity == both.reverse().mass_at_infinity == 0
    assert both.loss.atoms[-1].loss == sp.log(3) and same(both.loss.atoms[-1].mass, 3 * p / 4)
    # past its largest loss the profile is the mass at infinity, or 0
    assert same(remove.profile(5), p / 4) and both.profile(2) == 0
    assert remove.moment(2) == sp.oo and add.moment(-1) == sp.oo


def test_symbolic_rates_come_in_cases():
    r = sp.Symbol("r", positive=True)
    smooth = poisson(gaussian(1), r, direction="remove").profile()
    t = sp.Symbol("t", real=True)
    for rate in ("1/3", 1):
        at = poisson(gaussian(1), rate, direction="remove").profile("-1/10")
        assert abs(sp.N(smooth.subs({r: sp.Rational(rate), t: -sp.Rational(1, 10)}) - at, 30)
                   ) < 1e-25
    assert poisson(gaussian(1), r, direction="remove").substitute({r: 2}) is None


def test_parameters_in_every_notion():
    r, eps = sp.symbols("r eps", positive=True)
    for direction in ("remove", "add"):
        found = poisson(laplace(1 / eps), r, direction=direction)
        for rate, e in (("1/10", 1), ("2/3", 2)):
            values = {r: sp.Rational(rate), eps: e}
            exact = poisson(laplace(sp.Rational(1, e)), rate, direction=direction)
            for a, b in zip(found.loss.atoms, exact.loss.atoms, strict=True):
                assert same(a.loss.subs(values), b.loss) and same(a.mass.subs(values), b.mass)
            assert same(found.loss.cdf("1/20").subs(values), exact.loss.cdf("1/20"))
            assert same(found.profile("1/20").subs(values), exact.profile("1/20"))
            for level in ("1/20", "1/2", "9/10"):
                assert same(found.tradeoff(level).subs(values), exact.tradeoff(level))
        assert found.tradeoff("1/2").subs({r: 1, eps: 1}) == laplace(1).tradeoff("1/2")


def test_products_multiply_moments_and_refuse_profiles():
    twice = poisson(laplace(1), "1/2", direction="remove") ** 2
    assert sp.expand(twice.moment(3) - poisson(
        laplace(1), "1/2", direction="remove").moment(3) ** 2) == 0
    with pytest.raises(Unsupported, match="moment, renyi and characteristic"):
        twice.profile(0)
    with pytest.raises(Unsupported, match="whole orders"):
        poisson(gaussian(1), "1/2", direction="remove").moment("1/2")


@pytest.mark.parametrize("weights", [(0.5, 0), ("3/2", 0), (1, "-1/2"), ("x", 0)])
def test_bad_weights(weights):
    with pytest.raises(InputError):
        overlapping_mixtures(laplace(1), *weights)


def test_the_loss_at_an_atom_however_it_is_written() -> None:
    base = outcomes({"one": ("1/6", 0), "two": ("1/2", "3/4"), "three": ("1/3", "1/4")})
    atomic = poisson(reverse(base), "1/2", direction="remove").loss
    ends = poisson(exponential(1, 2), "1/2", direction="remove").loss
    for five, three in ((sp.log(5) - 2 * sp.log(2), sp.log(3) - 2 * sp.log(2)),
                        (sp.log(sp.Rational(5, 4)), sp.log(sp.Rational(3, 4)))):
        assert atomic.cdf(five) == 1
        assert ends.cdf(three) == 0
        assert ends.density(three) == sp.Rational(9, 2)


@pytest.mark.parametrize("base", [truncated_laplace(1, 2), reverse(exponential(1, 2))])
def test_a_moment_that_diverges_at_rate_one_only(base: Pair) -> None:
    rate = sp.Symbol("rate", real=True)
    for direction, order in (("remove", -1), ("add", 2)):
        value = poisson(base, rate, direction=direction).moment(order)
        assert value.subs(rate, 1) == sp.oo
        half = poisson(base, HALF, direction=direction).moment(order)
        assert abs(sp.N(value.subs(rate, HALF) - half, 30)) < 1e-25
