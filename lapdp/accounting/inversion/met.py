"""delta of atoms on no lattice: all of their sums, met in the middle, in double precision.

With gamma >= 1, T and h as in :mod:`lapdp.accounting.inversion.lattices`, delta(eps) of the finite
losses is E_gamma e^((1 - gamma) eps) times the mean of h(Z - eps) under T.  Let Z = X + Y, of some
of the releases and of all others.  With the places x_j of X in order, r at or below some of them,
and the sums over all places from the m-th on

    B_m = sum of T_j e^(-gamma (x_j - r)),
    C_m = sum of T_j e^(-(gamma - 1) (x_j - r)) (1 - e^-(x_j - r)),

the mean of h(X - t) is, for x_m the first place above t and s = t - r,

    e^((gamma - 1) s) (C_m - (e^s - 1) B_m),

so that every place of Y takes one look at the places of X: a thousand million sums are a hundred
thousand looks.  One r serves a block of places; those beyond it are two numbers.

The slope of h is at most (gamma - 1) e^(-(gamma - 1) x) + gamma e^(-gamma x) for x > 0: what places
are off by counts for that much.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion import atom_classes, lattice, lattices_machine, wrapped
from lapdp.accounting.inversion.atom_arrays import MOST, Sums, of_atoms, of_law
from lapdp.accounting.inversion.contour import LEAST, below
from lapdp.accounting.inversion.machine import roundings, running, tree
from lapdp.accounting.inversion.saddle import saddle, weighed
from lapdp.accounting.inversion.wrapped import Window
from lapdp.accounting.moments.doubled import SAFE, UNIT
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.exponentials import FARTHEST, falling, risen
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

BITS = 64
"""Of the ball around the sum."""
MARGIN, SPARE = 3, 60
BLOCK = 20.0
"""Of gamma times a length."""
MOST_BLOCKS, SMALL = 5_000, 0.05
FEW, PAIR, PRUNED = 3, 2, 100.0
"""Atoms of which many copies have few sums; a pair; by how much sums may be fewer in the end."""
MOST_PARTS, MOST_TOGETHER = 10, 1_000
"""Arrays of sums; copies of more atoms in one of them."""
UNLIKELY, MOST_GOAL = 1e-6, 600.0
"""Of what may be left out, for one sum; a logarithm of that in all."""


def delta(factors: Factors, eps: Any, digits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about so many digits if doubles give them.

    Raises :class:`Unsupported` where some losses are no atoms, and where sums are too many.
    """
    bits = math.ceil(digits / math.log10(2)) + MARGIN
    if not atom_classes.reaches(factors):
        raise Unsupported("some losses are no atoms")
    chosen = saddle(factors, float(eps), bits * LOG2)
    if chosen.size < LEAST:
        return below(factors, eps, chosen.gamma)
    gamma, more = weighed(factors, float(eps), bits + 4, chosen)
    goal = 4 * LOG2 * math.ceil(more / 4)
    if goal > MOST_GOAL:
        raise Unsupported("what counts is too little beside all that there is for doubles")
    with workprec(SPARE + bits + factors.count.bit_length() + int(gamma).bit_length() + 60):
        found = _halves(factors, gamma, goal)
        mean, error = _mean(found, eps, gamma)
        size = ((1 - flint.arb(gamma)) * eps).exp() * found.size
        return size * (flint.arb(mean) + flint.arb(0, error))


@dataclass(frozen=True, eq=False)
class _Halves:
    """X in order, Y, and E_gamma; what is left out of the laws, as a share."""

    table: _Table
    others: Sums
    size: Any
    moved: float


