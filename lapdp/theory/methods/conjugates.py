"""Orders of curves: trade-off functions and profiles determine each other, monotonically.

Theorem.  Let A be the trade-off function or the profile of a pair, in either order of its
members, and C another of the four.  Then C is a supremum, over all arguments o of A, of
u(o) + v(o) A(o) with v < 0, for every pair (Fenchel conjugates, each proved here as a lemma by
tests), or C(c) is u(c) + v(c) A(-c) with v > 0 (equation (7)).  So a relation between two curves A
at all arguments gives the relation between the two C, reversed where v < 0; an equality gives an
equality.  A relation between two trade-off functions at a level in [0, 1] is reduced so to their
profiles, whatever pairs they belong to.

Continuity.  A trade-off function is convex (a lemma), and the supremum over s of functions affine
in the level (a lemma), so lower semicontinuous; a convex function on an interval is upper
semicontinuous on it.  Hence it is continuous on [0, 1], ends included.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement, Proof
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import Fresh, lemma_of
from lapdp.theory.statement import Statement

CURVES = (pn.Profile, tn.TradeOff)
SWAPPED = {sp.Le: sp.Ge, sp.Ge: sp.Le, sp.Eq: sp.Eq}


@dataclass(frozen=True)
class Representation:
    """C at ``c`` through A: the lemma, and the sign of A in it."""

    lemma: Any
    sign: int


def by_conjugates(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove an implication between curves of two pairs, a relation between two trade-off functions,
    or the continuity of one.

    Raises :class:`Unsupported` where the curves are none of those above.
    """
    claim = statement.claim
    if isinstance(claim, lang.ContinuousOn):
        return _continuous(claim, prove)
    if isinstance(claim, (lang.Implies, lang.ImpliesOn)) and any(
            sp.sympify(e).has(tn.TradeOff) for e in lang.expressions(claim)):
        return _implication(statement, claim, prove)
    if type(claim) in SWAPPED and all(isinstance(e, tn.TradeOff) for e in claim.args):
        return _by_profiles(statement, claim, prove)
    return None


def _by_profiles(statement: Statement, claim: Any, prove: Prove) -> Judgement:
    """f_1(x) >= f_2(x) where the profile of the first pair lies nowhere above that of the second.

    Hypotheses that speak of the level are left out.
    """
    first, second = _curve_sides(claim)
    level = first.args[2]
    if second.args[2] != level or not isinstance(level, sp.Symbol):
        raise Unsupported("trade-off functions at two levels")
    about = [h for h in statement.where
             if not any(level in sp.sympify(e).free_symbols for e in lang.expressions(h))]
    t = Fresh(statement).real("t")
    profiles = SWAPPED[type(claim)](*(pn.Profile(*f.args[:2], t) for f in (first, second)),
                                    evaluate=False)
    conjugate = _representation((pn.Profile, False), (tn.TradeOff, False)).lemma
    inside = [lang.Ge(conjugate.lhs.args[2], 0), lang.Le(conjugate.lhs.args[2], 1)]
    lemmas = [(str(bound), prove(lemma_of(statement, bound, statement.where)))
              for bound in (lang.Ge(level, 0), lang.Le(level, 1))]
    lemmas += [(str(conjugate), prove(Statement("lemma/conjugate", conjugate, tuple(inside)))),
               (str(profiles), prove(lemma_of(statement, profiles, about)))]
    return by_lemmas("conjugate curves", lemmas)


def _implication(statement: Statement, claim: Any, prove: Prove) -> Judgement:
    first, second = _curve_sides(claim.hypothesis)
    large, small = _curve_sides(claim.conclusion)
    variable = _full_domain(claim, first)
    if second.args[2] != variable or any(
            variable in sp.sympify(e).free_symbols for form in (claim.conclusion, *statement.where)
            for e in lang.expressions(form)):
        raise Unsupported("the curves of the hypothesis must be compared at every argument")
    if type(first) is not type(second) or type(large) is not type(small) or (
            large.args[2] != small.args[2]):
        raise Unsupported("the two sides are not one curve at two pairs")
    relation = type(claim.hypothesis)
    reverse = _orders((first, second), (large, small))
    if reverse is None:
        reverse = _orders((second, first), (large, small))
        relation = SWAPPED[relation]
    if reverse is None:
        raise Unsupported("the conclusion must compare the two pairs of the hypothesis")
    argument = large.args[2]
    lemmas: list[tuple[str, Proof]] = []
    if isinstance(large, tn.TradeOff):
        for bound in (lang.Ge(argument, 0), lang.Le(argument, 1)):
            lemmas.append((str(bound), prove(Statement("lemma/level", bound, statement.where))))
    elif not (argument.is_real and argument.is_polynomial()):
        raise Unsupported("the argument of a profile must be real")
    for representation in _path((type(first), False), (type(large), reverse)):
        where: tuple[Any, ...] = ()
        if isinstance(representation.lemma.lhs, tn.TradeOff):
            level = representation.lemma.lhs.args[2]
            where = (lang.Ge(level, 0), lang.Le(level, 1))
        if representation.lemma.lhs != representation.lemma.rhs:
            lemmas.append((str(representation.lemma), prove(
                Statement("lemma/conjugate", representation.lemma, where))))
        if representation.sign < 0:
            relation = SWAPPED[relation]
    if relation not in (type(claim.conclusion), sp.Eq):
        raise Unsupported("the curves are ordered the other way round")
    if not lemmas:
        raise Unsupported("the conclusion is the hypothesis")
    return by_lemmas("conjugate curves", lemmas)


