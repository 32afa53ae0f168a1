"""Each factor of a product on a grid of heights in doubles, by what its losses are."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion.machine_edges import edges_of
from lapdp.accounting.inversion.machine_lines import (
    InBalls,
    Listed,
    Moments,
    Seeded,
    Transformed,
)
from lapdp.accounting.inversion.machine_parts import PIECE_BITS, Ended
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalLine, MixedNormalSpectrum
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.accounting.moments.nodal import Nodes
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.accounting.moments.theta import ThetaSpectrum
from lapdp.core.errors import Unsupported

INNER_BITS = 60
MOST_CELLS = 200_000_000
"""Nodes of the moments times heights."""
HEAD = 32
"""So many heights at least are those of a line that is also worked out in balls: where more are
asked for, it is another one."""


def moments_of(spectrum: Any, copies: int, gamma: float, top: float, step: Any, count: int
               ) -> Moments:
    """One factor on the line of order gamma, for ``count`` heights up to ``top``, at the working
    precision of the moment.  Raises :class:`Unsupported` where that takes long."""
    if isinstance(spectrum, MixedNormalSpectrum):
        line: Any = spectrum.line(flint.arb(gamma), top, INNER_BITS)
        _count(line.nodes, count)
        return _seeded(line, copies, step, flint.ctx.prec) if isinstance(
            step, float) else Seeded.of(line, copies, step)
    if isinstance(spectrum, PiecewiseSpectrum):
        edges = edges_of(spectrum, gamma)
        low = count if edges is None else max(math.ceil(edges.start / step), HEAD) + 1
        line = spectrum.line(flint.arb(gamma), min(top, step * low), PIECE_BITS)
        _count(line.nodes, min(count, low))
        if low < count:
            return Ended(line, copies, low)
        return Listed.of(line, copies, step, line.nodes, line.error(flint.arb(step) * count))
    if isinstance(spectrum, ThetaSpectrum):
        line = spectrum.line(flint.arb(gamma), top, INNER_BITS)
        nodes, left_out = _lattice(spectrum, line, flint.arb(gamma))
        _count(nodes, count)
        # weights of S, whose scale is another one
        return replace(Listed.of(line, copies, step, nodes, left_out), mean=line.size)
    line = spectrum.line(flint.arb(gamma), top, INNER_BITS)
    if isinstance(spectrum, MixedThetaSpectrum):
        _count(line.nodes, count)
        return Listed.of(line, copies, step, line.nodes, line.left_out)
    if isinstance(spectrum, ExactSpectrum):
        if line.jumps:
            return Transformed.of(line, copies)
        nodes = Nodes((mass, place) for place, mass in line.atoms)
        _count(nodes, count)
        return Listed.of(line, copies, step, nodes, flint.arb(0))
    return InBalls(line, copies, line.at(flint.arb(0)).real)


@lru_cache(maxsize=8)
def _seeded(line: MixedNormalLine, copies: int, step: float, bits: int) -> Seeded:
    """At the working precision, which is ``bits``."""
    return Seeded.of(line, copies, step)


def _lattice(spectrum: ThetaSpectrum, line: Any, gamma: Any) -> tuple[Nodes, Any]:
    """The places of a discrete Gaussian that count, and a bound of the sum of all other weights:
    the terms of S beyond a distance X of m fall by e^(-X/v) at least from one to the next."""
    v, shift = line.variance, spectrum.shift
    mean = (1 - gamma) * shift
    middle = round(float(mean))
    reach = math.ceil(math.sqrt(2 * float(v) * (INNER_BITS + 8) * LOG2)) + 1
    start = flint.arb(shift) ** 2 / (2 * v)
    pairs = [((-(x - mean) ** 2 / (2 * v)).exp(), start - flint.arb(x * shift) / v)
             for x in range(middle - reach, middle + reach + 1)]
    far = reach + 1 - abs(mean - middle)
    return Nodes(pairs), 2 * (-far * far / (2 * v)).exp() / (1 - (-far / v).exp())


def _count(nodes: Any, count: int) -> None:
    if count * len(nodes) > MOST_CELLS:
        raise Unsupported("the moments need too many terms in doubles")


__all__ = ["INNER_BITS", "moments_of"]
