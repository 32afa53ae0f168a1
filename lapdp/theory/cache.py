"""Verdicts kept between runs: an interrupted verification resumes, an unchanged one is instant.

A record is found again under the digest of its statement, hints and citation, of all code that
judges, of the versions it runs on and of the options.  Nothing else can change a verdict that the
engine gives: its own limits are counts and processor time, so what it leaves open is kept as well.
What the caller's time limit, the limit of memory or a crash ended has no record and is tried again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import shutil
import tempfile
import time
from functools import cache
from importlib import metadata
from pathlib import Path
from typing import Any

from lapdp.core.errors import InputError
from lapdp.theory.fingerprint import fingerprint
from lapdp.theory.statement import Statement

JUDGING = ("core", "calculus", "balls", "privacy", "theory", "numeric")
"""The rooms whose code can change a verdict."""
STANDS_ON = ("sympy", "mpmath", "python-flint")
KEPT_DAYS = 30
"""How long the verdicts of other versions of the code are kept."""


def default_folder() -> Path:
    """``$LAPDP_CACHE``, else ``lapdp`` in the user's folder for caches."""
    chosen = os.environ.get("LAPDP_CACHE")
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lapdp"


@cache
def code_digest() -> str:
    """Digest of all code that judges, and of the versions of what it stands on."""
    root = Path(__file__).parents[1]
    found = hashlib.sha256(platform.python_version().encode())
    for name in STANDS_ON:
        found.update(f"{name} {metadata.version(name)}\n".encode())
    for room in JUDGING:
        for path in sorted((root / room).rglob("*.py")):
            found.update(f"{path.relative_to(root).as_posix()}\n".encode())
            found.update(hashlib.sha256(path.read_bytes()).digest())
    return found.hexdigest()[:16]


class Cache:
    """Judged statements on disk, one file each, written whole or not at all.

    Raises :class:`InputError` when the folder cannot be made or written.

    >>> import tempfile
    >>> from lapdp.theory import Eq
    >>> one = Statement("paper/eq-1", Eq(1, 1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = Cache(folder, digits=30, seed=0, numeric=False)
    ...     kept.put(one, {"verdict": "proved"})
    ...     kept.get(one), kept.get(Statement("paper/eq-2", Eq(1, 2)))
    ({'verdict': 'proved'}, None)
    """

    def __init__(self, folder: str | Path | None = None, *, digits: int, seed: int, numeric: bool
                 ) -> None:
        top = Path(folder) if folder is not None else default_folder()
        self.options = {"digits": digits, "seed": seed, "numeric": numeric}
        self.folder = top / code_digest()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            # a run that uses these verdicts keeps them young
            os.utime(self.folder)
        except OSError as problem:
            raise InputError(f"the cache folder {top} cannot be used ({problem.strerror}): name "
                             "another with --cache or leave it out with --no-cache") from problem
        _forget_old(top, self.folder)
        self._folders = _newest_first(top)
        self._names: dict[str, tuple[Statement, str]] = {}

    def get(self, statement: Statement) -> dict[str, Any] | None:
        """The record of a statement, or None; a damaged file counts as none."""
        try:
            record = json.loads(self._path(statement).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return record if isinstance(record, dict) and "verdict" in record else None

    def seconds(self, statement: Statement) -> float | None:
        """What judging a statement took in an earlier run, also of other code; None if unknown."""
        name = self._path(statement).name
        for folder in self._folders:
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                record = json.loads((folder / name).read_text(encoding="utf-8"))
                return max(float(record["seconds"]), 0.0)
        return None

    def put(self, statement: Statement, record: dict[str, Any]) -> None:
        """Keep the record of what the engine said; what stopped it from outside has none."""
        handle, temporary = tempfile.mkstemp(prefix=".new", dir=self.folder)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(record, file)
        os.replace(temporary, self._path(statement))

    def _path(self, statement: Statement) -> Path:
        name = self._names.get(statement.id)
        if name is None or name[0] is not statement:
            key = fingerprint((statement.claim, *statement.where, statement.hints,
                               statement.cited, self.options))
            name = self._names[statement.id] = statement, f"{key}.json"
        return self.folder / name[1]


def _newest_first(top: Path) -> list[Path]:
    """The folders of all versions of the code that are kept."""
    times = {}
    for folder in top.iterdir():
        with contextlib.suppress(OSError):
            if folder.is_dir():
                times[folder] = folder.stat().st_mtime
    return sorted(times, key=times.__getitem__, reverse=True)


def _forget_old(top: Path, current: Path) -> None:
    limit = time.time() - KEPT_DAYS * 86400
    for other in top.iterdir():
        # another process may clear the same folder at the same time
        with contextlib.suppress(OSError):
            if other != current and other.is_dir() and other.stat().st_mtime < limit:
                shutil.rmtree(other)


__all__ = ["Cache", "code_digest", "default_folder"]
