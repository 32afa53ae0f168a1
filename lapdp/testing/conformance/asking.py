"""The function under test, called: a number comes back, or a violation that says what did."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any

from flint import arb
from hypothesis.errors import HypothesisException

from lapdp.accounting.audit.adapter import Refused
from lapdp.accounting.audit.claims import Truth, by_rounding
from lapdp.balls.decimals import Enclosure
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.testing.conformance.findings import Misbehaved, Violation
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.values import BITS, Accuracy, NoNumber, Value, read, relation

DIGITS = 40
ROUNDED = 1e-10
"""Below it a gap may come of doubles near 1 that cancel."""


@dataclass(frozen=True)
class Asked:
    """A function with the accuracy that its author states; called, it gives a :class:`Value`.

    Exceptions, NaN and None are violations.  A function refuses a case by raising ``Refused`` (of
    ``lapdp.accounting.audit``), ``Unsupported`` or ``NotImplementedError``: that leaves a law open.

    >>> half = Asked(lambda x: x / 2, Accuracy.of(0))
    >>> print(half(3))
    1.5
    >>> half("3")
    Traceback (most recent call last):
    lapdp.testing.conformance.findings.Misbehaved: f('3') raised TypeError: ...
    """

    function: Callable[..., Any]
    accuracy: Accuracy | None = None
    """None: its numbers are exact, and rounded ones are refused."""
    name: str = "f"

    def __call__(self, *arguments: Any, said: str = "") -> Value:
        """The value; ``said`` names the call where the arguments are too long to show."""
        call = said or f"{self.name}({', '.join(map(repr, arguments))})"
        returned = self.raw(*arguments, said=call)
        try:
            return read(returned, self.accuracy)
        except NoNumber as problem:
            raise Misbehaved(
                Violation(None, "==", None, f"{call} is no number: {problem}")) from None

    def raw(self, *arguments: Any, said: str) -> Any:
        """What the function returns, whatever that is."""
        try:
            return self.function(*arguments)
        except (Unsupported, Refused, NotImplementedError) as problem:
            raise Undecided(f"{said} is refused: {problem}") from None
        except HypothesisException:
            raise
        except (Exception, SystemExit) as problem:
            told = f"{said} raised {type(problem).__name__}: {_text(problem)[:300]}"
            raise Misbehaved(Violation(None, "==", None, told, _place(problem))) from problem


def compared(left: Any, sign: str, right: Any, detail: str) -> Violation | None:
    """The violation of ``left sign right`` (``<=``, ``>=`` or ``==``), where it is proved.

    Raises :class:`Undecided` where numbers do not separate.

    >>> print(compared(1, ">=", 2, "f(0) >= 2").values)
    1 >= 2 is false
    """
    sides = Value.of(left), Value.of(right)
    holds = relation(sides[0], sign, sides[1])
    if holds is None:
        raise Undecided(f"{detail}: {sides[0]} is not told from {sides[1]}")
    if holds:
        return None
    return Violation(sides[0], sign, sides[1],
                     f"{detail}{_by_rounding(*sides) or _by_cancellation(*sides)}")


def _place(problem: BaseException) -> str:
    """The error with the line that raised it."""
    last = traceback.extract_tb(problem.__traceback__)[-1]
    return f"{type(problem).__name__} at {last.filename}:{last.lineno}"


def _text(problem: BaseException) -> str:
    try:
        return str(problem)
    except Exception:
        return "(no text)"


def by_rounding_alone(left: Value, right: Value) -> bool:
    """Is a rounded number apart from another one in its last digits only?

    >>> by_rounding_alone(read(0.3, Accuracy.of(0)), read(0.1 + 0.2, Accuracy.of(0)))
    True
    >>> by_rounding_alone(read(0.3, Accuracy.of(0)), read(0.31, Accuracy.of(0)))
    False
    """
    return bool(_by_rounding(left, right))


def _by_rounding(left: Value, right: Value) -> str:
    """Words for a rounded number that is wrong in its last digits only."""
    number, ends = left.low.rational, (right.low, right.high)
    if number is None or not left.is_point or not right.is_point or ends[0].is_infinite or (
            not {".", "e"} & set(left.text)) or Fraction(float(number)) != number:
        return ""
    with workprec(BITS[2]):
        ball = right.low.ball()
    found = Enclosure.of_ball(ball, DIGITS)
    said = by_rounding(float(number), Truth(found.lower, found.upper))
    return said and (f"{said}: numbers are meant as they are; round outwards, or say "
                     "absolute=1e-12, how far they are from what they mean")


def _by_cancellation(left: Value, right: Value) -> str:
    """Words for doubles that miss by a rounding of 1, whatever their relative accuracy."""
    if not any({".", "e"} & set(side.text) for side in (left, right)) or any(
            end.is_infinite for side in (left, right) for end in (side.low, side.high)):
        return ""
    with workprec(BITS[0]):
        gap = max((right.low - left.high).ball().mid(), (left.low - right.high).ball().mid())
        if not gap < ROUNDED:
            return ""
        power = next(n for n in count(15, -1) if gap < arb(10) ** -n)
    return (f"\nby so little as rounding leaves where numbers cancel: if so, absolute=1e-{power} "
            "allows for that")


__all__ = ["Asked", "compared"]
