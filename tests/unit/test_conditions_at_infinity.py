"""Conditions on a loss that compare it with an infinity: where the loss is +oo they have a value,
which is not the limit from finite losses; and named outcomes whose model the parameters decide."""

from __future__ import annotations

import pytest
import sympy as sp
from sympy import oo

from lapdp import verify
from lapdp.core.verdict import Kind
from lapdp.privacy.mechanisms import outcomes
from lapdp.theory import (
    PLD,
    Defined,
    E,
    Eq,
    Ex,
    Indicator,
    Le,
    Outcomes,
    Pr,
    claim,
    functions,
    mechanism_pair,
    pair,
    reals,
)
from lapdp.theory.engine import judge

P, Q = pair()
Z, x = PLD(P, Q), reals("x")
LOST = Pr(Z, "==", oo)


def same(kind, value):
    """The mean of an indicator of a condition that is kept as it is written."""
    return Eq(Ex(Indicator(kind(Z, oo, evaluate=False)), Z), value)


TRUE = [
    same(sp.Lt, 1 - LOST), same(sp.Le, 1), same(sp.Eq, LOST), same(sp.Ne, 1 - LOST),
    same(sp.Ge, LOST), same(sp.Gt, 0),
    Eq(Ex(Indicator(sp.And(Z > 0, oo > Z)), Z), Pr(Z, ">", 0) - LOST),
    Eq(Ex(Indicator(sp.Not(oo > Z)), Z), LOST),
    Eq(Ex(sp.Piecewise((1, oo > Z), (5, True), evaluate=False), Z), 1 + 4 * LOST),
    Eq(Ex(Indicator(Z > 0), Z), Pr(Z, ">", 0)),
]
FALSE = [
    same(sp.Lt, 1), same(sp.Le, 1 - LOST), same(sp.Eq, 0), same(sp.Ne, 1), same(sp.Ge, 0),
    same(sp.Gt, LOST), Eq(Ex(Indicator(sp.And(Z > 0, oo > Z)), Z), Pr(Z, ">", 0)),
    Eq(Ex(sp.Piecewise((1, oo > Z), (5, True), evaluate=False), Z), 1),
]


@pytest.mark.parametrize("form", TRUE, ids=str)
def test_what_holds(form):
    assert judge(claim("a", form), numeric=False).kind is Kind.DERIVED


@pytest.mark.parametrize("form", FALSE, ids=str)
def test_what_fails(form):
    assert judge(claim("a", form), numeric=False).kind is Kind.REFUTED


@pytest.mark.parametrize(("value", "kind"), [(x, Kind.DERIVED), (1 - x, Kind.REFUTED)])
def test_named_outcomes_whose_model_the_parameters_decide(value, kind):
    M, _ = mechanism_pair(outcomes(
        {"a": (x, "2/3"), "b": (1 - x, "1/3")}, where=[x >= 0, x <= 1]), "M", "N")
    assert judge(claim("a", Eq(M(Outcomes("a")), value)), numeric=False).kind is kind


def test_a_moment_that_is_infinite_is_in_no_condition():
    """Where it is finite one of the two indicators is 1; where it is +oo neither has a value."""
    second = E(2, P, Q)
    split = Indicator(second > 3) + Indicator(second <= 3)
    assert verify(claim("a", Eq(split, 1), where=Defined(second))).kind is Kind.PROVED
    assert verify(claim("a", Eq(split, 1))).kind is Kind.REFUTED


@pytest.mark.parametrize(("form", "kind"), [
    (lambda g, y: Le(g(sp.Max(x, y)), sp.Max(g(x), g(y))), Kind.UNDECIDED),
    (lambda g, y: Le(g(x), sp.Max(g(x), g(y))), Kind.PROVED),
    (lambda g, y: Le(g(x), g(sp.Max(x, y))), Kind.REFUTED)])
def test_a_function_has_a_value_at_every_point(form, kind):
    """What holds for values of functions is not refuted by an impulse or an oscillation."""
    found = verify(claim("a", form(functions("g"), reals("y"))))
    assert found.kind is kind
    assert found.witness is None or "has no value" not in found.witness.why
