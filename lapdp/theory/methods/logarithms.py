"""Limits of logarithms of moments: the replica trick, and Renyi divergence at order 1.

Theorem.  Let Z be the loss of PLD(P||Q), Pr[Z = oo] = 0, and m(n) = E[e^(nZ)] = E_(1+n)(P||Q).
Then E[Z] exists in [0, oo], and

    (1/n) log m(n) -> E[Z]   as n increases to 0;
    (1/n) log m(n) -> E[Z]   as n decreases to 0, if m(c) is finite for some c > 0.

Proof. E[e^-Z] = Q(P > 0) <= 1, so E[Z^-] <= E[e^-Z] is finite, and E[Z] >= 0 by Jensen. The
quotient (e^(nz) - 1)/n increases with n, for each z, and tends to z as n -> 0. For -1 <= n < 0 it
is at least 1 - e^-z, which is integrable: (m(n) - 1)/n increases to E[Z] (monotone convergence).
For 0 < n <= c it is at most (e^(cz) - 1)/c, which is integrable if m(c) is finite, and at least z:
(m(n) - 1)/n decreases to E[Z], which is finite. In both cases m(n) is finite, positive, and tends
to m(0) = 1: by the bound above it where E[Z] is finite, by dominated convergence (e^(nz) <= 1 +
e^-z for -1 <= n <= 0) in the first. Finally log m/n = ((m - 1)/n) (log m/(m - 1)), where the second
factor tends to 1 (and is taken as 1 where m = 1).
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.quotients import log_moment_quotient
from lapdp.theory.statement import Statement


def by_mean_loss(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove ``lim (1/n) log E[e^(nZ)] = E[Z]``, from one side or both."""
    claim = statement.claim
    if not isinstance(claim, sp.Eq):
        return None
    found = [(limit, mean) for limit, mean in ((claim.lhs, claim.rhs), (claim.rhs, claim.lhs))
             if isinstance(limit, cn.Limit) and log_moment_quotient(limit) is not None]
    if not found:
        return None
    limit, mean = found[0]
    loss = log_moment_quotient(limit)
    if mean != pn.Expectation(loss, loss):
        raise Unsupported("the limit of the quotient is the mean loss E[Z]")
    if pn.oriented(*loss.args)[0].mechanism is not None or pn.oriented(*loss.args)[0].factors:
        raise Unsupported("the theorem is stated for an arbitrary pair")
    lemmas = [("the loss is finite", prove(Statement(
        f"{statement.id}: finite loss", lang.Eq(pn.Pr(loss, "==", sp.oo), 0),
        where=statement.where)))]
    if str(limit.args[3]) != "_-":
        lemmas.append(("a moment above 1 is finite", _above(statement, loss, prove)))
    return by_lemmas("mean loss", lemmas, [known.MONOTONE_CONVERGENCE,
                                           known.DOMINATED_CONVERGENCE])


def _above(statement: Statement, loss: Any, prove: Prove) -> Any:
    """A hypothesis that E_c(P||Q) is finite, for an order c that is proved to exceed 1."""
    relations = tuple(h for h in statement.where if isinstance(h, sp.core.relational.Relational))
    for form in statement.where:
        if not isinstance(form, lang.Defined) or not isinstance(form.expr, pn.Moment):
            continue
        order, *members = form.expr.args
        if tuple(members) == loss.args and order.is_real and not order.has(cn.Node):
            return prove(Statement(f"{statement.id}: an order above 1", lang.Gt(order - 1, 0),
                                   where=relations))
    raise Unsupported("from above the limit needs a finite moment of an order above 1")
