"""The JSON document of a verification, and how it reaches the disk."""

from __future__ import annotations

import json
import os
import platform
import re
from collections.abc import Iterable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from lapdp.core.errors import InputError
from lapdp.theory import disk

_RAW = re.compile("[\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""Control characters beyond those that JSON writes out anyway."""
REPORT = '"lapdp":'
"""What stands at the beginning of every report as JSON."""
HEAD = 2000
"""Bytes of a file in which its mark is looked for."""


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
    """JSON text, readable and with a newline at its end; no control character stands in it raw.

    >>> print(dumps(chr(0x9b) + "2J"), end="")
    "\\u009b2J"
    """
    found = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    return _RAW.sub(lambda m: f"\\u{ord(m[0]):04x}", found)


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


def check_writable(path: str | Path, mark: str = "") -> None:
    """Raise :class:`InputError` now if a file could not be written at ``path`` later.

    A plain file that is there already is replaced only if ``mark`` stands at its beginning or it is
    empty: a slip on the command line must not cost a proof file.
    """
    target = Path(path)
    if target.is_dir():
        raise InputError(f"{path} is a folder: name a file")
    if _is_device(target):
        if not os.access(target, os.W_OK):
            raise InputError(f"{path} is not writable")
        return
    check_folder(target.parent)
    if mark and target.is_file():
        try:
            with target.open("rb") as file:
                head = file.read(HEAD)
        except OSError as problem:
            raise InputError(f"{path} cannot be replaced: {problem.strerror}") from None
        if head and mark.encode() not in head:
            raise InputError(f"{path} is there already and no report of lapdp: name another file, "
                             "or remove it")


def write(path: str | Path, value: Any, mark: str = "") -> None:
    """Write a document as JSON; see :func:`write_text`."""
    write_text(path, dumps(value), mark)


def write_text(path: str | Path, content: str, mark: str = "") -> None:
    """Write a file: it is complete or untouched, never half-written; see :func:`check_writable`.

    Raises :class:`InputError` when the file cannot be written.
    """
    check_writable(path, mark)
    target = Path(path)
    try:
        if _is_device(target):
            target.write_text(content, encoding="utf-8")
        else:
            # what a link points to is replaced, not the link
            disk.write_whole(target.resolve(), content.encode("utf-8"))
    except OSError as problem:
        raise InputError(f"cannot write {path}: {problem.strerror}") from problem


def write_parts(path: str | Path, parts: Iterable[str], mark: str = "") -> None:
    """Write a file that is never whole in memory; see :func:`write_text`."""
    check_writable(path, mark)
    target = Path(path)
    try:
        if _is_device(target):
            with target.open("w", encoding="utf-8") as file:
                file.writelines(parts)
        else:
            disk.write_whole(target.resolve(), (part.encode("utf-8") for part in parts))
    except OSError as problem:
        raise InputError(f"cannot write {path}: {problem.strerror}") from problem


def _is_device(target: Path) -> bool:
    """A pipe or a device is written to, never replaced by a file."""
    return target.exists() and not target.is_file()
