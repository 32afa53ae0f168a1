"""Contours with bent wings: bounds on their edges and moments at their nodes, kept for every eps.

What depends on eps is the factor e^(-p x + c) R of each term (see :class:`Outer`).  The powers of
the moments, their bounds by :class:`~lapdp.accounting.moments.ray_sizes.Sizes`, and the measure
dp/(p (p - 1)) are those of the contour.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, Protocol

import flint

from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.nodal import around as around_zero
from lapdp.accounting.moments.ray_polynomials import values as moments_at
from lapdp.accounting.moments.ray_sizes import Box, Sizes
from lapdp.accounting.moments.rays import ROUGH, Ray, Rays
from lapdp.accounting.moments.sides import OneSided, Term
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

CELL = 1 / 8
"""Of edges, at most."""
MOST_CELLS = 3000
MOST_NODES = 30_000
BLOCK, LEAST_BLOCK, MOST_BLOCK = 0.25, 8, 512
"""Nodes that share the rules of their moments: so far they reach, and so many they are."""
EDGE, SHARP_EDGE, MANY, NODE = 1_000, 3_500, 20, 30
"""Microseconds for a cell, for one of so many copies, whose bounds are to be sharp, and for a node
of a ray with its powers, nearly."""
SPARE = 4.0
"""Moments are known so much better, as a logarithm, than the first eps asks for."""


class Curve(Protocol):
    """A hyperbola with its edges."""

    @property
    def m(self) -> float:
        """Its size."""

    @property
    def angle(self) -> float:
        """Of the wings; the edges have 0 and twice the angle."""

    def place(self, t: Any, angle: float) -> tuple[Any, Any]:
        """p and dp/(i dt), in balls."""


@dataclass(frozen=True, eq=False)
class Copies:
    """A subsampled Gaussian on one side of the plane."""

    sizes: Sizes
    against: bool
    """Is its moment H_(1-p), not H_p?"""
    count: int

    def order(self, p: Any) -> Any:
        """The order of H, in the upper half-plane."""
        return 1 - p.conjugate() if self.against else p

    def log_size(self, p: Any, least: float) -> float:
        """A bound of log |H|^count at a rectangle of p, and at all that follow on wings whose angle
        is at most ``least``."""
        found = self.sizes.best(Box.of(self.order(p)), 0.0 if self.against else least,
                                self.count)
        return self.count * found


@lru_cache(maxsize=32)
def copies_of(weight: Any, kappa: Number, against: bool, count: int, precision: int) -> Copies:
    """The same object for the same releases, at one working precision."""
    return Copies(_sizes(weight, kappa, precision), against, count)


@lru_cache(maxsize=16)
def _sizes(weight: Any, kappa: Number, precision: int) -> Sizes:
    number = Number(weight)
    with workprec(precision):
        return Sizes(Rays(float(number), float(kappa), (number.ball(), kappa.ball())))


def copies(part: OneSided, mirrored: bool) -> Copies:
    """The moments of a factor for terms that fall to the right, or are mirrored."""
    return copies_of(part.weight, part.kappa, part.mirrored != mirrored, part.count,
                     flint.ctx.prec)


@dataclass
class Budget:
    """What an answer may cost, in microseconds, nearly: the same whether it is known already or
    not, so that no refusal depends on what was asked before."""

    most: int
    spent: int = 0
    rays: set[Ray] = field(default_factory=set)
    """Those whose nodes are counted."""

    def take(self, work: int) -> None:
        """:class:`Unsupported` where it is used up."""
        self.spent += work
        if self.spent > self.most:
            raise Unsupported("the moments need too much work")

    def use(self, ray: Ray) -> None:
        """Take what the nodes of a ray cost, once."""
        if ray not in self.rays:
            self.rays.add(ray)
            self.take(NODE * (ray.last - ray.first + 1))


@dataclass(frozen=True)
class Outer:
    """The sum of weight * product of R^power * e^(-p x + c) over terms."""

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
            found = term.weight * size(term)
            for place, power in term.powers:
                if id(place) not in known:
                    known[id(place)] = value(place)
                found *= known[id(place)] ** power
            total += found
        return total


@dataclass(frozen=True, eq=False)
class Cell:
    """A piece of an edge: its rectangle, and a bound of the moments times the measure there."""

    p: Any
    weight: Any
    end: Any
    """The place where it ends."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some nodes: (p, moments times measure), for what accuracy, as a logarithm, at what cost."""

    nodes: list[tuple[Any, Any]]
    accuracy: float
    cost: int
    rays: tuple[Ray, ...]


