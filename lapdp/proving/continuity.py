"""Continuity of what depends on e^w: |e^w - e^t| < u where |t - w| < log(1 + u e^-t).

A claim "for all u > 0 there is v > 0, for all w with |t - w| < v: |F(w) - F(t)| < u" then follows
from F(w) - F(t) <= |e^w - e^t| and the same the other way round, which are claims about integrands.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Continuity:
    """Places within which a function moves little, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def places(self, body: int) -> Iterator[int]:
        """log(1 + u e^-t) for each ``|.. t ..| < v`` and ``|..| < u`` of a body, v its variable."""
        d = self.d
        sizes = [t for t in d.subterms(body) if d.head(t) == "lt" and d.head(
            d.kids(t)[0]) == "abs"]
        bounds = [d.kids(t)[1] for t in sizes if d.head(d.kids(t)[1]) == "v"]
        inside = [t for s in sizes if d.head(d.kids(s)[1]) == "b" for t in d.subterms(d.kids(s)[0])
                  if d.head(t) == "v"]
        for u in dict.fromkeys(bounds):
            for t in dict.fromkeys(inside):
                yield d.mk("log", d.add(d.num(1), d.mul(u, d.mk("exp", d.neg(t)))))

    def enriched(self, facts: Sequence[int]) -> list[int]:
        """The facts, and e^w - e^t < u and e^t - e^w < u from |t - w| < log(1 + u e^-t)."""
        d, found = self.d, list(facts)
        for i in facts:
            claim = d.claim(i)
            if d.head(claim) != "lt" or d.head(d.kids(claim)[0]) != "abs" or d.head(
                    d.kids(claim)[1]) != "log":
                continue
            try:
                found += self._apart(i, facts)
            except (NotFound, NeedSplit):
                continue
        return found

    def _apart(self, i: int, facts: Sequence[int]) -> list[int]:
        d, a, one = self.d, self.a, self.d.num(1)
        size, log = d.kids(d.claim(i))
        (x,), (y,) = d.kids(size), d.kids(log)
        positive = a.positive(y, facts)
        if positive is None or d.head(y) != "add" or d.kids(y)[0] != one:
            raise NotFound("no place of continuity")
        u, low = d.kids(d.kids(y)[1])
        t = d.neg(d.kids(low)[0])
        value = d.mp(d.law("exp of log", d.mk("imp", d.claim(positive), d.mk(
            "eq", d.mk("exp", log), y)), y), positive)
        grown = []
        for side in (x, d.neg(x)):
            below = a.by_cases(d.mk("le", side, size))
            less = d.do("arith", d.mk("lt", side, log), [below, i], [[one, [0]], [one, [1]]])
            more = d.onward(a.grows("lt", side, log), less)
            grown.append(d.do("arith", d.mk("lt", d.mk("exp", side), y), [more, value], [
                [one, [0]], [one, [1]]]))
        # x = t - w: e^(t - w) < 1 + u e^-t and e^(w - t) < 1 + u e^-t
        w = d.sub(t, x)
        at, there = (d.mk("exp", a.terms.term(a.reader.read(z), "R")) for z in (t, w))
        laws = [d.law("exp positive", d.mk("lt", d.num(0), z), *d.kids(z)) for z in (at, there)]
        up = d.do("arith", d.mk("lt", d.sub(there, at), u), [grown[1], laws[0]], [[one, [0, 1]]])
        # e^t - e^w = (e^(t - w) - 1) e^w < u e^(w - t) and < u e^... : by cases of the order
        goal = d.mk("lt", d.sub(at, there), u)
        order = d.mk("le", at, there)
        size_u = a.positive(u, facts)
        if size_u is None:
            raise NotFound("no place of continuity")
        first = d.do("arith", goal, [d.assume(order), size_u], [[one, [0]], [one, [1]]])
        no = d.mk("not", order)
        less = d.taut(d.mk("lt", there, at), d.do("order", d.mk("iff", no, d.mk(
            "lt", there, at))), d.assume(no))
        # u - (e^t - e^w) = e^w (1 + u e^-t - e^(t-w)) + u e^-t (e^t - e^w)
        under = d.law("exp positive", d.mk("lt", d.num(0), low), *d.kids(low))
        second = d.do("arith", goal, [grown[0], laws[1], size_u, under, less], [
            [one, [0, 1]], [one, [2, 3, 4]]])
        return [up, d.split(order, first, second)]

    def through(self, goal: int, facts: Sequence[int]) -> int | None:
        """``s < u`` from s <= b and a fact ``b < u``, b free of integrals; None without one."""
        d = self.d
        s, u = d.kids(goal)
        for i in facts:
            claim = d.claim(i)
            if d.head(claim) != "lt" or d.kids(claim)[1] != u or self.a._speaks(claim):
                continue
            try:
                less = self.a.prove(d.mk("le", s, d.kids(claim)[0]), facts)
            except (NotFound, NeedSplit):
                continue
            return d.do("arith", goal, [less, i], [[d.num(1), [0]], [d.num(1), [1]]])
        return None

    def within(self, goal: int, facts: Sequence[int]) -> int | None:
        """``|s| < u`` from s < u and -s < u, by facts b < u and -b < u; None without such facts.

        Raises :class:`NeedSplit` where the sign of b is open."""
        d, zero = self.d, self.d.num(0)
        size, u = d.kids(goal)
        if d.head(goal) != "lt" or d.head(size) != "abs" or d.b.sorts[d.kids(size)[0]] != "R":
            return None
        near = [i for i in facts if d.head(d.claim(i)) == "lt" and d.kids(d.claim(i))[1] == u
                and not self.a._speaks(d.claim(i))]
        for i in near:
            condition = d.mk("le", zero, d.kids(d.claim(i))[0])
            known = self.a.truth(condition, facts)
            if known is None:
                raise NeedSplit(condition)
            if d.claim(known) != condition:
                continue
            (s,) = d.kids(size)
            sides = [self.through(d.mk("lt", x, u), [i, *facts]) for x in (s, d.neg(s))]
            if None in sides:
                continue
            name, y = d.fresh("R", "y")
            both = d.conj([d.mk("lt", y, u), d.mk("lt", d.neg(y), u)])
            law = self.a.prove(d.mk("imp", both, d.mk("lt", d.mk("abs", y), u)))
            return d.mp(d.inst(d.gen(name, "R", law), s), *(x for x in sides if x is not None))
        return None
