"""Relations given as text: the region that is read into them, and what is refused."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.errors import InputError
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory.checking import check_statement, region_of
from lapdp.theory.engine import judge
from lapdp.theory.language import Converges


def kind(relation, *where):
    return judge(check_statement(relation, where), numeric=False, patience=0.5).kind


@pytest.mark.parametrize(("relation", "where", "note"), [
    ("L(exp(-t), t, s) == 1/(s + 1)", [], "L(exp(-t), t, s) converges for Re s > -1"),
    ("B(exp(-abs(t)), t, s) == 2/(1 - s**2)", [],
     "B(exp(-Abs(t)), t, s) converges for -1 < Re s < 1"),
    ("L(exp(a*t), t, s) == 1/(s - a)", ["a > 0"], "L(exp(a*t), t, s) converges for Re s > a"),
    ("L(t**2, t, s) == 2/s**3", [], "L(t**2, t, s) converges for Re s > 0"),
    ("L(sin(t), t, 2) == 1/5", [], "L(sin(t), t, 2) converges for Re s > 0"),
    ("2 + 2 == 4", [], ""),
])
def test_the_region_is_worked_out(relation, where, note):
    found = check_statement(relation, where)
    assert found.note == note
    assert found.printed == relation
    assert len([h for h in found.where if isinstance(h, Converges)]) == note.count("converges")


@pytest.mark.parametrize(("relation", "where"), [
    ("L(exp(-t), t, s) == 1/(s + 1)", []),
    ("L(exp(a*t), t, s) == 1/(s - a)", ["a > 0"]),
    ("B(exp(-abs(t)), t, s) == 2/(1 - s**2)", []),
    ("L(cos(2*t), t, s) == s/(s**2 + 4)", ["s > 0"]),
    ("L(t*exp(-t), t, 3) == 1/16", []),
    ("L(exp(-t), t, s) + L(exp(-2*t), t, s) == (2*s + 3)/((s + 1)*(s + 2))", []),
    ("exp(x)*exp(-x) == 1", []),
    ("x**2 + 1 > 0", ["x > -5"]),
])
def test_true_relations(relation, where):
    assert kind(relation, *where) in HOLDS


@pytest.mark.parametrize(("relation", "where"), [
    ("L(exp(-t), t, s) == 1/(s - 1)", []),
    ("L(cos(2*t), t, s) == 2/(s**2 + 4)", []),
    ("B(exp(-abs(t)), t, s) == 2/(1 + s**2)", []),
    ("L(exp(a*t), t, s) == 1/(s + a)", ["a > 0"]),
    ("(x**2 - 1)/(x - 1) == x + 1", []),
    ("exp(x) >= 1", []),
    ("L(t, t, 2) == 1/2", []),
])
def test_false_relations(relation, where):
    assert kind(relation, *where) is Kind.REFUTED


@pytest.mark.parametrize(("relation", "where"), [
    ("L(exp(t), t, 1) == 1", []),
    ("L(exp(t), t, 0) == -1", []),
    ("B(exp(-abs(t)), t, 1) == oo", []),
    ("B(1, t, 0) == 0", []),
    ("L(exp(-t), t, -1) == 0", []),
])
def test_points_outside_the_region_are_refused(relation, where):
    with pytest.raises(InputError):
        check_statement(relation, where)


def test_an_edge_that_a_parameter_moves_is_left_to_the_claim():
    """Inside for a < 2 only: the text is read as claimed where the integral converges."""
    assert kind("L(exp(a*t), t, 2) == 1/(2 - a)", "a < 2") in HOLDS
    assert kind("L(exp(a*t), t, 2) == 1/(2 - a)", "a > 2") is Kind.ILL_FORMED


@pytest.mark.parametrize("text", ["L(exp(-t), t, s)", "1 = 2", "L(exp(-t), t) == 1", "import os",
                                  "x ==", "L(exp(-t), 3, s) == 1"])
def test_what_cannot_be_read(text):
    with pytest.raises(InputError):
        check_statement(text)


def test_regions_outside_the_class_are_not_known():
    found = check_statement("L(exp(-t**2), t, s) == L(exp(-t**2), t, s)")
    assert found.note == ""
    node = next(h.node for h in found.where)
    assert region_of(node, found) is None


def test_conditions_compare_real_symbols():
    found = check_statement("L(exp(-a*t), t, s) == 1/(s + a)", ["a >= 0"])
    assert {v.name: v.is_real for v in found.parameters} == {"a": True, "s": None}
    assert all(isinstance(v, sp.Symbol) for v in found.parameters)


@pytest.mark.parametrize(("relation", "where", "verdict"), [
    # claimed for a < 0 too, where it diverges at small s
    ("L(exp(-a*t), t, s) == 1/(s + a)", ["re(s) > 0"], "refuted"),
    ("L(exp(-a*t), t, s) == 1/(s + a)", ["re(s) > 0", "a >= 0"], "derived"),
    ("B(exp(-abs(t)), t, s) == 2/(1 - s**2)", ["re(s) < 1"], "refuted"),
    ("B(exp(-abs(t)), t, s) == 2/(1 - s**2)", ["re(s) < 1", "re(s) > -1"], "derived"),
])
def test_a_condition_on_the_frequency_claims_the_region(relation, where, verdict):
    statement = check_statement(relation, where)
    assert not [h for h in statement.where if isinstance(h, Converges)]
    assert str(judge(statement, numeric=False, patience=2).kind) == verdict
