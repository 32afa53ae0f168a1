"""Bounds of moments for large heights: laws of the exact class, from values of their transforms.

The facts of :mod:`lapdp.accounting.moments.decays` bound |E_(gamma + iu)| on an interval from
finitely many values; above it the terms c e^(-at s)/(s - a)^(n + 1) of the transform fall one by
one.  For many releases that leak little only the first bound is of use: it sees the variance.
"""

from __future__ import annotations

from typing import Any, Protocol

import flint

from lapdp.accounting.moments.decays import Decay
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_VALUES = 4000
BITS = 96
"""Of the values: bounds of 10^9 copies need many digits of one."""


class Terms(Protocol):
    """A line with the terms of its transform."""

    gamma: Any
    jumps: list[tuple[Any, Any, Any, int]]
    atoms: list[tuple[Any, Any]]

    def at(self, u: Any) -> Any:
        """E_(gamma + iu)."""

    def falls(self, height: Any) -> Any:
        """A bound by the terms, one by one; not finite where there is none."""


class ExactDecay(Decay):
    """The bounds on one line, from the closed form of its moments."""

    def __init__(self, line: Terms) -> None:
        self.line = line
        many = len(line.jumps) + len(line.atoms)

        def values(first: float, step: float, most: int) -> tuple[list[Any], int]:
            # one at a time: together they cost no less
            with workprec(BITS):
                return [line.at(flint.arb(first))], many

        super().__init__(values, deviation(line), flint.arb(0), tuple, flint.arb(0))
        self.room = MOST_VALUES * many

    def far(self, height: float) -> Any:
        """The terms of the transform at the height: their bounds decrease."""
        return self.line.falls(flint.arb(height)).min(self.whole.upper())


def deviation(line: Terms) -> Any:
    """A bound of the standard deviation of the tilted loss, from the transform's expansion.

    With E(gamma + x) = e0 + e1 x + e2 x^2 + ... it is sqrt(2 e2/e0 - (e1/e0)^2).  Raises
    :class:`Unsupported` where balls do not see it, as next to a removable pole.
    """
    total = [flint.acb(0)] * 3
    s = 1 - line.gamma
    for place, a, c, n in line.jumps:
        # e^(place x) (s - a - x)^-(n+1), up to x^2
        gap, m = s - a, n + 1
        size = c / gap**m
        first, second = m / gap, m * (m + 1) / (2 * gap * gap)
        _add(total, size, place, first, second)
    for place, c in line.atoms:
        _add(total, c, place, flint.acb(0), flint.acb(0))
    e0, e1, e2 = (x.real for x in total)
    found = (2 * e2 / e0 - (e1 / e0) ** 2).upper() if e0 > 0 else flint.arb.nan()
    if not (found.is_finite() and found > 0):
        raise Unsupported("the deviation of the tilted loss is not seen")
    return found.sqrt().upper()


def _add(total: list[Any], size: Any, place: Any, first: Any, second: Any) -> None:
    total[0] += size
    total[1] += size * (place + first)
    total[2] += size * (place * place / 2 + place * first + second)


__all__ = ["ExactDecay", "deviation"]
