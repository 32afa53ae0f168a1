"""Chains: A <= C through hinted terms B, with A <= B and B <= C.

The hint ``{"between": B}``, or ``(B1, B2, ...)``, decides nothing: all links are lemmas, and order
is transitive.  A link of a weak inequality may be an equality, which is tried first, unless the
hint ``{"links": "order"}`` says that none is.

Without a hint the profile of one composition is compared with that of another through the one that
has the first part of the smaller and the second part of the larger: one release is exchanged at a
time.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement, Proof
from lapdp.privacy import nodes as pn
from lapdp.privacy.families import Averaged, Composed, Conditional, Joint, members_of, parts_of
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import lemma_of
from lapdp.theory.statement import Statement


def by_chain(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove all links of a weak inequality or an equality; None without a term between."""
    claim, between = statement.claim, statement.hints.get("between", _exchanged(statement.claim))
    if between is None or not isinstance(claim, (sp.Le, sp.Ge, sp.Eq)):
        return None
    middle = between if isinstance(between, (tuple, list)) else (between,)
    terms = [claim.lhs, *map(sp.sympify, middle), claim.rhs]
    return by_lemmas("a term between", [_link(statement, a, b, prove) for a, b in pairwise(terms)])


def _exchanged(claim: Any) -> Any:
    """The profile of the smaller first part with the larger second part; None for other claims."""
    if not isinstance(claim, (sp.Le, sp.Ge)):
        return None
    small, big = claim.args if isinstance(claim, sp.Le) else reversed(claim.args)
    if not all(isinstance(e, pn.Profile) and all(
            isinstance(x, pn.Distribution) for x in e.args[:2]) for e in (small, big)):
        return None
    if small.args[2] != big.args[2]:
        return None
    (lower, turned), (upper, also) = (pn.oriented(*e.args[:2]) for e in (small, big))
    one = lower.role.first if isinstance(lower.role, Joint) else (lower.factors or (None,))[0]
    if one is None or len(upper.factors) != 2 or turned != also or len(lower.factors) not in (0, 2):
        return None
    two = upper.factors[1]
    if one is upper.factors[0] or lower.factors[1:] == (two,):
        return None  # one release is exchanged already
    P, Q = pn.product_pair(members_of(one), members_of(two),
                           names=(f"{one.names[0]} x {two.names[0]}",
                                  f"{one.names[1]} x {two.names[1]}"))
    return pn.Profile(*((Q, P) if turned else (P, Q)), big.args[2])


def _link(statement: Statement, a: Any, b: Any, prove: Prove) -> tuple[str, Proof]:
    relation = type(statement.claim)
    # hypotheses on functions or pairs that the link does not name would only get into the way
    names = _named(sp.Tuple(a, b))
    where = [h for h in statement.where
             if all(_named(sp.sympify(e)) <= names for e in lang.expressions(h))]
    # of averages and of several distributions only bounds are proved
    bounds = any(isinstance(p.role, Averaged) or len(p.names) > 2
                 for e in (a, b) for p in lang.pairs_of(lang.Eq(e, 0)))
    for kind in (relation,) if bounds else dict.fromkeys((sp.Eq, relation)):
        link = kind(a, b, evaluate=False)
        try:
            return str(link), prove(lemma_of(statement, link, where))
        except Unsupported:
            if kind is relation:
                raise
    raise AssertionError("the relation itself is the last one tried")


def _named(e: Any) -> set[Any]:
    """Functions, pairs, and compositions: a release stands for all that are composed of it."""
    pairs = {p for x in e.atoms(pn.Distribution) for p in parts_of(x.pair)}
    return {x.func for x in e.atoms(AppliedUndef)} | {
        id(p.role.composition) if isinstance(p.role, (Composed, Conditional)) else p
        for p in pairs}
