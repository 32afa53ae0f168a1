"""Claims as methods take them: divergences as exponentials, and values put in for letters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from lapdp.core.errors import Unsupported
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.having_values import require_kept
from lapdp.theory.normal_losses import without_normal_losses
from lapdp.theory.reach import bound_anywhere
from lapdp.theory.statement import Statement

_NODES = (pn.Expectation, pn.Moment, pn.IntegralOverSpace)


def unfold(statement: Statement) -> Statement:
    """R_q = log(E_q)/(q - 1): an equality of R_q becomes one of exponentials; losses of Gaussian
    pairs get their closed forms.

    e^((q-1) R_q) = E_q, and the principal logarithm is injective away from 0.  For a right side
    that is no logarithm this needs real values, so the orders must be real.
    """
    statement = without_normal_losses(statement)
    claim = statement.claim
    if not isinstance(claim, sp.Eq):
        return statement
    for lhs, rhs in ((claim.lhs, claim.rhs), (claim.rhs, claim.lhs)):
        if isinstance(lhs, pn.RenyiDivergence):
            q = lhs.args[0]
            if sp.sympify(q) == 1:
                # e^0 says nothing of R_1, the divergence of Kullback and Leibler
                return statement
            target = exponential_of(rhs, q)
            if target is None:
                return statement
            return replace(statement, claim=lang.Eq(sp.exp((q - 1) * lhs), target))
    return statement


def exponential_of(rhs: Any, q: Any) -> Any:
    """e^((q-1) rhs), if that determines rhs."""
    if isinstance(rhs, pn.RenyiDivergence):
        return sp.exp((q - 1) * rhs)
    if rhs.has(sp.oo, -sp.oo):
        return None  # (q - 1) oo is oo on one side of q = 1, and -oo on the other
    logs = [x for x in rhs.atoms(sp.log) if x.args[0].has(*_NODES) or not x.args[0].is_Rational]
    if len(logs) == 1 and sp.cancel(rhs / logs[0] * (q - 1)) == 1:
        return logs[0].args[0]
    if not logs and all(s.is_real for s in rhs.free_symbols):
        return sp.exp(sp.expand((q - 1) * rhs))
    return None


def substitute_form(form: Any, values: dict[Any, Any]) -> Any:
    """A claim or hypothesis with symbols replaced; relations stay unevaluated."""
    if bound_anywhere(form) & {s for v in values.values() for s in v.free_symbols}:
        raise Unsupported("a value that speaks of a bound variable")
    require_kept(form, values)
    if isinstance(form, sp.core.relational.Relational):
        return form.func(form.lhs.subs(values), form.rhs.subs(values), evaluate=False)
    if isinstance(form, (lang.Converges, lang.Diverges)):
        return type(form)(form.node.subs(values))
    if isinstance(form, lang.Defined):
        return lang.Defined(form.expr.subs(values))
    raise Unsupported(f"a value put into {type(form).__name__}")


__all__ = ["exponential_of", "substitute_form", "unfold"]
