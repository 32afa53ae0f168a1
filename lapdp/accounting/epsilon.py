"""epsilon at one delta: a bracket, certified on both sides."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.answers import Answer
from lapdp.accounting.crossing import FEWEST, Bracket, Place, crossing
from lapdp.accounting.delta import Tried, to_digits
from lapdp.accounting.delta import delta as delta_at
from lapdp.accounting.delta_rules import upper_bound
from lapdp.accounting.first_guess import FARTHEST, FirstGuess
from lapdp.accounting.inversion.same_lines import one_search
from lapdp.accounting.last_loss import LastLoss
from lapdp.accounting.moments.releases import refuse_symbols, releases
from lapdp.accounting.notions import largest_finite_loss
from lapdp.balls.decimals import Enclosure, fraction_ball
from lapdp.balls.evaluate import bits_of
from lapdp.core.errors import InputError, TooManyDigits, Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.notions.tradeoff_order import sign_of
from lapdp.privacy.operations import factors
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter

MOST_BITS = 1 << 14
"""Precision at which delta and the mass at infinite loss are told apart."""
FEW = 64
"""Up to so many releases a closed form is asked whether two numbers are equal."""
HALF_BITS = 128
"""Of the moment of order 1/2, which is next to 1 where little leaks."""
ZERO = Enclosure(Fraction(0), Fraction(0))


def epsilon(pair: Pair, delta: Any, digits: int | None = None) -> Answer:
    """The least eps >= 0 with delta(eps) <= ``delta``, to ``digits`` relative digits; as many
    as :func:`lapdp.accounting.delta.delta` gives where none are asked for.

    ``delta`` is an exact number in [0, 1].  The profile falls strictly down to the mass at infinite
    loss, so the answer is: 0 from the total variation distance on; infinite where ``delta`` is
    below the mass at infinite loss, or equal to it and the finite losses are unbounded; where they
    are bounded, the largest of them.  Raises :class:`InputError` for floats, symbols and numbers
    out of range, :class:`Unsupported` where a comparison with ``delta`` stays open, or the pair is
    not reached.

    >>> from lapdp import gaussian, randomized_response
    >>> round(float(epsilon(gaussian(1), "1e-5")), 12)
    4.377178095681
    >>> print(epsilon(randomized_response(1, "0.01"), "0.001"))
    oo
    >>> print(epsilon(randomized_response(1, "0.01"), "0.01"))
    1
    """
    target = level_of(delta)
    refuse_symbols(pair)
    with one_search():
        return to_digits(_Search(pair, target).answer, digits)


@dataclass
class _Search:
    """One level of one pair: what has been seen with more digits serves fewer, too."""

    pair: Pair
    target: Fraction
    seen: list[Place] = field(default_factory=list)
    noted: set[str] = field(default_factory=set)
    method: str = ""
    """Of the last look."""

    def answer(self, digits: int, tried: Tried) -> Answer:
        """Raises :class:`Unsupported` where so many digits are not reached."""
        start = time.perf_counter()
        found, method = self._run(digits, tried)
        return Answer(found, method, time.perf_counter() - start, "; ".join(sorted(self.noted)))

    def _run(self, digits: int, tried: Tried) -> tuple[Enclosure | None, str]:
        pair, target = self.pair, self.target
        if target == 1:
            return ZERO, "delta is at most 1"
        lost = against_mass_at_infinity(pair, target)
        if lost > 0:
            return None, "mass at infinity"
        if lost == 0:
            return largest_finite_loss(pair, digits), "largest loss"
        guess = self._guess
        with workprec(bits_of(digits) + 64 + guess.spare_bits):
            last = LastLoss.of(guess.parts, target) if guess.parts else None
            found = last.answer(target, digits) if last else None
            if found is not None:
                return found, "mass of the largest loss"
            # numbers beyond doubles guide no search
            end, least = (last.place(target), last.low(target)) if (
                last and last.top < FARTHEST) else (None, None)
        if guess.seems_large() and _exceeds_total_variation(pair, target):
            return ZERO, "bound of the total variation"
        start, slope, rough = guess.place(end, least, digits, last)
        known = Bracket(lambda eps, wanted: self._look(eps, wanted, digits, tried), digits, slope,
                        rough, guess.cells(), first=Fraction(0), end=end, share=guess.share,
                        bend=guess.bend())
        if least is not None:
            known.keep(Place(least, None, 1))
        for place in self.seen:
            known.keep(place)
        if not self.seen or (known.guess() is None and known.inside(start)):
            known.see(start)
        low, high = crossing(known)
        if not known.agrees():
            raise Unsupported("no privacy profile has the values that were found: one is wrong")
        return enclosed(low.x, high.x, digits) if high.x else ZERO, f"bracket, {self.method}"

    def _is_below(self, eps: Fraction) -> bool:
        """Does Chernoff's bound say that delta is below the level?"""
        parts = self._guess.parts
        bound = upper_bound(parts, _rational(eps)) if parts else None
        return bound is not None and bool(bound[0] < fraction_ball(self.target))

    @cached_property
    def _guess(self) -> FirstGuess:
        return FirstGuess.of(self.pair, self.target)

    def _look(self, eps: Fraction, wanted: int, digits: int, tried: Tried) -> Place:
        pair, target = self.pair, self.target
        if not eps and _is_below_total_variation(pair, target):
            place = Place(eps, None, 1)
        else:
            try:
                seen = delta_at(pair, _rational(eps), wanted, tried=tried)
            except TooManyDigits:
                raise
            except Unsupported:
                # what is too small to be written is right of the place
                if not self._is_below(eps):
                    raise
                return Place(eps, None, -1)
            number = seen.enclosure
            assert number is not None
            order = number.compare(target)
            if order is None and not eps:
                # whether delta(0) is the target itself may take many digits, but seldom does
                number = delta_at(pair, _rational(eps), wanted + 2 * digits, tried=tried).enclosure
                assert number is not None
                order = number.compare(target)
            self.method = seen.method
            self.noted.update({seen.assumes} - {""})
            if order is None and not eps and _is_small(pair):
                order = _exact_order(pair.profile(0), target)
            place = Place(eps, self._guess.size(number.middle),
                          None if order is None else 1 if order > 0 else -1,
                          (number.lower / target, number.upper / target))
        self.seen.append(place)
        return place


