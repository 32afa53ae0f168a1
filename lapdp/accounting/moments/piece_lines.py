"""Moments of a subsampled Gaussian between two places, far out: few nodes next to a peak.

For (w P + (1 - w) Q, Q) with a normal loss l = sqrt(2 kappa) n - kappa of (P, Q) and z = 1 - w +
w e^l, E_q[a < n < b] is the integral of z^q phi from a to b.  On the real line the integrand f at
an order g has a logarithm F that is concave, then convex, then concave again (see
:mod:`lapdp.accounting.moments.cut_normal`).  So all that lies beyond nodes around a peak is bounded
by tangents of F where it is concave, and by values at the ends where it is convex.

The rule has nodes h j + iy, first <= j <= last, between A = h (first - 1/2) and B = h (last + 1/2).
On the line Im n = s the integrand is at most f(Re n) e^(s^2/2 + |u s| sqrt(2 kappa)) if sqrt(2
kappa) |s| < pi, without |u s| where u s >= 0 (see :mod:`lapdp.accounting.moments.mixed_normal`).
With M the integral of f from A to B, on a strip of r to both sides of real nodes it errs by at most

    2 M e^(r^2/2 + u r sqrt(2 kappa))/(e^(2 pi r/h) - 1)
        + the sum over A and B of 2 r f max(1, e^(r^2/2 + u r sqrt(2 kappa) - 2 pi r/h)),

as half of the cotangent, beside what it is far off, is at most e^(-2 pi s/h) there; and with nodes
that are moved up by y, between 0 and 2 y, at all heights u >= 0 by at most

    M (1 + e^(2 y^2))/(e^(2 pi y/h) - 1)
        + the sum over A and B of y f (e^(y^2/2) + 2 max(e^(y^2/2), e^(2 y^2 - 2 pi y/h))).
"""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import Any

import flint

from lapdp.accounting.moments.cut_normal import (
    MOST_NODES,
    STEP,
    Curve,
    Ends,
    Fall,
    best_shift,
    edge_goal,
    reach,
    steps,
)
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.nodal import NodalLine, Nodes
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

NEXT_TO = 2.0**-20
"""How near to where F bends it is not told how."""
CELLS, ROUGH = 28, 64
"""Of bounds by tangents, to either side of a peak; bits of bounds."""


class Real:
    """The integrand of one piece at a real order."""

    def __init__(self, s: MixedNormalSpectrum, gamma: Any, ends: Ends) -> None:
        self.spectrum, self.gamma, self.order, self.ends = s, gamma, float(gamma), ends
        self.w, self.kappa = s.first.ball(), s.kappa.ball()
        self.root = (2 * self.kappa).sqrt()

    def log_z(self, n: Any) -> Any:
        """log z."""
        return (1 - self.w + self.w * (self.root * n - self.kappa).exp()).log()

    def size(self, n: Any) -> Any:
        """f."""
        return (self.gamma * self.log_z(n) - n * n / 2).exp() / (2 * flint.arb.pi()).sqrt()

    def share(self, n: Any) -> Any:
        """rho."""
        grown = self.w * (self.root * n - self.kappa).exp()
        return grown / (1 - self.w + grown)

    def slope(self, n: Any) -> Any:
        """F'."""
        return self.gamma * self.root * self.share(n) - n

    def bend(self, n: Any) -> Any:
        """F'' + 1."""
        rho = self.share(n)
        return self.gamma * self.root**2 * rho * (1 - rho)

    def falls_away(self, n: Any, side: int) -> bool:
        """Is F concave from a place on, outwards?"""
        return bool(self.gamma * self.root**2 <= 4 or (
            self.bend(n) <= 1 and (2 * self.share(n) - 1) * side >= 0))


