"""Where a search for eps begins: choices only, nothing here is proved."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from lapdp.accounting.crossing import Place
from lapdp.accounting.inversion.lattice import lattice
from lapdp.accounting.inversion.level import (
    MANY_HITS,
    end_level,
    level,
    normal_level,
    one_hit_level,
)
from lapdp.accounting.last_loss import LastLoss
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import NormalSpectrum, Number
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, has_hits
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair

ABOVE = 1.5
"""The bound of delta(0)^2 in doubles, over the square of a level that is looked at closer."""
ACCURATE = 0.01
"""The relative error of the guess for normal losses."""
WIDE = 1.0
"""The variance from which on a discrete Gaussian is nearly a continuous one."""
BEFORE = Fraction(15, 16)
"""Of the largest loss, where the guess is beyond it."""
BITS, MOST_BITS = 200, 1 << 14
"""Of the mass at infinite loss; of a level, at most."""
FARTHEST, DIGITS = 1e60, 30
"""Of a guess."""


@dataclass(frozen=True)
class FirstGuess:
    """A level of one pair, and what is known of the pair in doubles."""

    parts: Factors | None
    """None where moments are not reached."""
    level: Fraction
    lost: Fraction
    """The mass at infinite loss, nearly, if that is below the level, else 0."""

    @staticmethod
    def of(pair: Pair, level: Fraction) -> FirstGuess:
        """What is to be known of a positive level."""
        try:
            parts = releases(pair)
        except Unsupported:
            return FirstGuess(None, level, Fraction(0))
        with workprec(BITS + min(level.denominator.bit_length(), MOST_BITS)):
            mass = (1 - parts.finite_mass()).mid().fmpq()
        lost = Fraction(int(mass.p), int(mass.q))
        return FirstGuess(parts, level, lost if 0 < lost < level else Fraction(0))

    @property
    def spare_bits(self) -> int:
        """Bits that are lost in numbers as small as the level, and of so many releases."""
        count = self.parts.count.bit_length() if self.parts else 0
        return count + min(self.level.denominator.bit_length(), MOST_BITS)

    def size(self, value: Fraction) -> Fraction:
        """delta over the level, both without the mass at infinity."""
        return max(value - self.lost, Fraction(0)) / (self.level - self.lost)

    @property
    def share(self) -> float:
        """How much of the level is not the mass at infinity."""
        return float((self.level - self.lost) / self.level)

    def seems_large(self) -> bool:
        """Is it worth a closer look whether the level is above delta(0)?"""
        try:
            log = self.parts.log_moment(0.5) if self.parts else math.nan
        except (Unsupported, ArithmeticError):
            return True
        return not -math.expm1(2 * log) > ABOVE * float(self.level) ** 2

    def place(self, end: Place | None = None, least: Fraction | None = None, digits: int = 15,
              last: LastLoss | None = None) -> tuple[Fraction, float | None, float]:
        """About where delta is the level, the slope there of the log of its part by finite losses,
        and how rough that is.

        The largest loss is at the ``end``, if it is known, and its mass says at ``least`` so much.
        """
        if self.parts is None:
            return Fraction(1), None, 1.0
        if self._normal is not None:
            return Fraction(self._normal[0]), self._normal[1], ACCURATE
        guess = self._found if end is None or last is None else self._before(end.x, last)
        if least is not None and end is not None and not (
                guess and least < guess[0] < end.x):
            # if no other loss is larger this one look will do
            return least * (1 + Fraction(4, 5 * 10**digits)), None, 1.0
        if guess is not None and end is not None and not guess[0] < end.x:
            start, slope = end.x * BEFORE, -self._power(self.parts) / float(end.x * (1 - BEFORE))
            return start, slope, 1.0
        if guess is None or not 0 < guess[0] < FARTHEST:
            return Fraction(0 if guess else 1), None, 1.0
        inside = end and end.x * (1 - Fraction(4, 5 * 10**digits))
        if inside and guess[0] > inside and in_pieces(self.parts) is None:
            # the end may do for so many digits, and nearer to it no few draws tell delta
            return inside, guess[1], 1.0
        return Fraction(guess[0]).limit_denominator(10**DIGITS) or Fraction(1), guess[1], 1.0

    @cached_property
    def _normal(self) -> tuple[float, float] | None:
        """Where all losses are normal."""
        assert self.parts is not None
        kappas = [float(s.kappa) * k for s, k in self.parts.parts if isinstance(s, NormalSpectrum)]
        if len(kappas) < len(self.parts.parts):
            return None
        try:
            return normal_level(sum(kappas), float(self.level))
        except ArithmeticError:
            return None

    @cached_property
    def _found(self) -> tuple[float, float] | None:
        """By saddle points, and by how many losses are huge."""
        assert self.parts is not None
        size, parts = self._size, _without_lattices(self.parts)
        # each of the last two leaves something out, and is less than the place for it
        return one_hit_level(parts, size) or max(
            (near for near in (level(parts, size), one_hit_level(parts, size, MANY_HITS)) if near),
            default=None)

    @cached_property
    def _size(self) -> float:
        """The logarithm of the part of the level that finite losses have."""
        finite = self.level - self.lost
        return math.log(finite.numerator) - math.log(finite.denominator)

    def _before(self, end: Fraction, last: LastLoss) -> tuple[Fraction | float, float] | None:
        """The guess, or one next to the largest loss that the level sees, where the former lies
        beyond that, or rare losses hide that it lies too far below."""
        guess = self._found
        if guess is not None and guess[0] < end and not last.is_beside:
            return guess
        try:
            found = end_level(last.usual, self._size - float(last.weight.log()))
        except (Unsupported, ArithmeticError, ValueError):
            return guess
        if found is None:
            return guess
        near = end - Fraction(found[0])
        return guess if guess is not None and near <= guess[0] < end else (near, found[1])

    def _power(self, parts: Factors) -> int:
        """Of the distance from the largest loss, what delta is about a multiple of: releases that
        have no atom there count as densities."""
        return 1 + sum(k for s, k in parts.parts if not Factors(((s, 1),)).mass_of_largest() > 0)

    def bend(self) -> Fraction | None:
        """The largest loss of releases beside rare ones, which alone have larger ones."""
        parts = self.parts.parts if self.parts else ()
        rest = Factors(tuple(part for part in parts if not has_hits(part[0])))
        end = rest.largest() if 0 < len(rest.parts) < len(parts) else None
        top = None if end is None else enclose(end, {}).real
        return Fraction(float(top)) if top is not None and top < FARTHEST else None

    def cells(self) -> tuple[float, float] | None:
        """Between two losses next to each other delta is linear in e^eps: those of a lattice."""
        try:
            found = lattice(self.parts) if self.parts else None
        except Unsupported:
            return None
        if found is None:
            return None
        offset, step = (float(enclose(x, {}).real) for x in found)
        return (offset, step) if step > 0 and math.isfinite(offset / step) else None


def _without_lattices(parts: Factors) -> Factors:
    """Subsampled Gaussians for discrete ones that are wide: their rare losses are known better."""
    return Factors(tuple(
        (MixedNormalSpectrum(s.first, s.second, Number(s.shift**2 / (2 * s.variance.exact))), k)
        if isinstance(s, MixedThetaSpectrum) and s.doubles[2] >= WIDE else (s, k)
        for s, k in parts.parts))


__all__ = ["FARTHEST", "FirstGuess"]
