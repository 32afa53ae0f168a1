"""A sample of the campaign of natural queries, and that it tells answers from failures."""

from __future__ import annotations

import random

from lapdp.accounting.queries import Query
from lapdp.accounting.sweeps import Row, query_row
from tests.campaigns.refusals import kind, query, summary


def test_queries_are_read():
    draw = random.Random(1)
    asked = [query(draw) for _ in range(60)]
    assert len({str(Query.of(text)) for text in asked}) > 50
    assert query(random.Random(1)) == asked[0]


def test_rows_are_told_apart():
    asked = Query.of("delta(gaussian(1), 1, digits=5)")
    rows = [query_row(asked), Row(asked, refusal="the time limit of 2 s"),
            Row(asked, refusal="no method reaches it"), Row(asked, refusal="ValueError: no")]
    assert [kind(row) for row in rows] == ["answered", "late", "refused", "failed"]
    assert summary(rows).splitlines()[:2] == [
        "1 answered, 1 late, 1 refused, 1 failed", "3 of gaussian:"]
