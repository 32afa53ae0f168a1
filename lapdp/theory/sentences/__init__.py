"""Statements as sentences of the kernel: what is proved is what was written.

``elaborate`` turns the unevaluated trees of a statement into terms, literally, or refuses with the
reason; nothing is simplified or approximated.  This package is trusted beside
:mod:`lapdp.kernel`: a derivation proves a statement only as far as its sentence says it.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core.errors import LapdpError
from lapdp.kernel.saying import NotSaid, Sentence, refuse
from lapdp.kernel.terms import Bank, Refused
from lapdp.privacy.families import parts_of
from lapdp.theory import language as lang
from lapdp.theory.sentences.formulas import Formulas
from lapdp.theory.sentences.spaces import conditions_of

OUTCOMES = 3
"""Of a pair that shows a claim to fail."""


def elaborate(statement: Any, bank: Bank) -> Sentence:
    """The sentence of a statement: assumptions of letters, ranges of mechanisms, ``where``.

    Raises :class:`NotSaid` for anything that the kernel's language does not say.

    >>> from lapdp.kernel.printing import text
    >>> from lapdp.theory import Le, positives
    >>> from lapdp.theory.statement import Statement
    >>> x = positives("x")
    >>> bank = Bank()
    >>> text(bank, elaborate(Statement("paper/eq-1", Le(1 / x, x)), bank).goal)
    '((0 < x) -> (not((x = 0)) and (inv(x) <= x)))'
    """
    e = Formulas(bank)
    hypotheses: list[int] = []
    try:
        if isinstance(statement.claim, lang.NotAlways):
            claim = _fails(e, statement)
            return Sentence([], claim, claim, tuple(sorted(e.notes)))
        for symbol in sorted(statement.parameters, key=lambda s: (s.name, str(s.assumptions0))):
            hypotheses += e.assumed(symbol, e.known_as(symbol))
        mechanisms = {id(part): part.mechanism for identity in statement.pairs
                      for atom in identity.atoms() for part in parts_of(atom)}
        with e.supposing():
            hypotheses += [e.formula(c) for m in mechanisms.values() for c in conditions_of(m)]
            for form in statement.where:
                hypotheses.append(e.formula(form))
                if isinstance(form, lang.Defined):
                    e.finite_ones.update(sp.Add.make_args(form.expr))
                e.fixed |= set(lang.parameters(form))
        e.tops = claim.claims if isinstance(claim := statement.claim, lang.AllOf) else (claim,)
        return e.sentence(hypotheses, e.formula(claim))
    except (LapdpError, Refused) as problem:
        raise NotSaid(f"no term of the kernel: {problem}") from None


def _fails(e: Formulas, statement: Any) -> int:
    """Some finite pairs, and values of the letters, meet the hypotheses and the opposite of the
    claim, all of which has a meaning there."""
    over, where = sorted(statement.parameters, key=sp.default_sort_key), list(statement.where)
    e.stricter(f"pairs of {OUTCOMES} outcomes")
    for atom in {id(a): a for identity in statement.pairs for a in identity.atoms()}.values():
        refuse((atom.role, atom.mechanism) != (None, None), "the failure of other pairs than any")
        sides = [[sp.Dummy(f"{name}_{k}", nonnegative=True) for k in range(OUTCOMES)]
                 for name in atom.names]
        e.masses[id(atom)] = list(zip(*sides, strict=True))
        over += [p for side in sides for p in side]
        where += [sp.Eq(sp.Add(*side), 1, evaluate=False) for side in sides]
    claim = statement.claim.claim
    if isinstance(claim, lang.Implies):
        where.append(lang.ForAll(claim.over, claim.hypothesis, ()))
        claim = claim.conclusion
    refuse(not isinstance(claim, sp.Rel), f"the failure of the form {type(claim).__name__}")
    return e.quantified("ex", over, lambda: e.relation(claim.negated), where)


__all__ = ["NotSaid", "Sentence", "elaborate"]
