"""Trade-off functions, tests and extrema over levels, by brute force at one instance."""

from __future__ import annotations

from fractions import Fraction

import sympy as sp

from lapdp.privacy import tradeoff_nodes as tests_of
from lapdp.theory.language import expressions
from tests.mutation import shapes
from tests.oracle import levels
from tests.oracle.reals import Unclear, Undefined

LARGEST_SPACE = 7
MANY = 25
"""Levels of one trade-off function after which its vertices are computed."""


class Levels:
    """For a walker with an ``instance``, ``bound`` and ``scalar``."""

    def _exact(self, e):
        x = self.scalar(e)
        if not isinstance(x, (int, Fraction)):
            raise Unclear("a level that is no rational number")
        return Fraction(x)

    def _level(self, e):
        x = self._exact(e)
        if not 0 <= x <= 1:
            raise Undefined("a level outside [0, 1]")
        return x

    def _trade_off(self, e):
        """Over all extreme tests, not by likelihood ratios."""
        P, Q = self.instance.oriented(*e.args[:2])
        level = self._level(e.args[2])
        if len(P) > LARGEST_SPACE:
            raise Unclear("too many tests")

        def mean(M, phi):
            return sum((m * u for m, u in zip(M, phi, strict=True)), Fraction(0))

        def least(at):
            return levels.best_test(len(P), lambda phi: 1 - mean(Q, phi),
                                    lambda phi: mean(P, phi) - at)

        key = ("trade-off", P, Q)
        known = self._curves.setdefault(key, [])
        if len(known) < MANY:
            known.append(level)
            return least(level)
        if (*key, "all") not in self._curves:
            self._curves[(*key, "all")] = levels.vertices(least)
        return levels.between(self._curves[(*key, "all")], level)

    def _mean(self, e):
        P, phi = e.args
        masses = self.instance.masses(P.pair)[P.side]
        chosen = self.bound.get(phi, self.instance.symbols.get(phi))
        if chosen is None:
            raise Unclear("a test without a quantifier")
        return sum((m * u for m, u in zip(masses, chosen, strict=True)), Fraction(0))

    def _inf_over_tests(self, e):
        body, phi, lhs, rhs = e.args
        pairs = {m.args[0].pair for x in (body, lhs, rhs) for m in x.atoms(tests_of.Mean)
                 if m.args[1] == phi}
        if len(pairs) != 1:
            raise Unclear("a test on two spaces")
        size = len(self.instance.masses(pairs.pop())[0])
        if size > LARGEST_SPACE:
            raise Unclear("too many tests")

        def at(x):
            def value(chosen):
                before, self.bound = self.bound, {**self.bound, phi: chosen}
                try:
                    return self._exact(x)
                finally:
                    self.bound = before
            return value

        return levels.best_test(size, at(body), at(lhs - rhs))

    def curve(self, body, x):
        """Vertices of a function of the level x."""
        seen = {k: v for k, v in self.bound.items() if k != x and k in body.free_symbols}
        key = (body, x, tuple(sorted(seen.items(), key=str)))
        if key not in self._curves:
            values = {}

            def g(level):
                if level not in values:
                    before, self.bound = self.bound, {**self.bound, x: level}
                    try:
                        values[level] = self._exact(body)
                    finally:
                        self.bound = before
                return values[level]

            self._curves[key] = levels.vertices(g)
        return self._curves[key]

    def _unit(self, e):
        if tuple(e.args[2:4]) != (0, 1):
            raise Unclear("an extremum over other reals than levels")

    def _inf_over_reals(self, e):
        body, x, _, _, lhs, rhs = e.args
        self._unit(e)
        if body != x:
            raise Unclear("an infimum of a function over some levels")
        if x not in rhs.free_symbols:
            return levels.first_at_most(self.curve(lhs, x), self._exact(rhs))
        return levels.first_at_most(self.curve(lhs - rhs, x), Fraction(0))

    def _sup_over_reals(self, e):
        if tuple(e.args[2:4]) != (0, 1):
            return shapes.supremum(self, e)
        return max(y for _, y in self.curve(e.args[0], e.args[1]))

    def _envelope(self, e):
        body, t, level = e.args
        at = self._level(level)
        parts = [a for a in sp.Min.make_args(body)] if isinstance(body, sp.Min) else [body]
        key = ("hull", body, t, *(self.bound.get(s) for s in sorted(body.free_symbols, key=str)))
        if key not in self._curves:
            self._curves[key] = levels.lower_hull([p for a in parts for p in self.curve(a, t)])
        return levels.between(self._curves[key], at)

    def relation_on_levels(self, form, x):
        """Does a weak relation hold at every level in [0, 1]?"""
        gaps = [y for _, y in self.curve(form.lhs - form.rhs, x)]
        return {"<=": all(g <= 0 for g in gaps), ">=": all(g >= 0 for g in gaps),
                "==": all(g == 0 for g in gaps)}[form.rel_op]


SCALARS = {
    tests_of.TradeOff: Levels._trade_off, tests_of.Mean: Levels._mean,
    tests_of.InfOverTests: Levels._inf_over_tests,
    tests_of.InfOverReals: Levels._inf_over_reals,
    tests_of.SupOverReals: Levels._sup_over_reals, tests_of.Envelope: Levels._envelope,
}
"""The meaning of each node, for the walker's table."""


def levels_of(statement):
    """The symbols that hypotheses keep between 0 and 1."""
    below = {h.lhs for h in statement.where if isinstance(h, (sp.Le, sp.Lt)) and h.rhs == 1}
    above = {h.lhs for h in statement.where if isinstance(h, (sp.Ge, sp.Gt)) and h.rhs == 0}
    return below & above


def free_tests(statement):
    """The tests a statement is claimed for, each with the pair on whose space it lives."""
    found = {}
    for form in (statement.claim, *statement.where):
        for e in expressions(form):
            for m in sp.sympify(e).atoms(tests_of.Mean):
                if m.args[1] in sp.sympify(e).free_symbols:
                    found[m.args[1]] = m.args[0].pair
    return found

__all__ = ["SCALARS", "Levels", "free_tests", "levels_of"]
