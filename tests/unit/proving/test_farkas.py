"""Combinations of columns are what they claim; where none is found, none was put there."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from lapdp.proving.farkas import combination

numbers = st.fractions(min_value=-4, max_value=4, max_denominator=5)
columns = st.lists(st.dictionaries(st.sampled_from("abcdef"), numbers, max_size=4), min_size=1,
                   max_size=7)


def total(found, weights):
    whole = {}
    for column, w in zip(found, weights, strict=True):
        for k, v in column.items():
            whole[k] = whole.get(k, Fraction(0)) + w * v
    return {k: v for k, v in whole.items() if v}


@given(columns, st.data())
def test_a_target_that_was_made_is_reached(made, data):
    free = data.draw(st.lists(st.booleans(), min_size=len(made), max_size=len(made)))
    weights = [data.draw(numbers) if f else abs(data.draw(numbers)) for f in free]
    target = total(made, weights)
    found = combination(made, free, target)
    assert found is not None
    assert total(made, found) == target
    assert all(f or w >= 0 for f, w in zip(free, found, strict=True))


@given(columns, st.dictionaries(st.sampled_from("abcdef"), numbers, min_size=1, max_size=3))
def test_what_is_found_is_a_combination(made, target):
    found = combination(made, [False] * len(made), target)
    if found is not None:
        assert total(made, found) == {k: v for k, v in target.items() if v}
        assert min(found) >= 0


def test_an_entry_that_nothing_cancels_leaves_its_column_out():
    one = Fraction(1)
    assert combination([{"x": one, "y": one}, {"x": one}], [False, False], {"x": one}) == [0, 1]
    assert combination([{"x": one, "y": one}], [False], {"x": one}) is None
    assert combination([{"x": one}], [False], {"x": -one}) is None
    assert combination([{"x": one}], [True], {"x": -one}) == [-1]
