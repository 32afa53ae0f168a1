"""Progress of long work, for a terminal."""

from __future__ import annotations

import time
from typing import Self, TextIO


class Progress:
    """One line on a terminal, rewritten: how many are done, how long it may still take.

    >>> import io
    >>> with Progress(io.StringIO(), quiet=False) as progress:  # no terminal: silent
    ...     progress.step(1, 2, "paper/eq-1", "proved")
    """

    def __init__(self, stream: TextIO, quiet: bool) -> None:
        self.stream = None if quiet or not stream.isatty() else stream
        self.start = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._write("")

    def step(self, done: int, total: int, name: str, verdict: str) -> None:
        """Called by the runner each time a statement is judged."""
        left = (time.monotonic() - self.start) / done * (total - done)
        self._write(f"[{done}/{total}] about {left:.0f} s left   {name} {verdict}")

    def _write(self, line: str) -> None:
        if self.stream is not None:
            self.stream.write("\r\x1b[K" + line[:100])
            self.stream.flush()
