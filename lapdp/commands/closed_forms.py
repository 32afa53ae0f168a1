"""``lapdp profile | loss | renyi | ...``: closed forms of a mechanism given as text."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from lapdp.commands import numbers
from lapdp.commands.declaring import Commands, add_amount, add_timeout
from lapdp.commands.exits import GOOD
from lapdp.commands.limited import LONGER, ask
from lapdp.core.errors import InputError, LapdpError, Unsupported
from lapdp.report.formats import FORMATS

_EXAMPLES = """
lapdp {name} "randomized_response(0.1)"
lapdp {name} "laplace(scale=10)**2 * geometric(log(2))" --format latex
lapdp {name} "laplace(2)" --at 1/2 --format python
"""
_NOTES = """
Exact, in closed form.  The format sympy is paste-ready after "from sympy import *", mpmath is a
function for mpmath at any precision (python means the same), numpy one of arrays of doubles."""
_DIGITS_NOTES = """

With --digits, a number and a proved radius, also where there is no closed form."""
NOTIONS = {
    "profile": "print the privacy profile delta(t) of a mechanism",
    "loss": "print the privacy loss distribution of a mechanism",
    "moment": "print the moment E(q) of a mechanism",
    "renyi": "print the Renyi divergence R(q) of a mechanism",
    "tradeoff": "print the trade-off function f(a) of a mechanism",
    "characteristic": "print the characteristic function of the loss of a mechanism",
}
ABOUT = 12
"""Digits of a number beside its closed form."""
NUMBERS = {"moment": "q", "renyi": "q", "tradeoff": "a"}
"""Notions whose command gives certified numbers too, with their variables."""
_LATE = "a number may take far less, ask for one with --at X --digits 15"
"""What to do when the time is up, where there are certified numbers."""


def add(commands: Commands) -> None:
    """A command for each notion."""
    for name, says in NOTIONS.items():
        examples, notes = _EXAMPLES.format(name=name), _NOTES
        if name in NUMBERS:
            examples += f'lapdp {name} "laplace(10)**100" --at 1/3 --digits 20\n'
            notes += _DIGITS_NOTES
        notion = commands.add("generate", name, run, says, examples=examples, notes=notes)
        notion.add_argument("mechanism", metavar="MECH",
                            help='such as "laplace(scale=10)**3 * randomized_response(0.1)"')
        notion.add_argument("--at", metavar="X", help="one exact point instead of the curve")
        notion.add_argument("--format", choices=FORMATS, default="text",
                            help="how to write the answer (default text)")
        if name in NUMBERS:
            numbers.add_digits(notion, name, NUMBERS[name])
        else:
            add_amount(notion, "the answer")
        add_timeout(notion)
        notion.set_defaults(notion=name)


def run(arguments: argparse.Namespace) -> int:
    """Answer in a process with a time limit, and print what comes back."""
    if getattr(arguments, "digits", None) is not None:
        if arguments.at is None or arguments.format != "text":
            raise InputError("--digits gives a number: it needs --at, and --json or no format")
        return numbers.run(arguments)
    if getattr(arguments, "json", False):
        raise InputError("--json is for numbers: give --at and --digits too")
    if getattr(arguments, "verbose", False):
        raise InputError("--verbose is for numbers: give --at and --digits too")
    question = Question(arguments.notion, arguments.mechanism, arguments.at, arguments.format)
    print(ask("lapdp.commands.closed_forms:answer", question, arguments.timeout,
              doing=f"the {arguments.notion} in closed form", quiet=arguments.quiet,
              late=_LATE if arguments.notion in NUMBERS else LONGER)["text"])
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
    delta(t) = 1 - e^t      if t < -log(3)
             = 3/4 - e^t/4  if -log(3) <= t < log(3)
             = 0            if t >= log(3)
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
    text = write(notion, question.format, point)
    return text if question.format != "text" or point is None else f"{text}{_about(notion, point)}"


def _about(notion: Any, point: Any) -> str:
    """The size of what is written with functions of numbers; --digits proves its digits."""
    import sympy as sp

    try:
        value = notion(point)
    except Unsupported:
        return ""  # no closed form: what is written is an enclosure
    if not isinstance(value, sp.Expr) or not value.is_number or value.is_Rational or (
            not value.is_finite):
        return ""
    return f"\nabout {sp.N(value, ABOUT)}"
