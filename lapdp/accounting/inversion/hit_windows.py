"""Windows for rare subsampled Gaussians: choices, nothing is proved."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from lapdp.accounting.inversion.hit_columns import ROOM
from lapdp.accounting.inversion.hit_moments import Hits
from lapdp.accounting.inversion.level import likely_size
from lapdp.accounting.inversion.saddle import exponent, right_of_one, saddle
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_normal import has_hits
from lapdp.accounting.moments.window_bounds import Window, is_added, weight_of
from lapdp.accounting.moments.windowed import MOST_NODES, many
from lapdp.core.errors import Unsupported

WIDTHS, SHARP = (0.125, 0.0625), 8.0
"""Widths of windows that are tried, where this over its place is not less: where usual losses are
near, a sharper window tells them apart from more hits, with more terms of its moments."""
NEAR, FAR_LESS = 2.0, 10.0
"""What is left out lies below the goal by at least so much, a logarithm, in steps of it; by which
delta is far less than it seemed."""
BEYOND, FARTHER = 120.0, 2.0
"""A window ends after the root of so many goals and so much more widths, for moments grow; that of
usual losses after fewer."""
ROUNDS, GOAL = 6, 24.0
SOFT, SHARES = (0.125,), (0.05, 0.1, 0.2, 0.3, 0.45)
"""On several scales: widths, and where they end as shares of the places of the last windows."""


@lru_cache(maxsize=64)
def _hits(factors: Factors, windows: tuple[Window | None, ...], goal: float) -> Hits:
    return Hits(factors.parts, windows, goal)


def chosen(factors: Factors, eps: float, goal: float, width: float
           ) -> tuple[Hits, float, float, float]:
    """Windows beyond which next to nothing of delta lies, and usual losses that it is not made of;
    how far from 1 the integrand has its least value, and about the logarithm of that with a width,
    and of delta.

    The windows fall over ``width`` at most.
    """
    size, seen = likely_size(factors, eps, saddle(factors, eps, goal).size), list[float]()
    for _ in range(ROUNDS):
        known, gap, whole = _for_size(factors, eps, goal, size, width)
        found = known.log_size(eps, whole)
        if abs(found - size) < NEAR:
            return known, gap, whole, found
        if known.splits:
            seen.append(found)
        size = found
    if seen:
        # where no usual losses are told apart the line alone says far more than delta is, again and
        # again
        size = max(seen)
        known, gap, whole = _for_size(factors, eps, goal, size, width)
        found = known.log_size(eps, whole) if known.splits else min(size, whole)
    return known, gap, whole, found


def _for_size(factors: Factors, eps: float, goal: float, size: float, width: float
              ) -> tuple[Hits, float, float]:
    """If delta is about e^``size``."""
    known = _with_usual(factors, eps, goal, NEAR * math.ceil((goal - size) / NEAR + 1), width)
    return known, *least(known, eps)


def _with_usual(factors: Factors, eps: float, goal: float, least: float, width: float) -> Hits:
    """With as many usual losses as there may be for delta of them to be e^-``least``."""
    windows = [_window(s, k, goal, least, width) if has_hits(s) else None
               for s, k in factors.parts]
    # usual losses and hits have as many each
    if any(many(window, goal) > 2 * MOST_NODES for window in windows if window):
        raise Unsupported("the moments under windows that reach to all hits need too many terms")
    low, high = 1, math.floor(least)
    best: Hits | None = None
    while low <= high:
        middle = (low + high) // 2
        here = _hits(factors, tuple(None if w is None else replace(w, usual=_usual(
            w, middle + math.log(k), goal)) for w, (_, k) in zip(windows, factors.parts,
                                                                 strict=True)), goal)
        if here.best_order(eps)[1] < -least:
            best, low = here, middle + 1
        else:
            high = middle - 1
    return best or _hits(factors, tuple(windows), goal)


@dataclass(frozen=True)
class Scales:
    """Windows of one width for all factors, ever wider ones; the last one leaves out next to
    nothing."""

    factors: Factors
    rows: tuple[tuple[Window, ...], ...]
    goal: float

    def between(self, i: int | None, j: int) -> Hits | None:
        """The losses in windows j with one at least that is in none of windows i; None where these
        reach too far."""
        if i is None:
            return _hits(self.factors, self.rows[j], self.goal)
        pairs = list(zip(self.rows[i], self.rows[j], strict=True))
        if not all(low.end < high.place for low, high in pairs):
            return None
        return _hits(self.factors, tuple(replace(high, usual=low) for low, high in pairs),
                     self.goal)


def scales(factors: Factors, eps: float, goal: float) -> tuple[list[Scales], float]:
    """For several widths, and about the logarithm of delta."""
    size = likely_size(factors, eps, saddle(factors, eps, goal).size)
    found = _scales(factors, goal, size)
    if found and (one := found[0].between(len(SHARES) - 1, len(SHARES))) is not None:
        # many usual losses may be seen on a line though less than one hit is made of them
        less = one.log_size(eps, size)
        if less < size - FAR_LESS:
            return _scales(factors, goal, less), less
    return found, size


def _scales(factors: Factors, goal: float, size: float) -> list[Scales]:
    """Without those that need too many terms."""
    most, found = NEAR * math.ceil((goal - size) / NEAR + 1), []
    for width in SOFT:
        last = tuple(_window(s, k, goal, most, width) for s, k in factors.parts)
        if any(many(window, goal) > 2 * MOST_NODES for window in last):
            continue
        rows = [tuple(_usual(w, share * share * w.place**2 / 2, goal) for w in last)
                for share in SHARES]
        found.append(Scales(factors, (*rows, last), goal))
    return found


def least(known: Hits, eps: float) -> tuple[float, float]:
    """How far from 1 the integrand has its least value, and about its logarithm with a width."""
    value = exponent(known, eps)
    gap, curvature = right_of_one(value, known.upper - 1)
    # the same line for a range of eps
    gap = min(2.0 ** (round(16 * math.log2(gap)) / 16), known.upper - 1)
    whole = value(1 + gap) - math.log(2 * math.pi * max(1.0, curvature)) / 2
    if not math.isfinite(whole):
        raise Unsupported("no line is found: hits rule every moment")
    return gap, whole


def _usual(window: Window, size: float, goal: float) -> Window:
    """The window of losses that are usual: all others have a probability of about e^-size."""
    place = math.floor(8 * math.sqrt(2 * size)) / 8
    return Window(place, window.width, place + fall(window.width, goal))


def fall(width: float, goal: float) -> float:
    """From where the window of usual losses falls to where it ends."""
    return math.ceil(8 * width * math.sqrt(FARTHER * goal + ROOM)) / 8


def _window(s: Any, k: int, goal: float, least: float, widest: float) -> Window:
    """One outside of which less than e^-least of k releases lie."""
    w, kappa = weight_of(s), s.doubles[2]
    size = least + math.log(k)
    if not size > 0:
        raise Unsupported("no window of losses is found in doubles")
    rough = math.sqrt(2 * size)
    width = 2.0 ** (math.floor(2 * math.log2(min(widest, SHARP / rough))) / 2)
    wide = math.sqrt(1 + width**2 / 2)
    place = wide * rough
    if not is_added(s):
        place = max(place, math.sqrt(2 * kappa) + wide * math.sqrt(
            2 * max(size + math.log(w), 0.0)))
    place = math.ceil(8 * place) / 8
    return Window(place, width, place + math.ceil(
        4 * width * math.sqrt(FARTHER * goal + BEYOND)) / 4)


@lru_cache(maxsize=64)
def excess(factors: Factors, eps: float) -> float:
    """By how much, a logarithm, the integrand of all losses at its saddle is above delta: much
    where hits rule the moments that are too rare to be seen in delta."""
    with suppress(Unsupported, ArithmeticError, ValueError):
        size = saddle(factors, eps, GOAL).size
        found = size - likely_size(factors, eps, size)
        return found if math.isfinite(found) else 0.0
    return 0.0


__all__ = ["WIDTHS", "Scales", "chosen", "excess", "has_hits", "least", "scales"]
