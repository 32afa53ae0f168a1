"""Stretches of the real line on which a density pair has a strictly monotone loss."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from mpmath import mp

from lapdp.numeric.quadrature import integrate, root
from lapdp.numeric.tails import Number


def exact(value: Any) -> Fraction:
    """The binary number an mpf is, as a fraction."""
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    sign, man, exp, _ = mp.mpf(value)._mpf_
    size = Fraction(int(man)) * Fraction(2) ** int(exp)
    return -size if sign else size


def number(value: Fraction) -> Number:
    """A fraction at the current precision."""
    return mp.mpf(value.numerator) / value.denominator


class Part:
    """A stretch of the real line on which both densities are positive and the loss is monotone."""

    def __init__(self, p: Any, q: Any, lower: Number, upper: Number) -> None:
        self.p, self.q, self.lower, self.upper = p, q, lower, upper
        ends = [self._end(lower, 1), self._end(upper, -1)]
        self.increasing = ends[0] < ends[1]
        self.low, self.high = min(ends), max(ends)
        low, high = self.inside()
        self.middle = mp.mpf(1) if self.lower < 1 < self.upper else (low + high) / 2
        self._known: dict[Any, Number] = {}

    def loss(self, x: Number) -> Number:
        return mp.log(self.p(x) / self.q(x))

    def _end(self, end: Number, inward: int) -> Number:
        if not mp.isinf(end):
            width = mp.mpf(1) if mp.isinf(self.upper - self.lower) else self.upper - self.lower
            return self.loss(end + inward * width * mp.mpf(10) ** -(mp.dps + 3))
        far, farther = self.loss(-inward * mp.mpf(1000)), self.loss(-inward * mp.mpf(2000))
        if abs(farther - far) < mp.mpf(10) ** -20:
            return farther
        return mp.inf if farther > far else -mp.inf

    def inside(self) -> tuple[Number, Number]:
        """Bounds of a bracket, finite."""
        low = self.lower if not mp.isinf(self.lower) else min(self.upper, mp.mpf(0)) - 1
        high = self.upper if not mp.isinf(self.upper) else max(low, mp.mpf(0)) + 1
        return low, high

    def at(self, u: Number) -> Number:
        """The point where the loss is ``u``, which lies between ``low`` and ``high``."""
        a, b = self.inside()
        rising = 1 if self.increasing else -1
        step = mp.mpf(1)
        while mp.isinf(self.lower) and rising * (self.loss(a) - u) > 0:
            a, step = a - step, step * 2
        step = mp.mpf(1)
        while mp.isinf(self.upper) and rising * (self.loss(b) - u) < 0:
            b, step = b + step, step * 2
        return root(lambda x: self.loss(x) - u, a, b)

    def above(self, u: Number) -> tuple[Number, Number] | None:
        """The interval on which the loss exceeds ``u``."""
        if u >= self.high:
            return None
        if u <= self.low:
            return self.lower, self.upper
        x = self.at(u)
        return (x, self.upper) if self.increasing else (self.lower, x)

    def below(self, u: Number) -> tuple[Number, Number] | None:
        """The interval on which the loss is at most ``u``."""
        if u <= self.low:
            return None
        if u >= self.high:
            return self.lower, self.upper
        x = self.at(u)
        return (self.lower, x) if self.increasing else (x, self.upper)

    def mass(self, side: int, a: Number, b: Number) -> Number:
        """P-mass (side 0) or Q-mass of an interval that reaches one end of the part at least.

        The stretch from the other end of the interval to the next half-integer is integrated anew,
        what lies beyond once and for all.
        """
        f = self.q if side else self.p
        if a == self.lower and b == self.upper:
            return self._far(side, a, b)
        grid = mp.floor(2 * b) / 2 if a == self.lower else mp.ceil(2 * a) / 2
        if not self.lower < grid < self.upper:
            return integrate(f, a, b, (), False)
        if a == self.lower:
            return self._far(side, a, grid) + integrate(f, grid, b, (), False)
        return integrate(f, a, grid, (), False) + self._far(side, grid, b)

    def _far(self, side: int, a: Number, b: Number) -> Number:
        key = (side, a, b, mp.prec)
        if key not in self._known:
            f = self.q if side else self.p
            whole = a == self.lower and b == self.upper
            if a < self.middle < b and not whole:
                rest = (b, self.upper) if a == self.lower else (self.lower, a)
                self._known[key] = self._far(side, self.lower, self.upper) - self._far(side, *rest)
            else:
                self._known[key] = integrate(f, a, b, [self.middle], False)
        return self._known[key]

    def both(self, a: Number, b: Number) -> tuple[Number, Number]:
        """P- and Q-mass of such an interval."""
        return self.mass(0, a, b), self.mass(1, a, b)

    def integral(self, f: Callable[[Any], Any], losses: list[Number]) -> Number:
        """Integral of ``f`` over the part; it is not smooth where the loss is one of ``losses``."""
        cuts = [self.at(u) for u in losses if self.low < u < self.high]
        return integrate(f, self.lower, self.upper, cuts)

    def reverse(self) -> Part:
        return Part(self.q, self.p, self.lower, self.upper)
