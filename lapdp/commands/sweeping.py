"""``lapdp sweep``: certified numbers for a file of questions, over all cores."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from textwrap import indent
from typing import TYPE_CHECKING, Any, TextIO

from lapdp.commands.declaring import Commands, add_amount, add_timeout, clip
from lapdp.commands.exits import GOOD, OPEN
from lapdp.core.errors import InputError

if TYPE_CHECKING:
    from lapdp.accounting.kept_answers import KeptAnswers

BATCH = 10_000
"""Questions that are held at a time."""
_SWEEP = """
echo "delta(laplace(1)**100, 20, digits=30)" | lapdp sweep -
lapdp sweep questions.txt --jobs all --json answers.json
"""
_NOTES = """
One question a line; # begins a comment.  delta, epsilon, moment, renyi and tradeoff take a
mechanism, a number and digits (default 15).  Or the file is a JSON list of such texts.
With --json F answers are kept in F.part as they come: an interrupted sweep goes on from there."""


def add(commands: Commands) -> None:
    """The command ``sweep``."""
    made = commands.add(
        "generate", "sweep", run, "answer a file of questions by certified numbers",
        examples=_SWEEP, notes=_NOTES,
        exits="0 all are answered; 2 bad input; 3 some have no answer, with the reason")
    made.add_argument("file", metavar="FILE", help="lines or a JSON list; - for stdin")
    made.add_argument("--jobs", default="1", metavar="N", help="processes, or all (default 1)")
    made.add_argument("--json", metavar="F", help="write the answers to F (- for stdout)")
    add_amount(made, "how many are answered", "method and seconds of each answer")
    add_timeout(made, "a question", "it has no answer")


def run(arguments: argparse.Namespace) -> int:
    """Answer all lines, print or write them."""
    from lapdp.accounting.kept_answers import KeptAnswers
    from lapdp.report import json_report

    with _source(arguments.file) as lines:
        total = _checked(lines, arguments.file)
        jobs: Any = int(arguments.jobs) if arguments.jobs.isdecimal() else arguments.jobs
        if not arguments.json or arguments.json == "-":
            return _answered(lines, total, jobs, None, arguments)
        json_report.check_writable(arguments.json, json_report.REPORT)
        part = Path(f"{arguments.json}.part")
        with KeptAnswers(part, json_report.heading(), total) as kept:
            code = _answered(lines, total, jobs, kept, arguments)
            json_report.write_parts(arguments.json, _document(kept.records()), json_report.REPORT)
            kept.remove()
        return code


def _checked(lines: Iterable[str], name: str) -> int:
    """How many questions there are, each of which can be read."""
    from lapdp.accounting.queries import Query

    number = 0
    for number, line in enumerate(lines, 1):
        try:
            Query.of(line)
        except InputError as problem:
            raise InputError(f"question {number}, {line[:40]!r}: {problem}") from None
    if not number:
        raise InputError(f"{name} holds no question: write lines such as delta(laplace(1), 1)")
    return number


def _answered(lines: Iterable[str], total: int, jobs: Any, kept: KeptAnswers | None,
              arguments: argparse.Namespace) -> int:
    """Ask what is open, batch by batch, and show all answers in their order."""
    from lapdp.accounting.queries import Query
    from lapdp.accounting.sweeps import sweep
    from lapdp.commands.progress import Progress

    said = ("no answer is kept: --json F keeps them" if kept is None else
            f"the answers are kept in {kept.path}, the same command goes on from here")
    done = answered = 0
    shown = _Shown(arguments)
    with Progress(sys.stderr, arguments.quiet, workers=_workers(jobs), limit=arguments.timeout,
                  kept=said) as progress:
        for batch in batches(lines, BATCH):
            asked = [Query.of(line) for line in batch]
            known = [None if kept is None else kept.get(done + k, str(query))
                     for k, query in enumerate(asked)]
            waiting = [k for k, record in enumerate(known) if record is None]
            before = done + len(batch) - len(waiting)

            def keep(place: int, row: Any, start: int = done, open_ones: list[int] = waiting
                     ) -> None:
                if kept is not None:
                    kept.put(start + open_ones[place], _record(row))

            def step(count: int, _: int, query: str, answer: str, start: int = before) -> None:
                progress.step(start + count, total, query, answer)

            rows = sweep([asked[k] for k in waiting], jobs=jobs, timeout=arguments.timeout,
                         progress=step, each=keep)
            for k, row in zip(waiting, rows, strict=True):
                known[k] = _record(row)
            for record in known:
                assert record is not None
                answered += "refusal" not in record
                shown.show(record)
            done += len(batch)
    shown.end(answered, total)
    return GOOD if answered == total else OPEN


def _record(row: Any) -> dict[str, Any]:
    """A row as plain data, with its line for readers."""
    return {**row.record(), "shown": str(row)}


def batches(lines: Iterable[str], size: int) -> Iterator[list[str]]:
    """So many lines at a time.

    >>> list(batches("abc", 2))
    [['a', 'b'], ['c']]
    """
    left = iter(lines)
    while batch := list(islice(left, size)):
        yield batch


def _document(records: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The report as text, piece by piece; as a whole it is what ``json_report.dumps`` writes."""
    from lapdp.report import json_report

    before, _, after = json_report.dumps({**json_report.heading(), "answers": [0]}).rpartition("0")
    yield before.rstrip()
    comma = ""
    for found in records:
        record = {name: value for name, value in found.items() if name not in ("n", "shown")}
        yield comma + indent("\n" + json_report.dumps(record).rstrip(), "    ")
        comma = ","
    yield after


