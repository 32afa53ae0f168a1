"""Questions answered in a process of their own, which is ended when its time is up."""

from __future__ import annotations

import pickle
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from lapdp.commands.progress import Progress
from lapdp.core.errors import InputError, LapdpError

if TYPE_CHECKING:
    from lapdp.theory.task_outcome import Outcome

LONGER = "give it longer with --timeout S"


def outcome(answer: str, question: Any, timeout: float, *, doing: str, quiet: bool,
            grace: float = 0.0) -> Outcome:
    """What becomes of a question for ``answer`` ("module:function"): its record, or why none.

    One that keeps the time itself has ``grace`` seconds more to say what it has.

    A terminal is told that this is what lapdp is ``doing``, unless ``quiet``.  A record with an
    ``error`` is raised as :class:`InputError`.
    """
    from lapdp.theory import forked
    from lapdp.theory.task_outcome import check_time_limit

    check_time_limit(timeout)
    # the clock of a terminal is a thread: it starts after the fork
    fork = forked.Fork(partial(_answered, answer, question), timeout, grace) if (
        forked.may_fork()) else None
    with Progress(sys.stderr, quiet, limit=timeout) as progress, progress.waiting(doing):
        found = (_served(answer, question, timeout + grace) if fork is None
                 else fork.outcome())
    if found.result is not None and found.result.get("error"):
        raise InputError(found.result["error"])
    return found


def _answered(answer: str, question: Any) -> tuple[str, Any]:
    """In a fork: the record, or a kind of failure and its words."""
    from lapdp.theory import forked, serving

    serving.limit_memory(forked.MEMORY)
    setup = {"memory": forked.MEMORY, "digits": 0, "seed": 0, "numeric": False}
    return serving.answered({"given": question}, serving.load_judge(answer), setup)


def _served(answer: str, question: Any, timeout: float) -> Outcome:
    """By a fresh interpreter."""
    from lapdp.theory.workers import Server, Setup

    server = Server(Setup(answer, timeout=timeout))
    try:
        return server.ask({"pickle": pickle.dumps(question)}, timeout)
    finally:
        server.close()


def ask(answer: str, question: Any, timeout: float, *, doing: str, quiet: bool,
        late: str = LONGER) -> dict[str, Any]:
    """The record, as plain data; :class:`LapdpError` where there is none in time, which says what
    to do then (``late``), or none at all."""
    found = outcome(answer, question, timeout, doing=doing, quiet=quiet)
    if found.result is None:
        raise LapdpError(f"no answer: {found.failure}{if_late(found.failure, late)}")
    record: dict[str, Any] = found.result
    return record


def if_late(why: str, advice: str = LONGER) -> str:
    """What to do about a question that was stopped, to be added to the reason; empty for another.

    >>> if_late("time limit of 1 s"), if_late("killed")
    ('; give it longer with --timeout S', '')
    """
    return f"; {advice}" if "time limit" in why else ""


__all__ = ["LONGER", "ask", "if_late", "outcome"]
