"""Losses of the factors of a product, and their sums as whole numbers.

Losses that are rational combinations of the same numbers stay so on the grid, hence equal sums are
equal whole numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb, gcd, lcm, prod
from typing import Any, NamedTuple

import flint

from lapdp.balls.compiler import exact_ball
from lapdp.calculus.convert import to_form
from lapdp.calculus.enclose import enclose
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form, Monomial
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.model import Model

GUARD = 64
MOST_LOSSES = 20_000
"""Losses of a product that is still written out."""
MOST_SHOWN = 80


class Part(NamedTuple):
    """One factor, ``copies`` times: P-mass and Q-mass by finite loss, P-mass at infinite loss."""

    masses: dict[Form, tuple[Scalar, Scalar]]
    lost: Scalar
    copies: int

    @staticmethod
    def of(model: Model, copies: int) -> Part:
        """The finite losses of a model of atoms."""
        masses: dict[Form, tuple[Scalar, Scalar]] = {}
        for a, b, z in model.atoms or ():
            if not a.is_zero():
                before = masses.get(z, (Scalar.of(0), Scalar.of(0)))
                masses[z] = (before[0] + a, before[1] + b)
        return Part(masses, model.p_infinite, copies)

    def is_symmetric(self) -> bool:
        """Is -z an outcome with the masses of z exchanged, for each loss z?"""
        return all(-z in self.masses and self.masses[-z][0] == b and self.masses[-z][1] == a
                   for z, (a, b) in self.masses.items())

    def sums(self) -> int:
        """At most so many sums of its copies' losses."""
        return comb(self.copies + len(self.masses) - 1, self.copies)


def groups(parts: Sequence[Part]) -> list[list[Part]]:
    """Parts whose losses are combinations of the same numbers."""
    found: dict[frozenset[Monomial], list[Part]] = {}
    for part in parts:
        found.setdefault(frozenset(m for z in part.masses for m in z.terms), []).append(part)
    return list(found.values())


def sums_of(parts: Sequence[Part]) -> int:
    """At most so many different sums: choices, or places of a lattice, in each group or in all."""
    total = 1
    for group in groups(parts):
        total *= min(prod(part.sums() for part in group), _places(group))
    return min(total, _places(parts))


def _places(parts: Sequence[Part]) -> int:
    found = 1
    for m in {m for part in parts for z in part.masses for m in z.terms}:
        _, step, reach = lattice(parts, m)
        found *= reach // step + 1
    return found


def refuse_many_losses(pair: Any, models: Sequence[tuple[Model, int]]) -> None:
    """:class:`Unsupported` for a product whose closed form would have too many losses to write."""
    if all(model.atoms is not None for model, _ in models):
        size = sums_of([Part.of(model, copies) for model, copies in models])
        if size > MOST_LOSSES:
            shown = repr(pair) if len(repr(pair)) < MOST_SHOWN else "the product"
            raise Unsupported(f"{shown} has up to 2^{size.bit_length() - 1} losses, more than "
                              f"{MOST_LOSSES}: profile.at(t, digits=) gives certified values")


def lattice(parts: Sequence[Part], m: Monomial) -> tuple[int, int, int]:
    """(d, step, reach): d times the coefficients of ``m`` in all sums are whole, lie in an interval
    of length ``reach`` and differ by multiples of ``step``."""
    found = [[z.terms.get(m, Fraction(0)) for z in part.masses] for part in parts]
    d = lcm(*(c.denominator for row in found for c in row))
    step = reach = 0
    for part, row in zip(parts, found, strict=True):
        # a loss that is infinite with certainty has no place
        whole = [int(c * d) for c in row] or [0]
        step = gcd(step, *(c - min(whole) for c in whole))
        reach += part.copies * (max(whole) - min(whole))
    return d, step or 1, reach


class Place(NamedTuple):
    """A real number as a whole multiple of the step, and by how many steps it may be off."""

    steps: int
    error: int


class Grid:
    """Losses as whole multiples of 2^-bits; linear over the rationals, up to errors."""

    def __init__(self, parts: Sequence[Part], bits: int) -> None:
        self.bits = bits
        forms = [z for part in parts for z in part.masses]
        self.denominators = {m: lcm(*(z.terms[m].denominator for z in forms if m in z.terms))
                             for m in {m for z in forms for m in z.terms}}
        self.units = {m: self._nearest(Form({m: Fraction(1, d)}))
                      for m, d in self.denominators.items()}
        self.error = sum(part.copies * max(self.place(z).error for z in part.masses)
                         for part in parts)

    def _nearest(self, number: Any) -> int:
        with workprec(2 * self.bits + GUARD):
            ball = enclose(number, {}) if isinstance(number, Form) else exact_ball(number)
            scaled = ball.real * flint.arb(2) ** self.bits
            if not scaled.rad() < 1:
                raise Unsupported(f"{number} is too large to be found to 2^-{self.bits}")
            return int(scaled.mid().floor().unique_fmpz())

    def multiples(self, z: Form) -> dict[Monomial, int]:
        """The coefficients of a loss in the units."""
        return {m: int(c * self.denominators[m]) for m, c in z.terms.items()}

    def place(self, z: Form) -> Place:
        """A loss of one of the factors."""
        found = self.multiples(z)
        return Place(sum(n * self.units[m] for m, n in found.items()),
                     sum(2 * abs(n) for n in found.values()))

    def point(self, t: Any) -> Place:
        """The point: where it is a sum of losses it has the place of that sum."""
        try:
            form = to_form(t)
        except Unsupported:
            form = None
        known = self.denominators
        if form is not None and all(m in known and (c * known[m]).denominator == 1
                                    for m, c in form.terms.items()):
            return self.place(form)
        return Place(self._nearest(t), 2)


__all__ = ["GUARD", "Grid", "Part", "Place", "groups", "lattice",
           "refuse_many_losses", "sums_of"]
