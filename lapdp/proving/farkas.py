"""Linear certificates: numbers that combine given polynomials to a wanted one, exactly.

A revised simplex method over the rationals, first phase: of a table only the inverse of the basis
is kept, with one row for each monomial, where columns are many.  Which column enters is told by
doubles that follow the exact prices; each is looked at exactly before it enters, and all are before
the search gives up.  The answer is only a proposal, which the kernel's ``arith`` multiplies out.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

Vector = Mapping[Any, int | Fraction]
Column = list[tuple[int, Any]]
MOST_PIVOTS = 1000
TINY = 1e-9
"""A price in doubles below this one is looked at exactly."""
BLOCK = 16
"""So many at a time."""
ZERO, ONE = fmpq(0), fmpq(1)


def combination(columns: Sequence[Vector], free: Sequence[bool], target: Vector,
                limit: int = MOST_PIVOTS) -> list[Fraction] | None:
    """Weights w with sum of w_i columns[i] = target, w_i >= 0 unless free[i]; None: none found.

    >>> x, y = {"x": Fraction(1)}, {"y": Fraction(1)}
    >>> [int(w) for w in combination([x, y], [False, False], {"x": Fraction(2), "y": Fraction(3)})]
    [2, 3]
    """
    place: dict[Any, int] = {}
    coded = [[(place.setdefault(k, len(place)), v) for k, v in c.items() if v] for c in columns]
    wanted = {place.get(k, -1): v for k, v in target.items() if v}
    if -1 in wanted or (useful := _useful(coded, free, wanted, len(place))) is None:
        return None
    row = {i: n for n, i in enumerate(dict.fromkeys([
        *wanted, *(i for j in useful for i, _ in coded[j])]))}
    right = [fmpq(*Fraction(wanted.get(i, 0)).as_integer_ratio()) for i in row]
    turned = {i: -1 if r < 0 else 1 for i, r in zip(row, right, strict=True)}
    signed = [(j, sign) for j in useful for sign in ((1, -1) if free[j] else (1,))]
    program = _Program([[(row[i], fmpq(sign * turned[i] * v.numerator, v.denominator))
                         for i, v in coded[j]] for j, sign in signed], [abs(r) for r in right])
    weights = program.solved(limit)
    if weights is None:
        return None
    found = [Fraction(0)] * len(columns)
    for n, w in weights.items():
        j, sign = signed[n]
        found[j] += sign * Fraction(int(w.p), int(w.q))
    return found


def _useful(columns: Sequence[Sequence[tuple[int, int | Fraction]]], free: Sequence[bool],
            target: Mapping[int, int | Fraction], height: int) -> list[int] | None:
    """The columns that may have a weight: not those that have an entry which no other cancels.

    None where an entry of the target cannot be reached.
    """
    members: list[list[int]] = [[] for _ in range(height)]
    # how many columns can raise an entry, and how many can lower it
    up, down = [0] * height, [0] * height
    for j, column in enumerate(columns):
        for i, v in column:
            members[i].append(j)
            up[i] += free[j] or v > 0
            down[i] += free[j] or v < 0
    alive = [bool(c) for c in columns]
    todo = list(range(height))
    while todo:
        i = todo.pop()
        wanted = target.get(i, 0)
        if (wanted > 0 and not up[i]) or (wanted < 0 and not down[i]):
            return None
        # a free column that is alone cannot cancel itself
        alone = up[i] == down[i] == 1 and sum(alive[j] for j in members[i]) == 1
        if wanted or (up[i] and down[i] and not alone):
            continue
        for j in members[i]:
            if alive[j]:
                alive[j] = False
                for k, v in columns[j]:
                    up[k] -= free[j] or v > 0
                    down[k] -= free[j] or v < 0
                    if not up[k] or not down[k] or up[k] == down[k] == 1:
                        todo.append(k)
    return [j for j, lives in enumerate(alive) if lives]


class _Program:
    """x >= 0 with sum of x_j columns[j] = right, right >= 0: artificial variables, one for each
    row, are driven out."""

    def __init__(self, columns: list[Column], right: list[Any]) -> None:
        self.columns = columns
        self.across: list[list[tuple[int, float]]] = [[] for _ in right]
        for j, column in enumerate(columns):
            for i, a in column:
                self.across[i].append((j, _double(a)))
        self.basis = [-1] * len(right)
        self.inverse: list[dict[int, Any]] = [{i: ONE} for i in range(len(right))]  # by column
        self.values = list(right)
        self.left = sum(right, ZERO)
        self.prices = [ONE] * len(right)
        self.gains = [0.0] * len(columns)
        for row in self.across:
            for j, v in row:
                self.gains[j] += v
        self.next = 0

    def solved(self, limit: int) -> dict[int, Any] | None:
        """The weights that are not 0; None where there are none, or not after so many steps."""
        for _ in range(limit):
            if not self.left:
                return {j: x for j, x in zip(self.basis, self.values, strict=True) if j >= 0 and x}
            enters = self._entering()
            if enters is None or not self._pivot(*enters):
                return None
        return None

    def _entering(self) -> tuple[int, Any] | None:
        """A column that brings artificial variables down, and by how much; None: there is none."""
        gains = self.gains
        while (most := max(gains, default=0.0)) >= TINY:
            j = gains.index(most)
            gain = self._gain(j)
            if gain > 0:
                return j, gain
            gains[j] = _double(gain)
        # doubles may hide a gain: here what they say is replaced by what is so
        for _ in range(0, len(gains), BLOCK):
            best, found = ZERO, -1
            for j in range(self.next, min(self.next + BLOCK, len(gains))):
                gain = self._gain(j)
                gains[j] = _double(gain)
                if gain > best:
                    best, found = gain, j
            self.next = self.next + BLOCK if self.next + BLOCK < len(gains) else 0
            if found >= 0:
                return found, best
        return None

    def _gain(self, j: int) -> Any:
        prices = self.prices
        return sum((prices[i] * a for i, a in self.columns[j] if prices[i]), ZERO)

    def _pivot(self, j: int, gain: Any) -> bool:
        """Column j enters the basis; False where nothing bounds it."""
        inverse, values = self.inverse, self.values
        shares: dict[int, Any] = {}
        for i, a in self.columns[j]:
            _subtract(shares, inverse[i], -a)
        leaves = self._leaving(shares)
        if leaves is None:
            return False
        pivot = shares.pop(leaves)
        size = values[leaves] = values[leaves] / pivot
        if size:
            self.left -= gain * size
            for r, share in shares.items():
                values[r] -= share * size
        for k, column in enumerate(inverse):
            if (v := column.get(leaves)) is not None:
                v = column[leaves] = v / pivot
                _subtract(column, shares, v)
                change = gain * v
                self.prices[k] -= change
                step = _double(change)
                for n, c in self.across[k]:
                    self.gains[n] -= step * c
        self.gains[j] = 0.0
        self.basis[leaves] = j
        return True

    def _leaving(self, shares: Mapping[int, Any]) -> int | None:
        """The row that bounds what enters, of several the first in lexicographic order: no basis
        comes back then."""
        least: Any = None
        tied: list[int] = []
        for r, share in shares.items():
            if share > 0:
                ratio = self.values[r] / share if self.values[r] else ZERO
                if least is None or ratio < least:
                    least, tied = ratio, [r]
                elif ratio == least:
                    tied.append(r)
        for column in self.inverse:
            if len(tied) < 2:
                break
            ratios = [column[r] / shares[r] if r in column else ZERO for r in tied]
            first = min(ratios)
            tied = [r for r, ratio in zip(tied, ratios, strict=True) if ratio == first]
        return tied[0] if tied else None


def _double(x: Any) -> float:
    try:
        return int(x.p) / int(x.q)
    except OverflowError:
        return math.copysign(math.inf, int(x.p))


def _subtract(row: dict[int, Any], other: Mapping[int, Any], scale: Any) -> None:
    for n, v in other.items():
        old = row.get(n)
        new = -scale * v if old is None else old - scale * v
        if new:
            row[n] = new
        else:
            row.pop(n, None)
