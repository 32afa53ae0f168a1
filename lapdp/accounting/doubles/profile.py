"""The profile of a product in doubles, for eps >= 0: which rule serves, and where losses end."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import numpy as np

from lapdp.accounting.doubles.batch import BY_DOUBLES
from lapdp.accounting.doubles.bounded import UNIT, Bounded
from lapdp.accounting.doubles.choice import Choice, choose
from lapdp.accounting.doubles.closed import CLOSED, ClosedForm
from lapdp.accounting.doubles.lattice import lattice_line, lattice_of
from lapdp.accounting.doubles.line import chernoff, line
from lapdp.accounting.moments.factors import Factors
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

NEGLIGIBLE = 1e-14
"""What delta lacks to 1 at most, where that is all that need be known."""
LITTLE = math.log(NEGLIGIBLE)
SMALLEST = 2.0**-1000
"""Below it doubles have no relative accuracy to speak of."""
LEAST = math.log(SMALLEST)
NEAR = 1.5
"""The copies that a line serves differ by this factor at most."""
ROOM = 3.0
"""Standard deviations of eps that a line serves to either side."""


class Profile:
    """delta for arrays of queries (eps, copies)."""

    def __init__(self, factors: Factors) -> None:
        self.factors, self.lattice = factors, lattice_of(factors)
        self.closed = ClosedForm.of(factors)

    def choose(self, copies: int, eps: float, room: float) -> Choice:
        """A line for eps and its neighbours, ``room`` standard deviations to either side."""
        return choose(self.factors, copies, eps, room)

    def shared(self, j: int, eps: Any, counts: Any, among: Any) -> tuple[Choice | None, Any]:
        """A line for the j-th query and larger ones, with the queries that it serves well."""
        copies, first = int(counts[j]), float(eps[j])
        near = among & (counts >= copies) & (counts <= NEAR * copies) & (eps >= first)
        if near.sum() < 2:
            return None, None
        try:
            own = self.choose(copies, first, 0.0)
            last = min(first + 2 * ROOM * own.spread, float(eps[near].max()))
            chosen = self.choose(copies, (first + last) / 2, ROOM)
        except Unsupported:
            return None, None
        share = counts / copies
        away = np.abs(eps - share * chosen.mean) / (chosen.spread * np.sqrt(share))
        served = near & (away <= ROOM + 0.5)
        served[j] = True
        return chosen, np.flatnonzero(served)

    @property
    def method(self) -> str:
        """How the answers are found."""
        return BY_DOUBLES if self.closed is None else CLOSED

    def on(self, chosen: Choice | None, copies: int, eps: Any, counts: Any) -> tuple[Any, Any]:
        """Values and radii by one line, made for about so many copies; a closed form needs none."""
        if self.closed is not None:
            return self.closed.deltas(eps, counts)
        assert chosen is not None
        if chosen.size < (LITTLE if chosen.gamma < 1 else LEAST):
            most = chernoff(self.factors, chosen, eps, counts)
            if chosen.gamma < 1 and (most <= NEGLIGIBLE).all():
                return 1 - most / 2, most + 2 * UNIT
            if chosen.gamma > 1 and (most <= SMALLEST).all():
                both = Bounded(most / 2, most) + self.lost(counts)
                return both.value, both.error
        make = line if self.lattice is None else lattice_line
        values, radii = make(self.factors, chosen, copies).deltas(eps, counts)
        if chosen.gamma > 1:
            rest = self.lost(counts)
            if rest.value.any():
                both = Bounded(values, radii) + rest
                values, radii = both.value, both.error
        return values, radii

    def lost(self, counts: Any) -> Bounded:
        """Pr[Z = oo], for each number of copies."""
        known = {k: _lost(self.factors, int(k)) for k in np.unique(counts)}
        return Bounded(np.array([known[k].value for k in counts]),
                       np.array([known[k].error for k in counts]))

    def end(self, copies: int) -> Bounded | None:
        """The largest finite loss, None where there is none."""
        return _end(self.factors, copies)


@lru_cache(maxsize=256)
def _lost(factors: Factors, copies: int) -> Bounded:
    for bits in (160, 600, 2400):
        with workprec(bits):
            ball = 1 - factors.finite_mass() ** copies
            if ball.is_zero() or ball.rel_accuracy_bits() > 60:
                break
    return Bounded.of_ball(ball)


@lru_cache(maxsize=256)
def _end(factors: Factors, copies: int) -> Bounded | None:
    with workprec(200):
        if factors.finite_mass().is_zero():
            return Bounded.exact(0.0)
        largest = factors.largest()
        return None if largest is None else Bounded.of_ball(enclose(largest, {}).real * copies)


__all__ = ["SMALLEST", "Profile"]
