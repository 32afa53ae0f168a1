"""Sums of all parts of an outcome, plain and with learnt weights: where many small shifts add up.

Each part alone, and each couple of parts, may be far from telling two datasets apart where the sum
of all is not: k releases that are sold as one.  The weights are those of Fisher's linear
discriminant, the classifier by the likelihood ratio for normal laws of one covariance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from lapdp.testing.conformance.features import ABSENT, MOST_PARTS, Column, Feature, is_number

FITTED = 10_000
"""At most so many samples of each dataset teach the weights."""
CUT = 200
"""For the moments, each part is cut off at its quantiles 1/CUT and 1 - 1/CUT: a few samples far
out would decide otherwise."""
NEGLIGIBLE = 50
"""A part with a weight so many times below the largest, each measured by its spread, is left out.
"""
RIDGE = 1e-6
"""Of the variances, added to them: parts that depend on each other leave one solution."""


def along(known: Sequence[Column]) -> list[Feature]:
    """These sums: of each tuple of numbers, three or more, and of all numbers by their weights.

    >>> from lapdp.testing.conformance.features import columns
    >>> p, q = ([(j % 5 + i, j % 7, j % 11 + 3 * i) for j in range(385)] for i in (0, 1))
    >>> [found.name for found in along(columns(p, q))]
    ['sum(x)', '-x[0] - 0.6*x[2]']
    """
    parts = [c for c in known if not c.derived]
    found = [_total(c.feature) for c in parts if all(
        all(_sum(v) is not ABSENT for v in side[:FITTED]) for side in c.sides)]
    leaves = [c for c in parts if any(c.numbers)][:MOST_PARTS]
    weights = _weights(leaves) if len(leaves) > 1 else []
    largest = max(map(abs, weights), default=0.0)
    if largest > 0:
        found.append(_weighted([(float(f"{w / largest:.2g}"), leaf.feature)
                                for w, leaf in zip(weights, leaves, strict=True) if w]))
    return found


def _sum(value: Any) -> Any:
    if not isinstance(value, tuple) or len(value) < 3 or not all(map(is_number, value)):
        return ABSENT
    try:
        found = sum(value)
    except (OverflowError, TypeError):  # a fraction beyond all doubles beside a double, a Decimal
        return ABSENT
    return ABSENT if found != found else found  # noqa: PLR0124


def _total(feature: Feature) -> Feature:
    return Feature(f"sum({feature.name})", lambda x: _sum(feature.of(x)))


def _weighted(terms: Sequence[tuple[float, Feature]]) -> Feature:
    first, *rest = [f"{'-' if w < 0 else '+'} " + f"{abs(w):g}*".removeprefix("1*") + f.name
                    for w, f in terms]
    name = " ".join([first.removeprefix("+ ").replace("- ", "-", 1), *rest])

    def value(x: Any) -> Any:
        found = 0.0
        for weight, part in terms:
            number = _real(part.of(x))
            if number is None:
                return ABSENT
            found += weight * number
        return found if math.isfinite(found) else ABSENT
    return Feature(name, value)


def _real(value: Any) -> float | None:
    if not is_number(value):
        return None
    try:
        found = float(value)
    except OverflowError:
        return None
    return found if math.isfinite(found) else None


def _weights(leaves: Sequence[Column]) -> list[float]:
    """The direction S^-1 (mean under P - mean under Q), S the covariance within both; [] where
    outcomes that have all parts are few."""
    sides = [_rows(leaves, i) for i in (0, 1)]
    n = len(leaves)
    if min(map(len, sides)) < 4 * n:
        return []
    for i in range(n):
        pooled = sorted(row[i] for side in sides for row in side)
        low, high = pooled[len(pooled) // CUT], pooled[-1 - len(pooled) // CUT]
        for side in sides:
            for row in side:
                row[i] = min(max(row[i], low), high)
    # magnitudes are the parts' own: each is measured by its spread
    units = []
    means = [[math.fsum(row[i] for row in side) / len(side) for i in range(n)] for side in sides]
    for i in range(n):
        spread = max(abs(row[i] - mean[i]) for side, mean in zip(sides, means, strict=True)
                     for row in side)
        units.append(spread or abs(means[0][i] - means[1][i]) or 1.0)
    rows = [[(row[i] - mean[i]) / units[i] for i in range(n)]
            for side, mean in zip(sides, means, strict=True) for row in side]
    matrix = [[math.fsum(row[i] * row[j] for row in rows) / len(rows) for j in range(n)]
              for i in range(n)]
    for i in range(n):
        matrix[i][i] += RIDGE + RIDGE * matrix[i][i]
    shift = [(a - b) / unit for a, b, unit in zip(*means, units, strict=True)]
    found = _solved(matrix, shift)
    least = max(map(abs, found)) / NEGLIGIBLE
    return [w / unit if abs(w) > least else 0.0 for w, unit in zip(found, units, strict=True)]


def _rows(leaves: Sequence[Column], i: int) -> list[list[float]]:
    """The parts of outcomes that have all of them."""
    found = ([_real(v) for v in row] for row in zip(
        *(c.sides[i][:FITTED] for c in leaves), strict=True))
    return [row for row in found if None not in row]  # type: ignore[misc]


def _solved(matrix: list[list[float]], right: Sequence[float]) -> list[float]:
    """The solution of a positive definite system, by elimination."""
    n = len(matrix)
    rows = [[*row, b] for row, b in zip(matrix, right, strict=True)]
    for i in range(n):
        for j in range(i + 1, n):
            factor = rows[j][i] / rows[i][i]
            rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    found = [0.0] * n
    for i in reversed(range(n)):
        found[i] = (rows[i][n] - math.fsum(
            rows[i][j] * found[j] for j in range(i + 1, n))) / rows[i][i]
    return found


__all__ = ["FITTED", "along"]
