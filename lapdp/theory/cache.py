"""Verdicts kept between runs: an interrupted verification resumes, an unchanged one is quick.

A record is found again under the digest of its statement, hints, citation and the derivations kept
beside its proof file, of all code that judges, of the versions it runs on and of the options.
Nothing else can change a verdict that the engine gives: its own limits are counts and processor
time, so what it leaves open is kept as well.  What the caller's time limit, the limit of memory or
a crash ended has no record and is tried again.

Nothing here is evidence.  ``proved`` is never read out of a record: the record only says where the
lines of the derivation are, which the kernel then reads again (:func:`lapdp.theory.runner.run`).
Other verdicts are believed if the record is a plain file of this user and its checksum is that of
its key and content; any other file counts as none.  A cache that cannot be used is told of once,
and the run goes on without it.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import platform
import re
import stat
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib import metadata
from pathlib import Path
from typing import Any

from lapdp.core.errors import IllFormed, InputError
from lapdp.theory import disk, records
from lapdp.theory.fingerprint import digest_of
from lapdp.theory.outlines import Outline
from lapdp.theory.statement import Statement

JUDGING = ("core", "calculus", "balls", "kernel", "privacy", "proving", "theory", "numeric")
"""The rooms whose code can change a verdict."""
STANDS_ON = ("sympy", "mpmath", "python-flint")
KEPT_DAYS = 30
"""How long the verdicts of other versions of the code are kept."""
MARK = ".lapdp-verdicts"
"""The file by which a folder is known as one that lapdp has made; no other is ever removed."""
MOST_BYTES = 64 << 20
"""The size of a record; a larger file counts as none."""
_FOLDER = re.compile(r"[0-9a-f]{16}")
_RECORD = re.compile(r"[0-9a-f]{64}\.json")


def default_folder() -> Path:
    """``$LAPDP_CACHE``, else ``lapdp`` in the user's folder for caches.

    Raises :class:`InputError` where nobody knows the user's folder.
    """
    chosen = os.environ.get("LAPDP_CACHE")
    if chosen:
        return Path(chosen)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lapdp"
    except RuntimeError:
        raise InputError("there is no home folder") from None


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


@dataclass(frozen=True)
class Kept:
    """A verdict of an earlier run: its record, what judging took, and, for a derivation that lies
    nowhere else, its lines."""

    record: dict[str, Any]
    seconds: float
    lines: tuple[str, ...] | None = None


class Cache:
    """Judged statements on disk, one file each, written whole or not at all.

    ``trouble`` says in a line why verdicts are not kept, and is empty while they are.  Raises
    :class:`InputError` when ``folder`` is a file.

    >>> import tempfile
    >>> from lapdp.core.verdict import Judgement, Kind
    >>> from lapdp.theory import Eq
    >>> one = Statement("paper/eq-1", Eq(1, 1))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     kept = Cache(folder, digits=30, seed=0, numeric=False)
    ...     kept.put(one, Kept(Judgement(Kind.TESTED, "balls").record(), 0.5))
    ...     kept.get(one).record["verdict"], kept.get(Statement("paper/eq-2", Eq(1, 2)))
    ('tested', None)
    """

    def __init__(self, folder: str | Path | None = None, *, digits: int, seed: int, numeric: bool
                 ) -> None:
        self.options = {"digits": digits, "seed": seed, "numeric": numeric}
        self.trouble = ""
        self.folder: Path | None = None
        self._folders: list[Path] = []
        self._names: dict[str, tuple[Statement | Outline, str | None]] = {}
        try:
            top = Path(folder) if folder is not None else default_folder()
        except InputError as problem:
            self.trouble = str(problem)
            return
        if top.exists() and not top.is_dir():
            raise InputError(f"{top} is no folder, and cannot hold a cache: name another with "
                             "--cache or leave it out with --no-cache")
        self._open(top)

    def _open(self, top: Path) -> None:
        mine = top / code_digest()
        try:
            _make(mine)
            if not disk.is_own_folder(mine):
                self.trouble = f"{mine} belongs to another user, or is no folder"
                return
            # a run that uses these verdicts keeps them young; litter is of earlier ones
            os.utime(mine)
            disk.sweep_litter(mine)
            _forget_old(top, mine)
            self._folders = _newest_first(top, mine)
        except OSError as problem:
            self.trouble = f"{top}: {problem.strerror or problem}"
            return
        self.folder = mine

    def get(self, statement: Statement | Outline) -> Kept | None:
        """What is kept of a statement, or None; a file that is no sound record counts as none."""
        key = self._key(statement)
        if self.folder is None or key is None:
            return None
        return _read(self.folder / f"{key}.json", key)

    def seconds(self, statement: Statement | Outline) -> float | None:
        """What judging a statement took in an earlier run, also of other code; None if unknown."""
        key = self._key(statement)
        if key is None:
            return None
        for folder in self._folders:
            found = _read(folder / f"{key}.json", key)
            if found is not None:
                return found.seconds
        return None

    def put(self, statement: Statement | Outline, kept: Kept) -> None:
        """Keep what the engine said; where the disk refuses, ``trouble`` says so."""
        key = self._key(statement)
        if self.folder is None or key is None:
            return
        try:
            disk.write_whole(self.folder / f"{key}.json", _written(key, kept), private=True)
        except OSError as problem:
            self.trouble = f"{self.folder}: {problem.strerror or problem}"

    def _key(self, statement: Statement | Outline) -> str | None:
        if isinstance(statement, Outline):
            return statement.key
        known = self._names.get(statement.id)
        if known is None or known[0] is not statement:
            known = self._names[statement.id] = statement, key_of(statement, self.options)
        return known[1]


def key_of(statement: Statement, options: dict[str, Any]) -> str | None:
    """Under which digest the verdict of a judge with these options is kept; None for a statement of
    which it cannot be told what it holds: its verdict is not."""
    try:
        return digest_of(statement, after=[options, _kept_beside(statement)])
    except IllFormed:
        return None


def _kept_beside(statement: Statement) -> str:
    """Digest of the derivations beside the proof file: with others the verdict may be another."""
    from lapdp.theory.derivations import place

    path = place(statement.source) if statement.source else None
    return _content(path, path.stat().st_mtime_ns) if path is not None and path.is_file() else ""


@lru_cache(maxsize=256)
def _content(path: Path, _: int) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


# -- records ----------------------------------------------------------------------------------

def _body(kept: Kept) -> dict[str, Any]:
    return {"record": kept.record, "seconds": kept.seconds,
            "lines": None if kept.lines is None else list(kept.lines)}


def _checksum(key: str, body: Any) -> str:
    """Of key and content: a record that is damaged, or lies under another key, has another one."""
    text = json.dumps([key, body], sort_keys=True, allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _written(key: str, kept: Kept) -> bytes:
    body = _body(kept)
    return json.dumps({"key": key, "sum": _checksum(key, body), **body}).encode()


def _read(path: Path, key: str) -> Kept | None:
    """The sound record at ``path``; None for whatever else lies there, or nothing."""
    try:
        found = json.loads(disk.read_own(path, MOST_BYTES))
        body = {name: found[name] for name in ("record", "seconds", "lines")}
        if (found["key"], found["sum"]) != (key, _checksum(key, body)):
            return None
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    record, seconds, lines = body["record"], body["seconds"], body["lines"]
    if not records.sound(record) or not records.is_seconds(seconds) or not _are_lines(lines):
        return None
    return Kept(record, float(seconds), None if lines is None else tuple(lines))


def _are_lines(lines: Any) -> bool:
    return lines is None or (isinstance(lines, list) and all(isinstance(x, str) for x in lines))


# -- folders ----------------------------------------------------------------------------------

def _make(folder: Path) -> None:
    """The folder of this version, with the mark if it is made here."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
        disk.write_whole(folder / MARK, b"lapdp keeps verdicts here and may remove the folder\n",
                         private=True)


