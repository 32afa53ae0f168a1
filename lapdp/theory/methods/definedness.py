"""Is an expression defined, or differentiable, everywhere in a cell?"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core.errors import Undefined, Unsupported
from lapdp.theory.methods.tower import ENTIRE, ON_POSITIVES, ON_REALS, SIGNED, Tower
from lapdp.theory.render import word_of


def require(tower: Tower, e: Any, smooth: bool = False) -> None:
    """Raise :class:`Undefined` or :class:`Unsupported` unless ``e`` is defined in the cell.

    With ``smooth`` it must also be differentiable (holomorphic in complex parameters).  Raises
    ``NeedSplit`` where the cell leaves a sign open.

    >>> from lapdp.calculus.ordering import Cell
    >>> x = sp.Symbol("x", positive=True)
    >>> require(Tower(Cell()), sp.log(x) / (1 + x))
    """
    for node in sp.postorder_traversal(e):
        if node in (sp.zoo, sp.nan, sp.oo, -sp.oo):
            raise Undefined(f"{node} is not a number")
        if node.is_Pow:
            _require_power(tower, node, smooth)
        elif isinstance(node, (sp.Function, sp.re, sp.im)):
            _require_function(tower, node, smooth)


def _require_power(tower: Tower, e: Any, smooth: bool) -> None:
    base, exponent = tower.scalar(e.base), e.exp
    if exponent.is_Integer:
        if exponent < 0 and not tower.nonzero(base):
            raise Undefined(f"a division by zero: {e.base} = 0")
        return
    if exponent.is_Rational and exponent > 0 and not smooth:
        form = base.as_form()
        if form is not None and tower.real(base) and tower.cell.entails(
                form.substitute(tower.cell.values), ">="):
            return
    sign = tower.sign(base)
    if sign < 0:
        raise Unsupported(f"a power of {e.base}, which is negative")
    if sign == 0 and (smooth or not exponent.is_positive):
        raise Undefined(f"the power {e} at 0")


def _require_function(tower: Tower, e: Any, smooth: bool) -> None:
    if isinstance(e, ENTIRE):
        return
    args = [tower.scalar(a) for a in e.args]
    if isinstance(e, (sp.re, sp.im)):
        if smooth:
            raise Unsupported(f"{word_of(e)} is not differentiated")
    elif isinstance(e, (sp.tan, sp.sec, sp.cot, sp.csc, sp.coth, sp.csch)):
        # all are quotients by cos, sin or sinh
        below = {sp.tan: sp.cos, sp.sec: sp.cos, sp.coth: sp.sinh, sp.csch: sp.sinh}
        if not tower.nonzero(tower.scalar(below.get(type(e), sp.sin)(e.args[0]))):
            raise Undefined(f"{e} has a pole")
    elif not all(tower.real(x) for x in args):
        raise Unsupported(f"{word_of(e)} of complex parameters")
    elif isinstance(e, ON_POSITIVES):
        last = tower.sign(args[-1])
        if last <= 0:
            raise Undefined(f"{e} needs a positive argument") if last == 0 else Unsupported(
                f"{e} of a negative argument")
        if isinstance(e, sp.lowergamma) and tower.sign(args[0]) <= 0:
            raise Undefined(f"{e} needs a positive order")
    elif not isinstance(e, (*ON_REALS, *SIGNED)):
        raise Unsupported(f"{word_of(e)} is outside this method")
