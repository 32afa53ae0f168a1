"""Moments at large heights of losses with bounded pieces: integrals up the plane from their ends.

For q = gamma + iu a piece contributes the integral of f(z) e^(iuz), f = law(z) e^((gamma - 1) z),
from its least loss a to its largest one b.  Where f is analytic on the rectangle above, up to a
height Y, this is by Cauchy's theorem

    W(a) - W(b) + T,    W(c) = i times the integral of f(c + iy) e^(iu (c + iy)) over 0 < y < Y,

and |T| is at most (b - a) e^(-uY) times the largest |f| at the height Y.  On the ways nothing
oscillates: the number of nodes of their Gauss-Legendre rules does not grow with u, as that of rules
on the real axis does.  |e^(iuz)| = e^(-u Im z), which on ellipses below the axis grows with u.
"""

from __future__ import annotations

from typing import Any

import flint

from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.nodal import NodalLine, Nodes
from lapdp.accounting.moments.pieces import Piece
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.errors import Unsupported

RHOS = (1.6, 2.0, 2.5, 3.0, 4.0)
ARCS, CELLS, DEEPEST = 24, 8, 6
"""Balls that cover half of an ellipse, and a side of the rectangle at first; how often these are
halved."""
MARGIN = 4.0


class UpwardLine(NodalLine):
    """The moments on one line between two heights above 0, to about 2^-bits of E_gamma."""

    def __init__(self, spectrum: PiecewiseSpectrum, gamma: Any, low: float, high: float, bits: int
                 ) -> None:
        """Raises :class:`Unsupported` where pieces are not bounded, or not seen to be analytic as
        high as is needed."""
        self.atoms = [(mass * ((gamma - 1) * loss).exp(), loss) for loss, mass in (
            atom.balls() for atom in spectrum.atoms)]
        pairs, self.slips = list(self.atoms), list[tuple[Any, Any]]()
        goal = bits * LOG2 + MARGIN - spectrum.log_size(float(gamma))
        for piece in spectrum.pieces:
            for pair in self._piece(piece, gamma, (low, high), goal):
                pairs.append(pair)
        self.nodes = Nodes(pairs)

    def _piece(self, piece: Piece, gamma: Any, heights: tuple[float, float], goal: float
               ) -> list[tuple[Any, Any]]:
        if not piece.is_invertible or None in piece.breakpoints:
            raise Unsupported("a piece of the loss is not bounded")
        ends = [piece.loss(flint.acb(end)).real for end in piece.ends()]
        low, high = (ends[0], ends[1]) if ends[0] < ends[1] else (ends[1], ends[0])
        if not low < high:
            raise Unsupported("the ends of a piece of the loss are not told apart")

        def f(z: Any) -> Any:
            return piece.law(z) * ((gamma - 1) * z).exp()

        size = _most(f, flint.acb(low), flint.acb(high)) * (high - low)
        up = (goal + max(0.0, float(size.upper().log()))) / heights[0]
        right, left = flint.acb(high, up), flint.acb(low, up)
        # finite on all sides of the rectangle: inside f is analytic as well
        top, *_ = (_most(f, a, b) for a, b in (
            (right, left), (flint.acb(high), right), (left, flint.acb(low))))
        self.slips.append((((high - low) * top).upper(), flint.arb(up)))
        found = []
        for end, sign in ((low, 1), (high, -1)):
            for weight, z in self._way(f, end, up, heights[1], goal):
                found.append((sign * weight, z))
        return found

    def _way(self, f: Any, end: Any, up: float, height: float, goal: float
             ) -> list[tuple[Any, Any]]:
        """The rule on the way up from an end; its bound goes with the others."""
        half, best = flint.arb(up) / 2, None
        for ratio in RHOS:
            rho, size = flint.arb(ratio), flint.arb(0)
            depth = half * ((rho + 1 / rho) / 2 - 1)
            for arc in legendre.arcs(rho, ARCS):
                for side in (arc, arc.conjugate()):
                    size = size.max(abs(f(end + flint.acb(0, half) * (1 + side))).upper())
            if not size.is_finite():
                continue
            size *= half
            grows = float((size.log() + height * depth).upper())
            count = legendre.nodes_for(max(4.0, goal + grows + 2), ratio)
            if best is None or count < best[0]:
                best = count, rho, size, depth.upper()
        if best is None:
            raise Unsupported("a piece of the loss is not seen to be analytic above its ends")
        count, rho, size, depth = best
        self.slips.append((legendre.error(count, rho, size).upper(), -depth))
        found = []
        for x, share in legendre.rule(count):
            z = end + flint.acb(0, half) * (1 + x)
            found.append((flint.acb(0, half) * share * f(z), z))
        return found

    def error(self, u: Any) -> Any:
        """Of all ways, and of what lies between their ends, at a height."""
        return sum((size * (-abs(u) * rise).exp() for size, rise in self.slips),
                   flint.arb(0)).upper()


def _most(f: Any, start: Any, end: Any, depth: int = DEEPEST) -> Any:
    """A bound of |f| on a straight way; :class:`Unsupported` where balls see none."""
    total, half = flint.arb(0), (end - start) / (2 * CELLS)
    for k in range(CELLS):
        middle = start + (2 * k + 1) * half
        size = abs(f(middle + half * flint.arb(0, 1))).upper()
        if not size.is_finite():
            if not depth:
                raise Unsupported("a piece of the loss is not seen to be analytic above it")
            size = _most(f, middle - half, middle + half, depth - 1)
        total = total.max(size)
    return total


__all__ = ["UpwardLine"]
