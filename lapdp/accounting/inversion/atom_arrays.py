"""The sums of atoms of many releases, with probabilities, in double precision.

How often each of the atoms of one release occurs in k copies is multinomial: given how often some
occur, the next one does so with a binomial law among those that are left.  So arrays of sums, one
for each number of copies that are left, go from atom to atom, likely atoms last; what is likely
next to never is left out, and counted.  Counts are taken from near their means, so that places are
small numbers beside exact ones.

From a binomial probability in balls those next to it follow by quotients, each rounded four times.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.lattices_machine import Law
from lapdp.accounting.moments.doubled import SAFE, UNIT
from lapdp.core.effort import spend
from lapdp.core.errors import Unsupported

SEGMENT, QUOTIENT = 256, 4
"""Probabilities that follow from one in balls, and the roundings of each."""
MOST = 1_500_000
"""Sums of one array."""
MOST_STEPS = 20_000
"""Arrays that are made on the way."""
MOST_ATOMS, GRID = 400, 46
FEW = 50
"""Copies whose multisets are counted."""


@dataclass(frozen=True, eq=False)
class Sums:
    """Places beside an exact one, and their probabilities."""

    middle: Any
    places: Any
    off: float
    """A bound of what each place is off."""
    masses: Any
    units: float
    """A bound of the relative errors of the masses, in units."""
    slip: float
    """A bound of the sum of all other errors of the masses."""

    def __len__(self) -> int:
        return len(self.places)

    def joined(self, other: Sums) -> Sums:
        """The sums of both."""
        places = np.add.outer(self.places, other.places).ravel()
        masses = np.multiply.outer(self.masses, other.masses).ravel()
        return Sums(self.middle + other.middle, places,
                    SAFE * (self.off + other.off + UNIT * _reach(places)), masses,
                    self.units + other.units + 2, SAFE * (self.slip + other.slip + 2e-300 * len(
                        places)))

    def likely(self, least: float) -> Sums:
        """Without the least likely ones, that together make no more than ``least``."""
        order = np.argsort(self.masses)
        sums = np.cumsum(self.masses[order])
        many = int(np.searchsorted(sums, least))
        if not many:
            return self
        kept = np.sort(order[many:])
        return Sums(self.middle, self.places[kept], self.off, self.masses[kept], self.units,
                    SAFE * (self.slip + 2 * float(sums[many - 1])))


def _reach(places: Any) -> float:
    return float(np.abs(places).max(initial=0.0))


def of_law(law: Law) -> Sums:
    """The places of a lattice."""
    steps = np.arange(len(law.masses), dtype=float) - law.at
    step = float(law.step)
    places = steps * step
    off = (abs(law.step - step).upper() * len(places)) + flint.arb(UNIT * _reach(places))
    return Sums(law.middle, places, float(off.upper()), law.masses, 0.0,
                SAFE * law.error * len(places))


def of_atoms(atoms: Sequence[tuple[Any, Any]], count: int, least: float) -> Sums:
    """The sums of so many copies, for (loss, probability) in balls; what is less likely than
    ``least`` is left out.

    Raises :class:`Unsupported` where there are too many.
    """
    if len(atoms) > MOST_ATOMS:
        raise Unsupported(f"a release has {len(atoms)} atoms, more than {MOST_ATOMS}")
    rows = sorted(atoms, key=lambda row: float(row[1]))
    _refuse_many([float(p) for _, p in rows], count, least)
    means = [round(count * float(p)) for _, p in rows]
    middle = sum((n * z for n, (z, _) in zip(means, rows, strict=True)), flint.arb(0))
    grid = _Grid.of(rows, means, count, least)
    left: dict[int, tuple[Any, Any, Any]] = {count: (np.zeros(1), np.zeros(1), np.ones(1))}
    rest, lost, steps = flint.arb(1), 0.0, 0
    for i, (_, p) in enumerate(rows[:max(1, len(rows) - 1)]):
        found: dict[int, list[tuple[Any, Any, Any]]] = {}
        for many, (high, low, masses) in left.items():
            if len(rows) == 1:
                found.setdefault(0, []).append((high, low, masses))
                continue
            first, row, more = binomial(many, p / rest, least / float(masses.max()))
            lost += more * float(masses.sum())
            steps += len(row)
            if i == len(rows) - 2:
                # the last atom takes what is left
                counts = first + np.arange(len(row), dtype=float)
                up, down = (x + y for x, y in zip(grid.moved(i, counts), grid.moved(
                    i + 1, many - counts), strict=True))
                whole = np.multiply.outer(masses, row).ravel()
                kept = whole >= least
                lost += float(whole[~kept].sum())
                found.setdefault(0, []).append((
                    np.add.outer(high, up).ravel()[kept], np.add.outer(low, down).ravel()[kept],
                    whole[kept]))
                continue
            for j, chance in enumerate(row):
                here = masses * chance
                kept = here >= least
                lost += float(here[~kept].sum())
                if kept.any():
                    up, down = grid.moved(i, float(first + j))
                    found.setdefault(many - first - j, []).append((
                        high[kept] + up, low[kept] + down, here[kept]))
            if steps > MOST_STEPS:
                raise Unsupported(f"the sums of {count} copies of {len(rows)} atoms are too many")
        left = {many: (np.concatenate([x for x, _, _ in parts]), np.concatenate(
            [x for _, x, _ in parts]), np.concatenate([x for _, _, x in parts]))
            for many, parts in found.items()}
        for high, _, _ in left.values():
            grid.check(high)
        if sum(len(x) for x, _, _ in left.values()) > MOST:
            raise Unsupported(f"{count} copies of {len(rows)} atoms have more than {MOST} sums")
        rest = rest - p
    if not left:
        raise Unsupported("no sum of atoms is likely")
    high, low, masses = left[0]
    places, off = grid.placed(high, low, count)
    # the quotients of as many as occur, and of each atom a probability and a product
    units = QUOTIENT * min(count, len(rows) * SEGMENT) + 4 * len(rows)
    return Sums(middle, places, off, masses, units, SAFE * 2 * lost)


@dataclass(frozen=True)
class _Grid:
    """Losses as multiples of one number, whose sums are exact, and what they lack."""

    unit: float
    high: list[float]
    low: list[float]
    means: list[int]

    @staticmethod
    def of(rows: Sequence[tuple[Any, Any]], means: list[int], count: int, least: float) -> _Grid:
        goal, reach = -math.log(least), 0.0
        for z, p in rows:
            share = float(p)
            reach += abs(float(z)) * min(count, 4 * math.sqrt(goal * count * share) + goal + 1)
        unit = 2.0 ** (math.ceil(math.log2(reach + 1e-300)) - GRID)
        high = [round(float(z) / unit) * unit for z, _ in rows]
        return _Grid(unit, high, [float(z - x) for (z, _), x in zip(rows, high, strict=True)],
                     means)

    def moved(self, i: int, counts: Any) -> tuple[Any, Any]:
        """What so many of an atom add."""
        beside = counts - self.means[i]
        return beside * self.high[i], beside * self.low[i]

    def check(self, high: Any) -> None:
        """:class:`Unsupported` where sums so far may not be exact."""
        if _reach(high) >= self.unit * 2.0**51:
            raise Unsupported("the sums of atoms reach farther than doubles say")

    def placed(self, high: Any, low: Any, count: int) -> tuple[Any, float]:
        """Places, and a bound of what they are off: the sums of what losses lack are rounded as
        often as atoms move them, and the place itself."""
        places = high + low
        ops = 4 * min(len(self.high), 2 * count) + 4
        small = max(map(abs, self.low)) * 2 * (count + sum(self.means))
        return places, SAFE * UNIT * (_reach(places) + ops * small)


def _refuse_many(shares: Sequence[float], count: int, least: float) -> None:
    """:class:`Unsupported` where there seem to be far too many sums."""
    goal, many = -math.log(least), math.pi / 4
    for p in shares[:-1]:
        many *= min(count + 1.0, 2 * math.sqrt(2 * goal * count * p * (1 - p)) + 1)
    many = min(many, float(math.comb(len(shares) + min(count, FEW) - 1, min(count, FEW)))
               if count <= FEW else many)
    if many > 2 * MOST:
        raise Unsupported(f"{count} copies of {len(shares)} atoms have about {many:.1e} sums, more "
                          f"than {MOST}")


def binomial(count: int, share: Any, least: float) -> tuple[int, Any, float]:
    """From a first number on the probabilities of so many among ``count``, and a bound of the sum
    of all others, which are below ``least``, about.

    >>> first, row, rest = binomial(10, flint.arb("0.5"), 1e-3)
    >>> first, [round(float(x), 4) for x in row[:3]], rest < 1e-2
    (1, [0.0098, 0.0439, 0.1172], True)
    """
    p, other = float(share), float(1 - share)
    if not (p > 0 and other > 0):
        raise Unsupported("a share of an atom is not told from 0 or 1")
    mode = min(count, max(0, math.floor((count + 1) * p)))
    low, high = _end(count, p, other, mode, least, -1), _end(count, p, other, mode, least, 1)
    row = np.empty(high - low + 1)
    odds = float(share / (1 - share))
    for begin in range(low, high + 1, SEGMENT):
        end = min(begin + SEGMENT, high + 1)
        numbers = np.arange(begin, end - 1, dtype=float)
        factors = np.concatenate([[float(_probability(count, begin, share))],
                                  (count - numbers) / (numbers + 1) * odds])
        row[begin - low:end - low] = np.cumprod(factors)
    rest = 0.0
    if high < count:
        fall = (count - high) / (high + 1) * odds
        rest += float(row[-1]) * fall / (1 - fall) if fall < 1 else math.inf
    if low:
        fall = low / (count - low + 1) / odds
        rest += float(row[0]) * fall / (1 - fall) if fall < 1 else math.inf
    return low, row, min(1.0, SAFE * (1 + UNIT * QUOTIENT * SEGMENT) * rest)


def _probability(count: int, n: int, share: Any) -> Any:
    """In balls."""
    spend(100)
    size = flint.arb(count + 1).lgamma() - flint.arb(n + 1).lgamma() - flint.arb(
        count - n + 1).lgamma()
    if n:
        size += n * share.log()
    if n < count:
        size += (count - n) * (1 - share).log()
    return size.exp()


def _end(count: int, p: float, other: float, mode: int, least: float, side: int) -> int:
    """The last number on a side of the mode whose probability is above; a choice."""
    whole = math.lgamma(count + 1)

    def above(n: int) -> bool:
        return (whole - math.lgamma(n + 1) - math.lgamma(count - n + 1) + n * math.log(p)
                + (count - n) * math.log(other)) > math.log(least)

    near, far = mode, 0 if side < 0 else count
    if least >= 1 or not above(mode):
        return mode
    while near != far:
        middle = (near + far + (1 if side > 0 else 0)) // 2
        if above(middle):
            near = middle
        else:
            far = middle - side
    return near


__all__ = ["MOST", "Sums", "binomial", "of_atoms", "of_law"]
