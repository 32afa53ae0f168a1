"""The line and the period of an inversion integral, chosen in doubles.

Nothing here is proved and nothing needs to be: every line gives a right answer, and a good one
gives it fast.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache

from lapdp.accounting.inversion import same_lines
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.core.errors import Unsupported

MOST_ROUNDS = 100
MOST_LOST = 14
"""Natural logarithm of a loss by cancellation that the working precision has room for."""
FARTHEST = 1e12
"""A height: what has not fallen there is taken not to fall."""
GROWTH = 1.2
"""Of the heights that are tried."""
NEARBY, SLIGHT = 1 / 128, 0.1
"""A share of the distance from 1; a logarithm that a line for a range of eps may cost."""
MOST_STEPS, FLATTEST, LEAST = 12, 1e-12, 1e-300
"""From the first choice of an order; curvatures that doubles do not see, and that of any order."""

FLAT, SHARES = 4.0, ((1.0, 0.8, 0.65, 0.5, 0.4, 0.3), (1.25, 1.5, 2.0, 2.5, 3.0, 4.0, 6.0, 8.0))
"""Logarithms that a shorter period may cost; orders tried for it, next to the first one."""
WORTH = 0.25
"""A logarithm less of the integrand is worth a period so much longer, as a logarithm: digits that
cancel are to be computed too."""


@dataclass(frozen=True)
class Saddle:
    """A line and a period, chosen in doubles; whatever is chosen, the answer is proved."""

    gamma: float
    period: float
    other: float
    """Another order, for the aliases to the right."""
    inner: float
    """An order from 1 on below gamma, for those to the left."""
    width: float
    """About the width of the integrand."""
    size: float
    """About the logarithm of the answer."""


def saddle(factors: Factors, eps: float, goal: float) -> Saddle:
    """A line near the saddle of the integrand, right of 1 where delta is small, with a period whose
    aliases are below e^-goal, relatively."""
    size = exponent(factors, eps)
    gap, curvature = beyond_one(factors, eps)
    gamma = 1 + gap
    if gap * math.sqrt(curvature) < 1.5:
        # delta is no small number: keep clear of the pole at 1
        inside = _least(size, 0.0, 1.0)
        if size(inside) < size(gamma) + 2:
            gamma, curvature = inside, _curvature(size, inside)
    poles, exact = [x for s, _ in factors.parts for x in s.poles], gamma
    if gamma > 1:
        # where rare huge losses set in the function is a parabola only nearby
        gamma = _rounded(exact, min(curvature, _curvature(size, exact, NEARBY)), poles)
    if gamma <= 1 or not size(gamma) < size(exact) + SLIGHT:
        gamma = _rounded(exact, curvature, poles)
    value = size(gamma)
    if not math.isfinite(value):
        raise Unsupported("no line is found: its order is too large for doubles")
    whole = value - math.log(2 * math.pi * max(1.0, curvature)) / 2
    return _line(factors, eps, *shared(factors, size, gamma, curvature), whole, goal)


@lru_cache(maxsize=1024)
def beyond_one(factors: Factors, eps: float) -> tuple[float, float]:
    """How far from 1, to the right, the integrand is least, and the curvature there."""
    return right_of_one(exponent(factors, eps), factors.upper - 1)


def shared(factors: Factors, size: Callable[[float], float], gamma: float, curvature: float
           ) -> tuple[float, float]:
    """An order with its curvature, or those of another look of the same search that are hardly
    worse."""
    search = same_lines.current()
    if search is None:
        return gamma, curvature
    known = search.orders.setdefault(factors, [])
    most = size(gamma) + same_lines.ROOM
    ways = [(size(order), order, bend) for order, bend in known[-same_lines.MOST:]
            if (order > 1) == (gamma > 1)]
    best = min(ways, default=(math.inf, gamma, curvature))
    if best[0] < most:
        return best[1:]
    known.append((gamma, curvature))
    return gamma, curvature


def weighed(factors: Factors, eps: float, bits: float, chosen: Saddle) -> tuple[float, float]:
    """An order >= 1 by which masses are weighed, and the bits as compared with all of them."""
    gamma = max(chosen.gamma, 1.0)
    over = factors.log_moment(gamma) + (1 - gamma) * eps - chosen.size
    return gamma, bits + max(over, 0.0) / LOG2


def finer(factors: Factors, eps: float, chosen: Saddle, goal: float) -> Saddle:
    """The same line for another goal."""
    return _line(factors, eps, chosen.gamma, chosen.width**-2, chosen.size, goal)


def beside(factors: Factors, eps: float, gamma: float, size: float, goal: float) -> Saddle:
    """Any other line, for an answer of about e^size."""
    return _line(factors, eps, gamma, _curvature(exponent(factors, eps), gamma), size, goal)


def exponent(factors: Factors, eps: float) -> Callable[[float], float]:
    """log of the integrand at real orders."""
    def size(g: float) -> float:
        if g in (0, 1):
            raise Unsupported("no line is found: losses are too large for doubles")
        return (1 - g) * eps + factors.log_moment(g) - math.log(abs(g * (g - 1)))

    return size


def _line(factors: Factors, eps: float, gamma: float, curvature: float, size: float, goal: float
          ) -> Saddle:
    # in steps: what is known at the orders beside it serves the line for a range of eps
    curvature = 2.0 ** (round(2 * math.log2(curvature)) / 2)
    # for a normal distribution the orders at this distance have the shortest periods
    reach = math.sqrt(2 * goal / curvature)
    period, other, inner = _period(factors, eps, gamma, size - goal, reach)
    period = 2.0 ** (math.ceil(8 * math.log2(period)) / 8)
    search = same_lines.current()
    if search is not None:
        period = search.near((factors, gamma, goal), period)
    return Saddle(gamma, period, other, inner, 1 / math.sqrt(curvature), size)


def shortest(factors: Factors, eps: float, gap: float, whole: float, goal: float,
             shares: Sequence[Sequence[float]] = SHARES, known: Sequence[Saddle] = ()) -> Saddle:
    """A line with a short period among those on which the integrand is hardly larger than at its
    least place: hits make it flat there.  At ``shares`` of the distance from 1, in rows that end
    where it is larger; and among those that are ``known``."""
    size, found = exponent(factors, eps), list(known)
    most = size(1 + gap) + FLAT
    for row in shares:
        for factor in row:
            gamma = 1 + gap * factor
            if not size(gamma) < most:
                break
            # next to the last order that windows reach there is none
            with suppress(Unsupported):
                found.append(beside(factors, eps, gamma, whole, goal))
    if not found:
        raise Unsupported("the windows end too early for every line")
    return min(found, key=lambda line: math.log(line.period) + WORTH * size(line.gamma))


def shorter(factors: Factors, eps: float, chosen: Saddle, goal: float) -> Saddle:
    """The same line with the period that suffices once M and N e^eps are taken off the aliases.

    ``inner`` is below 0 then, and ``other`` above 1; or the choice as it is, where that is no gain.
    """
    reach, gamma = math.sqrt(2 * goal) * chosen.width, chosen.gamma

    def length(order: float) -> float:
        if not (1 < order < factors.upper or factors.lower < order < 0) or order == gamma:
            return math.inf
        size = factors.log_moment(order) + (1 - order) * eps
        return (size + 2 + goal - chosen.size) / abs(order - gamma)

    if gamma < 1:
        right, up = _shortest(lambda gap: length(gamma + gap), {max(reach, 1.5 - gamma)})
        known = 0.0
    else:
        right, up = length(chosen.other), chosen.other - gamma
        # what is taken off should not be much larger than what is left
        known = (-chosen.size - MOST_LOST) / (gamma - 1)
    left, down = _shortest(lambda gap: length(gamma - gap), {max(reach, gamma + 0.5)})
    period = max(left, right, known)
    if not 0 < period < 0.9 * chosen.period:
        return chosen
    return replace(chosen, period=period, other=gamma + up, inner=gamma - down)


def _rounded(gamma: float, curvature: float, poles: list[float]) -> float:
    """A line nearby, the same for a range of eps: what is known on it serves them all.

    It keeps clear of orders at which a moment is a difference of large terms.
    """
    room = abs(gamma - 1) if gamma > 1 else min(gamma, 1 - gamma)
    finest = min(room / 4, 1 / math.sqrt(curvature) / 2)
    if not finest > 0:
        raise Unsupported("no line is found: its order is too large for doubles")
    grid = 2.0 ** math.floor(math.log2(finest))
    found = grid * round(gamma / grid)
    return found + grid / 2 if any(abs(found - x) < grid / 4 for x in poles) else found


def right_of_one(f: Callable[[float], float], most: float, start: float = 1.0
                 ) -> tuple[float, float]:
    """About where a convex function has its least value, beyond 1 and not farther than ``most``,
    and its curvature: Newton's method on a scale of logarithms, to a tenth of the width."""
    low, high = 0.0, most
    x, best = min(start, most / 2), (math.inf, 1.0, 1.0)
    for _ in range(MOST_ROUNDS):
        h = min(x / 16, (most - x) / 4)
        a, b, c = f(1 + x - h), f(1 + x), f(1 + x + h)
        slope, curvature = (c - a) / (2 * h), (a - 2 * b + c) / (h * h)
        if not (math.isfinite(a) and math.isfinite(c)):
            slope, curvature = math.inf, 0.0
        elif curvature > 0 and abs(slope) < math.sqrt(curvature) / 10:
            return x, max(curvature, _flattest(x))
        best = min(best, (b, x, max(curvature, _flattest(x))))
        # where rounding hides the least value the function does not fall any more
        if slope > 0 or (b > best[0] and x > best[1]):
            high = x
        else:
            low = x
        step = -slope / curvature / x if curvature > 0 else -math.copysign(2.0, slope)
        x *= math.exp(max(-2.0, min(2.0, step)))
        # a step back to where it has been is none: rounding would seem to end the search there
        if not low + low / 64 < x < high:
            x = (low + high) / 2 if math.isfinite(high) else 2 * low
        if high - low < low / 64:
            break
    return best[1:]


