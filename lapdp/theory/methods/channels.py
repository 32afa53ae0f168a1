"""Data processing: what holds of every pair that another dominates holds of outputs of a channel.

The outputs of a channel have no larger profile than its inputs, at every order: that is a law, by a
derivation of the kernel.  So a claim about outputs follows from the claim about an arbitrary pair
whose profile is supposed to be no larger at every order.  All else that is known of outputs is left
out.
"""

from __future__ import annotations

from dataclasses import fields, is_dataclass
from typing import Any

from sympy.core.relational import Relational

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.accepted import derivation_of
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import Fresh, lemma_of, map_form
from lapdp.theory.statement import Statement

NAME = "data processing"


def by_data_processing(statement: Statement, prove: Prove) -> Judgement | None:
    """Reduce a claim about outputs of channels to one about dominated pairs."""
    outputs = {id(p): p for p in statement.pairs if isinstance(p.role, fam.Processed)}
    if not outputs:
        return None
    if any(len(p.names) != 2 or isinstance(p.role.first.role, fam.Processed)
           for p in outputs.values()):
        raise Unsupported("outputs of several distributions, or of one channel after another")
    if any(map(_binds_a_pair, (statement.claim, *statement.where))):
        # the order would be supposed of a pair that is another one
        raise Unsupported("a pair that there is claimed to be is bound")
    fresh = Fresh(statement)
    made = {key: fresh.pair("A", "B") for key in outputs}
    e = fresh.real("e")

    def below(first: Any, inputs: Any) -> Any:
        return lang.Le(pn.delta(*first)(e), pn.delta(*inputs)(e))

    def apart(form: Any) -> Any:
        return map_form(form, lambda x: fam.replace_pairs(x, lambda p: made.get(id(p))))

    ordered = [lang.ForAll((e,), below(made[key], fam.members_of(p.role.first)))
               for key, p in outputs.items()]
    claim, where = apart(statement.claim), [*map(apart, statement.where)]
    if len(ordered) == 1 and isinstance(claim, Relational):
        # as what follows from one order is stated in the library
        lemma = lemma_of(statement, lang.Implies(ordered[0].claim, claim, over=(e,)), where)
    else:
        lemma = lemma_of(statement, claim, [*where, *ordered])
    inputs, through = fresh.pair("P", "Q"), fam.channel()
    what = "outputs have no larger profile"
    law = derivation_of(what, lemma_of(
        statement, below([through(d) for d in inputs], inputs), []))
    if law is None:
        raise Unsupported("the law of data processing is not found")
    return by_lemmas(NAME, [(what, law), ("the claim of a dominated pair", prove(lemma))])


def _binds_a_pair(form: Any) -> bool:
    """Is the existence of distributions a part of it?"""
    if isinstance(form, lang.ExistsPair | lang.ExistsDistributions):
        return True
    if isinstance(form, tuple):
        return any(map(_binds_a_pair, form))
    return is_dataclass(form) and any(_binds_a_pair(getattr(form, f.name)) for f in fields(form))


__all__ = ["NAME", "by_data_processing"]
