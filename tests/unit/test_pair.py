"""Pairs in a researcher's hands: notions and operations against definitions and the oracle."""

from __future__ import annotations

import random
from fractions import Fraction as Fr
from math import comb

import pytest
import sympy as sp
from mpmath import mp

from lapdp import finite, laplace, randomized_response, reverse
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy import catalogue
from lapdp.privacy.notions.loss import LossAtom
from lapdp.privacy.operations import Power, Product, Reversed
from lapdp.privacy.pair import Pair
from lapdp.theory.parse import parse_mechanism
from tests.oracle import finite as oracle

t = sp.Symbol("t", real=True)
q = sp.Symbol("q")
LN2, LN3 = sp.log(2), sp.log(3)
ALPHAS = (Fr(1, 9), Fr(1, 3), Fr(1, 2), Fr(1), Fr(3, 2), Fr(2), Fr(3), Fr(7))


def rational(x):
    return sp.Rational(x.numerator, x.denominator)


def at(alpha):
    """The eps of an alpha = e^eps, as a combination of logs of primes: SymPy knows ties then."""
    return sp.Add(*(k * sp.log(p) for p, k in sp.factorrat(rational(alpha)).items()))


def random_pairs(count, size=None):
    rng = random.Random(20240521)
    return [oracle.random_pair(rng, size=size) for _ in range(count)]


def alphas_of(P, Q):
    return sorted({*ALPHAS, *(p / x for p, x in zip(P, Q, strict=True) if p and x)})


def number(expression, digits):
    return mp.mpf(str(sp.N(expression, digits)))


# -- finite pairs against the oracle --------------------------------------------------------------


@pytest.mark.parametrize(("P", "Q"), random_pairs(15))
def test_finite_pairs(P, Q):
    pair = finite(P, Q)
    curve, cdf, moment = pair.profile(), pair.loss.cdf(t), pair.moment(q)
    for alpha in alphas_of(P, Q):
        expected = rational(oracle.hockey_stick(P, Q, alpha))
        assert pair.profile(at(alpha)) == curve.subs(t, at(alpha)) == expected
        backward = rational(oracle.hockey_stick(Q, P, alpha))
        assert Reversed(pair).profile(at(alpha)) == backward
        below = rational(oracle.probability(P, Q, "<=", alpha))
        assert pair.loss.cdf(at(alpha)) == cdf.subs(t, at(alpha)) == below
    masses = oracle.loss_masses(P, Q)
    infinite = masses.pop(oracle.INFINITE, Fr(0))
    assert pair.loss.atoms == tuple(
        LossAtom(at(r), rational(m)) for r, m in sorted(masses.items()))
    assert pair.loss.mass_at_infinity == rational(infinite)
    assert pair.loss.dual == finite(Q, P).loss
    assert pair.is_absolutely_continuous == (infinite == 0)
    assert pair.is_reverse_absolutely_continuous == (
        oracle.INFINITE not in oracle.loss_masses(Q, P))
    for order in (-2, 0, 1, 2, 3):
        expected = oracle.moment(P, Q, order)
        value = Pair.moment_value(pair, order)
        assert value == (sp.oo if expected == mp.inf else rational(expected))
        if pair.moment_region().contains(order):
            assert sp.expand(moment.subs(q, order)) == value


@pytest.mark.parametrize(("P", "Q"), random_pairs(4, size=3))
def test_moments_of_complex_order(P, Q):
    pair = finite(P, Q)
    with mp.workdps(30):
        for order, same in ((sp.Rational(1, 2), Fr(1, 2)),
                            (sp.Rational(1, 3) + 2 * sp.I, mp.mpc(mp.mpf(1) / 3, 2))):
            if not pair.moment_region().contains(order):
                continue
            found = mp.mpmathify(sp.N(pair.moment(order), 30))
            assert abs(found - oracle.moment(P, Q, same)) < 1e-25


