"""delta of few losses with corners, at every place: a short polynomial between any two of them.

Atoms are terms of degree 0 of the polynomials of :mod:`lapdp.accounting.inversion.draws`: so the
law of all releases together is one of these, and what it gives is within a share of delta.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise, product
from typing import Any

import flint

from lapdp.accounting.inversion.atom_sums import pieced
from lapdp.accounting.inversion.draws import Continuous, Integrals, Local, Sums
from lapdp.accounting.inversion.few import continuous, work_of
from lapdp.accounting.moments.factors import Factors
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

SHIFT, PRODUCT = 3e-8, 6e-11
"""Seconds of a coefficient that is moved to another place, for each of its bits, and of a product
of bits."""
MOST_BITS, STEP, MOST_STEPS = 6_000, 32, 2
"""Of the laws of sums; what is asked of them is rounded up to a multiple; more attempts."""


class Profile:
    """delta of losses with corners, within a share of itself, to about 2^-bits on each piece.

    From the right, and on pieces below 0 from the left, where it is 1 - e^t and an integral that is
    no larger.
    """

    def __init__(self, others: Factors, bits: int) -> None:
        self.others, self.bits, self.share = others, bits, flint.arb(0)
        self.corners: tuple[Any, ...] = ()
        self.steps = 0
        with workprec(STEP + bits):
            parts = [(_with_atoms(continuous(s, bits), s), k) for s, k in pieced(others)]
        span = sum(k * _width(part.places) for part, k in parts)
        self.degree = sum(k * part.degree for part, k in parts if part.parts)
        # far from a density its terms cancel; the last of them are 2^-bits
        self.precision = 2 * bits + math.ceil(sum(
            k * max(0.0, part.degree * (1 + math.log2(span / min(
                _width(part.places[low:high + 1]) for low, high, _ in part.parts))) - bits)
            for part, k in parts if part.parts))
        with workprec(self.precision):
            self.building = PRODUCT * work_of([(Sums(part), k) for part, k in parts])

    def _make(self) -> None:
        """At a precision."""
        if self.precision > MOST_BITS:
            raise Unsupported(f"the laws of sums of losses cancel to more than {MOST_BITS} bits")
        with workprec(self.precision):
            law, self.share = _law(self.others, self.bits)
            self.corners = tuple(place for place, _ in law)
            whole = Integrals(law, self.precision, self.bits)
            self.sides = {side: Local(whole, side, self.bits) for side in (-1, 1)}

    def prepare(self, low: Any, high: Any, seconds: float) -> None:
        """For the pieces between two places; :class:`Unsupported` where they take longer."""
        if self.building < seconds and not self.corners:
            self._make()
        if self.building > seconds or self._work(float(low), float(high)) > seconds:
            raise Unsupported("the laws of sums of losses take long")

    def side(self, j: int) -> tuple[int, int]:
        """That from which the piece from corner j on is taken, and how many corners are there."""
        left = bool(self.corners[j + 1] <= 0)
        return (1, j + 1) if left else (-1, len(self.corners) - 1 - j)

    def _work(self, low: float, high: float) -> float:
        """Seconds, nearly."""
        places = [float(c) for c in self.corners]
        most = {-1: 0, 1: 0}
        for j, (a, b) in enumerate(pairwise(places)):
            if a < high and b > low and a < b:
                side, many = self.side(j)
                most[side] = max(most[side], many)
        return 2 * sum(most.values()) * (self.degree + STEP) * self.precision * SHIFT

    def piece(self, j: int) -> Callable[[Any], Any]:
        """delta between the corner j and the next one, an entire function."""
        side, many = self.side(j)
        while True:
            with workprec(self.precision):
                poly, middle, width = self.sides[side].after(many)
            if _is_sharp(poly, width, self.bits):
                break
            if self.steps == MOST_STEPS:
                raise Unsupported("the laws of sums of losses cancel")
            self.steps, self.precision = self.steps + 1, self.precision + self.precision // 2
            self._make()
        return (lambda t: poly(t - middle) - t.expm1()) if side > 0 else (
            lambda t: -poly(t - middle))


def _width(places: Sequence[Any]) -> float:
    """The distance of the last one from the first one."""
    return max(map(float, places)) - min(map(float, places))


def _is_sharp(poly: Any, width: float, bits: int) -> bool:
    """Is it known to 2^-bits of its largest term?"""
    most, off, power = flint.arb(0), flint.arb(0), flint.arb(1)
    for c in poly.coeffs():
        most, off, power = most.max(abs(c) * power), off + c.rad() * power, power * width
    return bool(off <= most * flint.arb(2) ** -bits)


@lru_cache(maxsize=16)
def profile(others: Factors, bits: int) -> Profile:
    """To at least so many bits; kept for the next eps."""
    return Profile(others, STEP * -(-bits // STEP))


def _law(others: Factors, bits: int) -> tuple[list[tuple[Any, Any]], Any]:
    """A polynomial for each sum of breakpoints, from left to right, and the share of what they
    give by which it may be off; at the working precision."""
    sums, keep = [], flint.arb(1)
    for s, k in pieced(others):
        part = _with_atoms(continuous(s, bits), s)
        keep *= (1 - part.share) ** k
        sums.append((Sums(part), k))
    law = []
    for ways in product(*(source.law(k).items() for source, k in sums)):
        place, poly = flint.arb(0), flint.arb_poly([1])
        for (source, _), (counts, p) in zip(sums, ways, strict=True):
            place, poly = place + source.place(counts), poly * p
        law.append((place, poly))
    return sorted(law, key=lambda row: float(row[0])), (1 / keep - 1).upper()


def _with_atoms(part: Continuous, spectrum: Any) -> Continuous:
    """Where balls do not tell an atom from a breakpoint, both lie in the union."""
    places, atoms = list(part.places), []
    for atom in spectrum.atoms:
        loss, mass = atom.balls()
        j = next((j for j, place in enumerate(places) if place.overlaps(loss)), len(places))
        if j < len(places):
            places[j] = places[j].union(loss)
        else:
            places.append(loss)
        atoms.append((j, mass))
    return Continuous(tuple(places), part.parts, tuple(atoms))


__all__ = ["Profile", "profile"]
