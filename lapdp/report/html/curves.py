"""Curves of one real variable as an SVG drawing: small, labelled, the same every time.

Only what is plotted comes in: nothing is computed between the points.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

WIDTH, HEIGHT = 420, 190
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 10, 30
JUMP, STEEPER = 0.25, 4.0
"""A step of this share of the whole height, so much larger than the steps beside it, is a gap."""
BEYOND = 40.0
"""Values so many times the middle one are cut off."""
MINUS = "\u2212"
CLASSES = ("first", "second")

Point = tuple[float, float | None]


@dataclass(frozen=True)
class Curve:
    """A name and points in order; None where there is no value."""

    name: str
    points: tuple[Point, ...]

    @property
    def values(self) -> list[float]:
        """The values that there are."""
        return [y for _, y in self.points if y is not None]


def drawing(curves: Sequence[Curve], *, across: str, title: str, description: str,
            mark: float | None = None, stems: bool = False) -> str:
    """One or two curves over a common axis, the second dashed; ``mark`` is a vertical line.

    With ``stems`` each point is a dot and nothing joins them: a sequence, or masses.  The title and
    the description are read aloud by screen readers.  Empty where no curve has two values.

    >>> line = Curve("y", ((0.0, 0.0), (1.0, 2.0), (2.0, None)))
    >>> drawing([line], across="x", title="a line", description="from 0 to 2").count("<polyline")
    1
    >>> drawing([Curve("y", ((0.0, 1.0),))], across="x", title="", description="")
    ''
    """
    values = [y for curve in curves for y in curve.values]
    places = [x for curve in curves for x, _ in curve.points]
    if len(values) < 2 or min(places) == max(places):
        return ""
    frame = _Frame.around(places, _near(values, [
        y for curve in curves for x, y in curve.points if x == mark and y is not None]))
    parts = [f'<svg class="plot" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" '
             f'height="{HEIGHT}"><title>{escape(title)}</title><desc>{escape(description)}</desc>']
    parts += frame.axes(across)
    if mark is not None:
        x = frame.x(mark)
        parts.append(f'<line class="mark" x1="{x}" y1="{TOP}" x2="{x}" y2="{HEIGHT - BOTTOM}"/>')
    for curve, kind in zip(curves, CLASSES, strict=False):
        parts += frame.curve(curve, kind, stems)
    return "".join([*parts, "</svg>"])


@dataclass(frozen=True)
class _Frame:
    """Where values lie in the drawing."""

    low: float
    high: float
    bottom: float
    top: float

    @classmethod
    def around(cls, places: Sequence[float], values: Sequence[float]) -> _Frame:
        bottom, top = min(values), max(values)
        room = (top - bottom) * 0.06 or abs(top) * 0.1 or 1.0
        return cls(min(places), max(places), bottom - room, top + room)

    def x(self, x: float) -> str:
        share = (x - self.low) / (self.high - self.low)
        return _short(LEFT + share * (WIDTH - LEFT - RIGHT))

    def y(self, y: float) -> str:
        share = (y - self.bottom) / (self.top - self.bottom)
        return _short(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM))

    def axes(self, across: str) -> Iterator[str]:
        floor = HEIGHT - BOTTOM
        yield (f'<path class="axis" d="M{LEFT} {TOP}V{floor}H{WIDTH - RIGHT}"/>')
        for tick, label in _labelled(ticks(self.bottom, self.top)):
            yield (f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{self.y(tick)}" '
                   f'y2="{self.y(tick)}"/><text x="{LEFT - 6}" y="{self.y(tick)}" dy=".35em" '
                   f'text-anchor="end">{label}</text>')
        for tick, label in _labelled(ticks(self.low, self.high)):
            yield (f'<text x="{self.x(tick)}" y="{floor + 14}" text-anchor="middle">'
                   f'{label}</text>')
        yield (f'<text class="across" x="{WIDTH - RIGHT}" y="{HEIGHT - 3}" text-anchor="end">'
               f'{escape(across)}</text>')

    def curve(self, curve: Curve, kind: str, stems: bool) -> Iterator[str]:
        if stems:
            for x, y in curve.points:
                if y is not None:
                    yield f'<circle class="{kind}" cx="{self.x(x)}" cy="{self.y(y)}" r="3.5"/>'
            return
        for run in self._runs(curve.points):
            if len(run) == 1:
                x, y = run[0]
                yield f'<circle class="{kind}" cx="{self.x(x)}" cy="{self.y(y)}" r="3"/>'
            else:
                joined = " ".join(f"{self.x(x)},{self.y(y)}" for x, y in run)
                yield f'<polyline class="{kind}" points="{joined}"/>'

    def _runs(self, points: Sequence[Point]) -> list[list[tuple[float, float]]]:
        """Points that a line may join: without a gap or a jump between them."""
        seen = [(x, y if y is not None and self.bottom <= y <= self.top else None)
                for x, y in points]
        steps = [None if a is None or b is None else abs(b - a)
                 for (_, a), (_, b) in pairwise(seen)]
        runs: list[list[tuple[float, float]]] = [[]]
        for k, (x, y) in enumerate(seen):
            here = steps[k - 1] if k else None
            beside = [s for s in (*steps[max(0, k - 2):max(0, k - 1)], *steps[k:k + 1])
                      if s is not None]
            jump = (here is not None and beside and here > JUMP * (self.top - self.bottom)
                    and (here > STEEPER * max(beside) or _alone(seen, k) or _alone(seen, k - 1)))
            if (y is None or jump) and runs[-1]:
                runs.append([])
            if y is not None:
                runs[-1].append((x, y))
        return [run for run in runs if run]


def _alone(points: Sequence[Point], k: int) -> bool:
    """Does a point stand out from both of its neighbours, which agree: one value of its own?"""
    if not 0 < k < len(points) - 1:
        return False
    before, here, after = (y for _, y in points[k - 1:k + 2])
    if before is None or here is None or after is None:
        return False
    return STEEPER * abs(after - before) < min(abs(here - before), abs(here - after))


def _near(values: Sequence[float], kept: Sequence[float]) -> list[float]:
    """The values without those that would flatten all others."""
    sizes = sorted(abs(y) for y in values if y)
    if not sizes:
        return list(values)
    limit = BEYOND * sizes[len(sizes) // 2]
    return [*kept, *(y for y in values if abs(y) <= limit)]


def ticks(low: float, high: float, about: int = 4) -> list[float]:
    """Round numbers between two others.

    >>> ticks(-0.2, 1.1), ticks(3, 7)
    ([0.0, 0.5, 1.0], [3.0, 4.0, 5.0, 6.0, 7.0])
    """
    raw = (high - low) / about
    power = 10.0 ** _exponent(raw)
    step = next(m * power for m in (1, 2, 5, 10) if m * power >= raw * 0.999)
    first = -int(-low // step) if low % step else int(low // step)
    found = [k * step for k in range(first, first + 3 * about) if low <= k * step <= high]
    assert all(b > a for a, b in pairwise(found))
    return found


def _exponent(number: float) -> int:
    return int(f"{number:e}".partition("e")[2])


def _labelled(numbers: Sequence[float]) -> list[tuple[float, str]]:
    """Numbers with as many digits as tell them apart."""
    for digits in range(4, 16):
        labels = [f"{number:.{digits}g}".replace("-", MINUS) for number in numbers]
        if len(set(labels)) == len(numbers):
            break
    return list(zip(numbers, labels, strict=True)) if numbers else []


def _short(number: float) -> str:
    return f"{number:.1f}".removesuffix(".0")


__all__ = ["Curve", "Point", "drawing", "ticks"]
