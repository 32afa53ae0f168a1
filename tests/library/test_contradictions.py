"""The contradictions that the documents tell of are found by the engine, with the same values."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

import pytest

from lapdp import cli
from lapdp.theory.comparing import compare, differ, recorded, said_by
from lapdp.theory.comparing.recorded import outcome, place
from tests.effort import calls_at_most
from tests.library.contradicted import asked
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


def test_most_answers_are_on_record_and_a_sample_is_found_again() -> None:
    """``python -m tests.library.contradicted`` enters what is missing."""
    known = recorded.recorded()
    questions, search = asked(lambda those: [recorded.told(known.get(q.hash)) for q in those])
    assert len(search.found) > 50 and len(questions) > 200
    on_record = [q for digest, q in questions.items() if digest in known]
    assert len(on_record) > 0.8 * len(questions)
    refuted = [q for q in on_record if known[q.hash] is not None]
    for question in sorted(refuted, key=lambda q: hashlib.sha256(q.id.encode()).digest())[:6]:
        found = differ(question).witness
        assert found is not None and found.lhs == known[question.hash]["lhs"], question.id


def test_the_record_as_a_whole_is_believed_only_while_no_proof_file_changes(
        tmp_path, monkeypatch, capsys) -> None:
    (tmp_path / "p").mkdir()
    (tmp_path / "p" / "one.py").write_text("x = 1\n")
    monkeypatch.setattr(recorded, "shipped_library", lambda: tmp_path)
    told = {"papers": ["a", "b"], "asked": 2, "contradictions": [], "no_difference": ["a/eq-1"]}
    place().write_text(json.dumps({"files": recorded.files_digest(), "outcome": told}))
    assert outcome() == told
    (tmp_path / "p" / "one.py").write_text("x = 2\n")
    assert outcome() is None
    place().write_text("no JSON")
    assert outcome() is None and recorded.recorded() == {}
    place().unlink()
    assert outcome() is None and recorded.recorded() == {}


def test_nothing_is_executed_where_all_is_on_record(tmp_path, monkeypatch, capsys) -> None:
    told = {"papers": ["a", "b"], "asked": 2, "no_difference": ["a/eq-1~eq-2"], "contradictions": [
        {"about": "x", "witness": {}, "statements": [
            {"id": i, "printed": "", "encoded": "1 = 2", "verdict": "refuted"} for i in "ab"]}]}
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(recorded, "outcome", lambda: told)
    with calls_at_most(200_000):
        assert cli.main(["contradictions"]) == 0
    assert "a, b: 1 contradictions; 2 questions, 1 of them" in capsys.readouterr().out
    assert cli.main(["contradictions", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == told
    # a file of one's own is searched with the library
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "mine.py").write_text("1 / 0\n")
    assert cli.main(["contradictions"]) == 2
    assert "mine.py" in capsys.readouterr().err
