"""The sum of :mod:`lapdp.accounting.inversion.lattices` in double precision, rounding bounded.

Laws of millions of places are a Fourier sum of few terms, and sums of places of all lattices but
the longest one are as many as doubles add up in a second.  With a = e^(-(gamma - 1) h) and b =
e^(-gamma h), h the step of the longest lattice, T its law, and z_m the first of its places above t,

    mean of h(Z - t) = e^(-(gamma - 1) d) (C_m + (1 - e^-d) B_m),   d = z_m - t,
    B_m = sum over i of T_(m + i) b^i,   C_m = sum over i of T_(m + i) (a^i - b^i),

where nothing cancels.  Sums of 2^j terms make those of twice as many, so that a term goes through
few roundings.  The mean is continuous in t, with a derivative of 1 at most: where t is next to a
place, either side does.

Steps are the sums of two doubles, the first ones of so few bits that all sums of places are exact.
Only sums and products are rounded, in whatever order they are done.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion import wrapped
from lapdp.accounting.inversion.machine import tree
from lapdp.accounting.inversion.turned import root
from lapdp.accounting.inversion.wrapped import Plan, Window
from lapdp.accounting.moments.doubled import ALONE, SAFE, UNIT
from lapdp.accounting.moments.exponentials import FARTHEST, falling, risen
from lapdp.accounting.moments.factors import Factors
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

BITS = 64
"""Of the ball around the sum."""
MARGIN, LONGER = 3, 64
"""Bits beyond the digits; of places beyond the precision of laws."""
MOST_PLACES, MOST_SUMS, MOST_WORK = 2_000_000, 10_000_000, 400_000_000
"""Of one law; of all but the longest one together; places of a law times terms of its sum."""
CHUNK = 16
"""Terms of a Fourier sum that are added at once, the largest ones last."""
TINY = 1e-280
"""Numbers that are too small for doubles make no more than this."""


def delta(factors: Factors, eps: Any, digits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about so many digits if doubles give them.

    Raises :class:`Unsupported` where a loss lies on no lattice, or lattices have too many places.
    """
    planned = wrapped.plan(factors, eps, math.ceil(digits / math.log10(2)) + MARGIN)
    if not isinstance(planned, Plan):
        return planned
    places = [window.places for window in planned.windows]
    if places[-1] > MOST_PLACES or math.prod(places[:-1]) > MOST_SUMS:
        raise Unsupported(f"lattices of {', '.join(map(str, places))} places are too many for sums "
                          "in doubles")
    gamma = planned.gamma
    with workprec(planned.precision + LONGER):
        laws = [law_of(window, gamma, planned.goal, flint.ctx.prec) for window in planned.windows]
        tails = _tails(planned.windows[-1], gamma, planned.goal, flint.ctx.prec)
        mean, error = _mean(laws[:-1], tails, eps)
        size = ((1 - flint.arb(gamma)) * eps).exp()
        moved = flint.arb(0)
        for law in laws:
            size, moved = size * law.size, moved + law.moved
        if not moved < 1:
            return flint.arb.nan()
        return size * (flint.arb(mean) + flint.arb(0, error) + flint.arb(0, (2 * moved).upper()))


@dataclass(frozen=True, eq=False)
class Law:
    """A law that is wrapped around a window: its probabilities, each within ``error`` of those of
    the Fourier sum, and where its likeliest place lies."""

    step: Any
    middle: Any
    """The loss of the place ``at``."""
    at: int
    masses: Any
    error: float
    size: Any
    """E_gamma."""
    moved: Any


@lru_cache(maxsize=8)
def law_of(window: Window, gamma: float, goal: float, precision: int) -> Law:
    """A law on a lattice, wrapped around its window, with masses in doubles."""
    sums = wrapped.fourier(window, gamma, goal, MOST_WORK)
    masses, error = _fourier(sums.terms, window.places)
    at = int(np.argmax(masses))
    # the law itself is nowhere below 0
    return Law(sums.step, sums.offset + sums.step * (window.first + at), at,
               np.maximum(masses, 0.0), error, sums.size, sums.moved)


