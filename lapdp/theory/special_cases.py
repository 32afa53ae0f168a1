"""Statements about every whole number, at small ones: where a witness is looked for.

At k = n a recursion, a sum or a mean is written out; a composition of concrete mechanisms is their
product, one of arbitrary releases an arbitrary pair and a family; the elements of sequences are
letters of their own.  Hypotheses for all whole numbers are asked at 1, ..., n: what satisfies
them there is continued to a sequence that satisfies them everywhere by repeating its first element,
since each of them may speak of one index only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import sympy as sp

from lapdp.calculus.sequences import Recursive, Term, unrolled
from lapdp.core.errors import IllFormed, Unsupported
from lapdp.core.verdict import Witness
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.privacy.finite import finite
from lapdp.theory import language as lang
from lapdp.theory.methods.having_values import require_kept
from lapdp.theory.methods.induction import indices_of
from lapdp.theory.rewriting import (
    Fresh,
    at_indices,
    map_form,
    outcomes_of,
    plain,
    replace_terms,
    substituted,
    terms_of,
)
from lapdp.theory.statement import Statement
from lapdp.theory.witness import search

LARGEST = 3


def search_cases(statement: Statement, functions: list[str], seconds: float, limit: int = 6000,
                 text: str = "") -> tuple[Witness | None, int]:
    """A witness at small whole numbers, and how many instances were looked at; with a ``text`` only
    those that are written so."""
    looked, deadline = 0, time.process_time() + seconds
    cases = list(_assignments(statement))
    for values in cases:
        where = "; ".join(f"{k} = {v}" for k, v in values.items())
        head = where + "; " * bool(where)
        if text and text != where and not text.startswith(head):
            continue
        if time.process_time() > deadline or looked >= limit:
            break
        try:
            case = special_case(statement, values)
        except (Unsupported, IllFormed):
            continue
        found, tried = search(case, functions, seconds / len(cases), limit - looked,
                              text[len(head):])
        looked += tried
        if found is not None:
            said = "; ".join(x for x in (where, found.text) if x)
            given = {**{str(k): str(v) for k, v in values.items()}, **found.values}
            return replace(found, text=said, values=given), looked
    return None, looked


def is_indexed(statement: Statement) -> bool:
    """Does the claim speak of recursions, sequences, sums or compositions of a whole number?"""
    return bool(_numbers(statement)) or bool(terms_of([statement.claim])) or any(
        sp.sympify(e).has(Recursive) for e in lang.expressions(statement.claim))


def _numbers(statement: Statement) -> list[Any]:
    found = set(indices_of(statement))
    for p in lang.pairs_of(statement.claim):
        for part in fam.parts_of(p):
            if isinstance(part.role, (fam.Composed, fam.Conditional)):
                found |= part.role.index.free_symbols
    for x in terms_of([statement.claim]):
        found |= x.args[1].free_symbols
    return sorted((s for s in found if s.is_integer), key=str)


def _assignments(statement: Statement) -> Iterator[dict[Any, Any]]:
    """Small values of the indices, hinted ones alone if there are any, small sums first."""
    numbers = _numbers(statement)
    hint = statement.hints.get("witness", {})
    pools = [[sp.Integer(hint[str(k)])] if str(k) in hint else
             [sp.Integer(n) for n in range(int(bool(k.is_positive)), LARGEST + 1)]
             for k in numbers]
    for values in sorted(product(*pools), key=sum):
        yield dict(zip(numbers, values, strict=True))


def special_case(statement: Statement, values: dict[Any, Any]) -> Statement:
    """The statement at given whole numbers; Unsupported where it cannot be written out."""
    return _Case(statement, values).statement()


class _Case:
    def __init__(self, statement: Statement, values: dict[Any, Any]) -> None:
        self.given, self.values = statement, values
        self.fresh = Fresh(statement)
        self.pairs: dict[Any, tuple[Any, Any]] = {}
        self.terms: dict[Any, Any] = {}
        self.largest = 1

    def statement(self) -> Statement:
        claim = map_form(plain(self.given.claim), self._change)
        for form in self.given.where:
            _require_separate(plain(form))
            # a claim that has no value there fails, too; a hypothesis without one is not met
            require_kept(form, self.values)
        asked = 0
        while asked < self.largest:
            # a hypothesis may speak of later elements than the claim: of those, too, all are true
            asked = self.largest
            indices = [sp.Integer(n) for n in range(1, asked + 1)]
            where = at_indices(self.given.where, indices, all_of_them=True)
            forms = [self._bound(map_form(h, self._change)) for h in where]
        return replace(self.given, claim=claim, where=tuple(forms))

    def _bound(self, form: Any) -> Any:
        """Release 1 has no earlier outcomes: it is one pair."""
        if isinstance(form, lang.ForAll):
            used = {x for e in lang.expressions(form) for x in outcomes_of(e)}
            over = tuple(s for s in form.over if not isinstance(s, pn.Outcome) or s in used)
            return lang.ForAll(over, form.claim, form.where) if over or form.where else form.claim
        return form

    def _change(self, e: Any) -> Any:
        e = fam.replace_pairs(unrolled(substituted(e, self.values)), self._pair)
        elements = terms_of([lang.Defined(e)])
        for x in elements:
            if not x.args[1].is_Integer or x.args[1] < 1:
                raise Unsupported(f"the element {x}")
            self.largest = max(self.largest, int(x.args[1]))
            if x not in self.terms:
                self.terms[x] = self.fresh.real(f"{x.args[0]}_{x.args[1]}")
        return replace_terms(e, {x: self.terms[x] for x in elements})

    def _pair(self, identity: Any) -> tuple[Any, Any] | None:
        role = identity.role
        if isinstance(role, fam.Conditional):
            return self._release(role.composition, role.index, role.outcome)
        if not isinstance(role, fam.Composed):
            return None
        key = (id(role.composition), role.index)
        if key not in self.pairs:
            self.pairs[key] = self._composed(role.composition, role.index)
        return self.pairs[key]

    def _release(self, composition: Any, index: Any, x: Any) -> tuple[Any, Any]:
        if not index.is_Integer or index < 1 or index > 2:
            raise Unsupported("releases beyond the second, at an instance")
        key = (id(composition), "release", index)
        if key not in self.pairs:
            first, second = (self.fresh.name(f"{n}_{index}") for n in composition.names)
            self.pairs[key] = (pn.pair(first, second) if index == 1 or composition.independent
                               else fam.family(first, second, x))
        found = self.pairs[key]
        if index == 2 and not composition.independent and found[0].pair.role.outcome != x:
            raise Unsupported("two letters for the outcomes of one release")
        return found

    def _composed(self, composition: Any, index: Any) -> tuple[Any, Any]:
        if not index.is_Integer or index < 0:
            raise Unsupported(f"a composition of {index} releases")
        n = int(index)
        self.largest = max(self.largest, n)
        if n == 0:
            return pn.mechanism_pair(finite([1], [1]))
        if composition.independent and n > 2:
            raise Unsupported("a composition of more than two arbitrary releases")
        if composition.mechanism is not None or composition.each is not None or (
                composition.independent):
            releases = [composition.release(i) for i in range(1, n + 1)]
            parts = [fam.replace_pairs(sp.Tuple(*r), self._pair) for r in releases]
            return pn.product_pair(*(tuple(p) for p in parts)) if n > 1 else tuple(parts[0])
        first = self._release(composition, sp.Integer(1), None)
        if n == 1:
            return first
        if n > 2:
            raise Unsupported("a composition of more than two arbitrary releases")
        letter = self._letter(composition)
        first_name, second_name = (self.fresh.name(n) for n in composition.names)
        return fam.adaptive_pair(first, self._release(composition, sp.Integer(2), letter),
                                 names=(first_name, second_name))

    def _letter(self, composition: Any) -> Any:
        return fam.outcome_of(composition, [
            p for h in self.given.where for p in lang.pairs_of(h)])


def _require_separate(form: Any) -> None:
    """A hypothesis for all whole numbers speaks of its own index, and of no number beside it."""
    if not isinstance(form, lang.ForAll):
        return
    numbers = [s for s in form.over if s.is_integer]
    if not numbers:
        return
    inside = set(terms_of([form.claim, *form.where]))
    roles = [part.role for p in lang.pairs_of(form) for part in fam.parts_of(p)]
    indices = {x.args[1] for x in inside} | {
        r.index for r in roles if isinstance(r, (fam.Composed, fam.Conditional))}
    bare = {s for e in lang.expressions(form) for s in _without_indices(e)}
    if len(numbers) > 1 or not indices <= set(numbers) or bare & set(numbers) or any(
            isinstance(r, fam.Composed) for r in roles):
        raise Unsupported("a hypothesis that links several indices")


def _without_indices(e: Any) -> set[Any]:
    """The symbols of an expression outside the indices of sequences."""
    if isinstance(e, Term):
        return set()
    if isinstance(e, sp.Symbol):
        return {e}
    return {s for a in sp.sympify(e).args for s in _without_indices(a)}