@pytest.mark.parametrize("case", range(6))
def test_products_of_models(case):
    """Merged products of exact models, not the products in Fractions, against the oracle."""
    first, second = random_pairs(12)[2 * case:2 * case + 2]
    both = oracle.product_pair(first, second)
    pair = Product(finite(*first), finite(*second))
    assert len(pair.model().atoms) == len(
        {z for z in oracle.loss_masses(*both) if z != oracle.INFINITE})
    backward = pair.reverse()
    for alpha in alphas_of(*both)[::3]:
        assert pair.profile(at(alpha)) == rational(oracle.hockey_stick(*both, alpha))
        assert backward.profile(at(alpha)) == rational(
            oracle.hockey_stick(*oracle.reverse(*both), alpha))
    assert pair.mass_at_infinity == rational(
        oracle.loss_masses(*both).get(oracle.INFINITE, Fr(0)))
    with mp.workdps(30):
        assert abs(number(pair.moment("1/2"), 30) - oracle.moment(*both, Fr(1, 2))) < 1e-25


@pytest.mark.parametrize("k", [2, 3, 5])
def test_powers_of_models(k):
    P, Q = random_pairs(1, size=3)[0]
    whole = (P, Q)
    for _ in range(k - 1):
        whole = oracle.product_pair(whole, (P, Q))
    pair = Power(finite(P, Q), k)
    for alpha in ALPHAS:
        assert pair.profile(at(alpha)) == rational(oracle.hockey_stick(*whole, alpha))
    shape, masses = pair.numeric_pair({})
    assert shape == "finite"
    assert finite(*zip(*masses, strict=True)).merge() == finite(*whole).merge()


# -- randomized response --------------------------------------------------------------------------


@pytest.mark.parametrize(("odds", "leak"), [(3, "0"), (2, "1/10"), (1, "1/2"), (5, "1")])
def test_randomized_response_is_a_finite_pair(odds, leak):
    P, Q = oracle.randomized_response(Fr(odds), Fr(leak))
    pair, same = randomized_response(sp.log(odds), leak), finite(P, Q)
    assert pair.profile() == same.profile()
    assert pair.moment(q) == same.moment(q)
    assert {a.loss: a.mass for a in pair.loss.atoms if a.mass} == dict(same.loss.atoms)
    assert pair.reverse().profile() == pair.profile()


def test_symbolic_parameters_agree_with_numbers():
    """Cases of the parameters, ties included: each formula at numbers is the number's own."""
    e1, e2 = sp.symbols("e1 e2", real=True)
    product = randomized_response(e1) * randomized_response(e2, "1/10")
    curve, mass = product.profile(t), product.mass_at_infinity
    odds = (1, 2, 3)
    for a in odds:
        for b in odds:
            whole = oracle.product_pair(oracle.randomized_response(Fr(a), Fr(0)),
                                        oracle.randomized_response(Fr(b), Fr(1, 10)))
            values = {e1: sp.log(a), e2: sp.log(b)}
            assert mass.subs(values) == sp.Rational(1, 10)
            for alpha in ALPHAS:
                found = curve.subs(values).subs(t, at(alpha))
                expected = rational(oracle.hockey_stick(*whole, alpha))
                assert sp.nsimplify(found, rational=False) == expected
                assert product.substitute(values).profile(at(alpha)) == expected


def test_moments_of_symbolic_pairs():
    leak = sp.Symbol("leak", real=True)
    pair = randomized_response(LN3, leak)
    assert pair.moment(2).subs(leak, 0) == sp.Rational(7, 3)
    assert pair.moment(2).subs(leak, sp.Rational(1, 2)) == sp.oo
    assert pair.moment(1) == pair.moment(0) == 1
    assert pair.renyi(2).subs(leak, 0) == sp.log(sp.Rational(7, 3))
    with pytest.raises(Unsupported, match="depends on the sign of leak"):
        pair.moment_region()
    positive = randomized_response(LN3, sp.Symbol("leak", positive=True))
    assert str(positive.moment_region()) == "0 < Re s < 1"


def test_hundred_randomized_responses():
    """Equal losses merge, and the profile is the binomial sum of the definition."""
    pair = randomized_response(LN3) ** 100
    assert len(pair.model().atoms) == 101
    for alpha in (Fr(1), Fr(3) ** 10, Fr(3) ** 25 + 1):
        total = sum((comb(100, j) * max(Fr(0), Fr(3) ** j - alpha * Fr(3) ** (100 - j))
                     for j in range(101)), Fr(0)) / Fr(4) ** 100
        assert pair.profile(at(alpha)) == rational(total)
    assert pair.moment(2) == sp.Rational(7, 3) ** 100
    assert pair.mass_at_infinity == 0


