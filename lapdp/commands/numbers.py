"""``lapdp delta | epsilon``, ``lapdp moment | renyi | tradeoff --digits``: certified numbers."""

from __future__ import annotations

import argparse
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from lapdp.commands import declaring
from lapdp.commands.declaring import Commands
from lapdp.commands.exits import GOOD
from lapdp.commands.limited import ask
from lapdp.core.errors import InputError, LapdpError

if TYPE_CHECKING:
    from lapdp.accounting.answers import Answer

_DELTA = """
lapdp delta "gaussian(10)**100" --eps 20
lapdp delta "poisson(gaussian(1), 0.01, direction='remove')**1000" --eps 2 --direction both
lapdp delta "laplace(10)**100 * randomized_response(0.1, 1e-8)" --eps "log(3)" --digits 40 --json
"""
_DELTA_NOTES = """
Value +/- radius is a proof; it holds to N digits relative to the value, however small it is."""
_EPSILON = """
lapdp epsilon "randomized_response(0.1, 1e-8)**1000" --delta 1e-5
lapdp epsilon "poisson(gaussian(1), 0.01, direction='remove')**1000" --delta 1e-5 --json
"""
_EPSILON_NOTES = """
The least eps >= 0 with delta(eps) <= D.  It is oo where no finite one will do: D is below the mass
at infinite loss."""
_APPROXIMATE = """
lapdp approximate "randomized_response(0.001)**1000000" --eps 3
lapdp approximate "laplace(10)**400 * randomized_response(0.1)**100" --eps 3 --direction both
"""
_APPROXIMATE_NOTES = """
Value +/- radius encloses delta(eps), by the theorem of Berry and Esseen: the radius falls like one
over the root of the number of releases.  `lapdp delta` is far sharper where it answers."""
_PROBABILISTIC = """
lapdp probabilistic "gaussian(10)**100" --delta 1e-5
lapdp probabilistic "laplace(10)**3 * randomized_response(0.1, 1e-8)" --eps 0.2 --direction both
lapdp probabilistic "randomized_response(log(3))**3" --delta 27/64 --json
"""
_PROBABILISTIC_NOTES = """
A mechanism is (eps, delta)-probabilistically private where its loss exceeds eps with probability at
most delta, in both directions (lapdp show sommer2020/lemma-7): --direction both.  --eps E asks for
the least delta, --delta D for the least eps >= 0; oo where no finite one will do.  Numbers are
never below those of `lapdp delta` and `lapdp epsilon`, and post-processing can raise them."""
QUANTITIES = {"approximate": "normal_approximation"}
"""What commands ask a pair for, where their names differ."""
INVERSES = {"epsilon": "delta(eps)", "probabilistic_epsilon": "Pr[loss > eps]"}
"""What is at most delta from the answer on."""
LETTERS = ("eps", "delta", "q", "a")
"""Names of points."""
DIRECTIONS = ("forward", "reverse", "both")
METHODS = ("closed form", "contour", "characteristic")
FEWER = ("delta", "epsilon")
SOON = "15 where that takes no time, else 10, 5 or 3"
"""Quantities that have fewer digits where none are asked for, and how many."""


def add(commands: Commands) -> None:
    """The commands ``delta``, ``epsilon``, ``approximate`` and ``probabilistic``."""
    for name, letter, says, examples, notes in (
            ("delta", "eps", "print delta(eps) of a mechanism, certified", _DELTA, _DELTA_NOTES),
            ("epsilon", "delta", "print the least eps for a delta, certified on both sides",
             _EPSILON, _EPSILON_NOTES),
            ("approximate", "eps", "bound delta(eps) of many releases by a normal law",
             _APPROXIMATE, _APPROXIMATE_NOTES)):
        made = commands.add("generate", name, run, says, examples=examples, notes=notes)
        _mechanism(made)
        _point(made, letter, required=True)
        _answered(made, SOON if name in FEWER else "15")
        if name == "delta":
            made.add_argument("--method", choices=METHODS, metavar="NAME",
                              help=f"how to compute it: {', '.join(METHODS)} "
                                   "(default: what is thought fastest)")
        made.set_defaults(quantity=QUANTITIES.get(name, name), letter=letter)
    made = commands.add("generate", "probabilistic", _probabilistic,
                        "print Pr[loss > eps], or the least eps for it, certified",
                        examples=_PROBABILISTIC, notes=_PROBABILISTIC_NOTES)
    _mechanism(made)
    either = made.add_mutually_exclusive_group(required=True)
    for letter in ("eps", "delta"):
        _point(either, letter, dest=letter)
    _answered(made)


