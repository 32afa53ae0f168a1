"""Progress of long work: on a terminal one line, rewritten, wiped at the end; into a file or a pipe
a line now and then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Self, TextIO

from lapdp.commands.estimates import Estimate, in_words
from lapdp.report.terminal import is_rewritable, width

LONG = 3.0
"""Seconds after which one item is named as what takes the time."""
PATIENCE = 1.0
"""Seconds before anything is shown of a single question, and between two looks at the clock."""
SELDOM = 30.0
"""Seconds between two lines in a file or a pipe."""


class Progress:
    """How many are done, how long it may still take, what takes long.

    ``costs`` are the seconds that items took in earlier runs, by name; items that are not among
    them count as the mean of this run.  ``kept`` tells, after Ctrl-C, what is not lost.

    >>> import io
    >>> with Progress(io.StringIO(), quiet=False) as progress:  # no terminal: silent for 30 s
    ...     progress.step(1, 2, "paper/eq-1", "proved")
    """

    def __init__(self, stream: TextIO, quiet: bool, *, costs: Mapping[str, float] | None = None,
                 workers: int = 1, limit: float = 0.0,
                 kept: str | Callable[[], str] = "") -> None:
        self.stream = None if quiet else stream
        self.rewritten, self.told = is_rewritable(stream), time.monotonic()
        self.estimate = Estimate(costs or {}, workers)
        self.limit, self.kept = limit, kept
        self.done, self.total, self.last = 0, 0, ""
        self.running: dict[str, float] = {}
        self.detail: Callable[[], str] = str
        """What else is known of the item that takes the time."""
        self._lock, self._over = threading.Lock(), threading.Event()
        self._clock: threading.Thread | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._over.set()
        if self._clock is not None:
            self._clock.join()
        self._write("")
        if kind is KeyboardInterrupt and self.kept:
            done = f" after {self.done} of {self.total}" if self.total else ""
            kept = self.kept if isinstance(self.kept, str) else self.kept()
            raise KeyboardInterrupt(f"{done}: {kept}") from None

    def expect(self, costs: Mapping[str, float]) -> None:
        """Called with more of the seconds that items took in earlier runs."""
        with self._lock:
            self.estimate.expect(costs)

    def begin(self, name: str) -> None:
        """Called when work on an item begins."""
        with self._lock:
            self.running[name] = time.monotonic()
        self._start()

    def step(self, done: int, total: int, name: str, verdict: str) -> None:
        """Called each time an item is finished."""
        with self._lock:
            since = self.running.pop(name, None)
            self.estimate.finished(name, None if since is None else time.monotonic() - since)
            self.done, self.total, self.last = done, total, f"{name} {verdict}".rstrip()
        self._show(self.line)

    @contextmanager
    def waiting(self, what: str) -> Iterator[None]:
        """Around one question: after a second, say what is going on and for how long."""
        start = time.monotonic()
        most = f" (at most {self.limit:g} s)" if self.limit else ""
        self._start(lambda: f"{what}: {time.monotonic() - start:.0f} s{most}")
        yield

    def line(self) -> str:
        """What is shown now."""
        with self._lock:
            parts = [f"[{self.done}/{self.total}]"] if self.total else []
            now = time.monotonic()
            running = {name: now - since for name, since in self.running.items()}
            left = self.estimate.left(self.total - self.done, running)
            if left is not None and self.done < self.total:
                parts.append(in_words(left))
            name = max(running, key=running.__getitem__, default="")
            spent = running.get(name, 0.0)
            if name and spent >= LONG:
                most = f" (at most {self.limit:g} s)" if self.limit else ""
                parts.append(f"on {name} for {spent:.0f} s{most}{self.detail()}")
            elif self.last:
                parts.append(self.last)
            return "  ".join(parts)

    def _start(self, line: Callable[[], str] | None = None) -> None:
        if self.stream is None or self._clock is not None:
            return

        def tick() -> None:
            while not self._over.wait(PATIENCE):
                self._show(line or self.line)

        self._clock = threading.Thread(target=tick, daemon=True)
        self._clock.start()

    def _show(self, line: Callable[[], str]) -> None:
        if self.stream is not None:
            self._write(line())

    def _write(self, line: str) -> None:
        if self.stream is not None:
            shown = "".join(c if c.isprintable() else "?" for c in line)
            if not self.rewritten:
                now = time.monotonic()
                if line and now - self.told >= SELDOM:
                    self.told = now
                    self.stream.write(f"lapdp: {shown}\n")
                    self.stream.flush()
                return
            # the last column stays free: some terminals go to the next line there
            most = width(self.stream) - 1
            shown = shown if len(shown) <= most else shown[:most - 3] + "..."
            self.stream.write("\r\x1b[K" + shown)
            self.stream.flush()


__all__ = ["Progress"]
