"""The search for a case that violates a law: hypothesis draws cases and shrinks the first failure.

A search with the same seed draws the same cases.  Nothing is printed and no database is kept.
"""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st

from lapdp.core.deadline import TimeUp, time_limit
from lapdp.core.errors import Unsupported
from lapdp.testing.conformance.findings import Misbehaved, Violation

Test = Callable[[Any], Violation | None]
SHRINKING = 20.0
"""Seconds in which a case is made smaller once more."""
GRACE = 1.0
"""Seconds in which a case is finished when the time is up."""


class Undecided(Unsupported):
    """A case that a law leaves open: numbers that do not separate, or a function that refuses."""


class CutShort(Exception):
    """The time was up in the middle of a case; the text says what was done of it."""


class _Violated(Exception):
    """Tells hypothesis that a case violates the law; one kind, so that it shrinks one failure."""


@dataclass
class Found:
    """What a search has seen."""

    tried: int = 0
    """Cases before the first violation, and that one."""
    undecided: int = 0
    reason: str = ""
    case: Any = None
    violation: Violation | None = None
    steady: bool = True
    """Did the violated case violate the law again?"""
    cut: str = ""
    """What was done when the time was up before the search was over; empty where it was not."""


def search(cases: st.SearchStrategy[Any], test: Test, *, examples: int, seed: int,
           seconds: float | None = None, begun: Callable[[Found], None] | None = None) -> Found:
    """The smallest case found that violates the law, by at most so many examples and seconds.

    ``begun`` is told what has been seen, before each case.

    A case that is under way when the time is up has :data:`GRACE` seconds more, and is stopped then
    (in the main thread; elsewhere it is finished).  Errors of the law itself, as of its strategy,
    are raised as they are.
    """
    found = Found()
    end = None if seconds is None else time.monotonic() + seconds

    def body(case: Any) -> None:
        if end is not None and time.monotonic() > end:
            raise TimeUp  # hypothesis goes on drawing cases after any ``Exception``
        first = found.violation is None
        found.tried += first
        if begun is not None:
            begun(found)
        try:
            violation = outcome(test, case)
        except CutShort as problem:
            found.cut = str(problem)
            raise TimeUp from None
        except Unsupported as problem:
            if first:
                found.undecided += 1
                found.reason = found.reason or str(problem)
            return
        if violation is not None:
            found.case, found.violation = case, violation
            raise _Violated

    # explained phases and databases are for people who write strategies
    quiet = settings(max_examples=examples, database=None, derandomize=False, deadline=None,
                     phases=(Phase.generate, Phase.shrink), report_multiple_bugs=False,
                     suppress_health_check=list(HealthCheck), verbosity=Verbosity.quiet,
                     print_blob=False)
    try:
        with time_limit(math.inf if seconds is None else seconds + GRACE):
            _run(seeded(seed)(quiet(given(cases)(body))), found)
    except TimeUp:
        if found.violation is None:
            found.cut = found.cut or f"{found.tried} of {examples} examples"
    if found.violation is not None:
        _made_smaller(found, test, SHRINKING if seconds is None else min(seconds, SHRINKING))
        try:
            with time_limit(math.inf if seconds is None else GRACE):
                found.steady = outcome(test, found.case) is not None
        except (CutShort, Unsupported):
            found.steady = False
        except TimeUp:
            pass  # nothing is known of another answer
    return found


def _made_smaller(found: Found, test: Test, seconds: float) -> None:
    """The case with less in it, as long as that violates the law too: what hypothesis draws as a
    number of equal things it shrinks digit by digit."""
    try:
        with time_limit(seconds):
            smaller = True
            while smaller:
                smaller = False
                for case in getattr(found.case, "smaller", lambda: iter(()))():
                    try:
                        violation = outcome(test, case)
                    except (CutShort, Unsupported):
                        continue
                    if violation is not None:
                        found.case, found.violation, smaller = case, violation, True
                        break
    except TimeUp:
        return  # the smallest so far


def outcome(test: Test, case: Any) -> Violation | None:
    """The violation of a law by a case, a function that gives no number included."""
    try:
        return test(case)
    except Misbehaved as problem:
        return problem.violation


def _run(searching: Callable[[], None], found: Found) -> None:
    from hypothesis.errors import Flaky, HypothesisDeprecationWarning, Unsatisfiable

    try:
        with warnings.catch_warnings():
            # a function under test that draws numbers at random is told by its violations
            warnings.simplefilter("ignore", HypothesisDeprecationWarning)
            searching()
    except _Violated:
        pass
    except Flaky:
        # the function does not repeat itself, or the time ran out; the case is on record
        if found.violation is None:
            raise
    except Unsatisfiable:
        if not found.tried:
            raise


__all__ = ["CutShort", "Found", "Undecided", "outcome", "search"]
