"""Inequalities between integrals that need a multiple of oint p - oint q = 0.

A function of p and q that is 0 where p = q, such as p log(p/q), touches a multiple of p - q there
and lies above it; its integral is >= 0 since both densities have the mass 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

WEIGHTS = (1, -1)


class Balanced:
    """Proves inequalities in that way, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d
        self.busy = False

    def relation(self, goal: int, facts: Sequence[int]) -> int:
        """The goal ``s <= t`` about two distributions.  Raises :class:`NotFound`."""
        d, a = self.d, self.a
        masses = a.masses(goal)
        if self.busy or d.head(goal) != "le" or len(masses) != 2 or not any(
                d.head(t) == "log" and d.b.loose[t] for t in d.subterms(goal)):
            raise NotFound("no logarithm of densities")
        s, t = d.kids(goal)
        bodies = [d.mk("dens", d.b.lift(m), d.b.bound(0, "O")) for m in masses]
        gap = d.sub(*(d.mk("oint", body) for body in bodies))
        totals = [d.parts(a.mass_one(body))[1] for body in bodies]
        problem = NotFound("no weight")
        self.busy = True
        try:
            for w in WEIGHTS:
                weight = d.num(w)
                try:
                    less = a.compared(d.mk("le", d.add(s, d.mul(weight, gap)), t), facts)
                except (NotFound, NeedSplit) as failed:
                    problem = failed if isinstance(failed, NotFound) else problem
                    continue
                return d.do("arith", goal, [less, *totals], [
                    [d.num(1), [0]], [d.num(-w), [1]], [weight, [2]]])
        finally:
            self.busy = False
        raise problem
