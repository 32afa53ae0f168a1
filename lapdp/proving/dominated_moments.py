"""Dominance of profiles gives an order of moments: E_q is an integral of the profile.

With r = q - 1 > 0 and H(t) = oint max(0, p - e^t q),

    oint p (p/q)^r = r (r + 1) lint H(t) e^(r t),

where one side converges if the other does.  So H1 <= H2 everywhere and a moment of the second pair
that is finite give that of the first pair, which is no larger; and the second loss is not infinite,
nor is the first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from lapdp.proving.bounded_losses import BoundedLosses
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.once import Once

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

Pair = tuple[int, int]


@dataclass(frozen=True)
class Order:
    """The fact that one profile is nowhere above another one."""

    fact: int
    low: Pair
    high: Pair


class DominatedMoments(Once):
    """Facts that dominance and a finite moment give, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        super().__init__()
        self.a, self.d = prover, prover.d
        self.bounded = BoundedLosses(prover, self)
        self._known: tuple[int, int] | None = None

    def enriched(self, facts: Sequence[int]) -> list[int]:
        """The facts, and for each finite moment of a pair that dominates: the one of the other
        pair is finite and no larger, and both losses are finite."""
        found = list(facts)
        if self.busy:
            return found
        orders = list(self._orders(facts)) if any(
            self.d.head(self.d.claim(i)) == "oiny" for i in facts) else []
        for order in orders:
            for moment, rate in self._moments(facts, order.high):
                found += self.once((order.fact, moment, frozenset(facts)), partial(
                    self._compared, order, moment, rate, facts))
        return found

    def infinite(self, goal: int, facts: Sequence[int]) -> int | None:
        """P1(Q1 = 0) <= P2(Q2 = 0) from dominance: the limits of the profiles at oo; None: another
        goal, or no such fact."""
        if self.d.head(goal) != "le" or self.busy:
            return None
        for order in self._orders(facts):
            masses = [self._infinite(pair) for pair in (order.low, order.high)]
            if goal == self.d.mk("le", *masses):
                self.busy = True
                try:
                    return self._limits(goal, order)
                except (NotFound, NeedSplit):
                    return None
                finally:
                    self.busy = False
        return None

    def _limits(self, goal: int, order: Order) -> int:
        d, one = self.d, self.d.num(1)
        ends = d.kids(goal)
        bodies, limits = [], []
        for pair, end in zip((order.low, order.high), ends, strict=True):
            body = self.a.guarantees.hinge(*pair, d.b.bound(0, "R"))
            bodies.append(body)
            limits.append(self.a.limits.tends(d.mk("tends", body, end), []))
        found = d.combined("add", limits[1], d.combined("mul", d.still(d.num(-1)), limits[0]))
        gap, end = d.kids(d.claim(found))
        # were the limit of the gap negative, so would be the gap
        below = d.assume(d.mk("lt", *ends[::-1]))
        size = d.neg(end)
        positive = d.do("arith", d.mk("lt", d.num(0), size), [below], [[one, [0]]])
        exists = d.mp(d.inst(d.onward(self.a.limits._near(gap, end), found), size), positive)
        name, k = d.fresh("R", "k")
        at = d.inst(d.assume(d.b.open(d.kids(d.claim(exists))[0], k)), k)
        close = d.mp(at, d.do("arith", d.mk("le", k, k)))
        false = self.a.refute([close, d.inst(order.fact, k)])
        return d.unless(goal, d.do("choose", d.claim(false), [exists, false], [name, "R"]))

    def _orders(self, facts: Sequence[int]) -> Iterator[Order]:
        """Facts ``all t: H1(t) <= H2(t)`` about letters."""
        d = self.d
        for i in facts:
            if d.head(d.claim(i)) != "allR":
                continue
            t = d.b.letter("t'", "R")
            at = d.b.open(d.kids(d.claim(i))[0], t)
            if d.head(at) != "le":
                continue
            pairs = [self.a.guarantees._profile(s) for s in d.kids(at)]
            if all(p is not None and p[2] == t and {d.head(m) for m in p[:2]} == {"v"}
                   for p in pairs):
                low, high = ((p[0], p[1]) for p in pairs if p is not None)
                if not {*low} & {*high}:
                    yield Order(i, low, high)

    def _moments(self, facts: Sequence[int], pair: Pair) -> Iterator[tuple[int, int]]:
        """Facts ``oiny f`` about a power of p/q, and r."""
        d = self.d
        for i in facts:
            if d.head(d.claim(i)) == "oiny" and {*self.a.masses(d.claim(i))} == {*pair}:
                (f,) = d.kids(d.claim(i))
                if (r := self.rate(f, pair)) is not None:
                    yield i, r

    def rate(self, f: int, pair: Pair) -> int | None:
        """r for a body with the power (p/q)^r in it."""
        d = self.d
        p, q = (d.mk("dens", d.b.lift(m), d.b.bound(0, "O")) for m in pair)
        loss = d.sub(d.mk("log", p), d.mk("log", q))
        for t in d.subterms(f):
            if d.head(t) == "exp" and d.head(d.kids(t)[0]) == "mul" and (
                    d.kids(d.kids(t)[0])[1] == loss) and not d.b.loose[d.kids(d.kids(t)[0])[0]]:
                return d.kids(d.kids(t)[0])[0]
        return None

    # one pair -----------------------------------------------------------------------------------

    def _power(self, pair: Pair, r: int) -> int:
        """p (p/q)^r where p, q > 0, and 0 elsewhere, as the body of a binder."""
        d, zero = self.d, self.d.num(0)
        p, q = (d.mk("dens", m, d.b.bound(0, "O")) for m in pair)
        value = d.mul(p, d.mk("exp", d.mul(d.b.lift(r), d.sub(d.mk("log", p), d.mk("log", q)))))
        return d.mk("if", d.mk("lt", zero, p), d.mk("if", d.mk("lt", zero, q), value, zero), zero)

    def _infinite(self, pair: Pair) -> int:
        """The mass of p where q = 0."""
        d, zero = self.d, self.d.num(0)
        p, q = (d.mk("dens", m, d.b.bound(0, "O")) for m in pair)
        return d.mk("oint", d.mk("if", d.mk("eq", q, zero), p, zero))

    def _weighted(self, pair: Pair, r: int) -> int:
        """H(t) e^(r t), as the body of a binder."""
        d = self.d
        t = d.b.bound(0, "R")
        return d.mul(self.a.guarantees.hinge(*pair, t), d.mk("exp", d.mul(d.b.lift(r), t)))

    def _lemma(self) -> tuple[int, int]:
        """For all p, q, and r > 0: a finite moment gives a transform that converges; and that gives
        a finite moment, no infinite loss, and the equation."""
        if self._known is None:
            d, a = self.d, self.a
            zero, one = d.num(0), d.num(1)
            names, (p, q) = zip(*(d.fresh("D", n) for n in "pq"), strict=True)
            pair: Pair = (p, q)
            name, r = d.fresh("R", "r")
            above = d.mk("lt", zero, r)
            f, w = self._power(pair, r), self._weighted(pair, r)
            line = d.mk("liny", w)
            finite = d.mk("eq", self._infinite(pair), zero)
            value = d.mul(r, d.add(r, one), d.mk("lint", w))
            ways = (([above, d.mk("oiny", f), finite], line),
                    ([above, line], d.conj([d.mk("oiny", f), finite, d.mk(
                        "eq", d.mk("oint", f), value)])))
            found = []
            for given, goal in ways:
                i = a.prove(goal, a.released([d.assume(g) for g in given]))
                i = d.disch_all(given, i)
                found.append(d.gen_all([(names[0], "D"), (names[1], "D"), (name, "R")], i))
            self._known = found[0], found[1]
        return self._known

    def plainly(self, f: int, pair: Pair, r: int, facts: Sequence[int]) -> int:
        """For all x: the body of a moment as it is written is p (p/q)^r."""
        d, a = self.d, self.a
        name, x = d.fresh("O", "x")
        at = d.mk("eq", *(d.b.open(t, x) for t in (f, self._power(pair, r))))
        return d.gen(name, "O", a.prove(at, a._closed([*facts, *a._positive(at)])))

    # two pairs ----------------------------------------------------------------------------------

    def _compared(self, order: Order, moment: int, r: int, facts: Sequence[int]) -> list[int]:
        d, a = self.d, self.a
        zero, one = d.num(0), d.num(1)
        plain = [i for i in facts if not a._speaks(d.claim(i))
                 and d.head(d.claim(i)) in ("lt", "le", "eq", "not")]
        above = a.positive(r, plain)
        if above is None:
            raise NotFound("an order below 1")
        low, high = order.low, order.high
        (f2,) = d.kids(d.claim(moment))
        f1 = self._exchanged(f2, high, low)
        same1, same2 = (self.plainly(f, pair, r, plain) for f, pair in ((f1, low), (f2, high)))
        w1, w2 = (self._weighted(pair, r) for pair in (low, high))
        there, back = self._lemma()
        finite = a.prove(d.mk("eq", self._infinite(high), zero), facts)
        liny = d.at(there, (*high, r), above, d.onward(d.under("oiny", same2), moment), finite)
        # the transform of the first pair lies below
        name, t = d.fresh("R", "t")
        less = d.inst(order.fact, t)
        size = d.mk("exp", d.mul(r, t))
        large = d.law("exp positive", d.mk("lt", zero, size), *d.kids(size))
        least = a.prove(d.mk("le", zero, d.kids(d.claim(less))[0]))
        at1, at2 = (d.b.open(w, t) for w in (w1, w2))
        below = d.do("arith", d.mk("le", at1, at2), [less, large], [[one, [0, 1]]])
        other = d.do("arith", d.mk("le", d.neg(at1), at2), [least, less, large], [
            [d.num(2), [0, 2]], [one, [1, 2]]])
        rim = d.mk("abs", at1)
        bound = a.normal_sums.chosen(d.mk("le", rim, at2), rim, "abs", d.mk("le", zero, at1),
                                     [below, other], 1)
        mine = d.do("dominate", d.mk("liny", w1), [d.gen(name, "R", bound), liny])
        lines = d.do("mono", d.mk("le", d.mk("lint", w1), d.mk("lint", w2)), [
            d.gen(name, "R", below), mine, liny])
        # and so does its moment
        iny, none, value1 = d.parts(d.at(back, (*low, r), above, mine))
        value2 = d.parts(d.at(back, (*high, r), above, liny))[2]
        values = [d.chain(d.under("oint", same), value) for same, value in (
            (same1, value1), (same2, value2))]
        finds = d.taut(d.mk("oiny", f1), d.under("oiny", same1), iny)
        less = d.do("arith", d.mk("le", d.mk("oint", f1), d.mk("oint", f2)), [
            *values, lines, above], [
            [one, [0]], [d.num(-1), [1]], [one, [2, 3]], [one, [2, 3, 3]]])
        return [finds, none, less, finite]

    def _exchanged(self, f: int, old: Pair, new: Pair) -> int:
        """The body with one pair in the place of another one."""
        d = self.d
        return d.b.put(f, {(str(d.b.rows[p][1]), "D"): q for p, q in zip(old, new, strict=True)})
