"""Where a falling function meets a level: a bracket with two proved ends, by few looks at it.

A look at x gives the side of the crossing on which x lies, proved or open, and log(value/level),
nearly.  Only the sides enter the answer, and bounds of the values where the function is convex in
e^x (:mod:`lapdp.accounting.chords`); the logs choose where to look next, by interpolation of the
inverse function through the nearest places, of x, or of the log of the distance from 0 or from a
place where the function ends, as it may be nearly a power of these.  Where none of them serves, the
bracket is halved.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import mpmath as mp

from lapdp.accounting.chords import between
from lapdp.core.errors import Unsupported

FEWEST = 6
"""So many digits at least are asked for."""
WHOLE = 40
"""Up to so many digits are asked for in every further look: tables are shared."""
MOST_LOOKS, MORE = 400, 2
"""In all; digits more for a side that is open."""
EVEN = 1e-11
"""The relative error of a step along a line in doubles, nearly."""
FAR = 300.0
"""e to it, and its square, are doubles."""
NEAREST = 4
"""Places that one interpolation goes through."""


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
        return float(x) if self.digits <= WHOLE else mp.mpf(x.numerator) / x.denominator

    def see(self, x: Fraction, digits: int | None = None, again: bool = True) -> Place:
        """Look at one more place; one that is open is looked at with a few digits more, and with
        twice as many, if it is to be ``again``."""
        if digits is None:
            steep = abs(self.slope or 0) * self.share * self.real(x)
            digits = min(max(self.digits + self._flat(steep or 1), FEWEST), WHOLE)
        place = self.look(x, digits)
        for more in (MORE, digits) if again else ():
            if place.side is None:
                place = self.look(x, digits + more)
        if place.side is not None:
            self.given = x, digits
        return self.keep(place)

    def keep(self, place: Place) -> Place:
        """Take a place in that has been looked at."""
        if place.side == 1 and (self.low is None or place.x > self.low.x):
            self.low = place
        if place.side == -1 and (self.high is None or place.x < self.high.x):
            self.high = place
        if place.size:
            self.places.append((self._log(place.size), place))
        if place.bounds is not None:
            self._by_convexity()
        return place

    def _by_convexity(self) -> None:
        """Ends by two places each, where the places themselves are none so near."""
        nearest = sorted(((abs(height), place.x, *place.bounds) for height, place in self.places
                          if place.bounds is not None), key=lambda seen: seen[0])
        ends = [(end.x, *end.bounds) for end in (self.end,) if end and end.bounds]
        low, high = between([*(seen[1:] for seen in nearest[:2 * NEAREST]), *ends], self.digits)
        # ends on the right sides of the crossing by what is proved, though nobody has looked there
        if low is not None and low > 0 and (self.low is None or low > self.low.x):
            self.low = Place(low, None, 1)
        if high is not None and (self.high is None or high < self.high.x):
            self.high = Place(high, None, -1)

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
        points: list[tuple[Any, Place]] = []
        for height, place in sorted(self.places, key=lambda p: abs(p[0]))[:2 * NEAREST]:
            far = abs(height) > 1 and len(points) >= 2
            if not far and all(height != other for other, _ in points):
                points.append((height, place))
        if not points or (len(points) == 1 and not self.slope):
            return None
        heights = [height for height, _ in points[:NEAREST]]
        start = points[0][1].x
        offsets = [self.real(place.x - start) for _, place in points[:NEAREST]]
        slope = self.slope if len(heights) == 1 else (heights[1] - heights[0]) / offsets[1]
        line = self._along(heights, offsets, start) if len(heights) > 1 else None
        if line is not None:
            return start + _exact(line), abs(line) * EVEN, slope
        ways = []
        for gap in self._gaps(offsets, start):
            step = self._step(heights, offsets, gap)
            if mp.isfinite(step) and start + _exact(step) > 0:
                before = self._step(heights[:-1], offsets[:-1], gap) if len(heights) > 2 else 0
                ways.append((abs(step - before), step))
        if not ways:
            return None
        one = self.real(start)
        short = [way for way in ways if -one / 2 < way[1] < one]
        # few places tell little of what is far away: there the powers of x are the safest
        miss, step = min(ways) if len(heights) > 2 else (short or ways[-1:])[0]
        return start + _exact(step), miss * self.rough if len(heights) == 1 else miss, slope

    def _gaps(self, offsets: list[Any], start: Fraction) -> list[Any]:
        """How far from a place is what powers are taken of: the function's end, if it is right of
        all places; nothing; and 0."""
        one, gap = self.real(start), self.real(self.end.x - start) if self.end else 0
        return [*([gap] if all(x < gap for x in (0, *offsets)) else []), None,
                *([-one] if all(x > -one for x in (0, *offsets)) else [])]

    def _step(self, heights: list[Any], offsets: list[Any], gap: Any) -> Any:
        """The step to height 0; by the log of the distance from what is so far away."""
        if gap is None:
            return -heights[0] / self.slope if len(heights) == 1 else _inverse(heights, offsets)
        log1p, expm1 = (math.log1p, math.expm1) if self.digits <= WHOLE else (mp.log1p, mp.expm1)
        log = heights[0] / (self.slope * gap) if len(heights) == 1 else _inverse(
            heights, [log1p(-x / gap) for x in offsets])
        return -gap * expm1(log) if log < FAR else mp.nan

    def _along(self, heights: list[Any], offsets: list[Any], start: Fraction) -> float | None:
        """The step in a cell that has been seen at two places; None elsewhere."""
        if self.cells is None or self.digits > WHOLE or max(
                abs(x) for x in (*heights[:2], offsets[1])) > FAR:
            return None
        one, other = (math.expm1(x) for x in heights[:2])
        share = one * math.expm1(offsets[1]) / (one - other) if one != other else -1.0
        step = math.log1p(share) if share > -1 else math.nan
        places = [(float(start) + x - self.cells[0]) / self.cells[1] for x in (0, offsets[1], step)]
        return step if all(abs(x) < 1e15 and math.floor(x) == math.floor(places[0])
                           for x in places) else None

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


def crossing(known: Bracket) -> tuple[Place, Place]:
    """Two places with proved sides, 1 and -1, whose distance is below 10^-digits of the lower one.

    At least one place has been seen.  Both are the left end of the domain where that is not left of
    the crossing.  Raises :class:`Unsupported` where no crossing is found, and where sides stay
    open.

    >>> known = Bracket(lambda x, digits: Place(x, 5 / x**2, 1 if x * x < 5 else -1), digits=6)
    >>> place = known.see(Fraction(1))
    >>> low, high = crossing(known)
    >>> low.x**2 < 5 <= high.x**2, high.x - low.x < Fraction(3, 10**6), len(known.places) < 12
    (True, True, True)
    """
    with mp.workdps(known.digits + 20):
        return _crossing(known)


def _crossing(known: Bracket) -> tuple[Place, Place]:
    digits, goal = known.digits, Fraction(1, 10**known.digits)
    slow, last = 0, None
    for _ in range(MOST_LOOKS):
        width = known.ratio()
        if width is not None and width <= goal:
            assert known.low is not None and known.high is not None
            return known.low, known.high
        if known.high is not None and known.high.x == known.first:
            return known.high, known.high
        found = known.guess()
        if known.first is not None and known.first_is_due(found):
            if known.see(known.first).side is None:
                raise Unsupported(_open(known.first, known.digits))
            continue
        if found is None or slow > 2 or not (known.near(found[0]) or known.ends_at(found[0], goal)):
            _cut(known)
            slow = 0
            continue
        place, miss, slope = found
        wanted = known.wanted(place, miss, slope)
        # interpolation gains at least what it gained by the look before
        left = miss * min(1, miss / last) if last else miss
        last = miss
        if _exact(left) * 8 < goal * place or known.ends_at(place, goal):
            # one trial on each side, together within what is wanted
            seen = known.low, known.high
            # beside a place on the other side the first of them may do
            for side in (1, -1) if known.met() is None else (-1, 1):
                if known.is_done():
                    break
                trial = _short(place + side * goal * place * 2 / 5, digits + 4)
                if known.inside(trial) and known.see(trial, wanted).side is None:
                    raise Unsupported(_open(trial, wanted))
            if (known.low, known.high) == seen:
                # both lie where the sides are known: the guess is a wrong one
                _cut(known)
        elif known.inside(trial := _short(place, digits + 4)):
            # a place that is open is so near that the next two are trials on its sides
            known.see(trial, wanted, again=False)
        else:
            # where the function vanishes nothing is learned for the next guess: it is the same one
            _cut(known)
        now = known.ratio()
        slow = slow + 1 if width is not None and now is not None and 2 * now > width else 0
    raise Unsupported(f"no bracket of {digits} digits is found by {MOST_LOOKS} looks")


def _cut(known: Bracket) -> None:
    place = known.middle()
    if not Fraction(1, 2**known.farthest) < place < 2**known.farthest:
        raise Unsupported(f"no crossing is found between 2^-{known.farthest} and "
                          f"2^{known.farthest}")
    width = known.ratio()
    wanted = known.wanted(place, known.real(place if width is None else width * place), 0)
    for _ in range(3):
        if known.see(place, wanted).side is not None:
            return
        # one that stays open is passed on one side
        place, wanted = place * Fraction(1021, 1024), 2 * wanted
    raise Unsupported(_open(place, wanted))


def _open(x: Fraction, digits: int) -> str:
    return (f"on which side of the crossing {float(x):.6g} lies is open at {digits} digits: it may "
            "be the very place")


def _inverse(heights: list[Any], offsets: list[Any]) -> Any:
    """The polynomial through (height, offset) at height 0, by Neville's scheme."""
    column = list(offsets)
    for k in range(1, len(column)):
        for i in range(len(column) - k):
            a, b = heights[i], heights[i + k]
            column[i] = (a * column[i + 1] - b * column[i]) / (a - b)
    return column[0]


def _exact(x: Any) -> Fraction:
    """The number that a double or an ``mpf`` is."""
    if isinstance(x, float):
        return Fraction(x)
    sign, mantissa, power, _ = x._mpf_
    size: Fraction = Fraction(int(mantissa)) * Fraction(2) ** power
    return -size if sign else size


def _short(x: Fraction, digits: int) -> Fraction:
    """A decimal of about so many digits."""
    size = math.log2(x.numerator) - math.log2(x.denominator)
    unit: Fraction = Fraction(10) ** (math.floor(size * math.log10(2)) - digits)
    return Fraction(round(x / unit)) * unit


__all__ = ["Bracket", "Place", "crossing"]
