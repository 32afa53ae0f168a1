"""The inversion integral (37) for few releases, on contours with bent wings.

Few subsampled Gaussians have moments that hardly fall along a vertical line, because their loss is
bounded on one side.  There the factor e^(-q x) of (37) helps, x the distance of eps to that bound,
on the right of the plane if x > 0; for x < 0 let p = 1 - q.  The contour is a hyperbola

    p(t) = c + m sin(a + it) = c + m (sin a cosh t + i cos a sinh t),

into which the line can be bent by Cauchy's theorem, since H_p is bounded between them.  In t the
integrand is analytic in |Im t| <= a, where it falls doubly exponentially; the edges are a vertical
line and a hyperbola of twice the angle.  So the trapezoidal rule of step h errs by at most
(N + N')/(e^(2 pi a/h) - 1), N and N' the integrals of the integrand's size along both edges
(Trefethen and Weideman 2014, Theorem 5.1).  They are bounded on cells, by :class:`Rays`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2, Number
from lapdp.accounting.moments.rays import ROUGH, Rays
from lapdp.accounting.moments.sides import OneSided, Term, one_sided, poles, terms
from lapdp.core.errors import Unsupported

ANGLE = 9 / 32
"""Of the wings, in radians beyond the vertical."""
CELL = 1 / 8
BLOCK = 8
"""Nodes that share the rules of their moments."""
MOST_CELLS = 1000
MOST_NODES = 5000
MOST_WORK = 4_000_000
"""In microseconds, nearly: of many copies the wings' edges are much larger than the answer."""


def delta(factors: Factors, eps: Any, bits: int, most: int = MOST_WORK) -> Any:
    """A ball around delta(eps) of the finite losses, with subsampled Gaussians among the factors.

    ``eps`` is a real ball.  Raises :class:`Unsupported` for other products, and after ``most``
    work on one side of the plane.
    """
    one_sided(factors)
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
                total += _side(factors, mirrored, Hyperbola.at(vertex, reach), here,
                               chosen.size - bits * LOG2, most)
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


@dataclass(frozen=True)
class Hyperbola:
    """c + m sin(angle + it)."""

    c: float
    m: float

    @staticmethod
    def at(vertex: float, reach: float) -> Hyperbola:
        """With a vertex, and about so much room on either side: numbers of few bits, so that one
        contour serves many eps."""
        return Hyperbola(vertex - reach, reach / math.sin(ANGLE))

    def place(self, t: Any, angle: float) -> tuple[Any, Any]:
        """p and dp/(i dt), in balls."""
        turn = (flint.acb(0, t) + angle).sin_cos()
        return flint.acb(self.c) + flint.acb(self.m) * turn[0], flint.acb(self.m) * turn[1]

    def rough(self, t: float, angle: float) -> complex:
        """p in doubles."""
        return complex(self.c + self.m * math.sin(angle) * math.cosh(t),
                       self.m * math.cos(angle) * math.sinh(t))


@dataclass(frozen=True)
class Copies:
    """A subsampled Gaussian on one side of the plane."""

    rays: Rays
    against: bool
    """Is its moment H_(1-p), not H_p?"""
    count: int

    def order(self, p: Any) -> Any:
        """The order of H, in the upper half-plane."""
        return 1 - p.conjugate() if self.against else p

    def corner(self, p: Any) -> complex:
        """The order at which H is largest, nearly, for a rectangle of p."""
        order = self.order(p)
        return complex(float(order.real.upper()), float(order.imag.lower()))

    def size(self, p: Any, angle: float, least: float) -> Any:
        """A bound of |H|^count at a rectangle of p, and at all that follow on wings whose angle is
        at most ``least``."""
        return self.rays.size(self.order(p), max(angle, least)) ** self.count


@lru_cache(maxsize=16)
def _rays(weight: Number, kappa: Number, precision: int) -> Rays:
    with flint.ctx.workprec(precision):
        return Rays(float(weight), float(kappa), (weight.ball(), kappa.ball()))


def _copies(part: OneSided, mirrored: bool) -> Copies:
    return Copies(_rays(Number(part.weight), part.kappa, flint.ctx.prec),
                  part.mirrored != mirrored, part.count)


def _side(factors: Factors, mirrored: bool, curve: Hyperbola, here: list[Term], goal: float,
          most: int) -> Any:
    """The integral of some terms, which fall to the right; its error is about e^goal."""
    copies = [_copies(part, mirrored) for part in one_sided(factors)]
    budget = Budget.of(copies, most)
    outer = Outer(here, mirrored)
    edges = flint.arb(0)
    for angle in (0.0, 2 * ANGLE):
        edges += _edge(copies, outer, curve, angle, budget)
    # both halves of both edges, over 2 pi
    edges /= flint.arb.pi()
    step = 2 * math.pi * ANGLE / (float(edges.log()) - goal + 1)
    step = 2.0 ** (math.floor(8 * math.log2(step)) / 8)
    ripple = edges / ((2 * flint.arb.pi() * ANGLE / flint.arb(step)).exp() - 1)
    total, rest = _rule(copies, outer, curve, step, goal, budget)
    return total + flint.arb(0, (ripple + rest).upper())


@dataclass(frozen=True)
class Budget:
    """What the moments of some factors may still cost, whatever is known of them already."""

    rays: tuple[Rays, ...]
    most: int

    @staticmethod
    def of(copies: list[Copies], most: int) -> Budget:
        """So much from now on."""
        rays = tuple({id(c.rays): c.rays for c in copies}.values())
        return Budget(rays, most + sum(r.spent for r in rays))

    def check(self) -> None:
        """:class:`Unsupported` where it is used up."""
        if sum(r.spent for r in self.rays) > self.most:
            raise Unsupported("the moments need too much work")


