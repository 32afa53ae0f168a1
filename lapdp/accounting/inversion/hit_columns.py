"""Integrands of windowed subsampled Gaussians on a real grid, in doubles: choices only."""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.window_bounds import (
    LINES,
    Window,
    is_added,
    weight_of,
    widest_shift,
)
from lapdp.core.effort import spend

try:
    import numpy as np
except ImportError:  # it comes with lapdp[fast]
    np = None  # type: ignore[assignment]

GRID, LEFT, STEEP = 1 / 16, -12.0, 700.0
BULK, BEFORE = 30.0, 6.0
"""Where usual losses end, and how far below its place the window of all usual ones is looked at."""
ERFC = (0.17087277, -0.82215223, 1.48851587, -1.13520398, 0.27886807, -0.18628806, 0.09678418,
        0.37409196, 1.00002368, -1.26551223)
ROOM, MOST_TURNED = 8.0, 40.0
"""A logarithm that is left between what counts and what does not; one that lines may
cost."""


class Column:
    """The integrand of one factor on a grid of real places, in doubles."""

    def __init__(self, s: MixedNormalSpectrum, window: Window, goal: float) -> None:
        w, kappa = weight_of(s), s.doubles[2]
        self.added = is_added(s)
        self.root, self.window = math.sqrt(2 * kappa), window
        # what a line errs by at the end of its window, beside the integrand there
        self.most = goal * 5 / 4 + ROOM
        self.goal = goal
        n, cells = _grid(window)
        loss = np.minimum(self.root * n - kappa, STEEP)
        self.n, self.z, self.rest = n, w * np.exp(loss), 1 - w
        self.log = np.log1p(w * np.expm1(loss))
        base = -n * n / 2 + np.log(cells / math.sqrt(2 * math.pi))
        inside, outside = (log_falls(side * (n - window.place), window.width) for side in (1, -1))
        self.low: Any = None
        self.low_rest: Any = None
        if window.usual is not None:
            one, two = (log_falls(side * (n - window.usual.place), window.width)
                        for side in (1, -1))
            reach = int((n < window.usual.end).sum())
            self.low = base[:reach] + one[:reach]
            self.low_rest = two[:reach]
            middle = (window.usual.place + window.place) / 2
            inside = np.where(n > middle, inside, two)
            outside = np.logaddexp(outside, one)
        self.high, self.high_rest = base + inside, outside
        self.falls: dict[bool, Any] = {}

    def usual(self, order: float) -> float:
        """log U, of all where none are told apart; infinite where its window ends too early."""
        if self.low is None:
            return self.hits(order)
        return self._whole(self.low + self._power(order) * self.log[:len(self.low)])

    def hits(self, order: float) -> float:
        """log H, or that of all, likewise."""
        return self._whole(self.high + self._power(order) * self.log)

    def _power(self, order: float) -> float:
        """Of z: g."""
        return 1 - order if self.added else order

    def _whole(self, sizes: Any) -> float:
        spend(10 + len(sizes) / 50)
        found = log_sum(sizes)
        return found if sizes[-1] < found - self.most else math.inf

    def cut(self, order: float, goal: float) -> float | None:
        """Beyond which place less than e^-``goal`` of U lies, far from where its window falls."""
        found = None if self.low is None else self._cut(order, goal)
        return None if found is None else float(self.n[found])

    def _cut(self, order: float, goal: float) -> int | None:
        sizes = self.low + self._power(order) * self.log[:len(self.low)]
        most = log_sum(sizes) - goal - math.log(len(sizes))
        place = int(np.flatnonzero(sizes > most)[-1]) + 1
        return place if place < len(sizes) and self.n[place] > 0 and (
            self.low_rest[place] < -goal) else None

    def once(self, eps: float) -> float:
        """log of the mean of 1 - e^(eps - Z), Z > eps."""
        over = self.log > eps
        if not over.any():
            return -math.inf
        logs = self.log[over]
        return log_sum(self.high[over] + logs + np.log(-np.expm1(eps - logs)))

    def shift(self, order: float, height: float, usual: bool = False, whole: bool = False
              ) -> tuple[float, float]:
        """(log of the bound of the decay, y), of the usual losses or of all others; of the former
        on the ``whole`` of their window, or as far as they count."""
        sizes, rests = (self.low, self.low_rest) if usual else (self.high, self.high_rest)
        # both fall as steeply
        width, spread = self.window.width, self.window.spread
        place = self._cut(order, self.goal + ROOM) if usual and not whole else None
        if place is not None:
            # there is no window before that place
            sizes, rests, width, spread = sizes[:place], rests[:place], math.inf, 1.0
        reach = len(sizes)
        spend(50 + reach * len(LINES) / 60)
        y, logs, turns = self._turned
        order, share = self._power(order), self.z[reach - 1] / (self.rest + self.z[reach - 1])
        edge = sizes[-1] + order * self.log[reach - 1]
        known = y * y / width**2 <= STEEP
        if order < 0:
            # a rule on that line needs more nodes where |z|^g may be far larger there
            known &= order * np.log(np.maximum(np.cos(self.root * y / 2), 1 - share * (
                1 - np.cos(self.root * y)))) <= MOST_TURNED
        here = sizes + order * logs[known, :reach] - height * turns[known, :reach]
        if place is None:
            here += self._falls(usual)[known]
        y, tops = y[known], here.max(axis=1)
        total = tops + np.log(np.exp(here - tops[:, None]).sum(axis=1))
        found = np.logaddexp(total + y * y / 2, np.log(y) + edge + spread * y * y / 2)
        best = int(found.argmin())
        return float(found[best]), float(y[best])

    @cached_property
    def _turned(self) -> tuple[Any, Any, Any]:
        """The lines y, and log |z| and arg z on them: a row for each."""
        y = widest_shift(self.root) * np.array(LINES)
        turned = np.log(self.rest + self.z * np.exp(1j * self.root * y)[:, None])
        return y, turned.real, turned.imag

    def _falls(self, usual: bool) -> Any:
        """By how much a window grows on each line, as a logarithm, nearly."""
        if usual not in self.falls:
            more = np.minimum(self._turned[0] ** 2 / self.window.width**2, STEEP)
            self.falls[usual] = np.log1p((2 * np.exp(more) + 2)[:, None] * np.exp(
                self.low_rest if usual else self.high_rest))
        return self.falls[usual]

    def decay(self, order: float, height: float, usual: bool = False) -> float:
        """The bound of the decay."""
        return self.shift(order, height, usual)[0]


