"""A profile below what two guarantees at one point give: (eps, delta) in both directions.

With h(e) = oint max(0, p - exp(e) q) and g that of (q, p), h(eps) <= delta and g(eps) <= delta:

    eps <= t:    h(t) <= h(eps) <= delta
    t <= -eps:   h(t) = 1 - exp(t) + exp(t) g(-t) <= 1 - exp(t) + exp(t) delta
    between:     exp(t) = (1 - r) exp(eps) + r exp(-eps), and max(0, p - x q) is convex in x.

A claim is such a bound plus maxima, each less one of its members.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import plus, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound
from lapdp.proving.items import whole_quotient

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Guarantees:
    """Bounds of profiles by guarantees at one point, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """``h(t) <= c`` where c has no integrals; None for other goals, or where c is not
        reached."""
        d = self.d
        if d.head(goal) != "le" or self.a._speaks(d.kids(goal)[1]):
            return None
        here = self._profile(d.kids(goal)[0])
        if here is None:
            return None
        p, q, t = here
        if d.head(p) in ("given", "stage"):
            plain = [i for i in facts if d.head(d.claim(i)) in (*RELATIONS, "nat")]
            facts = [*facts, *self.chosen(facts, d.kids(p)[1:], plain)]
        for i, (r, s, e) in self.points(facts):
            for j, other in self.points(facts):
                if (r, s) == (p, q) and other == (q, p, e) and e != t and d.kids(
                        d.claim(i))[1] == d.kids(d.claim(j))[1]:
                    try:
                        return self._bounded(goal, here, e, i, j, facts)
                    except (NotFound, NeedSplit):
                        continue
        return None

    def _profile(self, s: int) -> tuple[int, int, int] | None:
        """p, q, e for oint max(0, p - exp(e) q)."""
        d = self.d
        if d.head(s) != "oint" or d.head(d.kids(s)[0]) != "max":
            return None
        masses = self.a.masses(s)
        exponents = [d.kids(u)[0] for u in d.subterms(s) if d.head(u) == "exp"]
        for p, q in (masses, masses[::-1]) if len(masses) == 2 and len(exponents) == 1 else ():
            if not d.b.loose[exponents[0]] and self.hinge(p, q, exponents[0]) == s:
                return p, q, exponents[0]
        return None

    def hinge(self, p: int, q: int, e: int) -> int:
        """oint max(0, p - exp(e) q)."""
        d = self.d
        x = d.b.bound(0, "O")
        first, second = (d.mk("dens", d.b.lift(m), x) for m in (p, q))
        return d.mk("oint", d.mk("max", d.num(0), d.sub(first, d.mul(
            d.mk("exp", d.b.lift(e)), second))))

    def chosen(self, facts: Sequence[int], places: Sequence[int], given: Sequence[int]
               ) -> list[int]:
        """What facts for every outcome, or every release and outcome, say at one place, the
        conditions on it being given."""
        d, found = self.d, []
        known = {d.claim(i) for i in given}
        for i in facts:
            if d.head(d.claim(i)) != f"all{d.b.sorts[places[0]]}":
                continue
            here = i
            for at in places:
                if d.head(d.claim(here)) == f"all{d.b.sorts[at]}":
                    here = d.inst(here, at)
            if d.head(d.claim(here)) != "imp":
                found.append(here)
            elif {*d.members(d.kids(d.claim(here))[0])} <= known:
                found.append(d.mp(here, *given))
        return found

    def points(self, facts: Sequence[int]) -> Iterator[tuple[int, tuple[int, int, int]]]:
        d = self.d
        for i in facts:
            if d.head(d.claim(i)) == "le" and not self.a._speaks(d.kids(d.claim(i))[1]) and (
                    found := self._profile(d.kids(d.claim(i))[0])) is not None:
                yield i, found

    def _bounded(self, goal: int, here: tuple[int, int, int], e: int, i: int, j: int,
                 facts: Sequence[int]) -> int:
        d = self.d
        t = here[2]
        plain = [k for k in facts if not self.a._speaks(d.claim(k))
                 and d.head(d.claim(k)) in RELATIONS]
        far, near = d.mk("le", e, t), d.mk("le", t, d.neg(e))
        right = self._ended(goal, self._right(here, e, i, d.assume(far)), e)
        left = self._left(here, e, j, d.assume(near))
        low = self._ended(goal, left, e)
        denied = [d.assume(d.mk("not", c)) for c in (far, near)]
        inside = [d.opposite(c) for c in denied]
        middle = self._ended(goal, self._middle(here, e, i, j, [*inside, *plain]), e)
        return d.split(far, right, d.split(near, low, middle))

    def maxima(self, goal: int) -> list[list[int]]:
        """0 <= max(0, x) and x <= max(0, x) for each of the maxima of a goal's right side."""
        d, found = self.d, []
        for m in d.subterms(d.kids(goal)[1]):
            if d.head(m) == "max" and not d.b.loose[m]:
                found.append([self.a.by_cases(d.mk("le", k, m)) for k in d.kids(m)])
        return found

    def _ended(self, goal: int, less: int, e: int) -> int:
        """h <= c from h <= b, where c - b is a sum of maxima less their members."""
        d, a = self.d, self.a
        bound, value = d.kids(d.claim(less))[1], d.kids(goal)[1]
        whole = d.add(d.num(1), d.mk("exp", e))
        unit = a.relation(d.mk("eq", d.mul(whole, d.mk("inv", whole)), d.num(1)), [])
        gap = plus(a.reader.read(value), a.reader.read(bound), -1)
        (inverse,) = a.reader.read(d.mk("inv", whole))
        for chosen in product(*self.maxima(goal)):
            rest = gap
            for i in chosen:
                rest = plus(rest, a.gap(i), -1)
            # multiples of the equation: what has no inverse is the factor
            factor = {m: c for m, c in rest.items() if whole_quotient(m, inverse) is None}
            if plus(rest, times(factor, a.gap(unit)), -1):
                continue
            parts = [[d.num(1), [k + 1]] for k in range(len(chosen))]
            return d.do("arith", goal, [less, *chosen, unit], [
                [d.num(1), [0]], *parts, [a.terms.term(factor, "R"), [len(chosen) + 1]]])
        raise NotFound("a bound of another form")

    def _right(self, here: tuple[int, int, int], e: int, i: int, given: int) -> int:
        d = self.d
        p, q, t = here
        less = self.a.prove(d.mk("le", self.hinge(p, q, t), self.hinge(p, q, e)), [given])
        goal = d.mk("le", self.hinge(p, q, t), d.kids(d.claim(i))[1])
        return d.do("arith", goal, [less, i], [[d.num(1), [0]], [d.num(1), [1]]])

    def _turned(self, p: int, q: int, t: int, back: int) -> int:
        """h(t) = 1 - exp(t) + exp(t) g(-t), back the term for -t."""
        d = self.d
        scale = d.mk("exp", t)
        value = d.add(d.sub(d.num(1), scale), d.mul(scale, self.hinge(q, p, back)))
        return self.a.prove(d.mk("eq", self.hinge(p, q, t), value))

    def _left(self, here: tuple[int, int, int], e: int, j: int, given: int) -> int:
        d = self.d
        p, q, t = here
        back, scale = d.neg(t), d.mk("exp", t)
        same = self._turned(p, q, t, back)
        less = self.a.prove(d.mk("le", self.hinge(q, p, back), self.hinge(q, p, e)), [given])
        above = d.law("exp positive", d.mk("lt", d.num(0), scale), t)
        c = d.kids(d.claim(j))[1]
        goal = d.mk("le", self.hinge(p, q, t), d.add(d.sub(d.num(1), scale), d.mul(scale, c)))
        return d.do("arith", goal, [same, less, j, above],
                    [[d.num(1), [0]], [d.num(1), [1, 3]], [d.num(1), [2, 3]]])

    def _middle(self, here: tuple[int, int, int], e: int, i: int, j: int, facts: Sequence[int]
                ) -> int:
        """h(t) <= (1 - r) c + r (1 - exp(-e) + exp(-e) c), c the bound of the guarantees."""
        d = self.d
        p, q, t = here
        one, zero = d.num(1), d.num(0)
        low, high, at = (d.mk("exp", u) for u in (d.neg(e), e, t))
        width = d.sub(high, low)
        r = d.mul(d.sub(high, at), d.mk("inv", width))
        wide = self.a.relation(d.mk("lt", zero, width), facts)
        given = [*facts, wide]
        bounds = [self.a.relation(f, given) for f in (d.mk("le", zero, r), d.mk("le", r, one))]
        mixed = d.add(d.mul(d.sub(one, r), high), d.mul(r, low))
        same = self.a.relation(d.mk("eq", at, mixed), given)
        convex = self._convex(p, q)
        for u in (r, high, low):
            convex = d.inst(convex, u)
        for k in bounds:
            convex = d.mp(convex, k)
        convex = d.replace(convex, d.turn(same)) if mixed in d.subterms(d.claim(convex)) else convex
        turned = self._turned(p, q, d.neg(e), e)
        c = d.kids(d.claim(i))[1]
        value = d.add(d.mul(d.sub(one, r), c), d.mul(r, d.add(d.sub(one, low), d.mul(low, c))))
        above = d.law("exp positive", d.mk("lt", zero, low), d.neg(e))
        goal = d.mk("le", self.hinge(p, q, t), value)
        rest = d.do("arith", d.mk("le", zero, d.sub(one, r)), [bounds[1]], [[one, [0]]])
        less = d.do("arith", goal, [convex, i, j, turned, bounds[0], above, rest],
                    [[one, [0]], [one, [6, 1]], [r, [3]], [one, [4, 5, 2]]])
        # r (1 - exp(-e)) = (exp(e) - exp(t)) / (1 + exp(e))
        part = d.mk("inv", d.add(one, high))
        flat = self.a.relation(d.mk("eq", d.mul(d.mk("inv", width), d.sub(one, low)), part), given)
        slope = d.mul(d.sub(high, at), part)
        plainer = d.mk("le", self.hinge(p, q, t), d.add(c, d.mul(slope, d.sub(one, c))))
        return d.do("arith", plainer, [less, flat], [
            [one, [0]], [d.mul(d.sub(high, at), d.sub(one, c)), [1]]])

    def _convex(self, p: int, q: int) -> int:
        """For all r, x, y: 0 <= r -> r <= 1 -> h((1 - r) x + r y) <= (1 - r) h(x) + r h(y), the
        factors of q in place of exponentials."""
        d = self.d
        z = d.b.bound(0, "O")
        first, second = (d.mk("dens", d.b.lift(m), z) for m in (p, q))

        def hinge(x: int) -> int:
            return d.mk("oint", d.mk("max", d.num(0), d.sub(first, d.mul(d.b.lift(x), second))))

        names, (r, x, y) = zip(*(d.fresh("R", n) for n in "rxy"), strict=True)
        rest = d.sub(d.num(1), r)
        given = [d.mk("le", d.num(0), r), d.mk("le", r, d.num(1))]
        goal = d.mk("le", hinge(d.add(d.mul(rest, x), d.mul(r, y))), d.add(
            d.mul(rest, hinge(x)), d.mul(r, hinge(y))))
        found = self.a.prove(goal, [d.assume(f) for f in given])
        found = d.disch_all(given, found)
        for name in reversed(names):
            found = d.gen(name, "R", found)
        return found
