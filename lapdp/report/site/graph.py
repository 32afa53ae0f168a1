"""Which page names an equation or theorem of which other: arcs beside the list of pages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from lapdp.core.verdict import Kind, worst
from lapdp.report.site.book import Book, Page, Result

LEFT, STEP, TOP = 330, 20, 20
"""Width of the titles, height of a line, height above the first, in pixels."""

_EQUATION = re.compile(r"\((\d+)(?=[.,;)-]|\s)")
_FORMULA = re.compile(r"\$[^$]*\$")
_OVER = re.compile(r"\\overset\{(\(\d+\))\}")
_NAMED = re.compile(r"\b(theorem|lemma|corollary|definition|remark|figure|table)[ -~]*?"
                    r"((?:A\.)?\d+(?:\.\d+)?)", re.IGNORECASE)
_ID = re.compile(r"[a-z]+[a-z0-9-]*/[A-Za-z0-9.-]*[A-Za-z0-9]")


@dataclass(frozen=True)
class Node:
    """A page in the drawing, and the pages that it names."""

    title: str
    path: str
    y: int
    verdict: str
    uses: tuple[Page, ...]


@dataclass(frozen=True)
class Arc:
    """One page names another."""

    source: int
    target: int
    path: str
    title: str


@dataclass(frozen=True)
class Drawing:
    """The map of a paper."""

    paper: str
    left: int
    width: int
    height: int
    nodes: tuple[Node, ...]
    arcs: tuple[Arc, ...]


def drawing(book: Book, places: Mapping[str, str]) -> Drawing:
    """The map of a book; ``places`` says on which page each id lies."""
    pages = {page.path: page for page in book.pages}
    number = {path: place for place, path in enumerate(pages)}
    named = {page.path: dict.fromkeys(path for path in _named_by(page, book.paper, places)
                                      if path in pages and path != page.path)
             for page in book.pages}
    arcs = tuple(_arc(number[path], number[other], f"{pages[path].title} names {pages[other].title}"
                      ) for path in pages for other in named[path])
    nodes = tuple(Node(page.title, page.path, TOP + STEP * n, _worst(page),
                       tuple(pages[other] for other in named[page.path]))
                  for n, page in enumerate(book.pages))
    reach = max((abs(arc.source - arc.target) for arc in arcs), default=0)
    return Drawing(book.paper, LEFT, LEFT + 40 + reach * STEP // 2, TOP * 2 + STEP * len(nodes),
                   nodes, arcs)


def _worst(page: Page) -> str:
    return str(worst([Kind(verdict) for verdict in page.counts] or [Kind.PROVED]))


def _named_by(page: Page, paper: str, places: Mapping[str, str]) -> Iterator[str]:
    """The pages of what notes, titles, repairs and items of a page name."""
    for entry in page.entries:
        # within a formula (1) is an argument, over a sign of relation the number of an equation
        formulas = entry.item.printed if entry.item is not None else ""
        texts = [_FORMULA.sub(" ", formulas) if "$" in formulas else "",
                 *_OVER.findall(formulas), *map(_prose, entry.results)]
        for text in texts:
            for name in _names(text, paper):
                place = places.get(name)
                if place is not None:
                    yield place.partition("#")[0]


def _prose(result: Result) -> str:
    return " ".join(filter(None, (result["note"], result["title"], result["repairs"])))


def _names(text: str, paper: str) -> Iterator[str]:
    """Ids named in a text: in full, by the number of an equation, by the name of a theorem.

    >>> list(_names("by (22) and Theorem 3.2, see laws/shape.convex", "p"))
    ['laws/shape.convex', 'p/eq-22', 'p/eq-22.1', 'p/theorem-3.2']
    """
    yield from _ID.findall(text)
    for number in _EQUATION.findall(text):
        yield from (f"{paper}/eq-{number}", f"{paper}/eq-{number}.1")
    for kind, number in _NAMED.findall(text):
        yield f"{paper}/{kind.lower()}-{number}"


def _arc(source: int, target: int, title: str) -> Arc:
    x, a, b = LEFT + 14, TOP + STEP * source - 4, TOP + STEP * target - 4
    bulge = x + 12 + abs(a - b) // 2
    return Arc(source, target, f"M{x} {a}C{bulge} {a} {bulge} {b} {x} {b}", title)


__all__ = ["Arc", "Drawing", "Node", "drawing"]
