"""Functions of the densities at an outcome, where losses and ratios may be infinite.

An integral over the space splits the outcomes, for each pair whose loss is spoken of, into those
where both densities are positive, where only the first is, and where only the second is.  Values
in [-oo, oo] at an end are worked out by the rules of extended arithmetic, each step or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from lapdp.calculus import nodes as cn
from lapdp.privacy.events import SetOperation
from lapdp.privacy.nodes import Complement, Distribution, Loss
from lapdp.privacy.pointwise import LossAt, Ratio, Where
from lapdp.kernel.saying import NotSaid, refuse
from lapdp.theory.sentences.spaces import Outcome, Space
from lapdp.theory.sentences.terms import MEANINGS, Terms

PLUS, MINUS = "+oo", "-oo"
OPPOSITE = {"": "", PLUS: MINUS, MINUS: PLUS}
RANKS = {PLUS: 1, MINUS: -1}
"""Where the infinities lie about the numbers."""
Value = Any
"""A term, or one of the two infinities."""
Pairing = tuple[Any, Any]


class Points(Terms):
    """Reads functions on a space; ``space`` and ``outcome`` say where densities are taken."""

    space: Space | None = None
    outcome: Outcome = ()
    ends: dict[Pairing, str]
    """At which end of its loss each pair is: both densities positive (""), PLUS or MINUS."""

    def integral(self, spoken: Sequence[Any], build: Callable[[], int],
                 pairs: list[Pairing] | None = None, kind: str = "int") -> int:
        """The integral over the space of all that is ``spoken`` of, by cases of its losses; with
        the kind ``all`` the formula that what is built holds at every outcome."""
        space = Space(self, {d for e in spoken for d in e.atoms(Distribution)})
        pairs = self.pairings(*spoken) if pairs is None else pairs

        def here(outcome: Outcome) -> int:
            with self.having(space=space, outcome=outcome, ends={}):
                return self.cases(pairs, build)
        return space.over(kind, here)

    def cases(self, pairs: list[Pairing], build: Callable[[], int]) -> int:
        """``build`` at every end of every pair; 0, or true, where both members vanish."""
        if not pairs:
            return build()
        found = []
        for end in ("", PLUS, MINUS):
            with self.having(ends={**self.ends, pairs[0]: end}):
                found.append(self.cases(pairs[1:], build))
        some_p, some_q = (self.say("0 < p", p=d) for d in pairs[0])

        def either(test: int, yes: int, no: int) -> int:
            return yes if yes == no else self.case(test, yes, no)
        return either(some_p, either(some_q, found[0], found[1]),
                      either(some_q, found[2], self.zero(found[0])))

    def pairings(self, *bodies: Any) -> list[Pairing]:
        """The pairs of whose loss or ratio expressions speak, each once."""
        found: dict[frozenset[Any], Pairing] = {}

        def walk(e: Any) -> None:
            if isinstance(e, (LossAt, Ratio, Loss)):
                found.setdefault(frozenset(e.args), e.args)
            elif pointwise(e):
                inside: Any = e.args
                if e.is_Mul or e.is_Pow:
                    powers, others = monomial(e)
                    if not all(map(natural, powers.values())):
                        two = self.two(powers)
                        found.setdefault(frozenset(two), two)
                    inside = inside if others == [e] else others
                for a in inside:
                    walk(a)

        for body in bodies:
            walk(sp.sympify(body))
        return sorted(found.values(), key=lambda pair: tuple(map(sp.default_sort_key, pair)))

    def two(self, powers: dict[Any, Any]) -> Pairing:
        """The two members of one pair that a quotient is made of."""
        refuse(len(powers) != 2 or len({id(d.pair) for d in powers}) > 1 or any(
            len(d.pair.names) != 2 for d in powers), "a quotient of densities of no one pair")
        first, second = sorted(powers, key=lambda d: d.side)
        return first, second

    # -- values -----------------------------------------------------------------------------------

    def end_of(self, pair: Pairing) -> str:
        """The end at which the loss of a pair is."""
        if pair in self.ends:
            return self.ends[pair]
        if pair[::-1] in self.ends:
            return OPPOSITE[self.ends[pair[::-1]]]
        raise NotSaid("a loss outside an integral over the space")

    def loss(self, pair: Pairing) -> Value:
        """log(P/Q) here."""
        return self.end_of(pair) or self.say("log(p) - log(q)", p=pair[0], q=pair[1])

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
        if e.is_Mul or e.is_Pow:
            return self._product(e)
        if isinstance(e, (LossAt, Loss, Ratio)):
            return self._ratio(e.args, sp.S.One) if isinstance(e, Ratio) else self.loss(e.args)
        if isinstance(e, (sp.log, sp.exp)):
            return (self._log if isinstance(e, sp.log) else self._exp)(e.args[0])
        if isinstance(e, cn.Indicator):
            return self.say("case(t, 1, 0)", t=self.condition(e.args[0]))
        if isinstance(e, sp.Piecewise):
            return self.piecewise(e.args, self.value)
        refuse(not (e.is_Add or isinstance(e, (sp.Max, sp.Min, sp.Abs))),
               f"{type(e).__name__} as a function on the space")
        parts = [self.value(a) for a in sorted(e.args, key=sp.default_sort_key)]
        ends = {x for x in parts if isinstance(x, str)}
        terms = [x for x in parts if isinstance(x, int)]
        if e.is_Add:
            refuse(len(ends) > 1, "oo - oo at an outcome")
            return ends.pop() if ends else self.total(terms)
        if isinstance(e, sp.Abs):
            return PLUS if ends else self.b.make("abs", *terms)
        symbol, wins = ("max", PLUS) if isinstance(e, sp.Max) else ("min", MINUS)
        if wins in ends or not terms:
            return wins if wins in ends else OPPOSITE[wins]
        return reduce(lambda s, t: self.b.make(symbol, s, t), terms)

    def finite(self, e: Any) -> int:
        """The value of an integrand; where it is infinite the outcomes must weigh nothing."""
        found = self.value(e)
        if found in RANKS:
            lost = [pair for pair, end in self.ends.items() if end]
            refuse(not lost, "an infinite integrand")
            return self.unbounded(lost[0], found)
        return int(found)

    def unbounded(self, pair: Pairing, value: str = PLUS) -> int:
        """0, where a pair is at an end of its loss and that end must weigh nothing."""
        self.unlimited("an integral that may be infinite")
        self.demand(self.lost(pair), limit=value == PLUS)
        return self.b.number(0)

    def lost(self, pair: Pairing) -> int:
        """The end where a pair is weighs nothing."""
        return self.null(*(pair if self.end_of(pair) == PLUS else pair[::-1]))

    def null(self, first: Any, second: Any) -> int:
        """P << Q: where Q vanishes P has no mass."""
        return self.b.make("eq", self.integral([first, second], lambda: self.say(
            "case(q == 0, p, 0)", p=first, q=second), []), self.b.number(0))

    def _log(self, e: Any) -> Value:
        powers, others = monomial(e)
        if not others and sorted(powers.values(), key=sp.default_sort_key) == [-1, 1]:
            below, above = sorted(powers, key=lambda d: powers[d])
            return self.loss((above, below))
        inner = self.value(e)
        refuse(inner == MINUS, "the logarithm of -oo")
        return inner if isinstance(inner, str) else self.b.make("log", inner)

    def _exp(self, exponent: Any) -> Value:
        loss = sorted(exponent.atoms(LossAt, Loss), key=sp.default_sort_key)
        if len(loss) == 1 and self.end_of(loss[0].args):
            slope = sp.expand(exponent).coeff(loss[0], 1)
            rest = sp.expand(exponent - slope * loss[0])
            if not rest.has(LossAt, Loss) and slope.is_positive is not True and (
                    slope.is_negative is not True) and not slope.has(LossAt, Loss):
                return self._times([(self._ratio(loss[0].args, slope), sp.S.One),
                                    (self.say("exp(x)", x=rest), sp.S.One)])
        inner = self.value(exponent)
        if isinstance(inner, str):
            return PLUS if inner == PLUS else self.b.number(0)
        return self.b.make("exp", inner)

    def _ratio(self, pair: Pairing, power: Any) -> Value:
        """(P/Q)^c; at an end 0, 1 or oo by the sign of c."""
        end = self.end_of(pair)
        if not end:
            return self.say("p / q" if power == 1 else "exp(c * z)", p=pair[0], q=pair[1],
                            c=power, z=self.loss(pair))
        growing = power if end == PLUS else -power
        if growing.is_positive or growing.is_negative:
            return PLUS if growing.is_positive else self.b.number(0)
        self.unlimited("a power of a ratio that may be infinite")
        c = self.term(power)
        needed = self.endless(c, end, 0) if self.b.sorts[c] == "C" else self.say(
            "0 < c" if end == PLUS else "c < 0", c=c)
        self.demand(self.b.make("imp", needed, self.lost(pair)))
        return self.say("case(c == 0, 1, 0)", c=c)

    def endless(self, c: int, end: str, edge: int) -> int:
        """0^(edge - c) (or, at MINUS, 0^(c - edge)) is no number."""
        real = "c" if self.b.sorts[c] == "R" else "re(c)"
        return self.say(f"not ({real} < e or c == e)" if end == PLUS else
                        f"not (e < {real} or c == e)", c=c, e=self.b.number(edge))

    def powers(self, order: Any, pair: Pairing) -> Value:
        """P^c Q^(1 - c); where a density vanishes by 0^0 = 1, 0^positive = 0, else oo."""
        end = self.ends[pair]
        c, p, q = (self.term(x) for x in (order, *pair))
        if not end:
            return self.say("p * exp((c - 1) * z)", p=p, c=c, z=self.loss(pair))
        edge, alive = (1, p) if end == PLUS else (0, q)
        if order.is_Rational:
            # 0^(1 - c) or 0^c with a known sign
            dead = (1 - order) if end == PLUS else order
            return PLUS if dead < 0 else alive if dead == 0 else self.b.number(0)
        real = self.b.sorts[c] == "R"
        if real:
            self.unlimited("a moment that may be infinite")
        self.demand(self.b.make("imp", self.endless(c, end, edge), self.lost(pair)), limit=real)
        return self.say("case(c == e, x, 0)", c=c, e=self.b.number(edge), x=self.same(alive, c)[0])

    def _product(self, e: Any) -> Value:
        """The densities first: where they vanish the rest does not count."""
        powers, others = monomial(e)
        factors: list[tuple[Value, Any]] = []
        if not all(map(natural, powers.values())):
            factors.append((self._monomial(powers), sp.S.One))
        elif any(map(self.vanishes, powers)):
            return self.b.number(0)
        elif powers:
            factors.append((self.product([t for d in sorted(powers, key=sp.default_sort_key)
                                          for t in [self.term(d)] * int(powers[d])]), sp.S.One))
        if factors and factors[0][0] == self.b.number(0):
            return factors[0][0]
        return self._times(factors + [(self._factor(x), x) for x in others])

    def _monomial(self, powers: dict[Any, Any]) -> Value:
        """P^a Q^b for the two members of a pair, a + b = 1, or a and b whole."""
        first, second = self.two(powers)
        if (first, second) not in self.ends:
            first, second = second, first
        a, b = powers[first], powers[second]
        whole = a.is_Integer and b.is_Integer
        if not whole and sp.expand(a + b - 1) == 0:
            return self.powers(a, (first, second))
        refuse(not whole or abs(a) + abs(b) > 12, "a product of densities without a whole degree")
        dead = {"": 0, PLUS: b, MINUS: a}[self.end_of((first, second))]
        if dead:
            return self.b.number(0) if dead > 0 else PLUS
        parts = [(n, self.product([self.term(d)] * abs(int(n)))) for d, n in (
            (first, a), (second, b)) if n != 0]
        return self.product([t if n > 0 else self.b.make("inv", t) for n, t in parts])

    def _factor(self, x: Any) -> Value:
        base, exponent = x.as_base_exp()
        if not x.is_Pow or not x.has(LossAt, Ratio, Loss, Distribution):
            return self.value(x)
        if isinstance(base, Ratio):
            return self._ratio(base.args, exponent)
        inner = self.value(base)
        refuse(not exponent.is_Integer or abs(exponent) > 12, "a power of a function on the space")
        if isinstance(inner, str):
            return self.b.number(0) if exponent < 0 else inner if exponent % 2 else PLUS
        found = self.product([inner] * abs(int(exponent)))
        return found if exponent > 0 else self.b.make("inv", found)

    def _times(self, factors: list[tuple[Value, Any]]) -> Value:
        """A product of values, each with an expression of its sign; an infinity only beside what is
        positive or negative for certain."""
        if all(isinstance(x, int) for x, _ in factors):
            return self.product([x for x, _ in factors])
        sign = 1
        for x, e in factors:
            refuse(x == self.b.number(0), "0 times oo at an outcome")
            if isinstance(x, str):
                sign *= RANKS[x]
            elif e.is_positive or e.is_negative:
                sign *= 1 if e.is_positive else -1
            elif self.b.rows[x][0] != "exp":
                raise NotSaid("an infinity times what has no certain sign")
        return PLUS if sign > 0 else MINUS

    def compare(self, c: Relational) -> int:
        """A relation between values in [-oo, oo]; of a density and 0, what the ends say."""
        x, y = self.value(c.lhs), self.value(c.rhs)
        order = RANKS.get(x, 0) - RANKS.get(y, 0)
        if isinstance(x, int) and isinstance(y, int):
            first, second = (self.sign(e) for e in (c.lhs, c.rhs))
            if None in (first, second) or 0 not in (first, second):
                return self.related(c, x, y)
            order = first - second
        return self.truth() if type(c)(order, 0) == sp.true else self.b.make("false")


def pointwise(e: Any) -> bool:
    """Is an expression a function on the space, or infinite?  A notion is neither."""
    if isinstance(e, (LossAt, Ratio, Loss, Distribution)) or e in (sp.oo, -sp.oo):
        return True
    inside = (cn.Indicator, Where, Complement, SetOperation)
    if isinstance(e, cn.Node) and not isinstance(e, inside):
        return False
    return any(pointwise(a) for a in e.args)


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
    return powers, sorted(others, key=sp.default_sort_key)


def _density(e: Any, d: Any) -> Any:
    refuse(e.space is None, "a density outside an integral")
    return e.space.density(d, e.outcome)


MEANINGS[Distribution] = _density
