"""Analytic pieces of the law of a loss: what quadrature needs of them.

A piece is an interval of a real variable x on which the loss l(x) and the density of P are
analytic; its share of the moment is the integral of density e^((q - 1) l).  The losses of the exact
class are pieces with l(x) = x.  Mixing the two members of a pair changes only l and the density.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any, Protocol

import flint
import sympy as sp

from lapdp.accounting.moments.lines import Number
from lapdp.calculus.enclose import enclose
from lapdp.calculus.exact import Exact, Terms
from lapdp.calculus.export import ordered
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported

HALF = sp.Rational(1, 2)
RIGHT_ANGLE = 1.57
"""Below pi/2."""


class Piece(Protocol):
    """One piece; functions take and give complex balls, not finite where nothing is proved."""

    @property
    def reach(self) -> float | None:
        """How far from the real axis the functions are worth looking at; None where it varies."""

    @property
    def stride(self) -> float | None:
        """The length of an interval on which they are tame; None where it varies."""

    @property
    def is_invertible(self) -> bool:
        """Is there a formula for :meth:`law`?"""

    @property
    def breakpoints(self) -> tuple[Any, Any]:
        """What tells its ends: equal for equal ends, None where they are infinite."""

    def ends(self) -> tuple[Any, Any]:
        """The ends in balls, None where they are infinite."""

    def holds(self, box: Any) -> bool:
        """Are loss and density seen to be analytic on the whole ball?"""

    def loss(self, x: Any) -> Any:
        """l."""

    def slope(self, x: Any) -> Any:
        """l'."""

    def density(self, x: Any) -> Any:
        """The density of P in x."""

    def law(self, z: Any) -> Any:
        """The density of the loss, as an analytic function of it.

        Finite on the whole boundary of a convex set only if it is analytic inside as well; raises
        :class:`Unsupported` where the loss is not inverted.
        """

    def beyond(self, place: Any, side: int, order: Any) -> Any:
        """A bound of the moment of a real order beyond a place, right (1) or left (-1).

        Not finite where the place is too near, or the moment is infinite.
        """


@dataclass(frozen=True)
class ExactPiece:
    """The terms c x^n e^(a x) between two breakpoints, the loss being x."""

    terms: tuple[tuple[Form, int, Any], ...]
    lower: Form | None
    upper: Form | None
    reach: float | None = 1.5
    stride: float | None = 4.0
    is_invertible: bool = True
    kept: dict[int, list[tuple[Any, int, Any]]] = field(default_factory=dict, compare=False)
    """The constants in balls, by working precision."""

    @property
    def breakpoints(self) -> tuple[Any, Any]:
        """The ends."""
        return self.lower, self.upper

    def ends(self) -> tuple[Any, Any]:
        """The breakpoints in balls."""
        low, high = (None if end is None else enclose(end, {}).real
                     for end in (self.lower, self.upper))
        return low, high

    def holds(self, box: Any) -> bool:
        """Always: exponential polynomials are entire."""
        return True

    def loss(self, x: Any) -> Any:
        """x."""
        return x

    def slope(self, x: Any) -> Any:
        """1."""
        return flint.acb(1)

    def density(self, x: Any) -> Any:
        """The sum of the terms."""
        total = flint.acb(0)
        for a, n, c in self._balls():
            total += c * x**n * (a * x).exp()
        return total

    def _balls(self) -> list[tuple[Any, int, Any]]:
        found = self.kept.get(flint.ctx.prec)
        if found is None:
            found = [(enclose(a, {}), n, enclose(c, {})) for a, n, c in self.terms]
            self.kept[flint.ctx.prec] = found
        return found

    def law(self, z: Any) -> Any:
        """The density itself."""
        return self.density(z)

    def beyond(self, place: Any, side: int, order: Any) -> Any:
        """(t/T)^n <= e^(n (t/T - 1)), so the integral of t^n e^(-b t) over t > T > n/b is at most
        T^n e^(-b T)/(b - n/T)."""
        start, total = side * place, flint.arb(0)
        for a, n, c in self._balls():
            fall = -side * (a.real + order - 1)
            rate = fall - n / start if n else fall
            if not (rate > 0 and start > 0):
                return flint.arb.pos_inf()
            total += abs(c) * start**n * (-fall * start).exp() / rate
        return total


class OnPiece:
    """Losses and densities made of those of a piece, place by place."""

    base: Piece

    @property
    def reach(self) -> float | None:
        """That of the piece."""
        return self.base.reach

    @property
    def stride(self) -> float | None:
        """That of the piece."""
        return self.base.stride

    @property
    def is_invertible(self) -> bool:
        """Where the piece is."""
        return self.base.is_invertible

    @property
    def breakpoints(self) -> tuple[Any, Any]:
        """Those of the piece."""
        return self.base.breakpoints

    def ends(self) -> tuple[Any, Any]:
        """Those of the piece."""
        return self.base.ends()


