"""Numbers that a tested function returns, and true ones, compared exactly.

A double is the binary number that it is.  What is claimed up to an accuracy is the interval of the
true values that the claim allows; a law is violated where no choice of them obeys it.  Irrational
numbers are balls, narrowed until they separate; those that never do leave a law undecided.
"""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import arb, ctx, fmpq, fmpz

from lapdp.accounting.answers import Answer
from lapdp.balls.decimals import Enclosure
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.precision import workprec
from lapdp.testing.conformance.shown import (
    decimals,
    described,
    enclosed,
    exact_latex,
    latex_of,
    plainly,
)

BITS = (64, 128, 256, 512, 1024)
"""Working precisions at which two numbers are told apart."""
_DEAR = 256
_ORDERED = (Fraction, float)
"""Python compares them exactly."""


class NoNumber(Exception):
    """What a function returned is no real number; the text says what it is."""


class AccuracyNeeded(InputError):
    """A rounded number claims to be a true value: how near it is, only the user can say."""


@dataclass(frozen=True)
class Real:
    """A real number or an infinity: exact, or balls that narrow with the working precision."""

    exact: Any
    """A Fraction, an irrational SymPy number, plus or minus ``math.inf``; None if only balls."""
    ball: Callable[[], Any]
    """Gives an ``arb`` that contains the number, at the working precision."""
    most: int = BITS[-1]
    """The working precision at which it is given up: digits may be dear."""

    @staticmethod
    def of(value: Any) -> Real:
        """An int, Fraction, infinity or exact real SymPy number."""
        if isinstance(value, float) and math.isinf(value):
            return Real(value, lambda: arb(value))
        if isinstance(value, sp.Basic):
            if value in (sp.oo, -sp.oo):
                return Real.of(math.inf if value == sp.oo else -math.inf)
            if not value.is_Rational:
                return Real(value, lambda: _expression_ball(value))
        number = Fraction(int(value.p), int(value.q)) if isinstance(value, sp.Basic) else (
            Fraction(value))
        return Real(number, lambda: arb(fmpq(number.numerator, number.denominator)))

    @staticmethod
    def certified(answer: Callable[[int], Answer]) -> Real:
        """The number of which ``answer(digits)`` proves so many digits.

        >>> from lapdp import gaussian
        >>> print(Real.certified(lambda digits: gaussian(1).delta(1, digits)))
        0.126936737507
        """
        first = _proved(answer(15))
        if first.enclosure is None:
            return Real.of(math.inf)
        if first.enclosure.is_exact:
            return Real.of(first.enclosure.middle)
        # the precision of balls is that of the question, no promise about the answer
        return Real(None, lambda: _finite(_proved(answer(max(5, int(ctx.prec * 0.3))))).ball(),
                    _DEAR)

    def with_form(self, closed: Callable[[], Any]) -> Real:
        """The number with its closed form, where there is one: equal to a number of that form."""
        if self.exact is not None:
            return self
        try:
            return replace(self, exact=closed())
        except Unsupported:
            return self

    @property
    def rational(self) -> Fraction | None:
        """The Fraction, None for what is none."""
        return self.exact if isinstance(self.exact, Fraction) else None

    @property
    def is_infinite(self) -> bool:
        """Is it plus or minus infinity?"""
        return isinstance(self.exact, float)

    def __add__(self, other: Real) -> Real:
        return _combined(self, other, lambda a, b: a + b)

    def __sub__(self, other: Real) -> Real:
        return _combined(self, other, lambda a, b: a - b)

    def __mul__(self, other: Real) -> Real:
        return _combined(self, other, lambda a, b: a * b)

    def __truediv__(self, other: Real) -> Real:
        return _combined(self, other, lambda a, b: a / b)

    def compare(self, other: Real) -> int | None:
        """-1, 0 or 1 where it is proved, else None.

        >>> Real.of(sp.sqrt(2)).compare(Real.of(Fraction(3, 2)))
        -1
        >>> Real.of(sp.exp(1) * sp.exp(2)).compare(Real.of(sp.exp(3)))
        0
        """
        if isinstance(self.exact, _ORDERED) and isinstance(other.exact, _ORDERED):
            return int(self.exact > other.exact) - int(self.exact < other.exact)
        if self.is_infinite:
            return 1 if self.exact > 0 else -1
        if other.is_infinite:
            return -1 if other.exact > 0 else 1
        for bits in (b for b in BITS if b <= min(self.most, other.most)):
            # balls that are apart say more, and sooner, than closed forms
            if bits > BITS[0] and None not in (self.exact, other.exact) and _same(
                    self.exact, other.exact):
                return 0
            with workprec(bits):
                gap = self.ball() - other.ball()
                if gap < 0:
                    return -1
                if gap > 0:
                    return 1
                if gap.is_zero():
                    return 0
        return None

    def __str__(self) -> str:
        if self.is_infinite:
            return "oo" if self.exact > 0 else "-oo"
        text = None if self.exact is None else plainly(self.exact)
        if text is not None:
            return text
        with workprec(BITS[0]):
            return decimals(self.ball())

    def latex(self) -> str:
        """For a line of LaTeX."""
        if self.is_infinite:
            return r"\infty" if self.exact > 0 else r"-\infty"
        form = None if self.exact is None else exact_latex(self.exact)
        if form is not None:
            return form
        with workprec(BITS[0]):
            return latex_of(decimals(self.ball()))


