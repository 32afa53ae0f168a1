"""Probabilistic privacy: tails and quantiles against sums of Fractions and quadrature."""

from __future__ import annotations

import random
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp import (
    discrete_gaussian,
    exponential,
    finite,
    gaussian,
    geometric,
    laplace,
    law,
    poisson,
    randomized_response,
)
from lapdp.core.errors import InputError, Unsupported

HALF = sp.Rational(1, 2)
MIXED = finite(["1/2", "1/4", "1/4"], ["1/4", "3/4", 0])


def quantile(masses, delta):
    """The least alpha >= 1 with P(p > alpha q) <= delta, None where there is none."""
    ratios = [Fraction(1), *(p / q for p, q in masses if p and q)]
    fit = [a for a in ratios if a >= 1 and sum(p for p, q in masses if p > a * q) <= delta]
    return min(fit, default=None)


def encloses(answer, value):
    """Does an answer hold an ``mpf``?"""
    low, high = (mp.mpf(x.numerator) / x.denominator for x in (answer.lower, answer.upper))
    return low - mp.mpf(10) ** -40 <= value <= high + mp.mpf(10) ** -40


@pytest.mark.parametrize("seed", range(12))
def test_finite_pairs_against_fractions(seed):
    rng = random.Random(seed)
    p, q = ([Fraction(rng.choice([0, 1, 1, 2, 3, 5])) + (k == 0) for k in range(5)] for _ in "pq")
    masses = [(a / sum(p), b / sum(q)) for a, b in zip(p, q, strict=True)]
    pair = finite(*zip(*masses, strict=True))
    # ties with tails, and what lies on both sides of them
    tails = {sum(a for a, b in masses if a > k * b) for k in [1, *(x / y for x, y in masses if y)]}
    levels = {t + off for t in tails for off in (0, Fraction(1, 997), -Fraction(1, 997))}
    for level in sorted(x for x in levels if 0 <= x <= 1):
        found, alpha = pair.probabilistic_epsilon(level), quantile(masses, level)
        if alpha is None:
            assert found.is_infinite
        else:
            with mp.workdps(50):
                assert encloses(found, mp.log(mp.mpf(alpha.numerator) / alpha.denominator))


def test_one_direction_is_not_the_other():
    assert encloses(MIXED.probabilistic_epsilon("1/4", 12), mp.log(2))
    assert MIXED.probabilistic_epsilon("0.24").is_infinite
    assert MIXED.reverse().probabilistic_epsilon("1/4").method == "atom log(3)"
    assert MIXED.reverse().probabilistic_epsilon("3/4").value == 0


@pytest.mark.parametrize(("sigma", "copies", "delta"), [
    (1, 1, "1e-5"), (10, 100, "1e-300"), (3, 7, "0.3"), ("1/2", 1, "0.999")])
def test_gaussians_against_the_normal_quantile(sigma, copies, delta):
    with mp.workdps(330):
        kappa = mp.mpf(copies) / (2 * mp.mpf(sp.Rational(sigma).p) ** 2) * sp.Rational(sigma).q ** 2
        normal = mp.sqrt(2) * mp.erfinv(1 - 2 * mp.mpf(delta))
        expected = max(mp.mpf(0), kappa + mp.sqrt(2 * kappa) * normal)
        assert encloses((gaussian(sigma) ** copies).probabilistic_epsilon(delta, 20), expected)


@pytest.mark.parametrize(("pair", "delta"), [
    (exponential(1, 2), "1e-3"), (exponential(1, 2).reverse(), "1/10"),
    (gaussian(2) * laplace(3), "1e-4"), (laplace(1) ** 3, "0.2"),
    (poisson(gaussian(1), "1/10", direction="add"), "1/5"),
    (poisson(laplace(1), "1/10", direction="remove"), "1/10"),
], ids=repr)
def test_the_tail_crosses_delta_there(pair, delta):
    found = pair.probabilistic_epsilon(delta, 12)
    assert pair.loss.tail_at(sp.Rational(found.lower), 20).upper > Fraction(delta)
    assert pair.loss.tail_at(sp.Rational(found.upper), 20).lower <= Fraction(delta)
    assert found.lower >= pair.epsilon(delta, 12).lower


