"""Trade-off functions of finite pairs, exactly: piecewise linear curves on [0, 1].

Everything is a Fraction.  A curve is the list of its vertices; the trade-off function (11) has one
for each likelihood ratio, by the lemma of Neyman and Pearson.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from lapdp.core.errors import InputError, Undefined

Point = tuple[Fraction, Fraction]
ZERO, ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True)
class Curve:
    """A continuous piecewise linear function on [0, 1] by its vertices, levels increasing.

    >>> half = Curve(((Fraction(0), Fraction(1)), (Fraction(1), Fraction(0))))
    >>> half(Fraction(1, 4)), half.inverse(Fraction(1, 4)) == half(Fraction(1, 4))
    (Fraction(3, 4), True)
    """

    points: tuple[Point, ...]

    def __post_init__(self) -> None:
        levels = [x for x, _ in self.points]
        if len(levels) < 2 or levels[0] != 0 or levels[-1] != 1 or any(
                a >= b for a, b in itertools.pairwise(levels)):
            raise InputError("a curve needs vertices at increasing levels from 0 to 1")

    @staticmethod
    def affine(constant: Fraction, slope: Fraction) -> Curve:
        """constant + slope * level."""
        return Curve(((ZERO, constant), (ONE, constant + slope)))

    def __call__(self, level: Fraction) -> Fraction:
        """The value at a level in [0, 1]; :class:`Undefined` outside."""
        if not 0 <= level <= 1:
            raise Undefined(f"a level must lie in [0, 1], not at {level}")
        k = bisect_left([x for x, _ in self.points], level)
        (x1, y1) = self.points[k]
        if x1 == level:
            return y1
        (x0, y0) = self.points[k - 1]
        return y0 + (y1 - y0) * (level - x0) / (x1 - x0)

    def combine(self, other: Curve, of: Callable[[Fraction, Fraction], Fraction]) -> Curve:
        """``of`` of the two values, an affine function, at every level."""
        levels = sorted({x for x, _ in (*self.points, *other.points)})
        return Curve(tuple((x, of(self(x), other(x))) for x in levels))

    def minimum(self, other: Curve) -> Curve:
        """The smaller of two curves, crossings included."""
        gap = self.combine(other, lambda a, b: a - b)
        levels = {x for x, _ in gap.points}
        for (x0, d0), (x1, d1) in zip(gap.points, gap.points[1:], strict=False):
            if d0 * d1 < 0:
                levels.add(x0 + (x1 - x0) * d0 / (d0 - d1))
        return Curve(tuple((x, min(self(x), other(x))) for x in sorted(levels)))

    def envelope(self) -> Curve:
        """The largest convex function below: the biconjugate on [0, 1]."""
        hull: list[Point] = []
        for x, y in self.points:
            while len(hull) > 1 and _turns_down(hull[-2], hull[-1], (x, y)):
                hull.pop()
            hull.append((x, y))
        return Curve(tuple(hull))

    def first_at_most(self, bound: Fraction) -> Fraction:
        """The least level with a value <= bound; :class:`Undefined` where there is none."""
        if self.points[0][1] <= bound:
            return ZERO
        for (x0, y0), (x1, y1) in zip(self.points, self.points[1:], strict=False):
            if y1 <= bound:
                return x0 + (x1 - x0) * (y0 - bound) / (y0 - y1)
        raise Undefined(f"no level has a value <= {bound}")

    def inverse(self, bound: Fraction) -> Fraction:
        """The left-continuous inverse inf {level : value <= bound} of equation (12)."""
        return self.first_at_most(bound)

    def inverted(self) -> Curve:
        """The left-continuous inverse of a non-increasing convex curve from [0, 1] to [0, 1]."""
        values = sorted({ZERO, ONE, *(y for _, y in self.points if 0 <= y <= 1)})
        return Curve(tuple((b, self.first_at_most(b)) for b in values))

    def maximum(self) -> Fraction:
        """The largest value."""
        return max(y for _, y in self.points)

    def at_most(self, other: Curve) -> bool:
        """Is this curve nowhere above the other?"""
        return all(d <= 0 for _, d in self.combine(other, lambda a, b: a - b).points)


def _turns_down(a: Point, b: Point, c: Point) -> bool:
    """Does b lie on or above the chord from a to c?"""
    return (b[1] - a[1]) * (c[0] - a[0]) >= (c[1] - a[1]) * (b[0] - a[0])


def trade_off(masses: Iterable[tuple[Fraction, Fraction]]) -> Curve:
    """The trade-off function f_{P|Q} of (P-mass, Q-mass) of each outcome, equation (11).

    The best tests take outcomes by increasing P/Q, those without P-mass first.

    >>> coin = [(Fraction(1, 3), Fraction(2, 3)), (Fraction(2, 3), Fraction(1, 3))]
    >>> [(str(a), str(b)) for a, b in trade_off(coin).points]
    [('0', '1'), ('1/3', '1/3'), ('1', '0')]
    """
    useful = sorted(((p, q) for p, q in masses if q), key=lambda m: m[0] / m[1])
    points: list[Point] = [(ZERO, ONE)]
    for p, q in useful:
        level, missed = points[-1]
        vertex = (level + p, missed - q)
        if p == 0 or vertex[0] == points[-1][0]:
            points[-1] = vertex
        else:
            points.append(vertex)
    if points[-1][0] < 1:
        points.append((ONE, points[-1][1]))
    return Curve(_straightened(points))


def _straightened(points: Sequence[Point]) -> tuple[Point, ...]:
    """Vertices on a straight line between their neighbours left out."""
    kept: list[Point] = []
    for c in points:
        while len(kept) > 1 and (kept[-1][1] - kept[-2][1]) * (c[0] - kept[-2][0]) == (
                c[1] - kept[-2][1]) * (kept[-1][0] - kept[-2][0]):
            kept.pop()
        kept.append(c)
    return tuple(kept)


def least_over_tests(outcomes: Sequence[tuple[Fraction, Fraction]], constant: Fraction,
                     budget: Fraction) -> Fraction:
    """Least constant + sum of v u over 0 <= u <= 1 with sum of w u <= budget.

    ``outcomes`` are the (v, w).  Where choosing an outcome, or leaving it out, gains and costs, the
    gain per cost decides: a fractional knapsack, exact for one constraint.  Raises
    :class:`Undefined` where no test meets the constraint.
    """
    gains: list[tuple[Fraction, Fraction]] = []
    for v, w in outcomes:
        if v < 0 < w:
            gains.append((-v, w))
        elif v >= 0 and w >= 0:
            continue
        elif v <= 0 and w <= 0:
            constant, budget = constant + v, budget - w
        else:
            # chosen at first, so that leaving it out gains v and costs -w
            constant, budget = constant + v, budget - w
            gains.append((v, -w))
    if budget < 0:
        raise Undefined("no test meets the constraint")
    for gain, cost in sorted(gains, key=lambda g: g[0] / g[1], reverse=True):
        share = min(ONE, budget / cost)
        constant -= share * gain
        budget -= share * cost
    return constant


__all__ = ["Curve", "least_over_tests", "trade_off"]
