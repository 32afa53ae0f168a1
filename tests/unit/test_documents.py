"""The documents say what the code says: generated tables, words, and the examples of the README."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import lapdp.theory
from lapdp import cli
from lapdp.report import trust

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PROOF_FILE = re.search(r"```python\n(import sympy as sp\n.*?)```", README, re.DOTALL)
CONSOLE = re.findall(
    r"```console\n\$ lapdp (.*?)\n(.*?)\n\$ echo \$\?\n(\d)\n```", README, re.DOTALL)
CHECKS = re.findall(r"^\| `lapdp (check .*?)` \| (.*?) \| (\d) \|$", README, re.MULTILINE)
VARYING = ("  numeric:", "  symbolic:", "  seconds:", "  reproduce:")
"""Lines of a report that hold times, or the numeric column, which the examples here leave out."""


@pytest.mark.parametrize("name", trust.DOCUMENTS)
def test_generated_tables(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert text == trust.filled(text), f"{name} is out of date: run {trust.COMMAND}"


def test_each_table_has_its_place():
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in trust.DOCUMENTS]
    for block in trust.BLOCKS:
        assert sum(t.count(f"<!-- generated: {block} -->") for t in texts) == 1, block


def test_all_code_behind_a_proof_is_listed():
    found = trust.unaccounted()
    assert not found, f"list {sorted(found)} in lapdp/report/trusted.py, then run {trust.COMMAND}"


def test_what_is_listed_is_what_the_engine_reaches():
    listed = {*trust.trusted(), *trust.BESIDE}
    assert len(trust.trusted()) == len(set(trust.trusted()))
    assert not set(trust.trusted()) & set(trust.BESIDE)
    assert listed <= trust.reached(), sorted(listed - trust.reached())


def test_every_word_of_the_language_is_explained():
    explained = set(re.findall(r"[A-Za-z]\w*", " ".join(re.findall(r"`(.+?)`", README))))
    missing = set(lapdp.theory.__all__) - explained
    assert not missing, f"the README does not explain {sorted(missing)}"


def test_links_lead_somewhere():
    for name in trust.DOCUMENTS:
        text = (ROOT / name).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)#]+)\)", text):
            assert (ROOT / target).exists(), f"{name}: {target}"
        headings = {h.lower().replace(" ", "-") for h in re.findall(r"^#+ (.*)$", text, re.M)}
        assert set(re.findall(r"\]\(#(.+?)\)", text)) <= headings


def test_python_examples_of_the_readme():
    blocks = re.findall(r"```python\n(>>> .*?)```", README, re.DOTALL)
    assert blocks
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README.md", "README.md", 0)
    assert runner.run(test).failed == 0


@pytest.mark.parametrize(("command", "output", "code"), CONSOLE, ids=[c for c, _, _ in CONSOLE])
def test_console_examples_of_the_readme(command, output, code, tmp_path, monkeypatch, capsys):
    assert PROOF_FILE is not None
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "mine.py").write_text(PROOF_FILE[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert cli.main([*arguments(command), "--no-numeric"]) == int(code)
    assert lasting(capsys.readouterr().out) == lasting(output)


@pytest.mark.parametrize(("command", "verdict", "code"), CHECKS, ids=[c for c, _, _ in CHECKS])
def test_checks_of_the_readme(command, verdict, code, capsys):
    assert cli.main([*arguments(command), "--no-numeric"]) == int(code)
    told = capsys.readouterr()
    assert told.out.startswith(f"check: {verdict}\n") or (code == "2" and told.err.count("\n") == 1)


def test_the_patterns_of_this_file_find_the_examples():
    assert len(CONSOLE) >= 3
    assert {code for _, _, code in CHECKS} == {"0", "1", "2", "3"}


def arguments(command: str) -> list[str]:
    """The words of a command line, quotes taken off."""
    return [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', command)]


def lasting(output: str) -> list[str]:
    """What of an output does not vary from run to run: no times, no numeric column."""
    lines = [line for line in output.splitlines() if not line.startswith(VARYING)]
    rows = (re.sub(r"(\d+ digits x \d+|differs, \d+ digits x \d+|-) +\d+\.\d\d\b", "", line)
            for line in lines)
    return [" ".join(row.split()) for row in rows if row.strip()]
