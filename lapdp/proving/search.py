"""The search for a derivation of a whole sentence."""

from __future__ import annotations

import sys

from lapdp.core.border import fault
from lapdp.kernel import Bank, Refused
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.proving.differences import Differences
from lapdp.proving.keeping import lines_of
from lapdp.proving.space import Prover

DEPTH = 6000
"""How deep the calls of a search may go."""


def derive(bank: Bank, goal: int, steps: int) -> tuple[list[str] | None, str]:
    """Lines of a derivation of the goal, a sentence of the bank; or None and why.

    ``steps`` bounds the steps that the kernel is asked to check on the way, failed attempts
    included.  An exception that nobody foresaw is a fault of the search, noted by
    :mod:`lapdp.core.border`, and no reason to break off: nothing is found then.

    >>> b = Bank(); x = b.letter("x", "R")
    >>> lines, why = derive(b, b.make("lt", b.number(0), b.make("exp", x)), 100)
    >>> lines is not None, why
    (True, '')
    """
    d = Derivation(bank, steps)
    # cases within cases: each takes a dozen calls
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEPTH))
    try:
        found = _found(Prover(d), goal)
    except (NotFound, Refused) as problem:
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


def _found(prover: Prover, goal: int) -> int:
    """The goal by the difference of two letters, where that helps, or as it is."""
    try:
        found = Differences(prover).found(goal)
    except (NotFound, NeedSplit):
        found = None
    return prover.prove(goal) if found is None else found
