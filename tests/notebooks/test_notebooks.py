"""Each notebook runs in a fresh kernel, and what it shows is what is stored."""

from __future__ import annotations

import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from lapdp.core.verdict import Kind
from tests.patience import with_nightly

FOLDER = Path(__file__).parents[2] / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
VERDICT = re.compile("|".join(rf"\b{kind}\b" for kind in Kind))
SIDES = re.compile(r"(?:left|right) side:? .*")
COLOUR = re.compile("\x1b\\[[0-9;]*m")
"""Kernels ask for colours, as terminals do."""


def shown(cell):
    """The outputs of a cell as text, the richest form of each."""
    texts = []
    for output in cell.outputs:
        data = output.get("data", {})
        texts.append(output.get("text") or data.get("text/markdown") or data.get("text/plain", ""))
    return COLOUR.sub("", "\n".join(texts))


@pytest.mark.parametrize("name", with_nightly(
    [p.stem for p in NOTEBOOKS], "accountants", "earlier_papers", "errata", "figures", "the_paper",
    "your_own_accountant", "your_own_theorem"))
def test_runs_and_shows_what_is_stored(name):
    path = FOLDER / f"{name}.ipynb"
    stored = nbformat.read(path, as_version=4)
    fresh = nbformat.from_dict(stored)
    NotebookClient(fresh, timeout=120, kernel_name="python3",
                   resources={"metadata": {"path": str(FOLDER)}}).execute()
    for number, (before, after) in enumerate(zip(stored.cells, fresh.cells, strict=True)):
        if before.cell_type != "code":
            continue
        assert before.execution_count is not None, f"cell {number} is stored without its outputs"
        assert not [o for o in after.outputs if o.output_type == "error"]
        old, new = shown(before), shown(after)
        assert bool(old) == bool(new), f"cell {number}"
        assert VERDICT.findall(old) == VERDICT.findall(new), f"cell {number}: make notebooks"
        assert SIDES.findall(old) == SIDES.findall(new), f"cell {number}: make notebooks"


def test_the_index_names_each_notebook_by_its_title():
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[(.+?)\]\((\w+\.ipynb)\) \| .+ \|$", index, re.MULTILINE)
    titles = [(re.match(r"# (.*)", nbformat.read(path, as_version=4).cells[0].source)[1], path.name)
              for path in NOTEBOOKS]
    assert titles and sorted(rows) == sorted(titles)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_begins_with_what_for_and_ends_with_where_next(path):
    cells = nbformat.read(path, as_version=4).cells
    assert re.search(r"^After this \w+ you can", cells[0].source, re.MULTILINE)
    links = [target for cell in cells if cell.cell_type == "markdown"
             for target in re.findall(r"\]\(([^()#\s]+)", cell.source)]
    assert [target for target in links if not (FOLDER / target).exists()] == []
    assert "(README.md)" in cells[-1].source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_uses_public_names_only(path):
    stored = nbformat.read(path, as_version=4)
    source = "\n".join(c.source for c in stored.cells if c.cell_type == "code")
    assert not re.search(r"[.\s]_[a-z]", source)
    assert not re.search(r"from lapdp\.(?!theory|report|testing)", source)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_curves_have_the_colours_of_plots_and_people_are_counted_right(path):
    """Figures of two notebooks had pyplot's own colours, and a legend told of "1 people"."""
    source = "\n".join(c.source for c in nbformat.read(path, as_version=4).cells)
    if re.search(r"\.(plot|semilogy)\(.*label=", source, re.DOTALL):
        assert "plt.cycler(color=COLOURS)" in source or 'color="white"' in source
    assert "} people" not in source
