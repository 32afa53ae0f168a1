"""Equal seeds, equal bytes: what differs from run to run stands apart."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from lapdp.report.pages import pages as paper_pages
from lapdp.report.site import site
from tests.site_pages import library, report_on

APART = {"seconds.json", ".lapdp-site"}
ASKED = ("chourasia2024/eq-47", "chourasia2024/eq-22", "zhu2021/eq-1", "laws/shape")


def run(folder: Path, seed: str) -> tuple[dict[str, bytes], object]:
    pages, report = folder / "pages", folder / "report.json"
    found = subprocess.run(
        [sys.executable, "-m", "lapdp", "verify", *ASKED, "--no-cache", "--html", str(pages),
         "--json", str(report)], capture_output=True, text=True, check=False, cwd=folder,
        env={**os.environ, "PYTHONHASHSEED": seed})
    assert report.is_file(), found.stdout + found.stderr
    files = {str(f.relative_to(pages)): f.read_bytes() for f in pages.rglob("*") if f.is_file()}
    return files, timeless(json.loads(report.read_text(encoding="utf-8")))


def timeless(data: object) -> object:
    """The document without what a clock said."""
    if isinstance(data, dict):
        return {k: timeless(v) for k, v in data.items() if k != "seconds"}
    return [timeless(x) for x in data] if isinstance(data, list) else data


def test_two_runs_write_the_same(tmp_path: Path) -> None:
    runs = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        runs.append(run(folder, seed))
    (first, told), (second, again) = runs
    assert told == again
    assert set(first) == set(second) > APART
    assert [n for n in first if first[n] != second[n] and n not in APART] == []


def test_no_page_holds_seconds() -> None:
    report = report_on(library())
    slower = {**report, "statements": [{**r, "seconds": r["seconds"] + 1111.25}
                                       for r in report["statements"]]}
    one, other = site(library(), report), site(library(), slower)
    assert [n for n in one if one[n] != other[n]] == ["seconds.json"]
    taken = json.loads(other["seconds.json"])
    assert set(taken) == {s.id for s in library()} and set(taken.values()) == {1111.5}
    ours = [s for s in library() if s.paper == "chourasia2024"]
    names = {s.id for s in ours}
    for made, later in zip(*(paper_pages("chourasia2024", ours, {
            **r, "statements": [x for x in r["statements"] if x["id"] in names]}).values()
            for r in (report, slower)), strict=True):
        assert made == later
