"""Models of finite pairs against the oracle, exactly; continuous ones against quadrature."""

from __future__ import annotations

import random
from fractions import Fraction as Fr

import pytest
import sympy as sp
from mpmath import mp

from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, log_of_rational
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import InputError, Undefined
from lapdp.privacy.mechanisms import exponential, laplace
from lapdp.privacy.model import (
    MINUS_KERNEL,
    PLUS_KERNEL,
    Infinite,
    Model,
    finite_kernel,
    zero_power,
)
from tests.oracle import finite as oracle
from tests.oracle.reals import Undefined as OracleUndefined
from tests.second_route import close, scalar_value

CELL = Cell()
SEEDS = range(12)
ALPHAS = (Fr(1, 3), Fr(1, 2), Fr(1), Fr(4, 3), Fr(2), Fr(5))
q = sp.Symbol("q", complex=True)
z, eps = sp.symbols("z eps", real=True)


def drawn(seed):
    P, Q = oracle.random_pair(random.Random(seed))
    return P, Q, Model.of_masses(tuple((Scalar.of(a), Scalar.of(b))
                                       for a, b in zip(P, Q, strict=True)))


def exactly(x, expected):
    return x == Scalar.of(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_masses_profile_and_distribution(seed):
    P, Q, model = drawn(seed)
    assert exactly(model.p_mass(CELL), 1)
    assert exactly(model.q_mass(CELL), 1)
    profile, cdf = model.profile(CELL), model.cdf(CELL)
    ratios = [r for r in oracle.loss_masses(P, Q) if r != oracle.INFINITE]
    for alpha in (*ALPHAS, *ratios):
        at = log_of_rational(alpha)
        value = oracle.hockey_stick_by_events(P, Q, alpha)
        for side in (-1, 1):
            assert exactly(profile.limit(at, side, CELL), value)
        assert exactly(cdf.limit(at, 1, CELL), oracle.probability(P, Q, "<=", alpha))
        assert exactly(cdf.limit(at, -1, CELL), oracle.probability(P, Q, "<", alpha))
        assert exactly(model.loss.mass_at(at, CELL), oracle.probability(P, Q, "==", alpha))
    assert exactly(model.p_infinite, oracle.loss_masses(P, Q).get(oracle.INFINITE, Fr(0)))


@pytest.mark.parametrize("seed", SEEDS)
def test_moments(seed):
    P, Q, model = drawn(seed)
    for order in (Fr(-1), Fr(0), Fr(1), Fr(2), Fr(3), Fr(1, 2), Fr(5, 3)):
        found = model.moment(Form.of(order), CELL)
        expected = oracle.moment(P, Q, order)
        if expected == mp.inf:
            assert isinstance(found, Infinite)
        elif isinstance(expected, Fr):
            assert exactly(found, expected)
        else:
            with mp.workdps(25):
                assert close(scalar_value(found), oracle.moment(P, Q, order), 12)
    for turn in (sp.Rational(1, 2) + sp.I, 2 - sp.I / 3):
        try:
            expected = oracle.moment(P, Q, mp.mpmathify(complex(turn)))
        except OracleUndefined:
            with pytest.raises(Undefined):
                model.moment(Form.of(turn), CELL)
            continue
        with mp.workdps(20):
            assert close(scalar_value(model.moment(Form.of(turn), CELL)), expected, 10)


@pytest.mark.parametrize("seed", SEEDS)
def test_reversal(seed):
    P, Q, model = drawn(seed)
    other = model.reverse()
    for alpha in ALPHAS:
        at = log_of_rational(alpha)
        assert exactly(other.profile(CELL).limit(at, 1, CELL), oracle.hockey_stick(Q, P, alpha))
        assert exactly(other.cdf(CELL).limit(at, 1, CELL), oracle.probability(Q, P, "<=", alpha))
    back = other.reverse()
    assert (back.loss - model.loss).is_zero()
    assert back.p_infinite == model.p_infinite


@pytest.mark.parametrize("seed", SEEDS)
def test_products(seed):
    P, Q, first = drawn(seed)
    R, S, second = drawn(seed + 100)
    both = oracle.product_pair((P, Q), (R, S))
    model = first.product(second, CELL)
    # the same product without atoms: losses convolved
    smooth = Model(first.loss, first.p_infinite, first.q_infinite).product(
        Model(second.loss, second.p_infinite, second.q_infinite), CELL)
    for alpha in ALPHAS:
        at = log_of_rational(alpha)
        expected = oracle.hockey_stick(*both, alpha)
        assert exactly(model.profile(CELL).limit(at, 1, CELL), expected)
        assert exactly(smooth.profile(CELL).limit(at, 1, CELL), expected)
    assert exactly(model.p_infinite, oracle.loss_masses(*both).get(oracle.INFINITE, Fr(0)))
    assert exactly(model.q_infinite, oracle.loss_masses(*both[::-1]).get(oracle.INFINITE, Fr(0)))


def test_kernels():
    k = finite_kernel(Form.of(z))
    assert k.p_mass(CELL) == Scalar.of(1)
    assert k.q_mass(CELL) == Scalar.exp(Form.of(-z))
    for cell, value in (
        (Cell([(Form.of(z - eps), ">")]), Scalar.of(1) - Scalar.exp(Form.of(eps - z))),
        (Cell([(Form.of(eps - z), ">")]), Scalar.of(0)),
        (Cell([(Form.of(eps - z), "=")]), Scalar.of(0)),
    ):
        found = k.profile(cell).limit(Form.of(eps), 1, cell)
        assert (found - value).substitute(cell.values).is_zero()
    assert exactly(PLUS_KERNEL.profile(CELL).limit(Form.of(eps), 1, CELL), 1)
    assert MINUS_KERNEL.profile(CELL).limit(Form.of(eps), 1, CELL).is_zero()
    assert PLUS_KERNEL.product(MINUS_KERNEL, CELL).p_mass(CELL).is_zero()
    assert PLUS_KERNEL.product(MINUS_KERNEL, CELL).q_mass(CELL).is_zero()
    assert PLUS_KERNEL.product(k, CELL).p_infinite == Scalar.of(1)
    assert MINUS_KERNEL.product(k, CELL).q_infinite == Scalar.exp(Form.of(-z))
    assert PLUS_KERNEL.reverse().q_infinite == Scalar.of(1)


@pytest.mark.parametrize(("exponent", "value"), [
    (2, 0), (Fr(1, 2), 0), (0, 1), (1 + sp.I, 0),
])
def test_powers_of_zero(exponent, value):
    assert exactly(zero_power(Form.of(exponent), CELL), value)


def test_other_powers_of_zero():
    assert isinstance(zero_power(Form.of(-1), CELL), Infinite)
    for exponent in (sp.I, -1 + sp.I):
        with pytest.raises(Undefined):
            zero_power(Form.of(exponent), CELL)
    with pytest.raises(NeedSplit):
        zero_power(Form.of(q), CELL)


@pytest.mark.parametrize("order", [Fr(3, 2), Fr(-1, 2), Fr(1, 2)])
def test_moments_of_continuous_pairs(order):
    for pair, p, r, start in (
        (exponential(1, 2), lambda t: mp.exp(-t), lambda t: 2 * mp.exp(-2 * t), [0, 5, 60]),
        (laplace(1), lambda t: mp.exp(-abs(t)) / 2, lambda t: mp.exp(-abs(t - 1)) / 2,
         [-60, -5, 0, 1, 5, 60]),
    ):
        with mp.workdps(15):
            power = mp.mpf(order.numerator) / order.denominator
            found = scalar_value(pair.model().moment(Form.of(order), CELL))
            expected = mp.quad(lambda t: p(t) ** power * r(t) ** (1 - power), start)  # noqa: B023
            assert close(found, expected, 8)


def test_a_divergent_moment_is_infinite():
    """E_2 of Exp(1) against Exp(2) is the integral of 1/2: +oo, a value; at 2 + i it has none."""
    model = exponential(1, 2).model()
    assert isinstance(model.moment(Form.of(2), CELL), Infinite)
    assert isinstance(model.moment(Form.of(3), CELL), Infinite)
    with pytest.raises(Undefined):
        model.moment(Form.of(2 + sp.I), CELL)


@pytest.mark.parametrize("alpha", [Fr(1, 3), Fr(1, 2), Fr(9, 10), Fr(2)])
def test_profiles_of_continuous_pairs(alpha):
    for pair, p, r, points in (
        (exponential(1, 2), lambda t: mp.exp(-t), lambda t: 2 * mp.exp(-2 * t),
         [0, *([mp.log(2 * mp.mpf(alpha.numerator) / alpha.denominator)]
               if alpha > Fr(1, 2) else []), 20, 60]),
        (laplace(1), lambda t: mp.exp(-abs(t)) / 2, lambda t: mp.exp(-abs(t - 1)) / 2,
         [-60, 0, (1 - mp.log(mp.mpf(alpha.numerator) / alpha.denominator)) / 2, 1, 60]),
    ):
        with mp.workdps(15):
            a = mp.mpf(alpha.numerator) / alpha.denominator
            found = pair.model().profile(CELL).limit(log_of_rational(alpha), 1, CELL)
            expected = mp.quad(lambda t: max(0, p(t) - a * r(t)), sorted(points))  # noqa: B023
            assert close(scalar_value(found), expected, 7)


def test_ratios_must_be_exponentials():
    with pytest.raises(InputError):
        Model.of_masses(((Scalar.of(1), Scalar.of(Form.of(sp.Symbol("x", real=True)))),))
