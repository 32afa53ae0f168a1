"""A relation at one exact point of its parameters, by balls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sympy as sp

from lapdp.balls import enclosure
from lapdp.balls import sign as ball_sign
from lapdp.core.errors import Undefined
from lapdp.core.verdict import Judgement, Kind, Witness

ENDS = {sp.oo: 1, sp.S.NegativeInfinity: -1}


def in_domain(point: Any, where: Sequence[Any]) -> bool:
    """Does the point satisfy assumptions and hypotheses, provably?"""
    for s, v in point.items():
        sign = ball_sign(v)
        if (s.is_positive and sign != 1) or (s.is_negative and sign != -1):
            return False
        if (s.is_nonnegative and sign == -1) or (s.is_nonpositive and sign == 1):
            return False
        if s.is_integer and not v.is_integer:
            return False
    try:
        return all(truth(form, point, 30) is True for form in where)
    except Undefined:
        return False


def truth(form: Any, point: Any, digits: int) -> bool | None:
    """Does a relation hold at an exact point?  None if balls cannot tell.

    Raises :class:`Undefined` where a side provably has no value, or none that can be ordered.

    >>> import sympy as sp
    >>> x = sp.Symbol("x")
    >>> truth(sp.exp(x) > 2, {x: sp.Integer(1)}, 20)
    True
    >>> truth(x < sp.oo, {x: sp.Integer(1)}, 20), truth(x <= -sp.oo, {x: sp.Integer(1)}, 20)
    (True, False)
    """
    op = form.rel_op
    if form.lhs in ENDS or form.rhs in ENDS:
        return _against_an_end(form, point, digits)
    for side in (form.lhs, form.rhs):
        ball = enclosure(side, point, digits)
        if op not in ("==", "!=") and not ball.imag.contains(0):
            raise Undefined(f"{side} is not real")
    difference = form.lhs.xreplace(point) - form.rhs.xreplace(point)
    if difference == 0:
        return op in ("==", ">=", "<=")
    if op in ("==", "!="):
        separate = not enclosure(difference, {}, digits).contains(0)
        return (op == "!=") if separate else None
    s = ball_sign(difference, {}, digits)
    if s is None:
        return None
    return {">": s > 0, ">=": s >= 0, "<": s < 0, "<=": s <= 0}[op]


def _against_an_end(form: Any, point: Any, digits: int) -> bool | None:
    """:func:`truth` where a side is +oo or -oo itself: both are values, beyond every real one."""
    places = []
    for side in (form.lhs, form.rhs):
        if side in ENDS:
            places.append(ENDS[side])
            continue
        ball = enclosure(side, point, digits)
        if form.rel_op not in ("==", "!=") and not ball.imag.contains(0):
            raise Undefined(f"{side} is not real")
        if not ball.is_finite():
            return None
        places.append(0)
    left, right = places
    return {"==": left == right, "!=": left != right, "<": left < right, "<=": left <= right,
            ">": left > right, ">=": left >= right}[form.rel_op]


def fails(claim: Any, point: Any, digits: int, method: str) -> Judgement:
    """The judgement on a relation that fails at an exact point."""
    lhs, rhs = (str(side) if side in ENDS else
                str(enclosure(side, point, digits).str(min(digits, 20)))
                for side in (claim.lhs, claim.rhs))
    return refuted(method, point, lhs, rhs, "the relation fails, proved at an exact point")


def refuted(method: str, point: Any, lhs: str, rhs: str, why: str) -> Judgement:
    """A refutation with an exact point as its witness."""
    values = {str(k): str(v) for k, v in point.items()}
    text = "; ".join(f"{k} = {v}" for k, v in values.items()) or "the numbers themselves"
    return Judgement(Kind.REFUTED, method, witness=Witness(text, values, lhs, rhs, why), reason=why)
