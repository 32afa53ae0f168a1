"""What follows from P(S - E) <= c Q(S - E) for all events S: outside of E, p <= c q.

At S = {c q < p} the difference p - c q is > 0 and has an integral <= 0 outside of E.  So P(c q < p)
is at most P(E): the largest set that an exception must hold.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Essential:
    """Masses of exceptional events, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self._found: dict[int, int | None] = {}

    def enriched(self, facts: Sequence[int]) -> list[int]:
        """The facts, and P(c q < p) <= P(E) for those about all events."""
        found = list(facts)
        for i in facts:
            if self.d.head(self.d.claim(i)) == "allS":
                if i not in self._found:
                    self._found[i] = None
                    self._found[i] = self._of(i)
                made = self._found[i]
                if made is not None and made not in found:
                    found.append(made)
        return found

    def _of(self, i: int) -> int | None:
        d, a = self.d, self.a
        (claim,) = d.kids(d.claim(i))
        if d.head(claim) != "le" or d.head(d.kids(claim)[1]) != "mul":
            return None
        left, (c, right) = d.kids(claim)[0], d.kids(d.kids(claim)[1])
        parts = [self._outside(t) for t in (left, right)]
        if parts[0] is None or parts[1] is None or d.b.loose[c] or parts[0][1] != parts[1][1]:
            return None
        (p, event), (q, _) = parts[0], parts[1]
        if d.b.loose[event] or d.b.loose[p] or d.b.loose[q]:
            return None
        x, zero = d.b.bound(0, "O"), d.num(0)
        f, g = (d.mk("dens", d.b.lift(t), x) for t in (p, q))
        beyond = d.mk("lt", d.mul(d.b.lift(c), g), f)
        inside = d.mk("in", x, d.b.lift(event))
        low, high = (d.mk("oint", d.mk("if", k, f, zero)) for k in (beyond, inside))
        try:
            at = a.hypotheses.unfolded(d.inst(i, d.mk("set", beyond)))
            (null,) = a.hypotheses.nulls([at], [at])
            return a.compared(d.mk("le", low, high), [null])
        except (NotFound, NeedSplit, ValueError):
            return None

    def _outside(self, t: int) -> tuple[int, int] | None:
        """(p, E) for P(S - E) under the binder of S, as terms outside of both binders."""
        d = self.d
        if d.head(t) != "oint" or d.head(d.kids(t)[0]) != "if":
            return None
        condition, value, other = d.kids(d.kids(t)[0])
        if d.head(condition) != "and" or d.head(value) != "dens" or other != d.num(0):
            return None
        member, rest = d.kids(condition)
        if member != d.mk("in", d.b.bound(0, "O"), d.b.bound(1, "S")) or d.head(rest) != "not":
            return None
        (within,) = d.kids(rest)
        if d.head(within) != "in":
            return None
        p, event = d.kids(value)[0], d.kids(within)[1]
        return (p, event) if d.head(p) == d.head(event) == "v" else None
