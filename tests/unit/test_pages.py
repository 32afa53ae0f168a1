"""The pages of a paper: what they list, in which order, and that they can be read."""

from __future__ import annotations

import json
import operator
import re
from pathlib import Path

import pytest

from lapdp import cli
from lapdp.commands.judging import on_record
from lapdp.core.errors import InputError
from lapdp.report import errata, ledger
from lapdp.report.errata import sheet_of
from lapdp.report.errata_latex import latex
from lapdp.report.errata_page import html
from lapdp.report.findings import findings
from lapdp.report.items import Item, owner_of
from lapdp.report.papers import check_notes, load_notes
from lapdp.theory.course import describe
from lapdp.theory.discovery import discover
from lapdp.theory.fidelity import FINDINGS
from lapdp.theory.language import Eq
from lapdp.theory.library import shipped_library
from lapdp.theory.loading import load
from lapdp.theory.statement import Statement
from tests.library.unread import UNREAD

PROOFS = r"""
import sympy as sp
from lapdp.theory import *
P, Q = pair()
Z = PLD(P, Q)
eps = reals("eps")
with theorem("paper/section-1", "On 100% of the mass_"):
    claim("eq-2", Eq(Pr(Z, "<", sp.oo), 1), printed=r"\Pr[Z<\infty]=1", expected="refuted",
          fault="missing hypothesis", repaired_by="paper/eq-2.repaired")
    repair("eq-2.repaired", "eq-2", Eq(Pr(Z, "<", sp.oo), 1), where=AbsolutelyContinuous(P, Q))
    claim("eq-1", Eq(delta(P, Q)(eps), delta(P, Q)(eps)), printed=r"\delta=\delta")
    claim("section-1.claim-1", Eq(delta(P, Q)(0), 1), printed=r"\delta(0)=1")
"""
ITEMS = [
    {"id": "eq-1", "kind": "claim", "equations": [1], "where": "Section 1", "printed": "a",
     "checkable": True},
    {"id": "section-1.claim-1", "kind": "claim", "equations": [], "where": "Section 1",
     "printed": "b", "checkable": True},
    {"id": "eq-2", "kind": "claim", "equations": [2], "where": "Section 1", "printed": "c",
     "checkable": True},
    {"id": "section-1.claim-2", "kind": "claim", "equations": [], "where": "Section 1",
     "printed": "it is nice", "checkable": False, "reason": "a matter of taste"},
    {"id": "section-1.claim-3", "kind": "claim", "equations": [], "where": "Section 1",
     "printed": "d", "checkable": True},
]


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
          ) -> dict[str, str]:
    folder = tmp_path / "proofs" / "paper"
    folder.mkdir(parents=True)
    (folder / "section_1.py").write_text(PROOFS)
    (folder / "items.json").write_text(json.dumps(ITEMS))
    (tmp_path / "out").mkdir()
    monkeypatch.chdir(tmp_path)
    # one refutation is not on record
    assert cli.main(["ledger", "paper", "--out", "out", "--no-numeric"]) == 1
    capsys.readouterr()
    return {p.name: p.read_text() for p in (tmp_path / "out").iterdir()}


def test_the_ledger_follows_the_paper(pages: dict[str, str]) -> None:
    rows = [line.split(" | ") for line in pages["ledger.md"].splitlines()
            if re.match(r"\| \S* ?\| (eq|section|no)", line)]
    assert [(r[0].strip("| "), r[1], r[2]) for r in rows] == [
        ("eq-1", "eq-1", "derived"), ("section-1.claim-1", "section-1.claim-1", "refuted"),
        ("eq-2", "eq-2", "refuted"), ("", "eq-2.repaired", "derived"),
        ("section-1.claim-3", "no statement", ""),
    ]
    assert "P << Q" in next(" ".join(r) for r in rows if r[1] == "eq-2")
    assert "a matter of taste" in pages["ledger.md"]
    assert "each has a statement" in pages["ledger.md"]
    assert "Nothing is admitted." in pages["ledger.md"]


