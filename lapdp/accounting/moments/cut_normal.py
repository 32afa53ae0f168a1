"""Where subsampled Gaussian noise has peaks, tilted by a high order: choices in doubles.

For (w P + (1 - w) Q, Q) with a normal loss l = sqrt(2 kappa) n - kappa of (P, Q) and z = 1 - w +
w e^l, z^q phi is the integrand of E_q. At an order g it has the logarithm F = g log z - n^2/2 but
for a constant, and with rho = w e^l/z, which grows,

    F' = g sqrt(2 kappa) rho - n,    F'' = 2 kappa g rho (1 - rho) - 1:

F is concave, then convex where rho (1 - rho) > 1/(2 kappa g), then concave again.  So it has a peak
of usual losses, or one of huge ones, or both, with a place between them where it is least.  What is
proved with these choices is in :mod:`lapdp.accounting.moments.piece_lines`.
"""

from __future__ import annotations

import cmath
import math
from functools import lru_cache

from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.core.errors import Unsupported

MOST_NODES, ROOM = 4_000, 8.0
"""Of one rule; a logarithm by which what is left out is below the goal."""
TRIALS, HIGHEST, WIDEST = 24, 3.0, 12.0
"""Strips that are tried; the highest line of nodes, and the widest strip."""
SHIFTS = tuple(0.7**j for j in range(26))
"""Shifts that are tried for a decay, as shares of the widest."""
STEP, HALVES, CLOSE, BULK, BEYOND = 0.25, 60, 2.0**-52, 32, 18
"""Of coarse sums, in widths of a peak; steps to a zero, at most, and a step that is as good as
none; steps to either side of a peak, and beyond it where they are twice as long."""
LARGEST, WIDEST_PEAK = 600.0, 30.0
"""A logarithm that doubles hold; widths of peaks."""


class Curve:
    """F at one order, in doubles: choices."""

    def __init__(self, s: MixedNormalSpectrum, order: float) -> None:
        self.w, _, self.kappa = s.doubles
        self.order, self.root = order, math.sqrt(2 * self.kappa)
        self.bend = order * self.root**2

    def log_z(self, n: float) -> float:
        """log z."""
        loss = self.root * n - self.kappa
        if loss < LARGEST:
            return math.log1p(self.w * math.expm1(loss))
        return loss + math.log(self.w)

    def share(self, n: float) -> float:
        """rho."""
        gap = self.root * n - self.kappa + math.log(self.w / (1 - self.w))
        return 1 / (1 + math.exp(-gap)) if gap > -LARGEST else 0.0

    def at(self, n: float) -> float:
        """F."""
        return self.order * self.log_z(n) - n * n / 2

    def slope(self, n: float) -> float:
        """F'."""
        return self.order * self.root * self.share(n) - n

    def width(self, n: float) -> float:
        """That of a peak."""
        rho = self.share(n)
        return 1 / math.sqrt(max(
            1 - self.bend * rho * (1 - rho), 1 / WIDEST_PEAK**2))

    def bends(self) -> tuple[float, float] | None:
        """Where F'' vanishes; None where F is concave everywhere."""
        if self.bend <= 4:
            return None
        low = 2 / self.bend / (1 + math.sqrt(1 - 4 / self.bend))
        gap = math.log1p(-low) - math.log(low)
        middle = math.log((1 - self.w) / self.w) + self.kappa
        return (middle - gap) / self.root, (middle + gap) / self.root

    def peaks(self) -> tuple[float, float | None, float | None]:
        """A peak, the least place beyond it, and the peak beyond that, where there are two."""
        ends, most = self.bends(), self.order * self.root + 1
        if ends is None:
            return self._zero(0.0, most), None, None
        near, far = ends
        if not self.slope(near) < 0:
            return self._zero(max(0.0, far), max(most, far)), None, None
        low = self._zero(min(0.0, near), near)
        if not self.slope(far) > 0:
            return low, None, None
        return low, self._zero(near, far, -1), self._zero(far, max(most, far))

    def _zero(self, a: float, b: float, sign: int = 1) -> float:
        """Where F' falls through 0, or rises with the other sign: by Newton's steps, and by halves
        where these leave the bracket."""
        n = (a + b) / 2
        for _ in range(HALVES):
            rho = self.share(n)
            slope = self.order * self.root * rho - n
            if not slope or not a < n < b:
                break
            a, b = (n, b) if sign * slope > 0 else (a, n)
            bent, last = self.bend * rho * (1 - rho) - 1, n
            n = n - slope / bent if bent else a
            if not a < n < b or sign * bent > 0:
                n = (a + b) / 2
            if abs(n - last) <= CLOSE * abs(n):
                break
        return n


Ends = tuple[float | None, float | None]
"""Of a piece of the line: below the cut, above it, or all of it."""
Fall = tuple[float, float]
"""A logarithm, and the shift of a bound by which that is seen."""


@lru_cache(maxsize=4096)
def reach(s: MixedNormalSpectrum, order: float, ends: Ends, goal: float) -> tuple[float, float]:
    """Beyond which less than e^-``goal`` of a piece lies, nearly; :class:`Unsupported` where that
    is cut off."""
    curve = Curve(s, order)
    low, high = inside(curve, ends)
    least = max(curve.at(low), curve.at(high)) - goal
    found = []
    for side, place, end in ((-1, low, ends[0]), (1, high, ends[1])):
        n, step = place, curve.width(place)
        # also a peak that is far below the other one is to be left behind
        while curve.at(n) > min(least, curve.at(place) - 1):
            n += side * step / 2
        if end is not None and side * (end - n) < step:
            raise Unsupported("huge losses are not told from usual ones")
        found.append(n)
    return found[0], found[1]


