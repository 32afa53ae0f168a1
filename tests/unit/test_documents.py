"""The documents say what the code says: generated tables, words of the language, links."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

import pytest

import lapdp.theory
from lapdp.report import architecture, trust
from lapdp.theory.vocabulary import FUNCTIONS

ROOT = Path(__file__).parents[2]
DOCUMENTS = {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
             for path in trust.documents(ROOT)}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_generated_tables(name):
    text = DOCUMENTS[name]
    assert text == trust.filled(text), f"{name} is out of date: run {trust.COMMAND}"


def test_each_table_has_its_place():
    for block in trust.BLOCKS:
        places = [t.count(f"<!-- generated: {block} -->") for t in DOCUMENTS.values()]
        assert sum(places) == 1, block


def test_all_code_behind_a_proof_is_listed():
    found = trust.unaccounted()
    assert not found, f"list {sorted(found)} in lapdp/report/trusted.py, then run {trust.COMMAND}"


def test_what_is_listed_is_what_the_engine_reaches():
    listed = {*trust.trusted(), *trust.BESIDE}
    assert len(trust.trusted()) == len(set(trust.trusted()))
    assert not set(trust.trusted()) & set(trust.BESIDE)
    assert listed <= trust.reached(), sorted(listed - trust.reached())


def test_no_room_imports_what_comes_after_it():
    assert not architecture.wrong_ways()
    packages = {path.parent.name for path in (ROOT / "lapdp").glob("*/__init__.py")}
    assert packages | {"cli"} == {*architecture.ROOMS}


def test_an_arrow_that_points_the_wrong_way_is_seen(monkeypatch):
    arrows = {**architecture.arrows(), ("core", "cli"): Counter({"at import": 1}),
              ("core", "theory"): Counter({"when called": 1}),
              ("cellar", "core"): Counter({"at import": 1})}
    monkeypatch.setattr(architecture, "arrows", lambda: arrows)
    monkeypatch.setitem(architecture.FACADES, ("core", "report"), "nothing")
    assert [told.split()[:4] for told in architecture.wrong_ways()] == [
        ["core", "imports", "cli,", "which"], ["core", "calls", "theory,", "which"],
        ["cellar", "has", "no", "place"],
        ["the", "facade", "from", "core"]]


def test_every_word_of_the_language_is_explained():
    text = DOCUMENTS["docs/language.md"]
    explained = set(re.findall(r"[A-Za-z]\w*", " ".join(re.findall(r"`(.+?)`", text))))
    missing = set(lapdp.theory.__all__) - explained
    assert not missing, f"docs/language.md does not explain {sorted(missing)}"


def test_every_function_of_a_text_is_named():
    page = DOCUMENTS["docs/single_formulas.md"]
    assert [name for name in FUNCTIONS if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_lead_somewhere(name):
    for target in re.findall(r"\]\(([^()\s]+)\)", prose(DOCUMENTS[name])):
        file, _, anchor = unquote(target).partition("#")
        path = (ROOT / name).parent / file if file else ROOT / name
        assert path.exists(), f"{name}: {target}"
        if anchor:
            assert anchor in anchors(path.read_text(encoding="utf-8")), f"{name}: {target}"


def test_the_readme_names_every_page():
    named = set(re.findall(r"^\| \[.+?\]\((docs/\w+\.md)\) \| .+ \|$", DOCUMENTS["README.md"],
                           re.MULTILINE))
    assert named == {name for name in DOCUMENTS if name.startswith("docs/")}


def test_the_readme_is_read_in_one_sitting():
    assert DOCUMENTS["README.md"].count("\n") < 260
    picture = (ROOT / "docs" / "ledger.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) < 200_000


@pytest.mark.parametrize("name", DOCUMENTS)
def test_each_document_has_one_title_and_no_gap_between_levels(name):
    levels = [len(marks) for marks in re.findall(r"^(#+) ", prose(DOCUMENTS[name]), re.MULTILINE)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    assert len(anchors(DOCUMENTS[name])) == len(levels), "two headings have one anchor"


def prose(text: str) -> str:
    """A document without its blocks of code."""
    return re.sub(r"^```.*?^```$", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(text: str) -> set[str]:
    """What links to the headings of a document are called: words in small letters."""
    headings = re.findall(r"^#+ (.*)$", prose(text), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", h.lower()).replace(" ", "-") for h in headings}
