"""Every rule against its table: accepted with its hypotheses, refused for the right reason."""

from __future__ import annotations

import pytest

from lapdp.kernel import RULES, Refused
from tests.unit.kernel.tables import ROWS


@pytest.mark.parametrize("row", [r for r in ROWS if not r.why], ids=str)
def test_accepted(row):
    theorem, goal = row.run()
    assert theorem == goal


@pytest.mark.parametrize("row", [r for r in ROWS if r.why], ids=str)
def test_refused(row):
    with pytest.raises(Refused) as problem:
        row.run()
    assert row.why in str(problem.value)


@pytest.mark.parametrize("rule", sorted(RULES))
def test_every_rule_has_its_table(rule):
    mine = [row for row in ROWS if row.rule == rule]
    assert any(not row.why for row in mine)
    assert sum(bool(row.why) for row in mine) >= 3
