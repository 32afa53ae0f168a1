"""max(0, x k - y k) for a product k >= 0: its value is read off from x against y.

k may be 0, so that neither 0 <= x k - y k nor its negation need follow where x < y; the value is 0
all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapdp.proving.arithmetic import Arithmetic

Product = tuple[Fraction, list[int]]


class CommonFactors:
    """Values of positive parts of differences of products, for the search's arithmetic."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.a, self.d = arithmetic, arithmetic.d

    def value(self, t: int, facts: Sequence[int]) -> int | None:
        """``t = u`` or ``t = 0`` for a t = max(0, u); None: not seen, or no factor is common."""
        d, zero = self.d, self.d.num(0)
        if d.head(t) != "max" or d.kids(t)[0] != zero or not d.b.letters[t]:
            return None
        u = d.kids(t)[1]
        sign = self._sign(u, facts)
        if sign is None:
            return None
        condition, gap = d.mk("le", zero, u), d.mk("if", d.mk("le", zero, u), u, zero)
        law = d.law("max", d.mk("eq", t, gap), zero, u)
        first = d.do("cases", d.mk("imp", condition, d.mk("eq", gap, u)))
        if d.claim(sign) == condition:
            return d.chain(law, d.mp(first, sign))
        given, no = d.assume(condition), d.mk("not", condition)
        none = d.mk("eq", u, zero)
        both = d.do("order", d.mk("iff", none, d.conj([d.mk("le", u, zero), condition])))
        second = d.do("cases", d.mk("imp", no, d.mk("eq", gap, zero)))
        return d.chain(law, d.split(condition, d.chain(
            d.mp(first, given), d.taut(none, both, sign, given)), d.mp(second, d.assume(no))))

    def truth(self, relation: int, facts: Sequence[int]) -> int | None:
        """A relation between two products, or its negation, by what is left without their common
        factors, which are > 0; None: not seen."""
        d = self.d
        head, (s, t) = d.head(relation), d.kids(relation)
        sides = [self._products(k) for k in (s, t)]
        if any(len(side) > 1 for side in sides):
            return None
        common = self._without_common(*(factors for ((_, factors),) in sides))
        for side, other in (sides, sides[::-1]):
            if not side[0][0]:
                common += other[0][1]
                side[0][1].clear()
                other[0][1].clear()
        if not common:
            return None
        premises = [self.a.positive(f, facts) for f in common]
        positive = [i for i in premises if i is not None]
        if len(positive) < len(common):
            return None
        less, more = (d.mul(d.num(c), *rest) for ((c, rest),) in sides)
        every, one = [*range(len(positive) + 1)], d.num(1)
        for low, high, x, y in ((less, more, s, t), (more, less, t, s)):
            order = self.a.truth(d.mk("lt", low, high), facts)
            if order is None or d.head(d.claim(order)) != "lt":
                continue
            strict = d.do("arith", d.mk("lt", x, y), [order, *positive], [[one, every]])
            if head != "eq" and x == s:
                return d.do("arith", relation, [strict], [[one, [0]]])
            weight = d.num(-1) if head == "eq" and x == s else one
            false = d.do("arith", d.mk("false"), [strict, d.assume(relation)],
                         [[one, [0]], [weight, [1]]])
            return d.taut(d.mk("not", relation), d.disch(relation, false))
        return None

    def open_letter(self, relation: int, facts: Sequence[int]) -> int | None:
        """``0 < c`` for a letter c >= 0 that is a factor in a relation between two products, and of
        which it is not known whether it is 0."""
        d, zero = self.d, self.d.num(0)
        if d.head(relation) not in ("eq", "le", "lt") or d.b.sorts[d.kids(relation)[0]] != "R":
            return None
        sides = [self._products(k) for k in d.kids(relation)]
        if any(len(side) > 1 for side in sides):
            return None
        claims = {d.claim(i) for i in facts}
        for f in dict.fromkeys(f for ((_, factors),) in sides for f in factors):
            positive = d.mk("lt", zero, f)
            if d.head(f) == "v" and d.mk("le", zero, f) in claims and not (
                    claims & {positive, d.mk("eq", f, zero), d.mk("eq", zero, f)}):
                return positive
        return None

    @staticmethod
    def _without_common(first: list[int], second: list[int]) -> list[int]:
        """The factors that occur in both, which are taken out of the two."""
        common = []
        for f in list(first):
            if f in second:
                first.remove(f)
                second.remove(f)
                common.append(f)
        return common

    def _sign(self, u: int, facts: Sequence[int]) -> int | None:
        """0 <= u or u <= 0 for one product, or for two with a common factor."""
        d, zero = self.d, self.d.num(0)
        parts = [p for p in self._products(u) if p[0]]
        if len(parts) > 2:
            return None
        above, below = (d.mk("le", *p) for p in ((zero, u), (u, zero)))
        if not parts:
            return d.do("arith", above, [], [])
        if len(parts) == 1:
            (c, factors), = parts
            premises = self._not_negative(factors, facts)
            goal = above if c > 0 else below
            return None if premises is None else d.do(
                "arith", goal, premises, [[d.num(abs(c)), [*range(len(premises))]]])
        (c, first), (e, second) = sorted(parts, key=lambda p: -p[0])
        common = self._without_common(first, second)
        premises = self._not_negative(common, facts) if common and c > 0 > e else None
        if premises is None:
            return None
        more, less = (d.mul(d.num(abs(k)), *rest) for k, rest in ((c, first), (e, second)))
        order = self.a.truth(d.mk("le", less, more), facts)
        if order is None:
            return None
        holds = d.head(d.claim(order)) == "le"
        if not holds:
            other = d.mk("lt", more, less)
            order = d.taut(other, d.do("order", d.mk("iff", d.claim(order), other)), order)
        return d.do("arith", above if holds else below, [order, *premises], [
            [d.num(1), [*range(len(premises) + 1)]]])

    def _products(self, u: int) -> list[Product]:
        """The summands, each a number and its other factors."""
        d = self.d
        if d.head(u) == "add":
            return [p for k in d.kids(u) for p in self._products(k)]
        number, factors, todo = Fraction(1), list[int](), [u]
        while todo:
            t = todo.pop()
            if d.head(t) == "mul":
                todo += d.kids(t)
            elif d.head(t) == "n":
                number *= d.value(t)
            else:
                factors.append(t)
        return [(number, factors)]

    def _not_negative(self, factors: Sequence[int], facts: Sequence[int]) -> list[int] | None:
        """0 <= f for each factor, or 0 < f."""
        found = []
        for f in factors:
            above = self.a.factors_of.sign(f, facts)
            if above is None or self.d.head(self.d.claim(above)) != "lt":
                above = self.a.positive(f, facts, strict=False)
            if above is None:
                return None
            found.append(above)
        return found
