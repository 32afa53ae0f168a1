"""Sums over nodes on a whole grid of heights, in double precision with a bound of all rounding.

With j = a B + b and z = e^(i step l), the sum of w z^j over the nodes is

    total + sum of w ((z^(aB) - 1) z^b + z^b - 1),

a product of two real matrices, four times.  No elementary function of doubles is used: the powers
of z come from squares of twice the digits, rounded once, and from x + y + x y for the others.  So
only sums and products are rounded, by at most 2^-53 each, in whatever order they are done.

Where the nodes lie above the real line or on it, |z| <= 1: what a table of z^j is off by is not
enlarged by a product with another one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from lapdp.accounting.moments.nodal import powers as powers_of
from lapdp.accounting.moments.seeds import Seeds
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

UNIT = 2.0**-53
SAFE = 1 + 1e-9
"""Covers the rounding of bounds."""
BITS = 128
"""Of the balls that are rounded: differences from 1 keep their digits."""
ALONE = 2**18
"""Products of matrices up to which libraries leave a product to one thread."""
GROUP = 16
"""Nodes whose terms are added at once: the fewer, the fewer roundings a term goes through."""


@dataclass(frozen=True)
class Format:
    """A format of IEEE 754: sums and products are off by at most ``unit`` of their size."""

    complex: Any
    unit: float
    seed_bits: int
    """A ball of so many bits is next to one number of the format, or to two."""

    def near(self, z: Any) -> Any:
        """The number next to each part of a complex ball: half of ``unit`` and the radius away."""
        if self is DOUBLE:
            return complex(float(z.real), float(z.imag))
        parts = []
        for x in (z.real, z.imag):
            high = float(x)
            # a double and the double next to what it lacks have 106 bits together
            parts.append(np.longdouble(high) + np.longdouble(float(x - high)))
        return parts[0] + self.complex(1j) * parts[1]


DOUBLE = Format(np.complex128, UNIT, 56)


def wider() -> Format | None:
    """A format of at least 64 bits, or None where the machine has none that keeps IEEE 754."""
    return Format(np.clongdouble, 2.0**-64, 67) if np.finfo(np.longdouble).nmant in (63, 112) else (
        None)


@dataclass(frozen=True, eq=False)
class Grid:
    """A function of heights: phi = 1 + less at step * j for 0 <= j < count, within ``error``."""

    less: Any
    error: Any


def powers(seeds: Seeds, first: int, levels: int, form: Format = DOUBLE) -> Grid:
    """z^(2^first j) - 1 for j below 2^levels: a row for each j."""
    found = np.zeros((1, len(seeds)), dtype=form.complex)
    off = np.zeros((1, len(seeds)))
    for p in range(first, first + levels):
        row, beside = seeds.rounded(p, form.complex)
        slip = form.unit * sizes(row) + 2 * beside
        # all powers below 2^p, times the next one
        more, error = joined(found, off, row, slip, form.unit)
        found, off = np.concatenate([found, more]), np.concatenate([off, error])
    return Grid(found, off)


def _rounded(z: Any, form: Format = DOUBLE) -> Any:
    """The number next to each part; an error of at most two units of the size."""
    if not z.rel_accuracy_bits() >= form.seed_bits and not abs(z) < 1e-290:
        raise Unsupported("a power is not known to double precision")
    return form.near(z)


def summed(weights: Any, most: Any, seeds: Seeds, count: int, form: Format = DOUBLE) -> Grid:
    """The sums on the grid, less their value at 0.

    ``most`` are at least |w|; an error of each w of two units of |w| is counted.
    """
    levels = (count - 1).bit_length()
    half = levels // 2
    short, long = powers(seeds, 0, half, form), powers(seeds, half, levels - half, form)
    width = 1 << half
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
    far = ((long.error[:rows] + passes * form.unit * sizes(x)) * most).sum(axis=1)
    near = ((short.error + passes * form.unit * sizes(y)) * most).sum(axis=1)
    error = SAFE * (far[:, None] + near[None, :]).ravel() + 1e-300
    return Grid(total.ravel()[:count], error[:count])


def _product(one: Any, other: Any) -> Any:
    """A product of complex matrices by real ones: each part is a sum of products."""
    parts = [np.ascontiguousarray(x) for x in (one.real, one.imag, other.real, other.imag)]
    a, b, c, d = parts
    found = np.empty((one.shape[0], other.shape[1]), dtype=one.dtype)
    block = max(1, ALONE // other.size)
    for first in range(0, len(one), block):
        rows = slice(first, first + block)
        found.real[rows] = a[rows] @ c - b[rows] @ d
        found.imag[rows] = a[rows] @ d + b[rows] @ c
    return found


def turns(z: Any, count: int, form: Format = DOUBLE) -> Any:
    """z^j for a ball with |z| = 1 and 0 <= j < count, each within 6 roundings."""
    width = math.isqrt(count - 1) + 1
    with workprec(BITS):
        short = powers_of(z, width)
        long = powers_of(short.pop(), -(-count // width) - 1)
        rows = [[_rounded(x, form) for x in table] for table in (long, short)]
    return np.outer(*(np.array(row) for row in rows)).ravel()[:count]


def powered(less: Any, error: Any, count: int, unit: float = UNIT) -> tuple[Any, Any]:
    """(1 + x)^count - 1 with a bound of its error, for numbers x within ``error`` of ``less``.

    Squares are taken of differences from 1: where they are small, so is what is rounded off.
    """
    with np.errstate(all="ignore"):
        found, slips = less, error
        for bit in bin(count)[3:]:
            found, slips = joined(found, slips, found, slips, unit)
            if bit == "1":
                found, slips = joined(found, slips, less, error, unit)
        return found, slips


def sizes(x: Any) -> Any:
    """|x| in doubles, a little above it: :data:`SAFE` covers what is rounded off."""
    x = np.asarray(x, dtype=complex)
    return np.sqrt(x.real * x.real + x.imag * x.imag + 1e-300)


def joined(x: Any, off: Any, y: Any, slip: Any, unit: float = UNIT) -> tuple[Any, Any]:
    """(1 + x) (1 + y) - 1 and a bound of its error."""
    both = x * y
    found = x + y + both
    one, two = sizes(x), sizes(y)
    error = off * (sizes(1 + y) + slip) + slip * sizes(1 + x)
    return found, SAFE * (error + unit * (2 * (one + two) + 5 * one * two)) + 1e-300


__all__ = ["BITS", "SAFE", "UNIT", "Grid", "joined", "powered", "sizes",
           "summed", "turns"]
