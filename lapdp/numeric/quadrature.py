"""Quadrature on smooth pieces, with a verdict on divergence.

Three rules, each checked by a refinement: Gauss-Legendre on bounded pieces, tanh-sinh where an end
is singular, and the double-exponential rule t = exp(u - exp(-u)) on half-lines.  Nothing here knows
what is integrated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any

from mpmath import mp
from mpmath.calculus.quadrature import GaussLegendre

from lapdp.core.errors import Undefined, Unsupported

Number = Any
"""An mpf or mpc of the current precision, or an infinite mpf."""

Function = Callable[[Any], Any]

_GAUSS = GaussLegendre(mp)
_FARTHEST = 13
"""Half-lines are searched up to 2**13 units for the place where an integrand has died out."""


class Divergent(Undefined):
    """An integral that does not converge absolutely; ``sign`` is +1 or -1 if it is +oo or -oo."""

    def __init__(self, sign: int = 0) -> None:
        super().__init__("the integral diverges")
        self.sign = sign


class _Algebraic(Exception):
    """The integrand decays like a power that is integrable."""


def _mag(value: Number) -> float:
    """Binary logarithm of the absolute value, -inf for 0."""
    if mp.isnan(value):
        raise Undefined("the integrand has no value")
    return float("-inf") if value == 0 else float(mp.mag(value))


def _log(value: Number) -> float:
    return float("-inf") if value == 0 else float(mp.log(abs(value)))


def _need() -> int:
    return int(mp.prec) + 10


def _sign(values: Iterable[Number]) -> int:
    signs = set()
    for v in values:
        signs.add(0 if isinstance(v, mp.mpc) and v.imag != 0 else int(mp.sign(mp.re(v))))
    return signs.pop() if len(signs) == 1 else 0


def _noise(f: Function, x: Number) -> bool:
    """Is the value at ``x`` made of rounding errors only?"""
    low = f(x)
    with mp.extraprec(80):
        high = f(x)
        return bool(low != 0 and abs(low - high) > abs(high) * mp.mpf(10) ** -3)


def reach(f: Function, start: Number, sign: int) -> Number:
    """Distance from ``start`` beyond which ``f`` is negligible; raises :class:`Divergent`."""
    peak, logs = float("-inf"), {}
    for k in range(-3, _FARTHEST + 1):
        d = mp.mpf(2) ** k
        values = [f(start + sign * d), f(start + sign * d * mp.mpf(1.37))]
        here = max(_mag(v) for v in values)
        if here < peak - _need() or (here == float("-inf") and f(start + sign * 8 * d) == 0):
            return d
        peak = max(peak, here)
        logs[k] = max(_log(v) for v in values)
        if k == 9:
            if _noise(f, start + sign * d):
                return _cut(f, start, sign, peak)
            _classify(logs, values)
    raise Unsupported("the integrand decays too slowly for the numeric column")


def _cut(f: Function, start: Number, sign: int, peak: float) -> Number:
    for k in range(8, -4, -1):
        d = mp.mpf(2) ** k
        if not _noise(f, start + sign * d):
            if _mag(f(start + sign * d)) > peak - 60:
                raise Unsupported("rounding hides the tail of an integrand")
            return d
    return mp.mpf(1)


def _classify(logs: dict[int, float], values: list[Number]) -> None:
    """Exponential decay passes; growth, constants and slow powers diverge."""
    before, after = (logs[8] - logs[7]) / 128, (logs[9] - logs[8]) / 256
    if after > -1e-4:
        raise Divergent(_sign(values))
    if after > 0.75 * before:
        if (logs[8] - logs[9]) / 0.6931 > 1.01:
            raise _Algebraic
        raise Divergent(_sign(values))


@lru_cache(maxsize=64)
def _half_line_nodes(prec: int, level: int) -> list[tuple[Number, Number]]:
    h = mp.mpf(2) ** -(level + 2)
    scale = _need() * mp.log(2)
    first, last = -mp.log(2 * scale), mp.log(scale) + 1 / scale
    nodes = []
    for k in range(int(mp.floor(first / h)), int(mp.ceil(last / h)) + 1):
        if level == 0 or k % 2:
            small = mp.exp(-k * h)
            x = mp.exp(k * h - small)
            nodes.append((x, x * (1 + small)))
    return nodes


@lru_cache(maxsize=64)
def _interval_nodes(prec: int, level: int) -> list[tuple[Number, Number, int]]:
    """tanh-sinh on (0, 1): (distance to the nearer end, weight, end)."""
    h = mp.mpf(2) ** -(level + 2)
    last = mp.asinh(2 * _need() * mp.log(2) / mp.pi)
    nodes = []
    for k in range(0, int(mp.ceil(last / h)) + 1):
        if level == 0 or k % 2:
            e = mp.exp(-mp.pi * mp.sinh(k * h))
            weight = mp.pi * mp.cosh(k * h) * e / (1 + e) ** 2
            nodes.append((e / (1 + e), weight, 1))
            if k:
                nodes.append((e / (1 + e), weight, 0))
    return nodes


def _refine(term: Callable[[int], tuple[Number, Number]], levels: int = 6) -> Number:
    """Halve the step until two sums agree to more than half the digits (errors square)."""
    total, size = mp.mpf(0), mp.mpf(0)
    before = None
    for level in range(levels):
        new, bulk = term(level)
        h = mp.mpf(2) ** -(level + 2)
        total, size = total + new, size + bulk
        now = total * h
        if before is not None and abs(now - before) <= mp.mpf(10) ** (-0.55 * mp.dps) * size * h:
            return now
        before = now
    raise Unsupported("a quadrature did not settle")


def tail(f: Function, start: Number, sign: int) -> Number:
    """Integral of a smooth ``f`` from ``start`` to sign * oo."""
    _check_end(f, start, mp.mpf(sign))
    try:
        tau = reach(f, start, sign) / (_need() * mp.log(2))
    except _Algebraic:
        far = [start, mp.inf] if sign > 0 else [-mp.inf, start]
        return mp.quad(f, far)

    def term(level: int) -> tuple[Number, Number]:
        values = [w * f(start + sign * tau * x) for x, w in _half_line_nodes(mp.prec, level)]
        return tau * mp.fsum(values), tau * mp.fsum(abs(v) for v in values)

    return _refine(term)


def piece(f: Function, a: Number, b: Number) -> Number:
    """Integral of a smooth ``f`` over the bounded interval (a, b)."""
    if b <= a:
        return mp.mpf(0)
    _check_end(f, a, b - a)
    _check_end(f, b, a - b)
    half, mid = (b - a) / 2, (a + b) / 2
    sums = []
    for degree in (4, 5):
        values = [w * f(mid + half * x) for x, w in _gauss_nodes(degree, mp.prec)]
        sums.append(half * mp.fsum(values))
        size = half * mp.fsum(abs(v) for v in values)
    if abs(sums[1] - sums[0]) <= mp.mpf(10) ** (-0.5 * mp.dps) * size:
        return sums[1]

    def term(level: int) -> tuple[Number, Number]:
        values = [
            w * f(b - (b - a) * x if end else a + (b - a) * x)
            for x, w, end in _interval_nodes(mp.prec, level)
        ]
        return (b - a) * mp.fsum(values), (b - a) * mp.fsum(abs(v) for v in values)

    return _refine(term, 8)


@lru_cache(maxsize=16)
def _gauss_nodes(degree: int, prec: int) -> list[tuple[Number, Number]]:
    return list(_GAUSS.calc_nodes(degree, prec))


def _check_end(f: Function, end: Number, width: Number) -> None:
    """Refuse an integrand that grows like 1/distance or faster at a finite end."""
    near = mp.mpf(10) ** (-mp.dps // 2)
    try:
        value, middle = f(end + near * width), f(end + width / 2)
    except ZeroDivisionError as error:
        raise Undefined("the integrand has a pole at an end of the integral") from error
    if _mag(value) > _mag(middle) + 20:
        order = (_log(value) - _log(f(end + mp.sqrt(near) * width))) / -float(mp.log(near) / 2)
        if order > 0.99:
            raise Divergent(_sign([value]))


def integrate(f: Function, lower: Number, upper: Number, breaks: Iterable[Number] = ()) -> Number:
    """Lebesgue integral of ``f`` over (lower, upper), smooth between ``breaks``.

    Returns a number, or +-oo when the integral of a real function diverges to it; raises
    :class:`lapdp.core.errors.Undefined` when it has no value at all and
    :class:`lapdp.core.errors.Unsupported` when the rules do not settle.

    >>> from mpmath import mp
    >>> mp.nstr(integrate(lambda t: mp.exp(-abs(t)), -mp.inf, mp.inf, [mp.mpf(0)]), 8)
    '2.0'
    >>> integrate(lambda t: mp.mpf(1), mp.mpf(0), mp.inf)
    mpf('+inf')
    """
    if upper < lower:
        return -integrate(f, upper, lower, breaks)
    points = [b for b in sorted(set(breaks)) if lower < b < upper]
    if not points and lower == -mp.inf and upper == mp.inf:
        points = [mp.mpf(0)]
    cuts = [lower, *points, upper]
    total, infinite = mp.mpf(0), set()
    for a, b in zip(cuts[:-1], cuts[1:], strict=True):
        try:
            total += _between(f, a, b)
        except Divergent as stop:
            if stop.sign == 0:
                raise
            infinite.add(stop.sign)
    if len(infinite) > 1:
        raise Divergent()
    return infinite.pop() * mp.inf if infinite else total


def _between(f: Function, a: Number, b: Number) -> Number:
    if a == -mp.inf:
        return mp.mpf(0) if b == -mp.inf else tail(f, b, -1)
    if b == mp.inf:
        return mp.mpf(0) if a == mp.inf else tail(f, a, 1)
    return piece(f, a, b)


def root(f: Function, a: Number, b: Number) -> Number:
    """The zero of a continuous ``f`` with a change of sign between ``a`` and ``b`` (Illinois)."""
    fa, fb = f(a), f(b)
    for _ in range(12 * int(mp.dps)):
        if fa == 0 or fb == 0:
            return a if fa == 0 else b
        c = b - fb * (b - a) / (fb - fa)
        fc = f(c)
        if abs(b - a) <= mp.eps * (1 + abs(b)) * 4 or fc == 0 or c in (a, b):
            return c
        if fc * fb < 0:
            a, fa = b, fb
        else:
            fa = fa / 2
        b, fb = c, fc
    return b


def sign_changes(f: Function, low: int = -24, high: int = 24, step: int = 4) -> list[Number]:
    """Zeros of ``f`` found by a change of sign on a grid of ``step`` points a unit."""
    grid = [mp.mpf(k) / step + mp.mpf("0.0137") for k in range(low * step, high * step)]
    found = []
    values = [f(x) for x in grid]
    for a, b, fa, fb in zip(grid[:-1], grid[1:], values[:-1], values[1:], strict=True):
        if (fa < 0 < fb) or (fb < 0 < fa):
            found.append(root(f, a, b))
    return found