def _least(f: Callable[[float], float], low: float, high: float) -> float:
    """Nearly the least place of a convex function on an open interval, by its golden sections."""
    golden = (math.sqrt(5) - 1) / 2
    a, b = low + 1e-9 * (high - low), high - 1e-9 * (high - low)
    c, d = b - golden * (b - a), a + golden * (b - a)
    fc, fd = f(c), f(d)
    while b - a > 0.02 * min(a - low + 1e-9, high - b + 1e-9):
        if fc < fd:
            b, d, fd = d, c, fc
            c = b - golden * (b - a)
            fc = f(c)
        else:
            a, c, fc = c, d, fd
            d = a + golden * (b - a)
            fd = f(d)
        if b - a < 1e-6 * (high - low):
            break
    return (a + b) / 2


def _curvature(f: Callable[[float], float], x: float, share: float = 1e-3) -> float:
    h = share * min(abs(x - 1), abs(x)) or 1e-9
    found: float = (f(x + h) - 2 * f(x) + f(x - h)) / (h * h)
    return max(_flattest(x), found)


def _flattest(x: float) -> float:
    """A curvature above 0, which is that of a logarithm of x at most where orders are huge."""
    # no power: that of a double may be none
    return max(FLATTEST / max(1.0, x) / max(1.0, x), LEAST)


