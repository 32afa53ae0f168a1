"""A trade-off function at one level, with a proved error bound, from the profile alone.

By duality f(a) is the supremum over x > 0 of g(x) = (1 - a - H(x))/x, with H the profile over
x = e^eps; so every x gives a lower bound.  H is convex: beyond two places x < y it lies above the
line through its values there, c - s x, and that line in the place of H bounds g by
(1 - a - c)/x + s, which is monotone.  Between two neighbouring places the lines from the left and
from the right meet; left and right of there one of them bounds g by its values at the two ends.
Beyond the outermost places one line is enough, once its intercept c is on the right side of 1 - a.
The next place is where the two lines meet that leave the most room: for a profile with kinks, the
kink itself.  Every number is a ball, so what comes out is a proof.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import flint
import sympy as sp
from flint import arb

from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import Enclosure
from lapdp.balls.evaluate import bits_of
from lapdp.core.errors import InputError, Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.notions.tradeoff_curves import checked_level
from lapdp.privacy.notions.tradeoff_order import sign_of

if TYPE_CHECKING:
    from lapdp.privacy.pair import Pair

FARTHEST = 1 << 13
"""Largest |eps| at which the profile is asked."""
MOST_DOUBLINGS = 6


def tradeoff_at(pair: Pair, a: Any, digits: int, profile: Callable[[Any], Any] | None = None
                ) -> Enclosure:
    """f_{P|Q}(a) to ``digits`` relative digits, for a pair without symbols.

    ``profile`` gives delta at an exact number as a ball at the working precision, where it is not
    the closed form that does.
    """
    if pair.free_symbols or a.free_symbols:
        raise InputError(f"the parameters of {pair!r} and the level need numbers")
    checked_level(a)
    goal = bits_of(digits) + 4
    if a == 0:
        with workprec(goal + 30):
            return Enclosure.of_ball(exact_ball(pair.tradeoff.at_zero).real, digits)
    if sign_of(pair.tradeoff.zero_from - a) <= 0:
        return Enclosure(Fraction(0), Fraction(0))
    for k in range(MOST_DOUBLINGS):
        with workprec((2 * goal + 64) << k):
            found = _Sandwich(profile or pair.profile_ball, exact_ball(1 - a).real, goal).run()
            if found is not None:
                return Enclosure.of_ball(found, digits)
    raise Unsupported(f"f({a}) of {pair!r} is not found to {digits} digits")


@dataclass(order=True)
class _Place:
    """A rational eps with x = e^eps and H(x)."""

    eps: Fraction
    x: Any = field(compare=False)
    h: Any = field(compare=False)


class _Line:
    """The line c - s x through two places, and the bound (1 - a - c)/x + s that it gives."""

    def __init__(self, p: _Place, q: _Place, miss: Any) -> None:
        self.slope = (p.h - q.h) / (q.x - p.x)
        self.room = miss - (p.h + self.slope * p.x)
        """1 - a - c."""

    def bound(self, x: Any) -> Any:
        return self.room / x + self.slope

    def meets(self, other: _Line) -> Any:
        """The x at which the two lines meet; not finite where they are too near to parallel."""
        return (other.room - self.room) / (self.slope - other.slope)


class _Sandwich:
    """Lower and upper bounds of the supremum, place by place."""

    def __init__(self, profile: Callable[[Any], Any], miss: Any, goal: int) -> None:
        self.profile, self.miss, self.goal = profile, miss, goal
        self.places: list[_Place] = []
        self._known: set[Fraction] = set()
        self._lower: dict[int, Any] = {}
        """The lower bound that each place gives, by its identity: places stay."""
        self._upper: dict[tuple[int, ...], tuple[Any, Fraction | None]] = {}
        """The bound between two places, by these and their neighbours: one that is added between
        two places changes three of them."""

    def run(self) -> Any:
        """A ball that holds f(a) to the wanted bits; None where the precision is too low."""
        for eps in (-1, 0, 1):
            self._add(Fraction(eps))
        if not self._reach(0, -1) or not self._reach(-1, 1):
            return None
        for _ in range(8 * self.goal):
            low = max(map(self._value, self.places))
            high, where = max(map(self._bound, range(len(self.places) - 1)),
                              key=lambda found: found[0])
            if not (low.is_finite() and high.is_finite()):
                return None
            if low > 0 and high - low < low * arb(2) ** -self.goal:
                return low.union(high)
            if where is None or not self._add(where):
                return None
        return None

    def _add(self, eps: Fraction) -> bool:
        if eps in self._known:
            return False
        self._known.add(eps)
        number = sp.Rational(eps.numerator, eps.denominator)
        x = arb(flint.fmpq(eps.numerator, eps.denominator)).exp()
        insort(self.places, _Place(eps, x, self.profile(number)))
        return True

    def _reach(self, end: int, side: int) -> bool:
        """Go outwards until the line of the two outermost places bounds all beyond them."""
        while True:
            p, q = self.places[:2] if side < 0 else self.places[-2:]
            room = _Line(p, q, self.miss).room
            if side * room > 0:
                return True
            eps = self.places[end].eps
            if abs(eps) > FARTHEST:
                return False
            self._add(2 * eps)

    def _value(self, p: _Place) -> Any:
        """A number that is not above g there."""
        if id(p) not in self._lower:
            self._lower[id(p)] = ((self.miss - p.h) / p.x).lower()
        return self._lower[id(p)]

    def _bound(self, k: int) -> tuple[Any, Fraction | None]:
        """A number that g is nowhere above between places k and k + 1, and where to look next."""
        near = (k == 0, *map(id, self.places[max(k - 1, 0):k + 3]))
        if near not in self._upper:
            found, where = self._new_bound(k)
            high = found.upper()
            # what is no number is no bound, and an order would pass it over
            self._upper[near] = high if high.is_finite() else arb.pos_inf(), where
        return self._upper[near]

    def _new_bound(self, k: int) -> tuple[Any, Fraction | None]:
        p, q = self.places[k:k + 2]
        middle = (p.eps + q.eps) / 2
        before = _Line(self.places[k - 1], p, self.miss) if k > 0 else None
        after = (_Line(q, self.places[k + 2], self.miss) if k + 2 < len(self.places) else None)
        lines = [line for line in (before, after) if line is not None]
        plain = min((_larger(line.bound(p.x), line.bound(q.x)) for line in lines),
                    key=lambda v: v.upper())
        if before is None or after is None:
            return plain, self._between(p, q, middle)
        x = before.meets(after).mid()
        if not (x > p.x and x < q.x):
            return plain, self._between(p, q, middle)
        top = _larger(_larger(before.bound(p.x), before.bound(x)),
                      _larger(after.bound(x), after.bound(q.x)))
        return min(plain, top, key=lambda v: v.upper()), self._between(p, q, self._rounded(x.log()))

    def _between(self, p: _Place, q: _Place, eps: Fraction) -> Fraction | None:
        """A new place strictly between two; None where there is none at this precision."""
        if not p.eps < eps < q.eps:
            eps = self._rounded(arb(flint.fmpq(p.eps.numerator, p.eps.denominator)
                                    + flint.fmpq(q.eps.numerator, q.eps.denominator)) / 2)
        return eps if p.eps < eps < q.eps else None

    def _rounded(self, ball: Any) -> Fraction:
        bits = 2 * self.goal + 16
        return Fraction(int((ball * arb(2) ** bits).mid().floor().unique_fmpz()), 1 << bits)


def _larger(x: Any, y: Any) -> Any:
    return x.max(y)


__all__ = ["tradeoff_at"]
