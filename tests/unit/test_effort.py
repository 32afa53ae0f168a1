"""Steps that may be taken, and what is not cut short next to its end."""

from __future__ import annotations

import pytest

from lapdp.core.effort import TooLong, at_most, finishing, spend, taken


def test_what_is_next_to_its_end_may_take_more():
    with at_most(100) as budget:
        spend(90)
        finishing(50)
        spend(50)
        with pytest.raises(TooLong):
            spend(1)
    assert budget.taken == 140


def test_not_far_more_in_all_however_often_it_is_said():
    with at_most(100) as budget:
        while budget.taken < 150:
            finishing(30)
            spend(30)
        finishing(60)
        with pytest.raises(TooLong):
            spend(60)
        # what fits may be said to be left
        finishing(50)
        spend(50)
    assert budget.taken == 200


def test_it_takes_nothing_away_and_needs_no_limit():
    finishing(1e9)
    assert taken() == 0
    with at_most(100):
        finishing(10)
        spend(100)
        assert taken() == 100


def test_what_is_around_gives_no_more():
    with at_most(100), at_most(100):
        spend(60)
        finishing(80)
        with pytest.raises(TooLong):
            spend(80)
