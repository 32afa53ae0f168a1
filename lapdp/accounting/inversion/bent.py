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
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import flint

from lapdp.accounting.inversion.level import likely_size
from lapdp.accounting.inversion.saddle import Saddle, exponent, saddle
from lapdp.accounting.inversion.wings import Budget, Outer, contour, copies
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.sides import OneSided, Term, likely, one_sided, poles, terms
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

WIDEST, NARROWEST = 9 / 32, 1 / 512
"""Angles of the wings, in radians beyond the vertical: halved while that makes the step longer."""
FIRST = 0.45
"""The first angle tried falls with the fourth root of the number of copies."""
FLAT = 1.5
"""Logarithms of the integrand's size that a contour with more room may cost."""
ENDS = 12
ROOM = 2.0
"""What is left out and the ripple are so far below the goal, as a logarithm."""
MOST_LOST = 250.0
"""Logarithm of what may cancel: more takes thousands of nodes for each moment."""
MOST_WORK, ROUNDS, FEW = 1_300_000, 3, 16
"""In microseconds, nearly; looks at how large delta is; terms that are not worth a look."""


def delta(factors: Factors, eps: Any, bits: int, most: int = MOST_WORK) -> Any:
    """A ball around delta(eps) of the finite losses, with subsampled Gaussians among the factors.

    ``eps`` is a real ball.  Raises :class:`Unsupported` for other products, and after ``most``
    work on one side of the plane.
    """
    bits = 16 * -(-bits // 16)
    one_sided(factors)
    chosen = saddle(factors, float(eps), bits * LOG2)
    gamma, reach = _vertex(exponent(factors, float(eps)), chosen, poles(factors))
    # far below what is seen of the integrand's size on any line where rare losses are huge
    size = chosen.size if chosen.gamma < 1 else likely_size(factors, float(eps), chosen.size)
    if chosen.size - size > MOST_LOST:
        raise Unsupported("delta is far below the integrand on any line: losses that are rare and "
                          "huge rule the moments")
    for _ in range(ROUNDS):
        found = _to_size(factors, eps, bits, (size, chosen.size), (gamma, reach), most)
        if not found.contains(0):
            return found
        # where the edges are smaller than was thought so is delta
        size = min(float(found.upper().log()), size - 1)
    raise Unsupported("delta is far below what is seen of its size")


def _to_size(factors: Factors, eps: Any, bits: int, sizes: tuple[float, float],
             vertex: tuple[float, float], most: int) -> Any:
    """For so many bits if delta is as large as the first of two logarithms says; the other one is
    that of the integrand."""
    parts, (gamma, reach), (size, whole) = one_sided(factors), vertex, sizes
    goal = size - bits * LOG2 - ROOM
    lost = 32 * math.ceil((whole - size) / LOG2 / 32)
    with workprec(bits + lost + factors.count.bit_length() + 40):
        known, blur = _decided(factors, eps)
        known, rest = _counting(factors, known, goal)
        total = flint.arb(0, (blur + rest).upper())
        for mirrored in (False, True):
            here = [term.mirrored() if mirrored else term for term in known
                    if bool(term.x < 0) == mirrored]
            if here:
                place = (1 - gamma if mirrored else gamma, reach)
                total += _side(parts, mirrored, place, here, goal, most)
        return total + (factors.finite_mass() if 0 < gamma < 1 else 0)


def reaches(factors: Factors) -> bool:
    """Are these products the ones that :func:`delta` is for?"""
    try:
        one_sided(factors)
    except Unsupported:
        return False
    return True


def _vertex(size: Callable[[float], float], chosen: Saddle, known: list[float]
            ) -> tuple[float, float]:
    """An order, and how far the contour may move from it: in the middle of all orders at which the
    integrand is hardly larger than at the saddle, not near a pole; the same for a range of eps.

    Huge losses that are rare make the integrand flat up to the saddle and steep beyond.
    """
    below = max((x for x in known if x < chosen.gamma), default=-math.inf)
    above = min((x for x in known if x > chosen.gamma), default=math.inf)
    most = size(chosen.gamma) + FLAT

    def end(side: int, pole: float) -> float:
        inside, outside = 0.0, abs(pole - chosen.gamma)
        if math.isinf(outside):
            outside = chosen.width
            while size(chosen.gamma + side * outside) < most:
                inside, outside = outside, 2 * outside
        for _ in range(ENDS):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if size(
                chosen.gamma + side * middle) < most else (inside, middle)
        return chosen.gamma + side * inside

    low, high = end(-1, below), end(1, above)
    if not low < high:
        raise Unsupported("no room is seen around the saddle in doubles")
    reach = 2.0 ** math.floor(math.log2((high - low) / 4))
    return reach * round((low + high) / 2 / reach), reach


def _decided(factors: Factors, eps: Any) -> tuple[list[Term], Any]:
    """The terms, their signs decided, at an eps nearby; delta falls by at most |change of eps|."""
    for shift in (0, 1, 2, 3):
        nearby = eps if not shift else flint.arb(
            eps.upper() + flint.arb(2) ** (shift - flint.ctx.prec + 8))
        known = terms(factors, nearby)
        if not any(term.x.contains(0) for term in known):
            return known, abs(nearby - eps).upper()
    raise Unsupported("eps is not told from the places of the losses")


def _counting(factors: Factors, known: list[Term], goal: float) -> tuple[list[Term], Any]:
    """The terms that count, and a bound of what all others add: of thousands of sums of atoms few
    are likely."""
    if len(known) < FEW:
        return known, flint.arb(0)
    sizes = likely(factors, known)
    rest, left = flint.arb(0), set()
    for j in sorted(range(len(known)), key=lambda j: float(sizes[j])):
        more = (rest + sizes[j]).upper()
        if not more < flint.arb(goal).exp():
            break
        rest = more
        left.add(j)
    return [term for j, term in enumerate(known) if j not in left], rest


@dataclass(frozen=True)
class Hyperbola:
    """c + m sin(angle + it)."""

    c: float
    m: float
    angle: float
    """Of the contour itself; its edges have 0 and twice the angle."""

    @staticmethod
    def at(vertex: float, reach: float, angle: float) -> Hyperbola:
        """With a vertex, and so much room on either side."""
        return Hyperbola(vertex - reach, reach / math.sin(angle), angle)

    def place(self, t: Any, angle: float) -> tuple[Any, Any]:
        """p and dp/(i dt), in balls."""
        turn = (flint.acb(0, t) + angle).sin_cos()
        return flint.acb(self.c) + flint.acb(self.m) * turn[0], flint.acb(self.m) * turn[1]


def _side(parts: list[OneSided], mirrored: bool, place: tuple[float, float], here: list[Term],
          goal: float, most: int) -> Any:
    """The integral of some terms, which fall to the right; its error is about e^goal."""
    taken = tuple(copies(part, mirrored) for part in parts)
    outer, budget = Outer(here, mirrored), Budget(most)
    first = FIRST * min(2 * float(part.kappa) / part.count for part in parts) ** 0.25
    angle, best, problem = WIDEST, None, None
    while angle > first and angle > NARROWEST:
        angle /= 2
    while angle >= NARROWEST:
        known = contour(taken, Hyperbola.at(*place, angle), flint.ctx.prec)
        try:
            # both halves of both edges, over 2 pi
            edges = (known.edge(outer, 0.0, budget) + known.edge(outer, 2 * angle, budget)
                     ) / flint.arb.pi()
            large = float(edges.log()) - goal
            if large < 0:
                # so is the integral along an edge itself
                return flint.arb(0, edges.upper())
            step = 2 * math.pi * angle / (large + 1)
        except Unsupported as refusal:
            problem, step = refusal, 0.0
        if best is not None and not step > best[0]:
            break
        if step > 0:
            best = step, known, edges
        angle /= 2
    if best is None:
        raise problem or Unsupported("the edges of the contour are not bounded")
    step, known, edges = best
    step = 2.0 ** (math.floor(4 * math.log2(step)) / 4)
    ripple = edges / ((2 * flint.arb.pi() * known.curve.angle / flint.arb(step)).exp() - 1)
    total, rest = known.rule(outer, step, goal, budget)
    return total + flint.arb(0, (ripple + rest).upper())


__all__ = ["delta", "reaches"]
