"""delta of losses with corners beside narrow ones: those that carry no corner to eps.

Let X be a bounded loss with corners (see :mod:`lapdp.accounting.inversion.residues`), and Y that of
all other releases, -a <= Y <= b.  Where both are finite,

    delta(eps) = the mean of delta_X(eps - Y),

and delta_X(t) is an integral over a circle, of the corners above t.  If no corner lies between
eps - b and eps + a, those above eps - Y are those above eps, whatever Y is.  Then the mean may be
taken under the integral, where e^(-t (q - 1)) becomes e^(-eps (q - 1)) E_q[Y]: the integral is that
of X, times the moment of Y.  That is an entire function, and with h the larger of a and b

    |E_q[Y]| <= e^((r + 1/2) h)   on the circle |q - 1/2| = r.

No line and no decay is asked for: of atoms of X, of atoms of Y, or of pieces of either.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion import residues
from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.corners import Corners, corners_of
from lapdp.accounting.moments.exact import double
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.nodal import around
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

PLACE_BITS, RANGE_BITS = 128, 64
COVER = 16
"""Balls that cover an interval on which a loss is bounded."""
MOST_TERMS = 2_000
"""Of the series of a moment."""


class Narrow:
    """The moments of releases whose losses are bounded, around the order 1/2."""

    def __init__(self, factors: Factors) -> None:
        taken = in_pieces(factors)
        if taken is None:
            raise Unsupported("the losses beside those with corners are no atoms and pieces")
        self.parts: tuple[tuple[PiecewiseSpectrum, int], ...] = taken.parts  # type: ignore[assignment]
        with workprec(RANGE_BITS):
            ranges = [(_range(s), k) for s, k in self.parts]
            self.low = sum((k * low for (low, _), k in ranges), flint.arb(0)).lower()
            self.high = sum((k * high for (_, high), k in ranges), flint.arb(0)).upper()
            self.farthest = abs(self.low).max(abs(self.high)).upper()

    def size(self, radius: Any) -> Any:
        """A bound of |E_q| for |q - 1/2| <= radius."""
        return ((radius + 0.5) * self.farthest).exp().upper()

    def values(self, points: list[Any], radius: float) -> list[Any]:
        """E_(1/2 + s) at points |s| <= radius, at the working precision."""
        found = [flint.acb(1) for _ in points]
        for s, k in self.parts:
            series, slip = _series(s, flint.arb(radius), flint.ctx.prec)
            found = [x * (series(p) + slip) ** k for x, p in zip(found, points, strict=True)]
        return found


def _range(spectrum: PiecewiseSpectrum) -> tuple[Any, Any]:
    """Numbers between which all finite losses lie."""
    boxes = [atom.balls()[0] for atom in spectrum.atoms]
    for piece in spectrum.pieces:
        low, high = piece.ends()
        if low is None or high is None:
            raise Unsupported("losses beside those with corners are not bounded")
        half = (high - low) / (2 * COVER)
        boxes += [piece.loss(flint.acb(low + (2 * j + 1) * half + flint.arb(0, half.upper()))).real
                  for j in range(COVER)]
    least, most = boxes[0].lower(), boxes[0].upper()
    for box in boxes[1:]:
        least, most = least.min(box.lower()), most.max(box.upper())
    if not (least.is_finite() and most.is_finite()):
        raise Unsupported("losses beside those with corners are not seen to be bounded")
    return least, most


def _series(spectrum: PiecewiseSpectrum, radius: Any, bits: int) -> tuple[Any, Any]:
    """A polynomial in s near E_(1/2 + s) for |s| <= radius, and a ball around 0 for the error.

    A sum of w e^(s l) over nodes, each cut after so many powers of s; what the rules of the nodes
    are off is bounded on their ellipses, where |e^(s l)| is at most e^(radius |l|).
    """
    rules = spectrum.rules(0.5, bits)
    if not rules.missing.is_zero():
        raise Unsupported("a piece of the loss is cut")
    chosen = rules.chosen(float(radius), 0.0)
    error = flint.arb(0)
    for panel, count, e in chosen:
        farthest = e.spread + abs(panel.piece.loss(flint.acb(panel.middle)))
        error += legendre.error(count, e.rho, e.size) * (radius * farthest).exp()
    pairs = rules.nodes(chosen).pairs
    weight = sum((abs(w) for w, _ in pairs), flint.arb(0)).upper()
    far = radius * max((abs(x).upper() for _, x in pairs), default=flint.arb(0))
    # |e^z - the first terms| <= |z|^n/n! e^|z|
    rest, n = weight * far.exp(), 0
    while not rest < flint.arb(2) ** -bits * weight:
        n += 1
        rest = (rest * far / n).upper()
        if n > MOST_TERMS:
            raise Unsupported("the losses beside those with corners are too far from 0")
    size = flint.arb(1)
    terms = [w for w, _ in pairs]
    coefficients = []
    for j in range(n + 1):
        coefficients.append(sum(terms, flint.arb(0)) / size)
        terms = [t * x for t, (_, x) in zip(terms, pairs, strict=True)]
        size *= j + 1
    return flint.acb_poly(coefficients), around((error + rest).upper())


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about ``bits`` bits.

    Raises :class:`Unsupported` where corners lie too near to eps, or there are none.
    """
    found = parted(factors)
    if found is None:
        raise Unsupported("no losses with corners stand beside bounded ones")
    exact, narrow = found
    with workprec(PLACE_BITS):
        places = residues.Balls(corners_of(exact))
        below, above = (places.above(eps - x) for x in (narrow.high, narrow.low))
        if not (below.near.is_zero() and above.near.is_zero()) or below.counts != above.counts:
            raise Unsupported("other losses may carry a corner to eps")
        if not any(above.counts):
            # no loss is larger
            return flint.arb(0)
    return residues.delta(exact, eps, bits + factors.count.bit_length(), narrow)


@lru_cache(maxsize=64)
def parted(factors: Factors) -> tuple[Factors, Narrow] | None:
    """The losses with corners, and the narrow ones: all that have none, or whose corners would be
    too many, those that reach least first.  None where either is missing.

    >>> from lapdp import laplace, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> found = parted(releases(laplace(2)**9 * poisson(laplace(2), "0.001", direction="add")))
    >>> found[0].count, float(found[1].farthest) < 0.001
    (9, True)
    """
    exact: list[tuple[Any, int]] = []
    rest: list[tuple[Any, int]] = []
    for s, k in factors.parts:
        (exact if _corners(Factors(((s, k),))) else rest).append((s, k))
    exact.sort(key=lambda part: part[1] * max(abs(double(x)) for x in (
        *part[0].loss.impulses, *part[0].loss.jumps)))
    while exact and not _corners(Factors(tuple(exact))):
        rest.append(exact.pop(0))
    if not exact or not rest:
        return None
    try:
        return Factors(tuple(exact)), Narrow(Factors(tuple(rest)))
    except Unsupported:
        return None


def _corners(factors: Factors) -> Corners | None:
    try:
        return corners_of(factors)
    except Unsupported:
        return None


def is_short(factors: Factors) -> bool:
    """Do few corners stand beside narrow losses?"""
    found = parted(factors)
    return found is not None and residues.is_short(found[0])


__all__ = ["delta", "is_short", "parted"]
