"""Combinations of columns are what they claim; where none is found, none was put there."""

from __future__ import annotations

from fractions import Fraction
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from lapdp.calculus.farkas import contradictory
from lapdp.proving.farkas import combination
from tests.effort import calls_at_most

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


def test_another_method_finds_the_same_contradictions():
    """0 > 0 as a combination of rows >= 0 or > 0: the calculus has a table of its own for that."""
    draw, seen = Random(2), set()
    for _ in range(400):
        system = []
        for _ in range(draw.randint(1, 7)):
            names = draw.sample(["", "x", "y", "z"], draw.randint(1, 3))
            system.append((tuple((((k, 1),) if k else (), Fraction(draw.randint(-4, 4),
                                                                   draw.randint(1, 3)))
                                 for k in names), draw.random() < 0.5))
        columns = [{(): Fraction(1), "strict": 1},
                   *({**dict(row), "strict": int(strict)} for row, strict in system)]
        found = combination(columns, [False] * len(columns), {"strict": 1})
        assert (found is not None) == contradictory(system)
        seen.add(found is not None)
    assert seen == {True, False}


def test_numbers_that_doubles_do_not_tell_apart():
    near = Fraction(1, 10**24)

    def between(low, high):
        columns = [{"x": Fraction(1), "": -low, "strict": 1},
                   {"x": Fraction(-1), "": high, "strict": 1}, {"": Fraction(1), "strict": 1}]
        return combination(columns, [False] * 3, {"strict": 1})

    third = Fraction(1, 3)
    assert between(third, third + near) is None
    assert between(third, third) is not None
    assert between(third + near, third) is not None


def test_a_wide_program_is_little_work():
    """Products of facts make hundreds of columns of few entries: the work is that of the rows."""
    draw = Random(5)
    keys = [f"m{n}" for n in range(20)]
    columns = [{**{k: Fraction(draw.randint(-3, 3)) for k in draw.sample(keys, 4)},
                "strict": int(draw.random() < 0.3)} for _ in range(500)]
    # all are positive where the keys have these values, so that nothing contradicts
    at = {k: Fraction(draw.randint(1, 9)) for k in keys}
    columns = [c for c in columns if sum(v * at[k] for k, v in c.items() if k != "strict") > 0]
    assert len(columns) > 200
    with calls_at_most(80_000):
        assert combination(columns, [False] * len(columns), {"strict": 1}) is None
