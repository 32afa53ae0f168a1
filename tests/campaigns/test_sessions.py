"""Queries in one process and apart: a few of them, and what the campaign would see."""

from __future__ import annotations

import random
from fractions import Fraction

from tests.campaigns.refusals import Run, runs
from tests.campaigns.sessions import (
    APART,
    FAILED,
    LATE,
    OTHERWISE,
    REFUSED,
    SAME,
    compared,
    drawn,
    interval,
    together,
)


def test_a_few_are_the_same():
    texts = [text for text in drawn(random.Random(10), 60) if "**" not in text
             and "gaussian" not in text][:4]
    found = list(zip(runs(texts, 30), together(texts, 30), strict=True))
    assert len(found) > 2
    assert {compared(*both) for both in found} == {SAME}


def test_runs_are_compared():
    def said(answer):
        return Run("delta(laplace(1), 0)", answer)

    one, no = said("0.25 +/- 0.01"), Run("", why="not reached", refused=True)
    assert interval("1.5e-3") == (Fraction(3, 2000),) * 2
    assert [compared(one, other) for other in (
        one, said("0.26 +/- 0.01"), said("0.28 +/- 0.01"), said("oo"), no,
        Run("", why="KeyError: 1"), Run("", why="late", cpu=4.0))] == [
            SAME, OTHERWISE, APART, APART, REFUSED, FAILED, LATE]
