"""Files under faults: read are plain files of this user, written are whole ones or none.

Whatever else lies at a path (a pipe, a device, a folder, a link, the file of another user) is never
opened for long, never followed and never replaced.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from lapdp.core.errors import InputError

LITTER_SECONDS = 3600.0
"""Half-written files that are older than this belong to a process that was killed."""


def read_own(path: Path, most: int) -> bytes:
    """The bytes of a plain file of this user, at most so many.

    Raises :class:`OSError` for anything else: a pipe would block, the file of another user may say
    what that user likes, a link may lead anywhere.

    >>> read_own(Path("/dev/null"), 10)
    Traceback (most recent call last):
    OSError: /dev/null is no plain file
    """
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        found = os.fstat(handle)
        if not stat.S_ISREG(found.st_mode):
            raise OSError(f"{path} is no plain file")
        if found.st_uid != os.geteuid():
            raise OSError(f"{path} belongs to another user")
        if found.st_size > most:
            raise OSError(f"{path} is larger than {most} bytes")
        return file.read(most)


def is_own_folder(path: Path) -> bool:
    """Is this a folder, no link to one, that belongs to this user?

    >>> is_own_folder(Path("/proc/self/cwd"))
    False
    """
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def write_each(files: Mapping[Path, Any], write: Callable[[Path, Any], None]) -> list[Path]:
    """Write files one after another; their paths in order.

    Raises :class:`InputError`, which names the file, where one cannot be written.
    """
    for path, content in files.items():
        try:
            write(path, content)
        except OSError as problem:
            raise InputError(f"cannot write {path}: {problem}") from None
    return sorted(files)


def write_whole(path: Path, content: bytes | Iterable[bytes], *, private: bool = False) -> None:
    """Write a file beside ``path``, then put it in its place; nothing is left where that fails.

    A file that is replaced keeps its rights; a new one has those of any new file, or is readable by
    its owner only if ``private``.  Raises :class:`OSError`.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_whole(Path(folder) / "one", b"whole")
    ...     (Path(folder) / "one").read_bytes(), len(os.listdir(folder))
    (b'whole', 1)
    """
    with _beside(path, content, private) as made:
        with contextlib.suppress(FileNotFoundError):
            os.chmod(made, stat.S_IMODE(path.stat().st_mode))
        os.replace(made, path)


def write_new(path: Path, content: bytes) -> None:
    """Write a file where there is none yet.

    Raises :class:`InputError` if there is something, :class:`OSError` where the disk refuses.
    """
    with _beside(path, content, private=False) as made:
        try:
            # unlike a rename, a link never replaces what another process has put there meanwhile
            os.link(made, path)
        except FileExistsError:
            raise InputError(f"{path} is there already: take another name, or remove it") from None


@contextlib.contextmanager
def _beside(path: Path, content: bytes | Iterable[bytes], private: bool) -> Iterator[Path]:
    """The content in a file of another name beside ``path``, which is gone afterwards."""
    made = path.with_name(f".{path.name[:40]}.{secrets.token_hex(8)}.new")
    handle = os.open(made, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC,
                     0o600 if private else 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.writelines([content] if isinstance(content, bytes) else content)
        yield made
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(made)


def sweep_litter(folder: Path) -> None:
    """Remove what :func:`write_whole` left half-written in processes that were killed."""
    limit = time.time() - LITTER_SECONDS
    for path in folder.glob(".*.new"):
        # another process may tidy the same folder at the same time
        with contextlib.suppress(OSError):
            found = path.lstat()
            if stat.S_ISREG(found.st_mode) and found.st_mtime < limit:
                path.unlink()


__all__ = ["is_own_folder", "read_own", "sweep_litter", "write_new", "write_whole"]
