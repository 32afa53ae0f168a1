"""Sums of c_j e^(-2 pi i j m/N) over nodes of a circle at single whole numbers m.

With j = s + b, s the first node of a row of about sqrt(J) nodes next to each other,

    e^(-2 pi i j m/N) = e^(-2 pi i s m/N) e^(-2 pi i b m/N),

so about 2 sqrt(J) powers replace J of them, and the rest is one product of matrices.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate, repeat
from math import isqrt
from operator import mul
from typing import Any

import flint

from lapdp.accounting.moments.nodal import powers


class Turned:
    """Several such sums over the same nodes."""

    def __init__(self, terms: Sequence[tuple[int, Sequence[Any]]], turn: int) -> None:
        """Of j with the c of each sum; ``turn`` is N."""
        self.turn = turn
        self.width = isqrt(len(terms)) + 1
        self.starts: list[int] = []
        rows: list[list[list[Any]]] = []
        many = len(terms[0][1])
        for j, values in sorted(terms, key=lambda term: term[0]):
            if not self.starts or j >= self.starts[-1] + self.width:
                self.starts.append(j)
                rows.append([[flint.acb(0)] * self.width for _ in range(many)])
            for row, value in zip(rows[-1], values, strict=True):
                row[j - self.starts[-1]] = value
        self.tables = [flint.acb_mat([row[i] for row in rows]) for i in range(many)]

    def at(self, m: int) -> list[Any]:
        """The sums at m.

        >>> sums = Turned([(0, [flint.acb(1)]), (3, [flint.acb(2)])], 12)
        >>> sums.at(2)[0].overlaps(flint.acb(-1)), sums.at(1)[0].overlaps(flint.acb(1, -2))
        (True, True)
        """
        short = powers(root(-m, self.turn), self.width)[:self.width]
        long = flint.acb_mat([[root(-m * start, self.turn) for start in self.starts]])
        column = flint.acb_mat([[x] for x in short])
        return [(long * (table * column))[0, 0] for table in self.tables]


def row(terms: Sequence[tuple[int, Any]], turn: int, first: int, count: int) -> list[Any]:
    """The real parts of one such sum at so many whole numbers from one on: with m = first + a w + b
    a product of the matrices of c e^(-2 pi i j (first + a w)/N) and e^(-2 pi i j b/N).

    >>> terms = [(0, flint.acb(1)), (3, flint.acb(2))]
    >>> sums = Turned([(j, [c]) for j, c in terms], 12)
    >>> all(x.overlaps(sums.at(m)[0].real) for m, x in enumerate(row(terms, 12, 1, 30), 1))
    True
    """
    width = isqrt(count - 1) + 1
    height = -(-count // width)
    left = flint.acb_mat([_geometric(c * root(-j * first, turn), root(-j * width, turn), height)
                          for j, c in terms]).transpose()
    right = flint.acb_mat([_geometric(flint.acb(1), root(-j, turn), width) for j, _ in terms])
    found: list[Any] = (left.real * right.real - left.imag * right.imag).entries()
    return found[:count]


def _geometric(first: Any, ratio: Any, count: int) -> list[Any]:
    return list(accumulate(repeat(ratio, count - 1), mul, initial=first))


def root(part: int, turn: int) -> Any:
    """e^(2 pi i part/turn)."""
    sine, cosine = flint.arb.sin_cos_pi_fmpq(flint.fmpq(2 * (part % turn), turn))
    return flint.acb(cosine, sine)


__all__ = ["Turned", "root", "row"]
