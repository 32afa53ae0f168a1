"""Orders n(t)/d(t), t > 0, as the points 1 + s of an open interval: n and d of degree one.

With n = n0 + n1 t and d = d0 + d1 t, d0 > 0 and d1 >= 0 rational, the interval lies between n0/d0
and n1/d1, and t = (s' d0 - n0)/(n1 - s' d1) for s' = 1 + s.  For d1 = 0 it is one of length 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


@dataclass(frozen=True)
class Order:
    """The exponent s of an interval as that of a hypothesis: ``low < high``; with ``below``: low
    < s and ``above``: s < high, ``positive``: 0 < place and ``same``: order there = 1 + s."""

    low: int
    high: int
    apart: int
    s: tuple[str, int]
    below: int
    above: int
    place: int
    positive: int
    same: int


class Orders:
    """Reads such orders, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def of(self, exponent: int, t: int, facts: Sequence[int]) -> Order:
        """The exponent s = n(t)/d(t) - 1 at t > 0."""
        d, a, one = self.d, self.a, self.d.num(1)
        order, less = d.kids(exponent) if d.head(exponent) == "add" else (exponent, one)
        if less != d.num(-1):
            raise NotFound("no order of a moment")
        top, low = order, one
        if d.head(order) == "inv":
            top, low = one, d.kids(order)[0]
        elif d.head(order) == "mul" and d.head(d.kids(order)[1]) == "inv":
            top, low = d.kids(order)[0], d.kids(d.kids(order)[1])[0]
        (n0, n1), (l0, l1) = self._linear(top, t), self._linear(low, t)
        d0, d1 = self.number(l0), self.number(l1)
        start = d.mul(n0, d.num(1 / d0))
        end = d.mul(n1, d.num(1 / d1)) if d1 else d.add(start, one)
        plain = [j for j in facts if not a._speaks(d.claim(j))]
        start, end = d.sub(start, one), d.sub(end, one)
        try:
            apart, rises = a.prove(d.mk("lt", start, end), plain), True
        except NotFound:
            apart, rises = a.prove(d.mk("lt", end, start), plain), False
        name, s = d.fresh("R", "s")
        ends = d.kids(d.claim(apart))
        below, above = d.assume(d.mk("lt", ends[0], s)), d.assume(d.mk("lt", s, ends[1]))
        # t = k/m
        whole = d.add(one, s)
        sign = 1 if rises else -1
        k = d.mul(d.num(sign), d.sub(d.mul(whole, l0), n0))
        m = d.mul(d.num(sign), d.sub(n1, d.mul(whole, l1)))
        wide = d.do("arith", d.mk("lt", d.num(0), k), [below if rises else above],
                    [[d.num(d0), [0]]])
        deep = d.do("arith", d.mk("lt", d.num(0), m), [above if rises else below],
                    [[d.num(d1), [0]]]) if d1 else a.prove(d.mk("lt", d.num(0), m))
        law, under = d.reciprocal(deep)
        place = d.mul(k, d.mk("inv", m))
        positive = d.do("arith", d.mk("lt", d.num(0), place), [wide, under], [[one, [0, 1]]])

        def there(u: int) -> int:
            return d.b.open(d.hole(u, t), place)

        value = there(low)
        size = a.prove(d.mk("lt", d.num(0), value), [positive])
        product, _ = d.reciprocal(size)
        same = d.do("arith", d.mk("eq", there(top), d.mul(whole, value)), [law],
                    [[d.mul(d.num(sign), k), [0]]])
        same = d.do("arith", d.mk("eq", there(order), whole), [same, product],
                    [[d.mk("inv", value), [0]], [whole, [1]]])
        return Order(ends[0], ends[1], apart, (name, s), below, above, place, positive, same)

    def _linear(self, u: int, t: int) -> tuple[int, int]:
        """The coefficients of a term of degree one."""
        d, a = self.d, self.a
        ((number, _),) = next(iter(a.reader.read(t)))
        parts: tuple[Polynomial, Polynomial] = ({}, {})
        for m, c in a.reader.read(u).items():
            power = dict(m).get(number, 0)
            if power not in (0, 1):
                raise NotFound("an order of higher degree")
            parts[int(power)][tuple(k for k in m if k[0] != number)] = c
        low, high = (a.terms.term(part, "R") for part in parts)
        if t in d.subterms(d.add(low, high)):
            raise NotFound("an order that is no quotient")
        return low, high

    def number(self, t: int) -> Fraction:
        """A rational number.  Raises :class:`NotFound` for other terms."""
        if self.d.head(t) != "n":
            raise NotFound("a denominator with letters")
        return self.d.value(t)
