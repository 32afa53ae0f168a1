"""``lapdp new``: what it writes runs as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from lapdp.cli import main
from lapdp.theory.loading import load
from lapdp.theory.runner import run


def test_a_new_theorem_has_the_verdicts_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "theorem", "my-bound"]) == 0
    assert "lapdp verify proofs/my_bound.py" in capsys.readouterr().out
    found = {r["id"]: r for r in run(load("proofs"), jobs=1, numeric=False)}
    assert {name: r["verdict"] for name, r in found.items()} == {
        "my-bound/eq-1": "proved", "my-bound/eq-2": "refuted", "my-bound/eq-2.repaired": "proved"}
    assert found["my-bound/eq-2"]["expected"] == "refuted"


def test_what_is_there_stays(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("proofs").mkdir()
    Path("proofs/mine.py").write_text("mine")
    assert main(["new", "theorem", "mine"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert Path("proofs/mine.py").read_text() == "mine"


@pytest.mark.parametrize("name", ["", "My", "../x", "a b", "1", "a-", 'a"', "a.py"])
def test_names_are_checked(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "theorem", name]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_none(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("proofs").write_text("a file")
    assert main(["new", "theorem", "mine"]) == 2
    assert "cannot be written" in capsys.readouterr().err
