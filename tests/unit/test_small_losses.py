"""Corners beside losses too small to reach one: against few draws, series below the top, queries."""

from __future__ import annotations

import time
from fractions import Fraction

import flint
import pytest
import sympy as sp

from lapdp import laplace, poisson, randomized_response, staircase
from lapdp.accounting.inversion import residues, small_losses, split
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from tests.oracle import powers_of_the_gap as series


def sampled(scale, rate, direction):
    return poisson(laplace(scale), rate, direction=direction)


def found(pair, eps, bits):
    with workprec(600):
        point = flint.arb(flint.fmpq(Fraction(eps).numerator, Fraction(eps).denominator))
    with workprec(bits + 60):
        return small_losses.delta(releases(pair), point, bits)


@pytest.mark.parametrize(("pair", "eps"), [
    (laplace(1) ** 2 * sampled(10, "1/100", "add") ** 2, "1/2"),
    (laplace(1) * laplace(3) * sampled(5, "1/20", "remove") ** 2, "3/4"),
    (randomized_response(1) ** 2 * sampled("1/2", "1/100", "add") ** 2, "5/4"),
    (laplace(2) ** 3 * sampled(100, "1/2", "remove"), "-1/3")])
def test_is_the_sum_over_draws(pair, eps):
    sign = -1 if eps.startswith("-") else 1
    pair = pair.reverse() if sign < 0 else pair
    place = Fraction(eps) * sign
    with workprec(1 << 14):
        point = flint.arb(flint.fmpq(place.numerator, place.denominator))
    with workprec(200):
        there = split.delta(releases(pair), point, 90)
    for bits in (36, 80):
        here = found(pair, place, bits)
        assert here.overlaps(there) and here.rel_accuracy_bits() > bits - 6
        with workprec(200):
            assert not (here * (1 + flint.arb(2) ** (8 - bits))).overlaps(there)


@pytest.mark.parametrize(("scale", "copies", "rate", "way", "many", "gap"), [
    ("5", 3, "1/2", "add", 2, "1/20"), ("2", 6, "9/10", "remove", 3, "1/11"),
    ("3", 4, "1/3", "remove", 1, "1/9")])
def test_is_the_series_below_the_top(scale, copies, rate, way, many, gap):
    """An oracle that shares only the arithmetic of balls; without what is small it is another."""
    parts = [series.Part(Fraction(scale), Fraction(1), "add", copies),
             series.Part(Fraction(100), Fraction(rate), way, many)]
    pair = laplace(sp.Rational(scale)) ** copies * sampled(100, rate, way) ** many
    with workprec(series.BITS):
        top = series.largest(parts)
        eps = Fraction(round(float(top) * 10**6), 10**6) - Fraction(gap)
        rough, there = (series.below_the_top(parts, top - series.ball(eps), n) for n in (40, 60))
        there += flint.arb(0, float((4 * abs(there - rough)).upper()))
    here = found(pair, eps, 60)
    assert here.overlaps(there) and here.rel_accuracy_bits() > 50
    assert there.rel_accuracy_bits() > 40
    with workprec(120):
        alone = residues.delta(releases(laplace(sp.Rational(scale)) ** copies),
                               series.ball(eps), 60)
    assert not alone.overlaps(here)


def test_corners_within_reach_are_refused():
    pair = laplace(5) ** 10 * sampled(1, "1/1000", "add") ** 3
    for eps in ("6/5", "1201/1000", "1199/1000"):
        with pytest.raises(Unsupported, match="reach"):
            found(pair, eps, 40)
    assert found(pair, "11/10", 40) > 0
    with pytest.raises(Unsupported, match="beside"):
        found(laplace(5) ** 10, "1", 40)
    assert small_losses.apart(releases(staircase(1) ** 3)) is None
    # beyond all losses
    assert found(pair, "21/10", 40).is_zero()


def test_they_are_answered():
    """Once refused: draws from the many small losses took too many polynomials, or nodes."""
    start = time.process_time()
    answer = (laplace(5) ** 10 * sampled(1, "1/10000", "add") ** 10).delta(1, digits=10)
    assert "small losses" in answer.method
    pair = sampled(100, "1/1000000", "remove") ** 10**6 * laplace(2) ** 30
    level = pair.epsilon("1/1000", digits=10)
    assert pair.delta(level.lower, digits=13) >= "1/1000" >= pair.delta(level.upper, digits=13)
    assert time.process_time() - start < 2
