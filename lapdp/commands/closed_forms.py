"""``lapdp profile | loss | renyi | ...``: closed forms of a mechanism given as text."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from lapdp.commands import numbers
from lapdp.commands.exits import GOOD
from lapdp.commands.limited import ask
from lapdp.core.errors import InputError, LapdpError


def run(arguments: argparse.Namespace) -> int:
    """Answer in a process with a time limit, and print what comes back."""
    if getattr(arguments, "digits", None) is not None:
        if arguments.at is None or arguments.format != "text":
            raise InputError("--digits gives a number: it needs --at, and --json or no format")
        return numbers.run(arguments)
    if getattr(arguments, "json", False):
        raise InputError("--json is for numbers: give --at and --digits too")
    question = Question(arguments.notion, arguments.mechanism, arguments.at, arguments.format)
    print(ask("lapdp.commands.closed_forms:answer", question, arguments.timeout)["text"])
    return GOOD


@dataclass(frozen=True)
class Question:
    """A notion of a mechanism, as a curve or at one point, in one format."""

    notion: str
    mechanism: str
    at: str | None = None
    format: str = "text"


@dataclass(frozen=True)
class Answer:
    """The text to print, or why there is none."""

    text: str = ""
    error: str = ""

    def record(self) -> dict[str, str]:
        """Plain data, as a worker sends it."""
        return {"text": self.text, "error": self.error}


def answer(question: Question, **_: Any) -> Answer:
    """The closed form that is asked for.

    >>> print(answer(Question("profile", "randomized_response(log(3))")).text)
    delta(t) = Piecewise((1 - exp(t), t < -log(3)), (3/4 - exp(t)/4, t < log(3)), (0, True))
    >>> print(answer(Question("profile", "laplace(1)", at="1/2", format="python")).text)
    (-1 + mp.exp(mp.mpf(1)/mp.mpf(4)))*mp.exp(mp.mpf(-1)/mp.mpf(4))
    >>> answer(Question("profile", "laplace(0)")).error
    'scale = 0 must be positive'
    """
    try:
        return Answer(_written(question))
    except LapdpError as problem:
        return Answer(error=" ".join(str(problem).split()))


def _written(question: Question) -> str:
    from lapdp.privacy import catalogue
    from lapdp.privacy.notions.notion import Notion
    from lapdp.privacy.pair import Pair
    from lapdp.report.formats import write
    from lapdp.theory.parse import parse_expression, parse_mechanism

    pair = parse_mechanism(question.mechanism, catalogue())
    if not isinstance(pair, Pair):
        raise InputError(f"{question.mechanism} is no mechanism: lapdp mechanisms lists them")
    notion: Notion = getattr(pair, question.notion)
    if notion.letter in {s.name for s in pair.free_symbols}:
        raise InputError(f"{notion.letter} is the variable of the {notion.name}: name the "
                         "parameter of the mechanism otherwise")
    point = None if question.at is None else parse_expression(
        question.at, {notion.letter: pair.variable(notion.letter)})
    return write(notion, question.format, point)
