"""``lapdp convert``: from Renyi and zero-concentrated bounds to (eps, delta)."""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass, field
from typing import Any

from lapdp.commands.declaring import Commands, add_amount, add_digits, add_timeout, known_name
from lapdp.commands.exits import GOOD
from lapdp.commands.limited import ask
from lapdp.core.errors import InputError, LapdpError

_EXAMPLES = """
lapdp convert --alpha 2 --rho 1/2 --eps 1
lapdp convert --alpha 2 --rho 1/2 --alpha 8 --rho 2 --delta 1e-6 --method canonne
lapdp convert --rho 0.1 --delta 1e-5 --json
"""
_NOTES = """
With --alpha A --rho R: R_A(P||Q) <= R, at one order or several, A > 1.  With --rho R alone: R_q <=
R q for every order q > 1, zero-concentrated privacy (R_q <= X + R q with --xi X); the order is the
best one.
Methods: mironov, canonne, and for given orders optimal, each never above the one before.  A bound
of one direction gives delta of that direction; value +/- radius is a proof."""
_CERTIFIED = "convex duality, checked in balls"


def add(commands: Commands) -> None:
    """The command."""
    made = commands.add("generate", "convert", run,
                        "turn Renyi or concentrated bounds into delta or eps, certified",
                        examples=_EXAMPLES, notes=_NOTES)
    made.add_argument("--alpha", action="append", default=[], metavar="A",
                      help="an order; once for each --rho, or not at all")
    made.add_argument("--rho", action="append", required=True, metavar="R",
                      help="what the divergence is at most, an exact number")
    made.add_argument("--xi", metavar="X", help="without --alpha: R_q <= X + R q (default 0)")
    either = made.add_mutually_exclusive_group(required=True)
    either.add_argument("--eps", metavar="E", help="print the bound of delta(E)")
    either.add_argument("--delta", metavar="D",
                        help="print the least eps >= 0 with a bound of at most D")
    made.add_argument("--method", metavar="NAME",
                      help="the conversion (default: the best one there is)")
    add_digits(made, "relative digits", 8)
    made.add_argument("--json", action="store_true", help="print the answer as JSON")
    add_amount(made, "the answer")
    add_timeout(made)


def run(arguments: argparse.Namespace) -> int:
    """Answer in a process with a time limit, and print what comes back."""
    from lapdp.report import json_report

    letter = "eps" if arguments.eps is not None else "delta"
    question = Question(tuple(arguments.alpha), tuple(arguments.rho), letter,
                        getattr(arguments, letter), arguments.xi, arguments.method,
                        arguments.digits)
    found = ask("lapdp.commands.converting:answer", question, arguments.timeout,
                doing="the conversion", quiet=arguments.quiet)
    if arguments.json:
        print(json_report.dumps({**json_report.heading(), **found}), end="")
        return GOOD
    radius = found["radius"]
    print(found["value"] if radius == "0" else f"{found['value']} +/- {radius}")
    if not arguments.quiet:
        print(f"by {found['method']}: {found['source']}")
        print(f"proved by {', '.join(found['statements']) or _CERTIFIED}")
    return GOOD


@dataclass(frozen=True)
class Question:
    """Bounds and the point that is asked for, all as text."""

    alpha: tuple[str, ...]
    rho: tuple[str, ...]
    letter: str
    at: str
    xi: str | None = None
    method: str | None = None
    digits: int = 8


@dataclass(frozen=True)
class Found:
    """Plain data about the number, or why there is none."""

    data: dict[str, Any] = field(default_factory=dict)
    error: str = ""

    def record(self) -> dict[str, Any]:
        """As a worker sends it."""
        return {"error": self.error} if self.error else self.data


def answer(question: Question, **_: Any) -> Found:
    """The number, which conversion it is, and which statements prove it.

    >>> found = answer(Question(("2",), ("1/2",), "eps", "1", method="canonne")).record()
    >>> found["value"], found["radius"], found["statements"]
    ('0.151632665', '5.01e-10', ['laws/renyi-bounds.canonne'])
    >>> answer(Question(("2", "3"), ("1/2",), "eps", "1")).error
    'give --rho once for each --alpha, or --rho once without --alpha'
    """
    try:
        return Found(_converted(question))
    except LapdpError as problem:
        return Found(error=" ".join(str(problem).split()))


def _converted(question: Question) -> dict[str, Any]:
    from lapdp.accounting import conversions
    from lapdp.theory.parse import parse_expression

    def number(text: str) -> Any:
        return parse_expression(text, {})

    start = time.perf_counter()
    orders, rho = ([number(x) for x in texts] for texts in (question.alpha, question.rho))
    point, digits = number(question.at), question.digits
    if len(orders) != len(rho) and (orders or len(rho) > 1):
        raise InputError("give --rho once for each --alpha, or --rho once without --alpha")
    methods = conversions.METHODS if orders else tuple(conversions.CONVERSIONS)
    method = question.method or methods[-1]
    known_name(method, methods, "method here")
    if orders and question.xi is not None:
        raise InputError("--xi goes with --rho alone: with --alpha, add it to each --rho")
    if orders:
        convert = (conversions.renyi_to_delta if question.letter == "eps"
                   else conversions.renyi_to_epsilon)
        value = convert(list(zip(orders, rho, strict=True)), point, method, digits)
    else:
        xi = number(question.xi or "0")
        concentrated = (conversions.concentrated_to_delta if question.letter == "eps"
                        else conversions.concentrated_to_epsilon)
        value = concentrated(rho[0], point, xi, method, digits)
    rule = conversions.CONVERSIONS.get(method)
    return {"bounds": ([{"alpha": str(q), "rho": str(r)} for q, r in zip(orders, rho, strict=True)]
                       if orders else [{"rho": str(rho[0]), "xi": question.xi or "0"}]),
            "query": {question.letter: str(point), "digits": digits},
            **value.to_json(), "certified": True, "method": method,
            "source": conversions.OPTIMAL if rule is None else rule.source,
            "statements": [] if rule is None else list(rule.statements),
            "seconds": round(time.perf_counter() - start, 6)}


__all__ = ["Question", "add", "answer", "run"]
