"""The hockey-stick integral of few continuous losses, their densities being piecewise polynomials.

The transform of a polynomial p on [a, b] is e^(-a s) R_a - e^(-b s) R_b, R_c the sum of p^(i)(c)
v^(i+1) at v = 1/s.  So the law of a sum of losses has a polynomial in v for each sum of
breakpoints, and v^i at c stands for (z - c)^(i-1)/(i - 1)! on z > c, or for its negative on z < c,
as all of them cancel beyond the last breakpoint.  With h = |t - c|, against max(0, 1 - e^(t - z))
these give

    (-1)^i T_(i-1)(h),  T_m(h) = sum of (-1)^(r+1) h^(m+r+1)/(m+r+1)! over r >= 1,   from the right,

and from the left, against max(0, e^(t - z) - 1), L_(i-1)(h), the sum of h^(m+r+1)/(m+r+1)!.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import flint

from lapdp.accounting.moments.approximants import Approximant
from lapdp.core.errors import Unsupported

MOST_SUMS = 3_000
"""Sums of breakpoints."""


@dataclass(frozen=True)
class Continuous:
    """A continuous part of a law: breakpoints, and approximants between some of them."""

    places: tuple[Any, ...]
    parts: tuple[tuple[int, int, Approximant], ...]
    """(lower breakpoint, upper breakpoint, density)."""

    @property
    def share(self) -> Any:
        """A bound of the relative error of the density."""
        found = flint.arb(0)
        for _, _, part in self.parts:
            found = found.max(part.share)
        return found.upper()

    @property
    def degree(self) -> int:
        """The largest degree of a density, and 1."""
        return max((len(part.coefficients) for _, _, part in self.parts), default=1)

    def transform(self) -> list[Any]:
        """For each breakpoint the polynomial in v = 1/s."""
        found = [flint.arb_poly([])] * len(self.places)
        for low, high, part in self.parts:
            ends = self.places[low], self.places[high]
            found[low] += flint.arb_poly([0, *part.derivatives(-1, *ends)])
            found[high] -= flint.arb_poly([0, *part.derivatives(1, *ends)])
        return found


Counts = tuple[int, ...]


class Sums:
    """The laws of sums of 0, 1, ... losses of one continuous part."""

    def __init__(self, part: Continuous) -> None:
        self.part = part
        self.once = part.transform()
        self.laws: list[dict[Counts, Any]] = [
            {(0,) * len(part.places): flint.arb_poly([1])}]

    def law(self, draws: int) -> dict[Counts, Any]:
        """A polynomial for each sum of breakpoints, by how often each of them occurs."""
        while len(self.laws) <= draws:
            found: dict[Counts, Any] = {}
            for counts, p in self.laws[-1].items():
                for j, q in enumerate(self.once):
                    key = (*counts[:j], counts[j] + 1, *counts[j + 1:])
                    found[key] = found[key] + p * q if key in found else p * q
            if len(found) > MOST_SUMS:
                raise Unsupported(f"{draws} losses have {len(found)} sums of breakpoints, more "
                                  f"than {MOST_SUMS}")
            self.laws.append(found)
        return self.laws[draws]

    def spread(self, draws: int) -> tuple[Any, Any]:
        """The least and the largest sum."""
        return self.part.places[0] * draws, self.part.places[-1] * draws

    def place(self, counts: Counts) -> Any:
        """The sum of breakpoints."""
        return sum((n * c for n, c in zip(counts, self.part.places, strict=True)), flint.arb(0))


def from_right(law: Sequence[tuple[Any, Any]], t: Any) -> Any:
    """The integral of max(0, 1 - e^(t - z)) of a law that ends: (breakpoint, polynomial) of each.

    >>> ends = [(flint.arb(0), flint.arb_poly([0, 1])), (flint.arb(1), flint.arb_poly([0, -1]))]
    >>> x = from_right(ends, flint.arb("1/2"))  # the integral of 1 - e^-x up to 1/2
    >>> x.overlaps(flint.arb("-1/2").exp() - flint.arb("1/2"))
    True
    """
    found = flint.arb(0)
    for place, p in law:
        h = _positive(place - t)
        if h is not None:
            values = _alternating(h, p.degree())
            found += sum((c * values[i - 1] * (-1) ** i for i, c in enumerate(p.coeffs()) if i),
                         flint.arb(0))
    return found


def from_left(law: Sequence[tuple[Any, Any]], t: Any) -> Any:
    """The integral of max(0, e^(t - z) - 1) likewise."""
    found = flint.arb(0)
    for place, p in law:
        h = _positive(t - place)
        if h is not None:
            values = _rising(h, p.degree())
            found += sum((c * values[i - 1] for i, c in enumerate(p.coeffs()) if i), flint.arb(0))
    return found


def _positive(h: Any) -> Any | None:
    """max(h, 0); None where it is 0."""
    return h.max(flint.arb(0)) if h.upper() > 0 else None


def _alternating(h: Any, count: int) -> list[Any]:
    """T_0, ..., T_(count-1), by T_(m-1) = h^(m+1)/(m+1)! - T_m and 0 <= T_m <= h^(m+1)/(m+1)!."""
    terms = _terms(h, count + 1)
    value = terms[-1].union(flint.arb(0))
    found = []
    for m in range(len(terms) - 2, 0, -1):
        value = terms[m + 1] - value
        found.append(value)
    return found[::-1]


def _rising(h: Any, count: int) -> list[Any]:
    """L_0, ..., L_(count-1), by L_(m-1) = h^(m+1)/(m+1)! + L_m and L_m <= h^(m+1)/(m+1)! e^h."""
    terms = _terms(h, count + 1)
    value = (terms[-1] * h.exp()).union(flint.arb(0))
    found = []
    for m in range(len(terms) - 2, 0, -1):
        value = terms[m + 1] + value
        found.append(value)
    return found[::-1]


def _terms(h: Any, count: int) -> list[Any]:
    """h^n/n! for n up to ``count``, and on until they are negligible."""
    found = [flint.arb(1)]
    while len(found) <= count or found[-1] > found[count] * flint.arb(2) ** -flint.ctx.prec:
        found.append(found[-1] * h / len(found))
    return found


__all__ = ["Continuous", "Sums", "from_left", "from_right"]
