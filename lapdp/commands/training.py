"""``lapdp training``: what noisy training costs, or what a budget allows."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from typing import Any

from lapdp.commands import declaring
from lapdp.commands.declaring import Commands, clip
from lapdp.commands.exits import GOOD
from lapdp.commands.limited import ask
from lapdp.commands.numbers import Found, how, shown
from lapdp.core.errors import InputError, LapdpError

_TRAINING = """
lapdp training --rate 0.01 --sigma 1 --steps 1000 --delta 1e-5
lapdp training --rate 0.01 --steps 1000 --eps 1 --delta 1e-5 --digits 8
lapdp training --rate 0.01 --sigma 1 --eps 2 --delta 1e-5 --further 0.02,1.5,500 --json
lapdp training --rate 0.01 --sigma 1 --steps 10,100,1000 --delta 1e-5 --plot steps.svg
"""
_NOTES = """
A step draws a batch, adds its clipped gradients, and Gaussian noise of sigma times the bound of
clipping.  Of --sigma, --steps, --eps and --delta leave one out: it is the answer, the least sigma,
the most steps, the least eps or delta.  --further RATE,SIGMA,STEPS is done as well, and may be
given more than once.  Several numbers of steps, --steps 10,100,1000, give a table, which --plot
draws.  Neighbours: add-remove (batches by Poisson sampling, the worse of both
directions), add or remove alone, or replace-one (batches of a fixed size, one record replaced)."""
NUMBERS = {
    "rate": ("Q", "the part of the records that a batch holds on average"),
    "sigma": ("S", "the noise multiplier"),
    "steps": ("K", "the number of steps, or several: 10,100,1000"),
    "epsilon": ("E", "an exact number such as 0.1, 1/3, log(3)"),
    "delta": ("D", "an exact number such as 1e-5"),
}
"""The numbers of a question, each with its letter and what it is."""


def add(commands: Commands) -> None:
    """The command ``training``."""
    made = commands.add("generate", "training", run,
                        "answer what DP-SGD costs, or what a budget allows",
                        examples=_TRAINING, notes=_NOTES)
    for name, (letter, says) in NUMBERS.items():
        short = ["--eps"] if name == "epsilon" else []
        made.add_argument(*short, f"--{name}", dest=name, metavar=letter, help=says)
    made.add_argument("--further", action="append", default=[], metavar="Q,S,K",
                      help="a phase of training that is done as well")
    made.add_argument("--neighbours", default="add-remove", metavar="WORD",
                      help="add-remove (default), add, remove or replace-one")
    made.add_argument("--plot", metavar="FILE",
                      help="draw the numbers against several numbers of steps: svg, pdf or png")
    declaring.add_digits(made, "relative digits", 15)
    made.add_argument("--json", action="store_true", help="print the answer as JSON")
    declaring.add_amount(made, "the answer", "the question as it was read")
    declaring.add_timeout(made)


def run(arguments: argparse.Namespace) -> int:
    """Answer in a process with a time limit, and print what comes back."""
    from lapdp.report import json_report

    if arguments.plot and "," not in (arguments.steps or ""):
        raise InputError("--plot needs several numbers of steps: --steps 10,100,1000")
    question = Question({name: getattr(arguments, name) for name in NUMBERS},
                        tuple(_phase(text) for text in arguments.further),
                        arguments.neighbours, arguments.digits)
    found = ask("lapdp.commands.training:answer", question, arguments.timeout,
                doing="training", quiet=arguments.quiet)
    if arguments.plot:
        _draw(found, arguments.plot)
    if arguments.json:
        print(json_report.dumps({**json_report.heading(), **found}), end="")
        return GOOD
    if "rows" in found:
        print("\n".join(_table(found, arguments.quiet)))
        return GOOD
    print(_first(found))
    if not arguments.quiet:
        print("\n".join(_proof(found)))
    if arguments.verbose:
        print("\n".join(_read(found["question"])))
    return GOOD


def _phase(text: str) -> tuple[str, ...]:
    parts = tuple(part.strip() for part in text.split(","))
    if len(parts) != 3:
        raise InputError(f"--further {clip(text)} must be RATE,SIGMA,STEPS")
    return parts


@dataclass(frozen=True)
class Question:
    """A question about training, all as text."""

    numbers: dict[str, str | None]
    """By name; None for what is asked, and for what is missing."""
    further: tuple[tuple[str, ...], ...] = ()
    neighbours: str = "add-remove"
    digits: int = 15


def answer(question: Question, **_: Any) -> Found:
    """The number that is left out, with its proof.

    >>> found = answer(Question({"rate": "1", "sigma": "10", "epsilon": "2", "delta": "1e-5"}))
    >>> found.data["question"]["asked"], found.data["value"]
    ('steps', '25')
    """
    from lapdp.accounting.training import training
    from lapdp.theory.parse import parse_expression

    numbers: dict[str, Any] = dict(question.numbers)
    try:
        if numbers["rate"] is None:
            raise InputError("rate is missing: the part of the records that a batch holds, "
                             "--rate 0.01")
        if numbers["epsilon"] is not None:
            numbers["epsilon"] = parse_expression(numbers["epsilon"], {})
        if "," in (numbers.get("steps") or ""):
            numbers["steps"] = [part.strip() for part in numbers["steps"].split(",")]
        return Found(training(**numbers, further=question.further, neighbours=question.neighbours,
                              digits=question.digits).record())
    except LapdpError as problem:
        return Found(error=" ".join(str(problem).split()))


def _table(found: dict[str, Any], quiet: bool) -> list[str]:
    """A line for each number of steps."""
    rows = [(row["question"]["steps"], shown(row), how(row)) for row in found["rows"]]
    widths = [max(len(row[i]) for row in rows) for i in range(2)]
    first = f"{'steps':>{widths[0]}}  {found['asked']}"
    return [first, *(f"{steps:>{max(widths[0], len('steps'))}}  {number:{widths[1]}}"
                     f"{'' if quiet else '  by ' + by}".rstrip() for steps, number, by in rows)]


def _draw(found: dict[str, Any], path: str) -> None:
    from lapdp.report.plots.training import draw

    ax = draw([(int(row["question"]["steps"]), float(row["value"])) for row in found["rows"]],
              found["asked"])
    import matplotlib.pyplot as plt

    try:
        ax.figure.savefig(path)
    except (OSError, ValueError) as problem:
        raise InputError(f"--plot {clip(path)}: {' '.join(str(problem).split())[:80]}") from None
    finally:
        plt.close(ax.figure)


def _first(found: dict[str, Any]) -> str:
    worse = ", the worse of both directions" if "directions" in found else ""
    return f"{found['question']['asked']} {shown(found)}{worse}"


def _read(question: dict[str, Any]) -> list[str]:
    """The question as it was read."""
    return [*(f"{name}: {value}" for name, value in question.items()
              if name not in ("asked", "further")),
            *(f"further: rate {q}, sigma {s}, {k} steps" for q, s, k in question["further"])]


def _after(steps: str) -> int:
    return int(steps) + 1


def _proof(found: dict[str, Any]) -> list[str]:
    """What proves the answer, or by which method it comes."""
    if "directions" in found:
        return [f"  {side:8} {shown(each)}, by {how(each)}"
                for side, each in found["directions"].items()]
    lines = [f"by {how(found)}"]
    if "holds" in found:
        lines.append(f"{found['holds']} keeps within the budget, {found['fails']} does not")
        lines.append(f"so does what is larger: {found['monotone']}" if found["monotone"] else
                     "of what is larger nothing is known")
    if found["question"]["asked"] == "steps":
        lines += [f"delta of {steps} steps: {shown(found[end])}" for end, steps in (
            ("within", found["value"]), ("beyond", _after(found["value"]))) if end in found]
    return lines


__all__ = ["Question", "add", "answer", "run"]
