"""Moments of bounded losses at all complex orders around 1/2, as power series.

A normal loss is cut at so many deviations: what is left out has a mass that is told.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import flint

from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, right_tail
from lapdp.accounting.moments.nodal import around
from lapdp.accounting.moments.pieces import MixedPiece
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.calculus.field import Scalar
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

RANGE_BITS, ROUGH_BITS = 64, 96
COVER = 16
"""Balls that cover an interval on which a loss is bounded."""
MOST_TERMS = 2_000
"""Of the series of a moment."""


@dataclass(frozen=True)
class NormalPiece:
    """Under Q the loss is root n - kappa for a standard normal n, root^2 = 2 kappa; under P n has
    the mean root.  Both are cut ``deviations`` away from their means, outwards."""

    kappa: Number
    deviations: int
    reach: float | None = 1.5
    stride: float | None = 2.0
    is_invertible: bool = False

    @property
    def breakpoints(self) -> tuple[Any, Any]:
        """Names for the ends."""
        return ("low", self), ("high", self)

    def ends(self) -> tuple[Any, Any]:
        """The cuts."""
        return flint.arb(-self.deviations), self.deviations + self._root()

    def holds(self, box: Any) -> bool:
        """Always: all functions are entire."""
        return True

    def _root(self) -> Any:
        return (2 * self.kappa.ball()).sqrt()

    def loss(self, x: Any) -> Any:
        """root n - kappa."""
        return self._root() * x - self.kappa.ball()

    def slope(self, x: Any) -> Any:
        """root."""
        return flint.acb(self._root())

    def density(self, x: Any) -> Any:
        """Of P."""
        y = x - self._root()
        return (-y * y / 2).exp() / (2 * flint.arb.pi()).sqrt()

    def law(self, z: Any) -> Any:
        """Not asked for."""
        raise Unsupported("the law of a normal loss that is cut is not asked for")

    def beyond(self, place: Any, side: int, order: Any) -> Any:
        """Not asked for: the ends are finite."""
        return flint.arb.pos_inf()


class EntireMoments:
    """The moments of releases with bounded losses, as far as they are not cut."""

    def __init__(self, factors: Factors, deviations: int) -> None:
        self.parts: list[tuple[PiecewiseSpectrum, int]] = []
        self.left_out = flint.arb(0)
        """A bound of the P-mass of what is cut."""
        for s, k in factors.parts:
            if isinstance(s, MixedNormalSpectrum):
                piece = MixedPiece(NormalPiece(s.kappa, deviations), s.first, s.second)
                self.parts.append((PiecewiseSpectrum((), (piece,), Scalar.of(0), None), k))
                with workprec(RANGE_BITS):
                    # of either law both tails, the farther one a little more than needed
                    self.left_out += 2 * k * right_tail(flint.arb(deviations))
                continue
            taken = in_pieces(Factors(((s, k),)))
            if taken is None:
                raise Unsupported("losses beside those with corners are no atoms and pieces")
            found = taken.parts[0][0]
            assert isinstance(found, PiecewiseSpectrum)
            self.parts.append((found, k))
        with workprec(RANGE_BITS):
            ranges = [(losses_between(s), k) for s, k in self.parts]
            self.low = sum((k * low for (low, _), k in ranges), flint.arb(0)).lower()
            self.high = sum((k * high for (_, high), k in ranges), flint.arb(0)).upper()

    def log_moment(self, order: float) -> float:
        """log E, nearly."""
        return sum(k * s.log_size(order) for s, k in self.parts)

    def bound(self, shift: Any) -> Any:
        """A bound of E_(1/2 + x) at a real x."""
        with workprec(ROUGH_BITS):
            found = flint.arb(1)
            for s, k in self.parts:
                pairs, error = _nodes(s, abs(shift).upper(), RANGE_BITS)
                found *= (sum((w * (shift * x).exp() for w, x in pairs), error)) ** k
            return found.upper()

    def values(self, points: list[Any], radius: float) -> list[Any]:
        """E_(1/2 + s) at points |s| <= radius, at the working precision."""
        found = [flint.acb(1) for _ in points]
        for s, k in self.parts:
            series, slip = _series(s, flint.arb(radius), flint.ctx.prec)
            spend(len(points) * len(series) * flint.ctx.prec / 500)
            found = [x * (series(p) + slip) ** k for x, p in zip(found, points, strict=True)]
        return found


def losses_between(spectrum: PiecewiseSpectrum) -> tuple[Any, Any]:
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


def _nodes(spectrum: PiecewiseSpectrum, radius: Any, bits: int
           ) -> tuple[list[tuple[Any, Any]], Any]:
    """Weights and losses whose sum of w e^(s l) is E_(1/2 + s), |s| <= radius, and its error.

    On their ellipses |e^(s l)| is at most e^(radius |l|).
    """
    rules = spectrum.rules(0.5, bits)
    chosen = rules.chosen(float(radius), 0.0)
    error = flint.arb(0)
    for panel, count, e in chosen:
        farthest = e.spread + abs(panel.piece.loss(flint.acb(panel.middle)))
        error += legendre.error(count, e.rho, e.size) * (radius * farthest).exp()
    if not rules.missing.is_zero():
        raise Unsupported("a piece of the loss is cut")
    return rules.nodes(chosen).pairs, error.upper()


def _series(spectrum: PiecewiseSpectrum, radius: Any, bits: int) -> tuple[Any, Any]:
    """A polynomial in s near E_(1/2 + s) for |s| <= radius, and a ball around 0 for the error: each
    e^(s l) is cut after so many powers."""
    pairs, error = _nodes(spectrum, radius, bits)
    weight = sum((abs(w) for w, _ in pairs), flint.arb(0)).upper()
    far = radius * max((abs(x).upper() for _, x in pairs), default=flint.arb(0))
    # |e^z - the first n terms| <= |z|^n/n! e^|z|
    rest, n = weight * far.exp(), 0
    while not rest < flint.arb(2) ** -bits * weight:
        n += 1
        rest = (rest * far / n).upper()
        if n > MOST_TERMS:
            raise Unsupported("the losses beside those with corners are too far from 0")
    size, terms, coefficients = flint.arb(1), [w for w, _ in pairs], []
    spend((n + 1) * len(pairs) * bits / 500)
    for j in range(n + 1):
        coefficients.append(sum(terms, flint.arb(0)) / size)
        terms = [t * x for t, (_, x) in zip(terms, pairs, strict=True)]
        size *= j + 1
    return flint.acb_poly(coefficients), around((error + rest).upper())


__all__ = ["EntireMoments", "NormalPiece", "losses_between"]
