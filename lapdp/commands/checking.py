"""``lapdp check``: one relation given as text, judged within the time that is given."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lapdp.commands import limited
from lapdp.commands.exits import BAD, GOOD, OPEN
from lapdp.core.errors import IllFormed, InputError

if TYPE_CHECKING:
    from lapdp.theory.task_outcome import Outcome

MOST_DIGITS = 1000
GRACE = 2.0
"""Seconds beyond the time limit in which what was found is handed over."""
ANSWER = "lapdp.commands.checking:answer"
"""What the process runs that judges."""
LEAST = 1.0
"""Seconds that a judge has where reading alone took all the time."""


@dataclass(frozen=True)
class Question:
    """A relation with its conditions as text, and how it is judged."""

    relation: str
    where: tuple[str, ...] = ()
    examples: int = 200
    digits: int = 30
    seed: int = 0
    numeric: bool = True
    seconds: float = 60.0
    since: float | None = None
    """When the time began, on the clock of the machine: what it takes to start counts."""


@dataclass(frozen=True)
class Judged:
    """The result as plain data, or why the text cannot be read."""

    data: dict[str, Any]
    error: str = ""

    def record(self) -> dict[str, Any]:
        """As a process sends it."""
        return {"error": self.error} if self.error else self.data


def answer(question: Question, **_: Any) -> Judged:
    """The verdict on the relation, with the statement that it makes.

    >>> found = answer(Question("x + y == y + x", numeric=False)).record()
    >>> found["verdict"], found["claim"]
    ('derived', 'x + y == x + y')
    >>> answer(Question("x =")).error
    "cannot read 'x =': check signs and commas"
    """
    from lapdp.testing.judging import judge
    from lapdp.theory.checking import check_statement
    from lapdp.theory.course import describe

    try:
        statement = check_statement(question.relation, question.where)
    except (InputError, IllFormed) as problem:
        return Judged({}, " ".join(str(problem).split()))
    spent = 0.0 if question.since is None else time.monotonic() - question.since
    judged = judge(statement, digits=question.digits, seed=question.seed, numeric=question.numeric,
                   examples=question.examples, seconds=max(LEAST, question.seconds - spent))
    data = {"recorded": [], **judged.record(), **describe(statement)}
    if data["verdict"] in ("refuted", "undecided") and statement.pairs:
        data["note"] = "; ".join(filter(None, (data["note"], _of_complex(statement.parameters))))
    return Judged(data)


def _of_complex(letters: Iterable[Any]) -> str:
    """A word on orders that are meant to be real, and are not said to be."""
    free = sorted(str(s) for s in letters if s.is_real is None)
    if not free:
        return ""
    are = "is any complex number" if len(free) == 1 else "are any complex numbers"
    return (f"{', '.join(free)} {are}: a condition "
            f'such as --where "{free[0]} > 1" makes it real')


def run(arguments: argparse.Namespace) -> int:
    """Judge one relation given as text."""
    if arguments.examples < 1:
        raise InputError("examples must be an integer >= 1")
    if not 1 <= arguments.digits <= MOST_DIGITS:
        raise InputError(f"digits must be between 1 and {MOST_DIGITS}")
    if arguments.seed < 0:
        raise InputError("the seed must be an integer >= 0")
    question = Question(arguments.relation, tuple(arguments.where), arguments.examples,
                        arguments.digits, arguments.seed, not arguments.no_numeric,
                        arguments.timeout, time.monotonic())
    found = limited.outcome(ANSWER, question, arguments.timeout, doing="judging",
                            quiet=arguments.quiet, grace=GRACE)
    return _told(_result(question, found), arguments)


def _result(question: Question, found: Outcome) -> dict[str, Any]:
    """What is told; of a text that was not even read when the limit came, the text."""
    from lapdp.core.verdict import Judgement, Kind
    from lapdp.theory.course import describe
    from lapdp.theory.language import Eq
    from lapdp.theory.statement import Statement

    if found.result is not None:
        return {**found.result, "stopped": "", "seconds": round(found.seconds, 4)}
    unread = describe(Statement("check", Eq(0, 0), printed=question.relation))
    unread |= {"claim": question.relation, "hypotheses": list(question.where), "encoded": "",
               "hash": ""}
    # the limit that was given, without what is granted for handing over
    why = found.failure
    if "time limit" in why:
        why = f"time limit of {question.seconds:g} s"
    stopped = Judgement(Kind.UNDECIDED, "", reason=why)
    return {**unread, "recorded": [], **stopped.record(), "stopped": why,
            "seconds": round(found.seconds, 4)}


def _told(result: dict[str, Any], arguments: argparse.Namespace) -> int:
    """Print the result; the exit code."""
    from lapdp.commands.showing import look
    from lapdp.report import json_report, text
    from lapdp.report.terminal import colours_wanted

    if arguments.json:
        sys.stdout.write(json_report.dumps(result))
    elif arguments.quiet:
        print(text.paint(result["verdict"], colours_wanted(sys.stdout)))
    elif result["stopped"]:
        late = limited.if_late(result["stopped"])
        verdict = text.paint(result["verdict"], colours_wanted(sys.stdout))
        print(f"check: {verdict}: {result['stopped']}{late}")
    else:
        print(text.full(result, **look(arguments)))
    return {"proved": GOOD, "derived": GOOD, "certified": GOOD, "tested": GOOD,
            "refuted": BAD, "ill-formed": BAD}.get(result["verdict"], OPEN)


__all__ = ["Judged", "Question", "answer", "run"]
