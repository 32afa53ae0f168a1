"""The list of printed items is well-formed, and every statement of the paper belongs to it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from lapdp.core.errors import InputError
from lapdp.report.items import (
    Item,
    at_instances,
    homeless,
    load_items,
    statements_of,
    uncovered,
    validate,
)
from lapdp.theory.language import Eq
from lapdp.theory.library import shipped_library
from lapdp.theory.statement import Statement
from tests.shelf import of_paper

FOLDERS = sorted(f.parent for f in shipped_library().glob("*/items.json"))
ITEMS = {f.name: load_items(f / "items.json") for f in FOLDERS}
LAST = {"chourasia2024": 199, "sommer2020": 31, "zhu2021": 1}
"""The last numbered equation of each paper."""
ONE = Item("eq-1", "claim", (1,), "Section 1", "a = b", True)

every_paper = pytest.mark.parametrize("paper", LAST)


def test_the_lists_are_those_of_the_papers():
    assert ITEMS.keys() == LAST.keys()


@every_paper
def test_all_equations_are_listed(paper):
    assert {n for i in ITEMS[paper] for n in i.equations} == set(range(1, LAST[paper] + 1))


@every_paper
def test_every_statement_belongs_to_an_item(paper):
    assert not [s.id for s in homeless(ITEMS[paper], of_paper(paper))]


@every_paper
def test_every_checkable_item_is_said_as_printed_or_at_instances(paper):
    left = [i.id for i in uncovered(ITEMS[paper], of_paper(paper))]
    assert left == [i.id for i in at_instances(ITEMS[paper], of_paper(paper))]


@every_paper
def test_little_is_left_open(paper):
    """Undecided and admitted together stay under a tenth of what can be checked."""
    checked = [s for s in of_paper(paper) if s.repairs is None]
    left = [s.id for s in checked if s.expected in ("undecided", "admitted")]
    assert 10 * len(left) < len(checked), left


def test_members_and_prose_are_not_covered_by_numbers():
    by_id = {i.id: i for i in ITEMS["chourasia2024"]}
    first = [s for s in of_paper("chourasia2024") if s.label == "eq-47.1"]
    assert statements_of(by_id["eq-47"], first) and statements_of(by_id["theorem-4.2"], first)
    assert statements_of(by_id["eq-47.1"], first) and not statements_of(by_id["eq-47.2"], first)
    prose = replace(by_id["section-3.claim-1"], equations=(47,))
    assert not statements_of(prose, first)


def test_instances_cover_nothing():
    one = Statement("p/eq-1", Eq(1, 1), printed="a = b", fidelity="instance", note="At a = 1.")
    assert uncovered([ONE], [one]) == at_instances([ONE], [one]) == [ONE]
    assert not uncovered([ONE], [one, replace(one, id="p/eq-1.2", fidelity="printed")])


def test_own_statements_cover_nothing():
    assert uncovered([ONE], [Statement("p/eq-1", Eq(1, 1), fidelity="own")]) == [ONE]


def test_readings_cover_only_together():
    first, second = (
        Statement(f"p/eq-1.reading-{k}", Eq(1, 1), printed="a = b", fidelity="reading",
                  readings=(("eq-1.reading-1",), ("eq-1.reading-2",))) for k in (1, 2))
    assert uncovered([ONE], [first]) == [ONE]
    assert not uncovered([ONE], [first, second])


def test_repairs_cover_nothing():
    made = [Statement("p/eq-1.repaired", Eq(1, 1), repairs="p/eq-1")]
    assert uncovered([ONE], made) == [ONE]
    assert not uncovered([replace(ONE, checkable=False, reason="history")], made)


def test_labels_match_at_dots_only():
    assert not statements_of(replace(ONE, id="section-3.claim-1", equations=()),
                             [Statement("p/section-3.claim-11", Eq(1, 1))])


@pytest.mark.parametrize(("items", "told"), [
    ([ONE, ONE], "listed twice"),
    ([replace(ONE, id="eq-2", equations=(2,))], "equation 1 is missing"),
    ([ONE, replace(ONE, id="theorem-1.1", equations=(1, 9))], "equation 9 has no item"),
    ([replace(ONE, equations=(2,))], r"must be \[1\]"),
    ([replace(ONE, id="eq-1.3", equations=(3,))], r"must be \[1\]"),
])
def test_a_wrong_list_is_refused(items, told):
    with pytest.raises(InputError, match=told):
        validate(items)


@pytest.mark.parametrize(("changed", "told"), [
    ({"id": "Eq 1"}, "not an id"),
    ({"kind": "opinion"}, "kind must be"),
    ({"equations": "1"}, "list of numbers"),
    ({"equations": [0]}, "positive whole numbers"),
    ({"equations": [True]}, "positive whole numbers"),
    ({"printed": ""}, "must not be empty"),
    ({"printed": 3}, "must be text"),
    ({"checkable": "yes"}, "true or false"),
    ({"checkable": False}, "a reason belongs"),
    ({"reason": "history"}, "a reason belongs"),
    ({"verdict": "proved"}, "unknown verdict"),
])
def test_a_wrong_entry_is_refused(tmp_path, changed, told):
    entry = {"id": "eq-1", "kind": "claim", "equations": [1], "where": "Section 1",
             "printed": "a = b", "checkable": True}
    file = tmp_path / "items.json"
    file.write_text(json.dumps([{**entry, **changed}]), encoding="utf-8")
    with pytest.raises(InputError, match=told):
        load_items(file)


@pytest.mark.parametrize(("text", "told"), [
    ("[", "items.json"), ("{}", "a list of items"), ("[3]", "must be an object"),
    ('[{"id": "eq-1"}]', "lacks checkable"),
])
def test_a_broken_file_is_refused(tmp_path, text, told):
    file = tmp_path / "items.json"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=told):
        load_items(file)
    with pytest.raises(InputError):
        load_items(tmp_path / "nowhere.json")
