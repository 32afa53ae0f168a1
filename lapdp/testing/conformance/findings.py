"""What became of laws: violations, failures with the smallest case, and reports of all laws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from operator import methodcaller
from textwrap import indent
from typing import Any

from lapdp.testing.conformance.shown import plainly
from lapdp.testing.conformance.values import Value

LATEX = {"==": "=", "<=": r"\le", ">=": r"\ge"}
"""The relations, for lines of LaTeX."""
_LONGEST = 200
"""Characters of an exact number where decimals do not tell two numbers apart."""


@dataclass(frozen=True)
class Violation:
    """Two values that do not stand in the relation that a law asks for, and what they are."""

    left: Value | None
    relation: str
    right: Value | None
    detail: str = ""
    """What is asked: ``f(pair, 1) == delta(0)``; or what went wrong instead of a value."""
    error: str = ""
    """Where a function raised: the error and its line, by which it is known again."""

    @property
    def values(self) -> str:
        """Both values in a line; empty where a function gave none."""
        if self.left is None or self.right is None:
            return ""
        left, right = str(self.left), str(self.right)
        if left.rstrip(".0") == right.rstrip(".0"):
            # two doubles may print alike, and a rounded number like its neighbour
            left, right = (
                text if v.low.exact is None else plainly(v.low.exact, _LONGEST) or text
                for v, text in ((self.left, left), (self.right, right)))
        return f"{left} {self.relation} {right} is false"

    def latex(self) -> str:
        """The relation of the two numbers, negated."""
        if self.left is None or self.right is None:
            return r"\text{no value}"
        return rf"{self.left.latex()} \not{LATEX[self.relation]} {self.right.latex()}"


class Misbehaved(Exception):
    """The function under test gave no number: a violation, whatever the law."""

    def __init__(self, violation: Violation) -> None:
        super().__init__(violation.detail)
        self.violation = violation


@dataclass(frozen=True)
class Failure:
    """A law that fails, with the smallest case found."""

    law: str
    says: str
    citation: str
    case: str
    """Python that makes the case when pasted."""
    violation: Violation
    latex: str
    """One line: the law, and both numbers where it fails."""
    examples: int
    """How many were tried when the first one failed."""
    found: Any = None
    """The case itself."""
    note: str = ""

    @property
    def values(self) -> str:
        """Both values."""
        return self.violation.values

    def __str__(self) -> str:
        body = [*self.case.splitlines(), *self.violation.detail.splitlines(), self.values,
                self.note, self.latex]
        return "\n".join([f"{self.law} fails: {self.says}", f"  [{self.citation}]",
                          *(f"    {line}" for line in body if line)])

    def _repr_latex_(self) -> str:
        return self.latex

    def _repr_html_(self) -> str:
        from lapdp.report.html.findings import failure_card

        return failure_card(self)


@dataclass(frozen=True)
class Finding:
    """What became of one law."""

    law: str
    examples: int
    undecided: int = 0
    reason: str = ""
    """Why the first of them was not decided."""
    failure: Failure | None = None
    cut: str = ""
    """What was done when the time was up, such as "5 of 200 examples"; then it is no pass."""
    note: str = ""
    """What was asked, or would have been found; lines."""
    passes: str = "passed"
    """The word for a law that does not fail: samples refute, or do not."""
    mute: str = ""
    """Why what was tried says nothing, such as "150 of 200 examples are undecided"; then it is no
    pass."""

    def __bool__(self) -> bool:
        return self.failure is None and not self.cut and not self.mute

    @property
    def word(self) -> str:
        """What became of it: "passed", "not refuted", "fails", "open", "cut short" or "no verdict".
        """
        if self.failure is not None:
            return "fails"
        if self.cut:
            return "cut short"
        if self.mute:
            return "no verdict"
        return self.passes if self.examples > self.undecided else "open"

    def __str__(self) -> str:
        tried = f"{self.examples} example{'s' * (self.examples != 1)}"
        told = {"fails": f"fails at example {self.examples}",
                "cut short": f"cut short, no pass: the time was up after {self.cut}",
                "no verdict": f"no verdict, no pass: {self.mute}"}
        word = told.get(self.word, f"{self.word}, {tried}")
        if self.undecided and self.word == self.passes:
            # those that were not decided are none that passed
            word = f"{self.word}, {self.examples - self.undecided} of {tried}"
        return f"{self.law}: {word}" + (
            f", {self.undecided} undecided ({self.reason})" if self.undecided and not self.mute
            else f" ({self.reason})" if self.undecided else "") + "".join(
            f"\n  {line}" for line in self.note.splitlines() if self.failure is None)


def told_once(failures: Iterable[Failure]) -> tuple[Failure, ...]:
    """The failures, without those of laws at which the function raised what it raised before: the
    first one names them.

    >>> error = Violation(None, "==", None, "f(1) raised KeyError: 1", "KeyError at f.py:3")
    >>> first = Failure("shape", "it falls", "(6)", "eps = 1", error, "", 1)
    >>> [f.note for f in told_once([first, replace(first, law="order"), replace(first, law="sum")])]
    ['the same error fails order, sum']
    """
    groups: dict[Any, list[Failure]] = {}
    for number, failure in enumerate(failures):
        groups.setdefault(failure.violation.error or number, []).append(failure)
    return tuple(first if not rest else replace(first, note="\n".join(filter(None, (
        first.note, f"the same error fails {', '.join(f.law for f in rest)}"))))
        for first, *rest in groups.values())


class LawFailed(AssertionError):
    """At least one law fails, was cut short or has no verdict; the text shows each with its case,
    an error that fails several laws once.
    """

    __module__ = "lapdp.testing"

    def __init__(self, failures: tuple[Failure, ...], cut: tuple[Finding, ...] = ()) -> None:
        super().__init__("\n\n".join(map(str, (*told_once(failures), *cut))))
        self.failures = failures
        self.cut = cut


HIDDEN = methodcaller("errisinstance", LawFailed)
"""Of ``__tracebackhide__``: pytest shows the test that asked, and not how laws are run."""


@dataclass(frozen=True, repr=False)
class Report:
    """What became of all laws of one thing; true where none fails, was cut short, or is of validity
    and has no verdict."""

    thing: str
    findings: tuple[Finding, ...]

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The laws that fail."""
        return tuple(f.failure for f in self.findings if f.failure is not None)

    @property
    def told(self) -> tuple[Failure, ...]:
        """The failures that are shown: an error that fails several laws once."""
        return told_once(self.failures)

    @property
    def cut(self) -> tuple[Finding, ...]:
        """The laws whose search was not over when the time was, or said nothing."""
        return tuple(f for f in self.findings if f.failure is None and not f)

    def __bool__(self) -> bool:
        return all(self.findings)

    def __repr__(self) -> str:
        counts = Counter(f.word for f in self.findings)
        said = ", ".join(f"{count} {word}" for word, count in counts.items())
        laws = ", ".join(f.law for f in self.findings if not f)
        return f"{type(self).__name__}({self.thing}: {said}{laws and f' ({laws})'})"

    def __str__(self) -> str:
        tried, undecided = (sum(getattr(f, name) for f in self.findings) for name in (
            "examples", "undecided"))
        share = [f"  undecided: {undecided} of {tried} questions"] if undecided else []
        return "\n".join([f"{self.thing}:", *(
            indent(str(f), "  ") for f in self.findings), *share,
            *(f"\n{failure}" for failure in self.told)])

    def _repr_html_(self) -> str:
        from lapdp.report.html.findings import report_card

        return report_card(self)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(str(self))


__all__ = ["HIDDEN", "LATEX", "Failure", "Finding", "LawFailed", "Misbehaved", "Report",
           "Violation", "told_once"]
