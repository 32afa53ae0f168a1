"""Where faults arise and which pages inherit them: arcs beside the list of pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lapdp.core.verdict import Kind, worst
from lapdp.report.findings import is_fault, set_aside
from lapdp.report.site.book import Book, Page, Result

LEFT, STEP, TOP = 330, 20, 20
"""Width of the titles, height of a line, height above the first, in pixels."""



@dataclass(frozen=True)
class Node:
    """A page in the drawing, the pages from which it inherits, and those that inherit from it."""

    title: str
    path: str
    y: int
    verdict: str
    uses: tuple[Page, ...]
    heirs: tuple[Page, ...]


@dataclass(frozen=True)
class Arc:
    """One page inherits a fault of another."""

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
    """The map of a book: pages with a fault, arcs to where it arises.

    ``places`` says on which page each id lies.
    """
    heirs = {page.path: [places[r["root"]].partition("#")[0] for r in page.results
                         if r["root"] in places] for page in book.pages}
    roots = {path for found in heirs.values() for path in found}
    pages = {page.path: page for page in book.pages
             if page.path in roots or heirs[page.path] or any(map(_finding, page.results))}
    number = {path: place for place, path in enumerate(pages)}
    above = {path: dict.fromkeys(other for other in heirs[path]
                                 if other in pages and other != path) for path in pages}
    arcs = tuple(_arc(number[path], number[other],
                      f"{pages[path].title} inherits from {pages[other].title}")
                 for path in pages for other in above[path])
    nodes = tuple(Node(page.title, page.path, TOP + STEP * n, _worst(page),
                       tuple(pages[other] for other in above[page.path]),
                       tuple(pages[other] for other in pages if page.path in above[other]))
                  for n, page in enumerate(pages.values()))
    reach = max((abs(arc.source - arc.target) for arc in arcs), default=0)
    return Drawing(book.paper, LEFT, LEFT + 40 + reach * STEP // 2, TOP * 2 + STEP * len(nodes),
                   nodes, arcs)


def _finding(result: Result) -> bool:
    return is_fault(result) and result["severity"] != "convention"


def _worst(page: Page) -> str:
    return str(worst([Kind(r["verdict"]) for r in page.results if not set_aside(r)]
                     or [Kind.PROVED]))


def _arc(source: int, target: int, title: str) -> Arc:
    x, a, b = LEFT + 14, TOP + STEP * source - 4, TOP + STEP * target - 4
    bulge = x + 12 + abs(a - b) // 2
    return Arc(source, target, f"M{x} {a}C{bulge} {a} {bulge} {b} {x} {b}", title)


__all__ = ["Arc", "Drawing", "Node", "drawing"]
