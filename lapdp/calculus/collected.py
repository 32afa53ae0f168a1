"""Elements of the exact class held as their transforms, collected by breakpoint and pole.

A product of many transforms has far fewer terms than its factors have choices: breakpoints add up
in a lattice, poles coincide.  Here the transform is sum over c of e^(-c s) R_c(s) with R_c in
partial fractions and rational poles, its coefficients integers and rationals times monomials of the
field generators; common factors of all coefficients stand in front.  The terms of
:class:`~lapdp.calculus.exact.Exact` are written out when they are asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cached_property
from math import factorial, lcm
from typing import Any, NamedTuple

import flint

from lapdp.calculus import partial_fractions
from lapdp.calculus.exact import Exact, Terms, _put
from lapdp.calculus.field import Key, Scalar, _context
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.calculus.partial_fractions import Parts
from lapdp.calculus.sums import total

Powers = tuple[int, ...]


class Stratum(NamedTuple):
    """What one breakpoint adds: partial fractions by monomial of the field generators."""

    at: Form
    parts: dict[Powers, Parts]


class Collected(Exact):
    """An element of the exact class by its collected transform; immutable.

    ``left`` are the poles that give parts before their breakpoints (right of the line of
    inversion), ``vanishing`` those whose parts cancel beyond the last breakpoint and before the
    first: they lie in the strip.

    >>> from flint import fmpq_poly
    >>> Collected((), (Stratum(Form.of(1), {(): {Fraction(0): fmpq_poly([0, 2])}}),))
    Exact([t > 1] 2*(t - 1)^0/0!*e^(0 (t - 1)))
    """

    __slots__ = ("__dict__", "common", "keys", "left", "strata", "vanishing")

    def __init__(self, keys: tuple[Key, ...], strata: tuple[Stratum, ...],
                 common: tuple[tuple[Scalar, int], ...] = (),
                 left: frozenset[Fraction] = frozenset(),
                 vanishing: frozenset[Fraction] = frozenset()) -> None:
        self.keys, self.strata, self.common = keys, strata, common
        self.left, self.vanishing = left, vanishing

    def __getattr__(self, name: str) -> Any:
        if name not in Exact.__slots__:
            raise AttributeError(name)
        super().__init__(*self._written_out())
        return getattr(self, name)

    def __len__(self) -> int:
        """The number of terms."""
        return sum(len(p.coeffs()) - p.coeffs().count(0) for stratum in self.strata
                   for parts in stratum.parts.values() for p in parts.values())

    def places(self) -> set[Form]:
        """Breakpoints and impulse positions, without writing the terms out."""
        return {at for at, _ in self.strata}

    @cached_property
    def factor(self) -> Scalar:
        """What all coefficients are multiplied by."""
        total = Scalar.of(1)
        for x, power in self.common:
            total = total * x**power
        return total

    def poles(self) -> set[Fraction]:
        """The poles that occur."""
        return {a for stratum in self.strata for parts in stratum.parts.values()
                for a in parts if a is not None}

    def element(self, coefficients: Iterable[tuple[Powers, Any]]) -> Scalar:
        """The field element sum of c times a monomial; the common factor is left out."""
        found = [(powers, c) for powers, c in coefficients if c]
        whole = lcm(*(int(c.q) for _, c in found))
        terms = {powers: int(c.p) * (whole // int(c.q)) for powers, c in found}
        context = _context(self.keys)
        return Scalar(self.keys, context.from_dict(terms), context.constant(whole))

    # -- operations on the transform ------------------------------------------------------------

    def integrated(self) -> Collected:
        """The running integral of a measure whose strip holds the numbers right of 0."""
        zero = Fraction(0)
        return self._mapped(lambda parts: partial_fractions.over(parts, zero),
                            self.left, self.vanishing - {zero})

    def against_hinge(self) -> Collected:
        """The integral of max(0, 1 - e^(t - z)) over z, of a measure that converges on [0, 1].

        The hinge has the transform 1/(s (s - 1)) on Re s < 0.
        """
        zero, one = Fraction(0), Fraction(1)
        left = {a for a in self.poles() if a > 0} | {zero, one}
        return self._mapped(
            lambda parts: partial_fractions.difference(
                partial_fractions.over(parts, one), partial_fractions.over(parts, zero)),
            frozenset(left), self.vanishing - {zero, one})

    def _mapped(self, change: Any, left: frozenset[Fraction], vanishing: frozenset[Fraction]
                ) -> Collected:
        strata = tuple(
            Stratum(at, {powers: change(parts) for powers, parts in by_monomial.items()})
            for at, by_monomial in self.strata)
        return Collected(self.keys, strata, self.common, left, vanishing)

    # -- values -----------------------------------------------------------------------------------

    def limit(self, point: Form, side: int, cell: Cell) -> Scalar:
        """One-sided limit of the function part at a point."""
        def behind(at: Form) -> bool:
            sign = cell.sign(at - point)
            return sign < 0 or (side > 0 and sign == 0)

        return self.value(point, behind, cell)

    def value(self, point: Form, behind: Callable[[Form], bool], cell: Cell) -> Scalar:
        """The function part at a point that has certain breakpoints behind it.

        Each pole counts on the side where its parts begin, so that what is 0 is an empty sum.
        """
        sums: dict[Form, dict[Powers, Any]] = {}
        rest = Scalar.of(0)
        for at, by_monomial in self.strata:
            passed = behind(at)
            gap = (point - at).substitute(cell.values)
            number = gap.constant()
            for powers, parts in by_monomial.items():
                for a, p in parts.items():
                    if a is None or passed == (a in self.left):
                        continue
                    terms = [c / factorial(n) * (1 if passed else -1)
                             for n, c in enumerate(p.coeffs()[1:])]
                    grown = gap * Form.of(a)
                    if number is not None:
                        found = flint.fmpq_poly(terms)(
                            flint.fmpq(number.numerator, number.denominator))
                        mine = sums.setdefault(grown, {})
                        mine[powers] = mine.get(powers, flint.fmpq(0)) + found
                        continue
                    for n, c in enumerate(terms):
                        rest = rest + self.element([(powers, c)]) * Scalar.of(
                            gap**n) * Scalar.exp(grown)
        found_all = [self.element(mine.items()) * Scalar.exp(grown)
                     for grown, mine in sums.items()]
        return ((total(found_all) + rest) * self.factor).substitute(cell.values)

    def mass_at(self, point: Form, cell: Cell) -> Scalar:
        """Mass of the impulse at ``point``; no other one is written out."""
        found = [(powers, parts[None].coeffs()[0]) for at, by_monomial in self.strata
                 if cell.sign(at - point) == 0
                 for powers, parts in by_monomial.items() if parts.get(None)]
        return self.element(found) * self.factor

    # -- as terms -------------------------------------------------------------------------------

    def _written_out(self) -> tuple[Terms, dict[Form, Terms], dict[Form, dict[int, Scalar]]]:
        jumps: dict[Form, Terms] = {}
        impulses: dict[Form, dict[int, Scalar]] = {}
        for at, by_monomial in self.strata:
            gathered: dict[tuple[Fraction | None, int], list[tuple[Powers, Any]]] = {}
            for powers, parts in by_monomial.items():
                for a, p in parts.items():
                    for m, c in enumerate(p.coeffs()):
                        if c:
                            gathered.setdefault((a, m), []).append((powers, c))
            for (a, m), found in gathered.items():
                value = self.element(found) * self.factor
                if value.is_zero():
                    continue
                if a is None:
                    impulses[at] = {0: value}
                else:
                    jumps.setdefault(at, {})[Form.of(a), m - 1] = value
        germ: Terms = {}
        gone = {Form.of(a) for a in self.left - self.vanishing}
        for at, terms in jumps.items():
            mine = {key: c for key, c in terms.items() if key[0] in gone}
            for key, c in Exact(jumps={at: mine}).tail().items():
                _put(germ, key, -c)
        return germ, jumps, impulses


__all__ = ["Collected", "Powers", "Stratum"]
