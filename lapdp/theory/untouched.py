"""What a proof file changes of lapdp is put back, and named.

A proof file declares statements.  One that rebinds a name of a module or class of lapdp, or the
code of a function, would change what other files mean in the same process.  This finds what is
rebound; it is no wall against a program that means harm: such a program can do whatever its user
can.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from operator import attrgetter, is_
from types import CodeType, FunctionType
from typing import Any

from lapdp.core.errors import InputError

PACKAGE = "lapdp"
_CODE = attrgetter("__code__")
_SEEN: dict[int, tuple[Any, dict[str, Any]]] = {}
"""Modules and classes by their address, which is theirs as long as they stand here, and what their
names were bound to at the last look."""
_CODES: list[dict[FunctionType, CodeType]] = []
"""The code of functions at the last look.  No mapping is ever changed: a block within a block takes
another."""


@contextmanager
def untouched() -> Iterator[None]:
    """Raise :class:`InputError` for names of lapdp that the block binds anew, and bind them back.

    >>> import lapdp.theory.runner
    >>> with untouched():
    ...     lapdp.theory.runner.MEMORY = 0
    Traceback (most recent call last):
    lapdp.core.errors.InputError: it changes lapdp.theory.runner.MEMORY: a proof file declares \
statements and changes nothing of lapdp
    >>> lapdp.theory.runner.MEMORY > 0
    True
    """
    before, codes = looked_at()
    try:
        yield
    finally:
        # one by one: a function that is put back under one name is so under all
        same_code = all(map(is_, map(_CODE, codes), codes.values()))
        changed = [_put_back(holder, name, value, codes)
                   for holder, names in before
                   if not (same_code and _same(vars(holder), names))
                   for name, value in names.items()
                   if vars(holder).get(name) is not value or (
                       isinstance(value, FunctionType) and value.__code__ is not codes[value])]
        if changed:
            raise InputError(f"it changes {changed[0]}: a proof file declares statements and "
                             "changes nothing of lapdp")


def looked_at() -> tuple[list[tuple[Any, dict[str, Any]]], dict[FunctionType, CodeType]]:
    """What the names of lapdp are bound to now, by module and class, and the code of functions.

    What is as it was at the last look is not written down again: a process that forks looks before,
    for all its forks.
    """
    before, anew = [], False
    for holder in _holders():
        seen = _SEEN.get(id(holder))
        if seen is None or not _same(vars(holder), seen[1]):
            seen = _SEEN[id(holder)] = holder, dict(vars(holder))
            anew = True
        before.append(seen)
    codes = _CODES[-1] if _CODES else {}
    if anew or not all(map(is_, map(_CODE, codes), codes.values())):
        codes = {value: value.__code__ for _, names in before for value in names.values()
                 if isinstance(value, FunctionType)}
        _CODES[:] = [codes]
    return before, codes


def _holders() -> Iterator[Any]:
    """The modules of lapdp, and the classes of each."""
    for name, module in list(sys.modules.items()):
        if name == PACKAGE or name.startswith(f"{PACKAGE}."):
            yield module
            for value in list(vars(module).values()):
                if isinstance(value, type) and value.__module__ == name:
                    yield value


def _same(now: Mapping[str, Any], before: dict[str, Any]) -> bool:
    """Are names bound as they were, and none beside them?  What is not seen to be so at a glance,
    name by name in order, is looked at in full."""
    return len(now) == len(before) and all(map(is_, now, before)) and all(
        map(is_, now.values(), before.values()))


def _put_back(holder: Any, name: str, value: Any, codes: dict[FunctionType, CodeType]) -> str:
    if isinstance(value, FunctionType):
        value.__code__ = codes[value]
    setattr(holder, name, value)
    inside = f"{holder.__module__}." if isinstance(holder, type) else ""
    return f"{inside}{holder.__name__}.{name}"


__all__ = ["looked_at", "untouched"]
