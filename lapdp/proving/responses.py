"""Randomized responses many times: means over binomial laws.

V(i + 1, a, b) is a sum of V(i, a p, b q) over finitely many outcomes with p = 0, q = 0 or
p / q = e^c or e^(-c), and W(i, x) a mean over a binomial law of whose chances c is the log odds.
Then V(m, a, a e^(-c (2 x - k + m))) is a (h + (W(m, x) - h) r(m)), with h = V(m, 1, 0) and r(m) the
mass that is not at infinity: proved by induction, x standing for the number of successes so far.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import MADE, NotFound

if TYPE_CHECKING:
    from lapdp.proving.invariants import Invariants


class Responses:
    """Lemmas about such functions, for :class:`Invariants`."""

    def __init__(self, invariants: Invariants) -> None:
        self.i, self.r = invariants, invariants.r

    def establish(self, letter: int, facts: Sequence[int]) -> bool:
        """Look for the lemmas; whether there is a mean over a binomial law at all."""
        d = self.r.d
        if not self.sums_over(letter) or self._mirrored(letter, facts):
            return self.sums_over(letter)
        means = [t for t in self.r.rules if self.i.points(t) == 1 and self._odds(t)]
        if len(means) != 1:
            return False
        high = self.end_of(letter, facts)
        if high is not None:
            for k in [d.kids(d.claim(i))[0] for i in facts if d.head(d.claim(i)) == "nat"]:
                if d.head(k) == "v":
                    try:
                        self._along(letter, means[0], k, high, facts)
                        break
                    except (NotFound, NeedSplit):
                        continue
        return True

    def step_of(self, letter: int) -> int:
        """The right side of a function's step, its variables as indices."""
        d = self.r.d
        return d.kids(self.r._inside(d.claim(self.r.rules[letter][1]))[1])[1]

    def _odds(self, mean: int) -> list[int]:
        """c for a mean with the chance e^c / (1 + e^c)."""
        return self.exponents(self.step_of(mean))[:1]

    def exponents(self, t: int) -> list[int]:
        """The exponents in a term that depend on no bound variable."""
        d = self.r.d
        return [d.kids(u)[0] for u in d.subterms(t) if d.head(u) == "exp" and not d.b.loose[u]]

    def sums_over(self, letter: int) -> bool:
        """Is the step a sum?"""
        d = self.r.d
        inside = d.subterms(self.step_of(letter))
        return d.head(self.step_of(letter)) == "add" and not any(
            d.head(t) in ("oint", "lint") for t in inside)

    def _mirrored(self, letter: int, facts: Sequence[int]) -> bool:
        """V(m, a, b) = W(m, b, a) as a lemma, for W that starts as V with its factors exchanged."""
        d = self.r.d
        a, b = (d.b.letter(f"{n}{MADE}", "R") for n in "ab")
        for other in self.r.rules:
            if other != letter and self.i.points(other) == 2 and self.sums_over(other) and (
                    self.i.start(other, (b, a)) == self.i.start(letter, (a, b))):
                try:
                    self.i.lemma(letter, "xy", lambda m, v: (
                        list(v), d.mk("app3", other, m, v[1], v[0])),  # noqa: B023
                        facts, lambda _, points: [points])
                    return True
                except (NotFound, NeedSplit):
                    continue
        return False

    def _remaining(self) -> int | None:
        """The letter of the power that is the mass not at infinity."""
        d = self.r.d
        return next((t for t in self.r.rules if self.i.points(t) == 0
                     and self.i.start(t, ()) == d.num(1)), None)

    def end_of(self, letter: int, facts: Sequence[int]) -> int | None:
        """V(m, a, 0) = a h and V(m, 0, b) = 0 as lemmas, for h = 1 or 0; h."""
        d = self.r.d
        zero = d.num(0)

        def right(_: int, points: Sequence[int]) -> Iterator[Sequence[int]]:
            if points[1] == zero:
                yield points[:1]

        def left(_: int, points: Sequence[int]) -> Iterator[Sequence[int]]:
            if points[0] == zero:
                yield points[1:]

        for h in (d.num(1), zero):
            try:
                self.i.lemma(letter, "a", lambda m, v: (
                    [v[0], zero], d.mul(v[0], h)), facts, right)  # noqa: B023
                self.i.lemma(letter, "b", lambda m, v: ([zero, v[0]], zero), facts, left)
                return h
            except (NotFound, NeedSplit):
                continue
        return None

    def _along(self, letter: int, mean: int, k: int, high: int, facts: Sequence[int]) -> None:
        """V(m, a, a e^(-c (2 x - k + m))) as a lemma."""
        d, r = self.r.d, self.r
        zero, one = d.num(0), d.num(1)
        (c,) = self._odds(mean)
        power = self._remaining()

        def ratio(m: int, x: int) -> int:
            place = d.add(d.mul(d.num(2), x), d.neg(k), m)
            return d.mk("exp", d.neg(d.mul(c, place)))

        def form(m: int, v: Sequence[int]) -> tuple[list[int], int]:
            a, x = v
            rest = one if power is None else d.mk("app3", power, m, zero, zero)
            value = d.mul(rest, d.mk("app3", mean, m, x, zero))
            if high == one:
                value = d.add(value, d.sub(one, rest))
            return [a, d.mul(a, ratio(m, x))], d.mul(a, value)

        def guess(m: int, points: Sequence[int]) -> Iterator[Sequence[int]]:
            a, b = points
            wanted = r.a.reader.read(b)
            letters = [t for t in d.subterms(b) if d.head(t) == "v" and MADE in str(d.b.rows[t][1])]
            for x in (zero, *letters, *(d.add(t, one) for t in letters)):
                if r.a.reader.read(d.mul(a, ratio(m, x))) == wanted:
                    yield [a, x]

        shift = self.exponents(self.i.start(letter, (zero, one)))

        def begin(goal: int, known: Sequence[int]) -> int:
            (name_a, a), (name_x, x) = d.fresh("R", "a"), d.fresh("R", "x")
            inside = goal
            for t in (a, x):
                inside = d.b.open(d.kids(inside)[0], t)
            above, equation = d.kids(inside)
            z = d.add(d.kids(ratio(zero, x))[0], *shift[:1])
            found = self.by_signs(equation, a, z, [*known, d.assume(above)])
            found = d.gen(name_x, "R", d.disch(above, found))
            return d.gen(name_a, "R", found)

        self.i.lemma(letter, "ax", form, facts, guess, begin)

    def by_signs(self, goal: int, a: int, z: int, facts: Sequence[int]) -> int:
        """The goal where a = 0, and where 0 < a and z < 0, z = 0 or 0 < z: then a e^z < a, ..."""
        d, prove = self.r.d, self.r.a.prove
        zero, e, unit = d.num(0), d.mk("exp", z), d.mk("exp", d.num(0))
        positive = d.mk("lt", zero, a)
        given = d.assume(positive)
        law = d.do("order", d.mk("iff", d.mk("not", positive), d.mk("le", a, zero)))
        below = d.taut(d.mk("le", a, zero), law, d.assume(d.mk("not", positive)))
        none = prove(d.mk("eq", a, zero), [*facts, below])
        less, same, more = d.mk("lt", z, zero), d.mk("eq", z, zero), d.mk("lt", zero, z)
        leaves = []
        for case in (less, same, more):
            here = d.assume(case)
            if case == same:
                size = d.do("arith", d.mk("eq", d.mul(a, e), a), [d.alike(e, here)], [[a, [0]]])
            else:
                s, t = (e, unit) if case == less else (unit, e)
                grows = d.onward(d.law("exp monotone", d.mk("iff", case, d.mk("lt", s, t)),
                                       *d.kids(case)), here)
                s, t = (d.mul(a, e), a) if case == less else (a, d.mul(a, e))
                size = d.do("arith", d.mk("lt", s, t), [grows, given], [[d.num(1), [0, 1]]])
            leaves.append(d.disch(case, prove(goal, [*facts, given, here, size])))
        either = d.do("order", d.mk("or", less, d.mk("or", same, more)))
        return d.split(positive, d.taut(goal, either, *leaves), prove(goal, [*facts, none]))


__all__ = ["Responses"]
