"""The pages of a judged paper: its ledger and its sheet of errata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lapdp.report import errata, ledger
from lapdp.report.errata import Sheet, sheet_of
from lapdp.report.errata_latex import latex
from lapdp.report.items import Item, load_items, owner_of
from lapdp.report.papers import notes_beside
from lapdp.report.terminal import plain

MARKS = {"ledger.md": "# Ledger of ", "errata.md": "# Errata: ",
         "errata.tex": r"{\Large\bfseries Errata: "}
"""What stands at the beginning of each file: one without it is not lapdp's to replace."""


def pages(paper: str, statements: Sequence[Any], report: Mapping[str, Any]) -> dict[str, str]:
    """File names and contents: ``ledger.md``, ``errata.md``, ``errata.tex``.

    ``report`` is the document of :func:`lapdp.report.json_report.document` on ``statements``; a
    list of items beside the proof files puts rows into the order of the paper.
    Raises :class:`InputError` for a list that is not well-formed.
    """
    items = items_beside(statements)
    found = owners(statements, items)
    owner = {name: item.id for name, item in found.items()}
    errata_of = sheet(paper, statements, report["statements"])
    made = {
        "ledger.md": ledger.markdown(paper, report, items, owner),
        "errata.md": errata.markdown(errata_of),
        "errata.tex": latex(errata_of),
    }
    return {name: plain(content) for name, content in made.items()}


def sheet(paper: str, statements: Sequence[Any], results: Sequence[Mapping[str, Any]]) -> Sheet:
    """The errata of a paper, from its judged statements, in the order in which it is printed."""
    items = items_beside(statements)
    found = owners(statements, items)
    rank = {item.id: number for number, item in enumerate(items)}
    place = {s.label: found[s.id].where for s in statements if s.id in found}
    last = len(items)
    # what a paper does not print is no erratum of it
    ordered = sorted((r for r in results if r["kind"] != "law"),
                     key=lambda r: rank[found[r["id"]].id] if r["id"] in found else last)
    return sheet_of(paper, ordered, notes_beside(paper, statements), place, whole=False)


def owners(statements: Sequence[Any], items: Sequence[Item]) -> dict[str, Item]:
    """The item under which each statement is listed, by id."""
    by_id = {s.id: s for s in statements}
    found = ((s.id, owner_of(s, items, by_id)) for s in statements)
    return {name: item for name, item in found if item is not None}


def items_beside(statements: Sequence[Any]) -> list[Item]:
    """The items listed in ``items.json`` beside the proof files of the statements, if there are."""
    folders = dict.fromkeys(Path(s.source).parent for s in statements if s.source)
    files = [folder / "items.json" for folder in folders]
    return [item for file in files if file.is_file() for item in load_items(file)]
