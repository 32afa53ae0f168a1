"""Integrals of polynomials in losses, as sums of products of moments of single losses.

A function is p h(log p - log q) where p, q > 0, and 0 elsewhere, h a polynomial.  With p(x) p'(y)
and q(x) q'(y) in the places of p and q the loss is the sum of those at the two outcomes; with a p
and b q it is log a - log b more.  So the integral is a sum of products of integrals of

    p,    p where q = 0,    p l,    p (l^2 + c l + d)        (l = log p - log q, where p, q > 0)

the last of which is a function that a hypothesis says to be integrable.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus, times
from lapdp.proving.columns import RELATIONS

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

Weighted = list[tuple[Polynomial, int]]
"""Coefficients and functions at an outcome."""


class LossMoments:
    """Finds such sums, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._said: dict[int, list[int]] = {}

    def expanded(self, body: int, facts: Sequence[int]) -> tuple[int, int] | None:
        """``oiny f`` and oint f = such a sum, for a body f; None for others, and for one that is
        in such sums.  Raises :class:`NotFound`."""
        d, a = self.d, self.a
        name, x = d.fresh("O", "x")
        at = d.b.open(body, x)
        parts = self.parts(at, [x], facts)
        if parts is None or parts == [({(): 1}, (at,))]:
            return None
        pairs = [(a.terms.term(c, "R"), d.mk("oint", d.b.abstract(f, name, "O")))
                 for c, (f,) in parts]
        value = d.add(*(d.mul(c, t) for c, t in pairs))
        before, a.still = a.still, frozenset(c for c, _ in pairs)
        try:
            whole = a.normal(value, facts, a.choices(value)[0])
        finally:
            a.still = before
        known = [*(i for i in facts if d.head(d.claim(i)) in (*RELATIONS, "not")),
                 *a._positive(at)]
        same = a.separation.by_signs(d.mk("eq", at, d.b.open(whole.body, x)), known, (x,))
        everywhere = d.gen(name, "O", same)
        iny = d.taut(d.mk("oiny", body), d.under("oiny", everywhere), whole.iny)
        found = d.chain(d.under("oint", everywhere), d.turn(whole.equation))
        found = a.with_masses(found)
        return iny, found

    def parts(self, at: int, outcomes: Sequence[int], facts: Sequence[int]
              ) -> list[tuple[Polynomial, tuple[int, ...]]] | None:
        """A function at outcomes as a sum: coefficients, and a function at each of them; None for
        others."""
        found: dict[tuple[int, ...], Polynomial] = {}
        for scale, pieces in self._pieces(at, outcomes, facts) or ():
            for chosen in product(*pieces):
                c = scale
                for factor, _ in chosen:
                    c = times(c, factor)
                key = tuple(f for _, f in chosen)
                found[key] = plus(found.get(key, {}), c)
        return [(c, key) for key, c in found.items() if c] or None

    def _pieces(self, at: int, outcomes: Sequence[int], facts: Sequence[int]
                ) -> list[tuple[Polynomial, list[Weighted]]] | None:
        """Coefficients, and at each outcome a power of the loss by its basis."""
        d = self.d
        if d.head(at) != "if":
            return None
        condition, value, other = d.kids(at)
        if d.head(condition) == "eq" and len(outcomes) == 1:
            return self._infinite(condition, value, other, outcomes[0])
        if d.head(value) != "if" or d.kids(value)[2] != d.num(0) or other != d.num(0):
            return None
        second, value, _ = d.kids(value)
        if any(d.head(c) != "lt" or d.kids(c)[0] != d.num(0) for c in (condition, second)):
            return None
        over, under = d.kids(condition)[1], d.kids(second)[1]
        top, low = self._factors(over, outcomes), self._factors(under, outcomes)
        if top is None or low is None:
            return None
        read = self.powers(value, (over, top), (under, low), outcomes)
        if read is None:
            return None
        return [(c, [self.basis(p, q, j, facts) for p, q, j in zip(
            top[0], low[0], powers, strict=True)]) for powers, c in read.items()]

    def _factors(self, t: int, outcomes: Sequence[int]) -> tuple[list[int], list[int]] | None:
        """The density at each outcome, and the other factors, of a product; None for others."""
        d, rest, at = self.d, [], dict[int, int]()
        todo = [t]
        while todo:
            u = todo.pop()
            if d.head(u) == "mul":
                todo += d.kids(u)
            elif d.head(u) == "dens" and d.kids(u)[1] in outcomes and d.kids(u)[1] not in at:
                at[d.kids(u)[1]] = u
            elif set(outcomes) & set(d.subterms(u)):
                return None
            else:
                rest.append(u)
        return ([at[x] for x in outcomes], rest) if len(at) == len(outcomes) else None

    def powers(self, value: int, over: tuple[int, tuple[list[int], list[int]]],
               under: tuple[int, tuple[list[int], list[int]]], outcomes: Sequence[int]
               ) -> dict[tuple[int, ...], Polynomial] | None:
        """The coefficients of powers of the losses, each with one density at each outcome; the
        densities and factors of two products are given."""
        d, a = self.d, self.a
        losses = [d.fresh("R", "u")[1] for _ in over[1][0]]
        masses = [d.fresh("R", "w")[1] for _ in over[1][0]]
        put = dict(zip(over[1][0], masses, strict=True))
        more = [d.mk("log", c) for c in over[1][1] if d.head(c) != "n"]
        less = [d.neg(d.mk("log", c)) for c in under[1][1] if d.head(c) != "n"]
        put[d.mk("log", over[0])] = d.add(*losses, *more, *less)
        put[d.mk("log", under[0])] = d.num(0)
        f = a.reader.read(d.b.walk(value, lambda u, _: put.get(u)))
        numbers = {t: next(iter(a.reader.read(t)))[0][0] for t in (*losses, *masses)}
        own = {*losses, *masses, *outcomes}
        found: dict[tuple[int, ...], Polynomial] = {}
        for m, c in f.items():
            powers = dict(m)
            if any(powers.get(numbers[w], 0) != 1 for w in masses):
                return None
            key = tuple(int(powers.get(numbers[u], 0)) for u in losses)
            rest = tuple(x for x in m if x[0] not in numbers.values())
            part: Polynomial = {rest: c}
            if max(key) > 2 or own & set(d.subterms(a.terms.term(part, "R"))):
                return None
            found[key] = plus(found.get(key, {}), part)
        return found

    def _infinite(self, condition: int, value: int, other: int, x: int
                  ) -> list[tuple[Polynomial, list[Weighted]]] | None:
        """A multiple of p where q = 0, and another one elsewhere."""
        d, a = self.d, self.a
        y, zero = d.kids(condition)
        low = self._factors(y, [x]) if zero == d.num(0) else None
        if low is None:
            return None
        q = low[0][0]
        inside = [u for t in (value, other) for u in d.subterms(t)
                  if d.head(u) == "dens" and d.kids(u)[1] == x]
        if len(set(inside)) != 1:
            return None
        p = inside[0]
        _, w = d.fresh("R", "w")
        (number, _), = next(iter(a.reader.read(w)))
        scales: list[Polynomial] = []
        for t in (value, other):
            f = a.reader.read(d.b.walk(t, lambda u, _: w if u == p else None))
            if any(dict(m).get(number, 0) != 1 for m in f):
                return None
            scales.append({tuple(k for k in m if k[0] != number): c for m, c in f.items()})
        one: Polynomial = {(): 1}
        return [(scales[1], [[(one, p)]]), (plus(scales[0], scales[1], -1), [
            [(one, self.lost(p, q))]])]

    # what hypotheses say ------------------------------------------------------------------------

    def enriched(self, facts: Sequence[int]) -> list[int]:
        """The facts, and ``oiny f`` from those that say so wherever f is not 0: nowhere, it is."""
        d, found = self.d, list(facts)
        claims = {d.claim(i) for i in facts}
        for i in facts:
            if d.head(d.claim(i)) == "allO":
                if i not in self._said:
                    self._said[i] = self._everywhere(i)
                for made in self._said[i]:
                    if d.claim(made) not in claims:
                        claims.add(d.claim(made))
                        found.append(made)
        return found

    def _everywhere(self, i: int) -> list[int]:
        d = self.d
        name, x = d.fresh("O", "x")
        at, given = d.inst(i, x), list[int]()
        while d.head(d.claim(at)) == "imp" and d.head(d.kids(d.claim(at))[0]) == "lt":
            given.append(d.assume(d.kids(d.claim(at))[0]))
            at = d.mp(at, given[-1])
        found = []
        for part in d.parts(at) if len(given) == 2 else ():
            claim = d.claim(part)
            if d.head(claim) == "oiny" and x not in d.subterms(claim):
                f = d.b.open(d.kids(claim)[0], x)
                v = d.kids(d.kids(f)[1])[1] if d.head(f) == "if" and d.head(
                    d.kids(f)[1]) == "if" else f
                over, under = (d.claim(g) for g in given)
                if f == d.mk("if", over, d.mk("if", under, v, d.num(0)), d.num(0)):
                    found.append(self._nowhere(claim, part, f, name))
        return found

    def _nowhere(self, claim: int, there: int, f: int, name: str) -> int:
        """oiny f, which holds if f is not 0 at an outcome; if it does not hold, f is 0."""
        d, zero = self.d, self.d.num(0)
        over, inner, _ = d.kids(f)
        under = d.kids(inner)[0]
        denied = d.assume(d.mk("not", claim))
        goal = d.mk("eq", f, zero)

        def chosen(t: int, given: int) -> int:
            c, yes, no = d.kids(t)
            value = yes if d.claim(given) == c else no
            return d.mp(d.do("cases", d.mk("imp", d.claim(given), d.mk("eq", t, value))), given)

        first, second = chosen(f, d.assume(over)), chosen(
            inner, d.assume(d.mk("not", under)))
        yes = d.split(under, d.taut(goal, there, denied), d.chain(first, second))
        none = d.split(over, yes, chosen(f, d.assume(d.mk("not", over))))
        same = d.under("oiny", d.gen(name, "O", none))
        holds = d.taut(claim, same, d.parts(self.a.nothing("oint", "R"))[0])
        return d.split(claim, d.assume(claim), holds)

    # functions of one loss --------------------------------------------------------------------

    def lost(self, p: int, q: int) -> int:
        d = self.d
        return d.mk("if", d.mk("eq", q, d.num(0)), p, d.num(0))

    def where(self, p: int, q: int, value: int) -> int:
        d, zero = self.d, self.d.num(0)
        return d.mk("if", d.mk("lt", zero, p), d.mk("if", d.mk("lt", zero, q), value, zero), zero)

    def basis(self, p: int, q: int, power: int, facts: Sequence[int]) -> Weighted:
        """p l^power, where p and q are positive, by the functions above."""
        d = self.d
        one: Polynomial = {(): 1}
        lost: Weighted = [(one, p), ({(): -1}, self.lost(p, q))]
        if power == 0:
            return lost
        loss = d.add(d.mk("log", p), d.neg(d.mk("log", q)))
        first = self.where(p, q, d.mul(p, loss))
        if power == 1:
            return [(one, first)]
        known = self._second(p, q, facts)
        if known is None:
            return [(one, self.where(p, q, d.mul(p, d.mul(loss, loss))))]
        f, linear, constant = known
        minus: Polynomial = {(): -1}
        return [(one, f), (times(minus, linear), first),
                *((times(times(minus, constant), c), g) for c, g in lost)]

    def _second(self, p: int, q: int, facts: Sequence[int]
                ) -> tuple[int, Polynomial, Polynomial] | None:
        """p (l^2 + c l + d), which a fact says to be integrable, with c and d."""
        d = self.d
        x = d.kids(p)[1]
        for i in facts:
            if d.head(d.claim(i)) != "oiny":
                continue
            f = d.b.open(d.kids(d.claim(i))[0], x)
            if f != self.where(p, q, d.kids(d.kids(f)[1])[1] if d.head(f) == "if" and d.head(
                    d.kids(f)[1]) == "if" else f):
                continue
            value = d.kids(d.kids(f)[1])[1]
            read = self.powers(value, (p, ([p], [])), (q, ([q], [])), [x])
            if read is not None and read.get((2,)) == {(): 1}:
                return f, read.get((1,), {}), read.get((0,), {})
        return None
