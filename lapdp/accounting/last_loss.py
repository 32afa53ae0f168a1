"""Where the profile of bounded losses ends: what is known there before anybody looks.

Let z be the largest finite loss, p its mass and w = Pr[Z = oo].  Then delta(z) = w, and
delta(z - x) >= w + p (1 - e^-x) for x >= 0, with equality up to the next loss.  So the largest loss
answers for levels just above w, and others have a lower end by it.  Losses that are too rare for
the level to see may be larger still: at z and beyond they add to w as little as they may.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from lapdp.accounting.crossing import Place
from lapdp.accounting.moments import rare_atoms
from lapdp.accounting.moments.factors import Factors
from lapdp.balls.decimals import Enclosure, fraction_ball
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported

UNSEEN = 2
"""By how many times what larger losses add is less than the level, at least."""
SHARPER = 4
"""Digits more than asked for to which the largest loss is tried as the answer."""


@dataclass(frozen=True)
class LastLoss:
    """Balls around the largest finite loss but rare ones, which is positive, and around delta
    there, from the mass of the infinite losses on; and one that is at most the mass of the former:
    the weight of rare losses in it times the mass of the largest of all others, the usual ones.

    Levels are above the mass at infinity; all is worked out at the precision at hand.
    """

    top: Any
    mass: Any
    lost: Any
    usual: Factors
    weight: Any

    @staticmethod
    def of(parts: Factors, level: Fraction) -> LastLoss | None:
        """None where the finite losses are not bounded, or none is positive, or that is open."""
        lost, rare, weight = 1 - parts.finite_mass(), flint.arb(0), flint.arb(1)
        found = rare_atoms.end(parts, (fraction_ball(level) - lost) / UNSEEN)
        if found is not None:
            parts, rare, weight = found.usual, found.rare, found.weight
            lost += flint.arb(0).union(found.excess)
        try:
            parts.refuse_open_ends()
            largest = parts.largest()
        except Unsupported:
            return None
        top = None if largest is None else rare + enclose(largest, {}).real
        if top is None or not top > 0:
            return None
        return LastLoss(top, weight * parts.mass_of_largest(), lost, parts, weight)

    @property
    def is_beside(self) -> bool:
        """Is it beside rare losses?"""
        return bool(self.weight < 1)

    def answer(self, level: Fraction, digits: int) -> Enclosure | None:
        """The place of the level where it is the largest loss to so many digits."""
        for more in (SHARPER, 0):
            near = self.top * flint.arb(10) ** -(digits + more) * 9 / 10
            if self.lost - self.mass * (-near).expm1() > fraction_ball(level):
                return Enclosure.of_ball((self.top - near).union(self.top), digits)
        return None

    def place(self, level: Fraction) -> Place:
        """The largest loss, or hardly more, and bounds of delta over the level there."""
        share = self.lost.max(flint.arb(0)) / fraction_ball(level)
        return Place(_fraction(self.top.upper()), None, -1,
                     (_fraction(share.lower()), _fraction(share.upper())))

    def low(self, level: Fraction) -> Fraction | None:
        """A positive place that the level is not left of, by the mass of the largest loss, where
        there is one; the very place, nearly, where no other loss is larger."""
        if not self.mass > 0:
            return None
        x = self.top + (-(fraction_ball(level) - self.lost) / self.mass).log1p()
        return _fraction(x.lower()) if x > 0 else None


def _fraction(x: Any) -> Fraction:
    number = x.fmpq()
    return Fraction(int(number.p), int(number.q))


__all__ = ["LastLoss"]
