"""Bounds of moments on rays, from few values: what bent contours need of a subsampled Gaussian.

On the ray X = rho e^(ia) the size of e^(q X) is e^(s rho) with the real number s = Re(q e^(ia)).
So the integral of the integrand's size there (see :mod:`lapdp.accounting.moments.rays`) is a
function S(a, s) that grows with s and whose logarithm is convex in s: chords between few values
bound it for every order, and one table serves all edges and nodes of all contours.  The bound of
k copies is the k-th power: for many the chords are halved until they lie close enough.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import flint

from lapdp.accounting.moments.rays import ROUGH, WIDEST, Ray, Rays
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

ANGLES = (-0.35, -0.1, 0.0, 0.03, 0.06, 0.1, 0.15, 0.2, 0.27, 0.35, 0.43, 0.5, 0.57, 0.64, 0.7)
PAIRS = ((0, 9), (1, 11), (2, 12), (5, 13), (7, 14), (9, 14), (11, 14))
"""Rays between which a rule for moments may lie."""
SHARED = 128
"""Rules begin and end at multiples of it: many are the same."""
STRIDE = 3
"""Of the first look for a good ray."""
LEAST, PER_OCTAVE = 2.0**-7, 2
"""Chords begin and end at +-LEAST 2^(j/PER_OCTAVE)."""
CLOSE, RELATIVE = 0.25, 0.02
"""Chords are halved until what they are above the middle is below the first in the bound of all
copies together, or below such a part of it."""
MOST_HALVES, MOST_NODES = 12, 6_000
MANY = 20
"""So many copies are worth sharp values."""
SLACK = 1e-12
"""Covers the rounding of doubles, relatively."""


@dataclass(frozen=True)
class Box:
    """Orders in a rectangle of the upper half-plane."""

    left: float
    right: float
    low: float
    high: float

    @staticmethod
    def of(ball: Any) -> Box:
        """Around a complex ball."""
        sides = [float(x) for x in (ball.real.lower(), ball.real.upper(),
                                    ball.imag.lower(), ball.imag.upper())]
        return Box(*(math.nextafter(x, way) for x, way in zip(
            sides, (-math.inf, math.inf) * 2, strict=True)))

    def turned(self, angle: float) -> float:
        """At least the real part of q e^(ia) for all orders, 0 <= abs(a) < pi/2."""
        high = self.low if angle >= 0 else self.high
        found = self.right * math.cos(angle) - high * math.sin(angle)
        return found + SLACK * (abs(self.right) + abs(high))

    def corner(self, angle: float) -> Any:
        """The order at which the integrand is largest on a ray."""
        return flint.acb(self.right, self.low if angle >= 0 else self.high)


@dataclass
class Sizes:
    """The table of one mixture."""

    rays: Rays
    known: dict[tuple[int, float, bool], float] = field(default_factory=dict)

    def log(self, ray: int, s: float, copies: int = 1) -> float:
        """At least log S on one of the rays: the chord."""
        low, high = _around(s)
        fine = copies >= MANY
        below, above = self._value(ray, low, fine), self._value(ray, high, fine)
        for _ in range(MOST_HALVES):
            middle = (low + high) / 2
            if not (math.isfinite(below) and math.isfinite(above)) or not low < middle < high:
                break
            most = max(CLOSE / copies, RELATIVE * min(abs(below), abs(above)))
            # as much as a chord of this length may be above what is convex
            if copies == 1 or (above - below) / 2 < most:
                break
            value = self._value(ray, middle, fine)
            wide = (below + above) / 2 - value > most
            low, below, high, above = (low, below, middle, value) if s < middle else (
                middle, value, high, above)
            if not wide:
                break
        if not (math.isfinite(below) and math.isfinite(above)):
            return math.inf
        found = below + (above - below) * ((s - low) / (high - low))
        return found + SLACK * (1 + abs(found) + abs(below) + abs(above))

    def best(self, box: Box, least: float = 0.0, copies: int = 1) -> float:
        """At least log |H_q| for all orders in a box, by a ray of at least so large an angle."""
        places = [j for j, angle in enumerate(ANGLES) if angle >= least]
        if not places:
            raise Unsupported("no ray is turned so far")
        found = {j: self.log(j, box.turned(ANGLES[j])) for j in places[::STRIDE]}
        first = min(found, key=found.__getitem__)
        for j in range(first - STRIDE + 1, first + STRIDE):
            if j in places and j not in found:
                found[j] = self.log(j, box.turned(ANGLES[j]))
        size, taken = min((size, j) for j, size in found.items())
        if copies == 1:
            return size
        # close chords only next to the ray that seems best
        fine = {taken: self.log(taken, box.turned(ANGLES[taken]), copies)}
        for side in (-1, 1):
            j = taken + side
            while j in places:
                fine[j] = self.log(j, box.turned(ANGLES[j]), copies)
                if not fine[j] < fine[j - side]:
                    break
                j += side
        return min(size, *fine.values())

    def rule(self, box: Box, goal: float) -> tuple[Ray, Any]:
        """A rule whose error is about e^-goal at all orders in a box, with a bound of the error."""
        best = None
        for low, high in PAIRS:
            sides = [self.log(j, box.turned(ANGLES[j])) for j in (low, high)]
            cost = (goal + 1 + max(sides)) / (ANGLES[high] - ANGLES[low])
            if best is None or cost < best[0]:
                best = cost, low, high, sides
        assert best is not None
        cost, low, high, sides = best
        if not math.isfinite(cost):
            raise Unsupported("the moments are not bounded on any ray")
        angle, beside = (ANGLES[low] + ANGLES[high]) / 2, (ANGLES[high] - ANGLES[low]) / 2
        step = 2.0 ** (math.floor(2 * math.log2(math.pi / max(cost, 4.0))) / 2)
        # the integrand is about as large as the integrals of its size beside the ray
        first, last = self.rays.ends(complex(box.right, box.low), angle, max(
            goal + max(sides), 0.0) + 5)
        if (last - first) / step > MOST_NODES:
            raise Unsupported("the moments need too many nodes on a ray")
        ray = Ray(angle, beside, step, SHARED * math.floor(first / step / SHARED),
                  SHARED * math.ceil(last / step / SHARED))
        with workprec(ROUGH):
            # beside is exact only nearly: a shorter distance makes the bound larger
            fall = 2 * flint.arb.pi() * flint.arb(beside * (1 - SLACK)) / step
            ripple = (flint.arb(sides[0]).exp() + flint.arb(sides[1]).exp()) / (fall.exp() - 1)
            return ray, (ripple + self.rays.tails(box.corner(angle), ray)).upper()

    def _value(self, ray: int, s: float, fine: bool = False) -> float:
        found = self.known.get((ray, s, fine))
        if found is None:
            angle = ANGLES[ray]
            with workprec(ROUGH):
                try:
                    size = (self.rays.fine_size(s, angle) if fine and 0 <= angle <= WIDEST else
                            self.rays.size(flint.acb(0, -angle).exp() * flint.arb(s), angle))
                    found = float(size.log().upper()) if size.is_finite() else math.inf
                except (Unsupported, OverflowError):
                    found = math.inf
            if fine and found == math.inf:
                found = self._value(ray, s)
            found += SLACK * (1 + abs(found))
            self.known[ray, s, fine] = found
        return found


def _around(s: float) -> tuple[float, float]:
    """Two places of the table with s between them."""
    size = abs(s)
    if not size > LEAST:
        return -LEAST, LEAST
    j = math.floor(PER_OCTAVE * math.log2(size / LEAST))
    while _place(j) > size:
        j -= 1
    while _place(j + 1) < size:
        j += 1
    return (_place(j), _place(j + 1)) if s > 0 else (-_place(j + 1), -_place(j))


def _place(j: int) -> float:
    return float(LEAST * 2.0 ** (j / PER_OCTAVE))


__all__ = ["ANGLES", "Box", "Sizes"]