def inside(curve: Curve, ends: Ends) -> tuple[float, float]:
    """The first and the last peak in a piece."""
    low, middle, high = curve.peaks()
    peaks = [low] if high is None or middle is None else [low, high]
    found = [n for n in peaks if (ends[0] is None or n > ends[0]) and (
        ends[1] is None or n < ends[1])]
    if not found:
        raise Unsupported("a piece of the losses has no peak")
    return found[0], found[-1]


@lru_cache(maxsize=4096)
def log_piece(s: MixedNormalSpectrum, order: float, ends: Ends) -> float:
    """log of the moment of a piece, nearly; that of its largest value where it has no peak."""
    curve = Curve(s, order)
    try:
        places = set(inside(curve, ends))
    except Unsupported:
        return max(curve.at(end) for end in ends if end is not None)
    found = -math.inf
    for place in places:
        step = STEP * curve.width(place)
        logs = [curve.at(place + j * step) for j in range(-BULK, BULK + 1)
                if (ends[0] is None or place + j * step > ends[0])
                and (ends[1] is None or place + j * step < ends[1])]
        top = max(logs)
        here = top + math.log(step / math.sqrt(2 * math.pi) * sum(
            math.exp(x - top) for x in logs))
        found = max(found, here) + math.log1p(math.exp(-abs(found - here)))
    return found


def log_decay(s: MixedNormalSpectrum, order: float, height: float, ends: Ends) -> Fall:
    """log of the bound of |E_q| at a height, nearly, and the shift for it."""
    curve = Curve(s, order)
    try:
        places = inside(curve, ends)
    except Unsupported:
        return log_piece(s, order, ends), 0.0
    step = 2 * STEP * min(map(curve.width, places))
    count = math.ceil((places[1] - places[0]) / step) + 2 * BEYOND
    grid = [places[0] + step * (j - BEYOND) for j in range(min(count, MOST_NODES))]
    size, y = best_shift(curve, grid, height)
    return size + math.log(step / math.sqrt(2 * math.pi)), y


def best_shift(curve: Curve, grid: list[float], height: float) -> tuple[float, float]:
    """The size by the best shift, and that."""
    best, widest = (math.inf, 0.0), min(WIDEST, 0.7 * math.pi / curve.root)
    for share in SHIFTS:
        here = _shifted_size(curve, grid, widest * share, height)
        if here > best[0]:
            break
        best = here, widest * share
    return best


def _shifted_size(curve: Curve, grid: list[float], y: float, height: float) -> float:
    logs = []
    turn = cmath.exp(1j * curve.root * y)
    for n in grid:
        loss = curve.root * n - curve.kappa
        z = cmath.log(math.exp(-max(loss, 0.0)) * (1 - curve.w) + curve.w * math.exp(
            min(loss, 0.0)) * turn) if loss > -LARGEST else cmath.log(1 - curve.w)
        logs.append(curve.order * (z.real + max(loss, 0.0)) - height * z.imag - n * n / 2)
    top = max(logs)
    return top + math.log(sum(math.exp(x - top) for x in logs)) + y * y / 2


def nodes(s: MixedNormalSpectrum, order: float, ends: Ends, height: float, goal: float, fall: Fall
          ) -> int:
    """How many there would be."""
    low, high = reach(s, order, ends, edge_goal(goal, fall))
    return math.ceil((high - low) / steps(math.sqrt(2 * s.doubles[2]), height, goal, fall)[0])


def edge_goal(goal: float, fall: Fall) -> float:
    """By which the ends are to be below the peak: a shift makes them larger."""
    return max(goal, fall[0] + fall[1] ** 2 / 2) + ROOM


def steps(root: float, height: float, goal: float, fall: Fall) -> tuple[float, float, float]:
    """The step, how far nodes are moved up, and the strip."""
    step, up, strip = _plain_step(root, height, goal)
    # the ripple of the bound of the decay
    need, most = fall[0] + fall[1] ** 2 / 2 + ROOM, 0.98 * math.pi / root - fall[1]
    r = min(math.sqrt(2 * need), most)
    return min(step, 2 * math.pi * r / (need + r * r / 2)), up, strip


def _plain_step(root: float, height: float, goal: float) -> tuple[float, float, float]:
    """Without such a bound."""
    def real(r: float) -> float:
        return 2 * math.pi * r / (goal + LOG2 + r * r / 2 + height * root * r)

    def moved(y: float) -> float:
        return 2 * math.pi * y / (goal + LOG2 + 2 * y * y)

    widest = 0.98 * math.pi / root
    strips = [min(WIDEST, widest) * j / TRIALS for j in range(1, TRIALS + 1)]
    ups = [min(HIGHEST, widest / 2) * j / TRIALS for j in range(1, TRIALS + 1)]
    r, y = max(strips, key=real), max(ups, key=moved)
    return (real(r), 0.0, r) if real(r) > 0.8 * moved(y) else (moved(y), y, y)


__all__ = ["MOST_NODES", "STEP", "Curve", "Ends", "Fall", "best_shift", "edge_goal", "inside",
           "log_decay", "log_piece", "nodes", "reach", "steps"]
