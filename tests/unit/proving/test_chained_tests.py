"""Trade-off functions of three distributions, one at the level of another; false neighbours are
not derived, and fail at finite instances."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lapdp.theory import Ge, Gt, Le, T, distributions, reals
from tests.oracle import finite
from tests.unit.proving.searching import assert_derived, assert_not_derived, of_form

A, B, C = distributions("A B C")
a, d = reals("a d")
WHERE = [Ge(a, 0), Le(a, 1)]
LEVELS = [Fraction(k, 8) for k in range(9)]
ROWS = [((1, 2, 3), (2, 2, 2), (3, 1, 2)), ((5, 1, 0), (1, 4, 1), (1, 1, 4)),
        ((2, 4, 0), (3, 3, 0), (0, 3, 3))]


def test_a_chain_of_two():
    assert_derived(of_form(Ge(T(A, C)(a), T(B, C)(1 - T(A, B)(a))), WHERE, 12_000))


FALSE = {
    "turned": (T(A, B)(1 - T(B, C)(a)), WHERE),
    "no chain": (T(B, C)(1 - T(B, A)(a)), WHERE),
    "the second error": (T(B, C)(T(A, B)(a)), WHERE),
    "one pair": (T(B, C)(a), WHERE),
    "more": (T(B, C)(1 - T(A, B)(a)) + d, [*WHERE, Gt(d, 0)]),
    "another level": (T(B, C)(1 - T(A, B)(a / 2)), WHERE),
    "no level": (T(B, C)(1 - T(A, B)(a)), WHERE[:1]),
}


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours(name):
    bound, where = FALSE[name]
    assert_not_derived(of_form(Ge(T(A, C)(a), bound), where, 500))


def test_the_law_and_its_neighbours_at_instances():
    seen = set()
    for masses in ROWS:
        p, b, c = ([Fraction(k, 6) for k in row] for row in masses)
        for level in LEVELS:
            whole = finite.trade_off(p, c, level)
            assert whole >= finite.trade_off(b, c, 1 - finite.trade_off(p, b, level))
            levels = {"no chain": 1 - finite.trade_off(b, p, level), "one pair": level,
                      "the second error": finite.trade_off(p, b, level),
                      "another level": 1 - finite.trade_off(p, b, level / 2)}
            others = {name: finite.trade_off(b, c, place) for name, place in levels.items()}
            others["turned"] = finite.trade_off(p, b, 1 - finite.trade_off(b, c, level))
            seen |= {name for name, value in others.items() if whole < value}
    assert seen == FALSE.keys() - {"more", "no level"}
