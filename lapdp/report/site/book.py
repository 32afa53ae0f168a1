"""What the site shows: judged statements in the order of their paper, cut into pages."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from lapdp.core.verdict import Kind, worst
from lapdp.report.errata import Sheet
from lapdp.report.findings import set_aside
from lapdp.report.items import Item, owner_of
from lapdp.report.pages import items_beside, sheet
from lapdp.theory.statement import Statement

Result = Mapping[str, Any]
_PROOF = re.compile(r", proof$")


@dataclass(frozen=True)
class Entry:
    """A printed item with the statements that speak of it, or a statement that stands alone."""

    item: Item | None
    results: tuple[Result, ...]
    composite: Kind | None = None
    """The worst verdict among the members of a composite line, which are entries of their own."""

    @property
    def anchor(self) -> str:
        """Its place on the page."""
        return self.item.id if self.item is not None else str(self.results[0]["label"])

    @property
    def verdict(self) -> Kind | None:
        """The worst verdict among printed statements, a reading that is not meant left out; None
        where nothing is judged."""
        if self.composite is not None:
            return self.composite
        printed = [r for r in self.results if not r["repairs"]] or self.results
        printed = [r for r in printed if not set_aside(r)] or printed
        return worst([Kind(r["verdict"]) for r in printed]) if printed else None

    @property
    def unjudged(self) -> str:
        """What stands in the place of a verdict where there is none.

        >>> Entry(Item("eq-7", "claim", (7,), "Section 2", "a = b", True), ()).unjudged
        'not judged in this run'
        """
        checkable = self.item is not None and self.item.checkable
        return "not judged in this run" if checkable else "not checkable"


@dataclass(frozen=True)
class Page:
    """A section, or a theorem with its proof."""

    paper: str
    title: str
    entries: tuple[Entry, ...]

    @property
    def path(self) -> str:
        """The file, from the root of the site."""
        return f"{slug(self.paper)}/{slug(self.title)}.html"

    @cached_property
    def counts(self) -> Counter[str]:
        """Statements by verdict."""
        return Counter(str(r["verdict"]) for r in self.results)

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """All judged statements, as they are printed."""
        return tuple(r for entry in self.entries for r in entry.results)


@dataclass(frozen=True)
class Book:
    """A paper, or another shelf of statements."""

    paper: str
    pages: tuple[Page, ...]
    sheet: Sheet
    """Its errata."""

    @property
    def path(self) -> str:
        """The file of its contents, from the root of the site."""
        return f"{slug(self.paper)}/index.html"

    @property
    def errata_path(self) -> str:
        """The file of its errata."""
        return f"{slug(self.paper)}/errata.html"

    @cached_property
    def counts(self) -> Counter[str]:
        """Statements by verdict."""
        return sum((page.counts for page in self.pages), Counter())

    @cached_property
    def results(self) -> tuple[Result, ...]:
        """All judged statements, as they are printed."""
        return tuple(r for page in self.pages for r in page.results)


@dataclass(frozen=True)
class Shelf:
    """All books of a site, and where each statement is found in it."""

    books: tuple[Book, ...]
    report: Mapping[str, Any]
    places: dict[str, str] = field(default_factory=dict)
    """Id of a statement, or of a composite line: file and anchor."""

    def __post_init__(self) -> None:
        for book in self.books:
            for page in book.pages:
                for entry in page.entries:
                    self.places.setdefault(f"{book.paper}/{entry.anchor}",
                                           f"{page.path}#{entry.anchor}")
                for result in page.results:
                    self.places[result["id"]] = f"{page.path}#{result['label']}"

    @cached_property
    def results(self) -> dict[str, Result]:
        """Judged statements by id, in the order of the books."""
        return {r["id"]: r for book in self.books for r in book.results}


LONGEST = 100
"""Letters of the name of a file."""


def slug(text: str) -> str:
    """A name for a file: small letters, digits, dots and dashes.

    >>> slug("Section 3.1, after Theorem 3.6"), slug("index")
    ('section-3.1-after-theorem-3.6', 'index-page')
    """
    found = re.sub(r"[^a-z0-9.]+", "-", text.lower()).strip("-.") or "page"
    if len(found) > LONGEST:
        # no file system takes more than 255 bytes; the digest tells long names apart
        found = f"{found[:LONGEST - 9]}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    return f"{found}-page" if found in ("index", "errata") else found


def shelf(statements: Sequence[Statement], report: Mapping[str, Any]) -> Shelf:
    """The books of judged statements.

    ``report`` is the document of :func:`lapdp.report.json_report.document` on ``statements``.  A
    list of items beside the proof files puts a paper into printed order; without one, a page is a
    theorem of the proof files.  Raises :class:`InputError` for a list that is not well-formed.
    """
    judged = {r["id"]: r for r in report["statements"]}
    papers: dict[str, list[Statement]] = {}
    for statement in statements:
        papers.setdefault(statement.paper, []).append(statement)
    return Shelf(tuple(_book(paper, members, judged, report["aggregates"])
                       for paper, members in papers.items()), report)


def _book(paper: str, members: Sequence[Statement], judged: Mapping[str, Result],
          composite: Mapping[str, Any]) -> Book:
    items = items_beside(members)
    by_id = {s.id: s for s in members}
    owned: dict[str, list[Result]] = {item.id: [] for item in items}
    alone: dict[str, list[Entry]] = {}
    for statement in members:
        item = owner_of(statement, items, by_id)
        if item is not None:
            owned[item.id].append(judged[statement.id])
        else:
            title = statement.title or statement.group or "Statements"
            alone.setdefault(title, []).append(Entry(None, (judged[statement.id],)))
    pages: dict[str, list[Entry]] = {}
    for item in items:
        found = composite.get(f"{paper}/{item.id}")
        lines = pages.setdefault(_PROOF.sub("", item.where), [])
        lines.append(Entry(item, tuple(_ordered(owned[item.id])),
                           Kind(found["verdict"]) if found and not owned[item.id] else None))
    for title, entries in alone.items():
        pages.setdefault(title, []).extend(entries)
    return Book(paper, tuple(Page(paper, title, tuple(found)) for title, found in pages.items()),
                sheet(paper, members, [judged[s.id] for s in members]))


def _ordered(results: Iterable[Result]) -> list[Result]:
    """Each repair behind what it repairs."""
    found = list(results)
    ids = {r["id"] for r in found}
    ordered: list[Result] = []

    def add(result: Result) -> None:
        ordered.append(result)
        for other in found:
            if other["repairs"] == result["id"]:
                add(other)

    for result in found:
        if result["repairs"] not in ids:
            add(result)
    return ordered


__all__ = ["Book", "Entry", "Page", "Shelf", "shelf", "slug"]
