"""Relations between trade-off functions, profiles and extrema over tests, for every pair.

To show goal <= 0, nodes are opened one by one.  Let E_P[phi], E_Q[phi] of a test be two numbers.

* A node *at its optimum*: f_{P|Q}(level) = 1 - E_Q[phi] for some test with E_P[phi] = level
  (Neyman-Pearson: an optimal test of exactly that size exists for each level in [0, 1]), and
  delta_{P|Q}(eps) = E_P[psi] - e^eps E_Q[psi] for some test (Hahn).  Nothing else is known of the
  two numbers than that they lie in [0, 1]; so what is proved holds for all of them.
* A node *bounded by a choice*: f_{P|Q}(level) <= 1 - E_Q[phi] for every test with
  E_P[phi] <= level, delta_{P|Q}(eps) >= E_P[psi] - e^eps E_Q[psi] for every test, an infimum is at
  most any value of its body that its condition admits, a supremum at least any value, g** <= g.
* A node *by duality*: f_{P|Q}(level) is the supremum over real s of
  1 - e^-s level - delta_{Q|P}(-s) (minimax: tests are weak-* compact, the Lagrangian is bilinear),
  so a bound for every s is one of the supremum.

With a coefficient of sign that makes the goal larger a supremum (or the dual of a trade-off) is
opened for all its values; an infimum is bounded by a choice.  With the other sign it is the other
way round.  Choices are searched among tests and numbers at hand; each has its own condition to be
proved.  What remains are inequalities between real numbers, proved as lemmas.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Node
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement, Proof
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.privacy.mixtures import members
from lapdp.theory import language as lang
from lapdp.theory.methods.lemmatic import Context, Lemmas, Lemmatic
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.methods.sizes import (
    Sizes,
    apart,
    candidates,
    linear_in,
    nodes_of,
    numbers,
    one_space,
    plain_means,
    put,
)
from lapdp.theory.statement import Statement

MAX_DEPTH = 12


class Search(Lemmatic):
    """The search for a proof of one statement."""

    def show(self, goal: Any, c: Context, depth: int = 0) -> Lemmas:
        """Lemmas that imply goal <= 0; :class:`Unsupported` where none are found."""
        if depth > MAX_DEPTH:
            raise Unsupported("too many extrema in one claim")
        goal = sp.expand(goal)
        found = nodes_of(goal)
        if not found:
            return [self.lemma(lang.Le(goal, 0), c)]
        signed: list[tuple[Any, int]] = []
        lemmas: Lemmas = []
        for node in found:
            sign, why = self.sign(linear_in(goal, node), c)
            signed.append((node, sign))
            lemmas += why
        # what is opened for all values comes first: choices may use it
        for node, sign in signed:
            opened = self._open(node, sign, goal, c)
            if opened is not None:
                return [*lemmas, *(x for g, inner, why in opened
                                   for x in (*why, *self.show(g, inner, depth + 1)))]
        for node, sign in sorted(signed, key=lambda x: not isinstance(x[0], tn.TradeOff)):
            for g, inner, conditions in self._choices(node, sign, goal, c):
                try:
                    why = [x for condition in conditions for x in condition()]
                    return [*lemmas, *why, *self.show(g, inner, depth + 1)]
                except Unsupported:
                    continue
        raise Unsupported(f"no choice for {', '.join(str(n) for n, _ in signed)} works")

    def optimum(self, node: Any, c: Context) -> tuple[Any, Context]:
        """The value of a trade-off function or profile at an optimal test, now at hand."""
        identity, (size, power) = members(node.args[0], node.args[1])
        first, second = self.fresh("a"), self.fresh("b")
        test, inside = Sizes(identity, first, second), c
        if isinstance(node, tn.TradeOff):
            self.facts.add(known.NEYMAN_PEARSON)
            level = node.args[2]
            if size == (1, 0):
                test = Sizes(identity, level, second)
            elif size == (0, 1):
                test = Sizes(identity, first, level)
            else:
                inside = replace(c, where=(*c.where, lang.Eq(test.under(size), level)))
            value = 1 - test.under(power)
        else:
            self.facts.add(known.HAHN)
            value = test.under(size) - sp.exp(node.args[2]) * test.under(power)
        for number in (test.p, test.q):
            if number in (first, second):
                inside = self.ranged(number, 0, 1, inside)
        return value, replace(inside, tests=(*inside.tests, test))

    def _open(self, node: Any, sign: int, goal: Any, c: Context
              ) -> list[tuple[Any, Context, Lemmas]] | None:
        """The goals after opening a node for all its values; None if it needs a choice."""
        if isinstance(node, tn.TradeOff) and sign < 0:
            lemmas = self.defined(node, c)
            value, inside = self.optimum(node, c)
            return [(put(goal, node, value), inside, lemmas)]
        if isinstance(node, pn.Profile) and sign > 0:
            lemmas = self.defined(node, c)
            value, inside = self.optimum(node, c)
            return [(put(goal, node, value), inside, lemmas)]
        if isinstance(node, tn.InfOverTests) and sign < 0:
            body, phi, lhs, rhs = node.args
            identity = one_space(phi, (body, lhs, rhs))
            first, second = self.fresh("a"), self.fresh("b")
            inside = self.ranged(second, 0, 1, self.ranged(first, 0, 1, c))
            test = Sizes(identity, first, second)
            condition = test.put(phi, lhs - rhs)
            if nodes_of(condition):
                raise Unsupported("an extremum inside the condition of an infimum over tests")
            inside = replace(inside, tests=(*inside.tests, test),
                             where=(*inside.where, lang.Le(condition, 0)))
            return [(put(goal, node, test.put(phi, body)), inside, [])]
        if isinstance(node, tn.InfOverReals) and sign < 0:
            body, x, lower, upper, lhs, rhs = node.args
            own = self.fresh(x.name)
            inside = self.ranged(own, lower, upper, c)
            inside, why = self.suppose((lhs - rhs).xreplace({x: own}), inside)
            return [(put(goal, node, body.xreplace({x: own})), inside, why)]
        if isinstance(node, tn.SupOverReals) and sign > 0:
            body, x, lower, upper = node.args
            own = self.fresh(x.name)
            return [(put(goal, node, body.xreplace({x: own})),
                     self.ranged(own, lower, upper, c), [])]
        if (isinstance(node, sp.Min) and sign < 0) or (isinstance(node, sp.Max) and sign > 0):
            return [(put(goal, node, a), c, []) for a in node.args]
        return None

    def suppose(self, e: Any, c: Context) -> tuple[Context, Lemmas]:
        """Add the hypothesis e <= 0, its trade-off functions and profiles at their optima."""
        lemmas: Lemmas = []
        e = sp.expand(e)
        for node in nodes_of(e):
            linear_in(e, node)
            if not isinstance(node, (tn.TradeOff, pn.Profile)):
                raise Unsupported(f"{type(node).__name__} in a condition")
            lemmas += self.defined(node, c)
            value, c = self.optimum(node, c)
            e = sp.expand(put(e, node, value))
        return replace(c, where=(*c.where, lang.Le(e, 0))), lemmas

    def _choices(self, node: Any, sign: int, goal: Any, c: Context
                 ) -> Iterator[tuple[Any, Context, Sequence[Callable[[], Lemmas]]]]:
        """Goals after bounding a node by a choice, each with the conditions of the choice."""
        def bounded(value: Any) -> Any:
            return put(goal, node, value)

        if isinstance(node, (sp.Min, sp.Max)):
            for a in node.args:
                yield bounded(a), c, []
        elif isinstance(node, tn.Envelope) and sign > 0:
            yield bounded(node.args[0].xreplace({node.args[1]: node.args[2]})), c, [
                partial(self.defined, node, c)]
        elif isinstance(node, (tn.TradeOff, pn.Profile)):
            identity, rows = members(node.args[0], node.args[1])
            level = node.args[2]
            wanted = level if isinstance(node, tn.TradeOff) else None
            for test, needs in candidates(identity, c.tests, wanted, self.nonnegative):
                first, second = (test.under(row) for row in rows)
                conditions = [partial(self.defined, node, c), partial(needs, c)]
                if isinstance(node, tn.TradeOff):
                    conditions.append(partial(self.show, first - level, c))
                    yield bounded(1 - second), c, conditions
                else:
                    yield bounded(first - sp.exp(level) * second), c, conditions
            if isinstance(node, tn.TradeOff):
                s = self.fresh("s")
                self.facts.add(known.MINIMAX)
                dual = 1 - sp.exp(-s) * level - pn.Profile(node.args[1], node.args[0], -s)
                yield bounded(dual), replace(c, reals=(*c.reals, s)), [
                    partial(self.defined, node, c)]
        elif isinstance(node, tn.InfOverTests):
            body, phi, lhs, rhs = node.args
            identity = one_space(phi, (body, lhs, rhs))
            for test, needs in candidates(identity, c.tests, None, self.nonnegative):
                yield bounded(test.put(phi, body)), c, [
                    partial(needs, c), partial(self.show, test.put(phi, lhs - rhs), c)]
        elif isinstance(node, tn.InfOverReals):
            body, x, lower, upper, lhs, rhs = node.args
            for v in numbers(c.tests, c.reals, node):
                yield bounded(body.xreplace({x: v})), c, [
                    partial(self.inside, v, lower, upper, c),
                    partial(self.show, (lhs - rhs).xreplace({x: v}), c)]
        elif isinstance(node, tn.SupOverReals):
            body, x, lower, upper = node.args
            for v in numbers(c.tests, c.reals, node):
                yield bounded(body.xreplace({x: v})), c, [
                    partial(self.inside, v, lower, upper, c)]
        else:
            raise Unsupported(f"{node} is on the wrong side of the relation")

    def inside(self, v: Any, lower: Any, upper: Any, c: Context) -> Lemmas:
        """lower <= v <= upper."""
        found: Lemmas = []
        if lower != -sp.oo:
            found += self.nonnegative(v - lower, c)
        if upper != sp.oo:
            found += self.nonnegative(upper - v, c)
        return found


def by_tests(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove a weak relation, or that an expression is defined, by tests; see the module."""
    forms = (statement.claim, *statement.where)
    expressions = [sp.sympify(e) for f in forms for e in lang.expressions(f)]
    if not any(e.has(*tn.EXTREMA, tn.Mean) or any(x.has(pn.Profile) for x in e.atoms(
            sp.Min, sp.Max)) for e in expressions):
        return None
    claim = statement.claim
    if not isinstance(claim, (sp.Eq, sp.Le, sp.Ge, lang.Defined)):
        return None
    _bounded(claim)
    taken = {s.name for e in expressions for s in e.atoms(sp.Symbol)}
    search = Search(prove, taken)
    start, means = plain_means(statement, search.fresh)

    def read(e: Any) -> Any:
        return apart(e, search.fresh).xreplace(means)

    context, lemmas = _context(statement, start, read)
    sides = [read(e) for e in lang.expressions(claim)]
    for e in sides:
        lemmas += search.defined(e, context)
    if isinstance(claim, (sp.Eq, sp.Le)):
        lemmas += _with_given(search, sides[0] - sides[1], context)
    if isinstance(claim, (sp.Eq, sp.Ge)):
        lemmas += _with_given(search, sides[1] - sides[0], context)
    return by_lemmas("tests", lemmas, search.facts)