def _mechanism(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("mechanism", metavar="MECH",
                        help='such as "gaussian(10)**100 * laplace(scale=2)"')


def _point(parser: argparse._ActionsContainer, letter: str, dest: str = "at", **more: Any) -> None:
    names = ["--eps", "--epsilon"] if letter == "eps" else [f"--{letter}"]
    parser.add_argument(*names, dest=dest, metavar=letter[0].upper(), action=declaring.Joined,
                        help="an exact number such as 0.1, 1e-5, 1/3"
                             + (", log(3)" if letter == "eps" else "")
                             + "; several give a table: 0,1,2", **more)


def _answered(parser: argparse.ArgumentParser, usual: str = "15") -> None:
    declaring.add_digits(parser, f"relative digits (default {usual})", None)
    parser.add_argument("--direction", choices=DIRECTIONS, default="forward",
                        help="(P, Q) as written, (Q, P), or the worse of both (default forward)")
    parser.add_argument("--json", action="store_true", help="print the answer as JSON")
    _amount(parser)
    declaring.add_timeout(parser)


def add_digits(notion: argparse.ArgumentParser, name: str, letter: str) -> None:
    """Certified numbers for a command that prints closed forms."""
    declaring.add_digits(notion, "with --at, a certified number with N relative digits", None)
    notion.add_argument("--json", action="store_true", help="print the number as JSON")
    _amount(notion)
    notion.set_defaults(quantity=name, letter=letter, direction="forward")


def _amount(parser: argparse.ArgumentParser) -> None:
    declaring.add_amount(parser, "the answer", "the mechanism and the point as they were read")


def run(arguments: argparse.Namespace) -> int:
    """Answer in a process with a time limit, and print what comes back."""
    question = Question(arguments.quantity, arguments.mechanism, arguments.letter, arguments.at,
                        arguments.digits, arguments.direction,
                        getattr(arguments, "method", None))
    found = ask("lapdp.commands.numbers:answer", question, arguments.timeout,
                doing=arguments.quantity + (
                    "" if arguments.digits is None else f" to {arguments.digits} digits"),
                quiet=arguments.quiet)
    if arguments.json:
        from lapdp.report import json_report

        print(json_report.dumps({**json_report.heading(), **found}), end="")
    elif "rows" in found:
        print("\n".join(_table(found["rows"], question.letter, arguments)))
    else:
        lines = _lines(found)
        print("\n".join(lines[:1] if arguments.quiet else lines))
        if arguments.verbose:
            print("\n".join(_more(found)))
    return GOOD


def _probabilistic(arguments: argparse.Namespace) -> int:
    """The tail at an eps, or its inverse at a delta."""
    letter, other = ("eps", "delta") if arguments.eps is not None else ("delta", "epsilon")
    arguments.letter, arguments.at = letter, getattr(arguments, letter)
    arguments.quantity = f"probabilistic_{other}"
    return run(arguments)


@dataclass(frozen=True)
class Question:
    """A number that is asked of a mechanism, all as text."""

    quantity: str
    mechanism: str
    letter: str
    at: str
    digits: int | None = None
    """None: as many of the usual ones as are reached."""
    direction: str = "forward"
    method: str | None = None
    """Of delta alone."""


@dataclass(frozen=True)
class Found:
    """Plain data about the number, or why there is none."""

    data: dict[str, Any] = field(default_factory=dict)
    error: str = ""

    def record(self) -> dict[str, Any]:
        """As a worker sends it."""
        return {"error": self.error} if self.error else self.data


def answer(question: Question, **_: Any) -> Found:
    """The number with its proof's method.

    >>> found = answer(Question("delta", "gaussian(1)", "eps", "1", 8)).record()
    >>> found["value"], found["radius"], found["certified"], found["method"]
    ('0.126936738', '5.01e-10', True, 'closed form')
    >>> answer(Question("epsilon", "laplace(0)", "delta", "1e-5")).error
    'scale = 0 must be positive'
    """
    try:
        points = listed(question.at)
        if len(points) == 1:
            return Found(_number(question))
        return Found({"rows": [_number(replace(question, at=point)) for point in points]})
    except LapdpError as problem:
        return Found(error=" ".join(str(problem).split()))


def listed(text: str) -> list[str]:
    """The parts of a text between commas that stand in no brackets.

    >>> listed("0, log(3), beta(1, 2)")
    ['0', 'log(3)', 'beta(1, 2)']
    """
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _number(question: Question) -> dict[str, Any]:
    from lapdp.accounting.answers import largest
    from lapdp.privacy import catalogue
    from lapdp.privacy.pair import Pair
    from lapdp.theory.parse import parse_expression, parse_mechanism

    pair = parse_mechanism(question.mechanism, catalogue())
    if not isinstance(pair, Pair):
        raise InputError(f"{question.mechanism} is no mechanism: lapdp mechanisms lists them")
    point = parse_expression(question.at, {})
    sides = {"forward": pair, "reverse": pair.reverse()}
    wanted = list(sides) if question.direction == "both" else [question.direction]
    more: dict[str, Any] = {name: given for name, given in (
        ("digits", question.digits), ("method", question.method)) if given is not None}
    answers = {side: getattr(sides[side], question.quantity)(point, **more) for side in wanted}
    worst = largest(*answers.values()) if len(answers) > 1 else answers[wanted[0]]
    found = {"mechanism": repr(pair),
             "query": {"quantity": question.quantity, question.letter: str(point),
                       "digits": question.digits or _usual(worst), "direction": question.direction},
             **worst.record()}
    if len(answers) > 1:
        found["directions"] = {side: each.record() for side, each in answers.items()}
    return found


def _usual(answer: Answer) -> int:
    """The most of the usual digits that it has; of an exact number all."""
    from lapdp.accounting.delta import USUAL

    reached = None if answer.enclosure is None else answer.enclosure.digits
    return next((many for many in USUAL if reached is None or many <= reached), USUAL[-1])


def _lines(found: dict[str, Any]) -> list[str]:
    query = found["query"]
    lines = [shown(found)]
    if "directions" in found:
        lines[0] += ", the worse of both directions"
        lines += [f"  {side:8} {shown(each)}, by {how(each)}"
                  for side, each in found["directions"].items()]
    else:
        lines.append(f"by {how(found)}")
    if found["value"] == "oo" and query["quantity"] in INVERSES:
        lines.append(f"no finite eps has {INVERSES[query['quantity']]} <= {query['delta']}")
    return lines


def _table(rows: list[dict[str, Any]], letter: str, arguments: argparse.Namespace) -> list[str]:
    """A line for each point."""
    cells = [(row["query"][letter], shown(row), how(row)) for row in rows]
    widths = [max(len(cell[i]) for cell in cells) for i in range(2)]
    first = f"{letter:>{widths[0]}}  {arguments.quantity}"
    lines = [] if arguments.quiet else [first]
    width = max(widths[0], len(letter))
    lines += [f"{point:>{width}}  {number:{widths[1]}}"
              f"{'' if arguments.quiet else '  by ' + by}".rstrip() for point, number, by in cells]
    return [*lines, *_more(rows[0])[:1]] if arguments.verbose else lines


def _more(found: dict[str, Any]) -> list[str]:
    """The question as it was read."""
    letter = next(name for name in LETTERS if name in found["query"])
    return [f"mechanism: {found['mechanism']}", f"{letter + ':':11}{found['query'][letter]}"]


def shown(found: dict[str, Any]) -> str:
    """The number with its radius, where it has one."""
    radius = found["radius"]
    return str(found["value"]) if radius == "0" else f"{found['value']} +/- {radius}"


def how(found: dict[str, Any]) -> str:
    """Method, time, what it rests on, and whether it is a proof."""
    said = f"{found['method']}, {found['seconds']:.3g} s"
    if found.get("assumes"):
        said += f", assuming {found['assumes']}"
    return said if found["certified"] else f"{said}, NOT CERTIFIED: {found['doubt']}"


__all__ = ["Found", "Question", "add", "add_digits", "answer", "how", "listed", "run", "shown"]
