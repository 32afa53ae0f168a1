"""``lapdp sweep``: certified numbers for a file of questions, over all cores."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from lapdp.commands.declaring import Commands, add_amount, add_timeout, clip
from lapdp.commands.exits import GOOD, OPEN
from lapdp.core.errors import InputError

_SWEEP = """
echo "delta(laplace(1)**100, 20, digits=30)" | lapdp sweep -
lapdp sweep questions.txt --jobs all --json answers.json
"""
_NOTES = """
One question a line; # begins a comment.  delta, epsilon, moment, renyi and tradeoff take a
mechanism, a number and digits (default 15).  Or the file is a JSON list of such texts."""


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
    from lapdp.accounting.queries import Query
    from lapdp.accounting.sweeps import sweep
    from lapdp.commands.progress import Progress
    from lapdp.report import json_report

    queries = []
    for number, line in enumerate(questions(_text(arguments.file)), 1):
        try:
            queries.append(Query.of(line))
        except InputError as problem:
            raise InputError(f"question {number}, {line[:40]!r}: {problem}") from None
    if not queries:
        raise InputError(f"{arguments.file} holds no question: write lines such as "
                         "delta(laplace(1), 1)")
    if arguments.json and arguments.json != "-":
        json_report.check_writable(arguments.json)
    jobs: Any = int(arguments.jobs) if arguments.jobs.isdecimal() else arguments.jobs
    with Progress(sys.stderr, arguments.quiet, workers=_workers(jobs), limit=arguments.timeout,
                  kept="no answer is kept") as progress:
        rows = sweep(queries, jobs=jobs, timeout=arguments.timeout, progress=progress.step)
    if arguments.json:
        report = {**json_report.heading(), "answers": [row.record() for row in rows]}
        if arguments.json == "-":
            print(json_report.dumps(report))
        else:
            json_report.write(arguments.json, report)
    if arguments.json != "-":
        _show(rows, arguments)
    return OPEN if any(row.answer is None for row in rows) else GOOD


def _workers(jobs: Any) -> int:
    from lapdp.theory.runner import processors

    return processors() if jobs == "all" else jobs if isinstance(jobs, int) else 1


def _show(rows: Any, arguments: argparse.Namespace) -> None:
    if not arguments.quiet:
        for row in rows:
            print(row)
            if arguments.verbose and row.answer is not None:
                print(f"    by {row.answer.method}, {row.seconds:.3g} s")
        return
    open_ones = sum(row.answer is None for row in rows)
    print(f"{len(rows) - open_ones} of {len(rows)} questions are answered")


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
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def _text(name: str) -> str:
    try:
        return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except OSError as problem:
        raise InputError(f"{clip(name)} cannot be read: {problem.strerror}") from None
    except ValueError:
        raise InputError(f"{clip(name)} is no text in UTF-8: write one question a line") from None


__all__ = ["add", "questions", "run"]
