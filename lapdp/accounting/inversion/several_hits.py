"""A bound of what two huge losses and more add to delta of rare subsampled Gaussians.

Let the largest loss l of a hit lie between a and b.  The others, of which one is hit, none beyond
b, have to exceed t - l.  With U the moment of losses that are no hits, H that of hits up to b, and
M that of hits between a and b, at any order q >= 1, Chernoff's bound of it is

    e^((1-q) t) M prod U^k (e^(sum k H/U) - 1),

for prod (1 + H/U)^k <= e^(sum k H/U), and the mean of e^((q-1) l) under P from a to b is M.  The
sum over intervals (a, b] and releases bounds what all add, with the P-mass of hits that are larger
than all intervals.  As a function of n the loss is convex, below its chord from a to b, on which
q l - n^2/2 is a parabola: M is at most e^(its largest value) times the length over sqrt(2 pi).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from operator import mul
from typing import Any

import flint

from lapdp.accounting.inversion.usual_losses import Release, bound
from lapdp.core.errors import Unsupported

MOST_CELLS = 6_000
"""Intervals of hits."""
ORDERS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.6, 2.0, 3.0, 5.0, 9.0, 18.0)
"""Orders of the bounds, as multiples of the slope."""


def several(releases: list[Release], eps: Any, slope: float, least: float,
            beside: Callable[[float], Any] | None = None) -> Any:
    """The bound, which may be e^``least``; ``beside`` bounds the moment of losses that are no
    hits."""
    top = 0.0
    for r in releases:
        root = float(r.root)
        # beyond it too little lies
        far = root + math.sqrt(2 * max(1.0, math.log(r.copies) + 4 - least))
        top = max(top, float(r.ratio(flint.arb(far)).log()))
    places = set()
    for r in releases:
        n = flint.arb(r.cut)
        while (loss := float(r.ratio(n).log())) < top:
            places.add(loss)
            n += r.cell
    losses = [flint.arb(x) for x in sorted({*places, top})]
    if len(losses) > MOST_CELLS:
        raise Unsupported(f"hits need {len(losses)} intervals, more than {MOST_CELLS}")
    total = flint.arb(0)
    orders = [1.0, *(1 + share * slope for share in ORDERS)]
    usual = [[bound(r, order) for r in releases] for order in orders]
    whole = [reduce(mul, (u ** r.copies for u, r in zip(row, releases, strict=True)))
             for row in usual]
    if beside is not None:
        whole = [x * beside(order) for x, order in zip(whole, orders, strict=True)]
    # one release less
    fewest = [reduce(flint.arb.min, row, flint.arb(1)) for row in usual]
    sums = [flint.arb(0)] * len(orders)
    # the first interval begins below all cuts
    before = [(flint.arb(r.cut), r.ends[1]) for r in releases]
    for b in losses:
        cells = []
        for i, r in enumerate(releases):
            n = r.place(b)
            # balls next to c, where the first interval ends, or below it
            if n > before[i][0]:
                cells.append((i, before[i], (n, b)))
                before[i] = (n, b)
        best = None
        for j, order in enumerate(orders):
            moments = [(i, releases[i].copies * _moment(order, *ends)) for i, *ends in cells]
            sums[j] += sum((m / usual[j][i] for i, m in moments), flint.arb(0))
            largest = sum((m for _, m in moments), flint.arb(0))
            found = (((1 - order) * eps).exp() * largest * whole[j] / fewest[j] * sums[j].expm1())
            if found.is_finite() and (best is None or found < best):
                best = found
        if best is None:
            raise Unsupported("several hits are not bounded")
        total += best.upper()
    return total + sum((r.copies * r.likely(n)[0] for r, (n, _) in zip(
        releases, before, strict=True)), flint.arb(0))


def _moment(order: float, start: tuple[Any, Any], end: tuple[Any, Any]) -> Any:
    """A bound of M between two places with their losses."""
    (n, low), (m, high) = start, end
    q = flint.arb(order)
    steep = q * (high - low) / (m - n)
    # where the parabola is largest, or anywhere
    top = (q * low - n * n / 2 if steep < n else q * high - m * m / 2 if steep > m
           else q * low - steep * n + steep * steep / 2)
    return ((m - n) / (2 * flint.arb.pi()).sqrt() * top.exp()).upper()


__all__ = ["several"]
