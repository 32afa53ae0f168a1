"""Has A x = b a solution x >= 0?  Exact, by the simplex method with Bland's rule."""

from __future__ import annotations

from fractions import Fraction


def feasible(rows, right):
    """Fractions only: the artificial start is driven out, or it is not."""
    table = []
    for row, b in zip(rows, right, strict=True):
        sign = -1 if b < 0 else 1
        table.append([Fraction(sign * x) for x in row] + [Fraction(sign * b)])
    width = len(rows[0])
    basis = [None] * len(table)  # None: an artificial variable
    while True:
        cost = [sum((row[j] for row, k in zip(table, basis, strict=True) if k is None),
                    Fraction(0)) for j in range(width + 1)]
        if cost[width] == 0:
            return True
        entering = next((j for j in range(width) if cost[j] > 0), None)
        if entering is None:
            return False
        ratios = [(row[width] / row[entering], -1 if k is None else k, i)
                  for i, (row, k) in enumerate(zip(table, basis, strict=True))
                  if row[entering] > 0]
        _, _, i = min(ratios)
        pivot = table[i][entering]
        table[i] = [x / pivot for x in table[i]]
        basis[i] = entering
        for other in range(len(table)):
            factor = table[other][entering]
            if other != i and factor:
                table[other] = [x - factor * y
                                for x, y in zip(table[other], table[i], strict=True)]


def mixtures_exist(targets, weights):
    """Are there distributions D_i with targets[k] = sum_i weights[k][i] D_i for each k?

    The unknowns are the masses D_i(outcome), one distribution after the other.
    """
    size, count = len(targets[0]), len(weights[0])
    rows, right = [], []
    for i in range(count):
        rows.append([Fraction(int(j // size == i)) for j in range(count * size)])
        right.append(Fraction(1))
    for target, vector in zip(targets, weights, strict=True):
        for k in range(size):
            rows.append([vector[j // size] if j % size == k else Fraction(0)
                         for j in range(count * size)])
            right.append(target[k])
    return feasible(rows, right)
