"""Bounds of delta without rare huge losses, and sums beside a lattice that they cut short."""

from __future__ import annotations

import math
from fractions import Fraction

import flint
import mpmath as mp
import pytest
import sympy as sp

from lapdp import gaussian, laplace, poisson, randomized_response
from lapdp.accounting.inversion import beside, rare
from lapdp.accounting.moments.releases import releases
from lapdp.core.precision import workprec
from tests.campaigns import references


def sampled(sigma, rate, direction="remove"):
    return poisson(gaussian(sigma), rate, direction=direction)


@pytest.mark.parametrize(("sigma", "rate"), [
    (Fraction(1, 2), Fraction(1, 10)), (Fraction(2), Fraction(1, 10**4)), (Fraction(5), Fraction(
        1, 2)), (Fraction(1), Fraction(1, 10**6))])
def test_the_bound_is_no_smaller_than_delta(sigma, rate):
    found = releases(sampled(sigma, rate))
    profile = references.removed(rate, references.normal(1 / (2 * sigma**2)))
    for level in (-8.0, -40.0, -200.0, -3000.0):
        far = Fraction(rare.reach(found, level)).limit_denominator(10**9)
        for t in (far / 3, far, 2 * far):
            with workprec(200):
                ball = rare.bound(found, flint.arb(flint.fmpq(t.numerator, t.denominator)), level)
            with mp.workdps(150):
                assert profile(references.number(t)) <= mp.mpf(ball.str(30, radius=False)) * (
                    1 + mp.mpf(10) ** -20)
            if t >= far:
                # and about as small as it was to be
                assert float(ball.log()) < level + 1


def test_the_bound_of_two_releases():
    found = releases(sampled(1, "1/10") ** 2)
    profile = references.two_sampled(Fraction(1), Fraction(1, 10))
    for level in (-6.0, -12.0):
        t = Fraction(rare.reach(found, level)).limit_denominator(1000)
        with workprec(200):
            ball = rare.bound(found, flint.arb(flint.fmpq(t.numerator, t.denominator)), level)
        with mp.workdps(20):
            assert profile(references.number(t)) <= float(ball) * (1 + 1e-9)


@pytest.mark.parametrize(("sigma", "rate", "copies"), [(2, "1/1000000", 10**5), (5, "1/1000", 100)])
def test_the_bound_of_many_releases_is_not_far_above_delta(sigma, rate, copies):
    """The sum of their losses is nearly normal: chords of all intervals see its variance."""
    pair = sampled(sigma, rate) ** copies
    for level in (-24.0, -48.0):
        t = Fraction(rare.reach(releases(pair), level)).limit_denominator(10**6)
        with workprec(100):
            ball = rare.bound(releases(pair), flint.arb(flint.fmpq(
                t.numerator, t.denominator)), level)
        exact = pair.delta(sp.Rational(t), digits=6).enclosure.ball()
        assert exact < ball
        # Chernoff's bound is a few deviations of the order above delta
        assert float((ball / exact).log()) < 16


@pytest.mark.parametrize("order", [2.0, 64.0, 4096.0])
def test_moments_under_chords(order):
    """M lies next above the integral of z^s up to the last place."""
    factors, level = releases(sampled(2, "1/10000")), -40.0
    w, kappa = mp.mpf(1) / 10**4, mp.mpf(1) / 8
    ends = rare._ends(*factors.parts[0], level)
    with mp.workdps(30):
        def term(n):
            return (1 - w + w * mp.exp(mp.sqrt(2 * kappa) * n - kappa)) ** order * mp.npdf(n)

        last = (ends[-1] + kappa) / mp.sqrt(2 * kappa)
        truth = mp.log(mp.quad(term, [-12, -4, 0, 4, last])) + mp.ncdf(-last)
        found = dict(rare._moments(factors, level))[order]
    assert 0 < truth <= found < 1.5 * truth + 1e-9


@pytest.mark.parametrize(("sigma", "copies"), [(10, 1000), (1, 10**6), (100, 10)])
def test_what_is_chosen_far_out_is_what_balls_say(sigma, copies):
    """Masses and powers are beyond all doubles there."""
    factors = releases(sampled(sigma, "1/10000") ** copies)
    for level in (-2000.0, -40000.0):
        far = rare.reach(factors, level)
        assert abs(float(rare.bound(factors, flint.arb(far), level).log()) - level) < 2


def test_more_copies_and_unlike_ones_reach_farther():
    one, other = sampled(2, "1/1000"), sampled(1, "1/500")
    places = [rare.reach(releases(pair), -30.0) for pair in (one, one**10, one**10 * other)]
    assert 0 < places[0] < places[1] < places[2]
    with workprec(100):
        bounds = [rare.bound(releases(pair), flint.arb("0.05"), -30.0)
                  for pair in (one, one**10, one**10 * other)]
    assert bounds[0] < bounds[1] < bounds[2]


def test_which_losses_these_are():
    assert rare.is_rare(releases(sampled(1, "1/10") ** 3))
    # these are bounded above: their moments are no trouble there
    for pair in (sampled(1, "1/10", "add"), gaussian(1), laplace(1), sampled(1, "1/10") * laplace(
            1)):
        assert not rare.is_rare(releases(pair))


def summed(pair, eps, bits):
    """By the sum over places of the lattice."""
    with workprec(120):
        return beside.delta(pair, eps, bits, lambda other, t, wanted: other.delta(
            t, digits=math.ceil(wanted * 0.302) + 1).enclosure.ball())


def test_places_that_are_left_out():
    """Two subsampled Gaussians beside three places: only one of them lies near."""
    pair = sampled(1, "1/10") ** 2 * randomized_response(sp.log(20)) ** 2
    found = pair.delta("1/2", digits=9)
    there = summed(pair, sp.Rational(1, 2), 34)
    assert there.overlaps(found.enclosure.ball()) and there.rel_accuracy_bits() > 29
    profile = references.two_sampled(Fraction(1), Fraction(1, 10))
    with mp.workdps(20):
        p, step = mp.mpf(20) / 21, mp.log(20)
        value = sum(mass * profile(mp.mpf(1) / 2 - place) for place, mass in (
            (2 * step, p * p), (mp.mpf(0), 2 * p * (1 - p)), (-2 * step, (1 - p) ** 2)))
        assert abs(value - references.number(found.value)) < 1e-10 * value


def test_a_query_that_was_late():
    pair = randomized_response(1) ** 50 * sampled(10, "1/1000") ** 1000
    found = pair.delta(20, digits=8)
    # by the sum over places of the lattice, which took long; another route may come first
    there = summed(pair, sp.Integer(20), 31)
    assert there.overlaps(found.enclosure.ball()) and there.rel_accuracy_bits() > 26
    # what is beside the responses moves them by next to nothing
    alone = (randomized_response(1) ** 50).delta(20, digits=8)
    assert math.isclose(float(found), float(alone), rel_tol=1e-2)
    assert float(found) != float(alone)
