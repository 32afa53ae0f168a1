"""The JSON document of a verification, and how it reaches the disk."""

from __future__ import annotations

import json
import os
import platform
import tempfile
from collections.abc import Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from lapdp.core.errors import InputError


def version_of(distribution: str) -> str:
    """The version of an installed distribution, ``unknown`` when it is not installed.

    >>> version_of("no-such-distribution")
    'unknown'
    """
    try:
        return metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return "unknown"


def document(
    results: Sequence[Mapping[str, Any]],
    aggregates: Mapping[str, Any],
    *,
    digits: int,
    seed: int,
) -> dict[str, Any]:
    """The whole document: versions, seed, digits, statements, aggregates.

    >>> sorted(document([], {}, digits=30, seed=0))
    ['aggregates', 'digits', 'lapdp', 'seed', 'statements', 'versions']
    """
    return {
        **heading(seed),
        "digits": digits,
        "statements": [dict(r) for r in results],
        "aggregates": dict(aggregates),
    }


def heading(seed: int = 0) -> dict[str, Any]:
    """What every document begins with: versions and the seed.

    >>> sorted(heading())
    ['lapdp', 'seed', 'versions']
    """
    # here, so that ``lapdp --version`` loads nothing of the theory
    from lapdp.theory.cache import STANDS_ON

    return {
        "lapdp": version_of("lapdp"),
        "versions": {
            "python": platform.python_version(),
            **{name: version_of(name) for name in STANDS_ON},
        },
        "seed": seed,
    }


def dumps(value: Any) -> str:
    """JSON text, readable and with a newline at its end."""
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"


def check_folder(path: str | Path) -> None:
    """Raise :class:`InputError` now if files could not be written into a folder later."""
    folder = Path(path)
    if not folder.is_dir():
        raise InputError(f"there is no folder {folder}: make it first")
    if not os.access(folder, os.W_OK):
        raise InputError(f"the folder {folder} is not writable")


def make_folder(path: str | Path) -> None:
    """A folder to write into, made where there is none; :class:`InputError` where none can be."""
    folder = Path(path)
    try:
        if not folder.exists():
            check_folder(folder.resolve().parent)
            folder.mkdir()
    except OSError as problem:
        raise InputError(f"the folder {path} cannot be made: {problem.strerror}") from None
    if not folder.is_dir():
        raise InputError(f"{path} is a file: name a folder")
    check_folder(folder)


def check_writable(path: str | Path) -> None:
    """Raise :class:`InputError` now if a file could not be written at ``path`` later."""
    target = Path(path)
    if target.is_dir():
        raise InputError(f"{path} is a folder: name a file")
    if _is_device(target):
        if not os.access(target, os.W_OK):
            raise InputError(f"{path} is not writable")
    else:
        check_folder(target.parent)


def write(path: str | Path, value: Any) -> None:
    """Write a document as JSON; see :func:`write_text`."""
    write_text(path, dumps(value))


def write_text(path: str | Path, content: str) -> None:
    """Write a file: it is complete or untouched, never half-written.

    Raises :class:`InputError` when the file cannot be written.
    """
    check_writable(path)
    target = Path(path)
    temporary = ""
    try:
        if _is_device(target):
            target.write_text(content, encoding="utf-8")
            return
        target = target.resolve()  # what a link points to is replaced, not the link
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(content)
        # mkstemp makes private files; a report has the rights of any new file
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, target)
    except BaseException as problem:
        if temporary:
            Path(temporary).unlink(missing_ok=True)
        if isinstance(problem, OSError):
            raise InputError(f"cannot write {path}: {problem.strerror}") from problem
        raise


def _is_device(target: Path) -> bool:
    """A pipe or a device is written to, never replaced by a file."""
    return target.exists() and not target.is_file()
