"""How near to E_gamma the moments of atoms come back along a line: bounds on cells of heights.

With weights w of sum 1 the square of |E_(gamma + iu)/E_gamma| is the sum of w w' cos(u (l - l')),
whose second derivative is at least -B, B = sum of w w' (l - l')^2, twice the variance of the
losses.  So on a cell of width h it is at most B h^2/8 above the larger one of its values at the
ends; and it is never above 1.  Cells may be far wider than the step of a rule, which is for the
losses of all copies; those whose nodes are not seen to count for nothing are divided again.  What
is left are windows around the heights where the moments come back: of very many copies a few
hundred nodes, among as many millions as there are.
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
from lapdp.core.effort import spend
from lapdp.core.precision import workprec

MOST_CELLS, MOST_WORK, FALLEN = 1 << 22, 1 << 28, 10.0
"""Cells, and their terms; a logarithm that moments are to fall by beyond what counts."""
DEARER = 4
"""Times as long as terms next to one another those in parts of cells take."""
SLACK = 0.1
"""What the square may grow by inside of a cell, for the factor of most copies."""
ROWS, FEW_ROWS, WIDTH, MOST_TERMS = 2048, 256, 64, 1 << 18
"""Rows of so many heights that are worked out at once, and at first; terms of moments at once."""
PARTS, STEPS = 16, 4
"""Into which a cell is divided; it is not where it is no wider than so many steps of the rule."""
BOUND, POWER = 1 / 12, 1 / 150
"""Steps of a bound, beside its moment, and of each square for a power of it."""


@dataclass(frozen=True, eq=False)
class Cells:
    """Bounds of |E_(gamma + iu)/E_gamma| on cells from ``begin`` on, next to one another."""

    begin: Any
    width: Any
    bounds: Any

    def shares(self, step: float) -> tuple[Any, Any]:
        """For the rule of a step: bounds of the sums of step/u^2 and of step times the bound, over
        all nodes in each cell; infinite for one that begins below two steps.

        A cell [a, a + h) has at most h/step + 1 nodes, and the sum of step/u^2 is at most
        1/(a - step) - 1/(a + h).

        >>> Cells(np.arange(4.0), np.ones(4), np.ones(4)).shares(0.5)[0].round(2).tolist()
        [inf, 1.5, 0.33, 0.15]
        """
        spend(len(self.bounds) / 8)
        whole = SAFE * self.bounds * (self.width + step)
        inverse = np.full(len(whole), np.inf)
        far = self.begin >= 2 * step
        inverse[far] = 1 / ((self.begin[far] - step) * (self.begin[far] + self.width[far]))
        return SAFE * whole * inverse, np.where(far, whole, np.inf)


def cells(factors: Factors, gamma: float, top: float, step: float = math.inf,
          limits: tuple[float, float] = (math.inf, math.inf), most: float = math.inf
          ) -> Cells | None:
    """Up to a height; None where too many are needed, no losses are atoms, or what falls as moments
    do at most heights counts beyond ``most`` nodes.  Other losses are not looked at: they bring
    nothing nearer.  Cells that count for more than their share of the limits of both sums of a
    rule are divided.

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
        enough = -math.log(limits[0]) if 0 < limits[0] < 1 else math.inf
        fallen, fall = _falling([one for one in known if isinstance(one[0], Listed)],
                                enough + FALLEN)
        listed = [(_bend(moments.seeded), s, k) for moments, s, k in fallen]
    if not listed or (most < math.inf and fall < enough - FALLEN - math.log(most * step)):
        return None
    bend, _, _ = max(listed, key=lambda one: (one[2], one[0]))
    width = min(math.sqrt(8 * SLACK / bend) if bend > 0 else math.inf, top)
    terms = sum(len(moments.seeded.most) for moments, *_ in fallen)
    left = MOST_WORK - top / width * terms
    if top / width > MOST_CELLS or left < 0:
        return None
    count = math.ceil(top / width) + 1
    numbers, bounds = np.arange(count), _bounds(listed, gamma, top, width, count)
    done: list[Cells] = []
    while True:
        here = Cells(numbers * width, np.full(len(numbers), width), bounds)
        if width <= STEPS * step:
            break
        bad = _counting(here, step, limits, 1 / count)
        left -= DEARER * PARTS * float(bad.sum()) * terms
        if not bad.any() or left < 0:
            break
        done.append(Cells(*(x[~bad] for x in (here.begin, here.width, here.bounds))))
        # a division by a power of two is exact
        width /= PARTS
        bounds = _bounds(listed, gamma, top, width, numbers[bad])
        numbers = (PARTS * numbers[bad][:, None] + np.arange(PARTS)).ravel()
    done.append(here)
    return Cells(*(np.concatenate(x) for x in zip(*(
        (c.begin, c.width, c.bounds) for c in done), strict=True)))


def _falling(known: Sequence[tuple[Any, Any, int]], enough: float
             ) -> tuple[list[tuple[Any, Any, int]], float]:
    """Those that fall most, at heights where the losses of a release turn as they like, until they
    fall enough together, and how much they do: a choice."""
    falls = [(-k * math.log(float((moments.seeded.most ** 2).sum())) / 2, n)
             for n, (moments, _, k) in enumerate(known)]
    found: list[tuple[Any, Any, int]] = []
    total = 0.0
    for fall, n in sorted(falls, reverse=True):
        if found and total > enough:
            break
        found.append(known[n])
        total += fall
    return found, total


