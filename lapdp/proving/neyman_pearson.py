"""The Lemma of Neyman and Pearson: a trade-off function is no more than its bounds say.

With V and H as in :mod:`lapdp.proving.optimal`: what is at most c a + H(c) for every c > 0 is at
most V, if a >= 0.

Let a > 0, v <= c a + H(c) for all c > 0, and s the infimum of all c > 0 with f(g > c f) <= a, where
f(g > c f) <= g(everywhere)/c.  For c1 < s <= c2 with c2 - c1 < h, the events S = {g > c2 f} and T =
{g > c1 f}, mixed so that the mass of f is a, have a mass of g of at least H(c2) + c2 f(S) + c1 (a -
f(S)) >= v - h a.  If s = 0 then S alone has H(c2) >= v - h a.  For a = 0 the event f = 0 has the
mass to which H(c) tends as c grows.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lapdp.kernel.domain import domain
from lapdp.proving.optimal import OptimalTests, Testing


class NeymanPearson(OptimalTests):
    """What is known of tests, and that they reach their bounds."""

    def least(self, test: Testing, each: int, facts: Sequence[int]) -> int:
        """v <= V from: for all c, 0 < c -> v <= c a + H(c), where 0 <= a; proved once for all
        levels a and numbers v."""
        d, a = self.d, self.a
        v = d.kids(d.kids(d.b.open(d.kids(d.claim(each))[0], d.num(0)))[1])[0]
        plain = [i for i in facts if not a._speaks(d.claim(i))]
        names, (level, bound) = zip(*(d.fresh("R", n) for n in "av"), strict=True)
        general = Testing(test.f, test.g, level)
        given = d.assume(d.mk("le", d.num(0), level))
        c = d.b.bound(0, "R")
        every = d.mk("allR", d.mk("imp", d.mk("lt", d.num(0), c), d.mk(
            "le", d.b.lift(bound), d.add(d.mul(c, d.b.lift(level)), self._surplus(general)))))
        claim = d.mk("imp", d.claim(given), d.mk("imp", every, d.mk(
            "le", bound, self.supremum(general))))
        for name in names:
            claim = d.mk("allR", d.b.abstract(claim, name, "R"))
        law = self._kept(claim, plain)
        if law is None:
            law = self._least(self.supremum(general), general, d.assume(every), [*plain, given])
            law = d.disch(d.claim(given), d.disch(every, law))
            for name in names:
                law = d.gen(name, "R", law)
            self._keep(law)
        made = d.inst(d.inst(law, v), test.level)
        return d.mp(d.mp(made, a.prove(d.kids(d.claim(made))[0], facts)), each)

    def _surplus(self, test: Testing) -> int:
        """H at the innermost bound number, as a body."""
        d = self.d
        name, c = d.fresh("R", "c")
        return d.b.abstract(self.surplus(test, c), name, "R")

    def _least(self, sup: int, test: Testing, each: int, facts: Sequence[int]) -> int:
        """The same for one level."""
        d, a = self.d, self.a
        zero = d.num(0)
        self._law(sup, facts)
        (body,) = d.kids(d.claim(each))
        v = d.kids(d.kids(d.b.open(body, zero))[1])[0]
        goal = d.mk("le", v, sup)
        none = d.mk("eq", test.level, zero)
        at_none = self._of_nothing(goal, sup, test, each, [*facts, d.assume(none)])
        some = d.mk("lt", zero, test.level)
        at_some = self._of_some(goal, sup, test, each, [*facts, d.assume(some)])
        level = a.prove(d.mk("le", zero, test.level), facts)
        law = d.do("order", d.mk("or", some, d.mk("or", d.mk("eq", zero, test.level), d.mk(
            "lt", test.level, zero))))
        either = a.prove(d.mk("imp", d.mk("not", none), some), [level, law])
        return d.taut(goal, either, d.disch(none, at_none), d.disch(some, at_some))

    def _at(self, each: int, c: int, positive: int) -> int:
        """v <= c a + H(c)."""
        return self.d.mp(self.d.inst(each, c), positive)

    def _of_some(self, goal: int, sup: int, test: Testing, each: int, facts: Sequence[int]) -> int:
        """v <= V at a level a > 0."""
        d, a = self.d, self.a
        zero, one, level, v = d.num(0), d.num(1), test.level, d.kids(goal)[0]
        given = d.assume(d.mk("lt", sup, v))
        # h (a + 1) = v - V
        hname, h = d.fresh("R", "h")
        whole = d.mk("exR", d.mk("eq", d.mul(d.b.bound(0, "R"), d.b.lift(d.add(level, one))),
                                 d.b.lift(d.sub(v, sup))))
        quotient = d.mul(d.sub(v, sup), d.mk("inv", d.add(level, one)))
        made = d.do("wit", whole, [a.identity(d.b.open(d.kids(whole)[0], quotient), facts)],
                    [quotient])
        gap = d.assume(d.b.open(d.kids(whole)[0], h))
        low = a.prove(d.mk("lt", zero, level), facts)
        small = a.plainly(d.mk("lt", zero, h), [gap, given, low], 2)
        absurd = self._contradiction(sup, test, each, h, [gap, small, low], facts)
        absurd = d.do("choose", d.mk("false"), [made, absurd], [hname, "R"])
        return d.unless(goal, absurd)

    def _contradiction(self, sup: int, test: Testing, each: int, h: int,
                       facts: Sequence[int], context: Sequence[int]) -> int:
        """|- false from v - V = h (a + 1): thresholds that are closer than h."""
        d, a = self.d, self.a
        zero, level = d.num(0), test.level
        inside = d.mk("exR", d.conj([
            d.mk("lt", zero, d.b.bound(0, "R")),
            d.mk("le", self._fixed(test, d.b.bound(0, "R")), d.b.lift(level, 2)),
            d.mk("eq", d.b.bound(1, "R"), d.neg(d.b.bound(0, "R")))]))
        low = d.mk("supR", inside)
        law = self._all_above(low, inside, test, [*context, facts[-1]])
        half = d.mul(d.num(Fraction(1, 2)), h)
        # c2 in the set, above low - h/2
        near = d.inst(law, d.sub(low, half))
        left, every = d.kids(d.claim(near))
        not_below = a.plainly(d.mk("lt", d.sub(low, half), low), facts, 0)
        denied = d.taut(d.mk("not", left), not_below, d.do("order", d.mk(
            "iff", d.mk("not", left), d.claim(not_below))))
        some = d.mk("exR", d.mk("not", d.kids(every)[0]))
        other = d.do("quant", d.mk("iff", d.mk("not", every), some))
        exists = d.taut(some, near, denied, other)
        yname, y = d.fresh("R", "y")
        chosen = d.assume(d.b.open(d.kids(some)[0], y))
        member, upper = d.kids(d.kids(d.claim(chosen))[0])
        cname, c = d.fresh("R", "c")
        held = d.assume(d.b.open(d.kids(member)[0], c))
        above = d.opposite(d.taut(d.mk("not", upper), chosen))
        positive, mass, opposite = d.parts(held)
        # c1 as a letter: its value has events inside, which no event may
        wname, before = d.fresh("R", "c")
        value = d.sub(d.neg(low), half)
        placed = d.assume(d.mk("eq", before, value))
        known = [*facts, *context, above, positive, mass, opposite, placed]
        found = self._two_cases(sup, test, each, (h, c, before), law, known, context)
        there = d.mk("exR", d.mk("eq", d.b.bound(0, "R"), d.b.lift(value)))
        found = d.do("choose", d.mk("false"), [d.do("wit", there, [d.refl(value)], [value]), found],
                     [wname, "R"])
        found = d.do("choose", d.mk("false"), [d.taut(member, chosen), found], [cname, "R"])
        return d.do("choose", d.mk("false"), [exists, found], [yname, "R"])

    def _fixed(self, test: Testing, c: int) -> int:
        """The mass of f on the event c f < g."""
        return self.mass(test.f, self.beyond(test, c))

    def _all_above(self, low: int, inside: int, test: Testing, facts: Sequence[int]) -> int:
        """For all b: low <= b <-> every y of the set is <= b."""
        d, a = self.d, self.a
        needed = domain(d.b, low)
        assert needed is not None
        meaning, rest = d.kids(needed)
        yname, y = d.fresh("R", "y")
        defined = a.prove(d.b.open(d.kids(meaning)[0], y), facts)
        meaning = d.gen(yname, "R", defined)
        bounded, inhabited = d.kids(rest)
        # 0 is above: y = -c with 0 < c
        member = d.b.open(inside, y)
        cname, c = d.fresh("R", "c")
        held = d.assume(d.b.open(d.kids(member)[0], c))
        positive, _, opposite = d.parts(held)
        below = d.do("arith", d.mk("le", y, d.num(0)), [positive, opposite],
                     [[d.num(1), [0]], [d.num(1), [1]]])
        below = d.do("choose", d.claim(below), [d.assume(member), below], [cname, "R"])
        top = d.do("wit", bounded, [d.gen(yname, "R", d.disch(member, below))], [d.num(0)])
        # -(M + 1)/a is a member: c f <= g where c f < g
        total = d.mk("oint", test.g)
        far = d.mul(d.add(total, d.num(1)), d.mk("inv", test.level))
        large = a.prove(d.mk("le", d.num(0), total), facts)
        positive = a.plainly(d.mk("lt", d.num(0), far), [*facts, large], 3)
        markov = a.prove(d.mk("le", d.mul(far, self._fixed(test, far)), total),
                         [*facts, positive])
        undone = a.identity(d.mk("eq", d.mul(far, test.level), d.add(total, d.num(1))), facts)
        mass = self._fixed(test, far)
        less = d.mk("le", mass, test.level)
        more = d.mk("lt", test.level, mass)
        given = d.assume(more)
        absurd = d.do("arith", d.mk("false"), [given, positive, markov, undone],
                      [[d.num(1), [0, 1]], [d.num(1), [2]], [d.num(-1), [3]], [d.num(1), []]])
        held = d.unless(less, absurd)
        value = d.neg(far)
        whole = d.b.open(inside, value)
        held = d.do("wit", whole, [d.both(positive, held, d.refl(value))], [far])
        exists = d.do("wit", inhabited, [held], [value])
        law_y, law_b = d.b.bound(0, "R"), d.b.bound(1, "R")
        each = d.mk("allR", d.mk("imp", d.b.deepen(inside), d.mk("le", law_y, law_b)))
        claim = d.mk("allR", d.mk("iff", d.mk("le", low, d.b.bound(0, "R")), each))
        return d.do("supremum", claim, [d.both(meaning, top, exists)])

    def _two_cases(self, sup: int, test: Testing, each: int, thresholds: tuple[int, int, int],
                   law: int, facts: Sequence[int], context: Sequence[int]) -> int:
        """|- false from a threshold c2 of the set, and c1 = s - h/2 before it."""
        d, a = self.d, self.a
        h, c2, c1 = thresholds
        zero, one, level = d.num(0), d.num(1), test.level
        claims = {d.claim(i): i for i in facts}
        positive = claims[d.mk("lt", zero, c2)]
        close = a.plainly(d.mk("lt", d.sub(c2, c1), h), facts, 0)
        bound = self._at(each, c2, positive)
        event = self.beyond(test, c2)
        f2, g2 = (self.mass(p, event) for p in (test.f, test.g))
        there = a.prove(d.mk("eq", self.surplus(test, c2), d.sub(g2, d.mul(c2, f2))),
                        [*context, positive])
        above = a.prove(d.mk("le", zero, f2), context)
        low = next(i for i in facts if d.claim(i) == d.mk("le", f2, level))
        small = claims[d.mk("lt", zero, h)]
        gap = next(i for i in facts if d.head(d.claim(i)) == "eq"
                   and d.kids(d.claim(i))[0] == d.mul(h, d.add(level, one)))
        condition = d.mk("lt", zero, c1)
        no = d.assume(d.mk("not", condition))
        behind = d.opposite(no)
        alone = self.member(sup, test, one, event, event, [*context, d.do(
            "arith", d.mk("le", self.mixed(one, f2, f2), level), [low], [[one, [0]]])])
        some = claims[d.mk("lt", zero, level)]
        first = d.do("arith", d.mk("false"), [
            bound, there, alone, close, behind, some, positive, above, small, gap],
            [[one, [0]], [one, [1]], [one, [2]], [one, [3, 5]], [one, [4, 5]], [one, [6, 7]],
             [one, [8]], [one, [9]]])
        yes = d.assume(condition)
        second = self._between(sup, test, (h, c2, c1), law, [
            bound, there, close, above, low, small, gap, positive, yes, facts[-1]], context)
        return d.split(condition, second, first)

    def _between(self, sup: int, test: Testing, thresholds: tuple[int, int, int], law: int,
                 known: Sequence[int], context: Sequence[int]) -> int:
        """|- false where c1 > 0: the two events beyond c2 and c1, mixed to the level."""
        d, a = self.d, self.a
        _, c2, c1 = thresholds
        zero, one, level = d.num(0), d.num(1), test.level
        bound, there, close, above, low, small, gap, own, yes, placed = known
        events = [self.beyond(test, c) for c in (c2, c1)]
        (f2, g2), (f1, g1) = ([self.mass(p, e) for p in (test.f, test.g)] for e in events)
        # the set's own bounds: every member is at most its supremum
        top = d.kids(d.kids(d.claim(d.inst(law, zero)))[0])[0]
        every = a.suprema.reflexive(law, top)
        value = d.neg(c1)
        member = d.inst(every, value)
        inside = d.kids(d.claim(member))[0]
        less, more = d.mk("le", f1, level), d.mk("lt", level, f1)
        given = d.assume(less)
        held = d.do("wit", inside, [d.both(yes, given, d.refl(value))], [c1])
        absurd = d.do("arith", d.mk("false"), [d.mp(member, held), small, placed],
                      [[one, [0]], [d.num(Fraction(1, 2)), [1]], [one, [2]]])
        large = d.unless(more, absurd)
        other = d.inst(every, d.neg(c2))
        held = d.do("wit", d.kids(d.claim(other))[0], [d.both(own, low, d.refl(d.neg(c2)))], [c2])
        ordered = a.plainly(d.mk("le", c1, c2), [d.mp(other, held), small, placed], 0)
        jump = a.prove(d.mk("le", d.add(g2, d.mul(c1, d.sub(f1, f2))), g1),
                       [*context, yes, ordered])
        # the weight
        size = d.sub(f1, f2)
        apart = d.do("arith", d.mk("lt", zero, size), [low, large], [[one, [0]], [one, [1]]])
        u = d.mul(d.sub(f1, level), d.mk("inv", size))
        exact = a.identity(d.mk("eq", d.mul(u, size), d.sub(f1, level)), [apart])
        uname, w = d.fresh("R", "u")
        exists = d.mk("exR", d.mk("eq", d.mul(d.b.bound(0, "R"), d.b.lift(size)),
                                  d.b.lift(d.sub(f1, level))))
        made = d.do("wit", exists, [exact], [u])
        weight = d.assume(d.b.open(d.kids(exists)[0], w))
        start = self._denying(d.mk("le", zero, w), [apart, large, weight],
                              [[one, [0, 1]], [one, [2]], [d.num(-1), [3]]])
        end = self._denying(d.mk("le", w, one), [apart, low, weight],
                            [[one, [0, 1]], [one, [2]], [one, [3]]])
        right = d.do("arith", d.mk("le", self.mixed(w, f2, f1), level), [weight],
                     [[d.num(-1), [0]]])
        inner = self.member(sup, test, w, events[0], events[1], [start, end, right, *context])
        found = d.do("arith", d.mk("false"), [
            bound, there, end, jump, inner, weight, close, low, small, above, gap],
            [[one, [0]], [one, [1]], [one, [2, 3]], [one, [4]], [c1, [5]], [one, [6, 7]],
             [one, [8, 9]], [one, [8]], [one, [10]]])
        return d.do("choose", d.mk("false"), [made, found], [uname, "R"])

    def _denying(self, goal: int, premises: Sequence[int], parts: list[list[object]]) -> int:
        """s <= t, as t < s makes the parts of an arithmetical step absurd; t < s is premise 0."""
        d = self.d
        s, t = d.kids(goal)
        given = d.assume(d.mk("lt", t, s))
        absurd = d.do("arith", d.mk("false"), [given, *premises], parts)
        return d.unless(goal, absurd)

    def _of_nothing(self, goal: int, sup: int, test: Testing, each: int, facts: Sequence[int]
                    ) -> int:
        """v <= V at the level 0: the event f = 0."""
        d, a = self.d, self.a
        zero, one, v = d.num(0), d.num(1), d.kids(goal)[0]
        event = d.mk("set", d.mk("eq", test.f, zero))
        f0, g0 = (self.mass(p, event) for p in (test.f, test.g))
        nothing = a.prove(d.mk("eq", f0, zero), facts)
        none = next(i for i in facts if d.claim(i) == d.mk("eq", test.level, zero))
        right = d.do("arith", d.mk("le", self.mixed(one, f0, f0), test.level), [nothing, none],
                     [[one, [0]], [d.num(-1), [1]]])
        alone = self.member(sup, test, one, event, event, [*facts, right])
        body = d.mk("if", d.mk("eq", test.f, zero), test.g, zero)
        tends = self._emptied(test, body, facts)
        same = a.prove(d.mk("eq", d.mk("oint", body), g0), facts)
        far, below = d.mk("oint", body), d.mk("le", v, d.mk("oint", body))
        given = d.assume(d.mk("lt", far, v))
        law = d.do("near", d.mk("iff", d.claim(tends), self._nearness(d.claim(tends))))
        size = d.sub(v, far)
        positive = d.do("arith", d.mk("lt", zero, size), [given], [[one, [0]]])
        exists = d.mp(d.inst(d.onward(law, tends), size), positive)
        cname, c = d.fresh("R", "c")
        later = d.assume(d.b.open(d.kids(d.claim(exists))[0], c))
        place = d.mk("max", c, one)
        first = a.prove(d.mk("le", c, place))
        near = d.mp(d.inst(later, place), first)
        bound = self._at(each, place, a.prove(d.mk("lt", zero, place)))
        s = d.kids(d.claim(near))[0]
        inner = a.by_cases(d.mk("le", d.kids(s)[0], s))
        absurd = d.do("arith", d.mk("false"), [near, inner, bound, none],
                      [[one, [0]], [one, [1]], [one, [2]], [place, [3]]])
        absurd = d.do("choose", d.mk("false"), [exists, absurd], [cname, "R"])
        least = d.unless(below, absurd)
        return d.do("arith", goal, [least, same, alone], [[one, [0]], [one, [1]], [one, [2]]])

    def _nearness(self, limit: int) -> int:
        """The definition of a limit, written out."""
        d, b = self.d, self.d.b
        f, value = d.kids(limit)
        t, c, e = (b.bound(i, "R") for i in range(3))
        gap = d.mk("abs", d.sub(b.deepen(b.deepen(f)), b.lift(value, 3)))
        later = d.mk("exR", d.mk("allR", d.mk("imp", d.mk("le", c, t), d.mk("lt", gap, e))))
        return d.mk("allR", d.mk("imp", d.mk("lt", d.num(0), b.bound(0, "R")), later))

    def _emptied(self, test: Testing, body: int, facts: Sequence[int]) -> int:
        """H(t) -> oint if(f = 0, g, 0) as t -> oo, by dominated convergence."""
        d, a, b = self.d, self.a, self.d.b
        zero = d.num(0)
        tname, t = d.fresh("R", "t")
        xname, x = d.fresh("O", "x")
        fx, gx = (b.open(p, x) for p in (test.f, test.g))
        value = d.mk("max", zero, d.sub(gx, d.mul(t, fx)))
        at, end = b.abstract(value, tname, "R"), b.open(body, x)
        known = [*facts, *a._positive(d.add(fx, gx))]
        # pointwise: from g/f onwards, or everywhere, it is the limit
        none = d.mk("eq", fx, zero)
        ways = []
        for condition, place in ((none, zero), (d.mk("not", none), d.mul(gx, d.mk("inv", fx)))):
            inside = [*known, d.assume(condition)]
            later = d.assume(d.mk("le", place, t))
            same = a.prove(d.mk("eq", end, value), [*inside, later])
            every = d.gen(tname, "R", d.disch(d.claim(later), same))
            start = d.still(end)
            ways.append(d.do("limit", d.mk("tends", at, end), [start, every], ["equal"]))
        pointwise = d.gen(xname, "O", d.split(none, *ways))
        later = d.assume(d.mk("le", zero, t))
        below = a.prove(d.mk("le", d.mk("abs", value), gx), [*known, later])
        bound = d.gen(xname, "O", d.gen(tname, "R", d.disch(d.claim(later), below)))
        iny = a.prove(d.mk("oiny", test.g), facts)
        inner = d.b.abstract(d.mk("oint", d.b.abstract(value, xname, "O")), tname, "R")
        claim = d.conj([d.mk("oiny", body), d.mk("tends", inner, d.mk("oint", body))])
        return d.parts(d.do("limint", claim, [pointwise, bound, iny], [zero]))[1]
