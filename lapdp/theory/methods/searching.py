"""The search for a proof by tests: the rules by which a claim is opened, see :mod:`trade_offs`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import sympy as sp

from lapdp.calculus.nodes import Node
from lapdp.core import facts as known
from lapdp.core.errors import Unsupported
from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.privacy.mixtures import members
from lapdp.theory import language as lang
from lapdp.theory.methods.lemmatic import Context, Lemmas, Lemmatic
from lapdp.theory.methods.sizes import (
    Sizes,
    at_hand,
    candidates,
    hockey_stick,
    linear_in,
    nodes_of,
    numbers,
    one_space,
    put,
)
from lapdp.theory.render import word_of

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
            try:
                return [self.lemma(lang.Le(goal, 0), c)]
            except Unsupported:
                return self._supposed(goal, c, depth)
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
        try:
            return [*lemmas, *self._supposed(goal, c, depth)]
        except Unsupported:
            raise Unsupported(
                f"no choice for {', '.join(str(n) for n, _ in signed)} works") from None

    def _supposed(self, goal: Any, c: Context, depth: int) -> Lemmas:
        """Show a goal from one instance of a hypothesis for all values, times a number >= 0."""
        for u in c.universal:
            if not u.e.has(Node) or len(u.over) > 1:
                continue
            inside = replace(c, universal=tuple(x for x in c.universal if not x.e.has(Node)))
            for value in (at_hand(c.tests, c.reals) if u.over else [None]):
                conditions, e = u.at((value,) if u.over else ())
                try:
                    why = [self.lemma((lang.Lt if strict else lang.Le)(x, 0), c)
                           for x, strict in conditions]
                except Unsupported:
                    continue
                for factor in multipliers(goal, e):
                    try:
                        return [*why, *self.show(goal - factor * e, inside, depth + 1)]
                    except Unsupported:
                        continue
        raise Unsupported("the hypotheses for all values do not give the claim")

    def optimum(self, node: Any, c: Context) -> tuple[Any, Context]:
        """The value of a trade-off function or profile at an optimal test, now at hand."""
        hockey = hockey_stick(node)
        identity, (size, power) = (hockey[0], ((1, 0), (0, 1))) if hockey else members(
            node.args[0], node.args[1])
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
            value = test.under(hockey[1]) if hockey else (
                test.under(size) - sp.exp(node.args[2]) * test.under(power))
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
        if isinstance(node, pn.SupOverOutcomes) and sign > 0:
            body, x = node.args
            if x in c.outcomes:
                raise Unsupported(f"two outcomes {x}")
            return [(put(goal, node, body), replace(c, outcomes=(*c.outcomes, x)),
                     self.defined(node, c))]
        if (isinstance(node, pn.Profile) or hockey_stick(node)) and sign > 0:
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
                raise Unsupported(f"{word_of(node)} in a condition")
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
        elif isinstance(node, pn.SupOverOutcomes):
            yield bounded(node.args[0]), c, [partial(self.defined, node, c)]
        elif (hockey := hockey_stick(node)) is not None:
            for test, needs in candidates(hockey[0], c.tests, None, self.nonnegative):
                yield bounded(test.under(hockey[1])), c, [
                    partial(self.defined, node, c), partial(needs, c)]
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


def multipliers(*expressions: Any) -> list[Any]:
    """1, and the exponentials that occur, with their inverses."""
    found = {x for e in expressions for x in sp.sympify(e).atoms(sp.exp)}
    found |= {sp.exp(x.args[2]) for e in expressions for x in sp.sympify(e).atoms(pn.Profile)}
    return list(dict.fromkeys(
        [sp.Integer(1), *(y for x in sorted(found, key=str) for y in (x, 1 / x))]))


__all__ = ["MAX_DEPTH", "Search", "multipliers"]
