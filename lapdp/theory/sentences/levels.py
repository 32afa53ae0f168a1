"""Extrema over numbers and tests: each is the supremum of a set of real numbers.

A test of an arbitrary pair is a coin between two events: reject on S with probability w, on U else.
By the lemma of Neyman and Pearson no test does better, so that the trade-off function is the
infimum over these.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import sympy as sp

from lapdp.privacy import nodes as pn
from lapdp.privacy import tradeoff_nodes as tn
from lapdp.kernel.saying import refuse
from lapdp.theory.sentences.terms import sort_of
from lapdp.theory.sentences.terms import MEANINGS
from lapdp.theory.sentences.transforms import Transforms

Member = Callable[[], tuple[list[int], int]]
"""Conditions beside the range, and the value that belongs to the set under them."""
TRADE_OFF = ("1 - supR(y, exR(w, exS(s, exS(u, 0 <= w and (w <= 1 and ("
             "w * p(s) + (1 - w) * p(u) <= a and y == w * q(s) + (1 - w) * q(u)))))))")
"""1 less the largest second error avoided at a level a of the first."""


class Levels(Transforms):
    """Reads trade-off functions, suprema and infima over reals."""

    def largest(self, t: Any, lower: Any, upper: Any, member: Member) -> int:
        """The supremum of all values for some t, a real between two ends, or an outcome."""
        def some(y: int, x: int) -> int:
            with self.where({t: x}):
                inside = self.range(t, lower, upper)
                conditions, value = self.within(inside, member)
                return self.every(*inside, *conditions, self.b.make("eq", y, value))
        return self.bind("supR", lambda y: self.bind(f"ex{sort_of(t)}", partial(some, y)))

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
        """The trade-off function of two distributions at a level."""
        self.two_of(first, second)
        a, event = self.real(level), pn.Event("S")
        for text in ("0 <= a", "a <= 1"):
            self.demand(self.say(text, a=a))
        p, q = (self.function(pn.IntegralOverSpace(d, event), event) for d in (first, second))
        return self.say(TRADE_OFF, a=a, p=p, q=q)


def _sup(e: Levels, body: Any, t: Any, lower: Any = -sp.oo, upper: Any = sp.oo) -> int:
    return e.largest(t, lower, upper, lambda: ([], e.real(body)))


def _inf(e: Levels, body: Any, t: Any, lower: Any, upper: Any, lhs: Any, rhs: Any) -> int:
    condition = sp.Le(lhs, rhs, evaluate=False)
    return e.say("-x", x=e.largest(t, lower, upper, lambda: (
        [e.condition(condition)], e.say("-f", f=e.real(body)))))


def _tests(e: Levels, body: Any, phi: Any, lhs: Any, rhs: Any) -> int:
    means = [m for side in (lhs, body) for m in side.atoms(tn.Mean)]
    refuse(len(means) != 2 or lhs != means[0] or body != 1 - means[1] or rhs.has(tn.Mean) or {
        m.args[1] for m in means} != {phi}, "an infimum over tests of other than the second error")
    return e.trade_off(means[0].args[0], means[1].args[0], rhs)


MEANINGS.update({
    tn.TradeOff: Levels.trade_off, tn.SupOverReals: _sup, tn.InfOverReals: _inf,
    pn.SupOverOutcomes: _sup, tn.InfOverTests: _tests,
})
