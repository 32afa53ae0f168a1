"""Trade-off functions at the level 0: tests that never reject where the first distribution is.

Theorem.  f_{P|Q}(0) = 1 - Q(P = 0) = 1 - Pr[Z' = +oo], Z' the loss of (Q, P).

Proof.  A test phi with E_P[phi] <= 0 vanishes P-almost everywhere, so E_Q[phi] is at most the mass
of Q where P vanishes; the test that rejects exactly there attains it.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.privacy.tradeoff_nodes import TradeOff
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import lemma_of, map_form
from lapdp.theory.statement import Statement

NAME = "tests of size 0"


def by_tests_of_size_zero(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove a relation with the masses at infinite losses in place of trade-off functions at 0;
    None where there is none.

    The hypotheses are rewritten as well.  Raises :class:`Unsupported` for mixtures, and where the
    relation of masses is not proved.
    """
    if not isinstance(statement.claim, sp.core.relational.Relational) or not _at_zero(
            statement.claim.lhs - statement.claim.rhs):
        return None
    where = [map_form(h, _with_masses) if isinstance(h, sp.core.relational.Relational) else h
             for h in statement.where]
    lemma = lemma_of(statement, map_form(statement.claim, _with_masses), where)
    return by_lemmas(NAME, [("the masses at infinite losses", prove(lemma))],
                     [known.NEYMAN_PEARSON])


def _at_zero(e: Any) -> list[Any]:
    return [x for x in e.atoms(TradeOff) if x.args[2] == 0]


def _with_masses(e: Any) -> Any:
    """An expression with 1 - Pr[Z' = +oo] for each trade-off function at 0."""
    e = sp.sympify(e)
    values: dict[Any, Any] = {}
    for x in _at_zero(e):
        first, second, _ = x.args
        if not all(isinstance(d, pn.Distribution) for d in (first, second)):
            raise Unsupported("a trade-off function of mixtures at the level 0")
        values[x] = 1 - pn.Pr(pn.PLD(second, first), "==", sp.oo)
    return e.xreplace(values)


__all__ = ["by_tests_of_size_zero"]