class _Shown:
    """Answers on stdout as they come: lines, or one JSON document."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.arguments = arguments
        self.json = arguments.json == "-"
        self._first = True

    def show(self, record: dict[str, Any]) -> None:
        """One answer."""
        if self.json:
            pieces = list(_document([record]))
            sys.stdout.write((pieces[0] if self._first else ",") + pieces[1])
            self._first = False
        elif not self.arguments.quiet:
            print(record["shown"])
            if self.arguments.verbose and "refusal" not in record:
                print(f"    by {record['method']}, {record['seconds']:.3g} s")

    def end(self, answered: int, total: int) -> None:
        """What comes last."""
        if self.json:
            sys.stdout.write(list(_document([]))[-1])
        elif self.arguments.quiet:
            print(f"{answered} of {total} questions are answered")


def _workers(jobs: Any) -> int:
    from lapdp.theory.runner import processors

    return processors() if jobs == "all" else jobs if isinstance(jobs, int) else 1


def questions(text: str) -> list[str]:
    """The questions of a file.

    >>> questions("# two\\ndelta(laplace(1), 1/2)\\n\\nepsilon(gaussian(1), 1e-5)  # one")
    ['delta(laplace(1), 1/2)', 'epsilon(gaussian(1), 1e-5)']
    >>> questions('["delta(laplace(1), 1/2)"]')
    ['delta(laplace(1), 1/2)']
    """
    if text.lstrip().startswith(("[", "{")):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError) as problem:
            raise InputError(f"the file is no JSON list: {problem}") from None
        if not isinstance(found, list) or not all(isinstance(line, str) for line in found):
            raise InputError("the JSON must be a list of texts such as \"delta(laplace(1), 1)\"")
        return list(found)
    return [found for line in text.splitlines() for found in questions_in(line)]


def questions_in(line: str) -> list[str]:
    """The question of a line; none where there is but a comment."""
    found = line.partition("#")[0].strip()
    return [found] if found else []


class _Lines:
    """The questions of a file that is read again each time, or of a text that is held."""

    def __init__(self, file: TextIO, name: str) -> None:
        self.file, self.name = file, name
        self.held: list[str] | None = None
        with _reading(name):
            start = file.read(1)
            while start.isspace():
                start = file.read(1)
            if start in ("[", "{"):
                file.seek(0)
                self.held = questions(file.read())

    def __iter__(self) -> Iterator[str]:
        if self.held is not None:
            yield from self.held
            return
        self.file.seek(0)
        while True:
            with _reading(self.name):
                line = self.file.readline()
            if not line:
                return
            yield from questions_in(line)


@contextmanager
def _source(name: str) -> Iterator[_Lines]:
    if name == "-":
        with TemporaryFile("w+", encoding="utf-8") as held:
            with _reading(name):
                copyfileobj(sys.stdin, held)
            held.seek(0)
            yield _Lines(held, name)
        return
    with _reading(name):
        file = Path(name).open(encoding="utf-8")  # noqa: SIM115
    with file:
        yield _Lines(file, name)


@contextmanager
def _reading(name: str) -> Iterator[None]:
    """Around what only reads: whatever fails is the file's fault."""
    try:
        yield
    except OSError as problem:
        raise InputError(f"{clip(name)} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise InputError(f"{clip(name)} is no text in UTF-8: write one question a line") from None


__all__ = ["add", "questions", "run"]
