"""Weighted means: p^(1+c) r^(-c) <= (1 + c) p - c r for -1 <= c <= 0 and p, r > 0.

With M the left side, u = log p - log M and v = log r - log M the two tangents e^u >= 1 + u and
e^v >= 1 + v, weighted, add up to it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_POWERS = 3


class Means:
    """Facts about the powers of quotients that occur in a goal, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def facts(self, goal: int, facts: Sequence[int]) -> list[int]:
        """The inequality for each exp(c (log p - log r)) of which the conditions are found."""
        found = []
        for c, p, r in list(self._powers(goal))[:MOST_POWERS]:
            try:
                found.append(self._law(c, p, r, facts))
            except NotFound:
                continue
        return found

    def _powers(self, goal: int) -> Iterator[tuple[Polynomial, int, int]]:
        """(c, p, r) for exponents c (log p - log r), written either way."""
        d, terms = self.d, self.a.terms
        for t in d.subterms(goal):
            if d.head(t) != "exp" or d.b.loose[t] or d.b.sorts[t] != "R":
                continue
            by: dict[int, Polynomial] = {}
            for m, x in self.a.reader.read(d.kids(t)[0]).items():
                logs = [(a, e) for a, e in m if terms.symbol(a) == "log"]
                if len(logs) != 1 or logs[0][1] != 1:
                    by.clear()
                    break
                by.setdefault(logs[0][0], {})[tuple(y for y in m if y != logs[0])] = x
            if len(by) != 2:
                continue
            (a, c), (b, other) = by.items()
            if plus(c, other):
                continue
            p, r = (terms.term(terms.argument(n), "R") for n in (a, b))
            yield c, p, r
            yield other, r, p

    def _law(self, c: Polynomial, p: int, r: int, facts: Sequence[int]) -> int:
        d, a = self.d, self.a
        zero, weight = d.num(0), a.terms.term(c, "R")
        rest = d.add(d.num(1), weight)
        minus = d.neg(weight)
        sides = [self._found(d.mk("le", zero, x), facts) for x in (rest, minus)]
        above = [self._found(d.mk("lt", zero, x), facts) for x in (p, r)]
        logs = [d.mk("log", x) for x in (p, r)]
        gap = d.sub(*logs)
        power = d.mk("exp", d.mul(weight, gap))
        u, v = d.neg(d.mul(weight, gap)), d.neg(d.mul(rest, gap))
        tangents = [d.law("exp above tangent", d.mk("le", d.add(d.num(1), x), d.mk("exp", x)), x)
                    for x in (u, v)]
        positive = d.law("exp positive", d.mk("lt", zero, power), d.mul(weight, gap))
        quotient = d.mul(p, d.mk("exp", d.sub(logs[1], logs[0])))
        short = a.logarithms.tidied(quotient, [*facts, *above])
        whole = d.chain(short, a.identity(d.mk("eq", d.kids(d.claim(short))[1], r),
                                          [*facts, *above]))
        goal = d.mk("le", d.mul(p, power), d.add(d.mul(rest, p), d.mul(minus, r)))
        return d.do("arith", goal, [*sides, above[0], positive, *tangents, whole], [
            [d.num(1), [0, 2, 3, 4]], [d.num(1), [1, 2, 3, 5]], [minus, [6]]])

    def _found(self, claim: int, facts: Sequence[int]) -> int:
        known = self.a.truth(claim, facts)
        if known is None or self.d.claim(known) != claim:
            raise NotFound("a condition of a mean")
        return known
