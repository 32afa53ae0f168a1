"""delta where the losses lie on a few lattices without a common one: laws that are wrapped around.

With gamma >= 1, T the law of the loss Z under the masses that are weighed by e^((gamma - 1) z), and

    h(x) = e^(-(gamma - 1) x) max(0, 1 - e^-x),  which lies between 0 and 1,

delta(eps) of the finite losses is E_gamma e^((1 - gamma) eps) times the mean of h(Z - eps) under T,
which is the law of a sum of independent losses, one from each lattice.  Each of these laws is
wrapped around a window of N places: its probabilities there are the N values of a Fourier sum of
its characteristic function phi, for all of them together two products of matrices.  What is wrapped
around is the mass outside the window, and since 0 <= h <= 1 the mean moves by no more than that,
and by the sum of |phi| over the terms that are left out.  The sum is over all places but those of
the longest lattice: for each of them a tail of the law of that one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate
from typing import Any

import flint

from lapdp.accounting.inversion import longest, wrapped
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.inversion.turned import row
from lapdp.accounting.inversion.wrapped import Plan, Window, fourier, groups
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

MOST_PLACES, MOST_SUMS = 100_000, 100_000
"""Of one law that is written out; of all but the longest one together."""
MOST_WORK = 20_000_000
"""Places of a law times terms of its Fourier sum."""
FEW_BITS, QUICK_SUMS, QUICK_PLACES, FEW_SUMS = 48, 1000, 1000, 200
"""To so few bits so many sums, and places of the longest law, take little time; and so many sums
beside a law that is not written out."""


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about ``bits`` bits.

    Raises :class:`Unsupported` where a loss lies on no lattice, or lattices have too many places.
    """
    planned = wrapped.plan(factors, eps, bits)
    if not isinstance(planned, Plan):
        return planned
    return by_plan(planned, eps)


def by_plan(planned: Plan, eps: Any) -> Any:
    """The same, when the windows are chosen."""
    refuse_many(planned)
    gamma, goal, precision, windows = (
        planned.gamma, planned.goal, planned.precision, planned.windows)
    if windows[-1].places > MOST_PLACES:
        return _by_longest(windows, eps, (gamma, planned.line), goal, precision)
    with workprec(precision):
        laws = [_law(window, gamma, goal, precision) for window in windows]
        mean, beyond = _mean(laws[:-1], _tails(laws[-1], gamma), eps, gamma, goal)
        size = ((1 - flint.arb(gamma)) * eps).exp()
        for law in laws:
            size *= law.size
        moved = beyond + sum((law.moved for law in laws), flint.arb(0))
        # the product of 1 + x is at most 1 + 2 sum x where the sum of x is at most 1
        return size * (mean + flint.arb(0, (2 * moved).upper())) if moved < 1 else flint.arb.nan()


def refuse_many(planned: Plan) -> None:
    """:class:`Unsupported` where there are too many sums."""
    places = [window.places for window in planned.windows]
    if math.prod(places[:-1]) > MOST_SUMS:
        raise Unsupported(f"lattices of {', '.join(map(str, places))} places have more than "
                          f"{MOST_SUMS} sums beside the longest one")


def _by_longest(windows: Sequence[Window], eps: Any, orders: tuple[float, float], goal: float,
                precision: int) -> Any:
    """delta by that of the longest lattice alone, at eps less each sum of the others.

    The mean of h under the law of the longest one lies between 0 and 1 as well.
    """
    alone, gamma = windows[-1].factors, orders[0]
    with workprec(precision):
        laws = [_law(window, gamma, goal, precision) for window in windows[:-1]]
        total, beyond = longest.delta(alone, _sums(laws), eps, orders, goal)
        size, moved = flint.arb(1), beyond
        for law in laws:
            size, moved = size * law.size, moved + law.moved
        most = ((1 - flint.arb(gamma)) * eps).exp() * size * moment_bound(alone, gamma)
        return size * total + (flint.arb(0, (2 * moved * most).upper())
                               if moved < 1 else flint.arb.nan())


