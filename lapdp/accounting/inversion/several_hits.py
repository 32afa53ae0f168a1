"""A bound of what two huge losses and more add to delta of rare subsampled Gaussians.

Let the largest loss l of a hit lie between a and b.  The others, of which one is hit, none beyond
b, have to exceed t - l.  With U the moment of losses that are no hits, H that of hits up to b, and
M that of hits between a and b, at any order q >= 1, Chernoff's bound of it is

    e^((1-q) t) M prod U^k (e^(sum k H/U) - 1),

for prod (1 + H/U)^k <= e^(sum k H/U), and the mean of e^((q-1) l) under P from a to b is M.  The
sum over intervals (a, b] and releases bounds what all add, with the P-mass of hits that are larger
than all intervals.  As a function of n the loss is convex, below its chord from a to b, on which
q l - n^2/2 is a parabola: M is at most e^(its largest value) times the length over sqrt(2 pi).

At which orders that is done is chosen in doubles: few do for all intervals.
"""

from __future__ import annotations

import math
from functools import reduce
from operator import mul
from typing import Any

import flint

from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.hit_moments import log_sum
from lapdp.accounting.inversion.usual_losses import Release, bound, log_usual
from lapdp.accounting.moments.factors import Factors
from lapdp.core.errors import Unsupported

MOST_CELLS = 6_000
"""Intervals of hits."""
ORDERS = (0.1, 0.3, 0.5, 0.7, 0.8, 0.9, 1.0, 1.1, 1.2, 1.35, 1.6, 2.0, 3.0, 5.0, 9.0, 18.0)
"""Orders of the bounds, as multiples of the slope."""
WORSE, WRONG, LARGE = 1.0, 40.0, 700.0
"""Logarithms: by which fewer orders may bound worse than all; by which doubles may be wrong; that
doubles hold."""
NONE = Factors(())

Cell = tuple[int, tuple[Any, Any], tuple[Any, Any]]
"""A release, and the places with their losses where an interval of its hits begins and ends."""


def several(releases: list[Release], eps: Any, slope: float, least: float,
            others: Factors = NONE) -> Any:
    """The bound, which may be e^``least``; ``others`` are losses that are no hits.

    Raises :class:`Unsupported` where it is seen to be far larger.
    """
    cells, before = _cells(releases, least)
    orders = _few([1.0, *(1 + share * slope for share in ORDERS)], least, _logs(
        releases, cells, float(eps), slope, others))
    total = flint.arb(0)
    usual = [[bound(r, order) for r in releases] for order in orders]
    whole = [reduce(mul, (u ** r.copies for u, r in zip(row, releases, strict=True)))
             for row in usual]
    if others.parts:
        whole = [x * moment_bound(others, order) for x, order in zip(whole, orders, strict=True)]
    # one release less
    fewest = [reduce(flint.arb.min, row, flint.arb(1)) for row in usual]
    sums = [flint.arb(0)] * len(orders)
    for row in cells:
        best = None
        for j, order in enumerate(orders):
            moments = [(i, releases[i].copies * _moment(order, *ends)) for i, *ends in row]
            sums[j] += sum((m / usual[j][i] for i, m in moments), flint.arb(0))
            largest = sum((m for _, m in moments), flint.arb(0))
            found = (((1 - order) * eps).exp() * largest * whole[j] / fewest[j] * sums[j].expm1())
            if found.is_finite() and (best is None or found < best):
                best = found
        if best is None:
            raise Unsupported("several hits are not bounded")
        total += best.upper()
    return total + sum((r.copies * r.likely(n)[0] for r, n in zip(
        releases, before, strict=True)), flint.arb(0))


def _cells(releases: list[Release], least: float) -> tuple[list[list[Cell]], list[Any]]:
    """The intervals of losses, of the releases that have hits there, and the places beyond all."""
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
    # the first interval begins below all cuts
    before, found = [(flint.arb(r.cut), r.ends[1]) for r in releases], []
    for b in losses:
        row: list[Cell] = []
        for i, r in enumerate(releases):
            n = r.place(b)
            # balls next to c, where the first interval ends, or below it
            if n > before[i][0]:
                row.append((i, before[i], (n, b)))
                before[i] = (n, b)
        if row:
            found.append(row)
    return found, [n for n, _ in before]


def _logs(releases: list[Release], cells: list[list[Cell]], t: float, slope: float,
          others: Factors) -> dict[float, list[float]]:
    """About the logarithms of the bounds for each interval, by order."""
    rows = [[(i, (float(n), float(low), float(m), float(high)))
             for i, (n, low), (m, high) in row] for row in cells]
    found = {}
    for share in (0.0, *ORDERS):
        order = 1 + share * slope
        usual = [log_usual(r.spectrum, r.far, r.cut, order) for r in releases]
        size = (1 - order) * t - min(0.0, *usual) + others.log_moment(order) + sum(
            r.copies * u for r, u in zip(releases, usual, strict=True))
        hits, here = -math.inf, []
        for row in rows:
            moments = [(i, math.log(releases[i].copies) + _log_moment(order, *ends))
                       for i, ends in row]
            hits = log_sum([hits, *(m - usual[i] for i, m in moments)])
            total = math.exp(min(hits, LARGE))
            more = hits if total < 1e-9 else math.log(math.expm1(total)) if total < LARGE else total
            here.append(size + log_sum([m for _, m in moments]) + more)
        found[order] = here
    return found


def _few(orders: list[float], least: float, logs: dict[float, list[float]]) -> list[float]:
    """As few orders as bound about as well as all, or well enough."""
    def total(chosen: list[float]) -> float:
        return log_sum([min(x) for x in zip(*(logs[order] for order in chosen), strict=True)])

    if not any(logs.values()):
        return orders[:1]
    enough = total(orders)
    if enough > least + WRONG:
        raise Unsupported("more hits than one are not seen to add next to nothing")
    enough, found = max(enough + WORSE, least - WORSE), list[float]()
    while not found or total(found) > enough:
        found.append(min((order for order in orders if order not in found),
                         key=lambda order: total([*found, order])))
    return found


def _moment(order: float, start: tuple[Any, Any], end: tuple[Any, Any]) -> Any:
    """A bound of M between two places with their losses."""
    (n, low), (m, high) = start, end
    q = flint.arb(order)
    steep = q * (high - low) / (m - n)
    # where the parabola is largest, or anywhere
    top = (q * low - n * n / 2 if steep < n else q * high - m * m / 2 if steep > m
           else q * low - steep * n + steep * steep / 2)
    return ((m - n) / (2 * flint.arb.pi()).sqrt() * top.exp()).upper()


def _log_moment(q: float, n: float, low: float, m: float, high: float) -> float:
    """Its logarithm, nearly."""
    if not m > n:
        # next to no interval
        return -math.inf
    steep = q * (high - low) / (m - n)
    top = (q * low - n * n / 2 if steep < n else q * high - m * m / 2 if steep > m
           else q * low - steep * n + steep * steep / 2)
    return math.log((m - n) / math.sqrt(2 * math.pi)) + top


__all__ = ["several"]
