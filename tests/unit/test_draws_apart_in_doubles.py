"""The rule for all but few draws in doubles: every term against balls, the whole against all draws.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache
from typing import Any

import flint
import numpy as np
import pytest
import sympy as sp

from lapdp import geometric, laplace, poisson, randomized_response
from lapdp.accounting.delta import delta
from lapdp.accounting.inversion import split, split_machine
from lapdp.accounting.inversion.few import MOST_BITS, few, pieced
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair
from tests.oracle import powers_of_the_gap as series

REMOVED = poisson(laplace("1/2"), "1/10", direction="remove")
ADDED = poisson(laplace(1), "1/2", direction="add")
CASES = {"ten": (REMOVED**8, Fraction(1)), "six": (ADDED**6, Fraction(1)),
         "small": (ADDED**12, Fraction(7, 2)), "below": (ADDED**6, Fraction(1, 100)),
         "two": (REMOVED**6 * laplace(2) ** 3, Fraction(1)),
         "atoms": (randomized_response(1) ** 4 * ADDED**6, Fraction(3)),
         "geometric": (geometric(1) ** 2 * laplace(2) ** 6 * ADDED, Fraction(2))}


def _pieces(pair: Pair) -> Factors:
    found = in_pieces(releases(pair))
    assert found is not None
    return found


def _exactly(x: Fraction) -> Any:
    with workprec(MOST_BITS):
        return flint.arb(flint.fmpq(x.numerator, x.denominator))


@lru_cache
def _in_balls(name: str) -> Any:
    pair, at = CASES[name]
    factors, eps = _pieces(pair), _exactly(at)
    with workprec(120):
        return few(factors, 6, eps, 56) if factors.count == 6 else split.delta(factors, eps, 56)


@pytest.mark.parametrize("digits", [6, 10, 12])
@pytest.mark.parametrize("name", CASES)
def test_against_all_draws(name: str, digits: int) -> None:
    """Six draws apart have no line; elsewhere the line and the draws apart are others."""
    pair, at = CASES[name]
    factors, eps = _pieces(pair), _exactly(at)
    found = split_machine.delta(factors, eps, digits)
    assert found.overlaps(_in_balls(name))
    assert found.rel_accuracy_bits() > digits / math.log10(2)


@pytest.mark.parametrize("name", ["ten", "two", "atoms", "small"])
@pytest.mark.parametrize("draws", [0, 1, 3])
def test_each_term_and_its_bound(name: str, draws: int) -> None:
    """Against sums of balls of 200 bits, at some heights."""
    pair, at = CASES[name]
    factors = _pieces(pair)
    line = saddle(factors, float(at), 40 * LOG2)
    count = 700
    table = split_machine._table(factors, draws, line.gamma, line.period, count)
    largest = 0.0
    with workprec(200):
        gamma, step = flint.arb(line.gamma), flint.arb(table.step)
        laws = [(s.line(gamma, float(step) * count, 150).parts(step, count), k)
                for s, k in pieced(factors)]
        for j in (0, 1, 2, 17, 300, count - 1):
            q = flint.acb(gamma, step * j)
            term = split._beyond([(a[j], d[j], k) for (a, d), k in laws], draws)
            exact = term / (q * (q - 1) * table.size)
            value = complex(table.rows.values[j])
            off = abs(flint.acb(value.real, value.imag) - exact)
            assert off < table.rows.errors[j]
            largest = max(largest, float(table.rows.errors[j] / abs(1 / (q * (q - 1))).mid()))
    # and the bounds are those of doubles
    assert largest < 1e-10


def test_a_bound_that_is_too_small_is_seen() -> None:
    """What the errors bound is really off: a millionth of the bounds is exceeded somewhere."""
    pair, at = CASES["ten"]
    factors = _pieces(pair)
    line = saddle(factors, float(at), 40 * LOG2)
    table = split_machine._table(factors, 1, line.gamma, line.period, 700)
    with workprec(200):
        gamma, step = flint.arb(line.gamma), flint.arb(table.step)
        laws = [(s.line(gamma, float(step) * 700, 150).parts(step, 700), k)
                for s, k in pieced(factors)]
        far = 0
        for j in range(0, 700, 50):
            q = flint.acb(gamma, step * j)
            exact = split._beyond([(a[j], d[j], k) for (a, d), k in laws], 1) / (
                q * (q - 1) * table.size)
            value = complex(table.rows.values[j])
            far += abs(flint.acb(value.real, value.imag) - exact) > table.rows.errors[j] * 1e-6
    assert far


def test_products_and_powers_keep_their_bounds() -> None:
    """Numbers at the ends of what they may be, in exact arithmetic."""
    rng = np.random.default_rng(7)
    for _ in range(50):
        a, b = (complex(*rng.normal(size=2)) for _ in range(2))
        off, slip = abs(rng.normal(size=2)) * 1e-9
        turn = [complex(np.exp(1j * t)) for t in rng.uniform(0, 7, 2)]
        x, y = np.array([a]), np.array([b])
        value, bound = split_machine.times((x, np.array([off])), (y, np.array([slip])))
        true = (a + 0.999 * off * turn[0]) * (b + 0.999 * slip * turn[1])
        assert abs(true - value[0]) <= bound[0]
        one = np.array([1 + 0j]), np.array([0.0])
        value, bound = split_machine.power((x, np.array([off])), 13, one)
        assert abs((a + 0.999 * off * turn[0]) ** 13 - value[0]) <= bound[0]
        assert bound[0] < 1e3 * (off + 1e-15) * max(1, abs(a)) ** 13


@pytest.mark.parametrize("pair", [laplace(1) ** 2 * ADDED, randomized_response(1) ** 100 * ADDED**3
                                  * randomized_response("1/3") ** 10])
def test_the_whole_query(pair: Pair) -> None:
    """Where few releases are asked for, or many atoms, another method answers, or this one does."""
    found, other = (delta(pair, sp.Rational(1, 3), digits).enclosure for digits in (10, 14))
    assert found is not None and other is not None
    assert found.ball().overlaps(other.ball())


def test_so_few_need_no_line() -> None:
    with pytest.raises(Unsupported, match="so few"):
        split_machine.delta(_pieces(ADDED**4), flint.arb(1), 10)


def test_many_more_draws_than_are_apart_are_no_small_share() -> None:
    """Two hundred of a thousand releases draw from their continuous parts, as a rule."""
    assert split._share([(0.8, 1000)], [0.2], 2) == pytest.approx(1.0)
    assert split._share([(0.8, 1000)], [1e-6], 2) == pytest.approx(
        math.comb(1000, 3) * 0.8**997 * 1e-18, rel=1e-3)


@pytest.mark.parametrize(("scale", "rate", "way", "copies", "share"), [
    ("1/2", "1/1000000", "remove", 30, "2/3"), ("1/2", "1/1000000", "add", 30, "2/3"),
    ("100", "1/1000000", "remove", 60, "1/2"), ("2", "1/10000", "add", 20, "1/3")])
def test_tiny_losses_against_power_series(scale: str, rate: str, way: str, copies: int, share: str
                                          ) -> None:
    """Turns by the large steps of their heights need losses of more bits: they were refused."""
    part = series.Part(Fraction(scale), Fraction(rate), way, copies)
    factors = _pieces(poisson(laplace(sp.Rational(scale)), rate, direction=way) ** copies)
    with workprec(series.BITS):
        top, reach = float(series.largest([part])), float(series.reach([part]))
        eps = Fraction(top - float(Fraction(share)) * reach).limit_denominator(10**12)
        gap = series.largest([part]) - series.ball(eps)
        rough, there = (series.below_the_top([part], gap, n) for n in (150, 200))
        there += flint.arb(0, float((4 * abs(there - rough)).upper()))
        assert there.rel_accuracy_bits() > 45
    with workprec(split_machine.BITS):
        found = split_machine.delta(factors, _exactly(eps), 10)
    assert found.overlaps(there) and found.rel_accuracy_bits() > 33


def test_a_rule_that_was_made_at_fewer_bits_serves_at_more() -> None:
    """97 and 128 bits share one rule; its nodes on the left are as sharp as those on the right."""
    legendre._rule.cache_clear()
    with workprec(97):
        legendre.rule(5)
    with workprec(128):
        assert all(x.rad() < flint.arb(2) ** -120 for x, _ in legendre.rule(5))
