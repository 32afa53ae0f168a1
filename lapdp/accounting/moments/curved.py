"""The pieces of a pair of densities whose loss is outside the exact class."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.balls.bounds import Bounds
from lapdp.balls.compiler import compile_balls, exact_ball
from lapdp.balls.envelope import tail
from lapdp.calculus.field import Scalar
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.density_pairs import CurvedDensities, power
from lapdp.privacy.push_forward import X

ORDERS = (1.125, 1.25, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 16.0, 32.0, 64.0, 128.0)
"""Orders above 1 that are tried for convergence."""
FAR = 1 << 20
"""A tail that is bounded nowhere before this place is said to have no bound."""
DEPTH = 5
"""Halvings of a box on which analyticity is sought."""


@dataclass(frozen=True)
class CurvedPiece:
    """Densities p and q of X between two ends, the loss being log(p/q)."""

    p: Any
    q: Any
    lower: Any
    upper: Any
    reach: float | None = None
    stride: float | None = None
    is_invertible: bool = False
    kept: dict[int, tuple[Any, Any, Any]] = field(default_factory=dict, compare=False)
    """The compiled density, loss and its derivative, by working precision."""

    @property
    def breakpoints(self) -> tuple[Any, Any]:
        """The ends."""
        low, high = (None if end.is_infinite else end for end in (self.lower, self.upper))
        return low, high

    def ends(self) -> tuple[Any, Any]:
        """The ends in balls."""
        low, high = (None if end is None else exact_ball(end).real for end in self.breakpoints)
        return low, high

    def holds(self, box: Any) -> bool:
        """By values on the ball, or on parts of it."""
        return self._holds(box, DEPTH)

    def _holds(self, box: Any, depth: int) -> bool:
        if self.loss(box).is_finite() and self.density(box).is_finite():
            return True
        if not depth:
            return False
        half = flint.arb(0, 1) / 2
        reach = box.real.rad(), box.imag.rad()
        tall = reach[1] > reach[0]
        for side in (-1, 1):
            x, y = flint.arb(box.real.mid()), flint.arb(box.imag.mid())
            if tall:
                part = flint.acb(box.real, y + flint.arb(reach[1]) * (half + flint.arb(side) / 2))
            else:
                part = flint.acb(x + flint.arb(reach[0]) * (half + flint.arb(side) / 2), box.imag)
            if not self._holds(part, depth - 1):
                return False
        return True

    def loss(self, x: Any) -> Any:
        """log p - log q."""
        return self._value(1, x)

    def slope(self, x: Any) -> Any:
        """Its derivative."""
        return self._value(2, x)

    def density(self, x: Any) -> Any:
        """p."""
        return self._value(0, x)

    def law(self, z: Any) -> Any:
        """:class:`Unsupported`: the loss is not inverted."""
        raise Unsupported("the loss of such densities is not inverted")

    def beyond(self, place: Any, side: int, order: Any) -> Any:
        """By envelopes of p^q q^(1-q)."""
        x, start = sp.Dummy("x", positive=True), (side * place).lower()
        if not (start >= 2 and order.is_exact()):
            return flint.arb.pos_inf()
        p, q = (e.subs(X, side * x) for e in (self.p, self.q))
        try:
            return tail(Bounds(x, start).terms(power(p, q, _rational(order))), start)
        except Unsupported:
            return flint.arb.pos_inf()

    def _value(self, which: int, x: Any) -> Any:
        codes = self.kept.get(flint.ctx.prec)
        if codes is None:
            loss = _loss(self.p, self.q)
            nonneg = bool(self.lower.is_nonnegative)
            found = [compile_balls(e, {}, {X: nonneg})
                     for e in (self.p, loss, sp.diff(loss, X))]
            codes = self.kept[flint.ctx.prec] = (found[0], found[1], found[2])
        try:
            return codes[which].run({X: flint.acb(x)}, True)
        except Undefined:
            return flint.acb(flint.arb.nan())


def _loss(p: Any, q: Any) -> Any:
    """log p - log q, logarithms of products and powers expanded."""
    first, second = (sp.expand_log(sp.log(e)) for e in (p, q))
    return sp.expand(first - second)


def _rational(x: Any) -> Any:
    mantissa, exponent = (int(part) for part in x.man_exp())
    value = Fraction(mantissa) * Fraction(2) ** exponent
    return sp.Rational(value.numerator, value.denominator)


def curved_pieces(pair: CurvedDensities) -> list[CurvedPiece]:
    """The pieces; a half-line on which densities fall like powers is one in log x."""
    pair.infinite_masses(Cell())
    found = []
    for (p, q), lower, upper in pair.parts():
        piece = CurvedPiece(p, q, lower, upper)
        middle: list[CurvedPiece] = []
        low, high = lower, upper
        if upper == sp.oo and not _falls(piece, 1):
            high = sp.Max(1, lower + 1) if lower.is_finite else sp.Integer(1)
            middle.append(_logarithmic(piece, 1, high))
        if lower == -sp.oo and not _falls(piece, -1):
            low = sp.Min(-1, upper - 1) if upper.is_finite else sp.Integer(-1)
            middle.append(_logarithmic(piece, -1, -low))
        found += [CurvedPiece(p, q, low, high), *middle]
    return found


def _falls(piece: CurvedPiece, side: int) -> bool:
    place = flint.arb(4)
    while place < FAR:
        if piece.beyond(side * place, side, flint.arb(1)).is_finite():
            return True
        place *= 4
    return False


def _logarithmic(piece: CurvedPiece, side: int, start: Any) -> CurvedPiece:
    """x = side * start * e^v for v > 0."""
    x = side * start * sp.exp(X)
    p, q = (e.subs(X, x) * start * sp.exp(X) for e in (piece.p, piece.q))
    return CurvedPiece(p, q, sp.Integer(0), sp.oo)


def curved(pair: CurvedDensities) -> PiecewiseSpectrum:
    """The moments; orders are used between 0 and the largest that is seen to converge."""
    pieces = curved_pieces(pair)
    return PiecewiseSpectrum((), tuple(pieces), Scalar.of(0), None, *strip(pieces), unsure=True)


def strip(pieces: Any) -> tuple[float, float]:
    """Orders between which the moments are seen to be finite."""
    upper = 1.0
    with workprec(64):
        for order in ORDERS:
            if not all(_converges(piece, flint.arb(order)) for piece in pieces):
                break
            upper = order
    if upper == 1:
        raise Unsupported("no moment of an order above 1 is seen to be finite")
    return 0.0, upper


def _converges(piece: Any, order: Any) -> bool:
    for end, side in zip(piece.ends(), (-1, 1), strict=True):
        place = flint.arb(4)
        while end is None and not piece.beyond(side * place, side, order).is_finite():
            place *= 2
            if place > FAR:
                return False
    return True


__all__ = ["CurvedPiece", "curved", "curved_pieces", "strip"]
