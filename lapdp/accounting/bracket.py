"""What a search for a crossing has seen, and where the crossing may be.

A place has a side, proved or open, and log(value/level), nearly.  Only the sides enter the answer,
and bounds of the values where the function is convex in e^x (:mod:`lapdp.accounting.chords`); the
logs choose where to look next (:mod:`lapdp.accounting.interpolation`): by polynomials in x, or in
the log of the distance from 0, from a place where the function ends, or from an end of what is
known, as it may be nearly a power of these.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import mpmath as mp

from lapdp.accounting.chords import agree, between
from lapdp.accounting.interpolation import (
    FAR,
    NEAREST,
    Guess,
    Seen,
    nearest,
    rational,
    real,
    zero,
)
from lapdp.core.errors import TooManyDigits

FEWEST = 3
"""So many digits at least are asked for."""
WHOLE = 40
"""Up to so many digits are asked for in every further look: tables are shared."""
MORE = 2
"""Digits more for a side that is open."""
BLIND = Fraction(10**9)
"""An error that says as much as none."""
EVEN = 1e-11
"""The relative error of a step along a line in doubles, nearly."""


@dataclass(frozen=True)
class Place:
    """What is known at x."""

    x: Fraction
    size: Fraction | None
    """value/level, nearly, both without the value at the end; None for infinite.  For choices only.
    """
    side: int | None
    """1 left of the crossing, -1 at it or to the right, None open."""
    bounds: tuple[Fraction, Fraction] | None = None
    """Proved bounds of value/level, where value is convex in e^x."""


@dataclass
class Bracket:
    """The places seen, and the narrowest proved bracket."""

    look: Callable[[Fraction, int], Place]
    digits: int
    """Relative digits that the bracket is to have."""
    slope: float | None = None
    """About the slope of log(value/level), for a start with one place."""
    rough: float = 1.0
    """The relative error of a step by this slope, at most."""
    cells: tuple[float, float] | None = None
    """About (offset, step) of a lattice between whose places value/level is linear in e^x."""
    first: Fraction | None = None
    """The left end of the domain, where it is one; looked at only when nothing lies left of the
    crossing."""
    end: Place | None = None
    """From where on the function is known to be constant and below the level, if it is."""
    share: float = 1.0
    """About how much of the level is not the value there."""
    bend: Fraction | None = None
    """Right of there the function may be nearly a power of the distance; for choices only."""
    most: int = sys.maxsize
    """So many digits of the values are reached, at most."""
    farthest: int = 300
    """The crossing is sought between 2^-farthest and 2^farthest."""
    places: list[tuple[Any, Place]] = field(default_factory=list)
    """With log(value/level), where it is finite."""
    low: Place | None = None
    high: Place | None = None
    given: tuple[Fraction, int] | None = None
    """The last place whose side was seen, and the digits it was asked for."""

    def __post_init__(self) -> None:
        self.high = self.end

    def real(self, x: Fraction) -> Any:
        """A double; with many digits, where its range or its precision would not do, an ``mpf``."""
        return real(x, self.digits > WHOLE)

    def see(self, x: Fraction, digits: int | None = None, again: bool = True) -> Place:
        """Look at one more place; one that is open is looked at with a few digits more, and with
        twice as many, if it is to be ``again``."""
        if digits is None:
            steep = abs(self.slope or 0) * self.share * self.real(x)
            digits = min(max(self.digits + self._flat(steep or 1), FEWEST), WHOLE)
        place = self._looked(x, digits)
        for more in (MORE, digits) if again else ():
            if place.side is None:
                place = self._looked(x, digits + more)
        if place.side is not None:
            self.given = x, digits
        return self.keep(place)

    def _looked(self, x: Fraction, digits: int) -> Place:
        """With the fewest digits, where few are to be had in the end and more are not reached."""
        try:
            return self.look(x, min(digits, self.most))
        except TooManyDigits:
            if not min(digits, self.most) > FEWEST >= self.digits:
                raise
            self.most = FEWEST
            return self.look(x, FEWEST)

    def keep(self, place: Place) -> Place:
        """Take a place in that has been looked at."""
        if place.side == 1 and (self.low is None or place.x > self.low.x):
            self.low = place
        if place.side == -1 and (self.high is None or place.x < self.high.x):
            self.high = place
        if place.size and all(other.x != place.x or _width(place) < _width(other)
                              for _, other in self.places):
            # the sharper of two looks at one place
            self.places = [seen for seen in self.places if seen[1].x != place.x]
            self.places.append((self._log(place.size), place))
        if place.bounds is not None:
            self._by_convexity()
        return place

    def _by_convexity(self) -> None:
        """Ends by two places each, where the places themselves are none so near."""
        low, high = between(self._bounded(2 * NEAREST), self.digits)
        # ends on the right sides of the crossing by what is proved, though nobody has looked there
        if low is not None and low > 0 and (self.low is None or low > self.low.x):
            self.low = Place(low, None, 1)
        if high is not None and (self.high is None or high < self.high.x):
            self.high = Place(high, None, -1)

    def _bounded(self, most: int | None = None) -> list[tuple[Fraction, Fraction, Fraction]]:
        """So many places of least heights, and the end, with their bounds."""
        found = sorted(((abs(height), place.x, *place.bounds) for height, place in self.places
                        if place.bounds is not None), key=lambda seen: seen[0])
        ends = [(end.x, *end.bounds) for end in (self.end,) if end and end.bounds]
        return [*(seen[1:] for seen in found[:most]), *ends]

    def agrees(self) -> bool:
        """May the bounds at all places be right, for a function that is convex in e^x?"""
        return agree(self._bounded(), self.digits)

    def _log(self, size: Fraction) -> Any:
        """The logarithm, accurate near 0 too."""
        gap = size - 1
        if 2 * abs(gap) < 1:
            return (math.log1p if self.digits <= WHOLE else mp.log1p)(self.real(gap))
        return math.log(size.numerator) - math.log(size.denominator)

    def met(self) -> Place | None:
        """The right end of what is known, if it is not that of the function."""
        return None if self.high is self.end else self.high

    def inside(self, x: Fraction) -> bool:
        """Does x cut what is known?"""
        return (x > 0 and (self.low is None or x > self.low.x)
                and (self.high is None or x < self.high.x))

    def ends_at(self, x: Fraction, goal: Fraction) -> bool:
        """Is x, within what is wanted, an end of what is known?"""
        return any(end is not None and abs(x - end.x) < goal * abs(x) for end in (
            self.low, self.high))

    def near(self, x: Fraction) -> bool:
        """Is x no step into the unknown?"""
        if not self.inside(x) or (self.low is not None and self.high is not None):
            return self.inside(x)
        end = self.low or self.met()
        return end is None or not end.x or end.x / 16 < x < 16 * end.x

    def wanted(self, place: Fraction, miss: Any, slope: Any) -> int:
        """Digits that tell the sides next to the place, as near to it as the next look can be."""
        steep = abs(slope) * self.share * self.real(place)
        flat = self._flat(steep)
        # the last two looks are 4/5 of what is wanted apart
        finest = max(self.digits + min(flat, self.digits + 301), FEWEST)
        if finest <= WHOLE and self.given and self.given[0] / 2 < place < 2 * self.given[0]:
            # with fewer digits than nearby another method may answer, with other tables
            return max(finest, min(self.given[1], WHOLE))
        if finest <= WHOLE or not miss:
            return finest
        near = -self._decade(miss / self.real(place))
        return max(WHOLE // 2, min(finest, 4 * near + flat + 4))

    def _flat(self, steep: Any) -> int:
        """So many digits more than a place has its value needs, next to the crossing: fewer where
        the function is steep."""
        if not steep > 0:
            return 1
        log = math.log10(steep) if isinstance(steep, float | int) else mp.log10(steep)
        return math.ceil(0.5 - log)

    def _decade(self, x: Any) -> int:
        return math.floor(math.log10(x) if isinstance(x, float) else mp.log10(x))

    def ratio(self) -> Fraction | None:
        """The width over the lower end, None where it is not finite."""
        if self.low is None or self.high is None or not self.low.x:
            return None
        return (self.high.x - self.low.x) / self.low.x

    def guess(self) -> tuple[Fraction, Any, Any] | None:
        """Where the crossing seems to be, how far off that may be, and the slope there."""
        seen = [(height, place.x, self._error(place)) for height, place in self.places]
        points = nearest(seen)
        if not points or (len(points) == 1 and not self.slope):
            return None
        line = self._along(points) if len(points) > 1 else None
        if line is not None:
            return line
        (height, x, error), exact = points[0], self.digits > WHOLE
        slope: Any = self.slope if len(points) == 1 else (points[1][0] - height) / real(
            points[1][1] - x, exact)
        right = [point for point in points if point[1] > 0]
        ways = [way for way in (
            zero(points, self.end.x, exact, slope) if self.end else None,
            zero(points, self.bend, exact, slope) if self.bend and all(
                point[1] > self.bend for point in points) else None,
            zero(points, None, exact, slope),
            zero(right, Fraction(0), exact, slope) if right == points else None) if way]
        if len(points) < 3:
            # few places tell little of what is far away: there the powers of x are the safest
            ways = [way for way in ways if x < 2 * way[0] < 4 * x][:1] or ways[-1:]
        ways = [way for way in ways if self.may_be(*way)] or self._beside(seen, exact) or ways
        if not ways:
            return None
        place, miss = min(ways, key=lambda way: way[1])
        if len(points) == 1:
            return place, miss * self.rough, slope
        # a look with fewer digits says no more than that
        unseen = abs(error / slope)
        if rational(unseen) * 10**self.digits > place and self.wanted(place, 0, slope) <= WHOLE:
            miss += unseen
        return place, miss, slope

    def _error(self, place: Place) -> float:
        """How far off the logarithm may be, nearly."""
        return float(min(_width(place) / (2 * place.size), BLIND)) / self.share if place.size else (
            math.inf)

    def may_be(self, x: Fraction, miss: Any) -> bool:
        """May this be the crossing, by what is known, if it is so far off?"""
        return self.inside(x) or rational(miss) * 10**self.digits < x

    def _beside(self, seen: Sequence[Seen], exact: bool) -> list[Guess]:
        """Where a bend at an end of what is known hides what is behind: powers of the distance from
        there."""
        found = []
        for end, side in ((self.low, 1), (self.high, -1)):
            points = nearest([point for point in seen if side * (point[1] - end.x) > 0]
                             ) if end else []
            if end and len(points) > 1 and (way := zero(points, end.x, exact)) and self.inside(
                    way[0]):
                found.append(way)
        return found

    def _along(self, points: list[Seen]) -> tuple[Fraction, float, float] | None:
        """The step in a cell that has been seen at two places; None elsewhere."""
        if self.cells is None or self.digits > WHOLE:
            return None
        (height, x, _), (other, y, _) = points[:2]
        away = float(y - x)
        if max(abs(height), abs(other), abs(away)) > FAR:
            return None
        here, there = math.expm1(height), math.expm1(other)
        share = here * math.expm1(away) / (here - there) if here != there else -1.0
        step = math.log1p(share) if share > -1 else math.nan
        places = [(float(x) + t - self.cells[0]) / self.cells[1] for t in (0, away, step)]
        return (x + rational(step), abs(step) * EVEN, (other - height) / away) if all(
            abs(t) < 1e15 and math.floor(t) == math.floor(places[0]) for t in places) else None

    def is_done(self) -> bool:
        """Is the bracket as narrow as is wanted?"""
        width = self.ratio()
        return width is not None and width <= Fraction(1, 10**self.digits)

    def first_is_due(self, found: tuple[Fraction, Any, Any] | None) -> bool:
        """Has the left end not been looked at, and may the crossing lie there?"""
        met = self.met()
        return self.first is not None and self.low is None and met is not None and (
            found is None or len(self.places) > 5 or 2 * found[0] < met.x)

    def middle(self) -> Fraction:
        """A place that cuts what is known, with no idea where the crossing is."""
        if self.low is None or self.high is None:
            end = self.high.x / 2 if self.high else 2 * self.low.x if self.low else Fraction(0)
            return end or Fraction(1)
        if not self.low.x:
            return self.high.x / 16
        if self.high.x > 4 * self.low.x:
            return Fraction(math.sqrt(self.low.x * self.high.x))
        return (self.low.x + self.high.x) / 2


def _width(place: Place) -> Fraction:
    """Of the bounds, 0 if there are none."""
    return place.bounds[1] - place.bounds[0] if place.bounds else Fraction(0)


__all__ = ["FEWEST", "WHOLE", "Bracket", "Place"]
