"""``lapdp new``: what it writes runs as it is."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from lapdp.cli import main
from lapdp.privacy.mechanisms import CARDS
from lapdp.testing import LawFailed, mechanism_laws
from lapdp.testing.conformance.checks import LawCheck
from lapdp.theory import disk
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
    monkeypatch.setattr(LawCheck, "search", lambda law, examples, *more:
                        search(law, 40, *more))
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


def test_a_new_paper_is_checked_by_its_own_workflow(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new", "paper", "my-paper"]) == 0
    monkeypatch.chdir(tmp_path / "my-paper")
    workflow = Path(".github/workflows/check.yml").read_text().splitlines()
    [line] = [line.strip().removeprefix("- run: ") for line in workflow if "lapdp verify" in line]
    assert main(shlex.split(line)[1:]) == 0
    report = json.loads(Path("report.json").read_text())
    assert {r["id"]: r["verdict"] for r in report["statements"]} == {
        "my-paper/eq-1": "derived", "my-paper/eq-2": "refuted", "my-paper/eq-2.repaired": "derived"}
    assert "3 statements as recorded" in Path("site/badge.svg").read_text()
    # what the README says of the pages
    readme = Path("README.md").read_text()
    assert "ledger.html#my-paper/eq-1" in readme
    assert 'id="my-paper/eq-1"' in Path("site/ledger.html").read_text()
    assert all(Path(link).is_file() for link in re.findall(r"\]\((proofs/[^)]*)\)", readme))
    # what runs leave is not committed
    left = {p.name for p in Path().iterdir()} - {"proofs", "README.md", ".github", ".gitignore"}
    assert left <= {name.rstrip("/") for name in Path(".gitignore").read_text().split()}
    # a statement that turns out false fails the check, and shows on the badge
    proofs = Path("proofs/my_paper.py")
    proofs.write_text(proofs.read_text().replace("where=Ge(t, eps),", ""))
    assert main(shlex.split(line)[1:]) == 1
    assert "1 of 3 not as recorded" in Path("site/badge.svg").read_text()


def test_a_new_paper_replaces_nothing_and_leaves_nothing_half_written(tmp_path, monkeypatch,
                                                                      capsys):
    monkeypatch.chdir(tmp_path)
    Path("mine").mkdir()
    Path("mine/README.md").write_text("mine")
    assert main(["new", "paper", "mine"]) == 2
    assert "is there already" in capsys.readouterr().err
    assert [p.name for p in Path("mine").iterdir()] == ["README.md"]
    # the disk refuses the third of four files
    write_new, written = disk.write_new, []

    def refusing(path, content):
        written.append(path)
        if len(written) == 3:
            raise OSError(28, "No space left on device")
        write_new(path, content)

    monkeypatch.setattr(disk, "write_new", refusing)
    assert main(["new", "paper", "below/other"]) == 2
    assert "No space left" in capsys.readouterr().err and len(written) == 3
    assert not Path("below").exists()


def test_a_new_paper_goes_into_an_empty_repository(tmp_path, monkeypatch, capsys):
    (tmp_path / "mine" / ".git").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "mine")
    assert main(["new", "paper", "."]) == 0
    assert Path("proofs/mine.py").is_file() and Path(".git").is_dir()
