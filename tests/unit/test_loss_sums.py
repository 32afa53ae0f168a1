"""Certified profiles of products at one point: atoms, many copies, Gaussian factors."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, prod

import flint
import pytest
import sympy as sp
from mpmath import mp

import lapdp
from lapdp import (
    finite,
    gaussian,
    geometric,
    laplace,
    point_guarantees,
    poisson,
    randomized_response,
)
from lapdp.core.errors import InputError, Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy import loss_sums
from lapdp.privacy.loss_sums import Part, _binomials, split, sums_of

LN2, LN3 = sp.log(2), sp.log(3)


@pytest.fixture(params=[0, loss_sums.FEW_SUMS], ids=["sums", "closed form"])
def route(request, monkeypatch):
    """Both ways to a value, whatever the size."""
    monkeypatch.setattr(loss_sums, "FEW_SUMS", request.param)


def at(pair, t, digits=30):
    found = pair.profile.at(t, digits)
    assert found.is_exact or found.digits >= digits
    return found


def holds(found, value):
    """The enclosure contains an mpmath number of more digits, or an exact fraction."""
    if isinstance(value, Fraction):
        return found.contains(value)
    return abs(mp.mpf(found.middle.numerator) / found.middle.denominator - value) <= (
        mp.mpf(found.radius.numerator) / found.radius.denominator + abs(value) * mp.eps * 1000)


def composed(coins, x):
    """Recursion (62) in Fractions: coins are (e^eps, delta), x is e^t."""
    if not coins:
        return max(Fraction(0), 1 - x)
    (odds, leak), *rest = coins
    return leak + (1 - leak) / (odds + 1) * (
        odds * composed(rest, x / odds) + composed(rest, x * odds))


FAMILIES = {
    "equal sums across halves": [2, 3, 6, Fraction(3, 2), 4, 12, Fraction(4, 3), 2, 9],
    "no common multiples": [Fraction(p, 7) for p in (8, 9, 10, 11, 13, 15, 17, 19, 20)],
    "one lattice": [2, 4, 8, 16, 2, 2, 4, 8, 32, 64, 2],
    "one coin": [3], "nothing but a leak": [1, 1, 1], "with a coin of no loss": [1, 2, 1, 3],
}


@pytest.mark.parametrize("name", FAMILIES)
def test_heterogeneous_guarantees_by_recursion(name, route):
    coins = [(Fraction(odds), Fraction(i % 3, 100)) for i, odds in enumerate(FAMILIES[name])]
    pair = point_guarantees([(sp.log(sp.Rational(o)), d) for o, d in coins])
    most = prod(odds for odds, _ in coins)
    # ties with atoms, the largest loss itself, and points close to it
    for x in (Fraction(1), Fraction(2), Fraction(3), Fraction(7, 5), Fraction(1, 6), most / 4,
              most * Fraction(999_999, 10**6), most, most + 1):
        found, expected = at(pair, sp.log(sp.Rational(x))), composed(coins, x)
        assert holds(found, expected)


def test_no_value_is_lost_at_irrational_points(route):
    coins = [(Fraction(8, 7), 0), (Fraction(11, 7), 0), (Fraction(3), Fraction(1, 9))]
    pair = point_guarantees([(sp.log(sp.Rational(o)), d) for o, d in coins])
    with mp.workdps(50):
        x = mp.exp(mp.sqrt(2))
        def composed_numbers(rest, y):
            if not rest:
                return max(mp.mpf(0), 1 - y)
            (odds, leak), *others = rest
            odds, leak = (mp.mpf(v.numerator) / v.denominator for v in (odds, Fraction(leak)))
            return leak + (1 - leak) / (odds + 1) * (
                odds * composed_numbers(others, y / odds) + composed_numbers(others, y * odds))
        assert holds(at(pair, sp.sqrt(2)), composed_numbers(coins, x))


FINITE = [
    finite(["1/2", "1/3", "1/6", 0], ["1/4", 0, "1/2", "1/4"]),
    finite(["1/5", "1/5", "3/5"], ["1/7", "2/7", "4/7"]),
    finite(["1/9", "8/9"], ["2/9", "7/9"]),
    finite(["1/2", "1/2"], [1, 0]),
]


@pytest.mark.parametrize("counts", [(1, 1, 1, 0), (2, 0, 3, 0), (0, 3, 2, 0), (1, 1, 0, 1)])
def test_pairs_that_are_not_symmetric(counts, route):
    """Masses at both infinities; against the masses of all outcomes."""
    pairs = [pair for pair, count in zip(FINITE, counts, strict=True) for _ in range(count)]
    outcomes = list(product(*(pair.masses for pair in pairs)))
    joint = randomized_response(0)
    for pair in pairs:
        joint = joint * pair
    for x in (Fraction(1, 5), Fraction(1), Fraction(7, 5), Fraction(2), Fraction(50)):
        expected = sum(max(Fraction(0), prod(p for p, _ in row) - x * prod(q for _, q in row))
                       for row in outcomes)
        assert holds(at(joint, sp.log(sp.Rational(x))), expected)
        back = sum(max(Fraction(0), prod(q for _, q in row) - x * prod(p for p, _ in row))
                   for row in outcomes)
        assert holds(at(joint.reverse(), sp.log(sp.Rational(x))), back)


@pytest.mark.parametrize("copies", [1, 7, 400])
def test_many_copies_of_one_coin(copies, route):
    odds, leak = Fraction(11, 10), Fraction(1, 10**6)
    pair = point_guarantees([(sp.log(sp.Rational(odds)), leak)] * copies)
    for steps in (-1, 0, copies // 3, copies - 1, copies, copies + 1):
        x = odds**steps
        finite_part = sum(
            comb(copies, j) * odds**j * max(Fraction(0), 1 - x * odds ** (copies - 2 * j))
            for j in range(copies + 1)) / (1 + odds) ** copies
        expected = 1 - (1 - leak) ** copies * (1 - finite_part)
        assert holds(at(pair, sp.log(sp.Rational(x))), expected)


def test_a_million_copies():
    """Corollary 4.7, a window around the mode summed in mpmath."""
    k, pair = 10**6, randomized_response("0.001", "1e-9") ** 10**6
    for t in (0, 2, 5):
        found = at(pair, t)
        with mp.workdps(50):
            e = mp.mpf("0.001")
            first = int(mp.floor((t / e + k) / 2)) + 1
            mass = mp.exp(mp.loggamma(k + 1) - mp.loggamma(first + 1) - mp.loggamma(k - first + 1)
                          + first * e - k * mp.log1p(mp.exp(e)))
            total, grown = mp.mpf(0), mp.exp(e)
            for j in range(first, first + 15_000):
                total += mass * -mp.expm1(t - (2 * j - k) * e)
                mass *= grown * (k - j) / (j + 1)
            expected = 1 - (1 - mp.mpf("1e-9")) ** k * (1 - total)
            assert abs(expected - mp.mpf(found.middle.numerator) / found.middle.denominator) < 1e-30


def test_a_lattice_of_hundreds():
    """Masses are K g_m y^m with the integer polynomial of all subset sums."""
    sizes = [1 + 7 * i % 40 for i in range(200)]
    pair = point_guarantees([(sp.Rational(n, 10), "1e-6") for n in sizes])
    ways = [1] + [0] * sum(sizes)
    for n in sizes:
        for m in range(len(ways) - 1, n - 1, -1):
            ways[m] += ways[m - n]
    top = sum(sizes)
    with mp.workdps(80):
        y = mp.exp(mp.mpf(1) / 10)
        scale = 1 / mp.fprod(1 + y**n for n in sizes)
        for t in (0, 100, 350):
            finite_part = scale * mp.fsum(
                g * (y**m - mp.exp(t) * y ** (top - m)) for m, g in enumerate(ways)
                if 2 * m - top > 10 * t)
            expected = 1 - (1 - mp.mpf("1e-6")) ** 200 * (1 - finite_part)
            assert holds(at(pair, t), expected)


def test_the_split():
    coins = [(sp.log(sp.Rational(sp.prime(i + 10), sp.prime(i + 9))), 0) for i in range(24)]
    lattice = [(sp.Rational(n, 100), 0) for n in range(1, 60)]
    parts = [Part.of(randomized_response(*g).model(), 1) for g in [*coins, *lattice]]
    halves = split(parts)
    assert max(sums_of(half) for half in halves) < 2**18 and sums_of(parts) > 2**34
    with pytest.raises(Unsupported, match="multiples of a common step"):
        point_guarantees([(sp.log(sp.Rational(sp.prime(i + 10), sp.prime(i + 9))), 0)
                          for i in range(45)]).profile.at(sp.Integer(1))
    with pytest.raises(Unsupported, match="sums"):
        (geometric(1, 3) ** 10**6 * geometric("1/3", 2)).profile.at(sp.Integer(1))


def test_closed_forms_of_many_losses_are_refused_at_once():
    several = point_guarantees([(sp.log(sp.Rational(sp.prime(i + 10), sp.prime(i + 9))), 0)
                                for i in range(60)])
    for pair in (randomized_response("0.1") ** 10**6, several, finite(
            ["1/2", "1/2"], ["1/3", "2/3"]) * randomized_response(LN2) ** 30_000):
        for notion in (pair.profile, pair.loss.cdf):
            with pytest.raises(Unsupported, match=r"losses, more than 20000: profile.at\(t"):
                notion(1)


def test_guarantees_are_checked():
    for wrong, text in (([], "at least one"), ("0.1", "a list of pairs"), ([1], "no pair"),
                        ([(1, 2, 3)], "no pair"), ([(1, 2)], "between 0 and 1"),
                        ([("0.1", 0.1)], "float"), (["12"], "no pair")):
        with pytest.raises(InputError, match=text):
            point_guarantees(wrong)
    eps = sp.Symbol("eps", positive=True)
    pair = point_guarantees([(eps, 0), (1, "1/2")])
    assert pair.mass_at_infinity == sp.Rational(1, 2)
    with pytest.raises(InputError, match="needs numbers"):
        pair.profile.at(sp.Integer(0))


# -- Gaussian factors -----------------------------------------------------------------------------

def by_inversion(t, order, log_moment):
    """(37) on the line Re q = order: the integral of e^((1 - q) t) E_q/(q (q - 1))."""
    def body(u):
        q = mp.mpc(order, u)
        return (mp.exp((1 - q) * t + log_moment(q)) / (q * (q - 1))).real

    step = mp.mpf(1) / 400
    return step / mp.pi * (body(0) / 2 + mp.fsum(body(step * n) for n in range(1, 3000)))


def laplace_moment(q):
    return mp.log((q * mp.exp(q - 1) + (q - 1) * mp.exp(-q)) / (2 * q - 1))


@pytest.mark.parametrize(("t", "order"), [(10, "1.1"), (100, "1.5"), (300, "3")])
def test_a_hundred_noisy_laplaces(t, order):
    pair = (gaussian(1) * laplace(1)) ** 100
    with mp.workdps(40):
        def log_moment(q):
            return 100 * (q * (q - 1) / 2 + laplace_moment(q))

        expected = by_inversion(t, mp.mpf(order), log_moment)
        found = at(pair, t, 25)
        value = mp.mpf(found.middle.numerator) / found.middle.denominator
        assert abs(value - expected) < abs(expected) * mp.mpf(10) ** -20


@pytest.mark.parametrize("t", [-50, 0, 3, 40, 120])
def test_gaussian_factors_against_the_formula(t):
    """The collected terms, summed in balls, are those of the printed expression."""
    for pair in (gaussian("1/2") * laplace(2) ** 3, gaussian(3) * geometric("1/3", 4),
                 gaussian(1) * randomized_response(LN3, "1/10") ** 2 * laplace(1)):
        found = at(pair, t, 20)
        value = sp.N(pair.profile(t), 30, maxn=100_000)
        middle = sp.Rational(found.middle.numerator, found.middle.denominator)
        assert abs(value - middle) <= abs(value) * sp.Float("1e-19")


def test_what_is_not_reached():
    pair = gaussian(1) * poisson(gaussian(1), "1/10", direction="remove")
    with pytest.raises(Unsupported):
        pair.profile.at(sp.Integer(1))


def test_a_common_step_that_is_far_too_fine():
    """Ten copies with losses next to those of a coarse lattice, where all sums are, nearly."""
    def answer(x):
        pair = lapdp.geometric("1/2", 2)**40 * lapdp.kary_response(3, "1/6")**4
        return (pair * lapdp.kary_response(3, x)**10).delta("14/3", digits=13)

    near, there = (answer(sp.Rational(1, 4) * (1 - x)) for x in (sp.Rational(1, 10**36), 0))
    assert near.lower <= there.upper and there.lower <= near.upper


@pytest.mark.parametrize("n", [1, 2, 9, 1000])
def test_binomials_are_those_of_whole_numbers(n):
    with workprec(64):
        found = list(_binomials(n))
    assert min(x.rel_accuracy_bits() for x in found) > 60
    with workprec(2000):
        assert all(x.contains(flint.arb(comb(n, j))) for j, x in enumerate(found))
    assert len(found) == n + 1