def _grid(window: Window) -> tuple[Any, Any]:
    """Places and the lengths of their cells: what lies between usual losses and where their window
    falls is next to nothing where that is far; elsewhere no step may change, which the moment of
    many releases would see."""
    step = min(GRID, window.width / 2)
    if step == GRID or window.usual is None or window.usual.place - BEFORE < BULK:
        step = step if window.usual is not None else GRID
        n = np.arange(LEFT, window.end, step)
        return n, np.full(len(n), step)
    near, far = np.arange(LEFT, BULK, GRID), np.arange(
        window.usual.place - BEFORE, window.end, step)
    return np.append(near, far), np.append(np.full(len(near), GRID), np.full(len(far), step))


def log_sum(x: Any) -> float:
    """log of the sum of what these are the logs of."""
    top = float(x.max())
    return top + math.log(float(np.exp(x - top).sum())) if math.isfinite(top) else top


def log_falls(x: Any, width: float) -> Any:
    """log erfc(x/s)/2 to about seven places, by the fit of Numerical Recipes, section 6.2.2."""
    t = x / width
    far = np.abs(t)
    u = 1 / (1 + far / 2)
    tail = np.log(u / 2) - far * far + np.polyval(ERFC, u)
    return np.where(t < 0, np.log1p(-np.exp(tail)), tail)


__all__ = ["ROOM", "Column", "log_falls", "log_sum", "np"]
