"""Many certified numbers at once: over all cores, or over machines by an executor.

A query never runs in the caller's process: each runs in a process that is ended when the query
overruns its time, its memory or crashes; that costs one answer.  On an executor every chunk of
queries starts such a process beside the worker that received it, so the limits hold there too.
"""

from __future__ import annotations

import base64
import pickle
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import FIRST_COMPLETED, Executor, Future, wait
from dataclasses import dataclass, replace
from typing import Any

from lapdp.accounting.answers import Answer
from lapdp.accounting.queries import Query
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, LapdpError
from lapdp.theory.runner import processors
from lapdp.theory.task_outcome import Outcome, check_time_limit
from lapdp.theory.workers import START_LIMIT, Setup, run_tasks

MOST_CHUNK = 64
PATIENCE = 0.25
"""The part of the time limit after which a chunk is given back."""
MEMORY = 4 << 30
"""Bytes of address space of a process that answers."""

Progress = Callable[[int, int, str, str], None]
Each = Callable[[int, "Row"], None]


@dataclass(frozen=True)
class Row:
    """A query with its answer, or with the reason why there is none."""

    query: Query
    answer: Answer | None = None
    refusal: str = ""
    seconds: float = 0.0

    def __str__(self) -> str:
        if self.answer is None:
            return f"{self.query}: {self.refusal}"
        return f"{self.query} = {self.answer}"

    def record(self) -> dict[str, Any]:
        """Plain data, numbers as decimal strings."""
        found = {"refusal": self.refusal} if self.answer is None else self.answer.record()
        return {"query": str(self.query), **found, "seconds": round(self.seconds, 6)}


@fitting
def sweep(queries: Iterable[Any], *, jobs: int | str = 1, executor: Executor | None = None,
          timeout: float = 60.0, chunk: int | None = None, progress: Progress | None = None,
          each: Each | None = None) -> list[Row]:
    """Certified answers to many queries, in their order.

    A query is a tuple (pair, "delta", eps) or (pair, "epsilon", delta, digits), a :class:`Query`,
    or a text such as ``"delta(gaussian(10)**100, 20, digits=30)"``; besides there are "moment",
    "renyi" and "tradeoff".  ``jobs`` processes work side by side, ``"all"`` for one a core.  Or
    give any ``concurrent.futures`` executor whose workers have lapdp, such as that of a Dask
    cluster: it gets ``chunk`` queries at a time.  What is refused, or takes longer than ``timeout``
    seconds, has a row that says so.  ``progress(done, total, query, answer)`` and ``each(place,
    row)`` are called in this process as answers come, in any order: what is to outlive an
    interruption is kept there.  The last digits of an interval may depend on what its process was
    asked before: choices are kept, and every choice has a proof.

    Raises :class:`InputError` for what is no query and for settings out of range.

    >>> from lapdp import gaussian
    >>> texts = ["delta(laplace(1)**50, 39, digits=8)", "delta(laplace(1), 1, digits=0)"]
    >>> for row in sweep([(gaussian(10)**100, "delta", 20), *texts]):
    ...     print(row)
    delta(gaussian(10, 10), 20) = 2.664706705365498e-86 +/- 5.01e-102
    delta(laplace(1)**50, 39, digits=8) = 0.0000180592552 +/- 5.01e-14
    delta(laplace(1), 1, digits=0): digits must be a whole number between 1 and 100000, not 0
    """
    if isinstance(queries, str) or not isinstance(queries, Iterable):
        raise InputError(f"{str(queries)[:40]} is no list of queries: write [...] around them")
    asked = [Query.of(query) for query in queries]
    check_time_limit(timeout)
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InputError(f"{str(executor)[:40]} is no concurrent.futures executor")
    if progress is not None and not callable(progress):
        raise InputError("progress must be a function of done, total, query and answer")
    if each is not None and not callable(each):
        raise InputError("each must be a function of place and row")
    workers = processors() if jobs == "all" else jobs
    if not isinstance(workers, int) or isinstance(workers, bool) or workers < 1:
        raise InputError(f'jobs = {str(jobs)[:40]} must be a positive whole number or "all"')
    if chunk is not None and (not isinstance(chunk, int) or chunk < 1):
        raise InputError(f"chunk = {str(chunk)[:40]} must be a positive whole number")
    if executor is None:
        size = chunk or _chunk(len(asked), workers)
        return _Local(asked, timeout, progress, each).answered(size, workers)
    remote = _Remote(asked, timeout, progress, each)
    return remote.answered(chunk or _chunk(len(asked), 8), executor)


