"""Mean, variance and mass at infinity of independent releases.

Theorem.  Let Z be the loss of a product of pairs with losses Z_1, ..., Z_n.  Z is finite exactly
when all Z_i are, and Z = Z_1 + ... + Z_n then; under the product of the first distributions the Z_i
are independent.  So, given that Z is finite, it is a sum of independent variables, Z_i having its
own inner law: Pr[Z < oo] is the product of the Pr[Z_i < oo], means add up if they are finite, and
so do variances (Fubini).  For n copies of one pair this is induction on n.

A mean is supposed to be finite by ``Defined(inner_mean(Z_i))`` or ``Defined(inner_variance(Z_i))``,
which say too that Z_i is finite with positive probability.  What is left is a relation between
numbers: one letter for each mean, variance and mass.

*Sums.*  The integral of y^k f_Z(y) over the finite losses is a letter too, for k = 1, 2 under the
same hypotheses.  For a product, and for the convolution of two loss densities, it is the sum of
binomial(k, j) N_j(Z_1) N_(k-j)(Z_2), by Fubini: the negative part of a loss has all moments, since
E[e^-Z] <= 1, so that moments converge absolutely as soon as they are finite.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import sympy as sp

from lapdp.calculus import nodes as cn
from lapdp.calculus.nodes import Node
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement, Proof
from lapdp.privacy import nodes as pn
from lapdp.privacy.families import Composed
from lapdp.privacy.inner_loss import Inner, InnerMean, InnerMoment, InnerVariance
from lapdp.theory import language as lang
from lapdp.theory.methods.letters import denominators
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.rewriting import Fresh, lemma_of, map_form, outermost
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
    e = sp.sympify(e).xreplace({x: 1 - pn.Pr(x.args[0], "==", sp.oo)
                                for x in sp.sympify(e).atoms(pn.Probability)
                                if str(x.args[1]) == "<" and x.args[2] == sp.oo})
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


class FiniteMoment(Node):
    """The integral of y^k over the finite losses: args (Z, k), k >= 1."""


def moment_of(Z: Any, k: int) -> Any:
    """The integral of y^k f_Z(y), through the factors of a product."""
    if k == 0:
        return 1 - pn.Pr(Z, "==", sp.oo)
    parts = releases(Z)
    if parts is None:
        return FiniteMoment(Z, k)
    if len(parts) != 2 or any(count != 1 for _, count in parts):
        raise Unsupported("moments of products of two pairs only")
    return _convolved(parts[0][0], parts[1][0], k)


def _convolved(one: Any, two: Any, k: int) -> Any:
    return sp.Add(*(sp.binomial(k, j) * moment_of(one, j) * moment_of(two, k - j)
                    for j in range(k + 1)))


def in_moments(e: Any) -> Any:
    """A mean or variance of the inner distribution through the moments of the finite losses."""
    z = e.args[0]
    kept = moment_of(z, 0)
    mean = moment_of(z, 1) / kept
    return mean if isinstance(e, InnerMean) else moment_of(z, 2) / kept - mean**2


def sums(e: Any) -> Any:
    """Integrals of polynomials times loss densities over the line, as moments."""
    if not e.has(cn.IntegralOnLine):
        return e
    if not isinstance(e, cn.IntegralOnLine):
        return e.func(*(sums(a) for a in e.args))
    body, y, lower, upper = e.args
    if (lower, upper) != (-sp.oo, sp.oo):
        raise Unsupported("a sum over a part of the losses")
    total = sp.S.Zero
    for term in sp.Add.make_args(sp.expand(sums(body))):
        laws = [x for x in sp.Mul.make_args(term)
                if isinstance(x, (pn.LossDensity, cn.Convolution)) and y in x.free_symbols]
        if len(laws) != 1:
            raise Unsupported("a sum of something else than a polynomial times a loss density")
        try:
            rest = sp.Poly(sp.cancel(term / laws[0]), y)
        except sp.PolynomialError:
            raise Unsupported("a sum of something else than a polynomial times a loss density"
                              ) from None
        for (k,), c in rest.terms():
            total += c * _moment_of_law(laws[0], y, k)
    return total


def _moment_of_law(law: Any, y: Any, k: int) -> Any:
    if k > MOST:
        raise Unsupported("moments above the second")
    if isinstance(law, pn.LossDensity):
        if law.args[1] != y:
            raise Unsupported("a loss density at another point")
        return moment_of(law.args[0], k)
    first, second, v = law.args[:3]
    if v != y or law.args[3] != -sp.oo or not all(
            isinstance(x, pn.LossDensity) and x.args[1] == y for x in (first, second)):
        raise Unsupported("a convolution of something else than two loss densities")
    return _convolved(first.args[0], second.args[0], k)


MOST = 2
"""Moments that a finite variance makes finite."""


class Letters:
    """A letter for each mean, variance, moment and mass of single pairs, with what is known."""

    def __init__(self, statement: Statement) -> None:
        self.fresh = Fresh(statement)
        self.raw = any(isinstance(x, cn.IntegralOnLine) for x in _nodes([statement.claim]))
        self.finite = {h.expr.args[0] for h in statement.where if isinstance(h, lang.Defined)
                       and isinstance(h.expr, Inner)}
        self.has_variance = {h.expr.args[0] for h in statement.where if isinstance(h, lang.Defined)
                             and (isinstance(h.expr, InnerVariance) or (
                                 isinstance(h.expr, InnerMoment) and h.expr.args[1] >= 2))}
        self.known: dict[Any, Any] = {}
        self.about: list[Any] = []

    def of(self, node: Any) -> Any:
        """The letter of a node; Unsupported where the node may have no value."""
        if node in self.known:
            return self.known[node]
        z = node.args[0]
        if isinstance(node, InnerMean) and z in self.finite:
            letter = self.fresh.real("mu")
        elif isinstance(node, FiniteMoment) and z in (
                self.finite if node.args[1] == 1 else self.has_variance):
            letter = self.fresh.real("N")
        elif isinstance(node, InnerVariance) and z in self.has_variance:
            letter = sp.Symbol(self.fresh.name("v"), nonnegative=True)
        elif is_lost(node):
            letter = sp.Symbol(self.fresh.name("p"), nonnegative=True)
            self.about.append((lang.Lt if z in self.finite else lang.Le)(letter, 1))
        elif isinstance(node, (pn.Probability, pn.LossCDF)):
            letter = self.fresh.real("r")
        else:
            raise Unsupported(f"{node} may have no value: suppose Defined({node})")
        self.known[node] = letter
        return letter

    def put(self, e: Any) -> Any:
        """An expression with letters for its nodes, and for the powers (1 - p)^n."""
        e = sums(sp.sympify(e))
        if self.raw:
            e = e.xreplace({x: in_moments(x) for x in e.atoms(InnerMean, InnerVariance)})
        e = separated(e)
        nodes = list(e.atoms(Inner, FiniteMoment, pn.Probability, pn.LossCDF))
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
            kept = [p for p in x.base.free_symbols if x.base == 1 - p and self._is_mass(p)]
            if not (kept and x.exp.is_integer and x.exp.is_nonnegative):
                raise Unsupported(f"the power {x}")
            letter = sp.Symbol(self.fresh.name("w"), nonnegative=True)
            self.known[x] = letter
            self.about.append(lang.Le(letter, 1))
            if lang.Lt(kept[0], 1) in self.about:
                self.about.append(lang.Gt(letter, 0))
        return self.known[x]

    def _is_mass(self, letter: Any) -> bool:
        return any(is_lost(node) for node, known_as in self.known.items() if known_as == letter)


def by_independence(statement: Statement, prove: Prove) -> Judgement | None:
    """Reduce a relation between means, variances and masses of products to one of numbers."""
    claim = statement.claim
    if not isinstance(claim, sp.core.relational.Relational):
        return None
    nodes = _nodes([claim])
    if not any(isinstance(x, Inner) or is_lost(x) for x in nodes):
        return None
    if any(isinstance(x, (pn.RenyiDivergence, pn.Moment, pn.Expectation)) for x in nodes):
        raise Unsupported("a notion beside the losses that may be +oo")
    letters = Letters(statement)
    for x in (x for e in lang.expressions(claim) for x in outermost(sp.sympify(e))):
        letters.put(x)  # it has a value, though the difference of two may lose it
    form = map_form(claim, letters.put)
    about = [map_form(h, letters.put) for h in statement.where
             if isinstance(h, sp.core.relational.Relational)
             and all(isinstance(x, (Inner, pn.Probability, pn.LossCDF)) for x in _nodes([h]))]
    # SymPy cancels what is put in: denominators are asked for as they were written
    gaps = [letters.put(base) for base in denominators(claim)]
    lemmas = [(f"{gap} differs from 0",
               _differs(lemma_of(statement, form, [*about, *letters.about]), gap, prove))
              for gap in gaps if not (gap.is_number and gap != 0)]
    lemma = lemma_of(statement, form, [*about, *letters.about])
    facts = [known.FUBINI, known.DISINTEGRATION]
    if any(isinstance(p.role, Composed) for p in statement.pairs):
        facts.append(known.INDUCTION)
    lemmas.append(("the relation between numbers", prove(lemma)))
    return by_lemmas("independent losses", lemmas, facts)


def _differs(lemma: Statement, gap: Any, prove: Prove) -> Proof:
    """The proof that a number differs from 0; raises :class:`Unsupported`."""
    for relation in (lang.Gt, lang.Lt):
        try:
            return prove(lemma_of(lemma, relation(gap, 0), lemma.where))
        except Unsupported:
            continue
    return prove(lemma_of(lemma, lang.Ne(gap, 0), lemma.where))


def _nodes(forms: Iterable[Any]) -> list[Any]:
    found: set[Any] = set()
    for form in forms:
        for e in lang.expressions(form):
            for x in sp.preorder_traversal(sp.sympify(e)):
                if isinstance(x, Node) and not isinstance(x, pn.Loss):
                    found.add(x)
    return sorted(found, key=str)


__all__ = ["Letters", "by_independence", "is_lost", "releases", "separated"]