class PieceLine(Real, NodalLine):
    """E_q of one piece on the line Re q = gamma, up to a height, to about e^-``goal``; there it is
    less by the ``fall``."""

    def __init__(self, s: MixedNormalSpectrum, gamma: Any, ends: Ends, height: float, goal: float,
                 fall: Fall = (0.0, 0.0)) -> None:
        super().__init__(s, gamma, ends)
        low, high = reach(s, self.order, ends, edge_goal(goal, fall))
        step, up, strip = steps(float(self.root), height, goal, fall)
        unit = 2.0 ** (math.frexp(step)[1] - 7)
        self.h, self.y, self.r = (flint.arb(x) for x in (unit * math.floor(step / unit), up, strip))
        if not self.root * (self.r + self.y) < flint.arb.pi():
            raise Unsupported("the strip of the inner rule is too wide")
        first, last = math.floor(low / float(self.h)), math.ceil(high / float(self.h))
        if last - first > MOST_NODES:
            raise Unsupported(f"the moments need {last - first} nodes: too many")
        half = self.h / 2
        self.start, self.end = self.h * first - half, self.h * last + half
        if not ((ends[0] is None or self.start >= ends[0])
                and (ends[1] is None or self.end <= ends[1])):
            raise Unsupported("huge losses are not told from usual ones")
        share = self.h / (2 * flint.arb.pi()).sqrt()
        found = []
        for j in range(first, last + 1):
            n = self.h * j if up == 0 else flint.acb(self.h * j, self.y)
            log = self.log_z(n)
            found.append((share * (gamma * log - n * n / 2).exp(), log))
        self.nodes = Nodes(found)
        self.edges = self.size(self.start) + self.size(self.end)
        self.missing = beyond(self, self.start, -1) + beyond(self, self.end, 1)
        share, off = self._errors(flint.arb(0))
        if not share < 1:
            raise Unsupported("the step of the inner rule is too large")
        self.most = ((abs(self.nodes.total()) + off) / (1 - share)).upper()

    def _errors(self, u: Any) -> tuple[Any, Any]:
        """The share of M, and what the ends add."""
        y, h, pi = self.y, self.h, flint.arb.pi()
        if y.is_zero():
            r = self.r
            rise, fall = r * r / 2 + abs(u) * self.root * r, 2 * pi * r / h
            return (2 * rise.exp() / (fall.exp() - 1),
                    2 * r * self.edges * flint.arb(1).max((rise - fall).exp()))
        once, fall = (y * y / 2).exp(), 2 * pi * y / h
        return ((1 + (2 * y * y).exp()) / (fall.exp() - 1), y * self.edges * (
            once + 2 * once.max((2 * y * y - fall).exp())))

    def error(self, u: Any) -> Any:
        """For heights u >= 0."""
        share, off = self._errors(u)
        return share * self.most + off + self.missing

    def total(self) -> Any:
        """An upper bound of the moment at the real order."""
        return (self.most + self.missing).upper()

    def decay(self, height: Any) -> Any:
        """At least |E_q| at all heights from one on, by the shift n -> n + iy: with |z|^2 = z(n +
        iy) z(n - iy), and arg z likewise, the integrand is analytic, and at Im n = s at most f e^(
        (y^2 + s^2)/2), as arg z grows with Im n; on the way up it is at most f e^(y^2/2)."""
        curve = Curve(self.spectrum, self.order)
        step = float(self.h)
        first = round(float(self.start) / step + 0.5)
        grid = [step * (first + j) for j in range(len(self.nodes))]
        y = best_shift(curve, grid, float(height))[1]
        with workprec(ROUGH + math.ceil(math.log2(self.order + 2))):
            up, h, pi = flint.arb(y), self.h, flint.arb.pi()
            turn = flint.acb(0, self.root * up).exp()
            total = flint.arb(0)
            for j in range(len(grid)):
                n = h * (first + j)
                log = (1 - self.w + self.w * (self.root * n - self.kappa).exp() * turn).log()
                total += (self.gamma * log.real - height * log.imag - n * n / 2).exp()
            total *= h / (2 * pi).sqrt()
            r = flint.arb(min(2 * math.pi / step, 0.99 * (math.pi / curve.root - y)))
            if not (r > 0 and (r + up) * self.root < pi):
                raise Unsupported("the shift is too wide")
            rise, fall = r * r / 2, 2 * pi * r / h
            total += 2 * self.most * rise.exp() / (fall.exp() - 1) + 2 * r * self.edges * flint.arb(
                1).max((rise - fall).exp())
            total = (up * up / 2).exp() * (total + up * self.edges) + self.missing
            return total.min(self.total()).upper()