def test_errata_hold_what_is_false_and_nothing_else(pages: dict[str, str]) -> None:
    text = pages["errata.md"]
    assert re.findall(r"^### \d+\. (.+)", text, re.M) == ["Section 1, claim 1", "Equation (2)"]
    assert "A hypothesis is missing" in text and "A claim is wrong" in text
    assert text.count("Instead: ") == 1 and "P \\ll Q" in text
    for label in ("section-1.claim-1", "eq-2"):
        assert f"`lapdp show paper/{label}`" in text


def test_a_sheet_that_is_written_is_a_success_whatever_falls(
    pages: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["errata", "paper", "--format", "latex", "--out", "sheet.tex"]) == 0
    assert capsys.readouterr() == ("wrote sheet.tex: 4 statements judged\n", "")
    assert Path("sheet.tex").read_text() == pages["errata.tex"]


def test_what_stands_in_the_library_is_on_record_and_what_falls_is_judged() -> None:
    found = discover(["chourasia2024/eq-47"])
    known = on_record(found)
    falls = {s.id for s in found if s.expected == "refuted"}
    assert falls and {*known} == {s.id for s in found} - falls
    assert on_record([Statement("mine/eq-1", Eq(1, 1), source="/elsewhere/mine.py")]) == {}


def test_the_latex_sheet_is_balanced_and_escaped(pages: dict[str, str]) -> None:
    text = pages["errata.tex"]
    assert r"Equation (2)" in text and r"\Pr[Z<\infty]=1" in text
    assert text.count(r"\begin{") == text.count(r"\end{")
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    assert bare.startswith(r"\documentclass") and bare.rstrip().endswith(r"\end{document}")


def test_a_missing_folder_is_said_before_anything_is_judged(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["ledger", "chourasia2024", "--out", str(tmp_path / "no" / "pages")]) == 2
    assert "make it first" in capsys.readouterr().err


ROW = {"id": "p/eq-1", "label": "eq-1", "title": "", "kind": "claim", "printed": "a=b",
       "encoded": "a=b", "corrected": "", "verdict": "ill-formed", "fault": None, "witness": None,
       "reason": "the symbol x may be infinite", "holds_under": "", "scope": "", "note": "",
       "repairs": None, "repaired_by": None, "fidelity": "printed", "severity": None, "root": None,
       "equations": [1]}


def test_errata_without_repair_or_witness() -> None:
    made = sheet_of("p", [ROW])
    assert "the symbol x may be infinite" in errata.markdown(made)
    assert "Instead" not in errata.markdown(made)
    assert "the symbol x may be infinite" in latex(made) and "may be infinite" in html(made)


def test_consequences_are_named_and_misprints_and_conventions_kept_apart() -> None:
    rows = [{**ROW, "severity": "step"},
            *({**ROW, "id": f"p/eq-{n}", "label": f"eq-{n}", "equations": [n], "severity": "step",
               "root": "p/eq-1"} for n in (4, 6, 7, 8)),
            {**ROW, "id": "p/eq-2", "label": "eq-2", "severity": "misprint", "note": "$x$ for 50%"},
            {**ROW, "id": "p/eq-3", "label": "eq-3", "severity": "convention"},
            {**ROW, "id": "p/eq-9", "label": "eq-9", "fidelity": "own"}]
    made = sheet_of("p", rows)
    assert [e.place for e in made.findings] == ["(1)"] and made.total == "1 finding, 1 misprint"
    assert made.findings[0].also == "(4) and (6)-(8)"
    assert made.conventions == [("Other conventions", "(3)")]
    text = latex(made)
    assert r"$x$ for 50\%" in text and "(9)" not in text
    assert text.count(r"\begin{") == text.count(r"\end{")