def _fourier(terms: Sequence[tuple[int, Any]], n: int) -> tuple[Any, float]:
    """Real parts of the sum of c e^(-2 pi i j m/n), m from 0 to n - 1, and a bound of the errors of
    all: with m = a w + b products of the matrices of c e^(-2 pi i j a w/n) and e^(-2 pi i j b/n).

    In a chunk a term is rounded once for each of its factors, for their product, and for each sum.
    """
    width = math.isqrt(n - 1) + 1
    height = -(-n // width)
    known = sorted(((float(abs(c).upper()), j, c) for j, c in terms), key=lambda row: row[:2])
    found, error = np.zeros((height, width)), TINY
    chunks = [known[i:i + CHUNK] for i in range(0, len(known), CHUNK)]
    block = max(1, ALONE // (2 * CHUNK * width))
    for later, chunk in enumerate(reversed(chunks)):
        error += (2 * CHUNK + 6 + later) * UNIT * sum(size for size, _, _ in chunk)
    for chunk in chunks:
        rows, slip = _powers([(c, -j * width) for _, j, c in chunk], height, n)
        columns, off = _powers([(flint.acb(1), -j) for _, j, _ in chunk], width, n)
        error += 2 * (sum(size for size, _, _ in chunk) * off + len(chunk) * slip)
        left = np.concatenate([rows.real, -rows.imag]).T.copy()
        right = np.concatenate([columns.real, columns.imag])
        for first in range(0, height, block):
            found[first:first + block] += left[first:first + block] @ right
    return found.ravel()[:n], SAFE * error


def _powers(starts: Sequence[tuple[Any, int]], count: int, n: int) -> tuple[Any, float]:
    """c times e^(2 pi i j k/n) for k below ``count``, a row for each (c, j), and the largest radius
    of a ball."""
    found, slip = np.empty((len(starts), count), dtype=complex), flint.arb(0)
    spend(3 * len(starts) * count)
    for row, (first, j) in zip(found, starts, strict=True):
        value, turn = first, root(j, n)
        for k in range(count):
            row[k] = complex(float(value.real), float(value.imag))
            slip = slip.max(value.rad())
            value *= turn
    return found, float(slip.upper())


@dataclass(frozen=True, eq=False)
class Tails:
    """B and C of the longest law from each of its places on."""

    law: Law
    gamma: float
    lower: Any
    both: Any
    slip: float
    """A bound of their relative errors."""
    alike: float
    """A bound of the sum of h at all places of a lattice with this step."""


@lru_cache(maxsize=4)
def _tails(window: Window, gamma: float, goal: float, precision: int) -> Tails:
    law = law_of(window, gamma, goal, precision)
    step, order = law.step, flint.arb(gamma)
    lower, both = law.masses.copy(), np.zeros(len(law.masses))
    many, levels = 1, 0
    while many < len(lower):
        a, b = float((-(order - 1) * step * many).exp()), float((-order * step * many).exp())
        less = float((-(order - 1) * step * many).exp() * -(-step * many).expm1())
        both[:-many] += a * both[many:] + less * lower[many:]
        lower[:-many] += b * lower[many:]
        many, levels = 2 * many, levels + 1
    # a row of places has one mode of h: its sum is the largest value and the integral at most
    alike = float(len(lower))
    if gamma > 1:
        alike = min(alike, float((1 + 1 / (order * (order - 1) * step)).upper()))
    # at each level a factor, its product, and at most two sums
    return Tails(law, gamma, lower, both, (5 * levels + 2) * UNIT, alike)


def _mean(others: Sequence[Law], tails: Tails, eps: Any) -> tuple[float, float]:
    """The mean of h(Z - eps) under the laws, and a bound of its error but for what is moved."""
    law, places, (*front, last) = tails.law, _Places.of([*others, tails.law], eps), others
    row, sums, error, weight, worst = np.arange(len(last.masses)), [], TINY, TINY, 0.0
    for index, p, off in _weights(front):
        start, gap, slip = places.above(index, row)
        means = _means(tails, start, gap)
        here, every = float(tree(last.masses * means)), float(tree(means))
        sums.append(p * here)
        # what the probabilities are off by
        error += off * here + (p + off) * last.error * every
        weight += (p + off) * (float(tree(last.masses)) + last.error * len(row))
        worst = max(worst, slip)
    total = math.fsum(sums)
    # products, sums, exponentials of rounded numbers, and B and C, relatively
    units = 2 * math.log2(len(row) + 2) + 4 * FARTHEST + 80
    error += (units * UNIT + tails.slip) * (total + error)
    # the law has a mass of 3 at most, whatever is moved
    return total, SAFE * (error + 2 * weight * (law.error * tails.alike + 3 * worst
                                                + 3 * math.exp(-FARTHEST)))


def _weights(laws: Sequence[Law]) -> Iterator[tuple[tuple[int, ...], float, float]]:
    """All places of the laws, their probabilities together, and bounds of the errors of these."""
    for index in product(*(range(len(law.masses)) for law in laws)):
        p, most = 1.0, 1.0
        for law, j in zip(laws, index, strict=True):
            p, most = p * float(law.masses[j]), most * (float(law.masses[j]) + law.error)
        yield index, p, SAFE * (most - p + 4 * len(laws) * UNIT * most)


@dataclass(frozen=True)
class _Places:
    """Where sums of places lie: each step is ``high`` and ``low``, multiples of one number, sums of
    which are exact, and what they lack."""

    high: list[float]
    low: list[float]
    start: tuple[float, float]
    """eps less the middles of all laws."""
    at: list[int]
    last: int
    """The last place of the longest law."""
    slip: float

    @staticmethod
    def of(laws: Sequence[Law], eps: Any) -> _Places:
        start = eps - sum((law.middle for law in laws), flint.arb(0))
        reach = abs(start) + sum((law.step * len(law.masses) for law in laws), flint.arb(0))
        unit = 2.0 ** (math.ceil(math.log2(float(reach.upper()))) - 48)
        parts, radius = [], flint.arb(0)
        for x, many in ((start, 1), *((law.step, len(law.masses)) for law in laws)):
            high = round(float(x) / unit) * unit
            low = float(x - high)
            radius += many * (abs(x - high - low).upper() + 4 * len(laws) * UNIT * abs(low))
            parts.append((high, low))
        return _Places([x for x, _ in parts[1:]], [x for _, x in parts[1:]], parts[0],
                       [law.at for law in laws], len(laws[-1].masses) - 1, float(radius.upper()))

    def above(self, index: tuple[int, ...], row: Any) -> tuple[Any, Any, float]:
        """For each place of a row the first place of the longest law above eps less all others, how
        far above it lies, and a bound of what that is off by but for its last rounding."""
        high, low = self.start
        for j, at, step, more in zip(index, self.at, self.high, self.low, strict=False):
            high, low = high - (j - at) * step, low - (j - at) * more
        k = len(index)
        places = (row - self.at[k]).astype(float)
        high, low = high - places * self.high[k], low - places * self.low[k]
        step, more = self.high[-1], self.low[-1]
        first, last = float(-self.at[-1]), float(self.last - self.at[-1])
        start = np.clip(np.floor(high / (step + more)) + 1, first, last + 1)
        gap = (start * step - high) + (start * more - low)
        # next to a place either side does; all places may lie above
        inside = np.where(start == first, np.maximum(gap, 0.0), np.clip(gap, 0.0, step + more))
        beyond = start > last
        off = float(np.max(np.where(beyond, 0.0, np.abs(gap - inside)), initial=0.0))
        inside = np.where(beyond, 0.0, inside)
        return ((start - first).astype(int), inside,
                off + self.slip + 4 * UNIT * (step + abs(more)))


def _means(tails: Tails, start: Any, gap: Any) -> Any:
    """The means of h from places on, ``gap`` above the points; 0 beyond the last place."""
    inside = start < len(tails.lower)
    at = np.where(inside, start, 0)
    found = falling((tails.gamma - 1) * gap) * (tails.both[at] + risen(gap) * tails.lower[at])
    return np.where(inside, found, 0.0)


__all__ = ["BITS", "Law", "delta", "law_of"]
