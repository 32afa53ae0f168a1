"""Signs of a continuous function that is given piece by piece."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from lapdp.calculus.form import Form
from lapdp.calculus.isolation import signs_between, simplest
from lapdp.calculus.zeros import Point, Smooth, Zero, rational, shown, sign_at
from lapdp.core.errors import Unsupported


@dataclass(frozen=True)
class SignPattern:
    """The sign of a continuous function on the line, or on an interval.

    ``signs`` are those on the open intervals between the points ``zeros``; 0 means that the
    function vanishes on the whole interval.  It vanishes at each of the points.
    """

    zeros: tuple[Zero, ...]
    signs: tuple[int, ...]

    @property
    def nonnegative(self) -> bool:
        """Is the function nowhere negative?"""
        return min(self.signs) >= 0

    def crossings(self) -> list[tuple[Zero, Zero]]:
        """Where the sign changes: the first and the last zero between two opposite signs."""
        found, before = [], 0
        for k, sign in enumerate(self.signs):
            if sign and before and sign != self.signs[before - 1]:
                found.append((self.zeros[before - 1], self.zeros[k - 1]))
            if sign:
                before = k + 1
        return found

    def __repr__(self) -> str:
        letters = {1: "+", 0: "0", -1: "-"}
        text = letters[self.signs[0]]
        for zero, sign in zip(self.zeros, self.signs[1:], strict=True):
            text += f" | {zero.enclosure(12).str(12, radius=False)} | {letters[sign]}"
        return text


def sign_pattern(pieces: Iterable[tuple[Point | None, Smooth | None]],
                 lower: Point | None = None) -> SignPattern:
    """The sign of a continuous function given piece by piece.

    ``pieces`` are (upper end, function) from left to right, beginning at ``lower``; None for a
    function that is 0, and for an end at infinity.
    """
    zeros: list[Zero] = []
    signs: list[int] = []
    for upper, f in pieces:
        inside: list[Zero] = []
        here = [0]
        if f is not None:
            inside, here = signs_between(f, lower, upper)
        if signs:
            assert lower is not None
            _join(zeros, signs, Form.of(lower), f, here[0])
        signs += here[1:] if signs else here
        zeros += inside
        lower = upper
    return SignPattern(tuple(zeros), tuple(signs))


def _join(zeros: list[Zero], signs: list[int], at: Form, f: Smooth | None, after: int) -> None:
    """Put the breakpoint among the zeros unless the function goes on with one sign, not 0."""
    before = signs[-1]
    if before == after == 0:
        return
    if f is None or before == 0 or sign_at(f, at) == 0:
        zeros.append(Zero(at))
        signs.append(after)
    elif before != after:
        raise Unsupported(f"a jump at {shown(at)}")


def point_with(pattern: SignPattern, sign: int, lowest: Fraction | None = None,
               highest: Fraction | None = None) -> Fraction:
    """A plain rational point between two ends at which the function has that sign."""
    k = pattern.signs.index(sign)
    left = pattern.zeros[k - 1] if k else None
    right = pattern.zeros[k] if k < len(pattern.zeros) else None
    for digits in (5, 20, 80, 320, 1280):
        low = lowest if left is None else rational(left.enclosure(digits), 1)
        high = highest if right is None else rational(right.enclosure(digits), -1)
        if low is None and high is None:
            return Fraction(0)
        if low is None:
            assert high is not None
            low = high - 2
        if high is None:
            high = low + 2
        if low < high:
            third = (high - low) / 3
            return simplest(low + third, high - third)
    raise Unsupported("two zeros that are not told apart")


__all__ = ["SignPattern", "point_with", "sign_pattern"]
