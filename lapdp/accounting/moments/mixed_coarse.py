"""Coarse rules for overlapping mixtures of normal distributions, in doubles: choices only.

With NumPy, where it is installed, a sum takes some ten microseconds; without it ten times as long.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

from lapdp.core.effort import spend

try:
    import numpy as np
except ImportError:  # it comes with lapdp[fast]
    np = None  # type: ignore[assignment]

COARSE = 0.4
"""The step of the rule, where the losses do not bend within it."""
GROW = 2
"""What is known reaches so much farther than was asked."""


class Coarse:
    """(log |z1/z2|, log |z2| - n^2/2, arg z1/z2) at n = step j + iy, for the lines asked for: with
    NumPy all lines that are asked for at once, in three tables."""

    def __init__(self, first: float, second: float, kappa: float) -> None:
        self.shares, self.kappa = (first, second), kappa
        self.root = math.sqrt(2 * kappa)
        self.step = COARSE / (1 if self.root < 1 else 2)
        self.known: dict[tuple[float, ...], tuple[int, Any]] = {}
        self.masses: dict[tuple[float, float], float] = {}

    def log_sums(self, order: float, height: float, lines: tuple[float, ...], low: float,
                 high: float) -> list[float]:
        """log of the mean of |z1^q z2^(1-q)| over standard normal n from low < 0 to high > 0, on
        the lines Im n = y."""
        first, last = math.floor(low / self.step), math.ceil(high / self.step)
        reach, tables = self._tables(lines, max(-first, last))
        part = slice(reach + first, reach + last + 1)
        spend(30 + len(lines) * (last - first) / 50)
        if np is None:
            found = []
            for rows in tables:
                logs = [order * one + rest - height * turn for one, rest, turn in rows[part]]
                top = max(logs)
                found.append(top + math.log(sum([math.exp(x - top) for x in logs])))
        else:
            one, rest, turn = tables
            sizes = order * one[:, part] + rest[:, part]
            if height:
                sizes -= height * turn[:, part]
            tops = sizes.max(axis=1)
            sizes -= tops[:, None]
            totals = np.exp(sizes, out=sizes).sum(axis=1)
            found = [top + math.log(total) for top, total in zip(tops.tolist(), totals.tolist(),
                                                                strict=True)]
        least = math.log(self.step / math.sqrt(2 * math.pi))
        return [x + least for x in found]

    def log_mass(self, low: float, high: float) -> float:
        """The same for z1 alone: a search asks for it at the same two ends, order after order."""
        if (low, high) not in self.masses:
            self.masses[low, high] = self.log_sums(1.0, 0.0, (0.0,), low, high)[0]
        return self.masses[low, high]

    def _tables(self, lines: tuple[float, ...], reach: int) -> tuple[int, Any]:
        known = self.known.get(lines)
        if known is None or known[0] < reach:
            reach = GROW * reach if known else reach + 8
            places = range(-reach, reach + 1)
            tables = [[self._row(self.step * j, y) for j in places] for y in lines
                      ] if np is None else self._columns(self.step * np.array(places), lines)
            known = self.known[lines] = reach, tables
        return known

    def _row(self, n: float, y: float) -> tuple[float, float, float]:
        ell = complex(self.root * n - self.kappa, self.root * y)
        one, two = (_log_mixed(share, ell) for share in self.shares)
        return (one - two).real, two.real - n * n / 2, (one - two).imag

    def _columns(self, n: Any, lines: tuple[float, ...]) -> tuple[Any, Any, Any]:
        ell = self.root * n - self.kappa + 1j * self.root * np.array(lines)[:, None]
        one, two = (_logs_mixed(share, ell) for share in self.shares)
        return (one - two).real, two.real - n * n / 2, (one - two).imag


def _log_mixed(share: float, ell: complex) -> complex:
    """log(1 - share + share e^ell) in doubles."""
    if share == 1 or (share > 0 and ell.real > 300):
        return ell + math.log(share)
    return cmath.log(1 - share + share * cmath.exp(ell)) if share else 0j


def _logs_mixed(share: float, ell: Any) -> Any:
    if share in (0.0, 1.0):
        return share * ell
    # a factor e^l is taken out where it is large
    far = np.maximum(ell.real, 0.0)
    return np.log((1 - share) * np.exp(-far) + share * np.exp(ell - far)) + far


__all__ = ["Coarse"]
