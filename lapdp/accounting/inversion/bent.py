"""The inversion integral (37) for few releases, on contours with bent wings.

Few subsampled Gaussians have moments that hardly fall along a vertical line, because their loss is
bounded on one side.  There the factor e^(-q x) of (37) helps, x the distance of eps to that bound,
on the right of the plane if x > 0; for x < 0 let p = 1 - q.  The contour is a hyperbola

    p(t) = c + m sin(a + it) = c + m (sin a cosh t + i cos a sinh t),

into which the line can be bent by Cauchy's theorem, since H_p is bounded between them.  In t the
integrand is analytic in |Im t| <= a, where it falls doubly exponentially; the edges are a vertical
line and a hyperbola of twice the angle.  So the trapezoidal rule of step h errs by at most
(N + N')/(e^(2 pi a/h) - 1), N and N' the integrals of the integrand's size along both edges
(Trefethen and Weideman 2014, Theorem 5.1).  They are bounded on cells, see
:mod:`lapdp.accounting.inversion.wings`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import flint

from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.inversion.wings import Budget, Outer, contour, copies
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.sides import OneSided, Term, one_sided, poles, terms
from lapdp.core.errors import Unsupported

WIDEST, NARROWEST, GRID = 9 / 32, 1 / 128, 256
"""Angles of the wings, in radians beyond the vertical: in steps of 1/GRID."""
SPREAD = 4.0
"""The bounds of k copies grow like e^(k a^2/(4 kappa)) with the angle a: an angle of so many
standard deviations costs little."""
ROOM = 8.0
"""What is left out and the ripple are so far below the goal, as a logarithm."""
MOST_WORK = 3_000_000
"""In microseconds, nearly."""


def delta(factors: Factors, eps: Any, bits: int, most: int = MOST_WORK) -> Any:
    """A ball around delta(eps) of the finite losses, with subsampled Gaussians among the factors.

    ``eps`` is a real ball.  Raises :class:`Unsupported` for other products, and after ``most``
    work on one side of the plane.
    """
    angle = _angle(one_sided(factors))
    bits = 16 * -(-bits // 16)
    chosen = saddle(factors, float(eps), bits * LOG2)
    gamma, room = _vertex(chosen.gamma, poles(factors))
    with flint.ctx.workprec(bits + factors.count.bit_length() + 40):
        known, blur = _decided(factors, eps)
        total = flint.arb(0, blur)
        for mirrored in (False, True):
            here = [term.mirrored() if mirrored else term for term in known
                    if bool(term.x < 0) == mirrored]
            if here:
                vertex, below = (1 - gamma, room[1]) if mirrored else (gamma, room[0])
                above = room[0] if mirrored else room[1]
                reach = min(1.5 * chosen.width, 0.6 * below, 0.6 * above)
                goal = chosen.size - bits * LOG2 - ROOM
                curve = Hyperbola.at(vertex, reach, angle)
                total += _side(factors, mirrored, curve, here, goal, most)
        return total + (factors.finite_mass() if 0 < gamma < 1 else 0)


def reaches(factors: Factors) -> bool:
    """Are these products the ones that :func:`delta` is for?"""
    try:
        one_sided(factors)
    except Unsupported:
        return False
    return True


def _vertex(gamma: float, known: list[float]) -> tuple[float, tuple[float, float]]:
    """An order near gamma, and its distances to the poles below and above."""
    below = max((x for x in known if x < gamma), default=-math.inf)
    above = min((x for x in known if x > gamma), default=math.inf)
    least = min(0.1, (above - below) / 4)
    gamma = min(max(gamma, below + least if gamma < 1 else gamma), above - least)
    return gamma, (gamma - below, above - gamma)


def _decided(factors: Factors, eps: Any) -> tuple[list[Term], Any]:
    """The terms, their signs decided, at an eps nearby; delta falls by at most |change of eps|."""
    for shift in (0, 1, 2, 3):
        nearby = eps if not shift else flint.arb(
            eps.upper() + flint.arb(2) ** (shift - flint.ctx.prec + 8))
        known = terms(factors, nearby)
        if not any(term.x.contains(0) for term in known):
            return known, abs(nearby - eps).upper()
    raise Unsupported("eps is not told from the places of the losses")


def _angle(parts: list[OneSided]) -> float:
    """Of the wings: smaller for many copies."""
    found = min(SPREAD * math.sqrt(float(part.kappa) / part.count) for part in parts)
    return max(NARROWEST, math.floor(GRID * min(WIDEST, found)) / GRID)


@dataclass(frozen=True)
class Hyperbola:
    """c + m sin(angle + it)."""

    c: float
    m: float
    angle: float
    """Of the contour itself; its edges have 0 and twice the angle."""

    @staticmethod
    def at(vertex: float, reach: float, angle: float) -> Hyperbola:
        """With a vertex, and about so much room on either side: numbers of few bits, so that one
        contour serves many eps."""
        reach = 2.0 ** (math.floor(2 * math.log2(reach)) / 2)
        return Hyperbola(vertex - reach, reach / math.sin(angle), angle)

    def place(self, t: Any, angle: float) -> tuple[Any, Any]:
        """p and dp/(i dt), in balls."""
        turn = (flint.acb(0, t) + angle).sin_cos()
        return flint.acb(self.c) + flint.acb(self.m) * turn[0], flint.acb(self.m) * turn[1]


def _side(factors: Factors, mirrored: bool, curve: Hyperbola, here: list[Term], goal: float,
          most: int) -> Any:
    """The integral of some terms, which fall to the right; its error is about e^goal."""
    taken = tuple(copies(part, mirrored) for part in one_sided(factors))
    budget = Budget(most)
    outer = Outer(here, mirrored)
    known = contour(taken, curve, flint.ctx.prec)
    # both halves of both edges, over 2 pi
    edges = (known.edge(outer, 0.0, budget) + known.edge(outer, 2 * curve.angle, budget))
    edges /= flint.arb.pi()
    if not edges > 0:
        raise Unsupported("the edges of the contour are not bounded")
    step = 2 * math.pi * curve.angle / (float(edges.log()) - goal + 1)
    step = 2.0 ** (math.floor(4 * math.log2(step)) / 4)
    ripple = edges / ((2 * flint.arb.pi() * curve.angle / flint.arb(step)).exp() - 1)
    total, rest = known.rule(outer, step, goal, budget)
    return total + flint.arb(0, (ripple + rest).upper())


__all__ = ["delta", "reaches"]
