"""delta of few copies of many atoms on no lattice: all sums of half of them beside all others.

Of k copies the sums of losses are as many as the ways to count how often each atom occurs; with A
and B the sums of one half of the copies and of the other,

    delta(eps) = sum over a of p_a sum over b, a + b > eps, of p_b (1 - e^(eps - a - b)).

With Y = e^(eps - a) - 1 and y = e^-b - 1 the last factor is -Y - (1 + Y) y: for sorted b two
running sums serve every a, so that there are as many terms as sums in both halves, not as pairs.

What a state of few copies may add is at most its mass times the profile of all copies at what is
left of eps, which is bounded on a grid (:mod:`lapdp.accounting.inversion.half_bounds`): where that
is next to nothing it is left out, and counted.  Such bounds hold for every larger eps, too: what is
made for one serves those a little above it.

Small losses, up to some c, are taken together, as one of the likelihood ratio of their masses
(:mod:`lapdp.accounting.inversion.half_laws`).  That changes delta by psi, the mean of max(0, R -
e^t) for t >= 0 and of max(0, e^t - R) for t < 0, at t = eps less all losses, where R, of mean 1, is
the ratio of all that were taken together: at most half the root of the variance of R, and e^(-s t)
E_P[R^s] or e^((1 + s) t) E_Q[R^-s].  As more copies make psi no less, it is that of all copies.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.half_bounds import Bound, bounds
from lapdp.accounting.inversion.half_laws import Atoms, Faint, atoms, less_one, lumped
from lapdp.accounting.inversion.machine import roundings, running, tree
from lapdp.accounting.inversion.same_lines import current
from lapdp.accounting.moments.doubled import SAFE, UNIT
from lapdp.accounting.moments.factors import Factors
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported

BITS, HALVES = 128, "halves"
"""Of balls; what a search knows by."""
MOST_COPIES, MOST_STATES, MOST_LIKELY = 2_000, 500_000, 3e6
"""Releases, states that are held, and states that may be expected."""
LESS, LEAST_OFF, WHOLE = 4.0, 2.0, 60
"""Units that e^x - 1 is off, of e^x and of 1; bits of whole numbers."""
SPARE, FINER, TRIES, SHORT, LEAST = 18.0, 6.0, 3, 40, 1e-280
"""Bits below the answer of what is left out; steps of more bits, where that is too much; bits of
atoms beyond those of the answer; the least delta."""
WIDER, LEVELS, STEPS = 4.0, 16, 64
"""By how much less is taken together in the next of so many tries; parts of 1 for an eps."""


def delta(factors: Factors, eps: Any, digits: int) -> Any:
    """A ball around delta(eps) of the finite losses, eps >= 0, to about so many digits if doubles
    give them.

    Raises :class:`Unsupported` where losses are no atoms, or have too many sums.
    """
    if factors.count > MOST_COPIES:
        raise Unsupported(f"{factors.count} releases, more than {MOST_COPIES}")
    bits = math.ceil(digits / math.log10(2)) + 2
    near, search = float(eps), current()
    # one for all that are little larger
    mantissa, power = math.frexp(near)
    anchor = math.ldexp(math.floor(STEPS * mantissa), power) / STEPS
    _, bound = _known(factors, anchor, bits)
    if not bound.size > LEAST:
        raise Unsupported("delta is too small for doubles")
    served = {} if search is None else search.noisy.setdefault((HALVES, factors), {})
    seen = -1
    for level in range(int(served.get(0.0, 0)), LEVELS):
        rows = _lumped(factors, anchor, bits, level)
        many = sum(len(row.losses) for row, _ in rows)
        if many == seen:
            continue
        seen = many
        found = _try(factors, anchor, bits, level, eps)
        if found is not None:
            served[0.0] = level
            return found
        if all(faint is None for _, faint in rows):
            break
    raise Unsupported("sums of losses in doubles do not give so many digits")


@lru_cache(maxsize=4)
def _known(factors: Factors, anchor: float, bits: int) -> tuple[list[Atoms], Bound]:
    parts = [atoms(s, k, bits + SHORT) for s, k in factors.parts]
    bound = bounds(parts, anchor)
    if bound.size > LEAST:
        size = math.floor(math.log2(bound.size))
        if size < -SHORT / 2:
            # atoms that are rarer count
            parts = [atoms(s, k, bits + SHORT - size) for s, k in factors.parts]
            bound = bounds(parts, anchor)
    return [_counting(part, bound, anchor, bits) for part in parts], bound


def _counting(part: Atoms, bound: Bound, anchor: float, bits: int) -> Atoms:
    """Without losses at which next to nothing can be added, as all those far below eps: the unit of
    sums may be smaller."""
    most = SAFE * part.masses * bound.at(anchor - part.losses - 1e-12 * abs(part.losses))
    keep = most > bound.size * 2.0 ** -(bits + SHORT)
    if keep.all() or not keep.any():
        return part
    return replace(part, losses=part.losses[keep], masses=part.masses[keep],
                   balls=[ball for ball, kept in zip(part.balls, keep, strict=True) if kept],
                   rest=part.rest + SAFE * float(most[~keep].sum()))


@lru_cache(maxsize=32)
def _lumped(factors: Factors, anchor: float, bits: int, level: int
            ) -> list[tuple[Atoms, Faint | None]]:
    """What is taken together at one of the levels."""
    parts, bound = _known(factors, anchor, bits)
    return [lumped(part, bound.reach * WIDER ** -level) for part in parts]


@dataclass(frozen=True, eq=False)
class Law:
    """Sums of losses, as whole numbers of a small unit, with their masses."""

    losses: Any
    masses: Any
    out: float
    """At most what was left out may add."""
    copies: int
    units: float
    """That masses are off."""


def _try(factors: Factors, anchor: float, bits: int, level: int, eps: Any) -> Any | None:
    """A ball, or None where it has too few bits."""
    rows, (_, bound) = _lumped(factors, anchor, bits, level), _known(factors, anchor, bits)
    spare = SPARE
    for _ in range(TRIES):
        one, two, scale = _halves(factors, anchor, bits, level, spare)
        value, slack, most = _met(one, two, eps, scale)
        if slack > value * 2.0 ** -(bits + 1):
            value, slack, _ = _met(one, two, eps, scale, most)
        rest = sum(row.rest * row.copies for row, _ in rows)
        out = SAFE * (one.out + two.out + rest)
        more = _moved([faint for _, faint in rows if faint is not None], one, two, eps, bits,
                      bound.size, scale)
        total = flint.arb(value, slack) + flint.arb(0).union((flint.arb(out) + more).upper())
        if total.rel_accuracy_bits() >= bits:
            return total
        if not value > 0 or out < value * 2.0 ** -(bits + 2) or more.upper() > (
                value * 2.0 ** -bits):
            return None
        spare += FINER * math.ceil(max(1.0, (math.log2(out / value) + bits) / FINER))
    return None


@lru_cache(maxsize=2)
def _halves(factors: Factors, anchor: float, bits: int, level: int, spare: float
            ) -> tuple[Law, Law, int]:
    """Both of them, and the unit of their losses, 2 to its negative."""
    rows, (_, bound) = _lumped(factors, anchor, bits, level), _known(factors, anchor, bits)
    split: tuple[list[tuple[Atoms, int]], list[tuple[Atoms, int]]] = [], []
    likely = [0.0, 0.0]
    for row, _ in sorted(rows, key=lambda one: -one[0].likely(one[0].copies)):
        for share in (row.copies - row.copies // 2, row.copies // 2):
            if share:
                side = int(likely[1] < likely[0])
                split[side].append((row, share))
                likely[side] += row.likely(share)
    if max(likely) > math.log(MOST_LIKELY):
        raise Unsupported(f"losses have about e^{max(likely):.0f} sums of half of them")
    # sums of all copies, and eps, are such numbers
    top = 2 * anchor + sum(row.copies * float(abs(row.losses).max()) for row, _ in rows)
    scale = WHOLE - math.ceil(math.log2(max(top, 2.0**-900)))
    least = bound.size * 2.0 ** -(bits + spare)
    one = _law(split[0], bound, anchor, least, scale)
    two = one if split[0] == split[1] else _law(split[1], bound, anchor, least, scale)
    return one, two, scale


def _fixed(x: Any, scale: int) -> int:
    """A ball as a whole number of the unit 2^-scale: off by less than one of them."""
    return int((x.mid() * flint.arb(2) ** scale + flint.arb("0.5")).floor().unique_fmpz())


def _law(half: list[tuple[Atoms, int]], bound: Bound, anchor: float, least: float, scale: int
         ) -> Law:
    """All sums of some copies but those that count for next to nothing at eps from the anchor on.

    What is taken together comes at the end: before it the bounds are those of losses as they are.
    """
    loss, mass, out, units = np.zeros(1, dtype=np.int64), np.ones(1), 0.0, 0.0
    point, unit = _fixed(flint.arb(anchor), scale), math.ldexp(1.0, -scale)
    together: list[Any] = []
    for row, copies in half:
        left = np.full(len(loss), copies)
        for i in range(len(row.losses) - 1):
            step, here, after = (_fixed(row.balls[i][0], scale), _powers(row.tails[i], copies),
                                 _powers(row.tails[i + 1], copies))
            kept, n, many = [], 0, 0
            state = loss, mass, left, *together
            while len(state[0]):
                z, p, rest, *others = state
                spend(150 + len(z) / 6)
                size = p * np.minimum(bound.at((point - z) * unit), after[rest])
                keep = size > least
                out += SAFE * float(size[~keep].sum())
                kept.append([x[keep] for x in state])
                many += len(kept[-1][0])
                if many > MOST_STATES:
                    raise Unsupported(
                        f"losses have more than {MOST_STATES} sums of half of them")
                # one of this atom more; what is left out is all that have so many of it or more
                n += 1
                more = rest > 0
                z, p, rest, *others = (x[more] for x in state)
                z, p, rest = z + step, p * rest * (row.masses[i] / n), rest - 1
                size = p * np.minimum(bound.at((point - z) * unit), here[rest])
                keep = size > least
                out += SAFE * float(size[~keep].sum())
                state = tuple(x[keep] for x in (z, p, rest, *others))
            loss, mass, left, *together = (np.concatenate(x) for x in zip(*kept, strict=True))
        together.append(left)
        units += 6 * copies + 4
    for (row, copies), left in zip(half, together, strict=True):
        mass = mass * _powers(float(row.masses[-1]), copies)[left]
        loss = loss + left * _fixed(row.balls[-1][0], scale)
    return Law(loss, mass, out, sum(copies for _, copies in half), units)


def _powers(x: float, count: int) -> Any:
    """x^0 to x^count: each factor is rounded once."""
    found = np.full(count + 1, x)
    found[0] = 1.0
    return np.cumprod(found)


def _met(one: Law, two: Law, eps: Any, scale: int, centre: int = 0) -> tuple[float, float, int]:
    """delta of both together, at most what it is off, and about the b that count for most: if
    losses are counted from there on less cancels."""
    if not len(one.losses) or not len(two.losses):
        return 0.0, 0.0, 0
    unit = math.ldexp(1.0, -scale)
    order = np.argsort(-two.losses)
    b, p = two.losses[order], two.masses[order]
    t = _fixed(eps, scale) - one.losses
    # those with b > t
    count = np.searchsorted(-b, -t, side="left")
    near = np.searchsorted(-b, -(t - 2 * (one.copies + two.copies + 1)), side="right")
    here, there = (t - centre) * unit, (b - centre) * unit
    ratio, y = less_one(here), less_one(-there)
    sums, means, sizes, slips = (running(x) for x in (p, p * y, p * abs(y), p * _off(
        there, y)))
    # of a pair 1 - e^(t - b), in which the centre drops out
    whole = -ratio * sums[count] - (1 + ratio) * means[count]
    value = float(tree(one.masses * whole))
    weight = float(tree(one.masses * (abs(ratio) * sums[count] + (1 + ratio) * sizes[count])))
    units = roundings(len(p)) + 16
    # of masses, and of sums of what is positive
    more = 2 * math.ceil(math.log2(len(t) + 1)) + 8 + one.units + two.units
    # numbers are rounded before their powers of e are taken
    rounded = float(tree(one.masses * ((1 + ratio) * slips[count] + _off(here, ratio) * (
        sums[count] + means[count]))))
    # losses are off by less than a unit for each copy: max(0, 1 - e^-x) rises by no more than x
    moved = (one.copies + two.copies + 1) * unit * float(tree(one.masses * sums[near]))
    mean = float(tree(one.masses * whole * here)) / value if value > 0 else 0.0
    return (value, SAFE * (UNIT * (units * weight + more * abs(value) + 2 * rounded) + moved),
            centre + int(math.ldexp(mean, scale)))


def _off(x: Any, less: Any) -> Any:
    """Units that e^x - 1, or e^-x - 1, is off: x is rounded, and then it."""
    return (1 + less) * abs(x) + (LESS * (1 + less) + LEAST_OFF) * np.minimum(1.0, 128 * abs(x))


def _moved(faint: list[Faint], one: Law, two: Law, eps: Any, bits: int, size: float, scale: int
           ) -> Any:
    """All that losses taken together may add."""
    if not faint or not len(one.losses) or not len(two.losses):
        return flint.arb(0)
    goal = math.log(size) - (bits + 6) * math.log(2)
    variance = flint.arb(1)
    for x in faint:
        variance *= (1 + x.variance) ** x.copies
    most = ((variance - 1).upper().max(flint.arb(0)).sqrt() / 2).upper()
    far = max(_reach(faint, 1, goal), _reach(faint, -1, goal))
    order = np.argsort(two.losses)
    b, sums = two.losses[order], running(two.masses[order])
    t = _fixed(eps, scale) - one.losses
    gap = min(math.ceil(math.ldexp(far, scale)) + 2 * (one.copies + two.copies + 1), 1 << 62)
    high = np.searchsorted(b, t + gap, side="right")
    low = np.searchsorted(b, t - gap, side="left")
    inside = np.where(high > low, sums[high] - sums[low], 0.0)
    mass = float(tree(one.masses * inside)) + 1e3 * UNIT * float(tree(one.masses * np.where(
        high > low, sums[high], 0.0)))
    # beyond it the bound is e^goal, on either side
    return flint.arb(0).union((most * SAFE * mass + 2 * flint.arb(goal).exp()).upper())


def _reach(faint: list[Faint], side: int, goal: float) -> float:
    """A distance from which on psi is at most e^goal."""
    best = math.inf
    for j in range(len(faint[0].orders)):
        s = faint[0].orders[j]
        log = sum(x.copies * x.moments[side > 0][j] for x in faint)
        best = min(best, (log - goal) / s)
    return max(best, 0.0) * SAFE


__all__ = ["BITS", "delta"]
