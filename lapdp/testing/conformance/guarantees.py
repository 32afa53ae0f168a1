"""The worst pairs that keep a guarantee, and random guarantees.

What follows from guarantees is true for delta(eps) of the worst pair: randomized response for
(eps, delta) guarantees and what is composed or sampled of them (Kairouz, Oh, Viswanath 2015; Zhu,
Dong, Wang 2022), an iterated trade-off function for groups (Dong, Roth, Su 2022), pairs on two
outcomes for bounds of Renyi divergences.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import pairwise
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq
from hypothesis import strategies as st

from lapdp.accounting.answers import largest
from lapdp.core.precision import workprec
from lapdp.privacy.ball_values import expression_ball
from lapdp.privacy.duality.implied import implied_profile
from lapdp.privacy.finite import FinitePair, finite
from lapdp.privacy.mechanisms.gaussian import gaussian
from lapdp.privacy.mechanisms.randomized_response import randomized_response
from lapdp.privacy.point_guarantees import point_guarantees
from lapdp.privacy.subsampled import poisson
from lapdp.testing.conformance.questions import true_delta
from lapdp.testing.conformance.values import BITS, Real
from lapdp.testing.strategies.points import copies, magnitudes

MOST_SAME = 40
"""Guarantees whose worst pair is a finite one."""
MOST_EQUAL = 300
"""Equal guarantees that are composed."""
MOST_GROUP = 6
MOST_DIGITS = 16
"""Of what Renyi bounds imply: more take long."""
_ONE = Fraction(1)


def some_eps(doubles: bool) -> st.SearchStrategy[Any]:
    """From 1e-4 to 99; exact ones are logs of rational numbers."""
    if doubles:
        return st.sampled_from((1.0, 0.5, 2.0, 0.125)) | magnitudes(-2, 0).map(
            float) | magnitudes(-4, 1).map(float)
    return st.builds(lambda n, d: sp.log(sp.Rational(n + d, d)), st.integers(1, 6),
                     st.integers(1, 4)) | _middle_eps(False) | st.sampled_from(
        [sp.log(10**n) for n in (2, 4, 8)])


def _middle_eps(doubles: bool) -> st.SearchStrategy[Any]:
    """Such that a composition of tens or hundreds tells bounds apart."""
    if doubles:
        return magnitudes(-2, -1).map(float)
    return st.sampled_from((4, 8, 10, 16, 25, 50, 100, 1000)).map(
        lambda n: sp.log(sp.Rational(n + 1, n)))


def some_small(doubles: bool, *first: Fraction) -> st.SearchStrategy[Any]:
    found = st.sampled_from(first) | magnitudes(-6, -2) | magnitudes(-12, -1) | st.sampled_from(
        [Fraction(1, n) for n in (2, 4, 8, 1024)])
    return found.map(float) if doubles else found


def some_rhos(doubles: bool) -> st.SearchStrategy[Any]:
    """From 1/1000 to 999, evenly on a logarithmic scale."""
    found = st.sampled_from([Fraction(n) for n in ("1/2", "1/4", "1", "4", "10", "50", "200")]
                            ) | magnitudes(-3, 2)
    return found.map(float) if doubles else found


def some_rates(doubles: bool) -> st.SearchStrategy[Any]:
    found = st.sampled_from([Fraction(n, 8) for n in (4, 2, 6, 1, 8)]) | magnitudes(
        -3, -1) | magnitudes(-6, -1)
    return found.map(float) if doubles else found


def exactly(x: Any) -> Any:
    return x if isinstance(x, sp.Basic) else sp.Rational(*Fraction(x).as_integer_ratio())


def some_guarantees(doubles: bool) -> st.SearchStrategy[list[Any]]:
    """A few of any kind, tens of equal ones, and hundreds of small ones."""
    one = st.tuples(some_eps(doubles), some_small(doubles, Fraction(0), Fraction(1, 4)))
    small = st.tuples(_middle_eps(doubles), st.just(0.0 if doubles else Fraction(0))
                      | magnitudes(-12, -5).map(float if doubles else Fraction))
    return st.lists(one, min_size=1, max_size=3) | st.builds(
        lambda each, count: [each] * count, one, st.integers(1, MOST_SAME)) | st.builds(
        lambda each, count: [each] * count, small,
        copies(min_copies=8, max_copies=MOST_EQUAL))


def composed(eps: Any, guarantees: Any, *_: Any) -> Real:
    """The product of randomized responses; finite and exact where all odds are rational."""
    coins = [_coin(e, d) for e, d in guarantees]
    if None not in coins and len(coins) <= MOST_SAME:
        return true_delta(reduce(lambda a, b: (a * b).merge(), coins), eps)
    return true_delta(point_guarantees([(exactly(e), exactly(d)) for e, d in guarantees]), eps)


def _coin(eps: Any, delta: Any) -> Any:
    """Randomized response, finite and exact; None for irrational odds."""
    odds = sp.exp(eps) if isinstance(eps, sp.Basic) else None
    if odds is None or not odds.is_Rational:
        return None
    up, rest = Fraction(int(odds.p), int(odds.p + odds.q)), 1 - Fraction(delta)
    high, low = up * rest, (1 - up) * rest
    return finite([delta, high, low, 0], [0, low, high, delta])


def sampled(eps: Any, eps0: Any, delta0: Any, rate: Any) -> Real:
    """The worse of both directions, of randomized response on a sample."""
    coin, point = _coin(eps0, delta0), exactly(eps)
    odds = sp.exp(point)
    if coin is not None and odds.is_Rational:
        mixed = FinitePair(tuple((rate * p + (1 - rate) * q, q) for p, q in coin.masses))
        alpha = Fraction(int(odds.p), int(odds.q))
        return Real.of(max(mixed.hockey_stick(alpha), mixed.reverse().hockey_stick(alpha)))
    response = randomized_response(exactly(eps0), exactly(delta0))
    pairs = [poisson(response, exactly(rate), direction=way) for way in ("remove", "add")]
    return Real.certified(lambda digits: largest(*(p.delta(point, digits) for p in pairs)))


def implied(eps: Any, bounds: Any, *_: Any) -> Real:
    """The largest delta(eps) that Renyi bounds allow."""
    implied, point = _profile(tuple((exactly(q), exactly(r)) for q, r in bounds)), exactly(eps)
    known: dict[int, Any] = {}

    def ball() -> Any:
        digits = 8 if ctx.prec <= BITS[1] else MOST_DIGITS
        if digits not in known:
            known[digits] = implied.at(point, digits).ball()
        return known[digits]

    return Bounded(None, ball, above=Real(None, lambda: expression_ball(implied.conversion(point))))


@dataclass(frozen=True)
class Bounded(Real):
    """A number that takes long, with a bound above it that is quick."""

    above: Real = field(kw_only=True)

    def compare(self, other: Real) -> int | None:
        """By the bound, where that is enough."""
        return -1 if self.above.compare(other) == -1 else super().compare(other)

    def __str__(self) -> str:
        with workprec(BITS[2]):
            return str(self.ball().str(12, radius=False))


@lru_cache(maxsize=256)
def _profile(bounds: tuple[tuple[Any, Any], ...]) -> Any:
    return implied_profile(bounds)


def concentrated(eps: Any, rho: Any, *_: Any) -> Real:
    """A normal distribution of variance 1/(2 rho)."""
    return true_delta(gaussian(1 / sp.sqrt(2 * exactly(rho))), eps)


def grouped(eps: Any, eps0: Any, delta0: Any, k: int) -> Real:
    """The worst of k steps, each with the guarantee: k-fold composition of trade-off functions."""
    level = Fraction(delta0)
    step = sp.exp(eps0) if isinstance(eps0, sp.Basic) else None
    if step is not None and step.is_Rational:
        return true_delta(_chain(Fraction(int(step.p), int(step.q)), level, k), eps)
    point, per = exactly(eps), exactly(eps0)

    def ball() -> Any:
        # what each step may do grows with its eps: the ends of e^eps bound the profile
        found = []
        odds = arb(fmpq(int(per.p), int(per.q))).exp()
        for end in (odds.lower(), odds.upper()):
            mantissa, power = (int(part) for part in end.man_exp())
            rational = max(_ONE, Fraction(mantissa) * Fraction(2) ** power)
            found.append(true_delta(_chain(rational, level, k), point).ball())
        return found[0].union(found[1])

    return Real(None, ball)


@lru_cache(maxsize=256)
def _chain(odds: Fraction, level: Fraction, k: int) -> FinitePair:
    """The pair whose largest power at each size is that of k steps of an (eps, delta) guarantee.

    One step turns a probability x into at most g(x) = min(e^eps x + delta, 1 - e^-eps (1 - delta -
    x), 1); the k-th iterate of g is concave, and piecewise linear.

    >>> _chain(Fraction(2), Fraction(0), 2).hockey_stick(4)
    Fraction(0, 1)
    """
    def g(x: Fraction) -> Fraction:
        return min(odds * x + level, 1 - (1 - level - x) / odds, _ONE)

    # kinks of the iterate: those of g, pulled back
    kinks = {Fraction(0), _ONE}
    own = {(1 - level) / (1 + odds), 1 - level}
    for _ in range(k):
        kinks |= own
        own = {y for x in own for y in _preimages(x, odds, level)}
    xs = sorted(x for x in kinks if 0 <= x <= 1)
    ys = [reduce(lambda y, _: g(y), range(k), x) for x in xs]
    P = [ys[0], *(b - a for a, b in pairwise(ys))]
    Q = [Fraction(0), *(b - a for a, b in pairwise(xs))]
    return finite([*P, 1 - sum(P)], [*Q, 1 - sum(Q)]).merge()


def _preimages(y: Fraction, odds: Fraction, level: Fraction) -> list[Fraction]:
    return [(y - level) / odds, 1 - level - odds * (1 - y)]


def some_bounds(doubles: bool) -> st.SearchStrategy[list[Any]]:
    orders = [Fraction(n, d) for n, d in ((2, 1), (3, 1), (3, 2), (8, 1), (5, 4), (32, 1),
                                               (100, 1), (65, 64))]
    values = [Fraction(n, d) for n, d in ((1, 2), (1, 1), (1, 8), (2, 1), (10, 1), (1, 100))]
    one = st.tuples(st.sampled_from(orders), st.sampled_from(values))
    if doubles:
        one = one.map(lambda two: (float(two[0]), float(two[1])))  # type: ignore[arg-type,return-value]
    return st.lists(one, min_size=1, max_size=2, unique_by=lambda two: two[0])


__all__ = ["MOST_GROUP", "Bounded", "composed", "concentrated", "exactly", "grouped", "implied",
           "sampled", "some_bounds", "some_eps", "some_guarantees", "some_rates", "some_rhos",
           "some_small"]
