"""Means of functions of the loss in order, for every pair, by tangents of e^y.

With y = log p - log q, where p, q > 0, and M(r) = oint p e^(r y), K = oint p y, for every number c:

    e^(s (y - c)) >= 1 + s (y - c)                                     M(s) >= e^(s K)   at c = K
    s e^(r (y - c)) <= r e^(s (y - c)) + s - r,  0 <= r <= s           M(r)^s <= M(s)^r
    s e^(-r (y - c)) + r e^(s (y - c)) >= s + r,  r, s >= 0            M(-r)^s M(s)^r >= 1

The second one is 1 + t <= e^t at -r (y - c) and at (s - r) (y - c), times e^(r (y - c)).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.line_sums import combined

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

Pair = tuple[int, int]


class LossMeanLemmas:
    """The lemmas, each derived once, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._lemmas: dict[str, int] = {}

    def value(self, moment: int, above: int) -> int:
        """e^(log M) = M."""
        d = self.d
        return d.mp(d.law("exp of log", d.mk("imp", d.claim(above), d.mk(
            "eq", d.mk("exp", d.mk("log", moment)), moment)), moment), above)

    def at(self, lemma: str, terms: Sequence[int], *given: int) -> int:
        if lemma not in self._lemmas:
            makers: dict[str, Callable[[], int]] = {
                "mean": self._mean_lemma, "loss": self._loss_lemma, "across": self._across_lemma,
                "tail": self._tail_lemma, "profile": self._profile_lemma,
                "mass le": lambda: self._mass_lemma("le"),
                "mass lt": lambda: self._mass_lemma("lt"),
                "power": lambda: self._power_lemma(1), "order": lambda: self._order_lemma(1),
                "inverse power": lambda: self._power_lemma(-1),
                "inverse order": lambda: self._order_lemma(-1)}
            self._lemmas[lemma] = makers[lemma]()
        return self.d.at(self._lemmas[lemma], terms, *given)

    def _setting(self, names: str) -> tuple[list[tuple[str, str]], Pair, list[int]]:
        """Letters p, q, and numbers of such names."""
        d = self.d
        sorts = (("p", "D"), ("q", "D"), *((n, "R") for n in names))
        made = [(*d.fresh(s, n), s) for n, s in sorts]
        p, q, *numbers = (t for _, t, _ in made)
        return [(n, s) for n, _, s in made], (p, q), numbers

    def _with_moment(self) -> tuple[list[tuple[str, str]], Pair, list[int], int, list[int]]:
        """Letters p, q, r, e, the moment M(r), and 0 < r, p(q = 0) = 0, oiny p e^(r y), 0 < M(r).
        """
        d, zero = self.d, self.d.num(0)
        letters, pair, (r, e) = self._setting("re")
        power = self.a.dominated_moments._power(pair, r)
        null, m = self.a.dominated_moments._infinite(pair), d.mk("oint", power)
        return letters, pair, [r, e], m, [d.assume(f) for f in (
            d.mk("lt", zero, r), d.mk("eq", null, zero), d.mk("oiny", power),
            d.mk("lt", zero, m))]

    def _closed_by(self, i: int, given: Sequence[int], letters: list[tuple[str, str]]) -> int:
        i = self.d.disch_all(map(self.d.claim, given), i)
        return self.d.gen_all(letters, i)

    def _mean_lemma(self) -> int:
        """all p, q, s: p(q = 0) = 0 -> oiny p y -> oiny p e^(s y) -> e^(s K) <= M(s)."""
        d, one = self.d, self.d.num(1)
        letters, pair, (s,) = self._setting("s")
        loss, power = self.loss(pair), self.a.dominated_moments._power(pair, s)
        given = [d.assume(f) for f in (d.mk("eq", self.a.dominated_moments._infinite(pair), d.num(
            0)), d.mk("oiny", loss), d.mk("oiny", power))]
        mean, moment = d.mk("oint", loss), d.mk("oint", power)
        name, c = d.fresh("R")
        size = d.mk("exp", d.mul(s, c))
        scales = one, d.neg(d.mul(size, d.sub(one, d.mul(s, c)))), d.neg(d.mul(size, s))
        support, mass = self._support(pair, given[0])

        def inside(p: int, q: int, above: Sequence[int]) -> list[int]:
            y = d.sub(d.mk("log", p), d.mk("log", q))
            tangent = self._tangent(d.sub(d.mul(s, y), d.mul(s, c)))
            large = d.law("exp positive", d.mk("lt", d.num(0), size), *d.kids(size))
            return [d.do("arith", d.mk("le", d.num(0), d.add(
                d.mul(p, d.mk("exp", d.mul(s, y))), d.mul(scales[1], p),
                d.mul(scales[2], p, y))), [tangent, large, above[0]], [[one, [0, 1, 2]]])]

        total = self._integrated(pair, scales, (given[2], support, given[1]), inside)
        line = d.mul(size, d.add(one, d.mul(s, d.sub(mean, c))))
        less = d.do("arith", d.mk("le", line, moment), [total, mass], [
            [one, [0]], [scales[1], [1]]])
        there = d.inst(d.gen(name, "R", less), mean)
        size = d.mk("exp", d.mul(s, mean))
        less = d.do("arith", d.mk("le", size, moment), [there], [[one, [0]]])
        return self._closed_by(less, given, letters)

    def _order_lemma(self, sign: int) -> int:
        """all p, q, r, s: 0 < r -> r <= s -> oiny p e^(s y) -> 0 < M(s) ->
        M(r) <= e^(r log M(s)/s); for the sign -1 the rates are -r and -s."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        letters, pair, (r, s) = self._setting("rs")
        rates = [t if sign > 0 else d.neg(t) for t in (r, s)]
        low, high = (self.a.dominated_moments._power(pair, t) for t in rates)
        m, n = d.mk("oint", low), d.mk("oint", high)
        given = [d.assume(f) for f in (d.mk("lt", zero, r), d.mk("le", r, s), d.mk("oiny", high),
                                       d.mk("lt", zero, n))]
        wide = d.do("arith", d.mk("lt", zero, s), given[:2], [[one, [0]], [one, [1]]])
        unit, under = d.reciprocal(wide)
        log = d.mk("log", n)
        name, c = d.fresh("R")
        iny = self.at("power" if sign > 0 else "inverse power", (*pair, r, s), *given[:3])
        up, down = d.mk("exp", d.mul(r, c)), d.mk("exp", d.neg(d.mul(s, c)))
        rest = d.do("arith", d.mk("le", zero, d.sub(s, r)), [given[1]], [[one, [0]]])
        scales = d.mul(r, up, down), d.mul(d.sub(s, r), up), d.neg(s)
        support, mass = self._support(pair, None)

        def inside(p: int, q: int, above: Sequence[int]) -> list[int]:
            y = d.sub(d.mk("log", p), d.mk("log", q))
            shift = d.mk("add", d.mul(d.num(sign), y), d.neg(c))
            laws = self._young(shift, r, s)
            large = d.law("exp positive", d.mk("lt", zero, up), *d.kids(up))
            a_, b_ = (d.mk("exp", d.mul(t, shift)) for t in (r, s))
            young = d.do("arith", d.mk("le", d.mul(s, a_), d.add(d.mul(r, b_), d.sub(s, r))), [
                *laws, given[0], rest], [[one, [0, 2, 3]], [one, [1, 2, 4]]])
            value = d.add(d.mul(scales[0], p, d.mk("exp", d.mul(rates[1], y))), d.mul(scales[1], p),
                          d.mul(scales[2], p, d.mk("exp", d.mul(rates[0], y))))
            return [d.do("arith", d.mk("le", zero, value), [young, large, above[0]],
                         [[one, [0, 1, 2]]])]

        total = self._integrated(pair, scales, (given[2], support, iny), inside)
        large = d.law("exp positive", d.mk("lt", zero, up), *d.kids(up))
        goal = d.mk("le", d.mul(s, m), d.mul(up, d.add(d.mul(r, down, n), d.sub(s, r))))
        less = d.do("arith", goal, [total, mass, rest, large], [[one, [0]], [one, [1, 2, 3]]])
        # e^(-s c) M(s) = 1 at c = log M(s)/s
        less = d.inst(d.gen(name, "R", less), d.mul(log, d.mk("inv", s)))
        c = d.mul(log, d.mk("inv", s))
        up, down = d.mk("exp", d.mul(r, c)), d.mk("exp", d.neg(d.mul(s, c)))
        value = self.value(n, given[3])
        turned = d.do("arith", d.mk("eq", d.neg(d.mul(s, c)), d.neg(log)), [unit], [
            [d.neg(log), [0]]])
        same = d.alike(down, turned)
        small = d.mk("exp", d.neg(log))
        once = d.do("arith", d.mk("eq", d.mul(small, n), one), [value], [[d.neg(small), [0]]])
        less = d.do("arith", d.mk("le", d.mul(s, m), d.mul(s, up)), [less, same, once], [
            [one, [0]], [d.mul(r, up, n), [1]], [d.mul(r, up), [2]]])
        goal = d.mk("le", m, up)
        return self._closed_by(d.do("arith", goal, [less, under, unit], [
            [one, [0, 1]], [d.sub(up, m), [2]]]), given, letters)

    def _power_lemma(self, sign: int) -> int:
        """all p, q, r, s: 0 < r -> r <= s -> oiny p e^(s y) -> oiny p e^(r y); for the sign -1 the
        rates are -r and -s."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        letters, pair, (r, s) = self._setting("rs")
        rates = [t if sign > 0 else d.neg(t) for t in (r, s)]
        low, high = (self.a.dominated_moments._power(pair, t) for t in rates)
        given = [d.assume(f) for f in (d.mk("lt", zero, r), d.mk("le", r, s), d.mk("oiny", high))]
        wide = d.do("arith", d.mk("lt", zero, s), given[:2], [[one, [0]], [one, [1]]])
        unit, under = d.reciprocal(wide)
        inverse = d.mk("inv", s)
        p_, _ = self._densities(pair)
        scales = d.mul(inverse, r), one
        top, _ = combined(d, scales, (given[2], d.parts(self.a.mass_one(p_))[0]))
        rest = d.do("arith", d.mk("le", zero, d.sub(s, r)), [given[1]], [[one, [0]]])

        def inside(p: int, q: int, above: Sequence[int]) -> list[int]:
            y = d.sub(d.mk("log", p), d.mk("log", q))
            shift = d.mul(d.num(sign), y)
            laws = self._young(shift, r, s)
            a_, b_ = (d.mk("exp", d.mul(t, y)) for t in rates)
            young = d.do("arith", d.mk("le", d.mul(s, a_), d.add(d.mul(r, b_), d.sub(s, r))), [
                *laws, given[0], rest], [[one, [0, 2, 3]], [one, [1, 2, 4]]])
            bound = d.add(d.mul(scales[0], p, b_), d.mul(one, p))
            # s (A - r B/s - 1) <= -r
            less = d.do("arith", d.mk("le", d.mul(p, a_), bound), [
                young, under, above[0], unit, given[0]], [
                [one, [0, 1, 2]], [d.mul(p, d.sub(one, a_)), [3]], [one, [1, 2, 4]]])
            least = d.do("arith", d.mk("le", zero, d.mul(p, a_)), [above[0], d.law(
                "exp positive", d.mk("lt", zero, a_), *d.kids(a_))], [[one, [0, 1]]])
            return [less, least]

        (body,) = d.kids(d.claim(top))
        found = self._beneath(pair, low, body, inside)
        return self._closed_by(d.do("dominate", d.mk("oiny", low), [found, top]), given, letters)

    def _young(self, y: int, r: int, s: int) -> list[int]:
        """The tangents of e^(-r y) and of e^((s - r) y), and 0 < e^(r y)."""
        d = self.d
        size = d.mk("exp", d.mul(r, y))
        return [self._tangent(d.mul(d.sub(s, r), y)), self._tangent(d.neg(d.mul(r, y))),
                d.law("exp positive", d.mk("lt", d.num(0), size), *d.kids(size))]

    def _loss_lemma(self) -> int:
        """all p, q, s: 0 < s -> oiny p e^(s y) -> oiny p y."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        letters, pair, (s,) = self._setting("s")
        loss, power = self.loss(pair), self.a.dominated_moments._power(pair, s)
        given = [d.assume(f) for f in (d.mk("lt", zero, s), d.mk("oiny", power))]
        unit, under = d.reciprocal(given[0])
        inverse = d.mk("inv", s)
        _, q_ = self._densities(pair)
        top, _ = combined(d, (inverse, one), (given[1], d.parts(self.a.mass_one(q_))[0]))

        def inside(p: int, q: int, above: Sequence[int]) -> list[int]:
            y = d.sub(d.mk("log", p), d.mk("log", q))
            value, power = d.mul(p, y), d.mul(p, d.mk("exp", d.mul(s, y)))
            bound = d.add(d.mul(inverse, power), d.mul(one, q))
            less = d.do("arith", d.mk("le", value, bound), [
                self._tangent(d.mul(s, y)), under, above[0], above[1], unit], [
                [one, [0, 1, 2]], [one, [1, 2]], [one, [3]], [d.neg(d.mul(p, y)), [4]]])
            turned = self.a.identity(d.mk("eq", d.mul(p, d.mk("exp", d.neg(y))), q), [
                i for t, i in zip((p, q), above, strict=True)
                for i in (i, self.value(t, i))])
            large = d.law("exp positive", d.mk("lt", zero, d.mk("exp", d.mul(s, y))), d.mul(s, y))
            more = d.do("arith", d.mk("le", d.neg(value), bound), [
                self._tangent(d.neg(y)), above[0], turned, under, large], [
                [one, [0, 1]], [one, [1]], [one, [2]], [one, [1, 3, 4]]])
            return [less, more]

        (body,) = d.kids(d.claim(top))
        found = self._beneath(pair, loss, body, inside)
        return self._closed_by(d.do("dominate", d.mk("oiny", loss), [found, top]), given, letters)

    def _across_lemma(self) -> int:
        """all p, q, r, s: 0 < r -> 0 < s -> p(q = 0) = 0 -> oiny p e^(-r y) -> oiny p e^(s y) ->
        0 < M(-r) -> e^(-s log M(-r)/r) <= M(s)."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        letters, pair, (r, s) = self._setting("rs")
        low, high = (self.a.dominated_moments._power(pair, t) for t in (d.neg(r), s))
        m, n = d.mk("oint", low), d.mk("oint", high)
        given = [d.assume(f) for f in (
            d.mk("lt", zero, r), d.mk("lt", zero, s), d.mk("eq", self.a.dominated_moments._infinite(
                pair), zero), d.mk("oiny", low), d.mk("oiny", high), d.mk("lt", zero, m))]
        unit, under = d.reciprocal(given[0])
        log = d.mk("log", m)
        name, c = d.fresh("R")
        up, down = d.mk("exp", d.mul(r, c)), d.mk("exp", d.neg(d.mul(s, c)))
        scales = d.mul(s, up), d.mul(r, down), d.neg(d.add(r, s))
        support, mass = self._support(pair, given[2])

        def inside(p: int, q: int, above: Sequence[int]) -> list[int]:
            y = d.sub(d.mk("log", p), d.mk("log", q))
            shift = d.sub(y, c)
            value = d.add(d.mul(scales[0], p, d.mk("exp", d.mul(d.neg(r), y))), d.mul(
                scales[1], p, d.mk("exp", d.mul(s, y))), d.mul(scales[2], p))
            return [d.do("arith", d.mk("le", zero, value), [
                self._tangent(d.neg(d.mul(r, shift))), self._tangent(d.mul(s, shift)), above[0],
                *given[:2]], [[one, [0, 2, 4]], [one, [1, 2, 3]]])]

        total = self._integrated(pair, scales, (given[3], given[4], support), inside)
        goal = d.mk("le", d.add(r, s), d.add(d.mul(s, up, m), d.mul(r, down, n)))
        less = d.do("arith", goal, [total, mass], [[one, [0]], [scales[2], [1]]])
        place = d.neg(d.mul(log, d.mk("inv", r)))
        less, c = d.inst(d.gen(name, "R", less), place), place
        up, down = d.mk("exp", d.mul(r, c)), d.mk("exp", d.neg(d.mul(s, c)))
        turned = d.do("arith", d.mk("eq", d.mul(r, c), d.neg(log)), [unit], [[d.neg(log), [0]]])
        same, small = d.alike(up, turned), d.mk("exp", d.neg(log))
        once = d.do("arith", d.mk("eq", d.mul(small, m), one), [self.value(m, given[5])],
                    [[d.neg(small), [0]]])
        less = d.do("arith", d.mk("le", r, d.mul(r, down, n)), [less, same, once], [
            [one, [0]], [d.mul(s, m), [1]], [s, [2]]])
        size = d.mk("exp", d.mul(s, c))
        large = d.law("exp positive", d.mk("lt", zero, size), *d.kids(size))
        found = d.do("arith", d.mk("le", size, n), [less, under, large, unit], [
            [one, [0, 1, 2]], [d.sub(n, size), [3]]])
        return self._closed_by(found, given, letters)

    def _tail_lemma(self) -> int:
        """all p, q, r, e: 0 < r -> p(q = 0) = 0 -> oiny p e^(r y) -> 0 < M(r) -> delta(e) <=
        e^(log M(r) + r log r - (r + 1) log(r + 1) - r e), and <= e^(log M(r) - r e)."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        letters, pair, (r, e), m, given = self._with_moment()
        more = d.add(r, one)
        wide = d.do("arith", d.mk("lt", zero, more), [given[0]], [[one, []], [one, [0]]])
        logs = d.mk("log", r), d.mk("log", more)
        values = self.value(r, given[0]), self.value(more, wide)
        best = d.sub(d.mul(r, logs[0]), d.mul(more, logs[1]))
        scale = d.mk("exp", d.sub(best, d.mul(r, e)))
        least = d.law("exp positive", d.mk("lt", zero, scale), *d.kids(scale))

        def inside(p: int, q: int, above: Sequence[int]) -> list[int]:
            y, ratio = d.sub(d.mk("log", p), d.mk("log", q)), d.sub(logs[1], logs[0])
            z = d.sub(d.sub(y, e), ratio)
            turned = self.a.identity(d.mk("eq", d.mul(p, d.mk("exp", d.neg(y))), q), [
                i for t, i in zip((p, q), above, strict=True) for i in (i, self.value(t, i))])
            # r e^m = r + 1 and k (r + 1) = 1
            grown = d.mk("exp", ratio)
            rates = d.do("arith", d.mk("eq", d.mul(r, grown), more), values, [
                [d.neg(grown), [0]], [one, [1]]])
            k, size = d.mk("exp", d.neg(logs[1])), d.mk("exp", e)
            unit = d.do("arith", d.mk("eq", d.mul(k, more), one), [values[1]], [[d.neg(k), [0]]])
            moved = d.do("arith", d.mk("eq", d.mul(r, p, d.mk("exp", d.neg(z))), d.mul(
                more, size, q)), [turned, rates], [[d.mul(r, size, grown), [0]], [
                    d.mul(size, q), [1]]])
            value = d.mul(scale, p, d.mk("exp", d.mul(r, y)))
            line = d.sub(p, d.mul(size, q))
            less = d.do("arith", d.mk("le", line, value), [
                self._tangent(d.mul(r, z)), self._tangent(d.neg(z)), above[0], given[0], d.law(
                    "exp positive", d.mk("lt", zero, k), *d.kids(k)), moved, unit], [
                [one, [0, 2, 4]], [one, [1, 2, 3, 4]], [k, [5]], [d.neg(line), [6]]])
            high = d.mk("exp", d.mul(r, y))
            return [less, d.do("arith", d.mk("le", zero, value), [above[0], least, d.law(
                "exp positive", d.mk("lt", zero, high), *d.kids(high))], [[one, [0, 1, 2]]])]

        sharp = self._below(pair, self.a.guarantees.hinge(*pair, e), scale, given, inside)
        low = d.do("arith", d.mk("le", best, zero), [
            self._ordered_logs(r, more, given[0], values), self._above_one(more, wide, given[0]),
            given[0]], [[one, [0, 2]], [one, [1]]])
        log = d.mk("log", m)
        exponents = [d.sub(t, d.mul(r, e)) for t in (d.add(log, best), log)]
        powers = [d.mk("exp", t) for t in exponents]
        same = self.value(m, given[3])
        first = d.do("arith", d.mk("le", d.kids(d.claim(sharp))[0], powers[0]), [sharp, same], [
            [one, [0]], [d.neg(scale), [1]]])
        order = d.do("arith", d.mk("le", *exponents), [low], [[one, [0]]])
        grown = d.onward(self.a.grows("le", *exponents), order)
        second = d.do("arith", d.mk("le", d.kids(d.claim(sharp))[0], powers[1]), [first, grown], [
            [one, [0]], [one, [1]]])
        return self._closed_by(d.both(second, first), given, letters)

    def _profile_lemma(self) -> int:
        """all p, q, e: oiny max(0, p - e^e q)."""
        letters, pair, (e,) = self._setting("e")
        p, _ = self._densities(pair)
        (body,) = self.d.kids(self.a.guarantees.hinge(*pair, e))
        whole = self.d.parts(self.a.mass_one(p))[0]
        return self._closed_by(self._beneath_density(body, p, whole), [], letters)

    def _ordered_logs(self, r: int, more: int, above: int, values: Sequence[int]) -> int:
        """log r <= log(r + 1)."""
        d, one = self.d, self.d.num(1)
        logs = d.mk("log", r), d.mk("log", more)
        less = d.do("arith", d.mk("le", *(d.mk("exp", t) for t in logs)), list(values), [
            [one, []], [one, [0]], [d.num(-1), [1]]])
        return d.taut(d.mk("le", *logs), self.a.grows("le", *logs), less)

    def _above_one(self, more: int, wide: int, above: int) -> int:
        """0 <= log(r + 1)."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        log = d.mk("log", more)
        start = self.a.identity(d.mk("eq", d.mk("exp", zero), one), [])
        less = d.do("arith", d.mk("le", d.mk("exp", zero), d.mk("exp", log)), [
            above, start, self.value(more, wide)], [[one, [0]], [one, [1]], [d.num(-1), [2]]])
        return d.taut(d.mk("le", zero, log), self.a.grows("le", zero, log), less)

    def mass(self, pair: Pair, e: int, order: str) -> int:
        """The mass under p of e^e q <= p, or with the order "lt" of e^e q < p."""
        d = self.d
        p, q = self._densities(pair)
        return d.mk("oint", d.mk("if", d.mk(order, d.mul(
            d.mk("exp", d.b.lift(e)), q), p), p, d.num(0)))

    def _mass_lemma(self, order: str) -> int:
        """all p, q, r, e: 0 < r -> p(q = 0) = 0 -> oiny p e^(r y) -> 0 < M(r) ->
        p(e^e q <= p) <= e^(log M(r) - r e); with the order "lt" p(e^e q < p)."""
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        letters, pair, (r, e), m, given = self._with_moment()
        scale = d.mk("exp", d.neg(d.mul(r, e)))

        def inside(p: int, q: int, above: Sequence[int]) -> list[int]:
            y, size = d.sub(d.mk("log", p), d.mk("log", q)), d.mk("exp", e)
            value = d.mul(scale, p, d.mk("exp", d.mul(r, y)))
            large = d.assume(d.mk(order, d.mul(size, q), p))
            low, high = d.add(e, d.mk("log", q)), d.mk("log", p)
            values = [self.value(t, i) for t, i in zip((p, q), above, strict=True)]
            ordered = d.do("arith", d.mk("le", d.mk("exp", low), d.mk("exp", high)), [
                large, *values], [[one, [0]], [d.num(-1), [1]], [size, [2]]])
            less = d.taut(d.mk("le", low, high), self.a.grows("le", low, high), ordered)
            # 1 <= e^(r (y - e)), a tangent at what is >= 0
            grown = d.do("arith", d.mk("le", p, value), [
                self._tangent(d.mul(r, d.sub(y, e))), less, given[0], above[0]], [
                [one, [0, 3]], [one, [1, 2, 3]]])
            least = d.do("arith", d.mk("le", zero, value), [above[0], *(d.law(
                "exp positive", d.mk("lt", zero, t), *d.kids(t)) for t in (
                    scale, d.mk("exp", d.mul(r, y))))], [[one, [0, 1, 2]]])
            return [d.disch(d.claim(large), grown), least]

        sharp = self._below(pair, self.mass(pair, e, order), scale, given, inside)
        power = d.mk("exp", d.sub(d.mk("log", m), d.mul(r, e)))
        return self._closed_by(d.do("arith", d.mk("le", d.kids(d.claim(sharp))[0], power), [
            sharp, self.value(m, given[3])], [[one, [0]], [d.neg(scale), [1]]]), given, letters)

    def _below(self, pair: Pair, whole: int, scale: int, given: Sequence[int],
               inside: Callable[[int, int, Sequence[int]], list[int]]) -> int:
        """oint f <= c M(r) where f <= c p e^(r y), which is >= 0, for p, q > 0; |f| <= p."""
        d, a, one = self.d, self.a, self.d.num(1)
        p, _ = self._densities(pair)
        null = d.kids(d.kids(d.claim(given[1]))[0])[0]
        (low,) = d.kids(whole)
        parts = [self._beneath_density(f, p, d.parts(a.mass_one(p))[0]) for f in (low, null)]
        top, total = combined(d, (scale, one), (given[2], parts[1]))
        (body,) = d.kids(d.claim(top))
        everywhere = self._everywhere(pair, lambda x: d.mk(
            "le", d.b.open(low, x), d.b.open(body, x)), inside, scale)
        less = d.do("mono", d.mk("le", whole, d.mk("oint", body)), [everywhere, parts[0], top])
        return d.do("arith", d.mk("le", whole, d.mul(scale, d.mk(
            "oint", *d.kids(d.claim(given[2]))))), [less, total, given[1]], [
            [one, [0]], [one, [1]], [one, [2]]])

    def _beneath_density(self, f: int, p: int, whole: int) -> int:
        """oiny f from |f| <= p."""
        d, a = self.d, self.a
        name, x = d.fresh("O", "x")
        at, px = d.b.open(f, x), d.b.open(p, x)
        return d.do("dominate", d.mk("oiny", f), [d.gen(name, "O", a.prove(d.mk(
            "le", d.mk("abs", at), px), a._positive(at))), whole])

    # integrals --------------------------------------------------------------------------------

    def _tangent(self, y: int) -> int:
        d = self.d
        return d.law("exp above tangent", d.mk("le", d.add(d.num(1), y), d.mk("exp", y)), y)

    def _support(self, pair: Pair, null: int | None) -> tuple[int, int]:
        """oiny of p where p, q > 0, and its integral is 1, or, without the null set, at most 1."""
        d, a = self.d, self.a
        p, _ = self._densities(pair)
        body = self._guarded(pair, p)
        whole, total = d.parts(a.mass_one(p))
        if null is not None:
            alike, same = a._alike_outside(body, p, [null])
            return d.taut(d.mk("oiny", body), alike, whole), d.chain(same, total)
        name, x = d.fresh("O", "x")
        at, px = d.b.open(body, x), d.b.open(p, x)
        iny = self._beneath_density(body, p, whole)
        less = d.do("mono", d.mk("le", d.mk("oint", body), d.mk("oint", p)), [
            d.gen(name, "O", a.prove(d.mk("le", at, px), a._positive(at))), iny, whole])
        return iny, d.replace(less, total)

    def _integrated(self, pair: Pair, scales: Sequence[int], inys: Sequence[int],
                    inside: Callable[[int, int, Sequence[int]], list[int]]) -> int:
        """0 <= c oint f + .. from what holds where p, q > 0."""
        d, a = self.d, self.a
        iny, total = combined(d, scales, inys)
        (body,) = d.kids(d.claim(iny))
        nothing, none = d.parts(a.nothing("oint", "R"))
        zero = d.num(0)
        everywhere = self._everywhere(pair, lambda x: d.mk("le", zero, d.b.open(body, x)), inside)
        less = d.do("mono", d.mk("le", d.mk("oint", zero), d.mk("oint", body)),
                    [everywhere, nothing, iny])
        return d.do("arith", d.mk("le", zero, d.kids(d.claim(total))[1]), [less, total, none], [
            [d.num(1), [0]], [d.num(1), [1]], [d.num(-1), [2]]])

    def _beneath(self, pair: Pair, f: int, g: int,
                 inside: Callable[[int, int, Sequence[int]], list[int]]) -> int:
        """all x: |f| <= g from what holds where p, q > 0."""
        d = self.d
        return self._everywhere(pair, lambda x: d.mk(
            "le", d.mk("abs", d.b.open(f, x)), d.b.open(g, x)), inside)

    def _everywhere(self, pair: Pair, goal: Callable[[int], int],
                    inside: Callable[[int, int, Sequence[int]], list[int]],
                    scale: int | None = None) -> int:
        """all x: the goal, from what holds where p, q > 0; a scale is any number for that."""
        d, a = self.d, self.a
        name, x = d.fresh("O", "x")
        at = goal(x)
        p, q = (d.mk("dens", m, x) for m in pair)
        above = [d.assume(d.mk("lt", d.num(0), t)) for t in (p, q)]
        known = [d.disch(d.claim(above[0]), d.disch(d.claim(above[1]), i))
                 for i in inside(p, q, above)]
        if scale is None:
            return d.gen(name, "O", a.prove(at, a._closed([*a._positive(at), *known])))
        letter, c = d.fresh("R")
        at, *formulas = (d.b.open(d.hole(f, scale), c) for f in (at, *map(d.claim, known)))
        found = a.prove(at, a._closed([*a._positive(at), *map(d.assume, formulas)]))
        found = d.disch_all(formulas, found)
        found = d.inst(d.gen(letter, "R", found), scale)
        for i in known:
            found = d.mp(found, i)
        return d.gen(name, "O", found)

    def loss(self, pair: Pair) -> int:
        """p y, where p, q > 0, and 0 elsewhere, as the body of a binder."""
        d = self.d
        p, q = self._densities(pair)
        return self._guarded(pair, d.mul(p, d.sub(d.mk("log", p), d.mk("log", q))))

    def _densities(self, pair: Pair) -> list[int]:
        d = self.d
        return [d.mk("dens", d.b.lift(m), d.b.bound(0, "O")) for m in pair]

    def _guarded(self, pair: Pair, value: int) -> int:
        d, zero = self.d, self.d.num(0)
        p, q = self._densities(pair)
        return d.mk("if", d.mk("lt", zero, p), d.mk("if", d.mk("lt", zero, q), value, zero), zero)
