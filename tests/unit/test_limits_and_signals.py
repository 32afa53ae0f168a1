"""What ends from outside: limits, kills, a caller that is gone.  Nobody waits for ever."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lapdp.cli import main
from lapdp.core.errors import LapdpError
from lapdp.theory import Eq, forked, reals, workers
from lapdp.theory.runner import run
from lapdp.theory.statement import Statement

pytestmark = pytest.mark.fresh_workers

JUDGE = """
from lapdp.core.verdict import Judgement, Kind

def judge(statement, **_):
    while "loop" in statement.printed or statement.hints.get("loop"): pass
    if "memory" in statement.printed: bytearray(1 << 40)
    return Judgement(Kind.TESTED, "fake")
"""
x = reals("x")
ONE = Statement("a/eq-1", Eq(x, x))


@pytest.fixture
def judge(tmp_path: Path) -> str:
    (tmp_path / "fake_judge.py").write_text(JUDGE)
    return f"{tmp_path / 'fake_judge.py'}:judge"


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    # a process that nobody has waited for is gone as well
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z"


def comes_true(said: Callable[[], bool], patience: float = 60.0) -> bool:
    """Does it, however busy the machine is?"""
    end = time.monotonic() + patience
    while not said() and time.monotonic() < end:
        time.sleep(0.05)
    return said()


ANSWER = """
class Found:
    def record(self):
        return {}

def answer(question, **_):
    while "loop" in question.relation: pass
    if "memory" in question.relation: bytearray(1 << 40)
    return Found()
"""


def test_a_check_that_is_stopped_is_undecided_in_one_line(
        monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It was a traceback, with the exit code of refuted."""
    from lapdp.commands import checking

    (tmp_path / "fake_answer.py").write_text(ANSWER)
    monkeypatch.setattr(checking, "ANSWER", f"{tmp_path / 'fake_answer.py'}:answer")
    monkeypatch.setattr(checking, "GRACE", 0.1)
    assert main(["check", "x == x + 0*memory"]) == 3
    assert capsys.readouterr().out == "check: undecided: memory limit of 4 GiB\n"
    for options, said in (([], "check: undecided: time limit of 0.5 s; give it longer with "
                               "--timeout S\n"), (["-q"], "undecided\n")):
        assert main(["check", "x == x + 0*loop", "--timeout", "0.5", *options]) == 3
        assert capsys.readouterr().out == said
    assert main(["check", "x == x + 0*loop", "--timeout", "0.5", "--json"]) == 3
    assert '"stopped": "time limit of 0.5 s"' in capsys.readouterr().out


def test_a_worker_that_is_killed_while_it_starts_costs_nothing(
        monkeypatch: pytest.MonkeyPatch, judge: str) -> None:
    """The whole run ended with it."""
    begin, begun = workers._Worker.__init__, []

    def killed(self: Any, setup: Any) -> None:
        begin(self, setup)
        begun.append(self.process.pid)
        if len(begun) in dying:
            os.kill(self.process.pid, signal.SIGKILL)

    monkeypatch.setattr(workers._Worker, "__init__", killed)
    dying = {1, 2}
    assert [r["verdict"] for r in run([ONE, ONE], 1, judge=judge)] == ["tested"] * 2
    begun.clear()
    dying = {1, 2, 3}
    with pytest.raises(LapdpError, match="a worker cannot start: crash: SIGKILL"):
        run([ONE], 1, judge=judge)
    assert len(begun) == 3


PARENT = """
import json, sys
from lapdp.theory import Eq, reals, workers
from lapdp.theory.runner import run
from lapdp.theory.statement import Statement
x = reals("x")
give = workers._Worker.give
def told(self, *args):
    give(self, *args)
    print(self.process.pid, flush=True)
workers._Worker.give = told
run([Statement("a/eq-1", Eq(x, x), hints={"loop": True})], 1, judge=sys.argv[1], timeout=9000)
"""


