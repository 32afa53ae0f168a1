"""Laws bound to the thing under test, run, reported, and handed to pytest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from hypothesis import strategies as st

from lapdp.core.errors import InputError
from lapdp.testing.conformance.findings import (
    HIDDEN,
    Failure,
    Finding,
    LawFailed,
    Report,
    Violation,
)
from lapdp.testing.conformance.search import search
from lapdp.testing.conformance.shown_progress import Shown
from lapdp.testing.conformance.values import AccuracyNeeded

Kind = Literal["validity", "tightness", "shape"]
KINDS: dict[str, str] = {
    "validity": "a guarantee holds: an upper bound is never below the truth",
    "tightness": "a guarantee is attained",
    "shape": "what every profile, trade-off function or accountant satisfies",
}
"""What kinds of laws there are."""


MOST_OPEN = Fraction(9, 10)
"""Of a law of validity more than this part undecided is no pass."""
SHARE = Fraction(3, 10)
"""Of the examples that are asked for, where each costs much."""
_LEAST = 1e-6
"""Seconds of a law when the time of all is up: its search ends before its first case."""


@dataclass(frozen=True)
class LawCheck:
    """A law bound to the thing under test; called, it raises :class:`LawFailed` where it fails.

    >>> from fractions import Fraction
    >>> from lapdp.testing.conformance.asking import Asked, compared
    >>> from lapdp.testing.conformance.printing import Case
    >>> @dataclass(frozen=True)
    ... class At(Case):
    ...     alpha: Fraction
    >>> f = Asked(lambda alpha: 1 - alpha)
    >>> law = LawCheck("range", "delta >= 0", "Chourasia et al. 2024, (6)", "shape",
    ...                st.fractions(0, 2).map(At),
    ...                lambda case: compared(f(case.alpha), ">=", 0, "f(alpha) >= 0"),
    ...                r"\\delta \\ge 0")
    >>> print(law.search().failure)
    range fails: delta >= 0
      [Chourasia et al. 2024, (6)]
        from fractions import Fraction
        alpha = Fraction(2)
        f(alpha) >= 0
        -1 >= 0 is false
        $\\delta \\ge 0:\\quad -1 \\not\\ge 0 \\quad\\text{at}\\quad e^{\\varepsilon} = 2$
    """

    name: str
    says: str
    citation: str
    kind: Kind
    cases: st.SearchStrategy[Any]
    """Cases whose text is Python: see :class:`lapdp.testing.conformance.printing.Case`."""
    test: Callable[[Any], Violation | None]
    """The violation by a case, None where there is none; raises ``Unsupported`` where it is open.
    """
    latex: str
    """The law, without dollars."""
    thing: str = ""
    """What is tested, for the names of tests."""
    note: Callable[[], str] = str
    """What a report says of a law that passes: the range that was asked, the power."""
    cases_in_all: int = 0
    """Of a law that must try all its cases: how many; 0 for a law without end."""
    few: int = 0
    """Examples of a costly law that are tried at once; of more, :data:`SHARE`.  0 for the others.
    """
    passes: str = "passed"
    """The word for a law that does not fail."""

    def search(self, examples: int = 200, seed: int = 0, seconds: float | None = None,
               shown: Shown | None = None) -> Finding:
        """Try so many cases; where one violates the law, the smallest one like it.

        ``shown`` is the line of a terminal that tells how far it is.
        """
        checked_numbers(examples, seed, seconds)
        if self.few:
            examples = max(min(examples, self.few), int(SHARE * examples))
        with nullcontext() if shown is None else shown.law(self.name, examples):
            found = search(self.cases, self.test, examples=examples, seed=seed, seconds=seconds,
                           begun=None if shown is None else shown.case)
        failure, cut = None, found.cut
        if found.violation is None and found.tried < self.cases_in_all:
            cut = cut or f"{found.tried} of {self.cases_in_all} cases"
        if found.violation is not None:
            at = found.case.latex() if hasattr(found.case, "latex") else ""
            where = rf" \quad\text{{at}}\quad {at}" if at else ""
            failure = Failure(
                self.name, self.says, self.citation, str(found.case), found.violation,
                rf"${self.latex}:\quad {found.violation.latex()}{where}$", found.tried,
                found.case, "" if found.steady else "called again, it gave another answer")
        return Finding(self.name, found.tried, found.undecided, found.reason, failure, cut,
                       self.note(), self.passes, self._mute(found.tried, found.undecided))

    def _mute(self, tried: int, undecided: int) -> str:
        """Why so many cases say nothing; empty where they say enough.  What every answer should
        satisfy may be open for all answers of a kind, such as an equality of rounded ones; that a
        guarantee holds may not."""
        if self.kind != "validity" or undecided <= MOST_OPEN * tried:
            return ""
        return f"{undecided} of {tried} examples are undecided, more than {MOST_OPEN} of them"

    def __call__(self, examples: int = 200, seed: int = 0) -> None:
        """Raise :class:`LawFailed` where the law fails."""
        __tracebackhide__ = HIDDEN
        finding = self.search(examples, seed)
        if finding.failure is not None:
            raise LawFailed((finding.failure,))
        if not finding:
            raise LawFailed((), (finding,))


def selected(checks: Sequence[LawCheck], laws: str | Iterable[str] | None) -> list[LawCheck]:
    """The laws of those names or kinds, all for None; :class:`InputError` for other words, and
    where no law is left: nothing tried is nothing passed.
    """
    if laws is None:
        return list(checks)
    if not isinstance(laws, (str, Iterable)):
        raise InputError(f"laws={laws!r} must be names of laws, or kinds: {', '.join(KINDS)}")
    wanted = [laws] if isinstance(laws, str) else list(laws)
    known = [*(check.name for check in checks), *KINDS]
    unknown = [word for word in wanted if word not in known]
    found = [check for check in checks if check.name in wanted or check.kind in wanted]
    if unknown or not found:
        missing = repr(unknown[0]) if unknown else f"among {wanted}"
        kinds = [kind for kind in KINDS if any(check.kind == kind for check in checks)]
        raise InputError(f"there is no law {missing}; there are "
                         f"{', '.join(check.name for check in checks)}, and the kinds "
                         f"{', '.join(kinds)}")
    return found


def checked_numbers(examples: Any, seed: Any, seconds: Any) -> None:
    """Raise :class:`InputError` for numbers without meaning."""
    if not isinstance(examples, int) or isinstance(examples, bool) or examples < 1:
        raise InputError(f"examples={examples!r} must be an integer >= 1")
    if not isinstance(seed, int) or isinstance(seed, bool):
        raise InputError(f"seed={seed!r} must be an integer")
    if seconds is not None and (not isinstance(seconds, (int, float)) or not seconds > 0):
        raise InputError(f"seconds={seconds!r} must be a number > 0: the time of the whole check")


def run(thing: str, checks: Sequence[LawCheck], *, laws: str | Iterable[str] | None = None,
        examples: int = 200, seed: int = 0, on_fail: str = "raise",
        seconds: float | None = None) -> Report:
    """Search all laws, or those of some names or kinds.

    ``seconds`` is the time of all of them together: each gets its share of what is left.  On a
    terminal one line tells which law it is at, and how many examples were tried.  Raises
    :class:`LawFailed` that shows all that fail, were cut short or have no verdict, unless
    ``on_fail="report"``; :class:`InputError` for unknown laws, and numbers or words without
    meaning.
    """
    __tracebackhide__ = HIDDEN
    if on_fail not in ("raise", "report"):
        raise InputError(f'on_fail={on_fail!r} must be "raise" or "report"')
    checked_numbers(examples, seed, seconds)
    chosen = selected(checks, laws)
    end = None if seconds is None else time.monotonic() + seconds

    def share(left: int) -> float | None:
        return None if end is None else max(_LEAST, (end - time.monotonic()) / left)
    try:
        with Shown(len(chosen)) as shown:
            report = Report(thing, tuple(check.search(
                examples, seed, share(len(chosen) - i), shown) for i, check in enumerate(chosen)))
    except AccuracyNeeded as problem:
        # a word about the arguments: the way through the search says nothing to who gave them
        raise problem.with_traceback(None) from None
    if not report and on_fail == "raise":
        raise LawFailed(report.failures, report.cut)
    return report


def parametrize_with_laws(*lists: Iterable[LawCheck]) -> Any:
    """A decorator of pytest: the test gets one ``law`` after the other, to be called.

    >>> from lapdp.testing import parametrize_with_laws
    >>> @parametrize_with_laws([])
    ... def test_my_function(law):
    ...     law()
    """
    import pytest

    checks = [check for checks in lists for check in checks]
    return pytest.mark.parametrize("law", [
        pytest.param(check, id=f"{check.thing}-{check.name}".strip("-")
                     .replace(", ", ",").replace(" ", "-"))
        for check in checks])


__all__ = ["KINDS", "LawCheck", "parametrize_with_laws", "run", "selected"]
