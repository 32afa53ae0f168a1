"""Dominance below further integrals: a profile below another one at all orders stays so scaled.

From H1(t) <= H2(t) for all t, H(t) = oint max(0, p - e^t q), follows for a >= 0 and every b

    oint max(0, a p1 - b q1) <= oint max(0, a p2 - b q2):

both are a - b for b <= 0, both are 0 for a = 0 < b, and a H(log(b/a)) else.  The same with p and q
exchanged, by reversal.  Integrated over another outcome this is what products, adaptive composition
and subsampling ask.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_STAGES = 2
"""How many factors of a product are exchanged, one after another."""


@dataclass(frozen=True)
class Law:
    """A fact H1(t) <= H2(t) for all t: its place among the facts, what it binds, the densities."""

    fact: int
    sorts: tuple[str, ...]
    letters: tuple[int, ...]
    level: int
    first: tuple[int, int]
    second: tuple[int, int]


class Dominance:
    """Integrals compared by facts about whole profiles, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """A relation between two integrals; None where no fact of this kind carries it."""
        d = self.d
        head, (s, t) = d.head(goal), d.kids(goal)
        if head not in ("le", "eq") or not self.a._speaks(goal) or d.b.sorts[s] != "R":
            return None
        if d.head(s) != "oint" or d.head(t) != "oint":
            return self._within(goal, facts)
        laws = list(self.laws(facts))
        if not laws:
            return self._exchanged(goal, facts)
        if head == "le":
            return self._reached(s, t, laws, facts)
        halves = [self._reached(*p, laws, facts) for p in ((s, t), (t, s))]
        if None in halves:
            return None
        law = d.do("order", d.mk("iff", goal, d.conj([d.mk("le", s, t), d.mk("le", t, s)])))
        return d.taut(goal, law, *(i for i in halves if i is not None))

    def _within(self, goal: int, facts: Sequence[int]) -> int | None:
        """A relation in which both integrals of such a comparison occur among other things."""
        d = self.d
        laws = list(self.laws(facts))
        parts = [t for t in d.subterms(goal) if d.head(t) == "oint" and not d.b.loose[t]]
        made = []
        for now in parts:
            for law in laws:
                try:
                    found = self._changed(now, law, facts)
                except (NotFound, NeedSplit):
                    continue
                if found is not None and found[1] in parts:
                    made.append(found[0])
        try:
            return self.a.by_arithmetic(goal, [*facts, *made]) if made else None
        except NotFound:
            return None

    def _exchanged(self, goal: int, facts: Sequence[int]) -> int | None:
        """Two double integrals that are the same in the other order."""
        d = self.d
        s, t = d.kids(goal)
        if any(d.head(d.kids(u)[0]) != "oint" for u in (s, t)) or d.head(goal) != "eq":
            return None
        try:
            other, same = self._swapped(s, facts)
            return d.chain(same, self.a.compared(d.mk("eq", other, t), facts))
        except (NotFound, NeedSplit):
            return None

    def _reached(self, s: int, t: int, laws: Sequence[Law], facts: Sequence[int]) -> int | None:
        """s <= t by changing one pair of densities after another."""
        d = self.d
        stage: list[tuple[int, int]] = [(s, d.do("arith", d.mk("le", s, s)))]
        seen = {s}
        open_signs: list[NeedSplit] = []
        for _ in range(MOST_STAGES):
            later: list[tuple[int, int]] = []
            for now, less in stage:
                for law in laws:
                    try:
                        found = self._changed(now, law, facts)
                    except NeedSplit as need:
                        open_signs += [need] if now == s else []
                        continue
                    except NotFound:
                        continue
                    if found is None:
                        continue
                    step, other = found
                    if other in seen:
                        continue
                    seen.add(other)
                    total = d.do("arith", d.mk("le", s, other), [less, step],
                                 [[d.num(1), [0]], [d.num(1), [1]]])
                    if (end := self._alike(s, other, t, total)) is not None:
                        return end
                    later.append((other, total))
            stage = later
        if open_signs and self.a.truth(open_signs[0].condition, facts) is None and not (
                self.d.b.loose[open_signs[0].condition]):
            raise open_signs[0]
        return None

    def _alike(self, s: int, other: int, t: int, total: int) -> int | None:
        """s <= t from s <= other, where other is t but for the order of sums; None: it is not."""
        d = self.d
        if other == t:
            return total
        if any(d.head(d.kids(u)[0]) != "max" for u in (other, t)):
            return None
        try:
            same = self.a.reversal.alike(other, t)
        except NotFound:
            return None
        return d.do("arith", d.mk("le", s, t), [total, same], [[d.num(1), [0]], [d.num(1), [1]]])

    # facts ------------------------------------------------------------------------------------

    def laws(self, facts: Sequence[int]) -> Iterator[Law]:
        """Facts about profiles at all orders; an equation gives two."""
        d = self.d
        for i in facts:
            sorts, letters, claim = [], [], d.claim(i)
            while d.head(claim) in ("allR", "allO"):
                sort = d.head(claim)[3:]
                _, letter = d.fresh(sort, "t")
                sorts.append(sort)
                letters.append(letter)
                claim = d.b.open(d.kids(claim)[0], letter)
            if d.head(claim) not in ("le", "eq") or "R" not in sorts:
                continue
            hinges = [self.a.hypotheses.profiles.hinges(k) for k in d.kids(claim)]
            if any(len(h) != 1 or h[0].term != k
                   for h, k in zip(hinges, d.kids(claim), strict=True)):
                continue
            (one,), (two,) = hinges
            level = sorts.index("R")
            if sorts.count("R") != 1 or one.order != two.order or (
                    one.order != d.mk("exp", letters[level])):
                continue
            pairs = (one.p, one.q), (two.p, two.q)
            for first, second in (pairs, pairs[::-1])[:1 + (d.head(claim) == "eq")]:
                yield Law(i, tuple(sorts), tuple(letters), level, first, second)

    def _at(self, law: Law, places: dict[int, int], level: int) -> int:
        """The fact at an order, and at outcomes."""
        d, found = self.d, law.fact
        for n, letter in enumerate(law.letters):
            found = d.inst(found, level if n == law.level else places.get(letter, letter))
        if d.head(d.claim(found)) == "eq":
            s, t = d.kids(d.claim(found))
            hinges = self.a.hypotheses.profiles.hinges(s)
            if (hinges[0].p, hinges[0].q) != tuple(
                    self.placed(x, places) for x in law.first):
                s, t = t, s
                found = d.turn(found)
            found = d.do("arith", d.mk("le", s, t), [found], [[d.num(1), [0]]])
        return found

    def placed(self, t: int, places: dict[int, int]) -> int:
        """A term with outcomes put in for the letters of a law."""
        for letter, x in places.items():
            t = self.d.b.open(self.d.hole(t, letter), x)
        return t

    # steps ------------------------------------------------------------------------------------

    def _changed(self, whole: int, law: Law, facts: Sequence[int]) -> tuple[int, int] | None:
        """whole <= other, where other has the second densities of the law for the first."""
        d = self.d
        (body,) = d.kids(whole)
        if d.head(body) != "oint":
            return self.scaled(whole, law, {}, facts)
        xname, x = d.fresh("O", "x")
        inner = d.b.open(body, x)
        known = [*facts, *self.a._positive(inner)]
        step = self.scaled(inner, law, dict.fromkeys(
            (t for t, s in zip(law.letters, law.sorts, strict=True) if s == "O"), x), known)
        if step is not None:
            return self._integrated(whole, xname, step, facts)
        if "O" in law.sorts:
            return None
        turned, same = self._swapped(whole, facts)
        yname, y = d.fresh("O", "y")
        inner = d.b.open(d.kids(turned)[0], y)
        step = self.scaled(inner, law, {}, [*facts, *self.a._positive(inner)])
        if step is None:
            return None
        less, other = self._integrated(turned, yname, step, facts)
        back, again = self._swapped(other, facts)
        total = d.do("arith", d.mk("le", whole, back), [same, less, again],
                     [[d.num(1), [0]], [d.num(1), [1]], [d.num(1), [2]]])
        return total, back

    def _integrated(self, whole: int, name: str, step: tuple[int, int], facts: Sequence[int]
                    ) -> tuple[int, int]:
        """oint f <= oint g from f(x) <= g(x)."""
        d = self.d
        less, value = step
        g = d.b.abstract(value, name, "O")
        other = d.mk("oint", g)
        inys = [self.a.prove(d.mk("oiny", b), facts) for b in (d.kids(whole)[0], g)]
        return d.do("mono", d.mk("le", whole, other), [d.gen(name, "O", less), *inys]), other

    def _swapped(self, whole: int, facts: Sequence[int]) -> tuple[int, int]:
        """The integral in the other order, and that it is the same."""
        d = self.d
        xname, x = d.fresh("O", "x")
        yname, y = d.fresh("O", "y")
        inner = d.b.open(d.kids(whole)[0], x)
        f = d.b.open(d.kids(inner)[0], y)
        each = d.gen(xname, "O", self.a.prove(d.mk("oiny", d.kids(inner)[0]), [
            *facts, *self.a._positive(inner)]))
        size = d.mk("oint", d.b.abstract(d.mk("abs", f), yname, "O"))
        whole_size = self.a.prove(d.mk("oiny", d.b.abstract(size, xname, "O")), facts)
        first = d.mk("oint", d.b.abstract(f, xname, "O"))
        other = d.mk("oint", d.b.abstract(first, yname, "O"))
        goal = d.conj([d.mk("oiny", d.kids(other)[0]), d.mk("eq", whole, other)])
        return other, d.parts(d.do("swap", goal, [each, whole_size]))[1]

    def scaled(self, t: int, law: Law, places: dict[int, int], facts: Sequence[int]
                ) -> tuple[int, int] | None:
        """``t <= t'`` for t = oint max(0, a p1 - b q1), or with p1 and q1 exchanged."""
        d, a = self.d, self.a
        if d.head(t) != "oint" or d.head(d.kids(t)[0]) != "max" or (
                d.kids(d.kids(t)[0])[0] != d.num(0)):
            return None
        p1, q1, p2, q2 = (self.placed(u, places) for u in (*law.first, *law.second))
        name, y = d.fresh("O", "y")
        f = d.b.open(d.kids(d.kids(t)[0])[1], y)
        weights: dict[int, Polynomial] = {p1: {}, q1: {}}
        for m, c in a.reader.read(f).items():
            at = [(n, e) for n, e in m
                  if (name, "O") in d.b.letters[a.terms.term({((n, 1),): 1})]]
            if len(at) != 1 or at[0][1] != 1:
                return None
            u = a.terms.term({((at[0][0], 1),): 1})
            if d.head(u) != "dens" or d.kids(u)[0] not in weights:
                return None
            weights[d.kids(u)[0]][tuple(z for z in m if z != at[0])] = c
        new = d.b.open(d.hole(d.b.open(d.hole(f, d.mk("dens", p1, y)), d.mk("dens", p2, y)),
                              d.mk("dens", q1, y)), d.mk("dens", q2, y))
        other = d.mk("oint", d.b.abstract(d.mk("max", d.num(0), new), name, "O"))
        alpha = a.terms.term(weights[p1], "R")
        beta = a.terms.term({m: -c for m, c in weights[q1].items()}, "R")
        if other == t:
            return None
        if (plain := self._plain(t, other, law, places, facts)) is not None:
            return plain, other
        sides = (t, p1, q1), (other, p2, q2)
        if a.positive(alpha, facts, strict=False) is not None:
            return self._below(sides, alpha, beta, law, places, facts), other
        condition = d.mk("le", d.num(0), alpha)
        alpha, beta = (d.neg(x) for x in (alpha, beta))
        if a.positive(alpha, facts, strict=False) is None:
            raise NeedSplit(condition)
        # max(0, b q - a p) = b q - a p + max(0, a p - b q)
        turned = []
        for u, p, q in sides:
            h = self.hinge(p, q, alpha, beta)
            equation = d.mk("eq", u, d.add(d.sub(beta, alpha), h))
            turned.append((h, p, q, a.prove(equation, facts)))
        first, second = ((h, p, q) for h, p, q, _ in turned)
        less = self._below((first, second), alpha, beta, law, places, facts)
        return d.do("arith", d.mk("le", t, other), [less, *(i for *_, i in turned)], [
            [d.num(1), [0]], [d.num(1), [1]], [d.num(-1), [2]]]), other

    def _plain(self, t: int, other: int, law: Law, places: dict[int, int], facts: Sequence[int]
               ) -> int | None:
        """t <= t' where both are profiles at e^x: the fact at x, or at -x and reversed."""
        d, a = self.d, self.a
        here = [h for u in (t, other) for h in a.hypotheses.profiles.hinges(u)]
        if len(here) != 2 or d.head(here[0].order) != "exp" or here[0].order != here[1].order:
            return None
        (level,) = d.kids(here[0].order)
        if here[0].p == self.placed(law.first[0], places):
            less = self._at(law, places, level)
            return less if d.kids(d.claim(less)) == (t, other) else None
        less = self._at(law, places, d.neg(level))
        there = a.hypotheses.profiles.hinges(d.claim(less))
        if len(there) != 2 or d.kids(d.claim(less)) != tuple(h.term for h in there):
            return None
        try:
            turned = [a.reversal.of(h, k, facts) for h, k in zip(here, there, strict=True)]
        except NotFound:
            return None
        above = d.law("exp positive", d.mk("lt", d.num(0), here[0].order), level)
        return d.do("arith", d.mk("le", t, other), [*turned, less, above], [
            [d.num(1), [0]], [d.num(-1), [1]], [d.num(1), [2, 3]]])

    def hinge(self, p: int, q: int, alpha: int, beta: int) -> int:
        d = self.d
        name, x = d.fresh("O", "x")
        f = d.sub(d.mul(alpha, d.mk("dens", p, x)), d.mul(beta, d.mk("dens", q, x)))
        return d.mk("oint", d.b.abstract(d.mk("max", d.num(0), f), name, "O"))

    def _below(self, sides: Sequence[tuple[int, int, int]], alpha: int, beta: int, law: Law,
               places: dict[int, int], facts: Sequence[int]) -> int:
        """The lemma at the head of this file."""
        d, a, zero = self.d, self.a, self.d.num(0)
        # facts about integrals would bring this search back here
        facts = [i for i in facts if not a._speaks(d.claim(i))]
        (s, _, _), (t, _, _) = sides
        goal = d.mk("le", s, t)

        def same(value: int, known: Sequence[int]) -> int:
            equal = [a.prove(d.mk("eq", u, value), known) for u, _, _ in sides]
            return d.do("arith", goal, equal, [[d.num(1), [0]], [d.num(-1), [1]]])

        high, wide = d.mk("lt", zero, beta), d.mk("lt", zero, alpha)
        if (known := a.truth(high, facts)) is not None and d.claim(known) != high:
            return same(d.sub(alpha, beta), facts)
        above = a._closed([*facts, d.assume(high) if known is None else known])
        if (level := a.truth(wide, above)) is not None and d.claim(level) == wide:
            inside = self._full(sides, alpha, beta, law, places, [*above, level])
        else:
            full = self._full(sides, alpha, beta, law, places,
                              a._closed([*above, d.assume(wide)]))
            inside = d.split(wide, full, self._nothing(goal, sides, alpha, above))
        if known is not None:
            return inside
        no_high = d.assume(d.mk("not", high))
        return d.split(high, inside, same(d.sub(alpha, beta), a._closed([*facts, no_high])))

    def _nothing(self, goal: int, sides: Sequence[tuple[int, int, int]], alpha: int,
                 facts: Sequence[int]) -> int:
        """The lemma for a = 0 < b, where both sides are 0, under: not 0 < a."""
        d, a, zero = self.d, self.a, self.d.num(0)
        no_wide, nothing = d.mk("not", d.mk("lt", zero, alpha)), d.mk("eq", alpha, zero)
        level = a.positive(alpha, facts, strict=False)
        if level is None:
            raise NotFound("a weight that may be negative")
        given = d.assume(nothing)
        equal = [a.prove(d.mk("eq", u, zero), [*facts, given]) for u, _, _ in sides]
        empty = d.do("arith", goal, equal, [[d.num(1), [0]], [d.num(-1), [1]]])
        low = d.mk("le", alpha, zero)
        both = d.do("order", d.mk("iff", nothing, d.conj([low, d.mk("le", zero, alpha)])))
        back = d.do("order", d.mk("iff", no_wide, low))
        is_nothing = d.taut(nothing, both, back, d.assume(no_wide), level)
        return d.taut(goal, d.disch(nothing, empty), is_nothing)

    def _full(self, sides: Sequence[tuple[int, int, int]], alpha: int, beta: int, law: Law,
              places: dict[int, int], facts: Sequence[int]) -> int:
        """The lemma for a, b > 0, by the fact at t = log(b/a)."""
        d, a = self.d, self.a
        ratio = d.mul(beta, d.mk("inv", alpha))
        level = d.mk("log", ratio)
        positive = a.positive(ratio, facts)
        inverse = a.inverse_law(a.reader.read(alpha), facts)
        if positive is None or inverse is None:
            raise NotFound("the sign of a quotient")
        value = d.mp(d.law("exp of log", d.mk("imp", d.claim(positive), d.mk(
            "eq", d.mk("exp", level), ratio)), ratio), positive)
        scale = a.identity(d.mk("eq", d.mul(alpha, d.mk("exp", level)), beta), [value, inverse])
        equal = []
        wide = a.positive(alpha, facts)
        assert wide is not None
        for u, p, q in sides:
            name, r = d.fresh("R", "r")
            fits = d.mk("eq", d.mul(alpha, r), beta)
            plain = d.mk("max", d.num(0), d.sub(d.mk("dens", d.b.lift(p), d.b.bound(0, "O")),
                                               d.mul(d.b.lift(r), d.mk(
                                                   "dens", d.b.lift(q), d.b.bound(0, "O")))))
            claim = d.mk("eq", u, d.mul(alpha, d.mk("oint", plain)))
            held = a.prove(claim, [*facts, d.assume(fits)])
            general = d.gen(name, "R", d.disch(fits, held))
            equal.append(d.mp(d.inst(general, d.mk("exp", level)), scale))
        less = self._at(law, places, level)
        hinges = [d.kids(d.kids(d.claim(e))[1])[1] for e in equal]
        if d.kids(d.claim(less)) != tuple(hinges):
            plain_less = d.mk("le", *hinges)
            less = a.by_arithmetic(plain_less, [less])
        (s, _, _), (t, _, _) = sides
        return d.do("arith", d.mk("le", s, t), [equal[0], less, wide, equal[1]],
                    [[d.num(1), [0]], [d.num(1), [1, 2]], [d.num(-1), [3]]])
