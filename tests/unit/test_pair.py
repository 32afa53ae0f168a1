"""Pairs in a researcher's hands: notions and operations against definitions and the oracle."""

from __future__ import annotations

import random
from fractions import Fraction as Fr
from math import comb

import pytest
import sympy as sp
from mpmath import mp

from lapdp import exponential, finite, gaussian, laplace, randomized_response, reverse
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.privacy import catalogue
from lapdp.privacy.loss import LossAtom
from lapdp.privacy.operations import Power, Product, Reversed
from lapdp.privacy.pair import Pair
from lapdp.theory.parse import parse_mechanism
from tests.oracle import finite as oracle
from tests.oracle.densities import DensityPair

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
        value = Pair.moment(pair, order)
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
    with pytest.raises(Unsupported, match=r"gaussian\(1, 1\)\*laplace\(1, 1\) are not reached yet"):
        mixed.profile()


# -- Renyi, characteristic function ---------------------------------------------------------------


def test_renyi_is_defined_or_says_why():
    coin = finite(["1/3", "2/3"], ["2/3", "1/3"])
    assert coin.renyi(sp.Integer(2)) == sp.log(sp.Rational(3, 2))
    zero = sp.Rational(1, 2) + sp.I * sp.pi / (2 * LN2)
    leaky = randomized_response(1, "1/10")
    for pair, order, why in ((coin, 1, "q = 1"), (coin, zero, "E_q is 0"), (leaky, 2, "E_q is oo"),
                             (exponential(1, 2), 2, "E_q is oo"),
                             (finite([1, 0], [0, 1]), "1/2", "E_q is 0")):
        with pytest.raises(Undefined, match=why):
            pair.renyi(order)


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
    "(laplace(1, 1)*randomized_response(1, 0))**2", "laplace(1, 1)*(laplace(2, 1)*laplace(3, 1))",
])
def test_repr_is_read_back(text):
    pair = parse_mechanism(text, catalogue())
    assert parse_mechanism(repr(pair), catalogue()) == pair
    assert eval(repr(pair), dict(catalogue())) == pair


def test_repr_keeps_the_grouping():
    a, b, c = laplace(1), laplace(2), laplace(3)
    assert repr(a * (b * c)) == "laplace(1, 1)*(laplace(2, 1)*laplace(3, 1))"
    assert repr((a * b) ** 2) == "(laplace(1, 1)*laplace(2, 1))**2"
    assert repr((a**2).loss) == "(laplace(1, 1)**2).loss"


def test_loss_of_laplace():
    z = laplace(1).loss
    density = z.density(t)
    assert density.subs(t, 0) == sp.exp(sp.Rational(-1, 2)) / 4 and density.subs(t, 2) == 0
    assert z.generalized_density(t).has(sp.DiracDelta(t - 1))
    assert [p[:2] for p in (laplace(1) ** 2).loss.pieces] == [(-2, 0), (0, 2)]
    total = sum(a.mass for a in z.atoms) + sp.integrate(z.pieces[0].expression,
                                                        (sp.Symbol("z", real=True), -1, 1))
    assert sp.expand(total) == 1


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


def test_products_with_other_things_are_type_errors():
    with pytest.raises(TypeError):
        laplace(1) * 2
    with pytest.raises(TypeError):
        2 * laplace(1)
