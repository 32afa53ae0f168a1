"""What runs in a worker process: one call of an accountant, or one certified value."""

from __future__ import annotations

import linecache
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from fractions import Fraction
from types import FrameType, TracebackType
from typing import Any

from lapdp.accounting.answers import Answer
from lapdp.accounting.audit.adapter import Method, Refused, Script, numbers
from lapdp.accounting.audit.claims import Truth
from lapdp.accounting.audit.queries import Direction, Query
from lapdp.balls.decimals import Enclosure

_FOUNDATIONS = {"numpy", "scipy", "mpmath"}
"""What these raise, no accountant has said."""
_ACCIDENTS = (AssertionError, AttributeError, LookupError, NameError, SystemExit,
              TypeError)
"""Mistakes in code, whoever raises them."""


@dataclass(frozen=True)
class Call:
    """An accountant asked one question."""

    method: Method
    query: Query

    def run(self) -> Called:
        """Make the call; whatever it raises becomes part of the answer."""
        start = time.perf_counter()
        try:
            if isinstance(self.method, Script):
                self.method.prepare()
            start = time.perf_counter()
            answer = self.method.answer(self.query)
            seconds = time.perf_counter() - start
            return Called(tuple(map(repr, numbers(answer))), seconds=seconds)
        except MemoryError:
            raise
        except (Exception, SystemExit) as problem:
            return Called(problem=_line(problem), refused=is_refusal(problem),
                          seconds=time.perf_counter() - start)


@dataclass(frozen=True)
class Called:
    """What came of a call: doubles as text that reads back as they are, or a problem."""

    answer: tuple[str, ...] = ()
    problem: str = ""
    refused: bool = False
    seconds: float = 0.0

    @property
    def stopped(self) -> bool:
        """Did a limit of time or memory end it?"""
        return self.problem.startswith(("time limit", "memory limit"))

    def record(self) -> dict[str, Any]:
        """Plain data, as a worker sends it."""
        return asdict(self)


@dataclass(frozen=True)
class Certify:
    """The certified value of a query, in the direction of a claim."""

    query: Query
    direction: Direction
    digits: int

    def run(self) -> Certified:
        """The worst value of the directions; a reason where there is none."""
        start = time.perf_counter()
        try:
            found = [answer_in(self.query, each, self.digits)
                     for each in self.query.directions(self.direction)]
        except MemoryError:
            raise
        except Exception as problem:
            # a fault of ours, too, leaves the row without a verdict, not the audit without rows
            return Certified(refused=_line(problem), seconds=time.perf_counter() - start)
        infinite = any(answer.is_infinite for answer in found)
        ends = [answer.enclosure for answer in found if answer.enclosure is not None]
        worst = None if infinite else _worst(ends)
        return Certified(
            certified=all(answer.certified for answer in found),
            method=" and ".join(dict.fromkeys(answer.method for answer in found)),
            digits=self.digits, seconds=time.perf_counter() - start,
            shown={"value": "oo", "radius": "0"} if worst is None else worst.to_json())


def answer_in(query: Query, direction: Direction, digits: int) -> Answer:
    """The certified value of a query for the pair in one direction.

    >>> from lapdp.accounting.audit import Release
    >>> print(answer_in(Query((Release("laplace", (2.0,)),), "epsilon", 0.0), "remove", 10))
    0.5
    """
    from lapdp.privacy import catalogue
    from lapdp.theory.parse import parse_mechanism

    pair = parse_mechanism(query.text(direction), catalogue())
    found: Answer = (pair.delta if query.wants == "delta" else pair.epsilon)(
        Fraction(query.at), digits=digits)
    return found


@dataclass(frozen=True)
class Certified:
    """A certified value, or why there is none.

    ``shown`` is its value and radius as decimals, which is all that is proved; ``oo`` for infinity.
    """

    certified: bool = False
    method: str = ""
    digits: int = 0
    seconds: float = 0.0
    refused: str = ""
    shown: dict[str, str] = field(default_factory=dict)

    def truth(self) -> Truth:
        """The value as exact numbers; only where there is one."""
        if self.shown["value"] == "oo":
            return Truth(None, None)
        value, radius = Fraction(self.shown["value"]), Fraction(self.shown["radius"])
        return Truth(value - radius, value + radius)

    def record(self) -> dict[str, Any]:
        """Plain data, as a worker sends it."""
        return asdict(self)


def run(task: Call | Certify, **_: Any) -> Called | Certified:
    """Serve one task; for :func:`lapdp.theory.workers.run_tasks`."""
    return task.run()


def _worst(found: Sequence[Enclosure]) -> Enclosure:
    """The largest of several numbers."""
    low, high = max(x.lower for x in found), max(x.upper for x in found)
    return Enclosure((low + high) / 2, (high - low) / 2)


def _line(problem: BaseException) -> str:
    text = " ".join(str(problem).split())
    return f"{type(problem).__name__}: {text[:300]}" if text else type(problem).__name__


def is_refusal(problem: BaseException) -> bool:
    """Did a package say on purpose that it cannot?

    That is so for :class:`Refused`, and where the innermost line is a ``raise`` statement of the
    package; what an operation raises by itself (a division by 0, a missing attribute), or a library
    below the package, nobody has said.

    >>> def asked():
    ...     raise ValueError("orders must be above 1")
    >>> try:
    ...     1/0
    ... except ZeroDivisionError as problem:
    ...     print(is_refusal(problem))
    False
    """
    if isinstance(problem, Refused):
        return True
    if isinstance(problem, _ACCIDENTS):
        return False
    trace: TracebackType | None = problem.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or _is_foundation(trace.tb_frame):
        return False
    file = trace.tb_frame.f_code.co_filename
    return linecache.getline(file, trace.tb_lineno).lstrip().startswith("raise")


def _is_foundation(frame: FrameType) -> bool:
    """Does a frame belong to Python or to a library that accountants stand on?"""
    name = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    return name in _FOUNDATIONS or name in sys.stdlib_module_names - {"__main__"}


__all__ = ["Call", "Called", "Certified", "Certify", "answer_in", "is_refusal", "run"]
