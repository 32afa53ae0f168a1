"""Divergences below a number that no loss exceeds, of mixtures too.

Theorem.  Let delta_{A|B}(r) = 0, r real.  Then R_q(A||B) <= r for every real q other than 1, and
the mean loss is at most r.

Proof.  A <= e^r B, so r >= 0 as both have mass 1, B has mass wherever A has, and the ratio x = A/B
is at most e^r.  The mean of log x under A is at most r.  For q > 1, E_q = E_A[x^(q - 1)] is at most
e^((q - 1) r); for 0 <= q < 1 it is at least that (E_0 = 1); q - 1 has the sign that turns both into
R_q <= r.  For q < 0, E_q = E_B[x^q] >= 1 by Jensen, as E_B[x] = 1, so that R_q <= 0 <= r.

A mixture of two distributions is a distribution: R_q(Q||p P + (1 - p) Q) <= -log(1 - p).
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Node
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.dominance import order_sides
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import lemma_of, on_parameters
from lapdp.theory.statement import Statement

NAME = "the largest loss"


def by_largest_loss(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove that a Renyi divergence or a mean loss is at most a number that no loss exceeds; None
    for other claims.

    Raises :class:`Unsupported` for complex orders, and where some loss may be larger.
    """
    claim = statement.claim
    if type(claim) not in (sp.Le, sp.Ge):
        return None
    small, big, _ = order_sides(claim)
    about = on_parameters(statement.where)
    lemmas: list[tuple[str, Any]] = []
    if isinstance(small, pn.RenyiDivergence):
        order, *members = small.args
        if not order.is_real or order.has(pn.Distribution):
            raise Unsupported("an order that is not real")
        lemmas.append(("the order is not 1", lemma_of(statement, lang.Ne(order, 1), about)))
    elif isinstance(small, pn.Expectation) and small.args[0] == small.args[1]:
        members = list(small.args[1].args)
    else:
        return None
    if big.has(Node, pn.Distribution, sp.I, sp.oo) or not all(s.is_real for s in big.free_symbols):
        raise Unsupported("a bound that is no real number")
    lemmas += [("the bound has a value", lemma_of(statement, lang.Eq(big, big), about)),
               ("no loss exceeds it", lemma_of(
                   statement, lang.Le(pn.Profile(*members, big), 0), statement.where))]
    return by_lemmas(NAME, [(what, prove(lemma)) for what, lemma in lemmas])


__all__ = ["by_largest_loss"]
