"""Quadrature on smooth pieces, with a verdict on divergence.

Four rules, each checked by a refinement: Gauss-Legendre on bounded pieces, tanh-sinh where an end
is singular, the double-exponential rule t = exp(u - exp(-u)) on half-lines, and equal steps on the
whole line, whose error is exponentially small in 1/h for what is analytic near it.  Nothing here
knows what is integrated.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise

from mpmath import mp
from mpmath.calculus.quadrature import GaussLegendre

from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric.tails import (
    Algebraic,
    Divergent,
    Function,
    Hidden,
    Number,
    common_sign,
    log_size,
    magnitude,
    needed,
    reach,
    state,
)

_GAUSS = GaussLegendre(mp)
_CHUNK, _LONGEST, _PARTS, _STEPS = 3, 600, 64, 64
_ELSEWHERE = mp.mpf("0.38196601")
"""Where else steps begin, as a part of one."""
_EXTRA = (0, 2, 8)
"""Bits added for each unit of distance, when rounding hides an integrand that is cheap."""


@lru_cache(maxsize=64)
def _half_line_nodes(prec: int, level: int) -> list[tuple[Number, Number]]:
    h = mp.mpf(2) ** -(level + 2)
    scale = needed() * mp.log(2)
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
    last = mp.asinh(2 * needed() * mp.log(2) / mp.pi)
    nodes = []
    for k in range(0, int(mp.ceil(last / h)) + 1):
        if level == 0 or k % 2:
            e = mp.exp(-mp.pi * mp.sinh(k * h))
            weight = mp.pi * mp.cosh(k * h) * e / (1 + e) ** 2
            nodes.append((e / (1 + e), weight, 1))
            if k:
                nodes.append((e / (1 + e), weight, 0))
    return nodes


def _refine(term: Callable[[int], tuple[Number, Number]], levels: int, floor: Number) -> Number:
    """Halve the step until two sums agree to more than half the digits (errors square).

    A difference below ``floor`` does not matter to the integral that this is a part of.
    """
    total, size = mp.mpf(0), mp.mpf(0)
    before = None
    for level in range(levels):
        new, bulk = term(level)
        h = mp.mpf(2) ** -(level + 2)
        total, size = total + new, size + bulk
        now = total * h
        near = max(mp.mpf(10) ** (-0.55 * mp.dps) * size * h, floor)
        if before is not None and abs(now - before) <= near:
            return now
        before = now
    raise Unsupported("a quadrature did not settle")


def tail(f: Function, start: Number, sign: int, exact: bool, floor: Number) -> Number:
    """Integral of a smooth ``f`` from ``start`` to sign * oo; arguments as of :func:`integrate`."""
    gap = _gap(f, start, mp.mpf(sign), exact)
    for extra in _EXTRA:
        g = f if extra == 0 else _with_bits(f, start, extra)
        try:
            distance = reach(g, start, sign, exact)
        except Hidden:
            continue
        except Algebraic:
            return mp.quad(f, [start, mp.inf] if sign > 0 else [-mp.inf, start])
        if distance == 0:
            return mp.mpf(0)
        try:
            return _double_exponential(g, start, sign * distance, gap, floor)
        except Unsupported:
            return _chunks(g, start, sign * distance, exact, floor)
    raise Unsupported("rounding hides the tail of an integrand")


def _chunks(f: Function, start: Number, distance: Number, exact: bool, floor: Number) -> Number:
    """A tail that oscillates many times while it decays, or rises far away, in bounded pieces."""
    if abs(distance) > _LONGEST:
        cuts = [start + distance * k / _PARTS for k in range(_PARTS + 1)]
        return mp.fsum(piece(f, min(x, y), max(x, y), exact, floor) for x, y in pairwise(cuts))
    return _bounded(f, min(start, start + distance), max(start, start + distance), exact, floor)


def _bounded(f: Function, a: Number, b: Number, exact: bool, floor: Number) -> Number:
    """A bounded interval in pieces short enough for the Gauss rule."""
    count = int((b - a) / _CHUNK) + 1
    if count > _LONGEST / _CHUNK:
        count = 1
    cuts = [a + (b - a) * k / count for k in range(count)] + [b]
    return mp.fsum(piece(f, x, y, exact, floor) for x, y in pairwise(cuts))


def _with_bits(f: Function, start: Number, extra: int) -> Function:
    def evaluate(x: Number) -> Number:
        with mp.extraprec(64 + extra * int(abs(x - start))):
            value = f(x)
        return +value

    return evaluate


def _double_exponential(f: Function, start: Number, distance: Number, gap: Number, floor: Number
                        ) -> Number:
    tau, sign = abs(distance) / (needed() * mp.log(2)), mp.sign(distance)

    def term(level: int) -> tuple[Number, Number]:
        values = [w * f(start + sign * max(tau * x, gap))
                  for x, w in _half_line_nodes(mp.prec, level)]
        return tau * mp.fsum(values), tau * mp.fsum(abs(v) for v in values)

    return _refine(term, 6, floor)


def piece(f: Function, a: Number, b: Number, exact: bool, floor: Number) -> Number:
    """Integral of a smooth ``f`` over the bounded (a, b); arguments as of :func:`integrate`."""
    if b <= a:
        return mp.mpf(0)
    left, right = _gap(f, a, b - a, exact), _gap(f, b, a - b, exact)
    half, mid = (b - a) / 2, (a + b) / 2
    before = mp.inf
    for degree in (3, 4, 5):
        values = [w * f(mid + half * x) for x, w in _gauss_nodes(degree, mp.prec)]
        now, size = half * mp.fsum(values), half * mp.fsum(abs(v) for v in values)
        if abs(now - before) <= max(mp.mpf(10) ** (-0.55 * mp.dps) * size, floor):
            return now
        before = now

    def term(level: int) -> tuple[Number, Number]:
        values = [
            w * f(b - max((b - a) * x, right) if end else a + max((b - a) * x, left))
            for x, w, end in _interval_nodes(mp.prec, level)
        ]
        return (b - a) * mp.fsum(values), (b - a) * mp.fsum(abs(v) for v in values)

    try:
        return _refine(term, 8, floor)
    except Unsupported:
        if exact and all(state(f, a + (b - a) * x, exact) == "zero" for x in (0.3, 0.5, 0.9)):
            return mp.mpf(0)
        raise


@lru_cache(maxsize=16)
def _gauss_nodes(degree: int, prec: int) -> list[tuple[Number, Number]]:
    return list(_GAUSS.calc_nodes(degree, prec))


def _gap(f: Function, end: Number, width: Number, exact: bool) -> Number:
    """How near to a finite end nodes may come; raises :class:`Divergent` at a pole.

    Where the integrand is bounded they keep off the end by more than the rounding of breakpoints;
    where it is singular (but integrable) they go all the way.
    """
    near = mp.mpf(10) ** (-mp.dps // 2)
    try:
        value, middle = f(end + near * width), f(end + width / 2)
    except ZeroDivisionError as error:
        raise Undefined("the integrand has a pole at an end of the integral") from error
    if magnitude(value) <= magnitude(middle) + 20 or (
            exact and state(f, end + near * width, exact) != "ok"):
        return min(mp.mpf(10) ** (9 - mp.dps) * (1 + abs(end)), abs(width) / 8)
    order = (log_size(value) - log_size(f(end + mp.sqrt(near) * width))) / -float(mp.log(near) / 2)
    if order > 0.99:
        raise Divergent(common_sign([value]))
    return mp.mpf(0)


def integrate(f: Function, lower: Number, upper: Number, breaks: Iterable[Number] = (),
              exact: bool = True) -> Number:
    """Lebesgue integral of ``f`` over (lower, upper), smooth between ``breaks``.

    ``exact`` says that ``f`` can be evaluated with any number of bits at little cost.

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
        return -integrate(f, upper, lower, breaks, exact)
    points = [b for b in sorted(set(breaks)) if lower < b < upper]
    if not points and lower == -mp.inf and upper == mp.inf:
        if (whole := _whole_line(f, exact)) is not None:
            return whole
        points = [mp.mpf(0)]
    stretches = list(pairwise([lower, *points, upper]))
    total, infinite, floor = mp.mpf(0), set(), mp.mpf(0)
    for a, b in sorted(stretches, key=lambda ends: _weight(f, *ends), reverse=True):
        try:
            part = _between(f, a, b, exact, floor)
        except Divergent as stop:
            if stop.sign == 0:
                raise
            infinite.add(stop.sign)
        else:
            total += part
            floor = max(floor, abs(part) * mp.mpf(10) ** -mp.dps)
    if len(infinite) > 1:
        raise Divergent()
    return infinite.pop() * mp.inf if infinite else total


