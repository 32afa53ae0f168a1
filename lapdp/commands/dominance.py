"""``lapdp dominates LARGER SMALLER``: is one privacy profile nowhere below the other?"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from typing import Any

from lapdp.commands.declaring import Commands, add_amount, add_digits, add_timeout
from lapdp.commands.exits import BAD, GOOD, OPEN
from lapdp.commands.limited import outcome
from lapdp.core.errors import InputError, LapdpError

_EXAMPLES = """
lapdp dominates "randomized_response(1)" "laplace(1)"
lapdp dominates "gaussian(1)" "randomized_response(1)" --digits 50
"""
CODES = {"proved": GOOD, "refuted": BAD, "undecided": OPEN}


def add(commands: Commands) -> None:
    """The command ``dominates``."""
    made = commands.add(
        "generate", "dominates", run,
        "decide whether one privacy profile is nowhere below another", examples=_EXAMPLES,
        exits="0 proved; 1 refuted, with every crossing and a point; 2 bad input; 3 undecided")
    made.add_argument("larger", metavar="LARGER", help='such as "gaussian(1)"')
    made.add_argument("smaller", metavar="SMALLER", help='such as "randomized_response(1)"')
    add_digits(made, "digits of the crossings", 30)
    made.add_argument("--json", action="store_true", help="print the answer as JSON")
    add_amount(made, "the verdict", "the mechanisms as they were read")
    add_timeout(made)


def run(arguments: argparse.Namespace) -> int:
    """Decide in a process with a time limit; the exit code tells the verdict."""
    if not 1 <= arguments.digits <= 10_000:
        raise InputError("--digits must be between 1 and 10000")
    question = Question(arguments.larger, arguments.smaller, arguments.digits)
    got = outcome("lapdp.commands.dominance:answer", question, arguments.timeout,
                  doing="comparing the profiles", quiet=arguments.quiet)
    found = got.result or {
        "verdict": "undecided", "method": "no method", "reason": str(got.failure)}
    if arguments.json:
        print(json.dumps(found, indent=2))
    elif arguments.quiet:
        print(found["verdict"])
    else:
        print("\n".join(_lines(found)))
        if arguments.verbose and "larger" in found:
            print(f"larger:  {found['larger']}\nsmaller: {found['smaller']}")
    return CODES[found["verdict"]]


@dataclass(frozen=True)
class Question:
    """Two mechanisms as text, and the digits of crossings."""

    larger: str
    smaller: str
    digits: int


@dataclass(frozen=True)
class Answer:
    """Plain data about the verdict, or an error."""

    found: dict[str, Any] = field(default_factory=dict)
    error: str = ""

    def record(self) -> dict[str, Any]:
        """As a worker sends it."""
        return {**self.found, "error": self.error} if self.error else self.found


def answer(question: Question, **_: Any) -> Answer:
    """The verdict with its evidence.

    >>> found = answer(Question("laplace(1)", "randomized_response(1)", 10)).record()
    >>> found["verdict"], found["fails_at"]["t"]
    ('refuted', '0')
    >>> answer(Question("laplace(0)", "laplace(1)", 10)).error
    'scale = 0 must be positive'
    """
    from lapdp.accounting import dominates
    from lapdp.privacy import catalogue
    from lapdp.theory.parse import parse_mechanism

    try:
        pairs = [parse_mechanism(text, catalogue()) for text in (question.larger, question.smaller)]
        return Answer(_record(dominates(*pairs), question.digits))
    except LapdpError as problem:
        return Answer(error=" ".join(str(problem).split()))


def _record(found: Any, digits: int) -> dict[str, Any]:
    record: dict[str, Any] = {
        "larger": repr(found.larger), "smaller": repr(found.smaller), "verdict": found.verdict,
        "method": found.method, "reason": found.reason, "relation": found.relation,
        "certificate": list(found.certificate)}
    if found.verdict != "undecided":
        record["crossings"] = [
            {"at": c.at.to_json(), "until": c.until.to_json(),
             "exact": None if c.exact is None else str(c.exact)}
            for c in found.crossings(digits)]
    if found.failure is not None:
        t, larger, smaller = found.failure
        record["fails_at"] = {"t": str(t), "larger": larger.to_json(),
                              "smaller": smaller.to_json()}
    return record


def _lines(found: dict[str, Any]) -> list[str]:
    lines = [f"{found['verdict']}: by {found['method']}"]
    if found.get("reason"):
        lines.append(found["reason"])
    lines += [line for line in found.get("certificate", []) if line != found["method"]]
    for crossing in found.get("crossings", []):
        exact = f" = {crossing['exact']}" if crossing["exact"] else ""
        lines.append(f"crossing at t = {_number(crossing['at'])}{exact}")
    fails = found.get("fails_at")
    if fails:
        lines.append(f"at t = {fails['t']}: {_number(fails['larger'])} < "
                     f"{_number(fails['smaller'])}")
    return lines


def _number(ball: dict[str, str]) -> str:
    radius = ball["radius"]
    return ball["value"] if radius == "0" else f"{ball['value']} +/- {radius}"
