"""Integrands of windowed subsampled Gaussians on a real grid, in doubles: choices only."""

from __future__ import annotations

import math
from typing import Any

from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.windowed import LINES, Window, widest_shift

try:
    import numpy as np
except ImportError:  # it comes with lapdp[fast]
    np = None  # type: ignore[assignment]

GRID, LEFT, STEEP = 1 / 16, -12.0, 700.0
ROOM = 8.0
"""A logarithm that is left between what counts and what does not."""


class Column:
    """The integrand of one factor on a grid of real places, in doubles."""

    def __init__(self, s: MixedNormalSpectrum, window: Window, goal: float) -> None:
        w, _, kappa = s.doubles
        self.root, self.window = math.sqrt(2 * kappa), window
        # what a line errs by at the end of its window, beside the integrand there
        self.most = goal * 5 / 4 + ROOM
        n = np.arange(LEFT, window.end, GRID)
        loss = np.minimum(self.root * n - kappa, STEEP)
        self.z = w * np.exp(loss)
        self.rest = 1 - w
        self.log = np.log1p(w * np.expm1(loss))
        base = -n * n / 2 + math.log(GRID / math.sqrt(2 * math.pi))
        self.high = base + _log_falls(n - window.place, window.width)
        if window.usual is not None:
            one = n - window.usual.place
            self.low = (base + _log_falls(one, window.width))[n < window.usual.end]
            middle = (window.usual.place + window.place) / 2
            self.high = np.where(n > middle, self.high, base + _log_falls(-one, window.width))
        self.turns: list[tuple[float, Any]] = []

    def usual(self, order: float) -> float:
        """log U; infinite where its window ends too early."""
        return self._whole(self.low + order * self.log[:len(self.low)])

    def hits(self, order: float) -> float:
        """log H, or that of all, likewise."""
        return self._whole(self.high + order * self.log)

    def _whole(self, sizes: Any) -> float:
        found = _log_sum(sizes)
        return found if sizes[-1] < found - self.most else math.inf

    def once(self, eps: float) -> float:
        """log of the mean of 1 - e^(eps - Z), Z > eps."""
        over = self.log > eps
        if not over.any():
            return -math.inf
        logs = self.log[over]
        return _log_sum(self.high[over] + logs + np.log(-np.expm1(eps - logs)))

    def decay(self, order: float, height: float) -> float:
        """The bound of the decay."""
        if not self.turns:
            v = self.window.spread
            widest = widest_shift(self.window, self.root)
            for share in LINES:
                y = widest * share
                b = self.root * y
                self.turns.append((v * y * y / 2, np.arctan2(
                    self.z * math.sin(b), self.rest + self.z * math.cos(b))))
        sizes = self.high + order * self.log
        return min(more + _log_sum(sizes - height * turn) for more, turn in self.turns)


def _log_sum(x: Any) -> float:
    top = float(x.max())
    return top + math.log(float(np.exp(x - top).sum()))


def _log_falls(x: Any, width: float) -> Any:
    """log erfc(x/s)/2, nearly."""
    return np.array([math.log(math.erfc(t) / 2) if t < 25 else -t * t - math.log(3.55 * t)
                     for t in (x / width).tolist()])


__all__ = ["ROOM", "Column", "np"]
