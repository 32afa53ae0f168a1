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
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported

MOST_PANELS = 2_000
FAR = 1000.0
"""Times the number of panels: where an infinite end is cut at last."""
FEW, MANY = 8, 200
"""Balls that cover a panel, or the way up from it; twice as many cover half of an ellipse."""
STEEP, FINEST, TRIM = 1000.0, 24, 2.0**-6
"""The growth of the logarithm of e^((gamma - 1) l) on a panel that is halved, if more than next to
nothing is left at its ends; how often; and the share of next to nothing that is left out."""
PARTS, GRADES, PATIENCE = 4, 10, 3
"""Bounds for large u are found on parts of panels: the loss may be flat at one end, or stationary
somewhere.  They are halved so often in all, and so often in vain."""
LEAST, ROUGH = 1.8, 9.0
"""Where the functions have no given reach: the ellipse that an interval must bear, and by how much,
as a logarithm, the density may grow on it."""
DEEPEST = 40
"""Halvings of an interval."""
RISES, GAIN = (1 / 2, 1 / 16, 1 / 128), 1.2
"""Heights of paths tried, as shares of the reach: where the order is large, so are densities far
from the axis. A lower path, whose bound sets in later, must be so much better."""


class Panel:
    """One interval [middle - half, middle + half] of a piece, on one line."""

    def __init__(self, piece: Piece, middle: Any, half: Any, gamma: Any) -> None:
        self.piece, self.middle, self.half, self.gamma = piece, middle, half, gamma
        low, high = (piece.loss(flint.acb(middle + s * half)).real for s in (-1, 1))
        self.growth = growth = float(abs((high - low) * (gamma - 1)).upper())
        if math.isnan(growth):
            raise Unsupported("the loss is not seen to be finite at the ends of an interval")
        self._nodes: dict[tuple[int, int], list[tuple[Any, Any]]] = {}
        # a ball of size r adds r times the growth to the log of a bound
        self.steps = FEW + int(min(growth, MANY - FEW))

    def nodes(self, count: int) -> list[tuple[Any, Any]]:
        """Weights and losses of a rule on it."""
        key = count, flint.ctx.prec
        if key not in self._nodes:
            found = []
            for x, share in legendre.rule(count):
                h, loss = self.weight(flint.acb(self.middle + self.half * x))
                found.append((h.real * share * self.half, loss.real))
            self._nodes[key] = found
        return self._nodes[key]

    def weight(self, x: Any) -> tuple[Any, Any]:
        """h and l."""
        spend(20)
        loss = self.piece.loss(x)
        return self.piece.density(x) * ((self.gamma - 1) * loss).exp(), loss

    def falls(self) -> list[Fall]:
        """Bounds on parts of the panel, from left to right."""
        return [found for part in self.parts(PARTS)
                for found in part._graded(part.fall(), GRADES, PATIENCE)]

    def parts(self, count: int) -> list[Panel]:
        """Shorter panels that cover this one."""
        half = self.half / count
        return [Panel(self.piece, self.middle + (2 * j + 1 - count) * half, half, self.gamma)
                for j in range(count)]

    def shallow(self, least: Any, depth: int = FINEST) -> list[Panel]:
        """Parts that cover it, short where the order is so large that only there is much mass;
        where |h| is below ``least`` at both ends none is needed.  A choice."""
        ends = (abs(self.weight(flint.acb(self.middle + s * self.half))[0]) for s in (-1, 1))
        if not (depth and self.growth > STEEP) or all(
                (2 * self.half * size).upper() < least for size in ends):
            return [self]
        return [found for part in self.parts(2) for found in part.shallow(least, depth - 1)]

    def most(self) -> Any:
        """A bound of its share of the moment."""
        total = flint.arb(0)
        for x in self._across(self.steps):
            total += abs(self.weight(flint.acb(x))[0]).upper()
        return (total * 2 * self.half / self.steps).upper()

    def _graded(self, found: Fall, depth: int, patience: int) -> list[Fall]:
        """Halved towards places where the loss is stationary: only little mass is left there."""
        if found.sign or not depth or not patience:
            return [found]
        parts = [(part, part.fall()) for part in self.parts(2)]
        # without end where the loss is constant: there all would be halved
        patience -= not any(fall.sign for _, fall in parts)
        return [fall for part, own in parts for fall in part._graded(own, depth - 1, patience)]

    def fall(self) -> Fall:
        """What the panel contributes to bounds for large u."""
        mass = self.most()
        low, high = (self.piece.slope(flint.acb(self.middle + s * self.half)).real for s in (-1, 1))
        sign = 1 if low > 0 and high > 0 else -1 if low < 0 and high < 0 else 0
        reach = float(self.half) if self.piece.reach is None else self.piece.reach
        best = None
        for share in RISES if sign else ():
            found = self._risen(sign, mass, reach * sign * share)
            if found is not None and (best is None or GAIN * found.steep < best.steep):
                best = found
        none = flint.arb(0), flint.arb(0)
        return best or Fall(0, mass, mass, flint.arb(0), (none, none), 0.0)

    def _risen(self, sign: int, mass: Any, rise: float) -> Fall | None:
        """With the path at a height; None where nothing is seen to fall on the way."""
        above, least = flint.arb(0), flint.arb.pos_inf()
        for x in self._across(min(self.steps, 2 * FEW)):
            for way in self._up(x, rise):
                # Im l is the integral of Re l' on the way; no size of h enters
                least = least.min((self.piece.slope(way).real * rise).lower())
            if not least > 0:
                return None
        for x in self._across(self.steps):
            h, _ = self.weight(flint.acb(x, rise))
            above += abs(h).upper() * 2 * self.half / self.steps
        way = flint.acb(self.middle + self.half * flint.arb(0, 1),
                        flint.arb(rise) / 2 + flint.arb(0, abs(rise) / 2))
        if not (self.piece.holds(way) and above.is_finite()):
            return None
        return Fall(sign, mass, above, least.lower(),
                    (self._way(-1, rise), self._way(1, rise)), abs(rise))

    def _way(self, side: int, rise: float) -> tuple[Any, Any]:
        """sup |h|/inf |Re l'| on the way from an end, and sup |h|."""
        size, slope = flint.arb(0), flint.arb.pos_inf()
        for x in self._up(self.middle + side * self.half, rise):
            size = largest(size, abs(self.weight(x)[0]))
            slope = slope.min((self.piece.slope(x).real * (1 if rise > 0 else -1)).lower())
        return (size / slope).upper() if slope > 0 else flint.arb.pos_inf(), size

    def _across(self, count: int) -> list[Any]:
        """Balls that cover the panel."""
        return [self.middle + self.half * flint.arb(2 * k + 1 - count, 1) / count
                for k in range(count)]

    def _up(self, x: Any, rise: float) -> list[Any]:
        """Balls that cover the way from x to x + i rise."""
        return [flint.acb(x, rise * flint.arb(2 * k + 1, 1) / (2 * FEW)) for k in range(FEW)]


