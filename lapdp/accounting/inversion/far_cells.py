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
from collections.abc import Iterator, Sequence
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

MOST_CELLS, MOST_RUNS = 1 << 22, 512
SLACK = 0.1
"""What the square may grow by inside of a cell, for the factor of most copies."""
ROWS, FEW_ROWS, WIDTH, NEAR = 256, 32, 512, 8
"""Heights that are worked out at once, and at first; rows between two runs that take no longer than
a run more."""
PARTS, STEPS = 16, 4
"""Into which a cell is divided; it is not where it is no wider than so many steps of the rule."""


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
        whole = SAFE * self.bounds * (self.width + step)
        inverse = np.full(len(whole), np.inf)
        far = self.begin >= 2 * step
        inverse[far] = 1 / ((self.begin[far] - step) * (self.begin[far] + self.width[far]))
        return SAFE * whole * inverse, np.where(far, whole, np.inf)


def cells(factors: Factors, gamma: float, top: float, step: float = math.inf,
          limits: tuple[float, float] = (math.inf, math.inf)) -> Cells | None:
    """Up to a height; None where too many are needed, or no losses are atoms.  Others are not
    looked at: they bring nothing nearer.  Those that count for more than their share of the limits
    of both sums of a rule are divided.

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
    width = min(math.sqrt(8 * SLACK / bend) if bend > 0 else math.inf, top)
    if top / width > MOST_CELLS:
        return None
    count = math.ceil(top / width) + 1
    numbers, bounds = np.arange(count), _bounds(listed, gamma, top, width, [(0, count)])
    done: list[Cells] = []
    while True:
        here = Cells(numbers * width, np.full(len(numbers), width), bounds)
        if width <= STEPS * step:
            break
        bad = _counting(here, step, limits, 1 / count)
        runs = _runs(numbers[bad])
        if not runs or len(runs) > MOST_RUNS or PARTS * bad.sum() > MOST_CELLS:
            break
        done.append(Cells(*(x[~bad] for x in (here.begin, here.width, here.bounds))))
        # a division by a power of two is exact
        width /= PARTS
        inner = [(PARTS * first, PARTS * last) for first, last in runs]
        numbers = np.concatenate([np.arange(*run) for run in inner])
        bounds = _bounds(listed, gamma, top, width, inner)
    done.append(here)
    return Cells(*(np.concatenate(x) for x in zip(*(
        (c.begin, c.width, c.bounds) for c in done), strict=True)))


def _counting(found: Cells, step: float, limits: tuple[float, float], share: float) -> Any:
    """Which of the cells count for more than a share of a limit."""
    one, two = found.shares(step)
    return (one > share * limits[0]) | (two > share * limits[1])


def _runs(numbers: Any) -> list[tuple[int, int]]:
    """Whole numbers one after another: the first of each run, and the one after its last.

    >>> _runs(np.array([0, 1, 2, 7, 9, 10]))
    [(0, 3), (7, 8), (9, 11)]
    """
    if not len(numbers):
        return []
    cuts = np.flatnonzero(np.diff(numbers) > 1)
    firsts = [int(numbers[0]), *numbers[cuts + 1].tolist()]
    return list(zip(firsts, [*(numbers[cuts] + 1).tolist(), int(numbers[-1]) + 1], strict=True))


def _bounds(listed: Sequence[tuple[float, Any, int]], gamma: float, top: float, width: float,
            runs: list[tuple[int, int]]) -> Any:
    """On the cells of runs, in units of the width."""
    total = np.ones(sum(last - first for first, last in runs))
    with workprec(bits_for(width)):
        for bend, spectrum, k in listed:
            moments = moments_of(spectrum, k, gamma, 2 * top, width, 1)
            assert isinstance(moments, Listed)
            slack, most = SAFE * bend * width * width / 8, []
            for first, last in runs:
                squares = _squares(moments, width, first, last + 1)
                most.append(np.maximum(squares[:-1], squares[1:]) + slack)
            total = SAFE * total * _power(np.minimum(np.concatenate(most), 1.0), k // 2)
    return np.minimum(total, 1.0)


def kept(found: Cells, step: float, limits: tuple[float, float]
         ) -> tuple[list[tuple[int, int]], tuple[float, float]]:
    """Runs of nodes that hold all those which count, and bounds of both sums over all others.

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
    first = np.maximum(np.floor(begin / step) - 1, 0).astype(int)
    last = (np.ceil((begin + found.width[order]) / step) + 2).astype(int)
    cuts = np.flatnonzero(first[1:] > last[:-1])
    runs = list(zip([*first[:1].tolist(), *first[cuts + 1].tolist()],
                    [*last[cuts].tolist(), *last[-1:].tolist()], strict=True))
    return runs, (SAFE * float(one[out].sum()), SAFE * float(two[out].sum()))


def _bend(seeded: Any) -> float:
    """B, for the losses of one release."""
    # an exact mass is held as a complex ball
    pairs = [(flint.acb(w).real, flint.acb(z).real) for w, z in seeded.nodes.pairs]
    whole = sum((w for w, _ in pairs), flint.arb(0))
    mean = sum((w * z for w, z in pairs), flint.arb(0)) / whole
    spread = sum((w * (z - mean) ** 2 for w, z in pairs), flint.arb(0)) / whole
    return SAFE * float((2 * spread).upper())


def in_rows(runs: list[tuple[int, int]], count: int) -> list[tuple[int, int]]:
    """Whole rows, all of the first ones, and what lies between two that are near.

    >>> in_rows([(0, 40), (30_000, 30_020), (30_400, 30_800), (99_000, 99_999)], 99_500)
    [(0, 16384), (29696, 31232), (98816, 99500)]
    """
    found = [(0, min(FEW_ROWS * WIDTH, count))]
    for first, last in runs:
        begin, end = first // WIDTH * WIDTH, min(-(-last // WIDTH) * WIDTH, count)
        if begin <= found[-1][1] + NEAR * WIDTH:
            found[-1] = found[-1][0], max(found[-1][1], end)
        elif begin < end:
            found.append((begin, end))
    return found


def blocks(runs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Parts of the runs that are worked out at once."""
    for begin, end in runs:
        first = begin
        while first < end:
            last = min(first + (ROWS if first else FEW_ROWS) * WIDTH, end)
            yield first, last
            first = last


def _squares(moments: Listed, width: float, begin: int, end: int) -> Any:
    """Bounds of the squares at whole multiples of the width."""
    found = []
    for first in range(begin, end, ROWS * WIDTH):
        across = min(WIDTH, end - first)
        rows = min(ROWS, -(-(end - first) // across))
        less, off = moments.on(flint.arb(width), Heights.run(first, across, rows, across))
        found.append(SAFE * (sizes(1 + less) + off + 4 * UNIT) ** 2)
    return np.concatenate(found)[:end - begin]


def _power(x: Any, count: int) -> Any:
    """Bounds of powers of numbers from 0 to 1: a product of so many is rounded as often."""
    found = np.ones_like(x)
    for bit in bin(count)[2:]:
        found = found * found
        if bit == "1":
            found = found * x
    return (SAFE + 4 * count * UNIT) * found + 1e-300


__all__ = ["ROWS", "WIDTH", "Cells", "blocks", "cells", "in_rows", "kept"]
