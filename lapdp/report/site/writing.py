"""A site reaches the disk whole, or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from lapdp.core.errors import InputError

MARK = ".lapdp-site"
"""A file by which a folder is known as a site, which the next one may replace."""


def check_site_folder(path: str | Path) -> None:
    """Raise :class:`InputError` now if a site could not be written there later.

    A folder that holds anything but a site is left alone.
    """
    folder = Path(path)
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{path} is a file: name a folder for the pages")
    if folder.is_dir() and any(folder.iterdir()) and not (folder / MARK).is_file():
        raise InputError(f"{path} holds other files: name a new folder, or an empty one")
    parent = folder.resolve().parent
    if not parent.is_dir():
        raise InputError(f"there is no folder {parent}: make it first")


def write_site(path: str | Path, files: Mapping[str, str]) -> None:
    """Write the files into a folder beside, then put it in place of ``path``.

    Raises :class:`InputError` where :func:`check_site_folder` does, and when the disk refuses.
    """
    check_site_folder(path)
    folder = Path(path).resolve()
    try:
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as beside:
            made = Path(beside) / "new"
            for name, content in {**files, MARK: ""}.items():
                file = made / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(content, encoding="utf-8")
            if folder.exists():
                folder.rename(Path(beside) / "old")
            made.rename(folder)
    except OSError as problem:
        raise InputError(f"the pages cannot be written to {path}: {problem.strerror}") from None


__all__ = ["check_site_folder", "write_site"]
