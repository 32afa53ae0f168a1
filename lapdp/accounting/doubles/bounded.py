"""Arrays of doubles, each with a bound of its absolute error.

Every operation adds the error of its arguments and that of its own rounding.  Bounds are computed
in doubles, too: each step makes them a little larger than their own rounding can make them smaller.
What overflows or has no value gets the bound oo or NaN, which no comparison accepts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import flint
import numpy as np

from lapdp.core.precision import workprec

UNIT = 2.0**-53
"""Relative error of one operation, rounded to the nearest."""
LIBRARY = 8 * UNIT
"""Relative error of an elementary function: 4 units in the last place."""
TINY = 2.0**-1070
"""What a few roundings to the smallest doubles, and 4 units of a function there, may lose."""
GROW = 1 + 2.0**-47
ASSUMPTION = ("exp, expm1, log1p, log, sin, cos, arctan, arctan2, hypot, logaddexp and power of "
              "doubles, NumPy's and Python's, are right to 4 units in the last place, and "
              "arithmetic, that of complex numbers and matrices too, is that of IEEE 754")


@dataclass(frozen=True, eq=False)
class Bounded:
    """A number, or an array of them, between ``value - error`` and ``value + error``."""

    value: Any
    error: Any

    @staticmethod
    def of_ball(ball: Any) -> Bounded:
        """A double next to a real ball; call it at a working precision above that of doubles."""
        value = float(ball)
        return Bounded(value, upper(abs(ball - flint.arb(value))))

    @staticmethod
    def exact(value: Any) -> Bounded:
        """Doubles that are the numbers meant."""
        return Bounded(value, 0.0 * value)

    def __add__(self, other: Bounded | float) -> Bounded:
        there = _bounded(other)
        value = self.value + there.value
        return Bounded(value, (self.error + there.error + UNIT * abs(value)) * GROW)

    def __neg__(self) -> Bounded:
        return Bounded(-self.value, self.error)

    def __sub__(self, other: Bounded | float) -> Bounded:
        return self + -_bounded(other)

    def __mul__(self, other: Bounded | float) -> Bounded:
        there = _bounded(other)
        value = self.value * there.value
        error = (abs(self.value) + self.error) * there.error + self.error * abs(there.value)
        return Bounded(value, (error + UNIT * abs(value)) * GROW + TINY)

    __radd__ = __add__
    __rmul__ = __mul__

    def __truediv__(self, other: Bounded) -> Bounded:
        value = self.value / other.value
        least = abs(other.value) - other.error
        error = np.where(least > 0, (self.error + abs(value) * other.error + TINY) / least, np.inf)
        # the quotient itself is rounded: twice its rounding covers its use above
        return Bounded(value, (error + 2 * UNIT * abs(value)) * GROW + TINY)

    def __getitem__(self, index: Any) -> Bounded:
        return Bounded(self.value[index], self.error[index])

    def exp(self) -> Bounded:
        """e^x."""
        value, grown = np.exp(self.value), np.expm1(self.error)
        return Bounded(value, value * (grown + LIBRARY) * GROW + TINY * (1 + 2 * grown))

    def expm1(self) -> Bounded:
        """e^x - 1, small where x is."""
        value = np.expm1(self.value)
        error = (value + 1 + LIBRARY) * np.expm1(self.error) + LIBRARY * abs(value)
        return Bounded(value, error * GROW + TINY)

    def log1p(self) -> Bounded:
        """log(1 + x), small where x is."""
        value = np.log1p(self.value)
        return Bounded(value, (_of_log(self.error, (1 + self.value) * (1 - 4 * UNIT))
                               + LIBRARY * abs(value)) * GROW + TINY)

    def log(self) -> Bounded:
        """log x."""
        value = np.log(self.value)
        return Bounded(value, (_of_log(self.error, self.value) + LIBRARY * abs(value)) * GROW
                       + TINY)

    def sum(self) -> Bounded:
        """The sum of a list, added in a tree."""
        value, depth = tree_sum(self.value)
        error = np.sum(self.error) + depth * UNIT * np.sum(np.abs(self.value))
        return Bounded(value, error * (1 + 2 * len(self.value) * UNIT) * GROW + TINY)

    @property
    def upper(self) -> Any:
        """Doubles not below it."""
        # a sum of doubles is rounded by less than the step to the next one
        return np.where(self.error == 0, self.value, np.nextafter(self.value + self.error, np.inf))

    @property
    def lower(self) -> Any:
        """Doubles not above it."""
        return np.where(self.error == 0, self.value, np.nextafter(self.value - self.error, -np.inf))


def where(condition: Any, one: Bounded, other: Bounded) -> Bounded:
    """One or the other, element by element."""
    return Bounded(np.where(condition, one.value, other.value),
                   np.where(condition, one.error, other.error))


def tree_sum(rows: Any) -> tuple[Any, int]:
    """Sums over the last axis and how many roundings one number goes through.

    NumPy may add in any order: this one is known, and n numbers go through log2 n roundings.
    """
    depth = 0
    while (size := rows.shape[-1]) > 1:
        half = size // 2
        folded = rows[..., :half] + rows[..., half:2 * half]
        if size % 2:
            folded[..., 0] += rows[..., -1]
            depth += 1
        rows, depth = folded, depth + 1
    return rows[..., 0], depth + 1


def sum_of_products(terms: Any) -> tuple[Any, Any]:
    """Sums of products x y of doubles, and bounds of their errors.

    Rounding is carried along by error-free transformations (Dekker 1971, Knuth), so that large
    terms may cancel: the error is about that of one rounding of the result.
    """
    total = rest = size = 0.0
    count = 1
    for x, y in terms:
        count += 1
        product = x * y
        x_high, y_high = _high(x), _high(y)
        x_low, y_low = x - x_high, y - y_high
        lost = x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low)
        new = total + product
        part = new - total
        rest = rest + (lost + ((total - (new - part)) + (product - part)))
        total, size = new, size + abs(product)
    value = total + rest
    # 2 count small parts, each at most UNIT size, are added up with a rounding each; the parts of
    # tiny products are lost to underflow
    return value, ((UNIT * abs(value) + 4 * count * count * UNIT * UNIT * size) * GROW
                   + count * TINY)


def _high(x: Any) -> Any:
    """The upper half of the digits (Veltkamp)."""
    big = x * 134217729.0
    return big - (big - x)


def upper(ball: Any) -> float:
    """A double not below a ball of numbers >= 0, NaN and oo included."""
    most = ball.upper()
    if most <= 0:
        return 0.0
    found = float(most)
    return found + abs(found) * 2 * UNIT + TINY


def _of_log(error: Any, least: Any) -> Any:
    """How far log x moves when x moves by ``error``."""
    share = error / least
    return np.where((least > 0) & (share < 0.5), share * (1 + 2 * share), np.inf)


def _bounded(x: Bounded | float) -> Bounded:
    return x if isinstance(x, Bounded) else Bounded(x, 0.0)


def number(exact: Any) -> Bounded:
    """An exact number of :mod:`lapdp.accounting.moments.lines`, rounded once."""
    with workprec(160):
        return Bounded.of_ball(exact.ball())


__all__ = ["ASSUMPTION", "LIBRARY", "TINY", "UNIT", "Bounded", "number", "sum_of_products",
           "tree_sum", "upper", "where"]
