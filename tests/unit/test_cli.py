"""The command line: what it prints, what it writes, how it ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from lapdp import cli
from lapdp.commands import limited
from lapdp.core.errors import InputError
from lapdp.core.facts import ALL_FACTS
from lapdp.report import json_report, text
from lapdp.theory import discovery, runner, workers
from lapdp.theory.task_outcome import Outcome
from tests.answers_here import without_processes

JUDGE = """
import time
from lapdp.core.verdict import Certificate, Judgement, Kind, Leaf, Numeric, Witness, seal

class Held:
    def __init__(self, number): self.number = number
    def discharge(self, path): pass
    def describe(self): return f"held {self.number}"

def judge(statement, *, digits, seed, numeric):
    column = Numeric("quadrature", digits, 8, True) if numeric else None
    what = statement.hints.get("do", "prove")
    if what == "prove":
        tree = Leaf(tuple(map(Held, range(20))))
        return Judgement(Kind.DERIVED, "kernels", numeric=column,
                         proof=seal(Certificate("kernels", (("k", tree),))))
    if what == "refute":
        return Judgement(Kind.REFUTED, "search", holds_under="P << Q", scope="exact",
            witness=Witness("finite([1, 0], [0, 1])", {"eps": "1/2"}, "1", "0"), numeric=column)
    if what == "contradict":
        return Judgement(Kind.CERTIFIED, "balls", numeric=Numeric("quadrature", 30, 8, False))
    return Judgement(Kind(what), "none", reason="out of ideas")
"""
FILE = """
from lapdp.theory import *
x = reals("x")
with theorem("a/theorem-1", "First"):
    claim("eq-1", Eq(x, x), printed="x = x")
    claim("eq-2.1", Eq(x, 0), hints={"do": "refute"}, expected="refuted", fault="misprint",
          repaired_by="a/eq-2.1.repaired")
    claim("eq-2.2", Eq(x, x))
    repair("eq-2.1.repaired", "eq-2.1", Eq(x, x))
"""


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with ./proofs and a fake judge."""
    (tmp_path / "fake_judge.py").write_text(JUDGE)
    fake = f"{tmp_path / 'fake_judge.py'}:judge"
    monkeypatch.setattr(workers.Setup, "judge", fake)
    monkeypatch.setattr(runner, "BY_RECORD", fake)
    monkeypatch.setattr(discovery, "_shipped", lambda: tmp_path / "proofs")
    monkeypatch.setattr(discovery, "announced", list)
    (tmp_path / "proofs").mkdir()
    (tmp_path / "proofs/p.py").write_text(FILE)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def add(house: Path, name: str, line: str) -> None:
    header = "from lapdp.theory import *\nx = reals('x')\nwith theorem('b/theorem-1'):\n"
    (house / name).write_text(f"{header}    {line}\n")


