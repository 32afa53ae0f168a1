"""Pairs on [0, 1] with a uniform second member, and pairs with a given profile.

Theorem (Zhu, Dong, Wang 2021, Lemma 9).  Let F be convex on [0, 1], F(0) = 0, not decreasing, and
F <= 1.  On [0, 1) it is then the distribution function of a law P on [0, 1] that has a
non-decreasing density there and the rest of its mass at 1 (a fact).  With Q uniform the likelihood
ratio does not decrease, so the outcomes above x, for some x, are a best event (Neyman-Pearson):

    the integral of [P - u Q]_+ is the supremum over x in [0, 1] of 1 - F(x) - u (1 - x),

for every real u: at x = 1 the value is at most its limit from below, as F is convex.

*Existence.*  Let H be convex on [0, oo), not increasing, H(0) = 1 and H(x) >= max(0, 1 - x).  Then
F(x) = 1 + H*(x - 1) is such a function, with H*(s) the supremum over y >= 0 of s y - H(y), and the
pair has the integral H(u) for all u > 0 (both are lemmas, proved for an arbitrary H).  So a pair
with a claimed profile exists where the profile has these four properties.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement, Proof
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.methods.sizes import hockey_stick
from lapdp.theory.rewriting import Fresh, lemma_of, map_form
from lapdp.theory.statement import Statement

_PROVED: list[Proof] = []
"""The proof of :func:`construction`, once it is there."""


def by_unit_interval(statement: Statement, prove: Prove) -> Judgement | None:
    """Replace the profiles of pairs on [0, 1] by suprema; their distribution functions are checked.
    """
    pairs = [p for p in lang.pairs_of(statement.claim)
             if isinstance(p.role, fam.OnUnitInterval)]
    if not pairs:
        return None
    if any(p.role is not None for h in statement.where for p in lang.pairs_of(h)):
        raise Unsupported("a hypothesis on a pair on [0, 1]")
    fresh = Fresh(statement)
    lemmas = []
    for p in pairs:
        cdf, x = p.role.cdf, p.role.x
        for what, form in (
                ("no mass below 0", lang.Eq(cdf.xreplace({x: sp.Integer(0)}), 0)),
                ("no decrease", lang.NonincreasingOn(-cdf, x, 0, 1)),
                ("convex", lang.ConvexOn(cdf, x, 0, 1)),
                ("mass at most 1", lang.Le(cdf.xreplace({x: sp.Integer(1)}), 1))):
            lemmas.append((what, prove(lemma_of(statement, form, statement.where))))
    claim = map_form(statement.claim, lambda e: _written_out(e, pairs, fresh))
    if any(p in pairs for p in lang.pairs_of(claim)):
        raise Unsupported("a notion other than the profile of a pair on [0, 1]")
    lemmas.append(("the profile by events [x, 1]",
                   prove(lemma_of(statement, claim, statement.where))))
    return by_lemmas("pairs on [0, 1]", lemmas, [known.DISTRIBUTION_FUNCTION,
                                                 known.NEYMAN_PEARSON])


def _written_out(e: Any, pairs: list[Any], fresh: Fresh) -> Any:
    e = sp.sympify(e)
    swap: dict[Any, Any] = {}
    for node in e.atoms(pn.Profile, pn.IntegralOverSpace):
        if isinstance(node, pn.Profile):
            identity, reverse = pn.oriented(*node.args[:2])
            order = sp.exp(node.args[2])
        else:
            found = hockey_stick(node)
            if found is None or found[1][0] != 1:
                continue
            identity, order, reverse = found[0], -found[1][1], False
        if identity not in pairs:
            continue
        if reverse:
            raise Unsupported("a pair on [0, 1] in the reversed order")
        x = fresh.real("x")
        cdf = identity.role.cdf.xreplace({identity.role.x: x})
        swap[node] = tn.Sup(1 - cdf - order * (1 - x), x, 0, 1)
    return e.xreplace(swap)


def by_given_profile(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove that a pair with a given profile exists: by the shape of the profile."""
    claim = statement.claim
    if not isinstance(claim, lang.ExistsPair):
        return None
    profile, u = _given(claim)
    if any(u in sp.sympify(e).free_symbols for h in statement.where for e in lang.expressions(h)
           if u not in lang.bound_symbols(h)):
        raise Unsupported("a hypothesis on the bound order")
    fresh = Fresh(statement)
    x, y = fresh.real("x"), fresh.name("y")
    y = sp.Symbol(y, positive=True)
    curve, inside = profile.xreplace({u: x}), profile.xreplace({u: y})
    wanted = [
        ("H is convex", lang.ConvexOn(curve, x, 0, sp.oo)),
        ("H does not increase", lang.NonincreasingOn(curve, x, 0, sp.oo)),
        ("H(0) = 1", lang.Eq(curve.xreplace({x: sp.Integer(0)}), 1)),
        # at 0 they follow from the line above
        ("H >= 0", lang.Ge(inside, 0)),
        ("H >= 1 - x", lang.Ge(inside, 1 - y)),
    ]
    lemmas = [(what, prove(lemma_of(statement, form, statement.where))) for what, form in wanted
              if not any(_same_shape(form, h) for h in statement.where)]
    if not _PROVED:
        _PROVED.append(prove(construction()))
    lemmas.append(("a pair with the profile H", _PROVED[0]))
    return by_lemmas("a pair with a given profile", lemmas)


def _same_shape(form: Any, hypothesis: Any) -> bool:
    """Does a hypothesis say of a function, in its own letter, what is wanted?"""
    return isinstance(form, (lang.ConvexOn, lang.NonincreasingOn)) and (
        type(form) is type(hypothesis)
        and (form.lower, form.upper) == (hypothesis.lower, hypothesis.upper)
        and form.expr == sp.sympify(hypothesis.expr).xreplace({hypothesis.t: form.t}))


def construction() -> Statement:
    """Lemma 9 for an arbitrary H: the pair of the construction has the profile H."""
    H = lang.functions("H")
    x, y, t = lang.reals("x y t")
    u = lang.positives("u")
    P, Q = fam.unit_interval_pair(1 + tn.Sup(y * (x - 1) - H(y), y, 0, sp.oo), x)
    where = (lang.ConvexOn(H(t), t, 0, sp.oo), lang.NonincreasingOn(H(t), t, 0, sp.oo),
             lang.Eq(H(0), 1), lang.ForAll(t, lang.Ge(H(t), sp.Max(0, 1 - t)), (lang.Ge(t, 0),)))
    form = lang.Eq(pn.IntegralOverSpace(sp.Max(0, P - u * Q)), H(u))
    return Statement("lemma/construction", form, where)


def _given(claim: lang.ExistsPair) -> tuple[Any, Any]:
    """(H(u), u) for the claim that the integral of [P - u Q]_+ is H(u) for all u > 0, or >= 0."""
    form = claim.claim
    if not isinstance(form, sp.Eq) or len(claim.over) != 1:
        raise Unsupported("existence of a pair is decided for one profile, claimed at all orders")
    (u,) = claim.over
    identity = claim.P.pair
    for node, other in ((form.lhs, form.rhs), (form.rhs, form.lhs)):
        found = hockey_stick(node)
        if found is not None and found[0] is identity and found[1] == (1, -u) and (
                u.is_positive or u.is_nonnegative) and not other.free_symbols & {
                    claim.P, claim.Q}:
            return sp.sympify(other), u
    raise Unsupported("existence of a pair is decided for the integral of [P - u Q]_+, u >= 0")


__all__ = ["by_given_profile", "by_unit_interval", "construction"]
