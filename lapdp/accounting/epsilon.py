"""epsilon at one delta: a bracket, certified on both sides."""

from __future__ import annotations

import math
import time
from fractions import Fraction
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.answers import Answer
from lapdp.accounting.crossing import FEWEST, Bracket, Place, crossing
from lapdp.accounting.delta import Tried, to_digits
from lapdp.accounting.delta import delta as delta_at
from lapdp.accounting.inversion.lattice import lattice
from lapdp.accounting.inversion.level import MANY_HITS, level, normal_level, one_hit_level
from lapdp.accounting.inversion.same_lines import one_search
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import NormalSpectrum
from lapdp.accounting.moments.releases import refuse_symbols, releases
from lapdp.accounting.notions import largest_finite_loss
from lapdp.balls.decimals import Enclosure, fraction_ball
from lapdp.balls.evaluate import bits_of
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import InputError, Unsupported
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
ABOVE = 1.5
"""The bound of delta(0)^2 in doubles, over the square of a level that is looked at closer."""
SHARPER = 4
"""Digits more than asked for to which the largest loss is tried as the answer."""
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
        return to_digits(lambda many, tried: _epsilon(pair, target, many, tried), digits)


def _epsilon(pair: Pair, target: Fraction, digits: int, tried: Tried) -> Answer:
    start = time.perf_counter()
    noted: set[str] = set()

    def answer(found: Enclosure | None, method: str) -> Answer:
        return Answer(found, method, time.perf_counter() - start, "; ".join(sorted(noted)))

    if target == 1:
        return answer(ZERO, "delta is at most 1")
    lost = against_mass_at_infinity(pair, target)
    if lost > 0:
        return answer(None, "mass at infinity")
    if lost == 0:
        return answer(largest_finite_loss(pair, digits), "largest loss")
    found = _next_to_the_end(pair, target, digits)
    if found is not None:
        return answer(found, "mass of the largest loss")
    method = ""

    def look(eps: Fraction, wanted: int) -> Place:
        nonlocal method
        if not eps and _is_below_total_variation(pair, target):
            return Place(eps, None, 1)
        found = delta_at(pair, _rational(eps), wanted, tried=tried)
        number = found.enclosure
        assert number is not None
        order = number.compare(target)
        if order is None and not eps:
            # whether delta(0) is the target itself may take many digits, but seldom does
            number = delta_at(pair, _rational(eps), wanted + 2 * digits, tried=tried).enclosure
            assert number is not None
            order = number.compare(target)
        method = found.method
        noted.update({found.assumes} - {""})
        if order is None and not eps and _is_small(pair):
            order = _exact_order(pair.profile(0), target)
        return Place(eps, number.middle / target,
                     None if order is None else 1 if order > 0 else -1,
                     (number.lower / target, number.upper / target))

    eps, slope, rough = _first_guess(pair, target)
    if _seems_large(pair, target) and _exceeds_total_variation(pair, target):
        return answer(ZERO, "bound of the total variation")
    known = Bracket(look, digits, slope, rough, _cells(pair), first=Fraction(0))
    known.see(eps)
    low, high = crossing(known)
    return answer(enclosed(low.x, high.x, digits) if high.x else ZERO, f"bracket, {method}")


def _next_to_the_end(pair: Pair, target: Fraction, digits: int) -> Enclosure | None:
    """The answer where it is the largest finite loss to so many digits: where that has a mass p, so
    that delta(top - x) is at least Pr[Z = oo] + p (1 - e^-x), and delta(top) the first of these."""
    try:
        parts = releases(pair)
        parts.refuse_open_ends()
    except Unsupported:
        return None
    top, bits = parts.largest(), bits_of(digits) + 64
    if top is None:
        return None
    with workprec(bits + parts.count.bit_length()):
        end, lost, mass = enclose(top, {}).real, 1 - parts.finite_mass(), parts.mass_of_largest()
        for more in (SHARPER, 0):
            near = end * flint.arb(10) ** -(digits + more) * 9 / 10
            if end > 0 and lost - mass * (-near).expm1() > fraction_ball(target):
                return Enclosure.of_ball((end - near).union(end), digits)
    return None


def _seems_large(pair: Pair, target: Fraction) -> bool:
    """Is it worth a closer look whether the level is above delta(0)?  A choice, in doubles."""
    try:
        log = releases(pair).log_moment(0.5)
    except (Unsupported, ArithmeticError):
        return True
    return not -math.expm1(2 * log) > ABOVE * float(target) ** 2


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


def _first_guess(pair: Pair, target: Fraction) -> tuple[Fraction, float | None, float]:
    """About where delta is the target, the slope of its log there, and how rough that is; choices
    only."""
    try:
        found = releases(pair)
    except Unsupported:
        return Fraction(1), None, 1.0
    if target and all(isinstance(s, NormalSpectrum) for s, _ in found.parts):
        place = _normal_guess(found, float(target))
        if place is not None:
            return Fraction(place[0]), place[1], 0.01
    with workprec(200):
        finite = fraction_ball(target) - (1 - found.finite_mass())
        size = float(finite.mid().log()) if finite > 0 else math.nan
    guess = None
    if math.isfinite(size):
        guess = one_hit_level(found, size) or max(
            # each of them leaves something out, and is less than the place for it
            (near for near in (level(found, size), one_hit_level(found, size, MANY_HITS)) if near),
            default=None)
    if guess is None or not 0 < guess[0] < 1e60:
        return Fraction(0 if guess else 1), None, 1.0
    # the mass at infinity makes log delta less steep than that of the finite losses
    share = math.exp(size - math.log(target.numerator) + math.log(target.denominator))
    return Fraction(guess[0]).limit_denominator(10**30) or Fraction(1), guess[1] * share, 1.0


def _normal_guess(found: Factors, target: float) -> tuple[float, float] | None:
    try:
        kappa = sum(float(s.kappa) * k for s, k in found.parts if isinstance(s, NormalSpectrum))
        return normal_level(kappa, target)
    except ArithmeticError:
        return None


def _cells(pair: Pair) -> tuple[float, float] | None:
    """Between two losses next to each other delta is linear in e^eps; choices only."""
    try:
        found = lattice(releases(pair))
    except Unsupported:
        return None
    if found is None:
        return None
    offset, step = (float(enclose(x, {}).real) for x in found)
    return (offset, step) if step > 0 and math.isfinite(offset / step) else None


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
