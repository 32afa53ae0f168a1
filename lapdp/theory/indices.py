"""Which indices are whole numbers in their range: of elements, of releases, of compositions.

A sequence begins with element 0, a composition with release 1; what lies before has no meaning.  An
index is in range by the assumptions of its letters, or by linear reasoning from what is supposed
where it stands: hypotheses, ranges of sums, cases.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import sequences as sq
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import LapdpError
from lapdp.privacy import families as fam
from lapdp.privacy.nodes import Distribution
from lapdp.theory import language as lang

Context = tuple[Any, ...]
"""Relations that hold where an expression stands."""


def stray_index(statement: Any) -> str:
    """What is wrong with the first index that may be out of range; "" where all are in range.

    >>> from lapdp.theory import *
    >>> k, e = naturals("k"), sequences("e")
    >>> stray_index(claim("a", Eq(e[3 - k], 0)))
    'e[3 - k]: the index 3 - k may be below 0; suppose 3 - k >= 0 with where, or bind it'
    >>> stray_index(claim("b", Eq(e[3 - k], 0), where=k <= 3))
    ''
    """
    supposed = tuple(_relations(statement.where))
    for form in (statement.claim, *statement.where):
        for told in _strays(form, supposed):
            return told
    return ""


def _relations(forms: Sequence[Any]) -> Iterator[Any]:
    """The relations among hypotheses that hold together."""
    for form in forms:
        if isinstance(form, lang.AllOf):
            yield from _relations(form.claims)
        elif isinstance(form, sp.And):
            yield from _relations(form.args)
        elif isinstance(form, Relational):
            yield form


def _without(context: Context, bound: Sequence[Any]) -> Context:
    """What is known once letters are bound anew."""
    letters = set(bound)
    return tuple(c for c in context if not letters & c.free_symbols)


def _strays(form: Any, known: Context) -> Iterator[str]:
    """What is wrong with indices in a form, or in an expression, by what is known there."""
    if isinstance(form, (tuple, list)):
        for part in form:
            yield from _strays(part, known)
    elif isinstance(form, lang.Implies):
        yield from _strays(form.hypothesis, known)
        yield from _strays(form.conclusion, (*known, *_relations([form.hypothesis])))
    elif isinstance(form, (lang.ForAll, lang.Exists)):
        over = form.over if isinstance(form, lang.ForAll) else (form.symbol,)
        inside = (*_without(known, over), *_relations(form.where))
        yield from _strays((form.claim, form.where), inside)
    elif isinstance(form, Distribution):
        yield from _releases(form, known)
    elif isinstance(form, sp.Basic):
        yield from _in_expression(form, known)
    elif is_dataclass(form):
        for field in fields(form):
            yield from _strays(getattr(form, field.name), known)


def _in_expression(e: Any, known: Context) -> Iterator[str]:
    if isinstance(e, (sq.Term, sq.Recursive)):
        yield from _stray(e, e.args[1], 0, known)
    elif isinstance(e, sq.Recursion):
        yield from _strays(e.args[1], known)
        yield from _strays(e.args[2], (*known, sp.Ge(e.own[0], 1, evaluate=False)))
        return
    elif isinstance(e, (sq.FiniteSum, sq.BinomialMean)):
        body, i, first, last = e.args
        yield from _strays((first, last), known)
        low, high = (first, last) if isinstance(e, sq.FiniteSum) else (sp.S.Zero, first)
        here = (sp.Ge(i, low, evaluate=False), sp.Le(i, high, evaluate=False))
        yield from _strays(body, (*_without(known, [i]), *here))
        return
    elif isinstance(e, sp.Piecewise):
        for branch, condition in e.args:
            yield from _strays(condition, known)
            yield from _strays(branch, (*known, *_relations([condition])))
        return
    for part in e.args:
        yield from _strays(part, known)


def _releases(distribution: Any, known: Context) -> Iterator[str]:
    """Numbers of releases in the pairs that a pair is made of."""
    for part in fam.parts_of(distribution.pair):
        if isinstance(part.role, (fam.Composed, fam.Conditional)):
            least = int(isinstance(part.role, fam.Conditional))
            yield from _stray(distribution, sp.sympify(part.role.index), least, known)


def _stray(e: Any, index: Any, least: int, known: Context) -> Iterator[str]:
    if not index.is_integer:
        yield f"{e}: the index {index} need not be a whole number; use letters of naturals(...)"
    elif not _is_at_least(index, least, known):
        yield (f"{e}: the index {index} may be below {least}; suppose {index} >= {least} with "
               "where, or bind it")


def _is_at_least(index: Any, least: int, known: Context) -> bool:
    """Does ``index >= least`` follow from assumptions, or linearly from what is known?"""
    gap = index - least
    if gap.is_nonnegative:
        return True
    letters = {s for c in (gap, *known) for s in c.free_symbols}
    constraints = [(Form.of(s - int(bool(s.is_positive))), ">=") for s in letters
                   if s.is_integer and s.is_nonnegative]
    for relation in known:
        constraints += _constraints(relation)
    try:
        return bool(Cell(constraints).entails(Form.of(gap), ">="))
    except LapdpError:
        return False


def _constraints(relation: Any) -> list[tuple[Form, str]]:
    """A relation of numbers as constraints; between whole numbers a < b is a + 1 <= b."""
    upper, lower = (relation.lhs, relation.rhs) if isinstance(relation, (sp.Ge, sp.Gt)) else (
        relation.rhs, relation.lhs)
    if isinstance(relation, sp.Ne):
        return []
    try:
        gap = Form.of(sp.expand(upper - lower))
    except LapdpError:
        return []
    if isinstance(relation, sp.Eq):
        return [(gap, ">="), (-gap, ">=")]
    whole = upper.is_integer and lower.is_integer and isinstance(relation, (sp.Gt, sp.Lt))
    return [(gap - Form.of(sp.S.One) if whole else gap, ">=")]


__all__ = ["stray_index"]
