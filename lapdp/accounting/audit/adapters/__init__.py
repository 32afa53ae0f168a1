"""One file for each accountant; a file here is an adapter that ``lapdp audit`` knows."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from lapdp.accounting.audit.adapter import Adapter
from lapdp.core.errors import InputError


def known() -> list[str]:
    """The names of all adapters.

    >>> known()
    ['autodp', 'fourier', 'google', 'microsoft', 'opendp']
    """
    return sorted(found.name for found in iter_modules(__path__))


def adapter(name: str) -> Adapter:
    """The adapter of this name, whether or not its package is installed.

    Raises :class:`InputError` for an unknown name.
    """
    if name not in known():
        raise InputError(f"no accountant {name[:40]!r}: {', '.join(known())}, or all")
    found: Adapter = import_module(f"{__name__}.{name}").ADAPTER
    return found


__all__ = ["adapter", "known"]
