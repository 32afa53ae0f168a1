"""Limits of integrals of a test against difference quotients of a profile: generalised derivatives.

At an outcome with positive densities they are p (J(z) - f(z)) for the first order and p J(z) for
the second, by :mod:`lapdp.proving.profile_quotients`; elsewhere 0.  So the limits are R - N and R,
where R is the integral of p J(z) and N that of p f(z) over the outcomes where p and q are positive.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from lapdp.proving.hinges import QUOTIENTS
from lapdp.proving.profile_quotients import FINITE, ProfileQuotients

BELOW = f"abs(f) <= k; 0 <= p => abs({FINITE}) <= k * p"


@dataclass(frozen=True)
class Found:
    """For all u >= 0 the integral converges; as u tends to +oo it tends to R + c N."""

    whole: int
    converges: int
    tends: int


class Generalised(ProfileQuotients):
    """The limits for one pair and one test, for a :class:`Prover`."""

    def found(self, order: int) -> Found:
        """What holds of the integral of the quotient of the profile times the test."""
        d, a, h = self.d, self.a, self.h
        each, value, bound = self.outcome(order)
        inner = self.body(self.inner(order), self.y)
        # the integral over the outcomes inside, then outside
        mass = d.parts(a.mass_one(self.body(self.p, self.x)))[0]
        weights = d.parts(self.weights)[0]
        factor = self.say("m * exp(u) * w", m=self.test.most, w=d.mk("lint", *d.kids(d.claim(
            weights))))
        most, _ = h.scaled(factor, mass)
        size = d.mk("lint", d.mk("abs", inner))
        at = d.b.open(d.kids(d.claim(most))[0], self.x[1])
        below = d.do("arith", d.mk("le", d.mk("abs", size), at), [bound], [[d.num(1), [0]]])
        rim = d.do("dominate", d.mk("oiny", self.body(size, self.x)), [self.all(
            self.x, below), most])
        swapped = d.mk("oint", self.body(self.inner(order), self.x))
        left = d.mk("oint", self.body(d.mk("lint", inner), self.x))
        right = d.mk("lint", self.body(swapped, self.y))
        iny, equal = d.parts(d.do("swap", d.conj([d.mk("liny", *d.kids(right)), d.mk(
            "eq", left, right)]), [self.all(self.x, each), rim]))
        equation = d.chain(d.turn(equal), d.under("oint", self.all(self.x, value)))
        # as it stands in the claim
        same = self.all(self.y, self._linear(order))
        outer = d.kids(d.claim(d.under("lint", same)))[0]
        converges = d.taut(d.mk("liny", *d.kids(outer)), d.under("liny", same), iny)
        total = d.chain(d.under("lint", same), equation)
        moving = d.kids(d.claim(total))[1]
        tends = self._tends(order, moving)
        late = self.all(self.u, d.disch(d.claim(self.later), d.turn(total)))
        made = d.do("limit", d.mk("tends", self.body(outer, self.u), d.kids(d.claim(tends))[1]), [
            tends, late], ["equal"])
        return Found(self.body(outer, self.u), self.all(self.u, d.disch(d.claim(self.later),
                                                                        converges)), made)

    def _linear(self, order: int) -> int:
        """The quotient of the profile times the test is one integral over the outcomes."""
        d = self.d
        name, t = d.fresh("R", "t")
        rname, r = d.fresh("R", "r")
        profile = self.h.whole(*self.pair, t)
        h = partial(d.b.open, d.b.abstract(profile, name, "R"))
        whole = self.say(f"({QUOTIENTS[order]}) * r", h=h, v=self.y[1], r=r)
        fname, one = d.fresh("R", "t")
        h = partial(d.b.open, d.b.abstract(self.profile(one), fname, "R"))
        inner = self.say(f"({QUOTIENTS[order]}) * r", h=h, v=self.y[1], r=r)
        normal = self.a.normal(whole, [], self.a.choices(whole)[0])
        same = self.a.identity(d.mk("eq", d.b.open(normal.body, self.x[1]), inner), [])
        equation = d.chain(normal.equation, d.under("oint", self.all(self.x, same)))
        return d.inst(d.gen(rname, "R", equation), self.say("f(y)"))

    def _tends(self, order: int, moving: int) -> int:
        """The integral over the outcomes tends to R + c N."""
        d, a, h = self.d, self.a, self.h
        step, slope = self.step(), h.slope(self.v[1])
        end = d.mk("lint", self.body(d.mul(step, slope), self.v))
        fz, c = self.say("f(z)"), d.num(self.h.totals[order])
        inside = self.say("j + c * f", j=end, c=c, f=fz)
        target = self.say(FINITE, f=inside)
        # where both densities are positive
        body = self.body(self.weighed(order), self.u)
        rest = self.say("c * f", c=c, f=fz)
        total = d.combined("add", self.limit(order), d.still(rest))
        found = d.combined("mul", d.still(self.p), total)
        cases = [self._like(self._chosen(self.weighed(order), 2), self._chosen(target, 2), found)]
        for depth in (1, 0):
            cases.append(self._like(self._chosen(self.weighed(order), depth), self._chosen(
                target, depth), d.still(d.num(0))))
        first, second = (d.claim(i) for i in self.given)
        pointwise = self.all(self.x, d.split(first, d.split(second, cases[0], cases[1]), cases[2]))
        assert d.kids(d.claim(cases[0]))[0] == body
        # below a multiple of p
        bound, iny = self._bounded(order)
        goal = d.conj([d.mk("oiny", self.body(target, self.x)), d.mk("tends", self.body(
            moving, self.u), d.mk("oint", self.body(target, self.x)))])
        converges, tends = d.parts(d.do("limint", goal, [pointwise, bound, iny], [d.num(0)]))
        return a.limits._with_value(tends, self._apart(order, target, end, converges))

    def _like(self, moving: int, value: int, found: int) -> int:
        """The limit of what equals a function with that limit, and its value written so."""
        d = self.d
        made = self.a.limits._equal(found, d.turn(moving), self.u[0], d.num(0))
        return self.a.limits._with_value(made, d.turn(value))

    def _bounded(self, order: int) -> tuple[int, int]:
        """For all outcomes and u >= 0 a bound of the weighed integral, and its integrability."""
        d, a, h = self.d, self.a, self.h
        iny, whole, _ = self.stepped(order)
        k = d.kids(d.claim(whole))[1]
        factor = self.say("k + m", k=k, m=self.test.most)
        most, _ = h.scaled(factor, d.parts(a.mass_one(self.body(self.p, self.x)))[0])
        at = d.b.open(d.kids(d.claim(most))[0], self.x[1])
        j = d.mk("lint", *d.kids(d.claim(iny)))
        fz, c = self.say("f(z)"), d.num(self.h.totals[order])
        small = a.prove(self.h.say("abs(c) <= 1", c=c))
        near = h.law("abs(j) <= k; abs(f) <= m; abs(c) <= 1 => abs(j + c * f) <= k + m", whole,
                     d.inst(self.test.bound, self.z), small, j=j, f=fz, c=c, k=k,
                     m=self.test.most)
        value = h.law(BELOW, near, self.above[self.p], p=self.p, q=self.q, k=factor, f=self.say(
            "j + c * f", j=j, c=c, f=fz))
        assert d.kids(d.claim(value))[1] == at
        return self.all(self.x, self.all(self.u, d.disch(d.claim(self.later), value))), most

    def parts(self) -> tuple[int, int]:
        """R and N."""
        d = self.d
        end = d.mk("lint", self.body(d.mul(self.step(), self.h.slope(self.v[1])), self.v))
        one, other = (d.mk("oint", self.body(self.say(FINITE, f=f), self.x))
                      for f in (end, self.say("f(z)")))
        return one, other

    def nothing(self) -> int:
        """R = 0, where g' is."""
        d, a = self.d, self.a
        end = d.mul(self.step(), self.h.slope(self.v[1]))
        same = self.all(self.v, a.identity(d.mk("eq", end, d.num(0)), []))
        none = d.chain(d.under("lint", same), d.parts(a.nothing("lint", "R"))[1])
        inside = self.h.law(f"f == 0 => {FINITE} == 0", none, p=self.p, q=self.q, f=d.kids(d.claim(
            none))[0])
        return d.chain(d.under("oint", self.all(self.x, inside)), d.parts(a.nothing(
            "oint", "R"))[1])

    def finite(self) -> int:
        """p f(z) is integrable."""
        d, h = self.d, self.h
        fz = self.say("f(z)")
        most, _ = h.scaled(self.test.most, d.parts(self.a.mass_one(self.body(self.p, self.x)))[0])
        inside = h.law(BELOW, d.inst(self.test.bound, self.z), self.above[self.p], f=fz, p=self.p,
                       q=self.q, k=self.test.most)
        return d.do("dominate", d.mk("oiny", self.body(self.say(FINITE, f=fz), self.x)), [
            self.all(self.x, inside), most])

    def _apart(self, order: int, target: int, end: int, converges: int) -> int:
        """The integral of p (J + c f(z)) is R + c N."""
        d, h = self.d, self.h
        c, fz, n = d.num(self.h.totals[order]), self.say("f(z)"), self.finite()
        whole, first = (FINITE.replace("f", f) for f in ("(j + c * f)", "j"))
        scaled, value = h.scaled(c, n)
        rest, _ = h.added(converges, h.scaled(d.neg(c), n)[0])
        names = {"p": self.p, "q": self.q, "j": end, "f": fz, "c": c}
        law = h.law(f"=> {first} == {whole} - c * ({FINITE})", **names)
        lone = self.all(self.x, d.chain(law, self.a.identity(d.mk("eq", d.kids(d.claim(law))[
            1], d.b.open(d.kids(d.claim(rest))[0], self.x[1])), [])))
        r = d.taut(d.mk("oiny", self.body(self.say(FINITE, f=end), self.x)), d.under(
            "oiny", lone), rest)
        _, added = h.added(r, scaled)
        same = self.all(self.x, h.law(f"=> {whole} == {first} + c * ({FINITE})", **names))
        equation = d.chain(d.under("oint", same), added)
        return d.chain(equation, d.alike(d.kids(d.claim(equation))[1], value))
