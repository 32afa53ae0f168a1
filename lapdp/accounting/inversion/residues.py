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
the terms are positive there, nothing cancels however small delta is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import accumulate
from typing import Any

import flint

from lapdp.accounting.moments.corners import Corners, corners_of
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported

MOST_NODES = 4000
FEW = 600
"""Up to so many corners the circle is cheap."""
MOST_KNOWN = 100
"""Sums over the highest places kept at each node."""
ROUGH = 40
"""Bits of the bounds."""
WIDER = (1.3, 1.8, 2.5, 3.5, 5.0)
NARROWER = (0.1, 0.25, 0.4, 0.55, 0.7)


def is_short(factors: Factors) -> bool:
    """Are the losses given by few corners?"""
    try:
        return corners_of(factors).deepest <= FEW
    except Unsupported:
        return False


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about ``bits`` bits.

    Raises :class:`Unsupported` where the losses have no corners.
    """
    corners = corners_of(factors)
    bounds = _bounds(corners)
    with flint.ctx.workprec(ROUGH):
        rough = bounds.above(eps)
        # what is chosen serves all eps nearby
        mantissa, power = math.frexp(float(rough.top))
        top = math.ldexp(round(mantissa * 4096), power - 12)
        radius = _radius(factors, corners, float(bounds.highest) - top)
        nodes, outer, inner, lost = _nodes(bounds, top, rough.count, radius, (bits + 16) * LOG2)
    # turns of C s cost as many bits as they have
    turns = (float(abs(rough.top).upper()) + 1) * radius
    precision = bits + lost + 24 + factors.count.bit_length() + int(turns).bit_length()
    rule = _rule(corners, radius, nodes, 32 * -(-precision // 32))
    with flint.ctx.workprec(rule.bits):
        above = rule.above(eps)
        total = rule.total(above)
    with flint.ctx.workprec(ROUGH):
        there = replace(rough, count=max(rough.count, above.count), near=above.near)
        error = bounds.error(there, radius, nodes, outer, inner)
    return total + flint.arb(0, error)


@dataclass(frozen=True)
class Above:
    """The corners above eps."""

    top: Any
    """The highest one less eps."""
    count: int
    """How many places above eps: the last of them may be eps, or next to it on either side."""
    near: Any
    """How far from eps that one may be, at most; 0 where all are told apart from it."""


class Balls:
    """The corners of a product in balls, at the working precision of the moment."""

    def __init__(self, corners: Corners) -> None:
        self.corners = corners
        self.step = enclose(corners.step, {}).real
        self.highest = enclose(corners.highest, {}).real
        self.parts = [(k, [(c.depth, c.balls()) for c in found]) for k, found in corners.parts]

    def above(self, eps: Any) -> Above:
        """What lies above eps."""
        top = self.highest - eps
        place = top / self.step
        last, sure = (x.floor().unique_fmpz() for x in (place.upper(), place.lower()))
        if last is None or sure is None or last > sure + 1:
            raise Unsupported("eps is not known well enough")
        near = (top - self.step * last).abs_upper() if last > sure else flint.arb(0)
        return Above(top, min(int(last), self.corners.deepest) + 1, near)


class Rule(Balls):
    """The nodes on one circle, and all that does not depend on eps."""

    def __init__(self, corners: Corners, radius: float, nodes: int, bits: int) -> None:
        super().__init__(corners)
        self.bits, r = bits, flint.arb(radius)
        self.points = []
        for j in range(nodes // 2):
            sine, cosine = flint.arb.sin_cos_pi_fmpq(flint.fmpq(2 * j + 1, nodes))
            s = flint.acb(r * cosine, r * sine)
            values = [(k, [(n, c.at(s)) for n, c in found]) for k, found in self.parts]
            # the conjugate node has the conjugate value
            weight = 2 * s / ((s * s - 0.25) * nodes)
            self.points.append((weight, Sum(values, s - 0.5, self.step)))

    def total(self, above: Above) -> Any:
        """The mean of s g(s) over all nodes."""
        total = flint.acb(0)
        for weight, here in self.points:
            total += weight * here.up_to(above)
        return total.real


class Bounds(Balls):
    """M(rho), and what follows from it."""

    def __init__(self, corners: Corners) -> None:
        super().__init__(corners)
        self.reach = corners.reach()
        self._known: dict[float, Sum] = {}

    def size(self, above: Above, rho: float) -> Any:
        """M: a bound of |g| on a circle around all poles; not finite on smaller ones."""
        radius = flint.arb(rho)
        clear = radius * radius - 0.25
        if not clear > 0:
            return flint.arb.pos_inf()
        if rho not in self._known:
            values = [(k, [(n, c.size(radius)) for n, c in found]) for k, found in self.parts]
            self._known[rho] = Sum(values, radius - 0.5, self.step)
        # a corner next to eps may have a negative x
        more = (above.near * (2 * radius + 1)).exp()
        return more * self._known[rho].up_to(above) / clear

    def error(self, above: Above, radius: float, nodes: int, outer: float, inner: float) -> Any:
        """A bound of the aliases, and of what a corner next to eps adds wrongly.

        The summand of such a corner is an integral of g_C over a circle that vanishes at x = 0, so
        it is at most that of |g_C (e^(x s) - 1)|.
        """
        large, small = self.size(above, outer) * outer, self.size(above, inner) * inner
        right, left = (flint.arb(a) / b for a, b in ((radius, outer), (inner, radius)))
        total = large * right**nodes / (1 - right**nodes) + small * left**nodes / (1 - left**nodes)
        if above.near:
            total += large * (above.near * outer).expm1()
        return total.upper()


class Sum:
    """The sum over the places of a product at one s, for values R of the corners of its factors."""

    def __init__(self, values: list[tuple[int, list[tuple[int, Any]]]], shift: Any, step: Any
                 ) -> None:
        self.shift, self.values, self.turn = shift, values, (-step * shift).exp()
        self.copies = 0
        self.known: dict[int, Any] = {}
        if len(values) == 1 and len(values[0][1]) == 2:
            # one factor of two corners: a binomial sum
            [(self.copies, [(_, top), (self.depth, other)])] = values
            self.lead, self.odds = top**self.copies, other / top * self.turn**self.depth

    def up_to(self, above: Above) -> Any:
        """The sum over all places above eps, times e^(-eps (s - 1/2))."""
        # points between the same two places differ by the exponential only
        if above.count not in self.known:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[above.count] = self._of_highest(above.count)
        return (above.top * self.shift).exp() * self.known[above.count]

    def _of_highest(self, count: int) -> Any:
        """The sum over so many places, without the factor for the highest."""
        if self.copies:
            return self.lead * _binomial(self.copies, -(-count // self.depth))(self.odds)
        kind = flint.arb_poly if isinstance(self.shift, flint.arb) else flint.acb_poly
        total = kind([1])
        for k, corners in self.values:
            factor = _power(kind, k, corners, count)
            total = kind((total * factor).coeffs()[:count])
        return total(self.turn)


@lru_cache(maxsize=64)
def _bounds(corners: Corners) -> Bounds:
    with flint.ctx.workprec(ROUGH):
        return Bounds(corners)


@lru_cache(maxsize=32)
def _rule(corners: Corners, radius: float, nodes: int, bits: int) -> Rule:
    with flint.ctx.workprec(bits):
        return Rule(corners, radius, nodes, bits)


@lru_cache(maxsize=64)
def _binomials(k: int, count: int) -> list[int]:
    return list(accumulate(range(min(k + 1, count) - 1), lambda c, i: c * (k - i) // (i + 1),
                           initial=1))


@lru_cache(maxsize=64)
def _binomial(k: int, count: int) -> Any:
    """The first terms of (1 + w)^k; its coefficients are exact."""
    return flint.fmpz_poly(_binomials(k, count))


def _power(kind: Any, k: int, corners: list[tuple[int, Any]], count: int) -> Any:
    """(sum of R z^depth)^k up to z^count."""
    if len(corners) == 2:
        (_, top), (depth, other) = corners
        share, size = other / top, top**k
        coefficients = [0] * min(count, k * depth + 1)
        for i, c in enumerate(_binomials(k, -(-count // depth))):
            coefficients[i * depth] = size * c * share**i
        return kind(coefficients)
    one = [0] * (corners[-1][0] + 1)
    for depth, value in corners:
        one[depth] = value
    return kind(one) ** k


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
def _nodes(bounds: Bounds, top: float, count: int, radius: float, goal: float
           ) -> tuple[int, float, float, int]:
    """How many nodes bring the aliases below e^-goal of the integrand, the circles by which they
    are bounded, and about how many bits cancel at least: a choice."""
    above = Above(flint.arb(top), count, flint.arb(0))

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


__all__ = ["Above", "Bounds", "Rule", "delta", "is_short"]
