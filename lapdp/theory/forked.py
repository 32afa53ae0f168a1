"""One question, answered in a fork of this process.

A command that has imported next to nothing and has no threads shares nothing with its fork that
could be in use: the fork imports what the answer needs, and only it.  Programs that hold more ask a
fresh interpreter (:mod:`lapdp.theory.workers`).
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

from lapdp.theory.task_outcome import Outcome, signal_name

MEMORY = 4 << 30
"""Most bytes of address space of a process that answers."""
_DIE_WITH_PARENT = 1
"""``PR_SET_PDEATHSIG`` of Linux."""
_CHUNK = 1 << 16


def may_fork() -> bool:
    """Has this process one thread, and nothing loaded that may hold locks or threads of its own?"""
    return (hasattr(os, "fork") and threading.active_count() == 1
            and not {"sympy", "numpy", "flint"} & set(sys.modules))


class Fork:
    """A fork that answers one question; :meth:`outcome` waits for it and ends it.

    ``answer`` gives ("result", record) or a kind of failure and its words; one that keeps the time
    itself has ``grace`` seconds beyond it to say them.  This is made before any thread.
    """

    def __init__(self, answer: Callable[[], tuple[str, Any]], timeout: float, grace: float = 0.0
                 ) -> None:
        self._timeout, self._grace, self._since = timeout, grace, time.monotonic()
        self._reading, writing = os.pipe()
        caller = os.getpid()
        self._child = os.fork()
        if not self._child:
            os.close(self._reading)
            _serve(answer, timeout + grace, caller, writing)
        os.close(writing)

    def outcome(self) -> Outcome:
        """What became of the question."""
        try:
            said, in_time = _read(self._reading, self._since + self._timeout + self._grace)
        finally:
            os.close(self._reading)
            code = _ended(self._child)
        spent = time.monotonic() - self._since
        if not in_time:
            return Outcome(failure=f"time limit of {self._timeout:g} s", seconds=spent)
        if not said:
            why = f"crash: {signal_name(-code)}" if code < 0 else \
                f"the worker ended with exit code {code}"
            return Outcome(failure=why, seconds=spent)
        kind, payload = pickle.loads(said)
        if kind == "result":
            return Outcome(result=payload["record"], seconds=spent)
        return Outcome(failure=payload, seconds=spent, bad_input=kind == "bad input")


def _read(reading: int, deadline: float) -> tuple[bytes, bool]:
    """All that is said, and whether its end came in time."""
    parts: list[bytes] = []
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([reading], [], [], left)[0]:
            return b"", False
        part = os.read(reading, _CHUNK)
        if not part:
            return b"".join(parts), True
        parts.append(part)


def _ended(child: int) -> int:
    """End a fork and what it has forked, if it has not ended; its exit code, minus a signal's."""
    # its group may not be its own yet
    for kill in (os.killpg, os.kill):
        with contextlib.suppress(OSError):
            kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _serve(answer: Callable[[], tuple[str, Any]], timeout: float, caller: int, writing: int
           ) -> NoReturn:
    """In the fork: answer, say it, and end without what the caller does at its end."""
    code = 1
    try:
        os.setsid()  # Ctrl-C reaches the caller only, which then ends its fork
        # an alarm that nobody heeds ends it, should all others be gone
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(timeout) + 5)
        die_with_parent(caller)
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        said = pickle.dumps(answer())
        while said:
            said = said[os.write(writing, said):]
        code = 0
    finally:
        os._exit(code)


def die_with_parent(parent: int) -> None:
    """On Linux a fork is killed with its parent; elsewhere its own alarm ends it."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)  # it was gone before it was asked for


__all__ = ["MEMORY", "Fork", "die_with_parent", "may_fork"]
