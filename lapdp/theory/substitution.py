"""Values put in for symbols where SymPy would compare what has no value, such as log(0)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from lapdp.calculus.logs import LogOf
from lapdp.calculus.nodes import Node
from lapdp.core.errors import Unsupported

_KEPT = (sp.core.relational.Relational, sp.Piecewise, sp.Max, sp.Min)
_REFUSED = (TypeError, ValueError)
_ASKED = (LogOf, sp.Derivative, sp.Integral, sp.Subs)
"""What SymPy must ask how a letter is replaced in it."""


def put_in(e: Any, values: Mapping[Any, Any]) -> Any:
    """``e`` with values for symbols, all at once; an undefined part stays where it stands.

    >>> x = sp.Symbol("x", real=True)
    >>> put_in(sp.Max(0, 1 + sp.log(x)), {x: sp.Integer(0)})
    Max(0, zoo)
    """
    e = sp.sympify(e)
    try:
        if _plainly(e, values):
            return e.xreplace({s: sp.sympify(v) for s, v in values.items()})
        return e.subs(values, simultaneous=True)
    except _REFUSED:
        pass
    try:
        return _kept(e, values)
    except _REFUSED as problem:
        raise Unsupported(f"SymPy cannot build the instance: {problem}") from None


def _plainly(e: Any, values: Mapping[Any, Any]) -> bool:
    """Do numbers replace letters that nothing in the expression binds?  Then no care is needed, and
    a search that asks thousands of times takes a tenth of the time."""
    if not all(type(s) is sp.Symbol for s in values) or any(
            sp.sympify(v).free_symbols for v in values.values()):
        return False
    return not any(isinstance(x, _ASKED) or (isinstance(x, Node) and (
        type(x)._eval_subs is not Node._eval_subs or (
            x.bound_at is not None and x.args[x.bound_at] in values)))
        for x in sp.preorder_traversal(e))


def _kept(e: Any, values: Mapping[Any, Any]) -> Any:
    if e in values:
        return sp.sympify(values[e])
    if not e.args or (isinstance(e, Node) and e.bound_at is not None):
        return e.subs(values, simultaneous=True)
    args = [_kept(a, values) for a in e.args]
    return e.func(*args, evaluate=False) if isinstance(e, _KEPT) else e.func(*args)


__all__ = ["put_in"]
