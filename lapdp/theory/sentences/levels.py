"""Extrema over numbers and tests: each is the supremum of a set of real numbers.

A test of an arbitrary pair is a coin between two events: reject on S with probability w, on U else.
By the lemma of Neyman and Pearson no test does better, so that the trade-off function is the
infimum over these.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp

from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.theory.sentences.scope import NotSaid, sort_of
from lapdp.theory.sentences.terms import NODES
from lapdp.theory.sentences.transforms import Transforms

Member = Callable[[], tuple[list[int], int]]
"""Conditions beside the range, and the value that belongs to the set under them."""


class Levels(Transforms):
    """Reads trade-off functions, suprema and infima over reals, largest convex minorants."""

    def largest(self, over: list[Any], lower: Any, upper: Any, member: Member) -> int:
        """The supremum of all values for some ``over``, symbols of reals and events, the first of
        them between two ends."""
        def values(y: int) -> int:
            def some(k: int) -> int:
                if k == len(over):
                    inside = self.range(over[0], lower, upper)
                    conditions, value = self.within(inside, member)
                    return self.every(*inside, *conditions, self.b.make("eq", y, value))
                sort = sort_of(over[k])

                def at(x: int) -> int:
                    with self.where({over[k]: x}):
                        return some(k + 1)
                return self.bind(f"ex{sort}", sort, at)
            return some(0)
        return self.bind("supR", "R", values)

    def within(self, inside: list[int], build: Callable[[], Any]) -> Any:
        """What is built; its side conditions are asked inside a range only."""
        before = len(self.conditions)
        found = build()
        if inside:
            self.conditions[before:] = [self.b.make("imp", self.every(*inside), c)
                                        for c in self.conditions[before:]]
        return found

    def range(self, x: Any, lower: Any, upper: Any) -> list[int]:
        """x lies between two ends, which may be infinite."""
        ends = [(lower, x)] * (lower != -sp.oo) + [(x, upper)] * (upper != sp.oo)
        return [self.b.make("le", *map(self.real, end)) for end in ends]

    def trade_off(self, first: Any, second: Any, level: Any) -> int:
        """1 less the largest second error avoided at this level of the first."""
        self.two_of(first, second)
        a, w = self.real(level), sp.Dummy("w", real=True)
        self.demand(self.say("0 <= a", a=a))
        self.demand(self.say("a <= 1", a=a))
        events = pn.Event("S"), pn.Event("U")

        def mean(d: Any) -> int:
            s, u = (self.weighed(d, event) for event in events)
            return self.say("w * s + (1 - w) * u", w=self.bound[w], s=s, u=u)

        best = self.largest([w, *events], sp.S.Zero, sp.S.One, lambda: (
            [self.say("m <= a", m=mean(first), a=a)], mean(second)))
        return self.say("1 - x", x=best)


def _sup(e: Levels, x: Any) -> int:
    body, t, lower, upper = (*x.args, -sp.oo, sp.oo)[:4]
    return e.largest([t], lower, upper, lambda: ([], e.real(body)))


def _inf(e: Levels, x: Any) -> int:
    body, t, lower, upper, lhs, rhs = x.args
    condition = sp.Le(lhs, rhs, evaluate=False)
    return e.minus(e.largest([t], lower, upper, lambda: (
        [e.condition(condition)], e.minus(e.real(body)))))


def _tests(e: Levels, x: Any) -> int:
    body, phi, lhs, rhs = x.args
    means = [m for side in (lhs, body) for m in side.atoms(tn.Mean)]
    if len(means) != 2 or lhs != means[0] or body != 1 - means[1] or {
            m.args[1] for m in means} != {phi} or rhs.has(tn.Mean):
        raise NotSaid("an infimum over tests of other than the second error")
    return e.trade_off(means[0].args[0], means[1].args[0], rhs)


def _envelope(e: Levels, x: Any) -> int:
    """The supremum of the lines below."""
    body, t, level = x.args
    slope, height = (sp.Dummy(n, real=True) for n in "mc")

    def line(at: Any) -> int:
        return e.say("m * t + c", m=e.bound[slope], t=e.real(at), c=e.bound[height])

    def member() -> tuple[list[int], int]:
        def below(u: int) -> int:
            with e.where({t: u}):
                inside = e.range(t, sp.S.Zero, sp.S.One)
                value = e.within(inside, lambda: e.real(body))
                return e.say("imp(r, f <= g)", r=e.every(*inside), f=line(t), g=value)
        return [e.bind("allR", "R", below)], line(level)
    return e.largest([slope, height], -sp.oo, sp.oo, member)


NODES.update({
    tn.TradeOff: lambda e, x: e.trade_off(*x.args), tn.SupOverReals: _sup, tn.InfOverReals: _inf,
    pn.SupOverOutcomes: _sup, tn.InfOverTests: _tests, tn.Envelope: _envelope,
})

__all__ = ["Levels"]
