"""The wheel works where nothing else is: an empty environment, an empty folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(folder: Path, *command: str | Path, may_end: tuple[int, ...] = (0,)) -> str:
    # nothing of the checkout may leak in
    clean = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, env=clean, text=True, capture_output=True,
        timeout=300, check=False,
    )
    assert done.returncode in may_end, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.mark.packaging
def test_the_wheel_verifies_its_library_in_an_empty_environment(tmp_path: Path) -> None:
    # the wheel is built from the source distribution, so that one is complete as well
    run(tmp_path, sys.executable, "-m", "build", "--outdir", tmp_path / "dist", ROOT)
    (wheel,) = (tmp_path / "dist").glob("*.whl")

    venv.create(tmp_path / "env", with_pip=True)
    programs = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
    run(tmp_path, programs / "python", "-m", "pip", "install", "--quiet", wheel)

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

    # Hypothesis knows the classes by the entry point alone
    run(tmp_path, programs / "python", "-m", "pip", "install", "--quiet", "hypothesis")
    typed = ("from hypothesis import find, strategies as st\n"
             "from lapdp.privacy.finite import FinitePair\n"
             "print(find(st.from_type(FinitePair), lambda pair: True))")
    assert run(empty, programs / "python", "-c", typed).strip() == "finite([1], [1])"
