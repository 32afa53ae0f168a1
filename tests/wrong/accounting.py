"""Small accountants of finite pairs, right where nothing is said: in Fractions, and on grids."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

INFINITE = None
"""The loss +oo; other losses are e^z here, exact."""
STEP = 0.125
"""Of grids."""


def odds(eps: Any) -> Fraction:
    """e^eps of the log of a rational number."""
    value = sp.exp(eps)
    return Fraction(int(value.p), int(value.q))


def losses(pair: Any) -> Counter[Fraction | None]:
    """e^Z under P."""
    found: Counter[Fraction | None] = Counter()
    for p, q in pair.masses:
        if p:
            found[p / q if q else INFINITE] += p
    return found


def convolved(pairs: Iterable[Any], of: Callable[[Any], Counter[Any]] = losses
              ) -> Counter[Fraction | None]:
    """The loss of a product."""
    found: Counter[Fraction | None] = Counter({Fraction(1): Fraction(1)})
    for pair in pairs:
        both: Counter[Fraction | None] = Counter()
        for (a, p), (b, r) in product(found.items(), of(pair).items()):
            both[INFINITE if a is None or b is None else a * b] += p * r
        found = both
    return found


def profile(found: Counter[Fraction | None], alpha: Fraction) -> Fraction:
    """delta at e^eps = alpha: the mean of max(0, 1 - alpha/e^Z)."""
    return sum((mass * (1 if z is None else max(0, 1 - alpha / z)) for z, mass in found.items()),
               Fraction(0))


def delta(pairs: Any, eps: Any) -> Fraction:
    """delta of a product, exact."""
    return profile(convolved(pairs), odds(eps))


def level(found: Counter[Fraction | None], target: Fraction) -> Any:
    """The least eps >= 0 where the profile is at most the target: between two of its kinks."""
    kinks = sorted({Fraction(1), *(z for z in found if z is not None and z > 1)})
    for low, high in zip(kinks, [*kinks[1:], None], strict=True):
        there = profile(found, low)
        if there <= target:
            return sp.log(sp.Rational(*low.as_integer_ratio()))
        if high is None:
            break
        after = profile(found, high)
        if after <= target:
            at = low + (there - target) / (there - after) * (high - low)
            return sp.log(sp.Rational(*at.as_integer_ratio()))
    return sp.oo


def epsilon(pairs: Any, target: Fraction) -> Any:
    """epsilon of a product, exact."""
    return level(convolved(pairs), target)


# -- in doubles, on a grid -------------------------------------------------------------------------


def on_grid(pair: Any, rounded: Callable[[float], float], step: float = STEP) -> dict[float, float]:
    """The loss in multiples of the step."""
    found: dict[float, float] = {}
    for p, q in pair.masses:
        if p:
            z = rounded(math.log(p / q) / step) if q else math.inf
            found[z] = found.get(z, 0.0) + float(p)
    return found


def self_composed(found: dict[float, float], copies: int) -> dict[float, float]:
    """The loss of so many copies."""
    total = {0.0: 1.0}
    for _ in range(copies):
        both: dict[float, float] = {}
        for (a, p), (b, r) in product(total.items(), found.items()):
            both[a + b] = both.get(a + b, 0.0) + p * r
        total = both
    return total


def mean(found: dict[float, float], eps: float, step: float = STEP) -> float:
    """delta of a loss on the grid."""
    return math.fsum(mass * -math.expm1(min(0.0, eps - z * step)) for z, mass in found.items())


def up(x: float) -> float:
    """The next whole number that is not below: a little further, since logs are rounded."""
    return math.ceil(x + 1e-9)


def gridded(rounded: Callable[[float], float], outwards: float = 0.0) -> Callable[..., float]:
    """An accountant that rounds losses to a grid, and its answers by a little."""
    def delta(pair: Any, eps: float, copies: int = 1) -> float:
        found = mean(self_composed(on_grid(pair, rounded), copies), eps)
        return min(1.0, max(0.0, found + outwards))

    return delta
