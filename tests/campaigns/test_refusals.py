"""A sample of the campaign of natural queries, and that it tells answers from failures."""

from __future__ import annotations

import random

from lapdp.accounting.queries import Query
from tests.campaigns.refusals import Run, answered, apart, query, summary


def test_queries_are_read():
    draw = random.Random(1)
    asked = [query(draw) for _ in range(60)]
    assert len({str(Query.of(text)) for text in asked}) > 50
    assert query(random.Random(1)) == asked[0]


def test_runs_are_told_apart():
    asked = "delta(gaussian(1), 1, digits=5)"
    found = [answered(asked), answered("delta(gaussian(1), x, digits=5)"),
             Run("delta(gaussian(1), 2)", why="ValueError: no"),
             Run("delta(gaussian(1), 3)", "0.1", cpu=2.5), apart(asked, 30)]
    assert [run.kind(2) for run in found] == [
        "answered", "refused", "failed", "late", "answered"]
    assert found[0].answer == found[-1].answer == "0.126937 +/- 5.01e-7"
    assert summary(found, 2).splitlines()[0::2] == [
        "2 answered, 1 refused, 1 failed, 1 late", "3 of gaussian:",
        "  failed 0.0 s: delta(gaussian(1), 2): ValueError: no"]


def test_what_takes_long_is_ended():
    run = apart("delta(poisson(gaussian(10), 1/1000000, direction='remove')**3, 1/1000000)", 0.05)
    assert (run.answer, run.kind(0.04), run.cpu) == ("", "late", 0.05)
