"""Moments and mean losses where a density stands in the place of one that it bounds.

With L = log p - log q, r > 0 and q' <= e^c q, or p <= e^c p', almost everywhere:

    p (p/q)^r <= e^(r c) p (p/q')^r        p (p/q)^r <= e^((r + 1) c) p' (p'/q)^r
    p L <= p (log p - log q') + c p,       p L >= p - q

so a finite value of the one pair gives one of the other, and no infinite loss: a step of pure
privacy before or after a step of Renyi's.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from lapdp.kernel.polynomials import plus, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.lettered import with_letters
from lapdp.proving.line_sums import combined
from lapdp.proving.once import Once

if TYPE_CHECKING:
    from lapdp.proving.loss_mean_lemmas import Pair
    from lapdp.proving.loss_means import Mean
    from lapdp.proving.space import Prover


class Bound(NamedTuple):
    """low <= e^c high almost everywhere, by a fact."""

    low: int
    high: int
    c: int
    fact: int


class Replaced(Once):
    """Facts about pairs of three distributions, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        super().__init__()
        self.a, self.d = prover, prover.d
        self._lemmas: dict[str, int] = {}

    def enriched(self, facts: Sequence[int]) -> list[int]:
        """The facts, and for each finite value of a pair and bound of one density: what follows of
        the pair with the other density."""
        d, found = self.d, list(facts)
        three = {x for i in facts for x in d.b.letters[d.claim(i)] if x[1] == "D"}
        if self.busy or len(three) < 3 or not any(d.head(d.claim(i)) == "oiny" for i in facts):
            return found
        for bound in self._bounds(facts):
            for i in facts:
                mean = self._finite(i)
                if mean is None:
                    continue
                found += self.once((bound, i, frozenset(facts)), partial(
                    self._step, mean, bound, facts))
        return found

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """An inequality between logarithms of moments of two such pairs; None: another goal, or not
        found."""
        d, a = self.d, self.a
        if self.busy or d.head(goal) != "le" or d.b.sorts[d.kids(goal)[0]] != "R":
            return None
        gap = plus(a.reader.read(d.kids(goal)[1]), a.reader.read(d.kids(goal)[0]), -1)
        means = []
        for atom in dict.fromkeys(x for m in gap for x, _ in m):
            t = a.terms.term({((atom, 1),): 1}, "R")
            mean = a.loss_means.mean(d.kids(t)[0]) if d.head(t) == "log" else None
            if mean is not None and mean.rate is not None:
                means.append(mean)
            elif a._speaks(t):
                return None
        if len(means) != 2 or means[0].pair == means[1].pair:
            return None
        self.busy = True
        try:
            for bound in self._bounds(facts):
                for low, high in (means, means[::-1]):
                    if self._place(high.pair, bound, low.pair) is not None:
                        return self._in_logarithms(goal, (low, high), bound, facts)
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False
        return None

    # what is read -------------------------------------------------------------------------------

    def _finite(self, i: int) -> Mean | None:
        d = self.d
        if d.head(d.claim(i)) != "oiny" or d.b.sorts[d.kids(d.claim(i))[0]] != "R":
            return None
        return self.a.loss_means.mean(d.mk("oint", *d.kids(d.claim(i))))

    def _bounds(self, facts: Sequence[int]) -> Iterator[Bound]:
        """Facts oint max(0, p - e^c q) = 0, whichever way the difference is written."""
        d, a, zero = self.d, self.a, self.d.num(0)
        for i in facts:
            if d.head(d.claim(i)) != "eq" or d.kids(d.claim(i))[1] != zero or d.head(
                    s := d.kids(d.claim(i))[0]) != "oint" or d.head(d.kids(s)[0]) != "max":
                continue
            _, x = d.fresh("O", "x")
            none, h = d.kids(d.b.open(d.kids(s)[0], x))
            weights = a.joint_convexity._weights(a.reader.read(h), x) if none == zero else None
            if weights is None or len(weights) != 2:
                continue
            for low, high in (tuple(weights), tuple(weights)[::-1]):
                size = a.terms.term(times(weights[high], {(): -1}), "R")
                if weights[low] == {(): 1} and d.head(size) == "exp":
                    yield Bound(low, high, d.kids(size)[0], i)

    def _place(self, known: Pair, bound: Bound, wanted: Pair | None = None) -> int | None:
        """Which density of a pair a bound replaces, 0 or 1; None: it is no bound for it."""
        for k, (old, new) in enumerate(((bound.high, bound.low), (bound.low, bound.high))):
            pair = self._pair(known, k, new)
            if known[k] == old and pair[0] != pair[1] and wanted in (None, pair):
                return k
        return None

    def _pair(self, known: Pair, k: int, new: int) -> Pair:
        return (new, known[1]) if k == 0 else (known[0], new)

    # what follows -------------------------------------------------------------------------------

    def _at(self, mean: Mean, bound: Bound, facts: Sequence[int]) -> tuple[Pair, int, list[int]]:
        """The other pair, the rate, and of its plain functions: no infinite loss, oiny, bound."""
        d, a = self.d, self.a
        k = self._place(mean.pair, bound)
        if k is None or (k == 0 and mean.rate is None):
            raise NotFound("no density to replace")
        pair = self._pair(mean.pair, k, bound.high if k else bound.low)
        null = a.loss_means.null(mean.pair, facts)
        none = a.prove(d.mk("eq", a.guarantees.hinge(bound.low, bound.high, bound.c), d.num(0)),
                       [bound.fact])
        densities = (*mean.pair, pair[k])
        iny, _ = a.loss_means.finite(mean, mean.rate, facts)
        if mean.rate is None:
            return pair, 0, d.parts(d.at(self._lemma("loss"), (*densities, bound.c), none, null,
                                         iny))
        above = a.loss_means._sign(mean.rate, a.loss_means.plain(facts))
        lemma = self._lemma("second" if k else "first")
        return pair, mean.rate, d.parts(d.at(
            lemma, (*densities, mean.rate, bound.c), above, none, null, iny))

    def _step(self, mean: Mean, bound: Bound, facts: Sequence[int]) -> list[int]:
        d, a = self.d, self.a
        pair, rate, (null, iny, less) = self._at(mean, bound, facts)
        if mean.rate is None:
            return [null, iny, less]
        plain = a.loss_means.plain(facts)
        (f,) = d.kids(mean.whole)
        names = {(str(d.b.rows[old][1]), "D"): new for old, new in zip(
            mean.pair, pair, strict=True) if old != new}
        other = d.b.put(f, names)
        here, there = (a.dominated_moments.plainly(g, two, rate, plain)
                       for g, two in ((other, pair), (f, mean.pair)))
        for same in (here, there):
            less = d.replace(less, d.turn(d.under("oint", same)))
        return [null, d.taut(d.mk("oiny", other), d.under("oiny", here), iny), less]

    def _in_logarithms(self, goal: int, means: tuple[Mean, Mean], bound: Bound,
                       facts: Sequence[int]) -> int:
        """log M <= k + log N from M <= e^k N."""
        d, a = self.d, self.a
        _, rate, (_, _, less) = self._at(means[1], bound, facts)
        plain, one = a.loss_means.plain(facts), d.num(1)
        sames = [d.under("oint", a.loss_means._as_power(m, plain, rate)) for m in means]
        above = [d.replace(a.prove(d.mk("lt", d.num(0), m.whole), facts), same)
                 for m, same in zip(means, sames, strict=True)]
        m, bounded = d.kids(d.claim(less))
        power, n = d.kids(bounded)
        log = d.mk("log", n)
        exponent = d.add(*d.kids(power), log)
        value = a.loss_means.lemmas.value(n, above[1])
        whole = d.do("arith", d.mk("le", m, d.mk("exp", exponent)), [less, value], [
            [one, [0]], [d.neg(power), [1]]])
        order = a.loss_means._below(whole, above[0])
        for same in sames:
            order = d.replace(order, d.turn(same))
        return a.by_arithmetic(goal, [*plain, *a.loss_means._signed([order], [rate], plain)])

    # lemmas -------------------------------------------------------------------------------------

    def _lemma(self, kind: str) -> int:
        if kind not in self._lemmas:
            self._lemmas[kind] = self._derived(kind)
        return self._lemmas[kind]

    def _derived(self, kind: str) -> int:
        """all p, q, n, (r,) c: (0 < r ->) bound -> null(p, q) -> oiny f -> null' and oiny f' and
        oint f' <= .. oint f, where n is in the place of q, or of p."""
        d, a, zero, one = self.d, self.a, self.d.num(0), self.d.num(1)
        made = [(*d.fresh(s, n), s) for n, s in (
            ("p", "D"), ("q", "D"), ("n", "D"), *([] if kind == "loss" else [("r", "R")]),
            ("c", "R"))]
        letters, terms = [(n, s) for n, _, s in made], [t for _, t, _ in made]
        (p, q, new), c, r = terms[:3], terms[-1], terms[3]
        old, now = (p, q), (new, q) if kind == "first" else (p, new)
        low, high = (new, p) if kind == "first" else (q, new)
        power, moments = a.dominated_moments._power, a.dominated_moments
        f, g = (a.loss_means.lemmas.loss(two) if kind == "loss" else power(two, r)
                for two in (old, now))
        none = d.assume(d.mk("eq", a.guarantees.hinge(low, high, c), zero))
        nulled = d.assume(d.mk("eq", moments._infinite(old), zero))
        iny = d.assume(d.mk("oiny", f))
        above = [] if kind == "loss" else [d.assume(d.mk("lt", zero, r))]
        null = a.prove(d.mk("eq", moments._infinite(now), zero), [none, nulled])
        # the values at an outcome where all densities are positive
        bound_at = [d.mk("dens", t, d.b.bound(0, "O")) for t in (p, q, new)]
        size = d.mk("exp", c)
        name, x = d.fresh("O", "x")
        values = [d.mk("dens", t, x) for t in (p, q, new)]
        law, factor = self._inside(kind, values, terms[3:], above)
        if kind == "loss":
            masses = [d.parts(a.mass_one(t))[0] for t in (bound_at[0], bound_at[2])]
            rim = d.do("dominate", d.mk("oiny", d.mk("abs", f)), [iny])
            top, _ = combined(d, (one, d.mk("abs", c), one), (rim, masses[0], masses[1]))
            most, total = combined(d, (one, c), (iny, masses[0]))
        else:
            most, total = combined(d, (factor,), (iny,))
            top = most
        guarded, rest = g, d.kids(d.claim(most))[0]
        small = d.mk("le", *((bound_at[2], d.mul(size, bound_at[0])) if kind == "first" else (
            bound_at[1], d.mul(size, bound_at[2]))))
        for test in (d.mk("lt", zero, bound_at[0 if kind == "first" else 1]), small):
            guarded = d.mk("if", test, guarded, rest if kind == "loss" else zero)
        alike, same = a._alike_outside(guarded, g, [none, nulled])
        laws = [*a._positive(d.b.open(guarded, x)), *a._positive(d.b.open(f, x)), *law]
        at, outer = d.b.open(guarded, x), self._outermost(d.claim(law[0]))
        goals = [d.mk("le", d.mk("abs", at), d.b.open(d.kids(d.claim(top))[0], x)),
                 d.mk("le", at, d.b.open(d.kids(d.claim(most))[0], x))]
        sized, lower = (d.gen(name, "O", with_letters(a, t, laws, outer)) for t in goals)
        iny_g = d.do("dominate", d.mk("oiny", guarded), [sized, top])
        whole, value = d.kids(d.claim(total))
        upper = d.do("mono", d.mk("le", d.mk("oint", guarded), whole), [lower, iny_g, most])
        known = [upper, same, total]
        parts = [[one, [0]], [d.num(-1), [1]], [one, [2]]]
        if kind == "loss":
            known.append(d.parts(a.mass_one(bound_at[0]))[1])
            parts.append([c, [3]])
            value = d.add(d.mk("oint", f), c)
        else:
            value = d.mul(factor, d.mk("oint", f))
        less = d.do("arith", d.mk("le", d.mk("oint", g), value), known, parts)
        given = [*above, none, nulled, iny]
        whole = d.both(null, d.onward(alike, iny_g), less)
        return d.gen_all(letters, d.disch_all(map(d.claim, given), whole))

    def _outermost(self, t: int) -> list[int]:
        """Exponentials and logarithms that are in no other ones."""
        d = self.d
        if d.head(t) in ("exp", "log"):
            return [t]
        return list(dict.fromkeys(u for k in d.kids(t) for u in self._outermost(k)))

    def _inside(self, kind: str, values: Sequence[int], numbers: Sequence[int],
                above: Sequence[int]) -> tuple[list[int], int]:
        """What holds where the densities are positive and in order, and the factor of the bound."""
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        c = numbers[-1]
        some = [d.assume(d.mk("lt", zero, t)) for t in values]
        low, high = (values[2], values[0]) if kind == "first" else (values[1], values[2])
        order = d.assume(d.mk("le", low, d.mul(d.mk("exp", c), high)))
        lp, lq, ln = (d.mk("log", t) for t in values)
        loss = a.dominated_moments.bounded._loss(low, high, c, [*some, order], False)
        if kind == "loss":
            (p, _, n) = values
            first = d.do("arith", d.mk("le", d.mul(p, d.sub(lp, ln)), d.add(d.mul(
                p, d.sub(lp, lq)), d.mul(c, p))), [loss, some[0]], [[one, [0, 1]]])
            tangent = a.joint_convexity._tangent(p, n, one, one, [some[0], some[2]])
            second = d.do("arith", d.mk("le", d.sub(p, n), d.mul(p, d.sub(lp, ln))), [tangent],
                          [[one, [0]]])
            found = [d.disch_all(map(d.claim, [*some, order]), i) for i in (first, second)]
            return found, one
        r = numbers[0]
        first_step = kind == "first"
        old = d.mul(r, d.sub(lp, lq))
        now = d.mul(r, d.sub(ln, lq) if first_step else d.sub(lp, ln))
        factor = d.mk("exp", d.mul(d.add(r, one) if first_step else r, c))
        steps = d.do("arith", d.mk("le", now, d.add(old, d.mul(r, c))), [loss, above[0]], [
            [one, [0, 1]]])
        grown = d.onward(a.grows("le", *d.kids(d.claim(steps))), steps)
        p, _, n = values
        large = [d.law("exp positive", d.mk("lt", zero, d.mk("exp", t)), t) for t in (now, old)]
        if first_step:
            goal = d.mk("le", d.mul(n, d.mk("exp", now)), d.mul(factor, d.mul(p, d.mk("exp", old))))
            # n e^now <= e^c p e^now <= e^c p e^(old + r c)
            wide = d.law("exp positive", d.mk("lt", zero, d.mk("exp", c)), c)
            less = d.do("arith", goal, [order, large[0], grown, wide, some[0]], [
                [one, [0, 1]], [one, [2, 3, 4]]])
        else:
            goal = d.mk("le", d.mul(p, d.mk("exp", now)), d.mul(factor, d.mul(p, d.mk("exp", old))))
            less = d.do("arith", goal, [grown, some[0]], [[one, [0, 1]]])
        large.append(d.law("exp positive", d.mk("lt", zero, factor), *d.kids(factor)))
        return [d.disch_all(map(d.claim, [*some, order]), less), *large], factor


__all__ = ["Replaced"]
