"""Trade-off functions of three distributions: V(A, C)(a) <= V(B, C)(V(A, B)(a)), V = 1 - T.

A test with A(phi) <= a has B(phi) <= V(A, B)(a), and so is one for (B, C) at that level, where it
is worth as much: C(phi) <= V(B, C)(V(A, B)(a)).  Dong, Roth and Su 2022 on groups.

Against a mixture a test is worth the mean: V(A, sum w_i B_i)(a) <= sum w_i V(A, B_i)(a).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
        for sup, test in tests.items():
            others = [two for two in tests.items() if two[0] != sup]
            if all((of.f, of.level) == (test.f, test.level) for _, of in others):
                try:
                    less = self._against_a_mixture((sup, test), others, facts)
                    return self.a.by_arithmetic(goal, [less])
                except (NotFound, NeedSplit):
                    continue
        return None

    def _against_a_mixture(self, whole: Tests, others: Sequence[Tests], facts: Sequence[int]
                           ) -> int:
        """V <= sum of w V', as a test of V is one of each V'."""
        d, a, one = self.d, self.a, self.d.num(1)
        plain = a.loss_means.plain(facts)
        weights = self._weights(whole[1].g, [test.g for _, test in others])
        signs = [a.joint_convexity._nonnegative(w, plain) for w in weights]
        most = d.add(*(d.mul(w, sup) for w, (sup, _) in zip(weights, others, strict=True)))

        def worth(u: int, s: int, t: int, held: Sequence[int], value: int, y: int) -> int:
            members = [self.optimal.member(*two, u, s, t, [*plain, *held]) for two in others]
            split = [a.prove(d.mk("eq", self.optimal.mass(whole[1].g, e), d.add(*(
                d.mul(w, self.optimal.mass(test.g, e))
                for w, (_, test) in zip(weights, others, strict=True))))) for e in (s, t)]
            n = len(others)
            return d.do("arith", d.mk("le", y, most), [*signs, *members, value, *split], [
                *([one, [k, n + k]] for k in range(n)), [one, [2 * n]], [u, [2 * n + 1]],
                [d.sub(one, u), [2 * n + 2]]])
        return self._of_all(whole[0], most, plain, worth)

    def _weights(self, g: int, parts: Sequence[int]) -> list[int]:
        """w for each part, g being the sum of w times the part."""
        d, a = self.d, self.a
        _, x = d.fresh("O", "x")
        found = a.joint_convexity._weights(a.reader.read(d.b.open(g, x)), x)
        names = [d.kids(t)[0] if d.head(t) == "dens" else -1 for t in parts]
        if found is None or len({*names}) < len(names) or {*found} != {*names}:
            raise NotFound("no mixture of the others")
        return [a.terms.term(found[p], "R") for p in names]

    def _below(self, whole: Tests, last: Tests, first: Tests, facts: Sequence[int]) -> int:
        """V <= V' from a test of V that is one of V'."""
        d, a, one = self.d, self.a, self.d.num(1)
        plain = [i for i in facts if not a._speaks(d.claim(i))]
        goal = d.mk("le", whole[0], last[0])
        least = self._not_negative(first, plain)
        order = a.by_arithmetic(d.mk("le", first[0], last[1].level), [])

        def worth(u: int, s: int, t: int, held: Sequence[int], value: int, y: int) -> int:
            here = self.optimal.member(*first, u, s, t, [*plain, *held])
            there = d.do("arith", d.mk("le", d.kids(d.claim(here))[0], last[1].level), [
                here, order], [[one, [0]], [one, [1]]])
            other = self.optimal.member(*last, u, s, t, [*plain, least, *held[:2], there])
            return d.do("arith", d.mk("le", y, last[0]), [other, value], [[one, [0]], [one, [1]]])
        return d.taut(goal, self._of_all(whole[0], last[0], plain, worth))

    def _of_all(self, sup: int, most: int, facts: Sequence[int],
                worth: Callable[[int, int, int, Sequence[int], int, int], int]) -> int:
        """V <= t, from what says so of the value y of a test u, S, T that is held."""
        d = self.d
        law = d.inst(self.optimal._law(sup, facts), most)
        yname, y = d.fresh("R", "y")
        member = d.b.open(d.kids(sup)[0], y)
        names, stages = [], [member]
        for sort in "RSS":
            names.append((*d.fresh(sort, "u"), sort))
            stages.append(d.b.open(d.kids(stages[-1])[0], names[-1][1]))
        *held, value = d.parts(d.assume(stages[-1]))
        u, s, t = (letter for _, letter, _ in names)
        found = worth(u, s, t, held, value, y)
        for (name, _, sort), stage in zip(reversed(names), reversed(stages[:-1]), strict=True):
            found = d.do("choose", d.claim(found), [d.assume(stage), found], [name, sort])
        return d.taut(d.mk("le", sup, most), law, d.gen(yname, "R", d.disch(member, found)))

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
