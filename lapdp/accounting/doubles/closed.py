"""Normal losses: the closed form in balls, rounded outwards to doubles.

For a loss N(kappa, 2 kappa) with r = sqrt(kappa) and a = (eps - kappa)/(2 r), delta(eps) is
(erfc(a) - e^eps erfc(a + r))/2 for every real eps (Balle and Wang 2018, Theorem 8).  That takes
some 30 microseconds, less than a line in doubles does, and assumes nothing.
"""

from __future__ import annotations

from typing import Any

import flint
import numpy as np

from lapdp.accounting.doubles.bounded import upper
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import NormalSpectrum
from lapdp.core.precision import workprec

CLOSED = "closed form"
BITS = (96, 192, 1024)
ENOUGH = 58
"""Bits of a ball that is about to be rounded to a double."""
MOST_EPS = 1e100


class ClosedForm:
    """delta of normal losses."""

    def __init__(self, factors: Factors) -> None:
        self.parts = [(s.kappa, k) for s, k in factors.parts if isinstance(s, NormalSpectrum)]
        self.known: dict[tuple[int, float], tuple[Any, Any]] = {}

    @staticmethod
    def of(factors: Factors) -> ClosedForm | None:
        """The closed form of a product of which all factors have normal losses."""
        if all(isinstance(s, NormalSpectrum) for s, _ in factors.parts):
            return ClosedForm(factors)
        return None

    def deltas(self, eps: Any, copies: Any) -> tuple[Any, Any]:
        """Values and radii; NaN where eps is too large."""
        found = [self._delta(float(x), int(k)) if abs(x) < MOST_EPS else (np.nan, np.nan)
                 for x, k in zip(eps, copies, strict=True)]
        return np.array([v for v, _ in found]), np.array([r for _, r in found])

    def _delta(self, eps: float, copies: int) -> tuple[float, float]:
        for bits in BITS:
            with workprec(bits):
                kappa, root = self._kappa(copies, bits)
                point = flint.arb(eps)
                place = (point - kappa) / (2 * root)
                ball = (place.erfc() - point.exp() * (place + root).erfc()) / 2
                if ball.rel_accuracy_bits() >= ENOUGH:
                    break
        value = float(ball)
        with workprec(128):
            return value, upper(abs(ball - value))

    def _kappa(self, copies: int, bits: int) -> tuple[Any, Any]:
        if (bits, copies) not in self.known:
            kappa = sum((number.ball() * k for number, k in self.parts), flint.arb(0)) * copies
            self.known[bits, copies] = kappa, kappa.sqrt()
        return self.known[bits, copies]


__all__ = ["CLOSED", "ClosedForm"]
