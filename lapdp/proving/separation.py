"""Integrals over two outcomes of what is a sum of products of functions of one outcome each.

    oint_x oint_y h(x, y) = sum of (oint f) (oint g)   from   h(x, y) = sum of f(x) g(y),

each density at x and y taken as positive or as 0 to prove the latter.  The f and g are h with the
densities at one outcome only: moments of independent releases multiply.  Where the f and g are
integrable, so is |h|, as Fubini's theorem asks: |h(x, y)| <= sum of |f(x)| |g(y)|.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound
from lapdp.proving.said import Said

if TYPE_CHECKING:
    from lapdp.proving.normal_forms import Normal
    from lapdp.proving.space import Prover

Parts = list[tuple[int, int, int]]
"""Coefficients, functions of the one outcome, functions of the other one: closed bodies."""


class Separation(Said):
    """Finds such sums, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        super().__init__(prover)
        self.failed: set[tuple[int, frozenset[int]]] = set()
        self.made: dict[int, list[tuple[Parts, int, int]]] = {}

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny h(x, .)`` at an outcome x, or ``oiny`` of x -> oint h(x, .), and so for |h|; None
        for others."""
        d = self.d
        (body,) = d.kids(goal)
        if d.head(body) == "oint" and d.head(d.kids(body)[0]) == "abs":
            return self._absolutely(goal, facts)
        if d.head(body) == "oint":
            found = self._both(body, facts)
            return None if found is None else d.parts(found)[0]
        size = d.head(body) == "abs"
        name, y = d.fresh("O", "y")
        at = d.b.open(d.kids(body)[0] if size else body, y)
        for x in self._others(at, y):
            inner = self._inner(at, x, name, y, facts)
            if inner is not None:
                iny = d.parts(inner[1])[0]
                return self.rim(iny)[0] if size else iny
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
        parts, found, _ = inner
        same = d.parts(found)[1]
        totals = [d.mk("oint", g) for _, _, g in parts]
        value = d.add(*(d.mul(c, g, d.mk("oint", f))
                        for (c, f, _), g in zip(parts, totals, strict=True)))
        scales = frozenset(d.mul(c, g) for (c, _, _), g in zip(parts, totals, strict=True))
        try:
            whole = self._normal(value, scales, facts)
        except (NotFound, NeedSplit):
            return None
        there = d.b.open(whole.body, x)
        alike = d.chain(same, a.identity(d.mk("eq", d.kids(d.claim(same))[1], there), []))
        everywhere = d.gen(xname, "O", alike)
        iny = d.taut(d.mk("oiny", body), d.under("oiny", everywhere), whole.iny)
        found = d.chain(d.under("oint", everywhere), d.turn(whole.equation))
        found = a.with_masses(found)
        return d.both(iny, found)

    def _inner(self, at: int, x: int, name: str, y: int, facts: Sequence[int]
               ) -> tuple[Parts, int, int] | None:
        """The parts, ``oiny h(x, .)`` and ``oint h(x, .) = sum of c f(x) oint g``, and for all y
        that h(x, y) = sum of (c f(x)) g(y)."""
        d, a = self.d, self.a
        flat = d.b.abstract(d.b.abstract(at, name, "O"), str(d.b.rows[x][1]), "O")
        given = frozenset[int]().union(*(d.theorem(i).hyps for i in facts))
        for parts, found, pointwise in self.made.get(flat, ()):
            if d.theorem(found).hyps <= given:
                return parts, d.inst(found, x), d.inst(pointwise, x)
        plain = [i for i in facts if not a._speaks(d.claim(i)) and (
            d.head(d.claim(i)) in RELATIONS or d.head(d.claim(i)) == "not")]
        known = [*plain, *a._positive(at)]
        for parts in self._candidates(at, x, y, facts):
            value = d.add(*(d.mul(d.mul(c, d.b.open(f, x)), d.mk("oint", g)) for c, f, g in parts))
            here = d.add(*(d.mul(d.mul(c, d.b.open(f, x)), d.b.open(g, y)) for c, f, g in parts))
            scales = frozenset(d.mul(c, d.b.open(f, x)) for c, f, _ in parts)
            try:
                pointwise = self.by_signs(d.mk("eq", at, here), known, (x, y))
                normal = self._normal(value, scales, facts)
                body = d.b.abstract(at, name, "O")
                everywhere = d.gen(name, "O", d.chain(pointwise, a.identity(
                    d.mk("eq", here, d.b.open(normal.body, y)), [])))
                iny = d.taut(d.mk("oiny", body), d.under("oiny", everywhere), normal.iny)
                found = d.both(iny, d.chain(d.under("oint", everywhere), d.turn(normal.equation)))
                equal = d.gen(name, "O", pointwise)
                whole, alike = (d.gen(str(d.b.rows[x][1]), "O", i) for i in (found, equal))
            except (NotFound, NeedSplit):
                continue
            self.made.setdefault(flat, []).append((parts, whole, alike))
            return parts, found, equal
        return None

    # absolute values ----------------------------------------------------------------------------

    def _absolutely(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny`` of x -> oint |h(x, .)|; None for others."""
        d, a = self.d, self.a
        (whole,) = d.kids(goal)
        (xname, x), (yname, y) = d.fresh("O", "x"), d.fresh("O", "y")
        (at,) = d.kids(d.b.open(d.kids(d.b.open(whole, x))[0], y))
        if x not in self._others(at, y):
            return None
        inner = self._inner(at, x, yname, y, facts)
        if inner is None:
            return None
        parts, found, equal = inner
        try:
            firsts = [self.rim(self.scaled(c, a.prove(d.mk("oiny", f), facts))[0])[0]
                      for c, f, _ in parts]
            seconds = [self.rim(a.prove(d.mk("oiny", g), facts))[0] for _, _, g in parts]
        except (NotFound, NeedSplit):
            return None
        # over y, at an outcome x: |h| <= sum of |c f| |g|
        scales = [d.b.open(d.kids(d.claim(i))[0], x) for i in firsts]
        above, total = self._sum(scales, seconds)
        (over,) = d.kids(d.claim(above))
        less = self._sizes(d.inst(equal, y), len(parts))
        if d.kids(d.claim(less))[1] != d.b.open(over, y):
            return None
        size = self.rim(d.parts(found)[0])[0]
        below = d.replace(self.below(d.gen(yname, "O", less), size, above), total)
        # over x
        factors = [d.mk("oint", *d.kids(d.claim(i))) for i in seconds]
        most, _ = self._sum(factors, firsts)
        (f,) = d.kids(d.claim(most))
        inside, bound = d.kids(d.claim(below))
        turned = a.identity(d.mk("eq", bound, d.b.open(f, x)), [])
        zero, none = d.parts(a.nothing("oint", "R"))
        low = d.replace(self.below(d.gen(yname, "O", self._above(at)), zero, size), none)
        same = self.law("0 <= w => abs(w) == w", low, w=inside)
        order = d.do("arith", d.mk("le", d.mk("abs", inside), d.b.open(f, x)), [
            same, below, turned], [[d.num(1), [0]], [d.num(1), [1]], [d.num(1), [2]]])
        return d.do("dominate", goal, [d.gen(xname, "O", order), most])

    def _sum(self, scales: Sequence[int], inys: Sequence[int]) -> tuple[int, int]:
        """oiny of the sum of c f, and the value of its integral, from the oiny f."""
        d = self.d
        made = [self.scaled(c, i) for c, i in zip(scales, inys, strict=True)]
        iny, value = made[0]
        for other, equation in made[1:]:
            iny, total = self.added(iny, other)
            for i in (value, equation):
                total = d.chain(total, d.alike(d.kids(d.claim(total))[1], i))
            value = total
        return iny, value

    def _sizes(self, equal: int, count: int) -> int:
        """|h| <= sum of |c f| |g|, from h = sum of (c f) g, of so many products."""
        d = self.d
        h, value = d.kids(d.claim(equal))
        rest, products = value, list[int]()
        for _ in range(count - 1):
            rest, last = d.kids(rest)
            products.insert(0, last)
        size = self._of_product(rest)
        bound = d.kids(d.claim(size))[1]
        less = d.do("arith", d.mk("le", d.mk("abs", rest), bound), [size], [[d.num(1), [0]]])
        for t in products:
            size = self._of_product(t)
            less = self.law("abs(s) <= m; abs(t) == n => abs(s + t) <= m + n", less, size, s=rest,
                            t=t, m=bound, n=d.kids(d.claim(size))[1])
            rest, bound = d.add(rest, t), d.kids(d.claim(less))[1]
        turned = d.alike(d.mk("abs", h), equal)
        return d.do("arith", d.mk("le", d.mk("abs", h), bound), [turned, less], [
            [d.num(1), [0]], [d.num(1), [1]]])

    def _above(self, t: int) -> int:
        """0 <= |t|."""
        if self.d.b.sorts[t] == "R":
            return self.law("=> 0 <= abs(w)", w=t)
        return self.a.integration.complexes.at_least_zero(t)

    def _of_product(self, t: int) -> int:
        """|w v| = |w| |v|."""
        if self.d.b.sorts[t] == "R":
            w, v = self.d.kids(t)
            return self.law("=> abs(w * v) == abs(w) * abs(v)", w=w, v=v)
        return self.a.integration.complexes.of_product(t)

    def _normal(self, value: int, still: frozenset[int], facts: Sequence[int]) -> Normal:
        """A sum of products as one integral, such terms taken for numbers."""
        a = self.a
        before, a.still = a.still, still
        try:
            return a.normal(value, facts, a.choices(value)[0])
        finally:
            a.still = before

    def _candidates(self, at: int, x: int, y: int, facts: Sequence[int]) -> Iterator[Parts]:
        """h with the densities at one outcome only: f g; on a union of sets f q + p g - f g; by
        the losses at the two outcomes."""
        d = self.d
        if d.b.sorts[at] == "R" and (
                pieces := self.a.moments.parts(at, (x, y), facts)) is not None:
            first, second = (str(d.b.rows[z][1]) for z in (x, y))
            yield [(self.a.terms.term(c, "R"), d.b.abstract(f, first, "O"),
                    d.b.abstract(g, second, "O")) for c, (f, g) in pieces]
            return
        sort = d.b.sorts[at]
        one, less = d.like(1, sort), d.like(-1, sort)
        f, g = (self._alone(at, z, other) for z, other in ((x, y), (y, x)))
        if f is None or g is None:
            return
        yield [(one, f, g)]
        p, q = (d.kids(h)[1] if d.head(h) == "if" else 0 for h in (f, g))
        if sort == "R" and d.head(p) == d.head(q) == "dens":
            yield [(one, f, q), (one, p, g), (less, f, g)]

    def _alone(self, at: int, x: int, other: int) -> int | None:
        """A body: h with p(x) for each p(x) q(y)."""
        d = self.d

        def leaf(u: int, _: int) -> int | None:
            if d.head(u) == "mul" and all(d.head(k) == "dens" for k in d.kids(u)):
                left, right = d.kids(u)
                return left if d.kids(left)[1] == x else right
            return None

        found = d.b.walk(at, leaf)
        return None if other in d.subterms(found) else d.b.abstract(
            found, str(d.b.rows[x][1]), "O")

    def by_signs(self, goal: int, facts: Sequence[int], outcomes: Sequence[int]) -> int:
        """An equation, each density at the outcomes taken as positive or as 0."""
        d, zero = self.d, self.d.num(0)
        for c in d.subterms(goal):
            if c != goal and d.head(c) == "eq" and not d.b.loose[c] and d.b.letters[c] and not (
                    set(outcomes) & set(d.subterms(c))) and d.mk("not", c) not in map(
                        d.claim, facts):
                held = self.a.truth(c, facts)
                denied = d.assume(d.mk("not", c)) if held is None else held
                no = None if held is not None and d.claim(held) == c else self.by_signs(
                    goal, [*facts, denied], outcomes)
                if held is not None and no is not None:
                    return no
                u, v = d.kids(c)
                body = d.hole(goal, u)
                yes = d.do("rewrite", goal, [d.turn(held or d.assume(c)), self.by_signs(
                    d.b.open(body, v), facts, outcomes)], [body])
                return yes if no is None else d.split(c, yes, no)
        units = [u for u in d.subterms(goal) if d.head(u) == "dens" and d.kids(u)[1] in outcomes]
        return self.a.recursions.factors.signed(
            goal, facts, units, [t for t in d.subterms(goal) if not d.b.loose[t] and (
                (d.head(t) == "lt" and d.kids(t)[0] == zero and d.head(d.kids(t)[1]) == "mul")
                or (d.head(t) == "eq" and d.kids(t)[1] == zero and d.head(
                    d.kids(t)[0]) == "mul"))])
