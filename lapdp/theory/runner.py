"""Judge many statements in worker processes; results in the order given, whatever the schedule."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from lapdp.core.errors import InputError
from lapdp.core.verdict import Judgement, Kind
from lapdp.theory.cache import Cache, Kept
from lapdp.theory.fidelity import fidelity_of, severity_of
from lapdp.theory.fingerprint import identity
from lapdp.theory.statement import Statement
from lapdp.theory.task_outcome import Outcome, check_time_limit
from lapdp.theory.workers import Early, Server, Setup, run_tasks

Progress = Callable[[int, int, str, str], None]
"""Called as ``progress(done, total, id, verdict)`` each time a statement is judged."""

BY_RECORD = "lapdp.theory.on_record:judge"
MEMORY = 4 << 30
"""Default limit of a worker's address space, in bytes."""


def describe(statement: Statement, formulas: bool = True) -> dict[str, Any]:
    """What a result says of the statement itself, without judging it; without ``formulas``, which
    take long to write, only what a table of verdicts shows.

    >>> from lapdp.theory.language import Eq
    >>> one = Statement("paper/eq-1", Eq(1, 2))
    >>> describe(one)["encoded"], "encoded" in describe(one, formulas=False)
    ('1 = 2', False)
    """
    if not formulas:
        return {"id": statement.id, "expected": statement.expected, "cited": statement.cited}
    from lapdp.theory.ranges import ranges
    from lapdp.theory.render import text_of_form

    return {
        "id": statement.id,
        "paper": statement.paper,
        "label": statement.label,
        "equations": list(statement.equations),
        "kind": statement.kind,
        "group": statement.group,
        "title": statement.title,
        "printed": statement.printed,
        "corrected": statement.corrected,
        "fidelity": fidelity_of(statement),
        "severity": severity_of(statement),
        "root": statement.root,
        "readings": [list(one) for one in statement.readings],
        "encoded": statement.encoded,
        "claim": text_of_form(statement.claim),
        "hypotheses": [text_of_form(h) for h in (*ranges(statement), *statement.where)],
        "fault": statement.fault,
        "repaired_by": statement.repaired_by,
        "repairs": statement.repairs,
        "expected": statement.expected,
        "cited": statement.cited,
        "hash": statement.hash,
        "note": statement.note,
    }


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
    results: list[dict[str, Any]] = [{} for _ in statements]
    finished = 0

    def enter(index: int, outcome: Outcome, cached: bool = False) -> None:
        nonlocal finished
        finished += 1
        said = describe(statements[index], formulas)
        results[index] = {**_result(said, outcome), "cached": cached}
        if progress is not None:
            progress(finished, len(statements), statements[index].id, results[index]["verdict"])

    open_ones: list[int] = []
    replays: dict[int, Kept] = {}
    for index, statement in enumerate(statements):
        known = cache.get(statement) if cache is not None else None
        if known is not None and known.record["verdict"] != str(Kind.PROVED):
            enter(index, Outcome(result=known.record, seconds=known.seconds), cached=True)
            continue
        if known is not None:
            replays[index] = known
        open_ones.append(index)

    # what takes long first, so that no worker is left with it at the end
    open_ones.sort(key=lambda i: -_weight(statements[i].source))

    def done(number: int, outcome: Outcome) -> None:
        index = open_ones[number]
        if outcome.replayed:
            outcome = replace(outcome, seconds=replays[index].seconds)
        elif cache is not None and outcome.result is not None and not outcome.result.get(
                "recorded"):
            cache.put(statements[index], Kept(outcome.result, outcome.seconds, outcome.lines))
        if found is not None and outcome.result is not None:
            found(statements[index], outcome)
        enter(index, outcome, cached=outcome.replayed)

    def given(number: int) -> None:
        if begun is not None:
            begun(statements[open_ones[number]].id)

    run_tasks([_task(statements[i], replays.get(i)) for i in open_ones], setup,
              jobs or processors(), timeout, done, given, early)
    return results


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
        outcome = self._server.ask(_task(statement), self.timeout)
        return _result(describe(statement), outcome)

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


@cache
def _weight(source: str) -> int:
    """How much the kernel has to read for a proof file: bytes of the derivations beside it."""
    from lapdp.theory.derivations import place

    path = place(source) if source else None
    return path.stat().st_size if path is not None and path.is_file() else 0


def sendable(statement: Statement) -> bool:
    """Can the statement go to a worker?  One declared outside a file may hold what cannot.

    >>> from lapdp.theory.language import Eq
    >>> sendable(Statement("paper/eq-1", Eq(1, 2)))
    True
    """
    try:
        _task(statement)
    except InputError:
        return False
    return True


def _task(statement: Statement, kept: Kept | None = None) -> dict[str, Any]:
    known = {} if kept is None else {"kept": {"record": kept.record, "lines": kept.lines}}
    if statement.source:
        return {"source": statement.source, "id": statement.id, "identity": identity(statement),
                **known}
    try:
        return {"pickle": pickle.dumps(statement), **known}
    except Exception as problem:
        raise InputError(
            f"{statement.id} cannot be sent to a process ({problem}): put it in a proof file"
        ) from problem


def _result(description: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    """The record with the description."""
    record = outcome.result
    if record is None:
        stopped = Judgement(Kind.UNDECIDED, "", reason=outcome.failure)
        record = stopped.admitted(description["cited"]).record()
    return {"recorded": [], **record, **description, "seconds": round(outcome.seconds, 4)}
