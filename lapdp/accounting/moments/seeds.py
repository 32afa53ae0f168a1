"""z^(2^p) - 1 for many z of size at most 1, by squares of pairs of doubles.

A pair x + y of doubles, y the rounding error of x, has twice their digits.  What two doubles add up
to, or their product, is a pair exactly (Dekker 1971, Knuth 1997, 4.2.2), so the square
x (x + 2) of 1 + x, less 1, is off by at most e_(p+1) = 2 e_p + 2^-96, where x is off by e_p and
|1 + x| <= 1: all parts are at most 4, a product of pairs is off by at most 2^-103 of its size, a
sum of pairs by 2^-103 of the sizes of both.  With e_0 = 2^-100, e_p <= 2^(p - 95).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported

FIRST, GROWTH = -100, -95
"""Exponents of the bounds e_0 and e_p/2^p."""
SPLIT = 2.0**27 + 1
MOST = 40
"""Squares that are taken: the bound stays far below what is rounded to."""

Double = tuple[Any, Any]


class Seeds:
    """z^(2^p) - 1 as complex numbers of doubles or longer ones, from balls z."""

    def __init__(self, numbers: list[Any]) -> None:
        """``numbers`` are balls of more than 100 bits with sizes of at most 1."""
        parts: tuple[list[float], ...] = ([], [], [], [])
        spend(len(numbers))
        for z in numbers:
            for k, x in ((0, z.real - 1), (2, z.imag)):
                high = float(x)
                rest = x - high
                parts[k].append(high)
                parts[k + 1].append(float(rest))
                # half of the last place of the second double, at most 2^-106, is left beside
                if not rest.rad() < 2.0**-102:
                    raise Unsupported("a power is not known to twice the double precision")
        a, b, c, d = map(np.array, parts)
        self._levels: list[tuple[Double, Double]] = [((a, b), (c, d))]

    def __len__(self) -> int:
        return len(self._levels[0][0][0])

    def level(self, p: int) -> tuple[Double, Double]:
        """The real and the imaginary parts of z^(2^p) - 1, as pairs."""
        if p > MOST:
            raise Unsupported(f"powers beyond 2^{MOST} are not taken")
        while len(self._levels) <= p:
            spend(40 + len(self) / 15)
            x, y = self._levels[-1]
            real = _sum(_product(x, x), _negative(_product(y, y)))
            real = _sum(real, _twice(x))
            self._levels.append((real, _twice(_sum(_product(x, y), y))))
        return self._levels[p]

    def rounded(self, p: int, kind: Any) -> tuple[Any, float]:
        """Level p in a complex format, and a bound of its error beside one rounding of each
        part."""
        (a, b), (c, d) = self.level(p)
        found = np.empty(len(a), dtype=kind)
        real = found.real.dtype.type
        # the sum of a pair is rounded once
        found.real, found.imag = a.astype(real) + b, c.astype(real) + d
        return found, self.beside(p)

    def beside(self, p: int) -> float:
        """A bound of the error of :meth:`level`."""
        return 2.0**(GROWTH + p)


def _twice(x: Double) -> Double:
    return 2 * x[0], 2 * x[1]


def _negative(x: Double) -> Double:
    return -x[0], -x[1]


def _pair(x: Any, y: Any) -> Double:
    """What x and a y of smaller size add up to."""
    total = x + y
    return total, y - (total - x)


def _sum(x: Double, y: Double) -> Double:
    total = x[0] + y[0]
    part = total - x[0]
    error = (x[0] - (total - part)) + (y[0] - part)
    return _pair(total, error + (x[1] + y[1]))


def _product(x: Double, y: Double) -> Double:
    size = x[0] * y[0]
    (a, b), (c, d) = _halves(x[0]), _halves(y[0])
    error = ((a * c - size) + a * d + b * c) + b * d
    return _pair(size, error + (x[0] * y[1] + x[1] * y[0]))


def _halves(x: Any) -> Double:
    """Two doubles of 26 bits with the sum x: products of such are doubles."""
    far = SPLIT * x
    high = far - (far - x)
    return high, x - high


__all__ = ["Seeds"]
