"""Sums of symbolic length that are linear in one another: S = T - U, S = T + U, S = c T, S = c n.

The summands are compared as polynomials; the equation between the sums is proved by induction.  Of
a geometric sum S with powers p the power is expressed, p = 1 - (1 - b) S: that takes no b != 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, permutations
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus, ratio, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.items import whole_quotient

if TYPE_CHECKING:
    from lapdp.proving.invariants import Invariants

MOST_SUMS = 6


class Sums:
    """Lemmas about sums, for :class:`Invariants`."""

    def __init__(self, invariants: Invariants) -> None:
        self.i, self.r = invariants, invariants.r
        self.done = False
        self.known: set[int] = set()

    def of(self, letter: int) -> bool:
        """Is the function a sum that a lemma speaks of?"""
        return letter in self.known

    def establish(self, facts: Sequence[int]) -> None:
        """Express sums by others, once."""
        if self.done:
            return
        self.done = True
        d, r = self.r.d, self.r
        name, n = d.fresh("R", "n")
        summands = {t: f for t in r.rules if (f := self._summand(t, n)) is not None}
        said: set[int] = set()
        for s, f in list(summands.items())[-MOST_SUMS:]:
            for value, used in self._values(s, f, n, summands):
                if said & used:
                    continue
                body = d.b.abstract(value, name, "R")

                def form(m: int, _: Sequence[int], body: int = body) -> tuple[list[int], int]:
                    return [d.num(0)] * 2, d.b.open(body, m)

                try:
                    self.i.lemma(s, "", form, facts, lambda _, points: [()])
                except (NotFound, NeedSplit):
                    continue
                said.add(s)
                self.known |= {s, *used}
                break
        for s, f in summands.items():
            if s not in said:
                self._geometric(s, f, n, facts)

    def _geometric(self, s: int, f: Polynomial, n: int, facts: Sequence[int]) -> None:
        """p(n) = 1 - (1 - b) S(n), where S adds up the p(n) and p(n + 1) = p(n) b, p(0) = 1."""
        d, r = self.r.d, self.r
        zero, one, g = d.num(0), d.num(1), r.a.terms.term(f, "R")
        power = d.kids(g)[0] if d.head(g) == "app3" else None
        if power not in r.rules or power in self.known or self.i.points(power) or (
                r.canonical(d.kids(g)[1]) != n or self.i.start(power, ()) != one):
            return
        new = d.kids(d.kids(d.b.open(d.kids(d.claim(r.rules[power][1]))[0], n))[1])[1]
        if d.head(new) != "mul" or d.kids(new)[0] != d.mk("app3", power, n, zero, zero):
            return
        b = d.kids(new)[1]
        if {n, power} & {*d.subterms(b)}:
            return
        try:
            self.i.lemma(power, "", lambda m, _: ([zero] * 2, d.sub(one, d.mul(
                d.sub(one, b), d.mk("app3", s, m, zero, zero)))), facts, lambda _, points: [()])
        except (NotFound, NeedSplit):
            return
        self.known |= {s, power}

    def _summand(self, letter: int, n: int) -> Polynomial | None:
        """g(n) for a sum S(0) = 0, S(n + 1) = S(n) + g(n); None for other functions."""
        d, r = self.r.d, self.r
        if self.i.points(letter) or self.i.start(letter, ()) != d.num(0):
            return None
        step = d.kids(d.b.open(d.kids(d.claim(r.rules[letter][1]))[0], n))[1]
        new = d.kids(step)[1]
        now = d.mk("app3", letter, n, d.num(0), d.num(0))
        g = plus(r.a.reader.read(new), r.a.reader.read(now), -1)
        return None if letter in d.subterms(r.a.terms.term(g, "R")) else g

    def _values(self, s: int, f: Polynomial, n: int, summands: dict[int, Polynomial]
                ) -> Iterator[tuple[int, set[int]]]:
        """Terms that the sum may be at n, and the sums in them."""
        d, terms = self.r.d, self.r.a.terms
        g = terms.term(f, "R")
        if n not in d.subterms(g):
            yield d.mul(g, n), set()
        at = {t: d.mk("app3", t, n, d.num(0), d.num(0)) for t in summands}
        others = [t for t in summands if t != s]
        for t, u in combinations(others, 2):
            if plus(summands[t], summands[u]) == f:
                yield d.add(at[t], at[u]), {t, u}
        for t, u in permutations(others, 2):
            if plus(summands[t], summands[u], -1) == f:
                yield d.sub(at[t], at[u]), {t, u}
        for t in others:
            if (c := self._multiple(f, summands[t])) is not None and n not in d.subterms(c):
                yield d.mul(c, at[t]), {t}

    def _multiple(self, f: Polynomial, g: Polynomial) -> int | None:
        """c with f = c g, c a monomial."""
        for m, x in g.items():
            for k, y in f.items():
                rest = whole_quotient(k, m)
                if rest is not None and times(g, {rest: ratio(y, x)}) == f:
                    return self.r.a.terms.term({rest: ratio(y, x)}, "R")
            return None
        return None