def _whole_line(f: Function, exact: bool) -> Number | None:
    """Integral of a smooth ``f`` over the line by equal steps; None where another rule has to
    settle it: slow decay, rounding, divergence, too many steps."""
    try:
        left, right = (reach(f, mp.mpf(0), sign, exact) for sign in (-1, 1))
    except (Algebraic, Divergent, Hidden, Unsupported, ZeroDivisionError):
        return None
    width = left + right
    if not width:
        return mp.mpf(0)
    # no coarser than the pieces that the other rules begin with
    step = min(width / _STEPS, max(mp.mpf(1) / 2, width / (12 * _PARTS)))

    def sum_of(h: Number, offset: Number, odd: bool) -> tuple[Number, Number]:
        values = [f((k + offset) * h) for k in range(int(mp.ceil(-left / h)), int(right / h) + 1)
                  if k % 2 or not odd]
        return 4 * step * mp.fsum(values), 4 * step * mp.fsum(abs(v) for v in values)

    last = 0

    def term(level: int) -> tuple[Number, Number]:
        nonlocal last
        last = level
        return sum_of(step / 2**level, mp.mpf(0), level > 0)

    try:
        whole = _refine(term, 3, mp.mpf(0))
        # a wave as short as a step is seen as a slow one, by finer steps as well: not if they begin
        # elsewhere
        moved, size = (x / 2**(last + 2) for x in sum_of(step / 2**last, _ELSEWHERE, False))
    except (Unsupported, ZeroDivisionError):
        return None
    return whole if abs(whole - moved) <= mp.mpf(10) ** (-0.55 * mp.dps) * size else None


def _weight(f: Function, a: Number, b: Number) -> Number:
    """A guess at the size of a stretch: the large ones first, they tell what is negligible."""
    if mp.isinf(a) or mp.isinf(b):
        return mp.mpf(-1)
    return abs(f((a + b) / 2)) * (b - a)


def _between(f: Function, a: Number, b: Number, exact: bool, floor: Number) -> Number:
    if a == -mp.inf:
        return mp.mpf(0) if b == -mp.inf else tail(f, b, -1, exact, floor)
    if b == mp.inf:
        return mp.mpf(0) if a == mp.inf else tail(f, a, 1, exact, floor)
    return _bounded(f, a, b, exact, floor)


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
    for (a, fa), (b, fb) in pairwise(zip(grid, values, strict=True)):
        if (fa < 0 < fb) or (fb < 0 < fa):
            found.append(root(f, a, b))
    return found
