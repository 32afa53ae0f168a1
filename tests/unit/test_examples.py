"""The examples of the documents run, and give what is printed there."""

from __future__ import annotations

import doctest
import re
import sys
from pathlib import Path

import pytest

from lapdp import cli
from lapdp.report import trust

ROOT = Path(__file__).parents[2]
DOCUMENTS = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
             for path in trust.documents(ROOT)}
WITH_PYTHON = [name for name, text in DOCUMENTS.items() if "```python\n>>> " in text]
PROOF_FILE = re.search(r"```python\n(import sympy as sp\n.*?)```",
                       DOCUMENTS["docs/first_theorem.md"], re.DOTALL)
CONSOLE = [found for text in DOCUMENTS.values() for found in re.findall(
    r"```console\n\$ lapdp (.*?)\n(.*?)\n\$ echo \$\?\n(\d)\n```", text, re.DOTALL)]
CHECKS = [found for text in DOCUMENTS.values() for found in re.findall(
    r"^\| `lapdp (check .*?)` \| (.*?) \| (\d) \|$", text, re.MULTILINE)]
VARYING = ("  numeric:", "  symbolic:", "  seconds:", "  reproduce:")
"""Lines of a report that hold times, or the numeric column, which the examples here leave out."""


@pytest.mark.parametrize("name", WITH_PYTHON)
def test_python_examples(name):
    """Each document by itself: a reader may begin with any of them."""
    blocks = re.findall(r"```python\n(>>> .*?)```", DOCUMENTS[name], re.DOTALL)
    runner = doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL)
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)
    try:
        assert runner.run(test).failed == 0
    finally:
        # a document draws without closing, as its reader does
        if "matplotlib.pyplot" in sys.modules:
            sys.modules["matplotlib.pyplot"].close("all")


@pytest.mark.parametrize(("command", "output", "code"), CONSOLE, ids=[c for c, _, _ in CONSOLE])
def test_console_examples(command, output, code, tmp_path, monkeypatch, capsys):
    assert PROOF_FILE is not None
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs" / "mine.py").write_text(PROOF_FILE[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert cli.main([*arguments(command), "--no-numeric"]) == int(code)
    assert lasting(capsys.readouterr().out) == lasting(output)


@pytest.mark.parametrize(("command", "verdict", "code"), CHECKS, ids=[c for c, _, _ in CHECKS])
def test_checks(command, verdict, code, capsys):
    assert cli.main([*arguments(command), "--no-numeric"]) == int(code)
    told = capsys.readouterr()
    assert told.out.startswith(f"check: {verdict}\n") or (code == "2" and told.err.count("\n") == 1)


def test_the_patterns_of_this_file_find_the_examples():
    assert "README.md" in WITH_PYTHON and len(WITH_PYTHON) >= 15
    assert len(CONSOLE) >= 3
    assert {code for _, _, code in CHECKS} == {"0", "1", "2", "3"}
    fences = sum(text.count("```python\n") for text in DOCUMENTS.values())
    run = sum(text.count("```python\n>>> ") for text in DOCUMENTS.values())
    assert fences == run + 1, "every example in Python is run; the proof file is judged"


def arguments(command: str) -> list[str]:
    """The words of a command line, quotes taken off."""
    return [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', command)]


def lasting(output: str) -> list[str]:
    """What of an output does not vary from run to run: no times, no numeric column."""
    lines = [line for line in output.splitlines() if not line.startswith(VARYING)]
    rows = (re.sub(r"(\d+ digits x \d+|differs, \d+ digits x \d+|-) +\d+\.\d\d\b", "", line)
            for line in lines)
    return [" ".join(row.split()) for row in rows if row.strip()]
