"""The order of two moments from the order of two profiles, for mixtures too.

Theorem (:mod:`~lapdp.theory.methods.dominance`).  If delta_{A|B}(t) <= delta_{P|Q}(t) for all real
t, then E_q(A|B) <= E_q(P|Q) for every order q at which x^q is convex.  A mixture of two
distributions is a distribution: with A = (1 - g) Q + g P, 0 <= g <= 1, the theorem speaks of a
sample.  Kernels do not see this, as E_q is not linear in a mixture.  The order of the profiles is
proved for every pair where the moments are of one mechanism: what holds for all holds for it.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.privacy.mixtures import is_mixture, members
from lapdp.theory import language as lang
from lapdp.theory.methods.dominance import order_sides
from lapdp.theory.methods.hinges import has_value
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import Fresh, lemma_of, on_parameters
from lapdp.theory.statement import Statement

METHOD = "moments by profiles"


def by_profile_order(statement: Statement, prove: Prove) -> Judgement | None:
    """Reduce E_q(A|B) <= E_q(P|Q) of mixtures to the order of the profiles, for all real numbers.

    None where no mixture is spoken of: kernels know moments of the pairs themselves.
    """
    claim = statement.claim
    if type(claim) not in (sp.Le, sp.Ge) or not all(
            isinstance(e, pn.Moment) for e in (claim.lhs, claim.rhs)):
        return None
    small, large, _ = order_sides(claim)
    q = small.args[0]
    if not is_mixture(*small.args[1:]) and not is_mixture(*large.args[1:]):
        return None
    if q != large.args[0] or not q.is_real or q.has(pn.Distribution):
        raise Unsupported("moments of two orders, or of one that is not real")
    fresh, where = Fresh(statement), on_parameters(statement.where)
    t = fresh.real("t")
    low, high = (pn.Profile(*sides, t) for sides in _of_every_pair(fresh, small, large))
    lemmas = [(what, prove(lemma)) for side in (low, high)
              for what, lemma in has_value(statement, side)]
    order = lemma_of(statement, lang.Le(low, high), where)
    lemmas.append(("the order of profiles", prove(order)))
    first, second = fresh.pair("A", "B"), fresh.pair("P", "Q")
    theorem = lang.Implies(
        lang.Le(pn.Profile(*first, t), pn.Profile(*second, t)),
        lang.Le(pn.Moment(q, *first), pn.Moment(q, *second)), over=(t,))
    lemmas.append(("what it tells of moments", prove(lemma_of(statement, theorem, where))))
    return by_lemmas(METHOD, lemmas)


def _of_every_pair(fresh: Fresh, *moments: Any) -> list[tuple[Any, Any]]:
    """The distributions of moments of one pair, with an arbitrary pair in its place."""
    found = [members(*m.args[1:]) for m in moments]
    identity = found[0][0]
    if len(identity.names) != 2 or any(other is not identity for other, _ in found):
        raise Unsupported("moments of mixtures of two pairs")
    X, Y = fresh.pair("X", "Y")
    return [(a * X + b * Y, c * X + d * Y) for _, ((a, b), (c, d)) in found]


__all__ = ["by_profile_order"]
