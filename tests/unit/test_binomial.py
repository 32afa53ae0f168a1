"""Copies of randomized response by hypergeometric sums, against sums of Fractions and by atoms."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import randomized_response
from lapdp.core.errors import InputError
from lapdp.privacy import binomial

R = sp.Rational


def by_atoms(k, base, leak, alpha):
    """delta at log(alpha) for the odds ``base`` = e^eps, exactly: all are Fractions."""
    p = base / (1 + base)
    finite = sum((comb(k, y) * max(Fraction(0), p**y * (1 - p) ** (k - y)
                                   - alpha * p ** (k - y) * (1 - p) ** y) for y in range(k + 1)),
                 Fraction(0))
    return 1 - (1 - leak) ** k * (1 - finite)


@pytest.mark.parametrize(("k", "base", "leak", "alpha"), [
    (1, 3, 0, 2), (2, 3, Fraction(1, 10), 1), (5, Fraction(3, 2), Fraction(1, 7), Fraction(9, 4)),
    (12, 2, 0, 1), (12, 2, 0, 2**12), (12, 2, 0, 2**11), (12, 2, 0, Fraction(1, 2**12)),
    (40, Fraction(11, 10), Fraction(1, 10**8), 2), (40, Fraction(11, 10), 0, Fraction(1, 3)),
    (7, 5, 0, 5**7), (7, 5, 1, 2), (3, 1, Fraction(1, 3), Fraction(1, 2)), (3, 1, 0, 2),
])
def test_is_the_sum_over_the_outcomes(k, base, leak, alpha):
    base, leak, alpha = (Fraction(x) for x in (base, leak, alpha))
    there = by_atoms(k, base, leak, alpha)
    eps, t = (sp.log(R(x.numerator, x.denominator)) for x in (base, alpha))
    pair = randomized_response(eps, R(leak.numerator, leak.denominator)) ** k
    with flint.ctx.workprec(160):
        found = pair.profile_ball(t)
        assert abs(found - flint.arb(flint.fmpq(there.numerator, there.denominator))) < 1e-40
        if there:
            assert pair.delta(t, digits=30).enclosure.contains(there)


@pytest.mark.parametrize("shift", [0, 1, -1])
@pytest.mark.parametrize("k", [9, 10, 300])
def test_next_to_an_atom(k, shift):
    """At a loss, and 10^-50 beside it: the sum by mpmath in many digits."""
    eps = R(k % 2 + 2, 10) + R(shift, 10**50)
    with mp.workdps(120):
        p = 1 / (1 + mp.exp(mp.mpf(-1) / 10))
        there = mp.fsum(
            comb(k, y) * (p**y * (1 - p) ** (k - y) - mp.exp(mp.mpf(eps.p) / eps.q)
                          * p ** (k - y) * (1 - p) ** y)
            for y in range(k + 1) if R(2 * y - k, 10) > eps)
        found = (randomized_response("0.1") ** k).delta(eps, digits=25)
        middle = mp.mpf(found.enclosure.middle.numerator) / found.enclosure.middle.denominator
        assert abs(middle / there - 1) < mp.mpf(10) ** -25


def test_agrees_with_the_sum_around_the_circle():
    """The short formula up to so many copies, and the lattice sum beyond them, meet."""
    most, one = binomial.MOST_COPIES, randomized_response("0.1", "1e-8")
    assert (one**most).delta(30).method == "closed form"
    assert (one ** (most + 1)).delta(30).method == "lattice sum"
    with flint.ctx.workprec(120):
        beyond = one.power_ball(most + 1, sp.Integer(30))
        there = (one ** (most + 1)).delta(30, digits=25).enclosure.ball()
        assert abs(beyond / there - 1) < 1e-24


def test_parameters_are_asked_for():
    with pytest.raises(InputError):
        (randomized_response(sp.Symbol("e", positive=True)) ** 3).delta(1)
    assert not randomized_response(sp.Symbol("e", positive=True)).has_short_profile(3)
