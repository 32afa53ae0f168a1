"""Cards of laws under test: reports, failures with their smallest case, conjectures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lapdp.report.html.cards import framed, statement_card
from lapdp.report.html.environment import environment

if TYPE_CHECKING:
    from lapdp.testing.conformance.findings import Failure, Report
    from lapdp.testing.conjectures.functions import FunctionConjecture
    from lapdp.testing.conjectures.results import Conjecture

SHOWN = 8
"""Failures that a card of a report shows in full."""


def report_card(report: Report) -> str:
    """A table of the laws with their verdicts, then each failure."""
    failures = report.told
    return framed(environment().get_template("laws.html").render(
        report=report, failures=failures[:SHOWN], more=len(failures) - SHOWN, formula=_inside))


def failure_card(failure: Failure) -> str:
    """The law, where it is from, the smallest case as code, both values."""
    return framed(environment().get_template("failure.html").render(
        failure=failure, formula=_inside))


def conjecture_card(found: Conjecture) -> str:
    """The card of the statement with the counterexample of the search, or the engine's verdict."""
    from lapdp.theory.course import describe

    claimed, example = found.claimed, found.counterexample
    if example is None:
        record = {**found.judged, "title": f"searched: {found.searched}"}
        return framed(statement_card(claimed, record))
    witness = example.witness
    record = {
        **describe(claimed), "verdict": "refuted", "reason": "", "holds_under": "", "scope": "",
        "numeric": None, "seconds": found.searched.seconds,
        "title": f"searched: {found.searched}",
        "note": f"Once more, by the definitions: {example.second}" if example.second else "",
        "symbolic": {"method": "random search", "facts": [], "steps": [], "cells": 0, "tried": []},
        "witness": {"text": witness.text, "values": dict(witness.values), "lhs": witness.lhs,
                    "rhs": witness.rhs, "why": witness.why},
    }
    return framed(statement_card(claimed, record, instance=example.instance))


def function_card(found: FunctionConjecture) -> str:
    """What the search of a relation between functions found."""
    return framed(environment().get_template("functions.html").render(found=found))


def _inside(latex: str) -> str:
    """The formula without its dollars; fonts have the negated signs, and may lack the stroke."""
    for sign, negated in ((r"\le", r"\nleq"), (r"\ge", r"\ngeq"), ("=", r"\neq")):
        latex = latex.replace(rf"\not{sign} ", f"{negated} ").replace(rf"\not{{{sign}}}", negated)
    return latex.strip("$")


__all__ = ["conjecture_card", "failure_card", "function_card", "report_card"]

