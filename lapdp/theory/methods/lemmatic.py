"""The search for proofs by tests: what is known, lemmas on reals, definedness.

:mod:`trade_offs` has the rules by which claims are opened.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from lapdp.calculus.nodes import Node
from lapdp.core.errors import IllFormed, Unsupported
from lapdp.core.verdict import Proof
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.privacy.mixtures import members
from lapdp.theory import language as lang
from lapdp.theory.methods.real_lemmas import polynomial_lemma
from lapdp.theory.methods.registry import Prove
from lapdp.theory.methods.sizes import Sizes, hockey_stick, nodes_of, one_space, two_members
from lapdp.theory.methods.universals import (
    ConvexCurve,
    Universal,
    Values,
    instances,
    points_of,
)
from lapdp.theory.render import word_of
from lapdp.theory.statement import Statement

MAX_LEMMAS = 1000
"""Lemmas tried for one statement: a bound on the search for choices."""


@dataclass(frozen=True)
class Context:
    """What is known: relations between reals, tests at hand, reals at hand."""

    where: tuple[Any, ...]
    tests: tuple[Sizes, ...] = ()
    reals: tuple[Any, ...] = ()
    given: tuple[Any, ...] = ()
    """Hypotheses ``expression <= 0`` with nodes, not yet used."""
    universal: tuple[Universal, ...] = ()
    """Hypotheses for all values."""
    curves: Mapping[str, ConvexCurve] = field(default_factory=dict, compare=False)
    """Arbitrary functions that are convex."""
    outcomes: tuple[Any, ...] = ()
    """Outcomes that stand for any one."""
    slopes: tuple[Any, ...] = ()
    """Slopes of supporting lines, of which only hypotheses for all values tell something."""


Lemmas = list[tuple[str, Proof]]


@dataclass
class Lemmatic(ABC):
    """A search with its lemmas on real numbers, and the definedness of expressions."""

    prove: Prove
    taken: set[str]
    facts: set[Any] = field(default_factory=set)
    cache: dict[Any, Proof | None] = field(default_factory=dict)
    values: Values = field(default_factory=Values)
    conditions: dict[Any, bool] = field(default_factory=dict)

    # -- real numbers ---------------------------------------------------------------------------

    def fresh(self, stem: str) -> Any:
        """A new real symbol: its name differs from all others in the statement."""
        k = 1
        while f"{stem}{k}" in self.taken:
            k += 1
        self.taken.add(f"{stem}{k}")
        return sp.Symbol(f"{stem}{k}", real=True)

    def lemma(self, relation: Any, c: Context) -> tuple[str, Proof]:
        """A relation between real numbers, by the engine, with instances of what holds for all."""
        where = tuple(self.values.relation(h) for h in c.where)
        try:
            return self._plain_lemma(self.values.relation(relation), replace(c, where=where))
        except Unsupported:
            if not c.universal or not (relation.has(AppliedUndef) or relation.has(*c.slopes)):
                raise
        where = (*where, *self._instances(relation, c))
        for factor in (sp.Integer(1), *self._positive(relation, c)):
            scaled = relation.func(sp.expand(factor * relation.lhs),
                                   sp.expand(factor * relation.rhs), evaluate=False)
            try:
                return self._plain_lemma(self.values.relation(scaled), replace(c, where=where),
                                         divide=factor == 1)
            except Unsupported:
                continue
        raise Unsupported(f"{relation} is not proved")

    def _instances(self, relation: Any, c: Context) -> list[Any]:
        """Hypotheses for all values, at the points where functions are looked at."""
        points = points_of(relation.args)
        more = [*(x.lower for x in c.curves.values()), *(x for x in c.reals if x not in c.slopes)]
        points += [x for x in dict.fromkeys(more) if x not in points]
        bare = replace(c, universal=())

        def proved(e: Any, strict: bool) -> bool:
            if e.is_Rational:
                return bool(e < 0 or (e == 0 and not strict))
            key = (e, strict, c.where)
            if key not in self.conditions:
                try:
                    self.lemma((lang.Lt if strict else lang.Le)(e, 0), bare)
                    self.conditions[key] = True
                except Unsupported:
                    self.conditions[key] = False
            return self.conditions[key]

        return [self.values.relation(lang.Le(e, 0))
                for u in c.universal for e in instances(u, points, proved)]

    def _positive(self, relation: Any, c: Context) -> list[Any]:
        """Positive numbers by which a relation may be multiplied."""
        known = relation.free_symbols.union(c.reals, *(h.free_symbols for h in c.where))
        return sorted((s for s in known if s.is_positive), key=str)

    def _plain_lemma(self, relation: Any, c: Context, divide: bool = True) -> tuple[str, Proof]:
        key = (relation, c.where, divide)
        if key not in self.cache:
            if len(self.cache) > MAX_LEMMAS:
                raise Unsupported("the search for choices grows beyond its limit")
            fewer = tuple(h for h in c.where if not isinstance(h, sp.Eq))
            self.cache[key] = polynomial_lemma(relation, c.where, divide) or (
                polynomial_lemma(relation, fewer, divide) if fewer != c.where else None
            ) or self._prove(relation, c.where)
        found = self.cache[key]
        if found is None:
            raise Unsupported(f"{relation} is not proved")
        return str(relation), found

    def _prove(self, relation: Any, where: tuple[Any, ...]) -> Proof | None:
        """By the engine: where it is not a relation of polynomials and exponentials."""
        marks = {x: sp.Dummy("x") for e in relation.args for x in e.atoms(sp.exp)}
        if all(e.xreplace(marks).is_polynomial() for e in relation.args):
            return None
        try:
            return self.prove(Statement("lemma/reals", relation, where))
        except (Unsupported, IllFormed):
            return None

    def nonnegative(self, e: Any, c: Context) -> Lemmas:
        """Proofs that a number is not negative, none where SymPy's assumptions say so."""
        return [self.lemma(lang.Ge(sp.expand(e), 0), c)]

    def sign(self, e: Any, c: Context) -> tuple[int, Lemmas]:
        """The weak sign of a coefficient (1 or -1) with its proof."""
        for sign in (1, -1):
            try:
                return sign, self.nonnegative(sign * e, c)
            except Unsupported:
                continue
        raise Unsupported(f"the sign of the coefficient {e} is open")

    # -- definedness ----------------------------------------------------------------------------

    def defined(self, e: Any, c: Context) -> Lemmas:
        """Every part of an expression has a finite value."""
        e = sp.sympify(e)
        if isinstance(e, tn.TradeOff):
            level = e.args[2]
            if nodes_of(level):
                raise Unsupported("a level that is itself an extremum")
            return [*self.mixed(e, c), *self.defined(level, c), *self.nonnegative(level, c),
                    *self.nonnegative(1 - level, c)]
        if isinstance(e, pn.Profile):
            if not e.args[2].is_real or nodes_of(e.args[2]):
                raise Unsupported(f"the argument of {e} is not a real number")
            return [*self.mixed(e, c), *self.defined(e.args[2], c)]
        if isinstance(e, tn.InfOverTests):
            return self._feasible_test(e, c)
        if isinstance(e, tn.InfOverReals):
            return self._feasible_real(e, c)
        if isinstance(e, (tn.SupOverReals, tn.Envelope)):
            body, x = e.args[:2]
            lower, upper = e.args[2:4] if isinstance(e, tn.SupOverReals) else (0, 1)
            own = self.fresh(x.name)
            found = self.defined(body.xreplace({x: own}), self.ranged(own, lower, upper, c))
            if (lower, upper) != (-sp.oo, sp.oo):
                found += self.nonnegative(upper - lower, c) if upper != sp.oo else (
                    self.bounded_above(e, c))
            if isinstance(e, tn.Envelope):
                at = e.args[2]
                found += [*self.defined(at, c), *self.nonnegative(at, c),
                          *self.nonnegative(1 - at, c)]
            return found
        if isinstance(e, pn.SupOverOutcomes):
            return self._bounded_notion(e.args[0], c)
        hockey = hockey_stick(e)
        if hockey is not None:
            two_members(hockey[0])
            return [m for weight in hockey[1] for m in self.defined(weight, c)]
        if isinstance(e, Node):
            raise Unsupported(f"{word_of(e)} beside trade-off functions")
        if isinstance(e, AppliedUndef):
            curve = c.curves.get(type(e).__name__)
            if curve is None or len(e.args) != 1:
                raise Unsupported(f"{e} is not known to have a value: say that it is convex")
            return [*self.defined(e.args[0], c),
                    *(self.lemma(lang.Le(gap, 0), c) for gap in curve.domain(e.args[0]))]
        found = [x for a in e.args for x in self.defined(a, c)]
        if e.is_Pow and not (e.exp.is_Integer and e.exp >= 0) and e.base is not sp.E:
            found.append(self.lemma(lang.Gt(e.base, 0), c))
        elif isinstance(e, sp.log):
            found.append(self.lemma(lang.Gt(e.args[0], 0), c))
        elif not (e.is_Add or e.is_Mul or e.is_Pow or e.is_Symbol or e.is_Rational
                  or isinstance(e, (sp.exp, sp.Min, sp.Max)) or e is sp.E):
            raise Unsupported(f"{e} beside trade-off functions")
        if e.is_Symbol and not e.is_real:
            raise Unsupported(f"{e} is not a real number")
        return found

    def bounded_above(self, e: Any, c: Context) -> Lemmas:
        """A supremum over an unbounded set is finite: a constant bounds its body."""
        body, x, lower, upper = e.args
        own = self.fresh(x.name)
        inside = self.ranged(own, lower, upper, c)
        for bound in (0, 1):
            try:
                return [*self.defined(body.xreplace({x: own}), inside),
                        *self.show(body.xreplace({x: own}) - bound, inside)]
            except Unsupported:
                continue
        raise Unsupported(f"{e} may be +oo")

    def _bounded_notion(self, body: Any, c: Context) -> Lemmas:
        """A profile or trade-off function, the same for all families: its supremum is finite."""
        if not isinstance(body, (pn.Profile, tn.TradeOff)) and hockey_stick(body) is None:
            raise Unsupported(f"the supremum of {body} over outcomes")
        return self.defined(body, c)

    def mixed(self, e: Any, c: Context) -> Lemmas:
        """The two distributions of a curve are distributions: weights >= 0 with sum 1."""
        found: Lemmas = []
        identity, rows = members(e.args[0], e.args[1])
        two_members(identity)
        for row in rows:
            if sp.expand(row[0] + row[1] - 1) != 0:
                raise Unsupported(f"the weights {row} of a mixture are not known to have sum 1")
            for weight in row:
                if weight not in (0, 1):
                    found += [*self.defined(weight, c), *self.nonnegative(weight, c)]
        return found

    def ranged(self, x: Any, lower: Any, upper: Any, c: Context) -> Context:
        """The context with lower <= x <= upper, and x at hand."""
        bounds = [lang.Ge(x, lower)] if lower != -sp.oo else []
        bounds += [lang.Le(x, upper)] if upper != sp.oo else []
        return replace(c, where=(*c.where, *bounds), reals=(*c.reals, x))

    def _feasible_test(self, e: Any, c: Context) -> Lemmas:
        body, phi, lhs, rhs = e.args
        identity = one_space(phi, (body, lhs, rhs))
        for value in (sp.Integer(0), sp.Integer(1)):
            test = Sizes(identity, value, value)
            try:
                return [*self.defined(test.put(phi, body), c),
                        *self.show(test.put(phi, lhs - rhs), c)]
            except Unsupported:
                continue
        raise Unsupported(f"no test is known to satisfy {lhs} <= {rhs}")

    def _feasible_real(self, e: Any, c: Context) -> Lemmas:
        body, x, lower, upper, lhs, rhs = e.args
        if upper in (sp.oo, -sp.oo) or lower in (sp.oo, -sp.oo):
            raise Unsupported("an infimum over an unbounded set")
        own = self.fresh(x.name)
        inside = self.ranged(own, lower, upper, c)
        found = [m for part in (body, lhs, rhs)
                 for m in self.defined(part.xreplace({x: own}), inside)]
        found += self.nonnegative(upper - lower, c)
        for value in (upper, lower):
            try:
                return [*found, *self.show((lhs - rhs).xreplace({x: value}), c)]
            except Unsupported:
                continue
        raise Unsupported(f"no value is known to satisfy {lhs} <= {rhs}")

    @abstractmethod
    def show(self, goal: Any, c: Context, depth: int = 0) -> Lemmas:
        """Lemmas that imply goal <= 0; :class:`Unsupported` where none are found."""


__all__ = ["Context", "Lemmas", "Lemmatic"]
