"""A bound of one moment from bounds of two others, by the inequality of Hoelder.

With log Z <= l log X + m log Y, l, m >= 0, and log X <= r b, log Y <= s c by what is supposed of
R_q, a bound w log Z <= t follows from the inequality of numbers w (l r b + m s c) <= t.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import plus
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.loss_means import Mean
    from lapdp.proving.space import Prover


class Between:
    """Derivations of such bounds, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, goal: int, mine: tuple[int, Mean], facts: Sequence[int]) -> int | None:
        """``w log Z <= t`` for the atom and the mean of log Z; None: nothing bounds two others."""
        known = list(self._bounds(mine[1], facts))
        for (one, first), (two, second) in permutations(known, 2):
            less = self.a.holder.tried(mine[1], (one, two), facts, goal)
            if less is None:
                continue
            try:
                return self._concluded(goal, mine[0], less[1], (first, second), facts)
            except (NotFound, NeedSplit):
                continue
        return None

    def _bounds(self, mine: Mean, facts: Sequence[int]) -> Iterator[tuple[Mean, int]]:
        """Means of other pairs that have a member of this one, and log X <= b of each."""
        d, a = self.d, self.a
        for i in facts:
            if d.head(d.claim(i)) != "le" or d.b.sorts[d.kids(d.claim(i))[0]] != "R":
                continue
            pairs = {m.pair for t in d.subterms(d.claim(i)) if d.head(t) == "log" and not d.b.loose[
                t] and (m := a.loss_means.mean(d.kids(t)[0])) is not None}
            for pair in pairs:
                if pair == mine.pair or not set(pair) & set(mine.pair):
                    continue
                for _, log, less in a.moment_tails.read(i, pair, facts):
                    mean = a.loss_means.mean(*d.kids(log))
                    if mean is not None:
                        yield mean, less

    def _concluded(self, goal: int, atom: int, less: int, bounds: Sequence[int],
                   facts: Sequence[int]) -> int:
        d, a, one = self.d, self.a, self.d.num(1)
        plain = a.loss_means.plain(facts)
        left, right = d.kids(goal)
        gap = plus(a.reader.read(right), a.reader.read(left), -1)
        w = a.holder.weight(gap, atom)
        rest = a.terms.term({m: c for m, c in gap.items() if all(x != atom for x, _ in m)}, "R")
        weights = [d.kids(t)[0] for t in d.kids(d.kids(d.claim(less))[1])]
        signs = [self._sign(t, plain) for t in (w, *weights)]
        total = d.mul(w, d.add(*(d.mul(t, d.kids(d.claim(i))[1]) for t, i in zip(
            weights, bounds, strict=True))))
        small = self._ordered(d.mk("le", total, rest), plain)
        return d.do("arith", goal, [less, *bounds, *signs, small], [
            [one, [0, 3]], [one, [1, 3, 4]], [one, [2, 3, 5]], [one, [6]]])

    def _sign(self, t: int, plain: Sequence[int]) -> int:
        found = self.a.positive(t, plain, strict=False)
        return self.a.denominators.sign(t, plain) if found is None else found

    def _ordered(self, goal: int, plain: Sequence[int]) -> int:
        """An order of numbers: of what is the same, or by the sign of the gap."""
        d, a, one = self.d, self.a, self.d.num(1)
        low, high = d.kids(goal)
        try:
            same = a.denominators.cleared(d.mk("eq", low, high), plain)
            return d.do("arith", goal, [same], [[one, [0]]])
        except (NotFound, NeedSplit):
            pass
        try:
            sign = self._sign(d.sub(high, low), plain)
            return d.do("arith", goal, [sign], [[one, [0]]])
        except (NotFound, NeedSplit):
            return a.prove(goal, plain)


__all__ = ["Between"]
