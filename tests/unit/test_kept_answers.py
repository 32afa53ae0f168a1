"""Sweeps go on where they were interrupted, in bounded memory, and lose no answer that came."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from lapdp.accounting import sweeps
from lapdp.accounting.kept_answers import KeptAnswers
from lapdp.accounting.queries import Query
from lapdp.cli import main
from lapdp.commands import sweeping
from lapdp.core.errors import InputError
from lapdp.report import json_report

QUESTIONS = [f"delta(laplace(1), {k}/7)" for k in range(7)]
ONE = {"query": "delta(laplace(1), 1)", "value": "0", "shown": "0"}


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What has been asked: answered here, with an interruption where one is planned."""
    monkeypatch.chdir(tmp_path)
    Path("questions.txt").write_text("\n".join(["# seven", *QUESTIONS]))
    seen: list[str] = []

    def answered(queries: Any, *, each: Any, progress: Any, **_: Any) -> list[sweeps.Row]:
        rows = []
        for place, query in enumerate(queries):
            if str(query) == planned.get("stop"):
                raise KeyboardInterrupt
            seen.append(str(query))
            rows.append(sweeps.query_row(query))
            each(place, rows[-1])
            progress(place + 1, len(queries), str(query), "")
        return rows

    monkeypatch.setattr(sweeps, "sweep", answered)
    monkeypatch.setattr(sweeping, "BATCH", 3)
    return seen


planned: dict[str, str] = {}


def test_an_interrupted_sweep_goes_on(asked: list[str], monkeypatch: pytest.MonkeyPatch,
                                      capsys: pytest.CaptureFixture[str]) -> None:
    """All was lost: answers reached the disk at the end."""
    line = ["sweep", "questions.txt", "--json", "answers.json"]
    monkeypatch.setitem(planned, "stop", QUESTIONS[4])
    assert main(line) == 130
    assert "kept in answers.json.part" in capsys.readouterr().err
    assert asked == QUESTIONS[:4] and not Path("answers.json").exists()
    with Path("answers.json.part").open("ab") as part:
        part.write(b'{"n": 4, "query": "delta(lap')  # killed in the middle of a line
    planned.clear()
    assert main(line) == 0
    assert asked == QUESTIONS and sorted(os.listdir()) == ["answers.json", "questions.txt"]
    report = json.loads(Path("answers.json").read_text())
    assert [a["query"] for a in report["answers"]] == QUESTIONS
    shown = capsys.readouterr().out.splitlines()
    assert [s.split(" = ")[0] for s in shown] == QUESTIONS
    assert Path("answers.json").read_text() == json_report.dumps(report)
    assert main([*line[:2], "--json", "-"]) == 0
    again = json.loads(capsys.readouterr().out)
    for answer in (*again["answers"], *report["answers"]):
        del answer["seconds"]
    assert again == report


def test_another_question_in_the_same_place_is_asked(asked: list[str]) -> None:
    line = ["sweep", "questions.txt", "--json", "answers.json", "-q"]
    planned["stop"] = QUESTIONS[5]
    assert main(line) == 130
    planned.clear()
    asked.clear()
    other = "epsilon(laplace(1), 1/9)"
    Path("questions.txt").write_text("\n".join([QUESTIONS[0], other, *QUESTIONS[2:]]))
    assert main(line) == 0
    assert asked == [other, *QUESTIONS[5:]]


def test_a_full_disk_keeps_what_is_there(asked: list[str], monkeypatch: pytest.MonkeyPatch,
                                         capsys: pytest.CaptureFixture[str]) -> None:
    write, calls = os.pwrite, []

    def full(*arguments: Any) -> int:
        calls.append(arguments)
        if len(calls) == 4:  # a line of the heading, two answers
            write(arguments[0], arguments[1][:9], arguments[2])
            raise OSError(28, "No space left on device")
        return write(*arguments)

    monkeypatch.setattr(os, "pwrite", full)
    line = ["sweep", "questions.txt", "--json", "answers.json", "-q"]
    assert main(line) == 2
    assert "answers.json.part: No space left on device" in capsys.readouterr().err
    monkeypatch.setattr(os, "pwrite", write)
    assert main(line) == 0
    assert asked == [*QUESTIONS[:3], *QUESTIONS[2:]]


def test_a_file_of_somebody_else_is_left_alone(tmp_path: Path) -> None:
    part = tmp_path / "part"
    heading = {"lapdp": "1"}
    for text in ("mine\n", "mine", '{"kept": "answers of a sweep", "lapdp": "2"}\n'):
        part.write_text(text)
        with pytest.raises(InputError, match="holds no answers of this version"):
            KeptAnswers(part, heading, 3)
        assert part.read_text() == text
    part.unlink()
    for make in (os.mkfifo, os.mkdir, lambda p: os.symlink("/dev/null", p)):
        make(part)
        with pytest.raises(InputError):
            KeptAnswers(part, heading, 3)
        (os.rmdir if part.is_dir() else os.unlink)(part)
    with (KeptAnswers(part, heading, 3), pytest.raises(InputError, match="by another sweep")):
        KeptAnswers(part, heading, 3)


def test_damaged_lines_are_asked_again(tmp_path: Path) -> None:
    part, heading = tmp_path / "part", {"lapdp": "1"}
    with KeptAnswers(part, heading, 3) as kept:
        kept.put(0, ONE)
    good = part.read_bytes()
    for line in (b"[]", b"\xff", b"[" * 10**5, b'{"n": 99}', b'{"n": -1}', b'{"n": true}', b"",
                 b'{"n": 2, "query": 1, "shown": "", "value": ""}', b'{"n": 2, "query": ""}'):
        part.write_bytes(good + line + b"\n")
        with KeptAnswers(part, heading, 3) as kept:
            assert [kept.get(n, ONE["query"]) is None for n in range(3)] == [False, True, True]
            kept.put(2, ONE)
            assert [r["n"] for r in kept.records()] == [0, 2]


def test_each_is_told_of_every_row() -> None:
    told: dict[int, str] = {}
    rows = sweeps.sweep(QUESTIONS[:3], each=lambda place, row: told.update({place: str(row)}))
    assert told == {k: str(row) for k, row in enumerate(rows)}
    with pytest.raises(InputError, match="each must be a function"):
        sweeps.sweep([Query.of(QUESTIONS[0])], each=3)  # type: ignore[arg-type]
