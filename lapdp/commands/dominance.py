"""``lapdp dominates LARGER SMALLER``: is one privacy profile nowhere below the other?"""

from __future__ import annotations

import argparse
import json
from dataclasses import dataclass, field
from typing import Any

from lapdp.commands.exits import BAD, GOOD, OPEN
from lapdp.commands.limited import outcome
from lapdp.core.errors import InputError, LapdpError

CODES = {"proved": GOOD, "refuted": BAD, "undecided": OPEN}


def run(arguments: argparse.Namespace) -> int:
    """Decide in a process with a time limit; the exit code tells the verdict."""
    if not 1 <= arguments.digits <= 10_000:
        raise InputError("--digits must be between 1 and 10000")
    question = Question(arguments.larger, arguments.smaller, arguments.digits)
    got = outcome("lapdp.commands.dominance:answer", question, arguments.timeout)
    found = got.result or {
        "verdict": "undecided", "method": "no method", "reason": str(got.failure)}
    print(json.dumps(found, indent=2) if arguments.json else "\n".join(_lines(found)))
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
