"""Bounded losses by their corners: the places of atoms and of the ends of pieces c t^n e^(a t).

The moment of such a loss is a sum over its corners C of e^(C (q - 1)) R_C(q), with rational R_C.
Corners are counted downwards from the highest one, in steps of a lattice for each family of losses.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache, reduce
from math import prod
from operator import or_
from typing import Any

import flint

from lapdp.accounting.moments.exact import ExactSpectrum, common_step, gaps, multiple
from lapdp.accounting.moments.factors import Factors
from lapdp.calculus.enclose import enclose
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_PLACES = 12_000
"""Corners of a product; beyond, sums over them take long."""
MOST_SUMS = 2_000
"""The same with several lattices."""
FINER = 12
"""Lattices are joined in one that is at most so much finer than each of them."""


@dataclass(frozen=True)
class Corner:
    """R(q) = mass + sum of c/(1 - q - a)^(n + 1), ``depth`` steps below the highest corner."""

    depth: int
    mass: Scalar
    terms: tuple[tuple[Form, int, Scalar], ...]

    def balls(self) -> CornerBalls:
        """Its constants at the working precision of the moment."""
        return CornerBalls(enclose(self.mass, {}).real, tuple(
            (flint.acb(0.5) - enclose(a, {}), n + 1, enclose(c, {})) for a, n, c in self.terms))


@dataclass(frozen=True)
class CornerBalls:
    """A corner in balls, as a function of s = q - 1/2."""

    mass: Any
    terms: tuple[tuple[Any, int, Any], ...]

    def at(self, s: Any) -> Any:
        """R."""
        total = flint.acb(self.mass)
        for pole, power, c in self.terms:
            total += c / (pole - s) ** power
        return total

    def size(self, radius: Any) -> Any:
        """A bound of |R| on a circle |s| = radius around all poles; not finite otherwise."""
        total = abs(self.mass)
        for pole, power, c in self.terms:
            gap = radius - abs(pole)
            total += abs(c) / gap**power if gap > 0 else flint.arb.pos_inf()
        return total


Parts = tuple[tuple[int, tuple[Corner, ...]], ...]
"""Corners of factors, with their numbers of copies."""


@dataclass(frozen=True, eq=False)
class Family:
    """Factors whose corners lie on one lattice."""

    step: Form
    """Positive."""
    parts: Parts

    @property
    def deepest(self) -> int:
        """The depth of the lowest corner of their product."""
        return sum(k * corners[-1].depth for k, corners in self.parts)

    @cached_property
    def depths(self) -> tuple[int, ...]:
        """Those of all corners of their product: not every place of a lattice is one."""
        # sets as the binary digits of a number
        found = 1
        for k, corners in self.parts:
            for _ in range(k):
                found = reduce(or_, (found << corner.depth for corner in corners))
        return tuple(j for j, digit in enumerate(reversed(bin(found)[2:])) if digit == "1")


Members = list[tuple[Form, list[tuple[int, Exact, list[Form]]]]]
"""Steps with the factors on their lattices: copies, the loss and its places."""


@dataclass(frozen=True, eq=False)
class Corners:
    """The corners of a product, by families; the last family is the deepest."""

    highest: Form
    """The largest loss of the product."""
    families: tuple[Family, ...]

    @property
    def ways(self) -> int:
        """How many corners there are without the last family's."""
        return prod(family.deepest + 1 for family in self.families[:-1])

    @property
    def work(self) -> int:
        """Terms of the sum over corners at one order: those of the last family are summed once."""
        return self.families[-1].deepest + (self.ways if len(self.families) > 1 else 0)

    def reach(self) -> float:
        """All poles have |s| <= reach, nearly; those of 1/(q (q - 1)) among them."""
        with workprec(60):
            poles = [a for family in self.families for _, corners in family.parts
                     for c in corners for a, _, _ in c.terms]
            return max([0.5] + [float(abs(0.5 - enclose(a, {}))) for a in poles])


@lru_cache(maxsize=64)
def corners_of(factors: Factors) -> Corners:
    """The corners of a product of bounded losses of the exact class.

    Raises :class:`Unsupported` for other losses, for corners of one loss on no lattice, and for too
    many of them.

    >>> from lapdp import laplace
    >>> from lapdp.accounting.moments.releases import releases
    >>> found = corners_of(releases(laplace(10) ** 100 * laplace(7) ** 10))
    >>> found.highest, [(family.step, family.deepest) for family in found.families]
    (80/7, [(1/35, 800)])
    """
    families: Members = []
    for spectrum, k in factors.parts:
        if (not isinstance(spectrum, ExactSpectrum) or spectrum.loss.germ
                or spectrum.finite_mass().is_zero() or spectrum.largest is None):
            raise Unsupported("a loss is not bounded, or lies outside the exact class")
        loss = spectrum.loss
        at = list(dict.fromkeys((*loss.impulses, *loss.jumps)))
        step = common_step(gap for gap in gaps(at) if gap)
        if step is None and len(at) > 1:
            raise Unsupported("the ends and atoms of a loss lie on no lattice")
        families = _joined(families, step, (k, loss, at))
    highest, found = Form({}), []
    for spacing, members in families:
        step = -spacing if spacing and enclose(spacing, {}).real < 0 else spacing
        parts = []
        for k, loss, at in members:
            heights = {p: multiple(gap, step) if gap else 0
                       for p, gap in zip(at, gaps(at), strict=True)}
            top = max(heights, key=lambda p: heights[p])
            highest = highest + top * Form.of(k)
            parts.append((k, tuple(
                Corner(heights[top] - heights[p], loss.impulses.get(p, {}).get(0, Scalar.of(0)),
                       tuple((a, n, c) for (a, n), c in loss.jumps.get(p, {}).items()))
                for p in sorted(at, key=lambda p: -heights[p]))))
        found.append(Family(step, tuple(parts)))
    product = Corners(highest, tuple(sorted(found, key=lambda family: family.deepest)))
    most = MOST_PLACES if len(found) == 1 else MOST_SUMS
    if product.work > most:
        raise Unsupported(f"the sums of losses have {product.work} corners, more than {most}")
    return product


def _joined(families: Members, step: Form | None, member: tuple[int, Exact, list[Form]]) -> Members:
    """The families with one more factor: in the first one with which it shares a short lattice."""
    for j, (known, members) in enumerate(families):
        both = known if step is None else common_step([known, step])
        if both is not None and (step is None or (
                abs(multiple(known, both)) <= FINER and abs(multiple(step, both)) <= FINER)):
            return [*families[:j], (both, [*members, member]), *families[j + 1:]]
    return [*families, (step or Form.of(1), [member])]


__all__ = ["Corner", "CornerBalls", "Corners", "Family", "corners_of"]
