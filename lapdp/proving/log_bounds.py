"""Bounds of logarithms of integrals: k log M <= t from M <= exp(t/k), and k log M <= k log N from
M <= N, for k > 0.

With k = 1/(q - 1) that is a bound of a Renyi divergence by one of a moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound
from lapdp.proving.items import whole_quotient

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class LogBounds:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal ``s <= t`` or ``s < t``; None where it is none of that kind, or not found."""
        d, a = self.d, self.a
        head = d.head(goal)
        if head not in ("le", "lt") or d.b.sorts[d.kids(goal)[0]] != "R":
            return None
        gap = plus(a.reader.read(d.kids(goal)[1]), a.reader.read(d.kids(goal)[0]), -1)
        logs = [x for m in gap for x, _ in m if a.terms.symbol(x) == "log"
                and a._speaks(a.terms.term({((x, 1),): 1}, "R"))]
        if not 1 <= len(logs) <= 2 or len({*logs}) != len(logs):
            return None
        try:
            return self._settled(goal, gap, logs, facts)
        except (NotFound, NeedSplit):
            return None

    def _settled(self, goal: int, gap: Polynomial, logs: Sequence[int], facts: Sequence[int]
                 ) -> int:
        d, a = self.d, self.a
        head, zero, one = d.head(goal), d.num(0), d.num(1)
        plain = [i for i in facts if not a._speaks(d.claim(i))]
        rest = {m: c for m, c in gap.items() if not {x for x, _ in m} & {*logs}}
        scales: list[tuple[int, int]] = []
        for x in logs:
            (m, c), = ((m, c) for m, c in gap.items() if x in dict(m))
            if dict(m)[x] != 1:
                raise NotFound("a power of a logarithm")
            k = a.terms.term({tuple(z for z in m if z[0] != x): c}, "R")
            scales.append((k, a.terms.term({((x, 1),): 1}, "R")))
        low = [(k, log) for k, log in scales if a.positive(d.neg(k), plain) is not None]
        if not low:
            raise NotFound("a logarithm that is no bound from above")
        k, log = low[0]
        (moment,) = d.kids(log)
        scale = a.positive(d.neg(k), plain)
        some = a.prove(d.mk("lt", zero, moment), facts)
        if scale is None:
            raise NotFound("a factor without a sign")
        if len(logs) == 2:
            if rest:
                raise NotFound("more than two logarithms")
            (other, second), = (p for p in scales if p != low[0])
            if a.reader.read(d.neg(k)) != a.reader.read(other):
                raise NotFound("different factors")
            (n,) = d.kids(second)
            less = a.prove(d.mk(head, moment, n), facts)
            above = a.prove(d.mk("lt", zero, n), facts)
            ordered = a.logarithms.compared(head, log, second, [some, above, less])
            if ordered is None:
                raise NotFound("logarithms that are not compared")
            return d.do("arith", goal, [ordered, scale], [[one, [0, 1]]])
        bound = a.terms.term(rest, "R")
        if a._speaks(bound):
            raise NotFound("a bound by integrals")
        # log M <= t / k: the quotient without a fraction where k divides, or is one
        if (whole := self._quotient(rest, a.reader.read(d.neg(k)))) is not None:
            exponent, known = a.terms.term(whole, "R"), list(plain)
        else:
            inverse, unit = self._inverse(d.neg(k), scale)
            exponent, known = d.mul(bound, inverse), [*plain, unit]
        back = a.identity(d.mk("eq", d.mul(d.neg(k), exponent), bound), known)
        power = d.mk("exp", exponent)
        less = a.prove(d.mk(head, moment, power), facts)
        law = d.mp(d.law("exp of log", d.mk("imp", d.claim(some), d.mk(
            "eq", d.mk("exp", log), moment)), moment), some)
        grows = d.replace(less, d.turn(law)) if moment not in d.subterms(power) else less
        ordered = d.taut(d.mk(head, log, exponent), a.grows(head, log, exponent), grows)
        return d.do("arith", goal, [ordered, scale, back], [[one, [0, 1]], [one, [2]]])

    def _quotient(self, f: Polynomial, k: Polynomial) -> Polynomial | None:
        """f/k where k is one product that each term of f is a multiple of."""
        if len(k) != 1:
            return None
        ((m, c),) = k.items()
        found: Polynomial = {}
        for n, x in f.items():
            rest = whole_quotient(n, m)
            if rest is None:
                return None
            found = plus(found, {rest: x / Fraction(c)})
        return found

    def _inverse(self, k: int, scale: int) -> tuple[int, int]:
        """1/k, or x where k is 1/x, and what is known of their product."""
        d, a = self.d, self.a
        unit, _ = d.reciprocal(scale)
        f = a.reader.read(k)
        if len(f) == 1:
            ((m, c),) = f.items()
            if c == 1 and len(m) == 1 and m[0][1] == 1 and a.terms.symbol(m[0][0]) == "inv":
                x = a.terms.term(a.terms.argument(m[0][0]), "R")
                if (apart := a.nonzero(x, [scale])) is not None:
                    unit = d.mk("eq", d.mul(x, d.mk("inv", x)), d.num(1))
                    law = d.mk("imp", d.claim(apart), unit)
                    return x, d.mp(d.law("inverse", law, x), apart)
        return d.mk("inv", k), unit