def _is_ours(folder: Path) -> bool:
    """Has lapdp made this folder?  Its name, its owner and the mark in it say so."""
    return bool(_FOLDER.fullmatch(folder.name)) and disk.is_own_folder(folder) and _is_plain(
        folder / MARK)


def _is_plain(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _newest_first(top: Path, current: Path) -> list[Path]:
    """The folders of all versions of the code that are kept."""
    times = {current: float("inf")}
    for folder in top.iterdir():
        with contextlib.suppress(OSError):
            if folder != current and _is_ours(folder):
                times[folder] = folder.stat().st_mtime
    return sorted(times, key=times.__getitem__, reverse=True)


def _forget_old(top: Path, current: Path) -> None:
    """Remove the verdicts of versions that nobody has used for long; nothing else, ever."""
    limit = time.time() - KEPT_DAYS * 86400
    for other in list(top.iterdir()):
        # another process may clear the same folder at the same time
        with contextlib.suppress(OSError):
            if other != current and _is_ours(other) and other.stat().st_mtime < limit:
                _remove(other, [path for path in other.iterdir() if path.name != MARK])


def _remove(folder: Path, held: Sequence[Path]) -> None:
    """Remove the records in a folder, and the folder if they and the mark were all it held."""
    mine = [path for path in held if _is_plain(path) and (
        _RECORD.fullmatch(path.name) or (path.name[:1], path.suffix) == (".", ".new"))]
    for path in mine:
        path.unlink()
    if len(mine) == len(held):
        (folder / MARK).unlink()
        folder.rmdir()


__all__ = ["Cache", "Kept", "code_digest", "default_folder", "key_of"]
