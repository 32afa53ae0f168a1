"""Suprema over a half-line of the larger of two branches, and trade-off functions at thresholds.

With A(-e) = C(e), the supremum over e >= 0 of max(c, A(e), C(e)) is that of A over all of R, or c
if that is larger: a curve given by its profile for eps >= 0 and that of the reversed pair.  And a
test that rejects where a loss exceeds x is best at its own level, by the line of slope -e^x.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sympy as sp

from lapdp.core.errors import Undefined, Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.privacy.pointwise import LossAt, Where
from lapdp.theory import language as lang
from lapdp.theory.methods.counterexamples import fails_at, refuted
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.statement import Statement

JOINED, VALUE, THRESHOLD = "joined half-lines", "a value of a supremum", "threshold tests"


def by_halves_of_line(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove X = sup over e >= 0 of max(c, A(e), C(e)) where A(-e) = C(e).

    Lemmas: the two branches are one, X is the supremum of A over R, and X is at least every c.
    """
    found = _supremum(statement.claim)
    if found is None:
        return None
    x, (body, e, lower, upper) = found
    if (lower, upper) != (0, sp.oo) or not isinstance(body, sp.Max):
        return None
    # a letter of its own: hypotheses may speak of another variable of the same name
    body, e = body.xreplace({e: (own := sp.Dummy(str(e), real=True))}), own
    moving = [a for a in body.args if e in a.free_symbols]
    still = [a for a in body.args if e not in a.free_symbols]
    if len(moving) != 2:
        return None
    reasons = []
    for first, second in (moving, reversed(moving)):
        claims = [lang.Eq(first.xreplace({e: -e}), second),
                  lang.Eq(x, tn.SupOverReals(first, e, -sp.oo, sp.oo)),
                  *(lang.Ge(x, c) for c in still)]
        try:
            return by_lemmas(JOINED, [(str(c), prove(replace(statement, claim=c)))
                                      for c in claims])
        except Unsupported as problem:
            reasons.append(str(problem))
    raise Unsupported("; ".join(reasons))


def by_value_of_supremum(statement: Statement, prove: Prove) -> Judgement | None:
    """Refute X = sup over e of g(e) at hinted pairs where X < g(e) at the hinted e."""
    found, chosen = _supremum(statement.claim), statement.hints.get("choose")
    if found is None or chosen is None or "pairs" not in statement.hints:
        return None
    x, (body, e, lower, upper) = found
    at, hinted = sp.sympify(chosen), statement.hints.get("witness", {})
    if not (at.is_real and lower <= at and at <= upper):
        raise Unsupported(f"{at} is not between {lower} and {upper}")
    values = {s: sp.sympify(hinted[str(s)]) for s in statement.parameters if str(s) in hinted}
    if len(values) < len(statement.parameters):
        raise Unsupported("the hint leaves parameters open")
    consequence = lang.Ge(x, body.xreplace({e: at}))
    try:
        lemmas, text = fails_at(replace(statement, claim=consequence), consequence, values, prove)
    except Undefined as problem:
        raise Unsupported(str(problem)) from None
    return refuted(VALUE, f"{text}; {e} = {at}", values, lemmas)


def by_threshold(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove T(P, Q)(level) = value where both belong to the test that rejects above a threshold x.

    With W = {log(Q/P) > x}: level = P(W), value = 1 - Q(W), and value = 1 - delta_{Q|P}(x) - e^x
    level, the line of slope -e^x that no curve crosses.  Every test shows that T is at most value.
    """
    claim = statement.claim
    if not isinstance(claim, sp.Eq):
        return None
    for curve, value in ((claim.lhs, claim.rhs), (claim.rhs, claim.lhs)):
        if isinstance(curve, tn.TradeOff) and not value.has(tn.TradeOff):
            break
    else:
        return None
    p, q, level = curve.args
    points = {r.rhs for w in claim.atoms(Where) for r in w.args
              if isinstance(r, sp.core.relational.Relational) and isinstance(r.lhs, LossAt)}
    if len(points) != 1 or not all(isinstance(d, pn.Distribution) for d in (p, q)):
        return None
    x = points.pop()
    w = Where(lang.Gt(LossAt(q, p), x))
    test, a, s = (tn.RandomizedTest("test"), sp.Dummy("a", real=True), sp.Dummy("s", real=True))
    here: list[tuple[Any, list[Any]]] = [
        (lang.Eq(level, pn.Measure(p, w)), list(statement.where)),
        (lang.Eq(value, 1 - pn.Measure(q, w)), list(statement.where)),
        (lang.Eq(value, 1 - pn.Profile(q, p, x) - sp.exp(x) * level), list(statement.where)),
        (lang.Ge(tn.TradeOff(p, q, a), 1 - pn.Profile(q, p, s) - sp.exp(s) * a),
         [lang.Ge(a, 0), lang.Le(a, 1)]),
        (lang.Le(tn.TradeOff(p, q, tn.Mean(p, test)), 1 - tn.Mean(q, test)), []),
    ]
    return by_lemmas(THRESHOLD, [
        (str(form), prove(replace(statement, claim=form, where=tuple(where))))
        for form, where in here])


def _supremum(claim: Any) -> tuple[Any, tuple[Any, ...]] | None:
    """X and the arguments of the supremum, of a claim X = sup ..."""
    if not isinstance(claim, sp.Eq):
        return None
    for x, other in ((claim.lhs, claim.rhs), (claim.rhs, claim.lhs)):
        if isinstance(other, tn.SupOverReals) and other.args[1] not in x.free_symbols:
            return x, other.args
    return None


__all__ = ["by_halves_of_line", "by_threshold", "by_value_of_supremum"]
