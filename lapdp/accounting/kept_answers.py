"""Answers of a sweep as they come: one line each in a file that outlives an interruption.

The first line says which version of lapdp answers.  The others are JSON objects with the place and
the text of the question, so that the same sweep, begun again, asks only what is open.  What is held
in memory is eight bytes a question.
"""

from __future__ import annotations

import fcntl
import json
import os
import stat
from array import array
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Self

from lapdp.core.errors import InputError

KEPT = "answers of a sweep"


class KeptAnswers:
    """A file of answers to ``total`` questions, which one process at a time may write.

    Raises :class:`InputError` for a file that holds anything else, answers of another version, or
    is in use.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for _ in range(2):
    ...         with KeptAnswers(Path(folder) / "part", {"lapdp": "1"}, 3) as kept:
    ...             print(kept.get(1, "delta(laplace(1), 1)"))
    ...             kept.put(1, {"query": "delta(laplace(1), 1)", "value": "0", "shown": "0"})
    None
    {'n': 1, 'query': 'delta(laplace(1), 1)', 'value': '0', 'shown': '0'}
    """

    def __init__(self, path: Path, heading: Mapping[str, Any], total: int) -> None:
        self.path = path
        self._first = json.dumps({"kept": KEPT, **heading}, sort_keys=True).encode() + b"\n"
        self._at = array("q", [-1]) * total
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_NONBLOCK
                             | os.O_CLOEXEC, 0o666)
        except OSError as problem:
            raise InputError(f"{path} cannot keep answers: {problem.strerror}") from None
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode) or found.st_uid != os.geteuid():
            os.close(handle)
            raise InputError(f"{path} is no plain file of this user: remove it")
        self._file = os.fdopen(handle, "r+b")
        try:
            self._begin()
        except BaseException:
            self._file.close()
            raise

    def _begin(self) -> None:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise InputError(f"{self.path} is in use by another sweep") from None
        first = self._file.readline(len(self._first) + 1)
        if self._first.startswith(first) and first != self._first:
            # empty, or cut off while it was begun
            self._file.truncate(0)
            os.pwrite(self._file.fileno(), self._first, 0)
        elif first != self._first:
            raise InputError(f"{self.path} is there already, and holds no answers of this version "
                             "of lapdp: remove it, or name another file")
        self._file.seek(len(self._first))
        self._end = len(self._first)
        for line in self._file:
            if not line.endswith(b"\n"):
                break  # its process was killed while it wrote
            number = _place_in(line)
            if number is not None and number < len(self._at):
                self._at[number] = self._end
            self._end += len(line)
        self._file.truncate(self._end)

    def get(self, number: int, query: str) -> dict[str, Any] | None:
        """What is kept for the question at a place; None if that was another question."""
        if self._at[number] < 0:
            return None
        self._file.seek(self._at[number])
        found = _object(self._file.readline())
        return found if found.get("query") == query else None

    def put(self, number: int, record: Mapping[str, Any]) -> None:
        """Keep an answer.  Raises :class:`InputError` where the disk refuses."""
        line = json.dumps({"n": number, **record}).encode() + b"\n"
        done = 0
        try:
            while done < len(line):
                done += os.pwrite(self._file.fileno(), line[done:], self._end + done)
        except OSError as problem:
            raise InputError(f"{self.path}: {problem.strerror}; what was answered before is kept"
                             ) from None
        self._at[number] = self._end
        self._end += len(line)

    def records(self) -> Iterator[dict[str, Any]]:
        """All that is kept, in the order of the questions."""
        for at in self._at:
            if at >= 0:
                self._file.seek(at)
                yield _object(self._file.readline())

    def remove(self) -> None:
        """The file is of no more use."""
        self.path.unlink()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def _object(line: bytes) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _place_in(line: bytes) -> int | None:
    """The place of the question that a line answers; None for a line that is damaged."""
    found = _object(line)
    number = found.get("n")
    texts = all(isinstance(found.get(name), str) for name in ("query", "shown"))
    sound = isinstance(number, int) and not isinstance(number, bool) and number >= 0 and texts
    return number if sound and ("value" in found) != ("refusal" in found) else None


__all__ = ["KeptAnswers"]
