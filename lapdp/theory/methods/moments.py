"""Transforms of profiles outside the exact class, by moments.

For every pair and every q > 1 with E_q finite, the two-sided transform of the profile at 1 - q is
E_q/(q (q - 1)) (equation (26), proved here by kernels each time it is used).  So a claim about
transforms of concrete profiles becomes one about moments, which have closed forms.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.statement import Statement

METHOD = "transforms by moments"


def by_moments(statement: Statement, prove: Prove) -> Judgement | None:
    """Reduce a relation between transforms of profiles of concrete pairs to one of moments.

    Each transform must be ``B(delta(P, Q)(t), t, s)`` with s < 0 proved, and E_(1-s) finite.
    """
    claim = statement.claim
    if not isinstance(claim, Relational):
        return None
    found = sorted(claim.lhs.atoms(cn.Bilateral) | claim.rhs.atoms(cn.Bilateral), key=str)
    if not found:
        return None
    values: dict[Any, Any] = {}
    lemmas = [("the transform of a profile", prove(_identity()))]
    for k, node in enumerate(found, 1):
        body, t, s = node.args
        if not isinstance(body, pn.Profile) or body.args[2] != t or not s.is_real:
            raise Unsupported(f"{node} is not the transform of a profile at a real frequency")
        P, Q, _ = body.args
        q = sp.expand(1 - s)
        for what, form in (("order", lang.Lt(s, 0)), ("finite", lang.Defined(pn.R(q, P, Q)))):
            lemma = replace(statement, id=f"{statement.id}/{what} {k}", claim=form, hints={})
            lemmas.append((f"{what} {k}", prove(lemma)))
        values[node] = pn.E(q, P, Q) / (q * (q - 1))
    reduced = claim.func(claim.lhs.xreplace(values), claim.rhs.xreplace(values), evaluate=False)
    lemma = replace(statement, id=f"{statement.id}/moments", claim=reduced, hints={})
    return by_lemmas(METHOD, [*lemmas, ("the relation of moments", prove(lemma))])


def _identity() -> Statement:
    """(26) for every pair."""
    P, Q = pn.pair("P", "Q")
    q, t = lang.reals("q t")
    transform = cn.B(pn.delta(P, Q)(t), t)(1 - q)
    return Statement("lemma/transform of a profile",
                     lang.Eq(transform, pn.E(q, P, Q) / (q * (q - 1))),
                     where=(lang.Gt(q, 1), lang.Defined(pn.R(q, P, Q))))


__all__ = ["by_moments"]
