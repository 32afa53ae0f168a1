"""A judgement within a time that is kept whatever runs: in a fork that is killed when it is over.

An alarm ends what runs in Python, and no call of compiled code that never comes back.  What a fork
found is handed over: an argument as the fork of this very process has sealed it, a derivation as
its lines; what is ``proved`` is so only because the kernel accepts them anew, in this process.
"""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from lapdp.core.errors import InputError, LapdpError
from lapdp.core.verdict import Judgement, Kind
from lapdp.theory.derivations import accepted
from lapdp.theory.forked import Fork
from lapdp.theory.judged import Judged
from lapdp.theory.statement import Statement

GRACE = 1.0
"""Seconds beyond its time in which a fork may say what it has."""
_TASKS = Path("/proc/self/task")


def may_fork() -> bool:
    """Is this a process of one thread, native ones included?  A fork has only the one that forks,
    and locks of others would stay locked in it."""
    if not hasattr(os, "fork") or threading.active_count() > 1:
        return False
    return len(list(_TASKS.iterdir())) == 1 if _TASKS.is_dir() else True


def within(statement: Statement, seconds: float, judge: Callable[[], Judged]) -> Judged:
    """What ``judge`` says of a statement, asked in a fork that lives no longer than its time.

    Undecided, with the reason, where the fork had to be killed or crashed.  Raises what ``judge``
    raises of this package.
    """
    def answer() -> tuple[str, Any]:
        # the alarm of a fork, which would end it unheard, gives way to that of the judge
        signal.alarm(0)
        try:
            found = judge()
        except InputError as problem:
            return "bad input", str(problem)
        except LapdpError as problem:
            return "failed", str(problem)
        return "result", {"record": _plain(found)}

    outcome = Fork(answer, seconds + GRACE).outcome()
    if outcome.bad_input:
        raise InputError(outcome.failure)
    if outcome.result is None:
        stopped = outcome.failure if outcome.seconds < seconds else (
            f"stopped in a call of compiled code after {seconds:g} s: seconds= gives more")
        judgement = Judgement(Kind.UNDECIDED, "none", reason=stopped, seconds=outcome.seconds)
        return Judged.of(statement, judgement.admitted(statement.cited))
    return Judged.of(statement, _judgement(statement, outcome.result))


def _plain(found: Judgement) -> dict[str, Any]:
    """The parts of a judgement; of a derivation its lines, which the kernel reads again."""
    told = {f.name: getattr(found, f.name) for f in fields(Judgement)}
    checked = told.pop("checked")
    return {**told, "lines": None if checked is None else checked.lines}


def _judgement(statement: Statement, told: dict[str, Any]) -> Judgement:
    lines = told.pop("lines")
    if lines is None:
        return Judgement(**told)
    checked = accepted(statement, lines)
    if checked is None:
        raise LapdpError(f"{statement.id}: the kernel refuses here what it accepted in a fork")
    return Judgement(**told, checked=checked)


__all__ = ["GRACE", "may_fork", "within"]
