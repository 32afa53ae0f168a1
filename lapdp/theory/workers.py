"""Worker processes that can be killed: one task at a time, a hard limit on time and memory.

A worker is a fresh interpreter (no fork of the caller: it shares no threads, locks or caches with
it and never runs its main module again).  It stays warm and serves many tasks, each room (a
proof file, or several that trust each other) in a process of its own
(:mod:`lapdp.theory.supervising`).  One that overruns its time, crashes or runs out of memory costs
its own task only; one that is killed while it starts costs none.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any

from lapdp.core.errors import LapdpError
from lapdp.theory.task_outcome import Outcome, room_of, signal_name

START_LIMIT = 120.0
"""Seconds a worker may take to import the engine."""

STARTS = 3
"""After so many workers in a row that did not start, none is tried any more."""

_FRAME = re.compile(r'File "(.*)", line (\d+) in (\S+)')
_BOOT = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[2]); "
    "from lapdp.theory.supervising import serve; serve(int(sys.argv[1]))"
)


@dataclass(frozen=True)
class Setup:
    """What a worker is told once: the judge (``module:name`` or ``file.py:name``) and how to judge.

    ``memory`` is the limit of its address space in bytes, 0 for none; ``timeout`` the seconds after
    which it ends itself should the caller be gone; ``shared`` a folder by which workers tell each
    other what their searches find, "" for none.
    """

    judge: str = "lapdp.theory.engine:judge"
    digits: int = 30
    seed: int = 0
    numeric: bool = True
    memory: int = 4 << 30
    timeout: float = 60.0
    shared: str = ""


class _Worker:
    """One process, the connection to it, and the task it holds."""

    def __init__(self, setup: Setup) -> None:
        self.connection, theirs = Pipe()
        # a file, since a pipe nobody reads could fill up; closed in end()
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115
        self.task: int | None = None
        self.source: str | None = None
        self.room: str | None = None
        self.ready = False
        self.since = time.monotonic()
        self.limit, self.deadline = START_LIMIT, self.since + START_LIMIT
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-c", _BOOT, str(theirs.fileno()), json.dumps(sys.path)],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self.errors,
                # Ctrl-C reaches the caller only, which then ends its workers
                start_new_session=True,
                env={**os.environ, "PYTHONHASHSEED": "0"},
            )
        self.connection.send(asdict(setup))

    def give(self, index: int, task: Any, timeout: float) -> None:
        self.task, self.since = index, time.monotonic()
        self.source, self.room = task.get("source"), room_of(task)
        self.limit, self.deadline = timeout, self.since + timeout
        # one that died while idle is noticed when its connection is read
        with contextlib.suppress(OSError):
            self.connection.send(task)

    def end(self) -> None:
        """Kill it and what it has forked; reap; release."""
        if self.process.returncode is None:  # not reaped: the group is still its own
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.connection.close()
        self.errors.close()

    def why_it_ended(self) -> str:
        """One line on a process that is gone: its signal or exit code, and its last words."""
        try:
            code = self.process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "the worker closed its connection"
        self.errors.seek(0)
        words = self.errors.read().decode(errors="replace").strip().splitlines()
        if code < 0:
            # the handler of fatal signals prints the innermost line first
            at = [found for line in words if (found := _FRAME.search(line))]
            where = f" in {at[0][3]} ({Path(at[0][1]).name}:{at[0][2]})" if at else ""
            return f"crash: {signal_name(-code)}{where}"
        return f"the worker ended with exit code {code}" + (f": {words[-1]}" if words else "")


class Early:
    """Workers that start while their caller still finds out what there is to do.

    Ends what nobody took; use it as a context.
    """

    def __init__(self, setup: Setup, workers: int = 1) -> None:
        self._setup, self._workers = setup, [_Worker(setup) for _ in range(workers)]

    def take(self, setup: Setup, most: int) -> list[_Worker]:
        """The workers, at most so many, if they are for that set-up; else none."""
        if setup != self._setup:
            return []
        found, self._workers = self._workers[:most], self._workers[most:]
        return found

    def __enter__(self) -> Early:
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.end()


def run_tasks(
    tasks: Sequence[Any],
    setup: Setup,
    jobs: int,
    timeout: float,
    done: Callable[[int, Outcome], None],
    begun: Callable[[int], None] | None = None,
    early: Early | None = None,
) -> None:
    """Serve all tasks, at most ``jobs`` at a time, ``timeout`` seconds each, or the ``limit`` of a
    task.  ``done`` may append to ``tasks``.

    ``begun(index)`` is called as tasks are given to workers, ``done(index, outcome)`` as they end,
    in any order; ``early`` are workers that have begun to start.  Raises :class:`LapdpError` when
    workers cannot even start.  However this ends, no worker is left behind.
    """
    waiting, seen = deque[int](), 0
    workers: list[_Worker] = [] if early is None else early.take(setup, min(jobs, len(tasks)))
    starts = _Starts()
    try:
        while seen < len(tasks) or waiting or any(w.task is not None for w in workers):
            waiting.extend(range(seen, len(tasks)))
            seen = len(tasks)
            while len(workers) < jobs and len(waiting) > sum(w.task is None for w in workers):
                workers.append(_Worker(setup))
            for worker in workers:
                if worker.ready and worker.task is None and waiting:
                    index = _next(waiting, tasks, worker, workers)
                    worker.give(index, tasks[index], tasks[index].get("limit", timeout))
                    if begun is not None:
                        begun(index)
            for worker in _stirring(workers):
                if not _heed(worker, done, starts):
                    worker.end()
                    workers.remove(worker)
    finally:
        for worker in workers:
            worker.end()


def _next(waiting: deque[int], tasks: Sequence[Any], worker: _Worker, workers: Sequence[_Worker]
          ) -> int:
    """What to give to a worker: a task of the proof file that it serves, else the first of a file
    that nobody serves: in the room that it serves, in one that nobody does, in any.  Each change of
    room costs the worker a process."""
    others = [w for w in workers if w is not worker]
    busy, taken = {w.source for w in others} - {None}, {w.room for w in others} - {None}
    own, best, rank = worker.source, waiting[0], 4
    for i in waiting:
        source, room = tasks[i].get("source"), room_of(tasks[i])
        found = (0 if own and source == own else 4 if source in busy else
                 1 if room and room == worker.room else 2 if room not in taken else 3)
        if found < rank:
            best, rank = i, found
            if not rank:
                break
    waiting.remove(best)
    return best


class _Starts:
    """Counts workers that ended before they were ready; too many in a row are an error."""

    def __init__(self) -> None:
        self.failed = 0

    def succeeded(self) -> None:
        self.failed = 0

    def failure(self, why: str) -> None:
        self.failed += 1
        if self.failed >= STARTS:
            raise LapdpError(f"a worker cannot start: {why}")


class Server:
    """One warm worker that is asked one task after the other; close it when done."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._worker: _Worker | None = None

    def ask(self, task: Any, timeout: float) -> Outcome:
        """What became of a task; raises :class:`LapdpError` when no worker can start."""
        found: list[Outcome] = []
        starts = _Starts()
        while not found:
            worker = self._worker = self._worker or _Worker(self._setup)
            if worker.ready and worker.task is None:
                worker.give(0, task, timeout)
            if _stirring([worker]) and not _heed(worker, lambda _, o: found.append(o), starts):
                self.close()
        return found[0]

    def close(self) -> None:
        """End the process, if there is one."""
        if self._worker is not None:
            self._worker.end()
            self._worker = None


