"""Files that know nothing of each other are executed by the workers that judge them, once each."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lapdp.core.errors import InputError
from lapdp.theory.cache import Cache
from lapdp.theory.discovery import Catalogue
from lapdp.theory.loading import load
from lapdp.theory.runner import run, run_files
from lapdp.theory.workers import _next

pytestmark = pytest.mark.fresh_workers

FILE = """
from pathlib import Path
from lapdp.theory import *
with open(Path(__file__).with_suffix(".log"), "a") as log:
    log.write("x")
x = reals("x")
with theorem("paper/part"):
"""
HOLDS = '    claim("eq-{}", Eq(x, x), expected="derived")\n'
FALSE = '    claim("eq-{}", Eq(x, x + 1))\n'
NEITHER = {"numeric": False, "jobs": 1}


def declared(folder: Path, **files: str) -> list[Path]:
    for name, statements in files.items():
        (folder / f"{name}.py").write_text(FILE + statements)
    return sorted(folder.glob("*.py"))


def executed(folder: Path) -> dict[str, int]:
    return {log.stem: len(log.read_text()) for log in folder.glob("*.log")}


def test_each_file_is_executed_once_and_judged_as_ever(tmp_path: Path) -> None:
    files = declared(tmp_path, b=HOLDS.format(10) + FALSE.format(2), a=HOLDS.format(9))
    told: list[str] = []
    steps: list[tuple[int, int]] = []
    outlines, results = run_files(
        files, told=lambda each: told.extend(s.id for s in each),
        progress=lambda done, total, *_: steps.append((done, total)), **NEITHER)
    assert executed(tmp_path) == {"a": 1, "b": 1}
    assert [s.id for s in outlines] == ["paper/eq-2", "paper/eq-9", "paper/eq-10"]
    assert sorted(told) == sorted(s.id for s in outlines) and steps[-1] == (3, 3)

    def said(result: dict[str, Any]) -> dict[str, Any]:
        return {k: v for k, v in result.items() if k not in ("seconds", "symbolic")}

    assert [said(r) for r in results] == [
        said(r) for r in run(load(tmp_path), formulas=False, **NEITHER)]
    assert [r["verdict"] for r in results] == ["refuted", "derived", "derived"]


def test_verdicts_are_kept_under_the_same_keys(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    files = declared(tmp_path, a=HOLDS.format(1) + FALSE.format(2))
    kept = Cache(tmp_path / "kept", digits=30, seed=0, numeric=False)
    run(load(tmp_path), cache=kept, **NEITHER)
    _, results = run_files(files, cache=kept, **NEITHER)
    assert [r["cached"] for r in results] == [True, True]


@pytest.mark.parametrize(("files", "says"), [
    ({"a": HOLDS.format(1), "b": HOLDS.format(1)}, "eq-1 is declared in "),
    ({"a": '    claim("eq-1", Eq(x, x), repaired_by="paper/none")\n'}, "no such statement"),
    ({"a": "    claim(\n"}, "a.py:8: "),
    ({"a": "    __import__('os')._exit(3)\n"}, "exit code 3"),
])
def test_what_is_wrong_with_a_file_is_one_error(tmp_path: Path, files: dict[str, str], says: str
                                                ) -> None:
    with pytest.raises(InputError, match=says):
        run_files(declared(tmp_path, **files), **NEITHER)


def test_files_of_a_folder_share_a_process_and_others_do_not(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    by_whom = FILE.replace("x = reals", """import os
(Path(__file__).parent.parent / f"{os.getpid()}.pid").touch()
x = reals""")
    for name, label in (("one/a", 1), ("one/b", 2), ("two/c", 3)):
        (tmp_path / f"{name}.py").write_text(by_whom + HOLDS.format(label))
    _, results = run_files(sorted(tmp_path.rglob("*.py")), **NEITHER)
    assert [r["verdict"] for r in results] == ["derived"] * 3
    assert len(list(tmp_path.glob("*.pid"))) == 2


def test_a_worker_takes_what_costs_least() -> None:
    """Its file, its room, a room that nobody serves, a file that nobody serves, anything."""
    def held(source: str | None) -> Any:
        return SimpleNamespace(source=source, room=source[0] if source else None)

    tasks = [{"source": f, "room": f[0]} for f in ("b2", "b1", "c1", "a2", "a1", "a1")]
    worker, waiting, order = held("a1"), deque(range(6)), []
    while waiting:
        order.append(tasks[_next(waiting, tasks, worker, [worker, held("b1")])]["source"])
    assert order == ["a1", "a1", "a2", "c1", "b2", "b1"]
    waiting = deque([0, 1])
    assert tasks[_next(waiting, tasks, held(None), [held("b2")])]["source"] == "b1"


def test_only_the_library_is_left_to_the_workers(tmp_path: Path) -> None:
    assert Catalogue(tmp_path).unread() == Catalogue(tmp_path).library.files
    (tmp_path / "proofs").mkdir()
    declared(tmp_path / "proofs", mine=HOLDS.format(1))
    assert Catalogue(tmp_path).unread() == []
