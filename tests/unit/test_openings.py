"""The sentences with which a page opens, the readings that mark nothing, and drawn shapes."""

import itertools

from lapdp.numeric.functions import shaped_functions
from lapdp.report.findings import set_aside
from lapdp.report.papers import PaperNotes
from lapdp.report.site.openings import opening

ROW = {"verdict": "proved", "repairs": None, "fidelity": "printed", "severity": None,
       "root": None, "holds_under": ""}


def row(label, **other):
    return {**ROW, "id": f"p/{label}", "label": label, **other}


def test_an_inherited_fault_names_where_it_arises():
    wrong = row("eq-3", verdict="refuted", severity="step", root="p/eq-1")
    said = opening([row("eq-2"), wrong], PaperNotes("", misprints={"eq-1": "read x for y"}))
    assert said == ["Stands as printed: (2).", "Does not: (3) (by a fault of (1): read x for y)."]


def test_what_is_not_decided_stands_in_neither_sentence():
    said = opening([row("eq-2"), row("eq-3", verdict="undecided")])
    assert said == ["Stands as printed: (2).", "Not decided: (3)."]


def test_only_a_reading_without_weight_is_set_aside():
    letter = row("eq-50", verdict="refuted", fidelity="reading", severity="convention")
    assert set_aside(letter)
    assert not set_aside({**letter, "severity": "hypothesis"})
    assert not set_aside({**letter, "fidelity": "printed"})


def test_shapes_are_drawn_that_are_convex_and_fall():
    points = [k / 4 for k in range(9)]
    falls = [text for f, text in shaped_functions()
             if all(f(a) >= f(b) for a, b in itertools.pairwise(points))
             and all(f(a) + f(b) >= 2 * f((a + b) / 2) for a in points for b in points)]
    assert "max(0, 1 - t)" in falls
    assert "-t^2" not in falls
