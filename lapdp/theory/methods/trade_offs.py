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

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus.nodes import Node
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import Judgement, Proof
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.theory import language as lang
from lapdp.theory.methods.lemmatic import Context, Lemmas
from lapdp.theory.methods.registry import Prove, by_lemmas
from lapdp.theory.methods.searching import Search, multipliers
from lapdp.theory.methods.sizes import (
    Sizes,
    apart,
    hockey_stick,
    plain_means,
    plain_values,
    put,
)
from lapdp.theory.methods.universals import Universal, convex_curves, universals_of
from lapdp.theory.rewriting import free_outcomes, plain
from lapdp.theory.statement import Statement


def by_tests(statement: Statement, prove: Prove) -> Judgement | None:
    """Prove a weak relation, or that an expression is defined, by tests; see the module."""
    forms = (statement.claim, *map(plain, statement.where))
    expressions = [sp.sympify(e) for f in forms for e in lang.expressions(f)]
    if not any(e.has(*tn.EXTREMA, tn.Mean) or any(x.has(pn.Profile) for x in e.atoms(
            sp.Min, sp.Max)) or any(map(hockey_stick, e.atoms(pn.IntegralOverSpace)))
            or e.has(pn.SupOverOutcomes) for e in expressions) and not any(
            isinstance(h, lang.ConvexOn) for h in statement.where):
        return None
    claim = statement.claim
    if not isinstance(claim, (sp.Eq, sp.Le, sp.Ge, lang.Defined)):
        return None
    bound = {n.args[1] for e in expressions for n in e.atoms(pn.SupOverOutcomes)}
    if bound & set().union(*map(free_outcomes, forms)):
        raise Unsupported("an outcome that a supremum runs over stands free as well")
    taken = {s.name for e in expressions for s in e.atoms(sp.Symbol)}
    search = Search(prove, taken)
    start, means = plain_means(statement, search.fresh)

    def read(e: Any) -> Any:
        return apart(e, search.fresh).xreplace(means)

    context, lemmas = _context(statement, start, read, search.fresh)
    sides = [read(e) for e in lang.expressions(claim)]
    context = _with_slopes(search, sides, context)
    _bounded(claim, sides)
    for e in sides:
        lemmas += search.defined(e, context)
    if isinstance(claim, (sp.Eq, sp.Le)):
        lemmas += _with_given(search, sides[0] - sides[1], context)
    if isinstance(claim, (sp.Eq, sp.Ge)):
        lemmas += _with_given(search, sides[1] - sides[0], context)
    return by_lemmas("tests", lemmas, search.facts)


def _bounded(claim: Any, sides: list[Any]) -> None:
    """Suprema over the line may be +oo, unless both relations of one of them, a number times it
    added to something finite, to something finite hold; over a half-line they are bounded where
    they are opened."""
    endless = [[n for n in sp.sympify(e).atoms(tn.SupOverReals) if -sp.oo in n.args[2:]]
               for e in sides]
    found = [n for nodes in endless for n in nodes]
    if not found:
        return
    if len(found) > 1 or not isinstance(claim, sp.Eq) or not _is_plain_term(
            sides[0] if endless[0] else sides[1], found[0]):
        raise Unsupported("a supremum may be +oo: state that it equals something finite")


def _is_plain_term(e: Any, node: Any) -> bool:
    """Does a node stand in a sum once, with a rational factor other than 0?"""
    terms = [t for t in sp.Add.make_args(e) if t.has(node)]
    return len(terms) == 1 and bool((terms[0] / node).is_Rational)


def _with_slopes(search: Search, sides: list[Any], c: Context) -> Context:
    """The context with a supporting line of each convex function at each inner point u where its
    value H(u) occurs outside of every extremum."""
    for e in sorted({x for side in sides for x in plain_values(side)}, key=str):
        curve = c.curves.get(type(e).__name__)
        if curve is None or len(e.args) != 1:
            continue
        u = e.args[0]
        try:
            for gap in curve.domain(u):
                search.lemma(lang.Lt(gap, 0), c)
        except Unsupported:
            continue
        search.facts.add(known.SUPPORTING_LINE)
        m, y = search.fresh("m"), search.fresh("y")
        where = (*c.where, lang.Ge(m, 0)) if curve.falling else c.where
        line = Universal((y,), tuple((gap, False) for gap in curve.domain(y)),
                         e - m * (y - u) - e.func(y))
        c = replace(c, where=where, reals=(*c.reals, m), slopes=(*c.slopes, m),
                    universal=(*c.universal, line))
    return c


def _context(statement: Statement, tests: tuple[Sizes, ...], read: Callable[[Any], Any],
             fresh: Callable[[str], Any]) -> tuple[Context, Lemmas]:
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
    reals = tuple(s for s in statement.parameters if s.is_real)
    return Context(tuple(where), tests, reals, tuple(given),
                   tuple(universals_of(statement.where, read, fresh)),
                   convex_curves(statement.where)), []


def _with_given(search: Search, goal: Any, c: Context) -> Lemmas:
    """Show a goal from the hypotheses with nodes: at their optima, or added to the goal."""
    cases = _cases(sp.expand(goal))
    if len(cases) > 1:
        return [x for part in cases for x in _with_given(search, part, c)]
    inside, lemmas = c, list[tuple[str, Proof]]()
    for e in c.given:
        try:
            inside, more = search.suppose(e, inside)
        except Unsupported:
            continue  # left out here, it may be added to the goal below
        lemmas += more
    # hypotheses that contradict each other prove nothing
    lemmas.append(search.lemma(lang.Ge(1, 0), inside))
    try:
        return [*lemmas, *search.show(goal, inside)]
    except Unsupported:
        if not c.given:
            raise
    for e in c.given:
        for factor in multipliers(goal, e):
            try:
                return [*lemmas, *search.defined(e, c), *search.show(goal - factor * e, c)]
            except Unsupported:
                continue
    raise Unsupported("the hypotheses on trade-off functions do not give the claim")


def _cases(goal: Any) -> list[Any]:
    """Goals that together are one with a maximum added: e + max(a, b) <= 0."""
    for node in sp.Add.make_args(goal):
        if isinstance(node, sp.Max):
            return [put(goal, node, a) for a in node.args]
    return [goal]
