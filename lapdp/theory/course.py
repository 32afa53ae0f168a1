"""A run under way: statements, the tasks that they make for workers, what came of them."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Generic, TypeVar

from lapdp.core.errors import InputError
from lapdp.core.verdict import Judgement, Kind
from lapdp.theory.cache import Cache, Kept
from lapdp.theory.discovery import require_repairs
from lapdp.theory.fidelity import fidelity_of, severity_of
from lapdp.theory.fingerprint import identity
from lapdp.theory.kept_verdicts import amount
from lapdp.theory.loading import merge, short
from lapdp.theory.outlines import Outline
from lapdp.theory.serving import LOADING
from lapdp.theory.statement import Statement
from lapdp.theory.task_outcome import Outcome

Named = TypeVar("Named", Statement, Outline)
Progress = Callable[[int, int, str, str], None]
"""Called as ``progress(done, total, id, verdict)`` each time a statement is judged."""


def describe(statement: Statement | Outline, formulas: bool = True) -> dict[str, Any]:
    """What a result says of the statement itself, without judging it; without ``formulas``, which
    take long to write, only what a table of verdicts shows.

    >>> from lapdp.theory.language import Eq
    >>> one = Statement("paper/eq-1", Eq(1, 2))
    >>> describe(one)["encoded"], "encoded" in describe(one, formulas=False)
    ('1 = 2', False)
    """
    if not formulas or isinstance(statement, Outline):
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


class Course(Generic[Named]):
    """A run under way: its statements, the tasks that they make, what came of them."""

    def __init__(
        self,
        cache: Cache | None,
        progress: Progress | None,
        formulas: bool,
        begun: Callable[[str], None] | None,
        found: Callable[[Any, Outcome], None] | None,
        told: Callable[[Sequence[Outline]], None] | None = None,
    ) -> None:
        self._cache, self._progress, self._formulas = cache, progress, formulas
        self._begun, self._found, self._told = begun, found, told
        self.statements: list[Named] = []
        self.results: list[dict[str, Any]] = []
        self.tasks: list[dict[str, Any]] = []
        self._asked: list[int | None] = []
        """The statement of each task; None: it asks for the outlines of a file."""
        self._replays: dict[int, Kept] = {}
        self._finished = 0
        self._unread: dict[str, int] = {}
        """Files that nobody has executed yet, and about how many statements are in each."""

    def read(self, files: Sequence[Path], options: dict[str, Any]) -> None:
        """Have the files executed, first those of which the kernel has most to read."""
        sources = sorted((str(file.resolve()) for file in files), key=weight, reverse=True)
        self._unread = {source: amount(source) for source in sources}
        self.tasks += [
            {"source": source, "room": _paper(source), "outlines": options, "limit": LOADING}
            for source in sources
        ]
        self._asked += [None] * len(sources)

    def add(self, statements: Sequence[Named]) -> None:
        """Have statements judged, unless their verdicts are kept."""
        open_ones: list[int] = []
        first = len(self.statements)
        self.statements += statements
        self.results += [{} for _ in statements]
        for index, statement in enumerate(statements, first):
            known = self._cache.get(statement) if self._cache is not None else None
            if known is not None and known.record["verdict"] != str(Kind.PROVED):
                self._enter(index, Outcome(result=known.record, seconds=known.seconds), cached=True)
                continue
            if known is not None:
                self._replays[index] = known
            open_ones.append(index)
        # what takes long first, so that no worker is left with it at the end
        open_ones.sort(key=lambda i: -weight(self.statements[i].source))
        self.tasks += [task_of(self.statements[i], self._replays.get(i)) for i in open_ones]
        self._asked += open_ones

    def given(self, number: int) -> None:
        """A worker has begun with a task."""
        index = self._asked[number]
        if self._begun is not None and index is not None:
            self._begun(self.statements[index].id)

    def done(self, number: int, outcome: Outcome) -> None:
        """A task has ended."""
        index = self._asked[number]
        if index is None:
            self._executed(self.tasks[number]["source"], outcome)
            return
        statement = self.statements[index]
        if outcome.replayed:
            outcome = replace(outcome, seconds=self._replays[index].seconds)
        elif (
            self._cache is not None
            and outcome.result is not None
            and not outcome.result.get("recorded")
        ):
            self._cache.put(statement, Kept(outcome.result, outcome.seconds, outcome.lines))
        if self._found is not None and outcome.result is not None:
            self._found(statement, outcome)
        self._enter(index, outcome, cached=outcome.replayed)

    def _executed(self, source: str, outcome: Outcome) -> None:
        if outcome.result is None:
            raise InputError(
                outcome.failure
                if outcome.bad_input
                else f"{short(Path(source))}: {outcome.failure}"
            )
        outlines: list[Any] = outcome.result
        del self._unread[source]
        # an id of two files is an error; sorting all that came before is not needed to see that
        new = {s.id for s in outlines}
        merge([[s for s in self.statements if s.id in new], outlines])
        if self._told is not None:
            self._told(outlines)
        self.add(outlines)
        if not self._unread:
            ids = {s.id for s in self.statements}
            require_repairs(merge([self.statements]), lambda name, _: name in ids)

    def _enter(self, index: int, outcome: Outcome, cached: bool = False) -> None:
        self._finished += 1
        statement = self.statements[index]
        said = describe(statement, self._formulas)
        self.results[index] = {**result_of(said, outcome), "cached": cached}
        if self._progress is not None:
            self._progress(
                self._finished,
                len(self.statements) + sum(self._unread.values()),
                statement.id,
                self.results[index]["verdict"],
            )


@cache
def weight(source: str) -> int:
    """How much the kernel has to read for a proof file: bytes of the derivations beside it."""
    from lapdp.theory.derivations import place

    path = place(source) if source else None
    return path.stat().st_size if path is not None and path.is_file() else 0


def _paper(source: str) -> str:
    """The room of a file that is executed beside others of its folder."""
    return str(Path(source).parent)


def task_of(statement: Statement | Outline, kept: Kept | None = None) -> dict[str, Any]:
    """What a worker is told of a statement, and what is kept of its verdict.

    Raises :class:`InputError` for one that was declared outside a file and cannot be sent.
    """
    known = {} if kept is None else {"kept": {"record": kept.record, "lines": kept.lines}}
    if statement.source:
        told = {"source": statement.source, "id": statement.id, **known}
        if isinstance(statement, Outline):
            return {**told, "identity": statement.identity, "room": _paper(statement.source)}
        return {**told, "identity": identity(statement)}
    try:
        return {"pickle": pickle.dumps(statement), **known}
    except Exception as problem:
        raise InputError(
            f"{statement.id} cannot be sent to a process ({problem}): put it in a proof file"
        ) from problem


def result_of(description: dict[str, Any], outcome: Outcome) -> dict[str, Any]:
    """What is told of a statement: the record of its judgement with its description."""
    record = outcome.result
    if record is None:
        stopped = Judgement(Kind.UNDECIDED, "", reason=outcome.failure)
        record = stopped.admitted(description["cited"]).record()
    return {"recorded": [], **record, **description, "seconds": round(outcome.seconds, 4)}


__all__ = ["Course", "Progress", "describe", "result_of", "task_of"]
