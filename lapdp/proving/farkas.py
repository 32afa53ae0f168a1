"""Linear certificates: numbers that combine given polynomials to a wanted one, exactly.

An exact simplex method over the rationals; its answer is only a proposal, which the kernel's
``arith`` multiplies out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from flint import fmpq

Vector = Mapping[Any, int | Fraction]
Row = dict[int, Any]
MOST_PIVOTS = 400


def combination(columns: Sequence[Vector], free: Sequence[bool], target: Vector,
                limit: int = MOST_PIVOTS) -> list[Fraction] | None:
    """Weights w with sum of w_i columns[i] = target, w_i >= 0 unless free[i]; None: none found.

    >>> x, y = {"x": Fraction(1)}, {"y": Fraction(1)}
    >>> [int(w) for w in combination([x, y], [False, False], {"x": Fraction(2), "y": Fraction(3)})]
    [2, 3]
    """
    useful = _useful(columns, free, target)
    if useful is None:
        return None
    keys = list(dict.fromkeys([*target, *(k for j in useful for k in columns[j])]))
    place = {k: i for i, k in enumerate(keys)}
    signed: list[tuple[int, int]] = []
    for j in useful:
        signed.append((j, 1))
        if free[j]:
            signed.append((j, -1))
    rows: list[Row] = [{} for _ in keys]
    for n, (j, sign) in enumerate(signed):
        for k, v in columns[j].items():
            if v:
                rows[place[k]][n] = fmpq(sign * v.numerator, v.denominator)
    right = [fmpq(*Fraction(target.get(k, 0)).as_integer_ratio()) for k in keys]
    for i, r in enumerate(right):
        if r < 0:
            rows[i], right[i] = {n: -v for n, v in rows[i].items()}, -r
    weights = _feasible(rows, right, len(signed), limit)
    if weights is None:
        return None
    found = [Fraction(0)] * len(columns)
    for n, (j, sign) in enumerate(signed):
        found[j] += sign * Fraction(int(weights[n].p), int(weights[n].q))
    return found


def _useful(columns: Sequence[Vector], free: Sequence[bool], target: Vector) -> list[int] | None:
    """The columns that may have a weight: not those that have an entry which no other cancels.

    None where an entry of the target cannot be reached.
    """
    alive = dict.fromkeys(j for j, c in enumerate(columns) if any(c.values()))
    where: dict[Any, set[int]] = {k: set() for k, v in target.items() if v}
    for j in alive:
        for k, v in columns[j].items():
            if v:
                where.setdefault(k, set()).add(j)
    todo = dict.fromkeys(where)
    while todo:
        k, _ = todo.popitem()
        members, wanted = where[k], target.get(k, 0)
        up = any(free[j] or columns[j][k] > 0 for j in members)
        down = any(free[j] or columns[j][k] < 0 for j in members)
        if (wanted > 0 and not up) or (wanted < 0 and not down):
            return None
        alone = len(members) == 1 and free[next(iter(members))]
        if wanted or not members or (up and down and not alone):
            continue
        for j in list(members):
            del alive[j]
            for other, v in columns[j].items():
                if v:
                    where[other].discard(j)
                    todo[other] = None
    return list(alive)


def _feasible(rows: list[Row], right: list[Any], width: int, limit: int) -> list[Any] | None:
    """A point x >= 0 with rows x = right, right >= 0: phase one, Bland's rule when it stalls."""
    basis = [width + i for i in range(len(rows))]
    zero = fmpq(0)
    cost: Row = {}
    for row in rows:
        for n, v in row.items():
            cost[n] = cost.get(n, zero) + v
    left = sum(right, zero)
    for step in range(limit):
        if not left:
            break
        candidates = [n for n, v in cost.items() if v > 0]
        if not candidates:
            return None
        enter = (min(candidates) if step > limit // 2
                 else max(candidates, key=lambda n: (cost[n], -n)))
        best: tuple[Any, int, int] | None = None
        for i, row in enumerate(rows):
            share = row.get(enter)
            if share is not None and share > 0:
                ratio = (right[i] / share, basis[i], i)
                best = ratio if best is None or ratio < best else best
        if best is None:
            return None
        leave = best[2]
        pivot = rows[leave][enter]
        rows[leave] = {n: v / pivot for n, v in rows[leave].items()}
        right[leave] /= pivot
        for i, row in enumerate(rows):
            if i != leave and (factor := row.get(enter)):
                _subtract(row, rows[leave], factor)
                right[i] -= factor * right[leave]
        price = cost[enter]
        _subtract(cost, rows[leave], price)
        left -= price * right[leave]
        basis[leave] = enter
    if left:
        return None
    found = [zero] * width
    for i, n in enumerate(basis):
        if n < width:
            found[n] = right[i]
    return found


def _subtract(row: Row, other: Row, scale: Any) -> None:
    for n, v in other.items():
        old = row.get(n)
        new = -scale * v if old is None else old - scale * v
        if new:
            row[n] = new
        else:
            row.pop(n, None)
