"""epsilon at arrays of delta: sought in doubles, then a bracket that both its ends prove."""

from __future__ import annotations

import math
import time
from contextlib import suppress
from typing import Any

import numpy as np
import sympy as sp

from lapdp.accounting.doubles.batch import (
    BY_DOUBLES,
    DIGITS,
    Batch,
    are_left_to_balls,
    outwards,
    queries,
)
from lapdp.accounting.doubles.bounded import UNIT, Bounded
from lapdp.accounting.doubles.choice import Choice, place_of
from lapdp.accounting.doubles.profile import SMALLEST, Profile
from lapdp.accounting.epsilon import epsilon as epsilon_by_balls
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.pair import Pair

SHARP = 1e-11
"""Relative radius with which a query is content on a line chosen for others."""
STEPS = 8
TRIALS = 4


def epsilons(pair: Pair, delta: Any, copies: Any = 1) -> Batch:
    """The least eps >= 0 with delta(eps) <= ``delta``, for arrays of doubles and whole numbers.

    Each ``delta`` in [0, 1] is the exact binary number that the double is.  Infinite where it is
    below the mass at infinite loss.  Where no bracket is proved in doubles balls answer, point by
    point.  Raises :class:`InputError` for NaN, numbers out of range and shapes that do not fit,
    :class:`Unsupported` where a point is not reached.

    >>> from lapdp import gaussian, randomized_response
    >>> found = epsilons(gaussian(1), [1e-5, 1e-10], copies=[[1], [100]])
    >>> found.values.round(6).tolist()
    [[4.377178, 6.547924], [91.81729, 112.840327]]
    >>> epsilons(randomized_response(1, "0.01"), [0.001, 0.5]).values.tolist()
    [inf, 0.0]
    """
    start = time.perf_counter()
    targets, counts = queries("delta", delta, copies)
    if targets.size and not (targets.min() >= 0 and targets.max() <= 1):
        raise InputError("delta must lie between 0 and 1")
    flat, many = targets.ravel(), counts.ravel()
    method = BY_DOUBLES
    values, radii = np.full(flat.shape, np.nan), np.full(flat.shape, np.nan)
    if not are_left_to_balls(pair, many):
        with suppress(Unsupported):
            sought = _Targets(releases(pair), flat, many)
            values, radii = sought.answer()
            method = sought.profile.method
    methods = np.full(flat.shape, f"bracket, {method}", dtype=object)
    methods[np.isinf(values)] = "mass at infinity"
    for j in np.flatnonzero(np.isnan(radii)):
        values[j], radii[j], methods[j] = _by_balls(pair, float(flat[j]), int(many[j]))
    shape = targets.shape
    return Batch(values.reshape(shape), radii.reshape(shape), methods.reshape(shape),
                 time.perf_counter() - start)


def _by_balls(pair: Pair, delta: float, copies: int) -> tuple[float, float, str]:
    """A certified answer, rounded outwards."""
    found = epsilon_by_balls(pair**copies, sp.Rational(*delta.as_integer_ratio()), DIGITS)
    if found.enclosure is None:
        return math.inf, 0.0, found.method
    return *outwards(found.enclosure), found.method


class _Targets:
    """Targets for one product, answered line by line."""

    def __init__(self, factors: Factors, targets: Any, copies: Any) -> None:
        self.profile, self.targets, self.copies = Profile(factors), targets, copies
        self.values, self.radii = np.full(targets.shape, np.nan), np.full(targets.shape, np.nan)
        self.guesses, self.slopes = np.empty(targets.shape), np.empty(targets.shape)
        self.open = np.ones(targets.shape, dtype=bool)

    def answer(self) -> tuple[Any, Any]:
        """Values and radii; NaN where no bracket is found."""
        self._against_mass_at_infinity()
        self._guess()
        if self.profile.closed is not None:
            self._seek(None, 1, np.flatnonzero(self.open), math.inf)
            return self.values, self.radii
        for j in np.lexsort((self.guesses, self.copies)):
            if self.open[j]:
                try:
                    self._serve(j)
                except Unsupported:
                    continue
                finally:
                    self.open[j] = False
        return self.values, self.radii

    def _against_mass_at_infinity(self) -> None:
        """Below it the answer is infinite; what is not told apart from it is left to balls."""
        lost = self.profile.lost(self.copies)
        below = self.targets < lost.lower
        self.values[below], self.radii[below] = np.inf, 0.0
        self.open &= self.targets > np.maximum(lost.upper, SMALLEST)
        full = self.targets == 1
        self.values[full], self.radii[full], self.open[full] = 0.0, 0.0, False
        self.finite_part = self.targets - lost.value

    def _guess(self) -> None:
        for j in np.flatnonzero(self.open):
            try:
                self.guesses[j], self.slopes[j] = place_of(
                    self.profile.factors, int(self.copies[j]), math.log(self.finite_part[j]))
            except Unsupported:
                self.open[j] = False

    def _serve(self, j: int) -> None:
        """One target, and others that its line serves as well."""
        eps, copies = float(self.guesses[j]), int(self.copies[j])
        chosen, served = self.profile.shared(j, self.guesses, self.copies, self.open)
        if chosen is not None:
            self._seek(chosen, copies, served, SHARP)
        if np.isnan(self.radii[j]):
            self._seek(self.profile.choose(copies, eps, 0.5), copies, np.array([j]), math.inf)

    def _seek(self, chosen: Choice | None, copies: int, which: Any, most: float) -> None:
        """Secants of log delta, then brackets; kept where they are sharp."""
        targets, counts = self.targets[which], self.copies[which]

        def delta(eps: Any) -> tuple[Any, Any]:
            return self.profile.on(chosen, copies, eps, counts)

        eps, slopes = self.guesses[which].copy(), self.slopes[which].copy()
        values, radii = delta(eps)
        with np.errstate(all="ignore"):
            for _ in range(STEPS):
                gaps = np.log(values / targets)
                if not (np.abs(gaps) > radii / values + 4 * UNIT).any():
                    break
                moved = eps + gaps / slopes
                moved = np.where(np.isfinite(moved), moved, eps)
                values, radii = delta(moved)
                found = (gaps - np.log(values / targets)) / (moved - eps)
                slopes = np.where((found > 0) & np.isfinite(found), found, slopes)
                eps = moved
            low, high, proved = _brackets(delta, eps, targets, (
                np.abs(np.log(values / targets)) + 2 * radii / values + 8 * UNIT) / slopes)
        middle = (low + high) / 2
        # ends and middle are doubles; the larger gap, rounded upwards
        radius = np.nextafter(np.maximum(high - middle, middle - low), np.inf)
        radius[high == 0] = 0.0
        kept = proved & (math.isinf(most) | (high == 0) | (radius <= SHARP * middle))
        self.values[which[kept]], self.radii[which[kept]] = middle[kept], radius[kept]
        self.open[which[kept]] = False


def _brackets(delta: Any, eps: Any, targets: Any, widths: Any) -> tuple[Any, Any, Any]:
    """Ends with delta(low) > target >= delta(high), and where both are proved."""
    widths = 1.5 * widths + 2 * UNIT * np.abs(eps)
    proved = np.zeros(eps.shape, dtype=bool)
    for _ in range(TRIALS):
        low, high = np.maximum(eps - widths, 0.0), np.maximum(eps + widths, 0.0)
        # where 0 meets the target it is the answer
        proved = (Bounded(*delta(high)).upper <= targets) & (
            (Bounded(*delta(low)).lower > targets) | (high == 0))
        if proved.all():
            break
        widths = np.where(proved, widths, 4 * widths)
    return low, high, proved


__all__ = ["epsilons"]
