"""Sums over the corners of a product that lie above eps, at one order.

The places of one family are the powers of a turn; those of several families are summed over all
but the last one, each with a partial sum of the last one's terms.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, product
from math import prod
from typing import Any

import flint

from lapdp.accounting.moments.nodal import powers
from lapdp.core.effort import spend

MOST_KNOWN = 100
"""Sums over the highest places kept at each node."""


@dataclass(frozen=True)
class Above:
    """The corners above eps."""

    top: Any
    """The highest one less eps."""
    counts: tuple[int, ...]
    """How many places of the last family lie above eps, for each place of all others: the last of
    them may be eps, or next to it on either side."""
    near: Any
    """How far from eps these may be, at most; 0 where all are told apart from it."""


Values = list[tuple[int, list[tuple[int, Any]]]]
"""R at the corners of the factors of a family, with their depths and numbers of copies."""


class Sum:
    """The sum over the places of a product at one s."""

    def __init__(self, values: list[Values], shift: Any, steps: list[Any], depths: list[int]
                 ) -> None:
        self.shift, self.values, self.depths = shift, values, depths
        self.turns = [(-step * shift).exp() for step in steps]
        self.copies = 0
        self.known: dict[tuple[int, ...], Any] = {}
        self.terms: tuple[list[Any], list[Any]] | None = None
        if len(values) == 1 and len(values[0]) == 1 and len(values[0][0][1]) == 2:
            # one factor of two corners: a binomial sum
            [[(self.copies, [(_, top), (self.depth, other)])]] = values
            self.lead, self.odds = top**self.copies, other / top * self.turns[0]**self.depth

    def up_to(self, above: Above) -> Any:
        """The sum over all places above eps, times e^(-eps (s - 1/2))."""
        # points between the same two places differ by the exponential only
        if above.counts not in self.known:
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            self.known[above.counts] = (self._of_highest(above.counts[0])
                                        if len(self.values) == 1 else self._of(above.counts))
        return (above.top * self.shift).exp() * self.known[above.counts]

    def _of_highest(self, count: int) -> Any:
        """The sum over so many places of one family, without the factor for the highest."""
        spend(count * flint.ctx.prec * (1 + self.copies / 1000) / 2000)
        if self.copies:
            return self.lead * _binomial(self.copies, -(-count // self.depth))(self.odds)
        return self._polynomial(0, count)(self.turns[0])

    def _polynomial(self, j: int, count: int) -> Any:
        """The product of a family's factors by depth, up to a number of places."""
        kind = flint.arb_poly if isinstance(self.shift, flint.arb) else flint.acb_poly
        total = kind([1])
        for k, corners in self.values[j]:
            total = kind((total * _power(kind, k, corners, count)).coeffs()[:count])
        return total

    def _of(self, counts: tuple[int, ...]) -> Any:
        """Places of all families but the last, each with a partial sum of the last one's terms."""
        if self.terms is None:
            rows = []
            for j, (turn, depth) in enumerate(zip(self.turns, self.depths, strict=True)):
                found = self._polynomial(j, depth + 1).coeffs()
                rows.append([c * x for c, x in zip(found, powers(turn, depth), strict=False)])
            *others, last = rows
            self.terms = ([prod(row) for row in product(*others)], [0, *accumulate(last)])
        others, sums = self.terms
        most = len(sums) - 1
        return sum((x * sums[min(count, most)] for x, count in zip(others, counts, strict=True)
                    if count), self.shift * 0)


@lru_cache(maxsize=64)
def _binomials(k: int, count: int) -> list[int]:
    return list(accumulate(range(min(k + 1, count) - 1), lambda c, i: c * (k - i) // (i + 1),
                           initial=1))


@lru_cache(maxsize=64)
def _binomial(k: int, count: int) -> Any:
    """The first terms of (1 + w)^k; its coefficients are exact."""
    return flint.fmpz_poly(_binomials(k, count))


def _power(kind: Any, k: int, corners: list[tuple[int, Any]], count: int) -> Any:
    """(sum of R z^depth)^k up to z^count."""
    if len(corners) == 2:
        (_, top), (depth, other) = corners
        share, size = other / top, top**k
        spend(min(count, k * depth) * flint.ctx.prec / 30)
        coefficients = [0] * min(count, k * depth + 1)
        for i, c in enumerate(_binomials(k, -(-count // depth))):
            coefficients[i * depth] = size * c * share**i
        return kind(coefficients)
    spend(k * corners[-1][0] * flint.ctx.prec / 10)
    one = [0] * (corners[-1][0] + 1)
    for depth, value in corners:
        one[depth] = value
    return kind(one) ** k


__all__ = ["Above", "Sum"]
