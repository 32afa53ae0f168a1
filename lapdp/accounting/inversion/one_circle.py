"""The profile of losses with corners at many points by one circle around the poles.

The rule of :mod:`lapdp.accounting.inversion.residues` for all of them has the circle of one order.
At points t_m = t_0 + m g between the same two corners the sum over the nodes s_j is

    sum over j of w_j e^((top - t_0) (s_j - 1/2)) R_j e^(-m g (s_j - 1/2)),

R_j the partial sum over the corners above them: with m = a w + b that is one product of matrices.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from math import isqrt
from typing import Any

import flint

from lapdp.accounting.inversion.residues import (
    ROUGH,
    Above,
    Balls,
    Rule,
    bounds_of,
    nodes_for,
    rule_of,
)
from lapdp.accounting.moments.corners import corners_of
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.nodal import powers
from lapdp.core.precision import workprec

PLACE_BITS = 128
"""Of places that bounds are chosen for."""
NEAREST = 1.5
"""The circle is no nearer to the poles, as compared with them."""
WIDEST = 1.3
"""Of the circles that bound aliases, where no point has a corner above it."""
FEW = 4
"""So few points are taken one by one."""


class OneCircle:
    """The profile at points between two ends, within about 2^-bits of the integrand there."""

    def __init__(self, factors: Factors, gamma: float, ends: tuple[float, float], bits: int
                 ) -> None:
        """Through about the order gamma.

        Raises :class:`Unsupported` where the losses have no corners, or a circle needs many nodes.
        """
        corners = corners_of(factors)
        self.bounds = bounds_of(corners)
        self.radius = max(gamma - 0.5, NEAREST * corners.reach())
        chosen, more = [], 0
        with workprec(PLACE_BITS):
            places = Balls(corners)
            here = [places.above(flint.arb(t)) for t in ends]
        with workprec(ROUGH):
            for above in here:
                top = float(above.top)
                if top > 0:
                    chosen.append(nodes_for(self.bounds, top, above.counts, self.radius,
                                            (bits + 16) * LOG2))
                    more = max(more, chosen[-1][3] + int((top + 1) * self.radius).bit_length())
        self.nodes, self.outer, self.inner, _ = max(
            chosen, default=(8, WIDEST * self.radius, self.radius, 0))
        precision = bits + more + 24 + factors.count.bit_length()
        self.rule: Rule = rule_of(corners, self.radius, self.nodes, 32 * -(-precision // 32))

    def __call__(self, t: Any) -> Any:
        """A ball around it at one of them, a ball of many bits."""
        with workprec(self.rule.bits):
            return self._one(self.rule.above(t))

    def row(self, first: Any, step: Any, count: int) -> list[Any]:
        """The same at so many points, ``step`` from one to the next."""
        found: list[Any] = []
        with workprec(self.rule.bits):
            known = [self.rule.above(first + step * m) for m in range(count)]
            for _, rows in groupby(known, key=lambda above: above.counts):
                found += self._alike(list(rows), step)
        return found

    def _one(self, above: Above) -> Any:
        if not any(above.counts):
            # no loss is larger
            return flint.arb(0)
        return self.rule.total(above) + self._slip(above)

    def _alike(self, rows: list[Above], step: Any) -> Iterator[Any]:
        """Points one after another between the same corners."""
        if len(rows) <= FEW or not any(rows[0].counts):
            yield from map(self._one, rows)
            return
        width = isqrt(len(rows) - 1) + 1
        height = -(-len(rows) // width)
        left, right = [], []
        for weight, here in self.rule.points:
            turn = (-step * here.shift).exp()
            right.append(powers(turn, width)[:width])
            start = weight * here.up_to(rows[0])
            left.append([start * x for x in powers(turn**width, height)[:height]])
        sums = (flint.acb_mat(left).transpose() * flint.acb_mat(right)).entries()
        for above, value in zip(rows, sums, strict=False):
            yield value.real + self._slip(above)

    def _slip(self, above: Above) -> Any:
        """A ball around 0 with the error of the rule."""
        with workprec(ROUGH):
            return flint.arb(0, self.bounds.error(above, self.radius, self.nodes, self.outer,
                                                  self.inner))


__all__ = ["OneCircle"]
