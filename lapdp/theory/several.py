"""Exact instances of several distributions on one space."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from lapdp.calculus.field import Scalar

_H, _T = Fraction(1, 2), Fraction(1, 3)
ROWS: tuple[tuple[Any, ...], ...] = (
    (1, 0), (_H, _H), (0, 1), (_T, 2 * _T), (2 * _T, _T), (_H / 2, 3 * _H / 2),
    (_H, _H / 2, _H / 2), (0, _H, _H), (_T, _T, _T), (0, 0, 1))
"""Distributions of an instance, the simplest first; shorter ones have no mass beyond their end."""
RARE_ROWS: tuple[tuple[Any, ...], ...] = tuple(
    (mass, 1 - mass) for mass in (Fraction(1), _H, Fraction(1, 5), Fraction(1, 16),
                                  Fraction(1, 1024), Fraction(1, 2**24)))
"""One outcome that is rarer in each: powers of ratios, and sums of losses, come from it."""


@dataclass(frozen=True)
class Rows:
    """Several distributions on a finite space: for each outcome the mass in each of them."""

    outcomes: tuple[tuple[Scalar, ...], ...]

    @staticmethod
    def of(rows: list[tuple[Any, ...]]) -> Rows:
        """By the masses of each distribution."""
        width = max(map(len, rows))
        filled = [(*row, *(0 for _ in range(width - len(row)))) for row in rows]
        return Rows(tuple(tuple(map(Scalar.of, masses)) for masses in zip(*filled, strict=True)))


Row = tuple[Scalar, ...]


def text_of(names: tuple[str, ...], rows: list[tuple[Any, ...]]) -> str:
    """The distributions as they are read.

    >>> text_of(("A", "B"), [(1, 0), (Fraction(1, 2), Fraction(1, 2))])
    'A = (1, 0); B = (1/2, 1/2)'
    """
    width = max(map(len, rows))
    return "; ".join(f"{name} = ({', '.join(map(str, (*row, *(0,) * (width - len(row)))))})"
                     for name, row in zip(names, rows, strict=True))


def rare_places(places: tuple[int, ...]) -> tuple[int, ...]:
    """Places in the list of rare distributions, as places in the list of all."""
    return tuple(len(ROWS) + k for k in places)


def rows_of_spaces(several: list[Any], places: tuple[int, ...]) -> dict[Any, tuple[str, Any]]:
    """The distributions of each space of several, by their places in the list of all."""
    found: dict[Any, tuple[str, Any]] = {}
    for a in several:
        rows, places = [_ALL[k] for k in places[:len(a.names)]], places[len(a.names):]
        found[a] = text_of(a.names, rows), Rows.of(rows)
    return found


_ALL = (*ROWS, *RARE_ROWS)


__all__ = ["RARE_ROWS", "ROWS", "Row", "Rows", "rare_places", "rows_of_spaces", "text_of"]