def _combined(a: Real, b: Real, of: Callable[[Any, Any], Any]) -> Real:
    if a.exact is None or b.exact is None:
        return Real(None, lambda: of(a.ball(), b.ball()), min(a.most, b.most))
    if not any(isinstance(x.exact, sp.Basic) for x in (a, b)):
        return Real.of(of(a.exact, b.exact))
    if a.is_infinite or b.is_infinite:
        return Real.of(of(*(x.exact if x.is_infinite else float(x.exact) for x in (a, b))))
    return Real.of(of(sp.sympify(a.exact), sp.sympify(b.exact)))


def _same(a: Any, b: Any) -> bool:
    from lapdp.calculus.convert import to_scalar

    gap = sp.expand(sp.sympify(a) - sp.sympify(b))
    try:
        return bool(gap == 0) or to_scalar(gap).is_zero()
    except (Undefined, Unsupported):
        return False  # balls may still tell them apart


def _expression_ball(value: Any) -> Any:
    from lapdp.privacy.ball_values import expression_ball

    return expression_ball(value)


def _proved(answer: Answer) -> Answer:
    if not answer.certified:
        raise Unsupported(f"the value is not certified: {answer.doubt}")
    return answer


def _finite(answer: Answer) -> Enclosure:
    if answer.enclosure is None:
        raise Unsupported("more digits turned a finite value into an infinite one")
    return answer.enclosure


@dataclass(frozen=True)
class Accuracy:
    """A claim v is true where abs(v - truth) <= relative * abs(truth) + absolute.

    >>> Accuracy.of("1e-12").relative
    Fraction(1, 1000000000000)
    >>> low, high = Accuracy.of("1/2", 1).around(Fraction(3))
    >>> str(low), str(high)
    ('4/3', '8')
    """

    relative: Fraction
    absolute: Fraction

    @staticmethod
    def of(relative: Any, absolute: Any = 0) -> Accuracy:
        """Numbers or strings, doubles included; :class:`InputError` unless 0 <= relative < 1."""
        found = []
        for name, given in (("accuracy", relative), ("absolute", absolute)):
            try:
                number = Fraction(given)
            except (TypeError, ValueError, OverflowError, ZeroDivisionError):
                raise InputError(f"{name} = {given!r} is no number: write 1e-12") from None
            if number < 0 or (name == "accuracy" and number >= 1):
                raise InputError(f"{name} = {given!r} must be >= 0"
                                 f"{' and < 1' if name == 'accuracy' else ''}")
            found.append(number)
        return Accuracy(*found)

    @staticmethod
    def stated(relative: Any, absolute: Any) -> Accuracy | None:
        """What a user states by ``accuracy=`` and ``absolute=``; None where that is nothing."""
        return None if relative is None and not absolute else Accuracy.of(relative or 0, absolute)

    def around(self, value: Fraction) -> tuple[Fraction, Fraction]:
        """The least and the largest truth that the claim allows."""
        low, high = value - self.absolute, value + self.absolute
        r = self.relative
        return (low / (1 + r if low >= 0 else 1 - r), high / (1 - r if high >= 0 else 1 + r))


