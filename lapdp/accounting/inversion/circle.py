"""Which nodes of a sum around a circle count, with a proved bound of all others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import flint

from lapdp.accounting.moments.rings import Ring
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES = 1 << 17
LEAF = 8
"""Arcs of so few nodes are not divided."""
ROUGH = 40
"""Bits of the bounds."""


def live(rings: Sequence[tuple[Ring, int]], nodes: int, goal: float, most: int = MOST_NODES
         ) -> tuple[list[int], Any]:
    """The places j <= nodes/2 that count, and a bound for the others of the sum of prod |phi|^k.

    ``nodes`` angles 2 pi j/nodes divide the circle; j and nodes - j count together.  An arc is left
    out where the product is below e^-goal over its length, and halved where it may not be.
    Raises :class:`Unsupported` where more than ``most`` count.
    """
    kept, rest = [0], flint.arb(0)
    arcs = [(1, nodes // 2)]
    with workprec(ROUGH):
        while arcs:
            first, last = arcs.pop()
            count = last - first + 1
            if count <= 0:
                continue
            spend(15 * len(rings))
            fall = sum((k * ring.fall(first, last, nodes) for ring, k in rings), flint.arb(0))
            size = 2 * count * (-fall).exp()
            if size < flint.arb(-goal).exp():
                rest += size.upper()
            elif count <= LEAF:
                kept += range(first, last + 1)
                if len(kept) > most:
                    raise Unsupported(f"more than {most} of the {nodes} terms of the sum "
                                      "count")
            else:
                middle = first + count // 2
                arcs += [(middle, last), (first, middle - 1)]
    return kept, rest.upper()


__all__ = ["live"]