def test_tails_by_quadrature():
    """Exp(1) against Exp(2): Z = x - log 2, x ~ Exp(1); the profile is a mean of tails beyond."""
    pair = exponential(1, 2)
    with mp.workdps(30):
        assert encloses(pair.probabilistic_delta(2), mp.exp(-2 - mp.log(2)))
        t = sp.Symbol("t", real=True)
        tail = sp.lambdify(t, (pair**2).probabilistic(t), "mpmath")
        mean = mp.quad(lambda x: mp.exp(1 - x) * tail(x), [1, 4, 10, 40, 90])
        assert encloses((pair**2).delta(1, digits=15), mean)


@pytest.mark.parametrize(("pair", "delta", "method"), [
    (laplace(1), "1/2", "atom 1"), (laplace(1), "1/4", "atom 1"), (laplace(1), 0, "largest loss"),
    (laplace(1), "0.7", "delta is at least Pr[Z > 0]"), (laplace(1), 1, "delta is at most 1"),
    (laplace(1), "0.55", "bracket, tail of the loss"),
    (randomized_response(sp.log(3)) ** 3, "27/64", "atom log(3)"),
    (randomized_response(1, "1/10"), "1/10", "largest loss"),
    (randomized_response(1, "1/10"), "1/11", "mass at infinity"),
    (gaussian(1), 0, "largest loss"), (geometric("0.1") ** 200, "1e-5", "atom 7"),
    (exponential(1, 2).reverse() * finite([1], [1]), 0, "largest loss"),
    (finite([1, 0], [0, 1]), "1/2", "mass at infinity"), (finite([1], [1]), 0, "largest loss"),
], ids=str)
def test_which_case_answers(pair, delta, method):
    found = pair.probabilistic_epsilon(delta)
    assert found.method == method
    infinite = method == "mass at infinity" or isinstance(pair, type(gaussian(1)))
    assert found.is_infinite == infinite


def test_ties_within_a_gap_of_the_density():
    """Half of the losses are uniform on [0, 1], half on [2, 3]."""
    z = sp.Symbol("z", real=True)
    density = sp.Piecewise((HALF, (z > 0) & (z < 1)), (HALF, (z > 2) & (z < 3)), (0, True))
    pair = law(density=density, z=z)
    found = pair.probabilistic_epsilon("1/2")
    assert (found.value, found.method) == (1, "end of the density 1")
    assert pair.probabilistic_epsilon("0.49", 9).compare("2.02") is None
    assert pair.probabilistic_epsilon("0.51", 9).compare("0.98") is None
    assert pair.probabilistic_epsilon(0).value == 3


def test_atoms_without_end():
    found = discrete_gaussian(2).probabilistic_epsilon("1e-5", 12)
    weights = {x: mp.exp(-mp.mpf(x * x) / 8) for x in range(-80, 81)}
    total = mp.fsum(weights.values())
    losses = sorted({mp.mpf(1 + 2 * x) / 8 for x in weights})
    least = next(z for z in losses if mp.fsum(
        w for x, w in weights.items() if mp.mpf(1 + 2 * x) / 8 > z) / total <= mp.mpf("1e-5"))
    assert encloses(found, least)


def test_delta_beyond_all_losses_is_exact():
    assert str((laplace(1) ** 10).probabilistic_delta(10)) == "0"
    assert (randomized_response(1, "1/10") ** 2).probabilistic_delta(2).value == Fraction(19, 100)
    assert MIXED.probabilistic_delta(sp.log(2)).value == Fraction(1, 4)
    assert laplace(1).probabilistic_delta(1) < laplace(1).probabilistic_delta("0.999")


def test_refusals():
    b = sp.Symbol("b", positive=True)
    for call in (lambda: laplace(b).probabilistic_epsilon("1/2"),
                 lambda: laplace(b).probabilistic_delta(1),
                 lambda: laplace(1).probabilistic_delta(0.5),
                 lambda: laplace(1).probabilistic_delta(b),
                 lambda: laplace(1).probabilistic_epsilon(0.5),
                 lambda: laplace(1).probabilistic_epsilon(2),
                 lambda: laplace(1).probabilistic_epsilon(sp.sqrt(2) / 2),
                 lambda: laplace(1).probabilistic_epsilon("1/2", digits=0)):
        with pytest.raises(InputError):
            call()
    composed = poisson(gaussian(1), "1/100", direction="remove") ** 10
    for call in (lambda: composed.probabilistic_delta(1),
                 lambda: composed.probabilistic_epsilon("1e-5")):
        with pytest.raises(Unsupported):
            call()
