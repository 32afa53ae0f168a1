"""``lapdp --help`` and the help of every command: overview, examples that run, exit codes."""

from __future__ import annotations

import argparse
import io
import re
import shlex
import sys
from pathlib import Path

import pytest

from lapdp import cli
from lapdp.commands.declaring import JOBS

LONG = {
    "lapdp verify": "the whole library: see tests/library",
    "lapdp verify chourasia2024": "a whole paper: see tests/library",
    "lapdp verify chourasia2024/theorem-3.2": "half a minute on two cores",
    "lapdp ledger chourasia2024 --out pages/": "a whole paper: see tests/unit/test_pages.py",
    "lapdp errata chourasia2024 --format latex --out errata.tex": "see tests/unit/test_pages.py",
    "lapdp contradictions": "the whole library",
    "lapdp contradictions zhu2021 sommer2020": "two papers",
    "lapdp audit google --quick": "a minute, and needs the package: see tests/unit/test_audit.py",
    "lapdp audit all --html out/ --json audit.json": "hours, and needs all packages",
    "lapdp audit google --list": "needs the package: see tests/unit/test_audit.py",
    "lapdp audit google --row dots-1e-4/gaussian-1-x1/epsilon@1e-05": "needs the package",
}
"""The examples that are not run here, and why."""
CODES = {"1/(3*sigma)": 1, "R(P, Q)(q) <= R(Q, P)(q)": 1, 'dominates "gaussian(1)"': 1}
"""Examples that show something false: the exit code says so."""


def parsers(parser: argparse.ArgumentParser):
    """The parser and all below it."""
    yield parser
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from parsers(below)


ALL = list(parsers(cli.parser()))
COMMANDS = [p for p in ALL if p.prog != "lapdp"]


def examples(parser):
    """The lines to try, without their comments."""
    found = parser.epilog.partition("\n\n")[0].splitlines()[1:]
    return [re.split(r"\s{2,}#", line.strip())[0].strip() for line in found]


EXAMPLES = list(dict.fromkeys(line for p in COMMANDS for line in examples(p)))


@pytest.mark.parametrize("parser", COMMANDS, ids=lambda p: p.prog)
def test_every_command_says_what_it_is_for(parser):
    assert re.fullmatch(r"[A-Z].*\.", parser.description) and "\n" not in parser.description
    assert parser.epilog.startswith("examples:\n  ") and "exit codes: 0" in parser.epilog
    assert all(parser.prog in line for line in examples(parser)) and examples(parser)
    assert max(map(len, parser.epilog.splitlines())) <= 100
    options = [a for a in parser._actions if not isinstance(a, argparse._SubParsersAction)]
    assert all(a.help and not a.help.endswith(".") for a in options)


def test_options_of_one_name_are_said_in_the_same_words():
    kinds: dict[str, set[str]] = {}
    for parser in COMMANDS:
        for action in parser._actions:
            for name in action.option_strings:
                kinds.setdefault(name, set()).add(f"{action.metavar} {action.type}")
                if name == "--quiet":
                    assert re.fullmatch("print .* only", action.help)
                    assert "-q" in action.option_strings
                if name == "--verbose":
                    assert action.help.startswith("print also ") and "-v" in action.option_strings
    odd = {name for name, said in kinds.items() if len(said) > 1}
    # JSON goes to a file where there is a table too, a ledger into a folder; sweep takes all jobs;
    # proofs have steps, and so has training
    assert odd == {"--json", "--jobs", "--out", "--steps"}


def test_a_command_is_found_without_the_others():
    for module, names in cli.COMMANDS.items():
        made = cli._Top([module]).commands.by_job
        assert tuple(name for found in made.values() for name, _ in found) == names


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"]])
def test_the_overview_is_by_job(words, capsys):
    assert cli.main(words) == 0
    out, err = capsys.readouterr()
    titles = [f"{title}:" for title in JOBS.values()]
    assert err == "" and [line for line in out.splitlines() if line in titles] == titles
    told = [line.split()[0] for line in out.splitlines() if line.startswith("  ")]
    top = [p.prog.split()[1] for p in COMMANDS if p.prog.count(" ") == 1]
    assert sorted(told) == sorted(top) and max(map(len, out.splitlines())) <= 100


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A place with what the examples name."""
    place = tmp_path_factory.mktemp("examples")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        assert cli.main(["new", "theorem", "my-bound"]) == 0
        (place / "questions.txt").write_text("delta(laplace(1), 1/2)\n# two\nrenyi(laplace(1), 2)")
        patch.setenv("LAPDP_CACHE", str(place / "cache"))
        yield place


def test_the_long_examples_are_examples():
    assert set(LONG) <= set(EXAMPLES)


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e not in LONG])
def test_every_example_runs(example, folder, monkeypatch, capsys):
    made = {"lapdp new theorem my-bound": "proofs/my_bound.py",
            "lapdp new paper my-paper": "my-paper/README.md",
            "lapdp new test my-mechanism": "tests/test_my_mechanism.py"}
    if example in made:
        Path(made[example]).unlink(missing_ok=True)
    typed, pipe, command = example.rpartition(" | ")
    if pipe:
        monkeypatch.setattr(sys, "stdin", io.StringIO(shlex.split(typed)[1]))
    words = shlex.split(command)[1:]
    limit = [] if "--timeout" not in help_of(words) else ["--timeout", "60"]
    code = cli.main([*words, *limit])
    out, err = capsys.readouterr()
    expected = next((c for part, c in CODES.items() if part in example), 0)
    assert code == expected and err == "" and (out or "--out" in words), out + err


def help_of(words):
    found = next(p for p in COMMANDS if p.prog == f"lapdp {words[0]}")
    return found.format_help()
