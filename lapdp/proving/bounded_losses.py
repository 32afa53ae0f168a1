"""Moments of losses that are bounded: oint p (p/q)^r <= e^(r b) from p <= e^b q almost everywhere.

With q <= e^b p as well, the ratio u = p/q lies between e^-b and e^b, and u^s, s = r + 1 > 1, is at
most its chord there,

    (e^b - e^-b) u^s <= (u - e^-b) e^(s b) + (e^b - u) e^(-s b),

the tangents at u, e^(s y) >= 1 + s (e^y - 1) for y = b - log u and y = -b - log u, weighted.
Times q and integrated that is the moment of randomized response.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.lettered import with_letters
from lapdp.proving.line_sums import combined
from lapdp.proving.subgaussian import SubGaussian

if TYPE_CHECKING:
    from lapdp.proving.dominated_moments import DominatedMoments
    from lapdp.proving.space import Prover

Pair = tuple[int, int]


class BoundedLosses:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover, moments: DominatedMoments) -> None:
        self.a, self.d, self.moments = prover, prover.d, moments
        self._one: int | None = None
        self._two: int | None = None
        self._both: int | None = None
        self.subgaussian = SubGaussian(prover, self)
        self.busy = False

    def integrable(self, goal: int, facts: Sequence[int]) -> int | None:
        """oiny f for a power f of p/q; None: another goal, or no bound is known."""
        (f,) = self.d.kids(goal)
        return self._applied(goal, f, facts)

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """oint f <= t for a power f of p/q; None: another goal, or not found."""
        d = self.d
        if d.head(goal) != "le" or d.head(d.kids(goal)[0]) != "oint" or self.a._speaks(
                d.kids(goal)[1]):
            return None
        (f,) = d.kids(d.kids(goal)[0])
        return self._applied(goal, f, facts)

    def _applied(self, goal: int, f: int, facts: Sequence[int]) -> int | None:
        d, a = self.d, self.a
        masses = a.masses(f)
        if self.busy or len(masses) != 2 or d.b.sorts[f] != "R" or not any(
                d.head(d.claim(i)) == "eq" and a._speaks(d.claim(i)) for i in facts):
            return None
        plain = [i for i in facts if not a._speaks(d.claim(i))
                 and d.head(d.claim(i)) in ("lt", "le", "eq", "not")]
        self.busy = True
        try:
            for p, q in (masses, masses[::-1]):
                r = self.moments.rate(f, (p, q))
                if r is None:
                    continue
                for b in dict.fromkeys(self.bounds(facts, (p, q))):
                    try:
                        return self._bounded(goal, f, (p, q), (r, b), facts, plain)
                    except (NotFound, NeedSplit):
                        continue
        finally:
            self.busy = False
        return None

    def bounds(self, facts: Sequence[int], pair: Pair) -> Iterator[int]:
        """b, where a fact says that a tail or a profile of the pair at b is 0."""
        d, zero, x = self.d, self.d.num(0), self.d.b.bound(0, "O")
        p, q = (d.mk("dens", d.b.lift(m), x) for m in pair)
        for i in facts:
            if d.head(d.claim(i)) != "eq" or d.kids(d.claim(i))[1] != zero or d.head(
                    s := d.kids(d.claim(i))[0]) != "oint":
                continue
            for t in d.subterms(s):
                if d.head(t) == "exp" and not d.b.loose[t]:
                    more = d.mul(t, q)
                    tails = (d.mk("if", d.mk(k, more, p), p, zero) for k in ("lt", "le"))
                    if d.kids(s)[0] in (d.mk("max", zero, d.sub(p, more)), *tails):
                        yield d.kids(t)[0]

    def _bounded(self, goal: int, f: int, pair: Pair, numbers: tuple[int, int],
                 facts: Sequence[int], plain: Sequence[int]) -> int:
        d, a = self.d, self.a
        r, b = numbers
        zero, one = d.num(0), d.num(1)
        above = a.positive(r, plain)
        if above is None:
            raise NotFound("an order below 1")
        same = self.moments.plainly(f, pair, r, plain)
        none = a.prove(d.mk("eq", a.guarantees.hinge(*pair, b), zero), facts)
        iny, less = d.parts(self.d.at(self._one_sided(), (*pair, r, b), above, none))
        if d.head(goal) == "oiny":
            return d.taut(goal, d.under("oiny", same), iny)
        problem = NotFound("a larger bound")
        moved = d.under("oint", same)
        # what is at most e^(c b^2) the chord does not show: long sums are tried for it in vain
        curved = self._squared(d.kids(goal)[1], b)
        for most in self._most((*pair, r, b), above, none, less, facts, curved):
            try:
                rest = a.prove(d.mk("le", d.kids(d.claim(most))[1], d.kids(goal)[1]), plain)
            except (NotFound, NeedSplit) as failed:
                problem = failed if isinstance(failed, NotFound) else problem
                continue
            return d.do("arith", goal, [moved, most, rest],
                        [[one, [0]], [one, [1]], [one, [2]]])
        raise problem

    def _squared(self, t: int, b: int) -> bool:
        """Is there a product in t with the factor b twice?"""
        d = self.d

        def times(s: int) -> int:
            return sum(map(times, d.kids(s))) if d.head(s) == "mul" else s == b
        return any(d.head(s) == "mul" and times(s) > 1 for s in d.subterms(t))

    def _most(self, terms: tuple[int, int, int, int], above: int, none: int, one_sided: int,
              facts: Sequence[int], curved: bool) -> Iterator[int]:
        """Bounds of a moment, from both directions where there are two; the one with b^2 first
        where the goal has such a square."""
        p, q, _, b = terms
        try:
            other = self.a.prove(self.d.mk(
                "eq", self.a.guarantees.hinge(q, p, b), self.d.num(0)), facts)
        except (NotFound, NeedSplit):
            yield one_sided
            return
        if curved:
            yield self.subgaussian.at(terms, above, none, other)
        yield self.d.at(self._both_sided(), terms, above, none, other)
        yield one_sided
        if not curved:
            yield self.subgaussian.at(terms, above, none, other)

    def not_negative(self, b: int, none: int) -> int:
        """0 <= b from oint max(0, p - e^b q) = 0, which is at least 1 - e^b."""
        d, a = self.d, self.a
        zero, one, size, hinge = d.num(0), d.num(1), d.mk("exp", b), d.kids(d.claim(none))[0]
        least = a.prove(d.mk("le", d.sub(one, size), hinge))
        grown = d.do("arith", d.mk("le", d.mk("exp", zero), size), [least, none],
                     [[one, [0]], [one, [1]]])
        return d.taut(d.mk("le", zero, b), a.grows("le", zero, b), grown)

    def one_sided(self, terms: Sequence[int], *given: int) -> int:
        """oiny p (p/q)^r and M(r) <= e^(r b) for p, q, r, b, from 0 < r and delta(b) = 0."""
        return self.d.at(self._one_sided(), terms, *given)

    # at one outcome -----------------------------------------------------------------------------

    def _loss(self, p: int, q: int, b: int, given: Sequence[int], turned: bool) -> int:
        """log p - log q <= b from 0 < p, 0 < q and p <= e^b q; or -b <= it, turned."""
        d, a = self.d, self.a
        low, high = (q, p) if turned else (p, q)
        logs = [d.mk("log", t) for t in (low, high)]
        values = [a.logarithms.power(log, t, given) for log, t in zip(logs, (low, high),
                                                                      strict=True)]
        exponent = d.add(b, logs[1])
        less = d.mk("le", d.mk("exp", logs[0]), d.mk("exp", exponent))
        (order,) = [i for i in given if d.claim(i) == d.mk("le", low, d.mul(d.mk("exp", b), high))]
        known = [v for v in values if v is not None]
        if len(known) < 2:
            raise NotFound("a sign is not known")
        found = d.do("arith", less, [order, *known], [
            [d.num(1), [0]], [d.num(1), [1]], [d.neg(d.mk("exp", b)), [2]]])
        return d.taut(d.mk("le", logs[0], exponent), a.grows("le", logs[0], exponent), found)

    def _setting(self) -> tuple[list[tuple[str, str]], list[int]]:
        """Letters p, q, r, b."""
        d = self.d
        made = [(*d.fresh(s, n), s) for s, n in (("D", "p"), ("D", "q"), ("R", "r"), ("R", "b"))]
        return [(n, s) for n, _, s in made], [t for _, t, _ in made]

    def _cases(self, goal: int, yes: int, given: Sequence[int], facts: Sequence[int],
               numbers: Sequence[int] = ()) -> int:
        """The goal at an outcome, from what holds where all that is given does; whatever the
        numbers are."""
        d = self.d
        yes = d.disch_all(map(d.claim, given), yes)
        return with_letters(self.a, goal, [yes, *facts], numbers)

    def _one_sided(self) -> int:
        """all p, q, r, b: 0 < r -> oint max(0, p - e^b q) = 0 -> oiny f and oint f <= e^(r b)."""
        if self._one is None:
            d, a = self.d, self.a
            zero, one = d.num(0), d.num(1)
            letters, (p, q, r, b) = self._setting()
            above = d.assume(d.mk("lt", zero, r))
            none = d.assume(d.mk("eq", a.guarantees.hinge(p, q, b), zero))
            f = self.moments._power((p, q), r)
            most = d.mk("exp", d.mul(r, b))
            name, x = d.fresh("O", "x")
            px, qx = (d.mk("dens", m, x) for m in (p, q))
            given = [d.assume(c) for c in (d.mk("lt", zero, px), d.mk("lt", zero, qx), d.mk(
                "le", px, d.mul(d.mk("exp", b), qx)))]
            loss = self._loss(px, qx, b, given, False)
            exponent = d.mul(r, d.sub(d.mk("log", px), d.mk("log", qx)))
            order = d.do("arith", d.mk("le", exponent, d.mul(r, b)), [loss, above],
                         [[one, [0, 1]]])
            grown = d.onward(a.grows("le", *d.kids(d.claim(order))), order)
            below = d.do("arith", d.mk("le", d.mul(px, d.mk("exp", exponent)), d.mul(most, px)),
                         [grown, given[0]], [[one, [0, 1]]])
            # f cut off where p is too large: integrable, and f outside of the null set
            (inner,) = [t for t in d.subterms(f) if d.head(t) == "mul" and d.head(
                d.kids(t)[0]) == "dens"]
            bound_p, bound_q = (d.mk("dens", m, d.b.bound(0, "O")) for m in (p, q))
            cut = d.mk("if", d.mk("le", bound_p, d.mul(d.mk("exp", b), bound_q)), inner, zero)
            for dens in (bound_q, bound_p):
                cut = d.mk("if", d.mk("lt", zero, dens), cut, zero)
            top = d.mul(most, bound_p)
            iny_top, total = d.parts(d.do("integral", d.conj([d.mk("oiny", top), d.mk(
                "eq", d.mk("oint", top), d.mul(most, d.mk("oint", bound_p)))]),
                [d.parts(a.mass_one(bound_p))[0]], ["scale", most]))
            at = d.b.open(cut, x)
            densities = a._positive(at)
            numbers = most, d.mk("exp", b)
            least = d.law("exp positive", d.mk("lt", zero, most), *d.kids(most))
            size = self._cases(d.mk("le", d.mk("abs", at), d.mul(most, px)), below, given,
                               [*densities, least], numbers)
            iny_cut = d.do("dominate", d.mk("oiny", cut), [d.gen(name, "O", size), iny_top])
            alike, same = a._alike_outside(f, cut, [none])
            small = self._cases(d.mk("le", at, d.mul(most, px)), below, given, [
                *densities, least], numbers)
            less = d.do("mono", d.mk("le", d.mk("oint", cut), d.mk("oint", top)), [
                d.gen(name, "O", small), iny_cut, iny_top])
            whole = d.parts(a.mass_one(bound_p))[1]
            bounded = d.do("arith", d.mk("le", d.mk("oint", f), most), [same, less, total, whole], [
                [one, [0]], [one, [1]], [one, [2]], [most, [3]]])
            i = d.both(d.taut(d.mk("oiny", f), alike, iny_cut), bounded)
            for g in (none, above):
                i = d.disch(d.claim(g), i)
            self._one = d.gen_all(letters, i)
        return self._one

    def _bernoulli(self, y: int, r: int, above: int) -> int:
        """1 + (r + 1) (e^y - 1) <= e^((r + 1) y), for r > 0."""
        d = self.d
        one, power = d.num(1), d.mk("exp", y)
        s = d.add(r, one)
        laws = [d.law("exp above tangent", d.mk("le", d.add(one, t), d.mk("exp", t)), t)
                for t in (d.mul(r, y), d.neg(y))]
        large = d.law("exp positive", d.mk("lt", d.num(0), power), y)
        goal = d.mk("le", d.add(one, d.mul(s, d.sub(power, one))), d.mk("exp", d.mul(s, y)))
        return d.do("arith", goal, [*laws, large, above], [[one, [2, 0]], [one, [3, 2, 1]]])

    def _both_sided(self) -> int:
        """The same without 0 < b: b < 0 is absurd, and at b = 0 the bound is 1."""
        if self._both is None:
            d, a = self.d, self.a
            zero, one = d.num(0), d.num(1)
            letters, (p, q, r, b) = self._setting()
            above = d.assume(d.mk("lt", zero, r))
            nones = [d.assume(d.mk("eq", a.guarantees.hinge(*two, b), zero))
                     for two in ((p, q), (q, p))]
            wide = d.assume(d.mk("lt", zero, b))
            yes = self.d.at(self._two_sided(), (p, q, r, b), above, wide, *nones)
            low = self.not_negative(b, nones[0])
            high = d.opposite(d.assume(d.mk("not", d.claim(wide))))
            same = d.mk("eq", b, zero)
            none = d.taut(same, d.do("order", d.mk("iff", same, d.conj(
                [d.mk("le", b, zero), d.mk("le", zero, b)]))), high, low)
            less = d.parts(self.d.at(self._one_sided(), (p, q, r, b), above, nones[0]))[1]
            sides = [d.alike(t, none) for t in (d.kids(d.claim(less))[1], d.kids(d.claim(yes))[1])]
            no = d.do("arith", d.claim(yes), [less, *sides], [
                [one, [0]], [one, [1]], [d.num(-1), [2]]])
            i = d.split(d.claim(wide), yes, no)
            for g in (*nones[::-1], above):
                i = d.disch(d.claim(g), i)
            self._both = d.gen_all(letters, i)
        return self._both

    def _two_sided(self) -> int:
        """all p, q, r, b: 0 < r -> 0 < b -> oint max(0, p - e^b q) = 0 -> the same of q and p ->
        oint f <= (e^b e^(-b (r + 1)) + e^(b (r + 1))) / (1 + e^b)."""
        if self._two is None:
            d, a = self.d, self.a
            zero, one = d.num(0), d.num(1)
            letters, (p, q, r, b) = self._setting()
            above, wide = (d.assume(d.mk("lt", zero, t)) for t in (r, b))
            nones = [d.assume(d.mk("eq", a.guarantees.hinge(*two, b), zero))
                     for two in ((p, q), (q, p))]
            f = self.moments._power((p, q), r)
            high, low = d.mk("exp", b), d.mk("exp", d.neg(b))
            s = d.add(r, one)
            up, down = d.mk("exp", d.mul(s, b)), d.mk("exp", d.neg(d.mul(s, b)))
            width = d.sub(high, low)
            law = d.law("exp monotone", d.mk("iff", d.mk("lt", d.neg(b), b), d.mk("lt", low, high)),
                        d.neg(b), b)
            grows = d.onward(law, d.do("arith", d.mk("lt", d.neg(b), b), [wide],
                                       [[d.num(2), [0]]]))
            unit, over = d.reciprocal(d.do("arith", d.mk("lt", zero, width), [grows],
                                           [[one, [0]]]))
            inverse = d.mk("inv", width)
            first = d.mul(inverse, d.sub(up, down))
            second = d.mul(inverse, d.sub(d.mul(high, down), d.mul(low, up)))
            name, x = d.fresh("O", "x")
            px, qx = (d.mk("dens", m, x) for m in (p, q))
            given = [d.assume(c) for c in (
                d.mk("lt", zero, px), d.mk("lt", zero, qx), d.mk("le", px, d.mul(high, qx)),
                d.mk("le", qx, d.mul(high, px)))]
            below = self._chord((px, qx, r, b), given, (above, unit, over), (first, second))
            bodies = [d.mk("dens", m, d.b.bound(0, "O")) for m in (p, q)]
            chord = d.add(*(d.mul(c, t) for c, t in zip((first, second), bodies, strict=True)))
            iny_chord, total = combined(
                d, (first, second), [d.parts(a.mass_one(t))[0] for t in bodies])
            (chord,) = d.kids(d.claim(iny_chord))
            iny = d.parts(self.d.at(self._one_sided(), (p, q, r, b), above, nones[0]))[0]
            changed, same, iny = a._outside(f, chord, iny, nones)
            at = d.b.open(changed, x)
            inside = self._cases(d.mk("le", at, d.b.open(chord, x)), below, given, [
                *a._positive(at), d.law("exp positive", d.mk("lt", zero, high), b)], (
                first, second, high))
            less = d.do("mono", d.mk("le", d.mk("oint", changed), d.mk("oint", chord)), [
                d.gen(name, "O", inside), iny, iny_chord])
            wholes = [d.parts(a.mass_one(t))[1] for t in bodies]
            ratio, _ = d.reciprocal(d.do("arith", d.mk("lt", zero, d.add(one, high)), [d.law(
                "exp positive", d.mk("lt", zero, high), b)], [[one, [0]], [one, []]]))
            most = d.mul(d.add(d.mul(high, down), up), d.mk("inv", d.add(one, high)))
            value = d.do("arith", d.mk("eq", d.add(first, second), most), [unit, ratio], [
                [most, [0]], [d.neg(d.add(first, second)), [1]]])
            i = d.do("arith", d.mk("le", d.mk("oint", f), most), [
                same, less, total, *wholes, value], [
                [one, [0]], [one, [1]], [one, [2]], [first, [3]], [second, [4]], [one, [5]]])
            for g in (*nones[::-1], wide, above):
                i = d.disch(d.claim(g), i)
            self._two = d.gen_all(letters, i)
        return self._two

    def _chord(self, terms: tuple[int, int, int, int], given: Sequence[int],
               known: tuple[int, int, int], weights: tuple[int, int]) -> int:
        """p e^(r (log p - log q)) <= A p + B q, where both are > 0 and the ratio is bounded."""
        d, a = self.d, self.a
        p, q, r, b = terms
        above, unit, over = known
        one, zero = d.num(1), d.num(0)
        logs = d.mk("log", p), d.mk("log", q)
        loss = d.sub(*logs)
        values = [a.logarithms.power(log, t, given) for log, t in zip(logs, (p, q), strict=True)]
        s = d.add(r, one)
        ends = [self._bernoulli(d.sub(e, loss), r, above) for e in (b, d.neg(b))]
        power = d.mk("exp", d.mul(r, loss))
        value = d.mul(p, power)
        # in units of q: u = p/q
        u = d.mk("exp", loss)
        ratio = a.identity(d.mk("eq", d.mul(q, u), p), [i for i in values if i is not None])
        high, low = d.mk("exp", b), d.mk("exp", d.neg(b))
        x = d.mk("exp", d.mul(s, loss))
        sides = []
        for e, f, turned in ((high, u, False), (u, low, True)):
            less = self._loss(p, q, b, given, turned)
            goal = d.mk("le", d.neg(b), loss) if turned else d.mk("le", loss, b)
            less = d.do("arith", goal, [less], [[one, [0]]])
            grown = d.onward(a.grows("le", *d.kids(goal)), less)
            sides.append(d.do("arith", d.mk("le", zero, d.sub(e, f)), [grown], [[one, [0]]]))
        more = d.law("exp positive", d.mk("lt", zero, x), *d.kids(x))
        up, down = d.mk("exp", d.mul(s, b)), d.mk("exp", d.neg(d.mul(s, b)))
        line = d.add(d.mul(d.sub(u, low), up), d.mul(d.sub(high, u), down))
        scalar = d.do("arith", d.mk("le", d.mul(d.sub(high, low), x), line), [
            sides[0], sides[1], *ends, more], [[one, [1, 2, 4]], [one, [0, 3, 4]]])
        goal = d.mk("le", value, d.add(d.mul(weights[0], p), d.mul(weights[1], q)))
        # value = q x; times q / (e^b - e^-b)
        inverse = d.kids(d.claim(over))[1]
        return d.do("arith", goal, [scalar, given[1], over, unit, ratio], [
            [one, [0, 1, 2]], [d.neg(d.mul(q, x)), [3]],
            [d.sub(d.mul(inverse, d.sub(up, down)), power), [4]]])
