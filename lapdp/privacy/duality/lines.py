"""Piecewise linear profiles over x = e^eps: values, maxima, convex hulls; exact.

A profile is given by its vertices (x, H(x)), from (0, 1) on; after the last one it is constant.
Numbers are Fractions or field elements, and ``sign`` tells their signs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from lapdp.privacy.duality.vertices import Vertex, straightened

Sign = Callable[[Any], int]


def value_at(vertices: Sequence[Vertex], x: Any, sign: Sign) -> Any:
    """The profile at x >= 0.

    >>> from fractions import Fraction as Fr
    >>> def sign(x): return (x > 0) - (x < 0)
    >>> value_at([(0, 1), (2, 0)], Fr(1, 2), sign), value_at([(0, 1), (2, 0)], 5, sign)
    (Fraction(3, 4), 0)
    """
    for (a, h), (b, g) in pairwise(vertices):
        if sign(b - x) >= 0:
            return h + (g - h) * (x - a) / (b - a)
    return vertices[-1][1]


def largest(first: Sequence[Vertex], second: Sequence[Vertex], sign: Sign) -> tuple[Vertex, ...]:
    """The pointwise maximum of two profiles, crossings included: convex again, so a profile.

    >>> from fractions import Fraction as Fr
    >>> def sign(x): return (x > 0) - (x < 0)
    >>> [(str(x), str(h)) for x, h in largest([(0, 1), (1, Fr(1, 4))],
    ...                                       [(0, 1), (Fr(1, 2), Fr(1, 2)), (3, 0)], sign)]
    [('0', '1'), ('8/11', '5/11'), ('7/4', '1/4')]
    """
    places = _sorted([x for x, _ in (*first, *second)], sign)
    rows = [(x, value_at(first, x, sign), value_at(second, x, sign)) for x in places]
    found: list[Vertex] = []
    for k, (x, h, g) in enumerate(rows):
        gap = h - g
        if k:
            before, low, other = rows[k - 1]
            last = low - other
            if sign(last) * sign(gap) < 0:
                share = last / (last - gap)
                found.append((before + share * (x - before), low + share * (h - low)))
        found.append((x, h if sign(gap) >= 0 else g))
    return _shortened(straightened(found, sign), sign)


def hull(points: Iterable[Vertex], sign: Sign) -> tuple[Vertex, ...]:
    """The largest convex and non-increasing function with H(0) <= 1 that is below all points.

    Andrew's scan from left to right; points above the least value so far say nothing.

    >>> from fractions import Fraction as Fr
    >>> def sign(x): return (x > 0) - (x < 0)
    >>> hull([(2, Fr(1, 4)), (1, Fr(3, 4)), (3, Fr(1, 2))], sign)
    ((0, 1), (2, Fraction(1, 4)))
    """
    least: list[Vertex] = [(0, 1)]

    def order(p: Vertex, q: Vertex) -> int:
        return sign(p[0] - q[0]) or sign(p[1] - q[1])

    for x, h in sorted(points, key=cmp_to_key(order)):
        if sign(least[-1][1] - h) <= 0:
            continue
        while len(least) > 1:
            (a, u), (b, v) = least[-2:]
            # b stays only strictly below the chord from a to x
            if sign((h - u) * (b - a) - (v - u) * (x - a)) > 0:
                break
            least.pop()
        least.append((x, h))
    return tuple(least)


def _shortened(vertices: tuple[Vertex, ...], sign: Sign) -> tuple[Vertex, ...]:
    """Without what the profile repeats after it has become constant."""
    found = list(vertices)
    while len(found) > 1 and sign(found[-2][1] - found[-1][1]) == 0:
        found.pop()
    return tuple(found)


def _sorted(numbers: Sequence[Any], sign: Sign) -> list[Any]:
    def order(x: Any, y: Any) -> int:
        return sign(x - y)

    found: list[Any] = []
    for x in sorted(numbers, key=cmp_to_key(order)):
        if not found or sign(x - found[-1]) != 0:
            found.append(x)
    return found


__all__ = ["hull", "largest", "value_at"]
