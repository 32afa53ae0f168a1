"""Changes of the variable of two densities: none alters the privacy loss.

For a strictly monotone x = g(y) the densities p(g(y)) |g'(y)| and q(g(y)) |g'(y)| have the ratio of
p and q.  Powers of x become exponentials of y, which the exact class holds: x = a e^y turns
c x^b log(x)^n dx into an exponential polynomial in y.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import sympy as sp
from sympy.core.relational import Relational


class Change(NamedTuple):
    """Two densities in another variable: x = ``back`` in terms of the new one."""

    back: Any
    p: Any
    q: Any
    lower: Any
    upper: Any


def changes(p: Any, q: Any, x: Any, lower: Any, upper: Any) -> Iterator[Change]:
    """The pair as it is, then in the log of the distance from a point, then in powers.

    >>> x = sp.Symbol("x", real=True)
    >>> for change in changes(2*x, sp.Integer(1), x, sp.Integer(0), sp.Integer(1)):
    ...     print(change.back, change.p, change.q, change.lower, change.upper)
    x 2*x 1 0 1
    exp(x) 2*exp(2*x) exp(x) -oo 0
    1 - exp(x) -2*exp(2*x) + 2*exp(x) exp(x) -oo 0
    """
    yield Change(x, p, q, lower, upper)
    for anchor, sign in _anchors(p, q, x, lower, upper):
        ends = sorted_ends(sign * (lower - anchor), sign * (upper - anchor), sign)
        yield _logarithmic(p, q, x, anchor, sign, *ends)
    if sp.sympify(lower).is_nonnegative:
        for r in _powers(p, q, x):
            yield _power(p, q, x, r, lower, upper)


def sorted_ends(first: Any, second: Any, sign: int) -> tuple[Any, Any]:
    """The ends of the distances, the nearer one first."""
    return (first, second) if sign > 0 else (second, first)


def _anchors(p: Any, q: Any, x: Any, lower: Any, upper: Any) -> list[tuple[Any, int]]:
    """Points on one side of the support, and the side on which the support is: zeros of
    affine parts of the densities, then the ends."""
    found: list[tuple[Any, int]] = []
    for zero in _zeros(p, q, x):
        if (lower - zero).is_nonnegative:
            found.append((zero, 1))
        elif (zero - upper).is_nonnegative:
            found.append((zero, -1))
    found += [(lower, 1)] if lower != -sp.oo else []
    found += [(upper, -1)] if upper != sp.oo else []
    return list(dict.fromkeys(found))


def _zeros(p: Any, q: Any, x: Any) -> list[Any]:
    """0, and the zeros of sums, bases of powers and arguments of logs that are affine in x."""
    parts = {part for d in (p, q) for e in d.atoms(sp.Add, sp.Pow, sp.log)
             for part in (e, e.args[0])}
    found = {sp.Integer(0)}
    for e in parts:
        slope = sp.diff(e, x)
        if slope != 0 and not slope.has(x):
            found.add(sp.expand(x - e / slope))
    return sorted(found, key=sp.default_sort_key)


def _logarithmic(p: Any, q: Any, x: Any, anchor: Any, sign: int, near: Any, far: Any) -> Change:
    """x = anchor +- scale e^y; the scale is an end, so that symbols leave the new ends."""
    scale = near if near != 0 else far if far != sp.oo else sp.Integer(1)
    back = anchor + sign * scale * sp.exp(x)
    low = -sp.oo if near == 0 else sp.Integer(0)
    high = sp.oo if far == sp.oo else sp.expand_log(sp.log(far / scale))
    p, q = (_expanded(_moved(e, x, back) * scale * sp.exp(x), x) for e in (p, q))
    return Change(back, p, q, low, high)


def _power(p: Any, q: Any, x: Any, r: Any, lower: Any, upper: Any) -> Change:
    """x = y^(1/r) for positive x."""
    y = sp.Dummy("y", positive=True)
    factor = y ** (1 / r - 1) / sp.Abs(r)
    p, q = (sp.expand(_moved(e, x, y ** (1 / r)) * factor).subs(y, x) for e in (p, q))
    ends = [sp.oo if (end == sp.oo) == bool(r > 0) and end in (0, sp.oo) else
            sp.Integer(0) if end in (0, sp.oo) else end**r for end in (lower, upper)]
    low, high = ends if r > 0 else ends[::-1]
    return Change(x ** (1 / r), p, q, low, high)


def _powers(p: Any, q: Any, x: Any) -> list[Any]:
    """Exponents r other than 1 of x within exponentials."""
    inside = {e for d in (p, q) for e in d.atoms(sp.exp)}
    found = {power.exp for e in inside for power in e.args[0].atoms(sp.Pow)
             if power.base == x and power.exp.is_Rational and power.exp != 1}
    return sorted(found, key=sp.default_sort_key)


def _moved(e: Any, x: Any, back: Any) -> Any:
    """``e`` at x = back, case distinctions written as such."""
    return e.rewrite(sp.Piecewise).subs(x, back)


def _expanded(e: Any, x: Any) -> Any:
    """Powers and logs of products multiplied out; conditions on e^x made conditions on x."""
    relations = {r: _solved(r, x) for r in e.atoms(Relational) if r.has(sp.exp(x))}
    return sp.expand(e.xreplace(relations))


def _solved(relation: Any, x: Any) -> Any:
    """A relation affine in e^x as one in x; itself if it is not seen to be so."""
    gap = sp.expand(relation.lhs - relation.rhs)
    slope = gap.coeff(sp.exp(x), 1)
    offset = sp.expand(gap - slope * sp.exp(x))
    if offset.has(x) or slope.has(x) or not (slope.is_positive or slope.is_negative):
        return relation
    if (slope * offset).is_nonnegative:
        # both terms have one sign
        return relation.func(sp.Integer(1 if slope.is_positive else -1), 0)
    if not (slope * offset).is_negative:
        return relation
    distance = x - sp.log(-offset / slope)
    return relation.func(distance if slope.is_positive else -distance, 0)


__all__ = ["Change", "changes"]
