"""Signals: functions and measures on R, piecewise exponential polynomials with impulses.

Conventions: integrals run over finite reals; an open end drops an impulse that sits there (the 0+
of the one-sided transform); a divergent real integral is oo or -oo when its ends agree, else it is
undefined.  A signal also keeps its values at breakpoints; ``None`` is a breakpoint without a value.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from math import comb

from mpmath import mp

from tests.oracle import polynomials as ep
from tests.oracle.reals import (
    Unclear,
    Undefined,
    add,
    compare,
    inverse,
    is_exact,
    is_infinite,
    mul,
    neg,
    num,
    power,
    sub,
)


def sorted_points(points):
    """Exact order without doubles."""
    kept = []
    for x in sorted(points, key=cmp_to_key(compare)):
        if not kept or compare(kept[-1], x) != 0:
            kept.append(x)
    return kept


def _same(x, y):
    if x is None or y is None:
        return False
    gap = sub(x, y)
    if is_exact(gap):
        return gap == 0
    return abs(num(gap)) < mp.mpf(10) ** -20 * (1 + abs(num(x)))


class Signal:
    """``pieces[i]`` on the i-th open interval between ``breaks``; ``impulses[x][m]`` at x."""

    def __init__(self, breaks=(), pieces=({},), values=None, impulses=None):
        self.breaks, self.pieces = list(breaks), list(pieces)
        self.values = dict(values or {})
        self.impulses = {x: m for x, m in (impulses or {}).items() if m}

    @staticmethod
    def constant(c):
        return Signal(pieces=[ep.constant(c)])

    @staticmethod
    def variable():
        return Signal(pieces=[{(1, Fraction(0)): Fraction(1)}])

    @staticmethod
    def exponential(a):
        """e^(a t)."""
        return Signal(pieces=[ep.exponential(a)])

    @staticmethod
    def step(x, at=Fraction(0)):
        """1 above x, 0 below, ``at`` at x."""
        return Signal([x], [{}, ep.constant(Fraction(1))], {x: at})

    @staticmethod
    def impulse(x, mass=Fraction(1), order=0):
        return Signal(impulses={x: {order: mass}})

    def piece_at(self, x):
        """Index of the open interval that holds x, or None at a breakpoint."""
        for i, b in enumerate(self.breaks):
            c = compare(x, b)
            if c == 0:
                return None
            if c < 0:
                return i
        return len(self.breaks)

    def limit(self, x, side):
        """Limit from ``side`` (-1 or 1) at finite x, or at oo or -oo."""
        if is_infinite(x):
            at = 1 if x == mp.inf else -1
            return ep.tail(self.pieces[-1 if at == 1 else 0], at)
        below = sum(1 for b in self.breaks if compare(b, x) < (1 if side == 1 else 0))
        return ep.value(self.pieces[below], x)

    def value(self, x):
        """Value at x; Undefined at an impulse or at a jump without a value."""
        if is_infinite(x):
            return self.limit(x, 1)
        if any(compare(x, b) == 0 for b in self.impulses):
            raise Undefined("a value read at an impulse")
        if self.piece_at(x) is not None:
            return ep.value(self.pieces[self.piece_at(x)], x)
        for b, v in self.values.items():
            if compare(b, x) == 0:
                if v is None:
                    raise Undefined("a value read at a jump")
                return v
        left, right = self.limit(x, -1), self.limit(x, 1)
        if not _same(left, right):
            raise Undefined("a value read at a jump")
        return left

    def _value_or_none(self, x):
        try:
            return self.value(x)
        except Undefined:
            return None

    def _smooth_value_or_none(self, x):
        """The value of the function part alone."""
        return Signal(self.breaks, self.pieces, self.values)._value_or_none(x)

    def _binary(self, other, on_pieces, on_values):
        breaks = sorted_points([*self.breaks, *other.breaks])
        probes = between(breaks)
        pieces = [
            on_pieces(self.pieces[self.piece_at(p)], other.pieces[other.piece_at(p)])
            for p in probes
        ]
        values = {}
        for x in breaks:
            a, b = self._smooth_value_or_none(x), other._smooth_value_or_none(x)
            values[x] = None if a is None or b is None else on_values(a, b)
        return Signal(breaks, pieces, values)

    def __add__(self, other):
        total = self._binary(other, ep.poly_add, add)
        total.impulses = _merge(self.impulses, other.impulses)
        return total

    def scaled(self, c):
        if is_infinite(c):
            raise Undefined("an infinite factor")
        values = {x: None if v is None else mul(c, v) for x, v in self.values.items()}
        impulses = {x: {m: mul(c, v) for m, v in parts.items()} if c != 0 else {}
                    for x, parts in self.impulses.items()}
        return Signal(self.breaks, [ep.scale(p, c) for p in self.pieces], values, impulses)

    def __sub__(self, other):
        return self + other.scaled(Fraction(-1))

    def __mul__(self, other):
        product = self._binary(other, ep.poly_mul, mul)
        product.impulses = _merge(
            _impulses_times(self.impulses, other), _impulses_times(other.impulses, self)
        )
        return product

    def compose(self, c, d):
        """t -> g(c t + d) for real c other than 0."""
        down = compare(c, Fraction(0))
        if down == 0:
            raise Undefined("a signal of a constant argument")

        def back(x):
            return mul(sub(x, d), inverse(c))

        pieces = [ep.affine(p, c, d) for p in self.pieces]
        breaks = [back(x) for x in self.breaks]
        if down < 0:
            pieces.reverse()
            breaks.reverse()
        size = c if down > 0 else neg(c)
        impulses = {
            back(x): {m: mul(v, inverse(mul(size, power(c, Fraction(m)) if m else Fraction(1))))
                      for m, v in parts.items()}
            for x, parts in self.impulses.items()
        }
        return Signal(breaks, pieces, {back(x): v for x, v in self.values.items()}, impulses)

    def derivative(self):
        """Generalised derivative: jumps become impulses, impulses gain an order."""
        impulses = {x: {m + 1: v for m, v in parts.items()} for x, parts in self.impulses.items()}
        pieces = [ep.derivative(p) for p in self.pieces]
        values = {}
        for i, x in enumerate(self.breaks):
            jump = sub(ep.value(self.pieces[i + 1], x), ep.value(self.pieces[i], x))
            left, right = ep.value(pieces[i], x), ep.value(pieces[i + 1], x)
            values[x] = left if _same(left, right) else None
            if not _same(jump, Fraction(0)):
                values[x] = None
                impulses = _merge(impulses, {x: {0: jump}})
        return Signal(self.breaks, pieces, values, impulses)

    def restricted(self, lower, upper):
        """The signal on the open interval (lower, upper), 0 elsewhere."""
        window = Signal.constant(Fraction(1))
        if lower != -mp.inf:
            window = window * Signal.step(lower)
        if upper != mp.inf:
            window = window - Signal.step(upper, at=Fraction(1))
        kept = Signal(self.breaks, self.pieces, self.values) * window
        kept.impulses = {
            x: parts for x, parts in self.impulses.items()
            if compare(lower, x) < 0 and compare(x, upper) < 0
        }
        return kept

    def integral(self, lower=-mp.inf, upper=mp.inf):
        """Integral over the open interval; oo, -oo or Undefined where it diverges."""
        if compare(lower, upper) >= 0:
            if compare(lower, upper) == 0:
                return Fraction(0)
            return neg(self.integral(upper, lower))
        total, infinite = Fraction(0), set()
        inner = (b for b in self.breaks if compare(lower, b) < 0 < compare(upper, b))
        ends = [lower, *inner, upper]
        for a, b in pairwise(ends):
            piece = self.pieces[self.piece_at(between([a, b])[1])]
            primitive = ep.antiderivative(piece)
            for end, side in ((a, -1), (b, 1)):
                if not is_infinite(end):
                    total = add(total, mul(Fraction(side), ep.value(primitive, end)))
                    continue
                kind, what = ep.integral_to_infinity(piece, side)
                if kind == "none":
                    raise Undefined("a divergent integral")
                if kind == "oo":
                    infinite.add(what)
        if len(infinite) > 1:
            raise Undefined("a divergent integral, oo - oo")
        for x, parts in self.impulses.items():
            if compare(lower, x) < 0 < compare(upper, x):
                total = add(total, parts.get(0, Fraction(0)))
        return mp.inf * infinite.pop() if infinite else total

    def transform(self, s, lower=-mp.inf):
        """Integral of e^(-s t) g(t) over (lower, oo)."""
        return (self * Signal.exponential(neg(s))).integral(lower, mp.inf)

    def converges(self, s, lower=-mp.inf):
        """Does the integral of e^(-s t) g(t) over (lower, oo) converge absolutely?"""
        tilted = self * Signal.exponential(neg(s))
        ends = [(tilted.pieces[-1], 1)] + ([(tilted.pieces[0], -1)] if is_infinite(lower) else [])
        return all(ep.integral_to_infinity(piece, side)[0] == "finite" for piece, side in ends)

    def same_measure(self, other, gap):
        """Equal almost everywhere with the same impulses, up to relative ``gap``?"""
        rest = self - other
        size = [abs(num(c)) for p in (*self.pieces, *other.pieces) for c in p.values()]
        size += [abs(num(v)) for s in (self, other) for q in s.impulses.values()
                 for v in q.values()]
        bound = gap * max([mp.mpf(1), *size])
        left = [c for p in rest.pieces for c in p.values()]
        left += [v for parts in rest.impulses.values() for v in parts.values()]
        return all(abs(num(c)) <= bound for c in left)


def between(breaks):
    """One exact point in each open interval that ``breaks`` cut out of the line."""
    finite = [b for b in breaks if not is_infinite(b)]
    if not finite:
        points = [Fraction(0)] * (len(breaks) + 1)
        return points
    below, above = sub(finite[0], Fraction(1)), add(finite[-1], Fraction(1))
    points = []
    for a, b in zip([-mp.inf, *breaks], [*breaks, mp.inf], strict=True):
        if is_infinite(a) and is_infinite(b):
            points.append(Fraction(0))
        elif is_infinite(a):
            points.append(below)
        elif is_infinite(b):
            points.append(above)
        else:
            points.append(mul(Fraction(1, 2), add(a, b)))
    return points


def _merge(first, second):
    total = {x: dict(parts) for x, parts in first.items()}
    for x, parts in second.items():
        key = next((y for y in total if compare(x, y) == 0), x)
        mine = total.setdefault(key, {})
        for m, v in parts.items():
            mine[m] = add(mine[m], v) if m in mine else v
    return {x: {m: v for m, v in parts.items() if v != 0} for x, parts in total.items()
            if any(v != 0 for v in parts.values())}


def _impulses_times(impulses, function):
    found = {}
    for x, parts in impulses.items():
        if any(compare(x, y) == 0 for y in function.impulses):
            raise Undefined("a product of two impulses at one place")
        if max(parts) == 0:  # a measure times a Borel function: its value at the atom counts
            weight = function._smooth_value_or_none(x)
            if weight is None:
                raise Undefined("an impulse times a function without a value there")
            found[x] = {0: mul(parts[0], weight)}
            continue
        here = function
        if function.piece_at(x) is None:
            raise Unclear("a derivative of an impulse times a function with a breakpoint there")
        derivatives = []
        for _ in range(max(parts) + 1):
            derivatives.append(here.limit(x, 1))
            here = Signal(here.breaks, [ep.derivative(p) for p in here.pieces])
        mine = {}
        for m, v in parts.items():
            for k in range(m + 1):
                term = mul(mul(Fraction((-1) ** k * comb(m, k)), derivatives[k]), v)
                mine[m - k] = add(mine.get(m - k, Fraction(0)), term)
        found[x] = {m: v for m, v in mine.items() if v != 0}
    return found
