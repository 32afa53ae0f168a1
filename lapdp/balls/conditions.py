"""Conditions on balls: True, False, or None where the ball cannot tell."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from sympy.core.relational import Relational
from sympy.logic.boolalg import And, BooleanFalse, BooleanTrue, Not, Or

from lapdp.core.errors import Undefined, Unsupported

Truth = Callable[[Mapping[Any, Any], bool], bool | None]


def compare(x: Any, op: str) -> bool | None:
    """Does ``x op 0`` hold for the whole real ball?  None when the ball cannot tell.

    >>> from flint import arb
    >>> compare(arb(1), ">"), compare(arb(0), ">"), compare(arb(0, 1), ">")
    (True, False, None)
    """
    if op in ("==", "!="):
        same = True if x.is_zero() else (None if x.contains(0) else False)
        return same if same is None or op == "==" else not same
    yes, no = {
        ">": (x > 0, x <= 0), "<": (x < 0, x >= 0), ">=": (x >= 0, x < 0), "<=": (x <= 0, x > 0),
    }[op]
    return True if yes else (False if no else None)


def truth_of(c: Any, build: Callable[[Any], Any]) -> Truth:
    """Compile a condition; ``build`` compiles the terms it compares.

    Raises :class:`Unsupported` for a condition that is no combination of relations, or that orders
    moving terms not visibly real.
    """
    if c in (True, False) or isinstance(c, (BooleanTrue, BooleanFalse)):
        value = bool(c)
        return lambda point, analytic: value
    if isinstance(c, Not):
        inner = truth_of(c.args[0], build)
        return lambda point, analytic: None if (x := inner(point, analytic)) is None else not x
    if isinstance(c, (And, Or)):
        return _combine([truth_of(x, build) for x in c.args], isinstance(c, Or))
    if isinstance(c, Relational):
        return _relation(c, build)
    raise Unsupported(f"no balls for the condition {type(c).__name__}")


def _relation(c: Any, build: Callable[[Any], Any]) -> Truth:
    d, op = build(c.lhs - c.rhs), c.rel_op
    equality = op in ("==", "!=")
    if not equality and d.moving and not d.real:
        raise Unsupported("an inequality between terms that are not visibly real")

    def truth(point: Mapping[Any, Any], analytic: bool) -> bool | None:
        z = d.run(point, analytic)
        if equality:
            return compare(z, op)
        if not d.real and not z.imag.is_zero():
            if z.imag.contains(0):
                return None
            raise Undefined("an inequality between numbers that are not real")
        return compare(z.real, op)

    return truth


def _combine(parts: list[Truth], disjunction: bool) -> Truth:
    def truth(point: Mapping[Any, Any], analytic: bool) -> bool | None:
        values = [p(point, analytic) for p in parts]
        if any(v is disjunction for v in values):
            return disjunction
        return None if None in values else not disjunction

    return truth
