"""Moments of a release and a second one that depends on its outcome: Renyi divergences add up.

With r > 0, w(p, q) = p (p/q)^r where p, q > 0 and 0 elsewhere, for numbers p, p', q, q' >= 0

    w(p p', q q') = w(p, q) w(p', q'),

so the moment of the joint pair is M = oint_x w(p(x), q(x)) M'(x), M'(x) the one of the second
release after x.  Where 1 <= M'(x) <= c for all x, M is finite and m <= M <= c m, m the moment of
the first release.  Infinite losses: where p = 0 almost everywhere on q = 0, and so after each x,

    oint_y [q q' = 0] p p' = oint_y (p [q' = 0] p' + [q = 0] p (p' - [q' = 0] p')) = [q = 0] p.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.lettered import with_letters
from lapdp.proving.line_sums import combined

if TYPE_CHECKING:
    from lapdp.proving.loss_mean_lemmas import Pair
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Joint:
    """A pair and a family of pairs over its outcomes, two letters each."""

    first: Pair
    second: Pair


@dataclass(frozen=True)
class Known:
    """What is known of a joint pair: the rate, the lemma's conclusions, and for the moments of the
    first release and of the bound of the second one what else is."""

    rate: int
    made: list[int]
    beside: list[int]


class AdaptiveMoments:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.busy = False
        self._lemma: int | None = None
        self._least: int | None = None
        self._letters = [self.d.fresh("R", n) for n in "uv"]
        self._same: dict[int, int] = {}
        self._made: dict[tuple[Joint, int], list[Known]] = {}

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """A claim about the infinite loss or a moment of a joint pair, from bounds of its two
        releases; None: another goal, no bounds, or not found."""
        d = self.d
        if self.busy or not {"given", "mul"} <= d.symbols(goal):
            return None
        joints = list(self._joints(goal))
        if len(joints) != 1:
            return None
        (joint, inner, outcome), = joints
        self.busy = True
        try:
            for order in self.orders(facts):
                known = self._known_of(joint, order, facts)
                if known is None:
                    continue
                try:
                    return self._settled(goal, inner, joint, outcome, known, facts)
                except (NotFound, NeedSplit):
                    continue
            return d.taut(goal, self.a.refute(self.a.loss_means.plain(facts)))
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False

    # reading ------------------------------------------------------------------------------------

    def _joints(self, goal: int) -> Iterator[tuple[Joint, int, int | None]]:
        """Joint pairs of which double integrals speak, and a body of two outcomes; or of one, at
        an outcome that is a letter."""
        d = self.d
        for t in d.subterms(goal):
            if d.head(t) not in ("oint", "oiny") or d.b.loose[t]:
                continue
            (body,), outcome = d.kids(t), None
            if d.head(body) == "oint":
                (body,) = d.kids(body)
            elif t == goal:
                outcome = next((d.kids(u)[1] for u in d.subterms(body) if d.head(u) == "given"
                                and not d.b.loose[u]), None)
                if outcome is None:
                    continue
                body = self._twice(body, outcome)
            else:
                continue
            joint = self._joint(body)
            if joint is not None:
                yield joint, body, outcome

    def _twice(self, body: int, outcome: int) -> int:
        """The body of one outcome as one of two, the other one at present a letter."""
        d = self.d
        (found,) = d.kids(d.hole(d.mk("oint", body), outcome))
        return found

    def _joint(self, inner: int) -> Joint | None:
        """The pair in the order in which the body speaks of it."""
        d = self.d
        (_, x), (_, y) = d.fresh("O", "x"), d.fresh("O", "y")
        at = self._opened(inner, x, y)
        products: dict[Pair, None] = {}
        for t in d.subterms(at):
            if d.head(t) == "mul" and all(d.head(k) == "dens" for k in d.kids(t)):
                (p, here), (h, there) = map(d.kids, d.kids(t))
                if (here, there) != (x, y) or d.head(h) != "given" or d.kids(h)[1] != x:
                    return None
                products[p, d.kids(h)[0]] = None
        if len(products) != 2:
            return None
        one, other = products
        for high, low in ((one, other), (other, one)):
            joint = Joint((high[0], low[0]), (high[1], low[1]))
            u, v = self._products(joint, x, y)
            if at == self._lost(u, v) or d.sub(d.mk("log", u), d.mk("log", v)) in d.subterms(at):
                return joint
        return None

    def _opened(self, inner: int, x: int, y: int) -> int:
        """A body of two outcomes at these; the outer one is x."""
        d = self.d
        (found,) = d.kids(d.b.open(d.mk("oint", inner), x))
        return d.b.open(found, y)

    def _products(self, joint: Joint, x: int, y: int) -> Pair:
        """p(x) p'(y) and q(x) q'(y)."""
        d = self.d
        u, v = (d.mul(d.mk("dens", t, x), d.mk("dens", d.mk("given", h, x), y))
                for t, h in zip(joint.first, joint.second, strict=True))
        return u, v

    def orders(self, facts: Sequence[int]) -> list[int]:
        """Orders above 1, of which facts speak."""
        d = self.d
        return list(dict.fromkeys(
            d.kids(d.claim(i))[1] for i in facts if d.head(d.claim(i)) == "lt"
            and d.kids(d.claim(i))[0] == d.num(1)))

    # facts --------------------------------------------------------------------------------------

    def _known_of(self, joint: Joint, order: int, facts: Sequence[int]) -> Known | None:
        d = self.d
        given = frozenset[int]().union(*(d.theorem(i).hyps for i in facts))
        # by what holds wherever the order is above 1, and so for other goals as well
        own = next(d.theorem(i).hyps for i in facts if d.claim(i) == d.mk("lt", d.num(1), order))
        facts = [i for i in facts if d.theorem(i).hyps <= own]
        for known in self._made.get((joint, order), ()):
            if all(d.theorem(i).hyps <= given for i in (*known.made, *known.beside)):
                return known
        try:
            known = self._gathered(joint, order, facts)
        except (NotFound, NeedSplit):
            return None
        self._made.setdefault((joint, order), []).append(known)
        return known

    def at(self, fact: int, order: int, x: int) -> int:
        """A fact for all orders and outcomes at these."""
        d = self.d
        while d.head(d.claim(fact)) in ("allR", "allO"):
            fact = d.inst(fact, order if d.head(d.claim(fact)) == "allR" else x)
        return fact

    def _gathered(self, joint: Joint, order: int, facts: Sequence[int]) -> Known:
        d, a = self.d, self.a
        name, x = d.fresh("O", "x")
        plain = a.loss_means.plain(facts)
        here = [self.at(i, order, x) for i in facts if a._speaks(d.claim(i))]
        known = a.released([*plain, *here])
        there = d.mk("given", joint.second[0], x), d.mk("given", joint.second[1], x)
        rate, less, first = self._moment(joint.first, known)
        other, bound, second = self._moment(there, known)
        if a.reader.read(rate) != a.reader.read(other):
            raise NotFound("two orders")
        above = a.positive(rate, plain)
        if above is None or bound is None:
            raise NotFound("an order below 1, or no bound")
        iny, null, same = first
        iny2, null2, same2 = second
        c = d.kids(d.claim(bound))[1]
        if x in d.subterms(c) or a._speaks(c):
            raise NotFound("a bound that depends on the outcome")
        if rate != other:
            raise NotFound("two orders")
        inner = d.gen(name, "O", d.both(null2, iny2, d.replace(bound, same2)))
        made = d.parts(d.at(self._known(), (*joint.first, *joint.second, rate, c), above, null, iny,
                            inner))
        # in terms of the moment as it is written
        made = [d.replace(i, d.turn(same)) for i in made]
        beside = [above, *d.reciprocal(above)]
        if less is not None:
            beside.append(less)
        return Known(rate, made, beside)

    def _moment(self, pair: Pair, known: Sequence[int]
                ) -> tuple[int, int | None, tuple[int, int, int]]:
        """The rate of a finite moment of the pair; M <= c by a fact; that it is integrable, no
        infinite loss, and the moment as it is written."""
        d, a = self.d, self.a
        for i in known:
            if d.head(d.claim(i)) != "oiny":
                continue
            mean = a.loss_means.mean(d.mk("oint", *d.kids(d.claim(i))))
            if mean is None or mean.pair != pair or mean.rate is None:
                continue
            iny, same = a.loss_means.finite(mean, mean.rate, known)
            null = a.loss_means.null(pair, known)
            return mean.rate, self._bound(mean.whole, pair, known), (iny, null, same)
        raise NotFound("no finite moment")

    def _bound(self, whole: int, pair: Pair, known: Sequence[int]) -> int | None:
        """M <= c, by a fact about M or its logarithm."""
        d, a = self.d, self.a
        for i in known:
            if d.head(d.claim(i)) == "le" and d.kids(d.claim(i))[0] == whole:
                return i
        for i in known:
            if d.head(d.claim(i)) != "le":
                continue
            for _, log, less in a.moment_tails.read(i, pair, known):
                if log != d.mk("log", whole):
                    continue
                above = a.prove(d.mk("lt", d.num(0), whole), known)
                ends = d.kids(d.claim(less))
                grown = d.onward(a.grows("le", *ends), less)
                return d.do("arith", d.mk("le", whole, d.mk("exp", ends[1])), [
                    grown, a.loss_means.lemmas.value(whole, above)], [
                    [d.num(1), [0]], [d.num(-1), [1]]])
        return None

    # goals --------------------------------------------------------------------------------------

    def _settled(self, goal: int, inner: int, joint: Joint, outcome: int | None, known: Known,
                 facts: Sequence[int]) -> int:
        """The goal from what is known, the integrands as they are written."""
        d, a = self.d, self.a
        plain = [*a.loss_means.plain(facts), *known.beside]
        (xname, x), (yname, y) = d.fresh("O", "x"), d.fresh("O", "y")
        u, v = self._products(joint, x, y)
        at = self._opened(inner, x, y)
        lost = at == self._lost(u, v)
        here = at if lost else self.value(u, v, known.rate)
        same = d.refl(at) if lost else self._alike(d.mk("eq", at, here), (u, v), known.beside[0])
        each = d.gen(yname, "O", same)
        inside, outside, total = known.made[:3] if lost else known.made[3:6]
        if outcome is not None:
            each = d.inst(d.gen(xname, "O", each), outcome)
            return d.onward(d.turn(d.under("oiny", each)), d.inst(inside, outcome))
        every = d.gen(xname, "O", d.under("oint", each))
        if d.head(goal) == "oiny":
            return d.onward(d.turn(d.under("oiny", every)), outside)
        equal = d.under("oint", every)
        if lost:
            zero = d.chain(equal, total)
            return a.by_arithmetic(goal, [zero, *plain])
        made = [d.replace(i, d.turn(equal)) for i in known.made[5:]]
        made += self._by_bound(made, known)
        (whole, _) = d.kids(d.claim(made[0]))
        if d.mk("log", whole) in d.subterms(goal):
            made = [self._logged(i, made, known) for i in (made[0], *made[4:5])]
        try:
            return a.by_arithmetic(goal, made)
        except NotFound:
            return a.by_arithmetic(goal, [*made, *plain])

    def _alike(self, goal: int, products: Pair, above: int) -> int:
        """The power as it is written, from the same for all numbers in place of the products."""
        d = self.d
        body = goal
        for t, letter in zip(products, self._letters, strict=True):
            body = d.b.open(d.hole(body, t), letter[1])
        if body not in self._same:
            found = self.a.prove(body, [d.assume(d.claim(above))])
            self._same[body] = d.disch(d.claim(above), d.gen_all(
                [(name, "R") for name, _ in self._letters], found))
        return d.at(d.mp(self._same[body], above), products)

    def _by_bound(self, made: Sequence[int], known: Known) -> list[int]:
        """M <= c d where m <= d by a fact, and 1 <= d."""
        d, one = self.d, self.d.num(1)
        found = []
        for less in known.beside[3:]:
            whole, top = d.kids(d.claim(made[0]))
            (c, _), (_, bound) = d.kids(top), d.kids(d.claim(less))
            found = [d.do("arith", d.mk("le", whole, d.mul(c, bound)), [made[0], less, made[3]], [
                [one, [0]], [one, [1, 2]], [one, [1]]]), d.do("arith", d.mk("le", one, bound), [
                    made[2], less], [[one, [0]], [one, [1]]])]
        return found

    def _logged(self, less: int, made: Sequence[int], known: Known) -> int:
        """log M over the rate, at most the sum of those of c and d, from M <= c d."""
        d, one = self.d, self.d.num(1)
        whole, top = d.kids(d.claim(less))
        c, m = d.kids(top)
        positive = [d.do("arith", d.mk("lt", d.num(0), t), i, [
            [one, []], *([one, [n]] for n in range(len(i)))]) for t, i in (
            (whole, made[1:3]), (c, made[3:4]), (m, [made[2] if less == made[0] else made[5]]))]
        logs, values = [], []
        for t, i in zip((whole, c, m), positive, strict=True):
            plain = d.head(t) == "exp"
            logs.append(d.kids(t)[0] if plain else d.mk("log", t))
            values.append(d.refl(t) if plain else self.a.loss_means.lemmas.value(t, i))
        ends = logs[0], d.add(*logs[1:])
        order = d.taut(d.mk("le", *ends), self.a.grows("le", *ends), d.do("arith", d.mk(
            "le", *(d.mk("exp", t) for t in ends)), [less, *values], [
            [one, [0]], [one, [1]], [d.neg(d.mk("exp", logs[2])), [2]], [d.neg(c), [3]]]))
        _, unit, inverse = known.beside[:3]
        over = d.mk("inv", known.rate)
        shares = [d.kids(t)[1] if d.head(t) == "mul" and d.kids(t)[0] == known.rate else None
                  for t in logs[1:]]
        total = d.add(*(d.mul(t, over) if b is None else b
                        for t, b in zip(logs[1:], shares, strict=True)))
        return d.do("arith", d.mk("le", d.mul(logs[0], over), total), [order, inverse, unit], [
            [one, [0, 1]], *([b, [2]] for b in shares if b is not None)])

    # the lemma ----------------------------------------------------------------------------------

    def _lost(self, u: int, v: int) -> int:
        """u where v = 0."""
        d, zero = self.d, self.d.num(0)
        return d.mk("if", d.mk("eq", v, zero), u, zero)

    def value(self, u: int, v: int, r: int) -> int:
        """u (u/v)^r where u, v > 0, and 0 elsewhere."""
        d, zero = self.d, self.d.num(0)
        value = d.mul(u, d.mk("exp", d.mul(r, d.sub(d.mk("log", u), d.mk("log", v)))))
        return d.mk("if", d.mk("lt", zero, u), d.mk("if", d.mk("lt", zero, v), value, zero), zero)

    def pointwise(self, numbers: Sequence[int], r: int, signs: Sequence[int]) -> tuple[int, int]:
        """The two equations between integrands, for p, p', q, q' >= 0."""
        d, zero = self.d, self.d.num(0)
        p, s, q, t = numbers
        u, v = d.mul(p, s), d.mul(q, t)
        lost, other = self._lost(p, q), self._lost(s, t)
        goals = (
            d.mk("eq", self._lost(u, v), d.add(
                d.mul(p, other), d.mul(lost, s), d.mul(d.neg(lost), other))),
            d.mk("eq", self.value(u, v, r), d.mul(self.value(p, q, r), self.value(s, t, r))))
        tests = [d.mk("lt", zero, u), d.mk("lt", zero, v), d.mk("eq", v, zero)]
        first, second = (self.a.recursions.factors.signed(goal, list(signs), list(numbers), [
            f for f in tests if f in d.subterms(goal)]) for goal in goals)
        return first, second

    def _known(self) -> int:
        """all p, q, p', q', r, c: 0 < r -> p(q = 0) = 0 -> oiny w(p, q) -> all x (p'(q' = 0) = 0
        and oiny w(p', q') and M' <= c) -> the infinite losses of both are 0, in the order inner
        integrals, outer one, value; their power is integrable likewise, and M <= c m, m <= M,
        1 <= m, 1 <= c."""
        if self._lemma is not None:
            return self._lemma
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        letters = [(*d.fresh(s, n), s) for n, s in zip("pqhkrc", "DDHHRR", strict=True)]
        p_, q_, h, k, r, c = (t for _, t, _ in letters)
        joint = Joint((p_, q_), (h, k))
        moments = a.dominated_moments
        (xname, x), (yname, y) = d.fresh("O", "x"), d.fresh("O", "y")
        there = d.mk("given", h, x), d.mk("given", k, x)
        f, g = moments._power(joint.first, r), moments._power(there, r)
        given = [d.assume(t) for t in (
            d.mk("lt", zero, r), d.mk("eq", moments._infinite(joint.first), zero), d.mk("oiny", f),
            d.mk("allO", d.b.abstract(d.conj([
                d.mk("eq", moments._infinite(there), zero), d.mk("oiny", g),
                d.mk("le", d.mk("oint", g), c)]), xname, "O")))]
        null, iny, below = d.parts(d.inst(given[3], x))
        least = d.at(self.unit(), (*there, r), given[0], null, iny)
        whole = d.at(self.unit(), (*joint.first, r), *given[:3])
        large = d.do("arith", d.mk("le", one, c), [least, below], [[one, [0]], [one, [1]]])
        # at one outcome of the first release
        at = [d.mk("dens", t, z) for t, z in zip(
            (p_, there[0], q_, there[1]), (x, y, x, y), strict=True)]
        points = self.pointwise(at, r, [j for t in at for j in a._positive(t)])
        mine = d.mk("dens", there[0], d.b.bound(0, "O"))
        mass, total = d.parts(a.mass_one(mine))
        (none,) = d.kids(d.kids(d.claim(null))[0])
        finite = a.loss_means.lemmas._beneath_density(none, mine, mass)
        lost, power = self._lost(at[0], at[2]), self.value(at[0], at[2], r)
        inside, same = self.inner(points[0], (at[0], lost, d.neg(lost)), (finite, mass, finite),
                                   yname, y)
        same = d.chain(same, d.do("arith", d.mk("eq", d.kids(d.claim(same))[1], lost), [
            null, total], [[d.sub(at[0], lost), [0]], [lost, [1]]]))
        every = d.gen(xname, "O", same)
        outside = d.onward(d.turn(d.under("oiny", every)), a.prove(d.mk(
            "oiny", *d.kids(d.kids(d.claim(given[1]))[0]))))
        found = [d.gen(xname, "O", inside), outside, d.chain(d.under("oint", every), given[1])]
        inside, same = self.inner(points[1], (power,), (iny,), yname, y)
        every = d.gen(xname, "O", same)
        (product,) = d.kids(d.kids(d.claim(d.under("oint", every)))[1])
        # 0 <= w <= w M' <= c w
        above = a.prove(d.mk("le", zero, power), a._positive(power))
        value, top = d.mul(power, d.mk("oint", g)), d.mul(c, power)
        low = d.do("arith", d.mk("le", power, value), [above, least], [[one, [0, 1]]])
        high = d.do("arith", d.mk("le", value, top), [above, below], [[one, [0, 1]]])
        size = with_letters(a, d.mk("le", d.mk("abs", value), top), [above, low, high], (
            value, top, power))
        bound, scaled = combined(d, (c,), (given[2],))
        finite = d.do("dominate", d.mk("oiny", product), [d.gen(xname, "O", size), bound])
        total = d.under("oint", every)
        moment = d.mk("oint", f)
        joint_moment = d.kids(d.claim(total))[0]
        most, some = (d.do("mono", d.mk("le", d.mk("oint", s), d.mk("oint", t)), [
            d.gen(xname, "O", i), j, k]) for s, t, i, j, k in (
            (product, *d.kids(d.claim(bound)), high, finite, bound),
            (f, product, low, given[2], finite)))
        found += [
            d.gen(xname, "O", inside), d.onward(d.turn(d.under("oiny", every)), finite),
            d.do("arith", d.mk("le", joint_moment, d.mul(c, moment)), [most, scaled, total], [
                [one, [0]], [one, [1]], [one, [2]]]),
            d.do("arith", d.mk("le", moment, joint_moment), [some, total], [
                [one, [0]], [d.num(-1), [1]]]),
            whole, large]
        lemma = d.both(*found)
        lemma = d.disch_all(map(d.claim, given), lemma)
        self._lemma = d.gen_all([(n, s) for n, _, s in letters], lemma)
        return self._lemma

    def inner(self, point: int, scales: Sequence[int], inys: Sequence[int], name: str, y: int
               ) -> tuple[int, int]:
        """oiny and the value of the integral over the second outcome of a sum of products."""
        d = self.d
        sums, total = combined(d, scales, inys)
        here = d.b.open(d.kids(d.claim(sums))[0], y)
        each = d.gen(name, "O", d.chain(point, d.do("arith", d.mk(
            "eq", d.kids(d.claim(point))[1], here))))
        return (d.onward(d.turn(d.under("oiny", each)), sums),
                d.chain(d.under("oint", each), total))

    def unit(self) -> int:
        """all p, q, r: 0 < r -> p(q = 0) = 0 -> oiny w(p, q) -> 1 <= m, as (r + 1) p <= w + r q."""
        if self._least is not None:
            return self._least
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        means = a.loss_means.lemmas
        letters, pair, (r,) = means._setting("r")
        power = a.dominated_moments._power(pair, r)
        given = [d.assume(f) for f in (d.mk("lt", zero, r), d.mk(
            "eq", a.dominated_moments._infinite(pair), zero), d.mk("oiny", power))]
        support, mass = means._support(pair, given[1])
        # of q as well where both are positive, at most 1
        _, q_ = means._densities(pair)
        whole, one_q = d.parts(a.mass_one(q_))
        part = means._guarded(pair, q_)
        iny = means._beneath_density(part, q_, whole)
        name, x = d.fresh("O", "x")
        at = d.mk("le", *(d.b.open(t, x) for t in (part, q_)))
        other = d.replace(d.do("mono", d.mk("le", d.mk("oint", part), d.mk("oint", q_)), [
            d.gen(name, "O", a.prove(at, a._positive(at))), iny, whole]), one_q)
        scales = one, r, d.neg(d.add(r, one))

        def inside(p: int, q: int, above: Sequence[int]) -> list[int]:
            y = d.sub(d.mk("log", p), d.mk("log", q))
            turned = a.identity(d.mk("eq", d.mul(p, d.mk("exp", d.neg(y))), q), [
                i for t, i in zip((p, q), above, strict=True) for i in (i, means.value(t, i))])
            value = d.add(d.mul(one, p, d.mk("exp", d.mul(r, y))), d.mul(r, q), d.mul(
                scales[2], p))
            return [d.do("arith", d.mk("le", zero, value), [
                means._tangent(d.mul(r, y)), means._tangent(d.neg(y)), above[0], given[0], turned],
                [[one, [0, 2]], [one, [1, 2, 3]], [r, [4]]])]

        total = means._integrated(pair, scales, (given[2], iny, support), inside)
        less = d.do("arith", d.mk("le", one, d.mk("oint", power)), [
            total, mass, other, given[0]], [[one, [0]], [scales[2], [1]], [one, [2, 3]]])
        self._least = means._closed_by(less, given, letters)
        return self._least
