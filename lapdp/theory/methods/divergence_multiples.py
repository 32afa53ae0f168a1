"""Multiples of two Renyi divergences that are equal, such as skew symmetry.

Theorem.  Let q and r be real and not 1, c and d real and not 0, with c/(q - 1) = d/(r - 1).  If
E_q(P||Q) = E_r(P'||Q') as values in [0, oo], then c R_q(P||Q) = d R_r(P'||Q') in [-oo, oo].

Proof.  R_q = log(E_q)/(q - 1), with log 0 = -oo and log oo = oo.  c/(q - 1) is a number and not 0,
so that c R_q = c/(q - 1) log E_q, and the right side is the same number times the same logarithm.

With r = 1 - q and (P', Q') = (Q, P) this is (1 - q) R_q(P||Q) = q R_{1-q}(Q||P), van Erven and
Harremoes 2014, Proposition 2.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Node
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import lemma_of
from lapdp.theory.statement import Statement

NAME = "multiples of divergences"


def by_divergence_multiples(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove ``c R_q = d R_r`` by the moments; None for other claims."""
    claim = statement.claim
    if not isinstance(claim, sp.Eq):
        return None
    (c, left), (d, right) = map(_multiple, claim.args)
    if left is None or right is None:
        return None
    q, r = left.args[0], right.args[0]
    if not all(s.is_real for e in (c, d, q, r) for s in e.free_symbols) or any(
            e.has(sp.I) for e in (c, d, q, r)):
        raise Unsupported("orders and factors that are not real")
    if sp.cancel(c / (q - 1) - d / (r - 1)) != 0:
        raise Unsupported("the factors of the logarithms of two moments differ")
    forms = [("the first factor", lang.Ne(c, 0)), ("the second factor", lang.Ne(d, 0)),
             ("the first order", lang.Ne(q, 1)), ("the second order", lang.Ne(r, 1)),
             ("the moments", lang.Eq(pn.Moment(*left.args), pn.Moment(*right.args)))]
    return by_lemmas(NAME, [(what, prove(lemma_of(statement, form, statement.where)))
                            for what, form in forms if form is not sp.true])


def _multiple(side: Any) -> tuple[Any, Any]:
    """A factor of letters, and the divergence; None where there is none or something else."""
    factor, rest = side.as_independent(pn.RenyiDivergence, as_Add=False)
    found = isinstance(rest, pn.RenyiDivergence) and not factor.has(Node, pn.Distribution)
    return factor, rest if found else None


__all__ = ["by_divergence_multiples"]
