"""Basic composition: k releases, each (e, c)-DP, together are (sum of e, sum of c)-DP.

V(m, a, b) is the profile of m releases at T, with a P and b Q in the place of P and Q.  If the next
of them is (e, c)-DP, then for a, b >= 0, with y = exp(T - (what the releases after it have))

    oint max(0, a p - y b q) <= c a + max(0, a - y exp(-e) b),

from the guarantee where y b exp(-e) is above a, and a - y exp(-e) b more where it is not.  So by
induction, with S(m) and D(m) the sums over the last m releases,

    V(m, a, b) <= D(m) a + max(0, a - exp(T - S(m)) b).

Of releases chosen by what came before, the sums are those from release i to release i + m - 1.
S and D are read off from the claim, which is about all k of them: T and the bound, m for k.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound
from lapdp.proving.line_sums import combined

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

Form = Callable[[int], int]


class BasicComposition:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d, self.r = prover, prover.d, prover.releases
        self._tried: set[int] = set()

    def relation(self, goal: int, facts: Sequence[int]) -> int | None:
        """V(k, 1, 1) <= t, and of histories V(k, 1, 1, 1, h) <= t.  None: it is no such claim, or
        not seen in this way.  V = 0 where V <= 0 is seen, as V >= 0."""
        d = self.d
        if d.head(goal) == "eq":
            return self._vanishing(goal, facts)
        if d.head(goal) != "le" or goal in self._tried:
            return None
        value, bound = d.kids(goal)
        if d.head(value) not in ("app3", "app6"):
            return None
        v, k, *at = d.kids(value)
        one = d.num(1)
        at = at if d.head(value) == "app3" else [*at[:3], at[4]]
        if v not in self.a.recursions.rules or d.head(k) != "v" or (
                {*at[:3]} if len(at) == 4 else {*at}) != {one} or v in d.subterms(bound):
            return None
        self._tried.add(goal)
        try:
            return self._found(goal, v, k, at, [i for i in facts if v not in d.subterms(
                d.claim(i))])
        except (NotFound, NeedSplit):
            return None

    def _vanishing(self, goal: int, facts: Sequence[int]) -> int | None:
        """V(k, 1, 1) = 0, or V(k, 1, 1, 1, h) = 0."""
        d = self.d
        zero, one = d.num(0), d.num(1)
        value, bound = d.kids(goal)
        if d.head(value) not in ("app3", "app6") or bound != zero:
            return None
        high = self.relation(d.mk("le", value, zero), facts)
        if high is None:
            return None
        v, k, *at = d.kids(value)
        sign = d.do("arith", d.mk("le", zero, one), [], [[one, []]])
        try:
            below, _ = self.r.between(v, self.a.recursions.nat(k, facts))
            ranges = d.at(below, at if len(at) == 2 else [*at[:3], at[4]])
            low = d.parts(d.mp(ranges, d.both(sign, sign)))[0]
        except (NotFound, NeedSplit):
            return None
        order = d.conj([d.claim(high), d.claim(low)])
        return d.taut(goal, d.do("order", d.mk("iff", goal, order)), high, low)

    def _found(self, goal: int, v: int, k: int, at: Sequence[int], facts: Sequence[int]) -> int:
        d = self.d
        bound = d.kids(goal)[1]
        whole, turned = self._exponent(v)
        if k not in d.subterms(whole):
            raise NotFound("no sum of exponents")
        lost, size = (self._sums(t, k, len(at) == 4) for t in (bound, whole))
        found = self._below(v, (whole, turned), (lost, size), facts)
        found = d.mp(d.inst(found, k), self.a.recursions.nat(k, facts))
        zero, one = d.num(0), d.num(1)
        if len(at) == 4:
            found = d.mp(d.inst(found, zero), d.do("natural", d.mk("nat", zero)))
            found = d.inst(found, at[3])
            first = d.add(zero, one)
            found = d.replace(found, d.do("arith", d.mk("eq", first, one)))
        sign = d.do("arith", d.mk("le", zero, one), [], [[one, []]])
        found = d.mp(d.at(found, (one, one)), d.both(sign, sign))
        end = d.kids(d.claim(found))[1]
        rest = self.a.prove(d.mk("le", end, bound), self._plain(facts))
        return d.do("arith", goal, [found, rest], [[one, [0]], [one, [1]]])

    def _exponent(self, v: int) -> tuple[int, bool]:
        """T for V(0, a, b) = max(0, a - exp(T) b), and whether a and b are exchanged there."""
        d = self.d
        _, at = self.r.variables(v)
        a, b = self.r.factors(at)
        start = d.kids(d.claim(self.r.started(v, at)))[1]
        for t in d.subterms(start):
            if d.head(t) == "exp":
                for x, y, turned in ((a, b, False), (b, a, True)):
                    if start == d.mk("max", d.num(0), d.sub(x, d.mul(t, y))):
                        return d.kids(t)[0], turned
        raise NotFound("no profile")

    def _sums(self, t: int, k: int, chosen: bool) -> Callable[[int, int], int]:
        """The sum over m releases after the first j, from the one over all k."""
        d = self.d
        body = d.hole(t, k)

        def form(m: int, j: int) -> int:
            if not chosen:
                return d.b.open(body, m)
            return d.sub(d.b.open(body, d.add(j, m)), d.b.open(body, j))

        return form

    def _plain(self, facts: Sequence[int]) -> list[int]:
        d = self.d
        return [i for i in facts if d.head(d.claim(i)) in (*RELATIONS, "nat")
                and not self.a._speaks(d.claim(i))]

    def _below(self, v: int, start: tuple[int, bool],
               forms: tuple[Callable[[int, int], int], Callable[[int, int], int]],
               facts: Sequence[int]) -> int:
        """For all whole m, [all whole j, all h,] and all a, b >= 0 the bound of V(m, ..)."""
        d = self.d
        whole, turned = start
        lost, size = forms
        zero, one = d.num(0), d.num(1)
        chosen = d.b.sorts[v] == "W"
        (nj, j), (nh, h) = d.fresh("R", "j"), d.fresh("O", "h")
        (na, a), (nb, b) = d.fresh("R", "a"), d.fresh("R", "b")
        counted = d.assume(d.mk("nat", j))
        both = d.assume(d.conj([d.mk("le", zero, t) for t in (a, b)]))

        def place(j: int, a: int, b: int) -> list[int]:
            pair = [b, a] if turned else [a, b]
            return [d.add(j, one), *pair, h] if chosen else pair

        def bound(m: int, a: int, b: int) -> int:
            rest = d.mk("exp", d.sub(whole, size(m, j)))
            return d.add(d.mul(lost(m, j), a), d.mk("max", zero, d.sub(a, d.mul(rest, b))))

        def claim(m: int) -> int:
            return d.mk("le", self.r.value(v, m, place(j, a, b)), bound(m, a, b))

        def close(i: int) -> int:
            i = d.gen(na, "R", d.gen(nb, "R", d.disch(d.claim(both), i)))
            if not chosen:
                return i
            return d.gen(nj, "R", d.disch(d.claim(counted), d.gen(nh, "O", i)))

        def general(m: int) -> int:
            found = d.for_all([(na, "R"), (nb, "R")], d.mk("imp", d.claim(both), claim(m)))
            if not chosen:
                return found
            return d.for_all([(nj, "R")], d.mk("imp", d.claim(counted), d.for_all(
                [(nh, "O")], found)))

        begun = self.r.started(v, place(j, a, b))
        plain = [*self._plain(facts), *d.parts(both), *([counted] if chosen else [])]
        first = d.kids(d.claim(begun))[1]
        less = self.a.prove(d.mk("le", first, bound(zero, a, b)), plain)
        begin = close(d.replace(less, d.turn(begun)))

        def step(isnat: int, known: int) -> int:
            (m,) = d.kids(d.claim(isnat))
            at = place(j, a, b)
            if not self._continuous(v):
                return close(self._unfolded(v, turned, at, isnat, known, plain, bound))
            less = self._integrated(v, turned, at, isnat, both, known, facts, counted)
            end = bound(d.add(m, one), a, b)
            most = d.kids(d.claim(less))[1]
            rest = self._settled(most, end, [*plain, isnat])
            return close(d.do("arith", claim(d.add(m, one)), [less, rest],
                              [[one, [0]], [one, [1]]]))

        return d.induction(general, begin, step)

    def _continuous(self, v: int) -> bool:
        """Is one more release an integral over outcomes?"""
        d = self.d
        claim = self.a.recursions._inside(d.claim(self.a.recursions.rules[v][1]))[1]
        return d.head(d.kids(claim)[1]) == "oint"

    def _settled(self, most: int, end: int, facts: Sequence[int]) -> int:
        """The bound of one step <= the one that is claimed: the exponents, then the sums."""
        d = self.d
        exps = [[u for u in d.subterms(t) if d.head(u) == "exp" and not d.b.loose[u]]
                for t in (most, end)]
        for s in exps[0]:
            for t in exps[1]:
                if s == t:
                    continue
                try:
                    same = self.a.prove(d.mk("eq", d.kids(s)[0], d.kids(t)[0]), facts)
                except (NotFound, NeedSplit):
                    continue
                changed = d.alike(most, d.alike(s, same))
                less = self.a.prove(d.mk("le", d.kids(d.claim(changed))[1], end), facts)
                return d.replace(less, d.turn(changed))
        return self.a.prove(d.mk("le", most, end), facts)

    # one more release as an integral ------------------------------------------------------------

    def _integrated(self, v: int, turned: bool, at: Sequence[int], isnat: int, both: int,
                    known: int, facts: Sequence[int], counted: int) -> int:
        """V(m + 1, ..) <= (D + c) a + max(0, a - y exp(-e) b) from what is known at m."""
        d = self.d
        one = d.num(1)
        signs = d.parts(both)
        a, b = (d.kids(d.claim(i))[1] for i in signs)
        order = d.both(*signs[::-1]) if turned else both
        name, x = d.fresh("O", "x")
        pair = self.r.pair(v, at)
        after = self.r.after(at, pair, x)
        p, q = pair[::-1] if turned else pair
        inside = known
        if len(at) == 4:
            (j,) = d.kids(d.claim(counted))
            more = self.a.recursions.nat(d.add(j, one), [counted])
            inside = d.inst(d.mp(d.inst(inside, d.add(j, one)), more), after[3])
        weights = [self.r.weighted(r, x, s) for r, s in zip((p, q), signs, strict=True)]
        inside = d.mp(d.at(inside, [d.kids(d.claim(w))[1] for w in weights]),
                      d.both(*weights))
        value, most = d.kids(d.claim(inside))
        share, hinge = d.kids(most)
        lost = d.kids(share)[0]
        factor = self._last_exp(hinge)
        mine = self.r.over(v, isnat, at, order)[0]
        mass, total = d.parts(self.a.mass_one(d.mk("dens", d.b.lift(p), d.b.bound(0, "O"))))
        body = d.b.abstract(hinge, name, "O")
        top = self.a.apart_from(d.mk("oiny", body), signs)
        scales = [d.mul(lost, a), one]
        iny, sums = combined(self.d, scales, [mass, top])
        (g,) = d.kids(d.claim(iny))
        less = d.do("arith", d.mk("le", value, d.b.open(g, x)), [inside], [[one, [0]]])
        (f,) = d.kids(d.claim(mine))
        below = d.do("mono", d.mk("le", d.mk("oint", f), d.mk("oint", g)),
                     [d.gen(name, "O", less), mine, iny])
        here = self._guarantee((p, q), (a, b), factor, body, at, [*facts, counted], signs)
        same = self.r.stepped(v, isnat, at)
        end = d.add(d.mul(lost, a), d.kids(d.claim(here))[1])
        return d.do("arith", d.mk("le", d.kids(d.claim(same))[0], end), [
            same, below, sums, total, here], [
            [one, [0]], [one, [1]], [one, [2]], [d.mul(lost, a), [3]], [one, [4]]])

    def _guarantee(self, pair: tuple[int, int], factors: tuple[int, int], y: int, body: int,
                   at: Sequence[int], facts: Sequence[int], signs: Sequence[int]) -> int:
        """oint max(0, a p - y b q) <= c a + max(0, a - y exp(-e) b), from the guarantee (e, c)."""
        d, a = self.d, factors[0]
        zero, one = d.num(0), d.num(1)
        if len(at) == 4:
            given = [i for i in facts if d.head(d.claim(i)) == "nat"]
            last = d.do("arith", d.mk("le", one, at[0]), [self._least(given[-1])], [[one, [0]]])
            facts = self.a.histories.last.here(facts, at[0], at[3], [
                self.a.recursions.nat(at[0], given), last])
        facts = [*facts, *(self.least_of(i) for i in facts if d.head(d.claim(i)) == "eq")]
        found = next(((i, e) for i, (p, q, e) in self.a.guarantees.points(facts)
                      if (p, q) == pair), None)
        if found is None:
            raise NotFound("no guarantee")
        i, e = found
        f, c = d.kids(d.claim(i))
        large = d.law("exp positive", d.mk("lt", zero, y), *d.kids(y))
        moved = d.mul(d.mk("exp", d.add(*d.kids(y), d.neg(e))), factors[1])
        top = d.mk("max", zero, d.sub(a, moved))
        goal = d.mk("le", d.mk("oint", body), d.add(d.mul(c, a), top))
        low, high = (self.a.by_cases(d.mk("le", k, top)) for k in d.kids(top))
        less = d.mk("le", a, moved)
        right = self.a.apart_from(d.mk("le", d.mk("oint", body), d.mul(a, f)), [
            *signs, large, d.assume(less)])
        right = d.do("arith", goal, [right, i, signs[0], low],
                     [[one, [0]], [one, [1, 2]], [one, [3]]])
        denied = d.opposite(d.assume(d.mk("not", less)))
        left = self.a.apart_from(d.mk("le", d.mk("oint", body), d.add(
            d.mul(a, f), d.sub(a, moved))), [*signs, large, denied])
        left = d.do("arith", goal, [left, i, signs[0], high],
                    [[one, [0]], [one, [1, 2]], [one, [3]]])
        return d.split(less, right, left)

    def least_of(self, i: int) -> int:
        """s <= t from s = t, real numbers; anything else as it is."""
        d = self.d
        s, t = d.kids(d.claim(i))
        if d.b.sorts[s] != "R":
            return i
        return d.do("arith", d.mk("le", s, t), [i], [[d.num(1), [0]]])

    def _least(self, isnat: int) -> int:
        """0 <= j from nat j."""
        d = self.d
        law = d.mk("imp", d.claim(isnat), d.mk("le", d.num(0), *d.kids(d.claim(isnat))))
        return d.mp(d.do("natural", law), isnat)

    # one more release as a sum ------------------------------------------------------------------

    def _unfolded(self, v: int, turned: bool, at: Sequence[int], isnat: int, known: int,
                  facts: Sequence[int], bound: Callable[[int, int, int], int]) -> int:
        """V(m + 1, a, b) <= its bound, from what is known at m: with M = max(0, a - y exp(-e) b),
        max(0, a p - y b q) is at most p M at the outcomes where p <= exp(e) q, and at most a p at
        the others, which weigh at most c."""
        d = self.d
        one, zero = d.num(1), d.num(0)
        (m,) = d.kids(d.claim(isnat))
        a, b = at[::-1] if turned else at
        same = self.r.stepped(v, isnat, at)
        now, end = (bound(n, a, b) for n in (m, d.add(m, one)))
        (lost, _), (more, top) = ((d.kids(d.kids(t)[0])[0], d.kids(t)[1]) for t in (now, end))
        y, moved = (d.kids(self._last_exp(d.kids(u)[1]))[0] for u in (now, end))
        e = self.a.terms.term(self.a.reader.read(d.sub(y, moved)), "R")
        rate = d.mk("exp", e)
        signs = [self.a.prove(d.mk("le", zero, t), facts) for t in (a, b)]
        least, less = (self.a.by_cases(d.mk("le", k, top)) for k in d.kids(top))
        premises, parts = [same], [[one, [0]]]
        masses: list[int] = []
        worse: list[int] = []
        for t in d.subterms(d.kids(d.claim(same))[1]):
            if d.head(t) != "app3" or d.kids(t)[0] != v:
                continue
            pair = d.kids(t)[2:][::-1] if turned else d.kids(t)[2:]
            p, q = (d.kids(x)[1] for x in pair)
            above = [self.a.prove(d.mk("le", zero, x), facts) for x in (p, q)]
            scaled = [d.do("arith", d.mk("le", zero, x), [k, s], [[one, [0, 1]]])
                      for x, k, s in zip(pair, signs, above, strict=True)]
            here = d.mp(d.at(known, pair), d.both(*scaled))
            hinge = d.kids(d.kids(d.claim(here))[1])[1]
            try:
                near = self.a.prove(d.mk("le", p, d.mul(rate, q)), facts)
                value = d.mul(p, top)
            except (NotFound, NeedSplit):
                near, value = -1, d.mul(a, p)
                worse.append(p)
            large = d.law("exp positive", d.mk("lt", zero, d.mk("exp", moved)), moved)
            through = [scaled[0], scaled[1], above[0], least, less, large, signs[1]]
            high = self._hinge(hinge, value, [*through, near], near < 0)
            parts += [[one, [len(premises)]], [one, [len(premises) + 1]]]
            premises += [here, high]
            masses.append(p)
        whole = self.a.prove(d.mk("eq", d.add(*masses), one), facts)
        rest = d.add(zero, *worse)
        other = self.a.prove(d.mk("le", d.add(lost, rest), more), [*facts, isnat])
        spared = self.a.prove(d.mk("le", zero, rest), facts)
        n = len(premises)
        return d.do("arith", d.mk("le", d.kids(d.claim(same))[0], end), [
            *premises, whole, other, signs[0], spared, least], [
            *parts, [d.add(d.mul(lost, a), top), [n]], [one, [n + 1, n + 2]],
            [one, [n + 3, n + 4]]])

    def _last_exp(self, t: int) -> int:
        """The exponential in a hinge; those in its exponent come before it."""
        return [u for u in self.d.subterms(t) if self.d.head(u) == "exp"][-1]

    def _hinge(self, hinge: int, value: int, known: Sequence[int], far: bool) -> int:
        """max(0, a p - y b q) <= a p, or <= p M."""
        d = self.d
        one = d.num(1)
        scaled_p, scaled_q, above, least, less, large, sign, near = known
        low, high = (d.mk("le", k, value) for k in d.kids(hinge))
        exps = [t for t in d.subterms(hinge) if d.head(t) == "exp"]
        if far:
            positive = d.law("exp positive", d.mk("lt", d.num(0), exps[-1]), *d.kids(exps[-1]))
            parts = [d.do("arith", low, [scaled_p], [[one, [0]]]),
                     d.do("arith", high, [positive, scaled_q], [[one, [0, 1]]])]
        else:
            # p M - (a p - y b q) = p (M - (a - y' b)) + y' b (exp(e) q - p)
            parts = [d.do("arith", low, [above, least], [[one, [0, 1]]]),
                     d.do("arith", high, [above, less, large, sign, near], [
                         [one, [0, 1]], [one, [2, 3, 4]]])]
        return self._largest(hinge, value, parts)

    def _largest(self, hinge: int, value: int, parts: Sequence[int]) -> int:
        """max(s, t) <= u from s <= u and t <= u."""
        d = self.d
        goal = d.mk("le", hinge, value)
        s, t = d.kids(hinge)
        unfolded = d.law("max", d.mk("eq", hinge, d.mk("if", d.mk("le", s, t), t, s)), s, t)
        condition = d.mk("le", s, t)
        made = []
        for c, i in ((condition, parts[1]), (d.mk("not", condition), parts[0])):
            case = d.kids(d.claim(unfolded))[1]
            law = d.do("cases", d.mk("imp", c, d.mk("eq", case, d.kids(d.claim(i))[0])))
            same = d.chain(unfolded, d.mp(law, d.assume(c)))
            body = d.mk("le", d.b.bound(0, "R"), d.b.lift(value))
            made.append(d.do("rewrite", goal, [d.turn(same), i], [body]))
        return d.split(condition, *made)
