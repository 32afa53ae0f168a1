"""Bounds of what numbers of huge losses add to delta that are not seen in it.

See :mod:`lapdp.accounting.inversion.counted_hits`: Chernoff's bounds at several orders, or the
probability of so many huge losses, whichever is less.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Any

import flint

from lapdp.accounting.inversion.counted import Saddles, bound_of
from lapdp.accounting.inversion.hit_windows import has_hits
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, right_tail
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_SUMS = 200
"""Numbers of huge losses that are bounded alone."""
ORDERS = (1.0, 0.98, 1.02, 0.93, 1.08, 0.8, 1.25)
"""Multiples of the best order that are tried for a bound."""
MARGIN = 6.0
"""A logarithm by which each of many bounds is to be less than what counts."""


def beyond(gap: float) -> float:
    """1 more, with few digits."""
    return 1 + float(f"{gap:.6g}")


@dataclass
class Bounds:
    """Of numbers of huge losses up to places beyond which next to nothing lies."""

    factors: Factors
    cuts: tuple[float | None, ...]
    ends: tuple[float | None, ...]
    eps: Any
    goal: Any
    """What counts for nothing."""

    def __post_init__(self) -> None:
        self.known: dict[float, list[tuple[Any, Any]]] = {}
        self.likely = [_likely(s, cut) if cut is not None and has_hits(s) else flint.arb(0)
                       for (s, _), cut in zip(self.factors.parts, self.cuts, strict=True)]

    def moments(self, order: float) -> list[tuple[Any, Any]]:
        """U and H of one release of each factor, or its whole moment and 0."""
        if order not in self.known:
            count, found = self.factors.count, []
            for (s, _), cut, end in zip(self.factors.parts, self.cuts, self.ends, strict=True):
                if cut is None:
                    found.append((bound_of(s, order, (None, None) if has_hits(s) else None, count),
                                  flint.arb(0)))
                else:
                    found.append((bound_of(s, order, (None, cut), count),
                                  bound_of(s, order, (cut, end), count)))
            self.known[order] = found
        return self.known[order]

    def alone(self, hits: tuple[int, ...], orders: list[float]) -> Any:
        """Of so many, at multiples of orders, the first that does."""
        best = flint.arb(1)
        with workprec(64 + self.factors.count.bit_length()):
            for (_, k), m, p in zip(self.factors.parts, hits, self.likely, strict=True):
                best *= math.comb(k, m) * p**m
            for q in (beyond((order - 1) * share) for share in ORDERS for order in orders):
                if best < self.goal:
                    break
                found = ((1 - flint.arb(q)) * self.eps).exp()
                for (_, k), m, (usual, huge) in zip(self.factors.parts, hits, self.moments(q),
                                                    strict=True):
                    found *= math.comb(k, m) * usual ** (k - m) * huge**m
                if found.is_finite():
                    best = best.min(found.upper())
        return best.upper()

    def more(self, most: int, order: float) -> Any:
        """Of all with more than so many."""
        count = most + 1
        with workprec(64 + self.factors.count.bit_length()):
            copies = [k for _, k in self.factors.parts]
            best = sum((k * p for k, p in zip(copies, self.likely, strict=True)),
                       flint.arb(0)) ** count / math.factorial(count)
            for q in (beyond((order - 1) * share) for share in ORDERS):
                if best < self.goal:
                    break
                found, ratio = ((1 - flint.arb(q)) * self.eps).exp(), flint.arb(0)
                for k, (usual, huge) in zip(copies, self.moments(q), strict=True):
                    found, ratio = found * usual**k, ratio + k * huge / usual
                found *= ratio**count / math.factorial(count) * ratio.exp()
                if found.is_finite():
                    best = best.min(found.upper())
        return best.upper()


def _likely(s: MixedNormalSpectrum, place: float) -> Any:
    """A bound of the P-mass beyond a place."""
    w, root = s.first.ball(), (2 * s.kappa.ball()).sqrt()
    n = flint.arb(place)
    return (w * right_tail(n - root) + (1 - w) * right_tail(n)).upper()


def others(saddles: Saddles, cuts: tuple[float | None, ...], seen: dict[tuple[int, ...], float],
            eps: Any, least: float) -> Any:
    """A bound of what is not seen; about e^``least`` counts for nothing."""
    parts = saddles.factors.parts
    far, ends = flint.arb(0), list[float | None]()
    for (s, k), cut in zip(parts, cuts, strict=True):
        end = None
        if cut is not None and has_hits(s):
            end = max(2 * cut, math.ceil(math.sqrt(2 * s.doubles[2]) + math.sqrt(
                2 * max(1.0, math.log(k) + 4 - least))))
            far += k * _likely(s, end)
        ends.append(end)
    bounds = Bounds(saddles.factors, cuts, tuple(ends), eps, flint.arb(least - MARGIN).exp())
    free = [0 if cut is None else k for (_, k), cut in zip(parts, cuts, strict=True)]
    whole = math.prod(k + 1 for k in free) <= MOST_SUMS
    most = sum(free) if whole else max(map(sum, seen)) + 1
    usual = next(here for hits in seen if (here := saddles.at(hits)) is not None)[0]
    total = far
    if math.prod(min(k, most) + 1 for k in free) > MOST_SUMS:
        raise Unsupported("too many numbers of huge losses are to be bounded")
    for hits in product(*(range(min(k, most) + 1) for k in free)):
        if sum(hits) <= most and hits not in seen:
            here = saddles.at(hits)
            total += bounds.alone(hits, [usual] if here is None else [here[0], usual])
    if not whole:
        tails = [here for hits in product(*(range(min(k, most + 1) + 1) for k in free))
                 if sum(hits) == most + 1 and (here := saddles.at(hits)) is not None]
        total += bounds.more(most, max(tails, key=lambda row: row[1])[0] if tails else usual)
    return total.upper()


__all__ = ["beyond", "others"]
