"""How near to E_gamma the moments of atoms come back along a line: bounds on cells of heights.

With weights w of sum 1 the square of |E_(gamma + iu)/E_gamma| is the sum of w w' cos(u (l - l')),
whose second derivative is at least -B, B = sum of w w' (l - l')^2, twice the variance of the
losses.  So on a cell of width h it is at most B h^2/8 above the larger one of its values at the
ends; and it is never above 1.  Cells may be far wider than the step of a rule, which is for the
losses of all copies.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.machine_factors import moments_of
from lapdp.accounting.inversion.machine_lines import Listed
from lapdp.accounting.moments.doubled import SAFE, UNIT, Heights, bits_for, sizes
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.accounting.moments.theta import ThetaSpectrum
from lapdp.core.precision import workprec

MOST_CELLS = 1 << 22
SLACK = 0.1
"""What the square may grow by inside of a cell, for the factor of most copies."""
WIDTH, ROWS = 512, 256


@dataclass(frozen=True, eq=False)
class Cells:
    """Bounds of |E_(gamma + iu)/E_gamma| on the cells from ``width`` i on, i = 0, 1, ..."""

    width: float
    bounds: Any

    def beyond(self, step: float) -> tuple[Any, Any]:
        """For the rule of a step: bounds of the sums of step/u^2 and of step times the bound, over
        all nodes in a cell, from the second one, and those after it; infinite for a cell that
        begins below a step.

        >>> Cells(1.0, np.ones(4)).beyond(1.5)[0].round(2).tolist()
        [inf, 2.08, 0.42]
        """
        edges = self.width * np.arange(1, len(self.bounds) + 1)
        last, before = self.bounds[1:], edges[:-1] - step
        inverse = np.full(len(last), np.inf)
        np.divide(1, before, out=inverse, where=before > 0)
        shares = last * (inverse - 1 / edges[1:]), last * (self.width + step)
        return tuple(SAFE * np.cumsum(x[::-1])[::-1] for x in shares)  # type: ignore[return-value]


def cells(factors: Factors, gamma: float, top: float) -> Cells | None:
    """Up to a height; None where too many are needed, or no losses are atoms.  Others are not
    looked at: they bring nothing nearer.

    >>> from lapdp import discrete_gaussian, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> pair = poisson(discrete_gaussian(2), "1/100", direction="remove")**1000
    >>> found = cells(releases(pair), 20.0, 1e6)
    >>> bool(found.bounds[0] == 1), bool(found.bounds[50:].max() < 1e-9)
    (True, True)
    """
    atoms = [part for part in factors.parts if isinstance(
        part[0], ExactSpectrum | ThetaSpectrum | MixedThetaSpectrum)]
    with workprec(bits_for(1.0)):
        known = [(moments_of(s, k, gamma, top, 1.0, 1), s, k) for s, k in atoms]
        listed = [(_bend(moments.seeded), s, k) for moments, s, k in known
                  if isinstance(moments, Listed)]
    if not listed:
        return None
    bend, _, _ = max(listed, key=lambda one: (one[2], one[0]))
    width = math.sqrt(8 * SLACK / bend) if bend > 0 else math.inf
    count = math.ceil(top / width) + 1 if width < top else 0
    if not WIDTH < count <= MOST_CELLS:
        return None
    total = np.ones(count - 1)
    with workprec(bits_for(width)):
        for bend, spectrum, k in listed:
            moments = moments_of(spectrum, k, gamma, top, width, 1)
            assert isinstance(moments, Listed)
            squares = _squares(moments, width, count)
            most = np.maximum(squares[:-1], squares[1:]) + SAFE * bend * width * width / 8
            total = SAFE * total * _power(np.minimum(most, 1.0), k // 2)
    return Cells(width, np.minimum(total, 1.0))


def _bend(seeded: Any) -> float:
    """B, for the losses of one release."""
    # an exact mass is held as a complex ball
    pairs = [(flint.acb(w).real, flint.acb(z).real) for w, z in seeded.nodes.pairs]
    whole = sum((w for w, _ in pairs), flint.arb(0))
    mean = sum((w * z for w, z in pairs), flint.arb(0)) / whole
    spread = sum((w * (z - mean) ** 2 for w, z in pairs), flint.arb(0)) / whole
    return SAFE * float((2 * spread).upper())


def _squares(moments: Listed, width: float, count: int) -> Any:
    """Bounds of the squares at whole multiples of the width."""
    found = []
    for first in range(0, count, ROWS * WIDTH):
        rows = min(ROWS, -(-(count - first) // WIDTH))
        less, off = moments.on(flint.arb(width), Heights(first, WIDTH, rows, WIDTH))
        found.append(SAFE * (sizes(1 + less) + off + 4 * UNIT) ** 2)
    return np.concatenate(found)[:count]


def _power(x: Any, count: int) -> Any:
    """Bounds of powers of numbers from 0 to 1: a product of so many is rounded as often."""
    found = np.ones_like(x)
    for bit in bin(count)[2:]:
        found = found * found
        if bit == "1":
            found = found * x
    return (SAFE + 4 * count * UNIT) * found + 1e-300


def first_below(limits: Sequence[tuple[Any, float]]) -> int:
    """The first place from which on each of falling rows is below its limit; the end where none is.

    >>> first_below([(np.array([3.0, 2.0, 1.0]), 2.5), (np.array([9.0, 1.0, 0.0]), 0.5)])
    2
    """
    return max(int(np.searchsorted(-row, -limit, side="right")) if limit < row[0] else 0
               for row, limit in limits)


__all__ = ["Cells", "cells", "first_below"]
