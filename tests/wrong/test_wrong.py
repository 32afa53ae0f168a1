"""Every wrong thing is caught by the law that should, with a small case that can be pasted."""

from __future__ import annotations

import dataclasses
from functools import cache
from statistics import median
from typing import Any

import pytest

from lapdp.testing.conformance.findings import Failure, Finding
from lapdp.testing.conformance.search import outcome
from tests.wrong.registry import Right, Wrong, outcomes, right, wrong

FEW = 12
"""Of what must not fail: `python -m tests.campaigns.conformance` tries ten thousand."""
EXAMPLES = 2000
"""At most so many until a wrong thing must be caught."""
WRONG = {thing.name: thing for thing in wrong()}
RIGHT = {thing.name: thing for thing in right()}


@cache
def searched(name: str, law: str) -> Finding:
    """What a law finds in a wrong thing."""
    return WRONG[name].laws[law].search(EXAMPLES)


def test_names_are_unique():
    assert len(WRONG) == len(wrong())
    assert len(RIGHT) == len(right())


@pytest.mark.parametrize("thing", WRONG.values(), ids=lambda thing: thing.name)
def test_a_wrong_thing_is_caught(thing: Wrong):
    assert thing.fails | thing.holds <= thing.laws.keys(), "no such law"
    for law in sorted(thing.fails):
        finding = searched(thing.name, law)
        assert finding.failure is not None, f"{law} does not see it: {finding}"
        assert max(outcomes(finding.failure.found), default=0) <= 3, finding.failure
        _reproduces(thing.laws[law], finding.failure)
    for law in sorted(thing.holds):
        passed = thing.laws[law].search(FEW)
        assert passed, passed.failure


def _reproduces(check: Any, failure: Failure) -> None:
    """The text makes the same case where nothing else is known, and that the same values."""
    there: dict[str, Any] = {}
    exec(failure.case, there)
    case = failure.found
    fields = {f.name: getattr(case, f.name) for f in dataclasses.fields(case)}
    shown = case.shown()
    made = {name: there[name] for name in shown}
    assert made == shown
    if made.keys() == fields.keys():
        case = type(case)(**made)
    violation = outcome(check.test, case)
    assert violation is not None
    assert violation.values == failure.values
    assert violation.detail == failure.violation.detail
    for shown in (check.says, check.citation, failure.case.splitlines()[-1], failure.values):
        assert shown in str(failure)
    assert failure.latex.count("\n") == 0


@pytest.mark.parametrize("thing", RIGHT.values(), ids=lambda thing: thing.name)
def test_a_right_thing_passes(thing: Right):
    for check in thing.laws.values():
        finding = check.search(FEW)
        assert finding, finding.failure
        assert finding.examples > finding.undecided, f"{finding} decides nothing"


def test_there_are_many_and_few_examples_find_them():
    first = [min(searched(thing.name, law).examples for law in thing.fails)
             for thing in WRONG.values()]
    assert len(first) >= 30
    assert median(first) < 200


def test_every_law_catches_something():
    """A check that cannot fail is no check."""
    seen = {(thing.name.partition(":")[0], law) for thing in WRONG.values() for law in thing.fails}
    # a right law of arbitrary pairs is a theorem: it tests the package
    unseen = {(kind, law) for thing in RIGHT.values() for law in thing.laws
              if (kind := thing.name.partition(":")[0]) != "law"} - seen
    assert not unseen