@lru_cache(maxsize=4)
def _halves(factors: Factors, gamma: float, goal: float) -> _Halves:
    laws, others = _on_lattices(factors, gamma, goal)
    least = math.exp(-goal)
    known, size, moved = [], flint.arb(1), flint.arb(0)
    rows = []
    for spectrum, count in others:
        atoms, whole, beside = _atoms(spectrum, gamma)
        size *= whole ** count
        # (1 + x)^k - 1
        moved += (count * (beside / whole).log1p()).expm1()
        rows += [(atoms, many) for many in _copies(len(atoms), count)]
    if len(rows) + len(laws) > MOST_PARTS:
        raise Unsupported(f"more than {MOST_PARTS} arrays of sums are to be joined")
    most = math.prod([window.places for window in laws] + [
        math.comb(len(atoms) + many - 1, many) for atoms, many in rows if len(atoms) > FEW])
    if most > float(MOST) ** 2 * PRUNED or any(window.places > MOST for window in laws):
        raise Unsupported(f"the atoms have about {most:.1e} sums")
    for window in laws:
        law = lattices_machine.law_of(window, gamma, goal, flint.ctx.prec)
        known.append(of_law(law))
        size, moved = size * law.size, moved + law.moved
    known += [of_atoms(atoms, many, least * UNLIKELY) for atoms, many in rows]
    if not moved < flint.arb("0.1"):
        raise Unsupported("more than a share of the atoms is left out")
    parts = [part.likely(least) for part in known]
    first, second = _parted(parts)
    # (1 + x) (1 + y) ... is at most 1 + 2 sum of x
    return _Halves(_Table.of(first, gamma), second, size, float((2 * moved).upper()))


def _atoms(spectrum: Any, gamma: float) -> tuple[list[tuple[Any, Any]], Any, Any]:
    """(loss, probability) on the line, the sum of all weights, and a bound of those left out."""
    line = spectrum.line(flint.arb(gamma), 1.0, BITS)
    if isinstance(spectrum, MixedThetaSpectrum):
        rows, beside = [(z, w) for w, z in line.nodes.pairs], line.left_out
    else:
        rows, beside = [(place, flint.acb(mass).real) for place, mass in line.atoms], flint.arb(0)
    whole = sum((w for _, w in rows), flint.arb(0))
    return [(z, w / whole) for z, w in rows], whole, beside


