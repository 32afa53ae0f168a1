"""The profile of many copies of a pair with two finite losses, at one point, in balls.

With j copies of the higher loss the terms C(k, j) a^j b^(k - j) max(0, 1 - e^(t - z(j))) are
non-negative: nothing cancels.  Ratios of neighbouring masses fall in j, so what lies beyond a term
is below a geometric series, and only terms around the largest are added up.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import flint

from lapdp.calculus.enclose import enclose
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_TERMS = 1 << 22
STRIDE = 32
"""Terms between two looks at what is left."""
START, TERM = 50, 2
"""Steps of the first term, and of each."""


def binomial_profile(masses: Mapping[Form, tuple[Scalar, Scalar]], count: int, t: Any) -> Any:
    """An ``arb`` that contains the mean of max(0, 1 - e^(t - Z)) over the finite losses Z.

    ``masses`` holds P-mass and Q-mass of one or two losses, ``t`` is a ball of the point.
    """
    return two_losses([(enclose(z, {}).real, enclose(a, {}).real) for z, (a, _) in masses.items()],
                      count, t)


def two_losses(atoms: Sequence[tuple[Any, Any]], count: int, t: Any) -> Any:
    """The same for balls of one or two losses with their P-masses, whatever these sum to."""
    if len(atoms) == 1:
        ((z, a),) = atoms
        return a**count * _gain(t - count * z)
    (z, a), (y, b) = atoms if atoms[0][0] > atoms[1][0] else reversed(atoms)
    if not z > y:
        return flint.arb.nan()
    return _Terms(count, z, a, y, b, t).total()


def _gain(distance: Any) -> Any:
    """max(0, 1 - e^distance)."""
    found = -distance.expm1()
    if found > 0:
        return found
    return flint.arb(0) if found < 0 else flint.arb(0).union(found.upper())


class _Terms:
    def __init__(self, count: int, z: Any, a: Any, y: Any, b: Any, t: Any) -> None:
        self.count, self.ratio, self.step = count, a / b, z - y
        self.b, self.distance = b, t - count * y
        """t - z(j) is ``distance - j step``."""

    def total(self) -> Any:
        """All terms with z(j) > t."""
        first = self._first()
        if first is None or first > self.count:
            return first if first is None else flint.arb(0)
        share = self.ratio / (1 + self.ratio)
        mode = int(((self.count + 1) * share).mid().floor().unique_fmpz())
        start = max(first, min(mode, self.count))
        self._refuse_many(start, first, share)
        return self._upwards(start) + self._downwards(start, first)

    def _refuse_many(self, start: int, first: int, share: Any) -> None:
        """About so many terms until they have fallen by e^-goal: those of a normal distribution,
        or of a geometric series where they fall faster from the start."""
        goal = flint.ctx.prec * math.log(2)
        bend = goal / (2 * float(self.count * share * (1 - share)) + 1)
        ratio = self.ratio * (self.count - start) / (start + 1)
        fall = max(0.0, -float(ratio.log())) / 2 if ratio > 0 else math.inf
        size = (min(self.count - start, goal / (fall + math.hypot(fall, math.sqrt(bend))))
                + min(start - first, goal / math.sqrt(bend)))
        if size > MOST_TERMS:
            raise Unsupported(f"the profile of {self.count} copies is a sum of about {size:.1e} "
                              f"terms, more than {MOST_TERMS}")
        spend(START + TERM * size)

    def _first(self) -> int:
        """The first j that may have z(j) > t."""
        edge = (self.distance / self.step).lower()
        return max(0, int(edge.floor().unique_fmpz())) if edge.is_finite() else 0

    def _mass(self, j: int) -> Any:
        k = self.count
        with workprec(flint.ctx.prec + 2 * k.bit_length() + STRIDE):
            ways = (flint.arb(k + 1).lgamma() - flint.arb(j + 1).lgamma()
                    - flint.arb(k - j + 1).lgamma()).exp()
        return ways * self.ratio**j * self.b**k

    def _upwards(self, start: int) -> Any:
        mass, total, k = self._mass(start), flint.arb(0), self.count
        odds, decay = (self.distance - start * self.step).exp(), (-self.step).exp()
        for j in range(start, k + 1):
            total += mass * self._share(odds)
            ratio = self.ratio * (k - j) / (j + 1)
            if j % STRIDE == 0 and self._done(mass, ratio, total):
                return total + self._rest(mass, ratio)
            mass, odds = mass * ratio, odds * decay
        return total

    def _downwards(self, start: int, first: int) -> Any:
        mass, total, k = self._mass(start), flint.arb(0), self.count
        odds, growth = (self.distance - start * self.step).exp(), self.step.exp()
        for j in range(start, first, -1):
            ratio = j / ((k - j + 1) * self.ratio)
            if j % STRIDE == 0 and self._done(mass, ratio, total):
                return total + self._rest(mass, ratio)
            mass, odds = mass * ratio, odds * growth
            total += mass * self._share(odds)
        return total

    @staticmethod
    def _share(odds: Any) -> Any:
        found = 1 - odds
        return found if found > 0 else flint.arb(0).union(max(found.upper(), flint.arb(0)))

    @staticmethod
    def _rest(mass: Any, ratio: Any) -> Any:
        """What is left lies between 0 and mass (r + r^2 + ...)."""
        return flint.arb(0).union((mass * ratio / (1 - ratio)).upper())

    def _done(self, mass: Any, ratio: Any, total: Any) -> bool:
        if not ratio < 1:
            return False
        # a total that is not told from 0 gets no sharper by more terms either
        return bool((mass * ratio / (1 - ratio)).upper() * flint.arb(2) ** flint.ctx.prec
                    < total.upper())


__all__ = ["binomial_profile", "two_losses"]
