"""The two sentences with which a page opens: what stands on it, and what does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lapdp.report.findings import is_fault
from lapdp.report.html.wording import heading
from lapdp.report.papers import GOOD
from lapdp.report.prose import equations, listed, number_of
from lapdp.theory.fidelity import FALSE

Result = Mapping[str, Any]
SAYS = {"result": "a wrong claim", "hypothesis": "a missing hypothesis", "step": "a wrong step",
        "misprint": "a misprint", "convention": "an open convention"}
FEW = 6
"""Statements without a number that are named one by one."""


def opening(results: Sequence[Result]) -> list[str]:
    """At most two sentences on the printed statements of a page; none where nothing is printed.

    >>> row = {"id": "p/eq-1", "label": "eq-1", "verdict": "proved", "repairs": None,
    ...        "fidelity": "printed", "severity": None, "root": None}
    >>> wrong = {**row, "id": "p/eq-2", "label": "eq-2", "verdict": "refuted",
    ...          "severity": "hypothesis"}
    >>> opening([row, wrong])
    ['Stands as printed: (1).', 'Does not: (2) (a missing hypothesis).']
    >>> letter = {**wrong, "fidelity": "reading", "severity": "convention"}
    >>> opening([row, letter])
    ['Everything here stands as printed.']
    """
    said = [r for r in results if not r["repairs"] and r["fidelity"] != "own"
            and not _other_reading(r)]
    wrong = [r for r in said if is_fault(r) and r["severity"] != "convention"]
    numbers = {n for r in wrong for n in number_of(r["label"])}
    good = [r for r in said
            if r["verdict"] in GOOD and numbers.isdisjoint(number_of(r["label"]))]
    sentences = []
    if good:
        sentences.append("Everything here stands as printed." if len(good) == len(said) else
                         f"Stands as printed: {_names(good)}.")
    parts = [f"{_names(own)} ({words})" for severity, words in SAYS.items() if (own := [
        r for r in wrong if not r["root"] and (r["severity"] or "result") == severity])]
    here = {r["id"] for r in results}
    named = {n for r in wrong if not r["root"] for n in number_of(r["label"])}
    heirs = [r for r in wrong if r["root"] and named.isdisjoint(number_of(r["label"]))]
    for words, kept in (("and with that ", [r for r in heirs if r["root"] in here]),
                        ("by a fault of another page ",
                         [r for r in heirs if r["root"] not in here])):
        if kept:
            parts.append(words + _names(kept))
    if parts:
        sentences.append(f"Does not: {'; '.join(parts)}.")
    return sentences


def _other_reading(result: Result) -> bool:
    """Is it a reading of a text that fails and has no weight, as the text is meant otherwise?"""
    return result["fidelity"] == "reading" and result["verdict"] in FALSE and (
        result["severity"] in (None, "convention"))


def _names(results: Sequence[Result]) -> str:
    """Numbers of equations, else headings; many of these are counted."""
    numbers = equations(n for r in results for n in number_of(r["label"]))
    others = list(dict.fromkeys(heading(r) for r in results if not number_of(r["label"])))
    if len(others) > FEW:
        others = [f"{len(others)} sentences of the text"]
    return listed([*filter(None, numbers.split(", ")), *others])


__all__ = ["opening"]
