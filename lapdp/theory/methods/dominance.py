"""Order claims: a dominated profile has smaller convex f-divergences.

Theorem.  Let delta_{P1|Q1}(e) <= delta_{P2|Q2}(e) for ALL real e, and let Phi be linear in the pair
with a convex f (see :mod:`convexity`: f(0) >= f(0+) and phi(+oo) >= lim f(x)/x included).  Then
Phi(P1, Q1) <= Phi(P2, Q2), with values in (-oo, +oo].

Proof.  f(x) = f(1) + c (x - 1) + int_{u >= 1} (x - u)+ dnu(u) + int_{0 < u < 1} (u - x)+ dnu(u)
with nu = f'' >= 0, and a jump at each end of size >= 0.  Integrate against Q:

    Phi = f(1) + int_{u >= 1} delta_{P|Q}(log u) dnu + int_{u < 1} u delta_{Q|P}(-log u) dnu
          + (phi(+oo) - lim f(x)/x) P(Q = 0) + (f(0) - f(0+)) Q(P = 0),

because both members have mass 1.  Each term grows with the profile: delta_{Q|P}(e) = 1 - e^e +
e^e delta_{P|Q}(-e) by (7), P(Q = 0) and Q(P = 0) are the limits at +oo of the two profiles.  A jump
at an end that no pair of the statement can reach (P << Q) needs no sign.  All terms but the
affine one are >= 0 and may be +oo.  A notion without infinite values (a transform) must converge
at the dominating pair by hypothesis; at the other one it converges by the inequality.

The profile of either order of the members may stand in the hypothesis: by (7) one is dominated iff
the other is.  A Renyi divergence R_q, q > 1, is an increasing function of E_q in (0, oo].
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Bilateral, OneSided
from lapdp.calculus.ordering import Cell, explore
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Certificate, Judgement, Kind, Leaf, Proof, seal
from lapdp.privacy import nodes as pn
from lapdp.privacy.model import Infinite
from lapdp.theory import language as lang
from lapdp.theory.hypotheses import gather
from lapdp.theory.methods.convexity import Convex, Functional, require_convex
from lapdp.theory.methods.registry import Prove
from lapdp.theory.obligations import ByProof, HasSign
from lapdp.theory.statement import Statement

NAME = "convex order"
GREATER = {sp.Ge: sp.Le, sp.Gt: sp.Lt}


def by_dominance(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove ``profile 1 <= profile 2 everywhere implies lhs <= rhs`` by the theorem above.

    The conclusion compares a functional A of one pair with a functional B of the other.  With A at
    the first pair: A(1) <= A(2) by convexity, and A(2) <= B(2) is a lemma for ``prove``.  With A
    at the second: A(2) <= A(1) by convexity of -A, and A(1) <= B(1) is the lemma.
    """
    claim = statement.claim
    if not isinstance(claim, lang.Implies):
        return None
    if lang.free_events(statement):
        raise Unsupported("a conclusion for all events")
    small, large = _ordered_pairs(statement)
    left, right, relation = order_sides(claim.conclusion)
    members = {_identity(small): small, _identity(large): large}
    here = _only_pair(left, members)
    there = _only_pair(right, members)
    if here is there:
        raise Unsupported("the conclusion compares expressions of one pair")
    if isinstance(left, pn.RenyiDivergence):
        return _renyi(statement, prove, small, large)
    mine, other = members[here], members[there]
    sign = 1 if mine is small else -1
    where = plain_relations(statement.where)
    X, Y = pn.pair("X", "Y")
    body = _moved(left, mine, (X, Y))
    finite = [_moved(e, large, (X, Y)) for e in _declared_finite(statement, large)]
    functional = Functional(((sign, body),), X.pair, concrete_models(statement, (here, there)),
                            _absent(statement, (mine, other)), tuple(finite) if sign > 0 else ())
    lemmas: list[tuple[str, Any]] = []
    moved = _moved(left, mine, other)
    if relation is sp.Lt or moved != right:
        lemma = Statement(f"{statement.id}: at one pair", relation(moved, right, evaluate=False),
                          where=statement.where)
        lemmas.append(("the two functionals at one pair", prove(lemma)))
    return _sealed(functional, where, lemmas)


def _sealed(functional: Functional, where: Any, lemmas: Iterable[tuple[str, Proof]],
            positive: bool = False) -> Judgement:
    base = tuple(gather(Statement("cells", lang.Eq(0, 0), where=where)).constraints)

    def leaf(cell: Cell) -> tuple[Any, ...]:
        pieces = require_convex(functional, cell)
        found: list[Any] = [Convex(base, functional, "all pairs")]
        if positive:
            for piece in pieces:
                found.append(has_sign(piece.cell, piece.phi, ">", "the argument of a logarithm"))
                if piece.right is not None:
                    found.append(has_sign(cell, functional.at(piece.right, cell), ">",
                                       "the argument of a logarithm"))
            top = functional.end("plus", cell)
            if top is not None and not isinstance(top, Infinite):
                found.append(has_sign(cell, top, ">", "the argument of a logarithm"))
        return tuple(found)

    trees: list[tuple[str, Any]] = [("convexity", explore(base, leaf))]
    facts = {known.DISINTEGRATION, known.TONELLI, known.CONVEX_MIXTURE}
    for what, proof in lemmas:
        trees.append((what, Leaf((ByProof(proof, what),))))
        facts |= set(proof.facts)
    return Judgement(Kind.DERIVED, NAME, proof=seal(Certificate(NAME, tuple(trees), tuple(facts))))


def has_sign(cell: Cell, x: Any, relation: str, what: str) -> HasSign:
    """The obligation that x has a sign in the case; Unsupported where it has not."""
    found = cell.sign_of(x)
    if found < 0 or (found == 0 and relation == ">"):
        raise Unsupported(f"{what}: {x} is not {relation} 0")
    return HasSign(cell.base, x, relation, what)


