"""What a stream is: the one rule for colours, rewritten lines and widths."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, TextIO

PLAIN_WIDTH = 100
"""Columns where no terminal tells them: files and pipes."""
_LEAST = 20
OWN = re.compile(r"\x1b\[(?:0|3[1-6])m|\r\x1b\[K")
"""The sequences that lapdp writes: colours, and the line of progress."""
_CONTROL = re.compile(
    rf"({OWN.pattern})|[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")
"""What moves a cursor, names a window, answers in the user's stead or turns a line around."""


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


def plain(text: str) -> str:
    """The text with control characters written out; tabs, new lines and lapdp's colours stay.

    >>> print(plain("a title\\x1b]0;of the window\\x07"))
    a title\\x1b]0;of the window\\x07
    """
    return _CONTROL.sub(lambda m: m[1] or ascii(m[0])[1:-1], text)


class _Plain:
    """A stream to which no control characters of others are written."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """As the stream does, with control characters written out."""
        return self.stream.write(plain(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def plain_output() -> Iterator[None]:
    """Inside, nothing that a title, a note, a file name or an error holds reaches a terminal raw.

    >>> with plain_output():
    ...     print("\\x1b[2Jcleared")
    \\x1b[2Jcleared
    """
    before = sys.stdout, sys.stderr
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None:
            setattr(sys, name, _Plain(stream))
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


__all__ = ["PLAIN_WIDTH", "colours_wanted", "is_rewritable", "plain", "plain_output", "width"]
