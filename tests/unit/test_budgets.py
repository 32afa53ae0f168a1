"""Budgets: the last number of releases, the least scale, both ends checked by another route."""

from __future__ import annotations

import math
from fractions import Fraction

import mpmath as mp
import pytest
import sympy as sp

from lapdp import (
    exponential,
    finite,
    gaussian,
    greatest,
    laplace,
    least,
    most_copies,
    poisson,
    randomized_response,
)
from lapdp.core.errors import InputError, Undefined, Unsupported
from tests.oracle.finite import hockey_stick


def gaussian_delta(mu, eps):
    return mp.ncdf(mu / 2 - eps / mu) - mp.exp(eps) * mp.ncdf(-mu / 2 - eps / mu)


@pytest.mark.parametrize(("sigma", "eps", "delta"), [
    (100, 2, "1e-5"), (1, "1/2", "1/100"), (10000, 3, "1e-12"), (30, 40, "1e-100"), (2, 0, "1/4"),
    (7, "1/10", "1/2")])
def test_gaussian_releases_by_their_formula(sigma, eps, delta):
    found = most_copies(gaussian(sigma), eps, delta)
    with mp.workdps(150):
        goal, t = (mp.mpf(Fraction(x).numerator) / Fraction(x).denominator for x in (delta, eps))
        at, beyond = (gaussian_delta(mp.sqrt(k) / sigma, t) if k else 0
                      for k in (found.count, found.count + 1))
        assert at <= goal < beyond
    assert found.within is None or found.within <= delta
    assert found.beyond > delta and found.monotone == "a product dominates its factors"


@pytest.mark.parametrize(("P", "Q"), [
    (["2/3", "1/3"], ["1/3", "2/3"]), (["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"]),
    (["1/10", "9/10"], [0, 1]), ([0, 1], ["1/10", "9/10"]), (["1/2", "1/2"], ["1/2", "1/2"])])
@pytest.mark.parametrize("both", [False, True])
def test_finite_pairs_by_exact_sums(P, Q, both):
    """At eps = 0 everything is rational: budgets between, at and above the values."""
    P, Q = ([Fraction(x) for x in row] for row in (P, Q))
    values, joint = [Fraction(0)], ([Fraction(1)], [Fraction(1)])
    for _ in range(4):
        joint = tuple([x * y for x in old for y in row]
                      for old, row in zip(joint, (P, Q), strict=True))
        values.append(hockey_stick(*joint, Fraction(1)))
    for budget in {*values[1:-1], *(v * Fraction(99, 100) for v in values[1:]), Fraction(0)}:
        expected = max(k for k, v in enumerate(values) if v <= budget)
        found = most_copies(finite(P, Q), 0, budget, both_directions=both)
        if P == Q:
            assert found.count is None and found.value == math.inf and str(found) == "oo"
        else:
            assert found.count == expected
            assert (found.within is None) == (expected == 0)


def test_both_directions_count_the_worse():
    pair = exponential(1, "11/10")
    one, other, both = (most_copies(*asked).count for asked in (
        (pair, "1/2", "1e-3"), (pair.reverse(), "1/2", "1e-3"), (pair, "1/2", "1e-3", True)))
    assert both == min(one, other) and one != other


@pytest.mark.parametrize(("pair", "eps", "delta", "count"), [
    (laplace(10), 3, 0, 30), (laplace(10), "2.99", 0, 29), (gaussian(1), 1, 0, 0),
    (randomized_response(1, "1e-3"), 1, "1e-3", 1), (randomized_response(1, "1e-3"), 1, "9e-4", 0),
    (randomized_response(sp.log(3)), 0, "1/2", 2), (laplace(1) ** 5, 20, 0, 4),
    (randomized_response("1e-8"), 1, 0, 10**8), (finite([1, 0], [0, 1]), 0, 0, 0),
    (gaussian(1), -1, "0.7", 1), (gaussian(1), -1, "0.633", 0),
    (randomized_response(1), -sp.log(2), "1/2", 0)])
def test_exact_ends(pair, eps, delta, count):
    assert most_copies(pair, eps, delta).value == count


@pytest.mark.parametrize(("pair", "eps", "delta"), [
    (randomized_response(0), 1, 0), (gaussian(1), 0, 1), (finite([1, 0], [0, 1]), 1, 1),
    (poisson(gaussian(1), 0, direction="remove"), 0, 0), (randomized_response(0), -1, "0.64")])
def test_where_nothing_is_spent(pair, eps, delta):
    found = most_copies(pair, eps, delta)
    assert found.count is None and found.within is None and found.beyond is None


