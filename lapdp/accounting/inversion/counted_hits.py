"""delta of rare subsampled Gaussians far out, by how many losses are huge.

A loss of (w P + (1 - w) Q, Q) is *usual* up to a place c of its normal deviation, and huge beyond.
With U and H the moments of usual and of huge losses, delta is the sum of

    D_m(t) = the inversion integral (37) of prod C(k, m) U^(k - m) H^m

over all numbers m of huge losses, each on a line of its own.  At the order of that line the
integrand of U has a peak far below c, and that of H far above, if c lies where the integrand of a
release is least between its two peaks: so the sharp cut is not seen, and few nodes next to a peak
give each moment (:mod:`lapdp.accounting.moments.piece_lines`).  On one line for all m the integrand
would be that of another m, far larger than delta.  All other m are bounded by Chernoff's bound at
orders of their own; and with r = sum k H/U those of more than M huge losses at once by

    e^((1 - q) t) prod U^k r^(M+1)/(M+1)! e^r.

Where the integrand has one peak, or two that lie too near, nothing is told apart: few nodes serve
there, too.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion.contour import Table, in_rows, summands, unfold
from lapdp.accounting.inversion.counted import Counted, Saddles, chosen
from lapdp.accounting.inversion.counted_bounds import beyond, others
from lapdp.accounting.inversion.hit_windows import has_hits
from lapdp.accounting.inversion.saddle import beside, exponent, height, right_of_one, shared
from lapdp.accounting.moments.cut_normal import Ends, Fall, log_decay, log_piece, nodes
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.piece_lines import PieceLine
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_KINDS, MOST_TERMS = 4, 3_000_000
"""Unlike rare releases; terms of all moments."""
SLIGHT = 3.0
"""A logarithm that may cancel."""


def reaches(factors: Factors) -> bool:
    """Are there few kinds of rare subsampled Gaussians, without losses that are infinite?"""
    return 0 < sum(has_hits(s) for s, _ in factors.parts) <= MOST_KINDS


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps), to about ``bits`` bits.

    Raises :class:`Unsupported` where usual losses are not told from huge ones, or no line is found.

    >>> from lapdp import gaussian, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> few = releases(poisson(gaussian(100), "1/100", direction="remove")**3)
    >>> with workprec(128):
    ...     print(delta(few, flint.arb(8), 40).str(8, radius=False))
    6.6198687e-320215
    """
    if not reaches(factors) or not eps > 0:
        raise Unsupported("there are no rare huge losses")
    bits = 8 * -(-bits // 8)
    t = float(eps)
    cuts, seen, size = chosen(factors, t, bits * LOG2)
    total = flint.arb(0)
    for hits, likely in seen.items():
        total += _share(Counted(factors.parts, cuts, hits), eps, bits, likely)
    if not total > 0:
        raise Unsupported("what huge losses add is not seen")
    if any(cut is not None for cut in cuts):
        rest = others(Saddles(factors, t), cuts, seen, eps, size - (bits + 4) * LOG2)
        if not rest < total * flint.arb(2) ** -(bits + 1):
            raise Unsupported("other numbers of huge losses are not seen to add next to nothing")
        total += flint.arb(0).union(rest.upper())
    return total


def _share(known: Counted, eps: Any, bits: int, likely: float) -> Any:
    """D, which is about e^``likely``."""
    t = float(eps)
    gap, curvature = right_of_one(exponent(known, t), known.upper - 1)
    size = exponent(known, t)(1 + gap) - math.log(2 * math.pi * max(1.0, curvature)) / 2
    if not math.isfinite(size):
        raise Unsupported("no line is found: its order is too large for doubles")
    # where two peaks are not told apart delta is far below the integrand
    bits += max(0, 8 * math.ceil((size - likely - SLIGHT) / LOG2 / 8))
    gamma = shared(known, exponent(known, t), beyond(gap), curvature)[0]
    line = beside(known, t, gamma, size, bits * LOG2)
    # nodes left out have 1/u^2, those at the saddle 1/(q (q - 1)), which is far less
    lost = max(0.0, 2 * math.ceil(math.log((line.gamma - 1) / line.width)))
    top = height(known, line, bits * LOG2 + lost)
    count = math.ceil(top * line.period / (2 * math.pi)) + 1
    table = _table(known, line.gamma, line.period, count, bits)
    with workprec(table.precision):
        return unfold(known, eps, line, table.total(eps), known.bound)


@lru_cache(maxsize=32)
def _table(known: Counted, gamma: float, period: float, count: int, bits: int) -> Table:
    inner = bits + known.count.bit_length() + 6
    top = 2 * math.pi / period * count
    falls = [(0.0, 0.0) if ends is None else _fall(s, gamma, top, ends)
             for s, _, ends in known.pieces]
    work = sum(s.terms(gamma, top, inner) if ends is None else nodes(
        s, gamma, ends, top, inner * LOG2, fall)
        for (s, _, ends), fall in zip(known.pieces, falls, strict=True))
    if work * count > MOST_TERMS:
        raise Unsupported(f"the rule needs {count} nodes times {work} terms of the moments")
    precision = inner + 24 + int(gamma + top).bit_length()
    with workprec(precision):
        abscissa, step = flint.arb(gamma), 2 * flint.arb.pi() / flint.arb(period)
        lines = [(s.line(abscissa, top, inner) if ends is None else PieceLine(
            s, abscissa, ends, top, inner * LOG2, fall), k)
            for (s, k, ends), fall in zip(known.pieces, falls, strict=True)]
        values = [known.ways * x for x in summands(lines, abscissa, step, count)]
        rest = known.ways / (flint.arb.pi() * step * count)
        for s, k in lines:
            rest *= s.decay(step * count) ** k
        return Table(abscissa, step, in_rows(values), rest, precision)


def _fall(s: MixedNormalSpectrum, gamma: float, top: float, ends: Ends) -> Fall:
    size, y = log_decay(s, gamma, top, ends)
    return max(0.0, log_piece(s, gamma, ends) - size), y


__all__ = ["delta", "reaches"]
