"""Probabilities of one event under a bound of Renyi: P(S)^(r + 1) <= M(r) Q(S)^r, r > 0.

With y = log p - log q, where p, q > 0, M = oint p e^(r y) and any number m, the tangents of e^x at
x = r (y - m) and at x = m - y, times p and r p, add up to

    (r + 1) p <= e^(-r m) p e^(r y) + r e^m q,    so    (r + 1) P(S) <= e^(-r m) M + r e^m Q(S).

At m = log P(S) - log Q(S) this is (r + 1) log P(S) <= log M + r log Q(S); were Q(S) = 0, it would
be r P(S) <= 0 at m = (log M - log P(S))/r.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.lettered import with_letters
from lapdp.proving.line_sums import combined

if TYPE_CHECKING:
    from lapdp.proving.loss_mean_lemmas import Pair
    from lapdp.proving.loss_means import Mean
    from lapdp.proving.space import Prover


class EventPowers:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.busy = False
        self._lemma: int | None = None

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """An inequality between P(S) and Q(S), with powers of them; None: another goal, no moment
        of the pair that is finite by the facts, or not found."""
        d = self.d
        if self.busy or d.head(goal) not in ("le", "lt"):
            return None
        masses = {found: t for t in d.subterms(goal)
                  if not d.b.loose[t] and (found := self.a.event_masses.mass(t)) is not None}
        if len(masses) != 2 or not any(d.head(t) == "exp" and any(
                u in masses.values() for u in d.subterms(t)) for t in d.subterms(goal)):
            return None
        (p, event), (q, other) = masses
        self.busy = True
        try:
            for pair in ((p, q), (q, p)) if event == other else ():
                for moment in self._moments(pair, goal, facts):
                    try:
                        return self._of(goal, (masses[pair[0], event], masses[pair[1], event]),
                                        moment, facts)
                    except (NotFound, NeedSplit):
                        continue
        finally:
            self.busy = False
        return None

    def _moments(self, pair: Pair, goal: int, facts: Sequence[int]) -> Iterator[Mean]:
        """Moments of the pair, of which the goal or a fact speaks."""
        d, seen = self.d, set[int]()
        for f in (goal, *map(d.claim, facts)):
            for t in d.subterms(f):
                if d.head(t) == "oint" and t not in seen:
                    seen.add(t)
                    mean = self.a.loss_means.mean(t)
                    if mean is not None and mean.rate is not None and mean.pair == pair:
                        yield mean

    def _of(self, goal: int, masses: tuple[int, int], m: Mean, facts: Sequence[int]) -> int:
        d, a, zero = self.d, self.a, self.d.num(0)
        assert m.rate is not None
        above = a.positive(m.rate, a.loss_means.plain(facts))
        if above is None:
            raise NotFound("an order below 1")
        iny, same = a.loss_means.finite(m, m.rate, facts)
        positive = a.prove(d.mk("lt", zero, m.whole), facts)
        (_, event) = a.event_masses.mass(masses[0]) or (0, 0)
        less = d.at(self._known(), (*m.pair, m.rate), above, a.loss_means.null(m.pair, facts), iny,
                    d.replace(positive, same))
        less = d.replace(d.inst(less, event), d.turn(same))
        low = a.prove(d.mk("le", zero, masses[0]))
        some = d.mk("lt", zero, masses[0])
        given = next((i for i in facts if d.claim(i) == some), None) or d.assume(some)
        over, order = d.parts(d.mp(less, given))
        bound = self._bound(d.mk("log", m.whole), m.pair, facts)
        known = [given, over, positive, above, order, *bound, *a.loss_means.plain(facts)]
        found = with_letters(a, goal, known, (*masses, m.whole), lambda goal, known: self._logged(
            goal, known[:3], m.rate or 0, known[4:5 + len(bound)], [*known[:4], *known[5:]]))
        if not d.theorem(found).hyps & {some}:
            return found
        none = d.opposite(d.assume(d.mk("not", some)))
        return d.split(some, found, with_letters(a, goal, [low, none], (*masses, m.whole)))

    def _bound(self, log: int, pair: Pair, facts: Sequence[int]) -> list[int]:
        """log M <= c by a fact, or none."""
        for i in facts:
            if self.d.head(self.d.claim(i)) == "le":
                for _, other, less in self.a.moment_tails.read(i, pair, facts):
                    if other == log:
                        return [less]
        return []

    def _logged(self, goal: int, positive: Sequence[int], rate: int, orders: Sequence[int],
                known: Sequence[int]) -> int:
        """s <= t from the order of their logarithms, these linear in log P(S), log Q(S), log M."""
        d, a = self.d, self.a
        whole = [d.kids(d.claim(i))[1] for i in positive]
        logs = [d.mk("log", t) for t in whole]
        values = [a.loss_means.lemmas.value(t, i) for t, i in zip(whole, positive, strict=True)]
        equations, exponents = [], []
        for side in d.kids(goal):
            plain = d.refl(side)
            for log in [t for t in d.subterms(side) if d.head(t) == "log" and not d.b.loose[t]]:
                same = a.logarithms.exponent(log, known)
                if same is not None:
                    plain = d.chain(plain, d.alike(d.kids(d.claim(plain))[1], same))
            tidy = d.kids(d.claim(plain))[1]
            exponents.append(self._exponent(tidy, dict(zip(whole, logs, strict=True))))
            equations.append(d.chain(plain, a.identity(d.mk(
                "eq", tidy, d.mk("exp", exponents[-1])), [*known, *values])))
        below = self._linear(exponents, logs, rate, orders, known)
        grown = d.onward(a.grows("le", *exponents), below)
        return d.do("arith", d.mk("le", *d.kids(goal)), [grown, *equations], [
            [d.num(1), [0]], [d.num(1), [1]], [d.num(-1), [2]]])

    def _exponent(self, t: int, logs: dict[int, int]) -> int:
        """x where the term is e^x, a product of powers of these numbers and of exponentials."""
        a = self.a
        f = a.reader.read(t)
        if len(f) != 1 or next(iter(f.values())) != 1:
            raise NotFound("no product of powers")
        total: Polynomial = {}
        for atom, e in next(iter(f)):
            if a.terms.symbol(atom) == "exp":
                total = plus(total, a.terms.argument(atom), e)
            elif (base := a.terms.term({((atom, 1),): 1}, "R")) in logs:
                total = plus(total, a.reader.read(logs[base]), e)
            else:
                raise NotFound("no product of powers")
        return a.terms.term(total, "R")

    def _linear(self, sides: Sequence[int], logs: Sequence[int], rate: int, orders: Sequence[int],
                known: Sequence[int]) -> int:
        """x <= y between sums of the logarithms, from the order of the lemma and a bound of M."""
        d, a = self.d, self.a
        gap = plus(a.reader.read(sides[1]), a.reader.read(sides[0]), -1)
        shares = [self._share(gap, log) for log in logs]
        scale = d.mul(d.neg(shares[0]), d.mk("inv", d.add(rate, d.num(1))))
        try:
            return self._sum(sides, [(scale, orders[0])], known)
        except NotFound:
            if len(orders) == 1:
                raise
            rest = plus(a.reader.read(scale), a.reader.read(shares[2]), -1)
            return self._sum(sides, list(zip(
                (scale, a.terms.term(rest, "R")), orders, strict=True)), known)

    def _sum(self, sides: Sequence[int], parts: Sequence[tuple[int, int]], known: Sequence[int]
             ) -> int:
        """x <= y where y - x is the sum of factors >= 0 times gaps of theorems."""
        d, a = self.d, self.a
        gap = d.sub(*sides[::-1])
        whole = d.add(*(d.mul(t, d.sub(*d.kids(d.claim(i))[::-1])) for t, i in parts))
        apart = [i for t in d.subterms(d.mk("eq", gap, whole))
                 if d.head(t) == "inv" and (i := a.nonzero(d.kids(t)[0], known)) is not None]
        same = a.identity(d.mk("eq", gap, whole), [*known, *apart])
        signs = [a.positive(t, known, strict=False) for t, _ in parts]
        if None in signs:
            raise NotFound("a sign is not known")
        return d.do("arith", d.mk("le", *sides), [
            same, *(i for _, i in parts), *(i for i in signs if i is not None)], [
            [d.num(-1), [0]], *([d.num(1), [1 + n, 1 + n + len(parts)]]
                                for n in range(len(parts)))])

    def _share(self, f: Polynomial, log: int) -> int:
        """The factor of a logarithm."""
        terms = self.a.terms
        ((at, _),) = next(iter(self.a.reader.read(log)))
        return terms.term({tuple(z for z in m if z[0] != at): c for m, c in f.items()
                           if (at, 1) in m}, "R")

    # the lemma --------------------------------------------------------------------------------

    def _known(self) -> int:
        """all p, q, r: 0 < r -> p(q = 0) = 0 -> oiny p e^(r y) -> 0 < M -> all S: 0 < P(S) ->
        0 < Q(S) and (r + 1) log P(S) <= log M + r log Q(S)."""
        if self._lemma is not None:
            return self._lemma
        d, one, zero = self.d, self.d.num(1), self.d.num(0)
        means = self.a.loss_means.lemmas
        letters, pair, (r,) = means._setting("r")
        power = self.a.dominated_moments._power(pair, r)
        m = d.mk("oint", power)
        given = [d.assume(f) for f in (
            d.mk("lt", zero, r), d.mk("eq", self.a.dominated_moments._infinite(pair), zero),
            d.mk("oiny", power), d.mk("lt", zero, m))]
        name, event = d.fresh("S", "S")
        line = self._line(pair, r, event, given)
        mine, other = (d.mk("oint", self._inside(event, t)) for t in means._densities(pair))
        some = d.assume(d.mk("lt", zero, mine))
        values = means.value(m, given[3]), means.value(mine, some)
        unit, _ = d.reciprocal(given[0])
        logs = d.mk("log", m), d.mk("log", mine)
        # e^(-r k) M = P(S) at this k
        k = d.mul(d.mk("inv", r), d.sub(*logs))
        there = d.inst(line, k)
        turned = d.do("arith", d.mk("eq", d.neg(d.mul(r, k)), d.sub(logs[1], logs[0])), [unit], [
            [d.sub(logs[1], logs[0]), [0]]])
        same, small = d.alike(d.mk("exp", d.neg(d.mul(r, k))), turned), d.mk("exp", d.neg(logs[0]))
        once = d.do("arith", d.mk("eq", d.mul(d.mk("exp", d.sub(logs[1], logs[0])), m), mine), [
            values[0], values[1]], [[d.neg(d.mul(small, d.mk("exp", logs[1]))), [0]], [one, [1]]])
        size = d.mk("exp", k)
        less = d.do("arith", d.mk("le", d.mul(r, mine), d.mul(r, size, other)), [
            there, same, once], [[one, [0]], [m, [1]], [one, [2]]])
        none = d.assume(d.mk("le", other, zero))
        wide = d.law("exp positive", d.mk("lt", zero, size), k)
        over = d.unless(d.mk("lt", zero, other), d.do("arith", d.mk("false"), [
            less, none, wide, given[0], some], [[one, [0]], [one, [1, 2, 3]], [one, [3, 4]]]))
        # and at this k P(S) is below (e^(-r k) M) and e^k Q(S) is P(S)
        bottom, worth = d.mk("log", other), means.value(other, over)
        k = d.sub(logs[1], bottom)
        size, there = d.mk("exp", d.neg(d.mul(r, k))), d.inst(line, k)
        back, tiny = d.mk("exp", k), d.mk("exp", d.neg(bottom))
        once = d.do("arith", d.mk("eq", d.mul(back, other), mine), [values[1], worth], [
            [one, [0]], [d.neg(d.mul(tiny, d.mk("exp", logs[1]))), [1]]])
        total = d.sub(logs[0], d.mul(r, k))
        less = d.do("arith", d.mk("le", d.mk("exp", logs[1]), d.mk("exp", total)), [
            there, once, values[0], values[1]], [
            [one, [0]], [r, [1]], [d.neg(size), [2]], [one, [3]]])
        order = d.taut(d.mk("le", logs[1], total), self.a.grows("le", logs[1], total), less)
        found = d.do("arith", d.mk("le", d.mul(d.add(r, one), logs[1]), d.add(
            logs[0], d.mul(r, bottom))), [order], [[one, [0]]])
        found = d.gen(name, "S", d.disch(d.claim(some), d.both(over, found)))
        self._lemma = means._closed_by(found, given, letters)
        return self._lemma

    def _inside(self, event: int, value: int) -> int:
        """The value at the outcomes of the event, as the body of a binder."""
        d = self.d
        return d.mk("if", d.mk("in", d.b.bound(0, "O"), d.b.lift(event)), value, d.num(0))

    def _line(self, pair: Pair, r: int, event: int, given: Sequence[int]) -> int:
        """all k: (r + 1) P(S) <= e^(-r k) M + r e^k Q(S)."""
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        means = a.loss_means.lemmas
        name, k = d.fresh("R", "k")
        p_, q_ = means._densities(pair)
        whole = [d.parts(a.mass_one(t))[0] for t in (p_, q_)]
        mine, other = self._inside(event, p_), self._inside(event, q_)
        guarded = self._inside(event, means._guarded(pair, p_))
        _, same = a._alike_outside(guarded, mine, [given[1]])
        inys = [given[2], *(means._beneath_density(f, p, i) for f, p, i in zip(
            (other, guarded), (q_, p_), whole[::-1], strict=True))]
        small, size = d.mk("exp", d.neg(d.mul(r, k))), d.mk("exp", k)
        scales = small, d.mul(r, size), d.neg(d.add(r, one))
        iny, total = combined(d, scales, inys)
        (body,) = d.kids(d.claim(iny))
        label, x = d.fresh("O", "x")
        at = d.mk("le", zero, d.b.open(body, x))
        p, q = (d.mk("dens", t, x) for t in pair)
        above = [d.assume(d.mk("lt", zero, t)) for t in (p, q)]
        y = d.sub(d.mk("log", p), d.mk("log", q))
        known = [*above, *(means.value(t, i) for t, i in zip((p, q), above, strict=True))]
        turned = a.identity(d.mk("eq", d.mul(p, d.mk("exp", d.neg(y))), q), known)
        power = d.mul(p, d.mk("exp", d.mul(r, y)))
        signs = [d.law("exp positive", d.mk("lt", zero, t), *d.kids(t))
                 for t in (small, size, d.kids(power)[1])]
        shift = d.sub(y, k)
        young = d.do("arith", d.mk("le", zero, d.add(d.mul(small, power), d.mul(
            scales[1], q), d.mul(scales[2], p))), [
            means._tangent(d.mul(r, shift)), means._tangent(d.neg(shift)), above[0], given[0],
            turned], [[one, [0, 2]], [one, [1, 2, 3]], [d.mul(r, size), [4]]])
        least = d.do("arith", d.mk("le", zero, d.mul(small, power)), [above[0], signs[0], signs[2]],
                     [[one, [0, 1, 2]]])
        inside = [d.disch(d.claim(above[0]), d.disch(d.claim(above[1]), i)) for i in (young, least)]
        rest = d.do("arith", d.mk("lt", zero, scales[1]), [given[0], signs[1]], [[one, [0, 1]]])
        everywhere = d.gen(label, "O", with_letters(
            a, at, [*a._positive(at), *inside, rest], (*scales, power)))
        nothing, none = d.parts(a.nothing("oint", "R"))
        less = d.do("mono", d.mk("le", d.mk("oint", zero), d.mk("oint", body)), [
            everywhere, nothing, iny])
        found = d.do("arith", d.mk("le", d.mul(d.add(r, one), d.mk("oint", mine)), d.add(
            d.mul(small, d.mk("oint", *d.kids(d.claim(given[2])))), d.mul(r, size, d.mk(
                "oint", other)))), [less, total, none, same], [
            [one, [0]], [one, [1]], [d.num(-1), [2]], [d.neg(d.add(r, one)), [3]]])
        return d.gen(name, "R", found)