EXACT = Accuracy(Fraction(0), Fraction(0))
"""The number is meant as it is."""


_SHORT = 12
"""Characters of both ends of an interval that is printed by its ends."""
_DECIMAL = re.compile(r"-?\d+(\.\d*)?(e[+-]?\d+)?")
"""How doubles print."""


@dataclass(frozen=True)
class Value:
    """What a law compares: the numbers between two ends, mostly one number."""

    low: Real
    high: Real
    text: str = ""
    """As the function returned it."""

    @staticmethod
    def of(value: Any) -> Value:
        """An exact number; a :class:`Real` or a Value."""
        if isinstance(value, Value):
            return value
        real = value if isinstance(value, Real) else Real.of(value)
        return Value(real, real)

    def __add__(self, other: Any) -> Value:
        return _between(self, Value.of(other), lambda a, b: a + b)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Value:
        there = Value.of(other)
        return _between(self, Value(there.high, there.low), lambda a, b: a - b)

    def __rsub__(self, other: Any) -> Value:
        return Value.of(other) - self

    def times(self, factor: Any) -> Value:
        """Times one number that is not negative."""
        return _between(self, Value.of(factor), lambda a, b: a * b)

    @property
    def is_point(self) -> bool:
        """Is it one number?"""
        return self.low is self.high or (
            self.low.exact is not None and self.low.exact == self.high.exact)

    def __str__(self) -> str:
        return self.text or (str(self.low) if self.is_point else self._ends())

    def _ends(self) -> str:
        """Decimals with an error; both ends where one is infinite or both are short."""
        ends = self.low, self.high
        if any(end.is_infinite for end in ends) or all(
                end.exact is not None and plainly(end.exact, _SHORT) for end in ends):
            return f"between {self.low} and {self.high}"
        with workprec(BITS[0]):
            return enclosed(*(end.ball() for end in ends))

    def latex(self) -> str:
        """For a line of LaTeX."""
        if self.is_point:
            rounded = _DECIMAL.fullmatch(self.text)
            return latex_of(self.text) if rounded else self.low.latex()
        text = self._ends()
        if text.startswith("between"):
            return rf"[{self.low.latex()}, {self.high.latex()}]"
        return latex_of(text)


def _between(a: Value, b: Value, of: Callable[[Real, Real], Real]) -> Value:
    """End by end; two numbers give one."""
    low = of(a.low, b.low)
    return Value(low, low if a.is_point and b.is_point else of(a.high, b.high))


def read(returned: Any, accuracy: Accuracy | None) -> Value:
    """What a function returned, as the true values that it allows.

    Takes ints, Fractions, exact SymPy numbers, doubles, ``mpf``, ``Decimal``, ``arb``, numbers of
    NumPy and certified answers of this package.  Without ``accuracy`` numbers are meant as they
    are, and rounded ones raise :class:`AccuracyNeeded`; what is no real number raises
    :class:`NoNumber`.

    >>> print(read(0.1, EXACT), read(0.1, EXACT).low.exact)
    0.1 3602879701896397/36028797018963968
    >>> read(float("nan"), None)
    Traceback (most recent call last):
    lapdp.testing.conformance.values.NoNumber: nan
    """
    item = _plain(returned)
    if isinstance(item, Answer):
        ends = (Real.of(item.lower), Real.of(item.upper))
    elif isinstance(item, arb):
        if not item.is_finite():
            raise NoNumber(described(returned))
        ends = (_exact_end(item.lower()), _exact_end(item.upper()))
    else:
        ends = (_real(item, returned),) * 2
        if accuracy is None and not ends[0].is_infinite and _is_rounded(item):
            raise AccuracyNeeded(
                f"{described(returned)} is a rounded number: say accuracy=1e-12, how far it may be "
                "from the truth relative to it (and absolute=1e-15 where it may be near 0), or "
                "accuracy=0; what is typed is exact as text: '1e-5'")
    if accuracy is not None and accuracy != EXACT:
        ends = (_around(accuracy, ends[0])[0], _around(accuracy, ends[1])[1])
    elif ends[0] == ends[1]:
        ends = (ends[0],) * 2
    return Value(*ends, text=plainly(returned) or "")


