"""The contradictions that the documents tell of are found by the engine, with the same values."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lapdp.theory.comparing import compare, differ, said_by
from lapdp.theory.discovery import Catalogue

PAGE = Path(__file__).parents[2] / "docs" / "library.md"
ROW = re.compile(r"^\| `(\w+/[^`]+)` \| `(\w+/[^`]+)` \|[^|]*\| `([^`]+)` \| `([^`]+)` \|$", re.M)
ROWS = ROW.findall(PAGE.read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def library():
    return {s.id: s for s in Catalogue().library}


def test_there_are_rows():
    assert len(ROWS) > 5


@pytest.mark.parametrize(("first", "second", "value", "other"), ROWS, ids=[r[0] for r in ROWS])
def test_two_papers_differ(library, first, second, value, other):
    assert library[first].expected == "refuted" and library[second].expected in (None, "proved")
    found = set()
    for a in said_by(library[first]):
        for b in said_by(library[second]):
            made = compare(a, b)
            witness = made and differ(made.question).witness
            if witness is not None:
                found.add((witness.lhs, witness.rhs))
    assert (value, other) in found
