"""Letters that a hypothesis bounds: X <= v, and the claim is no less true for a smaller v.

Let a hypothesis say X <= v for a real letter v, X an expression in a pair.  If big - small is
differentiable in v with a derivative >= 0 at every real v, then small <= big follows from the claim
with X in place of v: big - small at v is not less than at X.  An equality X = v is put in as it is.
Other hypotheses on v are left out; the sign of the derivative is a lemma of its own.

So R_q(P||Q) <= rho enters a bound in rho, and Pr[Z >= y] <= T one in T.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Node
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.dominance import order_sides
from lapdp.theory.methods.having_values import values_of_nodes
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.render import word_of
from lapdp.theory.rewriting import Fresh, lemma_of, on_parameters
from lapdp.theory.statement import Statement

NAME = "a bounded letter"
NOTIONS = (pn.Profile, pn.Probability, pn.Moment, pn.RenyiDivergence, pn.Expectation, pn.LossCDF)
FINITE = (pn.Moment, pn.RenyiDivergence)
"""Notions that may be +oo: below a letter they are finite, unless they are -oo."""


def by_bounded_letters(statement: Statement, prove: Prove) -> Judgement | None:
    """Put one notion in place of the letter that bounds it; None where no hypothesis does so."""
    claim = statement.claim
    ordered = type(claim) in (sp.Le, sp.Lt, sp.Ge, sp.Gt)
    if not ordered and not isinstance(claim, sp.Eq):
        return None
    small, big = order_sides(claim)[:2] if ordered else claim.args
    problems: list[str] = []
    for form, x, letter, equal in _bounds(statement):
        if not (small.has(letter) or big.has(letter)) or not (ordered or equal):
            continue
        others = [h for h in statement.where if h is not form and not _speaks(h, letter)]
        try:
            lemmas = [] if equal else [("the claim grows with the letter", prove(lemma_of(
                statement, _slope(big - small, letter, Fresh(statement)), others)))]
            put = claim.func(*(_put(e, letter, x) for e in claim.args), evaluate=False)
            defined = [lang.Defined(x)] if isinstance(x, FINITE) else []
            if isinstance(x, pn.RenyiDivergence) and not equal:
                # -oo is a value of orders below 0, and below every letter
                lemmas.append(("the order is not below 0", prove(lemma_of(
                    statement, lang.Ge(x.args[0], 0), on_parameters(others)))))
            reduced = replace(statement, claim=put, where=(*others, *defined))
            lemmas.append((f"the claim with {x}", prove(reduced)))
            lemmas += values_of_nodes(statement, prove, put)
        except Unsupported as problem:
            problems.append(str(problem))
            continue
        return by_lemmas(NAME, lemmas)
    if problems:
        raise Unsupported("; ".join(problems))
    return None


def _bounds(statement: Statement) -> Iterator[tuple[Any, Any, Any, bool]]:
    """(hypothesis, notion, letter, whether they are equal) for each notion bounded by a letter."""
    for form in statement.where:
        if isinstance(form, sp.Eq):
            pairs, equal = [(form.lhs, form.rhs), (form.rhs, form.lhs)], True
        elif type(form) in (sp.Le, sp.Lt, sp.Ge, sp.Gt):
            pairs, equal = [order_sides(form)[:2]], False
        else:
            continue
        for x, letter in pairs:
            if isinstance(x, NOTIONS) and type(letter) is sp.Symbol and letter.is_real and (
                    not letter.is_integer and not x.has(letter)):
                yield form, x, letter, equal


def _speaks(form: Any, letter: Any) -> bool:
    return any(letter in sp.sympify(e).free_symbols for e in lang.expressions(form))


def _is_bound(claim: Any, letter: Any) -> bool:
    return any(isinstance(node, Node) and node.bound_at is not None
               and node.args[node.bound_at] == letter
               for e in lang.expressions(claim) for node in sp.preorder_traversal(e))


def _slope(gap: Any, letter: Any, fresh: Fresh) -> Any:
    """The relation that ``gap`` nowhere falls, in a letter without a sign."""
    v = fresh.real(f"{letter.name}0")
    gap = _put(gap, letter, v)
    for part in sp.preorder_traversal(gap):
        if part.has(v) and not (part.is_Add or part.is_Mul or part == v or isinstance(
                part, (sp.exp, sp.log)) or (part.is_Pow and not part.exp.has(v))):
            raise Unsupported(f"{word_of(part)} of a bounded letter is not differentiated")
    return lang.Ge(sp.expand(sp.diff(gap, v)), 0)


def _put(e: Any, letter: Any, value: Any) -> Any:
    """An expression with a letter replaced; a node that binds or holds it is refused."""
    for node in sp.preorder_traversal(e):
        if isinstance(node, Node) and node.has(letter):
            raise Unsupported(f"the letter {letter} inside {word_of(node)}")
    return e.xreplace({letter: value})


def by_equations(statement: Statement, prove: Prove) -> Judgement | None:
    """Put a letter that an equation between numbers determines in its place."""
    if not isinstance(statement.claim, sp.core.relational.Relational):
        return None
    for form in statement.where:
        if not isinstance(form, sp.Eq) or form.has(Node):
            continue
        gap = sp.expand(form.lhs - form.rhs)
        for x in sorted(gap.free_symbols, key=str):
            c = gap.coeff(x, 1)
            plain = type(x) is sp.Symbol and (
                x.assumptions0 == sp.Symbol("x", real=True).assumptions0)
            if not plain or not c.is_Rational or c == 0 or (gap - c * x).has(x) or _is_bound(
                    statement.claim, x):
                continue
            value = sp.expand(-(gap - c * x) / c)
            others = [h for h in statement.where if h is not form]
            if any(not isinstance(h, sp.core.relational.Relational) for h in others if _speaks(
                    h, x)) or not statement.claim.has(x):
                continue
            try:
                put = [h if not _speaks(h, x) else h.func(
                    *(e.xreplace({x: value}) for e in h.args), evaluate=False)
                    for h in (statement.claim, *others)]
                lemma = replace(statement, claim=put[0], where=tuple(put[1:]))
                return by_lemmas("an equation", [(f"with {x} = {value}", prove(lemma)),
                                                 *values_of_nodes(statement, prove, put[0])])
            except Unsupported:
                continue
    return None


__all__ = ["by_bounded_letters", "by_equations"]
