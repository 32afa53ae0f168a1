"""Two functions that are defined by recursion, one read off from the other: lemmas by induction.

V of two factors beside W of a number: V(m, a, a exp(s - c)) = a W(m, s).  V of a number beside
such W, at other places: V(m, x(u) - c m) = r(m, u), where r(k, 0) is the other side of the goal.
V and W with one recursion: V(m, u) = W(m, u).  The letters that occur are tried; induction decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Monomial, Polynomial, plus, ratio, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.items import whole_quotient

if TYPE_CHECKING:
    from lapdp.proving.invariants import Guess
    from lapdp.proving.recursions import Recursions


class Companions:
    """Lemmas that name two functions, tried once for each pair of letters."""

    def __init__(self, recursions: Recursions) -> None:
        self.r, self.a, self.d = recursions, recursions.a, recursions.d
        self.tried: set[tuple[int, ...]] = set()

    def establish(self, goal: int, facts: Sequence[int]) -> None:
        """Look for lemmas about the functions that an equation speaks of."""
        d = self.d
        places = [t for t in d.subterms(goal) if d.head(t) == "app3" and not d.b.loose[t]
                  and d.kids(t)[0] in self.r.rules and d.head(d.kids(t)[1]) == "v"]
        points = {t: self.r.invariants.points(d.kids(t)[0]) for t in places}
        general = [i for i in facts if not self.r.of(d.claim(i))]
        for t in places:
            for u in places:
                key = d.kids(t)[0], d.kids(u)[0]
                if t == u or key in self.tried or d.kids(t)[1] != d.kids(u)[1]:
                    continue
                self.tried.add(key)
                way = {(2, 1): self._scaled, (1, 1): self._alike}.get((points[t], points[u]))
                if way is not None:
                    self._tried(way, t, u, goal, general)

    def _tried(self, way: Callable[[int, int, int, Sequence[int]], None], t: int, u: int,
               goal: int, facts: Sequence[int]) -> None:
        try:
            way(t, u, goal, facts)
        except (NotFound, NeedSplit):
            return

    def _by_induction(self, letter: int, facts: Sequence[int], guess: Guess, names: Sequence[str],
                      premises: Sequence[int], equation: int, m: str) -> None:
        """Keep the lemma: for all whole m and all values of the names, the equation."""
        d, claim = self.d, equation
        if premises:
            claim = d.mk("imp", d.conj(list(premises)), claim)
        for name in reversed(names):
            claim = d.mk("allR", d.b.abstract(claim, name, "R"))
        self.r.lemma(letter, d.b.abstract(claim, m, "R"), facts, guess)

    # a function of two factors beside one of a number -----------------------------------------

    def _scaled(self, t: int, u: int, _: int, facts: Sequence[int]) -> None:
        """V(m, a, a exp(s - c)) = a W(m, s) for a >= 0, c the place of W in the goal; and what
        V(m, a, 0) and V(m, 0, b) are."""
        d = self.d
        letter, other, c = d.kids(t)[0], d.kids(u)[0], d.kids(u)[2]
        zero = d.num(0)
        (m_name, m), (a_name, a), (s_name, s) = (d.fresh("R", n) for n in "mas")
        above = d.mk("le", zero, a)
        for at in ((a, zero), (zero, a)):
            for value in (a, zero):
                equation = d.mk("eq", d.mk("app3", letter, m, *at), value)
                place = at.index(a)

                def bare(_: int, points: Sequence[int], place: int = place
                         ) -> Iterable[Sequence[int]]:
                    return [[points[place]]] if points[1 - place] == zero else []

                try:
                    start = d.mk("eq", self.r.invariants.start(letter, at), value)
                    self.a.prove(start, [*facts, d.assume(above)])
                    self._by_induction(letter, facts, bare, [a_name], [above], equation, m_name)
                    break
                except (NotFound, NeedSplit):
                    continue
        scale = d.mul(a, d.mk("exp", d.sub(s, c)))
        equation = d.mk("eq", d.mk("app3", letter, m, a, scale), d.mul(a, d.mk(
            "app3", other, m, s, zero)))

        def guess(_: int, points: Sequence[int]) -> Iterator[Sequence[int]]:
            rate = self._rate(*points)
            if rate is not None:
                yield [points[0], d.add(c, rate)]

        self._by_induction(letter, facts, guess, [a_name, s_name], [above], equation, m_name)

    def _rate(self, x: int, y: int) -> int | None:
        """r with y = x exp(r)."""
        f, g = (self.a.reader.read(t) for t in (x, y))
        if not f or len(f) != len(g):
            return None
        first = min(f)
        for n in g:
            up, down = (self.a.terms.exponential_part(m) for m in (n, first))
            rate = plus(self._exponent(up), self._exponent(down), -1)
            e: Polynomial = {self.a.reader.exponential(rate): 1}
            if times(f, e) == g:
                return self.a.terms.term(rate, "R")
        return None

    def _exponent(self, m: Monomial) -> Polynomial:
        found: Polynomial = {}
        for number, e in m:
            found = plus(found, self.a.terms.argument(number), e)
        return found

    # two functions of a number ----------------------------------------------------------------

    def _alike(self, t: int, u: int, goal: int, facts: Sequence[int]) -> None:
        """V(m, u) = W(m, u), for one place; else the goal, for all numbers of releases."""
        d = self.d
        letter, other = d.kids(t)[0], d.kids(u)[0]
        zero = d.num(0)
        (m_name, m), (x_name, x) = (d.fresh("R", n) for n in "mx")
        if d.kids(t)[2] == d.kids(u)[2]:
            equation = d.mk("eq", *(d.mk("app3", v, m, x, zero) for v in (letter, other)))
            self.tried.add((other, letter))
            self._by_induction(letter, facts, lambda _, points: [points[:1]], [x_name], [],
                               equation, m_name)
            return
        if d.head(goal) != "eq" or d.kids(u)[2] != zero or t not in d.kids(goal):
            return
        rest = d.kids(goal)[d.kids(goal)[0] == t]
        k = d.kids(t)[1]
        start = self._unified(letter, other, x)
        f, drift = self._drift(start, x, d.kids(t)[2], k)
        at = d.sub(start, d.mul(drift, m))

        def general(v: int, _: int) -> int | None:
            if d.head(v) != "app3" or d.kids(v)[1] != k:
                return None
            _, _, *places = d.kids(v)
            points = [x, zero] if d.kids(v)[0] == other else places
            return d.mk("app3", d.kids(v)[0], m, *points)

        value = d.b.walk(rest, general)
        if x not in d.subterms(value):
            return
        equation = d.mk("eq", d.mk("app3", letter, m, at, zero), value)

        def guess(i: int, points: Sequence[int]) -> Iterator[Sequence[int]]:
            moved = d.add(points[0], d.mul(drift, i))
            place = self._solved(f, x, moved)
            if place is not None:
                yield [place]

        self._by_induction(letter, facts, guess, [x_name], [], equation, m_name)

    def _unified(self, letter: int, other: int, x: int) -> int:
        """The place y(x) with V(0, y) = W(0, x), written alike."""
        d = self.d
        y = d.b.letter("y'", "R")
        found: set[int] = set()

        def down(s: int, t: int) -> bool:
            if s == y:
                found.add(t)
                return True
            if s == t:
                return True
            return d.head(s) == d.head(t) and len(d.kids(s)) == len(d.kids(t)) > 0 and all(
                down(*k) for k in zip(d.kids(s), d.kids(t), strict=True))

        start = self.r.invariants.start
        if not down(start(letter, (y,)), start(other, (x,))) or len(found) != 1:
            raise NotFound("two functions that begin otherwise")
        return found.pop()

    def _drift(self, start: int, x: int, place: int, k: int) -> tuple[Polynomial, int]:
        """The start as a polynomial, and c with start(0) - c k = place."""
        d, reader = self.d, self.a.reader
        f = reader.read(start)
        (unknown,), (count,) = (reader.read(t) for t in (x, k))
        constant = {m: c for m, c in f.items() if whole_quotient(m, unknown) is None}
        moved = plus(constant, reader.read(place), -1)
        drift: Polynomial = {}
        for m, c in moved.items():
            part = whole_quotient(m, count)
            if part is None:
                raise NotFound("places that do not differ by a multiple of the number of steps")
            drift[part] = c
        return f, self.a.terms.term(drift, "R") if drift else d.num(0)

    def _solved(self, f: Polynomial, x: int, value: int) -> int | None:
        """u with f(u) = value, f linear with one monomial as slope."""
        reader = self.a.reader
        (unknown,) = reader.read(x)
        slope = {m: c for m, c in f.items() if whole_quotient(m, unknown) is not None}
        if len(slope) != 1:
            return None
        (m, c), = slope.items()
        by = whole_quotient(m, unknown)
        constant = {n: a for n, a in f.items() if n not in slope}
        found: Polynomial = {}
        for n, a in plus(reader.read(value), constant, -1).items():
            part = whole_quotient(n, by or ())
            if part is None:
                return None
            found[part] = ratio(a, c)
        return self.a.terms.term(found, "R") if found else self.d.num(0)
