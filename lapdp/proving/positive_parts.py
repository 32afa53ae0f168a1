"""Constants with a positive part, max(0, a - e^t b): where it is 0 and where not, by its masses.

The mass 1 of P - e^t Q is 1 - e^t, so max(0, 1 - e^t) is the mass of P - e^t Q for t <= 0 and 0
after: the integrand that is 0 where P = Q.  With one distribution for both terms the difference
to a profile would not be integrable over t.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class PositiveParts:
    """Takes such constants apart, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def apart(self, c: int) -> int | None:
        """c = if(0 <= x, c', c'') for a constant with a term max(0, x), x of terms with an
        exponential factor and without; None for others."""
        d = self.d
        zero = d.num(0)
        for t in d.subterms(c):
            if d.head(t) != "max" or d.kids(t)[0] != zero or d.b.loose[t]:
                continue
            x = d.kids(t)[1]
            factors = {bool(self.a.terms.exponential_part(m)) for m in self.a.reader.read(x)}
            if factors != {False, True}:
                continue
            condition = d.mk("le", zero, x)
            hole = d.hole(c, t)
            yes, no = (d.b.open(hole, u) for u in (x, zero))
            whole = d.mk("if", condition, yes, no)
            law = d.law("max", d.mk("eq", t, d.mk("if", condition, x, zero)), zero, x)
            inner = d.kids(d.claim(law))[1]
            sides = []
            for given, u in ((condition, x), (d.mk("not", condition), zero)):
                held = d.assume(given)
                value = d.mp(d.do("cases", d.mk("imp", given, d.mk("eq", inner, u))), held)
                chosen = d.mp(d.do("cases", d.mk("imp", given, d.mk(
                    "eq", whole, d.b.open(hole, u)))), held)
                sides.append(d.chain(d.alike(c, d.chain(law, value)), d.turn(chosen)))
            return d.split(condition, *sides)
        return None
