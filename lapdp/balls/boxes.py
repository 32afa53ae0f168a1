"""Signs over compact boxes, by branch and bound; over half-lines, by a dominating term.

A box is divided until on every part one of three forms proves the relation: the natural enclosure,
the mean-value form (centre plus enclosed gradient times radius), or, where the expression vanishes
exactly at an end of an interval, the first derivative there that has one sign on the whole part.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from flint import acb, arb, ctx, fmpq

from lapdp.balls.bounds import Bounds
from lapdp.balls.compare import sign
from lapdp.balls.compiler import Code, compile_balls, exact_ball, expression
from lapdp.balls.conditions import compare
from lapdp.balls.envelope import TooEarly
from lapdp.balls.evaluate import GUARD, bits_of
from lapdp.calculus.nodes import Indicator
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.precision import workprec

RELATIONS = (">", ">=", "<", "<=", "!=")
_ORDER = 8
_DEPTH = 60
_LAST_T = 2**20
_JUMPS = (sp.Heaviside, sp.Piecewise, sp.sign, Indicator)


@dataclass(frozen=True)
class BoxProof:
    """The relation holds on the whole box (``where``), proved on ``boxes`` parts at ``bits``."""

    relation: str
    where: str
    boxes: int
    bits: int
    depth: int


@dataclass(frozen=True)
class Counterexample:
    """An exact point where the relation provably fails, and the ball of the expression there."""

    point: Mapping[Any, Any]
    value: str


@dataclass(frozen=True)
class Undecided:
    """Neither: why, after how many parts, and a part that stayed open."""

    reason: str
    boxes: int
    part: str = ""


Cell = tuple[tuple[Fraction, Fraction], ...]


def prove_sign(expr: Any, relation: str, box: Mapping[Any, tuple[Any, Any]],
               max_boxes: int = 20000, digits: int = 30) -> BoxProof | Counterexample | Undecided:
    """Prove ``expr relation 0`` for all real values of the symbols in a compact box.

    ``box`` maps each free symbol to exact (lo, hi).  A :class:`Counterexample` is rational where
    the box is, and its sign is proved opposite (for '!=': exactly zero).  Raises
    :class:`Undefined` when the expression has no value at a point that was tried,
    :class:`Unsupported` and :class:`InputError` as :func:`~lapdp.balls.enclosure`.

    >>> x = sp.Symbol("x")
    >>> prove_sign(sp.exp(x) - 1 - x, ">=", {x: (0, 1)}).boxes
    1
    >>> prove_sign(sp.exp(x) - 1 - x, ">", {x: (0, 1)}).point
    {x: 0}
    """
    if relation not in RELATIONS:
        raise InputError(f"unknown relation {relation!r}: use one of {' '.join(RELATIONS)}")
    loose = expr.free_symbols - set(box)
    if loose:
        raise InputError(f"no range for {sorted(map(str, loose))[0]}")
    ranges = {s: (expression(lo), expression(hi)) for s, (lo, hi) in box.items()}
    for s, (lo, hi) in ranges.items():
        if not lo.is_number or not hi.is_number or sign(hi - lo) not in (0, 1):
            raise InputError(f"the range of {s} must be two exact numbers lo <= hi")
        if (s.is_nonnegative and sign(lo) == -1) or (s.is_nonpositive and sign(hi) == 1):
            raise InputError(f"the assumptions of the symbol {s} contradict its range")
    with workprec(bits_of(digits) + GUARD):
        return _Search(expr, relation, ranges).run(max_boxes)


class _Search:
    def __init__(self, expr: Any, relation: str, ranges: Mapping[Any, tuple[Any, Any]]) -> None:
        self.asked, self.ranges = relation, ranges
        self.turn = -1 if relation in ("<", "<=") else 1
        self.expr = expr = self.turn * expr
        self.relation = {"<": ">", "<=": ">="}.get(relation, relation)
        self.symbols = list(ranges)
        self.low = {s: exact_ball(lo).real for s, (lo, _) in ranges.items()}
        self.width = {s: exact_ball(hi - lo).real for s, (lo, hi) in ranges.items()}
        moving = {s: sign(lo) in (0, 1) for s, (lo, _) in ranges.items()}
        self.f = compile_balls(expr, {}, moving)
        self.gradient = [_derivative(expr, s, moving) for s in self.symbols]
        self.smooth = all(d is not None for d in self.gradient)
        self.moving = moving
        self.higher: list[tuple[Any, Code]] = []

    def run(self, max_boxes: int) -> BoxProof | Counterexample | Undecided:
        start: Cell = tuple((Fraction(0), Fraction(1)) for _ in self.symbols)
        for corner in {tuple(u for u, _ in start), tuple(v for _, v in start)}:
            found = self.refuted(corner)
            if found:
                return found
        todo = deque([(start, 0)])
        done = deepest = 0
        while todo:
            cell, depth = todo.popleft()
            done += 1
            deepest = max(deepest, depth)
            if self.holds(cell):
                continue
            found = self.refuted(tuple((u + v) / 2 for u, v in cell))
            if found:
                return found
            if done + len(todo) >= max_boxes:
                return Undecided(f"{max_boxes} boxes were not enough", done, self.name(cell))
            halves = self.halves(cell)
            if not halves or depth >= _DEPTH * len(cell):
                return Undecided("the sign stays open in the smallest box", done, self.name(cell))
            todo.extend((half, depth + 1) for half in halves)
        return BoxProof(self.asked, self.name(start), done, ctx.prec, deepest)

    def ball(self, i: int, u: Fraction, v: Fraction) -> Any:
        s = self.symbols[i]
        ends = [self.low[s] + self.width[s] * fmpq(x.numerator, x.denominator) for x in (u, v)]
        return ends[0].union(ends[1])

    def holds(self, cell: Cell) -> bool:
        """Is the relation proved on the whole cell?"""
        balls = [self.ball(i, u, v) for i, (u, v) in enumerate(cell)]
        point = {s: acb(x) for s, x in zip(self.symbols, balls, strict=True)}
        value = self.value(self.f, point)
        if self.enough(value):
            return True
        # a derivative says nothing across a kink or a branch cut: the part must avoid them
        if not self.smooth or not self.value(self.f, point, True).is_finite():
            return False
        slopes = [self.value(d, point) for d in self.gradient if d is not None]
        centre = [self.ball(i, (u + v) / 2, (u + v) / 2) for i, (u, v) in enumerate(cell)]
        mean = self.value(self.f, {s: acb(x) for s, x in zip(self.symbols, centre, strict=True)})
        for slope, x, c in zip(slopes, balls, centre, strict=True):
            mean = mean + slope * (x - c)
        return self.enough(mean) or self.touches(cell, point)

    def enough(self, z: Any) -> bool:
        if not z.is_finite():
            return False
        if self.relation == "!=":
            return not z.contains(0)
        return bool(z.imag.is_zero()) and compare(z.real, self.relation) is True

    def touches(self, cell: Cell, point: Mapping[Any, Any]) -> bool:
        """>= 0 by Taylor at an end c: f(c) = ... = 0 exactly, then a derivative of one sign."""
        if self.relation != ">=" or len(self.symbols) != 1:
            return False
        for side in (0, 1):
            at = self.exact(tuple(ends[side] for ends in cell))
            if self.expr.xreplace(at) != 0:
                continue
            for k in range(1, _ORDER + 1):
                symbolic, code = self.derivative(k)
                z = self.value(code, point)
                # f(x) = f^(k)(xi) (x - c)^k / k!, and (x - c)^k has the sign (-1)^(k side)
                if z.is_finite() and z.imag.is_zero() and z.real * (-1) ** (k * side) >= 0:
                    return True
                if symbolic.xreplace(at) != 0:
                    break
        return False

    def derivative(self, k: int) -> tuple[Any, Code]:
        while len(self.higher) < k:
            before = self.higher[-1][0] if self.higher else self.expr
            after = sp.diff(before, self.symbols[0])
            self.higher.append((after, compile_balls(after, {}, self.moving)))
        return self.higher[k - 1]

    def value(self, code: Code, point: Mapping[Any, Any], analytic: bool = False) -> Any:
        try:
            z = code.run(point, analytic)
        except Undefined:
            return acb(arb.nan())
        return acb(z.real) if code.real else z

    def exact(self, u: tuple[Fraction, ...]) -> dict[Any, Any]:
        return {s: lo + (hi - lo) * sp.Rational(x.numerator, x.denominator)
                for (s, (lo, hi)), x in zip(self.ranges.items(), u, strict=True)}

    def refuted(self, u: tuple[Fraction, ...]) -> Counterexample | None:
        """Does the relation provably fail at this point?"""
        point = self.exact(u)
        try:
            value = self.f.run({s: exact_ball(v) for s, v in point.items()}, False)
        except Undefined as error:
            where = ", ".join(f"{s} = {v}" for s, v in point.items())
            raise Undefined(f"{error}, at {where}") from None
        may_vanish = not value.is_finite() or value.contains(0)
        if self.relation != ">=" and may_vanish and self.expr.xreplace(point) == 0:
            return Counterexample(point, "0")
        if self.relation != "!=" and value.imag.is_zero() and value.real < 0:
            return Counterexample(point, (self.turn * value.real).str(15))
        return None

    def halves(self, cell: Cell) -> list[Cell]:
        """Divide along the axis that is longest in relation to the others."""
        widths = [(v - u) * (0 if self.width[s].is_zero() else 1)
                  for s, (u, v) in zip(self.symbols, cell, strict=True)]
        if not widths or max(widths) == 0:
            return []
        i = widths.index(max(widths))
        u, v = cell[i]
        middle = (u + v) / 2
        return [(*cell[:i], part, *cell[i + 1:]) for part in ((u, middle), (middle, v))]

    def name(self, cell: Cell) -> str:
        lows = self.exact(tuple(u for u, _ in cell))
        highs = self.exact(tuple(v for _, v in cell))
        return ", ".join(f"{s} in [{lows[s]}, {highs[s]}]" for s in self.symbols)


def _derivative(expr: Any, s: Any, moving: Mapping[Any, bool]) -> Code | None:
    """The compiled derivative, right wherever the expression is holomorphic, or None."""
    try:
        return compile_balls(sp.diff(expr, s), {}, moving)
    except (Unsupported, Undefined):
        return None


def prove_sign_halfline(expr: Any, relation: str, t: Any, lo: Any, max_boxes: int = 20000,
                        digits: int = 30) -> BoxProof | Counterexample | Undecided:
    """Prove ``expr relation 0`` for all t >= lo (exact).

    From some T on, one term of the sum must provably exceed all others: then the continuous
    expression keeps the sign it has at T.  [lo, T] is done by :func:`prove_sign`.  Jumps
    (Heaviside, Piecewise, sign) are refused; where no term dominates it is :class:`Undecided`.

    >>> t = sp.Symbol("t")
    >>> prove_sign_halfline(sp.exp(t) - 2 * t, ">", t, 0).where
    't in [0, 2] and t >= 2'
    """
    lo = expression(lo)
    if expr.has(*_JUMPS):
        raise Unsupported("jumps on a half-line")
    positive = sp.Dummy("t", positive=True)
    far = sp.expand(expr.xreplace({t: positive}))
    T = 2
    with workprec(bits_of(digits) + GUARD):
        while sign(sp.Integer(T) - lo) != 1 or not no_zero_beyond(far, positive, T):
            T *= 2
            if T > _LAST_T:
                return Undecided("no term dominates at infinity", 0)
    near = prove_sign(expr, relation, {t: (lo, sp.Integer(T))}, max_boxes, digits)
    if not isinstance(near, BoxProof):
        return near
    # continuous without a zero on [T, oo), and the relation holds at T
    return BoxProof(relation, f"{near.where} and {t} >= {T}", near.boxes, near.bits, near.depth)


def no_zero_beyond(far: Any, t: Any, T: int) -> bool:
    """Is it proved that one term of the real sum exceeds all others together for t >= T?"""
    env = Bounds(t, T)
    try:
        env.lower(far)
    except TooEarly:
        return False
    return env.real(far)
