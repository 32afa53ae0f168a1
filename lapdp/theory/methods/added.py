"""A hypothesis added: l <= r follows from a <= b where l - r <= c (a - b) with c >= 0.

For equalities c may have either sign: if l - r = c (a - b), and a = b, then l = r.  The factor is
1 or -1, or the quotient (l - r)/(a - b) where that is an expression of the parameters alone; that
it has a value, and its sign, are part of the lemmas, which are proved under the other hypotheses;
and so is that both sides of the claim have a value, where a difference might cancel what has none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Node
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.implications import free_symbols, has_value
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.premises import cancels
from lapdp.theory.rewriting import lemma_of
from lapdp.theory.statement import Statement
from lapdp.theory.witness import search

STRICT = (sp.Lt, sp.Gt)
LONG = 3.0
"""Seconds for an instance of the hypotheses."""
SECONDS, LOOKS = 0.3, 25
"""Bounds of the search for an instance that speaks against a lemma."""


def by_addition(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove a relation from one relation among the hypotheses."""
    return _by_one(statement, prove, _worth)


def by_cancellation(statement: Statement, prove: Prove) -> Judgement | None:
    """The same, where the claim and the hypothesis have a number in common: a bound, mostly."""
    return _by_one(statement, prove, _cancels)


def _by_one(statement: Statement, prove: Prove, promising: Callable[[Any, Any], bool]
            ) -> Judgement | None:
    claim = statement.claim
    if not isinstance(claim, Relational) or isinstance(claim, sp.Ne):
        return None
    if isinstance(claim, STRICT) and cancels(claim, statement.where):
        raise Unsupported("a notion that may be +oo stands on both sides")
    reasons: list[str] = []
    sides = [lang.Eq(x, x) for x in claim.args if not has_value(x)]
    for form in statement.where:
        if not isinstance(form, Relational) or isinstance(form, sp.Ne):
            continue
        others = tuple(h for h in statement.where if h is not form)
        for forms in _lemmas(claim, form, promising):
            lemmas = [lemma_of(statement, lemma, _about(lemma, others)) for lemma in forms]
            if any(search(lemma, [], SECONDS, LOOKS)[0] for lemma in lemmas):
                continue  # it cannot be proved
            if not _satisfiable(statement):
                raise Unsupported("no instance was found that satisfies the hypotheses")
            try:
                proofs = [(str(lemma.claim), prove(lemma)) for lemma in lemmas]
                proofs += [(f"{pole} is not 0", prove(lemma_of(
                    statement, lang.Ne(pole, 0), statement.where))) for pole in _poles(claim, form)
                    if len(forms) > 1 or not _is_unit(claim, form, forms[0])]
                proofs += [(f"{lemma.lhs} has a value", prove(lemma_of(
                    statement, lemma, statement.where))) for lemma in sides]
            except Unsupported as problem:
                reasons.append(str(problem))
                continue
            return by_lemmas("a hypothesis added", proofs)
    if reasons:
        raise Unsupported(reasons[0])
    return None


def _satisfiable(statement: Statement) -> bool:
    """Does some instance satisfy the hypotheses?  What follows from a contradiction says nothing.

    Relations between numbers alone are compared before any method begins.
    """
    if not any(sp.sympify(e).has(Node) for h in statement.where for e in lang.expressions(h)):
        return True
    return search(replace(statement, claim=lang.Eq(1, 0)), [], LONG)[0] is not None


def _about(claim: Any, where: tuple[Any, ...]) -> tuple[Any, ...]:
    """The hypotheses without those on events of which the claim says nothing."""
    events = {s for s in free_symbols(claim) if isinstance(s, pn.Event)}
    return tuple(h for h in where if {
        s for s in free_symbols(h) if isinstance(s, pn.Event)} <= events)


def _lemmas(claim: Any, form: Any, promising: Callable[[Any, Any], bool]
            ) -> Iterator[list[Any]]:
    """What proves the claim by the hypothesis ``form``."""
    strict = isinstance(claim, STRICT)
    if isinstance(claim, sp.Eq) != isinstance(form, sp.Eq) and not isinstance(form, sp.Eq):
        return
    (small, big), (less, more) = _sides(claim), _sides(form)
    gap, given = small - big, less - more
    if not promising(gap, given):
        return
    if isinstance(claim, sp.Eq):
        yield [lang.Eq(gap, given)]
        yield [lang.Eq(gap, -given)]
    elif not strict or isinstance(form, STRICT):
        yield [lang.Le(gap, given)]
    elif isinstance(form, sp.Eq) or strict:
        yield [lang.Lt(gap, given)]
    quotient = sp.cancel(sp.together(gap / given)) if given != 0 else sp.Integer(1)
    if quotient.has(Node, pn.Distribution) or quotient in (1, -1):
        return
    if isinstance(claim, sp.Eq):
        yield [lang.Eq(gap, quotient * given)]
    elif not isinstance(form, sp.Eq):
        sign = lang.Gt if strict else lang.Ge
        if not strict or isinstance(form, STRICT):
            yield [lang.Eq(gap, quotient * given), sign(quotient, 0)]


def _poles(claim: Any, form: Any) -> list[Any]:
    """What the factor divides by: where the hypothesis is an equality there, c (a - b) is 0/0."""
    (small, big), (less, more) = _sides(claim), _sides(form)
    quotient = sp.cancel(sp.together((small - big) / (less - more)))
    denominator = sp.fraction(sp.together(quotient))[1]
    return [] if denominator.is_number else [denominator]


def _is_unit(claim: Any, form: Any, lemma: Any) -> bool:
    """Is the factor of a lemma 1 or -1?"""
    (small, big), (less, more) = _sides(claim), _sides(form)
    return lemma.args[0] == small - big and lemma.args[1] in (less - more, more - less)


def _sides(form: Any) -> tuple[Any, Any]:
    """The smaller side and the larger one."""
    turned = isinstance(form, (sp.Ge, sp.Gt))
    return (form.rhs, form.lhs) if turned else (form.lhs, form.rhs)


def _worth(gap: Any, given: Any) -> bool:
    """Does the hypothesis speak of pairs of the claim, or of more than one of its letters?"""
    shared = gap.free_symbols & given.free_symbols
    return bool(shared) and (given.has(Node) or len(given.free_symbols) > 1)


def _cancels(gap: Any, given: Any) -> bool:
    """Have both a term of parameters alone in common, and pairs besides?"""
    numbers, others = ({x for x in sp.Add.make_args(e) if not x.has(Node, pn.Distribution)}
                       for e in (gap, given))
    return bool(numbers & others) and gap.has(Node) and given.has(Node)


__all__ = ["by_addition", "by_cancellation"]
