"""Moments from tails: two losses with one distribution function have the same moments.

A hypothesis for all numbers u says P1(p1 <= e^u q1) = P2(p2 <= e^u q2), or that the profiles at u
are equal, which determines the tails.  "same distribution functions" is cited for w = p and X = log
p - log q where both are positive: w exp(r X) is integrable by both pairs or by none, with one
integral; and the masses of the infinite losses, 1 - oint w, are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.uniqueness import Uniqueness

Pair = tuple[int, int]


class Tails:
    """The hypotheses of the fact, for :class:`Uniqueness`."""

    def __init__(self, uniqueness: Uniqueness) -> None:
        self.u, self.a, self.d = uniqueness, uniqueness.a, uniqueness.d

    def pairs(self, i: int) -> tuple[Pair, Pair] | None:
        """The pairs of a fact that all their tails, or all their profiles, are equal."""
        d = self.d
        if d.head(d.claim(i)) != "allR" or d.head(d.kids(d.claim(i))[0]) != "eq":
            return None
        _, u = d.fresh("R", "u")
        two = [self._pair(t, u) for t in d.kids(d.b.open(d.kids(d.claim(i))[0], u))]
        return None if two[0] is None or two[1] is None else (two[0], two[1])

    def _pair(self, t: int, u: int) -> Pair | None:
        """p and q of a tail or profile at the letter u."""
        d = self.d
        if (pair := self.a.determination._tail(t)) is not None:
            at = [e for e in d.subterms(t) if d.head(e) == "exp"]
            return pair if at == [d.mk("exp", u)] else None
        for h in self.a.hypotheses.profiles.hinges(t):
            if h.term == t and h.order == d.mk("exp", u):
                found = [d.kids(e)[0] for e in d.subterms(d.kids(t)[0]) if d.head(e) == "dens"]
                first = d.kids(d.kids(t)[0])[1]
                lead = [d.kids(e)[0] for e in d.subterms(first) if d.head(e) == "dens"][:1]
                rest = [p for p in dict.fromkeys(found) if p not in lead]
                return (lead[0], rest[0]) if len(rest) == 1 else None
        return None

    def hypotheses(self, i: int, pairs: tuple[Pair, Pair], facts: Sequence[int]
                   ) -> tuple[str, list[int], list[int], int]:
        """The name of the fact, its bodies, its last hypothesis, and 0."""
        d, zero, x = self.d, self.d.num(0), self.d.b.bound(0, "O")
        name, u = d.fresh("R", "u")
        bodies, tails, sides = [], [], []
        for p, q in pairs:
            weight, loss = self.u.weight(p, q, zero), self.u.loss(p, q)
            top, low = (d.mk("dens", d.b.lift(r), x) for r in (p, q))
            tail = d.mk("if", d.mk("le", top, d.mk("mul", d.b.lift(d.mk("exp", u)), low)), top,
                        zero)
            below = d.mk("if", d.mk("le", loss, d.b.lift(u)), weight, zero)
            tails.append(d.mk("oint", tail))
            sides.append(self.u.everywhere("oint", tail, below, []))
            bodies += [weight, loss]
        goal = d.mk("eq", *tails)
        here = d.inst(i, u)
        same = here if d.claim(here) == goal else self.a.prove(goal, facts)
        same = d.chain(d.turn(sides[0]), same, sides[1])
        return "same distribution functions", bodies, [d.gen(name, "R", same)], zero

    def power(self, t: int) -> int | None:
        """r where the term is a moment, the integral of a term with p exp(r (log p - log q))."""
        d = self.d
        if d.head(t) not in ("oint", "oiny") or d.head(d.kids(t)[0]) != "if":
            return None
        found = self.u.transforms_at(t)
        return found[0].exponent if len(found) == 1 and not d.b.loose[found[0].exponent] else None

    def lost(self, t: int) -> bool:
        """Is it the mass of the infinite loss, oint if(q = 0, p, 0)?"""
        d, zero = self.d, self.d.num(0)
        (f,) = d.kids(t) if d.head(t) == "oint" else (t,)
        if d.head(f) != "if" or d.head(d.kids(f)[0]) != "eq" or d.kids(f)[2] != zero:
            return False
        q, none = d.kids(d.kids(f)[0])
        return none == zero and d.head(q) == d.head(d.kids(f)[1]) == "dens"

    def first(self, t: int) -> int | None:
        """p of an integrand that is 0, or has the factor p, or is made of it first."""
        d = self.d
        (f,) = d.kids(t) if d.head(t) == "oint" else (t,)
        if d.head(f) == "if" and d.head(d.kids(f)[1]) == "dens":
            return d.kids(d.kids(f)[1])[0]
        densities = [u for u in d.subterms(f) if d.head(u) == "dens"]
        return d.kids(densities[0])[0] if densities else None

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """oiny of a moment from that of the other pair; None where no fact tells it."""
        d = self.d
        if self.u.busy or (rate := self.power(goal)) is None:
            return None
        for i in facts:
            if (pairs := self.pairs(i)) is None:
                continue
            for j in facts:
                if d.head(d.claim(j)) != "oiny" or d.claim(j) == goal or self.power(
                        d.claim(j)) != rate:
                    continue
                self.u.busy = True
                try:
                    return self._as_the_other(goal, j, i, pairs, rate, facts)
                except (NotFound, NeedSplit):
                    continue
                finally:
                    self.u.busy = False
        return None

    def _as_the_other(self, goal: int, j: int, i: int, pairs: tuple[Pair, Pair], rate: int,
                      facts: Sequence[int]) -> int:
        d, a = self.d, self.a
        name, bodies, last, _ = self.hypotheses(i, pairs, facts)
        g = d.mk("exp", d.mul(d.b.lift(rate), d.b.bound(0, "R")))
        both = self.u.cited(name, bodies, last, g)[0]
        sides = [d.kids(side)[0] for side in d.kids(d.claim(both))]
        numbers = [k for k in facts if not a._speaks(d.claim(k)) and d.head(d.claim(k)) != "oiny"]
        place = 0 if set(a.masses(bodies[0])) == set(a.masses(d.claim(j))) else 1
        known = self.u.everywhere("oiny", d.kids(d.claim(j))[0], sides[place], numbers)
        new = self.u.everywhere("oiny", d.kids(goal)[0], sides[1 - place], numbers)
        return d.taut(goal, j, known, new, both)
