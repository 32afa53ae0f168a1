"""Improper integrals: the limit of integrals over growing intervals.

Theorem.  If the integral of |g| over (a, oo) or over the line is finite, the integrals of g over
(a, c), or over (-c, c), tend to the integral of g as c tends to oo (dominated convergence).
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.core import facts as known
from lapdp.core.verdict import Judgement
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.statement import Statement


def by_absolute_convergence(statement: Statement, prove: Prove) -> Judgement | None:
    """Replace every improper integral of an equality that converges absolutely, and prove it."""
    claim = statement.claim
    if not isinstance(claim, sp.Eq):
        return None
    proper: dict[Any, Any] = {}
    lemmas = []
    for node in claim.lhs.atoms(cn.Limit) | claim.rhs.atoms(cn.Limit):
        found = _improper(node)
        if found is not None:
            body, t, lower = found
            whole = body if lower == -sp.oo else body * cn.Indicator(sp.Gt(t, lower))
            lemma = Statement(f"{statement.id}: absolute convergence",
                              lang.Converges(cn.Bilateral(whole, t, 0)), where=statement.where)
            lemmas.append(("an integral converges absolutely", prove(lemma)))
            proper[node] = cn.IntegralOnLine(body, t, lower, sp.oo)
    if not proper:
        return None
    rest = replace(statement, id=f"{statement.id}: without limits",
                   claim=lang.Eq(claim.lhs.xreplace(proper), claim.rhs.xreplace(proper)))
    lemmas.append(("the equality of the integrals", prove(rest)))
    return by_lemmas("improper integrals", lemmas, [known.DOMINATED_CONVERGENCE])


def _improper(node: Any) -> tuple[Any, Any, Any] | None:
    """(integrand, variable, lower end) of lim over c of an integral over (a, c) or (-c, c)."""
    inner, c, point, side = node.args
    if not isinstance(inner, cn.IntegralOnLine) or point != sp.oo or str(side) != "_":
        return None
    body, t, lower, upper = inner.args
    if upper != c or c in body.free_symbols or t == c or not c.is_real:
        return None
    if lower == -c:
        return body, t, -sp.oo
    return None if c in lower.free_symbols or not lower.is_real else (body, t, lower)
