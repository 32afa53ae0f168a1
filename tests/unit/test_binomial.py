"""Copies of randomized response by hypergeometric sums, against sums of Fractions and by atoms."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import randomized_response
from lapdp.accounting.inversion import lattice
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy import binomial, binomial_circle

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


@pytest.mark.parametrize(("k", "base", "alpha"), [
    (700, Fraction(11, 10), Fraction(11, 10) ** 30), (700, Fraction(11, 10), Fraction(2)),
    (501, Fraction(101, 100), Fraction(1)), (900, Fraction(3), Fraction(3) ** 480),
    (900, Fraction(3), Fraction(3) ** 360), (1200, Fraction(2), Fraction(2) ** 700),
    (700, Fraction(50), Fraction(1, 3)), (500, Fraction(1001, 1000), Fraction(1002, 1000))])
def test_long_tails_are_the_sum_over_the_outcomes(k, base, alpha):
    """Around the circle: at losses and between them, for delta near 0, near 1 and in between."""
    p, there = base / (1 + base), Fraction(0)
    for y in range(k + 1):
        there += comb(k, y) * max(Fraction(0), p**y * (1 - p) ** (k - y)
                                  - alpha * p ** (k - y) * (1 - p) ** y)
    for bits in (64, 200):
        with flint.ctx.workprec(bits + k.bit_length()):
            a, t = (flint.arb(flint.fmpq(x.numerator, x.denominator)).log() for x in (base, alpha))
            found = binomial.profile(k, a, t)
            whole = flint.arb(flint.fmpq(there.numerator, there.denominator))
            assert found.overlaps(whole) and found.rel_accuracy_bits() > bits - 40, found
            # and no number nearby
            assert not found.overlaps(whole * (1 + flint.arb(2) ** (50 - bits)))


@pytest.mark.parametrize(("k", "eps", "t"), [
    (3000, "1/10", 30), (10**6, "1/10", 4800), (10**6, "1/1000", 3), (10**9, "1/100000", 1),
    (10**9, "1/10", "4995800"), (10**11, "1/100", 5005000), (10**5, "5", 499000)])
def test_agrees_with_sums_over_a_lattice(k, eps, t):
    """Two rules with lines, periods and bounds of their own; the leak counts at last."""
    pair, point = randomized_response(eps) ** k, R(t)
    short = pair.delta(point, digits=25)
    assert short.method == "closed form"
    with flint.ctx.workprec(200):
        at = flint.arb(flint.fmpq(int(point.p), int(point.q)))
        there = lattice.delta(releases(pair), at, 100)
        found = short.enclosure.ball()
        assert abs(found / there - 1) < 1e-24
        one = randomized_response(eps, "1/1000000000000000")
        kept = (1 - flint.arb(10) ** -15) ** k
        leaking = (one**k).delta(point, digits=20).enclosure.ball()
        assert abs((1 - kept + kept * found) / leaking - 1) < 1e-19


def test_what_is_too_small_or_too_far_is_refused_by_the_circle():
    with pytest.raises(Unsupported, match="too small"):
        binomial_circle.above(10**9, flint.arb(1), flint.arb(10**9 - 10**8), 95 * 10**7)
    with pytest.raises(Unsupported, match="doubles"):
        binomial_circle.above(10**6, flint.arb(1), flint.arb(10) ** 400, 10**6)
    assert binomial.profile(10**6, flint.arb(1), flint.arb(10**6 + 1)) == 0


def test_parameters_are_asked_for():
    with pytest.raises(InputError):
        (randomized_response(sp.Symbol("e", positive=True)) ** 3).delta(1)
    assert not randomized_response(sp.Symbol("e", positive=True)).has_short_profile(3)
