"""Moments that are finite sums over nodes: E_(gamma + iu) = sum of w_n e^(i u l_n), nearly.

On a whole grid of heights u = step j the sum is one product of matrices.  With j = a B + b,

    e^(i u l_n) = e^(i a B step l_n) e^(i b step l_n),

so about 2 sqrt(J) powers for each node replace J of them, and the rest is left to the block
algorithms of Arb, whose balls are proofs as any others.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from math import isqrt
from typing import Any

import flint

from lapdp.accounting.moments.lines import LOG2
from lapdp.core.effort import spend
from lapdp.core.precision import workprec

BAND, LEAST, LOWEST, FEW = 16, 32, 1e6, 200
"""Bits of a band of terms; of the smallest terms; a band below all; so few terms are one band."""


class Nodes:
    """Weights w_n and losses l_n, real or complex balls."""

    def __init__(self, pairs: Iterable[tuple[Any, Any]]) -> None:
        self.pairs = list(pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def total(self) -> Any:
        """The sum of the weights."""
        return sum((weight for weight, _ in self.pairs), flint.arb(0))

    def at(self, u: Any) -> Any:
        """The sum of w_n e^(i u l_n)."""
        total = flint.acb(0)
        for weight, log in self.pairs:
            total += weight * _turn(u * log)
        return total

    def beyond(self, u: Any) -> Nodes:
        """Those of the sums at heights above u."""
        return Nodes((weight * _turn(u * log), log) for weight, log in self.pairs)

    def grid(self, step: Any, count: int) -> list[Any]:
        """The sums at u = 0, step, ..., count * step.

        >>> nodes = Nodes([(flint.arb(1), flint.arb(0)), (flint.arb("1/2"), flint.arb(3))])
        >>> found = nodes.grid(flint.arb("0.1"), 1000)
        >>> len(found), found[700].overlaps(nodes.at(flint.arb(70)))
        (1001, True)
        """
        if not self.pairs:
            return [flint.acb(0)] * (count + 1)
        width = isqrt(count) + 1
        rows = count // width + 1
        spend(len(self.pairs) * (2 * (width + rows) + count / 30))
        # balls of powers widen with the exponent, those of products with the number of terms
        precision, table = flint.ctx.prec + 2 * count.bit_length() + 4, None
        for below, pairs in self._bands(float((step * count).upper())):
            with workprec(max(LEAST, precision - below)):
                giant: list[list[Any]] = []
                baby: list[list[Any]] = []
                for weight, log in pairs:
                    short = powers(_turn(step * log), width)
                    baby.append(short[:width])
                    giant.append([weight * x for x in powers(short[width], rows - 1)])
                part = flint.acb_mat([list(row) for row in zip(*giant, strict=True)])
                part *= flint.acb_mat(baby)
            with workprec(precision):
                table = part if table is None else table + part
        assert table is not None
        found: list[Any] = table.entries()
        return found[:count + 1]

    def _bands(self, height: float) -> list[tuple[int, list[tuple[Any, Any]]]]:
        """The terms by their sizes up to a height, and by how many bits those of a band are below
        the largest: that many fewer they need, and matrices of alike numbers are multiplied fast.
        """
        if len(self.pairs) < FEW:
            return [(0, self.pairs)]
        sizes = [_size(weight, log, height) for weight, log in self.pairs]
        top, bands = max(sizes), dict[int, list[tuple[Any, Any]]]()
        for size, pair in zip(sizes, self.pairs, strict=True):
            bands.setdefault(int(min(top - size, LOWEST) // BAND), []).append(pair)
        return [(BAND * k, pairs) for k, pairs in sorted(bands.items())]


def _size(weight: Any, log: Any, height: float) -> float:
    """About the binary logarithm of the largest term up to a height, a choice."""
    grown = max(0.0, -height * float(log.imag)) if isinstance(log, flint.acb) else 0.0
    size = abs(weight).mid()
    return (float(size.log()) + grown) / LOG2 if size > 0 else -LOWEST


def _turn(angle: Any) -> Any:
    """e^(i angle)."""
    return (flint.acb(angle) * flint.acb(0, 1)).exp()


class NodalLine(ABC):
    """A line whose moments are sums over nodes, each with a proved error."""

    nodes: Nodes

    @abstractmethod
    def error(self, u: Any) -> Any:
        """At least |E_(gamma + iu) - sum of w_n e^(i u l_n)|, for a real ball u."""

    def at(self, u: Any) -> Any:
        """E_(gamma + iu)."""
        return self.nodes.at(u) + around(self.error(u))

    def grid(self, step: Any, count: int) -> list[Any]:
        """E_(gamma + i step j) for j = 0, ..., count."""
        return [value + around(self.error(step * j))
                for j, value in enumerate(self.nodes.grid(step, count))]


def powers(z: Any, most: int) -> list[Any]:
    """1, z, ..., z^most, each the product of two of half the exponent.

    A complex ball is a rectangle, which every multiplication turns and widens: by halves there are
    few on the way to any power, one after another there would be as many as its exponent.
    """
    found = [type(z)(1), z]
    spend(2 * most)
    for j in range(2, most + 1):
        found.append(found[j // 2] * found[j - j // 2])
    return found[:most + 1]


def around(error: Any) -> Any:
    """The complex numbers of size at most that of a real ball."""
    reach = flint.arb(0, abs(error).upper())
    return flint.acb(reach, reach)


__all__ = ["NodalLine", "Nodes", "around", "powers"]
