"""The pieces of a law on one vertical line: Gauss-Legendre rules on panels, errors and decay.

For q = gamma + iu a piece contributes the integral of h e^(iu l), h = density e^((gamma - 1) l).
Above the real axis |e^(iu l)| = e^(-u Im l).  So with Im l' known on the way, the path may leave
the axis at a height y: where l' has a positive real part, the vertical way from x costs at most
sup |h|/(u inf Re l'), and the path above a panel at most its length times sup |h| e^(-u Im l).
Where l falls, the path goes below.  A panel may also be counted with its mass.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import flint

from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.pieces import Piece
from lapdp.core.errors import Unsupported

MOST_PANELS = 2_000
FEW, MANY = 8, 200
"""Balls that cover a panel, or the way up from it; twice as many cover half of an ellipse."""
PARTS = 4
"""Bounds for large u are found on parts of panels: the loss may be flat at one end."""
SHARES = (1.0, 0.8, 0.6, 0.45, 0.3, 0.2, 0.12)
"""Ellipses tried, as shares of log rho."""


@dataclass(frozen=True)
class Ellipse:
    """Bounds on one Bernstein ellipse."""

    rho: Any
    size: Any
    """Of |h|, times half the length of the panel."""
    turn: Any
    """Of |Im l|."""
    spread: Any
    """Of |l - l(middle)|."""


class Panel:
    """One interval [middle - half, middle + half] of a piece, on one line."""

    def __init__(self, piece: Piece, middle: Any, half: Any, gamma: Any) -> None:
        self.piece, self.middle, self.half, self.gamma = piece, middle, half, gamma
        low, high = (piece.loss(flint.acb(middle + s * half)).real for s in (-1, 1))
        growth = float(abs((high - low) * (gamma - 1)).upper())
        # a ball of size r adds r times the growth to the log of a bound
        self.steps = FEW + int(min(growth, MANY - FEW))

    def weight(self, x: Any) -> tuple[Any, Any]:
        """h and l."""
        loss = self.piece.loss(x)
        return self.piece.density(x) * ((self.gamma - 1) * loss).exp(), loss

    def ellipses(self) -> list[Ellipse]:
        """Those on which everything is seen to be analytic."""
        ratio = self.piece.reach / float(self.half)
        most = math.log(ratio + math.hypot(ratio, 1))
        center = self.piece.loss(flint.acb(self.middle))
        found = []
        for share in SHARES:
            rho = flint.arb(math.exp(share * most))
            across = self.half * flint.arb(0, (rho + 1 / rho).upper() / 2)
            along = self.half * flint.arb(0, (rho - 1 / rho).upper() / 2)
            if not self.piece.holds(flint.acb(self.middle + across, along)):
                continue
            size = turn = spread = flint.arb(0)
            for arc in legendre.arcs(rho, 2 * self.steps):
                h, loss = self.weight(self.middle + self.half * arc)
                size, turn = _largest(size, abs(h)), _largest(turn, abs(loss.imag))
                spread = _largest(spread, abs(loss - center))
            if size.is_finite() and spread.is_finite():
                found.append(Ellipse(rho, size * self.half, turn, spread))
        if not found:
            raise Unsupported("a piece of the loss is not seen to be analytic around its interval")
        return found

    def parts(self) -> list[Panel]:
        """Shorter panels that cover this one."""
        half = self.half / PARTS
        return [Panel(self.piece, self.middle + (2 * j + 1 - PARTS) * half, half, self.gamma)
                for j in range(PARTS)]

    def fall(self) -> Fall:
        """What the panel contributes to bounds for large u."""
        mass = flint.arb(0)
        for k in range(self.steps):
            x = self.middle + self.half * flint.arb(2 * k + 1 - self.steps, 1) / self.steps
            h, _ = self.weight(flint.acb(x))
            mass += abs(h).upper() * 2 * self.half / self.steps
        low, high = (self.piece.slope(flint.acb(self.middle + s * self.half)).real for s in (-1, 1))
        sign = 1 if low > 0 and high > 0 else -1 if low < 0 and high < 0 else 0
        rise = self.piece.reach * sign / 2
        above, least = flint.arb(0), flint.arb.pos_inf()
        for k in range(self.steps):
            x = self.middle + self.half * flint.arb(2 * k + 1 - self.steps, 1) / self.steps
            h, _ = self.weight(flint.acb(x, rise))
            above += abs(h).upper() * 2 * self.half / self.steps
            for way in self._up(x, rise):
                # Im l is the integral of Re l' on the way
                least = least.min((self.piece.slope(way).real * rise).lower())
        way = flint.acb(self.middle + self.half * flint.arb(0, 1),
                        flint.arb(rise) / 2 + flint.arb(0, abs(rise) / 2))
        if not (sign and self.piece.holds(way) and above.is_finite() and least > 0):
            return Fall(0, mass, above, flint.arb(0), (flint.arb(0), flint.arb(0)))
        return Fall(sign, mass, above, least.lower(),
                    (self._way(-1, rise), self._way(1, rise)))

    def _way(self, side: int, rise: float) -> Any:
        """sup |h|/inf |Re l'| on the way from an end."""
        size, slope = flint.arb(0), flint.arb.pos_inf()
        for x in self._up(self.middle + side * self.half, rise):
            size = _largest(size, abs(self.weight(x)[0]))
            slope = slope.min((self.piece.slope(x).real * (1 if rise > 0 else -1)).lower())
        return (size / slope).upper() if slope > 0 else flint.arb.pos_inf()

    def _up(self, x: Any, rise: float) -> list[Any]:
        """Balls that cover the way from x to x + i rise."""
        return [flint.acb(x, rise * flint.arb(2 * k + 1, 1) / (2 * FEW)) for k in range(FEW)]


@dataclass(frozen=True)
class Fall:
    """Bounds of a panel's integral: its mass; or ``above`` e^(-u least) beside the two ways, each
    divided by u."""

    sign: int
    mass: Any
    above: Any
    least: Any
    ways: tuple[Any, Any]


def _largest(x: Any, y: Any) -> Any:
    """The larger upper end; not finite if one is not."""
    return x.max(y.upper())


def split(piece: Piece, gamma: Any, tail: Any) -> tuple[list[Panel], Any]:
    """Panels that cover a piece, and a bound of the moment left out, below ``tail`` nearly."""
    ends, rest = list(piece.ends()), flint.arb(0)
    for j, side in ((0, -1), (1, 1)):
        if ends[j] is not None:
            continue
        distance = 4.0
        while True:
            place = (flint.arb(0) if ends[1 - j] is None else ends[1 - j]) + side * distance
            bound = piece.beyond(place, side, gamma)
            if bound < tail:
                break
            distance *= 1.25
            if distance > piece.stride * MOST_PANELS:
                raise Unsupported("the moment converges too slowly, or not at all")
        ends[j], rest = place, rest + bound.upper()
    low, high = ends
    count = math.ceil(float((high - low).upper()) / piece.stride)
    if count > MOST_PANELS:
        raise Unsupported(f"a piece of the loss needs {count} panels, more than {MOST_PANELS}")
    half = (high - low) / (2 * count)
    return [Panel(piece, low + (2 * j + 1) * half, half, gamma) for j in range(count)], rest


__all__ = ["Ellipse", "Fall", "Panel", "split"]
