"""Hypotheses that contradict each other: "false" from them, for a :class:`Prover`.

What is supposed of all numbers is also asked at 0, where a denominator vanishes and nothing is
below in absolute value; at the numbers that the others speak of; and 1 above and below those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_PLACES = 10


class Contradictions:
    """Derivations of ``false`` from facts that may speak of all numbers."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, facts: Sequence[int]) -> int:
        """``|- false``.  Raises :class:`NotFound`."""
        facts = self.a.released(facts)
        problem = NotFound("no contradiction")
        for more in chain([[]], self._whole(facts), ([i] for i in self._instances(facts))):
            some = self.a.released([*facts, *more]) if more else facts
            for attempt in (self._outright, self._denied):
                try:
                    return attempt(some)
                except (NotFound, NeedSplit) as failed:
                    problem = failed if isinstance(failed, NotFound) else problem
        raise problem

    def _whole(self, facts: Sequence[int]) -> Iterator[list[int]]:
        """Whole numbers are 0 or at least 1."""
        d, found = self.d, []
        for i in facts:
            if d.head(d.claim(i)) == "nat":
                (n,) = d.kids(d.claim(i))
                either = d.mk("or", d.mk("eq", n, d.num(0)), d.mk("nat", d.add(n, d.num(-1))))
                found.append(d.mp(d.do("natural", d.mk("imp", d.claim(i), either)), i))
        if found:
            yield found

    def _instances(self, facts: Sequence[int]) -> Iterator[int]:
        d = self.d
        general = [i for i in facts if d.head(d.claim(i)) == "allR"]
        for t in self._places(facts) if general else ():
            for i in general:
                made = d.inst(i, t)
                while d.head(claim := d.claim(made)) == "imp":
                    premise, conclusion = d.kids(claim)
                    try:
                        made = d.taut(conclusion, made, self.a.prove(premise, facts))
                    except (NotFound, NeedSplit):
                        break
                yield made

    def _outright(self, facts: Sequence[int]) -> int:
        d = self.d
        nothing = self.a.prove(d.mk("lt", d.num(0), d.num(0)), facts)
        return d.do("arith", d.mk("false"), [nothing], [[d.num(1), [0]]])

    def _denied(self, facts: Sequence[int]) -> int:
        """One of the relations fails by the others."""
        d = self.d
        problem = NotFound("no relation is supposed")
        for i in facts:
            claim = d.claim(i)
            head, kids = d.head(claim), d.kids(claim)
            if head not in RELATIONS or d.b.sorts[kids[0]] != "R":
                continue
            no = d.mk("not", claim)
            opposite = no if head == "eq" else d.mk("lt" if head == "le" else "le", *kids[::-1])
            try:
                found = self.a.prove(opposite, [j for j in facts if j != i])
            except (NotFound, NeedSplit) as failed:
                problem = failed if isinstance(failed, NotFound) else problem
                continue
            if head != "eq":
                found = d.taut(no, d.do("order", d.mk("iff", no, opposite)), found)
            return d.taut(d.mk("false"), i, found)
        raise problem

    def _places(self, facts: Sequence[int]) -> list[int]:
        d = self.d
        letters = dict.fromkeys(t for i in facts for t in d.subterms(d.claim(i))
                                if d.head(t) == "v" and d.b.sorts[t] == "R")
        beside = [d.mk("add", t, d.num(step)) for step in (1, -1) for t in letters]
        return [d.num(0), *letters, *beside, d.num(1), d.num(-1)][:MOST_PLACES]
