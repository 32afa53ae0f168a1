"""What curves are made of: delta at many doubles, to the accuracy that a picture needs."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from lapdp.accounting.doubles.batch import are_left_to_balls
from lapdp.accounting.doubles.deltas import by_doubles
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.privacy.operations import factors

if TYPE_CHECKING:
    from lapdp.privacy.pair import Pair

SHARP, TINY = 1e-5, 1e-13
"""Relative and absolute radius that a picture is content with."""
PARTS = 8
MOST_RELEASES = 5000
FEWER = 2
"""So many times fewer points are drawn of pairs that balls alone reach."""


def deltas(pair: Pair, eps: Any) -> tuple[Any, Any]:
    """delta at doubles with proved radii: the bounds found in doubles, which are far below what an
    eye sees, and where there are none, or wider ones, those of ``pair.deltas``.

    NaN where it takes seconds a point: near the mean loss of very many releases.
    """
    values, radii = np.full(len(eps), np.nan), np.full(len(eps), np.nan)
    one = np.ones(len(eps))
    if not are_left_to_balls(pair, one):
        values, radii, _ = by_doubles(pair, eps, one)
        # it gives up after some failures: the small values at large eps come in parts of their own
        for part in np.array_split(np.flatnonzero(np.isnan(radii)), PARTS):
            if part.size:
                values[part], radii[part], _ = by_doubles(pair, eps[part], one[part])
    wide = ~((radii <= SHARP * np.abs(values)) | (radii <= TINY))
    if wide.any() and (_few(pair) or not _by_doubles(pair)):
        found = pair.deltas(eps[wide])
        values[wide], radii[wide] = found.values, found.radii
        wide[:] = False
    values[wide], radii[wide] = np.nan, np.nan
    return values, radii


def _few(pair: Pair) -> bool:
    """Are there few enough releases for a ball at each point?"""
    return sum(int(k) for _, k in factors(pair)) <= MOST_RELEASES


@lru_cache(maxsize=64)
def _by_doubles(pair: Pair) -> bool:
    """Is there a path in doubles?"""
    return bool(np.isfinite(by_doubles(pair, np.array([0.5]), np.ones(1))[1]).all())


def points(pair: Pair, most: int) -> int:
    """How many points to ask for: fewer where each of them is a matter of balls."""
    return most if _by_doubles(pair) else most // FEWER


def infinite(pair: Pair) -> float:
    """Pr[Z = oo], also of more releases than an exact power is made of."""
    try:
        return float(pair.mass_at_infinity)
    except Unsupported:
        return float((1 - releases(pair).finite_mass()).mid())


__all__ = ["deltas", "infinite", "points"]
