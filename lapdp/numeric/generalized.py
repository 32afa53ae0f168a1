"""Generalised functions of one real variable: a callable, its breakpoints and its impulses.

``value`` is the regular part, a Python callable smooth between ``breaks``; an impulse of order n
at c with mass m stands for m times the n-th derivative of the Dirac impulse at c.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from mpmath import mp

from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric.quadrature import integrate
from lapdp.numeric.tails import Divergent, Number


@dataclass(frozen=True)
class Impulse:
    """``mass`` times the ``order``-th derivative of the Dirac impulse at ``at``."""

    at: Number
    mass: Number
    order: int = 0


@dataclass(frozen=True)
class PiecewiseCallable:
    """A function of a bound variable: regular part, breakpoints, impulses.

    >>> box = PiecewiseCallable(lambda t: mp.mpf(0 <= t < 1), (mp.mpf(0), mp.mpf(1)))
    >>> mp.nstr(transform(box, mp.mpf(0), -mp.inf, mp.inf), 5)
    '1.0'
    """

    value: Callable[[Any], Any]
    breaks: tuple[Number, ...] = ()
    impulses: tuple[Impulse, ...] = ()
    exact: bool = True
    """Can values be had with many more bits at little cost?  Not where each is an integral."""
    _memo: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    def __call__(self, t: Number) -> Number:
        """The regular part at ``t``, remembered: nodes repeat from one frequency to the next."""
        key = (t, mp.prec)
        if key not in self._memo:
            if len(self._memo) > 20000:
                self._memo.clear()
            self._memo[key] = self.value(t)
        return self._memo[key]

    def remembers(self, t: Number) -> bool:
        """Is the value at ``t`` known?"""
        return (t, mp.prec) in self._memo


_REMEMBERED = 1 / 16
"""What e^(-s t) g(t) counts, in evaluations, where g(t) is remembered."""


def small() -> Number:
    """A step for one-sided limits: far above rounding, far below what is compared."""
    return mp.mpf(10) ** -(mp.dps // 2)


def merge_points(points: Iterable[Number]) -> tuple[Number, ...]:
    """Sorted points, those equal up to rounding merged."""
    kept: list[Number] = []
    for x in sorted(points):
        if not kept or x - kept[-1] > mp.mpf(10) ** -(mp.dps - 10) * (1 + abs(x)):
            kept.append(x)
    return tuple(kept)


def merge_impulses(impulses: Iterable[Impulse]) -> tuple[Impulse, ...]:
    """Impulses of one order at one place added up, vanished ones dropped."""
    kept: list[Impulse] = []
    near = mp.mpf(10) ** -(mp.dps - 10)
    for new in sorted(impulses, key=lambda i: (i.order, i.at)):
        close = near * (1 + abs(new.at))
        if kept and kept[-1].order == new.order and new.at - kept[-1].at <= close:
            kept[-1] = Impulse(kept[-1].at, kept[-1].mass + new.mass, new.order)
        else:
            kept.append(new)
    return tuple(i for i in kept if abs(i.mass) > near)


def one_sided(f: Callable[[Any], Any], at: Number, side: int) -> Number:
    """Limit of a piecewise smooth ``f`` at ``at`` from the right (+1) or left (-1)."""
    h = side * small()
    a, b, c = f(at + h), f(at + 2 * h), f(at + 3 * h)
    if mp.isinf(a) and a == b == c:
        return a
    return 3 * a - 3 * b + c


def differentiate(g: PiecewiseCallable, n: int) -> PiecewiseCallable:
    """The n-th derivative in the sense of distributions: jumps become impulses."""
    def nth(k: int, t: Number) -> Number:
        if k == 0:
            return g.value(t)
        if any(abs(t - b) < mp.mpf(10) ** -(mp.dps - 8) for b in g.breaks):
            raise Unsupported("a derivative is taken at a kink")
        return mp.diff(g.value, t, k)

    impulses = [Impulse(i.at, i.mass, i.order + n) for i in g.impulses]
    for b in g.breaks:
        for k in range(n):
            right = one_sided(partial(nth, k), b, 1)
            left = one_sided(partial(nth, k), b, -1)
            jump = right - left
            if abs(jump) > mp.mpf(10) ** -(mp.dps - 12) * (1 + abs(right)):
                impulses.append(Impulse(b, jump, n - 1 - k))
    return PiecewiseCallable(partial(nth, n), g.breaks, merge_impulses(impulses), g.exact)


def times_smooth(impulse: Impulse, f: Callable[[Any], Any]) -> list[Impulse]:
    """The impulse multiplied by a function; a derivative of an impulse needs it smooth there."""
    n = impulse.order
    made = []
    for k in range(n + 1):
        factor = f(impulse.at) if k == 0 else mp.diff(f, impulse.at, k)
        mass = mp.binomial(n, k) * (-1) ** k * factor * impulse.mass
        if mass != 0:
            made.append(Impulse(impulse.at, mass, n - k))
    return made


def _product_integral(F: PiecewiseCallable, H: PiecewiseCallable, t: Number, lower: Number
                      ) -> Number:
    cuts = [*F.breaks, *(t - b for b in H.breaks)]
    low, high = (-mp.inf, mp.inf) if mp.isinf(lower) else (lower, t - lower)
    if high <= low:
        return mp.mpf(0)

    def integrand(u: Number) -> Number:
        try:
            return F(u) * H(t - u)
        except Undefined as stop:
            # a value that is missing at one node says nothing of the integral
            raise Unsupported(f"under a convolution {stop}") from None

    total = integrate(integrand, low, high, cuts, exact=False)
    for first, second in ((F, H), (H, F)):
        for i in first.impulses:
            if low < i.at < high:
                factor = second(t - i.at) if i.order == 0 else mp.diff(
                    second.value, t - i.at, i.order)
                total += i.mass * factor
    return total


def convolve(F: PiecewiseCallable, H: PiecewiseCallable, lower: Number) -> PiecewiseCallable:
    """Convolution over the line, or over (0, t) when ``lower`` is 0 (nothing for t <= 0)."""
    inner = [] if mp.isinf(lower) else [lower]
    breaks = [a + b for a in (*F.breaks, *inner) for b in (*H.breaks, *inner)]
    impulses = []
    for a in F.impulses:
        for b in H.impulses:
            if mp.isinf(lower) or (a.at > lower and b.at > lower):
                impulses.append(Impulse(a.at + b.at, a.mass * b.mass, a.order + b.order))
    return PiecewiseCallable(lambda t: _product_integral(F, H, t, lower), merge_points(breaks),
                             merge_impulses(impulses), exact=False)


def primitive(g: PiecewiseCallable, lower: Number) -> PiecewiseCallable:
    """Running integral of ``g`` from ``lower``, impulses strictly between included."""
    origin = [] if mp.isinf(lower) else [lower]
    stops = merge_points([*g.breaks, *origin]) or (mp.mpf(0),)
    known: dict[Any, Number] = {}

    def upto(k: int) -> Number:
        """Regular part from ``lower`` to the k-th stop; after the last they go on by 1."""
        key = (k, mp.prec)
        if key not in known:
            near = [j for j, prec in known if prec == mp.prec and j < k]
            if near:
                j = max(near)
                value = known[j, mp.prec]
            else:
                j, value = 0, integrate(g, lower, stops[0], g.breaks, exact=False)
                known[0, mp.prec] = value
            while j < k:
                value += integrate(g, stop(j), stop(j + 1))
                j += 1
                known[j, mp.prec] = value
        return known[key]

    def stop(k: int) -> Number:
        return stops[k] if k < len(stops) else stops[-1] + (k - len(stops) + 1)

    def value(t: Number) -> Number:
        if t < stops[0]:
            regular = integrate(g, lower, t, g.breaks, exact=False)
        else:
            k = max(i for i, b in enumerate(stops) if b <= t)
            if k == len(stops) - 1:
                k += int(t - stops[-1])
            regular = upto(k) + integrate(g, stop(k), t)
        for i in g.impulses:
            if i.order == 0 and lower < i.at < t:
                regular += i.mass
            elif i.order == 0 and t < i.at < lower:
                regular -= i.mass
        return regular

    lowered = tuple(Impulse(i.at, i.mass, i.order - 1) for i in g.impulses if i.order)
    return PiecewiseCallable(value, merge_points([*g.breaks, *origin]), lowered, exact=False)


def transform(g: PiecewiseCallable, s: Number, lower: Number, upper: Number,
              spend: Callable[[float], None] | None = None) -> Number:
    """Integral of e^(-s t) g(t) over the open interval, equation (14); s = 0 is a plain integral.

    Impulses strictly inside count, those at the ends do not; the integral from the larger end to
    the smaller one is the opposite.  ``spend`` counts work where a value
    of g is remembered: that is no evaluation of g, but inside another transform it is done for one
    frequency after the other.
    """
    def weighted(t: Number) -> Number:
        if spend is not None and g.remembers(t):
            spend(_REMEMBERED)
        return mp.exp(-s * t) * g(t)

    if upper < lower:
        return -transform(g, s, upper, lower, spend)
    total = integrate(g if s == 0 else weighted, lower, upper, g.breaks, g.exact)
    for i in g.impulses:
        if lower < i.at < upper:
            total += i.mass * (s ** i.order if i.order else 1) * mp.exp(-s * i.at)
    return total


def converges(g: PiecewiseCallable, s: Number, lower: Number, upper: Number) -> bool:
    """Does the integral of e^(-s t) g(t) over (lower, upper) converge absolutely?"""
    try:
        finite = transform(g, s, lower, upper)
    except Divergent:
        return False
    return not mp.isinf(finite)


FAR = (500, 1000, 2000)
"""Where limits at infinity are read."""


def compare_ends(f: Callable[[Any], Any], sign: int) -> Number:
    """Limit of ``f`` at sign * oo, for functions that settle exponentially fast."""
    far = [f(sign * mp.mpf(x)) for x in FAR]
    if any(mp.isnan(v) for v in far):
        raise Undefined("a limit at infinity does not exist")
    if abs(far[1] - far[2]) <= mp.mpf(10) ** -(mp.dps - 15) * (1 + abs(far[2])):
        return far[2]
    if abs(far[2]) > abs(far[1]) > abs(far[0]) and abs(far[2]) > 1000 and mp.im(far[2]) == 0:
        return mp.sign(mp.re(far[2])) * mp.inf
    raise Unsupported("a limit at infinity settles too slowly for the numeric column")


__all__ = [
    "Impulse", "PiecewiseCallable", "compare_ends", "converges", "convolve", "differentiate",
    "merge_impulses", "merge_points", "one_sided", "primitive", "times_smooth",
    "transform",
]
