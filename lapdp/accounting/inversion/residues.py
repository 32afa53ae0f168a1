"""The inversion integral (37) closed around its poles, for bounded losses with corners.

With the corners C of the product (see :mod:`lapdp.accounting.moments.corners`), s = q - 1/2 and x =
C - eps, delta(eps) of the finite losses is the sum over C of

    1/(2 pi i) integral over Re s = r of e^(x (s - 1/2)) R_C/(s^2 - 1/4).

Each integrand is O(1/s^2) beside its exponential.  For x <= 0 the line closes to the right and the
integral is 0.  For x > 0 it closes to the left, and is that over any circle |s| = r around all
poles.  So delta is one integral over a circle, of the part of the moment that comes from the
corners above eps.  There the integrand g is analytic from the poles to infinity: the trapezoidal
rule of n nodes errs by coefficients of its Laurent series, |g_m| <= M(rho) rho^-m on such a circle,

    |error| <= rho' M(rho') y/(1 - y) + rho M(rho) z/(1 - z),   y = (r/rho')^n,  z = (rho/r)^n

for rho < r < rho', where M bounds |g|.  The least place of g on the real line serves as r: where
the terms are positive there, nothing cancels however small delta is.  Corners of several lattices
are summed over the places of all but one, each with a partial sum of the terms of that one.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from dataclasses import replace
from functools import lru_cache
from itertools import product
from typing import Any, Protocol

import flint

from lapdp.accounting.inversion.corner_sums import Above, Sum
from lapdp.accounting.moments.corners import Corners, corners_of
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_NODES = 4000
FEW = 600
"""Up to so many corners the circle is cheap."""
ROUGH, PLACES = 40, 256
"""Bits of the bounds, and of the places in them: on a large circle a place next to eps counts."""
WIDER = (1.3, 1.8, 2.5, 3.5, 5.0)
NARROWER = (0.1, 0.25, 0.4, 0.55, 0.7)


class Beside(Protocol):
    """A factor of the integrand that is analytic on the whole plane."""

    def __hash__(self) -> int:
        """One object is the same factor."""

    def size(self, radius: Any) -> Any:
        """A bound of its size for |s| <= radius."""

    def values(self, points: list[Any], radius: float) -> list[Any]:
        """Its values at points |s| <= radius, at the working precision."""


def is_short(factors: Factors) -> bool:
    """Are the losses given by few corners?"""
    try:
        return corners_of(factors).work <= FEW
    except Unsupported:
        return False


def has_families(factors: Factors) -> bool:
    """Do these few corners lie on several lattices?  Then they cancel where they meet eps."""
    return len(corners_of(factors).families) > 1


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about ``bits`` bits.

    Raises :class:`Unsupported` where the losses have no corners.
    """
    corners = corners_of(factors)
    return around(corners, eps, bits, factors.count.bit_length(),
                  radius_for(factors, corners, eps))


def radius_for(factors: Factors, corners: Corners, eps: Any) -> float:
    """Of a circle that serves these losses, among them those with the corners."""
    return _radius(factors, corners, float(bounds_of(corners).highest) - _rounded(corners, eps))


