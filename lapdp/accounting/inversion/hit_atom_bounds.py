"""Bounds of what hits and all other losses of rare sampled discrete Gaussians are.

They serve :mod:`lapdp.accounting.inversion.hit_atoms`, whose names these are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any, TypeGuard

import flint

from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_theta import MixedThetaLine, MixedThetaSpectrum
from lapdp.accounting.moments.theta import all_masses, mass_beyond
from lapdp.core.precision import workprec

ROUGH = 64
"""Bits of bounds."""


def is_hit(s: Any) -> TypeGuard[MixedThetaSpectrum]:
    """Is it a sampled discrete Gaussian whose losses have no bound?"""
    return isinstance(s, MixedThetaSpectrum) and s.second.exact == 0 and 0 < s.doubles[0] < 1


@dataclass(frozen=True)
class Kind:
    """One kind of release: hit from an atom on, where atoms below ``first`` are only bounded."""

    spectrum: MixedThetaSpectrum
    copies: int
    first: int
    cut: int

    def usual(self, order: float) -> Any:
        """A bound of U: on the left z lies between 1 - w and 1."""
        s, q = self.spectrum, flint.arb(order)
        found = MixedThetaLine(s, q, self.first, self.cut - 1, ()).nodes.total()
        left = mass_beyond(s.variance.ball(), 1 - self.first)
        return (found + (left if order > 0 else left * (1 - s.first.ball()) ** q)).upper()

    def loss(self, x: int) -> Any:
        """That of an atom."""
        s, w = self.spectrum, self.spectrum.first.ball()
        v = s.variance.ball()
        return (1 - w + w * (s.shift * x / v - flint.arb(s.shift) ** 2 / (2 * v)).exp()).log()

    def hits(self, last: int) -> Iterator[tuple[int, Any, Any]]:
        """(x, loss, mass under Q) from the cut on."""
        whole = all_masses(self.spectrum.variance.ball())
        for j, (loss, log) in enumerate(self.spectrum.atoms.between(self.cut, last)):
            yield self.cut + j, loss, log.exp() / whole

    def beyond(self, x: int) -> Any:
        """A bound of the P-mass from x on."""
        w, v = self.spectrum.first.ball(), self.spectrum.variance.ball()
        return ((1 - w) * mass_beyond(v, x) + w * mass_beyond(v, x - self.spectrum.shift)).upper()


class Sums:
    """Bounds of the moments of all losses that are no hits."""

    def __init__(self, kinds: list[Kind], others: Factors) -> None:
        self.kinds, self.others = kinds, others
        self.known: dict[float, tuple[Any, list[Any]]] = {}

    def at(self, order: float) -> tuple[Any, list[Any]]:
        """Of all, one release less if that is more, and U of each kind."""
        if order not in self.known:
            with workprec(ROUGH + sum(kind.copies for kind in self.kinds).bit_length()):
                usual = [kind.usual(order) for kind in self.kinds]
                whole = moment_bound(self.others, order) if self.others.parts else flint.arb(1)
                for kind, u in zip(self.kinds, usual, strict=True):
                    whole *= u**kind.copies
                self.known[order] = (whole / reduce(flint.arb.min, usual, flint.arb(1))).upper(), (
                    usual)
        return self.known[order]

    def excess(self, order: float, x: Any) -> Any:
        """A bound of E[max(0, R - e^x); no hit], or for x <= 0 of E[max(0, e^x - R); no hit] at
        orders below 0: both are at most 1."""
        found = (((1 - flint.arb(order)) * x).exp() * self.at(order)[0]).upper()
        return found if found.is_finite() else flint.arb(2)


__all__ = ["ROUGH", "Kind", "Sums", "is_hit"]
