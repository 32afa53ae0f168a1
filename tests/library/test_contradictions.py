"""The contradictions that the documents tell of are found by the engine, with the same values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lapdp.theory.comparing import compare, differ, said_by
from tests.shelf import by_id

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
ROW = re.compile(r"^\| `(\w+/[^`]+)` \| `(\w+/[^`]+)` \|[^|]*\| `([^`]+)` \| `([^`]+)` \|$", re.M)
ROWS = ROW.findall(PAGE.read_text(encoding="utf-8"))


def test_there_are_rows() -> None:
    assert len(ROWS) > 5


@pytest.mark.parametrize(("first", "second", "value", "other"), ROWS, ids=[r[0] for r in ROWS])
def test_two_papers_differ(first: str, second: str, value: str, other: str) -> None:
    library = by_id()
    assert library[first].expected == "refuted" and library[second].expected in (None, "proved")
    found: set[tuple[str, str]] = set()
    for a in said_by(library[first]):
        for b in said_by(library[second]):
            made = compare(a, b)
            witness = differ(made.question).witness if made is not None else None
            if witness is not None:
                found.add((witness.lhs, witness.rhs))
    assert (value, other) in found
