"""What a process of its own finds, whatever becomes of it."""

from __future__ import annotations

import os
import pickle
import resource
import signal
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Found:
    """All that came before the end of the process, and how it ended."""

    items: list[Any]
    status: int
    memory: float
    """Megabytes, at most."""

    @property
    def by(self) -> int:
        """The signal that ended it, or 0."""
        return os.WTERMSIG(self.status) if os.WIFSIGNALED(self.status) else 0


def child(work: Callable[[], Iterable[Any]], cpu: float = 0.0, memory: int = 0) -> Found:
    """Of a process that ends after so many seconds of CPU time, with so many bytes at most; 0 for
    no limit."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reading)
        if cpu:
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_PROF, cpu)
        if memory:
            resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
        try:
            with os.fdopen(writing, "wb") as out:
                for item in work():
                    pickle.dump(item, out)
                    out.flush()
            os._exit(0)
        except BaseException:
            # nothing of it may go on in the copy of its parent
            traceback.print_exc()
            os._exit(1)
    os.close(writing)
    items = []
    with os.fdopen(reading, "rb") as given:
        while True:
            try:
                items.append(pickle.load(given))
            except (EOFError, pickle.UnpicklingError):
                break
    _, status, used = os.wait4(pid, 0)
    return Found(items, status, used.ru_maxrss / 1024)
