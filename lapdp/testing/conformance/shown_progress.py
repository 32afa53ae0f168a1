"""What a long check shows: on a terminal one line with the law and the examples tried so far."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Self, TextIO

from lapdp.report.terminal import is_rewritable

if TYPE_CHECKING:
    from lapdp.commands.progress import Progress
    from lapdp.testing.conformance.search import Found


class Shown:
    """The line of a check of ``total`` laws on ``stream``, else on standard error; silent where
    that is no terminal.

    A check is a call in the program of a user, whose files and pipes get no lines of it.

    >>> import io
    >>> with Shown(2, io.StringIO()) as shown, shown.law("valid", 60):
    ...     pass
    """

    def __init__(self, total: int, stream: TextIO | None = None) -> None:
        self.total, self.done = total, 0
        self.found: Found | None = None
        stream = sys.stderr if stream is None else stream
        self.progress: Progress | None = None
        if stream is not None and is_rewritable(stream):
            from lapdp.commands.progress import Progress

            self.progress = Progress(stream, False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: Any) -> None:
        if self.progress is not None:
            self.progress.__exit__(*problem)

    @contextmanager
    def law(self, name: str, examples: int) -> Iterator[None]:
        """Around the search for a violation of a law."""
        self.found = None
        if self.progress is None:
            yield
            return
        self.progress.detail = lambda: self._how_far(examples)
        self.progress.begin(name)
        yield
        self.done += 1
        self.progress.step(self.done, self.total, name, "done")

    def case(self, found: Found) -> None:
        """Told before each case."""
        self.found = found

    def _how_far(self, examples: int) -> str:
        if self.found is None:
            return ""
        if self.found.violation is not None:
            return ", which fails: looking for the smallest case"
        return f", example {self.found.tried} of {examples}"


__all__ = ["Shown"]
