"""Releases of rare subsampled Gaussians with so many huge losses each, and what is chosen for them.

Numbers of huge losses, and places where they begin, are chosen by the peaks of the integrands in
doubles: nothing is proved here but the moments' bounds.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import flint

from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.hit_windows import has_hits
from lapdp.accounting.moments.cut_normal import Curve, Ends, log_decay, log_piece
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.piece_lines import bound
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

FIRST = (1, 2, 3, 4, 6, 8, 12, 16)
"""Numbers of huge losses that are looked at first, beside all and all but one."""
MOST_HITS, MOST_STEPS = 24, 40
"""Huge losses that are looked at first; steps to the number that adds most."""
DEEP, ROOM, CUTS = 30.0, 14.0, 64
"""A logarithm by which c is to lie below the accuracy; one for what is left out; places for c
between two peaks."""
HALVES, LEAST, MOST, SLOPE, NEAR, SHORT = 70, -30.0, 60.0, 1e-3, 1e-7, 1e-9
"""Steps to an order, and ends of the logarithm of what it is beyond 1; by how much the slope there
may be off, what is near enough, and a bracket in which nothing is left to be seen."""


@dataclass(frozen=True, eq=False)
class Counted(Factors):
    """The releases with so many huge losses each; 0 of those that nothing is told apart of."""

    cuts: tuple[float | None, ...] = ()
    hits: tuple[int, ...] = ()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Counted) and self._what == other._what

    def __hash__(self) -> int:
        return hash(self._what)

    @property
    def _what(self) -> tuple[Any, ...]:
        return self.parts, self.cuts, self.hits

    @cached_property
    def pieces(self) -> list[tuple[Any, int, Ends | None]]:
        """(spectrum, copies, ends); no ends for what is no rare Gaussian."""
        found: list[tuple[Any, int, Ends | None]] = []
        for (s, k), cut, m in zip(self.parts, self.cuts, self.hits, strict=True):
            if not has_hits(s):
                found.append((s, k, None))
            elif cut is None:
                found.append((s, k, (None, None)))
            else:
                found += [(s, n, ends) for n, ends in ((k - m, (None, cut)), (m, (cut, None)))
                          if n]
        return found

    @property
    def ways(self) -> int:
        """prod C(k, m)."""
        return math.prod(math.comb(k, m) for (_, k), m in zip(self.parts, self.hits, strict=True))

    def log_moment(self, order: float) -> float:
        """Nearly."""
        return math.log(self.ways) + sum(k * (s.log_moment(order) if ends is None else log_piece(
            s, order, ends)) for s, k, ends in self.pieces)

    def log_decay(self, gamma: float, height: float) -> float:
        """At a height."""
        return math.log(self.ways) + sum(
            k * (s.log_decay(gamma, height) if ends is None else min(
                log_piece(s, gamma, ends), log_decay(s, gamma, height, ends)[0]))
            for s, k, ends in self.pieces)

    def log_left(self, gamma: float, height: float) -> float:
        """The same."""
        return self.log_decay(gamma, height)

    def bound(self, order: float) -> Any:
        """An upper bound of the moment at a real order."""
        found = flint.arb(self.ways)
        with workprec(64 + self.count.bit_length()):
            for s, k, ends in self.pieces:
                found *= bound_of(s, order, ends, self.count) ** k
        return found.upper()


def bound_of(s: Any, order: float, ends: Ends | None, count: int) -> Any:
    if ends is None:
        return moment_bound(Factors(((s, 1),)), order)
    return bound(s, order, ends, 10.0 + math.log(count))


@dataclass
class Saddles:
    """Orders at which sums of so many huge losses and usual ones are t, by peaks alone."""

    factors: Factors
    t: float

    def __post_init__(self) -> None:
        self.known: dict[tuple[int, ...], tuple[float, float] | None] = {}

    def at(self, hits: tuple[int, ...]) -> tuple[float, float] | None:
        """The order, and about log D; None where there is none."""
        if hits not in self.known:
            self.known[hits] = self._at(hits)
        return self.known[hits]

    def _at(self, hits: tuple[int, ...]) -> tuple[float, float] | None:
        low, high, below, above = LEAST, MOST, -math.inf, math.inf
        for j in range(HALVES):
            if high - low < SHORT:
                break
            middle = (low + high) / 2
            # chords of a function that rises, every other time
            if j % 2 and math.isfinite(above - below) and below < self.t < above:
                middle = low + (high - low) * (self.t - below) / (above - below)
            slope = self._slope(hits, 1 + math.exp(middle))
            if abs(slope - self.t) < NEAR * self.t:
                low, below = middle, slope
                break
            if slope < self.t:
                low, below = middle, slope
            else:
                high, above = middle, slope
        order = 1 + math.exp(low)
        if not abs(below - self.t) < SLOPE * self.t:
            return None
        return order, self._size(hits, order)

    def _slope(self, hits: tuple[int, ...], order: float) -> float:
        """The derivative of the log of the moment."""
        total = -1 / order - 1 / (order - 1)
        for (s, k), m in zip(self.factors.parts, hits, strict=True):
            if not has_hits(s):
                h = (order - 1) / 64
                total += k * (s.log_moment(order + h) - s.log_moment(order - h)) / (2 * h)
                continue
            curve = Curve(s, order)
            low, _, high = curve.peaks()
            if high is None and m:
                # one peak alone: too low an order for another, or too high
                bends = curve.bends()
                if bends is None or low < bends[0]:
                    return -math.inf
                high = low
            if high is None and k > m and (bends := curve.bends()) is not None and low > bends[1]:
                return math.inf
            total += (k - m) * curve.log_z(low) + (m * curve.log_z(high) if high else 0.0)
        return total

    def _size(self, hits: tuple[int, ...], order: float) -> float:
        total = (1 - order) * self.t - math.log(order * (order - 1))
        for (s, k), m in zip(self.factors.parts, hits, strict=True):
            if not has_hits(s):
                total += k * s.log_moment(order)
                continue
            curve = Curve(s, order)
            low, _, high = curve.peaks()
            high = low if high is None else high
            total += math.log(math.comb(k, m)) if k < 10**4 else (
                math.lgamma(k + 1) - math.lgamma(m + 1) - math.lgamma(k - m + 1))
            for n, count in ((low, k - m), (high, m)):
                if count:
                    total += count * (curve.at(n) + math.log(curve.width(n)))
        return total

    def neighbours(self, hits: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """With one huge loss more or less."""
        for j, ((s, k), m) in enumerate(zip(self.factors.parts, hits, strict=True)):
            for n in (m - 1, m + 1):
                if has_hits(s) and 0 <= n <= k:
                    yield (*hits[:j], n, *hits[j + 1:])


def chosen(factors: Factors, t: float, goal: float
            ) -> tuple[tuple[float | None, ...], dict[tuple[int, ...], float], float]:
    """Where losses are cut, the numbers of huge ones that are seen, with about the logarithms of
    what they add, and of delta."""
    saddles = Saddles(factors, t)
    copies = [k if has_hits(s) else 0 for s, k in factors.parts]
    starts = [tuple(0 for _ in copies)]
    for j, k in enumerate(copies):
        starts += [tuple(m if i == j else 0 for i in range(len(copies)))
                   for m in {*FIRST, k - 1, k} if 0 < m <= min(k, MOST_HITS)]
    best: tuple[float, tuple[int, ...]] | None = None
    for hits in starts:
        here = saddles.at(hits)
        if here is not None and (best is None or here[1] > best[0]):
            best = here[1], hits
    if best is None:
        raise Unsupported("no order is found for huge losses")
    for _ in range(MOST_STEPS):
        better = max(((here[1], hits) for hits in saddles.neighbours(best[1])
                      if (here := saddles.at(hits)) is not None), default=best)
        if not better[0] > best[0] + 1e-9:
            break
        best = better
    found = saddles.at(best[1])
    assert found is not None
    cuts = tuple(_cut(s, found[0], goal) if has_hits(s) else None for s, _ in factors.parts)
    free = [0 if cut is None else k for k, cut in zip(copies, cuts, strict=True)]
    dominant = tuple(m if k else 0 for m, k in zip(best[1], free, strict=True))
    seen, queue = {dominant: best[0]}, [dominant]
    while queue and any(free):
        for other in saddles.neighbours(queue.pop()):
            here = saddles.at(other)
            if other not in seen and here is not None and here[1] > best[0] - goal - ROOM and all(
                    m <= k for m, k in zip(other, free, strict=True)):
                seen[other] = here[1]
                queue.append(other)
    return cuts, seen, best[0]


def _cut(s: MixedNormalSpectrum, order: float, goal: float) -> float | None:
    """Where the integrand is least between two peaks, if that is far below them."""
    curve = Curve(s, order)
    low, middle, high = curve.peaks()
    if middle is None or high is None or min(curve.at(low), curve.at(high)) - curve.at(
            middle) < goal + DEEP:
        return None
    # the same for a range of eps
    grid = 2.0 ** math.floor(math.log2(high - low)) / CUTS
    return grid * round(middle / grid)


__all__ = ["Counted", "Saddles", "bound_of", "chosen"]
