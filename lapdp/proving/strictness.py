"""Strict inequalities between integrals: a function >= 0 whose integral is 0 vanishes somewhere.

If s <= t by their integrands, and s = t made the difference a null function and so some density
one, then a distribution had the mass 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Strictness:
    """Proves ``s < t`` from ``s <= t``, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """The goal ``s < t``.  Raises :class:`NotFound`."""
        d, a, zero = self.d, self.a, self.d.num(0)
        s, t = d.kids(goal)
        below = a.compared(d.mk("le", s, t), facts)
        gap = a.terms.term(plus(a.reader.read(t), a.reader.read(s), -1), "R")
        choices = a.choices(gap)
        if not choices:
            raise NotFound("no densities in what should be positive")
        whole = a.normal(gap, facts, choices[0])
        rest = d.mk("oint", whole.body)
        nothing, false = d.mk("eq", rest, zero), d.mk("false")
        denied = d.disch(nothing, self._absurd(gap, [d.assume(nothing), *facts]))
        other = d.mk("le", t, s)
        given = d.assume(other)
        low = d.do("arith", d.mk("le", rest, zero), [whole.equation, given],
                   [[d.num(-1), [0]], [d.num(1), [1]]])
        high = d.do("arith", d.mk("le", zero, rest), [whole.equation, below],
                    [[d.num(1), [0]], [d.num(1), [1]]])
        both = d.do("order", d.mk("iff", nothing, d.conj([d.claim(low), d.claim(high)])))
        absurd = d.disch(other, d.taut(false, denied, both, low, high))
        return d.taut(goal, d.do("order", d.mk("iff", d.mk("not", goal), other)), absurd)

    def _absurd(self, gap: int, facts: Sequence[int]) -> int:
        """|- false: a distribution that would have the mass 0."""
        d, a = self.d, self.a
        # of null sets only some are looked at: those of other distributions come last
        here = {*a.masses(gap)}
        facts = sorted((i for i in facts if d.head(d.claim(i)) in (
            "eq", "le", "lt", "not", "oiny")), key=lambda i: len({*a.masses(d.claim(i))} - here))
        for p in a.masses(gap):
            body = d.mk("dens", d.b.lift(p), d.b.bound(0, "O"))
            mass = d.mk("oint", body)
            total = d.parts(d.do("density", d.conj([d.mk("oiny", body), d.mk(
                "eq", mass, d.num(1))]), [], [p]))[1]
            try:
                none = a.compared(d.mk("eq", mass, d.num(0)), facts)
            except (NotFound, NeedSplit):
                continue
            return d.do("arith", d.mk("false"), [total, none], [
                [d.num(1), []], [d.num(-1), [0]], [d.num(1), [1]]])
        for i in facts:
            if d.head(d.claim(i)) == "lt" and d.kids(d.claim(i))[0] == d.num(0):
                more = d.kids(d.claim(i))[1]
                if d.head(more) != "oint":
                    continue
                try:
                    none = a.compared(d.mk("eq", more, d.num(0)), facts)
                except (NotFound, NeedSplit):
                    continue
                return d.do("arith", d.mk("false"), [i, none], [
                    [d.num(1), [0]], [d.num(1), [1]]])
        raise NotFound("a strict inequality between integrals")
