"""One question for delta, and what is asked of it again and again when methods are chosen."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from typing import Any

from lapdp.accounting.delta import Tried
from lapdp.accounting.delta_rules import Apart, in_doubles, integral, non_negative
from lapdp.accounting.inversion import contour, hits, split
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.given import Finite, finite
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import Enclosure
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exceeds

MOST_COPIES = 10**6
"""Doubles are asked for no more releases: there balls take no longer."""
USUAL_DIGITS = 10
"""For which it is asked whether doubles are likely to give them."""

Method = tuple[str, Callable[[int], Enclosure]]


@dataclass(frozen=True, eq=False)
class Question:
    """delta of a pair at an exact eps; what a search has tried says which methods may be asked.

    Nothing is worked out before it is asked for, and then once.
    """

    pair: Pair
    eps: Any
    tried: Tried

    @cached_property
    def forward(self) -> Factors:
        """Its losses; :class:`Unsupported` where no rule knows them."""
        return releases(self.pair)

    @cached_property
    def place(self) -> float:
        """eps as a double."""
        return float(exact_ball(self.eps).real)

    @cached_property
    def is_right(self) -> bool:
        """Is eps positive?"""
        return bool(exceeds(self.eps, 0))

    @cached_property
    def here(self) -> tuple[Pair, Any]:
        """The pair and the eps of the direction in which eps >= 0."""
        return non_negative(self.pair, self.eps)

    @cached_property
    def given(self) -> Finite | None:
        """The pair given that losses are finite, where some are infinite."""
        return finite(self.pair) if len(self.forward.parts) > 1 else None

    @cached_property
    def is_split(self) -> bool:
        """Are there atoms and pieces outside the exact class?"""
        return split.splits(self.forward)

    @cached_property
    def is_few(self) -> bool:
        """Subsampled Gaussians and nothing else?"""
        return self.forward.count <= MOST_COPIES and all(
            isinstance(s, MixedNormalSpectrum) for s, _ in self.forward.parts)

    @cached_property
    def has_hits(self) -> bool:
        """Are some losses rare and huge, right of 0?"""
        return self.is_right and hits.is_rare(self.forward)

    @cached_property
    def is_quick(self) -> bool:
        """Does the rule on a line take no time?"""
        return contour.is_quick(self.forward, self.place)

    @cached_property
    def is_long(self) -> bool:
        """Does it take long?"""
        return contour.is_long(self.forward, self.place)

    @cached_property
    def promises(self) -> bool:
        """Are doubles likely to answer soon?"""
        with suppress(ImportError):
            machine = import_module("lapdp.accounting.inversion.machine")
            return bool(machine.promises(self.forward, self.place, USUAL_DIGITS))
        return False

    def reversed(self) -> Question:
        """The same eps in the other direction."""
        return replace(self, pair=self.pair.reverse())

    def integral(self, name: str, rule: Callable[..., Any]) -> Method:
        """A rule in balls."""
        return name, integral(self.pair, self.forward, self.eps, rule)

    def in_doubles(self, name: str, module: str, rule: str = "delta") -> Method:
        """A rule in doubles."""
        return name, in_doubles(self.pair, self.forward, self.eps, module, rule)

    def apart(self, name: str, rule: Callable[..., Any]) -> Method:
        """A rule with queries of its own."""
        return name, Apart(self.pair, self.eps, self.tried, rule)


__all__ = ["Method", "Question"]
