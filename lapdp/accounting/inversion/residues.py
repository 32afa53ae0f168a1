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
    radius = _radius(factors, corners, float(eps))
    with flint.ctx.workprec(ROUGH):
        rough = Above(corners, eps)
        nodes, outer, inner = _nodes(rough, radius, corners.reach(), (bits + 6) * LOG2)
    # turns of C s cost as many bits as they have
    turns = (float(abs(rough.top).upper()) + 1) * radius
    with flint.ctx.workprec(bits + 24 + factors.count.bit_length() + int(turns).bit_length()):
        above, r = Above(corners, eps), flint.arb(radius)
        total = flint.arb(0)
        for j in range(nodes // 2):
            sine, cosine = flint.arb.sin_cos_pi_fmpq(flint.fmpq(2 * j + 1, nodes))
            s = flint.acb(r * cosine, r * sine)
            # the conjugate node has the conjugate value
            total += (s * above.at(s)).real
        return 2 * total / nodes + flint.arb(0, above.error(radius, nodes, outer, inner))


class Above:
    """The part of the integrand from the corners above eps, at one working precision."""

    def __init__(self, corners: Corners, eps: Any) -> None:
        self.step = enclose(corners.step, {}).real
        self.top = enclose(corners.highest, {}).real - eps
        self.parts = [(k, [(c.depth, c.balls()) for c in found]) for k, found in corners.parts]
        place = self.top / self.step
        last, sure = (x.floor().unique_fmpz() for x in (place.upper(), place.lower()))
        if last is None or sure is None or last > sure + 1:
            raise Unsupported("eps is not known well enough")
        self.count = min(int(last), corners.deepest) + 1
        """How many places above eps: the last of them may be eps, or next to it on either side."""
        self.slack = (self.top - self.step * last).abs_upper() if last > sure else flint.arb(0)
        self._choices = _choices(corners, self.count)

    def at(self, s: Any) -> Any:
        """g at a point of the circle."""
        values = [(k, [(depth, c.at(s)) for depth, c in found]) for k, found in self.parts]
        return self._value(values, s) / (s * s - 0.25)

    def size(self, radius: Any) -> Any:
        """M: a bound of |g| on a circle around all poles; not finite on smaller ones."""
        values = [(k, [(depth, c.size(radius)) for depth, c in found]) for k, found in self.parts]
        # a corner next to eps may have a negative x
        more = (self.slack * (2 * radius + 1)).exp()
        return more * self._value(values, radius) / (radius * radius - 0.25)

    def error(self, radius: Any, nodes: int, outer: Any, inner: Any) -> Any:
        """A bound of the aliases, and of what a corner next to eps adds wrongly.

        The summand of such a corner is an integral of g_C over a circle that vanishes at x = 0, so
        it is at most that of |g_C (e^(x s) - 1)|.
        """
        large, small = self.size(outer), self.size(inner)
        right, left = (radius / outer) ** nodes, (inner / radius) ** nodes
        total = outer * large * right / (1 - right) + inner * small * left / (1 - left)
        if self.slack:
            total += outer * large * (self.slack * outer).expm1()
        return total.upper()

    def _value(self, values: list[tuple[int, list[tuple[int, Any]]]], s: Any) -> Any:
        """e^(top (s - 1/2)) times the sum over the places, for values R of the corners."""
        first, turn = (self.top * (s - 0.5)).exp(), (-self.step * (s - 0.5)).exp()
        if self._choices is not None:
            [(k, [(_, top), (depth, other)])] = values
            return first * top**k * self._choices(other / top * turn**depth)
        kind = type(flint.arb_poly([s])) if isinstance(s, flint.arb) else flint.acb_poly
        total = kind([1])
        for k, corners in values:
            total = kind((total * _power(kind, k, corners, self.count)).coeffs()[:self.count])
        return first * total(turn)


def _choices(corners: Corners, count: int) -> Any:
    """For one factor of two corners: the sum of binomial(k, i) w^i over the places above eps."""
    if len(corners.parts) != 1 or len(corners.parts[0][1]) != 2:
        return None
    [(k, (_, below))] = corners.parts
    return flint.arb_poly(_binomials(k, -(-count // below.depth)))


@lru_cache(maxsize=64)
def _binomials(k: int, count: int) -> list[int]:
    return list(accumulate(range(min(k + 1, count) - 1), lambda c, i: c * (k - i) // (i + 1),
                           initial=1))


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


def _nodes(above: Above, radius: float, reach: float, goal: float) -> tuple[int, Any, Any]:
    """How many nodes bring the aliases below e^-goal of the integrand, and the circles by which
    they are bounded: a choice."""
    def log_size(rho: float) -> float:
        found = float(above.size(flint.arb(rho)).log())
        return found if math.isfinite(found) else math.inf

    base = log_size(radius) - goal
    rounds = []
    for circles in ([radius * w for w in WIDER],
                    [reach + (radius - reach) * w for w in NARROWER]):
        rounds.append(min(((log_size(rho) - base) / abs(math.log(rho / radius)), rho)
                          for rho in circles))
    nodes = 2 * math.ceil(max(n for n, _ in rounds) / 2)
    if not nodes <= MOST_NODES:
        raise Unsupported(f"the circle around the poles needs more than {MOST_NODES} nodes")
    return nodes, flint.arb(rounds[0][1]), flint.arb(rounds[1][1])


__all__ = ["Above", "delta", "is_short"]
