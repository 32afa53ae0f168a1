"""Zeros of a smooth function between two points, isolated and counted.

An interval is divided until on each part balls show that the function has no zero, or that its
derivative has none: then the signs at the ends tell whether there is one zero or none.  At an end
where the function vanishes the first derivative that does not decides (Taylor).  A multiple zero
inside is never seen this way: the function may offer factors (:meth:`Smooth.parts`) that have it as
a simple one.  What stays open raises :class:`Unsupported`: no tolerance decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cmp_to_key
from math import ceil, floor

from lapdp.calculus.form import Form
from lapdp.calculus.zeros import (
    BITS,
    MOST_BITS,
    Point,
    Smooth,
    Zero,
    ball_of,
    rational,
    shown,
    sign_and_bits,
    sign_at,
    sign_of,
)
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workdps, workprec

EARLY, LATE = (-24, 400), (-600, 40_000)
"""log2 of the smallest part, and how many there may be: before looking for factors, and after."""
_SPLITS = tuple(Fraction(n, 64) for n in (32, 29, 37, 23, 43, 17))


def signs_between(f: Smooth, lower: Point | None, upper: Point | None
                  ) -> tuple[list[Zero], list[int]]:
    """The zeros of f in the open interval and its signs between them, one more than zeros.

    None stands for -oo and oo.  The function must not vanish identically.

    >>> from lapdp.calculus.exponentials import Exponentials
    >>> from lapdp.calculus.exact import Exact
    >>> f = Exact.term(1, 2) - Exact.term(4, 1) + Exact.term(3)   # (e^t - 1)(e^t - 3)
    >>> signs_between(Exponentials(f.germ), None, None)
    ([Zero(0), Zero(1.09861228867)], [1, -1, 1])
    """
    if lower is not None and upper is not None and not _below(lower, upper):
        raise Unsupported(f"the interval from {shown(lower)} to {shown(upper)} has no inside")
    a, sa = f.tail(-1) if lower is None else _near(f, lower, 1, upper)
    b, sb = f.tail(1) if upper is None else _near(f, upper, -1, lower)
    if a >= b:
        # the two ends overlap: no zero in between
        if sa != sb:
            raise Unsupported("two signs at one point")
        return [], [sa]
    try:
        found = _search(f, a, b, sa, sb, EARLY)
    except _Stuck as stuck:
        at = simplest(stuck.lower, stuck.upper)
        if f.vanishes(at):
            left, right = signs_between(f, lower, at), signs_between(f, at, upper)
            return [*left[0], Zero(Form.of(at)), *right[0]], [*left[1], *right[1]]
        parts = f.parts()
        if parts is not None:
            return _by_parts(parts, lower, upper, sa)
        found = _search(f, a, b, sa, sb, LATE)
    signs = [-sa if k % 2 else sa for k in range(len(found) + 1)]
    if signs[-1] != sb:
        raise Unsupported("a change of sign was lost")
    return found, signs


def _below(a: Point, b: Point) -> bool:
    for bits in (BITS, 512, MOST_BITS):
        with workprec(bits):
            gap = ball_of(b) - ball_of(a)
            if gap > 0:
                return True
            if gap < 0:
                return False
    raise Unsupported(f"{shown(a)} and {shown(b)} are not told apart")


def _by_parts(parts: Sequence[tuple[Smooth, int]], lower: Point | None, upper: Point | None,
              start: int) -> tuple[list[Zero], list[int]]:
    """Zeros of all factors; the sign changes at those of odd power."""
    merged: list[tuple[Zero, int]] = []
    for part, power in parts:
        merged += [(zero, power) for zero in signs_between(part, lower, upper)[0]]
    merged.sort(key=cmp_to_key(_order))
    signs = [start]
    for _, power in merged:
        signs.append(-signs[-1] if power % 2 else signs[-1])
    return [zero for zero, _ in merged], signs


def _order(first: tuple[Zero, int], second: tuple[Zero, int]) -> int:
    x, y = first[0], second[0]
    if x is y:
        return 0
    for digits in (15, 60, 240, 960):
        with workdps(digits + 20):
            gap = x.enclosure(digits) - y.enclosure(digits)
        if gap != 0 and not gap.contains(0):
            return 1 if gap > 0 else -1
    raise Unsupported(f"two zeros at {x} are not told apart")


def _near(f: Smooth, point: Point, side: int, other: Point | None) -> tuple[Fraction, int]:
    """(x, sign): f has that sign, not 0, from the point (left out) to x, on the given side."""
    g, order = f, 0
    while True:
        sign = sign_at(g, point)
        if sign:
            break
        g, order = g.derivative(), order + 1
        if order > f.orders:
            raise Unsupported(f"a zero of order beyond {f.orders} at {shown(point)}")
    for k in range(0, 2 * MOST_BITS, 1 if order == 0 else 2):
        bits = BITS + 2 * k
        with workprec(bits):
            start = ball_of(point)
            reach = rational(start.mid(), 1) + side * Fraction(1, 2**k)
            end = ball_of(reach)
            if not (end > start if side > 0 else end < start):
                continue
            if other is not None and not (
                    end < ball_of(other) if side > 0 else end > ball_of(other)):
                continue
            if sign_of(g.ball(start.union(end))) == sign:
                # Taylor: f(t) = g(x) (t - point)^order / order! with x in between
                return reach, sign * (side if order % 2 else 1)
    raise Unsupported(f"the sign beside {shown(point)} is not decided")


class _Stuck(Unsupported):
    """A part became too small without a decision."""

    def __init__(self, lower: Fraction, upper: Fraction) -> None:
        super().__init__("a zero without a change of sign is neither shown nor excluded near t = "
                         f"{shown((lower + upper) / 2)}")
        self.lower, self.upper = lower, upper


def simplest(lower: Fraction, upper: Fraction) -> Fraction:
    """The rational number of least denominator in a closed interval.

    >>> simplest(Fraction(311, 1000), Fraction(339, 1000))
    Fraction(1, 3)
    """
    whole = ceil(lower)
    if whole <= upper:
        return Fraction(min((whole, floor(upper)), key=abs) if lower * upper > 0 else 0)
    return floor(lower) + 1 / simplest(1 / (upper - floor(lower)), 1 / (lower - floor(lower)))


def _search(f: Smooth, a: Fraction, b: Fraction, sa: int, sb: int, limits: tuple[int, int]
            ) -> list[Zero]:
    """The zeros between two rationals where f has the signs sa and sb; all are simple."""
    slope = f.derivative()
    found: list[Zero] = []
    stack = [(a, b, sa, sb)]
    boxes = 0
    while stack:
        a, b, sa, sb = stack.pop()
        boxes += 1
        width = b - a
        size = width.numerator.bit_length() - width.denominator.bit_length()
        bits = BITS + max(0, -4 * size)
        verdict = _simple(f, slope, a, b, bits)
        if verdict:
            if verdict < 0 and sa != sb:
                found.append(_zero(f, a, b))
            continue
        if size < limits[0] or boxes > limits[1]:
            raise _Stuck(a, b)
        c, sc = _split(f, a, b, bits)
        stack += [(c, b, sc, sb), (a, c, sa, sc)]
    return found


def _zero(f: Smooth, a: Fraction, b: Fraction) -> Zero:
    """The only zero in between, exact where a formula gives it or it is a plain number."""
    plain = simplest(a, b)
    exact = Form.of(plain) if f.vanishes(plain) else f.exact_zero()
    return Zero(exact, f, a, b)


def _simple(f: Smooth, slope: Smooth, a: Fraction, b: Fraction, bits: int) -> int:
    """1: no zero in [a, b]; -1: f is strictly monotone there; 0: open."""
    with workprec(bits):
        x = ball_of(a).union(ball_of(b))
        if sign_of(f.ball(x)):
            return 1
        d = slope.ball(x)
        if not d.is_finite():
            return 0
        if not d.contains(0):
            return -1
        middle = ball_of((a + b) / 2)
        return 1 if sign_of(f.ball(middle) + d * (x - middle)) else 0


def _split(f: Smooth, a: Fraction, b: Fraction, bits: int) -> tuple[Fraction, int]:
    """A point inside where f is not 0, and its sign."""
    tried = []
    for share in _SPLITS:
        c = a + (b - a) * share
        with workprec(bits):
            sign = sign_of(f.ball(ball_of(c)))
        if sign:
            return c, sign
        tried.append(c)
    for c in tried:
        sign, _ = sign_and_bits(f, c, 2 * bits)
        if sign:
            return c, sign
    raise _Stuck(a, b)


__all__ = ["signs_between", "simplest"]
