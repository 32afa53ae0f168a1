"""Trade-off functions of three distributions: V(A, C)(a) <= V(B, C)(V(A, B)(a)), V = 1 - T.

A test with A(phi) <= a has B(phi) <= V(A, B)(a), and so is one for (B, C) at that level, where it
is worth as much: C(phi) <= V(B, C)(V(A, B)(a)).  Dong, Roth and Su 2022 on groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.optimal import Testing
    from lapdp.proving.trade_offs import TradeOffs

Tests = tuple[int, "Testing"]
"""A supremum, and what it is taken over."""


class ChainedTests:
    """Derivations of such bounds, for :class:`TradeOffs`."""

    def __init__(self, trade_offs: TradeOffs) -> None:
        self.a, self.d, self.optimal = trade_offs.a, trade_offs.d, trade_offs.optimal

    def found(self, goal: int, tests: dict[int, Testing], facts: Sequence[int]) -> int | None:
        """A relation between three such suprema, one in the level of another; None: another goal,
        or not found."""
        d = self.d
        for three in permutations(tests.items(), 3):
            (whole, at), (last, then), (first, before) = three
            if first not in d.subterms(then.level) or (at.f, at.g, at.level) != (
                    before.f, then.g, before.level) or before.g != then.f:
                continue
            try:
                less = self._below((whole, at), (last, then), (first, before), facts)
                return self.a.by_arithmetic(goal, [less])
            except (NotFound, NeedSplit):
                continue
        return None

    def _below(self, whole: Tests, last: Tests, first: Tests, facts: Sequence[int]) -> int:
        """V <= V' from a test of V that is one of V'."""
        d, a, one = self.d, self.a, self.d.num(1)
        plain = [i for i in facts if not a._speaks(d.claim(i))]
        goal = d.mk("le", whole[0], last[0])
        least = self._not_negative(first, plain)
        order = a.by_arithmetic(d.mk("le", first[0], last[1].level), [])
        law = d.inst(self.optimal._law(whole[0], plain), last[0])
        yname, y = d.fresh("R", "y")
        member = d.b.open(d.kids(whole[0])[0], y)
        names, stages = [], [member]
        for sort in "RSS":
            names.append((*d.fresh(sort, "u"), sort))
            stages.append(d.b.open(d.kids(stages[-1])[0], names[-1][1]))
        low, high, level, value = d.parts(d.assume(stages[-1]))
        u, s, t = (letter for _, letter, _ in names)
        here = self.optimal.member(*first, u, s, t, [*plain, low, high, level])
        there = d.do("arith", d.mk("le", d.kids(d.claim(here))[0], last[1].level), [here, order], [
            [one, [0]], [one, [1]]])
        worth = self.optimal.member(*last, u, s, t, [*plain, least, low, high, there])
        found = d.do("arith", d.mk("le", y, last[0]), [worth, value], [[one, [0]], [one, [1]]])
        for (name, _, sort), stage in zip(reversed(names), reversed(stages[:-1]), strict=True):
            found = d.do("choose", d.claim(found), [d.assume(stage), found], [name, sort])
        return d.taut(goal, law, d.gen(yname, "R", d.disch(member, found)))

    def _not_negative(self, first: Tests, facts: Sequence[int]) -> int:
        """0 <= V: a test that never speaks."""
        d, a, one, zero = self.d, self.a, self.d.num(1), self.d.num(0)
        sup, test = first
        never = d.mk("set", d.mk("false"))
        nothing, worth = (a.prove(d.mk("eq", self.optimal.mass(t, never), zero))
                          for t in (test.f, test.g))
        held = a.by_arithmetic(d.mk("le", self.optimal.mixed(one, *(self.optimal.mass(
            test.f, never),) * 2), test.level), [nothing, *facts])
        less = self.optimal.member(sup, test, one, never, never, [*facts, held])
        return d.do("arith", d.mk("le", zero, sup), [less, worth], [
            [one, [0]], [d.num(-1), [1]]])


__all__ = ["ChainedTests"]
