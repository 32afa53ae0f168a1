"""epsilon at one delta: a bracket, certified on both sides."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.answers import Answer
from lapdp.accounting.delta import delta as delta_at
from lapdp.accounting.moments.releases import releases
from lapdp.balls.decimals import Enclosure, certified
from lapdp.balls.evaluate import bits_of
from lapdp.calculus.convert import to_scalar
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter

ROUGH = 8
"""Digits while the place is sought."""
MOST_STEPS = 200


def epsilon(pair: Pair, delta: Any, digits: int = 15) -> Answer:
    """The least eps >= 0 with delta(eps) <= ``delta``, to ``digits`` relative digits.

    ``delta`` is an exact number in [0, 1].  The answer is infinite where ``delta`` is below the
    mass at infinite loss, or equal to it and the finite losses are unbounded; where they are
    bounded it is the largest of them.  Raises :class:`InputError` for floats, symbols and numbers
    out of range, :class:`Unsupported` where a comparison with ``delta`` stays open, or the pair is
    not reached.

    >>> from lapdp import gaussian, randomized_response
    >>> print(epsilon(gaussian(1), "1e-5", digits=12))
    4.377178095681 +/- 1.96e-12
    >>> print(epsilon(randomized_response(1, "0.01"), "0.001"))
    oo
    >>> print(epsilon(randomized_response(1, "0.01"), "0.01"))
    1
    """
    target = _level(delta)
    bits_of(digits)  # refuses what is no number of digits
    start = time.perf_counter()
    method = ""

    def above(eps: Fraction, most: int) -> bool:
        """Is delta(eps) > target?  At rising digits, until it is decided."""
        nonlocal method
        wanted = ROUGH
        while True:
            found = delta_at(pair, _rational(eps), wanted)
            assert found.enclosure is not None
            method = found.method
            order = found.enclosure.compare(target)
            if order is None and wanted > ROUGH and _is_exactly(pair, eps, target):
                order = 0
            if order is not None:
                return order > 0
            if wanted > most:
                raise Unsupported(
                    f"whether delta({float(eps):.6g}) exceeds {float(target):.6g} is open at "
                    f"{wanted} digits: they may be equal")
            wanted *= 2

    most = 2 * digits + 2 * ROUGH
    lost = _mass_at_infinity(pair, target)
    if lost > 0:
        return Answer(None, "mass at infinity", time.perf_counter() - start)
    if lost == 0:
        return _where_losses_end(pair, digits, start)
    if not above(Fraction(0), most):
        return Answer(Enclosure(Fraction(0), Fraction(0)), method, time.perf_counter() - start)
    low, high = Fraction(0), Fraction(1)
    while above(high, most):
        low, high = high, 2 * high
        if high > 2**200:
            raise Unsupported(f"delta stays above {float(target):.6g} at least up to eps = 2^200")
    low, high = _narrowed(pair, target, low, high, digits, lambda eps: above(eps, most))
    return Answer(_enclosed(low, high, digits), f"bracket, {method}", time.perf_counter() - start)


def _where_losses_end(pair: Pair, digits: int, start: float) -> Answer:
    """The least eps where delta is Pr[Z = oo]: the largest finite loss, or 0; delta falls strictly
    up to it."""
    factors = releases(pair)
    top = Form({}) if factors.finite_mass().is_zero() else factors.largest()
    found = None
    if top is not None:
        end = top
        found = certified(lambda _: enclose(end, {}).real, digits)
        if found.middle <= 0:
            found = Enclosure(Fraction(0), Fraction(0))
    return Answer(found, "largest loss", time.perf_counter() - start)


def _is_exactly(pair: Pair, eps: Fraction, target: Fraction) -> bool:
    """Does the closed form, where there is one, have this very value?"""
    try:
        return to_scalar(pair.profile(_rational(eps)) - _rational(target)).is_zero()
    except Unsupported:
        return False


def _narrowed(pair: Pair, target: Fraction, low: Fraction, high: Fraction, digits: int,
              above: Callable[[Fraction], bool]) -> tuple[Fraction, Fraction]:
    """The bracket made narrow by secants of log delta, which is concave enough for them."""
    goal = Fraction(1, 10**digits)
    sizes: dict[Fraction, float] = {}

    def height(eps: Fraction) -> float:
        if eps not in sizes:
            found = delta_at(pair, _rational(eps), digits + 2).enclosure
            assert found is not None
            sizes[eps] = (-math.inf if found.middle <= 0
                          else _log_ratio(found.middle, target))
        return sizes[eps]

    for _ in range(MOST_STEPS):
        if (high - low) <= goal * low:
            return low, high
        width, a, b = high - low, height(low), height(high)
        guess = (low + high) / 2
        if a > 0 > b > -math.inf:
            guess = low + (high - low) * Fraction(a / (a - b)).limit_denominator(10**30)
        # a trial on each side of the guess, half of what is wanted away
        slack = max(goal * guess / 3, (high - low) / 2**20)
        for trial in (guess - slack, guess + slack):
            place = _short(trial, digits)
            if low < place < high:
                if above(place):
                    low = place
                else:
                    high = place
        if high - low > width / 4:
            # secants do not help where the profile bends: halve
            place = _short((low + high) / 2, digits)
            if low < place < high:
                low, high = (place, high) if above(place) else (low, place)
    raise Unsupported(f"no bracket of {digits} digits is found in {MOST_STEPS} steps")


def _enclosed(low: Fraction, high: Fraction, digits: int) -> Enclosure:
    with flint.ctx.workprec(bits_of(digits) + 64):
        ends = [flint.arb(flint.fmpq(x.numerator, x.denominator)) for x in (low, high)]
        return Enclosure.of_ball(ends[0].union(ends[1]), digits)


def _log_ratio(x: Fraction, y: Fraction) -> float:
    ratio = x / y
    return math.log(ratio.numerator) - math.log(ratio.denominator)


def _short(x: Fraction, digits: int) -> Fraction:
    """x to a few more digits than wanted: a decimal."""
    unit = Fraction(10) ** (math.floor(math.log10(x)) - digits - 4) if x > 0 else Fraction(1)
    return round(x / unit) * unit


def _level(delta: Any) -> Fraction:
    level = exact_parameter("delta", delta)
    if not level.is_Rational or not 0 <= level <= 1:
        raise InputError(f"delta = {level} must be a rational number between 0 and 1")
    return Fraction(int(level.p), int(level.q))


def _mass_at_infinity(pair: Pair, target: Fraction) -> int:
    """The sign of Pr[Z = oo] - target."""
    gap = sp.sympify(pair.mass_at_infinity) - _rational(target)
    if gap == 0:
        return 0
    return 1 if bool(gap > 0) else -1


def _rational(x: Fraction) -> Any:
    return sp.Rational(x.numerator, x.denominator)


__all__ = ["epsilon"]