def _counting(found: Cells, step: float, limits: tuple[float, float], share: float) -> Any:
    """Which of the cells count for more than a share of a limit."""
    one, two = found.shares(step)
    return (one > share * limits[0]) | (two > share * limits[1])


def _bounds(listed: Sequence[tuple[float, Any, int]], gamma: float, top: float, width: float,
            cells: Any) -> Any:
    """On so many cells from 0 on, or on the parts of some cells."""
    total: Any = 1.0
    points = cells if isinstance(cells, int) else len(cells) * PARTS
    # all of it before any: what is cut short here is begun anew elsewhere
    spend(sum(points * (BOUND + POWER * (k // 2).bit_length()) for *_, k in listed))
    with workprec(bits_for(width * WIDTH)):
        for bend, spectrum, k in listed:
            moments = moments_of(spectrum, k, gamma, 2 * top, width, 1)
            assert isinstance(moments, Listed)
            squares = _along(moments, width, cells + 1) if isinstance(cells, int) else _inside(
                moments, width, cells)
            most = np.maximum(squares[..., :-1], squares[..., 1:]).ravel()
            slack = SAFE * bend * width * width / 8
            total = SAFE * total * _power(np.minimum(most + slack, 1.0), k // 2)
    return np.minimum(total, 1.0)


def kept(found: Cells, step: float, limits: tuple[float, float], count: int
         ) -> tuple[Any, tuple[float, float]]:
    """Rows of nodes, in pairs the first of each run and the one after its last, that hold all those
    which count, and bounds of both sums over all others.

    The cells that count for least are left out, as long as they stay below the limits together.
    """
    one, two = found.shares(step)
    with np.errstate(over="ignore"):
        parts = np.maximum(one / limits[0], two / limits[1])
    ordered = np.sort(parts)
    many = int(np.searchsorted(np.cumsum(ordered), 1.0))
    out = parts < ordered[many] if many < len(parts) else np.ones(len(parts), dtype=bool)
    order = np.flatnonzero(~out)
    order = order[np.argsort(found.begin[order])]
    begin = found.begin[order]
    # a node more on either side: places of cells are rounded
    first = np.minimum(np.maximum(np.floor(begin / step) - 1, 0), count - 1) // WIDTH
    last = np.minimum(np.ceil((begin + found.width[order]) / step) + 1, count - 1) // WIDTH + 1
    # the first rows are always worked out
    few = min(FEW_ROWS, -(-count // WIDTH))
    first, last = np.concatenate([[0], first]), np.concatenate([[few], np.maximum(last, few)])
    first[1:] = np.where(first[1:] < few, 0, first[1:])
    cuts = np.flatnonzero(first[1:] > last[:-1])
    # millions of runs are no list: they may be more than are worked out
    runs = np.stack([np.append(0, first[cuts + 1]), np.append(last[cuts], last[-1])], axis=1)
    return runs.astype(int), (SAFE * float(one[out].sum()), SAFE * float(two[out].sum()))


def _bend(seeded: Any) -> float:
    """B, for the losses of one release."""
    # an exact mass is held as a complex ball
    pairs = [(flint.acb(w).real, flint.acb(z).real) for w, z in seeded.nodes.pairs]
    whole = sum((w for w, _ in pairs), flint.arb(0))
    mean = sum((w * z for w, z in pairs), flint.arb(0)) / whole
    spread = sum((w * (z - mean) ** 2 for w, z in pairs), flint.arb(0)) / whole
    return SAFE * float((2 * spread).upper())


def _along(moments: Listed, width: float, count: int) -> Any:
    """Bounds of the squares at so many whole multiples of the width, from 0 on."""
    return _squares(moments, width, WIDTH, WIDTH, np.arange(-(-count // WIDTH))).ravel()[:count]


def _inside(moments: Listed, width: float, cells: Any) -> Any:
    """At the ends of the parts of each cell: a row for each."""
    return _squares(moments, width, PARTS, PARTS + 1, cells)


def _squares(moments: Listed, step: float, turn: int, across: int, rows: Any) -> Any:
    """At the multiples turn j + i of a step, for the rows j and i below ``across``."""
    found = []
    for part in together(rows, len(moments.seeded.most)):
        less, off = moments.on(flint.arb(step), Heights(0, turn, part, across))
        found.append((SAFE * (sizes(1 + less) + off + 4 * UNIT) ** 2).reshape(-1, across))
    return np.concatenate(found)


def together(rows: Any, terms: int) -> list[Any]:
    """Parts of rows that are worked out at once, of moments with so many terms.

    >>> [len(part) for part in together(np.arange(3000), 200)]
    [1310, 1310, 380]
    """
    most = max(1, min(ROWS, MOST_TERMS // terms))
    return [rows[i:i + most] for i in range(0, len(rows), most)]


def _power(x: Any, count: int) -> Any:
    """Bounds of powers of numbers from 0 to 1: a product of so many is rounded as often."""
    found = np.ones_like(x)
    for bit in bin(count)[2:]:
        found = found * found
        if bit == "1":
            found = found * x
    return (SAFE + 4 * count * UNIT) * found + 1e-300


__all__ = ["FEW_ROWS", "WIDTH", "Cells", "cells", "kept", "together"]
