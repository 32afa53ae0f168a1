"""What came of a task that was given to another process."""

from __future__ import annotations

import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lapdp.core.errors import InputError


@dataclass(frozen=True)
class Outcome:
    """What came of a task: its result, or why there is none."""

    result: Any = None
    failure: str = ""
    seconds: float = 0.0
    bad_input: bool = False
    """The failure is a mistake in the task itself, worded for the user."""
    lines: tuple[str, ...] | None = None
    """The derivation behind a result that is proved, if it lies nowhere yet."""
    replayed: bool = False
    """The result is a kept one, whose derivation the kernel has read again."""


def room_of(task: Mapping[str, Any]) -> str | None:
    """What names the tasks that one process may serve: the proof file, unless the task says more.

    >>> room_of({"source": "p/a.py"}), room_of({"source": "p/a.py", "room": "p"}), room_of({})
    ('p/a.py', 'p', None)
    """
    name = task.get("room", task.get("source"))
    return None if name is None else str(name)


def check_time_limit(timeout: float) -> None:
    """Raise :class:`InputError` for a time limit without meaning."""
    if not isinstance(timeout, (int, float)) or not 0 < timeout < 1e7:
        raise InputError("the time limit must be a positive number of seconds")


def signal_name(number: int) -> str:
    """The name of a signal, such as SIGKILL."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


__all__ = ["Outcome", "check_time_limit", "room_of", "signal_name"]
