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
def installed(wheel: Path, tmp_path: Path) -> Callable[[str], Path]:
    """``installed(extras)``: the programs of a fresh environment that holds the wheel."""

    def install(extras: str = "") -> Path:
        venv.create(tmp_path / "env", with_pip=True)
        programs = tmp_path / "env" / ("Scripts" if os.name == "nt" else "bin")
        run(tmp_path, programs / "python", "-m", "pip", "install", "--quiet", f"{wheel}{extras}")
        return programs

    return install
