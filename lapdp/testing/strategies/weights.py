"""Rows of integer weights, from which the masses of finite pairs come.

A row is (P-weight, Q-weight) of one outcome; both are drawn together, so that a failure shrinks
outcome by outcome.  Zeros are drawn on purpose: they are what most code forgets.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

Row = tuple[int, int]
Masses = tuple[tuple[Fraction, Fraction], ...]

_ZEROS = 6
"""One value above ``max_weight`` for each so many below stands for 0 as well: 3 of 15 are 0 where
the largest weight is 12, and large weights do not make it rare."""

Made = TypeVar("Made", bound=Callable[..., object])


def shown_as(name: str) -> Callable[[Made], Made]:
    """A strategy that is made by a private function prints as the call of the public one."""
    def renamed(function: Made) -> Made:
        function.__name__ = function.__qualname__ = name
        return function

    return renamed


@cache
def between(low: int, high: int) -> st.SearchStrategy[int]:
    """``integers(low, high)``, made once: making it takes longer than drawing from it."""
    return st.integers(low, high)


def now_and_then(draw: DrawFn) -> bool:
    """True in an eighth of the draws; shrinks to False."""
    return draw(between(0, 7)) == 7


def draw_rows(draw: DrawFn, least: int, most: int, zero_p: bool, zero_q: bool, high: int
              ) -> list[Row]:
    """From ``least`` to ``most`` rows, none null; 0 occurs on a side only where that is allowed.

    Null rows are drawn and left out: two rows shrink to one as their weights move to the other.
    """
    drawn = [(_weight(draw, zero_p, high), _weight(draw, zero_q, high))
             for _ in range(_size(draw, least, most))]
    rows = [row for row in drawn if any(row)]
    return rows + [(1, 1)] * (least - len(rows))


def _size(draw: DrawFn, least: int, most: int) -> int:
    """One outcome makes one pair only: it is drawn an eighth as often as each other size."""
    more = most - least
    if least != 1 or not more:
        return draw(between(least, most))
    drawn = draw(between(0, 8 * more))
    return 1 if not drawn else 2 + (drawn - 1) % more


def _weight(draw: DrawFn, zero: bool, high: int) -> int:
    if not zero:
        return draw(between(1, high))
    drawn = draw(between(0, high + high // _ZEROS))
    return drawn if drawn <= high else 0


def with_mass(rows: list[Row]) -> list[Row]:
    """The rows; where one side has no weight at all, the last row gets 1 there."""
    if not any(p for p, _ in rows):
        rows[-1] = (1, rows[-1][1])
    if not any(q for _, q in rows):
        rows[-1] = (rows[-1][0], 1)
    return rows


def mirrored(rows: Sequence[Row], most: int) -> list[Row]:
    """As many rows and their mirror images as ``most`` allows; a last odd one is even.

    >>> mirrored([(1, 2), (3, 1)], 3)
    [(1, 2), (2, 1), (3, 3)]
    """
    found: list[Row] = []
    for p, q in rows:
        if p == q or len(found) + 2 > most:
            if len(found) < most:
                found.append((p or q, p or q))
        else:
            found += [(p, q), (q, p)]
    return found


def normalised(rows: Sequence[Row]) -> Masses:
    """(P-mass, Q-mass) of each row."""
    all_p, all_q = sum([p for p, _ in rows]), sum([q for _, q in rows])
    return tuple([(Fraction(p, all_p), Fraction(q, all_q)) for p, q in rows])


__all__ = ["Masses", "Row", "between", "draw_rows", "mirrored", "normalised", "now_and_then",
           "shown_as", "with_mass"]
