"""Mechanisms as tables: neighbours, guarantees against the definition, and what is refused."""

from __future__ import annotations

from fractions import Fraction as Fr
from itertools import combinations

import pytest
import sympy as sp

import lapdp
from lapdp import finite, mechanism_table
from lapdp.core.errors import InputError
from lapdp.testing import check_mechanism

HALF = ["1/2", "1/2"]
UNIVERSE = ["", "a", "b", "ab", "aab"]
PLAIN = {d: HALF for d in UNIVERSE}


def by_definition(first, second, alpha):
    """The largest P(S) - alpha Q(S) over all events S."""
    places = range(len(first))
    return max(sum((first[i] - alpha * second[i] for i in event), Fr(0))
               for size in range(len(first) + 1) for event in combinations(places, size))


@pytest.mark.parametrize(("neighbours", "expected"), [
    ("add", {("", "a"), ("", "b"), ("a", "ab"), ("b", "ab"), ("ab", "aab")}),
    ("remove", {("a", ""), ("b", ""), ("ab", "a"), ("ab", "b"), ("aab", "ab")}),
    ("replace", {("a", "b"), ("b", "a")}),
    ([("", "aab")], {("", "aab")}),
])
def test_the_relations(neighbours, expected):
    assert set(mechanism_table(PLAIN, neighbours).neighbours) == expected


def test_both_ways_is_the_union():
    both, add, remove = (set(mechanism_table(PLAIN, word).neighbours)
                         for word in ("add/remove", "add", "remove"))
    assert both == add | remove


def test_the_order_of_records_says_nothing():
    table = mechanism_table({("x", "y"): HALF, ("y", "z", "x"): [0, 1]}, "add")
    assert table.neighbours == ((("x", "y"), ("y", "z", "x")),)


TABLE = mechanism_table({"": ["1/2", "1/2", 0], "a": ["1/4", "1/2", "1/4"],
                         "b": ["7/8", "1/8", 0]}, neighbours="add/remove")


@pytest.mark.parametrize("alpha", [Fr(1, 5), Fr(1, 2), Fr(1), Fr(7, 4), Fr(2), Fr(3), Fr(9)])
def test_the_guarantee_is_that_of_the_definition(alpha):
    values = {(d, e): by_definition(TABLE._row(d), TABLE._row(e), alpha)
              for d, e in (("", "a"), ("a", ""), ("", "b"), ("b", ""))}
    top = max(values.values())
    assert TABLE.hockey_stick(alpha) == TABLE.supremum.hockey_stick(alpha) == top
    assert set(TABLE.worst_neighbours(alpha)) == {w for w, v in values.items() if v == top}
    assert TABLE.profile(sp.log(sp.Rational(alpha))) == sp.Rational(top)
    for level in (top, top - Fr(1, 10**9)):
        assert TABLE.is_private(sp.log(sp.Rational(alpha)), level) is (level == top)


def test_it_takes_several_neighbours_or_one():
    assert TABLE.dominating_neighbours is None
    one = mechanism_table({"": HALF, "a": ["1/4", "3/4"]}, "remove")
    assert one.dominating_neighbours == ("a", "")
    assert one.supremum == finite(["1/4", "3/4"], HALF)


def test_irrational_odds_are_decided():
    table = mechanism_table({"": ["2/3", "1/3"], "a": ["1/3", "2/3"]}, "add/remove")
    assert table.is_private(1) and not table.is_private("1/2")
    assert table.is_private("1/2", (2 - sp.exp(sp.Rational(1, 2))) / 3)
    assert not table.is_private("1/2", (2 - sp.exp(sp.Rational(1, 2))) / 3 - sp.Rational(1, 10**40))
    assert table.is_private(-1, 1 - sp.exp(-1))
    assert not table.is_private(-1, 1 - sp.exp(-1) - sp.Rational(1, 10**40))
    assert table.is_private(sp.log(2) / 2, (2 - sp.sqrt(2)) / 3)


