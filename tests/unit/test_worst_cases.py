"""Pairs that are the worst case of a property, against the pairs that have the property."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from mpmath import mp

from lapdp import approximate_dp, exponential_mechanism, finite, kary_response, randomized_response
from lapdp.core.errors import InputError

LN2 = sp.log(2)
T = sp.Symbol("t", real=True)


@pytest.mark.parametrize("eps", [sp.Rational(1, 3), 2 * LN2, 5])
@pytest.mark.parametrize("t", [-6, -2, sp.Rational(-1, 4), 0, sp.Rational(1, 5), 1, 3])
def test_logistic_densities(eps, t):
    """The profile by quadrature of the two densities, cut where they cross."""
    with mp.workdps(30):
        d, alpha = mp.mpf(sp.N(eps, 35)), mp.exp(mp.mpf(sp.N(t, 35)))

        def density(x):
            return mp.exp(-x) / (1 + mp.exp(-x)) ** 2 if x > 0 else mp.exp(x) / (1 + mp.exp(x)) ** 2

        def gain(x):
            return max(mp.mpf(0), density(x) - alpha * density(x - d))

        low, high = -mp.mpf(200), mp.mpf(200)
        for _ in range(120):  # the ratio falls from e^d to e^-d
            mid = (low + high) / 2
            low, high = (mid, high) if density(mid) > alpha * density(mid - d) else (low, mid)
        direct = mp.quad(gain, [*sorted({x for x in (-100, -40, -10, -3, 0, 3, 10, 40)
                                         if x < low}), low])
        value = mp.mpf(sp.N(exponential_mechanism(eps).profile(t), 30))
        assert abs(direct - value) < mp.mpf(10) ** -20


def two_outcomes(high, low):
    """The pair of two outcomes with these likelihood ratios."""
    q = (1 - low) / (high - low)
    return finite([high * q, 1 - high * q], [q, 1 - q])


@given(st.fractions(2, 9, max_denominator=5), st.fractions(0, 1, max_denominator=8),
       st.fractions("1/9", 9, max_denominator=9))
@settings(max_examples=60, deadline=None)
def test_the_exponential_mechanism_is_the_worst_of_two_outcomes(odds, part, alpha):
    """Ratios low and high = odds low around 1: the profile lies below, and meets it at high^2 =
    alpha odds, checked exactly by squares."""
    high = 1 + part * (odds - 1)
    pair = two_outcomes(high, high / odds) if 1 < high < odds else finite([1], [1])
    eps = sp.log(sp.Rational(odds.numerator, odds.denominator))
    worst = exponential_mechanism(eps).profile(sp.log(sp.Rational(alpha.numerator,
                                                                  alpha.denominator)))
    gap = sp.N(worst, 40) - sp.Rational(*pair.hockey_stick(alpha).as_integer_ratio())
    assert gap > -sp.Float("1e-35")


@pytest.mark.parametrize(("root", "high"), [(2, Fraction(3)), (3, Fraction(2)), (3, Fraction(5))])
def test_the_worst_of_two_outcomes_is_met(root, high):
    odds = Fraction(root) ** 2
    alpha = high**2 / odds
    pair = two_outcomes(high, high / odds)
    worst = exponential_mechanism(2 * sp.log(root)).profile(2 * sp.log(sp.Rational(
        high.numerator, high.denominator) / root))
    assert worst == sp.Rational(*pair.hockey_stick(alpha).as_integer_ratio())


def test_the_exponential_mechanism_lies_below_randomized_response():
    eps = sp.Symbol("eps", positive=True)
    for e in (sp.Rational(1, 10), 1, 7):
        for x in (-1, 0, sp.Rational(1, 3), 2):
            below = exponential_mechanism(eps).profile(T).subs({eps: e, T: x * e / 3})
            above = randomized_response(eps).profile(T).subs({eps: e, T: x * e / 3})
            assert sp.N(above - below, 30) > 0


@pytest.mark.parametrize("k", [2, 3, 5, 12])
@pytest.mark.parametrize("odds", [1, 2, Fraction(7, 3), 50])
def test_kary_response_answer_by_answer(k, odds):
    masses = [[Fraction(odds if a == x else 1) / (odds + k - 1) for a in range(k)] for x in (0, 1)]
    whole = finite(*masses)
    n, t = sp.Symbol("n", integer=True), sp.Symbol("t", real=True)
    eps = sp.log(sp.Rational(*Fraction(odds).as_integer_ratio()))
    for alpha in (Fraction(1, 60), Fraction(1, 2), Fraction(1), Fraction(3, 2), Fraction(odds)):
        at = sp.log(sp.Rational(alpha.numerator, alpha.denominator))
        expected = sp.Rational(*whole.hockey_stick(alpha).as_integer_ratio())
        assert kary_response(k, eps).profile(at) == expected
        assert abs(sp.N(kary_response(n, eps).profile(t).subs(n, k).subs(t, at) - expected, 30)
                   ) < 1e-25


def test_two_answers_are_randomized_response():
    eps = sp.Symbol("eps", positive=True)
    assert kary_response(2, eps).model().atoms == randomized_response(eps).model().atoms


def test_approximate_dp_is_randomized_response():
    assert approximate_dp("0.1", "1e-8") == randomized_response("0.1", "1e-8")
    assert approximate_dp(1) == randomized_response(1, 0)


@pytest.mark.parametrize(("make", "arguments", "words"), [
    (exponential_mechanism, (0,), "positive"), (exponential_mechanism, (0.5,), "float"),
    (kary_response, (1, 1), "at least 2"), (kary_response, ("5/2", 1), "whole number"),
    (kary_response, (sp.Symbol("k", real=True), 1), "integer=True"),
    (kary_response, (3, -1), "eps"),
    (approximate_dp, (1, 2), "between 0 and 1"),
])
def test_bad_parameters(make, arguments, words):
    with pytest.raises(InputError, match=words):
        make(*arguments)
