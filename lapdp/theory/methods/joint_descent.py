"""Where a function of several real letters is least: descents in all letters together.

Each letter moves on a chart of its range, on which a step of one changes its scale: a border and
infinity are a few hundred steps away.  Newton's steps with the Hessian made positive follow narrow
valleys, leaps leave flat places and saddles; conditions on several letters are kept by a barrier,
kinks are smoothed, and both fade.  Numbers have so many digits that a depth of 10^-80 is seen.
Nothing is proved here: what is found is a point to look at.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import sympy as sp
from flint import arb
from mpmath import mp

from lapdp.core.precision import workprec
from lapdp.theory.methods.charts import BITS, Chart, Place, compiled, constant, smoothed

STARTS, DRAWN = 6, 40
"""Descents of one function; places per letter among which they begin."""
_NEWTON, _ROUNDS, _HALVINGS, _NEARER = 120, 6, 12, 2
_LONGEST, _CENTRE, _DEPTH = 8, 1.5, 60
_CORRECTIONS, _LOW, _EDGE = 6, 1e-6, 1e-20
_LEAPS = (-100, -30, -10, -3, -1, -0.3, -0.05, 0.05, 0.3, 1, 3, 10, 30, 100)
_SPANS = (1, 3, 8, 1)

@dataclass(frozen=True)
class Valley:
    """Where a descent ended: the values of the letters, their place, and the function there."""

    point: dict[Any, Any]
    place: Place
    value: Any
    settled: bool


class Landscape:
    """A function on the domain that conditions ``h > 0`` leave of the charts.

    >>> from lapdp.theory.methods.charts import charts_of
    >>> x, y = sp.symbols("x y", real=True)
    >>> charts = charts_of({x: (-sp.oo, sp.oo), y: (-sp.oo, sp.oo)})
    >>> least = min(Landscape((x**3 - 2)**2 + (y - x)**2, [], charts).descents(0, []),
    ...             key=lambda v: v.value)
    >>> bool(least.value < 1e-60), round(float(least.point[y]), 6)
    (True, 1.259921)
    """

    def __init__(self, f: Any, conditions: Sequence[Any], charts: Sequence[Chart],
                 bits: int = BITS, digits: int = 1, bottomless: bool = False) -> None:
        self.charts, self.bits, self._bottomless = list(charts), bits, bottomless
        self._fade = sp.Symbol("fade", positive=True)
        smooth = smoothed(f, self._fade)
        self._gradual, self._digits = smooth != f or bool(conditions), digits
        moving = {c.letter: bool(c.letter.is_nonnegative) for c in charts}
        with workprec(bits):
            self._true, self._smooth, *self._inside = (
                compiled(e, {**moving, self._fade: True}) for e in (f, smooth, *conditions))
        self.spent = 0
        self.scale = self.floor = arb(0)

    def at(self, place: Place) -> Any:
        """The function at a place of the domain, else None."""
        point = self.point(place)
        if any(h is None or not h > 0 for h in (inside(point) for inside in self._inside)):
            return None
        self.spent += 1
        return self._true(point)

    def is_at_border(self, place: Place) -> bool:
        """Is a condition about to fail there?"""
        point = self.point(place)
        return any(h is None or bool(h < _EDGE) for h in (f(point) for f in self._inside))

    def point(self, place: Place) -> dict[Any, Any]:
        """The values of the letters at a place."""
        return {c.letter: c.value(u) for c, u in zip(self.charts, place, strict=True)}

    def starts(self, seed: int, given: Sequence[Mapping[Any, Any]]) -> Iterator[Place]:
        """Places at random, and near given points."""
        rng = random.Random(seed)
        for point in given:
            near = [c.place(constant(point[c.letter])) for c in self.charts]
            yield tuple(near)
            for k in range(_NEARER):
                yield tuple(u if c.letter.is_integer else (u + c.draw(rng, 0.3 / 8**k)).mid()
                            for c, u in zip(self.charts, near, strict=True))
        for n in range(DRAWN * len(self.charts)):
            yield tuple(c.draw(rng, _SPANS[n % 4]) for c in self.charts)

    def descents(self, seed: int, given: Sequence[Mapping[Any, Any]], starts: int = STARTS
                 ) -> Iterator[Valley]:
        """The ends of descents from the lowest places that are drawn, and from others among them;
        all of them are places of the domain.  One that goes below the floor ends there: that is as
        good as 0, by the size of the function in the middle and the digits of its numbers."""
        with workprec(self.bits):
            seen = [(v, u) for u in self.starts(seed, given) if (v := self.at(u)) is not None]
            seen.sort(key=lambda one: one[0])
            near = [v for v, u in seen if all(abs(x) < _CENTRE for x in u)] or [v for v, _ in seen]
            self.scale = abs(near[len(near) // 2]) if seen else arb(0)
            depth = arb(10) ** -(2 * self._digits + _DEPTH)
            self.floor = arb("-inf") if self._bottomless else (self.scale * depth).mid()
            chosen: list[Place] = []
            for _, u in [*seen[:: max(1, len(seen) // 3)], *seen]:
                if len(chosen) < starts and all(_apart(u, other) for other in chosen):
                    chosen.append(u)
        for u in chosen:
            # whoever takes an end works at a precision of its own, and may ask for no other one
            with workprec(self.bits):
                end = self._end(u)
            yield end

    def _end(self, u: Place) -> Valley:
        settled, before = False, None
        for fade in _fades(self._digits) if self._gradual else [arb(0)]:
            start = u if before is None else self._ahead(u, *before, fade)
            before = u, fade
            u, settled = self._descend(start, fade)
            value = self.at(u)
            if value is not None and value < self.floor:
                break
        return Valley(self.point(u), u, self.at(u), settled)

    def _ahead(self, u: Place, old: Place, faded: Any, fade: Any) -> Place:
        """Where the ends for what has faded so far lead; there if it is lower."""
        # they move as the fading does, up to its square
        k = (fade - faded) / (faded - faded ** (arb(2) / 3))
        guess = tuple((x + k * (x - y)).mid() for x, y in zip(u, old, strict=True))
        f = self._gentle(fade)
        here, there = f(u), f(guess)
        return guess if there is not None and (here is None or there < here) else u

    def _is_below(self, u: Place, value: Any) -> bool:
        """Is the function itself below the floor there, where what is descended is?"""
        if not value < self.floor or not self._gradual:
            return bool(value < self.floor)
        true = self.at(u)
        return true is not None and bool(true < self.floor)

    def _gentle(self, fade: Any) -> Callable[[Place], Any]:
        """The function with its kinks smoothed and the barrier of the conditions."""
        def f(place: Place) -> Any:
            self.spent += 1
            if any(abs(u) > c.reach for c, u in zip(self.charts, place, strict=True)
                   if not c.letter.is_integer):
                return None
            point: dict[Any, Any] = {**self.point(place), self._fade: fade}
            inside = [h(point) for h in self._inside]
            if any(h is None or not h > 0 for h in inside):
                return None
            value = self._smooth(point)
            for h in inside:
                value = None if value is None else (value - fade * h.log()).mid()
            return value
        return f

    def _descend(self, u: Place, fade: Any) -> tuple[Place, bool]:
        """Where Newton's steps and leaps end; have they come to an end?"""
        f = self._gentle(fade)
        value = f(u)
        for _ in range(_ROUNDS):
            if value is None:
                return u, False
            before = value
            u, value = self._leap(f, *self._newton(f, u, value))
            if self._is_below(u, value) or not value < before - abs(before) / 1024:
                return u, True
        return u, False

    def _leap(self, f: Callable[[Place], Any], u: Place, value: Any) -> tuple[Place, Any]:
        """One letter a long way, or all of them outwards."""
        moves = [(i, step) for i in range(len(u)) for step in _LEAPS]
        for i, step in moves:
            whole = self.charts[i].letter.is_integer
            other = list(u)
            other[i] = (u[i] + (round(step) or (1 if step > 0 else -1) if whole else step)).mid()
            at = f(tuple(other)) if self._in_range(i, other[i]) else None
            if at is not None and at < value:
                u, value = tuple(other), at
        for factor in (2, 4):
            other = [x if c.letter.is_integer else (x * factor).mid()
                     for c, x in zip(self.charts, u, strict=True)]
            at = f(tuple(other))
            if at is not None and at < value:
                u, value = tuple(other), at
        return u, value

    def _in_range(self, i: int, u: Any) -> bool:
        c = self.charts[i]
        return not c.letter.is_integer or ((c.low is None or u >= c.low) and (
            c.high is None or u <= c.high))

    def _newton(self, f: Callable[[Place], Any], u: Place, value: Any) -> tuple[Place, Any]:
        small = arb(2) ** (-self.bits // 4)
        for _ in range(_NEWTON):
            step = self._step(f, u, value, small)
            if step is None:
                break
            best, at = _along(f, u, step, value)
            if not at < value - abs(value) / 64 and value < self.scale * _LOW:
                best, at = min((best, at), self._bent(f, u, step, value, small),
                               key=lambda one: one[1])
            if not at < value:
                break
            done = value - at <= abs(value) * small
            u, value = best, at
            if done or self._is_below(u, value):
                break
        return u, value

    def _bent(self, f: Callable[[Place], Any], u: Place, step: Place | None, value: Any, small: Any
              ) -> tuple[Place, Any]:
        """Along a valley that is narrow and bent: a whole step, and whole steps back into it."""
        best, at = u, value
        for _ in range(_CORRECTIONS):
            if step is None:
                break
            u = tuple((x + s).mid() for x, s in zip(u, step, strict=True))
            there = f(u)
            if there is None:
                break
            if there < at:
                best, at = u, there
            step = self._step(f, u, there, small)
        return best, at

    def _step(self, f: Callable[[Place], Any], u: Place, value: Any, small: Any) -> Place | None:
        """Newton's step with the absolute values of the Hessian's eigenvalues; None where no
        slope is seen."""
        free = [i for i, c in enumerate(self.charts) if not c.letter.is_integer]

        def moved(*by: tuple[int, int]) -> Any:
            other = list(u)
            for i, sign in by:
                other[i] = other[i] + sign * small
            return f(tuple(x.mid() for x in other))

        up, down = ([moved((i, sign)) for i in free] for sign in (1, -1))
        if not free or None in up or None in down:
            return None
        slope = [(a - b) / (2 * small) for a, b in zip(up, down, strict=True)]
        bend = [[(up[i] + down[i] - 2 * value) / small**2] * len(free) for i in range(len(free))]
        for i, j in combinations(range(len(free)), 2):
            both = moved((free[i], 1), (free[j], 1))
            if both is None:
                return None
            bend[i][j] = bend[j][i] = (both - up[i] - up[j] + value) / small**2
        way = _downwards(slope, bend, self.bits)
        if way is None:
            return None
        step = [arb(0)] * len(u)
        for i, s in zip(free, way, strict=True):
            step[i] = max(min(s, arb(_LONGEST)), arb(-_LONGEST))
        return tuple(step)


def _downwards(slope: Sequence[Any], bend: Sequence[Sequence[Any]], bits: int) -> list[Any] | None:
    """Newton's step along the axes of the Hessian, away from none; None where all is flat."""
    if not any(abs(x) > 0 for x in slope):
        return None
    with mp.workprec(bits):
        g = mp.matrix([_mpf(x) for x in slope])
        values, axes = mp.eigsy(mp.matrix([[_mpf(x) for x in row] for row in bend]))
        # a valley may be 10^50 times as steep across as along
        least = max(map(abs, values)) * mp.mpf(2) ** (-bits // 3) or mp.mpf(1)
        along = axes.T * g
        way = -(axes * mp.matrix([x / max(abs(v), least)
                                  for x, v in zip(along, values, strict=True)]))
        return [arb(x) for x in way]


def _mpf(x: Any) -> Any:
    m, e = x.mid().man_exp()
    return mp.ldexp(mp.mpf(int(m)), int(e))


def _along(f: Callable[[Place], Any], u: Place, step: Place, value: Any) -> tuple[Place, Any]:
    """The lowest place that doubling, or else halving, a step finds."""
    best, at, size = u, value, arb(1)
    for _ in range(_HALVINGS):
        other = tuple((x + size * s).mid() for x, s in zip(u, step, strict=True))
        there = f(other)
        if there is not None and there < at:
            best, at = other, there
            if size < 1:
                break
            size = size * 2
        elif at < value:
            break
        else:
            size = size / 2
    return best, at


def _fades(digits: int) -> list[Any]:
    """From a tenth to 10^-45 and less, each the power 3/2 of the one before."""
    found = [arb("0.1")]
    while found[-1] > arb(10) ** -(44 + digits):
        found.append((found[-1] ** arb(1.5)).mid())
    return found


def _apart(u: Place, other: Place) -> bool:
    return any(abs(a - b) > 0.25 for a, b in zip(u, other, strict=True))


__all__ = ["Landscape", "Valley"]
