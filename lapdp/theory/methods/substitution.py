"""Change of variable: a number in (0, 1] is e^(-v^2/c) with v >= 0."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import outermost
from lapdp.theory.statement import Statement

METHOD = "change of variable"
SCALES = (1, 2)
"""Values of c: sqrt(log(1/d)) is v, sqrt(2 log(1/d)) is v."""


def by_substitution(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove a relation in d, 0 < d <= 1, in which the logarithm of d occurs, in v >= 0.

    v -> e^(-v^2/c) maps [0, oo) onto (0, 1] and (0, oo) onto (0, 1), so the claim for every such d
    is the claim for every such v.  The only hypothesis on d must be ``d <= 1`` or ``d < 1``.
    """
    claim = statement.claim
    if not isinstance(claim, Relational):
        return None
    logs = claim.lhs.atoms(sp.log) | claim.rhs.atoms(sp.log)
    for d in statement.parameters:
        if not d.is_positive or not any(x.args[0] in (d, 1 / d) for x in logs):
            continue
        own = [h for h in statement.where if any(
            d in sp.sympify(e).free_symbols for e in lang.expressions(h))]
        if own not in ([lang.Le(d, 1)], [lang.Lt(d, 1)]):
            raise Unsupported(f"the range of {d} is not (0, 1] or (0, 1)")
        sign = {"positive": True} if isinstance(own[0], sp.Lt) else {"nonnegative": True}
        v = sp.Symbol(f"v_{d.name}", **sign)
        if any(s.name == v.name for s in statement.parameters):
            raise Unsupported(f"the name {v} is taken")
        where = tuple(h for h in statement.where if h not in own)
        problems: list[str] = []
        for c in SCALES:
            sides = (_put(side, d, v**2 / c) for side in (claim.lhs, claim.rhs))
            reduced = claim.func(*sides, evaluate=False)
            if any(_put(x, d, v**2 / c) not in set(outermost(new)) for old, new in zip(
                    claim.args, reduced.args, strict=True) for x in outermost(old)):
                raise Unsupported("a value that cancels once the variable is changed")
            lemma = replace(statement, id=f"{statement.id}/{METHOD}", claim=reduced, where=where,
                            hints={})
            try:
                return by_lemmas(METHOD, [(f"{d} = e^(-{v}^2/{c})", prove(lemma))])
            except Unsupported as problem:
                problems.append(str(problem))
        raise Unsupported("; ".join(problems))
    return None


def _put(e: Any, d: Any, x: Any) -> Any:
    """``e`` at d = e^(-x), with log d = -x for real x."""
    e = e.replace(lambda y: isinstance(y, sp.log) and y.args[0] == 1 / d, lambda y: x)
    e = e.replace(lambda y: isinstance(y, sp.log) and y.args[0] == d, lambda y: -x)
    return e.xreplace({d: sp.exp(-x)})


__all__ = ["by_substitution"]