@pytest.mark.parametrize(("given", "told"), [
    ({"stands": [{"says": "All.", "statements": ["eq-1"]}]}, "says that eq-1 stands"),
    ({"findings": {"eq-7": {"title": "T", "why": "W"}}}, "names eq-7"),
    ({"findings": {"eq-1": {"title": "T"}}}, "why"), ({"stands": ["All."]}, "indices"),
    ({"verdict": "proved"}, "unknown verdict"), ({"authors": [1]}, "must be text"),
    ({"title": 3}, "with a title"),
])
def test_wrong_words_about_a_paper_are_refused(tmp_path: Path, given: object, told: str) -> None:
    file = tmp_path / "paper.json"
    file.write_text(json.dumps({"title": "A paper", **dict(given)}), encoding="utf-8")
    with pytest.raises(InputError, match=told):
        check_notes(load_notes(file), [ROW])


def test_the_words_about_the_library_fit_its_records() -> None:
    """All that fails has words; of a paper that is half read, what has words fails."""
    for file in shipped_library().glob("*/paper.json"):
        fits = operator.ge if UNREAD.get(file.parent.name) else operator.eq
        statements = load(file.parent)
        rows = [{**describe(s), "verdict": s.expected or "proved"} for s in statements]
        made = sheet_of(file.parent.name, rows, load_notes(file))
        told = {f.result["label"]: f for f in findings(rows)}
        weights = {label: f.severity for label, f in told.items()}
        notes = made.notes
        assert fits({k for k, w in weights.items() if w in FINDINGS}, set(notes.findings))
        assert fits({k for k, w in weights.items() if w == "misprint"}, set(notes.misprints))
        assert fits({k for k, w in weights.items() if w == "convention"}, {
            label for words in notes.conventions for label in words.labels})


def test_a_shelf_of_laws_has_a_ledger_and_no_errata(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    shelf = tmp_path / "proofs" / "shelf"
    shelf.mkdir(parents=True)
    (shelf / "order.py").write_text(
        "from lapdp.theory import *\n"
        "x, y = reals('x y')\n"
        "with theorem('shelf/order', 'Order'):\n"
        "    claim('order.square', Ge(x**2, 0), kind='law', expected='proved')\n"
        "    claim('order.sum', Ge(x + y, x), kind='law', expected='refuted')\n")
    assert cli.main(["ledger", "shelf", "--out", str(tmp_path), "--no-cache"]) == 0
    page = (tmp_path / "ledger.md").read_text(encoding="utf-8")
    assert "| laws | 2 | 1 | 1 |" in page and "order.sum" in page and "printed claims" not in page
    assert "order.sum" not in (tmp_path / "errata.md").read_text(encoding="utf-8")
    assert "order.sum" not in (tmp_path / "errata.tex").read_text(encoding="utf-8")
    capsys.readouterr()


def test_holes_are_found() -> None:
    assert ledger.holes([{"equations": [2]}, {"equations": [5]}], 6) == [1, 3, 4, 6]


def test_the_owner_of_a_repair_is_that_of_what_it_repairs() -> None:
    items = [Item(n, "claim", (1,), "x", "y", True) for n in ("eq-1", "eq-1.1", "eq-1.2")]
    first = Statement("p/eq-1.2", Eq(1, 1), equations=(1,))
    mended = Statement("p/eq-1.2.repaired", Eq(1, 1), equations=(1,), repairs="p/eq-1.2")
    again = Statement("p/other", Eq(1, 1), repairs="p/eq-1.2.repaired")
    by_id = {s.id: s for s in (first, mended, again)}
    assert [owner_of(s, items, by_id).id for s in by_id.values()] == ["eq-1.2"] * 3
    assert owner_of(Statement("p/theorem-1", Eq(1, 1), equations=(1,)), items, {}).id == "eq-1"
    assert owner_of(Statement("p/theorem-1", Eq(1, 1)), items, {}) is None
