"""What facts about trade-off functions at all levels say of integrals.

With V(a), H and S = {c f < g} as in :mod:`lapdp.proving.optimal`: at the level a = f(S) the
supremum V(a) is c a + H(c), and every other one, W(a), is at most c a + K(c).  So V <= W at all
levels gives H(c) <= K(c): the c are those of the integrals that a goal speaks of.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.optimal import Testing

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_THRESHOLDS = 2


class Levels:
    """Such facts with their suprema replaced, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._known: dict[int, list[Testing]] = {}

    def tests(self, claim: int) -> list[Testing]:
        """The suprema over tests in "for all a: ... -> A(a)" that are taken at the level a."""
        if claim not in self._known:
            self._known[claim] = self._tests(claim)
        return self._known[claim]

    def _tests(self, claim: int) -> list[Testing]:
        d = self.d
        if d.head(claim) != "allR" or not any(d.head(t) == "supR" for t in d.subterms(claim)):
            return []
        level = d.b.letter("Ra@", "R")
        inner = d.b.open(d.kids(claim)[0], level)
        while d.head(inner) == "imp":
            inner = d.kids(inner)[1]
        return [t for t in self.a.trade_offs.of(inner).values() if t.level == level]

    def instances(self, goal: int, facts: Sequence[int]) -> list[int]:
        """Relations between integrals that such facts give for a goal."""
        d = self.d
        found: list[int] = []
        for i in facts:
            for test in self.tests(d.claim(i)):
                for c in self.a.trade_offs.thresholds(test, goal, [])[:MOST_THRESHOLDS]:
                    try:
                        found += self._at(i, test, c, facts)
                    except (NotFound, NeedSplit):
                        continue
        return found

    def _at(self, i: int, test: Testing, c: int, facts: Sequence[int]) -> Iterator[int]:
        """The fact at the level f(S)."""
        d, a = self.d, self.a
        optimal = a.trade_offs.optimal
        plain = [j for j in facts if not a._speaks(d.claim(j))]
        level = optimal.mass(test.f, optimal.beyond(test, c))
        made = d.inst(i, level)
        while d.head(d.claim(made)) == "imp":
            made = d.mp(made, a.prove(d.kids(d.claim(made))[0], plain))
        for part in d.parts(made):
            if not a.trade_offs.of(d.claim(part)):
                continue  # what says that the level is one
            s, t = d.kids(d.claim(part))
            ways = [part]
            if d.head(d.claim(part)) == "eq":
                ways = [d.do("arith", d.mk("le", *p), [part], [[d.num(n), [0]]])
                        for p, n in (((s, t), 1), ((t, s), -1))]
            for way in ways:
                try:
                    yield self._bounded(way, test._replace(level=level), c, plain)
                except (NotFound, NeedSplit):
                    continue

    def _bounded(self, i: int, test: Testing, c: int, facts: Sequence[int]) -> int:
        """s <= t with the suprema at that level replaced by what they are, or are at most."""
        d, trade_offs = self.d, self.a.trade_offs
        claim, bounds = d.claim(i), []
        for sup, other in trade_offs.of(claim).items():
            sign = trade_offs._sign(claim, sup, facts)
            if sign is None or other.level != test.level:
                raise NotFound("a supremum at another level")
            optimal = trade_offs.optimal
            if sign[0] > 0:
                bounds.append(optimal.above(sup, other, c, facts))
            elif other == test:
                bounds.append(optimal.reached(sup, other, c, facts))
            else:
                raise NotFound("a supremum that is needed from below")
        tight = claim
        for bound in bounds:
            s, t = d.kids(d.claim(bound))
            sup, value = (s, t) if s in trade_offs.of(claim) else (t, s)
            tight = d.b.open(d.hole(tight, sup), value)
        return self.a.by_arithmetic(tight, [i, *bounds])