@dataclass(frozen=True)
class Fall:
    """Bounds of a panel's integral: its mass; or ``above`` e^(-u least) beside the two ways, each
    (bound times u, sup |h|), up to the height ``rise`` of the path."""

    sign: int
    mass: Any
    above: Any
    least: Any
    ways: tuple[tuple[Any, Any], tuple[Any, Any]]
    rise: float

    @property
    def steep(self) -> Any:
        """The bound for very large u, times u: at large orders no double."""
        return self.ways[0][0] + self.ways[1][0]

    def joint(self, other: Fall, u: Any) -> Any:
        """The step from this path to that of the next panel, which goes on in the same direction:
        as l rises along it, e^(-u Im l) is no larger than on the lower one of the two."""
        if self.rise == other.rise:
            return flint.arb(0)
        size = self.ways[1][1].max(other.ways[0][1])
        low = self if self.rise < other.rise else other
        return abs(flint.arb(self.rise) - other.rise) * size * (-u * low.least).exp()


def largest(x: Any, y: Any) -> Any:
    """The larger upper end; not finite if one is not."""
    return x.max(y.upper())


def split(piece: Piece, gamma: Any, tail: Any) -> tuple[list[Panel], Any]:
    """Panels that cover a piece, and a bound of the moment left out, below ``tail`` nearly."""
    if not tail.is_finite():
        # nowhere would less be left: panels would be halved without end
        raise Unsupported("the order is too large for doubles")
    ends, rest = list(piece.ends()), flint.arb(0)
    for j, side in ((0, -1), (1, 1)):
        if ends[j] is not None:
            continue
        distance, far = 4.0, MOST_PANELS * (piece.stride or FAR)
        while True:
            place = (flint.arb(0) if ends[1 - j] is None else ends[1 - j]) + side * distance
            bound = piece.beyond(place, side, gamma)
            if bound < tail:
                break
            distance *= 1.25
            if distance > far:
                raise Unsupported("the moment converges too slowly, or not at all")
        ends[j], rest = place, rest + bound.upper()
    found = [part for middle, half in _intervals(piece, *ends)
             for part in Panel(piece, middle, half, gamma).shallow(tail)]
    found, more = _trimmed(found, tail * TRIM)
    return found, rest + more


