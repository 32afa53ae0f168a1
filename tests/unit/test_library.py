"""The library: that it loads, only declares, and that its statements fit together."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import sympy as sp

from lapdp.report.items import load_items
from lapdp.theory.language import FORMS, expressions
from lapdp.theory.loading import files_of, load
from lapdp.theory.statement import Statement

LIBRARY = Path(__file__).parents[2] / "proofs"
FILES = files_of(LIBRARY)
STATEMENTS = load(LIBRARY)
PAPERS = {f.parent.name: load_items(f) for f in sorted(LIBRARY.glob("*/items.json"))}
PRINTED = [s for s in STATEMENTS if s.paper in PAPERS]
SHELF = [s for s in STATEMENTS if s.paper == "laws"]
IDS = {s.id for s in STATEMENTS}

IMPORTS = {"itertools", "sympy", "lapdp", "lapdp.theory", "lapdp.privacy.mechanisms"}
DECLARING = (ast.Expr, ast.Import, ast.ImportFrom, ast.Assign, ast.With, ast.FunctionDef)
"""What stands in a proof file; functions are notation, or declare lines of one shape."""
JUDGING = {"judge", "verify", "seal", "search"}

every_paper = pytest.mark.parametrize("paper", PAPERS)
every = pytest.mark.parametrize("statement", STATEMENTS, ids=lambda s: s.id)
every_law = pytest.mark.parametrize("statement", SHELF, ids=lambda s: s.label)
CITED = re.compile(r"\b(19|20)\d\d\b")
"""A year, as in every citation."""
GLUED = re.compile(r"\\(le|ge|leq|geq|in|cdot|ll|to)[A-Z]")
PRINTED_BRACE = re.compile(r"\\[{}]")
"""A brace that is set, not one that groups: a paper may forget to close it."""


def forms(statement: Statement) -> list[object]:
    return [statement.claim, *statement.where]


@every_paper
def test_every_numbered_equation_has_a_statement_of_the_paper_itself(paper: str) -> None:
    numbered = {n for i in PAPERS[paper] if i.checkable for n in i.equations}
    assert numbered == {n for s in PRINTED if s.paper == paper and s.repairs is None
                        for n in s.equations}


@every_paper
def test_members_of_a_display_are_numbered_without_gaps(paper: str) -> None:
    members: dict[str, set[int]] = {}
    for statement in PRINTED:
        display, member, *_ = [*statement.label.split("."), ""]
        if statement.paper == paper and display.startswith("eq-") and member.isdigit():
            members.setdefault(display, set()).add(int(member))
    for display, numbers in members.items():
        assert numbers == set(range(1, len(numbers) + 1)), display
        assert f"{paper}/{display}" not in IDS, "an aggregate is no statement"


@every
def test_a_statement_shows_what_the_paper_prints(statement: Statement) -> None:
    assert statement.printed.strip() or statement.note
    groups = PRINTED_BRACE.sub("", statement.printed)
    assert groups.count("{") == groups.count("}")
    assert not GLUED.search(statement.printed), "a command and the letter after it"
    assert statement.group and statement.title


def test_papers_and_shelves() -> None:
    assert len(PRINTED) + len(SHELF) == len(STATEMENTS) and SHELF


@every_law
def test_a_law_is_cited_and_its_verdict_is_on_record(statement: Statement) -> None:
    assert statement.kind == "law"
    assert statement.printed.strip() and CITED.search(statement.note)
    assert statement.expected in ("proved", "refuted")
    assert statement.note.startswith("Not a law: ") == (statement.expected == "refuted")
    assert statement.label.startswith(statement.group + ".")
    assert statement.fault is None and statement.repairs is None


def test_no_law_is_said_twice() -> None:
    assert len({s.hash for s in SHELF}) == len(SHELF)


@pytest.mark.parametrize("file", [f for f in FILES if f.parent.name == "laws"],
                         ids=lambda p: p.stem)
def test_what_a_file_of_laws_refers_to_is_there(file: Path) -> None:
    told = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    labels = {name for s in PRINTED for name in (s.label, s.id)}
    named = re.findall(rf"(?:\b(?:{'|'.join(PAPERS)})/)?\b[a-z]+(?:-[\d.]+|\.)[\w.-]*\d[\w.-]*",
                       told)
    assert named and {word.rstrip(".") for word in named} <= labels


@every
def test_faults_and_repairs_point_at_each_other(statement: Statement) -> None:
    assert (statement.fault is None) == (statement.repaired_by is None)
    if statement.repaired_by is not None:
        assert statement.repaired_by in IDS
    if statement.repairs is not None:
        assert statement.repairs in IDS
        assert ".repaired" in statement.label
        assert statement.fault is None and (statement.note or statement.printed)


@every
def test_every_symbol_has_a_domain(statement: Statement) -> None:
    for symbol in statement.parameters:
        assert symbol.is_complex, f"{symbol} ranges over nothing"


@every
def test_numbers_are_exact(statement: Statement) -> None:
    for form in forms(statement):
        for expression in expressions(form):
            tree = sp.sympify(expression)
            assert not tree.has(sp.Float, sp.nan, sp.zoo)


@every
def test_the_digest_tells_hypotheses_apart(statement: Statement) -> None:
    bare = Statement(id=statement.id, claim=statement.claim)
    assert (statement.hash == bare.hash) == (not statement.where)


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
    assert all(isinstance(form, FORMS) for s in STATEMENTS for form in forms(s))
