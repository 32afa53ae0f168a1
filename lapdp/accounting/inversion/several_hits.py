"""A bound of what two huge losses and more add to delta of rare subsampled Gaussians.

Let the largest loss of a hit lie between a and b, with the P-mass p.  The others, of which one is
hit, none beyond b, have to exceed t - b.  With U the moment of losses that are no hits and H that
of hits up to b, at any order q >= 1, Chernoff's bound of it is

    p e^((1-q) (t - b)) prod U^k (e^(sum k H/U) - 1),

for prod (1 + H/U)^k <= e^(sum k H/U).  The sum over intervals (a, b] and releases bounds what all
add, with the P-mass of hits that are larger than all intervals.
"""

from __future__ import annotations

import math
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


def several(releases: list[Release], eps: Any, slope: float, least: float) -> Any:
    """The bound, which may be e^``least``."""
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
    sums = [flint.arb(0)] * len(orders)
    # the first interval begins below all cuts
    before = [r.likely(flint.arb(r.cut)) for r in releases]
    for b in losses:
        masses, beyond = flint.arb(0), []
        shares = [flint.arb(0)] * len(releases)
        for i, r in enumerate(releases):
            n = r.place(b)
            # balls next to c, where the first interval ends, or below it
            here = r.likely(n if n > r.cut else flint.arb(r.cut))
            masses += r.copies * (before[i][0] - here[0]).upper().max(flint.arb(0))
            shares[i] = r.copies * (before[i][1] - here[1]).upper().max(flint.arb(0))
            beyond.append(here)
        before = beyond
        best = None
        for j, order in enumerate(orders):
            power = (order * b).exp()
            sums[j] += sum((share * power / u for share, u in zip(shares, usual[j], strict=True)),
                           flint.arb(0))
            # one release less
            fewest = reduce(flint.arb.min, usual[j], flint.arb(1))
            found = ((1 - order) * (eps - b)).exp() * whole[j] / fewest * sums[j].expm1()
            if found.is_finite() and (best is None or found < best):
                best = found
        if best is None:
            raise Unsupported("several hits are not bounded")
        total += masses * best.upper()
    return total + sum((r.copies * p for r, (p, _) in zip(releases, before, strict=True)),
                       flint.arb(0))


__all__ = ["several"]
