"""Moments of atoms and pieces in doubles, for choices only: nothing is proved by them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, product
from typing import Any

import flint

from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.panels import split
from lapdp.accounting.moments.pieces import Piece
from lapdp.core.precision import workprec

try:
    import numpy as np
except ImportError:
    np = None  # type: ignore[assignment]

BITS, NODES, FEW = 64, 16, 8
"""Of a panel, and of each of its parts."""
DEPTH = 48
"""Panels are halved so often towards their ends, where high orders see the mass."""
FEWEST = 24
"""Masses that are kept as columns."""

Masses = Sequence[tuple[float, float]]
"""Losses and logarithms of their masses."""


def masses(atoms: Iterable[tuple[Any, Any]], pieces: Sequence[Piece], graded: bool) -> Masses:
    """Atoms, and few nodes on panels, or more next to their ends."""
    shares = [0.0, *(2.0**-j for j in range(DEPTH, 1, -1))]
    cuts = [*shares, *(1 - x for x in reversed(shares))] if graded else [0.0, 1.0]
    with workprec(BITS):
        found = list(atoms)
        for piece in pieces:
            panels, _ = split(piece, flint.arb(1), flint.arb(2) ** -100)
            for panel, (low, high) in product(panels, pairwise(cuts)):
                middle = panel.middle + panel.half * (flint.arb(low) + high - 1)
                half = panel.half * (flint.arb(high) - low)
                for x, weight in legendre.rule(FEW if graded else NODES):
                    place = flint.acb(middle + half * x)
                    mass = piece.density(place).real * weight * half
                    found.append((piece.loss(place).real, mass))
        return [(float(loss), float(mass.mid().log())) for loss, mass in found if mass.mid() > 0]


def summed(known: Masses) -> Callable[[float], float]:
    """:func:`log_sum` of these at any order: many of them are kept as columns."""
    if np is None or len(known) < FEWEST:
        return lambda order: log_sum(known, order)
    losses, masses = np.array(known).T.copy()

    def found(order: float) -> float:
        logs = masses + (order - 1) * losses
        top = logs.max()
        if not math.isfinite(top):
            return float(top)  # an order beyond all doubles
        return float(top + math.log(np.exp(logs - top).sum()))

    return found


def log_sum(known: Masses, order: float) -> float:
    """log of the sum of e^((order - 1) loss) over losses and logarithms of their masses."""
    logs = [log + (order - 1) * loss for loss, log in known]
    top = max(logs, default=-math.inf)
    return top + math.log(sum(math.exp(x - top) for x in logs)) if logs else top


__all__ = ["Masses", "log_sum", "masses", "summed"]
