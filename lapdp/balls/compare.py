"""Signs and differences proved by balls."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from lapdp.balls.evaluate import enclosure


def separated(lhs: Any, rhs: Any, values: Mapping[Any, Any] | None = None, digits: int = 30
              ) -> bool | None:
    """True when balls prove ``lhs != rhs`` at ``values``; None when they prove nothing.

    Never False: balls cannot prove equality.  Raises as :func:`~lapdp.balls.enclosure`.

    >>> import sympy as sp
    >>> separated(sp.sqrt(2) + sp.sqrt(3), sp.sqrt(5 + 2 * sp.sqrt(6)))
    >>> separated(sp.pi, sp.Rational(355, 113))
    True
    """
    for d in (digits, 4 * digits):
        left, right = enclosure(lhs, values, d), enclosure(rhs, values, d)
        if not left.overlaps(right):
            return True
    return None


def sign(expr: Any, values: Mapping[Any, Any] | None = None, digits: int = 30) -> int | None:
    """-1, 0 or 1 when the sign of a real expression is proved, else None.

    0 is answered only for a ball that is exactly 0.

    >>> import sympy as sp
    >>> sign(sp.exp(sp.pi) - sp.pi - 20), sign(sp.Integer(0))
    (-1, 0)
    """
    z = enclosure(expr, values, digits)
    if not z.imag.is_zero():
        return None
    if z.real > 0:
        return 1
    if z.real < 0:
        return -1
    return 0 if z.real.is_zero() else None
