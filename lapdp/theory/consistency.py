"""Do the hypotheses of a statement contradict each other?  What follows from them then is empty.

They do not where some exact instance satisfies them all.  They do where the others prove that one
of them fails: for all values that it is meant for, of which there are some.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.core.errors import Unsupported
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.rewriting import lemma_of, plain
from lapdp.theory.statement import Statement
from lapdp.theory.witness import search

SECONDS = 0.3
"""Of the search for an instance."""
NEGATED: dict[Any, Any] = {sp.Le: sp.Gt, sp.Lt: sp.Ge, sp.Ge: sp.Lt, sp.Gt: sp.Le, sp.Eq: sp.Ne,
                           sp.Ne: sp.Eq}


def contradictory(statement: Statement, prove: Callable[[Statement], Any]) -> Any:
    """A hypothesis that fails by the others, or None where none is seen to.

    Relations that cells read are compared before; only the others are asked for.
    """
    try:
        others = gather(statement).other
    except Unsupported:
        return None
    fixed = [form for form in statement.where if _denied(form) is not None]
    if not (others or fixed) or _has_instance(statement):
        return None
    for form in fixed:
        where = tuple(h for h in statement.where if h is not form)
        try:
            prove(lemma_of(statement, _denied(form), where))
        except Unsupported:
            continue
        return form
    for form in statement.where:
        universal = plain(form)
        if form not in others:
            continue
        if not isinstance(universal, lang.ForAll):
            universal = lang.ForAll((), universal)
        if type(universal.claim) not in NEGATED or not _not_empty(universal):
            continue
        negated = NEGATED[type(universal.claim)](*universal.claim.args, evaluate=False)
        where = (*(h for h in statement.where if h is not form), *universal.where)
        try:
            prove(lemma_of(statement, negated, where))
        except Unsupported:
            continue
        return form
    return None


def _denied(form: Any) -> Any:
    """The relation that a hypothesis on a concrete pair excludes; None for another hypothesis."""
    if any(a.mechanism is None for p in lang.pairs_of(form) for a in p.atoms()):
        return None
    if isinstance(form, lang.NoAtom):
        return lang.Gt(pn.Pr(form.Z, "==", form.x), 0)
    if isinstance(form, lang.AbsolutelyContinuous):
        return lang.Gt(pn.Pr(pn.PLD(form.P, form.Q), "==", sp.oo), 0)
    return None


def _has_instance(statement: Statement) -> bool:
    functions = {type(x).__name__ for h in statement.where for e in lang.expressions(h)
                 for x in sp.sympify(e).atoms(AppliedUndef)}
    nowhere = replace(statement, claim=lang.Eq(1, 0))
    return search(nowhere, sorted(functions), SECONDS)[0] is not None


def _not_empty(universal: Any) -> bool:
    """Is a hypothesis meant for some values, whatever the parameters are?"""
    if not universal.where:
        return True
    mine = set(universal.over)
    if not all(isinstance(h, Relational) and h.free_symbols <= mine for h in universal.where):
        return False
    return search(Statement("a range", lang.Eq(1, 0), where=universal.where), [], SECONDS)[
        0] is not None


__all__ = ["contradictory"]
