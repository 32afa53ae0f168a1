"""Some atoms of overlapping mixtures of discrete Gaussians, in doubles: choices only.

Two logarithms of each atom serve all orders.  With NumPy, where it is installed, a sum takes some
ten microseconds; without it a hundred times as long.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

from lapdp.core.effort import spend

try:
    import numpy as np
except ImportError:  # it comes with lapdp[fast]
    np = None  # type: ignore[assignment]

ENOUGH = 9
"""Deviations up to which the mass of all atoms lies, nearly."""


class CoarseAtoms:
    """log z1, log z2 and -x^2/(2 v) of :mod:`lapdp.accounting.moments.mixed_theta` at the multiples
    x of a stride, next to each other, as far as they have been asked for."""

    def __init__(self, first: float, second: float, variance: float, shift: int, stride: int
                 ) -> None:
        self.weights, self.variance = (first, second), variance
        self.shift, self.stride = shift, stride
        self.first, self.last, self.rows = 0, -1, ([], [], [])  # type: int, int, Any

    def log_sum(self, order: float, first: int, last: int) -> float:
        """log of the sum of z1^q z2^(1-q) over so many strides, over the mass of all of them."""
        if not self.first <= first <= last <= self.last:
            self._grow(first, last)
        part = slice(first - self.first, last + 1 - self.first)
        spend((20 + (last - first) / 50) if np is not None else last - first)
        if np is None:
            rows = zip(*(row[part] for row in self.rows), strict=True)
            terms = [order * one + (1 - order) * two + rest for one, two, rest in rows]
            most = max(terms)
            return most + math.log(sum([math.exp(t - most) for t in terms]) / self._whole)
        one, two, rest = self.rows[:, part]
        sizes = order * one + (1 - order) * two + rest
        most = float(sizes.max())
        return most + math.log(float(np.exp(sizes - most).sum()) / self._whole)

    def log_term(self, x: int, order: float) -> float:
        """The log of one term of the sum."""
        one, two, rest = self._row(x)
        return order * one + (1 - order) * two + rest

    @cached_property
    def _whole(self) -> float:
        far = math.ceil(ENOUGH * math.sqrt(self.variance) / self.stride + 2)
        return sum(math.exp(-(self.stride * x) ** 2 / (2 * self.variance))
                   for x in range(-far, far + 1))

    def _grow(self, first: int, last: int) -> None:
        """Farther than was asked for: the next order asks for a little more."""
        if first <= self.last and last >= self.first:
            first, last = min(first, self.first), max(last, self.last)
        # else what lies between may be more than can be held: these are the first ones
        wide = last - first + 1
        first, last = first - wide // 4, last + wide // 4
        spend((last - first) * (3 if np is None else 0.1))
        places = range(self.stride * first, self.stride * last + 1, self.stride)
        self.rows = (tuple(zip(*map(self._row, places), strict=True)) if np is None
                     else self._columns(np.array(places, dtype=float)))
        self.first, self.last = first, last

    def _row(self, x: int) -> tuple[float, float, float]:
        loss = (x - self.shift / 2) * self.shift / self.variance
        one, two = (log_mixed(w, loss) for w in self.weights)
        return one, two, -x * x / (2 * self.variance)

    def _columns(self, x: Any) -> Any:
        loss = (x - self.shift / 2) * self.shift / self.variance
        one, two = (_logs(w, loss) for w in self.weights)
        return np.array([one, two, -x * x / (2 * self.variance)])


def log_mixed(w: float, loss: float) -> float:
    """log(1 - w + w e^loss)."""
    if w in (0.0, 1.0):
        return w * loss
    if loss > 0:
        return loss + math.log(w + (1 - w) * math.exp(-loss))
    return math.log1p(w * math.expm1(loss))


def _logs(w: float, loss: Any) -> Any:
    """The same of all losses."""
    if w in (0.0, 1.0):
        return w * loss
    far = np.exp(-abs(loss))
    # of e^|loss| one is taken out where it is large
    return np.where(loss > 0, loss + np.log(w + (1 - w) * far), np.log1p(w * (far - 1)))


__all__ = ["CoarseAtoms", "log_mixed"]
