"""What a proof file changes of lapdp is put back, and named.

A proof file declares statements.  One that rebinds a name of a module or class of lapdp, or the
code of a function, would change what other files mean in the same process.  This finds what is
rebound; it is no wall against a program that means harm: such a program can do whatever its user
can.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from lapdp.core.errors import InputError

PACKAGE = "lapdp"


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
    before = list(_bound())
    try:
        yield
    finally:
        changed = [_put_back(*each) for each in before if _differs(*each)]
        if changed:
            raise InputError(f"it changes {changed[0]}: a proof file declares statements and "
                             "changes nothing of lapdp")


def _bound() -> Iterator[tuple[Any, str, Any, Any]]:
    """Modules and classes of lapdp with their names, what is bound to them, and its code."""
    for name, module in list(sys.modules.items()):
        if name == PACKAGE or name.startswith(f"{PACKAGE}."):
            for key, value in list(vars(module).items()):
                yield module, key, value, getattr(value, "__code__", None)
                if isinstance(value, type) and value.__module__ == name:
                    for inner, held in list(vars(value).items()):
                        yield value, inner, held, getattr(held, "__code__", None)


def _differs(holder: Any, name: str, value: Any, code: Any) -> bool:
    if vars(holder).get(name) is not value:
        return True
    return code is not None and isinstance(value, FunctionType) and value.__code__ is not code


def _put_back(holder: Any, name: str, value: Any, code: Any) -> str:
    if code is not None and isinstance(value, FunctionType):
        value.__code__ = code
    setattr(holder, name, value)
    inside = f"{holder.__module__}." if isinstance(holder, type) else ""
    return f"{inside}{holder.__name__}.{name}"


__all__ = ["untouched"]
