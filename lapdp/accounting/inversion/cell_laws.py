"""The law of many copies of a loss with a density between two atoms, on its cells.

Let a loss have the mass a at l, b at l + w, and a density f between them, weighed by e^((gamma - 1)
z) and divided by all of it.  The law of n copies has atoms at n l + i w only, and a density on the
cells between them.  With f_j that of j draws from f, in Legendre polynomials on each of its cells,
x from 0 to 1 there,

    f_(j+1) on cell c  =  L f_j on cell c  +  U f_j on cell c - 1,
    (L g)(x) = the integral of f(x - y) g(y) from 0 to x,
    (U g)(x) = the integral of f(1 + x - y) g(y) from x to 1,

and of n copies cell m has the sum of C(n, j) C(n - j, i) b^i a^(n-j-i) times f_j on cell m - i.
L and U are those of :mod:`lapdp.accounting.moments.legendre_series`.

Degrees from D on are cut off: as |P_k| <= 1, the sum of what is cut off bounds it, and a draw more
makes no error of a density larger, as f is no more than a law.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments.legendre_series import LOST, convolution, reflected, series
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_DRAWS, MOST_CELLS, MOST_WORK = 60, 3_000, 1e7
"""Draws that are worked out; cells that count; products for all draws."""
SPARE, ROUGH = 24, 64
"""Bits more than are needed, and of what is looked at first."""


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


__all__ = ["SPARE", "Law", "is_cell", "law"]
