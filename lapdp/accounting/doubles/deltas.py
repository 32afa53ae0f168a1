"""delta at arrays of eps, in doubles where that is sharp, else by balls."""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
import sympy as sp

from lapdp.accounting.delta import delta as delta_by_balls
from lapdp.accounting.doubles.batch import (
    BY_DOUBLES,
    DIGITS,
    WIDE,
    Batch,
    are_left_to_balls,
    outwards,
    queries,
)
from lapdp.accounting.doubles.bounded import Bounded
from lapdp.accounting.doubles.choice import Choice
from lapdp.accounting.doubles.closed import CLOSED, ClosedForm
from lapdp.accounting.doubles.profile import SMALLEST, Profile
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.privacy.pair import Pair

MOST_FAILED = 5
"""Queries without a line after which no more are sought for that number of copies."""
SHARP = 1e-11
"""Relative radius with which a query is content on a line chosen for others."""


def deltas(pair: Pair, eps: Any, copies: Any = 1) -> Batch:
    """delta(eps) of a pair taken ``copies`` times, for arrays of doubles and whole numbers.

    Each ``eps`` is the exact binary number that the double is.  Where the path in doubles has no
    sharp bound, balls answer, point by point.  Raises :class:`InputError` for NaN, infinities and
    shapes that do not fit, :class:`Unsupported` where a point is not reached.

    >>> from lapdp import laplace
    >>> found = deltas(laplace(1), [10, 390], copies=1000)
    >>> f"{found.values[1]:.12}", found[1].enclosure.digits >= 12
    ('0.18402843088', True)
    >>> bool(found.wide.any()), found.method
    (False, 'inversion in doubles')
    """
    start = time.perf_counter()
    points, counts = queries("eps", eps, copies)
    flat, many = points.ravel(), counts.ravel()
    if are_left_to_balls(pair, many):
        values, radii, method = np.full(flat.shape, np.nan), np.full(flat.shape, np.nan), ""
    else:
        values, radii, method = by_doubles(pair, flat, many)
    methods = np.full(flat.shape, method, dtype=object)
    for j in np.flatnonzero(~(radii <= WIDE * np.abs(values)) & ~(values + radii < SMALLEST)):
        try:
            values[j], radii[j], methods[j] = _by_balls(pair, float(flat[j]), int(many[j]))
        except Unsupported:
            # a wide interval is better than none; it is in ``wide``
            if not np.isfinite(radii[j]):
                raise
    shape = points.shape
    return Batch(values.reshape(shape), radii.reshape(shape), methods.reshape(shape),
                 time.perf_counter() - start)


def _by_balls(pair: Pair, eps: float, copies: int) -> tuple[float, float, str]:
    """A certified answer, rounded outwards."""
    found = delta_by_balls(pair**copies, sp.Rational(*eps.as_integer_ratio()), DIGITS)
    assert found.enclosure is not None
    return *outwards(found.enclosure), found.method


def by_doubles(pair: Pair, eps: Any, copies: Any) -> tuple[Any, Any, str]:
    """Values, radii and how they were found; NaN where there is no path in doubles."""
    values, radii = np.full(eps.shape, np.nan), np.full(eps.shape, np.nan)
    for here, mirrored in ((eps >= 0, False), (eps < 0, True)):
        if not here.any():
            continue
        try:
            factors = releases(pair.reverse() if mirrored else pair)
        except Unsupported:
            continue
        closed = ClosedForm.of(factors)
        if closed is not None:
            # Gaussian pairs are their own reversals, and the closed form holds for every eps
            return *closed.deltas(eps, copies), CLOSED
        found = _Queries(factors, np.abs(eps[here]), copies[here]).answer()
        values[here], radii[here] = _reversed(eps[here], found) if mirrored else found
    return values, radii, BY_DOUBLES


def _reversed(eps: Any, found: tuple[Any, Any]) -> tuple[Any, Any]:
    """The reversal law (7)."""
    at = Bounded.exact(eps)
    with np.errstate(all="ignore"):
        whole = at.exp() * Bounded(*found) - at.expm1()
    return whole.value, whole.error


class _Queries:
    """Queries at eps >= 0 for one product, answered line by line."""

    def __init__(self, factors: Factors, eps: Any, copies: Any) -> None:
        self.profile, self.eps, self.copies = Profile(factors), eps, copies
        self.values, self.radii = np.full(eps.shape, np.nan), np.full(eps.shape, np.nan)
        self.open = np.ones(eps.shape, dtype=bool)

    def answer(self) -> tuple[Any, Any]:
        """Values and radii; NaN where no line serves."""
        for copies in np.unique(self.copies):
            self._beyond_all_losses(copies)
        failed = dict.fromkeys(np.unique(self.copies), 0)
        for j in np.lexsort((self.eps, self.copies)):
            if self.open[j] and failed[self.copies[j]] < MOST_FAILED:
                try:
                    self._serve(j)
                except Unsupported:
                    failed[self.copies[j]] += 1
                    continue
                finally:
                    self.open[j] = False
        return self.values, self.radii

    def _beyond_all_losses(self, copies: float) -> None:
        """Where eps is no smaller than any finite loss only the infinite ones are left."""
        end = self.profile.end(int(copies))
        if end is None:
            return
        here = self.copies == copies
        gone = here & (self.eps >= end.upper)
        rest = self.profile.lost(self.copies[gone])
        self.values[gone], self.radii[gone] = rest.value, rest.error
        # what is not told apart from the end is left to balls
        self.open[here & (self.eps >= end.lower)] = False

    def _serve(self, j: int) -> None:
        """One query, and others that its line serves as well."""
        eps, copies = float(self.eps[j]), int(self.copies[j])
        chosen, served = self.profile.shared(j, self.eps, self.copies, self.open)
        if chosen is not None:
            self._ask(chosen, copies, served, SHARP)
        if not self.radii[j] <= SHARP * self.values[j]:
            self._ask(self.profile.choose(copies, eps, 0.0), copies, np.array([j]), math.inf)

    def _ask(self, chosen: Choice, copies: int, which: Any, most: float) -> None:
        """Keep what one line says where it is that sharp."""
        values, radii = self.profile.on(chosen, copies, self.eps[which], self.copies[which])
        good = np.isfinite(values) & np.isfinite(radii)
        if math.isfinite(most):
            good &= radii <= most * np.abs(values)
        kept = which[good]
        self.values[kept], self.radii[kept] = values[good], radii[good]
        self.open[kept] = False


__all__ = ["by_doubles", "deltas"]
