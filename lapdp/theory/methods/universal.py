"""Quantifiers, suprema over outcomes, families and sequences, one element at a time.

* A claim for all values of variables is the claim about letters; the supremum over outcomes is at
  most b iff it is at each outcome (the first space is not empty).
* A claim about families (each at its outcome) holds if it holds for every pair that the hypotheses
  allow at one outcome, and a claim about elements of sequences if it holds for all numbers that
  the hypotheses allow there: hypotheses are specialised to them, and other hypotheses left out.
* A composition P_{1:k} is left as it is: that is for induction.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from lapdp.calculus.sequences import BinomialMean, FiniteSum, Recursive, Term, unrolled
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.privacy.finite import finite
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import (
    Fresh,
    at_indices,
    at_pair,
    lemma_of,
    map_form,
    outcomes_of,
    plain,
    replace_terms,
    terms_of,
)
from lapdp.theory.statement import Statement


def by_elements(statement: Statement, prove: Prove) -> Judgement | None:
    """Reduce to a claim about letters, arbitrary pairs and numbers; None if it is one already."""
    opened = _written_out(_opened(statement))
    reduced = _at_elements(_at_outcomes(opened))
    if reduced is statement:
        return None
    return by_lemmas("any element", [("at any element", prove(reduced))])


def _opened(statement: Statement) -> Statement:
    """The claim without its quantifiers, the bound variables renamed where they are taken."""
    claim = plain(statement.claim)
    if not isinstance(claim, lang.ForAll):
        return statement
    fresh = Fresh(replace(statement, claim=claim.claim))
    taken = {s.name for h in statement.where for s in lang.parameters(h)}
    rename = {s: s.func(fresh.name(s.name), **s.assumptions0) for s in claim.over
              if s.name in taken and not isinstance(s, pn.Outcome)}
    if rename:
        claim = lang.ForAll((), *(
            map_form(claim.claim, lambda e: e.xreplace(rename)),
            tuple(map_form(h, lambda e: e.xreplace(rename)) for h in claim.where)))
    return lemma_of(statement, claim.claim, (*statement.where, *claim.where))


def _written_out(statement: Statement) -> Statement:
    """Recursions at whole numbers by their steps; P_{1:0} says nothing, P_{1:1} is release 1."""
    def pair(identity: pn.PairOf) -> tuple[Any, Any] | None:
        role = identity.role
        if not isinstance(role, fam.Composed) or role.index not in (0, 1):
            return None
        if role.index == 0:
            return pn.mechanism_pair(finite([1], [1]))
        letter = fam.outcome_of(role.composition, [
            p for h in statement.where for p in lang.pairs_of(h)])
        first, second = role.composition.release(1, letter)
        return first, second

    def change(e: Any) -> Any:
        numbers = {x: unrolled(x) for x in sp.sympify(e).atoms(Recursive) if x.args[1].is_Integer}
        return fam.replace_pairs(sp.sympify(e).xreplace(numbers), pair)
    try:
        claim = map_form(statement.claim, change)
    except Unsupported:
        return statement
    return statement if claim == statement.claim else lemma_of(statement, claim, statement.where)


def _at_outcomes(statement: Statement) -> Statement:
    """Families of the claim as arbitrary pairs; joint pairs and averages keep theirs."""
    pairs = lang.pairs_of(statement.claim)
    if any(isinstance(p.role, (fam.Joint, fam.Averaged, fam.Composed)) for p in pairs):
        return statement
    if any(sp.sympify(e).has(pn.SupOverOutcomes) for e in lang.expressions(statement.claim)):
        return statement  # a supremum sees all the pairs of a family, not one
    families = {id(part): part for p in pairs for part in fam.parts_of(p)
                if isinstance(part.role, (fam.Family, fam.Conditional))}
    if not families:
        return statement
    fresh = Fresh(statement)
    replacement = {key: fresh.members(len(part.names)) for key, part in families.items()}
    indices = [p.role.index for p in families.values() if isinstance(p.role, fam.Conditional)]
    outcomes = {p.role.outcome for p in families.values()} - {None}
    where = at_pair(at_indices(statement.where, indices), replacement, outcomes)
    claim = map_form(statement.claim, lambda e: fam.replace_pairs(
        e, lambda p: replacement.get(id(p))))
    if any(outcomes_of(e) for e in lang.expressions(claim)):
        raise Unsupported("an outcome without a pair")
    return lemma_of(statement, claim, where)


def _summed(e: Any) -> bool:
    """Does a sum run over elements of a sequence?  They are many numbers, not one."""
    return any(i in x.free_symbols for node in sp.sympify(e).atoms(FiniteSum, BinomialMean)
               for i in (node.args[1],) for x in node.args[0].atoms(Term))


def _at_elements(statement: Statement) -> Statement:
    """Elements of sequences in the claim as numbers."""
    if any(sp.sympify(e).has(Recursive) for e in lang.expressions(statement.claim)) or any(
            isinstance(p.role, fam.Composed) for p in lang.pairs_of(statement.claim)):
        return statement
    elements = terms_of([statement.claim])
    if not elements or any(_summed(e) for e in lang.expressions(statement.claim)):
        return statement
    where = at_indices(statement.where, dict.fromkeys(x.args[1] for x in elements))
    fresh = Fresh(statement)
    values = {x: fresh.real(f"{x.args[0]}") for x in elements}
    kept: list[Any] = []
    for form in where:
        if set(terms_of([form])) <= set(elements):
            try:
                kept.append(map_form(form, lambda e: replace_terms(e, values)))
            except Unsupported:
                continue
    claim = map_form(statement.claim, lambda e: replace_terms(e, values))
    return lemma_of(statement, claim, kept)
