"""Judge many statements in worker processes; results in the order given, whatever the schedule."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from lapdp.core.errors import InputError
from lapdp.theory.cache import Cache
from lapdp.theory.course import Course, Progress, describe, result_of, task_of
from lapdp.theory.loading import merge
from lapdp.theory.outlines import Outline
from lapdp.theory.statement import Statement
from lapdp.theory.task_outcome import Outcome, check_time_limit
from lapdp.theory.workers import Early, Server, Setup, run_tasks

BY_RECORD = "lapdp.theory.on_record:judge"
MEMORY = 4 << 30
"""Default limit of a worker's address space, in bytes."""


def run(
    statements: Sequence[Statement],
    jobs: int | None = None,
    timeout: float = 60.0,
    digits: int = 30,
    seed: int = 0,
    judge: str | Callable[..., Any] | None = None,
    progress: Progress | None = None,
    *,
    numeric: bool = True,
    memory: int = MEMORY,
    cache: Cache | None = None,
    by_record: bool = False,
    formulas: bool = True,
    begun: Callable[[str], None] | None = None,
    found: Callable[[Statement, Outcome], None] | None = None,
    early: Early | None = None,
    shared: str = "",
) -> list[dict[str, Any]]:
    """Judge statements, each in a process that is killed after ``timeout`` seconds.

    ``jobs`` processes at a time (default: one a processor), others for each proof file; ``memory``
    limits the address space of each, in bytes (0: no limit); ``numeric=False`` leaves out the
    numeric column.  A statement that overruns its time, crashes its process or raises is
    ``undecided``, with the reason; the others are not touched.  Statements whose record is in
    ``cache`` are not judged again, but what is ``proved`` in it is so only if the kernel accepts
    the kept derivation anew; results enter it one by one, so that an interrupted run resumes.
    ``judge`` replaces the engine: an importable function, or a reference ``module:name`` or
    ``file.py:name``; it takes no cache.
    ``by_record`` uses the verdicts beside the proof files (:mod:`lapdp.theory.on_record`);
    ``formulas=False`` leaves the results without those of the statements.
    ``begun(id)`` is called when work on a statement begins, ``found(statement, outcome)`` for each
    that was judged, unless it was stopped.  ``early`` are workers of :func:`starting` for the
    same options.  ``shared`` is a folder by which the processes tell each other what their searches
    for derivations come to: one for each sentence.

    Raises :class:`InputError` for options without meaning and for a statement that was declared
    outside a file and cannot be sent to a process.
    """
    check_options(jobs, timeout, digits, seed)
    if cache is not None and judge is not None:
        raise InputError("verdicts of another judge do not belong into the cache")
    if by_record and judge is not None:
        raise InputError("what is on record is of the engine, not of another judge")
    setup = _setup(timeout, digits, seed, judge, numeric, memory, by_record, shared)
    course = Course(cache, progress, formulas, begun, found)
    course.add(statements)
    run_tasks(course.tasks, setup, jobs or processors(), timeout, course.done, course.given, early)
    return course.results


def run_files(
    files: Sequence[Path],
    jobs: int | None = None,
    timeout: float = 60.0,
    digits: int = 30,
    seed: int = 0,
    progress: Progress | None = None,
    *,
    numeric: bool = True,
    cache: Cache | None = None,
    by_record: bool = False,
    begun: Callable[[str], None] | None = None,
    told: Callable[[Sequence[Outline]], None] | None = None,
    early: Early | None = None,
) -> tuple[list[Outline], list[dict[str, Any]]]:
    """Judge all statements of proof files that know nothing of each other, as :func:`run` does: the
    outlines of the statements in library order, and their results without formulas.

    Nothing is executed here: whoever executes a file judges what it states, so that each is
    executed once.  ``told(outlines)`` is called for each file as it has been.

    Raises :class:`InputError` for a broken proof file, an id declared twice, a repair that does not
    exist.
    """
    check_options(jobs, timeout, digits, seed)
    setup = _setup(timeout, digits, seed, None, numeric, MEMORY, by_record, "")
    course = Course[Outline](cache, progress, False, begun, None, told)
    course.read(files, {"digits": digits, "seed": seed, "numeric": numeric})
    run_tasks(course.tasks, setup, jobs or processors(), timeout, course.done, course.given, early)
    outlines = merge([course.statements])
    results = {r["id"]: r for r in course.results}
    return outlines, [results[s.id] for s in outlines]


def starting(timeout: float, digits: int, seed: int, judge: str | None = None, *,
             numeric: bool = True, by_record: bool = False, shared: str = "",
             workers: int = 1) -> Early:
    """Workers for :func:`run` with these options that start at once: they load the engine while
    their caller reads proof files."""
    return Early(_setup(timeout, digits, seed, judge, numeric, MEMORY, by_record, shared), workers)


def _setup(timeout: float, digits: int, seed: int, judge: str | Callable[..., Any] | None,
           numeric: bool, memory: int, by_record: bool, shared: str) -> Setup:
    return Setup(BY_RECORD if by_record else _reference(judge), digits, seed, numeric, memory,
                 timeout, shared)


class Judging:
    """Judge statements one at a time, as :func:`run` does, in one warm process.

    >>> from lapdp.theory.language import Eq, reals
    >>> x = reals("x")
    >>> with Judging(timeout=60) as judging:
    ...     judging.judge(Statement("paper/eq-1", Eq(x, 2 * x)))["verdict"]
    'refuted'
    """

    def __init__(self, timeout: float = 60.0, digits: int = 30, seed: int = 0,
                 judge: str | Callable[..., Any] | None = None, *,
                 numeric: bool = True, memory: int = MEMORY) -> None:
        check_options(1, timeout, digits, seed)
        self.timeout = timeout
        self._server = Server(Setup(_reference(judge), digits, seed, numeric, memory, timeout))

    def judge(self, statement: Statement) -> dict[str, Any]:
        """The result of a statement, plain data."""
        outcome = self._server.ask(task_of(statement), self.timeout)
        return result_of(describe(statement), outcome)

    def __enter__(self) -> Judging:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process."""
        self._server.close()


def check_options(jobs: int | None, timeout: float, digits: int, seed: int) -> None:
    """Raise :class:`InputError` for an option without meaning."""
    if jobs is not None and jobs < 1:
        raise InputError("jobs must be a positive integer")
    check_time_limit(timeout)
    if not 1 <= digits <= 1000:
        raise InputError("digits must be between 1 and 1000")
    if seed < 0:
        raise InputError("the seed must be an integer >= 0")


def processors() -> int:
    """How many processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _reference(judge: str | Callable[..., Any] | None) -> str:
    if judge is None:
        return Setup.judge
    return judge if isinstance(judge, str) else f"{judge.__module__}:{judge.__qualname__}"


def sendable(statement: Statement) -> bool:
    """Can the statement go to a worker?  One declared outside a file may hold what cannot.

    >>> from lapdp.theory.language import Eq
    >>> sendable(Statement("paper/eq-1", Eq(1, 2)))
    True
    """
    try:
        task_of(statement)
    except InputError:
        return False
    return True
