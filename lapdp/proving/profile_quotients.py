"""Integrals of a test against difference quotients of k(y) = max(0, p - e^y q), p and q at an
outcome.

With z = log p - log q, y = v + z turns the quotients of k into p Q(v), Q those of max(0, 1 - e^v).
For f bounded with slopes of at most 1 the integral of f(v + z) Q(v) is that of (f(v + z) - f(z))
Q(v) and f(z) times the total of Q, -1 or 0.  The former tends to J(z), the integral of (f(v + z) -
f(z)) g'(v), for both orders: it is bounded by (2 + |v|) m(v), and tends to that at each v, as it
vanishes at 0.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from lapdp.proving.continuous_factors import Tested
from lapdp.proving.hinges import QUOTIENTS, Hinges

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

FINITE = "case(0 < p, case(0 < q, p * f, 0), 0)"
"""p f where the loss is finite."""


class ProfileQuotients:
    """The integrals at an outcome for one pair and one test, for a :class:`Prover`."""

    def __init__(self, prover: Prover, hinges: Hinges, pair: tuple[int, int], test: Tested) -> None:
        self.a, self.d, self.h = prover, prover.d, hinges
        d = self.d
        self.pair, self.test = pair, test
        self.x, self.u, self.v, self.y = (d.fresh(s, n) for s, n in (
            ("O", "x"), ("R", "u"), ("R", "v"), ("R", "y")))
        self.p, self.q = (d.mk("dens", k, self.x[1]) for k in pair)
        self.above = dict(zip((self.p, self.q), prover._positive(d.add(self.p, self.q)),
                              strict=True))
        self.z = self.say("log(p) - log(q)")
        self.later = d.assume(self.say("0 <= u"))
        self.given = [d.assume(self.say(t)) for t in ("0 < p", "0 < q")]
        self.total = self.a.tree(self.body(self.h.majorant(self.v[1]), self.v), [])[1]
        self.weights = self.a.tree(self.body(self.h.weight(self.v[1]), self.v), [])[1]

    def say(self, text: str, **names: object) -> int:
        """A text in which the letters have their names, f is the test and z the loss."""
        return self.h.say(text, **{
            "p": self.p, "q": self.q, "u": self.u[1], "v": self.v[1], "y": self.y[1],
            "f": self.test.f, **({"z": self.z} if hasattr(self, "z") else {}), **names})

    def body(self, t: int, letter: tuple[str, int]) -> int:
        """A term as a function of a letter."""
        return self.d.b.abstract(t, letter[0], self.d.b.sorts[letter[1]])

    def all(self, letter: tuple[str, int], i: int) -> int:
        """A theorem for all values of a letter."""
        return self.d.gen(letter[0], self.d.b.sorts[letter[1]], i)

    # what does not depend on the outcome ---------------------------------------------------------

    def at(self) -> int:
        """v + z, as the substitution writes it."""
        return self.say("1 * v + z")

    def step(self) -> int:
        """f(v + z) - f(z)."""
        return self.say("f(t) - f(z)", t=self.at())

    def steps(self) -> int:
        """|f(v + z) - f(z)| <= |v|."""
        d = self.d
        two = d.inst(d.inst(self.test.slopes, self.at()), self.z)
        return d.replace(two, self.a.identity(self.say("t - z == v", t=self.at()), []))

    def stepped(self, order: int) -> tuple[int, int, int]:
        """liny (f(v + z) - f(z)) Q, a bound of its absolute integral, and of it at each v."""
        d, h = self.d, self.h
        q = h.quotient(order, self.v[1], self.u[1])
        moment = d.mp(h.everywhere(order, "moment", self.u[1], self.v[1]), self.later)
        bound = self.product(self.steps(), moment, self.step(), q, h.majorant(self.v[1]))
        everywhere = self.all(self.v, bound)
        most = d.parts(self.total)[0]
        iny = d.do("dominate", d.mk("liny", self.body(d.mul(self.step(), q), self.v)), [
            everywhere, most])
        rim, size = h.rim(iny)
        less = h.below(everywhere, rim, most)
        one = d.num(1)
        whole = d.do("arith", d.mk("le", d.kids(d.claim(size))[0], d.kids(d.claim(less))[1]), [
            size, less], [[one, [0]], [one, [1]]])
        return iny, whole, everywhere

    def product(self, step: int, moment: int, f: int, q: int, g: int) -> int:
        """|f q| <= g from |f| <= |v| and |v q| <= g."""
        return self.h.law("abs(f) <= abs(v); abs(v * q) <= g => abs(f * q) <= g", step, moment,
                          f=f, v=self.v[1], q=q, g=g)

    def limit(self, order: int) -> int:
        """The integral of (f(v + z) - f(z)) Q tends to that of (f(v + z) - f(z)) g'."""
        d, h, a = self.d, self.h, self.a
        v, step, slope = self.v[1], self.step(), h.slope(self.v[1])
        q = h.quotient(order, v, self.u[1])
        gap = self.say("abs(v) * (exp(exp(-u)) - 1)")
        near = h.everywhere(order, "limit", self.u[1], v)
        soon = d.kids(d.claim(near))[0]
        less = self.product(self.steps(), d.mp(near, d.assume(soon)), step, self.say(
            "q - t", q=q, t=slope), gap)
        none = a.limits.tends(d.mk("tends", self.body(gap, self.u), d.num(0)), [])
        apart = self.say("f * (q - t)", f=step, q=q, t=slope)
        found = d.do("limit", d.mk("tends", self.body(apart, self.u), d.num(0)), [
            none, self.all(self.u, d.disch(soon, less))], ["squeeze"])
        end = d.mul(step, slope)
        both = d.combined("add", found, d.still(end))
        same = a.identity(d.mk("eq", d.add(apart, end), d.mul(step, q)), [])
        both = a.limits._equal(both, same, self.u[0], d.num(0))
        both = a.limits._with_value(both, a.identity(d.mk("eq", d.add(d.num(0), end), end), []))
        _, _, bound = self.stepped(order)
        bounds = self.all(self.v, self.all(self.u, d.disch(d.claim(self.later), d.inst(
            bound, v))))
        whole = d.mk("lint", self.body(end, self.v))
        moving = d.mk("lint", self.body(d.mul(step, q), self.v))
        goal = d.conj([d.mk("liny", *d.kids(whole)), d.mk("tends", self.body(
            moving, self.u), whole)])
        return d.parts(d.do("limint", goal, [self.all(self.v, both), bounds, d.parts(
            self.total)[0]], [d.num(0)]))[1]

    # at an outcome ------------------------------------------------------------------------------

    def profile(self, t: int) -> int:
        """max(0, p - e^t q), or if(p <= e^t q, p, 0)."""
        return self.say(self.h.inside, t=t)

    def inner(self, order: int) -> int:
        """The quotient at the outcome, times the test, at y."""
        name, t = self.d.fresh("R", "t")
        h = partial(self.d.b.open, self.d.b.abstract(self.profile(t), name, "R"))
        return self.say(f"({QUOTIENTS[order]}) * f(v)", h=h, v=self.y[1])

    def weighed(self, order: int) -> int:
        """p times the integral of f(v + z) Q, where p and q are positive; 0 elsewhere."""
        moving = self.d.mk("lint", self.body(self.d.mul(self.step(), self.h.quotient(
            order, self.v[1], self.u[1])), self.v))
        return self.say(FINITE, f=self.say("j + c * f(z)", j=moving, c=self.d.num(
            self.h.totals[order])))

    def moved(self, order: int) -> tuple[int, int]:
        """The inner function at v + z is p (f(v + z) Q): the body, and the equation at v."""
        d, a = self.d, self.a
        shape = self.body(self.inner(order), self.y)
        body = d.b.open(d.b.deepen(shape), d.mk("add", d.mk("mul", d.num(1), d.b.bound(
            0, "R")), d.b.lift(self.z)))
        equation = d.refl(d.b.open(body, self.v[1]))
        scale = a.prove(self.say("exp(z) * q == p"), self.given)
        moved = (f"0 < p; exp(z) * q == p; t == w + z => {self.h.inside} == p * "
                 f"{self.h.function.replace('v', 'w')}")
        for text, place in (("v + exp(-u)", "t + exp(-u)"), ("v", "t"), ("v - exp(-u)",
                                                                         "t - exp(-u)")):
            w, t = self.say(text), self.say(place, t=self.at())
            same = a.identity(self.say("t == w + z", t=t, w=w), [])
            law = self.h.law(moved, self.given[0], scale, same, p=self.p, q=self.q, z=self.z, t=t,
                             w=w)
            equation = d.chain(equation, d.alike(d.kids(d.claim(equation))[1], law))
        target = self.say("p * (f(t) * q)", t=self.at(), q=self.h.quotient(
            order, self.v[1], self.u[1]))
        return body, d.chain(equation, a.identity(d.mk("eq", d.kids(d.claim(equation))[1], target),
                                                  []))

    def outcome(self, order: int) -> list[int]:
        """liny of the inner function, its integral, and a bound of the absolute one."""
        d = self.d
        positive = self._positive(order)
        conditions = [d.claim(i) for i in self.given]
        inner = self._nothing(order, 0), self._nothing(order, 1)
        return d.parts(d.split(conditions[0], d.split(conditions[1], positive, inner[1]),
                               inner[0]))

    def _positive(self, order: int) -> int:
        """At an outcome with positive densities."""
        d, a, h = self.d, self.a, self.h
        q = h.quotient(order, self.v[1], self.u[1])
        shape = self.body(self.inner(order), self.y)
        moved, equation = self.moved(order)
        same = self.all(self.v, equation)
        # the integral of f(v + z) Q
        iny, _, _ = self.stepped(order)
        plain, total = d.parts(d.mp(h.everywhere(order, "total", self.u[1]), self.later))
        fz = self.say("f(z)")
        second, scaled = h.scaled(fz, plain)
        sums, added = h.added(iny, second)
        parts = d.b.open(d.kids(d.claim(sums))[0], self.v[1])
        apart = self.all(self.v, a.identity(d.mk("eq", self.say("f(t) * q", t=self.at(), q=q),
                                                 parts), []))
        inside = d.taut(d.mk("liny", self.body(self.say("f(t) * q", t=self.at(), q=q), self.v)),
                        d.under("liny", apart), sums)
        value = d.chain(d.under("lint", apart), added)
        value = d.chain(value, d.alike(d.kids(d.claim(value))[1], scaled))
        value = d.chain(value, d.alike(d.kids(d.claim(value))[1], total))
        whole, by_p = h.scaled(self.p, inside)
        value = d.chain(d.under("lint", same), by_p, d.alike(d.kids(d.claim(by_p))[1], value))
        # back to y
        iny_y, size = self._substituted(shape, moved, d.taut(d.mk(
            "liny", moved), d.under("liny", same), whole))
        end = d.chain(size, value)
        target = self.weighed(order)
        chosen = self._chosen(target, 2)
        last = d.kids(d.claim(chosen))[1]
        equal = d.chain(end, a.identity(d.mk("eq", d.kids(d.claim(end))[1], last), []),
                        d.turn(chosen))
        return d.both(iny_y, equal, self._rim(order, shape, moved, same))

    def _chosen(self, target: int, depth: int) -> int:
        """The value of FINITE where both densities are positive (2), or where the first (0) or the
        second (1) is not."""
        d = self.d
        found = d.refl(target)
        for n, given in enumerate(self.given):
            now = d.kids(d.claim(found))[1]
            condition, yes, no = d.kids(now)
            holds = n < depth
            fact = given if holds else d.assume(d.mk("not", condition))
            law = d.do("cases", d.mk("imp", d.claim(fact), d.mk("eq", now, yes if holds else no)))
            found = d.chain(found, d.mp(law, fact))
            if not holds:
                break
        return found

    def _substituted(self, shape: int, moved: int, iny: int) -> tuple[int, int]:
        """liny and lint of a function of y, from liny of it at v + z."""
        d = self.d
        one = d.num(1)
        apart = self.a.prove(d.mk("not", d.mk("eq", one, d.num(0))))
        goal = d.conj([d.mk("iff", d.mk("liny", shape), d.mk("liny", moved)), d.mk(
            "eq", d.mk("lint", shape), d.mul(d.mk("abs", one), d.mk("lint", moved)))])
        iff, equal = d.parts(d.do("affine", goal, [apart], [shape, one, self.z]))
        unit = self.a.prove(self.say("abs(1) * w == w", w=d.mk("lint", moved)))
        return d.taut(d.mk("liny", shape), iff, iny), d.chain(equal, unit)

    def _rim(self, order: int, shape: int, moved: int, same: int) -> int:
        """|lint |k f|| <= p times what does not depend on the outcome."""
        d, h = self.d, self.h
        v = self.v[1]
        size = d.mp(h.everywhere(order, "size", self.u[1], v), self.later)
        q, w = h.quotient(order, v, self.u[1]), self.say("exp(u) * m(v)", m=h.weight)
        names = {"f": self.say("f(t)", t=self.at()), "w": w}
        first = h.law("abs(q) <= w => abs(f * q) <= abs(f) * w", size, q=q, **names)
        above = h.law("abs(q) <= w => 0 <= w", size, q=q, w=w)
        both = h.law("abs(f) <= m; 0 <= w; n <= abs(f) * w => n <= m * w", d.inst(
            self.test.bound, self.at()), above, first, m=self.test.most, n=d.kids(d.claim(
                first))[0], **names)
        inside = h.law("0 < p; abs(f) <= m => abs(p * f) <= p * m", self.given[0], both, p=self.p,
                       f=self.say("f(t) * q", t=self.at(), q=q), m=d.kids(d.claim(both))[1])
        back = d.replace(inside, d.turn(d.inst(same, v)))
        factor = self.say("p * (m * exp(u))", m=self.test.most)
        weights = d.parts(self.weights)[0]
        most, scaled = h.scaled(factor, weights)
        at_v = d.b.open(d.kids(d.claim(most))[0], v)
        back = d.do("arith", d.mk("le", d.kids(d.claim(back))[0], at_v), [back], [[d.num(1), [0]]])
        rim = d.mk("abs", moved)
        everywhere = self.all(self.v, back)
        iny = d.do("dominate", d.mk("liny", moved), [everywhere, most])
        iny_rim, _ = h.rim(iny)
        less = h.below(everywhere, iny_rim, most)
        outer, equal = self._substituted(d.mk("abs", shape), rim, iny_rim)
        less = d.replace(d.replace(less, d.turn(equal)), scaled)
        again, top = h.rim(outer)
        twice = self._twice(outer, again, top)
        one = d.num(1)
        return d.do("arith", self.rim_claim(shape), [twice, less], [[one, [0]], [one, [1]]])

    def rim_claim(self, shape: int) -> int:
        """The claim of a bound."""
        d = self.d
        weights, _ = d.parts(self.weights)
        return d.mk("le", d.mk("abs", d.mk("lint", d.mk("abs", shape))), d.mul(self.say(
            "p * (m * exp(u))", m=self.test.most), d.mk("lint", d.kids(d.claim(weights))[0])))

    def _twice(self, iny: int, rim: int, less: int) -> int:
        """|lint |f|| <= lint |f|."""
        d = self.d
        (size,) = d.kids(d.claim(iny))
        name, letter = self.v
        at = d.b.open(size, letter)
        same = self.h.law("=> abs(abs(x)) == abs(x)", x=d.kids(at)[0])
        return d.replace(less, d.under("lint", d.gen(name, "R", same)))

    def _nothing(self, order: int, depth: int) -> int:
        """At an outcome where a density vanishes."""
        d, a, h = self.d, self.a, self.h
        shape = self.body(self.inner(order), self.y)
        condition = d.claim(self.given[depth])
        zero = d.num(0)
        none = d.opposite(d.assume(d.mk("not", condition)))
        inside = h.inside.replace("exp(t)", "e")
        laws = (f"p <= 0; 0 <= p; 0 <= q; 0 < e => {inside} == {h.no_p}",
                f"q <= 0; 0 <= q; 0 < p; 0 < e => {inside} == {h.no_q}")
        low, other = ((self.above[self.p], self.above[self.q]) if depth == 0 else
                      (self.above[self.q], self.given[0]))
        equation = d.refl(d.b.open(shape, self.y[1]))
        for text in ("y + exp(-u)", "y", "y - exp(-u)"):
            power = d.mk("exp", self.say(text))
            positive = a.prove(d.mk("lt", zero, power))
            law = h.law(laws[depth], none, low, other, positive, p=self.p, q=self.q, e=power)
            equation = d.chain(equation, d.alike(d.kids(d.claim(equation))[1], law))
        equation = d.chain(equation, a.identity(d.mk("eq", d.kids(d.claim(equation))[1], zero), []))
        same = self.all(self.y, equation)
        iny, value = d.parts(a.nothing("lint", "R"))
        chosen = self._chosen(self.weighed(order), depth)
        equal = d.chain(d.under("lint", same), value, d.turn(chosen))
        size = self.all(self.y, d.chain(d.alike(d.mk("abs", d.b.open(shape, self.y[1])), equation),
                                        a.prove(self.say("abs(0) == 0"))))
        rim = d.chain(d.under("lint", size), value)
        claim = self.rim_claim(shape)
        total = d.parts(self.weights)[1]
        number = d.kids(d.claim(total))[1]
        above = a.prove(d.mk("le", zero, number))
        positive = d.do("arith", d.mk("le", zero, d.kids(d.claim(total))[0]), [above, total], [
            [d.num(1), [0]], [d.num(-1), [1]]])
        most = self._most()
        bound = h.law("s == 0; 0 <= p; 0 <= m; 0 < r; 0 <= w => abs(s) <= p * (m * r) * w", rim,
                      self.above[self.p], most, a.prove(self.say("0 < exp(u)")), positive,
                      s=d.kids(d.claim(rim))[0], p=self.p, m=self.test.most, r=self.say("exp(u)"),
                      w=d.kids(d.claim(total))[0])
        assert d.claim(bound) == claim
        return d.both(d.taut(d.mk("liny", shape), d.under("liny", same), iny), equal, bound)

    def _most(self) -> int:
        """0 <= M."""
        d = self.d
        return self.h.law("abs(f) <= m => 0 <= m", d.inst(self.test.bound, d.num(0)), f=self.say(
            "f(0)"), m=self.test.most)
