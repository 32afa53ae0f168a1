"""Exponentials of many doubles at once, with proved errors: polynomials beside a table.

No elementary function of doubles is used, whose errors no standard bounds: sums and products alone
are rounded, by at most 2^-53 each.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import flint
import numpy as np

from lapdp.core.precision import workprec

FARTHEST = 64
"""Exponentials are 0 from e^-64 on."""
PART, TERMS = 16, 10
"""Parts of a unit in the table of exponentials, and terms of their polynomials beside it: the
rest is below 2^-70."""


@lru_cache(maxsize=1)
def _table() -> Any:
    """e^-x at the parts of units."""
    with workprec(128):
        return np.array([float((flint.arb(-n) / PART).exp()) for n in range(PART * FARTHEST + 1)])


def falling(x: Any) -> Any:
    """e^-x for x >= 0, within 4 roundings of it; 0 beyond FARTHEST.

    >>> round(float(falling(np.array([1.0]))[0]), 12)
    0.367879441171
    """
    part = np.minimum(np.floor(x * PART), PART * FARTHEST)
    value = _table()[part.astype(int)] * _series(x - part / PART, 1)
    return np.where(x < FARTHEST, value, 0.0)


def risen(x: Any) -> Any:
    """1 - e^-x for x >= 0, within 64 roundings of it.

    >>> float(risen(np.array([1e-20]))[0])
    1e-20
    """
    near = np.minimum(x, 1 / PART)
    return np.where(x < 1 / PART, near * _series(near, 2), 1 - falling(x))


def _series(x: Any, first: int) -> Any:
    """1 - x/n (1 - x/(n + 1) (1 - ...)) for x up to a part of a unit: each factor is off by two
    roundings of its share of 1, so that all of it is off by less than 2."""
    total = np.ones_like(x)
    for k in range(first + TERMS, first - 1, -1):
        total = 1 - x / k * total
    return total


__all__ = ["FARTHEST", "falling", "risen"]
