"""The law of many copies of a loss with a density between two atoms, on its cells.

Let a loss have the mass a at l, b at l + w, and a density f between them, weighed by e^((gamma - 1)
z) and divided by all of it.  The law of n copies has atoms at n l + i w only, and a density on the
cells between them.  With f_j that of j draws from f, in Legendre polynomials on each of its cells,
x from 0 to 1 there,

    f_(j+1) on cell c  =  L f_j on cell c  +  U f_j on cell c - 1,
    (L g)(x) = the integral of f(x - y) g(y) from 0 to x,
    (U g)(x) = the integral of f(1 + x - y) g(y) from x to 1,

and of n copies cell m has the sum of C(n, j) C(n - j, i) b^i a^(n-j-i) times f_j on cell m - i.
As the integral I from 0 commutes with L, and P_(n+1) - P_(n-1) is 2 (2n + 1) I P_n, the columns of
L have a recurrence; by symmetry, and for U by reflection, it is needed below the diagonal only,
where it is stable (Hale and Townsend 2014, An algorithm for the convolution of Legendre series).

Degrees from D on are cut off: as |P_k| <= 1, the sum of what is cut off bounds it, and a draw more
makes no error of a density larger, as f is no more than a law.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

RHOS = (24.0, 16.0, 11.0, 8.0, 6.0, 4.5, 3.4, 2.7, 2.2, 1.85, 1.6, 1.42, 1.35, 1.3, 1.25, 1.2)
ARCS, ROUGH = 64, 64
"""How ellipses are looked at."""
MOST_DEGREE, MOST_DRAWS, MOST_CELLS, MOST_WORK = 304, 60, 3_000, 1e7
"""Of the polynomials; draws that are worked out; cells that count; products for all draws."""
STEP = 16
"""Of the numbers of nodes."""
SPARE, LOST = 24, 1.3
"""Bits more than are needed; those lost for a degree, by balls in a recurrence, and where Legendre
polynomials become powers."""


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


@dataclass(frozen=True)
class Law:
    """That of all copies, weighed, where it counts."""

    start: Any
    """The left end of the first cell."""
    width: Any
    atoms: list[Any]
    """At the left end of each cell, and the last one's right end."""
    cells: list[list[Any]]
    """The Legendre coefficients of the density in x, by cell."""
    moment: Any
    """E_gamma of all copies: what the law is divided by."""
    slip: Any
    """By how much the density in x may be off."""
    total: Any
    """A bound of the integral of that."""
    lost: Any
    """A bound of all mass elsewhere."""
    apart: Any
    """How far atoms may lie from the ends of the density, at most."""


def is_cell(s: PiecewiseSpectrum) -> bool:
    """Has it one piece, which is bounded, and atoms at its ends only, as it seems?"""
    if len(s.pieces) != 1 or not 0 < len(s.atoms) <= 2 or not s.pieces[0].is_invertible:
        return False
    if None in s.pieces[0].breakpoints:
        return False
    with workprec(ROUGH):
        ends = _ends(s)
        return all(any(atom.balls()[0].overlaps(end) for end in ends) for atom in s.atoms)


def _ends(s: PiecewiseSpectrum) -> list[Any]:
    return sorted((s.pieces[0].loss(flint.acb(end)).real for end in s.pieces[0].ends()), key=float)


