"""Which line, period and height serve a query: chosen in doubles, nothing here is proved."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from lapdp.accounting.doubles.nearly import Cumulants, cumulants
from lapdp.accounting.moments.factors import Factors
from lapdp.core.errors import Unsupported

GOAL = 37.0
"""What is left out is e^-GOAL of the answer."""
MOST_STEPS = 40
SHARES = (0.5, 1.0, 1.7, 3.0, 5.0, 8.5, 13.0)
"""Distances of an order from the line, in widths of the integrand."""
LATER = 1.5
HEIGHTS = np.array([1, 1.25, 1.6, 2, 2.5, 3.2, 4, 5, 6.4, 8, 10, 13, 16, 20, 26, 32])


Parts = list[tuple[Cumulants, int]]


@dataclass(frozen=True)
class Choice:
    """A line Re q = gamma, the period of the rule, and an order for the aliases to the right."""

    gamma: float
    period: float
    other: float
    mean: float
    """The mean of the tilted loss; the saddle of this eps lies on the line."""
    spread: float
    """The standard deviation of the tilted loss."""
    height: float
    """Where the integrand has about fallen by e^-GOAL."""
    size: float
    """About the logarithm of Chernoff's bound e^((1 - gamma) eps) E_gamma."""


def choose(factors: Factors, copies: int, eps: float, room: float) -> Choice:
    """The line near the saddle; ``room`` standard deviations of eps around are served as well."""
    try:
        return _chosen(factors, copies, eps, room)
    except ArithmeticError:
        # such as a loss that is constant, or orders too large
        raise Unsupported("no line is found in doubles") from None


def _chosen(factors: Factors, copies: int, eps: float, room: float) -> Choice:
    parts: Parts = [(cumulants(s), copies * k) for s, k in factors.parts]

    def slope(g: float) -> tuple[float, float]:
        """Derivatives of the exponent (1 - g) eps + log E_g - log|g (g - 1)|."""
        first, second = -eps - 1 / g - 1 / (g - 1), 1 / g**2 + 1 / (g - 1) ** 2
        for near, k in parts:
            _, one, two = near(g)
            first, second = first + k * one, second + k * two
        return first, second

    mean, variance = (sum(k * c(1.0)[i] for c, k in parts) for i in (1, 2))
    sigma = math.sqrt(max(variance, 1e-300))
    t = (eps - mean) / sigma
    start = (t + math.sqrt(t * t + 4)) / (2 * sigma)
    gamma = 1 + _root(lambda x: slope(1 + x), start, factors.upper - 1)
    curved = slope(gamma)[1]
    if (gamma - 1) ** 2 * curved < 2.5:
        # delta is no small number: keep clear of the pole at 1
        inside = _root_inside(slope)
        if _height(parts, inside, eps) < _height(parts, gamma, eps) + 2:
            gamma, curved = inside, slope(inside)[1]
    gamma = _rounded(gamma, curved)
    return _around(factors, parts, gamma, eps, room)


def place_of(factors: Factors, copies: int, log_size: float) -> tuple[float, float]:
    """eps and the slope of -log delta there, nearly, where log delta is ``log_size``.

    By the saddle point: on the line gamma lies the saddle of eps = phi'(gamma), phi = log E - log
    gamma (gamma - 1), where delta is about e^(phi - (gamma - 1) eps)/sqrt(2 pi phi'').
    """
    try:
        return _placed(factors, copies, log_size)
    except (ArithmeticError, ValueError):
        # ValueError: the logarithm of an order that has sunk below all doubles
        raise Unsupported("no place of this size is found in doubles") from None


def _placed(factors: Factors, copies: int, log_size: float) -> tuple[float, float]:
    parts = [(cumulants(s), copies * k) for s, k in factors.parts]
    most = factors.upper - 1
    variance = sum(k * c(1.0)[2] for c, k in parts)
    x = math.sqrt(max(-2 * log_size, 1.0) / max(variance, 1e-300))
    x = x if x < most else most / 2
    low, high = 0.0, most
    eps = math.nan
    for _ in range(MOST_STEPS):
        size, eps, curved = -math.log(x * (1 + x)), -1 / x - 1 / (1 + x), x**-2 + (1 + x) ** -2
        for near, k in parts:
            values = near(1 + x)
            size, eps, curved = size + k * values[0], eps + k * values[1], curved + k * values[2]
        gap = size - x * eps - math.log(2 * math.pi * curved) / 2 - log_size
        if abs(gap) < 0.02:
            # the rest by the slope
            return eps + gap / x, x
        if gap > 0:
            low = x
        else:
            high = x
        new = x * math.exp(max(-2.0, min(2.0, gap / (x * x * curved))))
        if not low < new < high:
            new = (low + high) / 2 if high < math.inf else 2 * x
        x = new
    raise Unsupported("no place of this size is found in doubles")


