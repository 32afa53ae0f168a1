"""Closures of transforms, integrals, limits and nodes that are functions of an own variable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp
from mpmath import mp

from lapdp.calculus import nodes as calculus
from lapdp.calculus.nodes import Node
from lapdp.core.errors import Undefined, Unsupported
from lapdp.numeric.bromwich import line_integral, symmetric_integral
from lapdp.numeric.elementary import Closure, Env, lookup, real
from lapdp.numeric.generalized import (
    FAR,
    PiecewiseCallable,
    compare_ends,
    convolve,
    differentiate,
    one_sided,
    primitive,
    small,
    transform,
)
from lapdp.numeric.tails import Number

MOST_CANCELLED = 20_000
"""Digits, in a limit."""

OWN_VARIABLE: Mapping[type[Any], int] = {
    calculus.GeneralizedDerivative: 1, calculus.Convolution: 2, calculus.Primitive: 1,
}
"""Nodes that are functions of a variable of their own, and its place among ``args``."""


def laplace(ev: Any, expr: Any) -> Closure:
    g, t, s = expr.args
    frequency = ev.regular(s)
    lower = mp.mpf(0) if isinstance(expr, calculus.OneSided) else -mp.inf
    return lambda env: transform(ev.function(g, t, env), frequency(env), lower, mp.inf, ev.tick)


def integral(ev: Any, expr: Any) -> Closure:
    g, t, a, b = expr.args
    lower, upper = ev.regular(a), ev.regular(b)

    def evaluate(env: Env) -> Number:
        return transform(ev.function(g, t, env), mp.mpf(0), real(lower(env)),
                         real(upper(env)))

    return evaluate


def bromwich(ev: Any, expr: Any) -> Closure:
    G, s, x, gamma = expr.args
    point, line, body = ev.regular(x), ev.regular(gamma), ev.regular(G)

    def evaluate(env: Env) -> Number:
        local = dict(env)
        value, digits = line_integral(
            ev.at(body, s, local), real(point(env)), real(line(env)))
        ev.digits = min(ev.digits, digits)
        return value

    return evaluate


def symmetric(ev: Any, expr: Any) -> Closure:
    g, t, _ = expr.args
    body = ev.regular(g)

    def evaluate(env: Env) -> Number:
        value, digits = symmetric_integral(ev.at(body, t, dict(env)), expr.principal)
        ev.digits = min(ev.digits, digits)
        return value

    return evaluate


def impulse_mass(ev: Any, expr: Any) -> Closure:
    g, t, c = expr.args
    place = ev.regular(c)

    def evaluate(env: Env) -> Number:
        at = real(place(env))
        near = mp.mpf(10) ** -(mp.dps - 8) * (1 + abs(at))
        return mp.fsum(i.mass for i in ev.function(g, t, env).impulses
                       if i.order == 0 and abs(i.at - at) <= near)

    return evaluate


def _cancelled(ev: Any, g: Any, t: Any, sign: int, env: Env) -> int:
    """Digits that may cancel far out in an elementary body: those of its largest and smallest part.

    Between exp(t) and exp(t) - 1 no digit tells the difference at t = 2000 unless there are 870.
    """
    if g.has(Node, sp.core.function.AppliedUndef) or t not in g.free_symbols:
        return 0
    digits = 0
    for part in {e for e in sp.preorder_traversal(g) if t in e.free_symbols and e != t}:
        try:
            size = abs(ev.at(ev.regular(part), t, dict(env))(sign * mp.mpf(FAR[-1])))
        except Undefined:
            continue
        if size != 0 and mp.isfinite(size):
            digits = max(digits, abs(int(mp.log10(size))))
    if digits > MOST_CANCELLED:
        raise Unsupported(f"{digits} digits may cancel in a limit at infinity")
    return 2 * digits


def _settled(value: Number) -> Number:
    """A limit, but for what grows like a power of the distance to the point: it has none here."""
    if mp.isfinite(value) and abs(value) > 1 / mp.sqrt(small()):
        raise Unsupported("a limit that seems to be infinite")
    return value


def limit(ev: Any, expr: Any) -> Closure:
    g, t, c, side = expr.args
    place, body = ev.regular(c), ev.regular(g)

    def evaluate(env: Env) -> Number:
        at = real(place(env))
        f = ev.at(body, t, dict(env))
        if mp.isinf(at):
            sign = 1 if at > 0 else -1
            with mp.workdps(mp.dps + _cancelled(ev, g, t, sign, env)):
                return compare_ends(f, sign)
        if str(side) in ("_-", "_+"):
            return _settled(one_sided(f, at, 1 if str(side) == "_+" else -1))
        for reserve in (1, 2):
            # where the value is a quotient 0/0 at the point, half of the digits cancel
            with mp.workdps(reserve * mp.dps):
                right, left = one_sided(f, at, 1), one_sided(f, at, -1)
            if right == left or (
                    abs(right - left) <= mp.mpf(10) ** -(mp.dps - 15) * (1 + abs(left))):
                return _settled(right)
        raise Undefined("the limits from the two sides differ")

    return evaluate


def own_closure(ev: Any, expr: Any) -> Closure:
    t = expr.args[OWN_VARIABLE[type(expr)]]
    return lambda env: ev.function(expr, t, env)(real(lookup(env, t)))


def own_function(ev: Any, expr: Any, env: Env) -> PiecewiseCallable:
    if isinstance(expr, calculus.GeneralizedDerivative):
        g, t, n = expr.args
        return differentiate(ev.function(g, t, env), int(n))
    if isinstance(expr, calculus.Primitive):
        g, t, lower = expr.args
        return primitive(ev.function(g, t, env), real(ev.value(lower, env)))
    g, h, t, lower = expr.args
    return convolve(ev.function(g, t, env), ev.function(h, t, env),
                    real(ev.value(lower, env)))


BUILDERS: Mapping[type[Any], Callable[[Any, Any], Closure]] = {
    calculus.OneSided: laplace,
    calculus.Bilateral: laplace,
    calculus.IntegralOnLine: integral,
    calculus.Bromwich: bromwich,
    calculus.SymmetricIntegral: symmetric,
    calculus.Impulse: impulse_mass,
    calculus.Limit: limit,
    calculus.GeneralizedDerivative: own_closure,
    calculus.Convolution: own_closure,
    calculus.Primitive: own_closure,
}
