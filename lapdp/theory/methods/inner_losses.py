"""Mean, variance and mass at infinity of independent releases.

Theorem.  Let Z be the loss of a product of pairs with losses Z_1, ..., Z_n.  Z is finite exactly
when all Z_i are, and Z = Z_1 + ... + Z_n then; under the product of the first distributions the Z_i
are independent.  So, given that Z is finite, it is a sum of independent variables, Z_i having its
own inner law: Pr[Z < oo] is the product of the Pr[Z_i < oo], means add up if they are finite, and
so do variances (Fubini).  For n copies of one pair this is induction on n.

A mean is supposed to be finite by ``Defined(inner_mean(Z_i))`` or ``Defined(inner_variance(Z_i))``,
which say too that Z_i is finite with positive probability.  What is left is a relation between
numbers: one letter for each mean, variance and mass.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Node
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement
from lapdp.privacy import nodes as pn
from lapdp.privacy.families import Composed
from lapdp.privacy.inner_loss import Inner, InnerMean, InnerVariance
from lapdp.theory import language as lang
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import Fresh, lemma_of, map_form, on_parameters
from lapdp.theory.statement import Statement


def releases(Z: Any) -> list[tuple[Any, Any]] | None:
    """The losses of the independent releases of a product, each with its number; None for others.

    >>> P, Q = pn.product_pair(pn.pair("P1", "Q1"), pn.pair("P2", "Q2"))
    >>> releases(pn.PLD(Q, P))
    [(PLD(Q1, P1), 1), (PLD(Q2, P2), 1)]
    """
    identity, reverse = pn.oriented(*Z.args)
    if isinstance(identity.role, Composed) and identity.role.composition.each is not None:
        parts = [(identity.role.composition.each, identity.role.index)]
    elif identity.factors:
        parts = [((pn.Distribution(p.names[0], p, 0), pn.Distribution(p.names[1], p, 1)),
                  sp.Integer(1)) for p in identity.factors]
    else:
        return None
    found = []
    for (first, second), count in parts:
        loss = pn.PLD(second, first) if reverse else pn.PLD(first, second)
        inner = releases(loss) or [(loss, sp.Integer(1))]
        found += [(z, count * k) for z, k in inner]
    return found


def is_lost(e: Any) -> bool:
    """Is the expression Pr[Z = +oo]?"""
    return isinstance(e, pn.Probability) and str(e.args[1]) == "==" and e.args[2] == sp.oo


def separated(e: Any) -> Any:
    """Means, variances and masses at infinity of products through those of their factors."""
    e = sp.sympify(e)
    values: dict[Any, Any] = {}
    for node in e.atoms(InnerMean, InnerVariance, pn.Probability):
        if isinstance(node, pn.Probability) and not is_lost(node):
            continue
        parts = releases(node.args[0])
        if parts is None:
            continue
        if isinstance(node, pn.Probability):
            kept = sp.Mul(*((1 - pn.Pr(z, "==", sp.oo)) ** k for z, k in parts))
            values[node] = 1 - kept
        else:
            values[node] = sp.Add(*(k * type(node)(z) for z, k in parts))
    return e.xreplace(values)


class Letters:
    """A letter for each mean, variance, moment and mass of single pairs, with what is known."""

    def __init__(self, statement: Statement) -> None:
        self.fresh = Fresh(statement)
        self.finite = {h.expr.args[0] for h in statement.where if isinstance(h, lang.Defined)
                       and isinstance(h.expr, Inner)}
        self.has_variance = {h.expr.args[0] for h in statement.where if isinstance(h, lang.Defined)
                             and isinstance(h.expr, InnerVariance)}
        self.known: dict[Any, Any] = {}
        self.about: list[Any] = []

    def of(self, node: Any) -> Any:
        """The letter of a node; Unsupported where the node may have no value."""
        if node in self.known:
            return self.known[node]
        z = node.args[0]
        if isinstance(node, InnerMean) and z in self.finite:
            letter = self.fresh.real("mu")
        elif isinstance(node, InnerVariance) and z in self.has_variance:
            letter = sp.Symbol(self.fresh.name("v"), nonnegative=True)
        elif is_lost(node):
            letter = sp.Symbol(self.fresh.name("p"), nonnegative=True)
            self.about.append((lang.Lt if z in self.finite else lang.Le)(letter, 1))
        else:
            raise Unsupported(f"{node} may have no value: suppose Defined({node})")
        self.known[node] = letter
        return letter

    def put(self, e: Any) -> Any:
        """An expression with letters for its nodes, and for the powers (1 - p)^n."""
        e = separated(e)
        nodes = [x for x in e.atoms(Inner, pn.Probability)]
        e = sp.expand(e.xreplace({x: self.of(x) for x in nodes}), power_base=False,
                      basic=False, mul=False, multinomial=False, log=False, power_exp=True)
        powers = {x: self._power(x) for x in e.atoms(sp.Pow)
                  if x.exp.free_symbols and x.base.free_symbols & set(self.known.values())}
        e = e.xreplace(powers)
        if e.has(Node, pn.Distribution):
            raise Unsupported("more than means, variances and masses of independent releases")
        return e

    def _power(self, x: Any) -> Any:
        if x not in self.known:
            # 0 <= 1 - p <= 1, and the exponent is a whole number from 0 on
            if not (x.exp.is_integer and x.exp.is_nonnegative):
                raise Unsupported(f"the power {x}")
            letter = sp.Symbol(self.fresh.name("w"), nonnegative=True)
            self.known[x] = letter
            self.about.append(lang.Le(letter, 1))
            if any(lang.Lt(p, 1) in self.about for p in x.base.free_symbols):
                self.about.append(lang.Gt(letter, 0))
        return self.known[x]


def by_independence(statement: Statement, prove: Prove) -> Judgement | None:
    """Reduce a relation between means, variances and masses of products to one of numbers."""
    claim = statement.claim
    if not isinstance(claim, sp.core.relational.Relational):
        return None
    nodes = _nodes([claim])
    if not nodes or not all(isinstance(x, (InnerMean, InnerVariance)) or is_lost(x)
                            for x in nodes):
        return None
    letters = Letters(statement)
    form = map_form(claim, letters.put)
    about = [map_form(h, letters.put) for h in statement.where
             if isinstance(h, sp.core.relational.Relational)
             and all(isinstance(x, Inner) or is_lost(x) for x in _nodes([h]))]
    lemma = lemma_of(statement, form, [*about, *letters.about])
    facts = [known.FUBINI, known.DISINTEGRATION]
    if any(isinstance(pn.oriented(*x.args[0].args)[0].role, Composed) for x in nodes):
        facts.append(known.INDUCTION)
    return by_lemmas("independent losses", [("the relation between numbers", prove(lemma))], facts)


def by_definition(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove an equality whose sides become the same when inner moments are written out."""
    claim = statement.claim
    if not isinstance(claim, sp.Eq):
        return None
    nodes = [x for x in _nodes([claim]) if isinstance(x, Inner)]
    if not nodes:
        return None
    letters = Letters(statement)
    for x in nodes:
        letters.of(x)
    whole = {x: x.defined() for x in nodes}
    sides = [sp.sympify(side) for side in (claim.lhs, claim.rhs)]
    for one, other in ((0, 1), (1, 0)):
        if sides[one] in whole and whole[sides[one]] == sides[other]:
            lemma = lemma_of(statement, lang.Eq(0, 0), on_parameters(statement.where))
            return by_lemmas("definition", [("the two sides are one expression", prove(lemma))])
    raise Unsupported("the sides are not the same by definition")


def _nodes(forms: Iterable[Any]) -> list[Any]:
    found: set[Any] = set()
    for form in forms:
        for e in lang.expressions(form):
            for x in sp.preorder_traversal(sp.sympify(e)):
                if isinstance(x, Node) and not isinstance(x, pn.Loss):
                    found.add(x)
    return sorted(found, key=str)


__all__ = ["Letters", "by_definition", "by_independence", "is_lost", "releases", "separated"]
