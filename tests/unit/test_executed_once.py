"""Files that know nothing of each other are executed by the workers that judge them, once each."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lapdp.core.errors import InputError
from lapdp.theory.cache import Cache
from lapdp.theory.discovery import Catalogue
from lapdp.theory.loading import load
from lapdp.theory.runner import run, run_files

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


def test_only_the_library_is_left_to_the_workers(tmp_path: Path) -> None:
    assert Catalogue(tmp_path).unread() == Catalogue(tmp_path).library.files
    (tmp_path / "proofs").mkdir()
    declared(tmp_path / "proofs", mine=HOLDS.format(1))
    assert Catalogue(tmp_path).unread() == []
