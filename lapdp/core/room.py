"""Room for calls: recursion that does not ask the system for memory at each step.

Since 3.11 CPython keeps the frames of calls in chunks of 16 kB.  A call that does not fit into the
chunk takes a new one from the system and gives it back as it returns, so a recursion whose depth
goes up and down at the end of a chunk maps and unmaps memory at every call: a tenth of the time of
a search for derivations, which recurses into terms all the time.  A chunk is as large as its first
frame needs, rounded up to a power of two, and frames after it use what is left.  A call whose code
says that it needs a little more than half of a large chunk therefore leaves the other half to
whatever it calls; pages that no frame touches are never there.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

Given = ParamSpec("Given")
Got = TypeVar("Got")

ROOM = (1 << 18) + (1 << 10)
"""Slots of eight bytes: a little more than half of four megabytes, enough for some four thousand
calls within each other."""


def _called(function: Callable[Given, Got], *args: Given.args, **kwargs: Given.kwargs) -> Got:
    return function(*args, **kwargs)


_called.__code__ = _called.__code__.replace(co_stacksize=ROOM)


def with_room(function: Callable[Given, Got]) -> Callable[Given, Got]:
    """The same function, called with room for what it calls.  It answers and raises as before.

    >>> @with_room
    ... def depth(n: int) -> int:
    ...     return n and 1 + depth(n - 1)
    >>> depth(100)
    100
    """
    @wraps(function)
    def roomy(*args: Given.args, **kwargs: Given.kwargs) -> Got:
        return _called(function, *args, **kwargs)
    return roomy


__all__ = ["with_room"]
