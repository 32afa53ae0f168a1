"""The integral around the poles, beside losses too small to reach a corner.

Let Y be bounded losses with corners (:mod:`lapdp.accounting.inversion.residues`), and Z any others
with values from -a to b, M its moment.  Where no corner of Y lies between eps - b and eps + a,

    delta(eps) = sum over C > eps of 1/(2 pi i) integral of
                 e^((C - eps) (s - 1/2)) R_C(s) M(s + 1/2)/(s^2 - 1/4)

around all poles: the mean over Z of the integrals at eps - Z, for which the same corners lie above
eps - Z.  M is entire, and with C - eps + Z > 0 the integrand is on |s| = rho at most what it is
there for Y alone, times M(rho + 1/2).
"""

from __future__ import annotations

import math
from functools import lru_cache, reduce
from typing import Any

import flint

from lapdp.accounting.inversion.corner_sums import Above
from lapdp.accounting.inversion.few import is_bounded
from lapdp.accounting.inversion.residues import (
    FEW,
    ROUGH,
    Balls,
    Bounds,
    Rule,
    nodes_for,
    radius_for,
)
from lapdp.accounting.moments.corners import Corners, corners_of
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.nodal import around
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES, SPARE, PLACE_BITS = 2000, 24, 128
"""Of a circle; bits more of its sums, and those of places that it is chosen for."""
MORE = 2.0
"""On ellipses losses are somewhat larger."""


@lru_cache(maxsize=64)
def apart(factors: Factors) -> tuple[Factors, Factors] | None:
    """The losses with corners, and all others as atoms and pieces, where both are bounded; None
    elsewhere."""
    corners = [part for part in factors.parts if isinstance(part[0], ExactSpectrum)]
    others = [part for part in factors.parts if part not in corners]
    while corners and not _has_few(corners):
        # the losses of many copies may be the smallest ones
        most = max(corners, key=lambda part: part[1])
        corners, others = [part for part in corners if part is not most], [*others, most]
    taken = in_pieces(Factors(tuple(others))) if corners and others else None
    if taken is None or not is_bounded(taken):
        return None
    return Factors(tuple(corners)), taken


