"""A bound that fails for many guarantees is shown with few of them."""

from __future__ import annotations

from fractions import Fraction

from lapdp.testing import check_bound
from lapdp.testing.conformance import search
from lapdp.testing.conformance.bounds import Arguments
from lapdp.testing.conformance.findings import Violation
from lapdp.testing.conformance.printing import pasted


def test_a_case_is_made_as_small_as_still_fails():
    asked = []

    def test(case):
        asked.append(len(case.values[0]))
        fails = len(case.values[0]) >= 37
        return Violation(None, "==", None, "too many") if fails else None

    found = search.Found(1, case=Arguments(("guarantees", "delta"), (((1, 0),) * 300, 0)),
                         violation=Violation(None, "==", None, "first"))
    search._made_smaller(found, test, 10.0)
    assert len(found.case.values[0]) == 37 and found.violation.detail == "too many"
    assert len(asked) < 100


def test_equal_things_are_written_once():
    many = ((0.25, Fraction(0)),) * 300
    text = pasted({"guarantees": many, "few": (1, 1), "other": [1, 1, 1, 2]})
    assert "guarantees = ((0.25, Fraction(0)),) * 300" in text
    assert "few = (1, 1)" in text and "other = [1, 1, 1, 2]" in text
    there = {}
    exec(text, there)
    assert there["guarantees"] == many


def test_a_bound_that_forgets_the_root_is_shown_with_few_guarantees():
    def first_only(guarantees, delta):
        return guarantees[0][0] * 3

    report = check_bound(first_only, of="composition", doubles=False, on_fail="report", examples=60)
    found = report.failures[0].found
    assert len(found.values[0]) <= 4


def test_a_bound_that_is_always_infinite_is_no_pass():
    report = check_bound(lambda guarantees, delta: float("inf"), of="composition", doubles=False,
                         on_fail="report", examples=10)
    assert not report and "infinite in every case" in str(report)
    report = check_bound(lambda pair, eps: float("inf"), of="delta", on_fail="report", examples=10)
    assert not report and "no verdict, no pass" in str(report)
    # one that is right where it is a number, and infinite elsewhere, passes
    assert check_bound(lambda pair, eps: 1 if eps > 0 else float("inf"), of="delta", examples=20)
