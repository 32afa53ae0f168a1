"""Convexity and monotony of a function of one variable, from their inequalities.

g is convex on an interval if g(w a + (1 - w) b) <= w g(a) + (1 - w) g(b) for all a and b of the
interval and w in [0, 1], and does not increase if g(a) >= g(b) for a <= b.  Both sides of these
have values at every a and b, which is why g is finite there.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import Fresh, lemma_of
from lapdp.theory.statement import Statement


def by_shape(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove that an expression is convex, or does not increase, on an interval."""
    claim = statement.claim
    if not isinstance(claim, (lang.ConvexOn, lang.NonincreasingOn)):
        return None
    if not claim.t.is_real or any(claim.t in sp.sympify(e).free_symbols for h in statement.where
                                  for e in lang.expressions(h)
                                  if claim.t not in lang.bound_symbols(h)):
        raise Unsupported("the variable of a function occurs in the hypotheses")
    fresh = Fresh(statement)
    a, b, w = fresh.real("a"), fresh.real("b"), fresh.real("w")

    def at(x: Any) -> Any:
        return sp.sympify(claim.expr).xreplace({claim.t: x})

    def within(*points: Any) -> list[Any]:
        return [r for p in points for r in (
            lang.Ge(p, claim.lower),
            *([lang.Le(p, claim.upper)] if claim.upper != sp.oo else []))]

    if isinstance(claim, lang.NonincreasingOn):
        tries = [(lang.Ge(at(a), at(b)), [*within(a, b), lang.Le(a, b)])]
        what = "does not increase"
    else:
        # the point between has a letter, or is written out
        between, c = w * a + (1 - w) * b, fresh.real("c")
        weight = [lang.Ge(w, 0), lang.Le(w, 1)]
        chord = w * at(a) + (1 - w) * at(b)
        tries = [(lang.Le(at(c), chord), [*within(a, b, c), *weight, lang.Eq(c, between)]),
                 (lang.Le(at(between), chord), [*within(a, b), *weight])]
        what = "lies below its chords"
    problems: list[str] = []
    for form, inside in tries:
        try:
            found = prove(lemma_of(statement, form, (*statement.where, *inside)))
        except Unsupported as problem:
            problems.append(str(problem))
            continue
        return by_lemmas("shape of a function", [(what, found)])
    raise Unsupported("; ".join(problems))


def at_two_points(statement: Statement) -> Statement:
    """What a claim of convexity, or that a function does not increase, says of any two points and
    the one in the middle: an instance that refutes this refutes the claim."""
    claim = statement.claim
    if not isinstance(claim, (lang.ConvexOn, lang.NonincreasingOn)) or not claim.t.is_real:
        return statement
    fresh = Fresh(statement)
    a, b = fresh.real("a"), fresh.real("b")
    first, middle, last = (sp.sympify(claim.expr).subs(claim.t, x) for x in (a, (a + b) / 2, b))
    inside = [lang.Lt(a, b), *(lang.Ge(a, claim.lower) for _ in range(claim.lower != -sp.oo)),
              *(lang.Le(b, claim.upper) for _ in range(claim.upper != sp.oo))]
    said = lang.Le(last, first) if isinstance(claim, lang.NonincreasingOn) else (
        lang.Le(middle, first / 2 + last / 2))
    return replace(statement, claim=said, where=(*statement.where, *inside))


__all__ = ["at_two_points", "by_shape"]
