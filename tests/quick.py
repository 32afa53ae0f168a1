"""The tests nearest to what has been touched, for as long as one likes to wait.

    python -m tests.quick [--seconds 100] [--list]

Touched is what differs from where the branch left ``main`` (on ``main`` itself: from the commit
before).  First come changed tests and the examples of changed modules, then the tests that import a
changed module, then those of its room.  When the time is over no further test begins, and the
command says so: ``make test`` is the whole.
"""

from __future__ import annotations

import argparse
import ast
import subprocess
import sys
import time
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
SECONDS = 100
DOCUMENTS = ["tests/unit/test_documents.py", "tests/unit/test_examples.py"]
LIBRARY = ["tests/unit/test_library.py", "tests/library"]
OUTSIDE = ("tests/benchmarks/", "tests/browser/")
"""Folders of scripts, and of tests that need a browser."""


def git(*words: str) -> list[str]:
    """The lines that git answers; none where it fails."""
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.splitlines() if done.returncode == 0 else []


def touched() -> list[str]:
    """Files that differ from the base of the branch, and new ones that nobody has added yet."""
    here = git("rev-parse", "HEAD")
    base = git("merge-base", "HEAD", "main") or git("merge-base", "HEAD", "origin/main") or here
    since = base if base != here else ["HEAD~"]
    return sorted({*git("diff", "--name-only", *since),
                   *git("ls-files", "--others", "--exclude-standard")})


def module_of(path: str) -> str:
    """``lapdp/balls/envelope.py`` as ``lapdp.balls.envelope``."""
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


@cache
def imports() -> dict[str, frozenset[str]]:
    """Modules that each file of tests imports, and names that may be modules."""
    found = {}
    for file in sorted((ROOT / "tests").rglob("*.py")):
        names: set[str] = set()
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                names |= {a.name for a in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{a.name}" for a in node.names)}
        found[file.relative_to(ROOT).as_posix()] = frozenset(names)
    return found


def chosen(changed: Iterable[str]) -> list[str]:
    """Files and folders of tests, nearest first."""
    changed = [c for c in changed if (ROOT / c).exists()]
    source = [c for c in changed if c.startswith(("lapdp/", "tests/")) and c.endswith(".py")]
    modules = {module_of(c) for c in source}
    rooms = {m.rpartition(".")[0] for m in modules if m.startswith("lapdp.")} - {"lapdp"}
    nearest = [c for c in source if c.startswith("lapdp/")]
    beside = [name for name, used in imports().items() if used & modules]
    around = [name for name, used in imports().items()
              if any(u == r or u.startswith(r + ".") for u in used for r in rooms)]
    found = [c for c in source if c.startswith("tests/")] + nearest + beside
    found += LIBRARY if any(c.startswith("proofs/") for c in changed) else []
    found += DOCUMENTS if any(c.endswith(".md") for c in changed) or nearest else []
    tests = [f for f in (*found, *around) if not f.startswith(OUTSIDE) and (
        f in nearest or f in LIBRARY or Path(f).name.startswith("test_"))]
    return list(dict.fromkeys(tests))


class Deadline:
    """Begins no test after so many seconds."""

    def __init__(self, seconds: float) -> None:
        self.end = time.monotonic() + seconds
        self.begun = 0

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self, item: Any) -> None:
        """Before each test."""
        if time.monotonic() > self.end:
            whole = len(item.session.items)
            item.session.shouldstop = (
                f"the time is over: {whole - self.begun} of {whole} tests are left to `make test`")
        self.begun += 1


def main(arguments: list[str] | None = None) -> int:
    """The command: the code of pytest, 0 also where time or tests ran out."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--list", action="store_true", help="name the files and run nothing")
    given = parser.parse_args(arguments)
    names = chosen(touched())
    print(*names, sep="\n")
    if given.list or not names:
        return 0
    deadline = Deadline(given.seconds)
    code = pytest.main(["-q", "-x", "-m", "not nightly and not packaging", *names],
                       plugins=[deadline])
    over = code == pytest.ExitCode.INTERRUPTED and time.monotonic() > deadline.end
    return 0 if over or code == pytest.ExitCode.NO_TESTS_COLLECTED else int(code)


if __name__ == "__main__":
    sys.exit(main())
