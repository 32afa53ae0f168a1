"""The wheel works where nothing else is: an empty environment, an empty folder."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from lapdp.theory.derivations import SUFFIX, read
from tests.packaging.conftest import ROOT, run


@pytest.mark.packaging
def test_the_wheel_verifies_its_library_in_an_empty_environment(
        wheel: Path, installed: Callable[..., Path], tmp_path: Path) -> None:
    programs = installed()
    empty = tmp_path / "empty"
    empty.mkdir()
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