def around(corners: Corners, eps: Any, bits: int, spare: int, radius: float,
           beside: Beside | None = None) -> Any:
    """A ball around the integral over a circle, with a further factor, to about ``bits`` bits; so
    many bits are to spare for powers."""
    bounds = bounds_of(corners, beside)
    with workprec(PLACES):
        rough = bounds.above(eps)
    with workprec(ROUGH):
        nodes, outer, inner, lost = nodes_for(bounds, _rounded(corners, eps), rough.counts, radius,
                                           (bits + 16) * LOG2)
    # turns of C s cost as many bits as they have
    turns = (float(abs(rough.top).upper()) + 1) * radius
    precision = bits + lost + 24 + spare + int(turns).bit_length()
    rule = rule_of(corners, radius, nodes, 32 * -(-precision // 32), beside)
    with workprec(rule.bits):
        above = rule.above(eps)
        total = rule.total(above)
    with workprec(ROUGH):
        there = replace(rough, near=above.near, counts=tuple(
            max(pair) for pair in zip(rough.counts, above.counts, strict=True)))
        error = bounds.error(there, radius, nodes, outer, inner)
    return total + flint.arb(0, error)


def size_at(corners: Corners, eps: Any, radius: float) -> Any:
    """A bound of the integrand without a further factor on a circle."""
    bounds = bounds_of(corners)
    with workprec(PLACES):
        above = bounds.above(eps)
    return bounds.size(above, radius)


def _rounded(corners: Corners, eps: Any) -> float:
    """The highest corner less eps: what is chosen serves all eps nearby."""
    with workprec(PLACES):
        mantissa, power = math.frexp(float(bounds_of(corners).above(eps).top))
    return math.ldexp(round(mantissa * 4096), power - 12)


class Balls:
    """The corners of a product in balls, at the working precision of the moment."""

    def __init__(self, corners: Corners) -> None:
        self.corners = corners
        self.steps = [enclose(family.step, {}).real for family in corners.families]
        self.depths = [family.deepest for family in corners.families]
        self.highest = enclose(corners.highest, {}).real
        self.parts = [[(k, [(c.depth, c.balls()) for c in found]) for k, found in family.parts]
                      for family in corners.families]

    def above(self, eps: Any) -> Above:
        """What lies above eps."""
        top, near = self.highest - eps, flint.arb(0)
        *others, step = self.steps
        counts = []
        for depths in product(*(range(depth + 1) for depth in self.depths[:-1])):
            left = top - sum((n * h for n, h in zip(depths, others, strict=True)), flint.arb(0))
            place = left / step
            last, sure = (x.floor().unique_fmpz() for x in (place.upper(), place.lower()))
            if last is None or sure is None or last > sure + 1:
                raise Unsupported("eps is not known well enough")
            if last > sure and 0 <= last <= self.depths[-1]:
                near = near.max((left - step * last).abs_upper())
            counts.append(max(0, min(int(last), self.depths[-1]) + 1))
        return Above(top, tuple(counts), near)


    def gaps(self, eps: Any) -> tuple[Any, Any]:
        """At most the distances of eps from the corners below and above."""
        top, *others, step = self.highest - eps, *self.steps
        *rows, last = (family.depths for family in self.corners.families)
        below, above = flint.arb.pos_inf(), flint.arb.pos_inf()
        for depths in product(*rows):
            left = top - sum((n * h for n, h in zip(depths, others, strict=True)), flint.arb(0))
            place = bisect_left(last, float(left / step))
            # one that is told wrongly is 0 away, or on the other side
            if place:
                above = above.min(left - step * last[place - 1])
            if place < len(last):
                below = below.min(step * last[place] - left)
        return below.lower(), above.lower()


class Rule(Balls):
    """The nodes on one circle, and all that does not depend on eps."""

    def __init__(self, corners: Corners, radius: float, nodes: int, bits: int,
                 beside: Beside | None = None) -> None:
        super().__init__(corners)
        self.bits, r = bits, flint.arb(radius)
        self.points: list[tuple[Any, Sum]] = []
        for j in range(nodes // 2):
            sine, cosine = flint.arb.sin_cos_pi_fmpq(flint.fmpq(2 * j + 1, nodes))
            s = flint.acb(r * cosine, r * sine)
            values = [[(k, [(n, c.at(s)) for n, c in found]) for k, found in parts]
                      for parts in self.parts]
            # the conjugate node has the conjugate value
            weight = 2 * s / ((s * s - 0.25) * nodes)
            self.points.append((weight, Sum(values, s - 0.5, self.steps, self.depths)))
        if beside is not None:
            shifts = [here.shift + 0.5 for _, here in self.points]
            self.points = [(weight * value, here) for (weight, here), value in zip(
                self.points, beside.values(shifts, radius), strict=True)]

    def total(self, above: Above) -> Any:
        """The mean of s g(s) over all nodes."""
        total = flint.acb(0)
        for weight, here in self.points:
            total += weight * here.up_to(above)
        return total.real


class Bounds(Balls):
    """M(rho), and what follows from it."""

    def __init__(self, corners: Corners, beside: Beside | None = None) -> None:
        super().__init__(corners)
        self.reach, self.beside = corners.reach(), beside
        self._known: dict[float, Sum] = {}

    def size(self, above: Above, rho: float) -> Any:
        """M: a bound of |g| on a circle around all poles; not finite on smaller ones."""
        radius = flint.arb(rho)
        clear = radius * radius - 0.25
        if not clear > 0:
            return flint.arb.pos_inf()
        if rho not in self._known:
            values = [[(k, [(n, c.size(radius)) for n, c in found]) for k, found in parts]
                      for parts in self.parts]
            self._known[rho] = Sum(values, radius - 0.5, self.steps, self.depths)
        # a corner next to eps may have a negative x
        more = (above.near * (2 * radius + 1)).exp()
        if self.beside is not None:
            more *= self.beside.size(radius)
        return more * self._known[rho].up_to(above) / clear

    def error(self, above: Above, radius: float, nodes: int, outer: float, inner: float) -> Any:
        """A bound of the aliases, and of what a corner next to eps adds wrongly.

        The summand of such a corner is an integral of g_C over a circle that vanishes at x = 0, so
        it is at most that of |g_C (e^(x s) - 1)|, on whichever circle that is least.
        """
        large, small = self.size(above, outer) * outer, self.size(above, inner) * inner
        right, left = (flint.arb(a) / b for a, b in ((radius, outer), (inner, radius)))
        total = large * right**nodes / (1 - right**nodes) + small * left**nodes / (1 - left**nodes)
        if above.near:
            least = flint.arb.pos_inf()
            for rho, there in ((inner, small), (radius, self.size(above, radius) * radius),
                               (outer, large)):
                least = least.min((there * (above.near * rho).expm1()).upper())
            total += least
        return total.upper()


@lru_cache(maxsize=64)
def bounds_of(corners: Corners, beside: Beside | None = None) -> Bounds:
    with workprec(PLACES):
        return Bounds(corners, beside)


@lru_cache(maxsize=32)
def rule_of(corners: Corners, radius: float, nodes: int, bits: int, beside: Beside | None = None
          ) -> Rule:
    with workprec(bits):
        return Rule(corners, radius, nodes, bits, beside)


@lru_cache(maxsize=256)
def _radius(factors: Factors, corners: Corners, eps: float) -> float:
    """About the least place of the integrand on the real line, clear of the poles: a choice."""
    def size(t: float) -> float:
        gamma = 0.5 + math.exp(t)
        return float((1 - gamma) * eps + factors.log_moment(gamma) - math.log(gamma * (gamma - 1)))

    low = math.log(1.5 * corners.reach())
    a, width = low, 0.5
    at, there = size(a), size(a + width)
    while there < at and a < low + 60:
        a, at = a + width, there
        there = size(a + width)
    return float(2.0 ** (round(4 * a / LOG2) / 4))


@lru_cache(maxsize=256)
def nodes_for(bounds: Bounds, top: float, counts: tuple[int, ...], radius: float, goal: float
           ) -> tuple[int, float, float, int]:
    """How many nodes bring the aliases below e^-goal of the integrand, the circles by which they
    are bounded, and about how many bits cancel at least: a choice."""
    above = Above(flint.arb(top), counts, flint.arb(0))

    def log_size(rho: float) -> float:
        found = float(bounds.size(above, rho).log())
        return found if math.isfinite(found) else math.inf

    size, reach = log_size(radius), bounds.reach
    # delta is at most 1
    base = min(size, 0.0) - goal
    (right, outer), (left, inner) = (
        min(((log_size(rho) - base) / abs(math.log(rho / radius)), rho) for rho in circles)
        for circles in ([radius * w for w in WIDER],
                        [reach + (radius - reach) * w for w in NARROWER]))
    if not max(right, left) <= MOST_NODES:
        raise Unsupported(f"the circle around the poles needs more than {MOST_NODES} nodes")
    # the same for a range of eps
    return 8 * math.ceil(max(right, left) / 8), outer, inner, math.ceil(max(size, 0.0) / LOG2)


__all__ = ["Above", "Balls", "Beside", "Bounds", "Rule", "around", "bounds_of", "delta",
           "has_families", "is_short", "nodes_for", "rule_of"]
