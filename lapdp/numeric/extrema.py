"""Closures of suprema, infima and envelopes, from values at kinks and between them.

A supremum is the largest value at kinks, at finite ends and at one turning point between two
kinks; what is approached at infinity only is not answered.  An envelope is that of a function with
straight pieces, and tests are those of finite pairs, whose pairs of means fill a polygon.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Any

import sympy as sp
from mpmath import mp

from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric.elementary import Closure, Env, OpenConvention, real
from lapdp.numeric.generalized import merge_points, small
from lapdp.numeric.pairs import Pair
from lapdp.numeric.parts import number
from lapdp.numeric.quadrature import root
from lapdp.numeric.ranges import Build
from lapdp.numeric.tails import Number
from lapdp.privacy import tradeoff_nodes as tests

FAR = (1, 2, 4, 8, 16)
"""Distances from the last kink at which values are taken on an unbounded range."""
INNER = 4
"""Stretches into which the range between two kinks is cut."""
Function = Callable[[Any], Any]


def levels_of_kinks(pair: Pair) -> list[Number]:
    """Levels at which the trade-off function of a finite pair bends: masses of P from the
    outcomes on that favour Q most."""
    rows = sorted((row for row in pair.outcomes if row[1]), key=lambda row: row[0] / row[1])
    found, spent = [mp.mpf(0), mp.mpf(1)], Fraction(0)
    for p, _ in rows:
        spent += p
        found.append(number(spent))
    return found


def supremum(ev: Any, expr: Any) -> Closure:
    body, x = expr.args[:2]
    ends = [ev.regular(e) for e in expr.args[2:]]

    def evaluate(env: Env) -> Number:
        low, high = (real(e(env), "an end") for e in ends)
        f = ev.function(body, x, env)
        points = _points(f.breaks, low, high)
        return _largest(lambda u: real(f(u), "a supremum"), points, low, high)

    return evaluate


def infimum(ev: Any, expr: Any) -> Closure:
    """The least x that is allowed; the body is x itself."""
    body, x = expr.args[:2]
    if body != x:
        raise Unsupported("an infimum of another expression than its letter")
    gap = expr.args[4] - expr.args[5]
    ends = [ev.regular(e) for e in expr.args[2:4]]

    def evaluate(env: Env) -> Number:
        low, high = (real(e(env), "an end") for e in ends)
        if mp.isinf(low):
            raise Unsupported("an infimum over an unbounded range")
        f = ev.function(gap, x, env)
        return _first(lambda u: real(f(u)), _points(f.breaks, low, high))

    return evaluate


def envelope(ev: Any, expr: Any) -> Closure:
    body, t, level = expr.args
    place = ev.regular(level)
    # the function that an envelope was taken of last, and its corners
    last: tuple[Any, list[tuple[Number, Number]]] = (None, [])

    def evaluate(env: Env) -> Number:
        nonlocal last
        at = real(place(env), "a level")
        if not 0 <= at <= 1:
            raise Undefined("a level outside [0, 1]")
        f = ev.function(body, t, env)
        if f is not last[0]:
            last = f, _corners(f)
        corners = last[1]
        return min(y if a == b else y + (z - y) * (at - a) / (b - a)
                   for a, y in corners if a <= at for b, z in corners if b >= at)

    return evaluate


def _corners(f: Any) -> list[tuple[Number, Number]]:
    """The ends and kinks on [0, 1] of a function that lies on or above its chords between them:
    of a minimum of such functions those of its parts are enough."""
    corners = [(u, real(f(u))) for u in _points(f.breaks, mp.mpf(0), mp.mpf(1))]
    for (a, y), (b, z) in pairwise(corners):
        for k in range(1, INNER):
            if f(a + (b - a) * k / INNER) < y + (z - y) * k / INNER - small():
                raise Unsupported("the envelope of a curve below its chords")
    return corners


def least_over_tests(ev: Any, expr: Any) -> Closure:
    """The least value of an expression affine in the two means of a test, under such a bound."""
    body, phi, lhs, rhs = expr.args
    parts = (body, lhs - rhs)
    means = {m for part in parts for m in part.atoms(tests.Mean) if m.args[1] == phi}
    pairs = {m.args[0].pair for m in means}
    if len(pairs) != 1 or any(phi in part.xreplace(dict.fromkeys(means, sp.S.Zero)).free_symbols
                              for part in parts):
        raise Unsupported("an infimum over tests of other than the means of one pair")
    (which,) = pairs
    letters = (sp.Dummy("u"), sp.Dummy("v"))
    forms = []
    for part in parts:
        e = sp.expand(part.xreplace({m: letters[m.args[0].side] for m in means}))
        slopes = [e.coeff(s, 1) for s in letters]
        rest = sp.expand(e - sum(c * s for c, s in zip(slopes, letters, strict=True)))
        if any(set(letters) & c.free_symbols for c in (*slopes, rest)):
            raise Unsupported("an infimum over tests that is not affine in their means")
        forms.append([ev.regular(c) for c in (*slopes, rest)])

    def evaluate(env: Env) -> Number:
        space = ev.models.space(which, env)
        if space.parts:
            raise Unsupported("a test on a continuous space")
        (a, b, c), (k, m, n) = ([real(f(env)) for f in form] for form in forms)
        corners = _means(space.masses())
        over = [k * u + m * v + n for u, v in corners]
        allowed = [corner for corner, g in zip(corners, over, strict=True) if g <= small()]
        sides = zip(corners, corners[1:] + corners[:1], over, over[1:] + over[:1], strict=True)
        allowed += [(u + (s - u) * g / (g - h), v + (t - v) * g / (g - h))
                    for (u, v), (s, t), g, h in sides if g * h < 0]
        if not allowed:
            raise Unsupported("an infimum over no test")
        return min(a * u + b * v + c for u, v in allowed)

    return evaluate


def _means(masses: Iterable[tuple[Number, Number]]) -> list[tuple[Number, Number]]:
    """The corners, around, of the polygon of the means (E_P, E_Q) of tests."""
    rows = sorted(((p, q) for p, q in masses if p or q), key=lambda r: mp.atan2(r[1], r[0]))
    u, v = mp.mpf(0), mp.mpf(0)
    corners = []
    for sign in (1, -1):
        for p, q in rows:
            corners.append((u, v))
            u, v = u + sign * p, v + sign * q
    return corners


def _points(breaks: Iterable[Number], low: Number, high: Number) -> list[Number]:
    if not low <= high:
        raise Unsupported("an extremum over no value")
    ends = [x for x in (low, high) if not mp.isinf(x)]
    inner = [x for x in breaks if low < x < high]
    first, last = min([*ends, *inner, mp.mpf(0)]), max([*ends, *inner, mp.mpf(0)])
    far = [first - d for d in FAR if mp.isinf(low)] + [last + d for d in FAR if mp.isinf(high)]
    return list(merge_points([x for x in (*ends, *inner, *far, mp.mpf(0)) if low <= x <= high]))


def _largest(f: Function, points: list[Number], low: Number, high: Number) -> Number:
    values = [f(x) for x in points]
    turning = (_inside(f, a, b) for a, b in pairwise(points))
    best = max([*values, *(top for top in turning if top is not None)])
    near = small() * (1 + abs(best))
    for end, here, before in ((low, 0, 1), (high, -1, -2)):
        if mp.isinf(end) and values[here] > values[before] + near and best - values[here] < near:
            raise Unsupported("a supremum that is approached at infinity")
    return best


def _inside(f: Function, a: Number, b: Number) -> Number | None:
    """The value at a turning point between two kinks, or None where there is none to be seen."""
    step = (b - a) / INNER
    xs = [a + k * step for k in range(INNER + 1)]
    # a slope at the ends tells of a turning point next to them
    ys = [f(x) for x in (a, a + step / 1024, *xs[1:-1], b - step / 1024, b)]
    xs = [a, a + step / 1024, *xs[1:-1], b - step / 1024, b]
    top = max(range(len(ys)), key=ys.__getitem__)
    if top in (0, len(ys) - 1):
        return None
    return _golden(f, xs[top - 1], xs[top + 1])


def _golden(f: Function, a: Number, b: Number) -> Number:
    """The largest value of a function with one turning point; half the digits of its place do."""
    ratio = (mp.sqrt(5) - 1) / 2
    x, y = b - ratio * (b - a), a + ratio * (b - a)
    left, right = f(x), f(y)
    while b - a > mp.mpf(10) ** -(mp.dps // 2) * (1 + abs(a)):
        if left >= right:
            b, y, right = y, x, left
            x = b - ratio * (b - a)
            left = f(x)
        else:
            a, x, left = x, y, right
            y = a + ratio * (b - a)
            right = f(y)
    return max(left, right)


def _first(gap: Function, points: list[Number]) -> Number:
    """The least place at which ``gap`` is not positive."""
    if gap(points[0]) <= small():
        return points[0]
    for a, b in pairwise(points):
        xs = [a + (b - a) * k / INNER for k in range(INNER)] + [b]
        for x, y in pairwise(xs):
            if gap(y) < -small():
                return root(gap, x, y)
            if gap(y) <= small():
                if gap((x + y) / 2) <= small():
                    raise Unsupported("an infimum where a curve is flat")
                return y
    raise OpenConvention("an infimum over no value")


BUILDERS: Mapping[type[Any], Build] = {
    tests.SupOverReals: supremum,
    tests.InfOverReals: infimum,
    tests.Envelope: envelope,
    tests.InfOverTests: least_over_tests,
}
