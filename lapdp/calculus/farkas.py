"""Contradictions among linear conditions, found by the simplex method and checked exactly.

Rows ``sum c_m m > 0`` or ``>= 0`` have no common solution iff some combination with weights y >= 0
makes every variable vanish and reads 0 > 0 (Motzkin's transposition theorem).  The weights are
searched for with exact rationals; only weights that pass the check count.
"""

from __future__ import annotations

from typing import Any

import flint

from lapdp.calculus.linear import Row

MAX_PIVOTS = 300


def contradictory(rows: list[Row]) -> bool:
    """Do the rows contradict each other?  (False also where the search was given up.)

    >>> from fractions import Fraction as Fr
    >>> x = (("x", 1),)
    >>> contradictory([(((x, Fr(1)),), True), (((x, Fr(-1)),), False)])
    True
    >>> contradictory([(((x, Fr(1)),), False), (((x, Fr(-1)),), False)])
    False
    """
    system: list[Row] = [((((), 1),), True), *rows]  # type: ignore[list-item]
    variables = sorted({m for row, _ in system for m, _ in row}, key=str)
    place = {m: j for j, m in enumerate(variables)}
    columns: list[list[Any]] = []
    for row, strict in system:
        column = [flint.fmpq(0)] * (len(variables) + 1)
        for m, c in row:
            column[place[m]] += flint.fmpq(int(c.numerator), int(c.denominator))
        column[-1] = flint.fmpq(int(strict))
        columns.append(column)
    weights = _basic_solution(columns)
    return weights is not None and _checked(columns, weights)


def _checked(columns: list[list[Any]], weights: dict[int, Any]) -> bool:
    """Non-negative weights under which all variables and the constant vanish, 0 > 0 is left."""
    if any(w < 0 for w in weights.values()):
        return False
    total = [sum((w * columns[j][k] for j, w in weights.items()), flint.fmpq(0))
             for k in range(len(columns[0]))]
    return all(v == 0 for v in total[:-1]) and bool(total[-1] > 0)


def _basic_solution(columns: list[list[Any]]) -> dict[int, Any] | None:
    """y >= 0 with sum y_j column_j = (0, ..., 0, 1): first phase of the simplex method.

    One artificial variable a row; Bland's rule keeps it from going in circles.
    """
    height, width = len(columns[0]), len(columns)
    table = [[columns[j][k] for j in range(width)] for k in range(height)]
    right = [flint.fmpq(0)] * (height - 1) + [flint.fmpq(1)]
    basis = [width + k for k in range(height)]
    # reduced costs: the artificial variables cost 1 each
    cost = [-sum((table[k][j] for k in range(height)), flint.fmpq(0)) for j in range(width)]
    for _ in range(MAX_PIVOTS):
        entering = next((j for j in range(width) if cost[j] < 0), None)
        if entering is None:
            break
        best, leaving = None, -1
        for k in range(height):
            if table[k][entering] > 0:
                ratio = right[k] / table[k][entering]
                if best is None or ratio < best or (ratio == best and basis[k] < basis[leaving]):
                    best, leaving = ratio, k
        if leaving < 0:
            return None
        _pivot(table, right, cost, leaving, entering)
        basis[leaving] = entering
    else:
        return None
    if any(basis[k] >= width and right[k] != 0 for k in range(height)):
        return None
    return {basis[k]: right[k] for k in range(height) if basis[k] < width and right[k] != 0}


def _pivot(table: list[list[Any]], right: list[Any], cost: list[Any], row: int, column: int
           ) -> None:
    inverse = 1 / table[row][column]
    table[row] = [x * inverse if x != 0 else x for x in table[row]]
    right[row] *= inverse
    source = table[row]
    used = [j for j, x in enumerate(source) if x != 0]
    for k, target in enumerate(table):
        factor = target[column]
        if k != row and factor != 0:
            for j in used:
                target[j] -= factor * source[j]
            right[k] -= factor * right[row]
    factor = cost[column]
    for j in used:
        cost[j] -= factor * source[j]


__all__ = ["contradictory"]
