"""Square roots of products, and exponents brought to one form."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import gcd, isqrt, lcm

from lapdp.kernel.polynomials import Number, Polynomial, plus, power, times
from lapdp.proving.certificates import Certificates
from lapdp.proving.derivation import NotFound
from lapdp.proving.items import ONE


def square_part(n: int) -> tuple[int, int]:
    """n = a^2 b with a as large as small factors make it.

    >>> square_part(72)
    (6, 2)
    """
    a, b = 1, n
    for d in range(2, min(isqrt(n), 1000) + 1):
        while b % (d * d) == 0:
            a, b = a * d, b // (d * d)
    return a, b


class Roots:
    """Roots as products of roots of atoms; exponents with squares of roots and quotients gone."""

    def __init__(self, certificates: Certificates) -> None:
        self.c, self.d = certificates, certificates.d

    def root(self, f: Polynomial) -> Polynomial:
        """The root of one positive product, as a product, or of 0; a sum may be one factor of it.

        Raises :class:`NotFound` for a sum alone."""
        terms = self.c.terms
        if not f:
            return {}
        if len(f) != 1:
            common, rest = self._common(f)
            return times(self.root(common), self.c.reader.read(
                self.d.mk("sqrt", terms.term(rest, "R"))))
        ((m, c),) = f.items()
        if c <= 0:
            raise NotFound("the root of a negative number")
        outside, inside = square_part(c.numerator * c.denominator)
        found: Polynomial = {(): Fraction(outside, c.denominator)}
        if inside != 1:
            found = times(found, self.c.reader.read(self.d.mk("sqrt", self.d.num(inside))))
        for number, e in m:
            if terms.symbol(number) == "exp":
                found = times(found, {((number, Fraction(e) / 2),): 1})
                continue
            if not isinstance(e, int):
                raise NotFound("the root of a power")
            if e // 2:
                found = times(found, {((number, e // 2),): 1})
            if e % 2:
                found = times(found, self._root_of_atom(number))
        return found

    def _common(self, f: Polynomial) -> tuple[Polynomial, Polynomial]:
        """A product that is common to the terms of a sum, and a sum without quotients."""
        terms = self.c.terms
        powers: dict[int, int] = {}
        for x in dict.fromkeys(x for m in f for x, _ in m):
            found = [dict(m).get(x, 0) for m in f]
            if not all(isinstance(e, int) for e in found):
                raise NotFound("the root of a sum")
            powers[x] = int(max(found) if terms.symbol(x) == "inv" else min(found))
        numbers = [Fraction(c) for c in f.values()]
        content = Fraction(gcd(*(c.numerator for c in numbers)),
                           lcm(*(c.denominator for c in numbers)))
        if content == 1 and not any(powers.values()):
            raise NotFound("the root of a sum")
        rest: Polynomial = {}
        for m, c in f.items():
            part: Polynomial = {(): c / content}
            for x, e in powers.items():
                n = int(dict(m).get(x, 0))
                part = times(part, power(terms.argument(x), e - n) if terms.symbol(x) == "inv"
                             else {((x, n - e),) if n > e else (): 1})
            rest = plus(rest, part)
        return {tuple(sorted((x, e) for x, e in powers.items() if e)): content}, rest

    def _root_of_atom(self, number: int) -> Polynomial:
        d, terms = self.d, self.c.terms
        if terms.symbol(number) == "inv":
            inner = d.mk("sqrt", terms.term(terms.argument(number)))
            return self.c.reader.read(d.mk("inv", inner))
        return self.c.reader.read(d.mk("sqrt", terms.term({((number, 1),): 1})))

    def alike(self, equation: int) -> bool:
        """Has each side of an equation one root of a sum of products, the only one?"""
        d = self.d
        both = [{t for t in d.subterms(side) if d.head(t) == "sqrt" and not d.b.loose[t]
                 and d.head(d.kids(t)[0]) == "add"} for side in d.kids(equation)]
        return all(len(roots) == 1 for roots in both) and both[0] != both[1]

    def equation(self, t: int, facts: Sequence[int]) -> int | None:
        """sqrt(x y) = sqrt(x) sqrt(y) and its like, where the root is a product."""
        d, c = self.d, self.c
        (x,) = d.kids(t)
        try:
            product = c.terms.term(self.root(c.reader.read(x)), "R")
        except NotFound:
            return None
        if product == t:
            return None
        sign = c.positive(x, facts, strict=False)
        other = c.positive(product, facts, strict=False)
        if sign is None or other is None:
            return None
        law = d.mk("imp", d.claim(sign), d.conj([d.mk("le", d.num(0), t), d.mk(
            "eq", d.mk("mul", t, t), x)]))
        above, square = d.parts(d.mp(d.law("sqrt", law, x), sign))
        try:
            squared = c.identity(d.mk("eq", d.mk("mul", product, product), x), facts)
        except NotFound:
            return None
        known = [above, square, other, squared]
        same = d.mk("eq", t, product)
        halves = [self._below(s, u, known) for s, u in ((t, product), (product, t))]
        both = d.conj([d.mk("le", t, product), d.mk("le", product, t)])
        return d.taut(same, d.do("order", d.mk("iff", same, both)), *halves)

    def _below(self, s: int, u: int, known: list[int]) -> int:
        """s <= u for two roots >= 0 of one number: else s s > u u."""
        d = self.d
        more = d.mk("lt", u, s)
        given = d.assume(more)
        above_s = next(i for i in known if d.claim(i) == d.mk("le", d.num(0), s))
        above_u = next(i for i in known if d.claim(i) == d.mk("le", d.num(0), u))
        squares = {d.kids(d.claim(i))[0]: i for i in known if d.head(d.claim(i)) == "eq"}
        ss, uu = squares[d.mk("mul", s, s)], squares[d.mk("mul", u, u)]
        # (s - u) (s - u) > 0 and (s - u) u >= 0 add up to s s - u u > 0, which is 0
        false = d.do("arith", d.mk("false"), [given, above_u, ss, uu, above_s],
                     [[d.num(1), [0, 0]], [d.num(2), [0, 1]], [d.num(1), [2]], [d.num(-1), [3]]])
        law = d.do("order", d.mk("iff", d.mk("not", d.mk("le", s, u)), more))
        return d.taut(d.mk("le", s, u), law, d.disch(more, false))

    def tidy(self, f: Polynomial) -> Polynomial:
        """Squares of roots are what is under them; x (1/x) is 1, for products x."""
        for _ in range(8):
            found: Polynomial = {}
            for m, c in f.items():
                found = plus(found, self._tidy_term(dict(m), c))
            if found == f:
                return f
            f = found
        return f

    def _tidy_term(self, powers: dict[int, int | Fraction], c: Number) -> Polynomial:
        terms = self.c.terms
        found: Polynomial = {(): c}
        for number in list(powers):
            e = powers[number]
            if terms.symbol(number) == "sqrt" and isinstance(e, int) and e >= 2:
                found = times(found, terms.argument(number))
                powers[number] = e - 2
                break
            if terms.symbol(number) == "inv" and len(terms.argument(number)) == 1:
                (inner,) = terms.argument(number)
                if len(inner) == 1 and inner[0][1] == 1 and (
                        terms.symbol(inner[0][0]) == "sqrt"):
                    # 1/sqrt(x) = sqrt(x)/x
                    under = terms.term(terms.argument(inner[0][0]))
                    reciprocal = self.c.reader.read(self.d.mk("inv", under))
                    found = times(found, power(reciprocal, int(e)))
                    powers[inner[0][0]] = powers.get(inner[0][0], 0) + e
                    powers[number] = 0
                    break
                if inner and all(powers.get(a, 0) >= n for a, n in inner):
                    for a, n in inner:
                        powers[a] -= n
                    powers[number] -= 1
                    break
        rest = tuple(sorted((a, e) for a, e in powers.items() if e))
        return times(found, {rest: 1} if rest else dict(ONE))

    def argument(self, t: int, facts: Sequence[int]) -> int | None:
        """f(u) = f(u') with a tidier argument; None where there is nothing to do."""
        d, c = self.d, self.c
        (u,) = d.kids(t)
        f = c.reader.read(u)
        short = self.tidy(f)
        if short == f:
            return None
        other = c.terms.term(short, d.b.sorts[u])
        try:
            return d.alike(t, c.identity(d.mk("eq", u, other), facts))
        except NotFound:
            return None