def _stirring(workers: Sequence[_Worker]) -> list[_Worker]:
    """The workers that have something to say or whose time is up; waits for the first."""
    soonest = min((w.deadline for w in workers if w.task is not None or not w.ready), default=0.0)
    heard = wait([w.connection for w in workers], max(0.0, soonest - time.monotonic()))
    now = time.monotonic()
    late = [w for w in workers if w.deadline <= now and (w.task is not None or not w.ready)]
    return [w for w in workers if w.connection in heard or w in late]


def _heed(worker: _Worker, done: Callable[[int, Outcome], None], starts: _Starts) -> bool:
    """Take what a worker says, or its end; False when the worker is of no more use."""
    seconds = time.monotonic() - worker.since
    if not worker.connection.poll():
        if worker.task is None:
            starts.failure(f"it took longer than {START_LIMIT:g} s")
            return False
        done(worker.task, Outcome(failure=f"time limit of {worker.limit:g} s", seconds=seconds))
        return False
    try:
        kind, payload = _receive(worker.connection)
    except (EOFError, OSError):
        why = worker.why_it_ended()
        if not worker.ready:
            starts.failure(why)
        if worker.task is not None:
            done(worker.task, Outcome(failure=why, seconds=seconds))
        return False
    if kind == "broken":
        raise LapdpError(f"a worker cannot start: {payload}")
    if kind == "ready":
        worker.ready = True
        starts.succeeded()
        return True
    assert worker.task is not None
    index, worker.task = worker.task, None
    if kind == "result":
        lines = payload.get("lines")
        done(index, Outcome(result=payload["record"], seconds=seconds,
                            lines=None if lines is None else tuple(lines),
                            replayed=payload.get("replayed", False)))
    else:
        done(index, Outcome(failure=payload, seconds=seconds, bad_input=kind == "bad input"))
    return bool(kind != "exhausted")


def _receive(connection: Connection) -> tuple[str, Any]:
    kind, payload = connection.recv()
    return str(kind), payload
