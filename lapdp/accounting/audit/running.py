"""The audit itself: calls and certified values side by side, then verdicts."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from typing import Any

from lapdp.accounting.audit.adapter import Adapter, Method
from lapdp.accounting.audit.calls import Call, Called, Certified, Certify
from lapdp.accounting.audit.claims import FAULTS, Verdict, judge
from lapdp.accounting.audit.grid import grid
from lapdp.accounting.audit.queries import Query
from lapdp.core.errors import InputError, LapdpError
from lapdp.theory.task_outcome import Outcome, check_time_limit

DIGITS = (15, 40, 100)
"""Digits of certified values; more are asked for where a comparison stays open."""
MEMORY = 4 << 30
"""Address space of a worker, in bytes."""
PATIENCE = 3
"""Workers are asked for certified values up to so many times as long as an accountant is."""
RUNNER = "lapdp.accounting.audit.calls:run"

Progress = Callable[[int, int, str, str], None]
Task = Call | Certify


@dataclass(frozen=True)
class Row:
    """One question to one method, the answer, the certified value beside it, and the verdict."""

    accountant: str
    method: Method
    query: Query
    called: Called
    certified: Certified
    verdict: Verdict

    @property
    def id(self) -> str:
        """The name under which ``lapdp audit ACCOUNTANT --row ID`` finds it again."""
        return row_id(self.method, self.query)

    def record(self) -> dict[str, Any]:
        """Plain data; doubles as text that reads back as they are."""
        claim, truth = self.method.claim, self.certified
        return {
            "id": self.id, "accountant": self.accountant, "method": self.method.name,
            "claim": asdict(claim), "settings": dict(self.method.settings),
            "query": {
                "mechanism": [self.query.text(d) for d in self.query.directions(claim.direction)],
                "wants": self.query.wants, "at": repr(self.query.at),
                "exactly": str(Fraction(self.query.at))},
            "call": self.method.code(self.query),
            "answer": list(self.called.answer), "problem": self.called.problem,
            "certified": {
                **truth.shown, "certified": truth.certified, "method": truth.method,
                "code": self.query.code(claim.direction, max(DIGITS[0], truth.digits)),
                "seconds": round(truth.seconds, 4), "refused": truth.refused},
            "verdict": self.verdict.kind, "digits": self.verdict.digits,
            "relative_error": None if self.verdict.error is None else f"{self.verdict.error:.3g}",
            "reason": self.verdict.reason, "seconds": round(self.called.seconds, 4),
            "command": f"lapdp audit {self.accountant} --row '{self.id}'",
        }


@dataclass(frozen=True)
class Audit:
    """What came of an audit."""

    rows: tuple[Row, ...]

    @property
    def faults(self) -> tuple[Row, ...]:
        """The rows whose verdict is a fault of the accountant."""
        return tuple(row for row in self.rows if row.verdict.kind in FAULTS)

    def __bool__(self) -> bool:
        """Is there no fault?"""
        return not self.faults


def row_id(method: Method, query: Query) -> str:
    """The name of a row."""
    return f"{method.name}/{query.slug}"


def audit(accountant: Adapter, queries: Sequence[Query] | None = None, *, quick: bool = False,
          row: str | None = None, jobs: int = 1, timeout: float = 60.0, isolated: bool = True,
          progress: Progress | None = None, begun: Callable[[str], None] | None = None
          ) -> Audit:
    """Ask an accountant every question its methods reach, and judge each answer.

    ``queries`` are those of the grid by default, a part of them with ``quick``; ``row`` names one.
    Each call runs in a process of its own that ends at ``timeout`` seconds, unless ``isolated`` is
    False: then the call runs here and nothing stops it.  Certified values may take three times as
    long; where there is none, the row says so and has no verdict.

    Raises :class:`InputError` for what is no adapter, for a row that does not exist, for settings
    out of range, and for an adapter that cannot be sent to another process.

    >>> from lapdp.accounting.audit import Claim, Query, Release
    >>> class Basic:
    ...     name, claim, settings = "sum of eps", Claim("upper", "both", "basic composition"), {}
    ...     def reaches(self, query):
    ...         return query.wants == "epsilon" and query.releases[0].mechanism == "laplace"
    ...     def answer(self, query):
    ...         return sum(r.copies / r.parameters[0] for r in query.releases)
    ...     def code(self, query):
    ...         return "sum(copies/scale)"
    >>> class Mine:
    ...     name, distribution, methods = "mine", "lapdp", [Basic()]
    >>> queries = [Query((Release("laplace", (4.0,), copies=8),), "epsilon", 1e-6)]
    >>> [row.verdict.kind for row in audit(Mine(), queries, isolated=False).rows]
    ['valid']
    """
    if not hasattr(accountant, "methods"):
        raise InputError(f"{str(accountant)[:40]!r} is no accountant: give an object such as "
                         'lapdp.accounting.audit.adapters.adapter("google")')
    check_time_limit(timeout)
    if not isinstance(jobs, int) or isinstance(jobs, bool) or jobs < 1:
        raise InputError(f"jobs = {str(jobs)[:40]} must be a positive whole number")
    plan = list(planned(accountant, queries, quick=quick))
    if row is not None:
        plan = [(m, q) for m, q in plan if row_id(m, q) == row]
        if not plan:
            raise InputError(f"{accountant.name} has no row {row[:80]!r}: see lapdp audit "
                             f"{accountant.name} --list")
    work = _Work(accountant.name, plan, jobs, timeout, isolated, progress, begun)
    return Audit(tuple(work.rows()))


def planned(accountant: Adapter, queries: Sequence[Query] | None = None, *, quick: bool = False
            ) -> Iterator[tuple[Method, Query]]:
    """The questions of an audit, in order, with the method that each goes to."""
    for method in accountant.methods:
        secondary = bool(getattr(method, "secondary", False))
        if queries is not None:
            asked = tuple(queries)
        else:
            asked = () if quick and secondary else grid(
                "quick" if quick else "core" if secondary else "full")
        yield from ((method, query) for query in asked
                    if query.has(method.claim.direction) and method.reaches(query))


class _Work:
    """The tasks of an audit and what has come of them."""

    def __init__(self, name: str, plan: Sequence[tuple[Method, Query]], jobs: int, timeout: float,
                 isolated: bool, progress: Progress | None,
                 begun: Callable[[str], None] | None) -> None:
        self.name, self.plan, self.jobs = name, plan, jobs
        self.timeout, self.isolated, self.progress = timeout, isolated, progress
        self.begun = begun
        self.truths: dict[tuple[str, Query], Certified] = {}
        self.done, self.total = 0, 0

    def rows(self) -> list[Row]:
        """Certified values once for each question, then the calls; more digits where needed."""
        self.total = len({_key(m, q) for m, q in self.plan}) + len(self.plan)
        calls = [Call(method, query) for method, query in self.plan]
        if self.isolated:
            for call in calls:
                _pickled(call)
        self._certify(self.plan, DIGITS[0])
        called = [_called(outcome, self.timeout)
                  for outcome in self._run(calls, self.timeout)]
        rows = self._judged(called)
        for digits in DIGITS[1:]:
            open_ones = [(r.method, r.query) for r in rows if r.verdict.kind == "undecided"]
            if not open_ones:
                break
            self._certify(open_ones, digits)
            rows = self._judged(called)
        return rows

    def _certify(self, asked: Sequence[tuple[Method, Query]], digits: int) -> None:
        wanted = {_key(m, q): Certify(q, m.claim.direction, digits) for m, q in asked}
        outcomes = self._run(list(wanted.values()), PATIENCE * self.timeout)
        for key, outcome in zip(wanted, outcomes, strict=True):
            found = (Certified(**outcome) if isinstance(outcome, dict)
                     else Certified(refused=outcome))
            # at more digits it may be refused; what was found before still holds
            if not found.refused or key not in self.truths:
                self.truths[key] = found

    def _judged(self, called: Sequence[Called]) -> list[Row]:
        return [Row(self.name, method, query, answer, self.truths[_key(method, query)],
                    _verdict(method, query, answer, self.truths[_key(method, query)]))
                for (method, query), answer in zip(self.plan, called, strict=True)]

    def _run(self, tasks: Sequence[Task], timeout: float) -> list[dict[str, Any] | str]:
        """The record of each task, or why there is none."""
        found: list[dict[str, Any] | str] = [""] * len(tasks)

        def note(index: int, outcome: dict[str, Any] | str) -> None:
            found[index] = outcome
            self.done += 1
            self.total = max(self.total, self.done)
            if self.progress is not None:
                self.progress(self.done, self.total, tasks[index].query.slug, "")

        def begin(index: int) -> None:
            if self.begun is not None:
                self.begun(tasks[index].query.slug)

        if self.isolated:
            _in_workers(tasks, self.jobs, timeout, note, begin)
        else:
            for index, task in enumerate(tasks):
                begin(index)
                try:
                    note(index, task.run().record())
                except MemoryError:
                    note(index, "memory limit of this process")
        return found


def ask(method: Method, query: Query, *, isolated: bool = True, timeout: float = 60.0) -> Called:
    """One question to one method, and what came of it.

    The call runs in a process of its own that ends at ``timeout`` seconds, unless ``isolated`` is
    False.  Raises :class:`InputError` for a method that cannot be sent to another process.

    >>> from lapdp.accounting.audit import Query, Release
    >>> from lapdp.accounting.audit.adapters import adapter
    >>> method = adapter("google").methods[0]
    >>> sorted(vars(ask(method, Query((Release("laplace", (1.0,)),), "delta", 0.0),
    ...                 isolated=False)))
    ['answer', 'problem', 'refused', 'seconds']
    """
    call = Call(method, query)
    if not isolated:
        return call.run()
    outcomes: list[dict[str, Any] | str] = []
    _in_workers([call], 1, timeout, lambda _, outcome: outcomes.append(outcome))
    return _called(outcomes[0], timeout)


def _called(outcome: dict[str, Any] | str, timeout: float) -> Called:
    if isinstance(outcome, str):
        late = outcome.startswith("time limit")
        return Called(problem=outcome, seconds=timeout if late else 0.0)
    return Called(**{**outcome, "answer": tuple(outcome["answer"])})


def _key(method: Method, query: Query) -> tuple[str, Query]:
    return "+".join(query.directions(method.claim.direction)), query


def _in_workers(tasks: Sequence[Task], jobs: int, timeout: float,
                note: Callable[[int, dict[str, Any] | str], None],
                begin: Callable[[int], None] | None = None) -> None:
    from lapdp.theory.workers import Setup, run_tasks

    def done(index: int, outcome: Outcome) -> None:
        if outcome.result is not None:
            note(index, outcome.result)
        elif outcome.failure.startswith(("time limit", "memory limit", "crash", "the worker")):
            note(index, outcome.failure)
        else:
            raise LapdpError(f"the adapter does not run in a process of its own "
                             f"({outcome.failure}): define it in a module, or isolated=False")

    run_tasks([{"pickle": _pickled(task)} for task in tasks],
              Setup(RUNNER, memory=MEMORY, timeout=timeout), jobs, timeout, done, begin)


def _pickled(task: Task) -> bytes:
    try:
        return pickle.dumps(task)
    except Exception as problem:
        raise InputError(f"the adapter cannot be sent to another process ({problem}): define it "
                         "in a module, or isolated=False") from problem


def _verdict(method: Method, query: Query, called: Called, certified: Certified) -> Verdict:
    if called.problem:
        for start, kind in (("time limit", "timeout"), ("memory limit", "memory")):
            if called.problem.startswith(start):
                return Verdict(kind, reason=called.problem)
        return Verdict("refused" if called.refused else "nonsense", reason=called.problem)
    if certified.refused:
        return Verdict("no verdict", reason=certified.refused)
    if not certified.certified:
        return Verdict("no verdict", reason="the value is not certified")
    return judge(method.claim, query.wants, tuple(map(float, called.answer)), certified.truth())


__all__ = ["Audit", "Progress", "Row", "ask", "audit", "planned", "row_id"]
