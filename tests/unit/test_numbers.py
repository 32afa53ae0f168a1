"""Numbers of concrete mechanisms: strict relations by balls, and what balls cannot tell."""

from fractions import Fraction
from math import comb

import pytest
import sympy as sp
from mpmath import mp, mpf

from lapdp import finite, randomized_response
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge

TENTH = sp.Rational(1, 10)
POWERS = [1, 2, 7, 40]


def numbers(mechanism):
    P, Q = mechanism_pair(mechanism)
    return delta(P, Q), delta(Q, P), PLD(P, Q)


def judged(form):
    return judge(claim("it", form), numeric=False)


def by_definition(eps, leak, times, x):
    """The profile of a power of randomized response by its binomial sum, at 60 digits."""
    with mp.workdps(60):
        eps, leak, x = mpf(eps), mpf(leak), mpf(x)
        share = mp.exp(eps) / (1 + mp.exp(eps))
        total = mpf(0)
        for n in range(times + 1):
            loss = eps * (2 * n - times)
            weight = comb(times, n) * share**n * (1 - share) ** (times - n)
            total += weight * max(mpf(0), 1 - mp.exp(x - loss))
        return 1 - (1 - leak) ** times * (1 - total)


@pytest.mark.parametrize("times", POWERS)
@pytest.mark.parametrize("x", ["0.05", "1.23457", "-0.3"])
def test_the_profile_of_a_power_between_twenty_digits(times, x):
    curve, _, _ = numbers(randomized_response("0.1", "1e-8") ** times)
    with mp.workdps(60):
        value = by_definition("0.1", "1e-8", times, x)
        digits = sp.Integer(int(mp.floor(value * mpf(10) ** 20)))
    low, high = (digits - 1) / 10**20, (digits + 2) / 10**20
    point = sp.Rational(x)
    assert judged(Gt(curve(point), low)).kind in HOLDS
    assert judged(Lt(curve(point), high)).kind in HOLDS
    assert judged(Lt(curve(point), low)).kind is Kind.REFUTED
    assert judged(Ge(curve(point), high)).kind is Kind.REFUTED


def test_equal_numbers_are_never_strictly_ordered():
    curve, back, Z = numbers(randomized_response(sp.log(3)))
    for form in (Lt(curve(0), sp.Rational(1, 2)), Gt(curve(0), sp.Rational(1, 2)),
                 Ne(curve(0), sp.Rational(1, 2)), Lt(curve(1), back(1)),
                 Gt(Pr(Z, "==", sp.oo), 0)):
        assert judged(form).kind not in HOLDS
    assert judged(Le(curve(0), sp.Rational(1, 2))).kind in HOLDS
    assert judged(Eq(curve(0), sp.Rational(1, 2))).kind in HOLDS


def test_points_that_share_no_root_with_the_losses():
    curve, _, _ = numbers(randomized_response("0.1", "1e-8") ** 9)
    point = sp.sqrt(2) / 10
    value = by_definition("0.1", "1e-8", 9, mp.sqrt(2) / 10)
    assert judged(Gt(curve(point), sp.Rational(str(value - mpf("1e-12"))))).kind in HOLDS
    assert judged(Lt(curve(point), sp.Rational(str(value - mpf("1e-12"))))).kind is Kind.REFUTED


def test_directions_are_told_apart():
    """P = (1/2, 1/2), Q = (1, 0): half of P has an infinite loss, nothing of Q has."""
    forward, backward, Z = numbers(finite(["1/2", "1/2"], [1, 0]))
    assert judged(Gt(forward(1), backward(1))).kind in HOLDS
    assert judged(Lt(forward(1), backward(1))).kind is Kind.REFUTED
    assert judged(Gt(Pr(Z, "==", sp.oo), sp.Rational(1, 3))).kind in HOLDS


def test_parameters_are_not_numbers():
    x = positives("x")
    curve, _, _ = numbers(randomized_response(x))
    assert judged(Lt(curve(0), 1)).method != "balls of numbers"
    assert judged(Lt(curve(0), sp.Rational(1, 2))).kind is Kind.REFUTED


def test_a_profile_at_a_point_needs_few_cases():
    """Twenty-one losses against a symbolic point: found by halving, no chain of cases."""
    t = reals("t")
    curve, back, Z = numbers(randomized_response(1, "1/10") ** 20)
    reversal = 1 - sp.exp(t) + sp.exp(t) * curve(-t)
    assert judged(Eq(back(t), reversal)).kind in HOLDS
    assert judged(Eq(back(t), reversal + Indicator(Gt(t, 3)))).kind is Kind.REFUTED
    exact = 1 - (1 - Fraction(1, 10)) ** 20
    assert judged(Eq(Pr(Z, "==", sp.oo), sp.Rational(
        exact.numerator, exact.denominator))).kind in HOLDS


def test_the_numbers_of_the_figures():
    """The least epsilon of Figure 4 at k = 100, and the choices of Figure 2, by the definition."""
    with mp.workdps(60):
        edge, leak, budget = mpf("7.95550572012817858730"), mpf("1e-10"), mpf("1e-8")
        assert by_definition("0.1", leak, 100, edge) > budget
        assert by_definition("0.1", leak, 100, edge + mpf("1e-20")) < budget
        assert 1 - (1 - leak) ** 100 < budget < 1 - (1 - leak) ** 101
        chosen = []
        for times in (19, 20, 21):
            points = [mpf(n) / 10 for n in range(times % 2, times + 1, 2)]
            values = [by_definition("0.1", "1e-8", times, x) for x in points]
            chosen.append(next(v for v in values if v < mpf("1e-6")))
        assert chosen[0] < chosen[1] > chosen[2]
