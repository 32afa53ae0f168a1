"""c k e^x against c k e^y, decided by x against y."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Monomial, Polynomial, plus

if TYPE_CHECKING:
    from lapdp.proving.arithmetic import Arithmetic


class Exponents:
    """Relations between two exponentials with the same factor, for the search's arithmetic."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.a, self.d = arithmetic, arithmetic.d

    def truth(self, relation: int, facts: Sequence[int]) -> int | None:
        """The relation or its negation as a theorem; None: another relation, or not seen."""
        d, a, zero = self.d, self.a, self.d.num(0)
        s, t = d.kids(relation)
        if d.b.sorts[s] != "R":
            return None
        gap = plus(a.reader.read(t), a.reader.read(s), -1)
        if len(gap) != 2 or sum(gap.values()) != 0:
            return None
        # t - s = c k (e^x - e^y), c > 0
        (m, c), (n, _) = sorted(gap.items(), key=lambda p: -p[1])
        (x, k), (y, other) = self._apart(m), self._apart(n)
        if k != other or not (x or y):
            return None
        size = a.terms.term({k: 1}, "R")
        positive = [] if not k else [a.factors_of.sign(size, facts)]
        if positive and (positive[0] is None or d.head(d.claim(positive[0])) != "lt"):
            return None
        above = a.terms.term(plus(x, y, -1), "R")
        sides = d.mk("exp", a.terms.term(x, "R")), d.mk("exp", a.terms.term(y, "R"))
        for sign, case in ((1, d.mk("lt", zero, above)), (-1, d.mk("lt", above, zero)),
                           (0, d.mk("eq", above, zero))):
            known = a.truth(case, facts)
            if known is not None and d.claim(known) == case:
                return self._decided(relation, sign, known, sides, d.mul(d.num(c), size),
                                     [i for i in positive if i is not None])
        return None

    def _apart(self, m: Monomial) -> tuple[Polynomial, Monomial]:
        """The exponent and the other factors."""
        terms = self.a.terms
        total: Polynomial = {}
        for atom, e in m:
            if terms.symbol(atom) == "exp":
                total = plus(total, terms.argument(atom), e)
        return total, tuple((x, e) for x, e in m if terms.symbol(x) != "exp")

    def _decided(self, relation: int, sign: int, known: int, sides: tuple[int, int],
                 size: int, positive: list[int]) -> int:
        d = self.d
        head, (e, f) = d.head(relation), sides
        (x,), (y,) = d.kids(e), d.kids(f)
        low, high = (f, e) if sign >= 0 else (e, f)
        if sign:
            less = d.do("arith", d.mk("lt", *(d.kids(u)[0] for u in (low, high))), [known],
                        [[d.num(1), [0]]])
            law = d.law("exp monotone", d.mk("iff", d.claim(less), d.mk("lt", low, high)),
                        *d.kids(d.claim(less)))
            order = d.onward(law, less)
            part = [d.kids(size)[0], [0, *range(1, len(positive) + 1)]]
        else:
            same = d.do("arith", d.mk("eq", x, y), [known], [[d.num(1), [0]]])
            order = d.alike(e, same)
            part = [d.neg(size), [0]]
        holds = {"lt": sign > 0, "le": sign >= 0, "eq": sign == 0}[head]
        premises = [order, *positive]
        if holds:
            return d.do("arith", relation, premises, [part])
        if not sign:
            part = [size, [0]]
        weight = d.num(-1 if head == "eq" and sign > 0 else 1)
        false = d.do("arith", d.mk("false"), [*premises, d.assume(relation)],
                     [part, [weight, [len(premises)]]])
        return d.taut(d.mk("not", relation), d.disch(relation, false))
