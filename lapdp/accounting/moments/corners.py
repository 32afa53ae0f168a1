"""Bounded losses by their corners: the places of atoms and of the ends of pieces c t^n e^(a t).

The moment of such a loss is a sum over its corners C of e^(C (q - 1)) R_C(q), with rational R_C.
Corners are counted downwards from the highest one, in steps of a lattice on which all lie.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments.exact import ExactSpectrum, common_step, multiple
from lapdp.accounting.moments.factors import Factors
from lapdp.calculus.enclose import enclose
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported

MOST_PLACES = 4000
"""Corners of a product; beyond, sums over them take long."""


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


@dataclass(frozen=True, eq=False)
class Corners:
    """The corners of a product: those of each factor, with its number of copies."""

    highest: Form
    """The largest loss of the product."""
    step: Form
    """Positive."""
    parts: tuple[tuple[int, tuple[Corner, ...]], ...]

    @property
    def deepest(self) -> int:
        """The depth of the lowest corner of the product."""
        return sum(k * corners[-1].depth for k, corners in self.parts)

    def reach(self) -> float:
        """All poles have |s| <= reach, nearly; those of 1/(q (q - 1)) among them."""
        with flint.ctx.workprec(60):
            poles = [a for _, corners in self.parts for c in corners for a, _, _ in c.terms]
            return max([0.5] + [float(abs(0.5 - enclose(a, {}))) for a in poles])


@lru_cache(maxsize=64)
def corners_of(factors: Factors) -> Corners:
    """The corners of a product of bounded losses of the exact class.

    Raises :class:`Unsupported` for other losses, corners on no common lattice, and too many of
    them.

    >>> from lapdp import laplace
    >>> from lapdp.accounting.moments.releases import releases
    >>> found = corners_of(releases(laplace(10) ** 100))
    >>> found.highest, found.step, found.deepest
    (10, 1/5, 100)
    """
    losses = []
    for spectrum, k in factors.parts:
        if (not isinstance(spectrum, ExactSpectrum) or spectrum.loss.germ
                or spectrum.finite_mass().is_zero() or spectrum.largest is None):
            raise Unsupported("a loss is not bounded, or lies outside the exact class")
        losses.append((k, spectrum.loss))
    places = [list(dict.fromkeys((*loss.impulses, *loss.jumps))) for _, loss in losses]
    step = common_step([p - at[0] for at in places for p in at[1:] if p - at[0]])
    if step is None:
        raise Unsupported("the ends and atoms of the losses lie on no common lattice")
    if step and enclose(step, {}).real < 0:
        step = -step
    highest, parts = Form({}), []
    for (k, loss), at in zip(losses, places, strict=True):
        heights = {p: multiple(p - at[0], step) for p in at}
        top = max(heights, key=lambda p: heights[p])
        highest = highest + top * Form.of(k)
        parts.append((k, tuple(
            Corner(heights[top] - heights[p], loss.impulses.get(p, {}).get(0, Scalar.of(0)),
                   tuple((a, n, c) for (a, n), c in loss.jumps.get(p, {}).items()))
            for p in sorted(at, key=lambda p: -heights[p]))))
    found = Corners(highest, step, tuple(parts))
    if found.deepest > MOST_PLACES:
        raise Unsupported(f"the losses have {found.deepest} corners, more than {MOST_PLACES}")
    return found


__all__ = ["Corner", "CornerBalls", "Corners", "corners_of"]
