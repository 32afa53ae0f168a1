"""Ball values of collected functions: sums over breakpoints, at any working precision.

A pole left of the strip adds what its breakpoints before t give; a pole right of it takes away what
its breakpoints after t give.  So what is 0 far out is a sum of nothing there, and what is small is
found to relative digits by raising the precision.  Balls of the coefficients are kept for a few
precisions: a further point costs little.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any

import flint

from lapdp.calculus.collected import Collected
from lapdp.calculus.enclose import enclose
from lapdp.calculus.field import Key, Scalar, _context
from lapdp.calculus.form import Form
from lapdp.core.effort import spend
from lapdp.core.precision import workprec

_KEPT = 30_000_000
"""Bits of coefficients that are kept at one precision."""
_LEVELS = 3


class Evaluation:
    """Values of the function part of ``f``, which has no parameters, right-continuous.

    >>> from lapdp.calculus.exact import Exact
    >>> from lapdp.calculus.ordering import Cell
    >>> from lapdp.calculus.polynomials import collect
    >>> coin = Exact.impulse(0, Fraction(1, 2)) + Exact.impulse(1, Fraction(1, 2))
    >>> cdf = Evaluation(collect([(coin, 3)], Cell()).integrated())
    >>> [cdf(Form.of(t)).str(3) for t in (-1, 0, 1, 2, 3)]
    ['0', '0.125', '0.500', '0.875', '1.00']
    """

    def __init__(self, f: Collected) -> None:
        self.f = f
        self.poles = sorted(f.poles())
        self.tallest = max((p.degree() for stratum in f.strata for parts in stratum.parts.values()
                            for a, p in parts.items() if a is not None), default=0)
        self._levels: dict[int, _Level] = {}

    def __call__(self, t: Form | Callable[[], Any]) -> Any:
        """The value at ``t``, an ``arb``, at the current working precision or a higher one.

        A function gives the ball of a number that is no form.  Where balls leave open on which side
        of a jump ``t`` lies, both values are in the answer.
        """
        bits = _rung(flint.ctx.prec)
        with workprec(bits):
            if bits not in self._levels:
                if len(self._levels) >= _LEVELS:
                    del self._levels[min(self._levels)]
                self._levels[bits] = _Level(self)
            return self._levels[bits](t)


class _Level:
    """The coefficients at one precision."""

    def __init__(self, whole: Evaluation) -> None:
        f = whole.f
        self.whole = whole
        monomials = Monomials(f.keys)
        self.scale = flint.arb(1)
        for x, power in f.common:
            self.scale *= enclose(x, {}).real ** power
        rows = sorted(((_real(stratum.at), stratum) for stratum in f.strata),
                      key=lambda row: (float(row[0]), row[0].mid()))
        self.places = [at for at, _ in rows]
        self.strata = [stratum for _, stratum in rows]
        self.reach = list(accumulate((at.upper() for at in self.places), max))
        self.floor = list(accumulate((at.lower() for at in reversed(self.places)), min))[::-1]
        self.weights = list(accumulate((flint.arb(1) / max(n, 1)
                                        for n in range(whole.tallest + 1)), flint.arb.__mul__))
        self.monomials = monomials
        self.sums: dict[Fraction, list[Any]] = {}
        """Sums over the breakpoints before or from an index on, where no power of t - c occurs."""
        self.curved: list[Fraction] = []
        self.kept: dict[tuple[int, Fraction], Any] = {}
        self.keep = len(rows) * (whole.tallest + 1) * flint.ctx.prec <= _KEPT
        for a in whole.poles:
            if any(parts[a].degree() > 1 for stratum in self.strata
                   for parts in stratum.parts.values() if a in parts):
                self.curved.append(a)
                continue
            constants = [self._row(j, a)[0] for j in range(len(rows))]
            from_left = a not in f.left
            found = list(accumulate(constants if from_left else reversed(constants),
                                    initial=flint.arb(0)))
            self.sums[a] = found if from_left else found[::-1]

    def _row(self, j: int, a: Fraction) -> Any:
        """e^(-a c) times the polynomial in t - c of the j-th breakpoint at a pole."""
        if (j, a) in self.kept:
            return self.kept[j, a]
        spend(40)
        total = flint.arb_poly()
        for powers, parts in self.strata[j].parts.items():
            if a in parts:
                total += flint.arb_poly(parts[a]) * self.monomials(powers)
        found = flint.arb_poly([c * w for c, w in zip(
            total.coeffs()[1:], self.weights, strict=False)]) * (-_arb(a) * self.places[j]).exp()
        if self.keep:
            self.kept[j, a] = found
        return found

    def __call__(self, t: Form | Callable[[], Any]) -> Any:
        point = _real(t) if isinstance(t, Form) else t()
        # breakpoints before `first` are surely smaller, those from `last` on surely larger
        first = bisect_left(self.reach, True, key=lambda upper: not upper < point)
        last = bisect_left(self.floor, True, key=lambda lower: bool(lower > point))
        total = flint.arb(0)
        for a in self.whole.poles:
            grown = (_arb(a) * point).exp()
            total += grown * self._at_pole(a, point, first, last)
        for j in range(first, last):
            value = self._alone(j, point, True)
            total += value if self.strata[j].at == t else value.union(
                self._alone(j, point, False))
        return total * self.scale

    def _at_pole(self, a: Fraction, point: Any, first: int, last: int) -> Any:
        """The sum over the breakpoints whose side is known."""
        if a in self.sums:
            return -self.sums[a][last] if a in self.whole.f.left else self.sums[a][first]
        total = flint.arb(0)
        if a in self.whole.f.left:
            for j in range(last, len(self.places)):
                total -= self._row(j, a)(point - self.places[j])
        else:
            for j in range(first):
                total += self._row(j, a)(point - self.places[j])
        return total

    def _alone(self, j: int, point: Any, before: bool) -> Any:
        """What one breakpoint adds if it lies before the point, or after it."""
        total = flint.arb(0)
        for a in self.whole.poles:
            if before != (a in self.whole.f.left):
                value = self._row(j, a)(point - self.places[j]) * (_arb(a) * point).exp()
                total += value if before else -value
        return total


class Monomials:
    """Balls of the monomials of the field generators."""

    def __init__(self, keys: tuple[Key, ...]) -> None:
        gens = _context(keys).gens()
        one = _context(keys).constant(1)
        self.generators = [enclose(Scalar(keys, x, one), {}).real for x in gens]
        self.found: dict[tuple[int, ...], Any] = {}

    def __call__(self, powers: tuple[int, ...]) -> Any:
        if powers not in self.found:
            value = flint.arb(1)
            for x, n in zip(self.generators, powers, strict=True):
                value *= x**n
            self.found[powers] = value
        return self.found[powers]


def _rung(bits: int) -> int:
    """The next power of 2: few precisions are kept."""
    return max(128, 1 << (bits - 1).bit_length())


def _arb(x: Fraction) -> Any:
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


def _real(form: Form) -> Any:
    return enclose(form, {}).real


__all__ = ["Evaluation", "Monomials"]
