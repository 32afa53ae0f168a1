"""The rule of :mod:`lapdp.accounting.inversion.split` in double precision, rounding bounded.

With more than J draws from the continuous parts the moments fall like u^-(J+1) along a line, beside
the 1/u^2 of the integral.  A million nodes in doubles cost less than what each draw more that is
taken apart costs, so J is small.  With a and d the moments of the atoms and of the rest of one
factor, divided by E_gamma, the rule is for

    prod (a + d)^k  less the terms of at most J draws of  prod sum_j C(k, j) a^(k-j) d^j,

and |x y - x' y'| <= |x| |y - y'| + |y| |x - x'| + |x - x'| |y - y'| bounds what is off in products.
"""

from __future__ import annotations

import math
from dataclasses import replace
from functools import lru_cache
from itertools import accumulate, product
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.contour import unfold
from lapdp.accounting.inversion.few import MOST_NEAR, few, is_bounded, pieced
from lapdp.accounting.inversion.machine import (
    BITS,
    GOAL,
    MARGIN,
    TOGETHER,
    Rows,
    Table,
    over_kernel,
)
from lapdp.accounting.inversion.machine_edges import edges_of
from lapdp.accounting.inversion.machine_parts import ROUNDED, Law, Numbers
from lapdp.accounting.inversion.saddle import Saddle, in_steps, saddle
from lapdp.accounting.inversion.split import FEW, draws_and_heights, without_atoms
from lapdp.accounting.moments.doubled import (
    DOUBLE,
    SAFE,
    UNIT,
    bits_for,
    joined,
    powered,
    sizes,
)
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_DRAWS = 5
MOST_NODES, MOST_CELLS = 500_000, 100_000_000
CELL, EDGE, NODE, DRAW = 0.004, 0.001, 0.12, 100
"""Microseconds for a term of a moment, for one of the ends of pieces, for a node, factor and draw,
and for one draw apart, which grow with the fifth power of their number, nearly."""
LINE, SHARE, SUM = 0.009, 10, 10
"""At every point: of a node, of each way in which draws fall to the factors, and of a sum of atoms
that reaches across it."""

