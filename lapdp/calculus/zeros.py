"""Real functions given by balls, their signs at points, and zeros that are known by an interval."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, ClassVar, Protocol

from flint import arb, ctx, fmpq

from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workdps, workprec

Point = Fraction | Form
BITS = 64
MOST_BITS = 4096


class Smooth(Protocol):
    """A real function that is analytic on an open set around the interval that is asked about.

    ``orders`` is how many derivatives are looked at where it vanishes: it may be 0 unseen.
    """

    orders: ClassVar[int]

    def ball(self, x: Any) -> Any:
        """A ball (arb) that contains f on the ball ``x``, at the precision of the moment."""

    def derivative(self) -> Smooth:
        """The derivative."""

    def vanishes(self, point: Point) -> bool:
        """Is f(point) = 0 known exactly?  False says nothing."""

    def tail(self, side: int) -> tuple[Fraction, int]:
        """(T, sign): f has that sign, not 0, at all t >= T (``side`` 1) or all t <= T (-1)."""

    def parts(self) -> Sequence[tuple[Smooth, int]] | None:
        """Functions and powers whose product has the sign of f or of -f; None: nothing better."""

    def exact_zero(self) -> Form | None:
        """The only real zero as an exact number, where a formula gives it."""


def ball_of(point: Point) -> Any:
    """A ball around an exact number."""
    if isinstance(point, Fraction):
        return arb(fmpq(point.numerator, point.denominator))
    return enclose(point, {}).real


def sign_at(f: Smooth, point: Point) -> int:
    """The sign of f at an exact number; :class:`Unsupported` if neither balls nor algebra tell."""
    return sign_and_bits(f, point, BITS)[0]


def sign_and_bits(f: Smooth, point: Point, bits: int) -> tuple[int, int]:
    first = bits
    while bits <= max(MOST_BITS, first):
        with workprec(bits):
            sign = sign_of(f.ball(ball_of(point)))
        if sign:
            return sign, bits
        if bits == first and f.vanishes(point):
            return 0, bits
        bits *= 2
    raise Unsupported(f"the sign at {shown(point)} is not decided at {MOST_BITS} bits")


def sign_of(y: Any) -> int:
    return 1 if y > 0 else -1 if y < 0 else 0


def shown(point: Point) -> str:
    with workdps(15):
        return str(ball_of(point).str(12, radius=False))


class Zero:
    """A zero: an exact number, or the only one of a function in an interval (lower, upper).

    There the derivative has no zero, and the signs at the ends are opposite.
    """

    def __init__(self, exact: Form | None, function: Smooth | None = None,
                 lower: Fraction = Fraction(0), upper: Fraction = Fraction(0)) -> None:
        self.exact, self.function = exact, function
        self.lower, self.upper = lower, upper
        self.mirrored = False

    def mirror(self) -> Zero:
        """The same zero of the function reflected at 0."""
        if self.exact is not None:
            return Zero(-self.exact)
        found = Zero(None, self.function, self.lower, self.upper)
        found.mirrored = not self.mirrored
        return found

    def enclosure(self, digits: int) -> Any:
        """A ball around the zero, good to ``digits`` digits."""
        found = self._enclosure(digits)
        with workprec(int(digits * 4) + 64):
            return -found if self.mirrored else found

    def _enclosure(self, digits: int) -> Any:
        goal = int(digits * 3.33) + 4
        bits = goal + 32
        while True:
            with workprec(bits):
                x = ball_of(self.exact) if self.exact is not None else self._refined(goal)
                if x.is_zero() or x.rel_accuracy_bits() >= goal or bits > 8 * goal + 10_000:
                    return x
            bits *= 2

    def _refined(self, goal: int) -> Any:
        """Newton's method with intervals, bisection where it does not gain."""
        f = self.function
        assert f is not None
        slope = f.derivative()
        while True:
            x = ball_of(self.lower).union(ball_of(self.upper))
            if x.rel_accuracy_bits() >= goal:
                return x
            before = self.upper - self.lower
            if before.denominator.bit_length() > ctx.prec + 8 and before < Fraction(
                    1, 2 ** (ctx.prec - 8)):
                return x
            middle = (self.lower + self.upper) / 2
            d = slope.ball(x)
            if d.is_finite() and not d.contains(0):
                step = ball_of(middle) - f.ball(ball_of(middle)) / d
                # the zero lies in the ball of the Newton step
                low, high = rational(step.lower(), -1), rational(step.upper(), 1)
                self.lower, self.upper = max(self.lower, low), min(self.upper, high)
            if 2 * (self.upper - self.lower) > before:
                self.halve()

    def halve(self) -> None:
        """Bisect the interval."""
        assert self.function is not None
        below, _ = sign_and_bits(self.function, self.lower, BITS)
        middle = (self.lower + self.upper) / 2
        sign = sign_at(self.function, middle)
        if sign == 0:
            self.exact = Form.of(middle)
            self.lower = self.upper = middle
        elif sign == below:
            self.lower = middle
        else:
            self.upper = middle

    def __repr__(self) -> str:
        return f"Zero({self.enclosure(12).str(12, radius=False)})"


def rational(x: Any, side: int) -> Fraction:
    """A rational number not above (side -1), or not below (1), all numbers of a ball."""
    end = x.upper() if side > 0 else x.lower()
    man, exp = end.man_exp()
    return Fraction(int(man)) * Fraction(2) ** int(exp)


__all__ = ["BITS", "MOST_BITS", "Point", "Smooth", "Zero", "ball_of", "rational", "shown",
           "sign_and_bits", "sign_at", "sign_of"]
