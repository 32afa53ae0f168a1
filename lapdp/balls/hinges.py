"""Rigorous integrals of max(0, f - g) for two non-negative functions.

The line is bisected until balls give the sign of log(f) - log(g), or of f - g, on each interval.
No zero need be isolated: near a simple zero the intervals left over shrink like w, and what
f - g can contribute there like w^2.  At an infinite end the sign is that of the leading term of a
polynomial in x or e^x, from where it exceeds the others; where there is none, and at an end where f
has no finite ball, the integral of f beyond is made small.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import groupby
from typing import Any, NamedTuple

import sympy as sp
from flint import acb, arb, ctx

from lapdp.balls.compiler import Code, compile_balls, exact_ball
from lapdp.balls.integrals import integrate
from lapdp.balls.kinks import before, pieces
from lapdp.core.errors import Undefined, Unsupported

_MOST = 3_000
"""Intervals looked at on one piece."""
_MOST_BITS = 1536
"""The precision beyond which a value is taken for 0 that is not seen to be 0."""


def positive_part(f: Any, g: Any, x: Any, lower: Any, upper: Any) -> Any:
    """An ``arb`` that contains the integral of max(0, f - g) over (lower, upper).

    f and g are expressions in the real symbol ``x`` without other symbols, not negative there.  The
    radius is about 2^-prec.  Raises :class:`Unsupported` where that is not reached.

    >>> x = sp.Symbol("x", real=True)
    >>> positive_part(2*x, sp.Integer(1), x, 0, 1).str(12)
    '[0.250000000000 +/- 9e-17]'
    """
    if ctx.prec > _MOST_BITS:
        raise Unsupported("the profile is not told from 0: there p - e^t q may only touch 0")
    total = arb(0)
    for both, a, b in pieces(sp.Tuple(f, g), x, sp.sympify(lower), sp.sympify(upper)):
        if sp.expand(both[0] - both[1]) == 0:
            continue
        if both[0] != 0 and both[1] != 0:
            for part in _one_sided(both[0], both[1], x, a, b):
                total += part.integral()
        elif both[0] != 0:
            total += integrate(both[0], x, a, b, digits=int(ctx.prec * 0.30103) + 3).real
    return total


def negative_part(f: Any, x: Any, lower: Any, upper: Any) -> Any:
    """An ``arb`` that contains the integral of max(0, -f) over a finite interval on which f, an
    expression in ``x`` without kinks, is bounded.

    >>> x = sp.Symbol("x", real=True)
    >>> bool(negative_part(x - 1, x, 0, 3) > 0.499), bool(negative_part(x, x, 0, 3) > 0)
    (True, False)
    """
    return _Piece(-f, sp.Integer(0), x, sp.sympify(lower), sp.sympify(upper)).integral()


def _one_sided(f: Any, g: Any, x: Any, a: Any, b: Any) -> list[_Piece]:
    """The same on intervals whose lower ends are finite, and 0 if something is singular there: the
    balls of small distances from an end must not be lost in those of the end."""
    if a == -sp.oo:
        cut = sp.Integer(0) if b == sp.oo else b
        right = _one_sided(f, g, x, cut, b) if b == sp.oo else []
        return [*_one_sided(f.subs(x, -x), g.subs(x, -x), x, -cut, sp.oo), *right]
    if b != sp.oo and _singular(f, g, x, b):
        middle = (a + b) / 2
        mirrored = _Piece(f.subs(x, b - x), g.subs(x, b - x), x, sp.Integer(0), b - middle)
        return [*_one_sided(f, g, x, a, middle), mirrored]
    if a != 0 and _singular(f, g, x, a):
        return [_Piece(f.subs(x, x + a), g.subs(x, x + a), x, sp.Integer(0), b - a)]
    return [_Piece(f, g, x, a, b)]


def _singular(f: Any, g: Any, x: Any, at: Any) -> bool:
    """Is one of the functions not seen to be finite at a point?"""
    try:
        return not all(compile_balls(e, {x: exact_ball(at)}).constant().is_finite()
                       for e in (f, g))
    except (Undefined, Unsupported):
        return True


class Box(NamedTuple):
    """An interval of u in [0, 1]: x = a + (b - a) u, or a + u/(1 - u) for b = oo."""

    low: Fraction
    high: Fraction

    def halves(self) -> tuple[Box, Box]:
        """The two halves."""
        middle = (self.low + self.high) / 2
        return Box(self.low, middle), Box(middle, self.high)


_JUMPS = (sp.Piecewise, sp.Heaviside, sp.sign, sp.Abs, sp.Max, sp.Min, sp.floor, sp.ceiling)


class _Smooth:
    """A function with its derivative, on intervals of one variable."""

    def __init__(self, e: Any, x: Any, least: Any) -> None:
        self.x = x
        domain = {x: not before(least, sp.S.Zero)}
        self.value = compile_balls(e, {}, domain)
        self.slope: Code | None = None
        if not e.has(*_JUMPS):
            try:
                self.slope = compile_balls(sp.diff(e, x), {}, domain)
            except (Unsupported, Undefined):
                self.slope = None

    def on(self, point: Any) -> Iterator[Any]:
        """Finite balls of the real part all over an interval: from its values there, then by the
        mean value theorem, which sees double zeros."""
        try:
            value = self.value.run({self.x: point}, False).real
            if value.is_finite():
                yield value
            if self.slope is None:
                return
            middle = acb(point.real.mid())
            slope = self.slope.run({self.x: point}, False).real
            value = self.value.run({self.x: middle}, False).real + slope * (point - middle).real
            if value.is_finite():
                yield value
        except Undefined:
            return


class _Piece:
    def __init__(self, f: Any, g: Any, x: Any, a: Any, b: Any) -> None:
        self.f, self.g, self.x, self.a, self.b = f, g, x, a, b
        self.digits = int(ctx.prec * 0.30103) + 3
        self.tolerance = arb(2) ** (-ctx.prec)
        self.gap = _Smooth(f - g, x, a)
        self.log_ratio: _Smooth | None = None
        self.leading: list[list[Any]] = []
        if f != 0 and g != 0:
            # real parts only: expanded logs are those of |f| and |g|, up to multiples of pi i
            logs = [sp.expand_log(sp.log(e), force=True) for e in (f, g)]
            log_ratio = sp.expand(logs[0] - logs[1])
            try:
                self.log_ratio = _Smooth(log_ratio, x, a)
            except (Unsupported, Undefined):
                self.log_ratio = None
            if b == sp.oo:
                self.exponential, self.leading = _polynomials(f, g, log_ratio, x)

    def at(self, u: Fraction) -> Any:
        """The exact point x."""
        if self.b == sp.oo:
            if u == 1:
                return sp.oo
            u = u / (1 - u)
        value = sp.Rational(u.numerator, u.denominator)
        return self.a + value if self.b == sp.oo else self.a + (self.b - self.a) * value

    def ball(self, box: Box) -> Any | None:
        """The points of a box, None if it reaches infinity."""
        ends = [self.at(u) for u in box]
        if ends[1] == sp.oo:
            return None
        low, high = (exact_ball(end).real for end in ends)
        return acb(low.union(high))

    def sign(self, box: Box) -> int:
        """1 or -1 where f - g has that sign all over the box, else 0."""
        point = self.ball(box)
        if point is None:
            return self.sign_beyond(self.at(box.low))
        for function in (self.log_ratio, self.gap):
            for value in () if function is None else function.on(point):
                if value > 0 or value < 0:
                    return 1 if value > 0 else -1
        return 0

    def sign_beyond(self, low: Any) -> int:
        """The sign of f - g on (low, oo), from polynomials with it: their leading terms, in the
        reciprocal y of the variable, and what y times the others can take away."""
        if not self.leading or not before(sp.S.Zero, low):
            return 0
        start = exact_ball(low).real
        y = arb(0).union((-start).exp() if self.exponential else 1 / start)
        sign = 1
        for coefficients in self.leading:
            value = arb(0)
            for c in reversed(coefficients):
                value = value * y + c
            if not (value > 0 or value < 0):
                return 0
            sign *= 1 if value > 0 else -1
        return sign

    def most(self, box: Box, depth: int) -> Any:
        """A bound of what an undecided box can contribute; infinite where none is known."""
        point = self.ball(box)
        if point is not None:
            heights = [abs(value).upper() for value in self.gap.on(point)]
            if heights:
                return (2 * point.real.rad() * min(heights, key=float)).upper()
        if self.g == 0:
            raise Unsupported("no bound of a function near an end of the interval")
        # by its integral; far out not at every depth, and not much farther than needed, for
        # integrals are found to relative digits
        if depth < 4 or (depth > 16 and depth & (depth - 1)):
            return arb("inf")
        low, high = (self.at(u) for u in box)
        for f, start, end in self.ways_beyond(low, high):
            try:
                return abs(integrate(f, self.x, start, end, self.digits).real).upper()
            except Unsupported:
                continue
        return arb("inf")

    def ways_beyond(self, low: Any, high: Any) -> list[tuple[Any, Any, Any]]:
        """The integral of f as it stands, and far out in the log of the variable."""
        ways = [(self.f, low, high)]
        if high == sp.oo and before(sp.S.Zero, low):
            moved = low * sp.exp(self.x)
            ways.append((self.f.xreplace({self.x: moved}) * moved, sp.Integer(0), sp.oo))
        return ways

    def integral(self) -> Any:
        todo = [(Box(Fraction(0), Fraction(1)), 0)]
        settled: list[tuple[Box, int]] = []
        rest, looked = arb(0), 0
        while todo:
            box, depth = todo.pop()
            looked += 1
            if looked > _MOST or depth > 4 * ctx.prec:
                raise Unsupported("the sign of p - e^t q is not settled on enough of the line")
            sign = self.sign(box)
            if sign:
                settled.append((box, sign))
                continue
            bound = self.most(box, depth)
            if bound < self.tolerance:
                settled.append((box, 0))
                rest += bound
                continue
            low, high = box.halves()
            todo += [(high, depth + 1), (low, depth + 1)]
        total = arb(0).union(rest.upper())
        for sign, run in groupby(settled, key=lambda entry: entry[1]):
            boxes = [box for box, _ in run]
            if sign > 0:
                total += self.between(self.at(boxes[0].low), self.at(boxes[-1].high))
        return total

    def between(self, low: Any, high: Any) -> Any:
        """The integral of f - g; over many orders of magnitude in the log of the variable."""
        h, x = self.f - self.g, self.x
        if high != sp.oo and before(sp.S.Zero, low) and before(1000 * low, high):
            h, low, high = h.xreplace({x: sp.exp(x)}) * sp.exp(x), sp.log(low), sp.log(high)
        return integrate(h, x, low, high, digits=self.digits).real


def _polynomials(f: Any, g: Any, log_ratio: Any, x: Any) -> tuple[bool, list[list[Any]]]:
    """Polynomials in x, or in e^x (then True), the product of whose signs is that of f - g for
    large x: balls of their coefficients from the leading one on.  None where none are found."""
    candidates: list[tuple[bool, list[Any]]] = [(False, [log_ratio])]
    ratio = sp.cancel(sp.together(sp.powsimp(sp.expand_power_exp(f / g)))) - 1
    candidates.append((False, list(sp.fraction(sp.together(ratio)))))
    y = sp.Dummy("y", positive=True)
    moved = sp.cancel(sp.together(sp.expand_power_exp(ratio).subs(x, sp.log(y))))
    candidates.append((True, list(sp.fraction(moved))))
    for exponential, parts in candidates:
        variable = y if exponential else x
        try:
            polys = [sp.Poly(part, variable) for part in parts]
            if all(not c.has(variable) for poly in polys for c in poly.all_coeffs()):
                return exponential, [[exact_ball(c).real for c in poly.all_coeffs()]
                                     for poly in polys]
        except (sp.PolynomialError, Unsupported, Undefined):
            continue
    return False, []


__all__ = ["negative_part", "positive_part"]
