"""How much work an answer may take, counted in steps that are the same on every machine.

What takes long says before it begins how many steps that is: a step is about a microsecond of a
processor of 2026.  Who asks gives a number of steps; :class:`TooLong` is raised where they are used
up.  It is no :class:`lapdp.core.errors.Unsupported`: nothing in between takes it for an answer that
there is none, and keeps that.

What is cut short is begun anew when all others have been: who knows that little is left says so.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from lapdp.core.errors import LapdpError

MOST = 2.0
"""Times the steps that are given, that may be taken where little is left."""


class TooLong(LapdpError):
    """More steps are needed than may be taken."""


class Budget:
    """Steps that are left, and those that were taken, here and in what is around."""

    def __init__(self, steps: float, around: Budget | None) -> None:
        self.given, self.left, self.taken, self.around = steps, steps, 0.0, around


_budget: ContextVar[Budget | None] = ContextVar("budget", default=None)


@contextmanager
def at_most(steps: float) -> Iterator[Budget]:
    """What runs inside may take so many steps, and no more than may be taken around it.

    >>> with at_most(100):
    ...     spend(60)
    ...     spend(60)
    Traceback (most recent call last):
    lapdp.core.effort.TooLong: more steps are needed than may be taken
    """
    here = Budget(steps, _budget.get())
    before = _budget.set(here)
    try:
        yield here
    finally:
        _budget.reset(before)


def spend(steps: float) -> None:
    """So many are about to be taken; raises :class:`TooLong` where they may not be.

    To be called before anything is changed that outlives the answer.
    """
    here, enough = _budget.get(), True
    while here is not None:
        here.left -= steps
        enough = enough and here.left >= 0
        here = here.around
    if not enough:
        raise TooLong("more steps are needed than may be taken")
    here = _budget.get()
    while here is not None:
        here.taken += steps
        here = here.around


def finishing(steps: float) -> None:
    """About so many are left to take: they may be taken, though more than were given, if these are
    not far more in all.  What is around gives no more than before.

    >>> with at_most(100):
    ...     spend(60)
    ...     finishing(80)
    ...     spend(80)
    """
    here = _budget.get()
    if here is not None and here.left < steps <= MOST * here.given - here.taken:
        here.left = steps


def taken() -> float:
    """Steps that what runs has taken."""
    here = _budget.get()
    return 0.0 if here is None else here.taken


__all__ = ["TooLong", "at_most", "finishing", "spend", "taken"]
