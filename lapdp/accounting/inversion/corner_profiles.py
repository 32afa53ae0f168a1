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
from lapdp.accounting.inversion.cell_profiles import Smooth, coefficients
from lapdp.accounting.inversion.draws import Continuous, Integrals, Local, Sums
from lapdp.accounting.inversion.few import continuous, work_of
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_CORNERS, MOST_RELEASES, MOST_SPAN = 120, 12, 60.0
"""Corners, releases with a density, and the distance of the corners."""
SHIFT, PRODUCT, LONG = 3e-8, 6e-11, 1500
"""Seconds of a coefficient that is moved to another place, for each of its bits, and of a product
of bits, where these are so many: more take the longer each, fewer the shorter."""
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
        if bits > MOST_BITS:
            raise Unsupported(f"the laws of sums of losses are asked for {bits} bits, more than "
                              f"{MOST_BITS}")
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
            self.building = PRODUCT * self.precision / LONG * work_of(
                [(Sums(part), k) for part, k in parts])

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
        return 2 * sum(most.values()) * (self.degree + STEP) * self.precision**2 / LONG * SHIFT

    def piece(self, j: int) -> Callable[[Any], Any]:
        """delta between the corner j and the next one, an entire function."""
        side, poly, middle, _ = self._sharp(j)
        return (lambda t: poly(t - middle) - t.expm1()) if side > 0 else (
            lambda t: -poly(t - middle))

    def smooth(self, j: int, gap: Any) -> Smooth:
        """An entire function that delta differs from by no more than a number between the corner j
        and the next one."""
        side, poly, middle, off = self._sharp(j)

        def series(t: Any, count: int) -> list[Any]:
            found = [side * c for c in coefficients(poly, t - middle, flint.arb(1), count)]
            if side > 0:
                rises = t.exp()
                found = [c - rises / math.factorial(k) for k, c in enumerate(found)]
                found[0] += 1
            return found

        return Smooth(gap, series, off)

    def _sharp(self, j: int) -> tuple[int, Any, Any, Any]:
        """The side, a polynomial in t - m, m, and by how much it may be off at most."""
        side, many = self.side(j)
        while True:
            with workprec(self.precision):
                poly, middle, width = self.sides[side].after(many)
            most, off, power = flint.arb(0), flint.arb(0), flint.arb(1)
            for c in poly.coeffs():
                most, off, power = most.max(abs(c) * power), off + c.rad() * power, power * width
            if off <= most * flint.arb(2) ** -self.bits:
                return side, poly, middle, off.upper()
            if self.steps == MOST_STEPS:
                raise Unsupported("the laws of sums of losses cancel")
            self.steps, self.precision = self.steps + 1, self.precision + self.precision // 2
            self._make()


@lru_cache(maxsize=64)
def few(factors: Factors) -> Factors | None:
    """The same as atoms and pieces, if they are few losses with corners; else None.

    >>> from lapdp import laplace, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> few(releases(laplace(2)**3)).count, few(releases(laplace(2)**1000))
    (3, None)
    """
    others = in_pieces(factors) if factors.parts else None
    if others is None:
        return None
    known = pieced(others)
    if not any(s.pieces for s, _ in known) or any(
            None in piece.breakpoints for s, _ in known for piece in s.pieces):
        return None
    if sum(k for s, k in known if s.pieces) > MOST_RELEASES:
        return None
    corners = math.prod(math.comb(k + n - 1, k) for n, k in (
        (max(len(s.atoms), len(s.pieces) + 1 if s.pieces else 0), k) for s, k in known))
    if corners > MOST_CORNERS or sum(k * s.extent for s, k in known) > MOST_SPAN:
        return None
    return others


def _width(places: Sequence[Any]) -> float:
    """The distance of the last one from the first one."""
    return max(map(float, places)) - min(map(float, places))


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


__all__ = ["Profile", "few", "profile"]
