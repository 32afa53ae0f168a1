"""The runner: every statement gets a verdict, whatever its judge does to the process."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lapdp.cli import main
from lapdp.core.errors import InputError, LapdpError
from lapdp.theory import workers
from lapdp.theory.course import describe
from lapdp.theory.language import Eq, functions, reals
from lapdp.theory.loading import load
from lapdp.theory.runner import run, starting
from lapdp.theory.statement import Statement
from lapdp.theory.supervising import YOUNG

pytestmark = pytest.mark.fresh_workers

JUDGE = """
import os, signal, time
from lapdp.core.verdict import Judgement, Kind, Numeric, Witness

def judge(statement, *, digits, seed, numeric):
    what = statement.hints.get("do", "")
    if what == "loop":
        while True: pass
    if what == "stubborn":
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True: time.sleep(1)
    if what == "segfault":
        os.kill(os.getpid(), signal.SIGSEGV)
    if what == "leave":
        os._exit(7)
    if what == "raise":
        raise ValueError("no such thing")
    if what == "memory":
        return bytearray(1 << 40)
    if what == "not plain":
        return Judgement(Kind.TESTED, "fake", extra={"set": {1}})
    print("noise on stdout")
    if what == "refute":
        witness = Witness("finite([1], [1])", {"eps": "1/2"}, "1", "2")
        return Judgement(Kind.REFUTED, "fake", witness=witness)
    time.sleep(float(statement.hints.get("sleep", 0)))
    column = Numeric("fake", digits, seed, True) if numeric else None
    return Judgement(Kind.TESTED, f"fake in {os.getpid()}", numeric=column)