def test_verify_prints_table_aggregates_and_summary(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["verify", "--jobs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split()[:6] == ["a/eq-1", "derived", "30", "digits", "x", "8"]
    assert "witness finite([1, 0], [0, 1]) at eps=1/2" in lines[2] and "refuted" in lines[2]
    assert lines[-3].split() == ["a/eq-2", "refuted", "worst", "of", "2", "members"]
    assert lines[-1] == "4 statements: 3 derived, 1 refuted; 1 composite line"
    assert "\x1b" not in "".join(lines)


def test_verify_quiet_verbose_and_targets(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["verify", "a/eq-1", "--quiet", "--jobs", "1"]) == 0
    assert capsys.readouterr().out == "1 statement: 1 derived\n"
    assert cli.main(["verify", "a/eq-1", "--verbose", "--no-numeric"]) == 0
    printed = capsys.readouterr().out
    assert "symbolic: kernels, 1 case" in printed and "numeric: none" in printed


def test_the_report_has_the_fields_of_the_contract(house: Path) -> None:
    assert cli.main(["verify", "--json", "report.json", "--quiet", "--seed", "3"]) == 0
    report = json.loads(Path("report.json").read_text())
    assert sorted(report) == [
        "aggregates", "digits", "lapdp", "seed", "statements", "versions"]
    assert sorted(report["versions"]) == ["mpmath", "python", "python-flint", "sympy"]
    assert report["seed"] == 3 and report["aggregates"]["a/eq-2"]["verdict"] == "refuted"
    statement = report["statements"][1]
    assert {
        "id", "paper", "label", "equations", "kind", "printed", "encoded", "hypotheses", "verdict",
        "symbolic", "numeric", "holds_under", "scope", "witness", "fault", "repaired_by", "repairs",
        "expected", "hash", "note", "reason", "seconds",
    } <= set(statement)
    assert statement["id"] == "a/eq-2.1" and statement["equations"] == [2]
    assert statement["witness"]["lhs"] == "1" and statement["symbolic"]["method"] == "search"
    assert {*os.listdir(house)} - {"__pycache__"} == {"fake_judge.py", "proofs", "report.json"}


def test_the_report_on_stdout_is_json_alone(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["verify", "a/eq-1", "--json", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["statements"][0]["verdict"] in ("proved", "derived")


def test_a_report_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "report.json"
    json_report.write(file, {"old": True})
    with pytest.raises(TypeError):
        json_report.write(file, {"new": object()})
    assert json.loads(file.read_text()) == {"old": True}
    assert os.listdir(tmp_path) == ["report.json"]


def test_what_is_no_plain_file_is_written_to_and_stays(tmp_path: Path) -> None:
    file, link, pipe = (tmp_path / name for name in ("file", "link", "pipe"))
    link.symlink_to(file)
    json_report.write_text(link, "one")
    assert link.is_symlink() and file.read_text() == "one"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    json_report.check_writable(pipe)
    json_report.write_text(pipe, "two")
    assert os.read(reader, 9) == b"two" and pipe.is_fifo()
    os.close(reader)
    with pytest.raises(InputError, match="cannot write"):
        json_report.write_text("/proc/lapdp.json", "nowhere")


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("claim('eq-1', Eq(x, x))", 0),
        ("claim('eq-1', Eq(x, x), hints={'do': 'refute'})", 1),
        ("claim('eq-1', Eq(x, x), hints={'do': 'refute'}, expected='refuted')", 0),
        ("claim('eq-1', Eq(x, x), expected='refuted')", 1),
        ("claim('eq-1', Eq(x, x), hints={'do': 'contradict'})", 1),
        ("claim('eq-1', Eq(x, x), hints={'do': 'ill-formed'})", 1),
        ("claim('eq-1', Eq(x, x), hints={'do': 'ill-formed'}, expected='ill-formed')", 0),
        ("claim('eq-1', Eq(x, x), hints={'do': 'undecided'})", 3),
        ("claim('eq-1', Eq(x, x), hints={'do': 'undecided'}, expected='undecided')", 0),
        ("claim('eq-1', Eq(x, x), hints={'do': 'undecided'}, expected='proved')", 1),
        ("claim('eq-1', Eq(x, x), hints={'do': 'tested'})", 0),
        ("claim('eq-1', Eq(x, x), repaired_by='b/none')", 2),
        ("claim('eq-1', x)", 2),
    ],
)
def test_exit_codes_of_verify(house: Path, line: str, code: int) -> None:
    add(house, "mine.py", line)
    assert cli.main(["verify", "mine.py", "--quiet", "--jobs", "1"]) == code


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["frobnicate"], "'frobnicate' is no command: there are verify, "),
        (["verfy"], "did you mean verify?"),
        (["verify", "--qiet"], "'--qiet' is no option of lapdp verify: did you mean --quiet?"),
        (["verify", "a/eq-7"], "no statement 'a/eq-7'; did you mean"),
        (["verify", "none.py"], "there is no file none.py"),
        (["verify", "--jobs", "0"], "jobs must be"),
        (["verify", "--jobs", "two"], "'two' is no whole number"),
        (["verify", "--timeout", "nan"], "time limit must be"),
        (["verify", "--digits", "0"], "digits must be"),
        (["verify", "--json", "none/report.json"], "there is no folder none"),
        (["verify", "--json", "."], "is a folder"),
        (["show"], "ID"),
        (["check", "1 +"], "cannot read"),
        (["check", "__import__('os').system('true') == 1"], ""),
        (["check"], "RELATION"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    house: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert cli.main(arguments) == 2
    streams = capsys.readouterr()
    assert streams.out == "" and streams.err.startswith("lapdp: ") and says in streams.err
    assert streams.err.count("\n") == 1


def test_show_prints_everything_and_judges_the_repair(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["show", "a/eq-2.1"]) == 0
    shown = capsys.readouterr().out
    for part in (
        "a/eq-2.1: refuted", "belongs to:  theorem-1 First", "encoded:     x = 0",
        "finite([1, 0], [0, 1])", "eps = 1/2", "left side  = 1", "holds under: P << Q (exact)",
        "fault:       misprint", "repaired by: a/eq-2.1.repaired: derived", "on record:   refuted",
        "reproduce:   lapdp verify a/eq-2.1 --no-cache --digits 30 --seed 0 --timeout 60",
    ):
        assert part in shown
    assert "\na/eq-2.2" not in shown


def test_several_statements_open_with_what_stands(capsys: pytest.CaptureFixture[str]) -> None:
    cli.main(["show", "chourasia2024/eq-47", "--no-numeric"])
    said, _, rest = capsys.readouterr().out.partition("\n\n")
    assert said == (r"Does not: (47) (a missing hypothesis: Theorem 4.2 needs $P_2\ll Q_2$, not "
                    "continuity in either direction).")
    assert rest.startswith("chourasia2024/eq-47")


def test_show_cuts_long_proofs_unless_asked_for_all(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["show", "proofs/p.py::eq-1"]) == 0
    short = capsys.readouterr().out
    assert short.count("k [always]: held") == text.FIRST_STEPS and "... and 8 more" in short
    assert "reproduce:   lapdp verify proofs/p.py::a/eq-1" in short
    assert cli.main(["show", "a/eq-1", "--all"]) == 0
    assert capsys.readouterr().out.count("k [always]: held") == 20


def test_list_and_facts(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["list", "a/eq-2"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split()[0] for row in rows] == ["id", "a/eq-2.1", "a/eq-2.1.repaired", "a/eq-2.2"]
    assert rows[1].endswith("x == 0 for all x in R")
    assert cli.main(["facts"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(ALL_FACTS) + 1


def test_check(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    without_processes(monkeypatch)
    assert cli.main(["check", "x + x == 2*x", "--where", "x > 0", "x < 1"]) == 0
    shown = capsys.readouterr().out
    assert "check: derived" in shown and "x < 1" in shown
    assert cli.main(["check", "x == x", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["verdict"] in ("proved", "derived")


@pytest.mark.parametrize(
    ("verdict", "code"), [("tested", 0), ("ill-formed", 1), ("undecided", 3), ("admitted", 3)]
)
def test_exit_codes_of_check(verdict: str, code: int, monkeypatch: pytest.MonkeyPatch,
                             capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(limited, "outcome", lambda *_, **__: Outcome(result={"verdict": verdict}))
    assert cli.main(["check", "x == x", "-q"]) == code
    assert capsys.readouterr().out == f"{verdict}\n"


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("lapdp ")


def test_the_module_is_the_command() -> None:
    out, err = started("-m", "lapdp", "list", "chourasia2024/eq-30", "-q").communicate(timeout=60)
    assert out.splitlines()[0] == "chourasia2024/eq-30" and err == ""


def started(*arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})


@pytest.mark.parametrize("buffering", [["-u"], []])
def test_a_closed_pipe_is_no_error(buffering: list[str]) -> None:
    process = started(*buffering, "-m", "lapdp.cli", "facts")
    assert process.stdout is not None and process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(60) == 0 and errors == ""


def test_the_command_line_starts_without_heavy_imports() -> None:
    heavy = "('sympy', 'mpmath', 'flint')"
    code = f"import lapdp.cli, sys; print([m for m in {heavy} if m in sys.modules])"
    assert started("-c", code).communicate(timeout=60) == ("[]\n", "")


@pytest.mark.parametrize("larger, smaller, code, text", [
    ("randomized_response(1)", "laplace(1)", 0, "proved: by signs of exponential polynomials"),
    ("gaussian(1)", "randomized_response(1)", 1, "crossing at t = 0.7014776594"),
    ("laplace(b)", "randomized_response(1)", 3, "undecided"),
    ("laplace(0)", "laplace(1)", 2, ""),
])
def test_dominance_on_the_command_line(larger, smaller, code, text, capsys):
    assert cli.main(["dominates", larger, smaller, "--digits", "12"]) == code
    assert text in capsys.readouterr().out
    if code != 2:
        assert cli.main(["dominates", larger, smaller, "--json"]) == code
        found = json.loads(capsys.readouterr().out)
        assert found["verdict"] == {0: "proved", 1: "refuted", 3: "undecided"}[code]
