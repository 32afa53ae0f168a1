"""Moments of many independent releases: Renyi divergences add up.

With r > 0, w(a, b) = a (a/b)^r where a, b > 0 and 0 elsewhere, for numbers a, b, p, q >= 0

    w(a p, b q) = w(a, b) w(p, q).

So a function that begins with V(0, a, b) = w(a, b), and of which each step integrates one release
more, is V(m, a, b) = w(a, b) e^(m log M) for all whole m, M the moment of one release: where that
is finite and the loss is, all integrals on the way converge.  log V(m, 1, 1) = m log M.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.loss_mean_lemmas import Pair
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Shape:
    """Of a function: the pair of each release, the rate r, and the moment M as it is written."""

    pair: Pair
    rate: int
    whole: int


@dataclass(frozen=True)
class Known:
    """w(p, q) is integrable; M is its integral; e^(log M) = M; and the lemma."""

    iny: int
    same: int
    value: int
    lemma: int


class ReleaseMoments:
    """Derivations about such functions, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._shapes: dict[int, Shape | None] = {}
        self._made: dict[int, list[Known]] = {}
        self._powers: dict[tuple[int, int], int | None] = {}

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """That all steps of such a function converge, or a relation with its values; None: another
        goal, no finite moment of one release, or not found."""
        d = self.d
        below = set(d.subterms(goal))
        letters = [t for t in self.a.recursions.rules if t in below and self.shape(t) is not None]
        if not letters:
            return None
        try:
            known = {t: self._known_of(t, facts) for t in letters}
            if d.head(goal) == "allR":
                return self._converges(goal, *next(iter(known.items()))) if (
                    len(letters) == 1) else None
            return self.a.recursions.through(
                goal, lambda now: self._change(now, known, facts),
                lambda last: self._settled(last, goal, known, facts))
        except (NotFound, NeedSplit):
            return None

    # reading ------------------------------------------------------------------------------------

    def shape(self, letter: int) -> Shape | None:
        """The shape of a function of two factors that begins with a power; None for others."""
        if letter not in self._shapes:
            self._shapes[letter] = self._read(letter)
        return self._shapes[letter]

    def _read(self, letter: int) -> Shape | None:
        d, invariants = self.d, self.a.recursions.invariants
        if d.b.sorts[letter] != "J" or invariants.points(letter) != 2:
            return None
        pair = invariants.losses.densities(letter)
        if pair is None or any(d.head(t) != "v" for t in pair) or pair[0] == pair[1]:
            return None
        name, x = d.fresh("O", "x")
        at = invariants.start(letter, [d.mk("dens", t, x) for t in pair])
        f = d.b.abstract(at, name, "O")
        rate = self.a.dominated_moments.rate(f, pair)
        return None if rate is None else Shape(pair, rate, d.mk("oint", f))

    # what is known ------------------------------------------------------------------------------

    def _known_of(self, letter: int, facts: Sequence[int]) -> Known:
        d, a = self.d, self.a
        given = a.recursions.hyps.union(*(d.theorem(i).hyps for i in facts))
        for known in self._made.get(letter, ()):
            if all(d.theorem(i).hyps <= given for i in (known.iny, known.value, known.lemma)):
                return known
        shape = self.shape(letter)
        assert shape is not None
        moments = a.adaptive_moments
        plain = a.loss_means.plain(facts)
        above = a.positive(shape.rate, plain)
        if above is None:
            raise NotFound("an order that may be below 1")
        _, x = d.fresh("O", "x")
        (body,) = d.kids(shape.whole)
        for order in [*moments.orders(facts), shape.rate]:
            here = [moments.at(i, order, x) for i in facts if a._speaks(d.claim(i))]
            claims = {d.claim(i): i for i in a.released([*plain, *here])}
            iny = claims.get(d.mk("oiny", body))
            null = claims.get(d.mk("eq", a.dominated_moments._infinite(shape.pair), d.num(0)))
            if iny is not None and null is not None:
                break
        else:
            iny, null = self._bounded(shape, facts)
        found = self._lemma(letter, shape, above, iny, null)
        self._made.setdefault(letter, []).append(found)
        return found

    def _bounded(self, shape: Shape, facts: Sequence[int]) -> tuple[int, int]:
        """That the moment of one release is finite, and its loss, where no loss is large."""
        d, a = self.d, self.a
        given = [i for i in facts if not a.recursions.of(d.claim(i))]
        said = [*given, *(a.histories.basic.least_of(i) for i in given
                          if d.head(d.claim(i)) == "eq")]
        if not any(two[:2] == shape.pair for _, two in a.guarantees.points(said)):
            raise NotFound("no finite moment of one release")
        (body,) = d.kids(shape.whole)
        null = a.prove(d.mk("eq", a.dominated_moments._infinite(shape.pair), d.num(0)), given)
        return a.prove(d.mk("oiny", body), [*given, null]), null

    def _lemma(self, letter: int, shape: Shape, above: int, iny: int, null: int) -> Known:
        """V(m, a, b) = w(a, b) e^(m log M) for all whole m and all a, b >= 0."""
        d, a, zero, one = self.d, self.a, self.d.num(0), self.d.num(1)
        moments, releases = a.adaptive_moments, a.releases
        start = a.recursions.invariants.start
        # as it is written, for all numbers
        (uname, u), (vname, v) = d.fresh("R", "u"), d.fresh("R", "v")
        written = d.gen_all([(uname, "R"), (vname, "R")], a.prove(d.mk(
            "eq", start(letter, (u, v)), moments.value(u, v, shape.rate)), [above]))
        name, x = d.fresh("O", "x")
        at = [d.mk("dens", t, x) for t in shape.pair]
        each = d.gen(name, "O", d.at(written, at))
        same, iny = d.under("oint", each), d.onward(d.under("oiny", each), iny)
        least = d.at(moments.unit(), (*shape.pair, shape.rate), above, null, iny)
        positive = d.do("arith", d.mk("lt", zero, shape.whole), [least, same], [
            [one, [0]], [d.num(-1), [1]], [one, []]])
        value = a.loss_means.lemmas.value(shape.whole, positive)
        letters, points = releases.variables(letter)
        both = d.assume(d.conj([d.mk("le", zero, t) for t in points]))
        power = moments.value(points[0], points[1], shape.rate)

        def term(m: int) -> int:
            return d.mul(power, self._grown(shape, m))

        def claim(m: int) -> int:
            return d.for_all(letters, d.mk("imp", d.claim(both), d.mk(
                "eq", releases.value(letter, m, points), term(m))))

        def closed(i: int) -> int:
            return d.gen_all(letters, d.disch(d.claim(both), i))

        begun = d.chain(a.recursions.begun(letter, points), d.at(written, points))
        begun = d.chain(begun, d.do("arith", d.mk("eq", power, term(zero))))

        def step(isnat: int, known: int) -> int:
            equal = self._inside(letter, shape, Known(iny, same, value, known), points, both)[1]
            stepped = releases.stepped(letter, isnat, points)
            (m,) = d.kids(d.claim(isnat))
            now, less = releases.value(letter, d.add(m, one), points), d.neg(term(m))
            return closed(d.do("arith", d.mk("eq", now, term(d.add(m, one))), [
                stepped, equal, same, value], [
                [one, [0]], [one, [1]], [less, [2]], [less, [3]]]))

        return Known(iny, same, value, d.induction(claim, closed(begun), step))

    def _grown(self, shape: Shape, m: int) -> int:
        """e^(m log M)."""
        d = self.d
        return d.mk("exp", d.mul(m, d.mk("log", shape.whole)))

    def _inside(self, letter: int, shape: Shape, known: Known, points: Sequence[int], both: int
                ) -> tuple[int, int]:
        """iny_x V(m, a p, b q), and its integral, by V(m, ..) = w e^(m log M) at all factors."""
        d, a, one = self.d, self.a, self.d.num(1)
        moments = a.adaptive_moments
        name, x = d.fresh("O", "x")
        at = [d.mk("dens", t, x) for t in shape.pair]
        signs = d.parts(both)
        factors = [d.mul(u, p) for u, p in zip(points, at, strict=True)]
        weighted = [a.releases.weighted(t, x, i) for t, i in zip(shape.pair, signs, strict=True)]
        there = d.mp(d.at(known.lemma, factors), d.both(*weighted))
        (_, grown) = d.kids(d.kids(d.claim(there))[1])
        product = moments.pointwise(
            (points[0], at[0], points[1], at[1]), shape.rate,
            [*signs, *(j for t in at for j in a._positive(t))])[1]
        own, one_more = d.kids(d.kids(d.claim(product))[1])
        scale = d.mul(own, grown)
        point = d.do("arith", d.mk("eq", d.kids(d.claim(there))[0], d.mul(scale, one_more)), [
            there, product], [[one, [0]], [grown, [1]]])
        return moments.inner(point, (scale,), (known.iny,), name, x)

    # goals --------------------------------------------------------------------------------------

    def _converges(self, goal: int, letter: int, known: Known) -> int | None:
        """all l, a, b (nat l -> 0 <= a and 0 <= b -> iny_x V(l, a p(x), b q(x)))."""
        d = self.d
        shape = self.shape(letter)
        assert shape is not None
        letters, points = self.a.releases.variables(letter)
        name, m = d.fresh("R", "m")
        isnat = d.assume(d.mk("nat", m))
        both = d.assume(d.conj([d.mk("le", d.num(0), t) for t in points]))
        here = Known(known.iny, known.same, known.value, d.mp(d.inst(known.lemma, m), isnat))
        inside = self._inside(letter, shape, here, points, both)[0]
        found = d.gen_all([(name, "R"), *letters], d.disch(d.claim(isnat), d.disch(
            d.claim(both), inside)))
        return found if d.claim(found) == goal else None

    def _change(self, now: int, known: dict[int, Known], facts: Sequence[int]) -> int | None:
        """V(i, 1, 1) = e^(i log M), M^i = e^(i log M) or log e^x = x, for what is there."""
        d, one = self.d, self.d.num(1)
        for t in d.subterms(now):
            if d.b.loose[t]:
                continue
            head, kids = d.head(t), d.kids(t)
            if head == "log" and d.head(kids[0]) == "exp":
                return d.law("log of exp", d.mk("eq", t, d.kids(kids[0])[0]), *d.kids(kids[0]))
            if head != "app3":
                continue
            if kids[0] in known and kids[2:] == (one, one):
                return self._at_one(kids[0], known[kids[0]], kids[1], facts)
            for letter, one_of in known.items():
                if (power := self._power(kids[0], letter, one_of)) is not None:
                    return d.mp(d.inst(power, kids[1]), self.a.recursions.nat(kids[1], facts))
        return None

    def _at_one(self, letter: int, known: Known, index: int, facts: Sequence[int]) -> int:
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        isnat = self.a.recursions.nat(index, facts)
        above = d.do("arith", d.mk("le", zero, one), [], [[one, []]])
        found = d.mp(d.at(d.mp(d.inst(known.lemma, index), isnat), (one, one)), d.both(
            above, above))
        left, right = d.kids(d.claim(found))
        power, grown = d.kids(right)
        unit = self.a.prove(d.mk("eq", power, one))
        return d.do("arith", d.mk("eq", left, grown), [found, unit], [
            [one, [0]], [grown, [1]]])

    def _power(self, letter: int, of: int, known: Known) -> int | None:
        """all m (nat m -> b^m = e^(m log M)) for the function of a power of M; None: another."""
        key = letter, of
        if key not in self._powers or self._powers[key] is None:
            self._powers[key] = self._raised(letter, of, known)
        return self._powers[key]

    def _raised(self, letter: int, of: int, known: Known) -> int | None:
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        shape, r = self.shape(of), self.a.recursions
        if shape is None or r.invariants.points(letter):
            return None

        def at(m: int) -> int:
            return d.mk("app3", letter, m, zero, zero)

        _, index = d.fresh("R", "m")
        begun, general = r.rules[letter]
        then = d.kids(d.b.open(d.kids(d.claim(general))[0], index))[1]
        if d.claim(begun) != d.mk("eq", at(zero), one) or then != d.mk(
                "eq", at(d.add(index, one)), d.mul(at(index), shape.whole)):
            return None

        def claim(m: int) -> int:
            return d.mk("eq", at(m), self._grown(shape, m))

        def step(isnat: int, before: int) -> int:
            (m,) = d.kids(d.claim(isnat))
            stepped = d.mp(d.inst(general, m), isnat)
            return d.do("arith", claim(d.add(m, one)), [stepped, before, known.value], [
                [one, [0]], [shape.whole, [1]], [d.neg(self._grown(shape, m)), [2]]])

        start = d.do("arith", claim(zero), [begun], [[one, [0]]])
        return d.induction(claim, start, step)

    def _settled(self, last: int, goal: int, known: dict[int, Known], facts: Sequence[int]) -> int:
        """What is left, by facts about log M times the number of releases."""
        d, a = self.d, self.a
        if last == goal or a.recursions.of(last):
            raise NotFound("functions are left")
        _, x = d.fresh("O", "x")
        plain = a.loss_means.plain(facts)
        counts = []
        for i in facts:
            if d.head(d.claim(i)) == "nat":
                (n,) = d.kids(d.claim(i))
                counts.append(d.mp(d.do("natural", d.mk("imp", d.claim(i), d.mk(
                    "le", d.num(0), n))), i))
        logs = {d.mk("log", shape.whole) for t in known if (shape := self.shape(t)) is not None}
        made = []
        for order in [*a.adaptive_moments.orders(facts), d.num(1)]:
            here = [a.adaptive_moments.at(i, order, x) for i in facts if a._speaks(d.claim(i))]
            for i in a.released([*plain, *here]):
                if d.head(d.claim(i)) in ("le", "eq") and logs & set(d.subterms(d.claim(i))):
                    made += self._counted(i, counts)
        try:
            return a.by_arithmetic(last, [*made, *counts, *plain])
        except NotFound:
            return self._for_one(last, counts, facts)

    def _for_one(self, last: int, counts: Sequence[int], facts: Sequence[int]) -> int:
        """n s <= n t from s <= t of one release."""
        d, a = self.d, self.a
        given = [i for i in facts if not a.recursions.of(d.claim(i))]
        if d.head(last) != "le" or not any(a._speaks(d.claim(i)) for i in given):
            raise NotFound("no bound for one release")
        for count in counts:
            n = d.kids(d.claim(count))[1]
            ((atom, _),) = next(iter(a.reader.read(n)))
            sides = [a.reader.read(t) for t in d.kids(last)]
            if any((atom, 1) not in m for f in sides for m in f):
                continue
            one = d.mk("le", *(a.terms.term({
                tuple(z for z in m if z != (atom, 1)): c for m, c in f.items()}, "R")
                for f in sides))
            return d.do("arith", last, [a.prove(one, given), count], [[d.num(1), [0, 1]]])
        raise NotFound("a bound that is not for one release times their number")

    def _counted(self, i: int, counts: Sequence[int]) -> list[int]:
        """n s <= n t from s <= t, for each number n of releases."""
        d, one = self.d, self.d.num(1)
        s, t = d.kids(d.claim(i))
        found = []
        for count in counts:
            n = d.kids(d.claim(count))[1]
            data = [[n, [0]]] if d.head(d.claim(i)) == "eq" else [[one, [0, 1]]]
            found.append(d.do("arith", d.mk(d.head(d.claim(i)), d.mul(n, s), d.mul(n, t)), [
                i, count], data))
        return found


__all__ = ["ReleaseMoments"]
