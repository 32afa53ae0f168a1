"""Integrals over two outcomes of what is a sum of products of functions of one outcome each.

    oint_x oint_y h(x, y) = sum of (oint f) (oint g)   from   h(x, y) = sum of f(x) g(y),

each density at x and y taken as positive or as 0 to prove the latter.  The f and g are bodies that
facts call integrable: moments of independent releases multiply.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

Parts = list[tuple[int, int, int]]
"""Coefficients, functions of the one outcome, functions of the other one: closed bodies."""
MOST_TRIED = 9


class Separation:
    """Finds such sums, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.failed: set[tuple[int, frozenset[int]]] = set()

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny h(x, .)`` at an outcome x, or ``oiny`` of x -> oint h(x, .); None for others."""
        d = self.d
        (body,) = d.kids(goal)
        if d.head(body) == "oint":
            found = self._both(body, facts)
            return None if found is None else d.parts(found)[0]
        name, y = d.fresh("O", "y")
        at = d.b.open(body, y)
        for x in self._others(at, y):
            inner = self._inner(at, x, name, y, facts)
            if inner is not None:
                return d.parts(inner[1])[0]
        return None

    def equation(self, goal: int, facts: Sequence[int]) -> int | None:
        """A double integral of the goal as a sum of products of integrals."""
        d = self.d
        for t in d.subterms(goal):
            if d.head(t) == "oint" and not d.b.loose[t] and d.head(d.kids(t)[0]) == "oint":
                found = self._both(d.kids(t)[0], facts)
                if found is not None:
                    return d.parts(found)[1]
        return None

    def _others(self, at: int, y: int) -> list[int]:
        """Outcomes x whose densities are multiplied with those at y."""
        d = self.d
        found: dict[int, None] = {}
        for t in d.subterms(at):
            if d.head(t) == "mul" and all(d.head(k) == "dens" for k in d.kids(t)):
                places = [d.kids(k)[1] for k in d.kids(t)]
                if y in places and places[0] != places[1]:
                    found[places[places[0] == y]] = None
        return list(found)

    def _both(self, body: int, facts: Sequence[int]) -> int | None:
        """``oiny f and oint f = sum of products`` for the body of a double integral."""
        d, a = self.d, self.a
        key = body, frozenset(facts)
        if d.head(body) != "oint" or d.head(d.kids(body)[0]) == "oint" or key in self.failed:
            return None
        (xname, x), (yname, y) = d.fresh("O", "x"), d.fresh("O", "y")
        at = d.b.open(d.kids(d.b.open(body, x))[0], y)
        if x not in self._others(at, y):
            return None
        inner = self._inner(at, x, yname, y, facts)
        if inner is None:
            self.failed.add(key)
            return None
        parts, found = inner
        same = d.parts(found)[1]
        totals = [d.mk("oint", g) for _, _, g in parts]
        value = d.add(*(d.mul(c, g, d.mk("oint", f))
                        for (c, f, _), g in zip(parts, totals, strict=True)))
        before, a.still = a.still, frozenset(totals)
        try:
            whole = a.normal(value, facts, a.choices(body)[0])
        except (NotFound, NeedSplit):
            return None
        finally:
            a.still = before
        there = d.b.open(whole.body, x)
        alike = d.chain(same, a.identity(d.mk("eq", d.kids(d.claim(same))[1], there), []))
        everywhere = d.gen(xname, "O", alike)
        iny = d.taut(d.mk("oiny", body), d.under("oiny", everywhere), whole.iny)
        found = d.chain(d.under("oint", everywhere), d.turn(whole.equation))
        for t in d.subterms(value):
            if d.head(t) == "oint" and d.head(d.kids(t)[0]) == "dens":
                found = d.chain(found, d.alike(d.kids(d.claim(found))[1], self._one(t)))
        return d.both(iny, found)

    def _one(self, t: int) -> int:
        """oint p = 1."""
        d = self.d
        (p,) = d.kids(t)
        claim = d.conj([d.mk("oiny", p), d.mk("eq", t, d.num(1))])
        return d.parts(d.do("density", claim, [], [d.kids(p)[0]]))[1]

    def _inner(self, at: int, x: int, name: str, y: int, facts: Sequence[int]
               ) -> tuple[Parts, int] | None:
        """``oiny h(x, .)`` and ``oint h(x, .) = sum of c f(x) oint g``, with the parts."""
        d, a = self.d, self.a
        plain = [i for i in facts if not a._speaks(d.claim(i)) and d.head(d.claim(i)) != "oiny"]
        known = a._closed([*plain, *a._positive(at)])
        for parts in self._candidates(at, x, y, facts):
            value = d.add(*(d.mul(d.mul(c, d.b.open(f, x)), d.mk("oint", g)) for c, f, g in parts))
            here = d.add(*(d.mul(d.mul(c, d.b.open(f, x)), d.b.open(g, y)) for c, f, g in parts))
            try:
                pointwise = self._by_signs(d.mk("eq", at, here), known, (x, y))
                normal = a.normal(value, facts, a.choices(at)[0])
            except (NotFound, NeedSplit):
                continue
            body = d.b.abstract(at, name, "O")
            everywhere = d.gen(name, "O", d.chain(pointwise, a.identity(
                d.mk("eq", here, d.b.open(normal.body, y)), [])))
            iny = d.taut(d.mk("oiny", body), d.under("oiny", everywhere), normal.iny)
            return parts, d.both(iny, d.chain(d.under("oint", everywhere), d.turn(
                normal.equation)))
        return None

    def _candidates(self, at: int, x: int, y: int, facts: Sequence[int]) -> Iterator[Parts]:
        """One product of integrable functions; f and g on a union: f q + p g - f g."""
        d = self.d
        sort = d.b.sorts[at]
        one, less = d.like(1, sort), d.like(-1, sort)
        there = [{d.kids(u)[0] for u in d.subterms(at) if d.head(u) == "dens"
                  and d.kids(u)[1] == z} for z in (x, y)]
        bodies = list(dict.fromkeys(
            d.kids(d.claim(i))[0] for i in facts if d.head(d.claim(i)) == "oiny"
            and d.b.sorts[d.kids(d.claim(i))[0]] == sort))
        alone = [[f for f in bodies if set(self.a.masses(f)) == m and d.head(f) != "oint"]
                 for m in there]
        pairs = [(f, g) for f in alone[0] for g in alone[1]][:MOST_TRIED]
        for f, g in pairs:
            yield [(one, f, g)]
        if sort == "R":
            for f, g in pairs:
                p, q = (d.kids(h)[1] if d.head(h) == "if" else 0 for h in (f, g))
                if {d.head(p), d.head(q)} == {"dens"}:
                    yield [(one, f, q), (one, p, g), (less, f, g)]

    def _by_signs(self, goal: int, facts: Sequence[int], outcomes: Sequence[int]) -> int:
        """An equation, each density at the outcomes taken as positive or as 0."""
        d, zero = self.d, self.d.num(0)
        units = [u for u in d.subterms(goal) if d.head(u) == "dens" and d.kids(u)[1] in outcomes]
        return self.a.recursions.factors.signed(
            goal, facts, units, [t for t in d.subterms(goal) if not d.b.loose[t] and (
                (d.head(t) == "lt" and d.kids(t)[0] == zero and d.head(d.kids(t)[1]) == "mul")
                or (d.head(t) == "eq" and d.kids(t)[1] == zero and d.head(
                    d.kids(t)[0]) == "mul"))])
