"""Every statement of the library, judged once and put before the oracle."""

from __future__ import annotations

import pytest

from lapdp.core.verdict import Kind
from lapdp.numeric import column
from lapdp.theory.engine import judge
from lapdp.theory.library import shipped_library
from lapdp.theory.loading import load
from tests.mutation.campaign import contradiction
from tests.mutation.oracle_check import oracle_report
from tests.mutation.replay import replay

INSTANCES = 30
SECONDS = 0.1
"""Of the search for witnesses against what is proved."""
LIBRARY = load(shipped_library())


@pytest.mark.parametrize("statement", LIBRARY, ids=lambda s: s.id)
def test_verdict(statement):
    found = judge(statement, numeric=False)
    told = f"{statement.id} is {found.kind}: {found.reason}"
    assert not (statement.repairs and statement.expected), "a repair is proved"
    assert str(found.kind) == (statement.expected or "proved"), told
    oracle = oracle_report(statement, INSTANCES)
    if found.kind in (Kind.PROVED, Kind.CERTIFIED):
        numbers = column(statement, instances=2, time_limit=0.2)
        assert numbers.agrees is not False, f"{told}, but numerically {numbers.reason}"
        assert oracle.verdict != "fails", f"{told}, but the oracle has {oracle.witness}"
        assert contradiction(statement, SECONDS) is None, told
    if found.kind is Kind.REFUTED:
        assert found.witness is not None
        at_witness = replay(statement, found.witness)
        told = (f"{told}, by {found.witness.text}: {found.witness.lhs} against "
                f"{found.witness.rhs}; the oracle says {at_witness}")
        assert at_witness not in ("denied", "outside"), told


def test_references():
    """What a statement repairs, or is repaired by, is in the library: a repair, or a reading that
    is proved."""
    by_id = {s.id: s for s in LIBRARY}
    for s in LIBRARY:
        assert s.repairs is None or s.repairs in by_id, s.id
        mended = by_id[s.repaired_by] if s.repaired_by else None
        assert mended is None or mended.repairs or mended.expected in (None, "proved"), s.id
