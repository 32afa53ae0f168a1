"""The wheel, and environments that hold nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(folder: Path, *command: str | Path, may_end: tuple[int, ...] = (0,)) -> str:
    """What a command prints; nothing of the checkout leaks in."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST"))}
    done = subprocess.run(
        [str(part) for part in command], cwd=folder, env=clean, text=True, capture_output=True,
        timeout=600, check=False,
    )
    assert done.returncode in may_end, f"{command}: {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the source distribution, so that one is complete as well."""
    folder = tmp_path_factory.mktemp("dist")
    run(folder, sys.executable, "-m", "build", "--outdir", folder, ROOT)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture
def install(wheel: Path, tmp_path: Path) -> Callable[[str], Path]:
    """``install(extras)``: the programs of an environment that holds the wheel and its extras."""
    venv.create(tmp_path / "env")
    programs = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")

    def install(extras: str) -> Path:
        # what is imported is compiled then: of SymPy, a third
        run(tmp_path, sys.executable, "-m", "pip", "--python", programs / "python", "install",
            "--quiet", "--no-compile", f"{wheel}{extras}")
        return programs

    return install