@lru_cache(maxsize=8)
def law(s: PiecewiseSpectrum, copies: int, gamma: float, bits: int) -> Law:
    """To about 2^-bits of all of it.

    Raises :class:`Unsupported` where many draws from the density count, or its polynomial is long.
    """
    bits += copies.bit_length()
    # as doubles see it: where many count this is seen before anything is worked out
    _draws(1 - math.exp(min(0.0, s.log_atoms(gamma) - s.log_moment(gamma))), copies, bits)
    with workprec(bits + SPARE):
        low, high = _ends(s)
        masses, apart = [flint.arb(0), flint.arb(0)], flint.arb(0)
        for atom in s.atoms:
            loss, mass = atom.balls()
            side = int(not loss.overlaps(low))
            if side and not loss.overlaps(high):
                raise Unsupported("a loss has an atom that is no end of its density")
            end = (low, high)[side]
            apart += abs(loss - end).upper()
            masses[side] += mass * ((flint.arb(gamma) - 1) * end).exp()
        scale = flint.arb(s.log_moment(gamma)).exp()
        piece, width = s.pieces[0], high - low

        def density(x: Any) -> Any:
            z = low + width * x
            return piece.law(z) * ((flint.arb(gamma) - 1) * z).exp() * width

        found = series(density, float(scale.log()) - bits * LOG2)
        whole = sum(masses, found.coefficients[0] + flint.arb(0, found.error))
        a, b = (mass / whole for mass in masses)
        draws = _draws(min(1.0, float(1 - a - b)), copies, bits)
        error = (found.error / whole).upper()
        # the integrals of the density and of the size of its polynomial are no larger
        norm = (found.coefficients[0] / whole + 2 * error).upper()
    size = len(found.coefficients) + min(draws, 4 + bits // 6)
    work = size * size * draws * draws
    if work > MOST_WORK:
        raise Unsupported(f"{draws} draws from a density of degree {size} take {work} products")
    with workprec(bits + SPARE + 2 * draws):
        first, last = _window(float(a), float(b), copies, draws, bits)
        if last - first >= MOST_CELLS:
            raise Unsupported(f"{last - first + 1} cells count, more than {MOST_CELLS}")
        # what draws add is smooth: a few degrees more hold it
        padded = [*found.coefficients, *[flint.arb(0)] * (size - len(found.coefficients))]
        powers, slips = _powers(padded, whole, norm, draws)
        slip, total, pair = flint.arb(0), flint.arb(0), flint.arb_poly([a, b])
        for j in range(1, draws + 1):
            # F^j differs from f^j by j errors of one f, at a point and in its integral
            ways = math.comb(copies, j) * (a + b) ** (copies - j)
            more = j * error * norm ** (j - 1)
            slip += (ways * (slips[j - 1][0] + more)).upper()
            total += (ways * (slips[j - 1][1] + more)).upper()
        atoms = _cut(pair**copies, first, last + 1)
        cells = _cells(powers, pair, copies, (first, last)) if draws else [
            [flint.arb(0)] for _ in range(first, last + 1)]
        kept = sum(atoms, sum((cell[0] for cell in cells), flint.arb(0)))
        lost = (1 - kept).upper() + total
        with workprec(bits + SPARE + math.ceil(LOST * size)):
            # polynomials between them lose bits for each degree
            low, high = _ends(s)
            width = high - low
            start = low * copies + width * first
        return Law(start, width, atoms, cells, whole**copies, slip.upper(),
                   total.upper(), lost.upper(), (apart * copies).upper())


def _draws(share: float, copies: int, bits: int) -> int:
    """So many that more of them are next to nothing; a choice."""
    if not share > 0:
        return 0
    log, odds = copies * math.log1p(-min(share, 1 - 1e-16)), share / max(1 - share, 1e-16)
    for j in range(min(copies, MOST_DRAWS) + 1):
        if j > copies * share and log < -(bits + 2) * LOG2:
            return j
        log += math.log((copies - j) / (j + 1) * odds) if j < copies else 0.0
    if copies <= MOST_DRAWS:
        return copies
    raise Unsupported(f"more than {MOST_DRAWS} draws from a density count")


def _window(a: float, b: float, copies: int, draws: int, bits: int) -> tuple[int, int]:
    """The cells that count; a choice."""
    if copies <= 2 * draws + 16:
        return 0, copies - 1
    share = b / (a + b) if a + b > 0 else 0.5
    spread = math.sqrt(2 * LOG2 * (bits + 4) * copies * share * (1 - share)) + bits
    first = max(0, math.floor((copies - draws) * share - spread))
    return first, min(copies - 1, math.ceil(copies * share + spread) + draws)


def _cells(powers: list[list[list[Any]]], pair: Any, copies: int, ends: tuple[int, int]
           ) -> list[list[Any]]:
    """The sum over j of C(n, j) (a + b T)^(n-j) F_j(T), T for one cell to the right: that of the
    last power of a + b T which all of them have, and what is left."""
    draws, found = len(powers), []
    rest = [flint.arb_poly([1])]
    for _ in range(draws - 1):
        rest.append(rest[-1] * pair)
    rest = [math.comb(copies, draws - i) * p for i, p in enumerate(rest)]
    common = pair ** (copies - draws)
    for k in range(len(powers[0][0])):
        total = flint.arb_poly([])
        for j, cells in enumerate(powers, 1):
            total += rest[draws - j] * flint.arb_poly([cell[k] for cell in cells])
        found.append(_cut(total * common, *ends))
    return [list(cell) for cell in zip(*found, strict=True)]


def _cut(poly: Any, first: int, last: int) -> list[Any]:
    """The coefficients from one to another."""
    return [poly[k] for k in range(first, last + 1)]


def _powers(coefficients: list[Any], whole: Any, norm: Any, draws: int
            ) -> tuple[list[list[list[Any]]], list[tuple[Any, Any]]]:
    """The cells of f, f * f, ..., f being the polynomial over the whole, and by how much these may
    be off, at a point and in their integrals."""
    size = len(coefficients)
    lower, beyond = convolution(coefficients, size)
    mirrored, behind = convolution([-c if k % 2 else c for k, c in enumerate(coefficients)], size)
    both = flint.arb_mat([*lower, *reflected(mirrored)]).transpose() * (1 / whole)
    ends = [(x + y) / whole for x, y in zip(beyond, behind, strict=True)]
    f = [c / whole for c in coefficients]
    powers, slips = [[f]], [(flint.arb(0), flint.arb(0))]
    for _ in range(1, draws):
        cells = powers[-1]
        rows = (flint.arb_mat(cells) * both).tolist()
        zero = [flint.arb(0)] * size
        found = [[x + y for x, y in zip(here, there, strict=True)] for here, there in zip(
            [*(row[:size] for row in rows), zero], [zero, *(row[size:] for row in rows)],
            strict=True)]
        cuts = [sum((abs(c) * x for c, x in zip(cell, ends, strict=True)), flint.arb(0)).upper()
                for cell in cells]
        most, total = slips[-1]
        powers.append(found)
        slips.append(((most * norm + 2 * max(cuts)).upper(),
                      (total * norm + sum(cuts, flint.arb(0))).upper()))
    return powers, slips


__all__ = ["Law", "Series", "convolution", "is_cell", "law", "reflected", "series"]
