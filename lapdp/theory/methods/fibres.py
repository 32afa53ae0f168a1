"""Adaptive pairs and products by fibres: fix one outcome, the other profile enters shifted.

Let P(x, y) = P1(x) P2^x(y), Q(x, y) = Q1(x) Q2^x(y), and z = log(P1/Q1)(x).  The joint law is the
mixture over x of products of a kernel with the fibre: where P1 and Q1 both have mass, k(z) times
(P2^x, Q2^x) has the profile delta_{P2^x|Q2^x}(t - z), per unit of P1; where Q1 has none, 1; where
P1 has none, 0.  Every functional that is linear in the first pair is the same mixture of its values
on the kernels k(z), k(+oo), k(-oo), constants being multiplied by the P1-mass.  So a claim
``A <= B`` (or ``A = B``), linear in the first pair together with its joint pairs, follows from the
three claims on kernels, for every real z and every pair that the hypotheses allow as a fibre at
one x.  Profiles of the reversed joint pair are those of the joint pair of reversed pairs.
Hypotheses on the first pair are left out.  The family is measurable in x: a joint law needs that.

Products over one common factor are joint pairs with that first pair and a family that is constant.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import families as fam
from lapdp.privacy import nodes as pn
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.methods.supposed import linear_parts
from lapdp.theory.rewriting import Fresh, at_pair, lemma_of
from lapdp.theory.statement import Statement

KERNELS = ("finite", "plus", "minus")


def by_fibres(statement: Statement, prove: Prove) -> Judgement | None:
    """Reduce a claim about joint pairs over one first pair to its kernels and one fibre."""
    found = lang.pairs_of(statement.claim)
    joints = [p for p in found if isinstance(p.role, fam.Joint)]
    products = [p for p in found if p.factors]
    if not joints and len(products) < 2:
        return None
    if not isinstance(statement.claim, (sp.Le, sp.Ge, sp.Eq)):
        raise Unsupported("fibres decide equalities and weak inequalities")
    reduction = _Fibres(statement, joints) if joints else _Factors(statement, products)
    lemmas = [(name, reduction.lemma(name)) for name in KERNELS]
    return by_lemmas("fibres", [(f"the first pair a kernel: {name}", prove(lemma))
                                for name, lemma in lemmas], (known.FIBRES, known.TONELLI))


class _Fibres:
    """The claim on one kernel of the first pair."""

    def __init__(self, statement: Statement, pairs: list[Any]) -> None:
        self.statement, self.pairs = statement, pairs
        self.first, self.conditional = self._parts()
        fresh = Fresh(statement)
        self.z = fresh.real("z")
        self.A, self.B = fresh.pair("A", "B")
        sides = [sp.sympify(e) for e in lang.expressions(statement.claim)]
        self.marks = {e for side in sides for e in side.atoms(pn.Profile) if self._concerned(e)}
        # the first joint profile says which member leads; constants stand for its mass
        leading = next((e for side in sides for e in sp.preorder_traversal(side)
                        if isinstance(e, pn.Profile) and e.args[0].pair in pairs), None)
        if leading is None:
            raise Unsupported("fibres know profiles of joint pairs only")
        self.turned = pn.oriented(*leading.args[:2])[1]

    def _parts(self) -> tuple[Any, Any]:
        """The first pair, and the family over its outcomes."""
        first, conditional = self.pairs[0].role.first, self.pairs[0].role.second
        if any(p.role.first is not first or p.role.second is not conditional
               for p in self.pairs):
            raise Unsupported("joint pairs of several families")
        return first, conditional

    def _concerned(self, profile: Any) -> bool:
        return any(p is self.first for p in fam.parts_of(profile.args[0].pair))

    def lemma(self, kernel: str) -> Statement:
        """The claim where the first pair is one kernel, for one fibre."""
        claim = self.statement.claim
        sides = [self._side(sp.sympify(e), kernel) for e in (claim.lhs, claim.rhs)]
        members = (self.B, self.A) if self.turned else (self.A, self.B)
        about = [h for h in self.statement.where if not any(
            p is self.first for q in lang.pairs_of(h) for p in fam.parts_of(q))]
        where = about if self.conditional is None else at_pair(
            about, {id(self.conditional): members}, {self.conditional.role.outcome})
        return lemma_of(self.statement, claim.func(*sides, evaluate=False), where)

    def _side(self, e: Any, kernel: str) -> Any:
        coefficients, rest = linear_parts(e, self.marks)
        for part in (*coefficients.values(), rest):
            self._require_free(part)
        mass = 0 if kernel == "minus" else 1
        return sp.Add(rest * mass, *(c * self._profile(m, kernel)
                                     for m, c in coefficients.items()))

    def _require_free(self, part: Any) -> None:
        """A coefficient or constant speaks neither of the first pair nor of families."""
        for s in sp.sympify(part).free_symbols:
            if isinstance(s, pn.Distribution) and any(
                    p is self.first or p.role is not None for p in fam.parts_of(s.pair)):
                raise Unsupported(f"{part} is not linear in the first pair")

    def _profile(self, e: Any, kernel: str) -> Any:
        """A profile of the first pair, of a product with it or of the joint pair, on a kernel."""
        identity, reverse = pn.oriented(*e.args[:2])
        u, backwards = e.args[2], reverse != self.turned
        if kernel != "finite":
            # the leading member has the mass of k(+oo), the other that of k(-oo)
            return sp.Integer(int((kernel == "plus") != backwards))
        weight, at = (sp.exp(-self.z), u + self.z) if backwards else (sp.Integer(1), u - self.z)
        rest = self._rest(identity, reverse, backwards)
        if rest is None:
            return weight * sp.Max(0, 1 - sp.exp(at))
        return weight * pn.Profile(*rest, at)

    def _rest(self, identity: Any, reverse: bool, backwards: bool) -> tuple[Any, Any] | None:
        """What stands beside the first pair, in the order of the profile; None for nothing."""
        if identity is self.first:
            return None
        if isinstance(identity.role, fam.Joint):
            return (self.B, self.A) if backwards else (self.A, self.B)
        others = [a for a in identity.factors if a is not self.first]
        plain = all(p.role is None and p is not self.first
                    for a in others for p in fam.parts_of(a))
        if len(others) + 1 != len(identity.factors) or not others or not plain:
            raise Unsupported("a pair in which the first one has a part of its own")
        members = [(pn.Distribution(a.names[0], a, 0), pn.Distribution(a.names[1], a, 1))
                   for a in others]
        one = members[0] if len(members) == 1 else pn.product_pair(*members)
        return (one[1], one[0]) if reverse else one


class _Factors(_Fibres):
    """The claim on one kernel of a factor that all its products have."""

    def _parts(self) -> tuple[Any, Any]:
        common = [a for a in self.pairs[0].factors if a.mechanism is a.role is None and all(
            sum(a is b for b in p.factors) == 1 for p in self.pairs)]
        if not common:
            raise Unsupported("products without a common factor")
        return common[0], None
