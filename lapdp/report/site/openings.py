"""The two sentences with which a page opens: what stands on it, and what does not, and why."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from lapdp.report.findings import is_fault, set_aside
from lapdp.report.html.wording import heading
from lapdp.report.papers import GOOD, PaperNotes
from lapdp.report.prose import equations, listed, number_of

Result = Mapping[str, Any]
SAYS = {"result": "a wrong claim", "hypothesis": "a missing hypothesis", "step": "a wrong step",
        "misprint": "a misprint", "convention": "an open convention"}
FEW = 8
"""Places of one kind that are named one by one."""
_NAME = re.compile(r"(.+, )?([a-z]+) (\d+(?:\.\d+)*)((?:, .*)?)", re.DOTALL)
_PLACE = re.compile(r"^(?:Proof of )?(?:Theorem|Lemma|Section|Appendix|Example|Remark|Corollary)"
                    r"s? [\w.]+(?: and [\w. ]+)?: ")
"""What a title begins with where the page says it already."""


def opening(results: Sequence[Result], notes: PaperNotes | None = None) -> list[str]:
    """Two sentences on the printed statements of a page, formulas between dollars, and one on what
    is open; none where there is nothing to say.  ``notes`` has the words about faults.

    >>> row = {"id": "p/eq-1", "label": "eq-1", "verdict": "proved", "repairs": None,
    ...        "fidelity": "printed", "severity": None, "root": None, "holds_under": ""}
    >>> wrong = {**row, "id": "p/eq-2", "label": "eq-2", "verdict": "refuted",
    ...          "severity": "hypothesis", "holds_under": "P << Q"}
    >>> opening([row, wrong])
    ['Stands as printed: (1).', 'Does not: (2) (a missing hypothesis: P << Q).']
    >>> letter = {**wrong, "fidelity": "reading", "severity": "convention"}
    >>> opening([row, letter])
    ['Everything here stands as printed.']
    >>> opening([row, {**wrong, "fidelity": "instance", "verdict": "proved", "severity": None}])
    ['Stands as printed: (1); at the values that it names: (2).']
    """
    told = notes if notes is not None else PaperNotes("")
    said = [r for r in results
            if not r["repairs"] and r["fidelity"] != "own" and not set_aside(r)]
    wrong = [r for r in said if is_fault(r)]
    numbers = {n for r in wrong for n in number_of(r["label"])}
    good = [r for r in said
            if r["verdict"] in GOOD and numbers.isdisjoint(number_of(r["label"]))]
    whole = [r for r in good if r["fidelity"] != "instance"]
    some = [r for r in good if r["fidelity"] == "instance"]
    parts = [f"Stands as printed: {_names(whole)}"] if whole else []
    if some:
        named = "it names" if len(some) == 1 else "they name"
        parts.append(f"{'at' if whole else 'Stands at'} the values that {named}: {_names(some)}")
    sentences = [f"{'; '.join(parts)}."] if parts else []
    if whole and len(whole) == len(said):
        sentences = ["Everything here stands as printed."]
    if parts := [*_faults(wrong, told), *_heirs(wrong, {r["id"] for r in results}, told)]:
        sentences.append(f"Does not: {'; '.join(parts)}.")
    decided = {r["id"] for r in (*good, *wrong)}
    if left := [r for r in said if r["id"] not in decided and r["verdict"] not in GOOD]:
        sentences.append(f"Not decided: {_names(left)}.")
    return sentences


def _faults(wrong: Sequence[Result], notes: PaperNotes) -> Iterable[str]:
    """The faults that arise here, heaviest first, each with the words about it."""
    for severity, words in SAYS.items():
        found: dict[str, list[Result]] = {}
        for r in wrong:
            if not r["root"] and (r["severity"] or "result") == severity:
                found.setdefault(_why(r["label"], notes) or r["holds_under"], []).append(r)
        for why, members in found.items():
            yield f"{_names(members)} ({words}{': ' if why else ''}{why})"


def _heirs(wrong: Sequence[Result], here: Iterable[str], notes: PaperNotes) -> Iterable[str]:
    """Lines that inherit a fault, with where it arises if that is elsewhere."""
    named = {n for r in wrong if not r["root"] for n in number_of(r["label"])}
    roots: dict[str, list[Result]] = {}
    for r in wrong:
        if r["root"] and named.isdisjoint(number_of(r["label"])):
            roots.setdefault("" if r["root"] in here else r["root"], []).append(r)
    for root, members in roots.items():
        label = root.rpartition("/")[2]
        why = _why(label, notes)
        words = f" (by a fault of {_names([{'label': label, 'equations': []}])}"
        yield ("" if root else "with that ") + _names(members) + (
            f"{words}{': ' if why else ''}{why})" if root else "")


def _why(label: str, notes: PaperNotes) -> str:
    """The title of a finding, or what to read for a misprint, in the words about the paper."""
    if label in notes.findings:
        return _PLACE.sub("", notes.findings[label].title)
    return notes.misprints.get(label, "")


def _names(results: Sequence[Result]) -> str:
    """Numbers of equations, else headings; those of one kind together, and counted if many."""
    numbers = equations(n for r in results for n in number_of(r["label"]))
    others = dict.fromkeys(heading(r) for r in results if not number_of(r["label"]))
    kinds: dict[str, list[str]] = {}
    for name in others:
        found = _NAME.fullmatch(name)
        about, kind, number, rest = found.groups() if found else (name, "", "", "")
        kinds.setdefault(f"{about or ''}{kind}", [])
        if found:
            kinds[f"{about or ''}{kind}"].append(number + rest.replace(", ", " (", 1)
                                                 + ")" * bool(rest))
    return listed([*filter(None, numbers.split(", ")), *map(_together, kinds, kinds.values())])


def _together(kind: str, places: Sequence[str]) -> str:
    """Places of one kind: their numbers, whole ones that follow each other as one; else how many.

    >>> _together("Theorem 3, step", ["1", "2", "3", "4.1", "7 (sign)"])
    'Theorem 3, steps 1-3, 4.1 and 7 (sign)'
    >>> _together("Theorem 3", []), _together("Theorem 3, step", list("13579") * 2)
    ('Theorem 3', '10 steps of Theorem 3')
    """
    runs: list[list[str]] = []
    for place in places:
        if runs and place.isdigit() and runs[-1][-1].isdigit() and (
                int(place) == int(runs[-1][-1]) + 1):
            runs[-1].append(place)
        else:
            runs.append([place])
    parts = [part for run in runs for part in ([f"{run[0]}-{run[-1]}"] if len(run) > 2 else run)]
    if len(parts) > FEW:
        about, _, noun = kind.rpartition(", ")
        return f"{len(places)} {noun}{_plural(noun)}" + (f" of {about}" if about else "")
    return f"{kind}{_plural(kind) * (len(places) > 1)} {listed(parts)}".rstrip()


def _plural(noun: str) -> str:
    return "es" if noun.endswith("ch") else "" if noun.endswith("s") else "s"


__all__ = ["opening"]
