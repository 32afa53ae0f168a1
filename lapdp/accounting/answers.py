"""Answers with a proof of their digits: what ``m.delta``, ``m.epsilon`` and their like return."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint
import sympy as sp

from lapdp.balls.decimals import MOST_BITS, Enclosure
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.parameters import exact_parameter


@dataclass(frozen=True, eq=False, repr=False)
class Answer:
    """A number between ``value - radius`` and ``value + radius``, or infinity.

    ``value`` and ``radius`` are Fractions, nothing is rounded.  Answers have an order with exact
    numbers and with each other where the two ends prove it, and raise :class:`Unsupported` where
    they do not.

    >>> from lapdp import gaussian
    >>> found = gaussian(1).delta(1, digits=5)
    >>> found.value, found.radius, found < "1/7"
    (Fraction(126937, 1000000), Fraction(501, 1000000000), True)
    >>> found < "0.126937"
    Traceback (most recent call last):
    lapdp.core.errors.Unsupported: 0.126937 +/- 5.01e-7 is not told from 0.126937: ask for more ...
    """

    enclosure: Enclosure | None
    """None for infinity."""

    method: str
    """How it was found."""
    seconds: float
    assumes: str = ""
    """What the radius rests on beside ball arithmetic; empty for a proof by balls alone."""
    doubt: str = ""
    """Why the radius is no proof; empty where it is one."""

    @property
    def certified(self) -> bool:
        """Is the radius a proof, given what it ``assumes``?"""
        return not self.doubt

    @property
    def is_infinite(self) -> bool:
        """Is the answer +oo?"""
        return self.enclosure is None

    @property
    def value(self) -> Fraction | float:
        """The middle, exactly; ``math.inf`` for infinity."""
        return math.inf if self.enclosure is None else self.enclosure.middle

    @property
    def radius(self) -> Fraction:
        """How far the number may lie from ``value``; 0 for infinity."""
        return Fraction(0) if self.enclosure is None else self.enclosure.radius

    @property
    def lower(self) -> Fraction | float:
        """What the number is not below."""
        return math.inf if self.enclosure is None else self.enclosure.lower

    @property
    def upper(self) -> Fraction | float:
        """What the number is not above."""
        return math.inf if self.enclosure is None else self.enclosure.upper

    def compare(self, other: Any) -> int | None:
        """-1, 0 or 1 where the order with an answer or exact number is proved, else None.

        >>> from lapdp import laplace
        >>> largest = laplace(2).epsilon(0)
        >>> largest.compare("1/2"), largest.compare(laplace(2).delta(1)), largest.compare(sp.oo)
        (0, 1, -1)
        """
        if isinstance(other, Answer):
            if self.enclosure is None or other.enclosure is None:
                return int(self.is_infinite) - int(other.is_infinite)
            return self.enclosure.compare(other.enclosure)
        if isinstance(other, (float, sp.Basic)) and other in (sp.oo, -sp.oo):
            return 1 if other == -sp.oo else 0 if self.is_infinite else -1
        number = exact_parameter("the number", other)
        if self.enclosure is None:
            return 1
        if number.is_Rational:
            return self.enclosure.compare(Fraction(int(number.p), int(number.q)))
        return _against(self.enclosure, number)

    def _order(self, other: Any) -> int:
        found = self.compare(other)
        if found is None:
            raise Unsupported(f"{self} is not told from {other}: ask for more digits")
        return found

    def __lt__(self, other: Any) -> bool:
        return self._order(other) < 0

    def __le__(self, other: Any) -> bool:
        return self._order(other) <= 0

    def __gt__(self, other: Any) -> bool:
        return self._order(other) > 0

    def __ge__(self, other: Any) -> bool:
        return self._order(other) >= 0

    def __float__(self) -> float:
        return math.inf if self.enclosure is None else float(self.enclosure)

    def __str__(self) -> str:
        return "oo" if self.enclosure is None else str(self.enclosure)

    def __repr__(self) -> str:
        assumed = f", assumes {self.assumes}" if self.assumes else ""
        doubted = f", not certified: {self.doubt}" if self.doubt else ""
        return f"Answer({self}, by {self.method}, {self.seconds:.3g} s{assumed}{doubted})"

    def _repr_latex_(self) -> str:
        if self.enclosure is None:
            return r"$\infty$"
        parts = self.enclosure.to_json()
        shown = [_latex(parts[key]) for key in ("value", "radius")]
        return f"${shown[0]}$" if self.enclosure.is_exact else f"${shown[0]} \\pm {shown[1]}$"

    def _repr_html_(self) -> str:
        from lapdp.report.html.things import answer_card

        return answer_card(self)

    def record(self) -> dict[str, Any]:
        """Plain data, numbers as decimal strings."""
        shown = {"value": "oo", "radius": "0"} if self.enclosure is None else (
            self.enclosure.to_json())
        said = {"assumes": self.assumes, "doubt": self.doubt}
        return {**shown, "certified": self.certified, "method": self.method,
                "seconds": round(self.seconds, 6), **{k: v for k, v in said.items() if v}}


def largest(*answers: Answer) -> Answer:
    """The largest of several numbers, where it may lie, and all that it rests on.

    >>> from lapdp import exponential
    >>> m = exponential(1, 2)
    >>> print(largest(m.delta(1, digits=3), m.reverse().delta(1, digits=3)))
    0.09197 +/- 5.01e-6
    """
    first = max(answers, key=lambda answer: answer.upper)
    bounds = [a.enclosure for a in answers if a.enclosure is not None]
    low = max((b.lower for b in bounds), default=Fraction(0))
    found = first.enclosure
    if found is not None and low > found.lower:
        found = Enclosure((low + found.upper) / 2, (found.upper - low) / 2)
    together = ["; ".join(dict.fromkeys(getattr(a, name) for a in answers if getattr(a, name)))
                for name in ("method", "assumes", "doubt")]
    return Answer(found, together[0], sum(a.seconds for a in answers), *together[1:])


def _against(found: Enclosure, number: Any) -> int | None:
    """The order with an irrational number, which is never one of the ends."""
    from lapdp.privacy.ball_values import expression_ball

    bits = 64
    while bits <= MOST_BITS:
        with workprec(bits):
            ball = expression_ball(number)
            ends = [flint.arb(flint.fmpq(x.numerator, x.denominator)) - ball
                    for x in (found.lower, found.upper)]
            signs = [1 if end > 0 else -1 if end < 0 else 0 for end in ends]
        if 0 not in signs:
            return signs[0] if signs[0] == signs[1] else None
        bits *= 4
    return None


def _latex(decimal: str) -> str:
    digits, _, power = decimal.partition("e")
    return rf"{digits} \cdot 10^{{{power}}}" if power else digits


__all__ = ["Answer", "largest"]
