"""Where two statements differ: exact instances, tried one by one.

A question that is true has no witness, so nothing is lost when no proof is sought; one that is
false has, as a rule, a small one.
"""

from __future__ import annotations

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.core.verdict import Judgement, Kind
from lapdp.theory import language as lang
from lapdp.theory.statement import Statement
from lapdp.theory.witness import search

INSTANCES = 24
"""Tried for one question: a difference is found among the first, or hardly ever."""
SECONDS = 2.0
"""Of processor time for one question, should instances be dear."""


def differ(question: Statement, *, digits: int = 30, seed: int = 0, numeric: bool = False
           ) -> Judgement:
    """Refuted by the first exact instance at which both values differ, else undecided.

    A judge for :func:`lapdp.theory.runner.run`; the options are those of every judge.

    >>> x = lang.reals("x")
    >>> print(differ(Statement("p/eq-1", lang.Eq(x, x + 1))).kind)
    refuted
    """
    functions = sorted({type(f).__name__ for form in (question.claim, *question.where)
                        for e in lang.expressions(form)
                        for f in sp.sympify(e).atoms(AppliedUndef)})
    witness, looked = search(question, functions, SECONDS, INSTANCES)
    if witness is None:
        return Judgement(Kind.UNDECIDED, "none", reason=f"no difference at {looked} instances")
    return Judgement(Kind.REFUTED, "witness", witness=witness, reason=witness.why)


__all__ = ["differ"]
