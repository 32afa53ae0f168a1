"""``lapdp check`` asks the kernel's search where the engine does not decide."""

from __future__ import annotations

from dataclasses import replace

from lapdp.core.verdict import Kind
from lapdp.testing.judging import judge
from lapdp.theory import engine
from lapdp.theory.checking import check_statement

MEAN = "Ex(PLD(P, Q), PLD(P, Q))"


def checked(relation):
    return judge(check_statement(relation, []), numeric=False, examples=40, seconds=45.0)


def test_what_the_engine_leaves_open_is_proved() -> None:
    found = checked(f"{MEAN} <= R(P, Q)(2)")
    assert (found.kind, found.method) == (Kind.PROVED, "derivation")
    assert found.checked


def test_what_random_pairs_refute_is_not_searched() -> None:
    found = checked(f"R(P, Q)(2) <= {MEAN}")
    assert found.kind is Kind.REFUTED
    assert found.checked is None


def test_a_search_without_time_leaves_the_verdict() -> None:
    statement = check_statement(f"{MEAN} <= R(P, Q)(2)", [])
    before = engine.judge(statement, numeric=False, patience=0.1)
    assert before.kind is Kind.UNDECIDED
    assert engine.with_search(statement, before, 0.001) == before


def test_what_nothing_meets_is_not_proved_by_a_search() -> None:
    """Of P << Q and Pr[Z = oo] > 0 everything follows; the engine had no time to see it."""
    statement = check_statement("1 == 0", ["ac(P, Q)", "Pr(PLD(P, Q) == oo) > 0"])
    before = replace(engine.judge(statement, numeric=False, patience=0.1), kind=Kind.UNDECIDED)
    assert engine.with_search(statement, before, 60).kind is Kind.ILL_FORMED
