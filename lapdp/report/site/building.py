"""All files of the site, from judged statements."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from lapdp.core.facts import ALL_FACTS
from lapdp.core.verdict import Kind
from lapdp.report import text
from lapdp.report.errata import WEIGHTS
from lapdp.report.html.environment import (
    SIGNS,
    asset,
    cut,
    environment,
    math_font,
    plain_formula,
    prose,
    safe,
)
from lapdp.report.html.wording import heading, lines
from lapdp.report.items import Item
from lapdp.report.site.badge import badge
from lapdp.report.site.book import Book, Entry, Page, Result, Shelf, shelf
from lapdp.report.site.graph import drawing
from lapdp.report.site.openings import opening
from lapdp.theory.statement import Statement

MENU = (("All statements", "ledger.html"), ("Map", "graph.html"), ("Facts", "facts.html"))
SECONDS = "seconds.json"
"""Apart from the pages, which are the same bytes whenever the verdicts are the same."""
ASSETS = (("base.css", "lapdp.report.html"), ("math-licence.txt", "lapdp.report.html"),
          ("site.css", "lapdp.report.site"),
          ("site.js", "lapdp.report.site"), ("theme.js", "lapdp.report.site"))


def site(statements: Sequence[Statement], report: Mapping[str, Any], *, targets: Sequence[str] = (),
         plots: Mapping[str, str] | None = None) -> dict[str, str]:
    """File names and contents of the site.

    ``report`` is the document of :func:`lapdp.report.json_report.document` on ``statements``;
    ``targets`` what ``lapdp verify`` was asked for, so that the pages say how to judge again;
    ``plots`` the drawings of :func:`lapdp.report.html.sides.all_sides`.
    Raises :class:`InputError` for a list of items that is not well-formed.
    """
    return _Builder(shelf(statements, report), targets, plots or {}).files()


class _Builder:
    """What all pages share."""

    def __init__(self, found: Shelf, targets: Sequence[str],
                 plots: Mapping[str, str]) -> None:
        self.shelf = found
        self.plots = {name: safe(drawing) for name, drawing in plots.items()}
        self.kinds = [str(k) for k in Kind if any(b.counts[str(k)] for b in found.books)]
        self.targets = "".join(f" {target}" for target in targets)

    @cached_property
    def _found(self) -> list[tuple[Result, str, str]]:
        """Each statement with the title of its page and the words by which it is found."""
        return [(result, page.title, _words(result, page.title))
                for book in self.shelf.books for page in book.pages for result in page.results]

    def files(self) -> dict[str, str]:
        """Every page and asset."""
        found = {f"assets/{name}": asset(name, room) for name, room in ASSETS}
        found["assets/math.css"] = math_font()
        found["assets/search.js"] = self._search()
        found["badge.svg"] = badge(list(self.shelf.results.values()))
        found["index.html"] = self._index()
        found["ledger.html"] = self._ledger()
        found["facts.html"] = self._facts()
        found[SECONDS] = self._seconds()
        maps = (drawing(book, self.shelf.places) for book in self.shelf.books)
        found["graph.html"] = self._page("graph.html", "Findings and what follows from them",
                                         drawings=[drawn for drawn in maps if drawn.nodes])
        for book in self.shelf.books:
            found[book.path] = self._page(book.path, book.paper, "book.html", book=book,
                                          line=_line, weights=WEIGHTS)
            if book.sheet.total:
                found[book.errata_path] = self._errata(book)
            for number, page in enumerate(book.pages):
                found[page.path] = self._statements(book, number, page)
        return found

    def _page(self, path: str, title: str, template: str = "", **names: Any) -> str:
        return environment().get_template(template or path).render(
            here=path, title=title, root="../" * path.count("/"), books=self.shelf.books,
            menu=MENU, report=self.shelf.report, targets=self.targets, kinds=self.kinds,
            places=self.shelf.places, **names)

    def _index(self) -> str:
        return self._page("index.html", "Ledger of statements", total=len(self.shelf.results))

    def _statements(self, book: Book, number: int, page: Page) -> str:
        before = book.pages[number - 1] if number else None
        after = book.pages[number + 1] if number + 1 < len(book.pages) else None
        return self._page(page.path, page.title, "page.html", book=book, page=page, before=before,
                          after=after, line=_line, lines=lines, plots=self.plots, printed=_printed,
                          heading=partial(_heading, page),
                          opening=opening(page.results, book.sheet.notes), heirs=self._heirs)

    @cached_property
    def _heirs(self) -> dict[str, list[str]]:
        """The statements that inherit the fault of each root, by its id."""
        found: dict[str, list[str]] = {}
        for result, _, _ in self._found:
            if result["root"]:
                found.setdefault(result["root"], []).append(result["id"])
        return found

    def _errata(self, book: Book) -> str:
        return self._page(book.errata_path, f"Errata of {book.paper}", "errata.html", book=book,
                          sheet=book.sheet, weights=WEIGHTS)

    def _ledger(self) -> str:
        rows = [{
            "id": r["id"], "place": self.shelf.places[r["id"]], "where": where,
            "verdict": r["verdict"], "kind": r["kind"], "paper": r["paper"],
            "method": r["symbolic"]["method"] or "none", "finding": text.finding(r),
            "fidelity": r["fidelity"], "severity": r["severity"] or "none",
            "words": words,
        } for r, where, words in self._found]
        choices = {name: sorted({row[name] for row in rows})
                   for name in ("paper", "kind", "fidelity", "severity", "method")}
        return self._page("ledger.html", "All statements", rows=rows, choices=choices)

    def _facts(self) -> str:
        proofs = [r for r in self.shelf.results.values() if r["verdict"] in ("proved", "derived")]
        users: dict[str, list[str]] = {}
        for result in proofs:
            for name in result["symbolic"]["facts"]:
                users.setdefault(name, []).append(result["id"])
        known = sorted((fact for fact in ALL_FACTS if fact.name in users),
                       key=lambda fact: -len(users[fact.name]))
        return self._page("facts.html", "Facts that proofs stand on", facts=known, users=users,
                          proofs=len(proofs),
                          free=sum(not r["symbolic"]["facts"] for r in proofs))

    def _seconds(self) -> str:
        taken = {r["id"]: round(r["seconds"], 2) for r, _, _ in self._found}
        return json.dumps(taken, indent=0) + "\n"

    def _search(self) -> str:
        entries = [
            [r["id"], self.shelf.places[r["id"]], r["verdict"], SIGNS[Kind(r["verdict"])],
             r["equations"], where, words] for r, where, words in self._found]
        data = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
        return f"window.LAPDP_SEARCH={data};\n"


def _words(result: Result, where: str) -> str:
    parts = (result["id"], where, result["title"], result["verdict"], result["kind"],
             result["claim"], plain_formula(result["printed"] or result["corrected"]),
             result["note"],
             *result["symbolic"]["facts"])
    return " ".join(filter(None, parts)).lower()


def _heading(page: Page, entry: Entry) -> str:
    """The heading of an entry: the number of an equation, else its name."""
    if entry.results:
        return heading({**entry.results[0], "label": entry.anchor})
    return heading({"label": entry.anchor, "equations": entry.item.equations if entry.item else ()})


def _line(entry: Entry) -> Any:
    """An entry on one line, for lists; on a narrow page, on several."""
    if entry.item is not None:
        return _printed(entry.item)
    result = entry.results[0]
    return cut(result["printed"] or result["corrected"] or result["encoded"])


def _printed(item: Item) -> Any:
    """What an item prints: prose with formulas between dollars, or one formula."""
    is_formula = "$" not in item.printed and "\\" in item.printed
    return cut(item.printed) if is_formula else prose(item.printed)


__all__ = ["site"]
