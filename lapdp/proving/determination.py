"""A profile determines its loss: H1(t) = H2(t) for all t gives P1(Z1 <= w) = P2(Z2 <= w).

With z = e^w the quotient u (H(z) - H(z + 1/u)) is the integral of u (max(0, p - z q) - max(0, p -
(z + 1/u) q)), which lies between 0 and q and becomes q where z q < p and 0 elsewhere: it tends to
Q(z q < p) as u grows.  The same quotients have one limit; and P(z q < p) = H(z) + z Q(z q < p).
The other way round, H(w) is the integral of P(Z > w + u) e^-u over u > 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.dominance import Law

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_PLACES = 2


class Determination:
    """Facts about tails from facts about whole profiles, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.busy = False

    def relation(self, goal: int, facts: Sequence[int]) -> int | None:
        """An equation between integrals that profiles determine; None where it is none."""
        d = self.d
        if self.busy or d.head(goal) != "eq" or not self.a._speaks(goal):
            return None
        laws = [w for w in self.a.dominance.laws(facts) if w.sorts == ("R",)
                and d.head(self._claim(w)) == "eq"]
        orders = self._orders(goal)
        tails = self._tails(facts)
        profiles = self.a.hypotheses.profiles.hinges(goal)
        if not (laws and orders) and not (tails and profiles):
            return None
        self.busy = True
        try:
            made = [i for w in orders for i in self._at(laws[0], w)] if laws else []
            if not made:
                levels = dict.fromkeys(d.kids(h.order)[0] for h in profiles
                                       if d.head(h.order) == "exp")
                made = [self._profiles(tails[0], w) for w in list(levels)[:MOST_PLACES]]
            known = [self._complement(t) for t in d.subterms(goal)
                     if not d.b.loose[t] and self._tail(t) is not None]
            for e in made:
                known = [d.replace(i, e) for i in known]
            return self.a.identity(goal, known or made)
        except (NotFound, NeedSplit):
            return None
        finally:
            self.busy = False

    def _claim(self, law: Law) -> int:
        d = self.d
        claim = d.claim(law.fact)
        while d.head(claim) == "allR":
            (claim,) = d.kids(claim)
        return claim

    def _orders(self, goal: int) -> list[int]:
        """Exponents w of relations between p and e^w q, not those of profiles."""
        d = self.d
        found: dict[int, None] = {}
        for t in d.subterms(goal):
            if d.head(t) in ("le", "lt", "eq") and d.b.loose[t]:
                found.update(dict.fromkeys(d.kids(u)[0] for u in d.subterms(t)
                                           if d.head(u) == "exp" and not d.b.loose[u]))
        return list(found)[:MOST_PLACES]

    def _tails(self, facts: Sequence[int]) -> list[int]:
        """Facts P1(p1 <= e^t q1) = P2(p2 <= e^t q2) for all t."""
        d, found = self.d, []
        for i in facts:
            if d.head(d.claim(i)) != "allR" or d.head(d.kids(d.claim(i))[0]) != "eq":
                continue
            at = d.b.open(d.kids(d.claim(i))[0], d.fresh("R")[1])
            if all(self._tail(t) is not None for t in d.kids(at)):
                found.append(i)
        return found

    def _tail(self, t: int) -> tuple[int, int] | None:
        """p and q where the term is P(p <= e^s q) = oint if(e^s q >= p, p, 0)."""
        d = self.d
        if d.head(t) != "oint" or d.head(d.kids(t)[0]) != "if":
            return None
        condition, p, zero = d.kids(d.kids(t)[0])
        if d.head(condition) != "le" or zero != d.num(0) or d.head(p) != "dens":
            return None
        first, second = d.kids(condition)
        if first != p or d.head(second) != "mul" or [d.head(u) for u in d.kids(second)] != [
                "exp", "dens"]:
            return None
        return d.kids(p)[0], d.kids(d.kids(second)[1])[0]

    def _complement(self, t: int) -> int:
        """P(p <= z q) = 1 - H(z) - z Q(z q < p)."""
        d, x = self.d, self.d.b.bound(0, "O")
        pair = self._tail(t)
        if pair is None:
            raise NotFound("no tail")
        z = d.kids(d.kids(d.kids(d.kids(t)[0])[0])[1])[0]
        p, q = (d.mk("dens", d.b.lift(r), x) for r in pair)
        over = d.mk("oint", d.mk("if", d.mk("lt", d.mul(d.b.lift(z), q), p), q, d.num(0)))
        profile = d.mk("oint", self._hinge(*pair, z))
        return self.a.compared(d.mk("eq", t, d.sub(d.sub(d.num(1), profile), d.mul(z, over))), [])

    def _profiles(self, fact: int, w: int) -> int:
        """H1(w) = H2(w), both by H(w) = the integral of P(Z > w + u) e^-u over u > 0."""
        d = self.d
        name, u = d.fresh("R", "u")
        here = d.inst(fact, d.add(w, u))
        sides, bodies = [], []
        for t in d.kids(d.claim(here)):
            pair = self._tail(t)
            if pair is None:
                raise NotFound("no tail")
            profile = d.mk("oint", self._hinge(*pair, d.mk("exp", w)))
            weight = d.mul(d.sub(d.num(1), t), d.mk("exp", d.neg(u)))
            body = d.mk("if", d.mk("lt", d.num(0), u), weight, d.num(0))
            bodies.append(body)
            whole = d.mk("lint", d.b.abstract(body, name, "R"))
            sides.append(self.a.prove(d.mk("eq", profile, whole)))
        same = d.under("lint", d.gen(name, "R", d.alike(bodies[0], here)))
        return d.chain(sides[0], same, d.turn(sides[1]))

    def _at(self, law: Law, w: int) -> list[int]:
        """H1(w) = H2(w), and Q1(z q < p) = Q2(z q < p)."""
        d = self.d
        here = d.inst(law.fact, w)
        z = d.mk("exp", w)
        uname, u = d.fresh("R", "u")
        later = d.assume(d.mk("le", d.num(1), u))
        higher = d.add(z, d.mk("inv", u))
        there = self._without_log(d.inst(law.fact, d.mk("log", higher)), higher, later)
        limits, quotients = [], []
        for p, q in (law.first, law.second):
            limits.append(self._limit(p, q, z, uname, u))
            quotients.append(self._quotient(p, q, z, higher, u, later))
        one, minus = d.num(1), d.num(-1)
        f, g = (d.kids(d.claim(e))[0] for e in quotients)
        same = d.do("arith", d.mk("eq", f, g), [*quotients, self._turned(here, law, z),
                                                self._turned(there, law, higher)],
                    [[one, [0]], [minus, [1]], [u, [2]], [d.neg(u), [3]]])
        everywhere = d.gen(uname, "R", d.disch(d.claim(later), same))
        (_, a), (second, _) = (d.kids(d.claim(i)) for i in limits)
        moved = d.do("limit", d.mk("tends", second, a), [limits[0], everywhere], ["equal"])
        return [here, self.unique(moved, limits[1])]

    def _turned(self, i: int, law: Law, z: int) -> int:
        """The instance with the profile of the law's first pair on the left."""
        d = self.d
        wanted = d.mk("oint", self._hinge(*law.first, z))
        return i if d.kids(d.claim(i))[0] == wanted else d.turn(i)

    def _hinge(self, p: int, q: int, z: int) -> int:
        d, x = self.d, self.d.b.bound(0, "O")
        dens = [d.mk("dens", d.b.lift(r), x) for r in (p, q)]
        return d.mk("max", d.num(0), d.add(dens[0], d.mul(d.num(-1), d.mul(d.b.lift(z), dens[1]))))

    def _without_log(self, i: int, value: int, later: int) -> int:
        """exp(log(z + 1/u)) = z + 1/u."""
        d, a = self.d, self.a
        positive = a.prove(d.mk("lt", d.num(0), value), [later])
        equation = a.logarithms.power(d.mk("log", value), value, [positive])
        if equation is None:
            raise NotFound("a logarithm")
        for t in d.subterms(d.claim(i)):
            if d.head(t) == "oint" and not d.b.loose[t]:
                i = d.replace(i, self._inside(t, equation))
        return i

    def _inside(self, whole: int, equation: int) -> int:
        """oint f = oint f' with one side of an equation for the other below the integral."""
        d = self.d
        xname, x = d.fresh("O", "x")
        at = d.b.open(d.kids(whole)[0], x)
        return d.under("oint", d.gen(xname, "O", d.alike(at, equation)))

    def _body(self, p: int, q: int, z: int, u: int, x: int) -> int:
        """u (max(0, p - z q) - max(0, p - (z + 1/u) q)) at an outcome."""
        d = self.d
        first, second = (d.b.open(self._hinge(p, q, level), x)
                         for level in (z, d.add(z, d.mk("inv", u))))
        return d.mul(u, d.sub(first, second))

    def _quotient(self, p: int, q: int, z: int, higher: int, u: int, later: int) -> int:
        """oint f(u) = u (H(z) - H(z + 1/u))."""
        d = self.d
        xname, x = d.fresh("O", "x")
        f = d.mk("oint", d.b.abstract(self._body(p, q, z, u, x), xname, "O"))
        profiles = [d.mk("oint", self._hinge(p, q, level)) for level in (z, higher)]
        return self.a.compared(d.mk("eq", f, d.mul(u, d.sub(*profiles))), self._about(u, later))

    def _about(self, u: int, later: int) -> list[int]:
        """u >= 1, u (1/u) = 1, 0 < 1/u."""
        d, a = self.d, self.a
        above = a.prove(d.mk("lt", d.num(0), u), [later])
        law = a.inverse_law(a.reader.read(u), [later, above])
        under = a.positive(d.mk("inv", u), [later, above])
        if law is None or under is None:
            raise NotFound("the sign of a reciprocal")
        return [later, above, law, under]

    def _limit(self, p: int, q: int, z: int, uname: str, u: int) -> int:
        """oint f(u) -> Q(z q < p)."""
        d, a, zero = self.d, self.a, self.d.num(0)
        xname, x = d.fresh("O", "x")
        px, qx = (d.mk("dens", r, x) for r in (p, q))
        body = self._body(p, q, z, u, x)
        signs = a._positive(body)
        condition = d.mk("lt", d.mul(z, qx), px)
        value = d.mk("if", condition, qx, zero)
        cases = []
        for c, end in ((condition, qx), (d.mk("not", condition), zero)):
            given = d.assume(c)
            start, known = self._start(given, end, px, qx, z, u, signs)
            same = a.prove(d.mk("eq", end, body), known)
            everywhere = d.gen(uname, "R", d.disch(d.mk("le", start, u), same))
            f = d.b.abstract(body, uname, "R")
            limit = d.do("limit", d.mk("tends", f, end), [d.still(end), everywhere], ["equal"])
            law = d.turn(d.mp(d.do("cases", d.mk("imp", c, d.mk("eq", value, end))), given))
            hole = d.mk("tends", d.b.deepen(f), d.b.bound(0, "R"))
            cases.append(d.do("rewrite", d.mk("tends", f, value), [law, limit], [hole]))
        pointwise = d.gen(xname, "O", d.split(condition, *cases))
        later = d.assume(d.mk("le", d.num(1), u))
        below = a.prove(d.mk("le", d.mk("abs", body), qx), a._closed(
            [*self._about(u, later), *signs]))
        bound = d.gen(xname, "O", d.gen(uname, "R", d.disch(d.claim(later), below)))
        mass = a.majorants.mass(q)
        f = d.b.abstract(d.mk("oint", d.b.abstract(body, xname, "O")), uname, "R")
        limit = d.b.abstract(value, xname, "O")
        goal = d.conj([d.mk("oiny", limit), d.mk("tends", f, d.mk("oint", limit))])
        return d.parts(d.do("limint", goal, [pointwise, bound, mass.iny], [d.num(1)]))[1]

    def _start(self, given: int, end: int, px: int, qx: int, z: int, u: int,
               signs: Sequence[int]) -> tuple[int, list[int]]:
        """From which u on the quotient is its limit, and what is known there."""
        d, a, one = self.d, self.a, self.d.num(1)
        if end == d.num(0):
            later = d.assume(d.mk("le", one, u))
            return one, a._closed([*signs, given, *self._about(u, later)])
        gap = d.sub(px, d.mul(z, qx))
        wide = d.do("arith", d.mk("lt", d.num(0), gap), [given], [[one, [0]]])
        law = a.inverse_law(a.reader.read(gap), [wide])
        under = a.positive(d.mk("inv", gap), [wide])
        if law is None or under is None:
            raise NotFound("the sign of a reciprocal")
        start = d.add(one, d.mul(qx, d.mk("inv", gap)))
        later = d.assume(d.mk("le", start, u))
        # u >= 1, and u gap >= gap + q > q
        first = a.plainly(d.mk("le", one, u), [later, under, *signs], 2)
        far = d.do("arith", d.mk("le", qx, d.mul(u, gap)), [later, wide, law],
                   [[one, [0, 1]], [one, [1]], [d.neg(qx), [2]]])
        about = self._about(u, first)
        # (1/u) q <= gap
        near = d.do("arith", d.mk("le", d.mul(d.mk("inv", u), qx), gap), [far, about[3], about[2]],
                    [[one, [0, 1]], [gap, [2]]])
        return start, a._closed([*signs, given, *about, near])

    def unique(self, first: int, second: int) -> int:
        """a = b from f -> a and f -> b: the integral of 0 over t > 0 is a - b - 0, and 0."""
        d, zero, minus = self.d, self.d.num(0), self.d.num(-1)
        a, b = (d.kids(d.claim(i))[1] for i in (first, second))
        both = d.combined("add", first, d.combined("mul", d.still(minus), second))
        f, gap = d.kids(d.claim(both))
        name, t = d.fresh("R", "t")
        at = d.b.open(f, t)
        nothing = d.do("arith", d.mk("eq", at, zero), [])
        everywhere = d.gen(name, "R", d.disch(d.mk("le", zero, t), nothing))
        ends = [d.do("limit", d.mk("tends", zero, gap), [both, everywhere], ["equal"]),
                d.still(zero)]
        inside = d.assume(d.mk("lt", zero, t))
        flat, above = (d.gen(name, "R", d.disch(d.claim(inside), i)) for i in (
            d.refl(zero), d.do("arith", d.mk("le", zero, zero), [])))
        part = d.mk("if", d.mk("lt", zero, d.b.bound(0, "R")), zero, zero)
        values = []
        for end, value in zip(ends, (gap, zero), strict=True):
            goal = d.conj([d.mk("liny", part), d.mk("eq", d.mk("lint", part), d.add(
                value, d.mul(minus, zero)))])
            made = d.do("ftc", goal, [end, flat, above], ["infinite", zero, zero, zero, value])
            values.append(d.parts(made)[1])
        return d.do("arith", d.mk("eq", a, b), values, [[minus, [0]], [d.num(1), [1]]])
