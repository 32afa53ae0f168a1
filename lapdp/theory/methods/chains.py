"""Chains: A <= C through a hinted term B, with A <= B and B <= C.

The hint ``{"between": B}`` decides nothing: both links are lemmas, and order is transitive.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core.verdict import Judgement
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import lemma_of
from lapdp.theory.statement import Statement


def by_chain(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove both links of a weak inequality or an equality; None without a hint."""
    claim, between = statement.claim, statement.hints.get("between")
    if between is None or not isinstance(claim, (sp.Le, sp.Ge, sp.Eq)):
        return None
    middle = sp.sympify(between)
    links: list[Any] = [claim.func(claim.lhs, middle, evaluate=False),
                        claim.func(middle, claim.rhs, evaluate=False)]
    return by_lemmas("a term between", [
        (str(link), prove(lemma_of(statement, link, statement.where))) for link in links])