@dataclass(frozen=True)
class Outer:
    """The sum of ways * product of R^power * e^(-p x + c) over terms."""

    terms: list[Term]
    mirrored: bool

    def value(self, p: Any) -> Any:
        """The sum at p."""
        q = 1 - p if self.mirrored else p
        return self._sum(lambda place: place.value(q), lambda term: (term.c - p * term.x).exp())

    def size(self, p: Any) -> Any:
        """A bound of its size on a rectangle."""
        q, low = 1 - p if self.mirrored else p, flint.arb(p.real.lower())
        return self._sum(lambda place: abs(place.value(q)),
                         lambda term: (term.c - low * term.x).exp())

    def beyond(self, p: Any) -> Any:
        """A bound of its size at all points that are farther to the right and higher up."""
        return self._sum(lambda place: place.beyond(p.imag),
                         lambda term: (term.c - p.real * term.x).exp())

    def _sum(self, value: Callable[[Any], Any], size: Callable[[Any], Any]) -> Any:
        known: dict[int, Any] = {}
        total = flint.acb(0)
        for term in self.terms:
            found = term.ways * size(term)
            for place, power in term.powers:
                if id(place) not in known:
                    known[id(place)] = value(place)
                found *= known[id(place)] ** power
            total += found
        return total


def _edge(copies: list[Copies], outer: Outer, curve: Hyperbola, angle: float, budget: Budget
          ) -> Any:
    """A bound of the integral of the integrand's size over t > 0 along one edge."""
    total = flint.arb(0)
    with flint.ctx.workprec(ROUGH):
        flats = [0.0] * len(copies)
        for j in range(MOST_CELLS):
            budget.check()
            t = flint.arb(CELL) * j + flint.arb(CELL) / 2 + flint.arb(0, CELL / 2)
            p, slope = curve.place(t, angle)
            # monotone in t: ends, not balls
            ends = [curve.place(flint.arb(CELL) * i, angle)[0] for i in (j, j + 1)]
            p = flint.acb(ends[0].real.union(ends[1].real), ends[0].imag.union(ends[1].imag))
            if j % 4 == 0:
                flats = [_flat(c, p, angle) for c in copies]
            here = outer.size(p).real * abs(slope) * CELL / abs(p) / abs(p - 1)
            for c, flat in zip(copies, flats, strict=True):
                here *= c.size(p, flat, _least(c, angle))
            total += here.upper()
            if j * CELL > 2 and here * 20 < total:
                rest = _beyond(copies, outer, curve, angle, flint.arb(CELL) * (j + 1), flats)
                if rest < total:
                    return total + rest
    raise Unsupported("the integrand is not seen to fall on the edges of the contour")


def _least(c: Copies, angle: float) -> float:
    """Rays from this angle on bound H on the wings' rest."""
    return 0.0 if c.against else angle


def _flat(c: Copies, p: Any, angle: float) -> float:
    """A ray on which H is bounded well on a rectangle."""
    return c.rays.rough_size(c.corner(p), _least(c, angle))[1]


def _beyond(copies: list[Copies], outer: Outer, curve: Hyperbola, angle: float, t: Any,
            flats: list[float]) -> Any:
    """A bound of the integral of the integrand's size from t on, and of the sum over a rule's nodes
    there.

    Steps on the wing turn away from the vertical by at most its angle, so that no H grows; and
    |dp|/|p (p - 1)| is at most cosh t dt/(m cos(angle)^2 sinh(t)^2), which falls.
    """
    p = curve.place(t, angle)[0]
    size = outer.beyond(p).real
    for c, flat in zip(copies, flats, strict=True):
        size *= c.size(p, flat, _least(c, angle))
    return size / (curve.m * flint.arb(angle).cos() ** 2 * t.sinh())


def _rule(copies: list[Copies], outer: Outer, curve: Hyperbola, step: float, goal: float,
          budget: Budget) -> tuple[Any, Any]:
    """(the trapezoidal rule, a bound of what is left out)."""
    total, h = flint.arb(0), flint.arb(step)
    for j in range(0, MOST_NODES, BLOCK):
        budget.check()
        with flint.ctx.workprec(ROUGH):
            p, slope = curve.place(h * j, ANGLE)
            ends = [p, curve.place(h * (j + BLOCK - 1), ANGLE)[0]]
            box = flint.acb(ends[0].real.union(ends[1].real), ends[0].imag.union(ends[1].imag))
            # how large the nodes are, nearly
            level = float(abs(outer.value(p) * slope / (p * (p - 1))).log().mid())
            level += sum(c.count * c.rays.rough_size(c.corner(p))[0] for c in copies)
            flats = [_flat(c, box, ANGLE) for c in copies]
        if j and level < goal + 3:
            rest = _beyond(copies, outer, curve, ANGLE, h * (j - 1), flats)
            if rest.log() < goal + 6:
                return total * h / flint.arb.pi(), rest / flint.arb.pi()
        rays = [c.rays.choose(c.corner(box), max(5.0, level - goal + math.log(8 * c.count)),
                              float(box.imag.upper())) for c in copies]
        errors = [c.rays.error(c.order(box), ray) for c, ray in zip(copies, rays, strict=True)]
        for i in range(j, j + BLOCK):
            p, slope = curve.place(h * i, ANGLE)
            value = outer.value(p) * slope / (p * (p - 1))
            for c, ray, error in zip(copies, rays, errors, strict=True):
                around = flint.arb(0, error)
                found = c.rays.moment(c.order(p), ray) + flint.acb(around, around)
                value *= (found.conjugate() if c.against else found) ** c.count
            total += value.real if i else value.real / 2
    raise Unsupported(f"the rule needs more than {MOST_NODES} nodes")


__all__ = ["delta", "reaches"]
