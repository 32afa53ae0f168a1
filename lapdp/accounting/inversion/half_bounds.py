"""A bound of the profile of many losses on a grid: each atom is parted to its neighbours there.

An atom of the masses p and q under P and Q, at a loss between two places of a grid, is replaced by
atoms at these, of the same masses together.  That is a pair from which the old one is made by
processing, so that delta rises, of powers and products, too (Doroshenko et al. 2022).  Losses above
the grid are taken to be infinite, losses below it to be at its end.  All numbers are rounded up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import flint
import numpy as np

from lapdp.accounting.inversion.half_laws import PRECISION, Atoms
from lapdp.core.precision import workprec

PLACES, UP, TINY = 1024, 1 + 1e-12, 1e-300
"""Of the grid on either side of 0; for rounding."""
DEVIATIONS = 8.0
"""That the grid reaches beyond eps."""

Row = tuple[Any, float]
"""Masses on the grid, and at infinite loss."""


@dataclass(frozen=True, eq=False)
class Bound:
    """delta at most, at the places of a grid."""

    step: float
    values: Any
    reach: float
    """The largest place."""
    size: float
    """At eps."""

    def at(self, t: Any) -> Any:
        """At any t: that of a place on its left."""
        place = np.floor(t / self.step) + (PLACES - 1)
        found = self.values[np.clip(place, 0, 2 * PLACES).astype(int)]
        return np.where(place < 0, 1.0, found)


def bounds(parts: list[Atoms], eps: float) -> Bound:
    """Of all copies together.

    >>> from lapdp import randomized_response
    >>> from lapdp.accounting.inversion.half_laws import atoms
    >>> from lapdp.accounting.moments.releases import releases
    >>> found = bounds([atoms(s, k, 60) for s, k in releases(randomized_response(1)**3).parts], 1)
    >>> 0.338 < found.size < 0.36
    True
    """
    spread = math.sqrt(sum(x.copies * _variance(x) for x in parts))
    reach = 2 * abs(eps) + DEVIATIONS * spread
    step = 2.0 ** math.ceil(math.log2(reach / PLACES)) if reach > 0 else 1.0
    row: Row | None = None
    for part in parts:
        power = _power(_parted(part, step), part.copies)
        row = power if row is None else _together(row, power)
    assert row is not None
    values = _profile(row, step)
    found = Bound(step, values, step * PLACES, 0.0)
    return Bound(step, values, step * PLACES, float(found.at(np.array([eps]))[0]))


def _variance(part: Atoms) -> float:
    mean = float((part.losses * part.masses).sum())
    return float(((part.losses - mean) ** 2 * part.masses).sum()) + mean * mean * part.copies


def _parted(part: Atoms, step: float) -> Row:
    found, lost = np.zeros(2 * PLACES + 1), part.rest
    with workprec(PRECISION):
        whole = -flint.arb(-step).expm1()
        for loss, mass in part.balls:
            place = int((loss.lower() / step).floor().unique_fmpz())
            if place >= PLACES:
                lost += float(mass) * UP
                continue
            if place < -PLACES:
                found[0] += float(mass) * UP
                continue
            gap = loss - flint.arb(step) * place
            right = -(mass * (-gap).expm1()) / whole
            found[place + PLACES] += max(0.0, float((mass - right).upper())) * UP
            found[place + PLACES + 1] += max(0.0, float(right.upper())) * UP
    return found, lost * UP


def _together(one: Row, two: Row) -> Row:
    """Sums of two losses: of what is positive, each number is off by some thousands of units."""
    sums = np.convolve(one[0], two[0])
    found = sums[PLACES:3 * PLACES + 1].copy()
    found[0] += sums[:PLACES].sum()
    lost = one[1] + two[1] + float(sums[3 * PLACES + 1:].sum())
    return found * UP + TINY, lost * UP + TINY


def _power(row: Row, count: int) -> Row:
    found: Row | None = None
    while count:
        if count & 1:
            found = row if found is None else _together(found, row)
        count >>= 1
        if count:
            row = _together(row, row)
    assert found is not None
    return found


def _profile(row: Row, step: float) -> Any:
    """D_j = w D_(j+1) + (1 - w) S_j, w = e^-step, S_j the mass beyond the place j."""
    with workprec(PRECISION):
        w, rest = float(flint.arb(-step).exp()) * UP, float(-flint.arb(-step).expm1()) * UP
    masses, lost = row
    found, value, beyond = np.empty(2 * PLACES + 1), 0.0, 0.0
    for j in range(2 * PLACES, -1, -1):
        value = w * value + rest * beyond
        found[j] = value
        beyond += float(masses[j])
    return np.minimum(1.0, found * UP**3 + lost * UP + TINY)


__all__ = ["Bound", "bounds"]
