"""Events that exist, by naming them.

Events T_1, T_2, ... with some property exist if the claims are proved of chosen ones.  The choice
is hinted, ``{"choose": {"T": Where(...)}}``, or an event {L > e} of a loss L of the space, e a
parameter of the claim: sets of large loss are what most properties need.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, product
from typing import Any

import sympy as sp

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement, Proof
from lapdp.privacy import nodes as pn
from lapdp.privacy.pointwise import LossAt, Where
from lapdp.theory import language as lang
from lapdp.theory.methods.implications import free_symbols
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.reach import bound_anywhere
from lapdp.theory.rewriting import lemma_of, map_form
from lapdp.theory.statement import Statement
from lapdp.theory.witness import search

MOST = 24
"""Choices that are tried."""
SECONDS, LOOKS = 0.3, 25
"""Bounds of the search for an instance that speaks against a choice."""


def by_choice(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove that there are events with a property, by the first choice that has it."""
    claim = statement.claim
    if not isinstance(claim, lang.ExistsEvents):
        return None
    lemmas: list[tuple[str, Proof]] = []
    named: list[str] = []
    for group, parts in _groups(claim):
        chosen, proofs = _first(statement, group, parts, prove)
        lemmas += proofs
        named += [f"{s} = {event}" for s, event in chosen.items()]
    return by_lemmas(f"events that exist, {', '.join(named)}", lemmas)


def _groups(claim: Any) -> list[tuple[tuple[Any, ...], list[Any]]]:
    """Events that occur together, with the claims about them: other events are chosen apart."""
    groups: list[tuple[tuple[Any, ...], list[Any]]] = [((s,), []) for s in claim.made]
    for part in claim.claims:
        mine = free_symbols(part)
        joined = [g for g in groups if set(g[0]) & mine] or groups[:1]
        merged = (tuple(s for g in joined for s in g[0]),
                  [*(p for g in joined for p in g[1]), part])
        groups = [merged if g is joined[0] else g for g in groups if g not in joined[1:]]
    return groups


def _first(statement: Statement, group: tuple[Any, ...], parts: list[Any], prove: Prove
           ) -> tuple[Mapping[Any, Any], list[tuple[str, Proof]]]:
    hinted = "choose" in statement.hints
    reason = "no real parameter gives an event of large loss"
    bound = set().union(*map(bound_anywhere, parts))
    for chosen in islice(_choices(statement, group), MOST):
        if any(bound & event.free_symbols for event in chosen.values()):
            continue  # the event would vary with what a claim is made for all values of
        lemmas = [_about(statement, part, chosen) for part in parts]
        if not hinted and any(search(lemma, [], SECONDS, LOOKS)[0] for lemma in lemmas):
            continue  # it cannot be proved
        try:
            return chosen, [(str(k), prove(lemma)) for k, lemma in enumerate(lemmas, 1)]
        except Unsupported as problem:
            reason = str(problem)
    raise Unsupported(f"no choice of {', '.join(map(str, group))} is proved to do: {reason}")


def _about(statement: Statement, part: Any, chosen: Mapping[Any, Any]) -> Statement:
    """A claim about the chosen events."""
    return lemma_of(statement, map_form(part, lambda e: sp.sympify(e).xreplace(chosen)),
                    statement.where)


def _choices(statement: Statement, group: tuple[Any, ...]) -> Iterator[Mapping[Any, Any]]:
    """The hinted events first, then events of large loss, above levels of exponentials first."""
    hinted = statement.hints.get("choose", {})
    if all(str(s) in hinted for s in group):
        yield {s: hinted[str(s)] for s in group}
    members = [pair for identity in statement.pairs if len(identity.names) == 2
               for pair in _both_ways(identity)]
    powers = {s for e in lang.expressions(statement.claim) for x in sp.sympify(e).atoms(sp.exp)
              for s in x.free_symbols}
    levels = sorted((s for s in statement.parameters if s.is_real), key=lambda s: s not in powers)
    large = [Where(lang.Gt(LossAt(*pair), e)) for e in levels for pair in members]
    for events in product(large, repeat=len(group)):
        yield dict(zip(group, events, strict=True))


def _both_ways(identity: pn.PairOf) -> list[tuple[Any, Any]]:
    first, second = (pn.Distribution(n, identity, k) for k, n in enumerate(identity.names))
    return [(first, second), (second, first)]


__all__ = ["by_choice"]
