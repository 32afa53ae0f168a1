"""Is a product 0 or positive?  Decided by its factors, each by a fact or by its structure."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.certificates import Certificates


class Products:
    """Relations between products and 0, for the search's arithmetic."""

    def __init__(self, arithmetic: Certificates) -> None:
        self.a, self.d = arithmetic, arithmetic.d

    def truth(self, relation: int, facts: Sequence[int]) -> int | None:
        """``t = 0``, ``0 < t`` or ``t <= 0`` or its negation, for a product t; None: not seen."""
        d, zero = self.d, self.d.num(0)
        head, kids = d.head(relation), d.kids(relation)
        t = next((k for k in kids if d.head(k) == "mul"), None)
        if t is None or zero not in kids or d.b.sorts[t] != "R":
            return None
        found = self.sign(t, facts)
        if found is None:
            return None
        strict = d.head(d.claim(found)) == "lt"
        if head == "eq" and not strict:
            return found if kids[1] == zero else d.turn(found)
        one, minus, first = d.num(1), d.num(-1), kids[0] == zero
        if head != "eq" and (first if strict else head == "le"):
            return d.do("arith", relation, [found], [[minus if first and not strict else one, [0]]])
        # the gap of 0 < t is t, those of t = 0 and t <= 0 are -t
        weight = minus if not strict and not first else one
        other = minus if head == "eq" and first else one
        false = d.do("arith", d.mk("false"), [found, d.assume(relation)],
                     [[weight, [0]], [other, [1]]])
        return d.taut(d.mk("not", relation), d.disch(relation, false))

    def open_factor(self, relation: int, variable: int, facts: Sequence[int]) -> int | None:
        """``c = 0``, or ``0 < c`` for a c >= 0, for a factor c, free of the variable, on which such
        a relation depends."""
        d, zero = self.d, self.d.num(0)
        kids = d.kids(relation)
        if zero not in kids or d.b.sorts[zero] != d.b.sorts[kids[0]]:
            return None
        todo = [k for k in kids if d.head(k) == "mul"]
        for t in todo:
            if d.head(t) == "mul":
                todo += d.kids(t)
            elif variable not in d.subterms(t) and d.b.letters[t] and (
                    self._of_factor(t, facts) is None):
                above = d.mk("le", zero, t)
                known = any(d.claim(i) == above for i in facts)
                return d.mk("lt", zero, t) if known else d.mk("eq", t, zero)
        return None

    def sign(self, t: int, facts: Sequence[int]) -> int | None:
        """0 < t or t = 0."""
        d, zero = self.d, self.d.num(0)
        if d.head(t) != "mul":
            return self._of_factor(t, facts)
        signs = [self.sign(k, facts) for k in d.kids(t)]
        for i, other in zip(signs, reversed(d.kids(t)), strict=True):
            if i is not None and d.head(d.claim(i)) == "eq":
                return d.do("arith", d.mk("eq", t, zero), [i], [[other, [0]]])
        known = [i for i in signs if i is not None]
        if len(known) < 2:
            return None
        return d.do("arith", d.mk("lt", zero, t), known, [[d.num(1), [0, 1]]])

    def _of_factor(self, t: int, facts: Sequence[int]) -> int | None:
        d, zero = self.d, self.d.num(0)
        positive, none, above = d.mk("lt", zero, t), d.mk("eq", t, zero), d.mk("le", zero, t)
        claims = {d.claim(i): i for i in facts}
        for claim in (positive, none):
            if claim in claims:
                return claims[claim]
        below = d.mk("le", t, zero)
        if above in claims:
            low = claims[above]
            law = d.do("order", d.mk("iff", none, d.conj([below, above])))
            other = d.do("order", d.mk("iff", d.mk("not", positive), below))
            for denied, goal in ((d.mk("not", none), positive), (d.mk("not", positive), none)):
                if denied in claims:
                    return d.taut(goal, law, other, low, claims[denied])
        if d.head(t) == "pi":
            (first, _) = d.parts(d.law("pi", d.mk("and", d.mk("lt", d.num(3), t), d.mk(
                "lt", t, d.num(Fraction(22, 7))))))
            return d.do("arith", positive, [first], [[d.num(1), [0]], [d.num(3), []]])
        if d.head(t) == "exp":
            return d.law("exp positive", positive, *d.kids(t))
        if d.head(t) == "n":
            try:
                return d.do("arith", positive, [], [[t, []]])
            except NotFound:
                return None
        if d.head(t) in ("inv", "sqrt"):
            return self.a.positive(t, facts)
        return None