def test_a_busy_worker_dies_with_its_caller(judge: str) -> None:
    """It went on until its time limit, two and a half hours here."""
    caller = subprocess.Popen([sys.executable, "-c", textwrap.dedent(PARENT), judge],
                              stdout=subprocess.PIPE, text=True,
                              env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert caller.stdout is not None
    supervisor = int(caller.stdout.readline())
    children = Path(f"/proc/{supervisor}/task/{supervisor}/children")
    assert comes_true(lambda: bool(children.read_text()))
    fork = int(children.read_text())
    caller.kill()
    caller.wait()
    caller.stdout.close()
    assert comes_true(lambda: gone(supervisor) and gone(fork))


@pytest.mark.parametrize("gone", [False, True])
def test_a_fork_whose_supervisor_is_gone_does_not_start(gone: bool) -> None:
    """The signal comes only to those whose parent dies after they asked for it."""
    pid = os.fork()
    if not pid:
        forked.die_with_parent(-1 if gone else os.getppid())
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == gone


def test_a_forked_question_ends_in_any_case() -> None:
    def killed() -> tuple[str, Any]:
        os.kill(os.getpid(), signal.SIGTERM)
        return "", None

    def slow() -> tuple[str, Any]:
        time.sleep(9000)
        return "", None

    big = {"record": "x" * (1 << 20)}
    assert forked.Fork(lambda: ("result", big), 600).outcome().result == big["record"]
    assert forked.Fork(lambda: ("failed", "why"), 600).outcome().failure == "why"
    assert forked.Fork(killed, 600).outcome().failure == "crash: SIGTERM"
    assert forked.Fork(slow, 0.1).outcome().failure == "time limit of 0.1 s"


def test_a_number_is_answered_without_what_it_does_not_need() -> None:
    """Two processes imported SymPy, and all methods, mechanisms and commands with it."""
    code = """
import sys
from lapdp.cli import main
asked = ["delta", "gaussian(1)", "--eps", "1"]
assert main(asked) == 0 and not {"sympy", "flint", "multiprocessing"} & set(sys.modules)
import sympy  # from here on no fork is made
from lapdp.commands.numbers import Question, answer
assert answer(Question(asked[0], asked[1], "eps", "1")).data["method"] == "closed form"
print(*(name for name in sys.modules if name.startswith(("lapdp.accounting.", "lapdp.theory."))))
"""
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}).stdout
    assert said.startswith("0.1269367375066439 +/- 5.01e-17\n")
    assert set(said.splitlines()[-1].split()) == {
        "lapdp.accounting.answers", "lapdp.accounting.delta", "lapdp.theory.cancelled",
        "lapdp.theory.forked", "lapdp.theory.guards", "lapdp.theory.task_outcome",
        "lapdp.theory.parse", "lapdp.theory.vocabulary"}


def test_a_fork_dies_with_its_supervisor(judge: str) -> None:
    """Whoever kills it: the statement is undecided, the next one is judged."""
    pids: list[int] = []
    give = workers._Worker.give

    def told(self: Any, *args: Any) -> None:
        give(self, *args)
        pids.append(self.process.pid)
        if len(pids) == 1:
            children = Path(f"/proc/{pids[0]}/task/{pids[0]}/children")
            assert comes_true(lambda: bool(children.read_text()))
            pids.append(int(children.read_text()))
            os.kill(pids[0], signal.SIGKILL)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers._Worker, "give", told)
        looping = Statement("a/eq-2", Eq(x, x), hints={"loop": True})
        found = run([looping, ONE], 1, judge=judge, timeout=600)
    assert [r["verdict"] for r in found] == ["undecided", "tested"]
    assert found[0]["reason"] == "crash: SIGKILL"
    assert comes_true(lambda: gone(pids[1]))


def test_closed_streams_are_no_reason_to_fail() -> None:
    """``lapdp facts >&-``: a traceback."""
    said = subprocess.run(["sh", "-c", f"{sys.executable} -m lapdp facts -q <&- >&-"],
                          capture_output=True, text=True, check=False, timeout=600,
                          env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})
    assert (said.returncode, said.stderr) == (0, "")


def test_a_check_keeps_its_time_and_what_was_found() -> None:
    """It took three times as long, and told nothing."""
    from lapdp.commands.checking import Question, answer

    begin = time.monotonic()
    found = answer(Question("R(P, Q)(2) >= 2*delta(P, Q)(0)**2", seconds=6.0, numeric=False)
                   ).record()
    assert time.monotonic() - begin < 9.0
    assert found["verdict"] != "refuted"
    assert any("random pairs" in said for said in found["symbolic"]["tried"])