def test_nothing_is_published_or_everything():
    silent = mechanism_table({"a": [1], "b": [1]}, "replace")
    assert silent.supremum == finite([1], [1]) and silent.is_private(0)
    loud = mechanism_table({"a": {"a": 1}, "b": {"b": 1}}, "replace")
    assert loud.supremum == finite([0, 1], [1, 0]).reverse() or loud.hockey_stick(10**9) == 1
    assert loud.is_private(10**6, 1) and not loud.is_private(10**6, 1 - Fr(1, 10**30))


def test_post_processing_and_products():
    swap = TABLE.post_process([[0, 1], [1, 0], ["1/2", "1/2"]])
    assert swap("a") == {0: Fr(5, 8), 1: Fr(3, 8)}
    twice = TABLE * TABLE
    assert twice("a")[2, 2] == Fr(1, 16)
    for where, pair in twice.pairs().items():
        assert pair.merge() == (TABLE.pair(*where) ** 2).merge()
    # the product of the worst cases dominates the worst case of the product
    assert (TABLE.supremum ** 2).profile_dominates(twice.supremum)


def test_a_table_is_a_mechanism_under_test():
    coin = mechanism_table({"": ["2/3", "1/3"], "a": ["1/3", "2/3"]}, "add/remove")
    assert check_mechanism(coin, guarantee=sp.log(2))
    report = check_mechanism(coin, guarantee=sp.log(2) / 2, on_fail="report")
    assert {failure.law for failure in report.failures} == {"guarantee", "guarantee, reversed"}


@pytest.mark.parametrize("table", [
    TABLE, TABLE * TABLE, TABLE.post_process([[1], [1], [1]]),
    mechanism_table({"x": {"yes": 1}, "y": {"no": "1/3", "yes": "2/3"}}, [("x", "y")]),
    mechanism_table({("x", 1): [1], ("x",): [1]}, "remove"),
])
def test_what_is_printed_is_read_back(table):
    assert eval(repr(table), {"mechanism_table": lapdp.mechanism_table}) == table


@pytest.mark.parametrize(("rows", "neighbours", "message"), [
    ({}, "add", "rows must be a table"),
    ([HALF], "add", "rows must be a table"),
    ({"": HALF, "a": [0.5, 0.5]}, "add", 'the row of \'a\'[0] = 0.5 is a float: write "0.5"'),
    ({"": HALF, "a": ["1/2"]}, "add", "the row of 'a' sums to 1/2, not to 1"),
    ({"": HALF, "a": [1]}, "add", "the row of 'a' has 1 masses and that of '' has 2"),
    ({"": HALF, "a": {"x": 1}}, "add", "give all rows as lists, or all as tables"),
    ({"": HALF, "a": HALF}, "replace", "no two datasets of the table are neighbours by 'replace'"),
    ({"": HALF, "a": HALF}, "swap", "neighbours = 'swap' must be one of 'add', 'remove'"),
    ({"": HALF, "a": HALF}, 3, "neighbours must be a word, or a list"),
    ({"": HALF, "a": HALF}, [("", "b")], "'b' in neighbours is no dataset of the table"),
    ({"": HALF, "a": HALF}, ["a"], "a must be a pair of datasets"),
    ({"ab": HALF, "ba": HALF}, "add", "'ab' and 'ba' are the same records"),
    ({1: HALF, 2: HALF}, "add", "the dataset '1' must be a string or a tuple of records"),
    ({str(n): [1] for n in range(501)}, "replace", "a table of 501 datasets is too large"),
])
def test_bad_input_is_one_clear_line(rows, neighbours, message):
    with pytest.raises(InputError) as caught:
        mechanism_table(rows, neighbours)
    assert message in str(caught.value) and "\n" not in str(caught.value)


def test_bad_questions():
    with pytest.raises(InputError, match="'c' is none of the datasets"):
        TABLE.pair("c", "a")
    with pytest.raises(InputError, match="eps and delta must be numbers"):
        TABLE.is_private(sp.Symbol("eps"))
    with pytest.raises(InputError, match="a product needs two tables"):
        TABLE * mechanism_table({"": HALF, "a": HALF}, "add/remove")
    with pytest.raises(InputError, match="is a float: write"):
        TABLE.is_private(0.5)
