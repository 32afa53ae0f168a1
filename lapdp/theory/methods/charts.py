"""Charts of the ranges of real letters, and functions of letters at places on them.

On a chart a step of one changes the scale of a letter: borders and infinity are a few hundred steps
away.  Functions are computed with hundreds of digits; what has no real value has none.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from flint import acb, arb

from lapdp.balls.compiler import compile_balls
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.precision import workprec

BITS = 800
REACH = 230
"""The farthest place that is looked at: 10^100, or 10^-100 from a border."""
_FAR, _NOT_FAR = 20, 10
_BLURRED = arb("1e-120")
_DIGITS = (1, 2, 3, 4, 6, 9, 14, 20, 30, 45, 70, 110)
_WHOLE = (0, 1, 2, 3, 4, 5, 7, 10, 20, 100)

Place = tuple[Any, ...]
"""Where each letter is on its chart; a whole number itself."""


@dataclass(frozen=True)
class Chart:
    """A letter and the ends of its range, None where there is none."""

    letter: Any
    low: Any
    high: Any
    reach: float = REACH

    def value(self, u: Any) -> Any:
        """The letter at a place."""
        if self.letter.is_integer:
            return u
        if self.low is not None and self.high is not None:
            return (self.low + (self.high - self.low) / (1 + (-u).exp())).mid()
        if self.low is not None:
            return (self.low + u.exp()).mid()
        return (self.high - u.exp()).mid() if self.high is not None else u.sinh().mid()

    def place(self, v: Any) -> Any:
        """The place of a value; a little inside the range where the value is an end of it."""
        if self.letter.is_integer:
            return v
        below = None if self.low is None else (v - self.low).mid()
        above = None if self.high is None else (self.high - v).mid()
        least = arb(2) ** -30
        ends = [max(x, least) for x in (below, above) if x is not None]
        if not ends:
            return v.asinh().mid()
        return (ends[0] / ends[1]).log().mid() if len(ends) > 1 else ends[0].log().mid()

    def is_far(self, u: Any) -> bool:
        """Is the letter far out in its range, or near a border?"""
        return not self.letter.is_integer and bool(abs(u) > _FAR)

    def draw(self, rng: random.Random, span: float) -> Any:
        """A place at random."""
        if not self.letter.is_integer:
            return arb(round(rng.uniform(-span, span), 3))
        low, high = (None if e is None else float(e) for e in (self.low, self.high))
        return arb(rng.choice([k for n in _WHOLE for k in (n, -n) if (low is None or k >= low) and (
            high is None or k <= high)] or [low if low is not None else high]))


def charts_of(ranges: Mapping[Any, Sequence[Any]], bits: int = BITS, reach: float = REACH,
              waving: Collection[Any] = ()) -> list[Chart]:
    """Charts for the ranges of letters, whose infinite ends are -oo and oo; letters that are
    ``waving`` are not followed far, where a wave tells nothing new."""
    with workprec(bits):
        ends = {s: [None if end in (sp.oo, -sp.oo) else constant(end) for end in pair]
                for s, pair in ranges.items()}
        return [Chart(s, low, high, _NOT_FAR if s in waving else reach)
                for s, (low, high) in ends.items()]


def constant(e: Any) -> Any:
    return compile_balls(e, {}).constant().real.mid()


def smoothed(e: Any, fade: Any) -> Any:
    """The expression with a root for each absolute value and maximum."""
    if not e.args or isinstance(e, sp.Piecewise) or not isinstance(e, sp.Expr):
        return e
    args = [smoothed(a, fade) for a in e.args]
    if isinstance(e, sp.Abs):
        return sp.sqrt(args[0]**2 + fade**2)
    if isinstance(e, (sp.Max, sp.Min)):
        sign, whole = (1 if isinstance(e, sp.Max) else -1), args[0]
        for a in args[1:]:
            whole = (whole + a + sign * sp.sqrt((whole - a)**2 + fade**2)) / 2
        return whole
    return e if args == list(e.args) else e.func(*args)


def compiled(e: Any, moving: Mapping[Any, bool]) -> Callable[[Mapping[Any, Any]], Any]:
    """The middle of the ball of an expression at a point; None where it has no real value, or none
    whose digits are seen."""
    try:
        code = compile_balls(e, {}, moving)
    except Unsupported:
        code = None  # what is real at points need not be so by structure

    def run(point: Mapping[Any, Any]) -> Any:
        values = {s: acb(v) for s, v in point.items()}
        try:
            ball = compile_balls(e, values).constant() if code is None else code.run(values, False)
        except (Undefined, Unsupported, InputError):
            return None
        if not ball.is_finite() or not ball.imag.contains(0):
            return None
        middle, radius = ball.real.mid(), ball.real.rad()
        return None if radius > _BLURRED and radius * 1000 > abs(middle) else middle

    return run


def rounded(point: Mapping[Any, Any], bits: int = BITS) -> Iterator[dict[Any, Any]]:
    """Points with rational numbers near those of a place, of more and more digits."""
    with workprec(bits):
        exact = {s: _exactly(v) for s, v in point.items()}
    for digits in _DIGITS:
        yield {s: _short(v, digits) for s, v in exact.items()}
    yield exact


def _exactly(v: Any) -> Any:
    m, e = v.mid().man_exp()
    return sp.Rational(int(m)) * sp.Integer(2) ** int(e)


def _short(v: Any, digits: int) -> Any:
    """A rational number of so many digits near v, 0 where it is smaller than any of them."""
    if v.is_integer or abs(v) < sp.Rational(1, 10 ** digits):
        return v if v.is_integer else sp.S.Zero
    unit = sp.Integer(10) ** (len(str(abs(v.p))) - len(str(v.q)) - digits)
    return sp.floor(v / unit + sp.S.Half) * unit


__all__ = ["BITS", "REACH", "Chart", "Place", "charts_of", "compiled", "constant", "rounded",
           "smoothed"]
