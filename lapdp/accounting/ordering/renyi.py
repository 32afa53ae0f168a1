"""Renyi dominance: R_q(larger) >= R_q(smaller) for all orders q of an interval.

Dominance of profiles implies it for every q > 0 (data processing), and the converse fails:
``laplace(1)**2`` has the larger Renyi divergences against ``randomized_response(1)``, while the
profiles cross (Chourasia et al. 2024, equation (45), shows it for a Gaussian pair).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

import flint
import sympy as sp

from lapdp.accounting.ordering.lemmas import reason
from lapdp.accounting.ordering.profiles import (
    PROVED,
    REFUTED,
    UNDECIDED,
    Dominance,
    Failure,
    dominates,
)
from lapdp.accounting.ordering.values import separated
from lapdp.balls.decimals import Enclosure, certified
from lapdp.balls.smooth import Compiled
from lapdp.calculus.convert import to_scalar
from lapdp.calculus.enclose import sign_of_number
from lapdp.calculus.form import Form
from lapdp.calculus.isolation import simplest
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.calculus.sign_patterns import SignPattern, point_with
from lapdp.calculus.zeros import ball_of, rational
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Undefined, Unsupported, called
from lapdp.privacy.finite import exact
from lapdp.privacy.pair import Pair
from lapdp.privacy.renyi_comparison import renyi_signs


@dataclass(frozen=True)
class RenyiDominance(Dominance):
    """The answer of :func:`renyi_dominates`; its pattern and crossings are in q.

    The signs are those of R_q(larger) - R_q(smaller), on the orders where both are finite.
    """

    lowest: Fraction = Fraction(1)
    highest: Fraction | None = None
    letter: ClassVar[str] = "q"

    @cached_property
    def failure(self) -> Failure | None:
        """Where the order fails, if it is refuted: q exact, both divergences to proved digits."""
        if self.verdict != REFUTED:
            return None
        q = self.fails_at
        if q is None:
            assert self.pattern is not None
            q = point_with(self.pattern, -1, self.lowest, self.highest)
        at = sp.Rational(q.numerator, q.denominator)
        if _is_infinite(self.smaller, at):
            return Failure(at, divergence_at(self.larger, at, 15), sp.oo)
        return Failure(at, *separated(lambda digits: (divergence_at(self.larger, at, digits),
                                                      divergence_at(self.smaller, at, digits))))


@fitting
def renyi_dominates(larger: Any, smaller: Any, orders: Sequence[Any] = (1, sp.oo)
                    ) -> RenyiDominance:
    """Is R_q(larger) >= R_q(smaller) for all q between two orders?

    ``orders`` are two exact numbers lo < hi, both >= 1 or both in [0, 1]; hi may be ``oo``.  At
    q = 1 the divergence is its limit.  Pairs of the exact class and Gaussian pairs are decided by
    the signs of E_q, an exponential polynomial in q over powers of linear factors.  Raises
    :class:`InputError` for what is no pair and for other orders.

    >>> from lapdp import gaussian, laplace, randomized_response
    >>> bool(renyi_dominates(laplace(1)**2, randomized_response(1)))
    True
    >>> from lapdp.accounting import dominates
    >>> bool(dominates(laplace(1)**2, randomized_response(1)))
    False
    >>> answer = renyi_dominates(gaussian(1), randomized_response(4))
    >>> answer.verdict, [round(float(c.at), 9) for c in answer.crossings()]
    ('refuted', [7.994810459])
    """
    for pair in (larger, smaller):
        if not isinstance(pair, Pair):
            raise InputError(f"{called(pair)} is no pair: write a mechanism such as laplace(1)")
    low, high = _orders(orders)

    def answer(verdict: str, method: str, why: str = "", pattern: SignPattern | None = None,
               at: Fraction | None = None) -> RenyiDominance:
        return RenyiDominance(larger, smaller, verdict, method, why, pattern, at, low, high)

    known = reason(larger, smaller)
    if known:
        return answer(PROVED, f"a lemma: {known}")
    try:
        upper = None if high is None else Form.of(high)
        if low >= 1:
            found = _finite_part(larger, smaller, low, upper)
            if isinstance(found, Fraction):
                return answer(REFUTED, "an infinite divergence", at=found)
            if found is None:
                return answer(PROVED, "infinite divergences of the first pair")
            pattern = renyi_signs(larger, smaller, low, found.upper)
        else:
            # 1/(q - 1) is negative there
            pattern = renyi_signs(smaller, larger, low, upper)
    except (Unsupported, Undefined) as problem:
        if dominates(larger, smaller):
            return answer(PROVED, "dominance of the profiles")
        return answer(UNDECIDED, "no method", str(problem))
    return answer(PROVED if pattern.nonnegative else REFUTED,
                  "signs of the difference of moments", pattern=pattern)


def _orders(orders: Sequence[Any]) -> tuple[Fraction, Fraction | None]:
    if not isinstance(orders, Sequence) or len(orders) != 2:
        raise InputError("orders are two exact numbers, such as (1, 10) or (1, oo)")
    low = exact(orders[0], "the lowest order")
    high = None if orders[1] == sp.oo else exact(orders[1], "the highest order")
    if low < 0 or (high is not None and low >= high) or (low < 1 and (high is None or high > 1)):
        raise InputError("orders lie between 0 and 1, or from 1 on, the lower one first")
    return low, high


@dataclass(frozen=True)
class _Finite:
    """Both divergences are finite below this order (None: at all)."""

    upper: Form | None


def _finite_part(larger: Pair, smaller: Pair, low: Fraction, upper: Form | None
                 ) -> _Finite | Fraction | None:
    """Up to which order both are finite; or an order at which only the second is infinite; or None
    where the first is infinite at all of them.

    E_q is finite for all q > 1 up to some order, and infinite beyond.
    """
    edges = [_edge(pair) for pair in (larger, smaller)]
    if edges[0] is not None and sign_of_number(edges[0] - Form.of(low)) <= 0:
        return None
    end = _least(upper, edges[0])
    if edges[1] is not None and (end is None or sign_of_number(end - edges[1]) > 0):
        start = _largest(edges[1], Form.of(low))
        return _between(start, end)
    return _Finite(end)


def _edge(pair: Pair) -> Form | None:
    """The order from which on E_q is infinite; 1 where P has mass that Q has not."""
    return Form.of(1) if _loses_everything(pair) else pair.moment_region().upper


def _loses_everything(pair: Pair) -> bool:
    """Has P mass where Q has none, whatever the parameters are?"""
    mass = to_scalar(sp.sympify(pair.mass_at_infinity))
    try:
        return Cell(pair.constraints()).sign_of(mass) > 0
    except NeedSplit:
        raise Unsupported(f"Pr[Z = oo] = {mass} is 0 for some parameters, or its sign is not "
                          "known") from None


def _least(a: Form | None, b: Form | None) -> Form | None:
    if a is None or b is None:
        return b if a is None else a
    return a if sign_of_number(a - b) <= 0 else b


def _largest(a: Form, b: Form) -> Form:
    return a if sign_of_number(a - b) >= 0 else b


def _between(start: Form, end: Form | None) -> Fraction:
    low = rational(ball_of(start), 1)
    high = low + 2 if end is None else rational(ball_of(end), -1)
    if not low < high:
        raise Unsupported("two ends of divergence that are not told apart")
    third = (high - low) / 3
    return simplest(low + third, high - third)


def _is_infinite(pair: Pair, q: Any) -> bool:
    """Below order 1 that of disjoint supports, where E_q = 0."""
    return bool(pair.moment(q) == (sp.oo if q > 1 else 0))


def divergence_at(pair: Pair, q: Any, digits: int) -> Enclosure:
    """R_q at a rational order, where it is finite, to ``digits`` relative digits.

    >>> from lapdp import gaussian
    >>> divergence_at(gaussian(1), sp.Integer(3), 10).middle
    Fraction(3, 2)
    """
    value = sp.sympify(sp.log(pair.moment(q)) / (q - 1))
    if value.is_Rational:
        return Enclosure(Fraction(int(value.p), int(value.q)), Fraction(0))
    f = Compiled(value, sp.Dummy("q", real=True))
    return certified(lambda bits: f.ball(flint.arb(0)), digits)


__all__ = ["RenyiDominance", "divergence_at", "renyi_dominates"]
