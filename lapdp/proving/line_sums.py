"""Sums of integrals over the line: what both sides have in common, and one integral as a sum.

An equation ``s = t`` between sums of integrals follows from the one without what cancels; and
``lint f = c lint g + d lint h`` from f = c g + d h, where g and h are integrable.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from lapdp.kernel.polynomials import Polynomial, plus, times
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import Derivation, NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class LineSums:
    """Derivations of such equations, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """The equation; None: another goal, or not found."""
        d, a = self.d, self.a
        if d.head(goal) != "eq" or d.b.sorts[d.kids(goal)[0]] != "R":
            return None
        whole = [t for t in d.subterms(goal) if d.head(t) == "lint" and not d.b.loose[t]]
        left, right = (a.reader.read(t) for t in d.kids(goal))
        weights = self._weights(plus(right, left, -1), whole) if len(whole) > 2 else None
        if not weights:
            return None
        try:
            return self._with(goal, weights, len(weights) < len(whole), facts)
        except (NotFound, NeedSplit):
            return None

    def _weights(self, gap: Polynomial, whole: Sequence[int]) -> dict[int, Polynomial] | None:
        """The number before each integral; None where there is more than a sum of those."""
        a, found = self.a, dict[int, Polynomial]()
        for m, c in gap.items():
            at = [(z, t) for z in m if (t := a.terms.term({((z[0], 1),): 1})) in whole]
            if len(at) != 1 or at[0][0][1] != 1:
                return None
            ((z, t),) = at
            found.setdefault(t, {})[tuple(y for y in m if y != z)] = c
        return found

    def _with(self, goal: int, weights: dict[int, Polynomial], cancels: bool,
              facts: Sequence[int]) -> int:
        """An integral that counts once, by the others: to be proved anew, or as their sum."""
        d, a = self.d, self.a
        for one, weight in weights.items():
            c = weight.get(())
            if len(weight) != 1 or not isinstance(c, (int, Fraction)):
                continue
            others = [(t, a.terms.term(times(f, {(): Fraction(-1) / c}), "R"))
                      for t, f in weights.items() if t != one]
            if cancels:
                found = self._left_over(d.mk("eq", one, self._sum(others)), weights, facts)
            elif (sum_ := self._summed(one, others, facts)) is not None:
                found = sum_
            else:
                continue
            # the goal's gap is c (lint f - the others), or its negative
            factor = a.terms.term({(): -c}, "R")
            return d.do("arith", goal, [found], [[factor, [0]]])
        raise NotFound("no integral that is a sum of the others")

    def _left_over(self, goal: int, whole: Iterable[int], facts: Sequence[int]) -> int:
        """What is left where something cancels, by a substitution or as it stands."""
        d, a = self.d, self.a
        known = [*facts, *(a.prove(d.mk("liny", *d.kids(t)), facts) for t in whole)]
        same = a.substitution.equation(goal, known)
        return a.prove(goal, known) if same is None else a.identity(goal, [same])

    def _sum(self, terms: Sequence[tuple[int, int]]) -> int:
        d = self.d
        return d.add(*(t if c == d.num(1) else d.mul(c, t) for t, c in terms)) if terms else (
            d.num(0))

    def _summed(self, one: int, others: Sequence[tuple[int, int]], facts: Sequence[int]
                ) -> int | None:
        """lint f = c lint g + .. from f = c g + ..; None where that is no identity."""
        d, a = self.d, self.a
        name, t = d.fresh("R", "t")
        values = [d.mul(c, d.b.open(d.kids(u)[0], t)) for u, c in others]
        try:
            same = a.identity(d.mk("eq", d.b.open(d.kids(one)[0], t), d.add(*values)), [])
        except NotFound:
            return None
        inys = [a.prove(d.mk("liny", *d.kids(u)), facts) for u, _ in others]
        equal = combined(d, [c for _, c in others], inys)[1]
        return d.chain(d.under("lint", d.gen(name, "R", same)), equal)


def combined(d: Derivation, scales: Sequence[int], inys: Sequence[int]) -> tuple[int, int]:
    """iny (c f + ..) and I (c f + ..) = c I f + .., sums from the left, I over the space or over
    the line."""
    found: tuple[int, int] | None = None
    for c, iny in zip(scales, inys, strict=True):
        head = d.head(d.claim(iny))
        whole = head.replace("iny", "int")
        (f,) = d.kids(d.claim(iny))
        g = d.mul(d.b.lift(c), f)
        value = d.mul(c, d.mk(whole, f))
        made = d.parts(d.do("integral", d.conj([d.mk(head, g), d.mk(
            "eq", d.mk(whole, g), value)]), [iny], ["scale", c]))
        if found is None:
            found = made[0], made[1]
            continue
        (before,) = d.kids(d.claim(found[0]))
        both = d.mk("add", before, g)
        finite, split = d.parts(d.do("integral", d.conj([d.mk(head, both), d.mk(
            "eq", d.mk(whole, both), d.add(d.mk(whole, before), d.mk(whole, g)))]),
            [found[0], made[0]], ["sum"]))
        sum_ = d.add(d.kids(d.claim(found[1]))[1], value)
        found = finite, d.do("arith", d.mk("eq", d.mk(whole, both), sum_), [
            split, found[1], made[1]], [[d.num(1), [0]], [d.num(1), [1]], [d.num(1), [2]]])
    assert found is not None
    return found
