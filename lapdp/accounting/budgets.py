"""Budgets (eps, delta): whether pairs keep within them, and how many releases do."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.accounting.answers import Answer, largest
from lapdp.accounting.crossing import Bracket, Place
from lapdp.accounting.delta import delta as delta_at
from lapdp.accounting.delta_rules import at_least
from lapdp.accounting.inversion.level import level
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.releases import refuse_symbols, releases
from lapdp.calculus.enclose import enclose
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Undefined, Unsupported, called
from lapdp.privacy.finite import exact
from lapdp.privacy.notions.tradeoff_order import sign_of
from lapdp.privacy.operations import factors
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter

Guarantee = tuple[Any, Fraction]
"""(eps, delta)."""
FEW = 64
"""Up to so many releases a closed form is asked whether delta is the budget exactly."""
MOST_COPIES = 10**9
GUESS = 1e-3
"""Relative precision of the first guess."""
DIGITS = 6
"""Digits of delta during the search."""
MORE_DIGITS = (1, 2, 8)
"""Times the digits asked for, at which a comparison is tried again."""


@dataclass(frozen=True, repr=False)
class Copies:
    """How many independent releases keep within a budget: exactly, with the proof of both sides."""

    count: int | None
    """None for infinitely many."""
    within: Answer | None
    """delta of that many releases, at most the budget; None where there are none at all, or
    infinitely many."""
    beyond: Answer | None
    """delta of one more release, above the budget; None for infinitely many, and for delta = 0,
    where the largest loss decides."""
    method: str
    seconds: float
    monotone: str = "a product dominates its factors"
    """The lemma by which fewer releases keep within the budget and more do not."""

    @property
    def value(self) -> int | float:
        """The number, ``math.inf`` for infinitely many."""
        return math.inf if self.count is None else self.count

    @property
    def radius(self) -> int:
        """0: the number is exact."""
        return 0

    def __str__(self) -> str:
        return "oo" if self.count is None else str(self.count)

    def __repr__(self) -> str:
        return f"Copies({self}, by {self.method}, {self.seconds:.3g} s)"

    def _repr_html_(self) -> str:
        from lapdp.report.html.comparisons import copies_card

        return copies_card(self)


@fitting
def most_copies(pair: Pair, eps: Any, delta: Any, both_directions: bool = False,
                beside: Pair | None = None) -> Copies:
    """The largest k such that k independent releases of a pair have delta(eps) at most ``delta``.

    ``beside`` is released once as well, such as what has been released before.

    Composition only adds: a product dominates its factors, since leaving releases out is
    post-processing.  So delta_k(eps) never falls in k, and two certified values decide: that of k
    and that of k + 1.  Infinite where P = Q or ``delta`` is 1; otherwise delta_k tends to 1, since
    losses add up and their mean is positive.

    Raises :class:`InputError` for floats, symbols and numbers out of range, :class:`Undefined`
    where even no release at all exceeds the budget, as it does where eps < 0 and ``delta`` is below
    1 - e^eps, or where what is ``beside`` does; :class:`Unsupported` where 10^9 releases are not
    enough, or where a comparison stays open.

    >>> from lapdp import gaussian, laplace, poisson
    >>> found = most_copies(poisson(gaussian(1), "0.01", direction="remove"), 2, "1e-5")
    >>> found.count, found.within <= "1e-5", found.beyond > "1e-5"
    (1202, True, True)
    >>> print(most_copies(laplace(10), 3, 0), most_copies(gaussian(1), "1/2", 0))
    30 0
    >>> print(most_copies(laplace(10), 3, 0, beside=laplace(1)))
    20
    """
    for each in (pair,) if beside is None else (pair, beside):
        if not isinstance(each, Pair):
            raise InputError(f"{called(each)} is no pair: write a mechanism such as laplace(1)")
        refuse_symbols(each)
    budget, start = guarantee(eps, delta), time.perf_counter()
    pairs = [pair, pair.reverse()] if both_directions else [pair]
    rest = [] if beside is None else [beside, beside.reverse()][:len(pairs)]
    search = _Search(pairs, budget, rest)

    def answer(count: int | None, method: str, ends: bool = True) -> Copies:
        within = search.worst(count) if (count or rest) and count is not None and ends else None
        beyond = search.worst((count or 0) + 1) if budget[1] and ends else None
        return Copies(count, within, beyond, method, time.perf_counter() - start)

    if budget[1] == 1:
        return answer(None, "delta is at most 1", ends=False)
    if budget[0].is_negative and sign_of(1 - sp.exp(budget[0]) - exact_parameter(
            "delta", budget[1])) > 0:
        raise Undefined(f"no number of releases: delta({budget[0]}) is at least 1 - e^eps, which "
                        f"exceeds {budget[1]}, for every pair")
    if rest and not search.keeps(search.look(Fraction(0), DIGITS)):
        raise Undefined(f"what is released besides exceeds delta = {float(budget[1]):.6g} at eps = "
                        f"{budget[0]} by itself")
    if all(delta_at(p, 0, 5).value == 0 for p in pairs):
        return answer(None, "P = Q", ends=False)
    return answer(search.run(), "two values of delta" if budget[1] else "largest loss")


class _Search:
    """The last k within the budget, by interpolation of log delta_k."""

    def __init__(self, pairs: Sequence[Pair], budget: Guarantee, rest: Sequence[Pair]) -> None:
        self.pairs, self.budget, self.rest = pairs, budget, rest
        self.known = Bracket(self.look, DIGITS)
        self.low, self.high = 0, MOST_COPIES + 1

    def look(self, k: Fraction, wanted: int) -> Place:
        """Left of the crossing: within the budget."""
        many = self.many(int(k))
        for times in MORE_DIGITS:
            size, order, _ = most_over(many, [self.budget], times * wanted)
            if order is not None:
                break
        # what falls with k is the budget over delta
        return Place(k, 1 / size if size else None, order and -order)

    def many(self, k: int) -> list[Pair]:
        """k releases beside the rest, in each direction."""
        if not self.rest:
            return [p**k for p in self.pairs]
        return [p**k * r if k else r for p, r in zip(self.pairs, self.rest, strict=True)]

    def see(self, k: int) -> bool:
        """Are k releases within the budget?"""
        return self.keeps(self.known.see(Fraction(k), DIGITS))

    def keeps(self, place: Place) -> bool:
        """Is this number of releases within the budget?"""
        if place.side is None:
            raise Unsupported(f"whether {place.x} releases exceed delta = "
                              f"{float(self.budget[1]):.6g} is open: they may meet it exactly")
        return place.side == 1

    def run(self) -> int:
        """Narrow until the ends are neighbours."""
        rests: Sequence[Pair | None] = self.rest or [None] * len(self.pairs)
        k, self.known.slope = min((_first_guess(pair, rest, self.budget) for pair, rest in zip(
            self.pairs, rests, strict=True)), key=lambda found: found[0])
        slow = 0
        while self.high - self.low > 1:
            width = self.high - self.low
            self.low, self.high = (k, self.high) if self.see(k) else (self.low, k)
            slow = slow + 1 if 2 * (self.high - self.low) > width else 0
            k = self.next(halve=slow > 2)
        if self.high > MOST_COPIES:
            raise Unsupported(f"{MOST_COPIES} releases are still within the budget")
        return self.low

    def next(self, halve: bool) -> int:
        """Where to look next, strictly inside and no leap into the unknown."""
        found, low, high = self.known.guess(), self.low, self.high
        if high > MOST_COPIES:
            k = 2 * low if halve or found is None else round(found[0])
            return min(max(k, low + 1), 64 * low, MOST_COPIES)
        if halve or found is None:
            k = math.isqrt(low * high) if high > 4 * low > 0 else (low + high) // 2
        else:
            k = max(round(found[0]), high // 64)
        return min(max(k, low + 1), high - 1)

    def worst(self, k: int) -> Answer:
        """The larger delta of k releases, to as many digits as tell it from the budget."""
        for times in MORE_DIGITS:
            found = largest(*(delta_at(p, self.budget[0], times * 15) for p in self.many(k)))
            if found.compare(self.budget[1]) is not None:
                break
        return found


def _first_guess(pair: Pair, rest: Pair | None, budget: Guarantee) -> tuple[int, float | None]:
    """About the last k within the budget, where the saddle point of k releases lies at eps, and
    the slope of log(budget/delta_k) there: -log of the moment of one release at the saddle."""
    eps, size = float(budget[0]), float(budget[1])
    try:
        one = releases(pair)
        more = () if rest is None else releases(rest).parts
    except Unsupported:
        return 1, None
    top = one.largest()
    if not size and top is not None:
        loss = float(enclose(top, {}).real)
        most = eps / loss if loss else 1.0
        return round(min(max(most, 1.0), MOST_COPIES)), None
    low, high, gap = 0.0, math.log(MOST_COPIES), 0.0
    while size > 0 and high - low > GUESS:
        t = (low + high) / 2
        many = Factors((*((each, count * round(math.exp(t))) for each, count in one.parts), *more))
        lost = float(1 - many.finite_mass().mid())
        found = level(many, math.log(size - lost)) if lost < size else (math.inf, gap)
        if found is None:
            return 1, None
        gap = found[1]
        low, high = (t, high) if found[0] < eps else (low, t)
    return round(math.exp(low)), -one.log_moment(1 - gap) if gap else None


def guarantee(eps: Any, delta: Any) -> Guarantee:
    """A budget: an exact real number, and an exact rational one in [0, 1].

    >>> guarantee("1/2", 2)
    Traceback (most recent call last):
    lapdp.core.errors.InputError: delta = 2 must be between 0 and 1
    """
    point, level = exact_parameter("eps", eps), exact(delta, "delta")
    if point.free_symbols:
        raise InputError(f"eps = {point} must be a number")
    if not 0 <= level <= 1:
        raise InputError(f"delta = {level} must be between 0 and 1")
    return point, level


def most_over(pairs: Sequence[Pair], guarantees: Sequence[Guarantee], digits: int
              ) -> tuple[Fraction | None, int | None, str]:
    """Of all pairs at all guarantees: the largest delta over its budget, nearly; 1 where some
    budget is exceeded, -1 where all are kept, None where that is open; and the method.

    The ratio is None where it is infinite.
    """
    sizes: list[Fraction | None] = []
    orders: list[int | None] = []
    method = ""
    for pair in pairs:
        for eps, budget in guarantees:
            if not budget and (zero := is_zero(pair, eps)) is not None:
                method = method or "largest loss"
                orders.append(-1 if zero else 1)
                sizes.append(Fraction(0) if zero else None)
                continue
            found = delta_at(pair, eps, digits)
            assert found.enclosure is not None
            order = found.enclosure.compare(budget)
            if order is None and sum(count for _, count in factors(pair)) <= FEW:
                order = _exact_order(pair, eps, budget)
            orders.append(order)
            middle = found.enclosure.middle
            sizes.append(middle / budget if budget else None if middle else Fraction(0))
            method = found.method
    size = None if None in sizes else max(s for s in sizes if s is not None)
    if any(order == 1 for order in orders):
        return size, 1, method
    return size, None if None in orders else -1, method


def is_zero(pair: Pair, eps: Any) -> bool | None:
    """Is delta(eps) = 0?  Where no loss is infinite and none exceeds eps; None where the losses are
    not known."""
    try:
        if not pair.is_absolutely_continuous:
            return False
        top = releases(pair).largest()
    except Unsupported:
        return None
    return top is not None and at_least(eps, top)


def _exact_order(pair: Pair, eps: Any, level: Fraction) -> int | None:
    """delta(eps) against a number, as far as the closed form says."""
    try:
        return sign_of(sp.sympify(pair.profile(eps)) - sp.Rational(level.numerator,
                                                                   level.denominator))
    except Unsupported:
        return None


__all__ = ["Copies", "Guarantee", "guarantee", "most_copies", "most_over"]
