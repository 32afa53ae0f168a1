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
from lapdp.theory.sentences.scope import refuse, sort_of
from lapdp.theory.sentences.terms import MEANINGS
from lapdp.theory.sentences.transforms import Transforms

Member = Callable[[], tuple[list[int], int]]
"""Conditions beside the range, and the value that belongs to the set under them."""


class Levels(Transforms):
    """Reads trade-off functions, suprema and infima over reals, largest convex minorants."""

    def largest(self, over: list[Any], lower: Any, upper: Any, member: Member) -> int:
        """The supremum of all values for some ``over``, symbols of reals and events, the first of
        them between two ends."""
        def some(y: int, *values: int) -> int:
            if len(values) < len(over):
                return self.bind(f"ex{sort_of(over[len(values)])}", lambda x: some(y, *values, x))
            with self.where(dict(zip(over, values, strict=True))):
                inside = self.range(over[0], lower, upper)
                conditions, value = self.within(inside, member)
                return self.every(*inside, *conditions, self.b.make("eq", y, value))
        return self.bind("supR", some)

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
        return [self.say("a <= b", a=a, b=b) for a, b in ends]

    def trade_off(self, first: Any, second: Any, level: Any) -> int:
        """1 less the largest second error avoided at this level of the first."""
        self.two_of(first, second)
        a, w = self.real(level), sp.Dummy("w", real=True)
        for text in ("0 <= a", "a <= 1"):
            self.demand(self.say(text, a=a))
        events = pn.Event("S"), pn.Event("U")

        def mean(d: Any) -> int:
            s, u = (self.weighed(d, event) for event in events)
            return self.say("w * s + (1 - w) * u", w=w, s=s, u=u)

        return self.say("1 - x", x=self.largest([w, *events], sp.S.Zero, sp.S.One, lambda: (
            [self.say("m <= a", m=mean(first), a=a)], mean(second))))


def _sup(e: Levels, x: Any) -> int:
    body, t, lower, upper = (*x.args, -sp.oo, sp.oo)[:4]
    return e.largest([t], lower, upper, lambda: ([], e.real(body)))


def _inf(e: Levels, x: Any) -> int:
    body, t, lower, upper, lhs, rhs = x.args
    condition = sp.Le(lhs, rhs, evaluate=False)
    return e.say("-x", x=e.largest([t], lower, upper, lambda: (
        [e.condition(condition)], e.say("-f", f=e.real(body)))))


def _tests(e: Levels, x: Any) -> int:
    body, phi, lhs, rhs = x.args
    means = [m for side in (lhs, body) for m in side.atoms(tn.Mean)]
    refuse(len(means) != 2 or lhs != means[0] or body != 1 - means[1] or rhs.has(tn.Mean) or {
        m.args[1] for m in means} != {phi}, "an infimum over tests of other than the second error")
    return e.trade_off(means[0].args[0], means[1].args[0], rhs)


def _envelope(e: Levels, x: Any) -> int:
    """The supremum of the lines below."""
    body, t, level = x.args
    slope, height = (sp.Dummy(n, real=True) for n in "mc")

    def below(u: int) -> int:
        with e.where({t: u}):
            inside = e.range(t, sp.S.Zero, sp.S.One)
            value = e.within(inside, lambda: e.real(body))
        return e.say("imp(r, m * u + c <= g)", r=e.every(*inside), m=slope, u=u, c=height, g=value)

    return e.largest([slope, height], -sp.oo, sp.oo, lambda: (
        [e.bind("allR", below)], e.say("m * a + c", m=slope, a=e.real(level), c=height)))


MEANINGS.update({
    tn.TradeOff: lambda e, x: e.trade_off(*x.args), tn.SupOverReals: _sup, tn.InfOverReals: _inf,
    pn.SupOverOutcomes: _sup, tn.InfOverTests: _tests, tn.Envelope: _envelope,
})
