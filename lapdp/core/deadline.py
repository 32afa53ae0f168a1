"""A limit of wall time for what runs in this process: it is stopped where it is.

A search looks at the clock between its steps, and one step may be long.  Here an alarm of the
process ends it, as Ctrl-C would: what it was building is thrown away with it.  A process that
others can kill (:mod:`lapdp.theory.workers`) is the harder limit, which also ends a single call of
compiled code.
"""

from __future__ import annotations

import math
import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any

_SOON = 1e-6
_AGAIN = 1.0
"""Seconds to the next alarm, should the first one be lost: exceptions are where garbage goes."""


class TimeUp(BaseException):
    """Passes every ``except Exception`` on its way out."""

    done: tuple[str, ...] = ()
    """What had been tried when the alarm came, as far as it is known on the way."""


@contextmanager
def time_limit(seconds: float, *, processor: bool = False) -> Iterator[None]:
    """Raise :class:`TimeUp` in what is inside when so many seconds have passed, on the clock or, by
    choice, of the processor that this process had.

    Alarms belong to the main thread: in another one nothing happens here.  Where an alarm is set
    already, the sooner one rings: that of somebody else is put off until this is over, and then has
    the time that is left to it.

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
    timer, number, clock = (
        (signal.ITIMER_PROF, signal.SIGPROF, time.process_time) if processor else
        (signal.ITIMER_REAL, signal.SIGALRM, time.monotonic))
    left, again = signal.getitimer(timer)
    if signal.getsignal(number) is None or 0 < left <= seconds:
        yield
        return

    def ring(_: int, __: FrameType | None) -> None:
        raise TimeUp
    since, before = clock(), signal.signal(number, ring)
    tell = sys.unraisablehook

    def told(lost: sys.UnraisableHookArgs) -> None:
        if not isinstance(lost.exc_value, TimeUp):  # an alarm that was lost rings again
            tell(lost)
    # twice: an alarm that comes on the way out of the first must not leave a clock that goes on
    try:
        try:
            sys.unraisablehook = told
            signal.setitimer(timer, max(seconds, _SOON), _AGAIN)
            yield
        finally:
            signal.setitimer(timer, 0)
    finally:
        _still(timer, number, before)
        sys.unraisablehook = tell
        if left:
            signal.setitimer(timer, max(left - (clock() - since), _SOON), again)


def _still(timer: int, number: int, before: Any) -> None:
    """No alarm any more, also where one more comes in the middle of this."""
    while signal.getitimer(timer)[0] or signal.getsignal(number) != before:
        with suppress(TimeUp):
            signal.setitimer(timer, 0)
            signal.signal(number, before)


def _may_set() -> bool:
    """Is this the main thread of a system with alarms?"""
    return (hasattr(signal, "setitimer")
            and threading.current_thread() is threading.main_thread())


__all__ = ["TimeUp", "time_limit"]