def test_powers_with_leakage_in_symbols():
    eps = sp.Symbol("eps", positive=True)
    pair = randomized_response(eps, "1/100") ** 10
    assert len(pair.model().atoms) == 11
    assert pair.mass_at_infinity == 1 - sp.Rational(99, 100) ** 10
    same = randomized_response(LN2, "1/100") ** 10
    for alpha in ALPHAS:
        assert same.profile(at(alpha)) == pair.profile(t).subs(eps, LN2).subs(t, at(alpha))


# -- shape ----------------------------------------------------------------------------------------


def test_operations_are_values():
    a, b = laplace(1), randomized_response(1)
    assert a * b == a * b and hash(a**2) == hash(a**2) and a**1 is a
    assert (a**2) ** 3 == a**6 and a.reverse().reverse() == a
    assert (a * b).reverse() == a.reverse() * b.reverse()
    assert (a**3).reverse() == a.reverse() ** 3 == reverse(a**3)
    s = sp.Symbol("s", positive=True)
    assert (laplace(s) * b**2).reverse().free_symbols == {s}
    assert (laplace(s) ** 2).substitute({s: 3}) == laplace(3) ** 2
    assert (laplace(s) ** 2).substitute({s: -3}) is None


@pytest.mark.parametrize("text", [
    "laplace(1, 1)*exponential(1, 2)**3", "reverse(exponential(1, 2))**2*gaussian(1, 1)",
    "(laplace(1, 1)*randomized_response(1, 0))**2",
    "laplace(1, 1)*(laplace(2, 1)*laplace(3, 1))**2",
])
def test_repr_is_read_back(text):
    pair = parse_mechanism(text, catalogue())
    assert parse_mechanism(repr(pair), catalogue()) == pair
    assert eval(repr(pair), dict(catalogue())) == pair


def test_repr_keeps_the_grouping():
    a, b, c = laplace(1), laplace(2), laplace(3)
    assert repr(a * (b * c)) == repr(a * b * c) == "laplace(1, 1)*laplace(2, 1)*laplace(3, 1)"
    assert repr((a * b) ** 2) == "(laplace(1, 1)*laplace(2, 1))**2"
    assert repr((a**2).loss) == "(laplace(1, 1)**2).loss"


@pytest.mark.parametrize(("act", "message"), [
    (lambda: laplace(1).profile(0.1), 't = 0.1 is a float: write "0.1" or Rational(1, 10)'),
    (lambda: laplace(1).profile(float("nan")), "t = nan is not a finite number"),
    (lambda: laplace(1).profile(sp.oo), "t = oo is not a finite number"),
    (lambda: laplace(1).profile(sp.I), "t = I is not real"),
    (lambda: laplace(1).profile("eval"),
     't = \'eval\' is not a number: write it like "0.1" or "1/3"'),
    (lambda: laplace(1).moment(2.5), 'q = 2.5 is a float: write "2.5" or Rational(5, 2)'),
    (lambda: laplace(1).moment(sp.nan), "q = nan is not a finite number"),
    (lambda: laplace(0.1), 'scale = 0.1 is a float: write "0.1" or Rational(1, 10)'),
    (lambda: laplace("-1"), "scale = -1 must be positive"),
    (lambda: laplace(sp.Float("0.5") * t),
     'scale = 0.5*t contains a float: write exact numbers, "0.1" or Rational(1, 10)'),
    (lambda: randomized_response(1, "3/2"), "delta = 3/2 must be between 0 and 1"),
    (lambda: laplace(1) ** 0, "the power of a pair must be a whole number >= 1, not 0"),
    (lambda: laplace(1) ** 1.5, "the power of a pair must be a whole number >= 1, not 1.5"),
    (lambda: reverse(3), "3 is no pair: write a mechanism such as laplace(1)"),
    (lambda: laplace(sp.Symbol("t", positive=True)).profile(),
     "t is a parameter of laplace(t, 1): name another variable"),
])
def test_bad_input_gets_one_line(act, message):
    with pytest.raises(InputError) as caught:
        act()
    assert str(caught.value) == message


def test_products_with_other_things_are_refused():
    for product in (lambda: laplace(1) * 2, lambda: 2 * laplace(1)):
        with pytest.raises(InputError, match="copies are written as a power"):
            product()
    with pytest.raises(TypeError):
        laplace(1) * object()
