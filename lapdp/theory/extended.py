"""Arithmetic of values in [-oo, oo]: of notions, and of functions on a space at an outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import sympy as sp

from lapdp.calculus.field import Scalar
from lapdp.core.errors import Undefined
from lapdp.privacy.model import Infinite

if TYPE_CHECKING:
    from lapdp.theory.interpret import Interpreter


Value = Scalar | Infinite


def plus(parts: list[Value]) -> Value:
    """The sum of extended reals; oo - oo has no value."""
    ends = {p.sign for p in parts if isinstance(p, Infinite)}
    if len(ends) == 2:
        raise Undefined("oo - oo")
    if ends:
        return Infinite(ends.pop())
    result = Scalar.of(0)
    for p in parts:
        assert isinstance(p, Scalar)
        result = result + p
    return result


def extreme(i: Interpreter, parts: list[Value], largest: bool) -> Value:
    """The largest, or the smallest, of extended reals."""
    best = parts[0]
    for x in parts[1:]:
        if (compare(i, x, best) > 0) == largest:
            best = x
    return best


def compare(i: Interpreter, x: Value, y: Value) -> int:
    """The order of two extended reals."""
    if isinstance(x, Infinite) or isinstance(y, Infinite):
        ends = [v.sign if isinstance(v, Infinite) else 0 for v in (x, y)]
        return (ends[0] > ends[1]) - (ends[0] < ends[1])
    return i.cell.sign_of(x - y)


def times(i: Interpreter, x: Value, y: Value) -> Value:
    """The product of two extended reals; 0 oo has no value."""
    if isinstance(x, Scalar) and isinstance(y, Scalar):
        return x * y
    signs = [v.sign if isinstance(v, Infinite) else i.cell.sign_of(v) for v in (x, y)]
    if 0 in signs:
        raise Undefined("0 times oo")
    return Infinite(signs[0] * signs[1])


def holds(relation: Any, order: int) -> bool:
    """Does a relation hold between sides of this order?"""
    return {sp.Eq: order == 0, sp.Ne: order != 0, sp.Gt: order > 0, sp.Ge: order >= 0,
            sp.Lt: order < 0, sp.Le: order <= 0}[relation.func]


__all__ = ["Value", "compare", "extreme", "holds", "plus", "times"]
