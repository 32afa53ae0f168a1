"""What one privacy profile at two orders says of it at a third: it falls, and is convex in e^eps.

Write H(z) = oint max(0, p - z q) and K(y) = oint max(0, q - y p).  Then H(z) <= H(x) for x <= z;
H(z) <= 1 - z + z K(y) for y z <= 1; and in between, for 1/y < z < x,

    (x y - 1) H(z) <= (z y - 1) H(x) + (x - z) (y - 1 + K(y)),

all three from inequalities between the integrands; and H is convex, so that two of its values bound
those between.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Hinge:
    """``term`` is oint max(0, p - order q)."""

    term: int
    p: int
    q: int
    order: int


class Profiles:
    """A profile below a number, from hypotheses that give the profile at one or two orders."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def below(self, goal: int, facts: Sequence[int], speaking: Sequence[int]) -> int:
        """``H(z) <= r``, however it is written, from ``H(x) <= a`` and ``K(y) <= b``.

        Raises :class:`NotFound`; :class:`NeedSplit` where the order of two e^eps is open.
        """
        d, a = self.d, self.a
        hinges = self.hinges(goal)
        if len(hinges) != 1 or d.head(goal) != "le":
            raise NotFound("not one profile")
        (h,) = hinges
        gap = plus(a.reader.read(d.kids(goal)[1]), a.reader.read(d.kids(goal)[0]), -1)
        bound = plus(gap, a.reader.read(h.term))
        r = a.terms.term(bound, "R")
        if a._speaks(r):
            raise NotFound("not one profile")
        rest = [i for i in facts if i not in speaking]
        given = [(g, i) for i in speaking for g in self.hinges(d.claim(i))
                 if d.head(d.claim(i)) == "le" and d.kids(d.claim(i))[0] == g.term]
        problem = NotFound("no hypothesis about the profile")
        for x, first in given:
            for y, second in given:
                way = self._way(x, y, h)
                if way is None:
                    continue
                try:
                    return way(goal, r, h, (x, first), (y, second), rest)
                except NotFound as failed:
                    problem = failed
        raise problem

    def _way(self, x: Hinge, y: Hinge, h: Hinge) -> Callable[[
            int, int, Hinge, tuple[Hinge, int], tuple[Hinge, int], Sequence[int]], int] | None:
        """How two profiles bound a third one; None: they do not."""
        if (x.p, x.q) != (h.p, h.q) or h.term in (x.term, y.term):
            return None
        if (y.p, y.q) == (h.q, h.p):
            return self._between
        return self._convex if (y.p, y.q) == (h.p, h.q) and x.term != y.term else None

    def hinges(self, formula: int) -> list[Hinge]:
        """The profiles that occur, closed."""
        d = self.d
        whole = [t for t in d.subterms(formula) if d.head(t) == "oint" and not d.b.loose[t]]
        return [h for t in dict.fromkeys(whole) if (h := self._hinge(t)) is not None]

    def _hinge(self, t: int) -> Hinge | None:
        d, a = self.d, self.a
        (body,) = d.kids(t)
        if d.head(body) != "max" or d.kids(body)[0] != d.num(0):
            return None
        _, x = d.fresh("O", "x")
        f = a.reader.read(d.b.open(d.kids(body)[1], x))
        by: dict[int, Polynomial] = {}
        for m, c in f.items():
            places = [n for n, _ in m if d.head(a.terms.term({((n, 1),): 1})) == "dens"]
            if len(places) != 1 or dict(m)[places[0]] != 1:
                return None
            p = d.kids(a.terms.term({((places[0], 1),): 1}))[0]
            by.setdefault(p, {})[tuple(y for y in m if y[0] != places[0])] = c
        plain = [p for p, f in by.items() if f == {(): 1}]
        if len(by) != 2 or len(plain) != 1:
            return None
        (q,) = (p for p in by if p != plain[0])
        order: Polynomial = {m: -c for m, c in by[q].items()}
        return Hinge(t, plain[0], q, a.terms.term(order, "R"))

    def _decided(self, s: int, t: int, facts: Sequence[int]) -> tuple[bool, int]:
        """s <= t or t < s as a theorem.  Raises :class:`NeedSplit` where that is open."""
        d = self.d
        condition = d.mk("le", s, t)
        known = self.a.truth(condition, facts)
        if known is None:
            raise NeedSplit(condition)
        if d.claim(known) == condition:
            return True, known
        other = d.mk("lt", t, s)
        return False, d.taut(other, d.do("order", d.mk("iff", d.mk("not", condition), other)),
                             known)

    def _between(self, goal: int, r: int, h: Hinge, above: tuple[Hinge, int],
                 back: tuple[Hinge, int], facts: Sequence[int]) -> int:
        d, a = self.d, self.a
        (x, first), (y, second) = above, back
        one, p, q = d.num(1), self._mass(h.p), self._mass(h.q)
        small, large = (d.kids(d.claim(i))[1] for i in (first, second))
        beyond, order = self._decided(x.order, h.order, facts)
        facts = [*facts, order]
        if beyond:
            known = [*self._compared(d.mk("le", h.term, x.term), facts), first,
                     a.prove(d.mk("le", small, r), facts)]
            return a.by_arithmetic(goal, known)
        yz = d.mul(y.order, h.order)
        before, product = self._decided(yz, one, facts)
        facts = [*facts, product]
        if before:
            size = a.positive(h.order, facts)
            if size is None:
                raise NotFound("an order that may be negative")
            low = d.add(self._minus(p, d.mul(h.order, q)), d.mul(h.order, y.term))
            number = d.add(self._minus(one, h.order), d.mul(h.order, large))
            less, *masses = self._compared(d.mk("le", h.term, low), facts)
            by = {d.kids(d.claim(i))[0]: i for i in masses}
            return d.do("arith", goal, [
                less, a.prove(d.mk("le", number, r), facts), second, size, by[p], by[q]],
                [[one, [0]], [one, [1]], [one, [2, 3]], [one, [4]], [d.neg(h.order), [5]]])
        width = self._minus(d.mul(x.order, y.order), one)

        def mean(at_x: int, mass: int, other: int, at_y: int) -> int:
            return d.add(d.mul(self._minus(yz, one), at_x), d.mul(
                self._minus(x.order, h.order),
                d.add(self._minus(d.mul(y.order, mass), other), at_y)))
        inner = d.mk("le", d.mul(width, h.term), mean(x.term, p, q, y.term))
        number = d.mk("le", mean(small, one, one, large), d.mul(width, r))
        whole = d.mk("le", d.mul(width, h.term), d.mul(width, r))
        # (1 - a) (y - 1) >= 0 and the like: products that the search takes of facts only
        above_one, level = self._decided(one, y.order, facts)
        more = [*facts, level] if above_one else facts
        less, *masses = self._compared(inner, facts)
        by = {d.kids(d.claim(i))[0]: i for i in masses}
        step = self._minus(x.order, h.order)
        scaled = d.do("arith", whole, [
            less, a.prove(number, more), first, product, second, order, by[p], by[q]],
            [[one, [0]], [one, [1]], [one, [2, 3]], [one, [4, 5]],
             [d.mul(step, y.order), [6]], [d.neg(step), [7]]])
        return self._divided(goal, width, scaled, facts)

    def _convex(self, goal: int, r: int, h: Hinge, first: tuple[Hinge, int],
                second: tuple[Hinge, int], facts: Sequence[int]) -> int:
        """(y - x) H(z) <= (y - z) H(x) + (z - x) H(y), for x < z < y."""
        d, a = self.d, self.a
        (x, low), (y, high) = first, second
        one = d.num(1)
        steps = self._minus(y.order, h.order), self._minus(h.order, x.order)
        signs = [a.positive(s, facts) for s in steps]
        if None in signs:
            raise NotFound("orders that are not between one another")
        width = self._minus(y.order, x.order)
        less = a.compared(d.mk("le", d.mul(width, h.term), d.add(*(
            d.mul(s, g.term) for s, g in zip(steps, (x, y), strict=True)))), facts)
        bounds = [d.kids(d.claim(i))[1] for i in (low, high)]
        number = a.prove(d.mk("le", d.add(*map(d.mul, steps, bounds)), d.mul(width, r)), facts)
        scaled = d.do("arith", d.mk("le", d.mul(width, h.term), d.mul(width, r)), [
            less, number, low, high, *(i for i in signs if i is not None)],
            [[one, [0]], [one, [1]], [one, [2, 4]], [one, [3, 5]]])
        return self._divided(goal, width, scaled, facts)

    def _divided(self, goal: int, width: int, scaled: int, facts: Sequence[int]) -> int:
        """The goal from w h <= w r, w > 0."""
        d, one = self.d, self.d.num(1)
        positive = self.a.positive(width, facts)
        if positive is None:
            raise NotFound("orders that coincide")
        plain = d.mk("le", *(d.kids(t)[1] for t in d.kids(d.claim(scaled))))
        h, r = d.kids(plain)
        other = d.mk("lt", r, h)
        false = d.do("arith", d.mk("false"), [d.assume(other), positive, scaled],
                     [[one, [0, 1]], [one, [2]]])
        law = d.do("order", d.mk("iff", d.mk("not", plain), other))
        found = d.taut(plain, law, d.disch(other, false))
        return d.do("arith", goal, [found], [[one, [0]]])

    def _minus(self, s: int, t: int) -> int:
        return self.d.add(s, self.d.neg(t))

    def _mass(self, p: int) -> int:
        d = self.d
        return d.mk("oint", d.mk("dens", d.b.lift(p), d.b.bound(0, "O")))

    def _compared(self, goal: int, facts: Sequence[int]) -> list[int]:
        """An inequality between integrals, and what the masses in it are."""
        d = self.d
        found = [self.a.compared(goal, facts)]
        for p in self.a.masses(goal):
            body = d.mk("dens", d.b.lift(p), d.b.bound(0, "O"))
            made = d.do("density", d.conj([d.mk("oiny", body), d.mk(
                "eq", d.mk("oint", body), d.num(1))]), [], [p])
            found.append(d.parts(made)[1])
        return found
