"""Bounds with letters that are given as bounds of integrals: F <= T proves s <= t(T) by s <= t(F).

The letters are replaced by the integrals; that the bound grows with them is arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Tightened:
    """Proves inequalities in that way, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def relation(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal ``s <= t``; None where it is not found in this way."""
        d, a = self.d, self.a
        if d.head(goal) != "le":
            return None
        letters = {t for t in d.subterms(goal) if d.head(t) == "v" and d.b.sorts[t] == "R"}
        bounds: dict[int, int] = {}
        for i in facts:
            if d.head(d.claim(i)) != "le":
                continue
            s, t = d.kids(d.claim(i))
            if t in letters and a._speaks(s) and t not in d.subterms(s):
                bounds.setdefault(t, i)
        if not bounds:
            return None
        tight = goal
        for t, i in bounds.items():
            tight = d.b.open(d.hole(tight, t), d.kids(d.claim(i))[0])
        rest = [i for i in facts if i not in bounds.values()]
        try:
            inner = a.compared(tight, rest)
            more = a.losses.powers(goal, rest)
            return a.by_arithmetic(goal, [*bounds.values(), *rest, *more, inner])
        except (NotFound, NeedSplit):
            return None
