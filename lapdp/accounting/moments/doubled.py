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
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

UNIT = 2.0**-53
SAFE = 1 + 1e-9
"""Covers the rounding of bounds."""
BITS = 128
"""Of the balls that are rounded: differences from 1 keep their digits."""
ALONE = 2**18
"""Products of matrices up to which libraries leave a product to one thread."""
FALLEN = 80
"""Powers below 2^-80 are taken to be 0."""
GROUP = 32
"""Nodes whose terms are added at once: the fewer, the fewer roundings a term goes through."""
LAST = 8
"""Bits of a number whose powers are all made."""
HALF = 24
"""Bits of a number such that a sum of GROUP products of two of them is a double."""


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


def powers(seeds: Seeds, first: int, levels: int, rows: int, form: Format = DOUBLE) -> Any:
    """z^(2^first j) - 1 for j below ``rows``, at most 2^levels: a row for each j."""
    found = np.zeros((rows, len(seeds)), dtype=form.complex)
    done = 1
    for p in range(first, first + levels):
        row, _ = seeds.rounded(p, form.complex)
        # all powers below 2^p, times the next one
        known = found[:min(done, rows - done)]
        np.multiply(known, row, out=found[done:2 * done])
        found[done:2 * done] += known + row
        done *= 2
    return found


def powers_at(seeds: Seeds, first: int, numbers: Any, form: Format = DOUBLE) -> Any:
    """z^(2^first j) - 1 for some whole numbers j: a row for each of them.

    >>> from flint import acb, ctx
    >>> with workprec(BITS):
    ...     seeds = Seeds([acb(0, 1) / 2])
    >>> powers_at(seeds, 0, np.array([0, 3, 4])).ravel().tolist()
    [0j, (-1-0.125j), (-0.9375+0j)]
    """
    # the last bits, and the others of all
    few = min(1 << LAST, int(numbers[-1]) + 1)
    near = powers(seeds, first, (few - 1).bit_length(), few, form)
    high, which = np.unique(numbers >> LAST, return_inverse=True)
    far = np.zeros((len(high), len(seeds)), dtype=form.complex)
    for p in range(int(high[-1]).bit_length()):
        row, _ = seeds.rounded(first + LAST + p, form.complex)
        rows = (high >> p & 1).astype(bool)
        known = far[rows]
        far[rows] = known * row + (known + row)
    one, two = far[which], near[numbers & (1 << LAST) - 1]
    found = one + two
    one *= two
    found += one
    return found


@dataclass(frozen=True, eq=False)
class Slips:
    """Bounds of what a table of powers is off, summed over nodes with their weights: a number for
    each row.

    |z^j - 1| is at most X = min(2, j |z - 1|), and that of a part of j no larger.  The row of a j
    is a product of as many seeds as j has ones in binary: each of them is off by X units and what
    Seeds says, and each product but the first, x + y + x y, by 4 X + 5 X^2.
    """

    sizes: Any
    """The sums of w X."""
    errors: Any

    @staticmethod
    def of(seeds: Seeds, first: int, places: Any, most: Any, form: Format) -> Slips:
        """Of the rows of rising whole numbers; ``most`` are at least |w|."""
        row, _ = seeds.rounded(first, form.complex)
        levels = int(places[-1]).bit_length()
        beside = 2 * seeds.beside(first + levels)
        # what a computed number exceeds X by
        extra = 4 * levels * beside
        reach = np.minimum(np.outer(places, SAFE * (sizes(row) + 2 * beside)), 2.0) + extra
        linear, square = reach @ most, (reach * reach) @ most
        ones = sum(places >> p & 1 for p in range(levels))
        later = np.maximum(ones - 1, 0)
        errors = form.unit * ((ones + 4 * later) * linear + 5 * later * square) + (
            ones * beside * most.sum())
        return Slips(linear, errors)


def _rounded(z: Any, form: Format = DOUBLE) -> Any:
    """The number next to each part; an error of at most two units of the size."""
    if not z.rel_accuracy_bits() >= form.seed_bits and not abs(z) < 1e-290:
        raise Unsupported("a power is not known to double precision")
    return form.near(z)


@dataclass(frozen=True, eq=False)
class Heights:
    """The numbers first + turn j + i for some rising j and all i below ``width``, row by row.

    >>> Heights(1, 10, np.array([0, 2]), 3).numbers.tolist()
    [1.0, 2.0, 3.0, 21.0, 22.0, 23.0]
    """

    first: int
    turn: int
    rows: Any
    width: int

    @staticmethod
    def run(first: int, turn: int, rows: int, width: int) -> Heights:
        """Rows one after another."""
        return Heights(first, turn, np.arange(rows), width)

    @property
    def starts(self) -> Any:
        """The first number of each row."""
        return self.first + self.turn * self.rows

    @property
    def numbers(self) -> Any:
        """All of them, as doubles."""
        return (self.starts.astype(float)[:, None] + np.arange(self.width)[None, :]).ravel()


