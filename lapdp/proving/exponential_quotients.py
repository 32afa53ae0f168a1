"""Limits of integrals of difference quotients where an exponential takes them over.

Q is the quotient of h, of first or second order, at a step s = e^-u.  With C_1 = (e^(rs) -
e^(-rs))/(2 s) and C_2 = (e^(rs) - 2 + e^(-rs))/s^2 the integral of e^(-ry) Q(y) is C_n times that
of e^(-ry) h(y), each place moved to y; and for h = a + b e^(ry) the quotient is C_n b e^(ry).  Now
r <= A(r) <= r e^(rs) for A(r) = (e^(rs) - 1)/s.  So A(r) tends to r; C_1 = (A(r) - A(-r))/2 does,
too, and C_2 = -A(r) A(-r) tends to r^2.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.proving.breaks import Breaks
from lapdp.proving.generalised import Found
from lapdp.proving.hinges import QUOTIENTS
from lapdp.proving.said import Said

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

GROWTH = "exp(u) * (exp(r * exp(-u)) - 1)"
FACTORS = {1: "1 / 2 * exp(u) * (exp(r * exp(-u)) - exp(-(r * exp(-u))))",
           2: "exp(2 * u) * (exp(r * exp(-u)) - 2 + exp(-(r * exp(-u))))"}


@dataclass(frozen=True)
class Quotient:
    """The integral over y of the quotient of a function, of some order at u, times a test."""

    order: int
    h: Callable[[int], int]
    test: int
    y: tuple[str, int]
    u: tuple[str, int]


class ExponentialQuotients(Said):
    """Finds such limits, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        super().__init__(prover)
        self.known: dict[int, int] = {}

    def found(self, of: Quotient, facts: Sequence[int]) -> Found | None:
        """The limit; None where there is no such exponential."""
        rate = self._rate(of.test, of, facts) if self.d.head(of.test) == "exp" else None
        if rate is not None:
            return self._by_test(of, rate, facts)
        part = self._part(of, facts)
        return None if part is None else self._by_function(of, *part, facts)

    # what the exponential is --------------------------------------------------------------------

    def _rate(self, power: int, of: Quotient, facts: Sequence[int]) -> int | None:
        """r for exp(-r y + c)."""
        a = self.a
        linear = Breaks(a, of.y[1], facts).rate_of(a.reader.read(self.d.kids(power)[0]))
        return None if linear is None else a.terms.term(plus({}, linear[0], -1), "R")

    def _part(self, of: Quotient, facts: Sequence[int]) -> tuple[int, int] | None:
        """r and b e^(r y), for h = a + b e^(r y)."""
        a, breaks = self.a, Breaks(self.a, of.y[1], facts)
        part: Polynomial = {}
        rates = []
        for m, c in a.reader.read(of.h(of.y[1])).items():
            seen = breaks.split_exponential(m)
            if seen is None:
                return None
            if seen[0]:
                part = plus(part, {m: c})
                rates.append(seen[0])
        if not rates or any(r != rates[0] for r in rates):
            return None
        return a.terms.term(rates[0], "R"), a.terms.term(part, "R")

    # the integrals ------------------------------------------------------------------------------

    def _by_function(self, of: Quotient, rate: int, part: int, facts: Sequence[int]) -> Found:
        """C_n times the integral of b e^(r y) f."""
        body = self.d.b.abstract(self.d.mul(part, of.test), of.y[0], "R")
        iny = self.a.prove(self.d.mk("liny", body), facts)
        whole, value = self.scaled(self.say(FACTORS[of.order], r=rate, u=of.u[1]), iny)
        return self._taken(of, rate, iny, whole, value, [])

    def _by_test(self, of: Quotient, rate: int, facts: Sequence[int]) -> Found:
        """C_n times the integral of f h, from those of f(y) h(y + s) and f(y) h(y - s)."""
        d, a = self.d, self.a
        y, u = of.y[1], of.u[1]
        shape = d.b.abstract(d.mul(of.test, of.h(y)), of.y[0], "R")
        iny = a.prove(d.mk("liny", shape), facts)
        scale = "1 / 2 * exp(u)" if of.order == 1 else "exp(2 * u)"
        moves = [(f"{scale} * exp(r * exp(-u))", "exp(-u)"),
                 (f"{'-1 * ' if of.order == 1 else ''}{scale} * exp(-(r * exp(-u)))", "-exp(-u)")]
        places, equations, terms = [], [], []
        for factor, text in moves:
            shift = self.say(text, u=u)
            place = self.say("1 * y + c", y=y, c=shift)
            places.append(a.identity(d.mk("eq", place, d.add(y, shift)), []))
            moved, equal = self.moved(shape, place, shift, iny, of.y[0])
            equations.append(equal)
            terms.append(self.scaled(self.say(factor, r=rate, u=u), moved))
        if of.order == 2:
            terms.append(self.scaled(self.say("-2 * exp(2 * u)", u=u), iny))
        whole, value = terms[0]
        for one, scaled in terms[1:]:
            whole, value = self._sum(whole, value, one, scaled)
        for equal in equations:
            value = d.chain(value, d.alike(d.kids(d.claim(value))[1], equal))
        return self._taken(of, rate, iny, whole, value, places)

    def moved(self, shape: int, place: int, shift: int, iny: int, name: str) -> tuple[int, int]:
        """liny f(y + c), and its integral is that of f."""
        d, one = self.d, self.d.num(1)
        moved = d.b.abstract(d.b.open(shape, place), name, "R")
        apart = self.a.prove(d.mk("not", d.mk("eq", one, d.num(0))))
        goal = d.conj([d.mk("iff", d.mk("liny", shape), d.mk("liny", moved)), d.mk(
            "eq", d.mk("lint", shape), d.mul(d.mk("abs", one), d.mk("lint", moved)))])
        iff, equal = d.parts(d.do("affine", goal, [apart], [shape, one, shift]))
        unit = self.a.prove(self.say("abs(1) * w == w", w=d.mk("lint", moved)))
        return d.taut(d.mk("liny", moved), iff, iny), d.turn(d.chain(equal, unit))

    def _sum(self, one: int, first: int, other: int, second: int) -> tuple[int, int]:
        """liny f + g, and its integral as the sum of what those of f and g are."""
        d = self.d
        iny, value = self.added(one, other)
        for equal in (first, second):
            value = d.chain(value, d.alike(d.kids(d.claim(value))[1], equal))
        return iny, value

    def _taken(self, of: Quotient, rate: int, base: int, iny: int, value: int,
               places: Sequence[int]) -> Found:
        """The limit, from the integral as C_n times one that does not move."""
        d, a = self.d, self.a
        (uname, u), (yname, y) = of.u, of.y
        target = self.say(f"({QUOTIENTS[of.order]}) * f", h=of.h, v=y, u=u, f=of.test)
        equation = d.refl(d.b.open(d.kids(d.claim(iny))[0], y))
        for same in places:
            equation = d.chain(equation, d.alike(d.kids(d.claim(equation))[1], same))
        equation = d.chain(equation, a.identity(d.mk("eq", d.kids(d.claim(equation))[1], target),
                                                []))
        same = d.gen(yname, "R", equation)
        inner = d.b.abstract(target, yname, "R")
        converges = d.taut(d.mk("liny", inner), d.under("liny", same), iny)
        fixed = d.mk("lint", d.kids(d.claim(base))[0])
        moving = d.mul(self.say(FACTORS[of.order], r=rate, u=u), fixed)
        total = d.chain(a.identity(d.mk("eq", moving, d.kids(d.claim(value))[1]), []),
                        d.turn(value), d.under("lint", same))
        tends = a.limits._equal(d.combined("mul", self.factor(of.order, rate), d.still(fixed)),
                                total, uname, d.num(0))
        return Found(d.kids(d.claim(tends))[0], d.gen(uname, "R", d.disch(
            d.mk("le", d.num(0), u), converges)), tends)

    # the factors --------------------------------------------------------------------------------

    def factor(self, order: int, rate: int) -> int:
        """C_1 tends to r, C_2 to r^2, as u -> +oo."""
        d, a = self.d, self.a
        if order not in self.known:
            (rname, r), (uname, u) = d.fresh("R", "r"), d.fresh("R", "u")
            up, down = self._growth(r), self._growth(d.neg(r))
            if order == 1:
                half, less = (d.still(d.num(c)) for c in (1, -1))
                both = d.combined("add", d.combined("mul", half, up), d.combined("mul", less, down))
                made = d.combined("mul", d.still(self.say("1 / 2")), both)
            else:
                made = d.combined("mul", d.still(d.num(-1)), d.combined("mul", up, down))
            body, end = d.kids(d.claim(made))
            same = a.identity(d.mk("eq", d.b.open(body, u), self.say(
                FACTORS[order], r=r, u=u)), [])
            made = a.limits._equal(made, same, uname, d.num(0))
            goal = r if order == 1 else d.mul(r, r)
            made = a.limits._with_value(made, a.identity(d.mk("eq", end, goal), []))
            self.known[order] = d.gen(rname, "R", made)
        return d.inst(self.known[order], rate)

    def _growth(self, rate: int) -> int:
        """A tends to r: |A - r| <= r (e^(r s) - 1), which tends to 0."""
        d, a = self.d, self.a
        if 0 not in self.known:
            (rname, r), (uname, u) = d.fresh("R", "r"), d.fresh("R", "u")
            grown, x = self.say(GROWTH, r=r, u=u), self.say("r * exp(-u)", r=r, u=u)
            powers = [a.prove(self.say(t, u=u, x=x)) for t in ("0 < exp(u)", "0 < exp(x)")]
            tangents = [d.law("exp above tangent", self.say("1 + x <= exp(x)", x=t), t)
                        for t in (x, d.neg(x))]
            low = self.times("0 <= g - r", tangents[0], powers[0], g=grown, r=r)
            high = self.times("g <= r * exp(x)", tangents[1], *powers, g=grown, r=r, x=x)
            gap = self.say("r * (exp(x) - 1)", r=r, x=x)
            near = self.law("0 <= g - r; g <= r * e => abs(g - r) <= r * (e - 1)", low, high,
                            g=grown, r=r, e=self.say("exp(x)", x=x))
            later = d.mk("le", d.num(0), u)
            none = a.limits.tends(d.mk("tends", d.b.abstract(gap, uname, "R"), d.num(0)), [])
            apart = d.b.abstract(d.sub(grown, r), uname, "R")
            found = d.do("limit", d.mk("tends", apart, d.num(0)), [none, d.gen(
                uname, "R", d.disch(later, near))], ["squeeze"])
            found = d.combined("add", found, d.still(r))
            body, end = d.kids(d.claim(found))
            found = a.limits._equal(found, a.identity(d.mk("eq", d.b.open(body, u), grown), []),
                                    uname, d.num(0))
            found = a.limits._with_value(found, a.identity(d.mk("eq", end, r), []))
            self.known[0] = d.gen(rname, "R", found)
        return d.inst(self.known[0], rate)


def quotient_of(said: Said, node: int, y: int, u: int) -> tuple[int, Callable[[int], int]] | None:
    """Order and function of the difference quotient at y with step e^-u that a term is; or None."""
    d = said.d
    if d.head(node) != "mul" or d.head(sum_ := d.kids(node)[1]) != "add":
        return None
    place = said.say("v + exp(-u)", v=y, u=u)
    first = d.kids(sum_)[0]
    for order, t in ((1, first), (2, d.kids(first)[0] if d.head(first) == "add" else None)):
        if t is None:
            continue
        body = d.hole(t, place)
        h = partial(d.b.open, body)
        moving = d.b.letters[body] & (d.b.letters[y] | d.b.letters[u])
        if not moving and said.say(QUOTIENTS[order], v=y, u=u, h=h) == node:
            return order, h
    return None
