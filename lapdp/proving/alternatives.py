"""Claims about values that may be infinite: ``(... and not F) or A``, F what makes a value finite.

Either F holds, and then A is proved with it; or it does not, and then the first alternative is.
Another value that would then be finite, by A, is not.

A sum is infinite in more ways, ``not F1 and (not F2 or G2) or not F2 and (not F1 or G1)``: then
each F holds or does not, and A is proved where all do.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover

MOST_SUMMANDS = 3


class Alternatives:
    """Proves such a disjunction, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal; None where it is no claim of that kind.  Raises :class:`NotFound`."""
        d = self.d
        if d.head(goal) != "or":
            return None
        left, right = d.kids(goal)
        if (summed := self._summed(left)) and not self._summed(right):
            return d.taut(goal, self._by_each(goal, summed, facts))
        ways = d.kids(left) if d.head(left) == "or" else (left,)
        open_ = [way for way in ways if not self._excluded(way, facts)]
        if len(open_) < len(ways):
            rest = d.mk("or", open_[0], right) if open_ else right
            return d.taut(goal, self.a.prove(rest, facts))
        if d.head(left) == "or":
            return self._by_the_first(goal, facts)
        denied = self._denied(left)
        if not denied and self._denied(right):
            # said in the other order
            return d.taut(goal, self.a.prove(d.mk("or", right, left), facts))
        if not denied:
            found = self._by_a_null(goal, facts)
            # a value that may be infinite, beside finite ones
            one = self._summed(left, 1) if found is None else []
            return d.taut(goal, self._by_each(goal, one, facts)) if one else found
        (bounded,) = d.kids(denied[0])
        if not self.a._speaks(goal):
            # integrals over the line have antiderivatives: what is finite is seen to be
            return d.taut(goal, self.a.prove(right, facts))
        given = d.assume(bounded)
        yes = d.taut(goal, self.a.prove(right, self.a.released([*facts, given])))
        try:
            return d.split(bounded, yes, d.taut(goal, self._endless(left, denied[0], facts)))
        except NotFound as problem:
            try:  # it is finite
                return d.taut(goal, d.disch(bounded, yes), self.a.prove(bounded, facts))
            except NotFound:
                raise problem from None

    def _summed(self, formula: int, least: int = 2) -> list[int]:
        """What makes each summand of a sum finite, so many at least, if a formula says that one is
        infinite."""
        d, found = self.d, dict[int, None]()

        def walk(f: int, inside: bool) -> None:
            if d.head(f) == "not" and inside and self._finite(f):
                found.setdefault(d.kids(f)[0])
            elif d.head(f) in ("and", "or"):
                for k in d.kids(f):
                    walk(k, inside or d.head(f) == "or")

        if d.head(formula) in ("and", "or") and any(
                d.head(f) == "or" for f in d.members(formula)) and not self.a.recursions.rules:
            walk(formula, False)
        return [*found] if least <= len(found) <= MOST_SUMMANDS else []

    def _by_each(self, goal: int, left: Sequence[int], facts: Sequence[int]) -> int:
        """The goal where each of these holds, and where it does not."""
        d = self.d
        if left:
            cases = (d.assume(left[0]), d.assume(d.mk("not", left[0])))
            yes, no = (self._by_each(goal, left[1:], [*facts, i]) for i in cases)
            return d.split(left[0], yes, no)
        infinite, finite = d.kids(goal)
        if any(d.head(d.claim(i)) == "not" for i in facts):
            with suppress(NotFound):
                return d.taut(goal, self._said(infinite, facts))
        return d.taut(goal, self.a.prove(finite, self.a.released(facts)))

    def _said(self, formula: int, facts: Sequence[int]) -> int:
        """What is made of alternatives, where it is known of each summand whether it is finite."""
        d = self.d
        for i in facts:
            if d.claim(i) == formula:
                return i
        if d.head(formula) == "and":
            return d.taut(formula, *(self._said(f, facts) for f in d.kids(formula)))
        if d.head(formula) == "or":
            for f in d.kids(formula):
                with suppress(NotFound):
                    return d.taut(formula, self._said(f, facts))
            raise NotFound("no alternative holds")
        if d.head(formula) == "not" and self._finite(formula):
            (other,) = d.kids(formula)
            if any(d.claim(i) == other for i in facts):
                raise NotFound("it is finite")
            given = d.assume(other)
            for i in facts:
                if d.head(d.claim(i)) == "not" and self._finite(d.claim(i)):
                    with suppress(NotFound):
                        back = self.a.prove(d.kids(d.claim(i))[0], self.a.released([*facts, given]))
                        return d.taut(formula, d.disch(other, back), i)
            raise NotFound("no reason why it is infinite")
        if d.head(formula) == "lt" and d.kids(formula)[0] == d.num(0) and not self.a._speaks(
                formula):
            with suppress(NotFound):
                return self.a.denominators.sign(d.kids(formula)[1], facts, strict=True)
        return self.a.prove(formula, self.a.released(facts))

    def _by_the_first(self, goal: int, facts: Sequence[int]) -> int | None:
        """``A1 or A2 or B`` from ``A1 or B``, where what A1 says of numbers holds: infinite by
        an order above 1, or by one below."""
        d = self.d
        left, right = d.kids(goal)
        for way in d.kids(left):
            plain = self._plain(way)
            known = [self.a.truth(f, facts) for f in plain]
            if plain and all(i is not None and d.claim(i) == f
                             for i, f in zip(known, plain, strict=True)):
                found = self.found(d.mk("or", way, right), facts)
                return None if found is None else d.taut(goal, found)
        return None

    def _by_a_null(self, goal: int, facts: Sequence[int]) -> int | None:
        """``(.. and oint f = 0) or A``: A where the integral is positive; None: another goal."""
        d, a, zero = self.d, self.a, self.d.num(0)
        left, right = d.kids(goal)
        nulls = [f for f in d.members(left) if d.head(f) == "eq" and d.head(d.kids(f)[0]) == "oint"
                 and d.kids(f)[1] == zero]
        if not nulls:
            return None
        null = nulls[-1]
        (integral, _), given = d.kids(null), d.assume(null)
        parts = [given if f == null else a.prove(f, [*facts, given]) for f in d.members(left)]
        other = d.assume(d.mk("not", null))
        least, more = a.prove(d.mk("le", zero, integral), facts), d.mk("lt", zero, integral)
        law = d.do("order", d.mk("iff", d.mk("not", more), d.mk("le", integral, zero)))
        same = d.do("order", d.mk("iff", null, d.conj(
            [d.mk("le", integral, zero), d.claim(least)])))
        above = d.taut(more, other, least, law, same)
        found = a.prove(right, a.released([*facts, other, above]))
        return d.split(null, d.taut(goal, *parts), d.taut(goal, found))

    def _plain(self, way: int) -> list[int]:
        """What an alternative says of numbers."""
        d = self.d
        return [f for f in d.members(way) if d.head(f) in ("eq", "le", "lt")
                and not self.a._speaks(f)]

    def _excluded(self, way: int, facts: Sequence[int]) -> bool:
        """Does an alternative say something of numbers that the facts deny?"""
        return any((i := self.a.truth(f, facts)) is not None and self.d.claim(i) != f
                   for f in self._plain(way))

    def _denied(self, way: int) -> list[int]:
        return [f for f in self.d.members(way) if self.d.head(f) == "not" and self._finite(f)]

    def _finite(self, formula: int) -> bool:
        return any(self.d.head(t) in ("oiny", "liny") for t in self.d.subterms(formula))

    def _endless(self, left: int, denied: int, facts: Sequence[int]) -> int:
        """The first alternative where F does not hold."""
        d, (bounded,) = self.d, self.d.kids(denied)
        parts = [d.assume(denied)]
        for f in self.d.members(left):
            if f == denied:
                continue
            if d.head(f) == "not" and self._finite(f):
                # another value would be finite, and so the first one
                (other,) = d.kids(f)
                known = self.a.released([*facts, d.assume(other)])
                back = d.disch(other, self.a.prove(bounded, known))
                parts.append(d.taut(f, back, parts[0]))
            else:
                parts.append(self.a.prove(f, facts))
        return d.taut(left, *parts)
