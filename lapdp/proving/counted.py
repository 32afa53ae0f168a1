"""Randomized response so many times, the number written out: states that many ways lead to.

V(i + 1, a, b) is a sum of V(i, a p, b q) over finitely many outcomes with p = 0, q = 0 or
p / q = e^c, and V(i, a, b) grows with (a, b) in proportion.  So V(i + 1, 1, e^t) is a combination
of V(i, 1, e^(t - c)): over k releases there are as many places t as sums of c, not as many as
there are sequences of outcomes.  Where all is numbers, rational bounds are carried from V(0, ..) to
V(k, 1, 1); else V(k, 1, 1) is written out as a combination of V(0, 1, e^t).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial
from lapdp.proving.counted_bounds import Bounds
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.responses import Responses

MOST_WRITTEN = 8
"""How many releases with letters are written out."""


@dataclass(frozen=True)
class Release:
    """``theorem``: for all n, m, t, u_1, ..., with nat m, n = m + 1 and u_j = t - c_j,
    V(n, 1, e^t) = ``lost`` + sum of p_j V(m, 1, e^(u_j)); ``ways`` are the (c_j, p_j)."""

    theorem: int
    lost: int
    ways: tuple[tuple[int, int], ...]


class Counted:
    """Values of such functions at so many releases, for :class:`Recursions`."""

    def __init__(self, responses: Responses) -> None:
        self.s = responses
        self.i, self.r = responses.i, responses.r
        self.releases: dict[int, Release | None] = {}

    def places(self, goal: int) -> list[int]:
        """The applications V(k, 1, 1) in a goal, k a number from 2 on."""
        d = self.r.d
        one = d.num(1)
        return [t for t in d.subterms(goal) if d.head(t) == "app3" and d.kids(t)[0] in self.r.rules
                and d.kids(t)[2:] == (one, one) and self._count(t) >= 2
                and self.i.points(d.kids(t)[0]) == 2 and self.s.sums_over(d.kids(t)[0])]

    def _count(self, t: int) -> int:
        row = self.r.d.b.rows[self.r.d.kids(t)[1]]
        return int(str(row[1])) if row[0] == "n" and row[2] == 1 else 0

    def relation(self, goal: int, facts: Sequence[int]) -> int | None:
        """A relation that speaks of V(k, 1, 1); None where it does not.  Raises ``NotFound``."""
        d = self.r.d
        places = self.places(goal)
        if not places:
            return None
        if all(self._numbers(t) for t in places):
            known = [self._bound(t, side, facts) for t in places for side, k in zip(
                (1, 0), d.kids(goal), strict=True) if t in d.subterms(k)]
            return self.r.a.unknown(goal, [*facts, *known])
        t = places[0]
        if self._count(t) > MOST_WRITTEN:
            return None
        equation = self._written(t, facts)
        body = d.hole(goal, t)
        found = self._by_complement(d.b.open(body, d.kids(d.claim(equation))[1]), facts)
        return d.do("rewrite", goal, [d.turn(equation), found], [body])

    def _by_complement(self, goal: int, facts: Sequence[int]) -> int:
        """A goal that speaks again and again of 1 - x for a letter x, with y = 1 - x in its place:
        powers of 1 - x are long polynomials, those of y are not."""
        d = self.r.d
        one = d.num(1)
        x = next((d.kids(d.kids(t)[1])[1] for t in d.subterms(goal) if d.head(t) == "add"
                  and d.kids(t)[0] == one and d.head(d.kids(t)[1]) == "mul"
                  and d.kids(d.kids(t)[1])[0] == d.num(-1)
                  and d.head(d.kids(d.kids(t)[1])[1]) == "v"), None)
        if x is None:
            return self.r.relation(goal, facts)
        name, y = d.fresh("R", "y")
        other = d.sub(one, y)
        given = d.assume(d.mk("eq", x, other))
        known = [d.replace(i, given) for i in facts if x in d.subterms(d.claim(i))]
        body = d.hole(goal, x)
        found = self.r.relation(d.b.open(body, other), [*(
            i for i in facts if x not in d.subterms(d.claim(i))), *known])
        found = d.do("rewrite", goal, [d.turn(given), found], [body])
        found = d.inst(d.gen(name, "R", d.disch(d.claim(given), found)), d.sub(one, x))
        return d.mp(found, d.do("arith", d.kids(d.claim(found))[0]))

    def _numbers(self, t: int) -> bool:
        """Is there no letter but the function in its two equations?"""
        d = self.r.d
        letter = d.kids(t)[0]
        return all(len(d.b.letters[d.claim(i)]) == 1 for i in self.r.rules[letter])

    # one release ------------------------------------------------------------------------------

    def release(self, letter: int, facts: Sequence[int]) -> Release:
        """What one release does, proved once."""
        if letter not in self.releases:
            self.releases[letter] = None
            self.releases[letter] = self._release(letter, facts)
        found = self.releases[letter]
        if found is None:
            raise NotFound("no randomized response")
        return found

    def _shifts(self, letter: int) -> list[int]:
        d = self.r.d
        found = dict.fromkeys(self.s.exponents(self.s.step_of(letter)))
        return [d.num(0), *(c for e in found for c in (e, d.neg(e)))]

    def _proportion(self, letter: int, facts: Sequence[int]) -> int:
        """all m (nat m -> all a t (0 <= a -> V(m, a, a e^t) = a V(m, 1, e^t)))."""
        d, r = self.r.d, self.r
        zero, one = d.num(0), d.num(1)
        shifts = self._shifts(letter)

        def form(m: int, v: Sequence[int]) -> tuple[list[int], int]:
            a, e = v[0], d.mk("exp", v[1])
            return [a, d.mul(a, e)], d.mul(a, d.mk("app3", letter, m, one, e))

        def guess(_: int, points: Sequence[int]) -> Iterator[Sequence[int]]:
            if points[0] != one:
                yield from ([points[0], t] for t in self._logs(points[0], points[1], shifts))

        beside = self.s.exponents(self.i.start(letter, (zero, one)))

        def begin(goal: int, known: Sequence[int]) -> int:
            (name_a, a), (name_t, t) = d.fresh("R", "a"), d.fresh("R", "t")
            inside = d.b.open(d.kids(d.b.open(d.kids(goal)[0], a))[0], t)
            above, equation = d.kids(inside)
            found = self.s.by_signs(equation, a, d.add(t, *beside[:1]), [*known, d.assume(above)])
            return d.gen_all([(name_a, "R"), (name_t, "R")], d.disch(above, found))

        self.i.lemma(letter, "at", form, facts, guess, begin)
        return r.lemmas[letter][-1].theorem

    def _logs(self, a: int, b: int, shifts: Sequence[int]) -> Iterator[int]:
        """Terms t with b = a e^t."""
        d, read = self.r.d, self.r.a.reader.read
        wanted = read(b)
        inside = [d.num(0), *(d.kids(t)[0] for t in d.subterms(b) if d.head(t) == "exp")]
        if wanted and read(a):
            for t in (self.r.canonical(d.sub(u, c)) for u in inside for c in shifts):
                if read(d.mul(a, d.mk("exp", t))) == wanted:
                    yield t
                    return

    def _release(self, letter: int, facts: Sequence[int]) -> Release:
        d, r = self.r.d, self.r
        one = d.num(1)
        if self.s.end_of(letter, facts) is None:
            raise NotFound("no value where one of the densities vanishes")
        ends = r.lemmas[letter][-2:]
        scaled = self._proportion(letter, facts)
        (name_m, m), (name_n, n), (name_t, t) = (d.fresh("R", x) for x in "mnt")
        isnat = d.assume(d.mk("nat", m))
        found = r.unfolded_once(
            d.mk("app3", letter, d.add(m, one), one, d.mk("exp", t)), [*facts, isnat])
        if found is None:
            raise NotFound("no release")
        lost, ways = d.num(0), []
        for u in d.subterms(d.kids(d.claim(found))[1]):
            if d.head(u) != "app3":
                continue
            value = r.tidy(u)
            tidy = d.kids(d.claim(value))[1]
            a, b = d.kids(tidy)[2:]
            power = next(self._logs(a, b, self._shifts(letter)), None)
            if power is None:
                ended = r.by_lemma(tidy, [*facts, isnat], ends)
                if ended is None:
                    raise NotFound("an outcome that is no randomized response")
                value = d.chain(value, ended)
                lost = d.add(lost, d.kids(d.claim(ended))[1])
            else:
                there = d.inst(d.inst(d.mp(d.inst(scaled, m), isnat), a), power)
                there = d.mp(there, r.a.prove(d.kids(d.claim(there))[0], facts))
                value = d.chain(value, r.placed(tidy, d.kids(d.claim(there))[0]), there)
                ways.append((power, a))
            found = d.replace(found, value)
        left = d.kids(d.claim(found))[0]
        uses = [(name, u, power, a) for power, a in ways for name, u in [d.fresh("R", "u")]]
        total = d.add(lost, *(d.mul(a, d.mk("app3", letter, m, one, d.mk("exp", power)))
                              for power, a in ways))
        found = d.do("arith", d.mk("eq", left, total), [found], [[d.num(1), [0]]])
        given = [d.mk("eq", d.add(m, one), n), *(d.mk("eq", power, u) for _, u, power, _ in uses)]
        for equation in given:
            found = d.replace(found, d.assume(equation))
        premise = d.conj([d.claim(isnat), *given])
        found = d.taut(d.mk("imp", premise, d.claim(found)), d.disch(
            d.claim(isnat), self._discharged(given, found)))
        names = [(x, "R") for x in (name_n, name_m, name_t, *(u[0] for u in uses))]
        constant = r.a.reader.read(lost)
        return Release(d.gen_all(names, found), r.a.terms.term(constant, "R"), tuple(
            (self.r.a.terms.term(self._gap(t, power), "R"), a) for power, a in ways))

    def _discharged(self, given: Sequence[int], i: int) -> int:
        i = self.r.d.disch_all(given, i)
        return i

    def _gap(self, s: int, t: int) -> Polynomial:
        return self.r.a.reader.read(self.r.d.sub(s, t))

    def instance(self, release: Release, n: int, t: int) -> tuple[int, list[int]]:
        """V(n, 1, e^t) as one release gives it, and the places t - c."""
        d = self.r.d
        m = n - 1
        after = [self.r.canonical(d.sub(t, c)) for c, _ in release.ways]
        found = release.theorem
        for x in (d.num(n), d.num(m), t, *after):
            found = d.inst(found, x)
        premises = [d.do("natural", f) if d.head(f) == "nat" else d.do("arith", f)
                    for f in d.members(d.kids(d.claim(found))[0])]
        return d.mp(found, d.both(*premises)), after

    def _at_one(self, t: int) -> int:
        """V(k, 1, 1) = V(k, 1, e^0)."""
        d = self.r.d
        letter, k, one, _ = d.kids(t)
        return self.r.placed(t, d.mk("app3", letter, k, one, d.mk("exp", d.num(0))))

    # letters: written out -----------------------------------------------------------------------

    def _written(self, t: int, facts: Sequence[int]) -> int:
        """V(k, 1, 1) = a combination of what V(0, 1, e^t) is."""
        d = self.r.d
        letter = d.kids(t)[0]
        release = self.release(letter, facts)
        known: dict[tuple[int, int], int] = {}

        def value(n: int, at: int) -> int:
            if (n, at) not in known:
                if n:
                    found, after = self.instance(release, n, at)
                    for u in after:
                        found = d.replace(found, value(n - 1, u))
                else:
                    found = self.r.begun(letter, (d.num(1), d.mk("exp", at)))
                known[n, at] = found
            return known[n, at]

        return d.chain(self._at_one(t), value(self._count(t), d.num(0)))

    # numbers: bounds ----------------------------------------------------------------------------

    def _bound(self, t: int, side: int, facts: Sequence[int]) -> int:
        """A rational number below V(k, 1, 1), or above it (``side`` 1)."""
        d = self.r.d
        letter = d.kids(t)[0]
        bounds = Bounds(self, letter, self.release(letter, facts), side, facts)
        return d.replace(bounds.at(self._count(t), d.num(0)), d.turn(self._at_one(t)))


__all__ = ["Counted"]
