"""Numbers with proved error bounds, in decimals: what leaves the library as a certified value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from lapdp.balls.evaluate import GUARD, bits_of
from lapdp.core.errors import Unsupported

MOST_BITS = 1 << 17
"""The working precision at which a value that does not separate from 0 is given up; more for more
digits."""
_FEW = 3
"""Significant digits of a radius."""


@dataclass(frozen=True)
class Enclosure:
    """A real number between ``middle - radius`` and ``middle + radius``, both exact decimals.

    What is printed is exactly what is proved: no rounding happens on the way to the text.

    >>> x = Enclosure.of_ball(flint.arb(2).sqrt(), 5)
    >>> print(x)
    1.41421 +/- 3.57e-6
    >>> x.contains(Fraction(141421, 100000)), x.compare(Fraction(3, 2)), x.compare(x)
    (True, -1, None)
    """

    middle: Fraction
    radius: Fraction

    @staticmethod
    def of_ball(ball: Any, digits: int) -> Enclosure:
        """The finite real ball with its middle rounded to ``digits + 1`` significant digits."""
        exact, spread = _fraction(ball.mid()), _fraction(ball.rad())
        middle = exact
        if exact:
            unit = Fraction(10) ** (_magnitude(exact) - digits)
            middle = round(exact / unit) * unit
        return Enclosure(middle, _rounded_up(abs(exact - middle) + spread))

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
        gap = abs(self.middle) / self.radius
        return max(0, _magnitude(gap))

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
        """Middle and radius as decimal strings."""
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
    1.7320508076 +/- 3.12e-11
    """
    goal = bits_of(digits) + 4
    bits = goal + GUARD
    most = most_bits or max(MOST_BITS, 8 * goal)
    while bits <= most:
        with flint.ctx.workprec(bits):
            ball = compute(bits)
        if ball.is_exact() and ball.is_finite():
            return Enclosure.of_ball(ball, digits)
        found = ball.rel_accuracy_bits() if ball.is_finite() else 0
        if found >= goal:
            return Enclosure.of_ball(ball, digits)
        # a ball that excludes 0 tells how many bits are missing
        bits = max(bits + 64, min(2 * bits, bits + goal - found + GUARD) if found > 0 else 2 * bits)
    raise Unsupported(f"the value is not found to {digits} digits at {most} bits: it may be 0")


def _fraction(exact: Any) -> Fraction:
    mantissa, exponent = (int(part) for part in exact.man_exp())
    return Fraction(mantissa) * Fraction(2) ** exponent


def _fmpq(x: Fraction) -> Any:
    return flint.fmpq(x.numerator, x.denominator)


def _upper_ball(x: Fraction) -> Any:
    return flint.arb(_fmpq(x)).upper()


def _magnitude(x: Fraction) -> int:
    """floor(log10 |x|) of a number that is not 0."""
    size = abs(x)
    guess = int((size.numerator.bit_length() - size.denominator.bit_length()) * 0.30103)
    while Fraction(10) ** guess > size:
        guess -= 1
    while Fraction(10) ** (guess + 1) <= size:
        guess += 1
    return guess


def _rounded_up(x: Fraction) -> Fraction:
    if not x:
        return x
    unit = Fraction(10) ** (_magnitude(x) - _FEW + 1)
    return -(-x // unit) * unit


def _decimal(x: Fraction) -> str:
    """A terminating decimal as text."""
    if not x:
        return "0"
    exponent, scaled = 0, abs(x)
    while scaled.denominator != 1:
        missing = max(1, int((scaled.denominator.bit_length() - 1) * 0.30103))
        scaled, exponent = scaled * Fraction(10) ** missing, exponent - missing
    # the integers of flint print without a limit on their length
    text = str(flint.fmpz(scaled.numerator))
    shown = text.rstrip("0")
    exponent += len(text) - 1
    sign = "-" if x < 0 else ""
    if -5 <= exponent < 21:
        if exponent < 0:
            return f"{sign}0.{'0' * (-exponent - 1)}{shown}"
        whole, part = shown[:exponent + 1].ljust(exponent + 1, "0"), shown[exponent + 1:]
        return sign + whole + (f".{part}" if part else "")
    return f"{sign}{shown[0]}{'.' + shown[1:] if len(shown) > 1 else ''}e{exponent}"


__all__ = ["MOST_BITS", "Enclosure", "certified"]