def _plain(returned: Any) -> Any:
    """Without the wrapping of an array that has no axes, and of the integers of FLINT."""
    if getattr(returned, "ndim", None) == 0 and hasattr(returned, "item"):
        return returned if isinstance(returned, float) else _unwrapped(returned)
    if isinstance(returned, fmpq):
        return Fraction(int(returned.p), int(returned.q))
    return int(returned) if isinstance(returned, fmpz) else returned


def _unwrapped(scalar: Any) -> Any:
    """A number of NumPy; one of more than 53 bits stays what it is."""
    found = scalar.item()
    return scalar if isinstance(found, type(scalar)) else found


def _is_rounded(item: Any) -> bool:
    from mpmath import mpf

    return isinstance(item, (float, Decimal, mpf)) or (
        isinstance(item, sp.Basic) and bool(item.has(sp.Float))) or (
        isinstance(item, numbers.Real) and not isinstance(item, numbers.Rational))


def _real(item: Any, returned: Any) -> Real:
    from mpmath import mpf
    from mpmath.libmp import to_rational

    if isinstance(item, bool):
        raise NoNumber(described(returned))
    if isinstance(item, sp.Expr):
        number = item.xreplace({x: sp.Rational(*map(int, to_rational(x._mpf_)))
                                for x in item.atoms(sp.Float)})
        if number.free_symbols or number.has(sp.nan, sp.zoo) or number.is_extended_real is False:
            raise NoNumber(described(returned))
        return Real.of(number)
    if isinstance(item, numbers.Rational):
        return Real.of(Fraction(int(item.numerator), int(item.denominator)))
    if isinstance(item, (mpf, numbers.Real, Decimal)):
        if math.isnan(item):
            raise NoNumber(described(returned))
        if item in (math.inf, -math.inf):
            return Real.of(float(item))
        if isinstance(item, mpf):
            return Real.of(Fraction(*map(int, to_rational(item._mpf_))))
        return Real.of(Fraction(*(int(part) for part in item.as_integer_ratio())))  # type: ignore
    raise NoNumber(described(returned))


def _exact_end(end: Any) -> Real:
    mantissa, power = (int(part) for part in end.man_exp())
    return Real.of(Fraction(mantissa) * Fraction(2) ** power)


def _around(accuracy: Accuracy, end: Real) -> tuple[Real, Real]:
    if end.is_infinite:
        return end, end
    if end.rational is not None:
        low, high = accuracy.around(end.rational)
        return Real.of(low), Real.of(high)
    r, a = accuracy.relative, Real.of(accuracy.absolute)
    size = Real.of(sp.Abs(end.exact))
    slack = a + size * Real.of(r / (1 - r))
    return end - slack, end + slack


def relation(left: Value, sign: str, right: Value) -> bool | None:
    """Does ``left <= right``, ``>=`` or ``==`` hold for some of the numbers that they allow?

    None where that is not decided.

    >>> relation(Value.of(1), "<=", Value.of(sp.sqrt(2)))
    True
    """
    if sign == ">=":
        return relation(right, "<=", left)
    if sign == "==":
        both = relation(left, "<=", right), relation(right, "<=", left)
        return False if False in both else None if None in both else True
    if sign != "<=":
        raise ValueError(f"no relation {sign!r}")
    order = left.low.compare(right.high)
    return None if order is None else order <= 0


__all__ = ["EXACT", "Accuracy", "AccuracyNeeded", "NoNumber", "Real", "Value", "read", "relation"]
