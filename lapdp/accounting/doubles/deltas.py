"""delta at arrays of eps, in doubles where that is sharp, else by balls."""

from __future__ import annotations

import time
from fractions import Fraction
from typing import Any

import flint
import numpy as np
import sympy as sp

from lapdp.accounting.delta import delta as delta_by_balls
from lapdp.accounting.doubles.batch import BY_DOUBLES, WIDE, Batch, queries
from lapdp.accounting.doubles.bounded import UNIT, Bounded
from lapdp.accounting.doubles.choice import Choice, choose
from lapdp.accounting.doubles.lattice import lattice_line, lattice_of
from lapdp.accounting.doubles.line import line, lost, nearly_one
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import releases
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.privacy.pair import Pair

SHARP = 1e-11
"""Relative radius with which a query is content on a line chosen for others."""
NEGLIGIBLE = 1e-14
"""What delta lacks to 1 at most, where that is all that need be known."""
ROOM = 3.0
"""Standard deviations of eps that a line serves to either side."""
NEAR = 1.5
"""The copies that a line serves differ by this factor at most."""
DIGITS = 17
"""Of balls, before they are rounded to doubles."""
SMALLEST = 2.0**-1000
"""Below it doubles have no relative accuracy to speak of."""


def deltas(pair: Pair, eps: Any, copies: Any = 1) -> Batch:
    """delta(eps) of a pair taken ``copies`` times, for arrays of doubles and whole numbers.

    Each ``eps`` is the exact binary number that the double is.  Where the path in doubles has no
    sharp bound, balls answer, point by point.  Raises :class:`InputError` for NaN, infinities and
    shapes that do not fit, :class:`Unsupported` where a point is not reached.

    >>> from lapdp import gaussian
    >>> found = deltas(gaussian(10), [0.5, 20.0], copies=100)
    >>> f"{found.values[1]:.12}", found[1].enclosure.digits >= 12
    ('2.66470670537e-86', True)
    >>> bool(found.wide.any()), found.method
    (False, 'inversion in doubles')
    """
    start = time.perf_counter()
    points, counts = queries("eps", eps, copies)
    flat, many = points.ravel(), counts.ravel()
    values, radii = by_doubles(pair, flat, many)
    methods = np.full(flat.shape, BY_DOUBLES, dtype=object)
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
    middle, radius = found.enclosure.middle, found.enclosure.radius
    value = float(middle)
    gap = abs(Fraction(value) - middle) + radius
    return value, float(np.nextafter(float(gap), np.inf)) if gap else 0.0, found.method


def by_doubles(pair: Pair, eps: Any, copies: Any) -> tuple[Any, Any]:
    """Values and radii; NaN where there is no path in doubles."""
    values, radii = np.full(eps.shape, np.nan), np.full(eps.shape, np.nan)
    for here, mirrored in ((eps >= 0, False), (eps < 0, True)):
        if not here.any():
            continue
        try:
            factors = releases(pair.reverse() if mirrored else pair)
        except Unsupported:
            continue
        found = _Queries(factors, np.abs(eps[here]), copies[here]).answer()
        values[here], radii[here] = _reversed(eps[here], found) if mirrored else found
    return values, radii


def _reversed(eps: Any, found: tuple[Any, Any]) -> tuple[Any, Any]:
    """The reversal law (7)."""
    at = Bounded.exact(eps)
    with np.errstate(all="ignore"):
        whole = at.exp() * Bounded(*found) - at.expm1()
    return whole.value, whole.error


class _Queries:
    """Queries at eps >= 0 for one product, answered line by line."""

    def __init__(self, factors: Factors, eps: Any, copies: Any) -> None:
        self.factors, self.eps, self.copies = factors, eps, copies
        self.values, self.radii = np.full(eps.shape, np.nan), np.full(eps.shape, np.nan)
        self.lattice = lattice_of(factors)
        self.open = np.ones(eps.shape, dtype=bool)

    def answer(self) -> tuple[Any, Any]:
        """Values and radii; NaN where no line serves."""
        for copies in np.unique(self.copies):
            self._beyond_all_losses(copies)
        order = np.lexsort((self.eps, self.copies))
        for j in order:
            if self.open[j]:
                self.open[j] = False
                try:
                    self._serve(j)
                except Unsupported:
                    continue
        return self.values, self.radii

    def _beyond_all_losses(self, copies: float) -> None:
        """Where eps is no smaller than any finite loss only the infinite ones are left."""
        here = self.copies == copies
        with flint.ctx.workprec(200):
            largest = self.factors.largest()
            if self.factors.finite_mass().is_zero():
                end = Bounded.exact(0.0)
            elif largest is None:
                return
            else:
                end = Bounded.of_ball(enclose(largest, {}).real * int(copies))
        gone = here & (self.eps >= end.value + end.error * (1 + 4 * UNIT))
        rest = lost(self.factors, int(copies))
        self.values[gone], self.radii[gone] = rest.value, rest.error
        # what is not told apart from the end is left to balls
        self.open[here & (self.eps >= end.value - end.error * (1 + 4 * UNIT))] = False

    def _serve(self, j: int) -> None:
        """One query, and others that its line serves as well."""
        eps, copies = float(self.eps[j]), int(self.copies[j])
        near = self.open & (self.copies <= NEAR * copies)
        if near.sum() > 1:
            first = choose(self.factors, copies, eps, 0.0)
            self._share(j, eps + ROOM * first.spread, copies, near)
        if not self.radii[j] <= SHARP * self.values[j]:
            self._ask(np.array([j]), eps, copies, 0.0, 0.0)

    def _share(self, j: int, eps: float, copies: int, near: Any) -> None:
        choice = choose(self.factors, copies, eps, ROOM)
        away = (self.eps - self.copies / copies * choice.mean) / (
            choice.spread * np.sqrt(self.copies / copies))
        served = near & (np.abs(away) <= ROOM + 0.5)
        served[j] = True
        self._ask(np.flatnonzero(served), eps, copies, ROOM, SHARP)

    def _ask(self, which: Any, eps: float, copies: int, room: float, most: float) -> None:
        """Keep what one line says; with ``most``, where it is that sharp."""
        chosen = choose(self.factors, copies, eps, room)
        values, radii = self._lines(chosen, which, copies)
        if chosen.gamma > 1:
            for count in np.unique(self.copies[which]):
                rest, part = lost(self.factors, int(count)), self.copies[which] == count
                if rest.value:
                    both = Bounded(values[part], radii[part]) + rest
                    values[part], radii[part] = both.value, both.error
        good = (radii <= most * np.abs(values)) if most else ~np.isnan(radii)
        kept = which[good]
        self.values[kept], self.radii[kept] = values[good], radii[good]
        self.open[kept] = False

    def _lines(self, chosen: Choice, which: Any, copies: int) -> tuple[Any, Any]:
        eps, counts = self.eps[which], self.copies[which]
        if chosen.gamma < 1:
            values, radii = nearly_one(self.factors, chosen, eps, counts)
            if (radii <= NEGLIGIBLE).all():
                return values, radii
        make = line if self.lattice is None else lattice_line
        return make(self.factors, chosen, copies).deltas(eps, counts)


__all__ = ["by_doubles", "deltas"]
