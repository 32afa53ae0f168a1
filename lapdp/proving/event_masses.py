"""What events weigh: 0 <= P(S) <= 1, and P(S) <= r Q(S) + oint max(0, p - r q).

Products of such numbers, as in the mean of a test between two events, are then arithmetic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_MASSES = 6


class EventMasses:
    """Relations between masses of events and profiles, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.busy = False

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """The goal by arithmetic from what is known of the masses in it and in the facts.

        Raises :class:`NotFound`.
        """
        d = self.d
        if self.busy or any(d.head(t) == "dens" and not d.b.loose[t] for t in d.subterms(goal)):
            raise NotFound("masses within masses")
        self.busy = True
        try:
            made = list(self._laws(goal, facts))
        finally:
            self.busy = False
        if not made:
            raise NotFound("no masses of events")
        return self.a.by_arithmetic(goal, [*facts, *made])

    def mixed(self, goal: int, facts: Sequence[int]) -> bool:
        """Is a mass multiplied by a number that is not known, as in the mean of a test?"""
        d = self.d
        return any(d.head(t) == "mul" and d.b.letters[d.kids(t)[0]] and self.mass(
            d.kids(t)[1]) is not None
            for f in (goal, *(d.claim(i) for i in facts)) for t in d.subterms(f))

    def _laws(self, goal: int, facts: Sequence[int]) -> Iterator[int]:
        d = self.d
        formulas = [goal, *(d.claim(i) for i in facts)]
        masses: dict[tuple[int, int], int] = {}
        for f in formulas:
            for t in d.subterms(f):
                if not d.b.loose[t] and (found := self.mass(t)) is not None:
                    masses[found] = t
        if not masses or len(masses) > MOST_MASSES:
            return
        wanted = [d.mk("le", *p) for t in masses.values()
                  for p in ((d.num(0), t), (t, d.num(1)))]
        hinges = {h.term: h for f in formulas for h in self.a.hypotheses.profiles.hinges(f)}
        for h in hinges.values():
            for (p, event), t in masses.items():
                other = masses.get((h.q, event))
                if p == h.p and other is not None:
                    wanted += self._of_profile(t, other, h.order, h.term)
        for w in wanted:
            try:
                yield self.a.prove(w)
            except (NotFound, NeedSplit):
                continue

    def _of_profile(self, p: int, q: int, order: int, profile: int) -> Iterator[int]:
        """P(S) <= r Q(S) + H(r) and the same of the complement, also over r where r = e^t."""
        d, one = self.d, self.d.num(1)
        for x, y in ((p, q), (d.sub(one, p), d.sub(one, q))):
            yield d.mk("le", x, d.add(d.mul(order, y), profile))
            if d.head(order) == "exp":
                under = d.mk("exp", d.neg(d.kids(order)[0]))
                yield d.mk("le", d.mul(under, x), d.add(y, d.mul(under, profile)))

    def complement(self, goal: int, facts: Sequence[int]) -> int | None:
        """oint if(not A, p, 0) = 1 - oint if(A, p, 0), where both are spoken of."""
        d = self.d
        if self.busy:
            return None
        formulas = [goal, *(d.claim(i) for i in facts)]
        bodies = {d.kids(t)[0]: t for f in formulas for t in d.subterms(f)
                  if d.head(t) == "oint" and not d.b.loose[t]}
        for t in d.subterms(goal):
            if d.head(t) != "oint" or d.b.loose[t] or d.head(d.kids(t)[0]) != "if":
                continue
            condition, value, other = d.kids(d.kids(t)[0])
            if d.head(condition) != "not" or d.head(value) != "dens" or other != d.num(0):
                continue
            rest = bodies.get(d.mk("if", d.kids(condition)[0], value, other))
            if rest is not None:
                self.busy = True
                try:
                    return self.a.prove(d.mk("eq", t, d.sub(d.num(1), rest)), [])
                except NotFound:
                    continue
                finally:
                    self.busy = False
        return None

    def mass(self, t: int) -> tuple[int, int] | None:
        """(p, S) where the term is P(S)."""
        d = self.d
        if d.head(t) != "oint" or d.head(d.kids(t)[0]) != "if":
            return None
        inside, value, other = d.kids(d.kids(t)[0])
        if d.head(inside) != "in" or d.head(value) != "dens" or other != d.num(0):
            return None
        return d.kids(value)[0], d.kids(inside)[1]
