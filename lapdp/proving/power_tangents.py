"""A power against its tangent line: p (p/q)^r >= p + r (p - q) for r > 0 and r < -1.

Between, for -1 < r < 0, it is below that line.  All of it is 1 + u <= e^u, with L = log p - log q:

- r > 0: p e^(r L) >= p (1 + r L), and p L >= p - q;
- r < -1: p e^(r L) = q e^((r + 1) L) >= q (1 + (r + 1) L), and q L <= p - q;
- between: G = p e^(r L) has p >= G (1 - r L) and q >= G (1 - (r + 1) L), with weights r + 1 and -r.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Monomial, Polynomial, plus, times
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_POWERS = 3
MOST_TERMS = 8


@dataclass(frozen=True)
class Power:
    """p e^(r (log p - log q)), the term it stands as, and its other factors."""

    p: int
    q: int
    rate: int
    value: int
    rest: Monomial


class PowerTangents:
    """Facts about powers e^(r (log p - log q)) times p of a goal, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def facts(self, goal: int, facts: Sequence[int]) -> list[int]:
        """The tangents of the powers in the goal, where the sides of r are seen by the facts."""
        d, a = self.d, self.a
        s, t = d.kids(goal)
        if d.b.sorts[s] != "R":
            return []
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        found: list[int] = []
        for m in list(gap)[:MOST_TERMS]:
            for power in self.powers(m):
                made = self._tangent(power, facts)
                found += [] if made is None else [made]
            if len(found) >= MOST_POWERS:
                break
        return found

    def line(self, m: Monomial) -> Polynomial | None:
        """p + r (p - q) times what else there is, for a monomial with a power in it."""
        read = self.a.reader.read
        for power in self.powers(m):
            p, q, rate = (read(t) for t in (power.p, power.q, power.rate))
            rest: Polynomial = {power.rest: 1}
            return times(rest, plus(p, times(rate, plus(p, q, -1))))
        return None

    def powers(self, m: Monomial) -> list[Power]:
        """The powers p e^(r (log p - log q)), or p^(r + 1)/q^r, that are factors of m."""
        return self._logged(m) or self._quotients(m)

    def _quotients(self, m: Monomial) -> list[Power]:
        d, terms = self.d, self.a.terms
        found = []
        for x, e in m:
            if terms.symbol(x) != "inv" or not isinstance(e, int) or e < 1:
                continue
            q = terms.term(terms.argument(x), "R")
            tops = [z for z in m if z[1] == e + 1 and terms.symbol(z[0]) != "exp"]
            for top in tops[:1]:
                p = terms.term({((top[0], 1),): 1})
                value = terms.term({tuple(z for z in m if z in (top, (x, e))): 1}, "R")
                rest = tuple(z for z in m if z not in (top, (x, e)))
                found.append(Power(p, q, d.num(e), value, rest))
        return found

    def _logged(self, m: Monomial) -> list[Power]:
        d, terms = self.d, self.a.terms
        rates: dict[int, Polynomial] = {}
        exponent = self.exponent(m)
        for factors, c in exponent.items():
            logs = [x for x, e in factors if terms.symbol(x) == "log" and e == 1]
            if len(logs) != 1:
                return []
            share: Polynomial = {tuple(z for z in factors if z[0] != logs[0]): c}
            rates[logs[0]] = plus(rates.get(logs[0], {}), share)
        rates = {x: f for x, f in rates.items() if f}
        if len(rates) != 2:
            return []
        plain = {terms.term({((x, 1),): 1}): (x, e) for x, e in m if e == 1}
        found = []
        for x, y in permutations(rates):
            p, q = (terms.term(terms.argument(z), "R") for z in (x, y))
            if p in plain and not plus(rates[x], rates[y]) and d.b.letters[p]:
                value = d.mul(p, d.mk("exp", terms.term(exponent, "R")))
                rest = tuple(z for z in m if z != plain[p] and terms.symbol(z[0]) != "exp")
                found.append(Power(p, q, terms.term(rates[x], "R"), value, rest))
        return found

    def exponent(self, m: Monomial) -> Polynomial:
        """x for the factors e^x of a monomial."""
        total: Polynomial = {}
        for x, e in m:
            if self.a.terms.symbol(x) == "exp":
                total = plus(total, self.a.terms.argument(x), e)
        return total

    def _tangent(self, given: Power, facts: Sequence[int]) -> int | None:
        d, a, one = self.d, self.a, self.d.num(1)
        p, q, rate = given.p, given.q, given.rate
        above = [a.positive(x, facts) for x in (p, q)]
        if None in above:
            return None
        known = [i for i in above if i is not None]
        loss = d.sub(d.mk("log", p), d.mk("log", q))
        power = d.mk("exp", d.mul(rate, loss))
        line, value = d.add(p, d.mul(rate, d.sub(p, q))), d.mul(p, power)
        try:
            # p e^-L = q and q e^L = p
            turned = [a.identity(d.mk("eq", d.mul(x, d.mk("exp", u)), y), known)
                      for x, y, u in ((p, q, d.neg(loss)), (q, p, loss))]
            same = a.identity(d.mk("eq", value, given.value), known)
        except NotFound:
            return None
        found = self._line(p, q, rate, power, known, turned, facts)
        if found is None:
            return None
        below = d.kids(d.claim(found))[0] != value
        goal = d.mk("le", line, given.value) if below else d.mk("le", given.value, line)
        return d.do("arith", goal, [found, same], [[one, [0]], [d.num(1 if below else -1), [1]]])

    def _line(self, p: int, q: int, rate: int, power: int, known: list[int], turned: list[int],
              facts: Sequence[int]) -> int | None:
        d, a, one = self.d, self.a, self.d.num(1)
        loss = d.sub(d.mk("log", p), d.mk("log", q))
        line, value = d.add(p, d.mul(rate, d.sub(p, q))), d.mul(p, power)
        below, beyond = d.mk("le", line, value), d.mk("le", value, line)
        more = d.add(rate, one)
        if (positive := a.positive(rate, facts)) is not None:
            laws = [self._law(d.kids(power)[0]), self._law(d.neg(loss))]
            return d.do("arith", below, [*laws, *known, positive, turned[0]], [
                [one, [0, 2]], [one, [1, 2, 4]], [rate, [5]]])
        if (positive := a.positive(d.neg(more), facts)) is not None:
            laws = [self._law(d.add(d.kids(power)[0], loss)), self._law(loss)]
            return d.do("arith", below, [*laws, *known, positive, turned[1]], [
                [one, [0, 3]], [one, [1, 3, 4]], [d.sub(power, more), [5]]])
        weights = [a.positive(t, facts) for t in (more, d.neg(rate))]
        if None in weights:
            return None
        exponent = d.neg(d.kids(power)[0])
        laws = [self._law(exponent), self._law(d.sub(exponent, loss))]
        size = d.do("arith", d.mk("lt", d.num(0), value), [known[0], d.law(
            "exp positive", d.mk("lt", d.num(0), power), *d.kids(power))], [[one, [0, 1]]])
        return d.do("arith", beyond, [*laws, size, *(w for w in weights if w is not None),
                                      turned[0]], [
            [one, [0, 2, 3]], [one, [1, 2, 4]], [d.neg(rate), [5]]])

    def _law(self, u: int) -> int:
        d = self.d
        return d.law("exp above tangent", d.mk("le", d.add(d.num(1), u), d.mk("exp", u)), u)
