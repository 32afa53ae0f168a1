"""How the statements of the library stand to the print: annotated, and without contradiction."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import pytest

from lapdp.core.errors import InputError
from lapdp.core.verdict import HOLDS
from lapdp.report.findings import counted, findings
from lapdp.report.json_report import document
from lapdp.theory import AllOf, Eq, Implies, Le, delta, pair, reals, theorem
from lapdp.theory.course import describe
from lapdp.theory.engine import judge
from lapdp.theory.fidelity import (
    disagreements,
    fidelity_of,
    says_nothing,
    severity_of,
    unread,
)
from lapdp.theory.statement import Statement, claim, collecting, repair
from tests.library.unread import UNREAD
from tests.shelf import of_paper

P, Q = pair("P", "Q")
eps = reals("eps")
PRINTED = Statement("p/eq-1", Eq(1, 2), printed="1=2", fidelity="printed", expected="refuted",
                    fault="false claim")
LATER = replace(PRINTED, id="p/eq-2", root="p/eq-1")
BOTH = (("eq-3.reading-1",), ("eq-3.reading-2",))
TRUE = Statement("p/eq-3.reading-1", Eq(1, 1), printed="1", fidelity="reading", readings=BOTH)
WRONG = replace(TRUE, id="p/eq-3.reading-2", claim=Eq(1, 2), expected="refuted")

every_paper = pytest.mark.parametrize("paper", UNREAD)


@every_paper
def test_annotations_agree(paper: str) -> None:
    assert disagreements(of_paper(paper)) == []


@every_paper
def test_what_is_read_is_annotated(paper: str) -> None:
    """That it says something is asked where it is judged: tests/library/test_statements.py."""
    by_file: dict[str, list[Statement]] = defaultdict(list)
    for s in of_paper(paper):
        by_file[Path(s.source).name].append(s)
    assert by_file.keys() >= set(UNREAD[paper])
    for name, members in by_file.items():
        if name in UNREAD[paper]:
            continue
        assert not [s.id for s in unread(members)], name


@every_paper
def test_what_is_ours_stands_in_no_quotation(paper: str) -> None:
    """A law beside a paper says in ``corrected`` or in its note what it is."""
    assert not [s.id for s in of_paper(paper) if fidelity_of(s) == "own" and s.printed]


# -- one statement ------------------------------------------------------------------------------

@pytest.mark.parametrize(("changed", "told"), [
    ({"printed": ""}, "quotes the line"),
    ({"printed": " ", "fidelity": "instance", "note": "n = 1"}, "quotes the line"),
    ({"fidelity": "instance"}, "at which values"),
    ({"fidelity": "own"}, "is a quotation"),
    ({"fidelity": "roughly"}, "fidelity must be one of"),
    ({"severity": "bad"}, "severity must be one of"),
    ({"fidelity": "reading"}, "lists all readings"),
    ({"readings": BOTH}, "lists all readings"),
    ({"fidelity": "reading", "readings": (("eq-1",),)}, "two readings or more"),
    ({"fault": None, "root": "p/eq-0"}, "a root belongs to a fault"),
    ({"root": "p/eq-1"}, "its own root"),
])
def test_an_annotation_without_meaning_is_refused(changed, told):
    with pytest.raises(InputError, match=told):
        replace(PRINTED, **changed)


@pytest.mark.parametrize(("statement", "told"), [
    (Statement("p/eq-1", Eq(delta(P, Q)(eps), delta(P, Q)(eps))), "one expression"),
    (Statement("p/eq-1", Eq(delta(P, Q)(2 * eps), delta(P, Q)(eps + eps))), "one expression"),
    (Statement("p/eq-1", Le(0, eps), where=(Le(0, eps),)), "one of its hypotheses"),
    (Statement("p/eq-1", Implies(Le(0, eps), Le(0, eps))), "conclusion is its hypothesis"),
    (Statement("p/eq-1", Le(0, eps)), ""),
    (Statement("p/eq-1", Le(0, delta(P, Q)(eps)), where=(Le(0, eps),)), ""),
])
def test_what_says_nothing(statement, told):
    assert told in says_nothing(statement) and bool(told) == bool(says_nothing(statement))


def test_a_definition_may_unfold():
    form = Eq(delta(P, Q)(eps), delta(P, Q)(eps))
    assert not says_nothing(Statement("p/eq-1", form, kind="definition"))


def test_a_reading_is_judged_by_its_parts():
    curve = delta(P, Q)(eps)
    assert judge(replace(TRUE, claim=AllOf((Le(0, curve), Le(curve, 1)))), numeric=False).kind in (
        HOLDS)


# -- statements of one paper ----------------------------------------------------------------------

@pytest.mark.parametrize(("statements", "told"), [
    ([PRINTED, LATER], ""),
    ([LATER], "is no statement"),
    ([replace(PRINTED, expected=None, fault=None, claim=Eq(1, 1)), LATER], "has no fault"),
    ([PRINTED, LATER, replace(LATER, id="p/eq-3", root="p/eq-2")], "has a root itself"),
    ([PRINTED, replace(LATER, fault="false step")], ""),
    ([replace(PRINTED, fault="misprint"), replace(LATER, fault="misprint")], ""),
    ([replace(PRINTED, fault="misprint"), replace(LATER, fault="false step")],
     "more than its root"),
    ([replace(PRINTED, fault=None)], "how much that weighs"),
    ([replace(PRINTED, expected=None)], "a severity belongs to"),
    ([replace(PRINTED, fidelity="own", printed="")], "no fault of the paper"),
    ([TRUE, WRONG], ""),
    ([TRUE, replace(WRONG, fault="false claim")], "this one is no error"),
    ([replace(TRUE, expected="refuted", fault="false claim"), WRONG], "how much that weighs"),
    ([TRUE], "reading eq-3.reading-2 is no statement"),
    ([TRUE, replace(WRONG, readings=BOTH[::-1])], "lists other readings"),
])
def test_statements_that_disagree(statements, told):
    found = disagreements(statements)
    assert bool(found) == bool(told) and all(told in line for line in found), found


def test_severity_follows_the_fault_unless_said():
    assert severity_of(PRINTED) == "result"
    assert severity_of(replace(PRINTED, severity="convention")) == "convention"
    assert severity_of(TRUE) is None


def test_fidelity_unless_said():
    assert fidelity_of(Statement("p/eq-1", Eq(1, 1))) == "own"
    assert fidelity_of(Statement("p/eq-1", Eq(1, 1), printed="1=1")) == "printed"
    assert fidelity_of(Statement("p/eq-1.r", Eq(1, 1), repairs="p/eq-1")) == "own"


def test_a_group_says_it_for_its_statements():
    with collecting() as found, theorem("p/theorem-1", "One", fidelity="printed"):
        claim("eq-1", Eq(1, 2), printed="1=2", fault="false claim", expected="refuted")
        claim("eq-2", Eq(1, 2), printed="1=2", fault="false claim", expected="refuted",
              root="eq-1")
        claim("eq-3", Eq(1, 1), fidelity="own")
        repair("eq-1.repaired", "eq-1", Eq(1, 1), corrected="1=1")
        claim("eq-4.1", Eq(1, 1), printed="1", readings=["eq-4.1", ("eq-4.2", "eq-4.3")])
    made = list(found.statements.values())
    assert [s.fidelity for s in made] == ["printed", "printed", "own", "own", "reading"]
    assert made[1].root == "p/eq-1" and made[4].readings == (("eq-4.1",), ("eq-4.2", "eq-4.3"))


def test_a_reading_is_among_its_readings_and_its_lemmas_need_not_be():
    with pytest.raises(InputError, match="not among its readings"):
        claim("eq-9", Eq(1, 1), printed="1", readings=["eq-4.1", "eq-4.2"])
    assert replace(TRUE, id=f"{TRUE.id}: conclusion").readings == BOTH


def test_the_report_says_it():
    [row] = document([describe(LATER)], {}, digits=30, seed=0)["statements"]
    assert (row["fidelity"], row["severity"], row["root"]) == ("printed", "result", "p/eq-1")
    assert row["corrected"] == "" and describe(TRUE)["readings"] == [["eq-3.reading-1"],
                                                                    ["eq-3.reading-2"]]


def test_totals_count_findings_not_lines():
    rows = [{**describe(s), "verdict": "refuted"} for s in
            (PRINTED, LATER, replace(LATER, id="p/eq-4"), replace(TRUE, expected="refuted"),
             replace(PRINTED, id="p/eq-5", fault="misprint"),
             replace(PRINTED, id="p/eq-6", fault="convention"))]
    assert counted(findings(rows)) == (
        "Findings: 1 wrong result (beside them 1 misprint, 1 open convention, 2 lines inherit a "
        "fault).")
