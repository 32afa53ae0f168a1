"""Channels for the search of witnesses: what becomes of a finite pair in one of a few of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

Row = tuple[Fraction, ...]
"""The masses of the outputs at one input."""
_ONE, _HALF, _NONE = Fraction(1), Fraction(1, 2), Fraction(0)


def _unit(at: int, size: int) -> Row:
    return tuple(_ONE if k == at else _NONE for k in range(size))


CHANNELS: tuple[Callable[[int, int], Row], ...] = (
    # of input i, among n: one output for all; the input itself; the first against all others
    lambda i, n: (_ONE,),
    _unit,
    lambda i, n: _unit(min(i, 1), 2),
    # a noisy answer whether it is the first; the input, or nothing, at even odds
    lambda i, n: (Fraction(1 if i else 3, 4), Fraction(3 if i else 1, 4)),
    lambda i, n: (*(_HALF * w for w in _unit(i, n)), _HALF),
)
"""Channels by the masses of their outputs, for any number of inputs."""


def rows_of(number: int, size: int) -> tuple[Row, ...]:
    """A channel for so many inputs: the masses of its outputs at each.

    >>> [[str(m) for m in row] for row in rows_of(3, 2)]
    [['3/4', '1/4'], ['1/4', '3/4']]
    """
    return tuple(CHANNELS[number](i, size) for i in range(size))


def outputs(sides: Sequence[Sequence[Any]], rows: Sequence[Row]) -> list[tuple[Fraction, ...]]:
    """The laws of the output for the laws of the input, without outputs of no mass.

    >>> [[str(m) for m in side] for side in outputs([(1, 0), ("1/2", "1/2")], rows_of(3, 2))]
    [['3/4', '1/4'], ['1/2', '1/2']]
    """
    laws = [[sum((Fraction(mass) * row[k] for mass, row in zip(side, rows, strict=True)), _NONE)
             for k in range(len(rows[0]))] for side in sides]
    kept = [k for k in range(len(rows[0])) if any(law[k] for law in laws)]
    return [tuple(law[k] for k in kept) for law in laws]


__all__ = ["CHANNELS", "Row", "outputs", "rows_of"]
