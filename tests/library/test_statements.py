"""Every statement of the library, judged once and put before the oracle."""

from __future__ import annotations

import pytest

from lapdp.core.verdict import Kind
from lapdp.theory.engine import judge
from lapdp.theory.library import shipped_library
from lapdp.theory.loading import load
from tests.mutation.oracle_check import oracle_report

INSTANCES = 60
LIBRARY = load(shipped_library())
BEYOND_FINITE_PAIRS = ("exponential(", "laplace(", "gaussian(")
"""Pairs of the exact class that the oracle, which draws finite pairs, does not have."""


@pytest.mark.parametrize("statement", LIBRARY, ids=lambda s: s.label)
def test_verdict(statement):
    found = judge(statement, numeric=False)
    told = f"{statement.id} is {found.kind}: {found.reason}"
    if statement.repairs:
        assert found.kind is Kind.PROVED, told
    if statement.expected:
        assert str(found.kind) == statement.expected, told
    oracle = oracle_report(statement, INSTANCES)
    if found.kind in (Kind.PROVED, Kind.CERTIFIED):
        assert oracle.verdict != "fails", f"{told}, but the oracle has {oracle.witness}"
    if found.kind is Kind.REFUTED:
        assert found.witness is not None
        assert oracle.verdict != "holds" or out_of_reach(found.witness), (
            f"{told}, by {found.witness.text}: {found.witness.lhs} against {found.witness.rhs}; "
            f"it holds at {oracle.agreed} instances of the oracle")


def out_of_reach(witness):
    """Does a witness show what the oracle cannot: an infinite support, or a side without value?

    Where both sides have no value the oracle sees neither agreement nor failure.
    """
    undefined = any(side.startswith("undefined") for side in (witness.lhs, witness.rhs))
    return undefined or any(name in witness.text for name in BEYOND_FINITE_PAIRS)


def test_references():
    """Repairs exist on both sides, and every refuted statement that names one is repaired."""
    by_id = {s.id: s for s in LIBRARY}
    for s in LIBRARY:
        for other in (s.repairs, s.repaired_by):
            assert other is None or other in by_id or f"{s.paper}/{other}" in by_id, (s.id, other)
