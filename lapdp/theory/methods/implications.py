"""Implications and equivalences reduced to statements without them.

*Halves.*  A <=> B is A => B and B => A; a variable that one side is meant for all values of is
bound in the hypothesis and free in the conclusion of the two.

*A bound.*  If c <= h at every instance, both defined, then h <= 0 implies c <= 0, and h < 0 implies
c < 0.  A hypothesis for all events S, a(S) + r <= 0 with a a combination of P(S), Q(S), says that
sup_S a(S) + r <= 0; so does a conclusion in which S is free.

*A hypothesis more.*  A => C at every instance is C under the further hypothesis A.  Where A says
that there are events with some property, C is to hold for any events that have it.

*Parts.*  A1 and A2 is proved by proofs of both; A => C1 and C2 by A => C1 and A => C2.  That a
maximum is at most c says so of each of its values; two maxima are equal where their values are;
what is at most one value of a maximum is at most the maximum.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import permutations
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.having_values import values_of_parts
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.premises import cancels
from lapdp.theory.statement import Statement

ALWAYS = (pn.Profile, pn.LossCDF, pn.Probability, pn.Measure)
"""Notions that have a value for every pair, at a real place."""
PLACES = {pn.Profile: 2, pn.LossCDF: 1, pn.Probability: 2}


def free_symbols(form: Any) -> set[Any]:
    """Symbols of a form that it does not bind itself."""
    found: set[Any] = set()
    for e in lang.expressions(form):
        found |= set(sp.sympify(e).free_symbols)
    return found - lang.bound_symbols(form)


def has_value(e: Any) -> bool:
    """Is an expression made of what always has a value?  A difference may cancel what has none."""
    if isinstance(e, ALWAYS):
        place = [e.args[k] for kind, k in PLACES.items() if isinstance(e, kind)]
        return all(a.is_extended_real for a in place) and not any(
            isinstance(a, sp.Expr) and a.has(sp.Pow, sp.log) for a in e.args)
    if e.is_Atom:
        return bool(e.is_real)
    if e.is_Pow and not isinstance(e, sp.exp):
        return bool(e.exp.is_Integer and e.exp > 0) and has_value(e.base)
    plain = e.is_Add or e.is_Mul or isinstance(e, (sp.Max, sp.Min, sp.exp))
    return plain and all(map(has_value, e.args))


def by_halves(statement: Statement, prove: Prove) -> Judgement | None:
    """An equivalence, as two implications."""
    claim = statement.claim
    if not isinstance(claim, lang.Iff):
        return None
    halves = [("one direction", claim.first, claim.second),
              ("the other direction", claim.second, claim.first)]
    lemmas = []
    for what, hypothesis, conclusion in halves:
        mine, theirs = free_symbols(hypothesis), free_symbols(conclusion)
        if set(claim.over) & mine & theirs:
            raise Unsupported("a variable bound on both sides: give each side its own letter")
        over = tuple(s for s in claim.over if s in mine)
        half = lang.Implies(hypothesis, conclusion, over=over)
        lemmas.append((what, prove(replace(statement, id=f"{statement.id}: {what}", claim=half))))
    return by_lemmas("two implications", lemmas)


def by_bound(statement: Statement, prove: Prove) -> Judgement | None:
    """An implication between inequalities, from an inequality between their differences."""
    claim = statement.claim
    if not isinstance(claim, lang.Implies):
        return None
    _require_unrestricted(statement)
    events = [s for s in claim.over if isinstance(s, pn.Event)]
    if len(events) < len(claim.over):
        raise Unsupported("a hypothesis for all values of a number")
    others = [s for s in free_symbols(claim.conclusion) if isinstance(s, pn.Event)]
    if set(events) & set(others):
        raise Unsupported("a bound event that the conclusion mentions")
    h, strict_h = _difference(claim.hypothesis, events)
    c, strict_c = _difference(claim.conclusion, others)
    if strict_c and (not strict_h or events or others):
        raise Unsupported("a strict inequality from one that is not")
    lemma = Statement(f"{statement.id}: bound", lang.Le(c, h), where=statement.where)
    facts = [known.HAHN] if events or others else []
    # a term that both have goes when they are subtracted: in the conclusion it must have a value
    values = values_of_parts(replace(statement, claim=claim.conclusion), prove,
                             claim.hypothesis)
    return by_lemmas("a bound", [("the conclusion's side is at most the hypothesis'",
                                  prove(lemma)), *values], facts)


def by_hypothesis(statement: Statement, prove: Prove) -> Judgement | None:
    """An implication: its conclusion under one hypothesis more, which may be one for all values."""
    claim = statement.claim
    if isinstance(claim, lang.ImpliesOn):
        t = claim.t
        ends = ([lang.Ge(t, claim.lower)] if claim.lower != -sp.oo else []) + (
            [lang.Le(t, claim.upper)] if claim.upper != sp.oo else [])
        hypotheses: tuple[Any, ...] = (lang.ForAll((t,), claim.hypothesis, tuple(ends)),)
    elif isinstance(claim, lang.Implies):
        _require_unrestricted(statement)
        if claim.over and isinstance(claim.hypothesis, (lang.AllOf, lang.ExistsEvents)):
            raise Unsupported("several claims, or events, for all values")  # events vary with them
        hypotheses = (lang.ForAll(claim.over, claim.hypothesis),) if claim.over else (
            _parts(statement, claim.hypothesis))
        if any(isinstance(s, pn.Event) for s in claim.over):
            raise Unsupported("a hypothesis for all events")
    else:
        return None
    lemma = replace(statement, id=f"{statement.id}: conclusion", claim=claim.conclusion,
                    where=(*statement.where, *hypotheses))
    return by_lemmas("a hypothesis more", [("the conclusion", prove(lemma))])


def _parts(statement: Statement, form: Any) -> tuple[Any, ...]:
    """The claims of which a hypothesis consists, for any events that it says exist."""
    conjuncts = _conjuncts(form)
    if conjuncts:
        for k, part in enumerate(conjuncts):
            _require_own(_made(part), conjuncts[:k] + conjuncts[k + 1:])
        return tuple(x for part in conjuncts for x in _parts(statement, part))
    if not isinstance(form, lang.ExistsEvents):
        return (form,)
    _require_own(_made(form), (*statement.where, statement.claim.conclusion))
    return form.claims


def _made(form: Any) -> set[Any]:
    """The events that a form, or a part of it, says exist."""
    inside: set[Any] = set().union(*map(_made, getattr(form, "claims", ())))
    return inside | set(form.made) if isinstance(form, lang.ExistsEvents) else inside


def _require_own(made: set[Any], others: Sequence[Any]) -> None:
    """Events that are said to exist have letters of their own: what is said of others by the same
    name would be said of them."""
    taken = {s for other in others for e in lang.expressions(other)
             for s in sp.sympify(e).atoms(pn.Event)}.union(*map(_made, others))
    if taken & made:
        raise Unsupported("an event of this name stands elsewhere: give each its own letter")


def _conjuncts(form: Any) -> list[Any]:
    """The claims that together say the same as a form, empty where it is one claim."""
    if isinstance(form, lang.AllOf):
        return list(form.claims)
    if isinstance(form, (sp.Le, sp.Lt, sp.Ge, sp.Gt)):
        for k, side in enumerate(form.args):
            smaller = (k == 0) == isinstance(form, (sp.Le, sp.Lt))
            if isinstance(side, sp.Max if smaller else sp.Min) and side.has(pn.Distribution):
                return [form.func(*(x if j == k else other for j, other in enumerate(form.args)),
                                  evaluate=False) for x in side.args]
    return []


def _equal_values(form: Any) -> list[list[Any]]:
    """For each order of the values, equalities that make two maxima (or minima) equal."""
    if not isinstance(form, sp.Eq) or not isinstance(form.lhs, (sp.Max, sp.Min)) or (
            form.lhs.func is not form.rhs.func or len(form.lhs.args) != len(form.rhs.args)
            or not form.has(pn.Distribution)):
        return []
    return [[lang.Eq(x, y) for x, y in zip(form.lhs.args, values, strict=True)]
            for values in permutations(form.rhs.args)]


def _one_value(form: Any) -> list[list[Any]]:
    """That x is at most one value of a maximum, which has a value: each way to see x <= max."""
    if not isinstance(form, (sp.Le, sp.Ge)):
        return []
    k = 1 if isinstance(form, sp.Le) else 0
    large = form.args[k]
    if not isinstance(large, sp.Max) or not all(map(has_value, large.args)):
        return []
    return [[form.func(*(x if j == k else other for j, other in enumerate(form.args)),
                       evaluate=False)] for x in large.args]


def by_parts(statement: Statement, prove: Prove) -> Judgement | None:
    """Several claims at once, one by one."""
    claim = statement.claim
    if isinstance(claim, lang.Implies):
        ways = [[replace(claim, conclusion=c) for c in _conjuncts(claim.conclusion)]]
    else:
        ways = [_conjuncts(claim)] if _conjuncts(claim) else [
            *_equal_values(claim), *_one_value(claim)]
    reason = ""
    for parts in filter(None, ways):
        lemmas = [replace(statement, id=f"{statement.id}: part {k}", claim=part)
                  for k, part in enumerate(parts, 1)]
        try:
            return by_lemmas("parts", [(lemma.id, prove(lemma)) for lemma in lemmas])
        except Unsupported as problem:
            reason = str(problem)
    if reason:
        raise Unsupported(reason)
    return None


def _require_unrestricted(statement: Statement) -> None:
    """The hypotheses leave the bound variables alone."""
    for form in statement.where:
        if set(statement.claim.over) & free_symbols(form):
            raise Unsupported("a hypothesis restricts a bound variable")


def _difference(form: Any, events: list[Any]) -> tuple[Any, bool]:
    """``d`` with form <=> d <= 0 (or < 0), the supremum taken over the events."""
    if not isinstance(form, Relational) or isinstance(form, (sp.Eq, sp.Ne)):
        raise Unsupported("only inequalities follow from a bound")
    if cancels(form):
        raise Unsupported("a notion that may be +oo stands on both sides")
    small, large = (form.lhs, form.rhs) if isinstance(form, (sp.Le, sp.Lt)) else (
        form.rhs, form.lhs)
    if not events:
        return small - large, isinstance(form, (sp.Lt, sp.Gt))
    if len(events) > 1:
        raise Unsupported("several events")
    terms = sp.Add.make_args(sp.expand(small - large))
    moving = [x for x in terms if events[0] in x.free_symbols]
    rest = [x for x in terms if events[0] not in x.free_symbols]
    supremum = pn.SupOverEvents(sp.Add(*moving), events[0])
    return sp.Add(supremum, *rest), isinstance(form, (sp.Lt, sp.Gt))


def for_all_events(form: Any, events: Iterable[Any]) -> Any:
    """The relation without events that says that a weak inequality holds for all of them."""
    difference, strict = _difference(form, list(events))
    if strict:
        raise Unsupported("a strict inequality for all events")
    return lang.Le(difference, 0)
