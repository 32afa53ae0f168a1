"""What an answer claims to be, and whether it is: exact comparisons with a certified value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from lapdp.accounting.audit.queries import Direction

Kind = Literal["upper", "lower", "estimate", "interval"]

FAULTS = ("invalid", "nonsense")
"""Verdicts that are faults of the accountant."""
VERDICTS = {
    "valid": "a true bound, or an interval that contains the value",
    "vacuous": "a true bound that says nothing, such as delta <= 1",
    "estimate": "claims no bound; its digits are counted",
    "off": "claims no bound; its relative error is above 1/10",
    "invalid": "claims a bound and lies on the wrong side of the certified value",
    "nonsense": "no possible answer: negative, above 1, NaN, infinite, an unintended exception",
    "refused": "the accountant says that it cannot",
    "timeout": "no answer within the limit of time",
    "memory": "no answer within the limit of memory",
    "undecided": "the answer lies within the radius of the certified value",
    "no verdict": "there is no certified value to hold against the answer",
}
"""All verdicts and what they mean."""
OFF = Fraction(1, 10)
FEW_UNITS = 16


@dataclass(frozen=True)
class Claim:
    """What a method says of its numbers: their kind, the direction, and where it says so."""

    kind: Kind
    direction: Direction
    source: str


@dataclass(frozen=True)
class Truth:
    """The certified value: between ``low`` and ``high``, or infinite (None)."""

    low: Fraction | None
    high: Fraction | None

    @property
    def is_infinite(self) -> bool:
        """Is the value +oo?"""
        return self.low is None


@dataclass(frozen=True)
class Verdict:
    """One of :data:`VERDICTS`; how many digits the answer has, its relative error, and why."""

    kind: str
    digits: int | None = None
    """Right digits of an estimate; of a bound, how tight it is.  None: exact, or no number."""

    error: float | None = None
    """(answer - value)/value; the width over the value for an interval."""

    reason: str = ""


def judge(claim: Claim, wants: str, answer: tuple[float, ...], truth: Truth) -> Verdict:
    """Judge one answer: a number, or the two ends of an interval (perhaps an estimate between).

    Doubles are compared as the exact numbers they are.  Where the radius of the certified value
    leaves the comparison open, the verdict is ``undecided``: certify more digits.

    >>> upper = Claim("upper", "both", "manual")
    >>> truth = Truth(Fraction(1, 10), Fraction(1, 10))
    >>> judge(upper, "delta", (0.125,), truth)
    Verdict(kind='valid', digits=0, error=0.25, reason='')
    >>> judge(upper, "delta", (0.0999,), truth).kind, judge(upper, "delta", (-1.0,), truth).kind
    ('invalid', 'nonsense')
    """
    if claim.kind == "interval":
        if len(answer) < 2:
            return Verdict("nonsense", reason="an interval has two ends")
        return _interval(wants, answer[0], answer[-1], truth)
    if len(answer) != 1:
        return Verdict("nonsense", reason=f"{len(answer)} numbers instead of one")
    value = answer[0]
    wrong = _impossible(wants, value, truth, claim.kind)
    if wrong:
        return Verdict("nonsense", reason=wrong)
    if claim.kind == "estimate":
        return _estimate(value, truth)
    return _bound(claim.kind, wants, value, truth)


def _impossible(wants: str, value: float, truth: Truth, kind: Kind) -> str:
    """Why this cannot be the answer, whatever the value is; empty if it can."""
    if math.isnan(value):
        return "NaN"
    if value < 0 and kind != "lower":
        return f"negative {wants}"
    if wants == "delta" and value > 1:
        return "delta above 1"
    if math.isinf(value) and not truth.is_infinite and kind == "estimate":
        return "infinite, the value is finite"
    return ""


def _bound(kind: Kind, wants: str, value: float, truth: Truth) -> Verdict:
    holds = _at_least(value, truth) if kind == "upper" else _at_most(value, truth)
    if holds is None:
        return Verdict("undecided", reason="within the radius of the certified value")
    if not holds:
        side = "below" if kind == "upper" else "above"
        return Verdict("invalid", *_distance(value, truth),
                       reason=f"{side} the certified value{by_rounding(value, truth)}")
    digits, error = _distance(value, truth)
    says_nothing = (value <= 0 if kind == "lower" else
                    math.isinf(value) or (wants == "delta" and value == 1))
    return Verdict("vacuous" if says_nothing and digits is not None else "valid", digits, error)


def _estimate(value: float, truth: Truth) -> Verdict:
    if truth.is_infinite and not math.isinf(value):
        return Verdict("off", 0, reason="finite, the value is infinite")
    digits, error = _distance(value, truth)
    return Verdict("estimate" if error is None or abs(error) <= OFF else "off", digits, error)


def _interval(wants: str, lower: float, upper: float, truth: Truth) -> Verdict:
    if math.isnan(lower) or math.isnan(upper):
        return Verdict("nonsense", reason="NaN")
    if lower > upper:
        return Verdict("nonsense", reason="the lower end is above the upper end")
    if upper < 0:
        return Verdict("nonsense", reason=f"negative {wants}")
    below, above = _at_most(lower, truth), _at_least(upper, truth)
    if below is False:
        return Verdict("invalid", *_distance(lower, truth),
                       reason=f"the lower end is above the certified value"
                              f"{by_rounding(lower, truth)}")
    if above is False:
        return Verdict("invalid", *_distance(upper, truth),
                       reason=f"the upper end is below the certified value"
                              f"{by_rounding(upper, truth)}")
    if below is None or above is None:
        return Verdict("undecided", reason="an end is within the radius of the certified value")
    if lower <= 0 and (math.isinf(upper) or (wants == "delta" and upper >= 1)):
        return Verdict("vacuous", 0)
    if truth.is_infinite or math.isinf(upper):
        return Verdict("valid", 0 if lower < upper else None)
    return Verdict("valid", *_relative(Fraction(upper) - Fraction(lower), truth))


def by_rounding(value: float, truth: Truth) -> str:
    """Words for a fault as small as the rounding of a few operations; it is a fault all the same.

    >>> value = Fraction(1, 2) + Fraction(2, 10**16)
    >>> by_rounding(0.5, Truth(value, value)), by_rounding(0.25, Truth(value, value))
    (', by 2 units in the last place', '')
    """
    if truth.low is None or truth.high is None or math.isinf(value):
        return ""
    units = abs(Fraction(value) - (truth.low + truth.high) / 2) / Fraction(math.ulp(value))
    if units > FEW_UNITS:
        return ""
    return f", by {math.ceil(units)} unit{'s' if units > 1 else ''} in the last place"


def _at_least(value: float, truth: Truth) -> bool | None:
    """Is value >= truth?  None where the radius leaves it open."""
    if truth.low is None or truth.high is None or math.isinf(value):
        return value == math.inf
    exact = Fraction(value)
    return True if exact >= truth.high else False if exact < truth.low else None


def _at_most(value: float, truth: Truth) -> bool | None:
    """Is value <= truth?  None where the radius leaves it open."""
    if truth.low is None or truth.high is None:
        return True
    if math.isinf(value):
        return value < 0
    exact = Fraction(value)
    return True if exact <= truth.low else False if exact > truth.high else None


def _distance(value: float, truth: Truth) -> tuple[int | None, float | None]:
    if truth.is_infinite or math.isinf(value):
        return (None if truth.is_infinite and value == math.inf else 0), None
    assert truth.low is not None and truth.high is not None
    return _relative(Fraction(value) - (truth.low + truth.high) / 2, truth)


def _relative(difference: Fraction, truth: Truth) -> tuple[int | None, float | None]:
    """Digits, and the quotient by the value, as a double for people to read."""
    assert truth.low is not None and truth.high is not None
    middle = (truth.low + truth.high) / 2
    if not difference:
        return None, 0.0
    if not middle:
        return 0, math.copysign(math.inf, difference)
    error = difference / middle
    try:
        shown = float(error)
    except OverflowError:
        shown = math.inf if error > 0 else -math.inf
    return _places(abs(error)), shown


def _places(error: Fraction) -> int:
    """The largest d >= 0 with error <= 10^-d, else 0; error is positive.

    >>> _places(Fraction(1, 1000)), _places(Fraction(1, 999)), _places(Fraction(5))
    (3, 2, 0)
    """
    places = 0
    while error * 10 ** (places + 1) <= 1:
        places += 1
    return places


__all__ = ["FAULTS", "VERDICTS", "Claim", "Kind", "Truth", "Verdict", "by_rounding", "judge"]
