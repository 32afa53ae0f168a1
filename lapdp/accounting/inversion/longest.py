"""delta of losses on several lattices by that of the longest one alone, at few of its places.

Let X be the loss on the longest lattice, Y the sum of the others, all of them finite, and p the
probabilities of Y.  Then delta(eps) is the sum of p(y) delta_X(eps - y), where delta_X is linear in
e^t between two places next to each other, however many there are.  With M and N the P-mass and the
Q-mass of X,

    0 <= delta_X(t) <= e^((1 - q) t) E_q                      for every q >= 1,
    0 <= M - delta_X(t) <= e^((1 - q) t) E_q                  for 0 <= q <= 1,
    0 <= delta_X(t) - (M - N e^t) <= e^((1 - q) t) E_q        for every q <= 0,

for max(0, 1 - e^-x), min(1, e^-x) and max(0, e^-x - 1) are at most e^((q - 1) x): so delta_X is
worked out only where X is likely to lie.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import flint

from lapdp.accounting.inversion import lattice
from lapdp.accounting.inversion.cells import Cells, on_line
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported

MOST_CELLS = 6000
"""Cells of the longest lattice in which delta is worked out."""
ORDERS = [2.0 ** (j / 2) for j in range(-8, 13)]
"""Distances of orders that are tried for the ends, in deviations."""


@dataclass(frozen=True)
class Ends:
    """Between ``low`` and ``high`` delta is worked out, beyond them it is bounded; by two orders,
    at most 1 and at least 1.  Chosen in doubles."""

    low: float
    high: float
    under: float
    over: float

    @staticmethod
    def of(longest: Factors, gamma: float, goal: float) -> Ends:
        """So that what is left out is e^-goal of e^((1 - gamma) t) E_gamma."""
        here, h = longest.log_moment(gamma), 1e-4 * gamma
        curve = (longest.log_moment(gamma + h) + longest.log_moment(gamma - h) - 2 * here) / h**2
        reach = math.sqrt(2 * goal / max(curve, 1e-12))

        def end(order: float) -> float:
            return (longest.log_moment(order) - here + goal) / (order - gamma)

        try:
            over = min((q for x in ORDERS if gamma < (q := gamma + reach * x) < longest.upper),
                       key=end)
            under = max((q for x in ORDERS if longest.lower < (q := gamma - reach * x) <= 1),
                        key=end)
            return Ends(end(under), end(over), under, over)
        except (ValueError, ArithmeticError):
            # everywhere
            return Ends(-math.inf, math.inf, 0.0, gamma)


def delta(longest: Factors, sums: Sequence[tuple[Any, Any]], eps: Any,
          orders: tuple[float, float], goal: float) -> tuple[Any, Any]:
    """The sum of p e^((1 - gamma) y) delta_X(eps - y) over pairs (y, p), and the p that are left
    out, each of them below e^-goal over their number; ``orders`` are gamma and that of the line.

    Raises :class:`Unsupported` where delta_X is needed in too many cells.
    """
    found = lattice.lattice(longest)
    assert found is not None
    gamma, line = orders
    ends, order = Ends.of(longest, gamma, goal), flint.arb(gamma)
    least, beyond = (flint.arb(-goal).exp() / len(sums)).lower(), flint.arb(0)
    near: list[tuple[Any, Any]] = []
    far: tuple[list[tuple[Any, Any]], list[tuple[Any, Any]]] = [], []
    for y, p in sums:
        if p.upper() < least:
            beyond += abs(p).upper()
            continue
        t, share = eps - y, p * ((1 - order) * y).exp()
        place = float(t)
        (far[0] if place < ends.low else far[1] if place > ends.high else near).append((t, share))
    total = _far(longest, found[1], far, ends)
    if near:
        step, places = float(enclose(found[1], {}).real), [float(t) for t, _ in near]
        low, high = min(places), max(places)
        if min((high - low) / step, len(near)) > MOST_CELLS:
            raise Unsupported(f"the sums beside the longest lattice spread over more than "
                              f"{MOST_CELLS} of its places")
        # on the line of the whole the accuracy is that of the whole
        bits = math.ceil(goal / LOG2)
        known = Cells(longest, on_line(longest, line, (low - step, high + step), bits))
        for t, share in near:
            total += share * known.at(t)
    return total, beyond


def _far(longest: Factors, step: Any, far: Sequence[Sequence[tuple[Any, Any]]], ends: Ends) -> Any:
    """The sum over the places on either side, by bounds of delta."""
    total = flint.arb(0)
    mass, other = longest.finite_mass(), lattice._other_mass(longest, step, flint.ctx.prec)
    for rows, q, side in ((far[0], ends.under, -1), (far[1], ends.over, 1)):
        if not rows:
            continue
        if not (q <= 1 if side < 0 else q >= 1):
            raise Unsupported("the orders chosen in doubles are not on the right sides")
        size, power = moment_bound(longest, q), 1 - flint.arb(q)
        for t, share in rows:
            rest = flint.arb(0).union(((power * t).exp() * size).upper())
            total += share * (rest if side > 0 else mass - rest if q > 0 else (
                mass - other * t.exp() + rest))
    return total


__all__ = ["Ends", "delta"]
