"""Integrals over the line that do not converge: a function >= c > 0 on a half-line.

If |g| were integrable with integral I, then c n <= I for the integral of c over an interval of
length n in that half-line, for all n; so c n = I^2 + 1 is absurd.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lapdp.proving.breaks import Breaks, NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_BOUNDS = 5


@dataclass(frozen=True)
class Factors:
    """``equation`` says |g(t)| = exp(exponent) |rest|, all of the letter t."""

    exponent: int
    rest: int
    equation: int


class Divergence:
    """Proves ``not liny g``, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def denied(self, goal: int, facts: Sequence[int]) -> int:
        """The goal ``not liny g``.  Raises :class:`NotFound`; :class:`NeedSplit` for an open
        condition."""
        d = self.d
        claim = d.kids(goal)[0]
        letters = [t for t in d.subterms(goal) if d.head(t) == "v" and d.b.sorts[t] == "R"]
        half = d.b.number(1, 2)
        found = self.absurd(d.assume(claim), facts, [half, *letters])
        return d.taut(goal, d.disch(claim, found))

    def absurd(self, i: int, facts: Sequence[int], bounds: Sequence[int]) -> int:
        """|- false from a theorem ``liny g``, by one of the bounds."""
        d = self.d
        name, t = d.fresh("R", "t")
        (g,) = d.kids(d.claim(i))
        known = [b for c in bounds if (b := self.a.positive(c, facts)) is not None]
        problem = NotFound("no bound of an integrand")
        for factors in self._factors(d.b.open(g, t), t):
            for right, sign in self._sides(factors.exponent, t, facts):
                given = self._place(t, right)
                up = self._upward(factors.exponent, sign, given[0], right)
                for positive in known[:MOST_BOUNDS]:
                    c = d.kids(d.claim(positive))[1]
                    try:
                        above = self._above(c, factors, positive, up, [*facts, *given])
                    except NotFound as failed:
                        problem = failed
                        continue
                    except NeedSplit:
                        continue
                    everywhere = d.gen(name, "R", d.disch(d.claim(given[0]), above))
                    return self._growing(i, g, c, positive, everywhere, right)
        raise problem

    # the integrand ----------------------------------------------------------------------------

    def _factors(self, f: int, t: int) -> Iterator[Factors]:
        """|f| as an exponential times the rest, which may take a factor e^t from it."""
        d = self.d
        plain = self._split(f)
        yield plain
        if d.b.sorts[f] == "C":
            return
        exponent, rest = d.add(plain.exponent, t), d.mul(d.mk("exp", d.neg(t)), plain.rest)
        same = d.do("arith", d.mk("eq", f, d.mul(d.mk("exp", exponent), rest)))
        yield self._sized(f, same, exponent, rest)

    def _split(self, f: int) -> Factors:
        d, zero = self.d, self.d.num(0)
        head, kids = d.head(f), d.kids(f)
        if head == "mul":
            for e, rest in (kids, kids[::-1]):
                if d.head(e) != "exp":
                    continue
                if d.b.sorts[f] == "R":
                    same = d.do("arith", d.mk("eq", f, d.mul(e, rest)))
                    return self._sized(f, same, d.kids(e)[0], rest)
                return self._complex(f, e, rest)
        if d.b.sorts[f] == "C":
            raise NotFound("a complex function that is no exponential times another")
        same = d.do("arith", d.mk("eq", f, d.mul(d.mk("exp", zero), f)))
        return self._sized(f, same, zero, f)

    def _sized(self, f: int, same: int, exponent: int, rest: int) -> Factors:
        """|f| = exp(x) |r| from f = exp(x) r."""
        d = self.d
        e = d.mk("exp", exponent)
        size = d.alike(d.mk("abs", f), same)
        law = self.a.integration.complexes.of_product(d.mul(e, rest))
        plain = self.a.by_cases(d.mk("eq", d.mk("abs", e), e))
        whole = d.chain(size, law)
        return Factors(exponent, rest, d.chain(whole, d.alike(
            d.kids(d.claim(whole))[1], plain)))

    def _complex(self, f: int, e: int, rest: int) -> Factors:
        """|exp(z) cx(r)| = exp(re z) |r|, with the real part found."""
        d = self.d
        if d.head(rest) != "cx" or f != d.mul(e, rest):
            raise NotFound("a complex function that is no exponential times a real one")
        (z,), (r,) = d.kids(e), d.kids(rest)
        sizes = [d.mk("abs", u) for u in (e, rest)]
        law = self.a.integration.complexes.of_product(f)
        real = d.mk("re", z)
        first = d.law("abs of exp", d.mk("eq", sizes[0], d.mk("exp", real)), z)
        part = self.a.integration.complexes.real_part(z)
        first = d.chain(first, d.alike(d.mk("exp", real), part))
        second = d.law("abs of cx", d.mk("eq", sizes[1], d.mk("abs", r)), r)
        whole = d.chain(law, d.alike(d.mul(*sizes), first))
        whole = d.chain(whole, d.alike(d.kids(d.claim(whole))[1], second))
        return Factors(d.kids(d.claim(part))[1], r, whole)

    def _sides(self, exponent: int, t: int, facts: Sequence[int]) -> list[tuple[bool, int | None]]:
        """The half-lines on which the exponent k t is >= 0, right (True) or left, and the sign of
        k as a theorem."""
        d, a = self.d, self.a
        linear = Breaks(a, t, facts).rate_of(a.reader.read(exponent))
        if linear is None or linear[1]:
            raise NotFound("an exponent that is no multiple of the variable")
        if not linear[0]:
            return [(False, None), (True, None)]
        k, zero = a.terms.term(linear[0], "R"), d.num(0)
        found: list[tuple[bool, int | None]] = []
        for right, condition in ((False, d.mk("le", k, zero)), (True, d.mk("le", zero, k))):
            known = a.truth(condition, facts)
            if known is not None and d.claim(known) == condition:
                found.append((right, known))
        if not found:
            raise NeedSplit(d.mk("le", k, zero))
        return found

    def _upward(self, x: int, sign: int | None, at: int, right: bool) -> int:
        """0 <= k t from the sign of k and 1 < t or t < -1."""
        d, one = self.d, self.d.num(1)
        goal = d.mk("le", d.num(0), x)
        if sign is None:
            return d.do("arith", goal)
        return d.do("arith", goal, [sign, at], [[one, [0, 1]], [one, [0]]])

    def _place(self, t: int, right: bool) -> list[int]:
        """1 < t, or t < -1, and what follows for e^t and e^-t."""
        d = self.d
        at = d.assume(d.mk("lt", d.num(1), t) if right else d.mk("lt", t, d.num(-1)))
        minus = d.do("arith", d.mk("lt", d.neg(t), d.num(-1)) if right else d.mk(
            "lt", d.num(1), d.neg(t)), [at], [[d.num(1), [0]]])
        found = [at]
        for i in (at, minus):
            s, u = d.kids(d.claim(i))
            grown = d.onward(self.a.grows("lt", s, u), i)
            up = d.head(s) == "n"
            number = d.mk("exp", s if up else u)
            bound = d.num(2) if up else d.b.number(1, 2)
            near = d.do("ball", d.mk("lt", *((bound, number) if up else (number, bound))), [],
                        ["60"])
            other = d.mk("exp", u if up else s)
            found.append(d.do("arith", d.mk("lt", *((bound, other) if up else (other, bound))),
                              [grown, near], [[d.num(1), [0]], [d.num(1), [1]]]))
        return found

    def _above(self, c: int, factors: Factors, positive: int, up: int, facts: Sequence[int]
               ) -> int:
        """c <= |f| from c <= r and 0 <= x."""
        d, a = self.d, self.a
        r, x = factors.rest, factors.exponent
        less = self._below(c, r, facts)
        size = self._size_above(r)
        zero = d.mk("exp", d.num(0))
        grown = d.onward(a.grows("le", d.num(0), x), up)
        # exp(x) |r| - c = exp(x) (|r| - r) + exp(x) (r - c) + c (exp(x) - exp(0))
        law = d.law("exp positive", d.mk("lt", d.num(0), d.mk("exp", x)), x)
        whole, product = d.kids(d.claim(factors.equation))
        assert d.kids(d.claim(grown))[0] == zero
        below = d.do("arith", d.mk("le", c, product), [size, less, law, grown, positive], [
            [d.num(1), [0, 2]], [d.num(1), [1, 2]], [d.num(1), [3, 4]]])
        return d.do("arith", d.mk("le", c, whole), [below, factors.equation], [
            [d.num(1), [0]], [d.num(-1), [1]]])

    def _below(self, c: int, r: int, facts: Sequence[int]) -> int:
        """c <= r; of a sum of max(0, x) one term is enough."""
        d, a, zero = self.d, self.a, self.d.num(0)
        goal = d.mk("le", c, r)
        if not a._speaks(r) and a.models.denied(goal, facts):
            raise NotFound("a goal on the way is false at a point")
        if d.head(c) == "oint":
            return self._integrands(c, r, facts)
        terms = self._terms(r)
        if len(terms) < 2 or any(d.head(t) != "max" or d.kids(t)[0] != zero for t in terms):
            return a.prove(goal, facts)
        rest = [self._max_above(d.kids(t)[1]) for t in terms]
        for n, t in enumerate(terms):
            one = d.mk("le", c, t)
            if a.models.denied(one, facts):
                continue
            try:
                given = [a.prove(one, facts), *rest[:n], *rest[n + 1:]]
            except (NotFound, NeedSplit):
                continue
            return d.do("arith", goal, given, [[d.num(1), [k]] for k in range(len(given))])
        raise NotFound("no term of a sum is large")

    def _integrands(self, c: int, r: int, facts: Sequence[int]) -> int:
        """c <= r from their integrands alone: it is asked of masses that need not fit."""
        d, a = self.d, self.a
        goal = d.mk("le", c, r)
        left, right = (a.normal(u, facts, a.choices(goal)[0]) for u in (c, r))
        name, x = d.fresh("O", "x")
        at = d.mk("le", d.b.open(left.body, x), d.b.open(right.body, x))
        if a.models.denied(at, a._positive(at)):
            raise NotFound("a goal on the way is false at a point")
        everywhere = d.gen(name, "O", a.prove(at, [*facts, *a._positive(at)]))
        less = d.do("mono", d.mk("le", d.mk("oint", left.body), d.mk("oint", right.body)),
                    [everywhere, left.iny, right.iny])
        return d.do("arith", goal, [left.equation, less, right.equation], [
            [d.num(1), [0]], [d.num(1), [1]], [d.num(-1), [2]]])

    def _terms(self, r: int) -> list[int]:
        d = self.d
        if d.head(r) == "add":
            return [u for k in d.kids(r) for u in self._terms(k)]
        return [r]

    # the contradiction ------------------------------------------------------------------------

    def _growing(self, i: int, g: int, c: int, positive: int, everywhere: int, right: bool) -> int:
        """|- false from liny g and c <= |g| for all t > 1 (or t < -1)."""
        d, a, one = self.d, self.a, self.d.num(1)
        size = d.mk("abs", g)
        rim = d.do("dominate", d.mk("liny", size), [i])
        total = d.mk("lint", size)
        enough = d.add(d.mul(total, total), one)
        length = d.mul(enough, d.mk("inv", c))
        inverse = a.inverse_law(a.reader.read(c), [positive])
        reciprocal = a.positive(d.mk("inv", c), [positive])
        if inverse is None or reciprocal is None:
            raise NotFound("the inverse of a bound")
        square = d.law("square", d.mk("le", d.num(0), d.mul(total, total)), total)
        long = d.do("arith", d.mk("le", d.num(0), length), [square, reciprocal], [
            [one, [0, 1]], [one, [1]]])
        low = one if right else d.sub(d.num(-1), length)
        high = d.add(one, length) if right else d.num(-1)
        t = d.b.bound(0, "R")
        big = d.mul(c, t)
        inside = d.mk("and", d.mk("lt", d.b.lift(low), t), d.mk("lt", t, d.b.lift(high)))
        order = d.do("arith", d.mk("le", low, high), [long], [[one, [0]]])
        uname, u = d.fresh("R", "u")
        slope = d.add(d.mul(d.num(0), u), d.mul(c, one))
        at = d.b.open(inside, u)
        constant = d.gen(uname, "R", d.disch(at, d.do("arith", d.mk("eq", slope, c))))
        part = d.mk("if", inside, c, d.num(0))
        value = d.add(d.b.open(big, high), d.mul(d.num(-1), d.b.open(big, low)))
        made = d.do("ftc", d.conj([d.mk("liny", part), d.mk("eq", d.mk("lint", part), value)]),
                    [order, constant], ["finite", big, c, low, high])
        iny, equation = d.parts(made)
        bound = d.inst(everywhere, u)
        at_u = d.b.open(part, u)
        sides = []
        for condition in (at, d.mk("not", at)):
            given = d.assume(condition)
            v = c if condition == at else d.num(0)
            law = d.mp(d.do("cases", d.mk("imp", condition, d.mk("eq", at_u, v))), given)
            known = d.mp(bound, given) if condition == at else self._size(d.b.open(g, u))
            sides.append(d.do("arith", d.mk("le", at_u, d.b.open(size, u)), [law, known], [
                [one, [0]], [one, [1]]]))
        less = d.do("mono", d.mk("le", d.mk("lint", part), total), [
            d.gen(uname, "R", d.split(at, *sides)), iny, rim])
        # c length = I^2 + 1 <= I, but I^2 - I + 1 = (I - 1/2)^2 + 3/4
        half = d.add(total, d.b.number(-1, 2))
        square = d.law("square", d.mk("le", d.num(0), d.mul(half, half)), half)
        return d.do("arith", d.mk("false"), [less, equation, inverse, square], [
            [one, [0]], [d.num(-1), [1]], [d.neg(enough), [2]], [one, [3]], [d.b.number(3, 4), []]])

    def _size(self, z: int) -> int:
        """0 <= |z|."""
        d = self.d
        if d.b.sorts[z] == "R":
            return self._lemma(z, lambda y: d.mk("le", d.num(0), d.mk("abs", y)))
        return self.a.integration.complexes.at_least_zero(z)

    def _size_above(self, r: int) -> int:
        """r <= |r|."""
        d = self.d
        return self._lemma(r, lambda y: d.mk("le", y, d.mk("abs", y)))

    def _max_above(self, r: int) -> int:
        """0 <= max(0, r)."""
        d = self.d
        return self._lemma(r, lambda y: d.mk("le", d.num(0), d.mk("max", d.num(0), y)))

    def _lemma(self, r: int, claim: Callable[[int], int]) -> int:
        """An instance of what is proved of a letter: the term itself may be long."""
        d = self.d
        name, y = d.fresh("R", "y")
        return d.inst(d.gen(name, "R", self.a.by_cases(claim(y))), r)
