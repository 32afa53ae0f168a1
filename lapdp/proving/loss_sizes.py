"""The size of the loss of many independent releases lies below the sum of the sizes.

With V(0, a, b) = |a (log a - log b)| where a, b > 0, and 0 elsewhere, and s = oint p |l|:

    0 <= V(k, a, b) <= a (|log a - log b| + k s),    and 0 where a or b is 0.

So V(k, a p, b q) is integrable: it lies below a (p |l| + (|log a - log b| + k s) p).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import MADE, NotFound

if TYPE_CHECKING:
    from lapdp.proving.recursions import Recursions

Made = tuple[int, int, int, int]
"""oiny of the step's function, its integral >= 0, the integral below another one, that one's value
as an equation."""


class LossSizes:
    """Bounds of such functions, for a :class:`Recursions`."""

    def __init__(self, recursions: Recursions) -> None:
        self.r, self.a, self.d = recursions, recursions.a, recursions.d
        self.bounds: dict[int, tuple[int, tuple[int, int], int, int]] = {}
        """For V the theorem, its densities, the body of p |l|, and oiny of it."""

    def establish(self, letter: int, pair: tuple[int, int], h: int, facts: Sequence[int]) -> bool:
        """Prove the bound for V(0, a, b) = |h|.  Raises :class:`NotFound`."""
        d, a = self.d, self.a
        u, v = (d.b.letter(f"{n}{MADE}", "R") for n in "ab")
        loss = d.add(d.mk("log", u), d.neg(d.mk("log", v)))
        if h != a.moments.where(u, v, d.mul(u, loss)):
            return False
        name, x = d.fresh("O", "x")
        p, q = (d.mk("dens", t, x) for t in pair)
        plain = a.moments.where(p, q, d.mul(p, self._loss(p, q)))
        sized = a.moments.where(p, q, d.mul(p, d.mk("abs", self._loss(p, q))))
        iny = a.prove(d.mk("oiny", d.b.abstract(plain, name, "O")), facts)
        rim = d.mk("abs", plain)
        whole = d.do("dominate", d.mk("oiny", d.b.abstract(rim, name, "O")), [iny])
        same = d.under("oiny", d.gen(name, "O", a.prove(
            d.mk("eq", rim, sized), a._positive(sized))))
        size = d.onward(same, whole)
        body = d.kids(d.claim(size))[0]
        n_name, n = d.fresh("R", "n")
        self.bounds[letter] = (-1, pair, body, size)
        claim = self._claim(letter, n, body)
        start = a.prove(self._claim(letter, d.num(0), body), facts)
        given = d.assume(d.mk("and", d.mk("nat", n), claim))
        isnat, known = d.taut(d.mk("nat", n), given), d.taut(claim, given)
        step = self._step(letter, n, isnat, known)
        move = d.gen(n_name, "R", d.disch(d.claim(given), step))
        shape = d.mk("imp", d.mk("nat", d.b.bound(0, "R")), d.b.abstract(claim, n_name, "R"))
        theorem = d.do("induct", d.mk("allR", shape), [start, move])
        self.bounds[letter] = (theorem, pair, body, size)
        return True

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """``oiny V(k, a p, b q)``; None for others."""
        d = self.d
        _, x = d.fresh("O", "x")
        at = d.b.open(d.kids(goal)[0], x)
        if d.head(at) != "app3" or self.bounds.get(d.kids(at)[0], (-1,))[0] < 0:
            return None
        letter, n, *points = d.kids(at)
        theorem, pair, _, _ = self.bounds[letter]
        if any(d.head(t) != "mul" or d.kids(t)[1] != d.mk("dens", p, x)
               for t, p in zip(points, pair, strict=True)):
            return None
        u, v = (d.kids(t)[0] for t in points)
        try:
            isnat = self.r.nat(n, facts)
            known = d.mp(d.inst(theorem, n), isnat)
            above = [isnat, *(self.a.prove(d.mk("le", d.num(0), t), facts) for t in (u, v))]
            return self._made(letter, n, (u, v), known, above, goal)[0]
        except (NotFound, NeedSplit):
            return None

    def _loss(self, u: int, v: int) -> int:
        d = self.d
        return d.add(d.mk("log", u), d.neg(d.mk("log", v)))

    def _room(self, n: int, u: int, v: int, body: int) -> int:
        """|log a - log b| + n s."""
        d = self.d
        return d.add(d.mk("abs", self._loss(u, v)), d.mul(n, d.mk("oint", body)))

    def _bound(self, n: int, u: int, v: int, body: int) -> int:
        return self.a.moments.where(u, v, self.d.mul(u, self._room(n, u, v, body)))

    def _claim(self, letter: int, n: int, body: int) -> int:
        """For all a, b >= 0: 0 <= V(n, a, b) <= the bound."""
        d, zero = self.d, self.d.num(0)
        (a_name, u), (b_name, v) = d.fresh("R", "a"), d.fresh("R", "b")
        value = d.mk("app3", letter, n, u, v)
        inner = d.mk("imp", d.mk("and", d.mk("le", zero, u), d.mk("le", zero, v)), d.mk(
            "and", d.mk("le", zero, value), d.mk("le", value, self._bound(n, u, v, body))))
        for name in (b_name, a_name):
            inner = d.mk("allR", d.b.abstract(inner, name, "R"))
        return inner

    def _step(self, letter: int, n: int, isnat: int, known: int) -> int:
        """The claim at n + 1."""
        d, a, zero = self.d, self.a, self.d.num(0)
        body = self.bounds[letter][2]
        (a_name, u), (b_name, v) = d.fresh("R", "a"), d.fresh("R", "b")
        premise = d.mk("and", d.mk("le", zero, u), d.mk("le", zero, v))
        above = [*d.parts(d.assume(premise)), isnat]
        more = d.add(n, d.num(1))
        value = d.mk("app3", letter, more, u, v)
        unfolded = self.r.unfolded_once(value, [isnat])
        if unfolded is None:
            raise NotFound("no step")
        whole = d.kids(d.claim(unfolded))[1]
        goal = d.mk("oiny", *d.kids(whole))
        bound = self._bound(more, u, v, body)
        wanted = d.mk("and", d.mk("le", zero, value), d.mk("le", value, bound))

        def ended(given: Sequence[int]) -> int:
            _, low, high, total = self._made(letter, n, (u, v), known, [*above, *given], goal)
            first = d.do("arith", d.mk("le", zero, value), [low, unfolded],
                         [[d.num(1), [0]], [d.num(-1), [1]]])
            shape = self._decided(bound, [*above, *given])
            last = a.by_arithmetic(d.mk("le", value, bound), [unfolded, high, total, shape])
            return d.both(first, last)

        found = self._cases((u, v), ended)
        if d.claim(found) != wanted:
            raise NotFound("another step")
        found = d.disch(premise, found)
        for name in (b_name, a_name):
            found = d.gen(name, "R", found)
        return found

    def _cases(self, letters: Sequence[int], made: Callable[[Sequence[int]], int]) -> int:
        """By signs of numbers that are >= 0: all positive, or the first that is 0."""
        d, zero = self.d, self.d.num(0)

        def at(k: int, given: list[int]) -> int:
            if k == len(letters):
                return made(given)
            positive = d.mk("lt", zero, letters[k])
            no = d.assume(d.mk("not", positive))
            return d.split(positive, at(k + 1, [*given, d.assume(positive)]), made([*given, no]))
        return at(0, [])

    def _decided(self, t: int, facts: Sequence[int]) -> int:
        """t = t' with each ``if`` on the outside decided by the facts."""
        d, a = self.d, self.a
        known = a._closed(facts)
        found, now = d.refl(t), t
        while d.head(now) == "if":
            step = a.decided(now, known)
            if step is None:
                raise NotFound("an open condition")
            found, now = d.chain(found, step), d.kids(d.claim(step))[1]
        return found

    def _made(self, letter: int, n: int, factors: tuple[int, int], known: int,
              facts: Sequence[int], goal: int) -> Made:
        """What follows for the integral of V(n, a p, b q) from the claim at n."""
        d, a, zero = self.d, self.a, self.d.num(0)
        u, v = factors
        if not all(d.mk("lt", zero, c) in map(d.claim, facts) for c in factors) and not any(
                d.mk("not", d.mk("lt", zero, c)) in map(d.claim, facts) for c in factors):
            # both cases: only integrability is asked
            found = self._cases(factors, lambda given: self._made(
                letter, n, factors, known, [*facts, *given], goal)[0])
            return found, -1, -1, -1
        _, pair, body, size = self.bounds[letter]
        (f,) = d.kids(goal)
        name, x = d.fresh("O", "x")
        p, q = (d.mk("dens", t, x) for t in pair)
        densities = list(dict.fromkeys(a._positive(d.add(p, q))))
        at = d.b.open(f, x)
        scaled = d.kids(at)[2:]
        signs = [d.do("arith", d.mk("le", zero, t), [s, m], [[d.num(1), [0, 1]]])
                 for t, s, m in zip(scaled, self._signs(factors, facts), densities, strict=True)]
        there = known
        for t in scaled:
            there = d.inst(there, t)
        low, high = d.parts(d.mp(there, d.both(*signs)))
        positive = all(d.mk("lt", zero, c) in map(d.claim, facts) for c in factors)
        if positive:
            room = self._room(n, u, v, body)
            rest = d.mul(room, d.mk("oint", d.b.abstract(p, name, "O")))
            value = d.mul(u, d.add(d.mk("oint", body), rest))
            before, a.still = a.still, frozenset([room])
            try:
                whole = a.normal(value, [size], a.choices(value)[0])
            finally:
                a.still = before
            g, iny = whole.body, whole.iny
            total = d.chain(d.turn(whole.equation), d.alike(value, d.parts(
                a.mass_one(d.b.abstract(p, name, "O")))[1]))
            room_above = self._room_above(n, u, v, body, [*facts, size])
        else:
            g = d.num(0)
            iny, total = d.parts(a.nothing("oint", "R"))
            room_above = -1

        def below(given: Sequence[int]) -> int:
            return self._below(d.kids(d.claim(high))[1], d.b.open(g, x), (u, v), (p, q),
                               [*facts, *densities, *given], room_above)

        less = self._cases((p, q), below)
        less = d.do("arith", d.mk("le", at, d.b.open(g, x)), [high, less],
                    [[d.num(1), [0]], [d.num(1), [1]]])
        unfold = d.mk("if", d.mk("le", zero, at), at, d.neg(at))
        law = d.law("abs", d.mk("eq", d.mk("abs", at), unfold), at)
        chosen = d.mp(d.do("cases", d.mk("imp", d.claim(low), d.mk("eq", unfold, at))), low)
        same = d.chain(law, chosen)
        sized = d.do("arith", d.mk("le", d.mk("abs", at), d.b.open(g, x)), [same, less],
                     [[d.num(1), [0]], [d.num(1), [1]]])
        converges = d.do("dominate", goal, [d.gen(name, "O", sized), iny])
        nothing, none = d.parts(a.nothing("oint", "R"))
        integral = d.mk("oint", f)
        ground = d.do("mono", d.mk("le", d.mk("oint", zero), integral),
                      [d.gen(name, "O", low), nothing, converges])
        first = d.do("arith", d.mk("le", zero, integral), [ground, none],
                     [[d.num(1), [0]], [d.num(-1), [1]]])
        second = d.do("mono", d.mk("le", integral, d.mk("oint", g)),
                      [d.gen(name, "O", less), converges, iny])
        return converges, first, second, total

    def _signs(self, factors: Sequence[int], facts: Sequence[int]) -> list[int]:
        d = self.d
        claims = {d.claim(i): i for i in facts}
        found = []
        for c in factors:
            claim = d.mk("le", d.num(0), c)
            found.append(claims[claim] if claim in claims else self.a.prove(claim, facts))
        return found

    def _room_above(self, n: int, u: int, v: int, body: int, facts: Sequence[int]) -> int:
        """0 <= |log a - log b| + n s."""
        d, a, zero = self.d, self.a, self.d.num(0)
        t = self._loss(u, v)
        size = a.prove(d.mk("le", zero, d.mk("abs", t)), [])
        total = a.prove(d.mk("le", zero, d.mk("oint", body)), facts[-1:])
        above = d.mp(d.do("natural", d.mk("imp", d.mk("nat", n), d.mk("le", zero, n))),
                     self.r.nat(n, facts))
        return d.do("arith", d.mk("le", zero, self._room(n, u, v, body)), [size, above, total],
                    [[d.num(1), [0]], [d.num(1), [1, 2]]])

    def _below(self, bound: int, g: int, factors: tuple[int, int], densities: tuple[int, int],
               facts: Sequence[int], room_above: int) -> int:
        """The bound at a p, b q is below g at an outcome."""
        d, a, zero = self.d, self.a, self.d.num(0)
        claims = {d.claim(i): i for i in facts}
        shape = self._decided(bound, facts)
        goal = d.mk("le", bound, g)
        if d.kids(d.claim(shape))[1] == zero:
            if g == zero:
                return d.do("arith", goal, [shape], [[d.num(1), [0]]])
            sized = d.kids(d.kids(g)[1])[0]
            low = a.prove(d.mk("le", zero, sized), a._positive(sized))
            u, p = factors[0], densities[0]
            return d.do("arith", goal, [shape, claims[d.mk("lt", zero, u)], low, room_above, claims[
                d.mk("le", zero, p)]], [[d.num(1), [0]], [d.num(1), [1, 2]], [d.num(1), [1, 3, 4]]])
        (u, v), (p, q) = factors, densities
        sized = d.kids(d.kids(g)[1])[0]
        loss = self._decided(sized, facts)
        s, t = self._loss(u, v), self._loss(p, q)
        inner = self._loss(d.mul(u, p), d.mul(v, q))
        same = a.prove(d.mk("eq", inner, d.add(s, t)), facts)
        triangle = self._triangle(s, t)
        split = d.alike(d.mk("abs", inner), same)
        above = [claims[d.mk("lt", zero, c)] for c in (u, p)]
        return d.do("arith", goal, [shape, loss, split, triangle, *above], [
            [d.num(1), [0]], [d.neg(u), [1]], [d.mul(u, p), [2]], [d.num(1), [3, 4, 5]]])

    def _triangle(self, s: int, t: int) -> int:
        """|s + t| <= |s| + |t|."""
        d = self.d
        (a_name, u), (b_name, v) = d.fresh("R", "s"), d.fresh("R", "t")
        claim = d.mk("le", d.mk("abs", d.add(u, v)), d.add(d.mk("abs", u), d.mk("abs", v)))
        general = self.a.prove(claim, [])
        for name in (b_name, a_name):
            general = d.gen(name, "R", general)
        return d.inst(d.inst(general, s), t)
