"""Claims about values that may be infinite: ``(... and not F) or A``, F what makes a value finite.

Either F holds, and then A is proved with it; or it does not, and then the first alternative is.
Another value that would then be finite, by A, is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from lapdp.proving.derivation import NotFound

if TYPE_CHECKING:
    from lapdp.proving.space import Prover


class Alternatives:
    """Proves such a disjunction, for a :class:`Prover`."""

    def __init__(self, prover: Prover) -> None:
        self.a, self.d = prover, prover.d

    def found(self, goal: int, facts: Sequence[int]) -> int | None:
        """The goal; None where it is no claim of that kind.  Raises ``NotFound``."""
        d = self.d
        if d.head(goal) != "or":
            return None
        left, right = d.kids(goal)
        if d.head(left) == "or":
            return self._by_the_first(goal, facts)
        denied = [f for f in self.d.members(left) if d.head(f) == "not" and self._finite(f)]
        if not denied:
            return None
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

    def _by_the_first(self, goal: int, facts: Sequence[int]) -> int | None:
        """``A1 or A2 or B`` from ``A1 or B``, where what A1 says of numbers holds: infinite by
        an order above 1, or by one below."""
        d = self.d
        left, right = d.kids(goal)
        for way in d.kids(left):
            plain = [f for f in self.d.members(way) if d.head(f) in ("eq", "le", "lt")
                     and not self.a._speaks(f)]
            known = [self.a.truth(f, facts) for f in plain]
            if plain and all(i is not None and d.claim(i) == f
                             for i, f in zip(known, plain, strict=True)):
                found = self.found(d.mk("or", way, right), facts)
                return None if found is None else d.taut(goal, found)
        return None

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
