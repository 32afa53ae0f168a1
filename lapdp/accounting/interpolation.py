"""Where a function that falls is 0, nearly, by interpolation of its inverse: choices only.

The inverse is nearly a polynomial in the height where the function is smooth.  Where it is nearly a
power of the distance from some place, the log of that distance is nearly one, on that side of it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import mpmath as mp

FAR = 300.0
"""e to it, and its square, are doubles."""
NEAREST = 4
"""Places that one interpolation goes through."""
SHARP, TILTED = 100.0, 8.0
"""By how many times their error heights differ; how many times larger one is that a chord ends at:
from farther off chords tell little of the slope at 0."""

Seen = tuple[Any, Fraction, float]
"""A height, where, and how far off the height may be, nearly."""
Guess = tuple[Fraction, Any]
"""Where the height is 0, and how far off that may be."""


def nearest(seen: Sequence[Seen]) -> list[Seen]:
    """The places of least heights, at most four; of heights above 1 at most two, on both sides of 0
    if those are of a size.  Differences of their heights are sharp, as far as there are such."""
    found: list[Seen] = []
    for point in sorted(seen, key=lambda point: max(abs(point[0]), SHARP * point[2])):
        height, _, error = point
        if any(abs(height - other) <= SHARP * max(error, rough) for other, _, rough in found):
            continue
        if abs(height) <= 1 or len(found) < 2:
            found.append(point)
        elif (abs(found[1][0]) > 1 and found[0][0] * found[1][0] > 0 > height * found[0][0]
              and abs(height) < TILTED * abs(found[1][0])):
            found[1] = point
    if len(found) == 1:
        other = max(seen, key=lambda point: abs(point[0] - found[0][0]))
        found += [other] if other[0] != found[0][0] else []
    return found[:NEAREST]


def zero(points: Sequence[Seen], origin: Fraction | None, exact: bool, slope: Any = None
         ) -> Guess | None:
    """By points of different heights, all on one side of the ``origin`` of the powers; by the
    slope, if there is only one.  In doubles, or by ``mpf`` where it is to be ``exact``."""
    start = points[0][1]
    gap = None if origin is None else real(origin - start, exact)
    heights = [height for height, *_ in points]
    offsets = [real(x - start, exact) for _, x, _ in points]
    if gap is not None and not all(abs(x) < abs(gap) or x / gap < 0 for x in offsets):
        return None
    step = _step(heights, offsets, gap, slope)
    if not mp.isfinite(step):
        return None
    before = _step(heights[:-1], offsets[:-1], gap, slope) if len(points) > 2 else 0
    return start + rational(step), abs(step - before)


def _step(heights: list[Any], offsets: list[Any], gap: Any, slope: Any) -> Any:
    if gap is None:
        return -heights[0] / slope if len(heights) == 1 else _inverse(heights, offsets)
    log1p, expm1 = (math.log1p, math.expm1) if isinstance(gap, float) else (mp.log1p, mp.expm1)
    log = heights[0] / (slope * gap) if len(heights) == 1 else _inverse(
        heights, [log1p(-x / gap) for x in offsets])
    return -gap * expm1(log) if log < FAR else mp.nan


def _inverse(heights: list[Any], offsets: list[Any]) -> Any:
    """The polynomial through (height, offset) at height 0, by Neville's scheme."""
    column = list(offsets)
    for k in range(1, len(column)):
        for i in range(len(column) - k):
            a, b = heights[i], heights[i + k]
            column[i] = (a * column[i + 1] - b * column[i]) / (a - b)
    return column[0]


def real(x: Fraction, exact: bool) -> Any:
    """A double, or an ``mpf``."""
    return mp.mpf(x.numerator) / x.denominator if exact else float(x)


def rational(x: Any) -> Fraction:
    """The number that a double or an ``mpf`` is."""
    if isinstance(x, float):
        return Fraction(x)
    sign, mantissa, power, _ = x._mpf_
    size: Fraction = Fraction(int(mantissa)) * Fraction(2) ** power
    return -size if sign else size


__all__ = ["FAR", "NEAREST", "Guess", "Seen", "nearest", "rational", "real", "zero"]
