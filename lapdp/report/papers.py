"""What a reader of a paper is told in words: who wrote it, what stands, why something does not.

The words lie beside the proof files as ``paper.json``.  They are words only: which statements fail,
and how, is taken from the judged statements, and what is said to stand names the statements that
must hold.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lapdp.core.errors import InputError
from lapdp.core.verdict import HOLDS, Kind

Result = Mapping[str, Any]
GOOD = {str(k) for k in (*HOLDS, Kind.CERTIFIED)}
FILE = "paper.json"


@dataclass(frozen=True)
class Words:
    """A sentence, with formulas between dollars, and the labels of the statements it is about."""

    says: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class Why:
    """Title of a finding and, in words, why the printed line fails."""

    title: str
    why: str


@dataclass(frozen=True)
class Slip:
    """A misprint that no formula shows, a wrong reference say: its place, and what to read."""

    place: str
    read: str


@dataclass(frozen=True)
class PaperNotes:
    """The words about one paper."""

    title: str
    authors: tuple[str, ...] = ()
    version: str = ""
    link: str = ""
    """Where the paper can be read: an address with https."""
    stands: tuple[Words, ...] = ()
    findings: Mapping[str, Why] = field(default_factory=dict)
    misprints: Mapping[str, str] = field(default_factory=dict)
    slips: tuple[Slip, ...] = ()
    conventions: tuple[Words, ...] = ()

    @property
    def labels(self) -> set[str]:
        """All labels that are named."""
        named = {label for words in (*self.stands, *self.conventions) for label in words.labels}
        return named | set(self.findings) | set(self.misprints)


KEYS = ("title", "authors", "version", "link", "stands", "findings", "misprints", "slips",
        "conventions")


def load_notes(path: str | Path) -> PaperNotes:
    """The words of a ``paper.json``; every error is one :class:`InputError`."""
    file = Path(path)
    try:
        entry = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise InputError(f"{file.name}: {problem}") from problem
    if not isinstance(entry, dict) or not isinstance(entry.get("title"), str):
        raise InputError(f"{file.name}: must be an object with a title")
    unknown = sorted(set(entry) - set(KEYS))
    if unknown:
        raise InputError(f"{file.name}: unknown {', '.join(unknown)}; known are {', '.join(KEYS)}")
    try:
        return PaperNotes(
            title=entry["title"],
            authors=tuple(map(_text, entry.get("authors", ()))),
            version=_text(entry.get("version", "")),
            link=_address(entry.get("link", "")),
            stands=_words(entry.get("stands", ())),
            findings={_text(k): Why(**{n: _text(t) for n, t in v.items()})
                      for k, v in entry.get("findings", {}).items()},
            misprints={_text(k): _text(v) for k, v in entry.get("misprints", {}).items()},
            slips=tuple(Slip(**{n: _text(t) for n, t in one.items()})
                        for one in entry.get("slips", ())),
            conventions=_words(entry.get("conventions", ())),
        )
    except (TypeError, AttributeError, ValueError, KeyError) as problem:
        raise InputError(f"{file.name}: {problem}") from problem


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise ValueError(f"{given!r} must be text")
    return given


def _address(given: Any) -> str:
    if (link := _text(given)) and not link.startswith("https://"):
        raise ValueError(f"link {given!r} must begin with https://")
    return link


def _words(given: Iterable[Any]) -> tuple[Words, ...]:
    return tuple(Words(_text(one["says"]), tuple(map(_text, one["statements"]))) for one in given)


def notes_beside(paper: str, statements: Sequence[Any]) -> PaperNotes:
    """The words beside the proof files of the statements; without a file, the name of the paper."""
    folders = dict.fromkeys(Path(s.source).parent for s in statements if s.source)
    files = [folder / FILE for folder in folders if (folder / FILE).is_file()]
    return load_notes(files[0]) if files else PaperNotes(paper)


def check_notes(notes: PaperNotes, results: Iterable[Result], *, whole: bool = True) -> None:
    """Raise :class:`InputError` where a label is none of the paper, or what stands does not.

    ``whole=False``: the results are those of a part of the paper, and other labels may be missing.

    >>> one = {"label": "eq-1", "verdict": "refuted"}
    >>> check_notes(PaperNotes("A paper", stands=(Words("All.", ("eq-1",)),)), [one])
    Traceback (most recent call last):
    lapdp.core.errors.InputError: paper.json says that eq-1 stands, which is refuted
    """
    verdicts = {r["label"]: r["verdict"] for r in results}
    for label in sorted(notes.labels - verdicts.keys()) if whole else []:
        raise InputError(f"{FILE} names {label}, which is no statement of the paper")
    for label in (label for words in notes.stands for label in words.labels):
        if label in verdicts and verdicts[label] not in GOOD:
            raise InputError(f"{FILE} says that {label} stands, which is {verdicts[label]}")


__all__ = ["PaperNotes", "Slip", "Why", "Words", "check_notes", "load_notes", "notes_beside"]