def _has_few(parts: list[Any]) -> bool:
    try:
        return corners_of(Factors(tuple(parts))).work <= FEW
    except Unsupported:
        return False


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about ``bits`` bits.

    Raises :class:`Unsupported` where there are no such losses, and where a corner lies within reach
    of eps.
    """
    found = apart(factors)
    if found is None:
        raise Unsupported("no losses with corners lie beside bounded ones")
    here, others = found
    corners = corners_of(here)
    with workprec(PLACE_BITS):
        places = Balls(corners)
        low, high = _range(others)
        above, beyond = places.above(eps - high), places.above(eps - low)
        told = above.near.is_zero() and beyond.near.is_zero()
        if not told or above.counts != beyond.counts:
            raise Unsupported("the losses beside corners may reach one")
        top = places.highest - eps
    if not any(above.counts):
        # no loss is larger
        return flint.arb(0)
    bounds = _bounds(corners, others)
    with workprec(ROUGH):
        mantissa, power = math.frexp(float(top))
        # what is chosen serves all eps nearby
        start = math.ldexp(round(mantissa * 4096), power - 12)
        radius = radius_for(factors, corners, float(bounds.highest) - start)
        nodes, outer, inner, lost = nodes_for(bounds, start, above.counts, radius,
                                              (bits + 16) * LOG2)
    if nodes > MOST_NODES:
        raise Unsupported(f"the circle beside small losses needs {nodes} nodes, more than "
                          f"{MOST_NODES}")
    turns = (float(abs(top).upper()) + 1) * radius
    precision = bits + lost + SPARE + factors.count.bit_length() + int(turns).bit_length()
    rule = _rule(corners, others, radius, nodes, 32 * -(-precision // 32))
    with workprec(rule.bits):
        there = Above(rule.highest - eps, above.counts, flint.arb(0))
        total = rule.total(there)
    with workprec(ROUGH):
        error = bounds.error(there, radius, nodes, outer, inner)
    return total + flint.arb(0, error)


def _range(others: Factors) -> tuple[Any, Any]:
    """Balls around the smallest and the largest loss."""
    low, high = flint.arb(0), flint.arb(0)
    for s, k in others.parts:
        places = _ends(s)
        low += k * reduce(flint.arb.min, places)
        high += k * reduce(flint.arb.max, places)
    return low, high


def _ends(s: Any) -> list[Any]:
    """The atoms of a loss and the ends of its pieces: their laws are known, so that it rises along
    a piece, or falls."""
    assert isinstance(s, PiecewiseSpectrum)
    return [atom.balls()[0] for atom in s.atoms] + [
        piece.loss(flint.acb(end)).real for piece in s.pieces for end in piece.ends()]


class _Moments:
    """M of all others, at complex orders q with |q - 1| at most a radius.

    By the rules of the order 1 with the factor e^((q - 1) l): on each ellipse it is at most what
    |q - 1| times the largest |l| there says.
    """

    def __init__(self, others: Factors, radius: float, bits: int) -> None:
        self.laws, far = [], flint.arb(radius)
        for s, k in others.parts:
            reach = max(abs(float(x)) for x in (*_ends(s),))
            inner = bits + k.bit_length() + math.ceil(MORE * radius * reach / LOG2) + 1
            with workprec(inner + SPARE):
                line = s.line(flint.arb(1), 0.0, inner)
                off = line.rules.missing * (far * reach * 2).exp()
                for (size, _), (panel, _, ellipse) in zip(line.ripples, line.chosen, strict=True):
                    center = panel.piece.loss(flint.acb(panel.middle))
                    off += size * (far * (abs(center) + ellipse.spread)).exp()
            self.laws.append((line.nodes.pairs, around(off), k, inner + SPARE))

    def at(self, q: Any) -> Any:
        """M(q)."""
        value, w = flint.acb(1), q - 1
        for pairs, off, k, precision in self.laws:
            with workprec(max(precision, flint.ctx.prec)):
                value *= (sum((weight * (w * loss).exp() for weight, loss in pairs),
                              flint.acb(0)) + off) ** k
        return value


class _Bounds(Bounds):
    """Bounds of the integrand with the factor M."""

    def __init__(self, corners: Corners, others: Factors) -> None:
        super().__init__(corners)
        self.others = others
        self.sizes: dict[float, Any] = {}

    def size(self, above: Above, rho: float) -> Any:
        """On a circle around all poles."""
        if rho not in self.sizes:
            order = flint.acb(rho) + 0.5
            self.sizes[rho] = abs(_Moments(self.others, rho + 1, ROUGH).at(order)).upper()
        return super().size(above, rho) * self.sizes[rho]


class _Rule(Rule):
    """The nodes on one circle with the factor M."""

    def __init__(self, corners: Corners, others: Factors, radius: float, nodes: int, bits: int
                 ) -> None:
        super().__init__(corners, radius, nodes, bits)
        moments, points = _Moments(others, radius + 1, bits), []
        for j, (weight, here) in enumerate(self.points):
            sine, cosine = flint.arb.sin_cos_pi_fmpq(flint.fmpq(2 * j + 1, nodes))
            q = flint.acb(radius * cosine + 0.5, radius * sine)
            points.append((weight * moments.at(q), here))
        self.points = points


@lru_cache(maxsize=64)
def _bounds(corners: Corners, others: Factors) -> _Bounds:
    with workprec(ROUGH):
        return _Bounds(corners, others)


@lru_cache(maxsize=32)
def _rule(corners: Corners, others: Factors, radius: float, nodes: int, bits: int) -> _Rule:
    with workprec(bits):
        return _Rule(corners, others, radius, nodes, bits)


__all__ = ["apart", "delta"]
