"""Sums over the cells of a ray, in doubles that are rounded up: bounds of moments on rays.

On a cell of :class:`~lapdp.accounting.moments.rays.Rays` the logarithm of the integrand's size at
an order is a real combination of numbers that are known for the cell.  Its sums and products are
computed in doubles, and a bound of all their roundings is added.  With NumPy, where it is
installed, all cells at once: only sums and products are its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import flint

try:
    import numpy as np
except ImportError:  # it comes with lapdp[fast]
    np = None  # type: ignore[assignment]

ROUNDED = 1e-14
"""Covers the rounding of some sums and products of doubles, relatively."""
SLACK = 1e-10
"""Covers that of exponentials in doubles, and of sums of them."""
SMALL = 50.0
"""e to minus it is small beside the largest of a few thousand cells."""

Cell = tuple[float, ...]
"""X in the middle of a cell, its two parts; at least the logarithm of the size there at q = 0 times
the width; and by how much Re X, Im X and that logarithm change towards the ends: the middles, and
at least how far each may be off."""


def above(x: Any) -> float:
    """A double that is no smaller."""
    return math.nextafter(float(x.upper()), math.inf)


def columns(cells: Sequence[tuple[float, ...]]) -> Any:
    """The rows as a table."""
    return cells if np is None else np.array(cells).T


def part(table: Any, first: int, last: int) -> Any:
    """The cells from one place to another."""
    return table[first:last] if np is None else table[:, first:last]


def summed(cells: Any, real: float, imag: float) -> Any:
    """A bound of the sum of the integrals over cells, for an order."""
    up, aside = abs(real), abs(imag)

    def log(x: Any, y: Any, size: Any, x_moves: Any, y_moves: Any, moves: Any, x_off: Any,
            y_off: Any, off: Any) -> Any:
        middle = real * x - imag * y + size
        change = abs(real * x_moves - imag * y_moves + moves) + up * x_off + aside * y_off + off
        # a dozen roundings of numbers that are no larger than this sum
        return middle + change + ROUNDED * (up * (abs(x) + abs(x_moves)) + aside * (
            abs(y) + abs(y_moves)) + abs(size) + abs(moves) + change)

    if np is None:
        logs = [log(*cell) for cell in cells]
        top = max(logs)
    else:
        logs = log(*cells)
        top = float(logs.max())
    if not math.isfinite(top):
        return flint.arb.pos_inf()
    large = [x for x in logs if x > top - SMALL] if np is None else (
        logs[logs > top - SMALL].tolist())
    total = math.fsum([math.exp(x - top) for x in large]) + math.exp(-SMALL) * len(logs)
    return flint.arb(top).exp() * flint.arb(total) * (1 + SLACK)


def exponentials(rows: Any, s: float) -> Any:
    """The sum of e^(s x + y) over a table of (x, y), nearly: to far below :data:`SLACK`.

    The largest one is taken out: a sum of small numbers is no multiple of the least double.
    """
    if np is None:
        logs = [s * x + y for x, y in rows]
        top = max(logs)
        total = math.fsum([math.exp(x - top) for x in logs])
    else:
        logs = s * rows[0] + rows[1]
        top = float(logs.max())
        total = float(np.exp(logs - top).sum())
    return flint.arb(top).exp() * flint.arb(total)


__all__ = ["Cell", "above", "columns", "exponentials", "part", "summed"]
