"""``m.tradeoff(a)``: closed forms against all extreme tests and against duality."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
import sympy as sp

from lapdp import exponential, finite, gaussian, laplace, randomized_response
from lapdp.core.errors import InputError, Unsupported
from tests.oracle import finite as by_definition

a = sp.Symbol("a", real=True)


def test_finite_pairs_against_all_extreme_tests():
    rng = random.Random(11)
    for _ in range(40):
        p, q = by_definition.random_pair(rng)
        m = finite(list(p), list(q))
        for k in range(7):
            value = m.tradeoff(sp.Rational(k, 6))
            assert value == by_definition.trade_off_by_duality(p, q, Fraction(k, 6))
            assert m.tradeoff().subs(a, sp.Rational(k, 6)) == value


@pytest.mark.parametrize("m", [laplace(1), laplace(2, 3), laplace("1/3")])
def test_laplace_against_duality(m):
    t = sp.Symbol("t", real=True)
    profile = sp.lambdify(t, m.profile(t), "mpmath")
    for k in range(1, 10):
        level = k / 10
        bound = max(2.718281828459045 ** -u * (1 - level - float(profile(u)))
                    for u in (j / 40 for j in range(-160, 161)))
        value = float(m.tradeoff(sp.Rational(k, 10)))
        assert -1e-12 < value - bound < 1e-3  # the bound is a supremum over a grid


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


@pytest.mark.parametrize("m", [gaussian(1), laplace(1) * laplace(1), exponential(1, 2)])
def test_beyond_the_exact_class(m):
    with pytest.raises(Unsupported):
        m.tradeoff()
