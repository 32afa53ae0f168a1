"""A sample of the conformance campaign, and that it resumes and would see a law that fails."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.campaigns import conformance
from tests.wrong import law
from tests.wrong.registry import Right


def command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr(sys, "argv", ["conformance", *words])
    return conformance.main()


def test_it_resumes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys):
    kept = tmp_path / "kept.jsonl"
    words = ("--examples", "600", "--only", "law: limit", "--kept", str(kept))
    assert command(monkeypatch, *words) == 0
    blocks = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [(b["law"], b["block"], b["asked"]) for b in blocks] == [
        ("limit at oo", 0, 500), ("limit at -oo", 0, 500), ("limit at oo", 1, 100),
        ("limit at -oo", 1, 100)]
    assert "2 laws of 2 things, 2 of them with 600 examples asked" in capsys.readouterr().out
    assert command(monkeypatch, *words) == 0
    assert "block" not in capsys.readouterr().out


def test_it_sees_what_fails(monkeypatch: pytest.MonkeyPatch, capsys):
    false = Right("law: false", lambda: [law.WRONG[0].laws["reversal without e^eps"]])
    monkeypatch.setattr(conformance, "right", lambda: [false])
    assert command(monkeypatch, "--examples", "100") == 1
    assert "1 failures\nreversal without e^eps fails" in capsys.readouterr().out


def test_wrong_things_by_seed(monkeypatch: pytest.MonkeyPatch, capsys):
    assert command(monkeypatch, "--wrong", "--seeds", "2", "--only", "limit 0 at -oo") == 0
    assert "1 wrong things, 2 seeds: median 1" in capsys.readouterr().out