def _copies(atoms: int, count: int) -> list[int]:
    """All copies, as one array or several.

    Raises :class:`Unsupported` where there are too many of these.

    >>> _copies(3, 10**6), _copies(30, 8)
    ([1000000], [4, 4])
    """
    if count == 1 or atoms <= FEW or (
            count <= MOST_TOGETHER and math.comb(atoms + count - 1, count) <= MOST // 8):
        return [count]
    if count > MOST_PARTS * MOST_TOGETHER:
        raise Unsupported(f"{count} copies of {atoms} atoms have too many sums")
    half = count // 2
    return _copies(atoms, half) + _copies(atoms, count - half)


def _on_lattices(factors: Factors, gamma: float, goal: float) -> tuple[list[Window], list[Any]]:
    """Windows of lattices, and what is taken atom by atom: what lies on no lattice, and what has
    two losses.  Releases that share a lattice are taken together where that makes it shorter."""
    groups, others = lattice.grouped(factors)
    found = []
    for group in groups:
        pairs = [part for part in group.parts if isinstance(part[0], ExactSpectrum) and len(
            part[0].loss.impulses) <= PAIR]
        alone = [wrapped.window(Factors((part,)), gamma, goal) for part in group.parts
                 if part not in pairs]
        shared = wrapped.window(group, gamma, goal)
        many = math.prod([window.places for window in alone] + [
            min(k + 1, math.ceil(4 * math.sqrt(goal * k))) for _, k in pairs])
        if shared.places <= min(many, MOST):
            found.append(shared)
        else:
            found += alone
            others = [*others, *pairs]
    return found, others


def _parted(parts: Sequence[Sums]) -> tuple[Sums, Sums]:
    """Two arrays of sums, as short as they can be."""
    ordered = sorted(parts, key=len, reverse=True)
    ways = []
    for way in range(1 << (len(ordered) - 1)):
        sizes = [1.0, 1.0]
        for i, part in enumerate(ordered):
            sizes[way >> i & 1 if i < len(ordered) - 1 else 0] *= len(part)
        ways.append((max(sizes), sum(sizes), way))
    most, _, way = min(ways)
    if most > MOST:
        raise Unsupported(f"the atoms have more than {MOST} sums on either side of the middle")
    halves: list[Sums | None] = [None, None]
    for i, part in enumerate(ordered):
        side = way >> i & 1 if i < len(ordered) - 1 else 0
        before = halves[side]
        halves[side] = part if before is None else before.joined(part)
    one, two = (half if half is not None else Sums(
        flint.arb(0), np.zeros(1), 0.0, np.ones(1), 0.0, 0.0) for half in halves)
    return (one, two) if len(one) >= len(two) else (two, one)


@dataclass(frozen=True, eq=False)
class _Table:
    """Places in order, the r of their blocks, and the sums B and C from each of them on."""

    sums: Sums
    gamma: float
    places: Any
    blocks: Any
    lower: Any
    both: Any
    units: float
    """A bound of the relative errors of these, in units, but for the masses."""

    @staticmethod
    def of(sums: Sums, gamma: float) -> _Table:
        order = np.argsort(sums.places)
        places, masses = sums.places[order], sums.masses[order]
        width = BLOCK / gamma
        index = np.floor((places - places[0]) / width)
        cuts = np.flatnonzero(np.diff(index)) + 1
        if len(cuts) > MOST_BLOCKS:
            raise Unsupported(f"the places fill more than {MOST_BLOCKS} blocks")
        begins = [0, *cuts.tolist(), len(places)]
        # a place itself begins a block: nothing is below it
        starts = places[begins[:-1]]
        blocks = np.repeat(starts, np.diff(begins))
        gap, steps = places - blocks, np.diff(starts)
        fallen = falling((gamma - 1) * gap)
        lower, both = masses * falling(gamma * gap), masses * fallen * risen(gap)
        falls, flats, rises = falling(gamma * steps), falling((gamma - 1) * steps), risen(steps)
        beyond, above = 0.0, 0.0
        for i in range(len(starts) - 1, -1, -1):
            part = slice(begins[i], begins[i + 1])
            if i < len(steps):
                above = float(flats[i] * (above + rises[i] * beyond))
                beyond = float(falls[i] * beyond)
            lower[part] = _suffixes(lower[part]) + beyond
            both[part] = _suffixes(both[part]) + above
            beyond, above = float(lower[begins[i]]), float(both[begins[i]])
        longest = max(b - a for a, b in pairwise(begins))
        # a factor, its exponent, running sums; from block to block a few
        units = 8 * FARTHEST + 180 + roundings(longest) + 16 * len(begins)
        return _Table(sums, gamma, places, blocks, lower, both, units)

    def means(self, points: Any) -> tuple[Any, Any, Any]:
        """The means of h(X - t), of e^(-gamma (X - t)) for X > t, and what may be lost of the first
        to rounding, over the units."""
        at = np.searchsorted(self.places, points, side="right")
        inside = at < len(self.places)
        at = np.where(inside, at, 0)
        s = np.where(inside, points - self.blocks[at], 0.0)
        up, down = np.maximum(s, 0.0), np.maximum(-s, 0.0)
        flat = falling((self.gamma - 1) * down) / falling((self.gamma - 1) * up)
        steep = falling(self.gamma * down) / falling(self.gamma * up)
        b, c = self.lower[at], self.both[at]
        less = risen(up) / falling(up) * b
        more = c + risen(down) * b
        return (np.where(inside, flat * (more - less), 0.0), np.where(inside, steep * b, 0.0),
                np.where(inside, flat * (more + less), 0.0))


def _suffixes(x: Any) -> Any:
    """The sums from each on."""
    return running(x[::-1])[:0:-1]


def _mean(found: _Halves, eps: Any, gamma: float) -> tuple[float, float]:
    """The mean of h(Z - eps), and a bound of its error."""
    table, others = found.table, found.others
    start = eps - table.sums.middle - others.middle
    near = float(start)
    points = near - others.places
    off = SAFE * (float(abs(start - near).upper()) + others.off + table.sums.off + UNIT * float(
        np.abs(points).max()))
    masses = others.masses
    values, _, gross = table.means(points)
    total, every = float(tree(masses * values)), float(tree(masses * gross))
    # places may be off: the slope of h, where it is largest
    nearer, steep, _ = table.means(points - 2 * off)
    slope = ((gamma - 1) * (np.maximum(nearer, 0.0) + steep) + gamma * steep)
    bent = off * float(tree(masses))
    if gamma * off < SMALL:
        # it grows by less than a half from there to where places may be
        bent = min(bent, 2 * off * float(tree(masses * slope)))
    # h is at most c
    c = (1 - 1 / gamma) ** (gamma - 1) / gamma if gamma > 1 else 1.0
    units = table.units + table.sums.units + others.units + 2 * math.log2(len(points) + 2) + 200
    error = (units * UNIT * every + bent + 2 * c * (
        found.moved + table.sums.slip + others.slip) + 4 * math.exp(BLOCK - FARTHEST))
    return total, SAFE * error


__all__ = ["BITS", "delta"]
