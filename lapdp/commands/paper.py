"""``lapdp new paper``: a repository that checks the statements of a paper whenever it changes."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from lapdp.commands.exits import GOOD
from lapdp.commands.starting import THEOREM, names
from lapdp.core.errors import InputError

README = """# {title}: its statements, checked

[![check](../../actions/workflows/check.yml/badge.svg)](../../actions/workflows/check.yml)

[proofs/{module}.py](proofs/{module}.py) states the lines of the paper as they are printed. At each
push lapdp judges them: every statement is proved for all pairs of distributions, or refuted by an
exact counterexample, or left undecided. The check fails when a statement is refuted and not
recorded so, when it is undecided, or when a verdict is not the one on record.

Here:

    pip install wheels/lapdp-*.whl
    lapdp verify proofs/                  # a table of verdicts
    lapdp verify proofs/ --html site/     # the same as pages: open site/index.html

## To begin

1. Put the wheel of lapdp into `wheels/` and commit it: `python -m build --wheel` in a checkout of
   lapdp makes it. So everybody checks with the same version.
2. Replace the three statements of `proofs/{module}.py` by yours. `expected="refuted"` records that
   a printed line is false, and `repair(...)` states what holds instead.
3. To publish the pages, choose "GitHub Actions" under Settings, Pages, and set the variable
   `PUBLISH` to `true` under Settings, Secrets and variables, Actions.

The folder `site/` is whole: links in it are relative, and nothing is fetched from elsewhere. It may
lie on any server, or be opened from disk. `site/badge.svg` says how many statements are as
recorded; the address of a statement is `ledger.html#` with its id, such as
`ledger.html#{name}/eq-1`.
"""

WORKFLOW = """name: check
on: [push, pull_request]
permissions:
  contents: read

jobs:
  statements:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: pip install wheels/lapdp-*.whl
      # verdicts are kept: what has not changed is not judged again
      - uses: actions/cache@v4
        with:
          path: .lapdp-cache
          key: lapdp-${{ github.run_id }}
          restore-keys: lapdp-
      # fails, after the pages are written, when a statement is not as recorded
      - run: lapdp verify proofs/ --html site/ --json report.json --cache .lapdp-cache
      - uses: actions/upload-pages-artifact@v3
        if: ${{ !cancelled() && github.event_name == 'push' && vars.PUBLISH == 'true' }}
        with:
          path: site

  publish:
    needs: statements
    if: ${{ !cancelled() && github.event_name == 'push' && vars.PUBLISH == 'true' }}
    runs-on: ubuntu-latest
    permissions:
      pages: write
      id-token: write
    environment: github-pages
    steps:
      - uses: actions/deploy-pages@v4
"""

IGNORED = ".lapdp-cache/\nreport.json\nsite/\n__pycache__/\n"


def paper(arguments: argparse.Namespace) -> int:
    """Write a repository into a folder: statements, a workflow that checks them, a README."""
    folder = Path(arguments.folder)
    name = folder.resolve().name
    module, title = names(name)
    told = {"name": name, "module": module, "title": title}
    write_all(folder, {
        f"proofs/{module}.py": THEOREM.format(**told), "README.md": README.format(**told),
        ".github/workflows/check.yml": WORKFLOW, ".gitignore": IGNORED})
    print(f"wrote {folder}: README.md says what to do next\n"
          f"judge it:  cd {folder} && lapdp verify proofs/")
    return GOOD


def write_all(folder: Path, files: Mapping[str, str]) -> None:
    """New files in a folder, which is made where there is none: all of them, or none.

    Raises :class:`InputError` if one of them is there already, or the disk refuses.
    """
    from lapdp.theory import disk

    for name in files:
        if os.path.lexists(folder / name):
            raise InputError(f"{folder / name} is there already: name a new folder")
    made: list[Path] = []
    try:
        for name, content in files.items():
            file = folder / name
            missing = [p for p in (file.parent, *file.parent.parents) if not p.exists()]
            for parent in reversed(missing):
                parent.mkdir()
                made.append(parent)
            disk.write_new(file, content.encode("utf-8"))
            made.append(file)
    except BaseException as problem:
        for path in reversed(made):
            # a folder may have got files of others meanwhile: it stays
            with contextlib.suppress(OSError):
                path.unlink() if path.is_file() else path.rmdir()
        if isinstance(problem, OSError):
            raise InputError(f"{folder} cannot be written: {problem.strerror}") from None
        raise


__all__ = ["paper", "write_all"]