def _period(factors: Factors, eps: float, gamma: float, goal: float, reach: float
            ) -> tuple[float, float, float]:
    """The least period, nearly, whose aliases are below e^goal, and the orders to prove it with."""
    if 0 < gamma < 1:
        # (M, N <= 1): e^(-(1-gamma) L) and e^eps e^(-gamma L)
        return max((2 - goal) / (1 - gamma), (2 - goal + max(0.0, eps)) / gamma), gamma, gamma

    def length(order: float) -> float:
        """The period by Chernoff's bound at an order."""
        if not 1 < order < factors.upper or order == gamma:
            return math.inf
        size = factors.log_moment(order) + (1 - order) * eps
        return (size + 2 - goal) / abs(order - gamma)

    room, far = gamma - 1, (factors.upper - gamma) / 2
    right, other = _shortest(lambda gap: length(gamma + gap), {min(reach, far), min(room, far)})
    left, gap = _shortest(lambda gap: length(gamma - gap), {min(reach, room / 2)})
    inner, whole = gamma - gap, (2 - goal) / (gamma - 1)
    if whole <= left:
        left, inner = whole, 1.0
    if math.isinf(max(left, right)) or not max(left, right) > 0:
        raise Unsupported("the line lies too near the order from which moments are infinite")
    return max(left, right), gamma + other, inner


def _shortest(length: Callable[[float], float], gaps: Collection[float]) -> tuple[float, float]:
    """Nearly the least length and its gap, by steps of a factor sqrt(2) from the best first gap."""
    best = min((length(gap), gap) for gap in gaps)
    for factor in (math.sqrt(2), math.sqrt(0.5)):
        for _ in range(MOST_STEPS):
            found = length(best[1] * factor)
            if not found < best[0]:
                break
            best = (found, best[1] * factor)
    return best


def in_steps(nodes: float) -> int:
    """So many or a few more, an eighth of a power of 2 apart: one table serves places nearby.

    >>> [in_steps(x) for x in (90.0, 100.0, 128.0)]
    [91, 108, 128]
    """
    return math.ceil(2 ** (math.ceil(8 * math.log2(nodes)) / 8))


def height(factors: Factors, chosen: Saddle, goal: float) -> float:
    """Where the integrand has fallen by e^-goal, nearly."""
    # the same for all eps that share the line
    width = 2.0 ** (math.ceil(4 * math.log2(chosen.width)) / 4)
    return _height(factors, chosen.gamma, width, goal)


@lru_cache(maxsize=64)
def _height(factors: Factors, gamma: float, width: float, goal: float) -> float:
    whole = factors.log_moment(gamma)
    # the nodes left out have 1/u^2 where those at the saddle have 1/(q (q - 1))
    kernel = 1.25 * width / abs(gamma * (gamma - 1))

    def enough(top: float) -> float:
        return whole + math.log(max(1.0, kernel * top)) - goal - 2

    def stands(top: float) -> bool:
        return factors.log_decay(gamma, top) > enough(top)

    # bounds of pieces take long to make, and say no less
    if factors.log_left(gamma, FARTHEST) > enough(FARTHEST) or stands(FARTHEST):
        raise Unsupported("the moments do not decay along the line: atoms are left")
    # a normal law has fallen at sqrt(2 goal) widths, most others later
    top = width * max(1.0, math.sqrt(goal) / 2)
    if not stands(top):
        top = width / 2
        if not stands(top):
            return top
    # on a grid of steps of a fifth, four at once
    while stands(top * GROWTH**4):
        top *= GROWTH**4
    low, high = 0, 4
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if stands(top * GROWTH**middle) else (low, middle)
    return top * GROWTH**high


__all__ = ["Saddle", "beside", "exponent", "finer", "height", "in_steps", "right_of_one", "saddle",
           "shared", "shorter", "shortest", "weighed"]
