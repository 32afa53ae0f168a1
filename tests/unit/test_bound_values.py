"""Universal hypotheses on a part of the line, and shapes of functions, at exact instances."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.errors import Unsupported
from lapdp.privacy.mechanisms import finite
from lapdp.theory.bound_values import run_of
from lapdp.theory.instances import Instance
from lapdp.theory.language import ForAll, Ge, Gt, Implies, Le, Lt, positives, reals
from lapdp.theory.statement import Statement
from lapdp.theory.witness import Trial, search
from lapdp.theory.words import PLD, ConvexOn, Ex, F, NonincreasingOn, T, delta, pair

(P, Q), (P1, Q1), (P2, Q2) = pair("P", "Q"), pair("P1", "Q1"), pair("P2", "Q2")
x, t, d = reals("x t d")
w = positives("w")
Z = PLD(P, Q)
LOG2 = sp.log(2)
COIN = finite(["2/3", "1/3"], ["1/3", "2/3"])         # its profile: 1/3 at 0, 0 from log 2 on


def trial(**values):
    return Trial(Instance({P.pair: ("", COIN)}, {}, {d: sp.Rational(values.get("d", 0))}))


@pytest.mark.parametrize(("where", "least"), [
    ((Gt(x, 0),), "1/3"), ((Ge(x, 0),), "1/3"), ((Lt(0, x), Le(x, 5)), "1/3"),
    ((Gt(x, LOG2),), "0"), ((Gt(x, 0), Gt(x, LOG2)), "0"), ((Lt(x, 0), Gt(x, -LOG2)), "1/2"),
    ((Gt(x, 1), Lt(x, 0)), "-1"), ((Gt(x, 0), Lt(x, 0)), "-1"),
])
def test_a_bound_on_a_part_of_the_line_is_decided(where, least):
    form = ForAll((x,), Le(delta(P, Q)(x), d), where)
    assert trial(d=least).holds(form)
    if least != "-1":
        assert not trial(d=sp.Rational(least) - sp.Rational(1, 1000)).holds(form)


def test_an_open_end_is_no_value_and_a_closed_one_is():
    # 1/3 of the losses are -log 2 and the others log 2
    third, inner = trial(d="1/3"), (Gt(x, -LOG2), Lt(x, LOG2))
    for value, where, holds in (
            (F(Z)(x), inner, True), (F(Z)(x), (Gt(x, -LOG2), Le(x, LOG2)), False)):
        assert third.holds(ForAll((x,), Le(value, d), where)) is holds
    below = F(Z)(x, strict=True)
    for value, where, holds in (
            (below, inner, True), (below, (Ge(x, -LOG2), Lt(x, LOG2)), False),
            (F(Z)(x), (Ge(x, -LOG2), Lt(x, LOG2)), True)):
        assert third.holds(ForAll((x,), Ge(value, d), where)) is holds


def test_linear_functions_are_decided_at_both_ends():
    assert trial().holds(ForAll((x,), Le(x, 1), (Lt(x, 1),)))
    assert not trial().holds(ForAll((x,), Le(x, 1), (Gt(x, 0),)))
    assert not trial().holds(ForAll((x,), Ge(x, -5), (Lt(x, 1),)))
    assert trial().holds(ForAll((w,), Ge(w, 0)))


def test_what_runs_elsewhere_or_is_one_value_is_refused():
    def run(letter, *where):
        return run_of(letter, where, lambda e: e, lambda e: int(sp.sign(e)))
    for last in (Ge(x, 1), Gt(x, 1), Ge(x, 0)):
        both = run(x, Gt(x, 1), last)
        assert both.start == 1 and not both.has_start and both.stop is None
    assert run(w).start == 0 and not run(w).has_start
    assert run(x, Ge(x, 1), Lt(x, 1)).empty and not run(x, Ge(x, 1)).empty
    with pytest.raises(Unsupported):
        assert run(x, Ge(x, 1), Le(x, 1)).empty
    for bad in (Le(x, 2 * x - 1), Ge(2 * x, 1), sp.Ne(x, 1)):
        with pytest.raises(Unsupported):
            run(x, bad)
    with pytest.raises(Unsupported):
        run(sp.Symbol("n", negative=True))


def found(claim, *where, **options):
    return search(Statement("p/claim", claim, where=where), [], **options)[0]


def test_bounds_beyond_a_level_bound_nothing_below_it():
    beyond = ForAll((x,), Le(delta(P, Q)(x), d), (Gt(x, 1),))
    assert found(Le(delta(P, Q)(0), d), beyond) is not None
    assert found(Le(delta(P, Q)(1), d), beyond, limit=100) is None


def test_dominance_for_positive_eps_orders_no_means():
    order = Le(Ex(PLD(P1, Q1), PLD(P1, Q1)), Ex(PLD(P2, Q2), PLD(P2, Q2)))
    assert found(Implies(Le(delta(P1, Q1)(w), delta(P2, Q2)(w)), order, over=(w,))) is not None


@pytest.mark.parametrize("claim", [
    ConvexOn(delta(P, Q)(t), t, 0, sp.oo), NonincreasingOn(sp.exp(t) * delta(P, Q)(t), t, 0, sp.oo),
    NonincreasingOn(F(Z)(t), t, 0, 1), ConvexOn(-T(P, Q)(t), t, 0, 1)])
def test_a_shape_is_refuted_by_two_points(claim):
    witness = found(claim)
    assert witness is not None and {"a", "b"} <= set(witness.values)


@pytest.mark.parametrize("claim", [
    NonincreasingOn(delta(P, Q)(t), t, -sp.oo, sp.oo), ConvexOn(T(P, Q)(t), t, 0, 1)])
def test_a_shape_that_holds_is_not(claim):
    assert found(claim, limit=100) is None
