"""A worker process: it loads the engine once, and lets a fork of itself serve each proof file.

What a proof file does to the engine stays in the process that ran the file, which serves the rest
of its room: the files of a paper of the library share what the kernel has read.  The supervisor
runs no proof file; it hands tasks on, ends with the caller whatever its fork is doing, and ends as
its fork ends.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import signal
import sys
from collections.abc import Callable
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any

from lapdp.theory import serving
from lapdp.theory.forked import die_with_parent
from lapdp.theory.task_outcome import room_of

HEARTBEAT = 0.5
"""Seconds after which the supervisor looks for a caller that is gone without closing anything."""
YOUNG, GENERATIONS = 1_000_000, (5, 5)
"""How many objects more than before the collector waits for, and its other thresholds: terms and
theorems of the kernel live as long as their process, and each collection goes through all of them.
"""


def serve(descriptor: int) -> None:
    """Serve tasks from a connection until it closes; the first message is the set-up."""
    caller = os.getppid()
    connection = Connection(descriptor)
    setup = connection.recv()
    try:
        serving.limit_memory(setup["memory"])
        judge = serving.load_judge(setup["judge"])
        if setup["shared"]:
            from lapdp.theory import derivations

            derivations.share(Path(setup["shared"]))
    except Exception as problem:
        connection.send(("broken", f"{setup['judge']}: {serving.place_of(problem)}"))
        return
    # what is loaded by now lives as long as the forks: no collection of theirs need look at it
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG, *GENERATIONS)
    connection.send(("ready", None))
    fork: _Fork | None = None
    while True:
        heard = wait([connection, *([fork.tasks] if fork else [])], HEARTBEAT)
        if fork is not None and fork.tasks in heard:
            fork.end_as_it_ended()
        elif connection in heard:
            try:
                task = connection.recv()
            except (EOFError, OSError):
                break
            if fork is None or fork.room != room_of(task):
                if fork is not None:
                    fork.kill()
                fork = _Fork(room_of(task), connection, judge, setup)
            fork.tasks.send(task)
        elif os.getppid() != caller:
            break
    if fork is not None:
        fork.kill()


class _Fork:
    """The process that serves the tasks of one room, or those that come from no proof file."""

    def __init__(self, room: str | None, connection: Connection, judge: Callable[..., Any],
                 setup: dict[str, Any]) -> None:
        self.room = room
        self.tasks, theirs = Pipe()
        supervisor = os.getpid()
        self.pid = os.fork()
        if not self.pid:
            code = 1
            try:
                self.tasks.close()
                die_with_parent(supervisor)
                faulthandler.enable()
                signal.signal(signal.SIGALRM, signal.SIG_DFL)
                serving.serve_all(theirs, connection, judge, setup)
                code = 0
            except BaseException:
                sys.excepthook(*sys.exc_info())
            finally:
                sys.stderr.flush()
                os._exit(code)
        theirs.close()

    def kill(self) -> None:
        """End it, whatever it is doing."""
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        self.tasks.close()

    def end_as_it_ended(self) -> None:
        """It is gone: tell the caller why, by ending in the same way."""
        code = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        if code < 0:
            with contextlib.suppress(OSError):
                signal.signal(-code, signal.SIG_DFL)
            os.kill(os.getpid(), -code)
        os._exit(code)


__all__ = ["serve"]
