"""Functions of the densities at an outcome, where losses and ratios may be infinite.

An integral over the space splits the outcomes, for each pair whose loss is spoken of, into those
where both densities are positive, where only the first is, and where only the second is.  Values
in [-oo, oo] at an end are worked out by the rules of extended arithmetic, each step or nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.privacy.events import SetOperation
from lapdp.privacy.nodes import Complement, Distribution, Loss
from lapdp.privacy.pointwise import LossAt, Ratio, Where
from lapdp.theory.sentences.recursions import Repeated
from lapdp.theory.sentences.scope import NotSaid, sort_key
from lapdp.theory.sentences.spaces import Outcome, Space
from lapdp.theory.sentences.terms import NODES

PLUS, MINUS = "+oo", "-oo"
Value = int | str
"""A term, or one of the two infinities."""
Pairing = tuple[Any, Any]


class Points(Repeated):
    """Reads functions on a space; ``space`` and ``outcome`` say where densities are taken."""

    space: Space | None = None
    outcome: Outcome = ()
    ends: dict[Pairing, str]
    """At which end of its loss each pair is: both densities positive (""), PLUS or MINUS."""

    def integral(self, body: Any, build: Callable[[], int], pairs: list[Pairing] | None = None,
                 beside: tuple[Any, ...] = (), kind: str = "int") -> int:
        """The integral over the space of all that ``body`` speaks of, by cases of its losses; with
        the kind ``all`` the formula that what is built holds at every outcome."""
        found: set[Distribution] = set()
        for e in (body, *beside):
            found |= e.atoms(Distribution)
        space = Space(self, found)
        pairs = self.pairings(body, *beside) if pairs is None else pairs

        def here(outcome: Outcome) -> int:
            before = self.space, self.outcome, self.ends
            self.space, self.outcome, self.ends = space, outcome, {}
            try:
                return self.cases(pairs, build)
            finally:
                self.space, self.outcome, self.ends = before

        return space.over(kind, here)

    def cases(self, pairs: list[Pairing], build: Callable[[], int]) -> int:
        """``build`` at every end of every pair; 0, or true, where both members vanish."""
        if not pairs:
            return build()
        first, *rest = pairs
        p, q = (self.term(d) for d in first)
        found = []
        for end in ("", PLUS, MINUS):
            self.ends[first] = end
            found.append(self.cases(rest, build))
            del self.ends[first]
        zero, less = self.b.number(0), self.b.make
        some_p, some_q = (less("lt", zero, d) for d in (p, q))
        nothing = self.zero(found[0])
        return self.either(some_p, self.either(some_q, found[0], found[1]),
                           self.either(some_q, found[2], nothing))

    def pairings(self, *bodies: Any) -> list[Pairing]:
        """The pairs of whose loss or ratio expressions speak, each once."""
        found: dict[frozenset[Any], Pairing] = {}

        def add(first: Any, second: Any) -> None:
            found.setdefault(frozenset((first, second)), (first, second))

        def walk(e: Any) -> None:
            if isinstance(e, (LossAt, Ratio, Loss)):
                add(*e.args)
                return
            if not pointwise(e):
                return
            inside: Any = e.args
            if e.is_Mul or e.is_Pow:
                powers, inside = monomial(e)
                if any(not natural(x) for x in powers.values()):
                    add(*self.two(powers))
                inside = e.args if inside == [e] else inside
            for a in inside:
                walk(a)

        for body in bodies:
            walk(sp.sympify(body))
        return [found[k] for k in sorted(found, key=lambda k: tuple(map(sort_key, found[k])))]

    def two(self, powers: dict[Any, Any]) -> Pairing:
        """The two members of one pair that a quotient is made of."""
        members = sorted(powers, key=lambda d: d.side)
        if len(members) != 2 or members[0].pair is not members[1].pair or len(
                members[0].pair.names) != 2:
            raise NotSaid("a quotient of densities of other than one pair")
        return members[0], members[1]

    # -- values -----------------------------------------------------------------------------------

    def end_of(self, first: Any, second: Any) -> tuple[str, bool]:
        """The end at which the loss of a pair is, and whether the pair is known reversed."""
        if (first, second) in self.ends:
            return self.ends[first, second], False
        if (second, first) in self.ends:
            return opposite(self.ends[second, first]), True
        raise NotSaid("a loss outside an integral over the space")

    def loss(self, first: Any, second: Any) -> Value:
        """log(P/Q) here."""
        end, _ = self.end_of(first, second)
        if end:
            return end
        logs = [self.b.make("log", self.term(d)) for d in (first, second)]
        return self.b.make("add", logs[0], self.minus(logs[1]))

    def vanishes(self, d: Any) -> bool:
        """Is this density 0 at the end where we are?"""
        return any((end == PLUS and d == second) or (end == MINUS and d == first)
                   for (first, second), end in self.ends.items())

    def sign(self, e: Any) -> Any:
        """0 or 1 for 0 and for a density whose sign the ends tell; else None."""
        known = any(e in pair for pair in self.ends)
        return 0 if e == 0 or self.vanishes(e) else 1 if known else None

    def value(self, e: Any) -> Value:
        """A function on the space at an outcome, in [-oo, oo]."""
        e = sp.sympify(e)
        if e in (sp.oo, -sp.oo):
            return PLUS if e == sp.oo else MINUS
        if e in self.bound or not pointwise(e):
            return self.term(e)
        if isinstance(e, Distribution):
            return self.b.number(0) if self.vanishes(e) else self.term(e)
        if isinstance(e, (LossAt, Loss)):
            return self.loss(*e.args)
        if isinstance(e, Ratio):
            return self._ratio(e.args[0], e.args[1], sp.Integer(1))
        if isinstance(e, sp.log):
            return self._log(e.args[0])
        if isinstance(e, sp.exp):
            return self._exp(e.args[0])
        if isinstance(e, sp.Symbol) or not e.args:
            return self.term(e)
        if e.is_Add:
            return self._sum([self.value(a) for a in sorted(e.args, key=sort_key)])
        if e.is_Mul or e.is_Pow:
            return self._product(e)
        if isinstance(e, (sp.Max, sp.Min)):
            return self._extreme(e)
        if isinstance(e, cn.Indicator):
            return self.either(self.condition(e.args[0]), self.b.number(1), self.b.number(0))
        if isinstance(e, sp.Piecewise):
            return self._cases(e)
        if isinstance(e, sp.Abs):
            inner = self.value(e.args[0])
            return PLUS if isinstance(inner, str) else self.b.make("abs", inner)
        raise NotSaid(f"{type(e).__name__} as a function on the space")

    def finite(self, e: Any) -> int:
        """The value of an integrand; where it is infinite the outcomes must weigh nothing."""
        found = self.value(e)
        if isinstance(found, int):
            return found
        for pair, end in self.ends.items():
            if end:
                return self.unbounded(pair, found)
        raise NotSaid("an infinite integrand")

    def unbounded(self, pair: Pairing, value: str = PLUS) -> int:
        """0, where a pair is at an end of its loss and that end must weigh nothing."""
        self.unlimited("an integral that may be infinite")
        self.demand(self.null(*(pair if self.ends[pair] == PLUS else pair[::-1])),
                    limit=value == PLUS)
        return self.b.number(0)

    def null(self, first: Any, second: Any) -> int:
        """P << Q: where Q vanishes P has no mass."""
        before = self.space, self.outcome, self.ends
        zero = self.b.number(0)
        found = self.integral(first + second, lambda: self.b.make(
            "if", self.b.make("eq", self.term(second), zero), self.term(first), zero), [])
        self.space, self.outcome, self.ends = before
        return self.b.make("eq", found, zero)

    def _log(self, e: Any) -> Value:
        powers, others = monomial(e)
        if not others and sorted(powers.values(), key=sort_key) == [-1, 1]:
            above, = (d for d, x in powers.items() if x == 1)
            below, = (d for d, x in powers.items() if x == -1)
            return self.loss(above, below)
        inner = self.value(e)
        if inner == MINUS:
            raise NotSaid("the logarithm of -oo")
        return inner if isinstance(inner, str) else self.b.make("log", inner)

    def _exp(self, exponent: Any) -> Value:
        loss = sorted(exponent.atoms(LossAt, Loss), key=sort_key)
        if len(loss) == 1 and self.end_of(*loss[0].args)[0]:
            slope = sp.expand(exponent).coeff(loss[0], 1)
            rest = sp.expand(exponent - slope * loss[0])
            if not rest.has(LossAt, Loss) and slope.is_positive is not True and (
                    slope.is_negative is not True) and not slope.has(LossAt, Loss):
                return self._times([self._ratio(loss[0].args[0], loss[0].args[1], slope),
                                    self.b.make("exp", self.term(rest))])
        inner = self.value(exponent)
        if isinstance(inner, str):
            return PLUS if inner == PLUS else self.b.number(0)
        return self.b.make("exp", inner)

    def _ratio(self, first: Any, second: Any, power: Any) -> Value:
        """(P/Q)^c; at an end 0, 1 or oo by the sign of c."""
        end, _ = self.end_of(first, second)
        if not end:
            if power == 1:
                p, q = (self.term(d) for d in (first, second))
                return self.b.make("mul", p, self.b.make("inv", q))
            loss = self.loss(first, second)
            assert isinstance(loss, int)
            return self.b.make("exp", self.num("mul", self.term(power), loss))
        growing = power if end == PLUS else -power
        if growing.is_positive or growing.is_negative:
            return PLUS if growing.is_positive else self.b.number(0)
        self.unlimited("a power of a ratio that may be infinite")
        c, zero = self.term(power), self.b.number(0)
        pair = (first, second) if end == PLUS else (second, first)
        self.demand(self.b.make("imp", self._above(c, end), self.null(*pair)))
        return self.b.make("if", self.b.make("eq", c, self.zero(c)), self.b.number(1), zero)

    def _above(self, c: int, end: str) -> int:
        """May 0^(-c) (or, at MINUS, 0^c) be no number?"""
        if self.b.sorts[c] == "R":
            return self.say("0 < c" if end == PLUS else "c < 0", c=c)
        falls = "re(c) < 0" if end == PLUS else "0 < re(c)"
        return self.say(f"not ({falls} or c == z)", c=c, z=self.zero(c))

    def _sum(self, parts: list[Value]) -> Value:
        ends = {x for x in parts if isinstance(x, str)}
        if len(ends) > 1:
            raise NotSaid("oo - oo at an outcome")
        return ends.pop() if ends else self.total([x for x in parts if isinstance(x, int)])

    def _product(self, e: Any) -> Value:
        """The densities first: where they vanish the rest does not count."""
        powers, others = monomial(e)
        odd = {d: x for d, x in powers.items() if not natural(x)}
        if odd:
            weight: Value | None = self._monomial(powers)
        else:
            if any(self.vanishes(d) for d in powers):
                return self.b.number(0)
            weight = self.product([t for d in sorted(powers, key=sort_key)
                                   for t in [self.term(d)] * int(powers[d])]) if powers else None
        if isinstance(weight, int) and self.b.rows[weight] == ("n", 0, 1):
            return weight
        values: list[Value] = [] if weight is None else [weight]
        return self._times(values + [self._factor(x) for x in others], positive=bool(values),
                           signs=others)

    def _factor(self, x: Any) -> Value:
        base, exponent = x.as_base_exp()
        if not x.is_Pow or not x.has(LossAt, Ratio, Loss, Distribution):
            return self.value(x)
        if isinstance(base, Ratio):
            return self._ratio(base.args[0], base.args[1], exponent)
        inner = self.value(base)
        if not exponent.is_Integer or abs(exponent) > 12:
            raise NotSaid("a power of a function on the space")
        if isinstance(inner, str):
            if exponent < 0:
                return self.b.number(0)
            return inner if exponent % 2 else PLUS
        found = self.product([inner] * abs(int(exponent)))
        return found if exponent > 0 else self.b.make("inv", found)

    def _times(self, values: list[Value], positive: bool = False, signs: Any = ()) -> Value:
        """A product; an infinity only beside what is positive or negative for certain."""
        if not any(isinstance(x, str) for x in values):
            return self.product([x for x in values if isinstance(x, int)])
        if any(isinstance(x, int) and self.b.rows[x] == ("n", 0, 1) for x in values):
            raise NotSaid("0 times oo at an outcome")
        sign = 1
        known = values[1:] if positive else values
        for x, e in zip(known, signs or [None] * len(known), strict=True):
            if isinstance(x, str):
                sign *= 1 if x == PLUS else -1
            elif e is not None and (e.is_positive or e.is_negative):
                sign *= 1 if e.is_positive else -1
            elif self.b.rows[x][0] != "exp":
                raise NotSaid("an infinity times what has no certain sign")
        return PLUS if sign > 0 else MINUS

    def _monomial(self, powers: dict[Any, Any]) -> Value:
        """P^a Q^b for the two members of a pair, a + b = 1, or a and b whole."""
        first, second = self.two(powers)
        if (first, second) not in self.ends:
            first, second = second, first
        a, b = powers[first], powers[second]
        if sp.expand(a + b - 1) == 0 and not (a.is_Integer and b.is_Integer):
            return self.powers(a, (first, second))
        if not (a.is_Integer and b.is_Integer and abs(a) + abs(b) <= 12):
            raise NotSaid("a product of densities without a whole degree")
        end, _ = self.end_of(first, second)
        if end:
            dead = b if end == PLUS else a
            if dead:
                return self.b.number(0) if dead > 0 else PLUS
        factors = []
        for d, n in ((first, int(a)), (second, int(b))):
            part = self.product([self.term(d)] * abs(n))
            factors += [] if n == 0 else [part if n > 0 else self.b.make("inv", part)]
        return self.product(factors)

    def powers(self, order: Any, pair: Pairing) -> Value:
        """P^c Q^(1 - c); where a density vanishes by 0^0 = 1, 0^positive = 0, else oo."""
        end, one = self.ends[pair], self.b.number(1)
        c, p, q = self.term(order), *(self.term(d) for d in pair)
        if not end:
            loss = self.loss(*pair)
            assert isinstance(loss, int)
            less = self.num("add", c, self.b.number(-1))
            return self.num("mul", p, self.b.make("exp", self.num("mul", less, loss)))
        edge, alive = (one, p) if end == PLUS else (self.b.number(0), q)
        if order.is_Rational:
            # 0^(1 - c) or 0^c with a known sign
            dead = (1 - order) if end == PLUS else order
            return PLUS if dead < 0 else alive if dead == 0 else self.b.number(0)
        self._demand_power(c, end, pair)
        real = self.b.sorts[c] == "R"
        nothing = self.b.number(0)
        return self.case(self.num("eq", c, edge), *(
            (alive, nothing) if real else (self.b.make("cx", x) for x in (alive, nothing))))

    def _demand_power(self, c: int, end: str, pair: Pairing) -> None:
        """0^(1 - c) at PLUS, 0^c at MINUS is a number, or the outcomes weigh nothing."""
        make = self.b.make
        edge = self.b.number(1 if end == PLUS else 0)
        x = c if self.b.sorts[c] == "R" else make("re", c)
        within = make("lt", *((x, edge) if end == PLUS else (edge, x)))
        needed = make("not", make("or", within, self.num("eq", c, edge)))
        if self.b.sorts[c] == "R":
            self.unlimited("a moment that may be infinite")
        self.demand(make("imp", needed, self.null(*(pair if end == PLUS else pair[::-1]))),
                    limit=self.b.sorts[c] == "R")

    def _extreme(self, e: Any) -> Value:
        largest = isinstance(e, sp.Max)
        values = [self.value(a) for a in sorted(e.args, key=sort_key)]
        wins, loses = (PLUS, MINUS) if largest else (MINUS, PLUS)
        if wins in values:
            return wins
        rest = [x for x in values if isinstance(x, int)]
        if not rest:
            return loses
        found = rest[0]
        for t in rest[1:]:
            found = self.b.make("max" if largest else "min", found, t)
        return found

    def _cases(self, e: Any) -> Value:
        branches = list(e.args)
        found: Value = (self.value(branches.pop()[0]) if branches[-1][1] == sp.true
                        else self.nowhere())
        for branch, condition in reversed(branches):
            test = self.condition(condition)
            value = self.value(branch) if test != self.b.make("false") else found
            if test == self.truth():
                found = value
            elif test != self.b.make("false"):
                if not isinstance(value, int) or not isinstance(found, int):
                    raise NotSaid("a case distinction between infinite values")
                found = self.case(test, value, found)
        return found

    def compare(self, c: Relational) -> int:
        """A relation between values in [-oo, oo]; of a density and 0, what the ends say."""
        x, y = self.value(c.lhs), self.value(c.rhs)
        order = rank(x) - rank(y)
        if isinstance(x, int) and isinstance(y, int):
            signs = [self.sign(e) for e in (c.lhs, c.rhs)]
            if 0 not in signs or None in signs:
                return self.related(c, x, y)
            order = sum(signs[:1]) - sum(signs[1:])
        holds = {sp.Eq: order == 0, sp.Ne: order != 0, sp.Lt: order < 0, sp.Le: order <= 0,
                 sp.Gt: order > 0, sp.Ge: order >= 0}[type(c)]
        return self.truth() if holds else self.b.make("false")


def pointwise(e: Any) -> bool:
    """Is an expression a function on the space, or infinite?  A notion is neither."""
    if isinstance(e, (LossAt, Ratio, Loss, Distribution)) or e in (sp.oo, -sp.oo):
        return True
    inside = (cn.Indicator, Where, Complement, SetOperation)
    if isinstance(e, cn.Node) and not isinstance(e, inside):
        return False
    return any(pointwise(a) for a in e.args)


def rank(x: Value) -> int:
    """Where a value lies among the infinities."""
    return 0 if isinstance(x, int) else 1 if x == PLUS else -1


def opposite(end: str) -> str:
    """The end of the reversed loss."""
    return {"": "", PLUS: MINUS, MINUS: PLUS}[end]


def natural(x: Any) -> bool:
    """A whole number >= 0, small enough to be written out."""
    return bool(x.is_Integer and 0 <= x <= 12)


def monomial(e: Any) -> tuple[dict[Any, Any], list[Any]]:
    """The exponents of the densities in a product, and the other factors."""
    powers: dict[Any, Any] = {}
    others: list[Any] = []
    for factor in sp.Mul.make_args(e):
        base, exponent = factor.as_base_exp()
        if isinstance(base, Distribution):
            powers[base] = powers.get(base, sp.Integer(0)) + exponent
        else:
            others.append(factor)
    return powers, sorted(others, key=sort_key)


def _density(e: Any, d: Any) -> int:
    if e.space is None:
        raise NotSaid("a density outside an integral")
    found: int = e.space.density(d, e.outcome)
    return found


NODES[Distribution] = _density
__all__ = ["MINUS", "PLUS", "Points", "natural"]
