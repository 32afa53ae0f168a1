"""The search for a derivation of a whole sentence."""

from __future__ import annotations

import sys
from collections.abc import Callable

from lapdp.core.border import fault
from lapdp.kernel import Bank, Refused
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import Derivation, Exhausted, NotFound
from lapdp.proving.differences import Differences
from lapdp.proving.keeping import lines_of
from lapdp.proving.space import Prover
from lapdp.proving.variations import Way, Ways, ways

DEPTH = 6000
"""How deep the calls of a search may go."""
FIRST = 7_000
"""Steps of a sentence that follows from others, before these have their turns."""
FEW = 2_000
"""Steps of each of the others."""
MORE = 20_000
"""Steps of the sentence before a way that takes several others."""


def derive(bank: Bank, goal: int, steps: int) -> tuple[list[str] | None, str]:
    """Lines of a derivation of the goal, a sentence of the bank; or None and why.

    ``steps`` bounds the steps that the kernel is asked to check on the way, failed attempts
    included, for the sentence itself; where it follows from others
    (:mod:`lapdp.proving.variations`), each of these is tried briefly once that took long; what
    takes several others comes later.  An exception that nobody foresaw is a fault of the search,
    noted by :mod:`lapdp.core.border`, and no reason to break off: nothing is found then.

    >>> b = Bank(); x = b.letter("x", "R")
    >>> lines, why = derive(b, b.make("lt", b.number(0), b.make("exp", x)), 100)
    >>> lines is not None, why
    (True, '')
    """
    # cases within cases: each takes a dozen calls
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEPTH))
    others = ways(bank, goal)
    if not others:
        return _derived(Prover(Derivation(bank, steps)), goal, _found)
    prover, turns = Prover(Derivation(bank, min(steps, FIRST))), _Turns(bank, goal, steps, others)
    prover.d.beyond = turns.beyond
    try:
        lines, why = _derived(prover, goal, _found)
    except Elsewhere as found:
        return found.lines, ""
    if lines is None:
        lines = turns.found()
    return lines, why if lines is None else ""


class Elsewhere(Exhausted):
    """Another way came to its end while a search rested."""

    def __init__(self, lines: list[str]) -> None:
        self.lines = lines


class _Turns:
    """The other ways to prove a sentence, which have their turns while the search for the sentence
    itself rests: it goes on where it was, and nothing is sought twice."""

    def __init__(self, bank: Bank, goal: int, steps: int, others: Ways) -> None:
        self.bank, self.goal, self.steps = bank, goal, steps
        self.left = [*others.before, *others.after]

    def beyond(self, taken: int) -> int:
        """How many steps the search may take that has taken so many.

        Raises :class:`Elsewhere` where another way is found meanwhile, and :class:`Exhausted`.
        """
        more = min(self.steps, MORE)
        while self.left:
            if self.left[0][0] > 1 and taken < more:
                return more
            self._take()
        if taken < self.steps:
            return self.steps
        raise Exhausted("too many steps")

    def found(self) -> list[str] | None:
        """Lines by one of the ways that are left, once the search has ended; None: by none."""
        try:
            while self.left:
                self._take()
        except Elsewhere as found:
            return found.lines
        return None

    def _take(self) -> None:
        count, way = self.left.pop(0)
        lines, _ = _by_way(self.bank, self.goal, min(self.steps, count * FEW), way)
        if lines is not None:
            raise Elsewhere(lines)


def _derived(prover: Prover, goal: int, found_by: Callable[[Prover, int], int]
             ) -> tuple[list[str] | None, str]:
    """Lines, or None and why."""
    d = prover.d
    try:
        found = found_by(prover, goal)
    except Elsewhere:
        raise
    except (NotFound, Exhausted, Refused) as problem:
        return None, str(problem)
    except NeedSplit:
        return None, "a condition on parameters is open"
    except RecursionError:
        return None, "the sentence is too deep"
    except MemoryError:
        raise
    except Exception as problem:
        return None, fault("of the search", problem)
    if d.theorem(found).hyps:
        return None, "a hypothesis is left open"
    return lines_of(d, found), ""


def _by_way(bank: Bank, goal: int, steps: int, way: Way) -> tuple[list[str] | None, str]:
    # a prover of its own for each: what one has tried and counted is not of the other
    return _derived(Prover(Derivation(bank, steps)), goal, lambda prover, _: way(
        prover.d, lambda d, sentence: _found(Prover(d), sentence)))


def _found(prover: Prover, goal: int) -> int:
    """The goal by the difference of two letters, where that helps, or as it is."""
    try:
        found = Differences(prover).found(goal)
    except (NotFound, NeedSplit):
        found = None
    return prover.prove(goal) if found is None else found
