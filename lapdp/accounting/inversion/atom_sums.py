"""Sums of the atoms of many losses, from left to right: where few draws are from continuous parts.

Beside so many draws from the continuous parts the other releases have atoms.  Each of their sums
shifts the law of the draws: where that lies above eps altogether, its P-mass p and its Q-mass q say
what it contributes, for a sum at z of mass m that is m (p - e^(eps - z) q).  So of all these sums
the masses and their means of e^-z are kept, added up from the right: they serve every eps.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from itertools import accumulate, product
from math import comb, prod
from operator import add
from typing import Any

import flint

from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.calculus.exact import Exact
from lapdp.calculus.field import Scalar
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_SUMS = 100_000
"""Sums of atoms."""
MOST_TOGETHER = 50_000
"""Those that are listed."""

Choice = tuple[tuple[int, ...], ...]
"""For each factor, how often each atom occurs."""


def pieced(factors: Factors) -> list[tuple[PiecewiseSpectrum, int]]:
    """The factors, if all are of atoms and pieces; none otherwise."""
    found = [(s, k) for s, k in factors.parts if isinstance(s, PiecewiseSpectrum)]
    return found if len(found) == len(factors.parts) else []


@dataclass(frozen=True, eq=False)
class Law:
    """Copies of one law."""

    spectrum: PiecewiseSpectrum
    copies: int
    bits: int
    _known: dict[int, list[tuple[tuple[int, ...], Any, Any]]] = field(default_factory=dict)

    @cached_property
    def moments(self) -> tuple[Any, Any]:
        """The P-mass and the Q-mass of the continuous part."""
        found = []
        for order in (1, 0):
            line = self.spectrum.line(flint.arb(order), 0.0, self.bits)
            found.append(line.parts(flint.arb(0), 0)[1][0].real)
        return found[0], found[1]

    @cached_property
    def ends(self) -> tuple[Any, Any]:
        """The least and the largest loss of the continuous part."""
        found = [piece.loss(flint.acb(end)).real for piece in self.spectrum.pieces
                 for end in piece.ends()]
        return found[0], found[-1]

    def ways(self, draws: int) -> int:
        """In how many ways the atoms may occur."""
        atoms, rest = len(self.spectrum.atoms), self.copies - draws
        found = comb(rest + atoms - 1, atoms - 1) if atoms else int(not rest)
        if found > MOST_SUMS:
            raise Unsupported(f"{rest} copies of {atoms} atoms have more than {MOST_SUMS} sums")
        return found

    def sums(self, draws: int) -> list[tuple[tuple[int, ...], Any, Any]]:
        """How often the atoms may occur, the sum of their losses, and its mass times the number of
        ways; at one working precision."""
        if draws not in self._known:
            self._known[draws] = [(counts, *self.sum(draws, counts)) for counts in _compositions(
                self.copies - draws, len(self.spectrum.atoms))]
        return self._known[draws]

    def sum(self, draws: int, counts: tuple[int, ...]) -> tuple[Any, Any]:
        """One of them, at the working precision of the moment."""
        spend(60)
        rest = self.copies - draws
        place, mass = flint.arb(0), flint.arb.bin_uiui(self.copies, draws)
        for (loss, weight), m in zip(_balls(self.spectrum, flint.ctx.prec), counts, strict=True):
            mass *= flint.arb.bin_uiui(rest, m) * weight**m
            place, rest = place + m * loss, rest - m
        return place, mass


@lru_cache(maxsize=4)
def laws(factors: Factors, bits: int) -> list[Law]:
    """Of all factors."""
    return [Law(s, k, bits) for s, k in pieced(factors)]


@dataclass(frozen=True, eq=False)
class Ordered:
    """The sums of atoms beside so many draws of each factor, from left to right as doubles see it.
    """

    shares: tuple[int, ...]
    low: Any
    """The least sum of the draws."""
    high: Any
    p: Any
    q: Any
    near: list[float]
    sums: list[tuple[Choice, Any, Any]]
    """How often atoms occur, place, mass times the number of ways."""
    beyond: list[tuple[Any, Any]]
    """The sums over all from one on: of masses, and of masses times e^-place."""
    slip: Any
    """No place is farther from what doubles say."""

    @staticmethod
    def of(known: Sequence[Law], shares: tuple[int, ...]) -> Ordered:
        """At the working precision of the laws."""
        low, high, p, q = flint.arb(0), flint.arb(0), flint.arb(1), flint.arb(1)
        for law, n in zip(known, shares, strict=True):
            if n:
                low, high = low + n * law.ends[0], high + n * law.ends[1]
                p, q = p * law.moments[0] ** n, q * law.moments[1] ** n
        found = []
        for sums in product(*(law.sums(n) for law, n in zip(known, shares, strict=True))):
            found.append((tuple(counts for counts, _, _ in sums), *_together(sums)))
        found.sort(key=lambda row: float(row[1]))
        near, slip = [float(place) for _, place, _ in found], flint.arb(0)
        for x, (_, place, _) in zip(near, found, strict=True):
            slip = slip.max(abs(place - flint.arb(x)).upper())
        beyond = list(accumulate(
            ((mass, mass * (-place).exp()) for _, place, mass in reversed(found)),
            lambda rest, here: (rest[0] + here[0], rest[1] + here[1]),
            initial=(flint.arb(0), flint.arb(0))))[::-1]
        return Ordered(shares, low, high, p, q, near, found, beyond, slip)

    def at(self, eps: Any) -> tuple[Any, list[Choice]]:
        """What the sums contribute that lie above eps with all draws, and those that reach across
        it.

        The places from a double x on are at least x less the slip: where that is seen to be enough
        for one, it is for all those after it; and likewise on the left.
        """
        end, start = eps - self.low, eps - self.high
        last = bisect_left(self.near, float(end))
        while last < len(self.near) and not flint.arb(self.near[last]) - self.slip >= end:
            last += 1
        first = bisect_right(self.near, float(start))
        while first and not flint.arb(self.near[first - 1]) + self.slip <= start:
            first -= 1
        mass, mean = self.beyond[last]
        total, across = mass * self.p - eps.exp() * mean * self.q, []
        for choice, place, mass in self.sums[first:last]:
            t = eps - place
            if t >= self.high:
                continue
            if t <= self.low:
                total += mass * (self.p - t.exp() * self.q)
            elif not any(self.shares):
                # an atom at eps, as far as balls tell
                total += mass * (1 - t.exp()).max(flint.arb(0))
            else:
                across.append(choice)
        return total, across


@lru_cache(maxsize=4)
def ordered(factors: Factors, draws: int, bits: int) -> list[Ordered]:
    """For all ways in which up to so many draws fall to the factors; at one working precision."""
    known = laws(factors, bits)
    every = [shares for shares in _shares(known, draws) if not any(
        n and not law.spectrum.pieces for law, n in zip(known, shares, strict=True))]
    if sum(prod(law.ways(n) for law, n in zip(known, shares, strict=True))
           for shares in every) > MOST_SUMS:
        raise Unsupported(f"the atoms have more than {MOST_SUMS} sums")
    return [Ordered.of(known, shares) for shares in every]


@lru_cache(maxsize=16)
def atoms_alone(factors: Factors) -> Factors:
    """The atoms of each release of atoms and pieces, as a measure of its own.

    Raises :class:`Unsupported` where those of one have no lattice.
    """
    found = []
    for s, k in pieced(factors):
        atoms = {atom.loss: {0: atom.mass} for atom in s.atoms}
        mass = reduce(add, (atom.mass for atom in s.atoms), Scalar.of(0))
        alone = ExactSpectrum(Exact(impulses=atoms), Scalar.of(1) - mass)
        if len(atoms) < len(s.atoms) or alone.lattice is None:
            raise Unsupported("atoms beside lattices have no lattice")
        found.append((alone, k))
    return Factors(tuple(found))


@lru_cache(maxsize=16)
def sums_of_atoms(factors: Factors, bits: int) -> list[tuple[Any, Any]]:
    """All sums of losses that are atoms, with their masses, of releases of atoms and pieces."""
    refuse_many(factors)
    with workprec(bits + factors.count.bit_length()):
        known = [Law(s, k, bits) for s, k in pieced(factors)]
        return [_together(sums) for sums in product(*(law.sums(0) for law in known))]


def refuse_many(factors: Factors) -> None:
    """:class:`Unsupported` where there are too many of these sums."""
    many = prod(Law(s, k, 0).ways(0) for s, k in pieced(factors))
    if many > MOST_TOGETHER:
        raise Unsupported(f"{many} sums of atoms, more than {MOST_TOGETHER}")


def together(known: Sequence[Law], shares: Sequence[int], choice: Choice) -> tuple[Any, Any]:
    """Place and mass by how often the atoms occur, at the working precision of the moment."""
    return _together([(counts, *law.sum(n, counts)) for law, n, counts in zip(
        known, shares, choice, strict=True)])


def _together(sums: Sequence[tuple[Any, Any, Any]]) -> tuple[Any, Any]:
    """The sum of atoms of all laws, and its mass times the number of ways."""
    place, mass = flint.arb(0), flint.arb(1)
    for _, here, size in sums:
        place, mass = place + here, mass * size
    return place, mass


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """All tuples of so many whole numbers >= 0 with a sum."""
    if parts == 0:
        if total == 0:
            yield ()
        return
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for others in _compositions(total - first, parts - 1):
            yield (first, *others)


def _shares(known: Sequence[Law], draws: int) -> Iterator[tuple[int, ...]]:
    """How the draws fall to the laws, all numbers up to ``draws``."""
    for found in product(*(range(min(draws, law.copies) + 1) for law in known)):
        if sum(found) <= draws:
            yield found


@lru_cache(maxsize=64)
def _balls(spectrum: PiecewiseSpectrum, bits: int) -> list[tuple[Any, Any]]:
    with workprec(bits):
        return [atom.balls() for atom in spectrum.atoms]


__all__ = ["Choice", "Law", "Ordered", "atoms_alone", "laws", "ordered", "pieced", "refuse_many",
           "sums_of_atoms", "together"]
