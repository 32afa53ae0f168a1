"""``lapdp check`` asks the kernel's search where the engine does not decide."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lapdp import gaussian
from lapdp.core.verdict import HOLDS, Kind
from lapdp.testing import conjecture
from lapdp.testing.conjectures import asking, searching
from lapdp.testing.judging import judge
from lapdp.theory import R, engine, mechanism_pair, positives, reals
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


def test_closed_forms_come_before_random_instances(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Gaussian's divergence is decided without any instance, which took most of the time."""
    def drawn(*_: object, **__: object) -> None:
        raise AssertionError("instances were drawn")
    monkeypatch.setattr(searching, "search", drawn)
    monkeypatch.setattr(asking, "search", drawn)
    right = check_statement("R(gaussian(sigma))(q) == q/(2*sigma**2)", ["q > 1"])
    assert judge(right, numeric=False, seconds=120.0).kind is Kind.DERIVED
    twice = check_statement("R(gaussian(sigma))(q) == q/sigma**2", ["q > 1"])
    found = judge(twice, numeric=False, seconds=120.0)
    assert found.kind is Kind.REFUTED and found.witness is not None
    sigma, q = positives("sigma"), reals("q")
    M, N = mechanism_pair(gaussian(sigma), "M", "N")
    assert conjecture(R(q, M, N), "==", q/(2*sigma**2), where=q > 1, seconds=120.0).proved


def test_what_closed_forms_leave_open_goes_on_to_instances() -> None:
    still_open = judge(check_statement("R(laplace(b))(2) <= 1/b", []), numeric=False, examples=5,
                       seconds=10.0)
    assert still_open.kind in {*HOLDS, Kind.UNDECIDED}
    assert "search" in still_open.extra or still_open.kind in HOLDS