@dataclass(eq=False)
class Contour:
    """One curve, for some factors."""

    copies: tuple[Copies, ...]
    curve: Curve
    cells: dict[float, list[Cell]] = field(default_factory=dict)
    blocks: dict[tuple[float, int], Block] = field(default_factory=dict)

    def edge(self, outer: Outer, angle: float, budget: Budget) -> Any:
        """A bound of the integral of the integrand's size over t > 0 along one edge."""
        total, width = flint.arb(0), self.width
        cost = EDGE if max(c.count for c in self.copies) < MANY else SHARP_EDGE
        with workprec(ROUGH):
            for j in range(MOST_CELLS):
                budget.take(cost)
                cell = self._cell(angle, j)
                here = (outer.size(cell.p).real * cell.weight).upper()
                total += here
                if j * width > 2 and here * 3 < total * width and j % 4 == 0:
                    rest = self._beyond(outer, angle, flint.arb(width) * (j + 1), cell.end)
                    if rest < total:
                        return total + rest
        raise Unsupported("the integrand is not seen to fall on the edges of the contour")

    @property
    def width(self) -> float:
        """Of cells: on a rectangle the bounds of many copies should not vary much."""
        many = max(c.count for c in self.copies) * math.sin(self.curve.angle)
        return float(2.0 ** math.floor(math.log2(min(CELL, 2 / many))))

    def _cell(self, angle: float, j: int) -> Cell:
        known = self.cells.setdefault(angle, [])
        while len(known) <= j:
            i, width = len(known), self.width
            start = known[-1].end if known else self.curve.place(flint.arb(0), angle)[0]
            middle = flint.arb(width) * (2 * i + 1) / 2 + flint.arb(0, width / 2)
            slope = self.curve.place(middle, angle)[1]
            end = self.curve.place(flint.arb(width) * (i + 1), angle)[0]
            # monotone in t: ends, not balls
            p = flint.acb(start.real.union(end.real), start.imag.union(end.imag))
            size = sum(c.log_size(p, 0.0) for c in self.copies)
            if not math.isfinite(size):
                raise Unsupported("the moments are not bounded on the edges of the contour")
            weight = flint.arb(size).exp() * abs(slope) * width / abs(p) / abs(p - 1)
            known.append(Cell(p, weight, end))
        return known[j]

    def _beyond(self, outer: Outer, angle: float, t: Any, p: Any) -> Any:
        """A bound of the integral of the integrand's size from t on, and of the sum over a rule's
        nodes there.

        Steps on the wing turn away from the vertical by at most its angle, so that no H grows; and
        |dp|/|p (p - 1)| is at most cosh t dt/(m cos(angle)^2 sinh(t)^2), which falls.
        """
        size = sum(c.log_size(p, angle) for c in self.copies)
        if not math.isfinite(size):
            return flint.arb.pos_inf()
        found = outer.beyond(p).real * flint.arb(size).exp()
        return found / (flint.arb(self.curve.m) * flint.arb(angle).cos() ** 2 * t.sinh())

    def rule(self, outer: Outer, step: float, goal: float, budget: Budget) -> tuple[Any, Any]:
        """(the trapezoidal rule, a bound of what is left out)."""
        total, h, angle = flint.arb(0), flint.arb(step), self.curve.angle
        ends, rest = False, flint.arb(0)
        for j in range(0, MOST_NODES, _together(step)):
            with workprec(ROUGH):
                p, slope = self.curve.place(h * j, angle)
                measure = slope / (p * (p - 1))
                # how large the nodes are, at most
                level = float(abs(outer.value(p) * measure).log().mid())
                level += sum(c.log_size(p, 0.0) for c in self.copies)
                if j and level < goal + 3:
                    rest = self._beyond(outer, angle, h * (j - 1), self.curve.place(
                        h * (j - 1), angle)[0])
                    ends = rest.log() < goal + 6
            if ends:  # at the working precision again: the sum is no bound
                return total * h / flint.arb.pi(), rest / flint.arb.pi()
            for i, (p, moments) in enumerate(self._block(step, j, level - goal, budget).nodes):
                value = (outer.value(p) * moments).real
                total += value if i or j else value / 2
        raise Unsupported(f"the rule needs more than {MOST_NODES} nodes")

    def _block(self, step: float, j: int, accuracy: float, budget: Budget) -> Block:
        """Nodes whose moments are known to about e^-accuracy, relative to their bounds."""
        found = self.blocks.get((step, j))
        if found is not None and found.accuracy > accuracy - 1:
            for ray in found.rays:
                budget.use(ray)
            budget.take(found.cost)
            return found
        accuracy = max(5.0, accuracy + SPARE)
        angle, h = self.curve.angle, flint.arb(step)
        nodes = [self.curve.place(h * i, angle) for i in range(j, j + _together(step))]
        values = [slope / (p * (p - 1)) for p, slope in nodes]
        cost, rays = 0, []
        for c in self.copies:
            moments, ray, work = self._moments(c, [p for p, _ in nodes], accuracy, budget)
            cost += work
            rays.append(ray)
            values = [value * (moment.conjugate() if c.against else moment) ** c.count
                      for value, moment in zip(values, moments, strict=True)]
        budget.take(cost)
        found = self.blocks[step, j] = Block(
            [(p, value) for (p, _), value in zip(nodes, values, strict=True)], accuracy, cost,
            tuple(rays))
        return found

    def _moments(self, c: Copies, places: list[Any], accuracy: float, budget: Budget
                 ) -> tuple[list[Any], Ray, int]:
        """One moment at each of some neighbouring places, the ray and what they cost beside it."""
        with workprec(ROUGH):
            first, last = places[0], places[-1]
            p = flint.acb(first.real.union(last.real), first.imag.union(last.imag))
            # relative to one moment: its bound at the first place
            own = c.sizes.best(Box.of(c.order(first)), 0.0, c.count)
            goal = accuracy + math.log(8 * c.count) - own
            ray, error = c.sizes.rule(Box.of(c.order(p)), goal)
        orders = [c.order(place) for place in places]
        budget.use(ray)
        found, cost = moments_at(c.sizes.rays, orders, ray, math.exp(max(-600.0, -goal)))
        return ([value + around_zero(error + flint.arb(rest)) for value, rest in found],
                ray, math.ceil(cost))


def _together(step: float) -> int:
    """So many nodes are a block."""
    return int(min(max(2 ** math.floor(math.log2(BLOCK / step)), LEAST_BLOCK), MOST_BLOCK))


@lru_cache(maxsize=64)
def contour(factors: tuple[Copies, ...], curve: Curve, precision: int) -> Contour:
    """The same object for the same contour, at one working precision."""
    return Contour(factors, curve)


__all__ = ["Budget", "Contour", "Copies", "Outer", "contour", "copies"]
