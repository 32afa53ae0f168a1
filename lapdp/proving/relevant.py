"""Which facts count for a question, and what was answered before.

A certificate is an identity between polynomials in atoms.  A fact that shares no atom with the
question, not through other facts either, has no part in it, unless facts contradict each other by
themselves.  So a question is one with the facts that are connected to it: it comes back under
others, and is answered once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from lapdp.kernel import Refused

if TYPE_CHECKING:
    from lapdp.proving.derivation import Derivation
    from lapdp.proving.items import Terms


class Relevant:
    """The facts that are connected to a question."""

    def __init__(self, terms: Terms) -> None:
        self.terms, self.d = terms, terms.d
        self._atoms: dict[int, frozenset[int]] = {}

    def to(self, formula: int, facts: Sequence[int]) -> list[int]:
        """Relations, and ``not s = t``, that share an atom with the formula or with each other."""
        d = self.d
        left = {i: a for i in dict.fromkeys(facts) if (a := self.atoms(d.claim(i)))}
        reached, found = set(self.atoms(formula)), set[int]()
        grows = True
        while grows:
            near = [i for i, a in left.items() if not reached.isdisjoint(a)]
            grows = bool(near)
            for i in near:
                reached |= left.pop(i)
                found.add(i)
        return [i for i in dict.fromkeys(facts) if i in found]

    def atoms(self, formula: int) -> frozenset[int]:
        """The atoms of a relation or its negation, those inside of others too; of others none."""
        if formula not in self._atoms:
            self._atoms[formula] = self._read(formula)
        return self._atoms[formula]

    def _read(self, formula: int) -> frozenset[int]:
        d, seen = self.d, set[int]()
        inner = d.kids(formula)[0] if d.head(formula) == "not" else formula
        if d.head(inner) not in ("eq", "le", "lt"):
            return frozenset()
        try:
            todo = [self.terms.reader.read(t) for t in d.kids(inner)]
        except Refused:
            return frozenset()
        while todo:
            for a in {a for m in todo.pop() for a, _ in m} - seen:
                seen.add(a)
                if self.terms.symbol(a) not in ("", "i"):
                    todo.append(self.terms.argument(a))
        return frozenset(seen)


class Answers:
    """Theorems by what they say and by the facts that they were found from; and vain questions."""

    def __init__(self, d: Derivation) -> None:
        self.d = d
        self._found: dict[tuple[int, frozenset[int]], list[int]] = {}
        self._vain: dict[tuple[int, frozenset[int]], int] = {}

    def of(self, goal: int, facts: Sequence[int], find: Callable[[], int | None],
           depth: int = 0) -> int | None:
        """What was found for the goal from facts that say the same, or is found now; None: nothing.

        What was sought in vain is sought again only at a smaller ``depth``, with more effort.
        """
        d = self.d
        key = goal, frozenset(d.claim(i) for i in facts)
        given = frozenset[int]().union(*(d.theorem(i).hyps for i in facts))
        for known in self._found.get(key, ()):
            if d.theorem(known).hyps <= given:
                return known
        if self._vain.get(key, depth + 1) <= depth:
            return None
        found = find()
        if found is None:
            self._vain[key] = min(depth, self._vain.get(key, depth))
        else:
            self._found.setdefault(key, []).append(found)
        return found
