"""delta of rare subsampled Gaussians and others at many points: one table for those nearby.

The rule of :mod:`lapdp.accounting.inversion.hits` with its windows and its line is as right at any
other point, only less sharp.  So points are tried on the lines of earlier ones first, which are
made somewhat sharper than one point needs, and get lines of their own where that does not serve.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from lapdp.accounting.inversion import hits
from lapdp.accounting.moments.factors import Factors
from lapdp.core.errors import Unsupported

FEWEST, MOST_LINES, MOST_VAIN = 5, 6, 2
"""Points from which on this is worth while; lines for all of them; those that are made in vain."""
SPARE = 24
"""Bits more than one point needs."""


@dataclass(eq=False)
class HitPlaces:
    """Points of one profile, those that are to have the most bits first."""

    factors: Factors
    rules: list[Callable[[Any], Any]] = field(default_factory=list)
    least: float = 0.0
    """No line serves up to it: nearer to 0 usual losses are no less likely."""
    vain: int = 0
    """How often none was found."""

    def at(self, t: Any, wanted: int) -> Any:
        """A ball around delta(t), t > 0 a ball of many bits, to so many relative bits; None where
        no line serves."""
        for rule in reversed(self.rules):
            found = rule(t)
            if found.rel_accuracy_bits() >= wanted:
                return found
        if not float(t) > self.least or len(self.rules) >= MOST_LINES or self.vain >= MOST_VAIN:
            return None
        with suppress(Unsupported, ArithmeticError):
            self.rules.append(hits.rule(self.factors, t, wanted + SPARE, hits.ENOUGH))
            found = self.rules[-1](t)
            if found.rel_accuracy_bits() >= wanted:
                return found
        self.least, self.vain = float(t), self.vain + 1
        return None


@lru_cache(maxsize=8)
def hit_places(factors: Factors) -> HitPlaces:
    """The same object each time: what serves at one eps serves at the next."""
    return HitPlaces(factors)


__all__ = ["FEWEST", "HitPlaces", "hit_places"]
