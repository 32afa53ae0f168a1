"""Functions on an interval as Legendre series with a proved error, and their convolutions.

With L and U the two halves of a convolution by a function f on [0, 1],

    (L g)(x) = the integral of f(x - y) g(y) from 0 to x,
    (U g)(x) = the integral of f(1 + x - y) g(y) from x to 1,

the integral I from 0 commutes with L, and P_(n+1) - P_(n-1) is 2 (2n + 1) I P_n: so the columns of
L have a recurrence; by symmetry, and for U by reflection, it is needed below the diagonal only,
where it is stable (Hale and Townsend 2014, An algorithm for the convolution of Legendre series).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments import legendre
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

RHOS = (24.0, 16.0, 11.0, 8.0, 6.0, 4.5, 3.4, 2.7, 2.2, 1.85, 1.6, 1.42, 1.35, 1.3, 1.25, 1.2)
ARCS, ROUGH = 64, 64
"""How ellipses are looked at."""
MOST_DEGREE, LOST = 304, 1.3
"""Of the polynomials; bits lost for a degree, by balls in a recurrence, and where Legendre
polynomials become powers."""
STEP = 16
"""Of the numbers of nodes."""


@dataclass(frozen=True)
class Series:
    """Legendre coefficients on [0, 1], exact numbers, and how far the function may be from it."""

    coefficients: list[Any]
    error: Any


def series(rule: Callable[[Any], Any], goal: float, most: int = MOST_DEGREE) -> Series:
    """Of a function that is analytic around [0, 1], to about e^goal: its values at the nodes of
    the Gauss-Legendre rule of as many nodes.

    With |F| <= M on the ellipse of rho, polynomials of degree N - 1 come as near as eta = 2 M
    rho^(1-N)/(rho - 1), and what is left of F has coefficients of at most (2k + 1) eta, as the
    weights sum to 2: together no more than (1 + N^2) eta.
    """
    best: tuple[int, float, Any] | None = None
    with workprec(ROUGH):
        for rho in RHOS:
            size = flint.arb(0)
            for arc in legendre.arcs(flint.arb(rho), ARCS):
                size = size.max(abs(rule((1 + arc) / 2)).upper())
                if not size.is_finite():
                    break
            if not size.is_finite() or not size > 0:
                continue
            need = float(size.log()) - goal + 2 * math.log(MOST_DEGREE) + 1 - math.log(rho - 1)
            count = max(4, math.ceil(need / math.log(rho)) + 2)
            if best is None or count < best[0]:
                best = count, rho, size
    if best is None:
        raise Unsupported("a density is not seen to be analytic around its interval")
    count, rho, size = best
    # in steps: what is known at the nodes serves other functions
    count = STEP * -(-count // STEP)
    if count > most:
        raise Unsupported(f"a density needs a polynomial of degree {count}, more than {most}")
    with workprec(flint.ctx.prec + math.ceil(LOST * count)):
        rows = [[value * p for p in at] for value, at in (
            (weight * rule(flint.acb((1 + x) / 2)).real / 2, at) for (x, weight), at in zip(
                legendre.rule(count), _at_nodes(count, flint.ctx.prec), strict=True))]
        error = 2 * size * flint.arb(rho) ** (1 - count) / (flint.arb(rho) - 1) * (1 + count**2)
        found, cut = [], math.exp(max(goal, -700.0))
        for k in range(count):
            c = sum((row[k] for row in rows), flint.arb(0)) * (2 * k + 1)
            found.append(c.mid())
            error += flint.arb(c.rad())
        # the bound is far above what is left
        left = flint.arb(0)
        while len(found) > 4 and left + abs(found[-1]) < cut:
            left += abs(found.pop())
    return Series(found, (error + left).upper())


@lru_cache(maxsize=16)
def _at_nodes(count: int, bits: int) -> list[list[Any]]:
    """The Legendre polynomials at the nodes of a rule."""
    with workprec(bits):
        right = [legendre_row(x, count) for x, _ in legendre.rule(count)[:(count + 1) // 2]]
    left = [[-p if k % 2 else p for k, p in enumerate(row)] for row in right[:count // 2]]
    return [*right, *reversed(left)]


def legendre_row(x: Any, count: int) -> list[Any]:
    """The first Legendre polynomials at a number, by their recurrence: where it lies in [-1, 1]
    balls lose bits in it for each degree."""
    found = [flint.arb(1), x]
    for k in range(1, count - 1):
        found.append(((2 * k + 1) * x * found[k] - k * found[k - 1]) / (k + 1))
    return found[:count]


def convolution(coefficients: Sequence[Any], size: int) -> tuple[list[list[Any]], list[Any]]:
    """The first rows and columns of L, and bounds of what each column has beyond them."""
    n = len(coefficients)
    with workprec(flint.ctx.prec + math.ceil(LOST * (n + size))):
        height = n + size + 1
        first = _integral([*coefficients, *[flint.arb(0)] * (height - n)])
        columns = [first, [2 * x - y for x, y in zip(_integral(first), first, strict=True)]]
        for j in range(1, size - 1):
            # below the diagonal only
            now, before, start = columns[j], columns[j - 1], j + 1
            column = [flint.arb(0)] * height
            for k in range(start, min(height - 1, n + j + 2)):
                column[k] = before[k] + (2 * j + 1) * (
                    now[k - 1] / (2 * k - 1) - now[k + 1] / (2 * k + 3))
            columns.append(column)
        columns = columns[:size]
    for j, column in enumerate(columns):
        for k in range(j):
            share = flint.arb(flint.fmpq(2 * k + 1, 2 * j + 1))
            column[k] = columns[k][j] * (share if (j + k) % 2 == 0 else -share)
    beyond = [sum((abs(x) for x in column[size:]), flint.arb(0)).upper() for column in columns]
    return [[+column[k] for column in columns] for k in range(size)], beyond


def _integral(values: Sequence[Any]) -> list[Any]:
    """I, without what has no room."""
    found = []
    for k in range(len(values)):
        before = values[k - 1] / (2 * k - 1) if k else values[0]
        after = values[k + 1] / (2 * k + 3) if k + 1 < len(values) else 0
        found.append((before - after) / 2)
    return found


def reflected(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    """R M R, R g being g(1 - x)."""
    return [[-x if (i + j) % 2 else x for j, x in enumerate(row)] for i, row in enumerate(rows)]


__all__ = ["LOST", "MOST_DEGREE", "Series", "convolution", "legendre_row", "reflected", "series"]