def beyond(one: Real, x: Any, side: int) -> Any:
    """A bound of the integral of f from x outwards, to the end of the piece."""
    end = one.ends[1 if side > 0 else 0]
    slope = -side * one.slope(x)
    if not slope > 0:
        raise Unsupported("the inner rule is cut too early")
    tangent = one.size(x) / slope
    if one.falls_away(x, side):
        return tangent.upper()
    bends = Curve(one.spectrum, one.order).bends()
    if bends is None:
        raise Unsupported("the inner rule is cut where it bends")
    (inner, outer), (last, far) = ((flint.arb(place - side * NEXT_TO), flint.arb(
        place + side * NEXT_TO)) for place in (bends if side > 0 else bends[::-1]))
    cut = last if end is None else flint.arb(end)
    if not side * (inner - x) > 0:
        # between the peaks
        found = _convex(one, x, cut)
    else:
        if not one.falls_away(inner, -side):
            raise Unsupported("the inner rule is cut where it bends")
        found = tangent
        if side * (cut - inner) > 0:
            found += _by_ends(one, *((inner, outer) if side > 0 else (outer, inner)))
        if side * (cut - outer) > 0:
            found += _convex(one, outer, cut)
    if end is None:
        # beyond there is another concave part
        found += _by_ends(one, *((last, far) if side > 0 else (far, last))) + beyond(one, far, side)
    return found.upper()


def _convex(one: Real, x: Any, y: Any) -> Any:
    """A bound between two places with none but convex ones between."""
    if not (one.bend(x) >= 1 and one.bend(y) >= 1):
        raise Unsupported("the inner rule is cut where it bends")
    return abs(x - y) * one.size(x).max(one.size(y))


@lru_cache(maxsize=2048)
def bound(s: MixedNormalSpectrum, order: float, ends: Ends, goal: float) -> Any:
    """An upper bound of the moment of a piece at a real order: by the rule to about e^-``goal``, or
    else by tangents."""
    with workprec(ROUGH + math.ceil(goal / LOG2) + math.ceil(math.log2(order + 2))):
        try:
            return PieceLine(s, flint.arb(order), ends, 0.0, goal).total()
        except Unsupported:
            return _by_tangents(Real(s, flint.arb(order), ends))


def _by_tangents(one: Real) -> Any:
    """Of concave parts on cells, and of what is between by its largest values."""
    curve = Curve(one.spectrum, one.order)
    bends, (first, last) = curve.bends(), one.ends
    a, b = -math.inf if first is None else first, math.inf if last is None else last
    if bends is None:
        return _concave(one, curve, a, b, 1)
    low, high = bends
    total = flint.arb(0)
    if a < low - NEXT_TO:
        total += _concave(one, curve, a, min(b, low - NEXT_TO), -1)
    if b > high + NEXT_TO:
        total += _concave(one, curve, max(a, high + NEXT_TO), b, 1)
    x, y = max(a, low + NEXT_TO), min(b, high - NEXT_TO)
    if x < y:
        total += _convex(one, flint.arb(x), flint.arb(y))
    for place in bends:
        x, y = max(place - NEXT_TO, a), min(place + NEXT_TO, b)
        if x < y:
            total += _by_ends(one, flint.arb(x), flint.arb(y))
    return total.upper()


def _by_ends(one: Real, x: Any, y: Any) -> Any:
    """z at the right end, the normal density at the left one."""
    if not x > 0:
        raise Unsupported("the inner rule is cut where it bends")
    return (y - x) * one.size(y) * ((y * y - x * x) / 2).exp()


def _concave(one: Real, curve: Curve, a: float, b: float, side: int) -> Any:
    """By tangents in the middle of cells around the largest place, and next to it for the first and
    the last one."""
    if not one.falls_away(flint.arb(a if side > 0 and math.isfinite(a) else b if math.isfinite(b)
                                    else 0.0), side):
        raise Unsupported("the inner rule is cut where it bends")
    peaks = [n for n in curve.peaks()[::2] if n is not None and a < n < b]
    place = peaks[0] if peaks else a if math.isfinite(a) and curve.slope(a) < 0 else b
    if not math.isfinite(place):
        raise Unsupported("the inner rule is cut where it bends")
    width = STEP * curve.width(place)
    inner = [x for j in range(-CELLS, CELLS + 1) if a < (x := place + width * j) < b]
    ends, total = [a, *inner, b], flint.arb(0)
    for i, (x, y) in enumerate(pairwise(ends)):
        m = flint.arb(y if i == 0 and inner else x if i == len(inner) and inner else (x + y) / 2)
        slope, size = one.slope(m), one.size(m)
        falls = [flint.arb(0) if math.isinf(end) else (slope * (flint.arb(end) - m)).exp()
                 for end in (x, y)]
        if (math.isinf(x) and not slope > 0) or (math.isinf(y) and not slope < 0):
            raise Unsupported("the inner rule is cut where it bends")
        if slope.contains(0):
            long = flint.arb(y) - flint.arb(x)
            total += size * long * (abs(slope) * long).exp()
        else:
            total += size * (falls[1] - falls[0]) / slope
    return total.upper()


__all__ = ["PieceLine", "bound"]
