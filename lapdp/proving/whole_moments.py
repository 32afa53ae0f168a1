"""Losses that their moments of whole orders determine: "moments that grow slowly" is cited.

A hypothesis for all whole k >= 1 says that two moments of order k + 1 are equal, the integrals of w
exp(k X) with w = p and X = log p - log q where both are positive.  They grow slowly if another
hypothesis says so, ``oint w exp(k X) < c d^k k!``, or if the loss is bounded, ``P(X > b) = 0``:
then they are at most exp(b k).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.uniqueness import Transform, Uniqueness


class WholeMoments:
    """The hypotheses of the fact, for :class:`Uniqueness`."""

    def __init__(self, uniqueness: Uniqueness) -> None:
        self.u, self.a, self.d = uniqueness, uniqueness.a, uniqueness.d

    def of(self, claim: int) -> bool:
        """Is the claim about all whole numbers?"""
        d = self.d
        return d.head(claim) == "allR" and d.head(d.kids(claim)[0]) == "imp" and any(
            d.head(t) == "nat" for t in d.members(d.kids(d.kids(claim)[0])[0]))

    def hypotheses(self, i: int, first: Transform, second: Transform, letter: tuple[str, int],
                   facts: Sequence[int]) -> tuple[str, list[int], list[int], int]:
        """The name of the fact, its bodies, rate and bound, its last hypotheses, and 0."""
        d, a, zero, one = self.d, self.a, self.d.num(0), self.d.num(1)
        if a.reader.read(d.sub(first.exponent, letter[1])):
            raise NotFound("no moment of order k + 1")
        name, k = d.fresh("R", "k")
        whole = d.assume(d.mk("nat", k))
        least = d.mp(d.do("natural", d.mk("imp", d.claim(whole), d.mk("le", zero, k))), whole)
        above = d.assume(d.mk("le", one, k))
        laws = [*(j for j in facts if j != i and self.of(d.claim(j))), i]
        plain = [j for j in facts if not d.head(d.claim(j)).startswith(("all", "ex"))]
        known = self._told(laws, k, [*plain, whole, least, above])
        terms = [d.b.put(one_of.term, {(letter[0], "R"): k}) for one_of in (first, second)]
        exponent = d.b.put(first.exponent, {(letter[0], "R"): k})
        bodies, integrable, sides = [], [], []
        for one_of, moment in zip((first, second), terms, strict=True):
            weight, loss = self.u.weight(one_of.p, one_of.q, zero), self.u.loss(
                one_of.p, one_of.q)
            body = d.mk("mul", weight, d.mk("exp", d.mk("mul", k, loss)))
            term = d.b.open(d.hole(moment, exponent), k)
            same = self._order(exponent, k)
            (f,) = d.kids(term)
            there = [d.replace(j, same) for j in known]
            iny = a.prove(d.mk("oiny", f), there)
            numbers = [j for j in there if not a._speaks(d.claim(j))]
            integrable.append(d.taut(d.mk("oiny", body), self.u.everywhere(
                "oiny", f, body, numbers), iny))
            sides.append((term, self.u.everywhere("oint", f, body, numbers)))
            bodies += [weight, loss]
        (s, left), (t, right) = sides
        there = [d.replace(j, self._order(exponent, k)) for j in known]
        equal = d.chain(d.turn(left), a.prove(d.mk("eq", s, t), there), right)
        for value, rate in self._bounds(there, s, (first, second), k):
            try:
                bound = a.prove(d.mk("le", s, value), there)
                bound = d.replace(bound, left)
                slow = self._slow(value, rate, k, name, [whole, least, above])
                break
            except (NotFound, NeedSplit):
                continue
        else:
            raise NotFound("no bound on the moments")
        growth = d.disch(d.claim(above), d.both(bound, slow))
        later = d.both(*integrable, equal, growth)
        start = self._start(later, bodies, laws, plain, (name, k))
        either = d.do("natural", d.mk("imp", d.claim(whole), d.mk(
            "or", d.mk("eq", k, zero), d.mk("nat", d.add(k, d.num(-1))))))
        next_ = d.assume(d.mk("nat", d.add(k, d.num(-1))))
        positive = d.mp(d.do("natural", d.mk("imp", d.claim(next_), d.mk(
            "le", zero, d.add(k, d.num(-1))))), next_)
        positive = d.do("arith", d.claim(above), [positive], [[one, [0]]])
        after = d.mp(d.disch(d.claim(above), later), positive)
        found = d.taut(d.claim(later), either, whole, d.disch(d.mk("eq", k, zero), start),
                       d.disch(d.claim(next_), after))
        return "moments that grow slowly", [*bodies, rate, d.b.abstract(value, name, "R")], [
            d.gen(name, "R", d.disch(d.claim(whole), found))], zero

    def _told(self, laws: Sequence[int], k: int, known: list[int]) -> list[int]:
        """What the laws say of k, given what others say."""
        d, waiting = self.d, []
        for j in laws:
            here = d.inst(j, k)
            with suppress(NotFound):
                waiting.append(d.mp(here, d.both(*(self.a.prove(f, known) for f in d.members(
                    d.kids(d.claim(here))[0])))))
        while True:
            told = [i for j in waiting for i in self.u._told(j, known, True)]
            if {d.claim(i) for i in told} <= {d.claim(i) for i in known}:
                return known
            known = list({d.claim(i): i for i in [*known, *told]}.values())

    def _order(self, exponent: int, k: int) -> int:
        """The exponent, 1 + k - 1, is k."""
        return self.d.do("arith", self.d.mk("eq", exponent, k))

    def _bounds(self, known: Sequence[int], moment: int, two: Sequence[Transform], k: int
                ) -> Iterator[tuple[int, int]]:
        """Terms that the moment may lie below, and the rate at which they grow."""
        d = self.d
        for j in known:
            if d.head(d.claim(j)) in ("lt", "le") and d.kids(d.claim(j))[0] == moment:
                value = d.kids(d.claim(j))[1]
                rates = [d.kids(d.kids(t)[0])[1] for t in d.subterms(value)
                         if d.head(t) == "exp" and d.head(d.kids(t)[0]) == "mul"
                         and d.kids(d.kids(t)[0])[0] == k]
                yield value, d.mk("exp", d.add(d.num(0), *rates))
        for j in known:
            if d.head(d.claim(j)) != "eq" or d.kids(d.claim(j))[1] != d.num(0):
                continue
            for t in d.subterms(d.kids(d.claim(j))[0]):
                if d.head(t) == "lt" and d.head(u := d.kids(t)[0]) == "mul" and d.head(
                        d.kids(u)[0]) == "exp" and d.kids(t)[1] == d.mk(
                        "dens", d.b.lift(two[0].p), d.b.bound(0, "O")):
                    level = d.kids(d.kids(u)[0])[0]
                    if not d.b.loose[level]:
                        yield d.mk("exp", d.mul(level, k)), d.mk("exp", level)

    def _slow(self, value: int, rate: int, k: int, name: str, known: Sequence[int]) -> int:
        """B(k + 1) <= a (k + 1) B(k)."""
        d, a = self.d, self.a
        more = d.add(k, d.num(1))
        after = d.b.put(value, {(name, "R"): more})
        top = d.mk("mul", rate, d.mk("mul", more, value))
        equations = [e for t in d.subterms(after) if d.head(t) == "app3" and (
            e := a.recursions.unfolded_once(t, known)) is not None]
        if equations:
            same = a.identity(d.mk("eq", after, top), equations)
            return d.do("arith", d.mk("le", after, top), [same], [[d.num(1), [0]]])
        return a.prove(d.mk("le", after, top), known)

    def _start(self, later: int, bodies: Sequence[int], laws: Sequence[int],
               plain: Sequence[int], letter: tuple[str, int]) -> int:
        """The same of k = 0, from k = 0: the masses, and no bound."""
        d, a, zero, one = self.d, self.a, self.d.num(0), self.d.num(1)
        name, k = letter
        known = self._told(laws, one, list(plain))
        none = d.assume(d.mk("eq", k, zero))
        body = d.b.abstract(d.claim(later), name, "R")
        claims, found = d.members(d.b.open(body, zero)), []
        masses = []
        for weight, claim in zip(bodies[::2], claims, strict=False):
            iny = a.prove(d.mk("oiny", weight), known)
            (f,) = d.kids(claim)
            found.append(d.taut(claim, self.u.everywhere("oiny", weight, f, []), iny))
            mass = a.prove(d.mk("eq", d.mk("oint", weight), one), known)
            masses.append(d.chain(d.turn(self.u.everywhere("oint", weight, f, [])), mass))
        equal = d.chain(masses[0], d.turn(masses[1]))
        growth = claims[3]
        absurd = a.prove(d.mk("not", d.kids(growth)[0]))
        at = d.both(*found, equal, d.taut(growth, absurd))
        return d.do("rewrite", d.claim(later), [d.turn(none), at], [body])
