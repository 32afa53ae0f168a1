"""``lapdp class``: the privacy loss class of a mechanism given as text."""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass
from typing import Any

from lapdp.commands.declaring import Commands, add_amount, add_digits, add_timeout
from lapdp.commands.exits import GOOD
from lapdp.commands.limited import ask
from lapdp.core.errors import InputError, LapdpError

_EXAMPLES = """
lapdp class "laplace(10)**3 * randomized_response(0.1, 1e-8)"
lapdp class "laplace(2)" --format latex
lapdp class "poisson(gaussian(4), 0.01, direction='remove')**65536" --digits 20
"""
_NOTES = """
Mean and variance of the finite losses and the probability of an infinite one (Sommer, Meiser and
Mohammadi 2020, Definition 10), exact and in closed form; with --digits as numbers with a proved
radius, also where there is no closed form."""
_FORMATS = ("text", "latex", "json")
_NAMES = ("mean", "variance", "mass_at_infinity")


def add(commands: Commands) -> None:
    """The command."""
    made = commands.add("generate", "class", run, "print the privacy loss class of a mechanism",
                        examples=_EXAMPLES, notes=_NOTES)
    made.add_argument("mechanism", metavar="MECH", help='such as "laplace(scale=10)**3"')
    made.add_argument("--format", choices=_FORMATS, default="text",
                      help="how to write the answer (default text)")
    add_digits(made, "certified numbers with N relative digits", None)
    add_amount(made, "the answer")
    add_timeout(made)


def run(arguments: argparse.Namespace) -> int:
    """Answer in a process with a time limit, and print what comes back."""
    if arguments.digits is not None and arguments.format == "latex":
        raise InputError("--format latex writes closed forms: leave --digits out")
    question = Question(arguments.mechanism, arguments.digits, arguments.format)
    found = ask("lapdp.commands.loss_class:answer", question, arguments.timeout,
                doing="the privacy loss class", quiet=arguments.quiet)
    print(found["text"])
    return GOOD


@dataclass(frozen=True)
class Question:
    """The class of a mechanism: closed forms, or numbers to so many digits."""

    mechanism: str
    digits: int | None = None
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
    """The class that is asked for.

    >>> print(answer(Question("laplace(1)")).text)
    mean              exp(-1)
    variance          -6*exp(-1) - exp(-2) + 3
    mass at infinity  0
    >>> print(answer(Question("gaussian(2)", format="json")).text)
    {"mechanism": "gaussian(2, 1)", "mean": "1/8", "variance": "1/4", "mass_at_infinity": "0"}
    >>> answer(Question("discrete_gaussian(1)")).error.partition(" (")[0]
    'the loss class of discrete_gaussian(1, 1) has no closed form here'
    """
    try:
        return Answer(_written(question))
    except LapdpError as problem:
        return Answer(error=" ".join(str(problem).split()))


def _written(question: Question) -> str:
    from lapdp.privacy import catalogue
    from lapdp.privacy.pair import Pair
    from lapdp.theory.parse import parse_mechanism

    pair = parse_mechanism(question.mechanism, catalogue())
    if not isinstance(pair, Pair):
        raise InputError(f"{question.mechanism} is no mechanism: lapdp mechanisms lists them")
    found = pair.loss_class
    if question.format == "latex":
        return found.latex()
    if question.digits is None:
        record: dict[str, Any] = found.record()
        lines = {name: record[name] for name in _NAMES}
    else:
        numbers = found.at(question.digits)
        record = {"mechanism": repr(pair), **{
            name: x.to_json() for name, x in zip(_NAMES, numbers, strict=True)}}
        lines = {name: str(x) for name, x in zip(_NAMES, numbers, strict=True)}
    if question.format == "json":
        return json.dumps(record)
    return "\n".join(f"{name.replace('_', ' '):<16}  {value}" for name, value in lines.items())
