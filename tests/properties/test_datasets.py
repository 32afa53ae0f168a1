"""Neighbouring datasets: every couple is one step apart, both orders and all sizes occur."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import find, given
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.testing.strategies import chains, datasets, neighbours


def one_replaced(a, b):
    return len(a) == len(b) and sum(x != y for x, y in zip(a, b, strict=True)) == 1


def one_more(a, b):
    small, large = sorted((a, b), key=len)
    return len(large) == len(small) + 1 and sum((Counter(large) - Counter(small)).values()) == 1


@given(neighbours(["a", "b", "c", 1, None]))
def test_one_record_is_replaced(couple):
    assert one_replaced(*couple)


@given(neighbours(st.integers(-2, 2), relation="add/remove", max_size=2))
def test_one_record_is_added_or_removed(couple):
    assert one_more(*couple)
    assert max(map(len, couple)) <= 2


@given(chains([0, 1, 2], min_steps=2, max_steps=4), chains([0, 1], relation="add/remove"))
def test_chains_are_made_of_neighbours(replaced, counted):
    assert 3 <= len(replaced) <= 5
    assert 2 <= len(counted) <= 4
    assert all(one_replaced(a, b) for a, b in pairwise(replaced))
    assert all(one_more(a, b) for a, b in pairwise(counted))


def test_both_orders_occur():
    couples = neighbours(relation="add/remove")
    assert find(couples, lambda c: len(c[0]) > len(c[1])) == ((0,), ())
    assert find(couples, lambda c: len(c[0]) < len(c[1])) == ((), (0,))
    one, none = find(neighbours(max_size=3), lambda c: len(c[0]) == 3 and c[0] > c[1])
    assert (sorted(one), none) == ([0, 0, 1], (0, 0, 0))


@pytest.mark.parametrize("build", [
    lambda: datasets([]), lambda: datasets("ab"), lambda: datasets(min_size=4),
    lambda: datasets(min_size=True), lambda: neighbours(relation="swap"),
    lambda: neighbours([1]), lambda: neighbours(max_size=0), lambda: chains(min_steps=0),
    lambda: chains(min_steps=3, max_steps=2)])
def test_bounds_without_meaning(build):
    with pytest.raises(InvalidArgument):
        build()
