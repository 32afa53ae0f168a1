"""A limit of wall time for what runs in this process: it is stopped where it is.

A search looks at the clock between its steps, and one step may be long.  Here an alarm of the
process ends it, as Ctrl-C would: what it was building is thrown away with it.  A process that
others can kill (:mod:`lapdp.theory.workers`) is the harder limit, which also ends a single call of
compiled code.
"""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

_AGAIN = 1.0
"""Seconds to the next alarm, should the first one be lost: exceptions are where garbage goes."""


class TimeUp(BaseException):
    """Passes every ``except Exception`` on its way out."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise :class:`TimeUp` in what is inside when so many seconds have passed.

    Alarms belong to the main thread: in another one, or where one is set already, as in a process
    that is killed at its limit, nothing happens here.

    >>> try:
    ...     with time_limit(0.01):
    ...         while True:
    ...             pass
    ... except TimeUp:
    ...     print("stopped")
    stopped
    """
    if not math.isfinite(seconds) or not _may_set():
        yield
        return

    def ring(_: int, __: FrameType | None) -> None:
        raise TimeUp
    before = signal.signal(signal.SIGALRM, ring)
    # twice: an alarm that comes on the way out of the first must not leave a clock that goes on
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6), _AGAIN)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        _still(before)


def _still(before: Any) -> None:
    """No alarm any more, also where one more comes in the middle of this."""
    while signal.getitimer(signal.ITIMER_REAL)[0] or signal.getsignal(signal.SIGALRM) != before:
        with suppress(TimeUp):
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


def _may_set() -> bool:
    """Is this the main thread of a system with alarms, and is none set?"""
    return (hasattr(signal, "setitimer")
            and threading.current_thread() is threading.main_thread()
            and signal.getsignal(signal.SIGALRM) is not None
            and not signal.getitimer(signal.ITIMER_REAL)[0])


__all__ = ["TimeUp", "time_limit"]