def _exceeds_total_variation(pair: Pair, target: Fraction) -> bool:
    """Is a level seen to be above delta(0)?  Its square is at most 1 - E_(1/2)^2 (Cauchy and
    Schwarz), where losses that are infinite have no part in E_(1/2)."""
    affinity = _affinity(pair)
    return affinity is not None and bool(1 - affinity**2 < fraction_ball(target) ** 2)


def _is_below_total_variation(pair: Pair, target: Fraction) -> bool:
    """Is a level seen to be below delta(0)?  That is at least 1 - E_(1/2), for the lesser of two
    densities is at most the root of their product; and at least that of each release alone, which
    is seen by whoever looks at no other one."""
    affinity = _affinity(pair)
    if affinity is not None and 1 - affinity > fraction_ball(target):
        return True
    return any(factor != pair and _alone_exceeds(factor, target) for factor, _ in factors(pair))


def _alone_exceeds(single: Pair, target: Fraction) -> bool:
    """Is delta(0) of one release above a level?"""
    try:
        number = delta_at(single, sp.Integer(0), FEWEST).enclosure
    except Unsupported:
        return False
    return number is not None and number.compare(target) == 1


def _affinity(pair: Pair) -> Any:
    """A ball around E_(1/2), or None."""
    try:
        parts = releases(pair)
        with workprec(HALF_BITS + parts.count.bit_length()):
            product = flint.arb(1)
            for s, k in parts.parts:
                product *= s.line(flint.arb("0.5"), 0.0, HALF_BITS).at(flint.arb(0)).real ** k
            return product
    except Unsupported:
        return None


def level_of(delta: Any) -> Fraction:
    """A rational number in [0, 1]; else :class:`InputError`."""
    level = exact_parameter("delta", delta)
    if not level.is_Rational or not 0 <= level <= 1:
        raise InputError(f"delta = {level} must be a rational number between 0 and 1")
    return Fraction(int(level.p), int(level.q))


def _is_small(pair: Pair) -> bool:
    return bool(sum(count for _, count in factors(pair)) <= FEW)


def against_mass_at_infinity(pair: Pair, target: Fraction) -> int:
    """The sign of Pr[Z = oo] - target: balls, or else the closed form."""
    if not target and pair.is_absolutely_continuous:
        return 0
    try:
        parts = releases(pair)
    except Unsupported:
        if pair.is_absolutely_continuous:
            return -1
        return sign_of(pair.mass_at_infinity - _rational(target))
    bits = 64
    while bits <= MOST_BITS:
        with workprec(bits):
            gap = 1 - parts.finite_mass() - fraction_ball(target)
            if gap > 0 or gap < 0:
                return 1 if gap > 0 else -1
        bits *= 4
    losing = [(one, k) for one, k in factors(pair) if not one.is_absolutely_continuous]
    order = None
    if sum(k for _, k in losing) <= MOST_BITS:
        # independent releases; those that lose nothing may be any number
        order = _exact_order(1 - sp.prod([(1 - sp.sympify(one.mass_at_infinity)) ** k
                                          for one, k in losing]), target)
    if order is None:
        raise Unsupported(f"whether the mass at infinite loss exceeds {float(target):.6g} is open: "
                          "they may be equal")
    return order


def _exact_order(value: Any, target: Fraction) -> int | None:
    """The order of two numbers as far as the calculus says."""
    try:
        return sign_of(sp.sympify(value) - _rational(target))
    except Unsupported:
        return None


def enclosed(low: Fraction, high: Fraction, digits: int) -> Enclosure:
    """A bracket as a number of so many digits."""
    with workprec(bits_of(digits) + 64):
        return Enclosure.of_ball(fraction_ball(low).union(fraction_ball(high)), digits)


def _rational(x: Fraction) -> Any:
    return sp.Rational(x.numerator, x.denominator)


__all__ = ["against_mass_at_infinity", "enclosed", "epsilon", "level_of"]
