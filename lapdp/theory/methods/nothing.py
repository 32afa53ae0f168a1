"""Hypotheses that leave no mass to some kernels: what is non-negative and at most 0 vanishes.

Theorem.  Let A be linear in a pair with A >= 0 on all its kernels, and let a hypothesis say
A(P, Q) <= 0.  Then A(P, Q), the integral of A over the mixture of kernels that the pair is, is 0,
and the kernels with A > 0 have no weight in it.  So they need not be looked at in claims about
integrals over the mixture; of claims about single outcomes the theorem says nothing.

A is the difference of the two sides of ``A1 <= A2`` or ``A1 = A2``, and the supremum over events of
that difference where the hypothesis is made for all of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from lapdp.core.errors import IllFormed, NotLinear, Undefined, Unsupported
from lapdp.core.verdict import Certificate, Proof, Rejected, seal
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.implications import for_all_events
from lapdp.theory.rewriting import on_parameters, plain
from lapdp.theory.statement import Statement


@dataclass(frozen=True)
class Amount:
    """An expression that is >= 0 on all kernels, by ``proof``, and <= 0 by hypothesis."""

    value: Any
    proof: Proof


def amounts(statement: Any, forms: Any) -> list[Amount]:
    """What the hypotheses ``forms`` of a statement say to be nothing."""
    found = []
    for form in forms:
        for value in _differences(form):
            proof = _nonnegative(value, on_parameters(statement.where))
            if proof is not None:
                found.append(Amount(value, proof))
    return found


def _differences(form: Any) -> list[Any]:
    """Expressions that are <= 0 by a hypothesis."""
    form = plain(form)
    if isinstance(form, lang.ForAll):
        if form.where or not all(isinstance(s, pn.Event) for s in form.over):
            return []
        try:
            form = for_all_events(form.claim, form.over)
        except Unsupported:
            return []
    if not isinstance(form, Relational):
        return []
    gap = form.lhs - form.rhs
    if isinstance(form, sp.Eq):
        return [gap, -gap]
    return [gap] if isinstance(form, sp.Le) else [-gap] if isinstance(form, sp.Ge) else []


@lru_cache(maxsize=256)
def _nonnegative(value: Any, where: tuple[Any, ...]) -> Proof | None:
    """The proof that an expression linear in one arbitrary pair is >= 0 on all its kernels.

    ``where`` are hypotheses on parameters.  Many methods ask the same of one statement.
    """
    from lapdp.theory.methods.kernels import KernelMethod, describe_choice

    pairs = lang.pairs_of(lang.Ge(value, 0))
    if len(pairs) != 1 or pairs[0].factors or len(pairs[0].names) != 2 or (
            pairs[0].mechanism is not None or pairs[0].role is not None) or (
            value.atoms(AppliedUndef)):
        return None
    from lapdp.theory.hypotheses import gather

    lemma = Statement("an amount", lang.Ge(value, 0), where=where)
    try:
        method = KernelMethod(lemma, gather(lemma))
        run = method.execute()
        if run.failures():
            return None
        return seal(Certificate("kernels", tuple(
            (describe_choice(c), tree) for c, tree in run.trees), tuple(run.facts)))
    except (Unsupported, Undefined, NotLinear, IllFormed, Rejected):
        return None


__all__ = ["Amount", "amounts"]
