"""Losses on several lattices: laws wrapped around windows, against sums of Fractions and counts."""

from __future__ import annotations

import time
from dataclasses import replace
from fractions import Fraction
from math import comb

import flint
import pytest
import sympy as sp

from lapdp import discrete_gaussian, poisson, randomized_response
from lapdp.accounting.inversion import counts, lattice, lattices, longest, wrapped
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

R = sp.Rational


def by_outcomes(parts, alpha):
    """delta at log(alpha) of copies of responses with rational odds, exactly: (odds, copies)."""
    sums = {Fraction(1): (Fraction(1), Fraction(1))}
    for odds, k in parts:
        p, more = odds / (1 + odds), {}
        for y in range(k + 1):
            ratio = odds ** (2 * y - k)
            a = comb(k, y) * p**y * (1 - p) ** (k - y)
            for known, (x, z) in sums.items():
                more[known * ratio] = (x * a, z * a / ratio)
        sums = more
    return sum(max(Fraction(0), a - alpha * b) for a, b in sums.values())


def test_places_of_a_million_tiny_losses():
    """Doubles do not see their variance; windows are no wider for that."""
    tiny = releases(poisson(randomized_response("1/100"), "1/10000", direction="remove") ** 10**6)
    assert wrapped.window(tiny, 1.5, 30.0).places < 20_000


def found(pair, eps, bits=60):
    """By this method alone, eps a SymPy number."""
    from lapdp.balls.compiler import exact_ball

    with workprec(bits + 80):
        return lattices.delta(releases(pair), exact_ball(eps).real, bits)


@pytest.mark.parametrize(("parts", "alpha"), [
    (((2, 5), (3, 4)), Fraction(1)), (((2, 5), (3, 4)), Fraction(2**5 * 3**4)),
    (((2, 5), (3, 4)), Fraction(2**3 * 3**4)), (((2, 1), (3, 1), (5, 2)), Fraction(1, 7)),
    (((2, 40), (3, 30)), Fraction(10**9)), (((2, 60), (3, 2), (7, 1)), Fraction(3**30)),
    (((Fraction(11, 10), 60), (Fraction(7, 6), 50)), Fraction(200))])
def test_is_the_sum_over_the_outcomes(parts, alpha):
    """At sums of losses and between them, from nearly 1 to the least mass."""
    parts = [(Fraction(odds), k) for odds, k in parts]
    there, pair = by_outcomes(parts, alpha), None
    for odds, k in parts:
        one = randomized_response(sp.log(R(odds.numerator, odds.denominator))) ** k
        pair = one if pair is None else pair * one
    eps = sp.log(R(alpha.numerator, alpha.denominator))
    for bits in (40, 120):
        ball = found(pair, eps, bits)
        with workprec(400):
            whole = flint.arb(flint.fmpq(there.numerator, there.denominator))
            assert ball.overlaps(whole)
            if there:
                assert ball.rad() <= whole * flint.arb(2) ** -bits
                assert not ball.overlaps(whole * (1 + flint.arb(2) ** (4 - bits)))


def sampled(eps, rate, direction="remove"):
    """A response on a Poisson sample: two losses that no whole numbers relate."""
    return poisson(randomized_response(eps), rate, direction=direction)


@pytest.mark.parametrize(("pair", "eps"), [
    (sampled(1, "1/10") ** 50 * sampled("1/3", "1/100") ** 40, "1/2"),
    (sampled(1, "1/10", "add") ** 500 * randomized_response("1/3") ** 40, "10"),
    (discrete_gaussian(2) ** 3 * sampled("1/3", "1/2") ** 3
     * sampled(2, "1/1000000"), "3/2"),
    (sampled(2, "1/10") ** 100 * discrete_gaussian(2) ** 2 * sampled(1, "1/1000000", "add") ** 3,
     "8")])
def test_agrees_with_sums_over_counts(pair, eps):
    with workprec(160):
        point = flint.arb(flint.fmpq(int(R(eps).p), int(R(eps).q)))
        there = counts.delta(releases(pair), point, 60)
        ball = found(pair, R(eps))
        assert ball.overlaps(there) and ball.rel_accuracy_bits() > 55


@pytest.mark.parametrize(("parts", "alpha"), [
    (((2, 5), (3, 4)), Fraction(1)), (((2, 5), (3, 4)), Fraction(2**3 * 3**4)),
    (((2, 1), (3, 1), (5, 2)), Fraction(1, 7)), (((2, 40), (3, 30)), Fraction(10**9)),
    (((Fraction(101, 100), 300), (Fraction(30), 6)), Fraction(1000)),
    (((Fraction(101, 100), 300), (Fraction(30), 6)), Fraction(1, 10)),
    (((Fraction(101, 100), 300), (Fraction(30), 6)), Fraction(30**4)),
    (((Fraction(11, 10), 60), (Fraction(7, 6), 50)), Fraction(200))])