def _bounded(claim: Any) -> None:
    """Suprema over unbounded sets may be +oo, unless both relations to something finite hold."""
    unbounded = [any(sp.oo in n.args[2:] or -sp.oo in n.args[2:]
                     for n in sp.sympify(e).atoms(tn.SupOverReals))
                 for e in lang.expressions(claim)]
    if all(unbounded) or (any(unbounded) and not isinstance(claim, sp.Eq)):
        raise Unsupported("a supremum may be +oo: state that it equals something finite")


def _context(statement: Statement, tests: tuple[Sizes, ...], read: Callable[[Any], Any]
             ) -> tuple[Context, Lemmas]:
    """The hypotheses: plain ones as they stand, ``e <= 0`` with nodes kept for later."""
    where: list[Any] = [r for t in tests for m in (t.p, t.q) for r in (lang.Ge(m, 0),
                                                                       lang.Le(m, 1))]
    given: list[Any] = []
    for form in statement.where:
        if not isinstance(form, Relational):
            continue  # left out: a proof without a hypothesis is a proof
        lhs, rhs = read(form.lhs), read(form.rhs)
        if not (lhs.has(Node) or rhs.has(Node)):
            where.append(form.func(lhs, rhs, evaluate=False))
        elif isinstance(form, (sp.Le, sp.Lt)):
            given.append(lhs - rhs)
        elif isinstance(form, (sp.Ge, sp.Gt)):
            given.append(rhs - lhs)
        elif isinstance(form, sp.Eq):
            given += [lhs - rhs, rhs - lhs]
    return Context(tuple(where), tests, given=tuple(given)), []


def _with_given(search: Search, goal: Any, c: Context) -> Lemmas:
    """Show a goal from the hypotheses with nodes: at their optima, or added to the goal."""
    inside, lemmas = c, list[tuple[str, Proof]]()
    for e in c.given:
        inside, more = search.suppose(e, inside)
        lemmas += more
    # hypotheses that contradict each other prove nothing
    lemmas.append(search.lemma(lang.Ge(1, 0), inside))
    try:
        return [*lemmas, *search.show(goal, inside)]
    except Unsupported:
        if not c.given:
            raise
    for e in c.given:
        try:
            return [*lemmas, *search.defined(e, c), *search.show(goal - e, c)]
        except Unsupported:
            continue
    raise Unsupported("the hypotheses on trade-off functions do not give the claim")
