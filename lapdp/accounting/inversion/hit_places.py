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
from importlib import import_module
from typing import Any

import flint

from lapdp.accounting.inversion import hits, rare
from lapdp.accounting.moments.factors import Factors
from lapdp.core.errors import Unsupported

FEWEST, MOST_LINES, MOST_VAIN, FARTHER, FEWER = 5, 6, 4, 2.0, 0.75
"""Points from which on this is worth while; lines for all of them; those that are made in vain; how
much farther, or for what share of the bits, another one may be found."""
SPARE, LESS = 24, 6
"""Bits more than one point needs; where that is too much."""
MOST_DOUBLES, MOST_CELLS, MOST_ON_SCALES = 44, 20_000_000, 150_000_000
"""Bits of a rule in doubles, and terms of moments that these take in a fifth of a second, and in
half a second on several scales."""


@dataclass(eq=False)
class HitPlaces:
    """Points of one profile, those that are to have the most bits first."""

    factors: Factors
    rules: list[Callable[[Any, int], Any]] = field(default_factory=list)
    seen: tuple[Any, Any] | None = None
    """The point that was bounded last, and delta there."""
    vain: list[tuple[float, int]] = field(default_factory=list)
    """Where none was found, and for how many bits: nearer to 0 usual losses are no less likely."""

    def at(self, t: Any, wanted: int, little: Any = 0) -> Any:
        """A ball around delta(t), t > 0 a ball of many bits, to so many relative bits, or to a
        radius below ``little``; None where no line serves."""
        def good(ball: Any) -> bool:
            return bool(ball.rel_accuracy_bits() >= wanted or ball.rad() < little)

        if self.seen is not None and self.seen[0] is t and good(self.seen[1]):
            return self.seen[1]
        # the one that served last is likely to serve again
        for j in range(len(self.rules) - 1, -1, -1):
            found = self.rules[j](t, wanted)
            if good(found):
                self.rules.append(self.rules.pop(j))
                return found
        if len(self.rules) >= MOST_LINES or len(self.vain) >= MOST_VAIN or any(
                float(t) <= FARTHER * place and wanted > FEWER * bits for place, bits in self.vain):
            return None
        # beside others a line of doubles alone takes long to make
        doubles = wanted <= MOST_DOUBLES and rare.is_rare(self.factors)
        ways = [(self._in_doubles, SPARE), (self._in_doubles, LESS), (self._on_scales, 0)]
        for make, spare in (*(ways if doubles else []), (self._in_balls, SPARE)):
            with suppress(Unsupported, ArithmeticError, ImportError):
                rule = make(t, wanted + spare)
                found = rule(t, wanted)
                if good(found):
                    self.rules.append(rule)
                    return found
        self.vain.append((float(t), wanted))
        return None

    def most(self, t: Any) -> Any:
        """A bound of delta(t) by the line that served last."""
        if not self.rules:
            return flint.arb(1)
        found = self.rules[-1](t, 1)
        self.seen = t, found
        most = found.upper()
        return most.min(flint.arb(1)) if most.is_finite() else flint.arb(1)

    def _in_doubles(self, t: Any, bits: int) -> Callable[[Any, int], Any]:
        machine = import_module("lapdp.accounting.inversion.hits_machine")
        made: Callable[[Any, int], Any] = machine.rule(
            self.factors, t, min(bits, MOST_DOUBLES), MOST_CELLS)
        return made

    def _on_scales(self, t: Any, bits: int) -> Callable[[Any, int], Any]:
        machine = import_module("lapdp.accounting.inversion.hits_machine")
        made: Callable[[Any, int], Any] = machine.on_scales(
            self.factors, t, min(bits, MOST_DOUBLES), MOST_ON_SCALES)
        return made

    def _in_balls(self, t: Any, bits: int) -> Callable[[Any, int], Any]:
        made = hits.rule(self.factors, t, bits, hits.ENOUGH)
        return lambda point, _: made(point)


@lru_cache(maxsize=8)
def hit_places(factors: Factors) -> HitPlaces:
    """The same object each time: what serves at one eps serves at the next."""
    return HitPlaces(factors)


__all__ = ["FEWEST", "HitPlaces", "hit_places"]
