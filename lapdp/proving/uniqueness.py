"""Profiles and tails from transforms: the named facts that a transform determines a measure.

A hypothesis for all orders says that two integrals of w exp(s X) are equal, w = p and X = log p -
log q where both are positive, and w = 0 elsewhere; an order n(t)/d(t), n and d of degree one in t,
is 1 + s for one t.  So w g(X) has one integral by both pairs for every g, and

    oint max(0, p - e^x q) = oint w max(0, 1 - e^(x - X)) + 1 - oint w.

On the line r + i u the weight is w exp(r X), and g takes the factor exp(-r x).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.kernel.facts import of_measures
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.columns import RELATIONS
from lapdp.proving.derivation import NotFound
from lapdp.proving.orders import Orders
from lapdp.proving.tails import Tails
from lapdp.proving.whole_moments import WholeMoments

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Transform:
    """``term`` is oint f, where f has a factor exp(exponent (log p - log q)); it depends on a
    letter."""

    term: int
    p: int
    q: int
    exponent: int


class Uniqueness:
    """Equations that transforms determine, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.orders = Orders(prover)
        self.whole = WholeMoments(self)
        self.tails = Tails(self)
        self.busy = False

    def relation(self, goal: int, facts: Sequence[int]) -> int | None:
        """An equation between integrals over functions of the losses; None where it is none."""
        d = self.d
        if self.busy or d.head(goal) != "eq" or (
                d.b.sorts[d.kids(goal)[0]] == "C" and not all(map(self.tails.power, d.kids(goal)))):
            return None
        self.busy = True
        try:
            for i in facts:
                if d.head(d.claim(i)) == "allR":
                    try:
                        return self._by(i, goal, facts)
                    except (NotFound, NeedSplit):
                        continue
        finally:
            self.busy = False
        return None

    def _by(self, i: int, goal: int, facts: Sequence[int]) -> int:
        d = self.d
        if (pairs := self.tails.pairs(i)) is not None:
            return self._concluded(goal, *self.tails.hypotheses(i, pairs, facts), facts)
        name, t = d.fresh("R", "t")
        at = d.b.open(d.kids(d.claim(i))[0], t)
        for e in d.subterms(at):
            if d.head(e) != "eq" or t not in d.subterms(e):
                continue
            two = [self.transforms(side, t) for side in d.kids(e)]
            if [len(found) for found in two] != [1, 1]:
                continue
            (first,), (second,) = two
            if first.exponent == second.exponent and (first.p, first.q) != (second.p, second.q):
                way = (self._fourier if d.b.sorts[first.exponent] == "C" else
                       self.whole.hypotheses if self.whole.of(d.claim(i)) else self._laplace)
                made = way(i, first, second, (name, t), facts)
                return self._concluded(goal, *made, facts)
        raise NotFound("no transforms")

    def transforms(self, side: int, t: int) -> list[Transform]:
        """Those below a term that depend on the letter t."""
        d, found = self.d, list[Transform]()
        for whole in d.subterms(side):
            if d.head(whole) != "oint" or d.b.loose[whole] or t not in d.subterms(whole):
                continue
            found += self.transforms_at(whole)
        return found

    def transforms_at(self, whole: int) -> list[Transform]:
        """The same of one integral."""
        d, found = self.d, list[Transform]()
        _, x = d.fresh("O", "x")
        for e in d.subterms(d.b.open(d.kids(whole)[0], x)):
            if d.head(e) != "exp" or d.head(d.kids(e)[0]) != "mul":
                continue
            exponent, loss = d.kids(d.kids(e)[0])
            loss = d.kids(loss)[0] if d.head(loss) == "cx" else loss
            logs = [d.kids(u)[0] for u in d.subterms(loss) if d.head(u) == "log"]
            if len(logs) == 2 and all(d.head(u) == "dens" for u in logs):
                p, q = (d.kids(u)[0] for u in logs)
                if d.b.open(self.loss(p, q), x) == loss:
                    found.append(Transform(whole, p, q, exponent))
        return found

    # bodies -----------------------------------------------------------------------------------

    def loss(self, p: int, q: int) -> int:
        d, x = self.d, self.d.b.bound(0, "O")
        return d.sub(*(d.mk("log", d.mk("dens", d.b.lift(r), x)) for r in (p, q)))

    def weight(self, p: int, q: int, rate: int) -> int:
        """p exp(rate X) where p and q are positive."""
        d, x, zero = self.d, self.d.b.bound(0, "O"), self.d.num(0)
        top, low = (d.mk("dens", d.b.lift(r), x) for r in (p, q))
        value = top if rate == zero else d.mul(top, d.mk("exp", d.mul(rate, self.loss(p, q))))
        return d.mk("if", d.mk("lt", zero, top), d.mk("if", d.mk("lt", zero, low), value, zero),
                    zero)

    def everywhere(self, symbol: str, f: int, g: int, facts: Sequence[int]) -> int:
        """oint f = oint g, or the same of ``oiny``: the integrands are equal at every outcome."""
        d = self.d
        name, x = d.fresh("O", "x")
        at = d.mk("eq", d.b.open(f, x), d.b.open(g, x))
        return d.under(symbol, d.gen(name, "O", self.pointwise(at, facts)))

    def pointwise(self, goal: int, facts: Sequence[int]) -> int:
        """An equation at an outcome, each density positive or 0."""
        d = self.d
        units = dict.fromkeys(t for t in d.subterms(goal) if d.head(t) == "dens")
        known = [*facts, *self.a._positive(goal)]
        return self._split(goal, [d.mk("lt", d.num(0), u) for u in units], known)

    def _split(self, goal: int, conditions: Sequence[int], facts: Sequence[int]) -> int:
        d = self.d
        if conditions:
            first, *rest = conditions
            return d.split(first, *(self._split(goal, rest, self.a._closed(
                [*facts, d.assume(c)])) for c in (first, d.mk("not", first))))
        return self.a.prove(goal, facts)

    # transforms as the facts have them ----------------------------------------------------------

    def _laplace(self, i: int, first: Transform, second: Transform, letter: tuple[str, int],
                 facts: Sequence[int]) -> tuple[str, list[int], list[int], int]:
        """The name of the fact, its bodies and ends, its last hypotheses, and the rate r."""
        d, a, zero = self.d, self.a, self.d.num(0)
        order = self.orders.of(first.exponent, letter[1], facts)
        made = d.inst(i, order.place)
        while d.head(d.claim(made)) == "imp" and d.kids(d.claim(made))[0] == d.claim(
                order.positive):
            made = d.mp(made, order.positive)
        made = d.replace(made, order.same)
        plain = [j for j in facts if not d.head(d.claim(j)).startswith(("all", "ex"))]
        known = [*plain, order.apart, order.below, order.above, order.positive]
        known += self._told(made, known)
        before, after = d.kids(d.claim(order.same))
        bodies, parts, sides = [], [], []
        for one in (first, second):
            term = d.b.put(one.term, {(letter[0], "R"): order.place})
            term = d.b.open(d.hole(term, before), after)
            weight, loss = self.weight(one.p, one.q, zero), self.loss(one.p, one.q)
            body = d.mk("mul", weight, d.mk("exp", d.mk("mul", order.s[1], loss)))
            (f,) = d.kids(term)
            plainly = [j for j in known if not a._speaks(d.claim(j))]
            iny = a.prove(d.mk("oiny", f), known)
            parts.append(d.taut(d.mk("oiny", body), self.everywhere("oiny", f, body, plainly),
                                iny))
            sides.append((term, self.everywhere("oint", f, body, plainly)))
            bodies += [weight, loss]
        (s, left), (t, right) = sides
        same = d.chain(d.turn(left), a.prove(d.mk("eq", s, t), known), right)
        inside = d.conj([d.claim(order.below), d.claim(order.above)])
        given = d.parts(d.assume(inside))
        found = d.both(*parts, same)
        for j in given:
            found = d.mp(d.disch(d.claim(j), found), j)
        whole = d.gen(order.s[0], "R", d.disch(inside, found))
        return "same transforms", [*bodies, order.low, order.high], [order.apart, whole], zero

    def _told(self, i: int, facts: Sequence[int], quick: bool = False) -> list[int]:
        """What a theorem says where what it asks for first, or leaves open, is settled."""
        d = self.d
        head, kids = d.head(d.claim(i)), d.kids(d.claim(i))
        if head == "and":
            return [j for k in kids for j in self._told(d.taut(k, i), facts, quick)]
        if head == "imp" and (given := self._settled(kids[0], facts, quick)) is not None and (
                d.claim(given) == kids[0]):
            return self._told(d.mp(i, given), facts, quick)
        if head == "or":
            for side, other in (kids, kids[::-1]):
                no = self._settled(side, facts, quick)
                if no is not None and d.claim(no) != side:
                    return self._told(d.taut(other, i, no), facts, quick)
        return [i]

    def _settled(self, formula: int, facts: Sequence[int], quick: bool = False) -> int | None:
        """The formula or its negation as a theorem; None where neither is found.  ``quick``: what
        speaks of integrals is looked up only."""
        d, no = self.d, self.d.mk("not", formula)
        for j in facts:
            if d.claim(j) in (formula, no):
                return j
        head, kids = d.head(formula), d.kids(formula)
        if head in ("and", "or", "imp", "not"):
            known: list[int] = []
            for k in kids:
                if (found := self._settled(k, facts, quick)) is not None:
                    known.append(found)
                    for goal in (formula, no):
                        with suppress(NotFound):
                            return d.taut(goal, *known)
            return None
        if head in RELATIONS and not self.a._speaks(formula):
            return self.a.truth(formula, [j for j in facts if not self.a._speaks(d.claim(j))])
        if quick and (self.a._speaks(formula) or head == "oiny"):
            return None
        with suppress(NotFound, NeedSplit):
            return self.a.prove(formula, facts)
        return None

    def _fourier(self, i: int, first: Transform, second: Transform, letter: tuple[str, int],
                 facts: Sequence[int]) -> tuple[str, list[int], list[int], int]:
        d, a = self.d, self.a
        name, t = letter
        made = d.inst(i, t)
        rate = self._rate(first.exponent, t)
        known = a.released([*(j for j in facts if j != i), made])
        bodies, sides = [], []
        for one in (first, second):
            weight, loss = self.weight(one.p, one.q, rate), self.loss(one.p, one.q)
            body = d.mk("mul", d.mk("cx", weight), d.mk("exp", d.mk("mul", d.mk("i"), d.mk(
                "cx", d.mk("mul", t, loss)))))
            sides.append((one.term, self.everywhere("oint", d.kids(one.term)[0], body, [])))
            bodies += [weight, loss]
        (s, left), (u, right) = sides
        same = d.chain(d.turn(left), a.prove(d.mk("eq", s, u), known), right)
        return "same characteristic functions", bodies, [d.gen(name, "R", same)], rate

    def _rate(self, exponent: int, t: int) -> int:
        """r of an exponent r + i t."""
        d, a = self.d, self.a
        rest = a.reader.read(d.sub(exponent, d.mul(d.mk("i"), d.mk("cx", t))))
        if set(rest) - {()}:
            raise NotFound("no line parallel to the imaginary axis")
        return d.num(Fraction(rest.get((), 0)))

    # what follows -----------------------------------------------------------------------------

    def _concluded(self, goal: int, name: str, terms: list[int], last: list[int], rate: int,
                   facts: Sequence[int]) -> int:
        """The goal, its integrals written as those of functions of the losses."""
        d, a = self.d, self.a
        bodies = terms[:4]
        known = []
        masses = self.cited(name, terms, last, self._seen(rate, d.num(1)))[1]
        numbers = [j for j in facts if not a._speaks(d.claim(j))]
        whole = [t for t in d.subterms(goal) if d.head(t) == "oint" and not d.b.loose[t]]
        if any(map(self.tails.lost, whole)):
            none = [j for j in facts if d.head(d.claim(j)) == "eq" and d.kids(d.claim(j))[
                1] == d.num(0) and self.tails.lost(d.kids(d.claim(j))[0])]
            known += none
            whole += [d.kids(d.claim(j))[0] for j in none]
        for t in whole:
            side = next((j for j, w in enumerate(bodies[::2]) if self.tails.first(w)
                         == self.tails.first(t)), None)
            if self.tails.lost(t):
                if side is not None:
                    known.append(a.compared(d.mk("eq", t, d.sub(d.num(1), d.kids(
                        d.claim(masses))[side])), []))
                continue
            if side is None:
                raise NotFound("another pair")
            g, beyond = self._function(t)
            equation = self.cited(name, terms, last, self._seen(rate, g))[1]
            value = d.kids(d.claim(equation))[side]
            if self.tails.power(t) is not None:
                (f,), (h,) = d.kids(t), d.kids(value)
                known += [self.everywhere("oint", f, h, numbers) if d.b.sorts[t] == "R"
                          else a._alike_outside(f, h, facts)[1], equation]
                continue
            if beyond:
                value = d.add(value, d.sub(d.num(1), d.kids(d.claim(masses))[side]))
            known += [a.compared(d.mk("eq", t, value), []), equation]
        return a.identity(goal, [*known, *([masses] if d.b.sorts[whole[0]] == "R" else [])])

    def cited(self, name: str, terms: list[int], last: list[int], g: int) -> list[int]:
        """What the fact says of a function of the loss: integrability, and the integrals."""
        d, a = self.d, self.a
        bodies, ends, first = terms[:4], terms[4:], []
        for w in (bodies[0], bodies[2]):
            label, x = d.fresh("O", "x")
            at = d.mk("le", d.num(0), d.b.open(w, x))
            first += [d.gen(label, "O", a.prove(at, a._positive(at))),
                      a.prove(d.mk("oiny", w))]
        data = [*bodies, g, *ends]
        whole = d.do("fact", of_measures(d.b, name, data), [], [name, *data])
        return d.parts(d.mp(whole, *first, *last))

    def _seen(self, rate: int, g: int) -> int:
        """exp(-r x) g(x)."""
        d = self.d
        if rate == d.num(0):
            return g
        return d.mul(d.mk("exp", d.mul(d.num(-self.orders.number(rate)), d.b.bound(0, "R"))), g)

    def _function(self, t: int) -> tuple[int, bool]:
        """g, and whether an infinite loss counts, where the integral is that of a profile or a
        tail."""
        d, one, zero, x = self.d, self.d.num(1), self.d.num(0), self.d.b.bound(0, "R")
        if (rate := self.tails.power(t)) is not None:
            return d.mk("exp", d.mul(rate, x if d.b.sorts[rate] == "R" else d.mk("cx", x))), False
        for h in self.a.hypotheses.profiles.hinges(t):
            if h.term == t and d.head(h.order) == "exp":
                level = d.kids(h.order)[0]
                return d.mk("max", zero, d.sub(one, d.mk("exp", d.sub(level, x)))), True
        _, o = d.fresh("O", "x")
        at = d.b.open(d.kids(t)[0], o)
        if d.head(at) == "if" and d.head(d.kids(at)[0]) in ("le", "lt") and d.kids(at)[2] == zero:
            u, v = d.kids(d.kids(at)[0])
            scaled = u if d.head(u) == "mul" else v
            if d.head(scaled) == "mul" and d.head(d.kids(scaled)[0]) == "exp":
                level = d.kids(d.kids(scaled)[0])[0]
                sides = (level, x) if scaled == u else (x, level)
                return d.mk("if", d.mk(d.head(d.kids(at)[0]), *sides), one, zero), scaled == u
        raise NotFound("no function of the loss")