def delta(factors: Factors, eps: Any, digits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about so many digits if doubles give them.

    Raises :class:`Unsupported` where some losses have neither atoms nor bounded pieces, where these
    are so few that no line is needed, and where doubles do not reach.
    """
    taken = in_pieces(factors)
    if taken is None or not is_bounded(taken):
        raise Unsupported("some losses have neither atoms nor bounded pieces")
    if taken.count <= FEW:
        raise Unsupported("so few releases need no line")
    bits = min(GOAL, 4 * math.ceil((digits / math.log10(2) + MARGIN) / 4))
    chosen = saddle(taken, float(eps), bits * LOG2)
    draws, nodes = choice(taken, chosen, bits * LOG2)
    with workprec(BITS):
        share = math.exp(max(-700.0, chosen.size - 5))
        return few(taken, draws, eps, bits, share) + beyond(taken, draws, chosen, nodes, eps)


def choice(factors: Factors, line: Saddle, goal: float, points: int = 1) -> tuple[int, int]:
    """How many draws are taken apart, for about so many points, and the nodes of the rule for all
    others."""
    found: list[tuple[float, int, int]] = []
    laws = [(s.span, edges_of(s, line.gamma)) for s, _ in pieced(factors)]
    for draws, height in draws_and_heights(factors, line, goal, MOST_DRAWS):
        nodes = math.ceil(min(height * line.period / (2 * math.pi), 1e9))
        nodes = in_steps(nodes + 1) + 1
        cells = 0.0
        for span, edges in laws:
            # from a height on by the ends of pieces
            low = height if edges is None else min(height, edges.start)
            cells += nodes * low / height * (20 + low * span / 2) if height else 0.0
            cells += nodes * EDGE / CELL * edges.terms if edges and low < height else 0.0
        if draws < factors.count and nodes <= MOST_NODES and cells <= MOST_CELLS:
            found.append((CELL * cells + NODE * nodes * len(laws) * (draws + 2)
                          + LINE * nodes * points
                          + DRAW * draws**5 + points * _at_a_point(factors, draws), draws, nodes))
    if not found:
        raise Unsupported(f"with {MOST_DRAWS} draws apart the rule needs too many nodes in doubles")
    _, draws, nodes = min(found)
    return draws, nodes


@lru_cache(maxsize=256)
def _at_a_point(factors: Factors, draws: int) -> float:
    """Microseconds for so many draws apart at one more point, nearly: sums of atoms are taken to be
    spread evenly."""
    known, total = pieced(factors), 0.0
    for shares in product(*(range(min(draws, k if s.pieces else 0) + 1) for s, k in known)):
        if sum(shares) <= draws:
            width = sum(n * s.span for (s, _), n in zip(known, shares, strict=True))
            spread = sum((k - n) * s.extent for (s, k), n in zip(known, shares, strict=True))
            ways = math.prod(math.comb(k - n + len(s.atoms) - 1, k - n) if s.atoms else 1
                             for (s, k), n in zip(known, shares, strict=True))
            total += SHARE + SUM * min(ways, MOST_NEAR) * width / max(width + spread, 1e-300)
    return total


def beyond(factors: Factors, draws: int, line: Saddle, nodes: int, eps: Any) -> Any:
    """The share of more than so many draws, at the working precision of the moment."""
    table = _table(factors, draws, line.gamma, line.period, nodes)
    here = replace(line, period=2 * flint.arb.pi() / flint.arb(table.step))
    return unfold(without_atoms(factors, draws), eps, here, table.total(eps))


@lru_cache(maxsize=16)
def _table(factors: Factors, draws: int, gamma: float, period: float, count: int) -> Table:
    step = 2 * math.pi / period
    with workprec(bits_for(step)):
        laws = [Law.of(s, k, gamma, step, count) for s, k in pieced(factors)]
        size = flint.arb(1)
        for law in laws:
            size *= law.mean ** law.copies
        low = math.nextafter(float((flint.arb(step) * (count - 1)).lower()), 0.0)
        bound = without_atoms(factors, draws).bound(gamma, low)
        rest = bound / (flint.arb.pi() * flint.arb(step) * (count - 1) * size)
        return Table(gamma, step, _rows(laws, draws, gamma, step, count), size, rest.upper(), [])


def _few(law: Law, draws: int, part: slice) -> list[Numbers]:
    """C(k, j) a^(k-j) d^j for j up to so many draws."""
    (atoms, pieces), k = law.numbers(part), law.copies
    most = min(draws, k)
    one = np.ones_like(atoms[0]), np.zeros_like(atoms[1])
    falling = list(accumulate([atoms] * most, times, initial=power(atoms, k - most, one)))
    rising = list(accumulate([pieces] * most, times, initial=one))
    return [scaled(times(x, y), math.comb(k, j)) for j, (x, y) in enumerate(
        zip(reversed(falling), rising, strict=True))]


def _rows(laws: list[Law], draws: int, gamma: float, step: float, count: int) -> Rows:
    values, errors = np.empty(count, dtype=complex), np.empty(count)
    for first in range(0, count, TOGETHER):
        part = slice(first, min(first + TOGETHER, count))
        whole: Numbers | None = None
        terms: list[Numbers] | None = None
        for law in laws:
            power_less = powered(*law.less(part), law.copies)
            whole = power_less if whole is None else joined(*whole, *power_less)
            row = _few(law, draws, part)
            terms = row if terms is None else multiplied(terms, row, draws)
        assert whole is not None and terms is not None
        value, off = 1 + whole[0], whole[1] + UNIT * sizes(1 + whole[0])
        for x, slip in terms:
            value = value - x
            off = off + slip + UNIT * sizes(value)
        u = step * np.arange(part.start, part.stop, dtype=float)
        values[part], errors[part] = over_kernel(value, off, u, gamma, DOUBLE)
    # where a bound is no number nothing is known
    return Rows(values, np.where(np.isfinite(errors), errors, np.inf), DOUBLE)


def times(x: Numbers, y: Numbers) -> Numbers:
    """Products, and bounds of what they are off."""
    (a, off), (b, slip) = x, y
    one, two = sizes(a), sizes(b)
    return a * b, SAFE * (one * slip + two * off + off * slip + ROUNDED * one * two) + 1e-300


def power(x: Numbers, count: int, one: Numbers) -> Numbers:
    """x^count, by squares."""
    found = one
    for bit in bin(count)[2:]:
        found = times(found, found)
        if bit == "1":
            found = times(found, x)
    return found


def scaled(x: Numbers, whole: int) -> Numbers:
    """Whole multiples."""
    value = x[0] * float(whole)
    return value, SAFE * (x[1] * float(whole) + ROUNDED * sizes(value))


def multiplied(one: list[Numbers], other: list[Numbers], draws: int) -> list[Numbers]:
    """Of polynomials, up to a degree."""
    found: list[Numbers] = []
    for j in range(min(draws, len(one) + len(other) - 2) + 1):
        value, off = 0.0, 0.0
        for i in range(max(0, j - len(other) + 1), min(j, len(one) - 1) + 1):
            x, slip = times(one[i], other[j - i])
            value = value + x
            off = off + slip + UNIT * sizes(value)
        found.append((value, SAFE * off))
    return found


__all__ = ["beyond", "choice", "delta"]