def _curve_sides(relation: Any) -> tuple[Any, Any]:
    if type(relation) not in SWAPPED or not (
            isinstance(relation.lhs, CURVES) and isinstance(relation.rhs, CURVES)):
        raise Unsupported("a weak relation between two curves is needed")
    for curve in (relation.lhs, relation.rhs):
        pn.oriented(curve.args[0], curve.args[1])
    return relation.lhs, relation.rhs


def _full_domain(claim: Any, curve: Any) -> Any:
    """The bound variable, if it runs over all arguments of the curve."""
    x = curve.args[2]
    if isinstance(claim, lang.ImpliesOn):
        whole = isinstance(curve, tn.TradeOff) and (claim.lower, claim.upper) == (0, 1)
        bound = claim.t
    else:
        whole, bound = isinstance(curve, pn.Profile), None
        if len(claim.over) == 1:
            bound = claim.over[0]
    plain = sp.Symbol("x", real=True).assumptions0
    if not whole or x != bound or not isinstance(x, sp.Symbol) or x.assumptions0 != plain:
        raise Unsupported("the hypothesis is not one at all arguments of a curve")
    return x


def _orders(before: tuple[Any, Any], after: tuple[Any, Any]) -> bool | None:
    """Do two curves compare the pairs of two others, in the same order of members (False), or both
    reversed (True)?  None where they compare other pairs."""
    same = [x.args[:2] == y.args[:2] for x, y in zip(before, after, strict=True)]
    turned = [x.args[:2] == y.args[1::-1] for x, y in zip(before, after, strict=True)]
    if all(same):
        return False
    return True if all(turned) else None


def _path(start: tuple[type, bool], end: tuple[type, bool]) -> list[Representation]:
    """Representations that lead from one curve to the other, through a profile if need be."""
    if start == end:
        return [_representation(start, end)] if start[0] is pn.Profile else [
            _representation(start, (pn.Profile, False)), _representation((pn.Profile, False), end)]
    if start[0] is tn.TradeOff and end[0] is tn.TradeOff:
        middle = (pn.Profile, start[1])
        return [_representation(start, middle), _representation(middle, end)]
    return [_representation(start, end)]


def _representation(start: tuple[type, bool], end: tuple[type, bool]) -> Representation:
    """The lemma C = Phi(A) about a fresh pair, A of the shape ``start`` and C of ``end``."""
    X, Y = pn.pair("X", "Y")
    t, c = lang.reals("t c")

    def curve(shape: tuple[type, bool], x: Any) -> Any:
        kind, reverse = shape
        return kind(*((Y, X) if reverse else (X, Y)), x)

    here, there, same = curve(start, t), curve(end, c), start[1] == end[1]
    if start[0] is pn.Profile and end[0] is pn.Profile:
        value = curve(start, c) if same else 1 - sp.exp(c) + sp.exp(c) * curve(start, -c)
        return Representation(lang.Eq(there, value), 1)
    if start[0] is tn.TradeOff:
        body = 1 - t - sp.exp(c) * here if same else 1 - here - sp.exp(c) * t
        return Representation(lang.Eq(there, tn.Sup(body, t, 0, 1)), -1)
    body = sp.exp(-t) * (1 - c - here) if same else 1 - sp.exp(t) * c - here
    return Representation(lang.Eq(there, tn.Sup(body, t, -sp.oo, sp.oo)), -1)


def _continuous(claim: Any, prove: Prove) -> Judgement:
    """Continuity on [0, 1]: see the module; sums with affine functions of the level included."""
    t, e = claim.t, sp.expand(claim.expr)
    if (claim.lower, claim.upper) != (0, 1) or not t.is_real:
        raise Unsupported("continuity on [0, 1] is needed")
    curves = [x for x in sp.preorder_traversal(e) if isinstance(x, tn.TradeOff)]
    rest = e.xreplace({x: sp.Dummy("x", real=True) for x in curves})
    if not rest.is_polynomial() or any(x.args[2] != t for x in curves) or not curves:
        raise Unsupported("not a polynomial in the level and its trade-off functions")
    X, Y = pn.pair("X", "Y")
    a, b, w, s = lang.reals("a b w s")
    f = tn.T(X, Y)
    unit = [r for x in (a, b, w) for r in (lang.Ge(x, 0), lang.Le(x, 1))]
    convex = lang.Le(f(w * a + (1 - w) * b), w * f(a) + (1 - w) * f(b))
    closed = lang.Eq(f(a), tn.Sup(1 - sp.exp(s) * a - pn.Profile(Y, X, s), s, -sp.oo, sp.oo))
    lemmas = [("convex", prove(Statement("lemma/convex", convex, tuple(unit)))),
              ("a supremum of affine functions",
               prove(Statement("lemma/closed", closed, tuple(unit[:2]))))]
    return by_lemmas("conjugate curves", lemmas, [known.CONVEX_CONTINUITY])
