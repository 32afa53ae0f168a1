"""The library: that it loads, only declares, and that its statements fit together."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import sympy as sp

from lapdp.report.items import load_items
from lapdp.theory.language import FORMS, expressions
from lapdp.theory.library import shipped_library
from lapdp.theory.loading import files_of
from lapdp.theory.statement import Statement
from tests.shelf import by_id, library, of_paper

FILES = files_of(shipped_library())
PAPERS = {f.parent.name: load_items(f) for f in sorted(shipped_library().glob("*/items.json"))}

IMPORTS = {"itertools", "sympy", "lapdp", "lapdp.theory", "lapdp.privacy.mechanisms"}
DECLARING = (ast.Expr, ast.Import, ast.ImportFrom, ast.Assign, ast.With, ast.FunctionDef)
"""What stands in a proof file; functions are notation, or declare lines of one shape."""
JUDGING = {"judge", "verify", "seal", "search"}

every_paper = pytest.mark.parametrize("paper", PAPERS)
CITED = re.compile(r"\b(19|20)\d\d\b")
"""A year, as in every citation."""
GLUED = re.compile(r"\\(le|ge|leq|geq|in|cdot|ll|to)[A-Z]")
PRINTED_BRACE = re.compile(r"\\[{}]")
"""A brace that is set, not one that groups: a paper may forget to close it."""


def forms(statement: Statement) -> list[object]:
    return [statement.claim, *statement.where]


def printed() -> list[Statement]:
    return [s for s in library() if s.paper in PAPERS]


def told(complaints: Iterator[tuple[Statement, str]]) -> str:
    """One line for each complaint about a statement; nothing, where there is none."""
    return "\n".join(f"{s.id}: {what}" for s, what in complaints)


@every_paper
def test_every_numbered_equation_has_a_statement_of_the_paper_itself(paper: str) -> None:
    numbered = {n for i in PAPERS[paper] if i.checkable for n in i.equations}
    assert numbered == {n for s in of_paper(paper) if s.repairs is None
                        for n in s.equations}


@every_paper
def test_members_of_a_display_are_numbered_without_gaps(paper: str) -> None:
    members: dict[str, set[int]] = {}
    for statement in of_paper(paper):
        display, member, *_ = [*statement.label.split("."), ""]
        if display.startswith("eq-") and member.isdigit():
            members.setdefault(display, set()).add(int(member))
    for display, numbers in members.items():
        assert numbers == set(range(1, len(numbers) + 1)), display
        assert f"{paper}/{display}" not in by_id(), "an aggregate is no statement"


def test_a_statement_shows_what_the_paper_prints() -> None:
    def complaints() -> Iterator[tuple[Statement, str]]:
        for s in library():
            shown = s.printed + s.corrected
            if not (shown.strip() or s.note):
                yield s, "neither what is printed nor a note"
            groups = PRINTED_BRACE.sub("", shown)
            if groups.count("{") != groups.count("}"):
                yield s, "braces do not match"
            if GLUED.search(shown):
                yield s, "a command and the letter after it are glued"
            if not (s.group and s.title):
                yield s, "no group, or one without a title"

    assert not told(complaints())


def test_papers_and_shelves() -> None:
    assert {s.paper for s in library()} == {*PAPERS, "laws", "own"}


def test_a_law_is_cited_and_its_verdict_is_on_record() -> None:
    def complaints() -> Iterator[tuple[Statement, str]]:
        for s in of_paper("laws"):
            if s.kind != "law" or s.fault is not None or s.repairs is not None:
                yield s, "no law, or one with a fault"
            if not (s.printed.strip() and CITED.search(s.note)):
                yield s, "nothing printed, or no citation with a year"
            if s.expected not in ("proved", "refuted"):
                yield s, "its verdict is not on record"
            if s.note.startswith("Not a law: ") != (s.expected == "refuted"):
                yield s, "a note begins with 'Not a law: ' exactly where it is refuted"
            if not s.label.startswith(s.group + "."):
                yield s, "the label begins with the group"

    assert not told(complaints())


def test_no_law_is_said_twice() -> None:
    shelf = of_paper("laws")
    assert len({s.hash for s in shelf}) == len(shelf)


@pytest.mark.parametrize("file", [f for f in FILES if f.parent.name == "laws"],
                         ids=lambda p: p.stem)
def test_what_a_file_of_laws_refers_to_is_there(file: Path) -> None:
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    labels = {name for s in printed() for name in (s.label, s.id)}
    named = re.findall(rf"(?:\b(?:{'|'.join(PAPERS)})/)?\b[a-z]+(?:-[\d.]+|\.)[\w.-]*\d[\w.-]*",
                       text)
    assert named and {word.rstrip(".") for word in named} <= labels


def test_faults_and_repairs_point_at_each_other() -> None:
    def complaints() -> Iterator[tuple[Statement, str]]:
        for s in library():
            # a line to the letter has beside it the line as it is meant
            meant = s.fidelity == "reading" and s.fault == "convention"
            if s.fault is not None and not (s.repaired_by or s.root or meant):
                yield s, "a fault without a repair, and no fault of another statement"
            # a reading that fails beside one that holds is no fault, and may be mended still
            if s.fault is None and s.repaired_by is not None and not (
                    s.fidelity in ("reading", "own") and s.expected == "refuted"):
                yield s, "a repair of no fault"
            for other in (s.repaired_by, s.repairs):
                if other is not None and other not in by_id():
                    yield s, f"{other} is not there"
            if s.repairs is not None and not (".repaired" in s.label and s.fault is None
                                              and (s.note or s.corrected)):
                yield s, "a repair is labelled so, has no fault, and says what it repairs"

    assert not told(complaints())


def test_every_symbol_has_a_domain() -> None:
    assert not told((s, f"{symbol} ranges over nothing") for s in library()
                    for symbol in s.parameters if not symbol.is_complex)


def test_numbers_are_exact() -> None:
    assert not told((s, str(e)) for s in library() for form in forms(s) for e in expressions(form)
                    if sp.sympify(e).has(sp.Float, sp.nan, sp.zoo))


def test_the_digest_tells_hypotheses_apart() -> None:
    assert not told((s, "the digest") for s in library()
                    if (s.hash == Statement(id=s.id, claim=s.claim).hash) != (not s.where))


@pytest.mark.parametrize("file", FILES, ids=lambda p: p.stem)
def test_a_proof_file_only_declares(file: Path) -> None:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    assert ast.get_docstring(tree)
    for node in tree.body:
        assert isinstance(node, DECLARING), f"line {node.lineno}: a proof file only declares"
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            assert {alias.name for alias in node.names} <= IMPORTS
        elif isinstance(node, ast.ImportFrom):
            assert node.module in IMPORTS
        elif isinstance(node, (ast.Attribute, ast.Name)):
            name = node.attr if isinstance(node, ast.Attribute) else node.id
            assert not name.startswith("_"), f"line {node.lineno}: {name} is not public"
            assert name not in JUDGING, f"line {node.lineno}: a proof file does not judge"


def test_every_claim_is_a_form_of_the_language() -> None:
    assert all(isinstance(form, FORMS) for s in library() for form in forms(s))
