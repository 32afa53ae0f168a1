"""Trade-off functions of three distributions, one at the level of another; false neighbours are
not derived, and fail at finite instances."""

from __future__ import annotations

from fractions import Fraction

import pytest

from lapdp.theory import Ge, Gt, Le, Lt, T, distributions, reals
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


# against a mixture ------------------------------------------------------------------------------

p = reals("p")
BLEND, RATE = p * B + (1 - p) * C, [Gt(p, 0), Lt(p, 1)]
MEAN = p * T(A, B)(a) + (1 - p) * T(A, C)(a)


def test_against_a_mixture():
    assert_derived(of_form(Ge(T(A, BLEND)(a), MEAN), [*WHERE, *RATE], 12_000))


NOT = {
    "from above": Le(T(A, BLEND)(a), MEAN),
    "the other weights": Ge(T(A, BLEND)(a), (1 - p) * T(A, B)(a) + p * T(A, C)(a)),
    "the first mixed": Ge(T(BLEND, A)(a), p * T(B, A)(a) + (1 - p) * T(C, A)(a)),
    "one of them": Ge(T(A, BLEND)(a), T(A, B)(a)),
}


@pytest.mark.parametrize("name", NOT)
def test_false_neighbours_of_mixtures(name):
    assert_not_derived(of_form(NOT[name], [*WHERE, *RATE], 300))


def test_mixtures_at_instances():
    """The law at a rate of 1/3, and where its neighbours fail."""
    rate, seen = Fraction(1, 3), set()

    def mean(x, y):
        return rate * x + (1 - rate) * y

    for masses in ROWS:
        one, b, c = ([Fraction(k, 6) for k in row] for row in masses)
        for x, y, z in ((one, b, c), (b, one, c), (c, b, one)):
            blend = [mean(*two) for two in zip(y, z, strict=True)]
            for level in LEVELS:
                whole = finite.trade_off(x, blend, level)
                first, second = finite.trade_off(x, y, level), finite.trade_off(x, z, level)
                assert whole >= mean(first, second)
                others = {"from above": whole <= mean(first, second),
                          "the other weights": whole >= mean(second, first),
                          "the first mixed": finite.trade_off(blend, x, level) >= mean(
                              finite.trade_off(y, x, level), finite.trade_off(z, x, level)),
                          "one of them": whole >= first}
                seen |= {name for name, holds in others.items() if not holds}
    assert seen == NOT.keys()
