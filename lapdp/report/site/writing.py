"""A site reaches the disk whole, and replaces the files of an earlier one and no others.

The mark of a site lists its files with their digests.  A file that is not listed, or was changed
since, is the user's: it is never replaced and never removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from lapdp.core.errors import InputError
from lapdp.theory import disk

MARK = ".lapdp-site"
"""The file by which a folder is known as a site; it lists what the next one may replace."""
MOST_BYTES = 16 << 20
"""No list of files is longer."""
Listed = Mapping[str, list[str]]
"""Digests that a file of the site may have, by its name."""


@dataclass(frozen=True)
class Written:
    """How many files a site has, and how many of an earlier one it replaced and removed."""

    files: int
    replaced: int = 0
    removed: int = 0

    def __str__(self) -> str:
        if not self.replaced and not self.removed:
            return f"{self.files} files"
        gone = f", {self.removed} removed" if self.removed else ""
        return (f"{self.files} files, {self.replaced} of them replaced{gone}; whatever else is in "
                "the folder is untouched")


def check_site_folder(path: str | Path) -> None:
    """Raise :class:`InputError` now if a site could not be written there later.

    A folder that holds anything but a site, and perhaps files of the user beside it, is left alone.
    """
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{path} is a file: name a folder for the pages")
    if folder.is_dir() and any(folder.iterdir()):
        _listed(folder)
    parent = folder.resolve().parent
    if not parent.is_dir():
        raise InputError(f"there is no folder {parent}: make it first")


def write_site(path: str | Path, files: Mapping[str, str]) -> Written:
    """Write the files of a site into a folder; an earlier site in it is replaced, file by file.

    All files are written beside the folder first, so that a full disk costs nothing.  Raises
    :class:`InputError` where :func:`check_site_folder` does, where a file of the user is in the
    way, and when the disk refuses.
    """
    check_site_folder(path)
    folder = Path(path).resolve()
    try:
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as beside:
            made = Path(beside) / "new"
            digests = {name: _write(made / name, content) for name, content in files.items()}
            if not folder.exists() or not any(folder.iterdir()):
                _write(made / MARK, _list({name: [found] for name, found in digests.items()}))
                if folder.exists():
                    folder.rmdir()
                made.rename(folder)
                return Written(len(files))
            return _replace(folder, made, digests)
    except OSError as problem:
        raise InputError(f"the pages cannot be written to {path}: {problem.strerror}") from None


def _replace(folder: Path, made: Path, digests: Mapping[str, str]) -> Written:
    """Put the new files in the place of the old ones, which the mark lists."""
    listed = _listed(folder)
    old = [name for name in listed if os.path.lexists(folder / name)]
    for name in digests:
        if os.path.lexists(folder / name) and not _is_listed(folder, name, listed):
            raise InputError(f"{folder / name} is not as lapdp has written it: move it away, or "
                             "name a new folder")
    # an interrupted run may leave old and new files: both are known as those of a site
    both = {name: [*listed.get(name, []), *([digests[name]] if name in digests else [])]
            for name in {**listed, **digests}}
    disk.write_whole(folder / MARK, _list(both).encode())
    for name in digests:
        _make_folders(folder, name)
        os.replace(made / name, folder / name)
    gone = [name for name in old if name not in digests and _is_listed(folder, name, listed)]
    for name in gone:
        (folder / name).unlink()
    _remove_empty(folder, gone)
    disk.write_whole(folder / MARK, _list({n: [d] for n, d in digests.items()}).encode())
    return Written(len(digests), len(set(old) & set(digests)), len(gone))


def _write(file: Path, content: str) -> str:
    """The digest of what is written."""
    file.parent.mkdir(parents=True, exist_ok=True)
    data = content.encode("utf-8")
    file.write_bytes(data)
    return hashlib.sha256(data).hexdigest()


def _list(digests: Listed) -> str:
    return json.dumps({"lapdp": "site", "files": dict(sorted(digests.items()))}, indent=0) + "\n"


def _listed(folder: Path) -> dict[str, list[str]]:
    """The files of the site in a folder; :class:`InputError` where no site is."""
    if not os.path.lexists(folder / MARK):
        raise InputError(f"{folder} holds other files: name a new folder, or an empty one")
    try:
        found = json.loads(disk.read_own(folder / MARK, MOST_BYTES))["files"]
        listed = {str(name): [str(d) for d in digests] for name, digests in found.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise InputError(f"{folder / MARK} does not say which files lapdp has written there: "
                         "name a new folder, or an empty one") from None
    return {name: digests for name, digests in listed.items() if _is_inside(name)}


def _is_inside(name: str) -> bool:
    """Does the name stay in the folder?  A list can be edited, and must lead nowhere else."""
    path = PurePosixPath(name)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts


def _is_listed(folder: Path, name: str, listed: Listed) -> bool:
    """Is what lies there a plain file with a digest that the list has?"""
    file = folder / name
    if any(parent.is_symlink() for parent in file.parents if parent.is_relative_to(folder)
           and parent != folder):
        return False
    try:
        if not stat.S_ISREG(file.lstat().st_mode):
            return False
        return hashlib.sha256(file.read_bytes()).hexdigest() in listed.get(name, [])
    except OSError:
        return False


def _make_folders(folder: Path, name: str) -> None:
    """The folders in which a file lies; a link among them would lead out of the site."""
    place = folder
    for part in PurePosixPath(name).parts[:-1]:
        place = place / part
        if place.is_symlink():
            raise InputError(f"{place} is a link: move it away, or name a new folder")
        place.mkdir(exist_ok=True)


def _remove_empty(folder: Path, gone: Iterable[str]) -> None:
    """Folders of removed files go with them if nothing else is left in them."""
    for name in gone:
        for parent in PurePosixPath(name).parents:
            with contextlib.suppress(OSError):
                if parent.parts:
                    (folder / parent).rmdir()


__all__ = ["Written", "check_site_folder", "write_site"]
