"""A tactic that breaks in a way that its author did not foresee says nothing, and ends no search.

That is a fault of the tactic: :mod:`lapdp.core.border` logs it and keeps it, and our tests fail by
it.  What bounds a search (:class:`Refused`, a recursion too deep, memory) passes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lapdp.core.border import fault
from lapdp.kernel import Refused
from lapdp.proving.breaks import NeedSplit
from lapdp.proving.derivation import Exhausted, NotFound

FORESEEN = (NotFound, Exhausted, NeedSplit, Refused, RecursionError, MemoryError)
"""What a tactic may raise."""


def missed(problem: Exception) -> NotFound:
    """The fault of a tactic as a miss, to be raised in its place."""
    return NotFound(fault("of the search", problem))


def tried(tactic: Callable[[int, Sequence[int]], int | None], goal: int, facts: Sequence[int]
          ) -> int | None:
    """What the tactic finds, or None: also where it breaks, so that the next one has its turn.

    Raises what is :data:`FORESEEN`.
    """
    try:
        return tactic(goal, facts)
    except FORESEEN:
        raise
    except Exception as problem:
        missed(problem)
        return None
