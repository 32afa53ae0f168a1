"""``lapdp sweep``: certified numbers for a file of questions, over all cores."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from lapdp.commands.exits import GOOD, OPEN
from lapdp.core.errors import InputError

_SWEEP = """examples:
  lapdp sweep questions.txt --jobs all --json answers.json
  echo "delta(laplace(1)**100, 20, digits=30)" | lapdp sweep -

One question a line; # begins a comment.  delta, epsilon, moment, renyi and tradeoff take a
mechanism, a number and digits (default 15).  Or the file is a JSON list of such texts.

exit codes: 0 all are answered; 2 bad input; 3 some have no answer, with the reason"""
Command = Callable[..., argparse.ArgumentParser]


def add_sweep(command: Command, run: Callable[[argparse.Namespace], int]) -> None:
    """The command ``sweep``."""
    made = command("sweep", run, "answer a file of questions by certified numbers", _SWEEP)
    made.add_argument("file", metavar="FILE", help="lines or a JSON list; - for stdin")
    made.add_argument("--jobs", default="1", metavar="N", help="processes, or all (default 1)")
    made.add_argument("--json", metavar="F", help="write the answers to F (- for stdout)")
    made.add_argument("--timeout", type=float, default=60.0, metavar="S",
                      help="seconds for a question, then it has no answer (default 60)")


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
    with Progress(sys.stderr, quiet=False) as progress:
        rows = sweep(queries, jobs=jobs, timeout=arguments.timeout, progress=progress.step)
    if arguments.json:
        report = {**json_report.heading(), "answers": [row.record() for row in rows]}
        if arguments.json == "-":
            print(json_report.dumps(report))
        else:
            json_report.write(arguments.json, report)
    if arguments.json != "-":
        print("\n".join(str(row) for row in rows))
    return OPEN if any(row.answer is None for row in rows) else GOOD


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
    except (OSError, UnicodeDecodeError) as problem:
        raise InputError(f"{name} cannot be read: {problem}") from None


__all__ = ["add_sweep", "questions", "run"]