def test_sampled_releases():
    found = most_copies(poisson(gaussian(1), "0.01", direction="remove"), 2, "1e-5")
    assert found.within < "1e-5" and found.beyond > "1e-5"
    # the reference of the whole: eps(1e-5) of 1000 releases is 1.828...
    assert most_copies(poisson(gaussian(1), "0.01", direction="remove"), "1.828236666517",
                       "1e-5").count == 1000
    assert most_copies(poisson(gaussian(1), "0.01", direction="remove"), "1.828236666516",
                       "1e-5").count == 999


@pytest.mark.parametrize(("ask", "error", "words"), [
    (lambda: most_copies(laplace(1), 1, 2), InputError, "between 0 and 1"),
    (lambda: most_copies(laplace(1), 0.5, 0), InputError, "float"),
    (lambda: most_copies(laplace(1), 1, 1e-5), InputError, "float"),
    (lambda: most_copies(laplace(1), sp.Symbol("e"), 0), InputError, "must be a number"),
    (lambda: most_copies(3, 1, 0), InputError, "no pair"),
    (lambda: most_copies(laplace(sp.Symbol("b", positive=True)), 1, 0), InputError, "parameters"),
    (lambda: most_copies(randomized_response("1e-12"), 1, 0), Unsupported, "still within"),
    (lambda: most_copies(gaussian(1), -1, "0.63"), Undefined, "for every pair"),
    (lambda: most_copies(randomized_response(0), -1, 0), Undefined, "for every pair"),
    (lambda: least(laplace, under=[(1, 2)]), InputError, "between 0 and 1"),
    (lambda: least(laplace, under=[(1, -1)]), InputError, "between 0 and 1"),
    (lambda: least(laplace, under=[(sp.Symbol("e"), "1/2")]), InputError, "must be a number")])
def test_bad_budgets_and_refusals(ask, error, words):
    with pytest.raises(error, match=words):
        ask()


# -- the least scale ------------------------------------------------------------------------------


def training(s):
    return poisson(gaussian(s), "0.01", direction="remove") ** 1000


def test_the_least_noise_of_a_training_run():
    found = least(training, under=[(1, "1e-5")], digits=12, both_directions=True)
    assert found.holds - found.fails <= found.fails / 10**12
    assert found.monotone.startswith("factor by factor: mixtures")
    assert training(found.holds).delta(1, digits=20) <= "1e-5"
    assert training(found.holds).reverse().delta(1, digits=20) <= "1e-5"
    assert training(found.fails).delta(1, digits=20) > "1e-5"
    assert found.fails < found.value < found.holds
    assert found.radius == (found.holds - found.fails) / 2
    assert found.method == "bracket, contour integral in doubles" and found.seconds > 0


def test_the_least_scale_of_many_laplace_releases():
    found = least(lambda s: laplace(s) ** 100, under=[(1, "1e-6"), (2, "1e-12")], digits=10)
    first, second = ((laplace(found.holds) ** 100).delta(e) for e in (1, 2))
    assert first <= "1e-6" and second <= "1e-12"
    failed = [(laplace(found.fails) ** 100).delta(e) for e in (1, 2)]
    assert failed[0] > "1e-6" or failed[1] > "1e-12"
    assert "sensitivity/scale" in found.monotone


def test_an_irrational_eps_and_the_exact_optimum():
    found = least(laplace, under=[(sp.log(2), 0)], digits=8)
    assert found.exact == 1 / sp.log(2)
    assert found.fails < Fraction(1.4426950408889634074) < found.holds
    exact = least(laplace, under=[("1/3", 0)], digits=5)
    assert (exact.value, exact.radius) == (3, 0)


def test_a_budget_that_is_met_exactly():
    """At eps = 0 the odds s : 4 give (s - 4)/(s + 4), which is 3/5 at s = 16, a power of 2."""
    found = greatest(_coin, under=[(0, "3/5")], digits=6)
    assert found.holds == 16 < found.fails


def _coin(s):
    odds = Fraction(int(s.p), int(s.q)) if s.is_Rational else s
    return finite([odds / (odds + 4), 4 / (odds + 4)], [4 / (odds + 4), odds / (odds + 4)])


@pytest.mark.parametrize(("call", "said"), [
    (lambda: least(gaussian, under=[("1e-5", 1)]), r"a guarantee is \(eps, delta\)"),
    (lambda: laplace(1) * 3, "copies are written as a power"),
    (lambda: sp.Integer(3) * laplace(1), "copies are written as a power"),
    (lambda: laplace(1) + laplace(2), "pairs are not added"),
    (lambda: laplace(1) ** "2", "not the text '2'")])
def test_slips_are_told_by_what_is_meant(call, said):
    with pytest.raises(InputError, match=said):
        call()