def _height(parts: Parts, g: float, eps: float) -> float:
    """The exponent."""
    found: float = sum((k * c(g)[0] for c, k in parts), (1 - g) * eps)
    return found - math.log(abs(g * (g - 1)))


def _root(slope: Any, start: float, most: float) -> float:
    """The root of a rising function on (0, most), by Newton's method on a scale of logarithms."""
    low, high = 0.0, most
    x = start if start < most else most / 2
    for _ in range(MOST_STEPS):
        first, second = slope(x)
        if first > 0:
            high = x
        else:
            low = x
        step = -first / (second * x)
        new = x * math.exp(max(-2.0, min(2.0, step)))
        if not low < new < high:
            new = (low + high) / 2 if high < math.inf else 2 * x
        if abs(new - x) < 0.02 * x:
            return new
        x = new
    return x


def _root_inside(slope: Any) -> float:
    """The root between 0 and 1: halving."""
    low, high = 0.0, 1.0
    for _ in range(12):
        x = (low + high) / 2
        if slope(x)[0] > 0:
            high = x
        else:
            low = x
    return (low + high) / 2


def _rounded(gamma: float, curvature: float) -> float:
    """A line nearby of few bits, the same for a range of queries."""
    room = abs(gamma - 1) if gamma > 1 else min(gamma, 1 - gamma)
    finest = min(room, 1 / math.sqrt(curvature)) / 4
    if not 1e-290 < finest < 1e290 or finest < 2.0**-40 * abs(gamma):
        raise Unsupported("no line is found in doubles")
    grid = 2.0 ** math.floor(math.log2(finest))
    return grid * round(gamma / grid)


def _around(factors: Factors, parts: Parts, gamma: float, eps: float, room: float) -> Choice:
    """Period and height for all eps within ``room`` standard deviations."""
    found = [(k, c(gamma)) for c, k in parts]
    here = sum(k * values[0] for k, values in found)
    mean = sum(k * values[1] for k, values in found)
    spread = math.sqrt(sum(k * values[2] for k, values in found))
    # the size of the answer at the far end of the range
    low, high = (min(eps, mean - room * spread), max(eps, mean + room * spread))
    kernel = math.log(abs(gamma * (gamma - 1)) * math.sqrt(2 * math.pi) * (
        spread + 1 / abs(gamma - 1) if gamma > 1 else spread + 1))

    def size(at: float) -> float:
        """About log of what the rule has to find, at a distance from the saddle."""
        away = (at - mean) / spread if spread else 0.0
        return here + (1 - gamma) * at - kernel - away * away / 2

    goal = GOAL
    if 0 < gamma < 1:
        # delta - M, which the rule finds, may be small; delta is not
        period = max((2 + goal) / (1 - gamma), (2 + goal + max(0.0, high)) / gamma)
        other = gamma
    else:
        left = (2 + goal - min(0.0, size(high))) / (gamma - 1)
        right, other = _right(factors, parts, gamma, spread, low, goal + 2 - size(low))
        period = max(left, right)
    if not 0 < period < 1e300:
        raise Unsupported("no period is found in doubles")
    return Choice(gamma, period, other, mean, spread, _fallen(parts, gamma, spread),
                  here + (1 - gamma) * eps)


def _right(factors: Factors, parts: Parts, gamma: float, spread: float, eps: float, goal: float
           ) -> tuple[float, float]:
    """The least period for the aliases to the right, nearly, and the order to prove it with."""
    def period(share: float) -> tuple[float, float]:
        other = gamma + share / spread
        if not other < factors.upper:
            other = gamma + (factors.upper - gamma) * share / 16
        grown = sum(k * c(other)[0] for c, k in parts) + (1 - other) * eps
        return (grown + goal) / (other - gamma), other

    at = 3
    best = period(SHARES[at])
    for step in (1, -1):
        while 0 <= at + step < len(SHARES) and (found := period(SHARES[at + step])) < best:
            best, at = found, at + step
        if at != 3:
            break
    return best


def _fallen(parts: Parts, gamma: float, spread: float) -> float:
    """Where the integrand has about fallen by e^-GOAL."""
    heights = math.sqrt(2 * GOAL) / max(spread, 1e-300) * HEIGHTS
    with np.errstate(all="ignore"):
        low = sum(k * c.fall(gamma, heights) for c, k in parts) < -GOAL
    # proved bounds fall somewhat later
    found = LATER * float(heights[int(np.argmax(low)) if low.any() else -1])
    if not 0 < found < math.inf:
        raise Unsupported("no height is found in doubles")
    return found


__all__ = ["GOAL", "Choice", "choose", "place_of"]
