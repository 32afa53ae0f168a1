"""Lines that looks of one search share: fewer tables, the same answers."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from lapdp import gaussian, laplace, poisson
from lapdp.accounting.delta import delta
from lapdp.accounting.inversion import machine, same_lines
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.inversion.same_lines import one_search
from lapdp.accounting.moments.releases import releases

PAIR = laplace("1/2")**3 * poisson(laplace("1/2"), "1/10000", direction="add")**10 * poisson(
    gaussian(2), "1/100", direction="remove")
LEVEL = Fraction(1, 10**6)


def test_a_line_nearby_is_taken_again():
    factors = releases(PAIR)
    one, other, far = (saddle(factors, eps, 30.0) for eps in (6.0331, 6.0298, 4.0))
    assert one.gamma != other.gamma
    with one_search():
        first, again, away = (saddle(factors, eps, 30.0) for eps in (6.0331, 6.0298, 4.0))
        assert first == one
        assert (again.gamma, again.period, again.width) == (one.gamma, one.period, one.width)
        # what the aliases are bounded by is that of the place itself
        assert abs(again.size - other.size) < 0.1
        # a place far away has a line of its own
        assert away.gamma == far.gamma != one.gamma
    assert saddle(factors, 6.0298, 30.0) == other


def test_numbers_that_are_near():
    with one_search():
        search = same_lines.current()
        assert [search.near("a", x) for x in (10.0, 9.0, 8.0, 11.0, 10.5)] == [
            10.0, 10.0, 8.0, 11.0, 11.0]
        assert search.near("b", 9.0) == 9.0


def test_one_table_for_one_search(monkeypatch):
    """The ends are on either side of the level, as places on lines of their own say."""
    machine._table.cache_clear()
    shared = PAIR.epsilon(sp.Rational(1, 10**6), digits=10).enclosure
    assert machine._table.cache_info().misses == 1
    machine._table.cache_clear()
    with one_search():
        for eps in ("6.0331", "6.0298"):
            delta(PAIR, eps, 10)
    assert machine._table.cache_info().misses == 1
    low, high = (delta(PAIR, sp.Rational(x.numerator, x.denominator), 12).enclosure
                 for x in (shared.lower - Fraction(1, 10**9), shared.upper + Fraction(1, 10**9)))
    assert low.lower > LEVEL > high.upper
    monkeypatch.setattr(same_lines, "ROOM", 0.0)
    alone = PAIR.epsilon(sp.Rational(1, 10**6), digits=10).enclosure
    assert abs(alone.middle - shared.middle) <= alone.radius + shared.radius
    machine._table.cache_clear()
    with one_search():
        for eps in ("6.0331", "6.0298"):
            delta(PAIR, eps, 10)
    assert machine._table.cache_info().misses == 2