def _sums(laws: Sequence[_Law]) -> list[tuple[Any, Any]]:
    """Of places of all laws, with their probabilities."""
    sums = [(flint.arb(0), flint.arb(1))]
    for law in laws:
        sums = [(z + law.place(j), p * mass) for z, p in sums
                for j, mass in enumerate(law.masses)]
    return sums


def is_quick(factors: Factors, eps: float) -> bool:
    """Are these few sums, to few bits?  A choice."""
    laws, goal = groups(factors), FEW_BITS * LOG2
    with suppress(Unsupported):
        gamma = max(saddle(factors, eps, goal).gamma, 1.0)
        places = sorted(wrapped.window(law, gamma, goal).places for law in laws)
        sums = math.prod(places[:-1])
        # a longer law is not written out
        return (places[-1] < QUICK_PLACES and sums < QUICK_SUMS) or (
            places[-1] > MOST_PLACES and sums < FEW_SUMS)
    return False


@dataclass(frozen=True)
class _Law:
    """A law that is wrapped around a window: where its places lie, and their probabilities."""

    offset: Any
    step: Any
    first: int
    masses: Sequence[Any]
    size: Any
    """E_gamma."""
    moved: Any
    """A bound of the sum of all errors of the probabilities."""

    def place(self, j: int) -> Any:
        """The loss of the j-th place of the window."""
        return self.offset + self.step * (self.first + j)


@lru_cache(maxsize=32)
def _law(window: Window, gamma: float, goal: float, precision: int) -> _Law:
    sums = fourier(window, gamma, goal, MOST_WORK)
    masses = row(sums.terms, window.places, 0, window.places)
    return _Law(sums.offset, sums.step, window.first, masses, sums.size, sums.moved)


@dataclass(frozen=True)
class _Tails:
    """Sums of T e^(-(gamma - 1) z) and of T e^(-gamma z) from each place of a law to its last."""

    law: _Law
    upper: Sequence[Any]
    lower: Sequence[Any]
    largest: Sequence[Any]


def _tails(law: _Law, gamma: float) -> _Tails:
    terms = []
    fall, other = (-(flint.arb(gamma) - 1) * law.step).exp(), (-law.step).exp()
    start = law.place(0)
    weight, odds = (-(flint.arb(gamma) - 1) * start).exp(), (-start).exp()
    for mass in law.masses:
        terms.append((mass * weight, mass * weight * odds))
        weight, odds = weight * fall, odds * other
    sums = [list(accumulate(reversed([term[i] for term in terms]), initial=flint.arb(0)))[::-1]
            for i in range(2)]
    return _Tails(law, sums[0], sums[1], [term[0] for term in terms])


def _mean(laws: Sequence[_Law], tails: _Tails, eps: Any, gamma: float, goal: float
          ) -> tuple[Any, Any]:
    """The mean of h(Z - eps) under the wrapped laws, and the mass of sums that are left out."""
    sums = _sums(laws)
    law, total, beyond = tails.law, flint.arb(0), flint.arb(0)
    least, order = (flint.arb(-goal).exp() / len(sums)).lower(), flint.arb(gamma)
    for z, p in sums:
        if p.upper() < least:
            beyond += abs(p).upper()
            continue
        gap = eps - z
        place = (gap - law.offset) / law.step - law.first
        low, high = (end.floor().unique_fmpz() for end in (place.lower(), place.upper()))
        if low is None or high is None or high > low + 1:
            return flint.arb.nan(), beyond
        start = min(max(int(high) + 1, 0), len(law.masses))
        weight = ((order - 1) * gap).exp()
        total += p * (weight * tails.upper[start] - weight * gap.exp() * tails.lower[start])
        if high > low and 0 <= high < len(law.masses):
            # a sum next to eps, on either side of it: h is between 0 and |1 - e^-x|
            near = (gap - law.place(int(high))).expm1().abs_upper()
            total += flint.arb(0, abs(p * weight * tails.largest[int(high)] * near).upper())
    return total, beyond


__all__ = ["by_plan", "delta", "groups", "is_quick", "refuse_many"]
