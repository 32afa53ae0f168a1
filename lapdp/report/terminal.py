"""What a stream is: the one rule for colours, rewritten lines and widths."""

from __future__ import annotations

import os
from typing import TextIO

PLAIN_WIDTH = 100
"""Columns where no terminal tells them: files and pipes."""
_LEAST = 20


def colours_wanted(stream: TextIO) -> bool:
    """Colours go to terminals only.

    ``NO_COLOR`` refuses them everywhere, ``FORCE_COLOR`` wants them everywhere (``0`` is no wish),
    and a terminal of the kind ``dumb`` has none; the first of these that is set decides.
    """
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return is_rewritable(stream)


def is_rewritable(stream: TextIO) -> bool:
    """May a line be written over: is it a terminal that obeys?"""
    return stream.isatty() and os.environ.get("TERM") != "dumb"


def width(stream: TextIO) -> int:
    """Columns of a terminal, at least 20; of anything else ``$COLUMNS``, else 100.

    >>> import io
    >>> width(io.StringIO()) >= 20
    True
    """
    try:
        found = os.get_terminal_size(stream.fileno()).columns
    except (OSError, ValueError):
        found = 0
    given = os.environ.get("COLUMNS", "")
    if not found and given.isdecimal():
        found = int(given)
    return max(found or PLAIN_WIDTH, _LEAST)


__all__ = ["PLAIN_WIDTH", "colours_wanted", "is_rewritable", "width"]
