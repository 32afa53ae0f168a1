"""Sums over nodes on a whole grid of heights, in double precision with a bound of all rounding.

With j = a B + b and z = e^(i step l), the sum of w z^j over the nodes is

    total + sum of w ((z^(aB) - 1) z^b + z^b - 1),

a product of two real matrices, four times.  No elementary function of doubles is used: the powers
of z come from balls at exponents c 4^p, rounded once, and from x + y + x y for the others.  So only
sums and products are rounded, by at most 2^-53 each, in whatever order they are done.

Where the nodes lie above the real line or on it, |z| <= 1: what a table of z^j is off by is not
enlarged by a product with another one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from lapdp.accounting.moments.nodal import powers as powers_of
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

UNIT = 2.0**-53
SAFE = 1 + 1e-9
"""Covers the rounding of bounds."""
BITS = 128
"""Of the balls that are rounded: differences from 1 keep their digits."""
SEED_BITS = 56
ALONE = 2**18
"""Products of matrices up to which libraries leave a product to one thread."""
GROUP = 16
"""Nodes whose terms are added at once: the fewer, the fewer roundings a term goes through."""


@dataclass(frozen=True, eq=False)
class Grid:
    """A function of heights: phi = 1 + less at step * j for 0 <= j < count, within ``error``."""

    less: Any
    error: Any


def powers(numbers: list[Any], length: int) -> Grid:
    """z^j - 1 for balls z with |z| <= 1 and j below a power of 4 that is at least ``length``: a
    row for each j.  The numbers are raised to that power."""
    found, off, levels = np.zeros((1, len(numbers)), dtype=complex), np.zeros((1, 1)), 0
    while len(found) < length:
        # z^m, z^2m and z^3m of the first m = 4^p
        rows = np.empty((3, len(numbers)), dtype=complex)
        for i, z in enumerate(numbers):
            square = z * z
            rows[0, i], rows[1, i], rows[2, i] = (
                _rounded(z - 1), _rounded(square - 1), _rounded(square * z - 1))
            numbers[i] = square * square
        slip = 2 * UNIT * np.abs(rows)
        if levels:
            parts = [joined(found, off, row, slip[c]) for c, row in enumerate(rows)]
        else:
            parts = [(row[None, :], slip[c][None, :]) for c, row in enumerate(rows)]
            off = np.zeros_like(found.real)
        found = np.concatenate([found, *(part for part, _ in parts)])
        off = np.concatenate([off, *(part for _, part in parts)])
        levels += 1
    return Grid(found, off)


def _rounded(z: Any) -> complex:
    """The double next to each part; an error of at most 2^-52 of the size."""
    if not z.rel_accuracy_bits() >= SEED_BITS and not abs(z) < 1e-290:
        raise Unsupported("a power is not known to double precision")
    return complex(float(z.real), float(z.imag))


def summed(weights: Any, sizes: Any, numbers: list[Any], count: int) -> Grid:
    """The sums on the grid, less their value at 0.

    ``sizes`` are at least |w|; an error of each w of 2^-52 |w| is counted.
    """
    with workprec(BITS):
        short = powers(numbers, math.isqrt(count - 1) + 1)
        width = len(short.less)
        long = powers(numbers, -(-count // width))
    rows = -(-count // width)
    x, y = long.less[:rows], short.less
    parts: list[Any] = []
    for first in range(0, len(weights), GROUP):
        group = slice(first, first + GROUP)
        w = weights[group]
        single = (w * y[:, group]).sum(axis=1)
        parts.append(_product(w * x[:, group], (1 + y[:, group]).T) + single[None, :])
        # as many sums are left as the number of groups has ones in binary
        while len(parts) > (first // GROUP + 1).bit_count():
            parts[-2:] = [parts[-2] + parts[-1]]
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    # what the tables are off, and the products of numbers that are at most so large: a number goes
    # through the sum of its group, a few more, and those of the groups in pairs
    passes = 1.5 * (GROUP + 8 + 2 * math.ceil(math.log2(1 + len(weights) / GROUP)))
    far = ((long.error[:rows] + passes * UNIT * np.abs(x)) * sizes).sum(axis=1)
    near = ((short.error + passes * UNIT * np.abs(y)) * sizes).sum(axis=1)
    error = SAFE * (far[:, None] + near[None, :]).ravel() + 1e-300
    return Grid(total.ravel()[:count], error[:count])


def _product(one: Any, other: Any) -> Any:
    """A product of complex matrices by real ones: each part is a sum of products."""
    parts = [np.ascontiguousarray(x) for x in (one.real, one.imag, other.real, other.imag)]
    a, b, c, d = parts
    found = np.empty((one.shape[0], other.shape[1]), dtype=complex)
    block = max(1, ALONE // other.size)
    for first in range(0, len(one), block):
        rows = slice(first, first + block)
        found.real[rows] = a[rows] @ c - b[rows] @ d
        found.imag[rows] = a[rows] @ d + b[rows] @ c
    return found


def turns(z: Any, count: int) -> Any:
    """z^j for a ball with |z| = 1 and 0 <= j < count, each within 6 roundings."""
    width = math.isqrt(count - 1) + 1
    with workprec(BITS):
        short = powers_of(z, width)
        long = powers_of(short.pop(), -(-count // width) - 1)
        rows = [[_rounded(x) for x in table] for table in (long, short)]
    return np.outer(*(np.array(row) for row in rows)).ravel()[:count]


def powered(less: Any, error: Any, count: int) -> tuple[Any, Any]:
    """(1 + x)^count - 1 with a bound of its error, for numbers x within ``error`` of ``less``.

    Squares are taken of differences from 1: where they are small, so is what is rounded off.
    """
    with np.errstate(all="ignore"):
        found, slips = less, error
        for bit in bin(count)[3:]:
            found, slips = joined(found, slips, found, slips)
            if bit == "1":
                found, slips = joined(found, slips, less, error)
        return found, slips


def joined(x: Any, off: Any, y: Any, slip: Any) -> tuple[Any, Any]:
    """(1 + x) (1 + y) - 1 and a bound of its error."""
    both = x * y
    found = x + y + both
    one, two = np.abs(x), np.abs(y)
    error = off * (np.abs(1 + y) + slip) + slip * np.abs(1 + x)
    return found, SAFE * (error + UNIT * (2 * (one + two) + 5 * one * two)) + 1e-300


__all__ = ["BITS", "SAFE", "UNIT", "Grid", "joined", "powered", "summed", "turns"]