@dataclass(frozen=True)
class MixedPiece(OnPiece):
    """A piece of the pair (w P + (1 - w) Q, v P + (1 - v) Q), 0 <= v < w <= 1."""

    base: Piece
    first: Number
    second: Number
    kept: dict[int, tuple[Any, Any, Any, Any]] = field(default_factory=dict, compare=False)
    """The weights in balls, by working precision."""

    def holds(self, box: Any) -> bool:
        """Where |Im l| < pi/2, the real parts of 1 - w + w e^l are positive."""
        return self.base.holds(box) and bool(abs(self.base.loss(box).imag) < RIGHT_ANGLE)

    def loss(self, x: Any) -> Any:
        """log((w e^l + 1 - w)/(v e^l + 1 - v)), with e^l written once where that can be."""
        loss, (w, v, rest, other) = self.base.loss(x), self._balls()
        if self._is_against_one:
            return (rest + w * loss.exp()).log()
        if self._is_of_one:
            return -(v + other / loss.exp()).log()
        ratio = loss.exp()
        return (1 + (w - v) * (ratio - 1) / (other + v * ratio)).log()

    def slope(self, x: Any) -> Any:
        """l' (w - v)/((w + (1 - w) e^-l)(1 - v + v e^l))."""
        ratio, (w, v, rest, other) = self.base.loss(x).exp(), self._balls()
        found = self.base.slope(x) * (w - v)
        if self._is_light:
            found *= ratio / (rest + w * ratio)
        elif not self._is_of_one:
            found /= w + rest / ratio
        if not self._is_against_one:
            found /= other + v * ratio
        return found

    @cached_property
    def _is_of_one(self) -> bool:
        """Is w = 1?"""
        return bool(self.first.exact == 1)

    @cached_property
    def _is_against_one(self) -> bool:
        """Is v = 0?"""
        return bool(self.second.exact == 0)

    @cached_property
    def _is_light(self) -> bool:
        """Is w at most 1/2?  SymPy takes its time for a comparison."""
        return bool(self.first.exact <= HALF)

    def density(self, x: Any) -> Any:
        """(w + (1 - w) e^-l) times that of P."""
        w, _, rest, _ = self._balls()
        found = self.base.density(x)
        return found if self._is_of_one else found * (w + rest / self.base.loss(x).exp())

    def law(self, z: Any) -> Any:
        """With y = ((1 - v) e^z - (1 - w))/(w - v e^z), the density of log y is f: y'/y times that
        of the mixture there, (w + (1 - w)/y)^2 (1 - v + v y) f(log y)/(w - v).

        A denominator with a positive real part on the boundary has one inside, then so has y.
        """
        w, v, rest, other = self._balls()
        x = z.exp()
        below, above = w - v * x, other * x - rest
        if not below.real > 0:
            return flint.acb(flint.arb.nan())
        y = above / below
        if not y.real > 0:
            return flint.acb(flint.arb.nan())
        return (w + rest / y) ** 2 * (other + v * y) * self.base.law(y.log()) / (w - v)

    def beyond(self, place: Any, side: int, order: Any) -> Any:
        """Bounds by moments of (P, Q) of the orders 0, 1 and ``order``.

        With p, q the densities of the mixtures and r, s those of the pair: p^g q^(1-g) is at most
        g p + (1-g) q for 0 <= g <= 1; p (w/v)^(g-1) for g > 1, v > 0; by convexity w r^g s^(1-g) +
        (1-w) s for g > 1, v = 0; and likewise for g < 0, members exchanged.
        """
        (w, v, left, other), g = self._balls(), order
        if g >= 0 and g <= 1:
            size, share, power = flint.arb(1), g * w + (1 - g) * v, None
        elif g > 1 and self.second.exact != 0:
            size, share, power = (w / v) ** (g - 1), w, None
        elif g < 0 and self.first.exact != 1:
            size, share, power = (other / left) ** -g, v, None
        elif g > 1:
            size, share, power = flint.arb(1), flint.arb(0), w
        elif g < 0:
            size, share, power = flint.arb(1), flint.arb(1), other
        else:
            raise Unsupported("the order is not seen to be on one side of 0 and of 1")
        if power is not None:
            # what is left is (1 - w) s, or v r
            rest = (left, flint.arb(0)) if g > 1 else (v, flint.arb(1))
            return power * self.base.beyond(place, side, g) + rest[0] * self.base.beyond(
                place, side, rest[1])
        return size * (share * self.base.beyond(place, side, flint.arb(1))
                       + (1 - share) * self.base.beyond(place, side, flint.arb(0)))

    def _balls(self) -> tuple[Any, Any, Any, Any]:
        """w, v, 1 - w and 1 - v, each as sharp as it is small: e^-l may be large beside them."""
        found = self.kept.get(flint.ctx.prec)
        if found is None:
            weights = self.first, self.second
            first, second, rest, other = (n.ball() for n in (
                *weights, *(Number(1 - n.exact) for n in weights)))
            found = self.kept[flint.ctx.prec] = first, second, rest, other
        return found


def exact_pieces(loss: Exact) -> Iterator[ExactPiece]:
    """The pieces of a law of the exact class without parameters."""
    cell = Cell()
    points = ordered(loss.jumps, cell)
    edges = [None, *(group[0] for group in points), None]
    passed: list[Form] = []
    for i, (lower, upper) in enumerate(pairwise(edges)):
        found: Terms = {key: c for key, c in loss.piece(passed).items() if not c.is_zero()}
        if found:
            yield ExactPiece(tuple((a, n, c) for (a, n), c in found.items()), lower, upper)
        passed += points[i] if i < len(points) else []


__all__ = ["ExactPiece", "MixedPiece", "OnPiece", "Piece", "exact_pieces"]
