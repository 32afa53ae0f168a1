"""Numbers with proved error bounds, in decimals: what leaves the library as a certified value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import flint

from lapdp.balls.evaluate import GUARD, bits_of
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workdps, workprec

MOST_BITS = 1 << 17
"""The working precision at which a value that does not separate from 0 is given up; more for more
digits."""
LEAST_MORE, SPARE = 16, 10
"""Bits by which a precision grows at least, and beyond those that are seen to be missing."""
MOST_POWER = 1 << 22
"""Powers of 2 that are written as decimals: a million places."""
_FEW = 3
"""Significant digits of a radius."""
_LONG = 1 << 12
"""From this exponent on powers are taken by FLINT, which multiplies faster."""
_DECIMAL, _FIVE = 0.30102999566398, 2.32192809488736
"""log10(2) and log2(5), for guesses that are then checked."""


@dataclass(frozen=True)
class Enclosure:
    """A real number between ``middle - radius`` and ``middle + radius``.

    Both are decimals, or the number is exact.  What is printed is exactly what is proved: no
    rounding happens on the way to the text.

    >>> x = Enclosure.of_ball(flint.arb(2).sqrt(), 5)
    >>> print(x)
    1.41421 +/- 5.01e-6
    >>> x.contains(Fraction(141421, 100000)), x.compare(Fraction(3, 2)), x.compare(x)
    (True, -1, None)
    """

    middle: Fraction
    radius: Fraction

    @staticmethod
    def of_ball(ball: Any, digits: int) -> Enclosure:
        """The finite real ball with its middle rounded to ``digits + 1`` digits."""
        mantissa, power = (int(part) for part in ball.mid().man_exp())
        spread, spread_power = (int(part) for part in ball.rad().man_exp())
        if max(abs(power), abs(spread_power)) > MOST_POWER:
            raise Unsupported(f"the value is about 2^{mantissa.bit_length() + power}: too long to "
                              "be written as a decimal")
        if not mantissa:
            return Enclosure(Fraction(0), _rounded_up(spread, spread_power, 0))
        # integers only: the gcds of fractions are slow for numbers such as 10^-200000
        unit = floor((mantissa.bit_length() + power - 1) * _DECIMAL) - digits
        whole, exact = _in_units(mantissa, power, unit)
        if abs(whole) >= 10 ** (digits + 1):
            unit += 1
            whole, exact = _in_units(mantissa, power, unit)
        around = _rounded_up(spread, spread_power, unit - 1, 0 if exact else 5)
        return Enclosure(_scaled(whole, unit), around)

    @property
    def value(self) -> Fraction:
        """The middle, by the name that it has in other answers with a radius."""
        return self.middle

    @property
    def lower(self) -> Fraction:
        """A number that the value is not below."""
        return self.middle - self.radius

    @property
    def upper(self) -> Fraction:
        """A number that the value is not above."""
        return self.middle + self.radius

    @property
    def is_exact(self) -> bool:
        """Is the value the middle?"""
        return not self.radius

    @property
    def digits(self) -> int | None:
        """The largest d with radius <= 10^-d |middle|, at least 0; None for an exact value."""
        if not self.radius:
            return None
        if not self.middle:
            return 0
        size, spread = abs(self.middle), self.radius
        return max(0, _magnitude(size.numerator * spread.denominator,
                                 size.denominator * spread.numerator))

    def contains(self, x: Any) -> bool:
        """May the value be this exact number?"""
        return abs(Fraction(x) - self.middle) <= self.radius

    def compare(self, other: Enclosure | Fraction | int) -> int | None:
        """-1, 0 or 1 where the order of the two numbers is proved, else None."""
        there = other if isinstance(other, Enclosure) else Enclosure(Fraction(other), Fraction(0))
        if self.upper < there.lower:
            return -1
        if self.lower > there.upper:
            return 1
        return 0 if self.is_exact and there.is_exact else None

    def ball(self) -> Any:
        """An ``arb`` that contains the value, at the current working precision."""
        return flint.arb(_fmpq(self.middle)) + flint.arb(0, _upper_ball(self.radius))

    def to_json(self) -> dict[str, str]:
        """Middle and radius as decimal strings; an exact fraction is rounded to 50 digits."""
        if self.is_exact and not set(str(self.middle)) <= set("-0123456789"):
            with workdps(60):
                rounded = Enclosure.of_ball(flint.arb(_fmpq(self.middle)), 50)
            return {"value": _decimal(rounded.middle), "radius": _decimal(rounded.radius)}
        return {"value": _decimal(self.middle), "radius": _decimal(self.radius)}

    def __float__(self) -> float:
        return float(self.middle)

    def __str__(self) -> str:
        shown = _decimal(self.middle)
        return shown if self.is_exact else f"{shown} +/- {_decimal(self.radius)}"

    def __repr__(self) -> str:
        return f"Enclosure({self})"


def certified(compute: Callable[[int], Any], digits: int = 30, most_bits: int | None = None
              ) -> Enclosure:
    """The real number that ``compute(bits)`` encloses, to ``digits`` relative digits.

    ``compute`` is called with rising working precisions, which it may round up; it returns an
    ``arb`` that contains the number.  The radius of the answer is at most 10^-digits times the
    value, or the answer is exact.  Raises :class:`Unsupported` where ``most_bits`` do not suffice,
    as they never do for a number that is 0 and not found to be.

    >>> print(certified(lambda bits: flint.arb(3).sqrt(), 10))
    1.7320508076 +/- 5.01e-11
    """
    goal = bits_of(digits) + 4
    bits = goal + GUARD
    most = most_bits or max(MOST_BITS, 8 * goal)
    while bits <= most:
        with workprec(bits):
            ball = compute(bits)
        if ball.is_exact() and ball.is_finite():
            return Enclosure.of_ball(ball, digits)
        found = ball.rel_accuracy_bits() if ball.is_finite() else 0
        if found >= goal:
            return Enclosure.of_ball(ball, digits)
        # a ball that excludes 0 tells how many bits are missing
        bits += max(LEAST_MORE, goal - found + SPARE) if found > 0 else max(64, bits)
    raise Unsupported(f"the value is not found to {digits} digits at {most} bits: it may be 0")


def _power(base: int, n: int) -> int:
    return base**n if n < _LONG else int(flint.fmpz(base) ** n)


def _in_units(mantissa: int, power: int, unit: int) -> tuple[int, bool]:
    """mantissa 2^power in units of 10^unit, rounded to the nearest; is it exact?"""
    top = mantissa << max(power, 0)
    below = 1 << max(-power, 0)
    if unit < 0:
        top *= _power(10, -unit)
    else:
        below *= _power(10, unit)
    whole, rest = divmod(2 * top + below, 2 * below)
    return whole, rest == below


def _scaled(whole: int, unit: int) -> Fraction:
    return Fraction(whole, _power(10, -unit)) if unit < 0 else Fraction(whole * _power(10, unit))


def _rounded_up(mantissa: int, power: int, unit: int, more: int = 0) -> Fraction:
    """mantissa 2^power + more 10^unit, to few digits, not smaller."""
    if not mantissa:
        return _scaled(more, unit)
    fine = min(unit, floor((mantissa.bit_length() + power - 1) * _DECIMAL)) - _FEW
    if more:
        fine = max(fine, unit - _FEW)
    whole = _in_units(mantissa, power, fine)[0] + 1 + more * 10 ** (unit - fine)
    while whole >= 10**_FEW:
        whole, fine = -(-whole // 10), fine + 1
    return _scaled(whole, fine)


def _fmpq(x: Fraction) -> Any:
    return flint.fmpq(x.numerator, x.denominator)


def fraction_ball(x: Fraction) -> Any:
    """A ball around a fraction, at the working precision."""
    return flint.arb(_fmpq(x))


def _upper_ball(x: Fraction) -> Any:
    return flint.arb(_fmpq(x)).upper()


def _magnitude(top: int, below: int) -> int:
    """floor(log10(top/below)) of positive integers."""
    guess = floor((top.bit_length() - below.bit_length()) * _DECIMAL)
    while top * _power(10, max(-guess, 0)) < below * _power(10, max(guess, 0)):
        guess -= 1
    while top * _power(10, max(-guess - 1, 0)) >= below * _power(10, max(guess + 1, 0)):
        guess += 1
    return guess


def _decimal(x: Fraction) -> str:
    """A terminating decimal as text, another fraction as such."""
    if not x:
        return "0"
    twos = (x.denominator & -x.denominator).bit_length() - 1
    fives = round((x.denominator.bit_length() - 1 - twos) / _FIVE)
    if x.denominator != _power(5, fives) << twos:
        return str(x)
    places = max(twos, fives)
    # the integers of flint print without a limit on their length
    text = str(flint.fmpz(abs(x.numerator)) * 2 ** (places - twos) * _power(
        5, places - fives))
    shown = text.rstrip("0")
    exponent = len(text) - 1 - places
    sign = "-" if x < 0 else ""
    if -5 <= exponent < 21:
        if exponent < 0:
            return f"{sign}0.{'0' * (-exponent - 1)}{shown}"
        whole, part = shown[:exponent + 1].ljust(exponent + 1, "0"), shown[exponent + 1:]
        return sign + whole + (f".{part}" if part else "")
    return f"{sign}{shown[0]}{'.' + shown[1:] if len(shown) > 1 else ''}e{exponent}"


__all__ = ["MOST_BITS", "Enclosure", "certified", "fraction_ball"]
