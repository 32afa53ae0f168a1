"""The best bound of a profile by one moment: p - e^s q <= c p (p/q)^r, where it touches.

With L = log p - log q, u = r/(r + 1) and M = s - log u: the tangents e^(r (L - M)) >= 1 + r (L - M)
and e^(M - L) >= 1 + M - L, times p and r p, add up to

    (r + 1) p - r e^M q <= p e^(r (L - M)),   that is   p - e^s q <= u^(r + 1)/r e^(-r s) p e^(r L).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.proving.derivation import NotFound
from lapdp.proving.power_tangents import Power, PowerTangents

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_ORDER = 6


class ScaledTangents:
    """Facts about a goal that compares p - e^s q with a power, for a :class:`Prover`."""

    def __init__(self, prover: Prover, tangents: PowerTangents) -> None:
        self.a, self.d, self.tangents = prover, prover.d, tangents

    def facts(self, goal: int, facts: Sequence[int]) -> list[int]:
        """The bounds for the powers in the goal."""
        d, a = self.d, self.a
        s, t = d.kids(goal)
        if d.b.sorts[s] != "R":
            return []
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        for m in gap if len(gap) == 3 else ():
            for power in self.tangents.powers(tuple(z for z in m if self._varies(z[0]))):
                shift = self._shift(gap, power)
                for u in self._touching(goal, power) if shift is not None else ():
                    try:
                        return [self._bound(power, a.terms.term(shift or {}, "R"), u, facts)]
                    except NotFound:
                        continue
        return []

    def _varies(self, atom: int) -> bool:
        """Is it no exponential of numbers alone?"""
        d, terms = self.d, self.a.terms
        return terms.symbol(atom) != "exp" or any(
            d.head(t) == "dens" for t in d.subterms(terms.term({((atom, 1),): 1}, "R")))

    def _shift(self, gap: Polynomial, power: Power) -> Polynomial | None:
        """s for a gap with the terms -p and e^s q."""
        a = self.a
        p, q = (a.reader.read(t) for t in (power.p, power.q))
        rest = plus(gap, p)
        (m,) = q if len(q) == 1 else ((),)
        for n, c in rest.items():
            plain = tuple(z for z in n if a.terms.symbol(z[0]) != "exp")
            if c == 1 and m and plain == m and len(rest) == 2:
                return self.tangents.exponent(n)
        return None

    def _touching(self, goal: int, power: Power) -> Iterator[int]:
        """r/(r + 1), as the goal writes it under a logarithm, or as a number."""
        d = self.d
        if d.head(power.rate) == "n":
            r = d.value(power.rate)
            if r > 0:
                yield d.num(r / (r + 1))
        for t in d.subterms(goal):
            if d.head(t) == "log" and d.b.letters[t] and not d.b.loose[t] and not any(
                    d.head(u) == "dens" for u in d.subterms(t)):
                yield d.kids(t)[0]

    def _bound(self, given: Power, s: int, u: int, facts: Sequence[int]) -> int:
        """p - e^s q <= u^(r + 1)/r e^(-r s) p e^(r L)."""
        d, a, one = self.d, self.a, self.d.num(1)
        p, q, r = given.p, given.q, given.rate
        positive = [a.positive(t, facts) for t in (p, q, r, u)]
        known = [i for i in positive if i is not None]
        if len(known) < 4:
            raise NotFound("a sign is not known")
        log, over = d.mk("log", u), d.mk("inv", r)
        root = a.logarithms.power(log, u, known)
        if root is None:
            raise NotFound("a power is not known")
        plain = d.sub(d.mk("log", p), d.mk("log", q))
        shift = d.sub(s, log)
        loss = d.sub(plain, shift)
        power = d.mk("exp", d.mul(r, loss))
        laws = [d.law("exp above tangent", d.mk("le", d.add(one, x), d.mk("exp", x)), x)
                for x in (d.mul(r, loss), d.neg(loss))]
        turned = a.identity(d.mk("eq", d.mul(p, d.mk("exp", d.neg(loss))), d.mul(
            q, d.mk("exp", shift))), known)
        line = d.sub(d.add(p, d.mul(r, p)), d.mul(r, q, d.mk("exp", shift)))
        first = d.do("arith", d.mk("le", line, d.mul(p, power)), [
            *laws, known[0], known[2], turned], [[one, [0, 2]], [one, [1, 2, 3]], [r, [4]]])
        small = d.mk("exp", d.mul(r, log))
        best = self._best(r, u)
        less = d.mk("exp", d.neg(log))
        once = d.do("arith", d.mk("eq", d.mul(u, less), one), [root], [[d.neg(less), [0]]])
        rates = [i for t in (r, d.add(r, one)) if (i := a.nonzero(t, known)) is not None]
        equal = [self._power(u, small, best, root),
                 a.identity(d.mk("eq", d.mul(p, d.mk("exp", d.mul(r, plain))), given.value), known),
                 a.identity(d.mk("eq", one, d.mul(u, over, d.add(r, one))), [*known, *rates]),
                 a.identity(d.mk("eq", d.mul(u, over, r, less), one), [*rates, once])]
        below = a.positive(over, known)
        if below is None:
            raise NotFound("a sign is not known")
        scale = d.mul(over, d.mk("exp", d.neg(d.mul(r, s))))
        moved = d.mul(q, d.mk("exp", s))
        goal = d.mk("le", d.sub(p, moved), d.mul(best, scale, given.value))
        return d.do("arith", goal, [first, known[3], below, *equal], [
            [one, [0, 1, 2]], [d.mul(scale, given.value), [3]], [d.mul(scale, u, small), [4]],
            [p, [5]], [moved, [6]]])

    def _power(self, u: int, small: int, best: int, root: int) -> int:
        """u u^r = u^(r + 1)."""
        d = self.d
        goal = d.mk("eq", d.mul(u, small), best)
        if d.head(best) != "n":
            return d.do("arith", goal, [root], [[d.neg(small), [0]]])
        log, c = d.mk("log", u), d.value(u)
        n = next(n for n in range(1, MOST_ORDER) if c ** (n + 1) == d.value(best))
        # c^n - e^n = (c - e) (c^(n - 1) + c^(n - 2) e + ... + e^(n - 1))
        terms = [d.mul(d.num(c ** (i + 1)), d.mk("exp", d.mul(d.num(n - 1 - i), log)))
                 for i in range(n)]
        return d.do("arith", goal, [root], [[d.add(*terms) if n > 1 else terms[0], [0]]])

    def _best(self, r: int, u: int) -> int:
        """u^(r + 1): a number, or with a logarithm."""
        d = self.d
        if d.head(r) == "n" == d.head(u):
            n, c = (d.value(t) for t in (r, u))
            if n.denominator == 1 and n < MOST_ORDER:
                return d.num(c ** (n.numerator + 1))
        return d.mk("exp", d.mul(d.add(r, d.num(1)), d.mk("log", u)))