"""


@pytest.fixture
def judge(tmp_path: Path) -> str:
    (tmp_path / "fake_judge.py").write_text(JUDGE)
    return f"{tmp_path / 'fake_judge.py'}:judge"


def declared(folder: Path, *todo: str) -> list[Statement]:
    lines = ["from lapdp.theory import *", "x = reals('x')", "with theorem('p/section-1'):"]
    for number, hints in enumerate(todo, 1):
        lines.append(f"    claim('eq-{number}', Eq(x, x), hints={hints})")
    file = folder / "proof.py"
    file.write_text("\n".join(lines))
    return load(file)


def test_misbehaviour_costs_only_its_own_statement(tmp_path: Path, judge: str) -> None:
    statements = declared(
        tmp_path, "{}", "{'do': 'loop'}", "{'do': 'segfault'}", "{'do': 'leave'}",
        "{'do': 'raise'}", "{'do': 'memory'}", "{'do': 'not plain'}", "{'do': 'refute'}", "{}",
    )
    results = run(statements, jobs=2, timeout=5.0, judge=judge)
    assert [r["id"] for r in results] == [s.id for s in statements]
    assert [r["verdict"] for r in results] == [
        "tested", *["undecided"] * 6, "refuted", "tested"
    ]
    reasons = [r["reason"] for r in results]
    assert reasons[1] == "time limit of 5 s"
    assert reasons[2].startswith("crash: SIGSEGV in judge (fake_judge.py:")
    assert reasons[3] == "the worker ended with exit code 7"
    assert reasons[4].startswith("ValueError: no such thing (fake_judge.py:")
    assert reasons[5] == "memory limit of 4 GiB"
    assert reasons[6].startswith("TypeError")
    assert results[7]["witness"]["values"] == {"eps": "1/2"}
    assert results[1]["seconds"] >= 5.0


def test_a_worker_that_ignores_the_polite_signal_is_killed(tmp_path: Path, judge: str) -> None:
    [result] = run(declared(tmp_path, "{'do': 'stubborn'}"), jobs=1, timeout=0.5, judge=judge)
    assert result["reason"] == "time limit of 0.5 s"


def test_order_does_not_depend_on_the_schedule(tmp_path: Path, judge: str) -> None:
    statements = declared(tmp_path, "{'sleep': 0.4}", "{}", "{'sleep': 0.1}", "{}")
    seen: list[tuple[int, int, str, str]] = []
    results = run(statements, jobs=2, judge=judge, progress=lambda *p: seen.append(p))
    assert [r["id"] for r in results] == ["p/eq-1", "p/eq-2", "p/eq-3", "p/eq-4"]
    assert [p[0] for p in seen] == [1, 2, 3, 4]
    assert {p[1] for p in seen} == {4} and seen[0][2] != "p/eq-1"


def test_workers_stay_warm_and_are_told_the_options(tmp_path: Path, judge: str) -> None:
    results = run(declared(tmp_path, "{}", "{}", "{}"), jobs=1, judge=judge, digits=12, seed=5)
    assert len({r["symbolic"]["method"] for r in results}) == 1
    assert results[0]["numeric"]["digits"] == 12 and results[0]["numeric"]["instances"] == 5
    [bare] = run(declared(tmp_path, "{}"), jobs=1, judge=judge, numeric=False)
    assert bare["numeric"] is None


def test_the_file_with_most_to_read_comes_first(tmp_path: Path, judge: str) -> None:
    """Whatever its place among the results; a worker stays with its file."""
    statements = []
    for name, size in (("small", 1), ("none", 0), ("large", 9)):
        (tmp_path / name).mkdir()
        found = declared(tmp_path / name, "{}", "{}")
        statements += [replace(s, id=f"{name}/{s.label}") for s in found]
        if size:
            (tmp_path / name / "proof.derivations").write_bytes(bytes(size))
    begun: list[str] = []
    run(statements, jobs=1, judge=judge, begun=begun.append)
    assert begun == [f"{name}/eq-{k}" for name in ("large", "small", "none") for k in (1, 2)]


def test_what_is_loaded_once_is_not_collected_again_and_again(tmp_path: Path) -> None:
    (tmp_path / "told.py").write_text(textwrap.dedent("""
        import gc
        from lapdp.core.verdict import Judgement, Kind

        def judge(statement, **_):
            return Judgement(Kind.TESTED, f"{gc.get_freeze_count()} {gc.get_threshold()[0]}")
    """))
    [found] = run(declared(tmp_path, "{}"), jobs=1, judge=f"{tmp_path / 'told.py'}:judge")
    frozen, threshold = map(int, found["symbolic"]["method"].split())
    assert frozen > 10_000 and threshold == YOUNG


def test_a_statement_without_a_file_is_sent_as_it_is(judge: str) -> None:
    g, t = functions("g"), reals("t")
    [result] = run([Statement("own/eq-1", Eq(g(t), g(t)))], jobs=1, judge=judge)
    assert result["verdict"] == "tested"
    with pytest.raises(InputError, match="put it in a proof file"):
        run([Statement("own/eq-1", Eq(1, 1), hints={"f": lambda: 0})], jobs=1, judge=judge)


def test_a_judge_that_cannot_be_loaded_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(LapdpError, match="cannot start: no_such_module:judge"):
        run(declared(tmp_path, "{}"), jobs=1, judge="no_such_module:judge")


@pytest.mark.parametrize(
    "options",
    [{"jobs": 0}, {"timeout": 0.0}, {"timeout": float("nan")}, {"digits": 0}, {"seed": -1}],
)
def test_options_without_meaning(options: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        run([], **options)
    assert run([]) == []


def test_description_has_the_fields_of_the_contract() -> None:
    eps = reals("eps")
    made = describe(Statement("a/eq-3.1", Eq(eps, 0), where=(eps > 0,), equations=(3,)))
    assert made["paper"] == "a" and made["label"] == "eq-3.1" and made["equations"] == [3]
    assert made["encoded"].startswith(r"\varepsilon = 0") and made["hypotheses"] == ["eps > 0"]


def test_interrupt_leaves_no_process_behind(tmp_path: Path, judge: str) -> None:
    declared(tmp_path, "{'do': 'loop'}", "{'do': 'loop'}")
    script = f"""
    import os, signal, threading
    # a parent in the background leaves SIGINT ignored
    signal.signal(signal.SIGINT, signal.default_int_handler)
    from lapdp.theory import loading, runner, workers
    begin = workers._Worker.give
    def give(self, *args):
        begin(self, *args)
        print(self.process.pid, flush=True)
        os.kill(os.getpid(), signal.SIGINT)
    workers._Worker.give = give
    runner.run(loading.load({str(tmp_path / 'proof.py')!r}), jobs=1, judge={judge!r})
    """
    ended = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], capture_output=True, text=True,
        timeout=60, check=False, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert "KeyboardInterrupt" in ended.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(int(ended.stdout.split()[0]), 0)


def test_a_worker_that_began_early_serves(tmp_path: Path, judge: str) -> None:
    """It is one of the workers, for the same options only, and what nobody takes is ended."""
    statements = declared(tmp_path, "{}", "{}")
    with starting(60.0, 30, 0, judge) as early:
        (worker,) = early._workers
        results = run(statements, jobs=1, timeout=60.0, judge=judge, early=early)
        assert not early._workers
    assert [r["verdict"] for r in results] == ["tested", "tested"]
    assert worker.process.returncode is not None
    with starting(60.0, 30, 0, judge) as early:
        (worker,) = early._workers
        run(statements, jobs=1, timeout=60.0, seed=1, judge=judge, early=early)
        run([], jobs=1, timeout=60.0, judge=judge, early=early)
        assert early._workers == [worker] and worker.process.returncode is None
    assert worker.process.returncode is not None


def test_no_more_workers_serve_than_there_are_jobs_and_tasks(tmp_path: Path, judge: str) -> None:
    statements = declared(tmp_path, "{}", "{}")
    for jobs, given in ((1, statements), (2, statements[:1])):
        with starting(60.0, 30, 0, judge, workers=2) as early:
            first, second = early._workers
            run(given, jobs=jobs, timeout=60.0, judge=judge, early=early)
            assert early._workers == [second] and second.process.returncode is None
            assert first.process.returncode is not None
        assert second.process.returncode is not None


def test_bad_input_leaves_no_worker_that_began_early(monkeypatch: pytest.MonkeyPatch,
                                                     capsys: pytest.CaptureFixture[str]) -> None:
    begun: list[Any] = []
    make = workers._Worker
    monkeypatch.setattr(workers, "_Worker", lambda setup: begun.append(make(setup)) or begun[-1])
    assert main(["verify", "no/such-id"]) == 2
    assert "no/such-id" in capsys.readouterr().err
    assert [w.process.returncode is not None for w in begun] == [True]