def _chunk(count: int, workers: int) -> int:
    """Some chunks for each worker, for no one knows how long each takes."""
    return max(1, min(MOST_CHUNK, count // (4 * workers)))


class _Rows:
    """The rows of a sweep as they come."""

    def __init__(self, asked: Sequence[Query], timeout: float, progress: Progress | None,
                 each: Each | None) -> None:
        self.asked, self.timeout, self.progress, self.each = asked, timeout, progress, each
        self.rows: list[Row | None] = [None] * len(asked)
        self.done = 0

    def put(self, index: int, row: Row) -> None:
        # the caller's own object, not the copy that has travelled
        self.rows[index] = found = replace(row, query=self.asked[index])
        self.done += 1
        if self.each is not None:
            self.each(index, found)
        if self.progress is not None:
            shown = str(row.answer) if row.answer is not None else row.refusal
            self.progress(self.done, len(self.asked), str(row.query), shown)

    def found(self) -> list[Row]:
        assert self.done == len(self.asked)
        return [row for row in self.rows if row is not None]


class _Local(_Rows):
    """Processes of this machine: whole chunks first, then what is left of them.

    A process that has worked for a part of the time limit gives back the rest of its chunk; a chunk
    that fails is asked again query by query, so that a failure costs one answer.
    """

    def answered(self, size: int, workers: int) -> list[Row]:
        chunks = [range(i, min(i + size, len(self.asked)))
                  for i in range(0, len(self.asked), size)]
        setup = Setup("lapdp.accounting.sweeps:answer_all", memory=MEMORY, timeout=self.timeout)
        while chunks:
            left: list[range] = []

            def done(number: int, outcome: Outcome, chunks: list[range] = chunks,
                     left: list[range] = left) -> None:
                left.extend(self._taken(chunks[number], outcome))

            tasks = [{"pickle": _pickled(Chunk(tuple(self.asked[i] for i in chunk),
                                               PATIENCE * self.timeout))} for chunk in chunks]
            run_tasks(tasks, setup, workers, self.timeout, done)
            chunks = sorted(left, key=lambda chunk: chunk.start)
        return self.found()

    def _taken(self, chunk: range, outcome: Outcome) -> list[range]:
        """Note what is answered; the chunks that are still to do."""
        if outcome.result is None:
            if len(chunk) > 1:
                return [range(i, i + 1) for i in chunk]
            self.put(chunk[0], Row(self.asked[chunk[0]], refusal=outcome.failure,
                                   seconds=outcome.seconds))
            return []
        rows = _unpacked(outcome.result)
        for index, row in zip(chunk, rows, strict=False):
            self.put(index, row)
        return [chunk[len(rows):]] if len(rows) < len(chunk) else []


class _Remote(_Rows):
    """Chunks on an executor, which may be on other machines."""

    def answered(self, size: int, executor: Executor) -> list[Row]:
        chunks = [range(i, min(i + size, len(self.asked)))
                  for i in range(0, len(self.asked), size)]
        futures: dict[Future[list[Row]], range] = {
            executor.submit(_sweep_chunk, [self.asked[i] for i in chunk], self.timeout): chunk
            for chunk in chunks}
        # a worker that is alive ends a chunk within this time: its queries are asked together, and
        # at most once each alone
        longest = (2 * size + 1) * (self.timeout + START_LIMIT)
        pending = set(futures)
        while pending:
            ended, pending = wait(pending, longest, return_when=FIRST_COMPLETED)
            if not ended:
                for future in pending:
                    future.cancel()
                    self._lost(futures[future], f"the executor gave no answer for {longest:g} s")
                break
            for future in ended:
                self._take(future, futures[future])
        return self.found()

    def _take(self, future: Future[list[Row]], chunk: range) -> None:
        try:
            rows = future.result()
        except Exception as problem:
            # whatever the executor raises for a worker that is gone
            words = " ".join(str(problem).split())[:200]
            self._lost(chunk, f"the executor failed: {type(problem).__name__}: {words}")
            return
        for index, row in zip(chunk, rows, strict=True):
            self.put(index, row)

    def _lost(self, chunk: Iterable[int], why: str) -> None:
        for index in chunk:
            self.put(index, Row(self.asked[index], refusal=why))


def _sweep_chunk(queries: list[Query], timeout: float) -> list[Row]:
    """What a worker of an executor does: a process of its own beside it, which can be ended."""
    return sweep(queries, jobs=1, timeout=timeout, chunk=len(queries))


@dataclass(frozen=True)
class Chunk:
    """Queries on their way into a worker process."""

    queries: tuple[Query, ...]
    patience: float
    """After so many seconds no further query is begun."""


@dataclass(frozen=True)
class Packed:
    """Rows on their way out of a worker process."""

    rows: tuple[Row, ...]

    def record(self) -> str:
        """As text: what a worker sends is plain data."""
        return base64.b64encode(pickle.dumps(self.rows)).decode()


def answer_all(chunk: Chunk, **_: Any) -> Packed:
    """The rows of a chunk, or of its first queries, in a worker process."""
    start, rows = time.perf_counter(), []
    for query in chunk.queries:
        rows.append(query_row(query))
        if time.perf_counter() - start > chunk.patience:
            break
    return Packed(tuple(rows))


def query_row(query: Query) -> Row:
    """The answer to a query, in this process; refusals are rows, other exceptions are raised.

    >>> print(query_row(Query("gaussian(1)", "delta", "-1", 5)))
    delta(gaussian(1), -1, digits=5) = 0.678818 +/- 5.01e-7
    """
    start = time.perf_counter()
    try:
        found, why = query.answer(), ""
    except LapdpError as problem:
        found, why = None, " ".join(str(problem).split())
    return Row(query, found, why, time.perf_counter() - start)


def _unpacked(text: str) -> tuple[Row, ...]:
    rows: tuple[Row, ...] = pickle.loads(base64.b64decode(text))
    return rows


def _pickled(queries: Chunk) -> bytes:
    try:
        return pickle.dumps(queries)
    except Exception as problem:
        raise InputError(f"a query cannot be sent to another process: {problem}") from problem


__all__ = ["Query", "Row", "sweep"]
