"""The border at which a method that fails in an unforeseen way becomes a method that says nothing.

A method may meet what its author did not: a ValueError of SymPy, a TypeError of its own.  That is
a fault of the method and no reason to break off: the statement is left to the other methods, the
fault is logged with its place and kept in :data:`FAULTS`, which tests look into.
"""

from __future__ import annotations

import logging
import traceback
from collections import deque
from dataclasses import dataclass

LOG = logging.getLogger("lapdp")


@dataclass(frozen=True)
class Fault:
    """A method, what it raised, and where."""

    method: str
    text: str
    place: str


FAULTS: deque[Fault] = deque(maxlen=100)
"""The latest faults of this process, oldest first."""


def fault(method: str, problem: Exception) -> str:
    """Log an unforeseen exception of a method; what the reader is told.

    >>> import logging; logging.getLogger("lapdp").disabled = True
    >>> try:
    ...     1 / 0
    ... except ZeroDivisionError as problem:
    ...     fault("division", problem)
    'method division failed: ZeroDivisionError: division by zero'
    >>> logging.getLogger("lapdp").disabled = False; _ = FAULTS.pop()
    """
    text = f"{type(problem).__name__}: {problem}".rstrip(": ")
    frames = traceback.extract_tb(problem.__traceback__)
    own = [f for f in frames if "lapdp" in f.filename] or frames
    place = f"{own[-1].name}, line {own[-1].lineno}" if own else "unknown"
    FAULTS.append(Fault(method, text, place))
    LOG.warning("method %s failed in %s: %s", method, place, text)
    return f"method {method} failed: {text}"


__all__ = ["FAULTS", "Fault", "fault"]
