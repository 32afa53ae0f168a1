"""``lapdp new``: what it writes runs as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from lapdp.cli import main
from lapdp.privacy.mechanisms import CARDS
from lapdp.testing import LawFailed, mechanism_laws
from lapdp.testing.conformance.checks import LawCheck
from lapdp.theory.loading import load
from lapdp.theory.runner import run


def test_a_new_theorem_has_the_verdicts_it_says(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "theorem", "my-bound"]) == 0
    assert "lapdp verify proofs/my_bound.py" in capsys.readouterr().out
    found = {r["id"]: r for r in run(load("proofs"), jobs=1, numeric=False)}
    assert {name: r["verdict"] for name, r in found.items()} == {
        "my-bound/eq-1": "derived", "my-bound/eq-2": "refuted", "my-bound/eq-2.repaired": "derived"}
    assert found["my-bound/eq-2"]["expected"] == "refuted"


TRIED = {
    # what the comments of the file suggest, and the law that then fails
    "sp.log(odds),": ("sp.log(odds) / 2,", "guarantee"),
    "delta * sum(sp.exp(i * eps) for i in range(k))": ("delta * k", "valid"),
    "(pair**copies).hockey_stick(sp.exp(eps))": ("copies * pair.hockey_stick(sp.exp(eps))",
                                                 "valid delta"),
}


def test_a_new_test_passes_and_what_it_suggests_fails(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    # a sample: the packaging test runs it as it is
    search = LawCheck.search
    monkeypatch.setattr(LawCheck, "search", lambda law, examples, seed=0, seconds=None:
                        search(law, 40, seed, seconds))
    assert main(["new", "test", "my-mechanism"]) == 0
    assert "pytest tests/test_my_mechanism.py" in capsys.readouterr().out
    text = Path("tests/test_my_mechanism.py").read_text()
    assert [failed(test) for test in loaded(text)] == [set()] * 3
    for place, (right, (wrong, law)) in enumerate(TRIED.items()):
        assert text.count(right) == 1 and wrong.rstrip(",") in text
        assert law in failed(loaded(text.replace(right, wrong))[place])


KNOWN = [name for name, card in CARDS.items() if card.in_formulas]


@pytest.mark.parametrize("name", KNOWN)
def test_a_name_of_the_catalogue_gives_a_test_of_that_pair(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "test", name.replace("_", "-")]) == 0
    text = Path(f"tests/test_{name}.py").read_text()
    module: dict = {}
    exec(compile(text, name, "exec"), module)
    assert module["PAIR"] == CARDS[name].make(*CARDS[name].examples[0])
    for guarantee, holds in ((module["GUARANTEE"], True), ((0, module["GUARANTEE"][1]), False)):
        checks = mechanism_laws(module["PAIR"], guarantee=guarantee)
        assert {check.name for check in checks} >= {"guarantee", "guarantee, reversed"}
        found = [check.search(3) for check in checks if check.kind == "validity"]
        assert all(found) is holds


def loaded(text):
    module: dict = {}
    exec(compile(text, "test_my_mechanism.py", "exec"), module)
    return [value for name, value in module.items() if name.startswith("test_")]


def failed(test):
    try:
        test()
    except LawFailed as problem:
        return {failure.law for failure in problem.failures}
    return set()


def test_what_is_there_stays(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("proofs").mkdir()
    Path("proofs/mine.py").write_text("mine")
    assert main(["new", "theorem", "mine"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert Path("proofs/mine.py").read_text() == "mine"


@pytest.mark.parametrize("name", ["", "My", "../x", "a b", "1", "a-", 'a"', "a.py", "while"])
def test_names_are_checked(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for kind in ("theorem", "test"):
        assert main(["new", kind, name]) == 2
        assert capsys.readouterr().err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_none(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("proofs").write_text("a file")
    assert main(["new", "theorem", "mine"]) == 2
    assert "cannot be written" in capsys.readouterr().err