def _renyi(statement: Statement, prove: Prove, small: Any, large: Any) -> Judgement:
    """R_q(1) <= R_q(2) in [-oo, oo] for q > 1: E_q(1) <= E_q(2) <= oo and E_q(1) > 0.

    log is increasing on (0, oo] and 1/(q - 1) > 0.  E_q(1) > 0 since P1 has mass 1 and kernels
    with P-mass have positive value.
    """
    left, right, relation = order_sides(statement.claim.conclusion)
    if relation is sp.Lt:
        raise Unsupported("a strict order from one that is not: equal pairs satisfy it")
    q = left.args[0]
    if left != pn.RenyiDivergence(q, *small) or right != pn.RenyiDivergence(q, *large):
        raise Unsupported("an order of R_q needs one q, the smaller profile on the smaller side")
    where = plain_relations(statement.where)
    above = prove(Statement(f"{statement.id}: order", lang.Gt(q - 1, 0), where=where))
    X, Y = pn.pair("X", "Y")
    functional = Functional(((1, pn.Moment(q, X, Y)),), X.pair, {},
                            _absent(statement, (small, large)))
    return _sealed(functional, where, [("q > 1", above)], positive=True)


def _declared_finite(statement: Statement, members: Any) -> Iterable[Any]:
    """Transforms and moments of one pair that hypotheses declare finite."""
    identity = _identity(members)
    for form in statement.where:
        e = form.node if isinstance(form, lang.Converges) else (
            form.expr if isinstance(form, lang.Defined) else None)
        if isinstance(form, lang.Defined) and isinstance(e, pn.RenyiDivergence):
            e = pn.Moment(*e.args)
        if isinstance(e, (Bilateral, OneSided, pn.Moment)) and {
                s.pair for s in e.free_symbols if isinstance(s, pn.Distribution)} == {identity}:
            yield e


def _identity(members: Any) -> Any:
    return pn.oriented(*members)[0]


def _ordered_pairs(statement: Statement) -> tuple[Any, Any]:
    """(P1, Q1), (P2, Q2) with profile 1 <= profile 2 on the whole line."""
    claim = statement.claim
    low, high, _ = order_sides(claim.hypothesis)
    if not isinstance(low, pn.Profile) or not isinstance(high, pn.Profile):
        raise Unsupported("the hypothesis must compare two profiles")
    e = low.args[2]
    plain = isinstance(e, sp.Symbol) and e.assumptions0 == sp.Symbol("x", real=True).assumptions0
    if not plain or high.args[2] != e or e not in claim.over:
        raise Unsupported("the profiles must be compared at every real number")
    used = [x for form in (*statement.where, claim.conclusion) for x in lang.expressions(form)]
    if any(s in sp.sympify(x).free_symbols for s in claim.over for x in used):
        raise Unsupported("the bound variable of the hypothesis occurs elsewhere")
    small, large = low.args[:2], high.args[:2]
    if not all(isinstance(m, pn.Distribution) for m in (*small, *large)):
        raise Unsupported("profiles of mixtures")
    if _identity(small) is _identity(large):
        raise Unsupported("dominance between two pairs is needed")
    return tuple(small), tuple(large)


def order_sides(relation: Any) -> tuple[Any, Any, Any]:
    """(lhs, rhs, Le or Lt) of an order relation."""
    if type(relation) in GREATER:
        return relation.rhs, relation.lhs, GREATER[type(relation)]
    if type(relation) in (sp.Le, sp.Lt):
        return relation.lhs, relation.rhs, type(relation)
    raise Unsupported("an order relation is needed")


def _only_pair(e: Any, members: dict[Any, Any]) -> Any:
    """The one of two pairs that an expression speaks about."""
    found = {s.pair for s in sp.sympify(e).free_symbols if isinstance(s, pn.Distribution)}
    mine = found & set(members)
    if len(mine) != 1:
        raise Unsupported("each side of the conclusion must speak about one of the two pairs")
    (pair,) = mine
    if any(set(pair.atoms()) & set(other.atoms()) for other in found - mine) or any(
            a.mechanism is None for other in found - mine for a in other.atoms()):
        raise Unsupported("the conclusion speaks about a third pair")
    return pair


def _moved(e: Any, source: Any, target: Any) -> Any:
    return e.xreplace(dict(zip(source, target, strict=True)))


def plain_relations(where: Iterable[Any]) -> tuple[Any, ...]:
    """Relations between parameters."""
    return tuple(h for h in where if isinstance(h, sp.core.relational.Relational)
                 and not h.has(pn.Distribution))


def concrete_models(statement: Statement, without: Iterable[Any]) -> dict[Any, Any]:
    """Models of the concrete pairs that are none of the given ones."""
    left_out = {id(a) for p in without for a in p.atoms()}
    return {a: a.mechanism.model() for p in statement.pairs for a in p.atoms()
            if a.mechanism is not None and id(a) not in left_out}


def _absent(statement: Statement, pairs: Iterable[Any]) -> frozenset[str]:
    """One-sided kernels that the hypotheses exclude from every one of the (ordered) pairs."""
    alternatives = gather(statement).forbidden
    wanted = [(atom, reverse) for members in pairs
              for identity, reverse in (pn.oriented(*members),) for atom in identity.atoms()]
    swapped = {"plus": "minus", "minus": "plus"}
    return frozenset(kind for kind in swapped if all(
        (atom, swapped[kind] if reverse else kind) in forbidden
        for forbidden in alternatives for atom, reverse in wanted))


__all__ = ["by_dominance", "concrete_models", "has_sign", "order_sides", "plain_relations"]
