"""Moments of pieces at great heights in doubles, by what lies at the ends of the pieces.

On a vertical line the transform of a polynomial p on [a, b] is e^(-a s) R_a - e^(-b s) R_b, with
R_c the sum of p^(i)(c) v^(i+1), v = 1/s and s = 1 - q: a term for each end, however high s is,
where a rule of quadrature has nodes in proportion to the height.  Where p differs from a density f
>= 0 by at most a share of f, the transform differs by that share of the moment at s = 1 - gamma.

Near the real line the terms of R cancel; so they are used from a height on, at which the sum of
their sizes is small beside the moment itself.  With t = v U, U that height, every power of t is at
most 1.  A coefficient and a turn are off by a unit and by twenty, t by eight, a product by three, a
sum by one: the i-th term goes through i products with t and as many sums, and those of all ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.few import _sums, is_bounded
from lapdp.accounting.moments.doubled import SAFE, UNIT, Heights, sizes, turns, turns_on
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.nodal import Nodes
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

DENSITY_BITS, PRECISION, LINE_BITS = 64, 512, 88
"""Bits of the polynomials, of their derivatives, and of the moment itself."""
ENOUGH = 1 / 3
"""Of the moment: the sum of the sizes of all terms, each counted as often as it is rounded, from
which on they are used."""
STEP, MOST_STEPS = 2.0, 200
"""Of the heights that are tried."""
TIMES, ENDS = 16, 26
"""Roundings for each power of t, and of the rest."""
TOGETHER = 1 << 13
LEFT_OUT = 2.0**-58
"""Terms whose sum is smaller are bounded."""


@dataclass(frozen=True, eq=False)
class Edges:
    """The ends of the pieces of one law on a line, over the moment of all pieces."""

    gamma: float
    start: float
    """U."""
    places: tuple[Any, ...]
    rows: tuple[Any, ...]
    """For each place the coefficients of t, t^2, ..."""
    off: float
    """What the coefficients and the density are off at most, whatever the height."""

    @property
    def terms(self) -> int:
        """Of all ends together."""
        return sum(len(row) for row in self.rows)

    def moments(self, step: float, first: int, count: int) -> tuple[Any, Any]:
        """E_(gamma + i step j)/E_gamma - 1 for j from ``first`` to ``count`` - 1, and bounds of the
        errors; ``first`` is at least U over the step."""
        return self._at(step, np.arange(first, count, dtype=float),
                        lambda angle: turns(angle.exp(), count)[first:])

    def on(self, step: float, heights: Heights) -> tuple[Any, Any]:
        """The same at some heights, all of them at least U over the step."""
        return self._at(step, heights.numbers, lambda angle: turns_on(angle, heights))

    def _at(self, step: float, numbers: Any, turned_by: Callable[[Any], Any]) -> tuple[Any, Any]:
        assert step * numbers[0] >= self.start
        count = len(numbers)
        value, slips = np.zeros(count, dtype=complex), np.full(count, self.off)
        for place, row in zip(self.places, self.rows, strict=True):
            with workprec(PRECISION):
                turned = turned_by(flint.acb(0, flint.arb(step)) * place)
            weights = abs(row) * (TIMES * (np.arange(len(row)) + 2.0) + ENDS + len(self.rows))
            for low in range(0, count, TOGETHER):
                part, gap = slice(low, low + TOGETHER), 1 - self.gamma
                u = step * numbers[part]
                t = self.start * (gap + 1j * u) / (gap * gap + u * u)
                size = (1 + 16 * UNIT) * self.start / u
                kept, rest = _kept(abs(row), float(size[0]))
                value[part] += _horner(row[:kept], t) * turned[part]
                slips[part] += UNIT * _horner(weights[:kept], size) + rest
        less = value - 1
        slips += UNIT * sizes(less)
        # |E_q| <= E_gamma: what a bound of the error exceeds that by is no news
        return less, np.minimum(SAFE * slips, SAFE * (sizes(value) + 1))


def _horner(row: Any, t: Any) -> Any:
    """The sum of row[i] t^(i + 1)."""
    total = np.full(len(t), row[-1], dtype=t.dtype)
    for c in row[-2::-1]:
        total *= t
        total += c
    return total * t


def _kept(row: Any, size: float) -> tuple[int, float]:
    """How many terms are worked out for |t| <= size, and a bound of all others."""
    rest = np.cumsum((row * size ** np.arange(1.0, len(row) + 1))[::-1])[::-1]
    kept = max(1, int(np.count_nonzero(rest > LEFT_OUT)))
    return kept, SAFE * float(rest[kept]) if kept < len(row) else 0.0


def edges_of(spectrum: PiecewiseSpectrum, gamma: float) -> Edges | None:
    """The ends of all pieces, None where these are not bounded, or their densities are no such
    polynomials."""
    try:
        return _edges(spectrum, gamma)
    except Unsupported:
        return None


@lru_cache(maxsize=64)
def _edges(spectrum: PiecewiseSpectrum, gamma: float) -> Edges:
    if not spectrum.pieces or not is_bounded(Factors(((spectrum, 1),))):
        raise Unsupported("there are no bounded pieces")
    with workprec(PRECISION):
        part = _sums(spectrum, DENSITY_BITS, PRECISION)
        order = flint.arb(gamma)
        line = spectrum.line(order, 0.0, LINE_BITS)
        mean = Nodes(line.nodes.pairs[len(spectrum.atoms):]).total().real + flint.arb(
            0, line.error(flint.arb(0)).upper())
        if not mean > 0:
            raise Unsupported("a moment is not seen to be positive")
        places = part.part.places
        rows = [[c * ((order - 1) * place).exp() / mean for c in poly.coeffs()[1:]]
                for place, poly in zip(places, part.once, strict=True)]
        share = float(part.part.share)
        start = _start(rows)
        found, off = [], SAFE * share
        for row in rows:
            scaled = [c / flint.arb(start) ** (i + 1) for i, c in enumerate(row)]
            near = [float(c.mid()) for c in scaled]
            # |t| <= 1
            off += SAFE * float(sum((abs(c - flint.arb(x)).upper() for c, x in zip(
                scaled, near, strict=True)), flint.arb(0)).upper())
            found.append(np.array(near or [0.0]))
    if not math.isfinite(off):
        raise Unsupported("the derivatives of a density are no doubles")
    return Edges(gamma, start, tuple(places), tuple(found), off)


def _start(rows: list[list[Any]]) -> float:
    """U: a power of STEP."""
    logs = [[(i, float(abs(c).upper().log())) for i, c in enumerate(row) if not c.is_zero()]
            for row in rows]

    def size(height: float) -> float:
        log = math.log(height)
        return sum((i + 2) * math.exp(min(700.0, x - (i + 1) * log)) for row in logs
                   for i, x in row)

    height = 1.0
    for _ in range(MOST_STEPS):
        if size(height) <= ENOUGH:
            return height
        height *= STEP
    raise Unsupported("the terms of the ends of a piece do not fall")


__all__ = ["Edges", "edges_of"]
