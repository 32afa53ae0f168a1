"""The pages of a judged paper: its ledger and its sheet of errata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lapdp.report import errata, ledger
from lapdp.report.items import Item, load_items, owner_of


def pages(paper: str, statements: Sequence[Any], report: Mapping[str, Any]) -> dict[str, str]:
    """File names and contents: ``ledger.md``, ``errata.md``, ``errata.tex``.

    ``report`` is the document of :func:`lapdp.report.json_report.document` on ``statements``; a
    list of items beside the proof files puts rows into the order of the paper.
    Raises :class:`InputError` for a list that is not well-formed.
    """
    items = items_beside(statements)
    by_id = {s.id: s for s in statements}
    found = {s.id: owner_of(s, items, by_id) for s in statements}
    owner = {name: item.id for name, item in found.items() if item is not None}
    place = {item.id: number for number, item in enumerate(items)}

    def order(result: Mapping[str, Any]) -> int:
        return place.get(owner.get(result["id"], ""), len(items))

    # what a paper does not print is no erratum of it
    results = [r for r in report["statements"] if r["kind"] != "law"]
    return {
        "ledger.md": ledger.markdown(paper, report, items, owner),
        "errata.md": errata.markdown(paper, results, order),
        "errata.tex": errata.latex(paper, results, order),
    }


def items_beside(statements: Sequence[Any]) -> list[Item]:
    """The items listed in ``items.json`` beside the proof files of the statements, if there are."""
    folders = dict.fromkeys(Path(s.source).parent for s in statements if s.source)
    files = [folder / "items.json" for folder in folders]
    return [item for file in files if file.is_file() for item in load_items(file)]