def _trimmed(panels: list[Panel], least: Any) -> tuple[list[Panel], Any]:
    """Without those at either end on which the order leaves next to nothing, and what they add:
    no rule is to be sharp where a weight grows by e^1000000.  What is left has no gaps."""
    rest, waiting = flint.arb(0), 2 * FINEST
    for end in (0, -1):
        while panels and panels[end].growth > STEEP and waiting:
            most = panels[end].most()
            if most < least:
                panels.pop(end)
                rest += most
            else:
                waiting -= 1
                place = len(panels) - 1 if end else 0
                panels[place:place + 1] = panels[end].parts(2)
    return panels, rest


def _intervals(piece: Piece, low: Any, high: Any) -> list[tuple[Any, Any]]:
    """Middles and halves of intervals that cover (low, high) and on which the piece is tame."""
    if piece.stride is None:
        return _halved(piece, low, high)
    count = math.ceil(float((high - low).upper()) / piece.stride)
    if count > MOST_PANELS:
        raise Unsupported(f"a piece of the loss needs {count} panels, more than {MOST_PANELS}")
    half = (high - low) / (2 * count)
    return [(low + (2 * j + 1) * half, half) for j in range(count)]


def _halved(piece: Piece, low: Any, high: Any) -> list[tuple[Any, Any]]:
    """Halving until the functions are analytic around each interval and the density grows little
    there."""
    waiting, found = [(low, high, 0)], []
    while waiting:
        a, b, depth = waiting.pop()
        middle, half = (a + b) / 2, (b - a) / 2
        if _is_tame(piece, middle, half):
            found.append((middle, half))
            continue
        if depth == DEEPEST or len(found) + len(waiting) > MOST_PANELS:
            raise Unsupported("a piece of the loss is not seen to be analytic up to its ends")
        waiting += [(middle, b, depth + 1), (a, middle, depth + 1)]
    return found


def _is_tame(piece: Piece, middle: Any, half: Any) -> bool:
    rho = flint.arb(LEAST)
    across = half * flint.arb(0, ((rho + 1 / rho) / 2).upper())
    along = half * flint.arb(0, ((rho - 1 / rho) / 2).upper())
    if not piece.holds(flint.acb(middle + across, along)):
        return False
    real = flint.arb(0)
    for side in (-1, 0, 1):
        real = largest(real, abs(piece.density(flint.acb(middle + side * half))))
    size = flint.arb(0)
    for arc in legendre.arcs(rho, FEW):
        size = largest(size, abs(piece.density(middle + half * arc)))
    return bool(size.is_finite() and size < real * flint.arb(ROUGH).exp())


__all__ = ["FEW", "Fall", "Panel", "largest", "split"]
