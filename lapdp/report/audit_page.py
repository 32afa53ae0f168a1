"""An audit as one HTML page that fetches nothing: counts, filters, a table, every call in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from lapdp.report.audits import at_fault, certified, factor, side
from lapdp.report.html.environment import asset, environment

TONES = {"valid": "good", "estimate": "good", "vacuous": "plain", "refused": "plain",
         "off": "warn", "timeout": "warn", "memory": "warn", "undecided": "plain",
         "no verdict": "plain", "invalid": "bad", "nonsense": "bad"}
"""How each verdict of an audit looks."""
MARKS = {"good": "✓", "warn": "!", "bad": "✗", "plain": "–"}  # noqa: RUF001 (a dash is meant)
"""A sign beside the word: colour alone tells nothing."""
COLUMNS = (("verdict", False), ("accountant", False), ("question and call", False),
           ("answer", True), ("certified value", True), ("relative error", True),
           ("digits", True), ("seconds", True))
"""Heads of the table of rows; is the column ordered as numbers?"""


def page(report: Mapping[str, Any]) -> str:
    """The page of the document of :func:`lapdp.report.audits.document`."""
    from markupsafe import Markup

    names = ", ".join(f"{a['name']} ({a['distribution']} {a['version']})"
                      for a in report["accountants"])
    counts = Counter(row["verdict"] for row in report["rows"])
    return environment().get_template("audit.html").render(
        report=report, names=names, tones=TONES, marks=MARKS, columns=COLUMNS,
        kinds=[kind for kind in report["verdicts"] if counts[kind]], counts=counts.most_common(),
        style=Markup(asset("base.css") + asset("audit.css")), script=Markup(asset("audit.js")),
        findings=at_fault(report), factor=factor, side=side,
        versions={a["name"]: f"{a['distribution']} {a['version']}" for a in report["accountants"]},
        certified=certified, clipped=_clipped, keys_of=_keys) + "\n"


def _keys(row: Mapping[str, Any]) -> list[str]:
    """What each cell of a row is ordered by."""
    return [row["verdict"], row["accountant"], row["id"],
            _key(row["answer"][-1]) if row["answer"] else "",
            _key(row["certified"].get("value", "")), _key(row["relative_error"] or ""),
            "" if row["digits"] is None else str(row["digits"]), str(row["seconds"])]


def _key(number: str) -> str:
    """A number as JavaScript reads it."""
    return {"inf": "Infinity", "-inf": "-Infinity", "nan": "", "oo": "Infinity"}.get(number, number)


def _clipped(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters)"


__all__ = ["COLUMNS", "MARKS", "TONES", "page"]