def summed(weights: Any, most: Any, seeds: Seeds, count: int, form: Format = DOUBLE) -> Grid:
    """The sums on the grid, less their value at 0.

    ``most`` are at least |w|; an error of each w of two units of |w| is counted.
    """
    levels = (count - 1).bit_length()
    half = levels // 2
    width = 1 << half
    rows = -(-count // width)
    found = _on_rows(weights, most, (seeds, half, np.arange(rows)), (seeds, width), form)
    return Grid(found.less[:count], found.error[:count])


def summed_on(weights: Any, most: Any, far: Seeds, near: Seeds, heights: Heights) -> Grid:
    """The sums of w z^n at some heights, less 1, in doubles, with weights for the first of them;
    ``far`` are those of a turn."""
    found = _on_rows(weights, most, (far, 0, heights.rows), (near, heights.width), DOUBLE)
    start = complex(math.fsum(weights.real), math.fsum(weights.imag))
    # two units for each weight, one for the sum of all and three for these sums
    return Grid(found.less + (start - 1), SAFE * (found.error + UNIT * (
        3 * float(most.sum()) + 3 * (sizes(found.less) + abs(start) + 1))))


def _on_rows(weights: Any, most: Any, far: tuple[Seeds, int, Any], near: tuple[Seeds, int],
             form: Format) -> Grid:
    """The sums of w (z^n - 1), n the number of a row times its turn, which is that of the second
    seeds or a power of two of them, and a number below the width."""
    (others, turn, rows), (seeds, width) = far, near
    count, next_to = len(rows), int(rows[-1]) == len(rows) - 1
    longer = 1 if form is DOUBLE else 20
    spend(len(weights) * (longer * count * width / 5000 + (count + width) / 10))
    x = powers(others, turn, (count - 1).bit_length(), count, form) if next_to else powers_at(
        others, turn, rows, form)
    y = powers(seeds, 0, (width - 1).bit_length(), width, form)
    limits = _limits(others, turn, rows, form)
    total = _products(weights, x, y, limits)
    # what the tables are off, and the products of numbers that are at most so large: a number goes
    # through the sum of its group, a few more, and those of the groups in pairs
    passes = 1.5 * (GROUP + 8 + 2 * math.ceil(math.log2(1 + len(weights) / GROUP)))
    long, short = (slips.errors + passes * form.unit * slips.sizes for slips in (
        Slips.of(others, turn, rows, most, form),
        Slips.of(seeds, 0, np.arange(width), most, form)))
    if form is not DOUBLE:
        # |w x| is at most 2 |w|, and the parts of 1 + y are at most 1
        long += 2.0**-65 * (1 + 2.0**-40) * most.max() * math.ceil(len(most) / GROUP)
    long += np.where(np.arange(count) < min(limits), 0.0, 2.0**-FALLEN * most.sum())
    error = SAFE * (long[:, None] + short[None, :]).ravel() + 1e-300
    return Grid(total.ravel(), error)


def _limits(seeds: Seeds, turn: int, rows: Any, form: Format) -> list[int]:
    """For each group of nodes how many rows there are until all of its powers are below
    2^-FALLEN."""
    count = len(rows)
    if count == 1:
        return [1] * -(-len(seeds) // GROUP)
    one, beside = seeds.rounded(turn, form.complex)
    falls = SAFE * (sizes(1 + one) + 4 * form.unit + 2 * beside)
    slowest = np.maximum.reduceat(falls, np.arange(0, len(falls), GROUP))
    least = (FALLEN + 1) * math.log(2)
    return [count if fall >= 1 else int(np.searchsorted(rows, math.ceil(
        least / -math.log(fall)))) for fall in slowest.tolist()]


def _products(weights: Any, x: Any, y: Any, limits: list[int]) -> Any:
    """The sum of w (x (1 + y) + y) over nodes, for rows of x and of y; from its limit on all x of
    a group are taken to be -1.

    Complex matrices are multiplied by real ones: each part is a sum of products.
    """
    rows, width, weighted, both = len(x), len(y), weights * x, (1 + y.T)
    left = _in_doubles(np.stack([weighted.real, weighted.imag]))
    right = _in_doubles(np.concatenate([both.real, both.imag], axis=1))
    starts = np.arange(0, len(weights), GROUP)
    singles = np.add.reduceat(weights * y, starts, axis=1)
    wholes = np.add.reduceat(weights, starts)
    block = max(1, ALONE // (4 * GROUP * width))
    parts: list[Any] = []
    for i, limit in enumerate(limits):
        group = slice(GROUP * i, GROUP * (i + 1))
        part = np.empty((rows, width), dtype=x.dtype)
        part[limit:] = -wholes[i]
        for first in range(0, limit, block):
            last = min(first + block, limit)
            table = _times([table[:, first:last, group].reshape(2 * (last - first), -1)
                            for table in left], [table[group] for table in right])
            one, two = table[:last - first], table[last - first:]
            part.real[first:last] = one[:, :width] - two[:, width:]
            part.imag[first:last] = one[:, width:] + two[:, :width]
        part[:limit] += singles[:, i]
        parts.append(part)
        # as many sums are left as the number of groups has ones in binary
        while len(parts) > (i + 1).bit_count():
            part = parts.pop()
            parts[-1] += part
    total = parts[0]
    for part in parts[1:]:
        total = total + part
    return total


def _in_doubles(x: Any) -> list[Any]:
    """A real matrix as it is, or, of longer numbers, for which libraries are slow, as doubles:
    whole multiples of 2^-HALF of a power of two above all sizes, what they lack, and both
    together."""
    if x.dtype == np.float64:
        return [x]
    x = np.ascontiguousarray(x)
    whole = x.astype(np.float64)
    scale = math.ldexp(1.0, max(math.frexp(float(abs(whole).max()))[1], -900) - HALF)
    high = np.rint(whole / scale) * scale
    return [high, (x - high).astype(np.float64), whole]


def _times(one: list[Any], two: list[Any]) -> Any:
    """The product of two such matrices, over at most GROUP terms.

    Of longer numbers the first product is exact.  With a and b the largest sizes of all entries the
    sum of three is off by at most 2^-66 a b and a rounding: what the other two round off is below
    2^-70 of the powers of two above a and b, each.
    """
    if len(one) == 1:
        return one[0] @ two[0]
    (high, low, _), (above, below, whole) = one, two
    return (high @ above).astype(np.longdouble) + (high @ below + low @ whole)


def turns(z: Any, count: int, form: Format = DOUBLE) -> Any:
    """z^j for a ball with |z| = 1 and 0 <= j < count, each within 6 roundings."""
    spend(count / 30)
    width = math.isqrt(count - 1) + 1
    with workprec(BITS):
        short = powers_of(z, width)
        long = powers_of(short.pop(), -(-count // width) - 1)
        rows = [[_rounded(x, form) for x in table] for table in (long, short)]
    return np.outer(*(np.array(row) for row in rows)).ravel()[:count]


def turns_on(angle: Any, heights: Heights) -> Any:
    """e^(angle n) at some heights n for a ball that is imaginary, each within 20 roundings: turns
    for the last bits of a row, its other bits and a place in it, and their products."""
    high, which = np.unique(heights.rows >> LAST, return_inverse=True)
    row, few = angle * heights.turn, 1 << LAST
    spend(len(heights.rows) * heights.width / 20)
    with workprec(BITS):
        far = np.array([DOUBLE.near((angle * heights.first + row * few * n).exp())
                        for n in high.tolist()])
        rows = turns(row.exp(), few)[heights.rows & few - 1] * far[which]
        return np.outer(rows, turns(angle.exp(), heights.width)).ravel()


def powered(less: Any, error: Any, count: int, unit: float = UNIT) -> tuple[Any, Any]:
    """(1 + x)^count - 1 with a bound of its error, for numbers x within ``error`` of ``less``.

    Squares are taken of differences from 1: where they are small, so is what is rounded off.
    """
    spend(len(less) * count.bit_length() / (18 if less.dtype == np.complex128 else 7))
    with np.errstate(all="ignore"):
        found, slips = less, error
        for bit in bin(count)[3:]:
            found, slips = _squared(found, slips, unit)
            if bit == "1":
                found, slips = joined(found, slips, less, error, unit)
        return found, slips


def _squared(x: Any, off: Any, unit: float) -> tuple[Any, Any]:
    """(1 + x)^2 - 1 and a bound of its error: :func:`joined` of a number with itself."""
    one, whole = sizes(x), sizes(1 + x)
    error = off * (2 * whole + off)
    return x + x + x * x, SAFE * (error + unit * one * (4 + 5 * one)) + 1e-300


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


def bits_for(step: float) -> int:
    """Bits of losses, turns by a step of which are known to twice the digits of doubles.

    >>> bits_for(0.1), bits_for(2.0**20)
    (128, 148)
    """
    return BITS + max(0, math.ceil(math.log2(step)))


__all__ = ["BITS", "SAFE", "UNIT", "Grid", "Heights", "bits_for", "joined", "powered", "sizes",
           "summed", "summed_on", "turns", "turns_on"]
