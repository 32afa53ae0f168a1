"""What docs/own_results.md lists is in the library, is ours, and has the verdict given there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lapdp.theory.derivations import place, read
from lapdp.theory.fidelity import fidelity_of
from tests.library import judged
from tests.shelf import by_id

PAGE = Path(__file__).parents[2] / "docs" / "own_results.md"
TEXT = PAGE.read_text(encoding="utf-8")
ROW = re.compile(r"^\| .+ \| (proved|derived) \| `(\w+/[^`]+)` \|$", re.MULTILINE)
ROWS = ROW.findall(TEXT)


def test_every_line_of_the_table_is_read() -> None:
    assert len(ROWS) == len(re.findall(r"^\| .*`\w+/", TEXT, re.MULTILINE)) > 10
    assert len({name for _, name in ROWS}) == len(ROWS)


@pytest.mark.parametrize(("verdict", "name"), ROWS, ids=[name for _, name in ROWS])
def test_it_is_ours_and_judged_so(verdict: str, name: str) -> None:
    statement = by_id()[name]
    assert fidelity_of(statement) == "own" and statement.expected in (None, "proved")
    assert judged.recorded()[name] == judged.digest(statement)
    kept = name in read(place(statement.source))
    assert verdict == ("proved" if kept else "derived")
