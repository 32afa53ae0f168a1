"""The wheel works where nothing else is, and then the five minutes of the README do."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from lapdp.theory.derivations import SUFFIX, read
from tests.packaging import five_minutes
from tests.packaging.conftest import ROOT, run


@pytest.mark.packaging
def test_the_wheel_in_an_empty_environment_and_then_with_the_extras_of_the_readme(
        wheel: Path, install: Callable[[str], Path], tmp_path: Path) -> None:
    empty, project = tmp_path / "empty", tmp_path / "project"
    empty.mkdir()
    project.mkdir()
    verifies_its_library(wheel, install(""), empty)
    assert five_minutes.INSTALL
    five_minutes.follow(install(five_minutes.INSTALL[1]), project)


def verifies_its_library(wheel: Path, programs: Path, empty: Path) -> None:
    lapdp = programs / "lapdp"
    assert "verify" in run(empty, lapdp, "--help")
    assert wheel.name.split("-")[1] in run(empty, lapdp, "--version")
    where = "import lapdp.theory.library as l; print(l.shipped_library())"
    assert Path(run(empty, programs / "python", "-c", where).strip()).name == "lapdp_proofs"

    # without a target the shipped library is found; one statement of it is enough to judge here
    assert "chourasia2024/" in run(empty, lapdp, "list")
    run(empty, lapdp, "verify", "chourasia2024/eq-7", "--json", "out.json")
    report = json.loads((empty / "out.json").read_text(encoding="utf-8"))
    ids = [statement["id"] for statement in report["statements"]]
    assert ids
    assert all(name.startswith("chourasia2024/") for name in ids)

    # derivations travel with their proof files, and the kernel accepts them there
    with zipfile.ZipFile(wheel) as packed:
        carried = {name.removeprefix("lapdp_proofs/") for name in packed.namelist()
                   if name.endswith(SUFFIX)}
    shelf = ROOT / "proofs"
    assert carried == {p.relative_to(shelf).as_posix() for p in shelf.rglob(f"*{SUFFIX}")}
    kept = next(iter(read(next(ROOT.glob(f"proofs/laws/*{SUFFIX}")))))
    run(empty, lapdp, "verify", kept, "--no-numeric", "--json", "kept.json")
    report = json.loads((empty / "kept.json").read_text(encoding="utf-8"))
    (found,) = [s for s in report["statements"] if s["id"] == kept]
    assert (found["verdict"], found["checked"]) == ("proved", "kernel")
