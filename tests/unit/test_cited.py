"""A citation is taken where nothing is decided, and decides nothing itself."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from lapdp.core.verdict import Judgement, Kind, Numeric, Rejected, Witness
from lapdp.theory import engine, reals
from lapdp.theory.language import Eq
from lapdp.theory.loading import load
from lapdp.theory.planner import Planner
from lapdp.theory.runner import run
from lapdp.theory.statement import Statement

x = reals("x")
CITED = "Nobody 2001, Theorem 7"
OPEN = Judgement(Kind.UNDECIDED, "none", reason="no method reaches it")


@pytest.mark.parametrize(("claim", "kind"), [
    (Eq(sp.exp(x) * sp.exp(-x), 1), Kind.DERIVED), (Eq(sp.exp(x), 1), Kind.REFUTED),
])
def test_what_is_decided_stays_so(claim: object, kind: Kind) -> None:
    found = engine.judge(Statement("p/eq-1", claim, cited=CITED), numeric=False)
    assert found.kind is kind and CITED not in found.reason


@pytest.mark.parametrize(("agrees", "kind"), [
    (None, Kind.ADMITTED), (True, Kind.ADMITTED), (False, Kind.UNDECIDED),
])
def test_numbers_against_it_leave_it_open(monkeypatch: pytest.MonkeyPatch, agrees: bool | None,
                                          kind: Kind) -> None:
    monkeypatch.setattr(Planner, "judge", lambda self: OPEN)
    monkeypatch.setattr(engine, "numeric_column",
                        lambda *a: Numeric("fake", 30, 5, agrees, "0 against 1"))
    statement = Statement("p/eq-1", Eq(x, x), cited=CITED)
    found = engine.judge(statement)
    assert found.kind is kind and (found.reason == CITED) == (kind is Kind.ADMITTED)
    assert engine.judge(replace(statement, cited="")).kind is Kind.UNDECIDED


def test_a_citation_makes_no_proof() -> None:
    witness = Witness("x = 1", {"x": "1"}, "0", "1")
    refuted = Judgement(Kind.REFUTED, "witness", witness=witness)
    assert refuted.admitted(CITED) is refuted
    assert OPEN.admitted(CITED).proof is None and OPEN.admitted("") is OPEN
    with pytest.raises(Rejected):
        replace(OPEN.admitted(CITED), kind=Kind.DERIVED)


def test_stopped_by_the_clock(tmp_path: Path) -> None:
    (tmp_path / "judge.py").write_text("def judge(statement, **options):\n    while True: pass\n")
    (tmp_path / "proof.py").write_text(
        "from lapdp.theory import *\nx = reals('x')\nwith theorem('p/one'):\n"
        f"    claim('eq-1', Eq(x, x), cited={CITED!r})\n    claim('eq-2', Eq(x, x))\n")
    statements = load(tmp_path / "proof.py")
    results = run(statements, jobs=1, timeout=0.3, judge=f"{tmp_path / 'judge.py'}:judge")
    assert [(r["verdict"], r["reason"]) for r in results] == [
        ("admitted", CITED), ("undecided", "time limit of 0.3 s")]
