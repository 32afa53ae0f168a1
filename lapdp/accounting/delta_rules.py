"""How a rule for delta becomes an enclosure: its precision, negative eps, infinite losses, and what
is negligible.

A rule gives a ball around delta(eps) of the finite losses for eps >= 0, to about so many bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

import flint

from lapdp.accounting.delta import Tried, delta, nearly
from lapdp.accounting.inversion import contour, few, hit_beside, one_hit, shared, split
from lapdp.accounting.inversion.saddle import beyond_one, exponent
from lapdp.accounting.inversion.same_lines import one_search
from lapdp.accounting.method_names import ROUNDED
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.given import Finite
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import MOST_POWER, Enclosure, certified
from lapdp.balls.evaluate import GUARD
from lapdp.calculus.convert import to_form
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.pair import FAR, Pair
from lapdp.privacy.parameters import exceeds

MOST_BITS = 1 << 14
"""Working precision of the integrals; closed forms may take more."""
MOST_EPS = 1e100
"""Lines are chosen in doubles."""
SPARE_BITS, FIRST_BITS = 128, 4
LOG10 = math.log(10)
MOST_ORDER = 1000.0
"""Of a bound of what may be left out; higher ones cost as much as the number itself."""
ORDERS = (0.46875, 0.21875, 0.71875)
"""Inside (0, 1), clear of the poles at which a moment is a difference of large terms."""
BY_ONE_HIT = one_hit.delta, hit_beside.delta
"""Rules that have a power series around eps."""
ROUGH_BITS, COARSE = 64, 2.0
"""Of a bound that a refusal names; its order where no best one is seen."""
MORE_DIGITS = 1
"""Of the profile of finite losses."""
MOST_DIGITS = 13
"""Doubles are asked for no more digits."""


def refusal(problem: Unsupported) -> Callable[[int], Enclosure]:
    def compute(digits: int) -> Enclosure:
        raise problem

    return compute


def in_doubles(pair: Pair, forward: Factors, eps: Any, module: str, rule: str = "delta"
                ) -> Callable[[int], Enclosure]:
    """For few digits, where doubles suffice; by one of the modules that need NumPy."""
    def compute(digits: int) -> Enclosure:
        if digits > MOST_DIGITS:
            raise Unsupported(f"not for more than {MOST_DIGITS} digits")
        try:
            doubles = import_module(f"lapdp.accounting.inversion.{module}")
        except ImportError:
            raise Unsupported("NumPy is not installed") from None
        with workprec(doubles.BITS):
            ball = _value(pair, forward, eps, doubles.BITS, lambda factors, point, _: getattr(
                doubles, rule)(factors, point, digits))
            if ball.is_exact() or ball.rel_accuracy_bits() > digits / math.log10(2) + 1:
                return Enclosure.of_ball(ball, digits)
        raise Unsupported(f"doubles do not give {digits} digits")

    return compute


@dataclass
class Apart:
    """A rule with queries of its own about some of the factors; what these rest on is noted."""

    pair: Pair
    eps: Any
    tried: Tried
    rule: Callable[..., Any]
    """Of the pair, an exact eps, bits, and the profile of any other pair."""
    noted: set[str] = field(default_factory=set)

    def __call__(self, digits: int) -> Enclosure:
        used: list[str] = []
        with shared.noting(used), one_search():
            found = self._found(digits)
        self.noted |= {ROUNDED} if used else set()
        return found

    def _found(self, digits: int) -> Enclosure:
        here, exact = non_negative(self.pair, self.eps)
        forward = releases(self.pair)

        def rule(factors: Factors, point: Any, bits: int) -> Any:
            return self.rule(here, exact, bits, self._profile)

        # queries of queries: as few digits more as may do
        enough = digits / math.log10(2) + 1
        with workprec(math.ceil(enough) + FIRST_BITS + GUARD):
            ball = _value(self.pair, forward, self.eps, math.ceil(enough) + FIRST_BITS + GUARD - 4,
                          rule)
        if ball.is_finite() and ball.rel_accuracy_bits() > enough:
            return Enclosure.of_ball(ball, digits)
        return integral(self.pair, forward, self.eps, rule)(digits)

    def _profile(self, other: Pair, t: Any, bits: int) -> Any:
        """A ball around the profile of another pair."""
        # the last digit is rounded to the nearest
        found = delta(other, t, math.ceil((bits - 1) * LOG2 / LOG10), tried=self.tried)
        assert found.enclosure is not None
        self.noted |= {found.assumes} - {""}
        return found.enclosure.ball()


@dataclass
class Given:
    """The profile of a pair given that its losses are finite, by a query of its own."""

    given: Finite
    eps: Any
    tried: Tried
    noted: set[str] = field(default_factory=set)

    def __call__(self, digits: int) -> Enclosure:
        asked = digits + MORE_DIGITS
        bits = math.ceil(asked / math.log10(2)) + GUARD
        with workprec(bits):
            lost, place = self.given.mass(), self.eps + self.given.shift
            mass = 1 - lost
            if lost > 0:
                # beside what is lost so few of its digits may be seen
                bound = self._bound(place)
                if bound is not None:
                    most = lost + mass * flint.arb(0).union(bound)
                    if most.rel_accuracy_bits() > digits / math.log10(2) + 1:
                        return Enclosure.of_ball(most, digits)
                    seen = float((mass * bound / (lost + mass * bound)).log()) / LOG10
                    asked = max(1, asked + math.ceil(seen))
            while True:
                found = delta(self.given.pair, place, asked, tried=self.tried)
                assert found.enclosure is not None
                self.noted |= {found.assumes} - {""}
                ball = lost + mass * found.enclosure.ball()
                if ball.is_exact() or ball.rel_accuracy_bits() > digits / math.log10(2) + 1:
                    return Enclosure.of_ball(ball, digits)
                if asked >= digits + MORE_DIGITS:
                    raise Unsupported("infinite losses apart the digits are too few")
                asked += 1

    def _bound(self, place: Any) -> Any:
        """Of the profile of finite losses, where one is known."""
        if not exceeds(place, 0):
            return None
        found = upper_bound(releases(self.given.pair), place)
        return None if found is None else found[0].min(flint.arb(1))


def non_negative(pair: Pair, eps: Any) -> tuple[Pair, Any]:
    """The direction in which eps >= 0."""
    return (pair.reverse(), -eps) if _is_negative(eps) else (pair, eps)


def integral(pair: Pair, forward: Factors, eps: Any, rule: Callable[..., Any]
              ) -> Callable[[int], Enclosure]:
    """One of the rules."""
    return lambda digits: certified(lambda bits: _value(pair, forward, eps, bits, rule), digits,
                                    MOST_BITS)


def _value(pair: Pair, forward: Factors, eps: Any, bits: int, rule: Callable[..., Any]) -> Any:
    """By one of the rules for eps >= 0; below, by the reversal law (7)."""
    if not _is_negative(eps):
        return _tail(forward, eps, bits, rule)
    backward = releases(pair.reverse())
    x = exact_ball(eps).real.exp()
    tail = _negligible(backward, -eps, bits)
    return 1 - x + x * (_tail(backward, -eps, bits, rule) if tail is None else tail)


def _is_negative(x: Any) -> bool:
    if x.is_Rational:
        return bool(x.p < 0)
    # SymPy deduces all there is to know of a number before it says its sign
    ball = exact_ball(x).real
    return bool(ball < 0 if ball < 0 or ball > 0 else x.is_negative)


def _negligible(factors: Factors, eps: Any, bits: int) -> Any:
    """delta, where Chernoff's bound at one of a few orders says that its finite losses add less
    than 2^-bits; None elsewhere."""
    point, mass = exact_ball(eps).real, factors.finite_mass()
    if not (abs(point) < MOST_EPS and mass > 0):
        return None
    order = 2.0
    while order < min(factors.upper, MOST_ORDER):
        if factors.log_moment(order) + (1 - order) * float(point) < -bits * LOG2 - 2:
            return 1 - mass + contour.below(factors, point, order)
        order *= 2
    return None


def _almost_all(factors: Factors, eps: Any, bits: int) -> Any:
    """delta, where it is 1 but for less than 2^-bits: with 1 - Pr[Z = oo] - delta of the finite
    losses the mean of min(1, e^(eps - Z)), at most e^((1 - q) eps) E_q for q from 0 to 1."""
    point = float(exact_ball(eps).real)
    if not abs(point) < FAR:
        return None
    for order in ORDERS:
        if factors.lower < order and factors.log_moment(order) + (1 - order) * point < (
                -(bits + 4) * LOG2):
            short = ((1 - flint.arb(order)) * exact_ball(eps).real).exp()
            bound = (short * contour.moment_bound(factors, order)).upper()
            if bound.is_finite():
                return flint.arb(1) - flint.arb(0).union(bound)
    return None


def _tail(factors: Factors, eps: Any, bits: int, rule: Callable[..., Any]) -> Any:
    mass = factors.finite_mass()
    lost = 1 - mass
    if mass.is_zero():
        return lost
    largest = factors.largest()
    if largest is not None and at_least(eps, largest):
        return lost
    almost = _almost_all(factors, eps, bits - GUARD + 4)
    if almost is not None:
        return almost
    # laws of few draws are polynomials whose terms cancel: for them eps needs many bits; on a bent
    # contour it is multiplied by large orders
    fine = few.MOST_BITS if split.reaches(factors) or rule in BY_ONE_HIT else (
        flint.ctx.prec + SPARE_BITS)
    with workprec(fine):
        point = exact_ball(eps).real
    if not lost.is_zero() and point > FAR:
        # unless copies are many, finite losses add next to nothing to what is seen to be lost
        if not lost > 0:
            return flint.arb.nan()
        more = contour.below(factors, point, min(2.0, (1 + factors.upper) / 2))
        if more.upper() < lost.lower() * flint.arb(2) ** -bits:
            return lost + more
    if not abs(point) < MOST_EPS:
        raise Unsupported(f"eps is beyond {MOST_EPS:.0e}")
    try:
        # what is left of the working precision is for rounding
        return lost + rule(factors, point, bits - GUARD + 4)
    except ArithmeticError:
        raise Unsupported("doubles do not reach far enough to choose a line") from None


def upper_bound(factors: Factors, eps: Any) -> tuple[Any, float] | None:
    """Chernoff's bound of delta and its order: near the best one, or else at most 2; None
    where none is found, where losses are infinite, and from the largest one on.

    >>> from lapdp import randomized_response
    >>> many = releases(randomized_response("1/100")**10**6)
    >>> bound, order = upper_bound(many, 200)
    >>> bound.str(3, radius=False), round(order, 2)
    ('2.56e-50', 2.52)
    """
    with suppress(Unsupported, ArithmeticError, ValueError):
        near, top = nearly(eps), factors.largest()
        if not near > 0 or not (1 - factors.finite_mass()).is_zero() or (
                top is not None and at_least(eps, top)):
            return None
        orders = [min(COARSE, (1 + factors.upper) / 2)]
        if near < math.inf:
            orders.insert(0, 1 + beyond_one(factors, near)[0])
        for order in orders:
            with workprec(ROUGH_BITS + factors.count.bit_length() + int(order).bit_length()):
                # (1 - e^-x) e^((1 - q) x), x > 0, is largest where e^-x = 1 - 1/q
                q = flint.arb(order)
                found = (contour.below(factors, exact_ball(eps).real, order).upper()
                         * (1 - 1 / q) ** (q - 1) / q).upper()
                if found.is_finite():
                    return found, order
    return None


def refuse_too_small(factors: Factors, eps: Any) -> None:
    """:class:`Unsupported` where a bound says that delta has too many places."""
    near = nearly(eps)
    with suppress(Unsupported, ArithmeticError, ValueError):
        # far from that doubles tell, by what a line is chosen by anyway
        if 0 < near < math.inf and exponent(factors, near)(
                1 + beyond_one(factors, near)[0]) > -MOST_POWER * LOG2 / 2:
            return
    found = upper_bound(factors, eps)
    if found is not None and found[0] < flint.arb(2) ** -MOST_POWER:
        if exceeds(eps, FAR):
            raise Unsupported(f"delta is below 2^-{MOST_POWER}: too small to be written")
        mantissa, power = found[0].man_exp()
        raise Unsupported(f"delta is at most 2^{int(power) + int(mantissa).bit_length()}, by "
                          f"Chernoff's bound of order {found[1]:.6g}: too small to be written")


def at_least(eps: Any, loss: Form) -> bool:
    """Is eps at least a loss?  Balls decide, or else the calculus; delta is continuous there."""
    with workprec(200):
        gap = exact_ball(eps).real - enclose(loss, {}).real
        if not gap.contains(0):
            return bool(gap > 0)
    return bool(Cell().sign(to_form(eps) - loss) >= 0)


__all__ = ["MOST_BITS", "Apart", "at_least", "in_doubles", "integral", "non_negative", "refusal",
           "refuse_too_small", "upper_bound"]
