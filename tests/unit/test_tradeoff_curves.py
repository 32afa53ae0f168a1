"""``m.tradeoff(a)``: closed forms against all extreme tests and against duality."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy as sp
from flint import ctx, fmpq
from mpmath import mp

from lapdp import (
    densities,
    exponential,
    finite,
    gaussian,
    laplace,
    randomized_response,
    truncated_laplace,
)
from lapdp.balls.evaluate import enclosure
from lapdp.core.errors import InputError, Unsupported
from tests.oracle import finite as by_definition

a, x = sp.symbols("a x", real=True)


def test_finite_pairs_against_all_extreme_tests():
    rng = random.Random(11)
    for _ in range(40):
        p, q = by_definition.random_pair(rng)
        m = finite(list(p), list(q))
        for k in range(7):
            value = m.tradeoff(sp.Rational(k, 6))
            assert value == by_definition.trade_off_by_duality(p, q, Fraction(k, 6))
            assert m.tradeoff().subs(a, sp.Rational(k, 6)) == value


# the loss is x on (0, 1), of constant density; what Q has beyond is outside P
FLAT = densities(sp.Piecewise((1, x < 1), (0, True)),
                 sp.Piecewise((sp.exp(-x), x < 1), (sp.exp(-1), True)), x, (0, 2))
SMOOTH = [
    laplace(1), laplace(2, 3), laplace("1/3"), exponential(1, 2), exponential(2, 3),
    exponential(1, 2).reverse(), truncated_laplace(1, 2), gaussian(1), gaussian(2) ** 3,
    laplace(1) ** 2, laplace(1) * laplace(2), exponential(1, 2) ** 2,
    (exponential(1, 2) ** 2).reverse(), exponential(1, 2) * exponential(2, 3),
    laplace(1) * randomized_response(1, "1/10"), FLAT, FLAT.reverse(), FLAT**2,
]


@pytest.mark.parametrize("m", SMOOTH, ids=str)
def test_closed_forms_against_duality(m):
    """f is the supremum over eps of e^-eps (1 - a - delta(eps)), here over a grid."""
    t = sp.Symbol("t", real=True)
    profile = sp.lambdify(t, m.profile(t), "mpmath")
    grid = [(mp.exp(-mp.mpf(j) / 40), profile(mp.mpf(j) / 40)) for j in range(-200, 201)]
    for k in range(21):
        level = mp.mpf(k) / 20
        bound = max(0, *(slope * (1 - level - d) for slope, d in grid))
        value = mp.mpf(sp.N(m.tradeoff(sp.Rational(k, 20)), 20))
        room = 0.02 if k == 0 else 1e-3  # at level 0 the supremum is a limit
        assert -1e-12 < value - bound < room


@pytest.mark.parametrize("m", SMOOTH, ids=str)
def test_ends(m):
    assert sp.simplify(m.tradeoff(0) - m.tradeoff.at_zero) == 0
    assert m.tradeoff(1) == 0
    assert sp.N(m.tradeoff(m.tradeoff.zero_from)) == 0


def test_randomized_response_with_symbols():
    eps = sp.Symbol("eps", positive=True)
    found = randomized_response(eps, "1/10").tradeoff()
    at = found.subs(eps, sp.log(3))
    exact = randomized_response(sp.log(3), "1/10").tradeoff()
    for k in range(9):
        level = sp.Rational(k, 8)
        assert sp.nsimplify(at.subs(a, level)) == exact.subs(a, level)


def test_the_reversed_pair_has_the_inverse():
    m = finite(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"])
    for k in range(9):
        level = sp.Rational(k, 8)
        assert m.reverse().tradeoff(m.tradeoff(level)) <= level


def test_levels_are_checked():
    with pytest.raises(InputError):
        laplace(1).tradeoff(2)
    with pytest.raises(InputError):
        laplace(1).tradeoff(0.5)


@pytest.mark.parametrize("m", [laplace(1) ** 3, laplace(1) * exponential(1, 2),
                               gaussian(1) * laplace(1)], ids=str)
def test_beyond_closed_forms(m):
    with pytest.raises(Unsupported):
        m.tradeoff()


def test_symbolic_parameters():
    s, b = sp.symbols("s b", positive=True)
    for symbolic, value in ((laplace(b), {b: sp.Rational(3, 2)}), (gaussian(s), {s: 2}),
                            (laplace(b) ** 2, {b: 2})):
        exact = symbolic.substitute(value)
        for level in (sp.Rational(1, 100), sp.Rational(2, 5), sp.Rational(9, 10)):
            found = symbolic.tradeoff(level).subs(value)
            assert abs(sp.N(found - exact.tradeoff(level), 20)) < 1e-15


def test_balls_of_the_inverse_error_function():
    for number in ("1/3", "-9/10", "999999/1000000"):
        x = sp.Rational(number)
        with ctx.workdps(50):
            ball = enclosure(sp.erfinv(x), digits=40).real.erf()
            assert ball.contains(fmpq(int(x.p), int(x.q))) and ball.rad() < 1e-38
    for outside in (1, 2, sp.sqrt(2), -1):
        with pytest.raises(Unsupported):
            enclosure(sp.erfinv(outside, evaluate=False))


def test_the_gaussian_curve_is_its_own_inverse():
    f = gaussian(2, 3).tradeoff
    for k in range(1, 10):
        level = sp.Rational(k, 10)
        assert abs(sp.N(f.inverse()(f(level)) - level, 20)) < 1e-15
