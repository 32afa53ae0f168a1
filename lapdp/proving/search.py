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
from lapdp.proving.variations import Way, ways

DEPTH = 6000
"""How deep the calls of a search may go."""
FEW = 2_000
"""Steps of the first attempt at a sentence that follows from others, and of that at each of them.
"""
MORE = 10_000
"""Steps of the second attempt at the sentence, before one that takes several others."""


def derive(bank: Bank, goal: int, steps: int) -> tuple[list[str] | None, str]:
    """Lines of a derivation of the goal, a sentence of the bank; or None and why.

    ``steps`` bounds the steps that the kernel is asked to check on the way, failed attempts
    included, for the sentence itself; one that follows from others
    (:mod:`lapdp.proving.variations`) is tried briefly first, and each of these; what takes several
    others comes after a longer attempt.  An exception that nobody foresaw is a fault of the search,
    noted by :mod:`lapdp.core.border`, and no reason to break off: nothing is found then.

    >>> b = Bank(); x = b.letter("x", "R")
    >>> lines, why = derive(b, b.make("lt", b.number(0), b.make("exp", x)), 100)
    >>> lines is not None, why
    (True, '')
    """
    # cases within cases: each takes a dozen calls
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEPTH))
    others = ways(bank, goal)
    prover = Prover(Derivation(bank, steps))
    if not others:
        return _derived(prover, goal, _found)[:2]
    # a search that is led astray takes all its steps: what may be short comes first
    for count, way in others.before:
        lines, _, _ = _by_way(bank, goal, min(steps, count * FEW), way)
        if lines is not None:
            return lines, ""
    taken = min(steps, FEW)
    prover.d.go_on(taken)
    lines, why, spent = _derived(prover, goal, _found)
    for count, way in others.after if lines is None else ():
        if count > 1 and spent and taken < (more := min(steps, MORE)):
            prover, taken = _again(prover, more), more
            lines, why, spent = _derived(prover, goal, _found)
        if lines is None:
            lines, _, _ = _by_way(bank, goal, min(steps, count * FEW), way)
        if lines is not None:
            return lines, ""
    if lines is None and spent and taken < steps:
        lines, why, _ = _derived(_again(prover, steps), goal, _found)
    return lines, why


def _again(before: Prover, steps: int) -> Prover:
    """A prover that begins anew with more steps: what was found, and sought in vain, it need not
    seek again.  What was broken off left tactics half way: these are made anew."""
    before.d.go_on(steps)
    found = Prover(before.d)
    found.remember(before)
    return found


def _derived(prover: Prover, goal: int, found_by: Callable[[Prover, int], int]
             ) -> tuple[list[str] | None, str, bool]:
    """Lines, or None and why; and whether all steps were taken."""
    d = prover.d
    try:
        found = found_by(prover, goal)
    except Exhausted as problem:
        return None, str(problem), True
    except (NotFound, Refused) as problem:
        return None, str(problem), False
    except NeedSplit:
        return None, "a condition on parameters is open", False
    except RecursionError:
        return None, "the sentence is too deep", False
    except MemoryError:
        raise
    except Exception as problem:
        return None, fault("of the search", problem), False
    if d.theorem(found).hyps:
        return None, "a hypothesis is left open", False
    return lines_of(d, found), "", False


def _by_way(bank: Bank, goal: int, steps: int, way: Way) -> tuple[list[str] | None, str, bool]:
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