def test_by_the_longest_alone_it_is_the_sum_over_the_outcomes(monkeypatch, parts, alpha):
    """Places far from eps by bounds: right of it, left of it, and of orders between 0 and 1."""
    monkeypatch.setattr(lattices, "MOST_PLACES", 0)
    test_is_the_sum_over_the_outcomes(parts, alpha)


@pytest.mark.parametrize(("gamma", "goal"), [(1.0, 20.0), (1.01, 40.0), (3.0, 40.0), (9.0, 8.0)])
def test_bounds_of_places_far_from_eps_hold(gamma, goal):
    """Against the lattice alone, at places that are bounded and next to them."""
    one = releases(sampled("1/10", "1/2") ** 400)
    step = lattice.lattice(one)[1]
    ends = longest.Ends.of(one, gamma, goal)
    assert ends.low < ends.high and ends.under <= 1 <= ends.over
    for orders in (ends, replace(ends, under=0.5), replace(ends, under=0.0),
                   replace(ends, under=-2.0), replace(ends, over=1.0)):
        for side, first in ((0, ends.low), (1, ends.high)):
            for more in (0.0, 0.5, 3.0):
                t = flint.arb(first + (more if side else -more))
                row = [(t, flint.arb(1))]
                with workprec(160):
                    there = lattice.delta(one, t, 80) if t < 20 else flint.arb(0)
                    assert longest._far(one, step, ([], row) if side else (row, []),
                                        orders).overlaps(there)


def test_few_cells_of_a_long_lattice_take_no_time():
    """A second and more once: all places were worked out, on a line for all of them."""
    pair = randomized_response(2) ** 100 * sampled("1/10", "1/1000000") ** 10**9
    start = time.process_time()
    answer = pair.delta("191.4", digits=10)
    # where the many rare ones carry no place of the other lattice to eps, they are a moment
    assert time.process_time() - start < 0.5 and answer.method in (
        "sum over places of lattices", "integral around the poles")


def test_many_copies_are_reached_in_moments():
    """Once these took tens of seconds, sum within sum."""
    pair = (sampled("1/10", "1/10000", "add") * sampled(1, "1/10000") ** 10**6
            * randomized_response(2) ** 10**6)
    answer = pair.epsilon("1e-6", digits=10)
    assert pair.delta(answer.lower, digits=15) > "1e-6" > pair.delta(answer.upper, digits=15)
    # without its first factor, whose losses are below 1e-5
    beside = (sampled(1, "1/10000") ** 10**6 * randomized_response(2) ** 10**6)
    gap = abs(answer.value - beside.epsilon("1e-6", digits=10).value)
    assert 0 < gap < Fraction(2, 10**5) or gap < answer.radius * 4


@pytest.mark.parametrize("ends", [(30, 0), (0, 40), (25, 25), (60, 5)])
def test_a_window_that_is_too_narrow_makes_the_ball_wide_not_wrong(monkeypatch, ends):
    parts, alpha = [(Fraction(2), 40), (Fraction(3), 30)], Fraction(10**9)
    there = by_outcomes(parts, alpha)
    choose = wrapped.window

    def narrow(factors, gamma, goal):
        window = choose(factors, gamma, goal)
        share = [end * window.places // 200 for end in ends]
        return replace(window, first=window.first + share[0], last=window.last - share[1])

    pair = randomized_response(sp.log(2)) ** 40 * randomized_response(sp.log(3)) ** 30
    sharp = found(pair, sp.log(10**9))
    monkeypatch.setattr(wrapped, "window", narrow)
    lattices._law.cache_clear()
    wide = found(pair, sp.log(10**9))
    lattices._law.cache_clear()
    with workprec(200):
        whole = flint.arb(flint.fmpq(there.numerator, there.denominator))
        assert wide.overlaps(whole) and wide.contains(whole.mid())
        assert not wide.is_finite() or wide.rad() > sharp.rad()


def test_what_it_does_not_reach():
    one = randomized_response(1) ** 3
    with pytest.raises(Unsupported, match="several lattices"):
        found(one * randomized_response(2), sp.Integer(1))
    with pytest.raises(Unsupported, match="more than"):
        found(sampled(1, "1/10") ** 10**9 * sampled(2, "1/10") ** 10**9
              * sampled(3, "1/10") ** 10**9, sp.Integer(10**8))
    answer = (sampled(1, "1/10") ** 30 * sampled(2, "1/10")**20).delta(60)
    assert answer.value == 0  # beyond all losses
