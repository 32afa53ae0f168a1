"""Order claims: what follows from dominated profiles or point guarantees, and what does not."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import (
    PLD,
    B,
    Converges,
    Defined,
    E,
    Eq,
    Event,
    Ex,
    F,
    Ge,
    Gt,
    Implies,
    ImpliesOn,
    Int,
    Le,
    Lt,
    Omega,
    R,
    Statement,
    ac,
    delta,
    mechanism_pair,
    pair,
    positives,
    product_pair,
    reals,
)
from lapdp.theory.engine import judge

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P3, Q3 = pair("P3", "Q3")
S = Event("S")
e, eps, d, t, q = reals("e eps d t q")
rate = positives("rate")
R0, R1 = mechanism_pair(randomized_response(eps, d), "R0", "R1")
RR = delta(R0, R1)(t)
PRODUCT = product_pair((P1, Q1), (P3, Q3))

RANGE = (Ge(eps, 0), Ge(d, 0), Le(d, 1))
C0, C1 = mechanism_pair(randomized_response(sp.log(3), sp.Rational(1, 4)), "C0", "C1")
COIN = delta(C0, C1)(t)
FORWARD, BACKWARD = Le(delta(P, Q)(eps), d), Le(delta(Q, P)(eps), d)
LEAK = sp.Rational(1, 4)
THERE, BACK = Le(delta(P, Q)(sp.log(3)), LEAK), Le(delta(Q, P)(sp.log(3)), LEAK)
PURE = (Eq(delta(P, Q)(eps), 0), Eq(delta(Q, P)(eps), 0))
CHORD = (sp.exp(eps) * sp.exp(-q * eps) + sp.exp(q * eps)) / (sp.exp(eps) + 1)
DOMINATED = Le(delta(P1, Q1)(e), delta(P2, Q2)(e))
BOTH_WAYS = (ac(P1, Q1), ac(Q1, P1), ac(P2, Q2), ac(Q2, P2))


def dominance(conclusion, hypothesis=DOMINATED, over=(e,)):
    return Implies(hypothesis, conclusion, over)


def verdict(form, where=()):
    return judge(Statement("test/claim", form, where=tuple(where)), numeric=False,
                 patience=0.3).kind


PROVED = [
    (dominance(Le(delta(Q1, P1)(t), delta(Q2, P2)(t))), ()),
    (dominance(Le(delta(P1, Q1)(t), delta(Q2, P2)(t)), Le(delta(Q1, P1)(e), delta(P2, Q2)(e))),
     ()),
    (dominance(Le(E(q, P1, Q1), E(q, P2, Q2))), [Gt(q, 1)]),
    (dominance(Le(E(q, P1, Q1), E(q, P2, Q2))), [Lt(q, 0)]),
    (dominance(Ge(E(q, P1, Q1), E(q, P2, Q2))), [Gt(q, 0), Lt(q, 1)]),
    (dominance(Le(E(2, Q1, P1), E(2, Q2, P2))), ()),
    (dominance(Le(R(q, P1, Q1), R(q, P2, Q2))), [Gt(q, 1), Defined(R(q, P2, Q2))]),
    # in [-oo, oo]: +oo is a value of both
    (dominance(Le(R(q, P1, Q1), R(q, P2, Q2))), [Gt(q, 1)]),
    (dominance(Le(R(q, P1, Q1), R(q, P2, Q2))), [Gt(q, 1), *BOTH_WAYS]),
    (dominance(Le(B(delta(P1, Q1)(t), t)(-1), B(delta(P2, Q2)(t), t)(-1))),
     [Converges(B(delta(P2, Q2)(t), t)(-1))]),
    (dominance(Le(Omega(sp.Max(P1, 2 * Q1)), Omega(sp.Max(P2, 2 * Q2)))), ()),
    (dominance(Le(delta(P1, Q1)(t), delta(P2, Q2)(t) + 1)), ()),
    (dominance(Le(delta(*PRODUCT)(t), delta(P2, Q2)(t)), Le(delta(*PRODUCT)(e),
                                                            delta(P2, Q2)(e))), ()),
    (dominance(Le(delta(P1, Q1)(t), RR), Le(delta(P1, Q1)(e), delta(R0, R1)(e))), ()),
    (Le(delta(P, Q)(t), RR), (*RANGE, FORWARD, BACKWARD)),
    (Le(delta(Q, P)(t), RR), (*RANGE, FORWARD, BACKWARD)),
    (Le(delta(P, Q)(t), d), (*RANGE, FORWARD, Ge(t, eps))),
    (Le(delta(P, Q)(t), 1 - sp.exp(t) * (1 - d)), (*RANGE, BACKWARD, Le(t, -eps))),
    (Le(E(q, P, Q), CHORD), (*PURE, Gt(q, 1))),
    (Le(E(q, P, Q), CHORD), (*PURE, Lt(q, 0))),
    (Ge(E(q, P, Q), CHORD), (*PURE, Gt(q, 0), Lt(q, 1))),
    (Le(E(q, P, Q), sp.exp((q - 1) * eps)), (PURE[0], Gt(q, 1))),
    (Le(R(q, P, Q), sp.log(CHORD) / (q - 1)), (*PURE, Gt(q, 1))),
    (Le(P(S), sp.exp(eps) * Q(S) + d), (*RANGE, FORWARD)),
    (Le(Ex(PLD(P, Q), PLD(P, Q)), eps * (sp.exp(eps) - 1) / (sp.exp(eps) + 1)), PURE),
    (dominance(Le(Ex(PLD(P1, Q1), PLD(P1, Q1)), Ex(PLD(P2, Q2), PLD(P2, Q2)))),
     (ac(P1, Q1), ac(P2, Q2))),
    (Lt(delta(P, Q)(t), 1), (*RANGE, FORWARD, BACKWARD, Lt(d, 1))),
    (Eq(delta(P, Q)(t), delta(P, Q)(t)), (FORWARD,)),
]


@pytest.mark.parametrize(("form", "where"), PROVED)
def test_proved(form, where):
    assert verdict(form, where) in HOLDS


FALSE = {
    "the other way round": (dominance(Ge(E(2, P1, Q1), E(2, P2, Q2))), ()),
    "concave order": (dominance(Le(E(q, P1, Q1), E(q, P2, Q2))), [Gt(q, 0), Lt(q, 1)]),
    "orders of either curvature": (dominance(Le(E(q, P1, Q1), E(q, P2, Q2))), [Gt(q, 0)]),
    "strict": (dominance(Lt(E(2, P1, Q1), E(2, P2, Q2))), ()),
    "dominance at eps > 0": (
        dominance(Le(E(2, P1, Q1), E(2, P2, Q2)),
                  Le(delta(P1, Q1)(rate), delta(P2, Q2)(rate)), (rate,)), ()),
    "dominance at one eps": (
        dominance(Le(E(2, P1, Q1), E(2, P2, Q2)), Le(delta(P1, Q1)(1), delta(P2, Q2)(1)), ()), ()),
    "dominance at a parameter": (dominance(Le(E(2, P1, Q1), E(2, P2, Q2)), DOMINATED, ()), ()),
    "dominance at shifted places": (
        dominance(Le(E(2, P1, Q1), E(2, P2, Q2)), Le(delta(P1, Q1)(e), delta(P2, Q2)(e - 1))), ()),
    "the bound variable restricted": (
        ImpliesOn(DOMINATED, Le(E(2, P1, Q1), E(2, P2, Q2)), e, 0, sp.oo), ()),
    "pairs reversed": (
        dominance(Le(E(2, P1, Q1), E(2, P2, Q2)), Le(delta(P1, Q1)(e), delta(Q2, P2)(e))), ()),
    "a function that jumps": (
        dominance(Le(F(PLD(P2, Q2))(t), F(PLD(P1, Q1))(t))), ()),
    "a mean loss": (dominance(Le(Ex(PLD(Q1, P1)**2, PLD(Q1, P1)),
                                 Ex(PLD(Q2, P2)**2, PLD(Q2, P2)))), ()),
    "an infinite Renyi divergence": (
        dominance(Lt(R(q, P1, Q1), R(q, P2, Q2) + 1)), [Gt(q, 1), *BOTH_WAYS]),
    "only the smaller one defined": (
        dominance(Defined(R(q, P2, Q2))), [Gt(q, 1), Defined(R(q, P1, Q1))]),
    "an order at which there is no divergence": (
        dominance(Le(R(q, P1, Q1), R(q, P2, Q2))), [Ge(q, 1)]),
    "the larger divergence below": (
        dominance(Le(R(q, P2, Q2), R(q, P1, Q1))), [Gt(q, 1)]),
    "a divergent integral": (
        dominance(Le(Int(sp.exp(t) * delta(P1, Q1)(t), t, -sp.oo, sp.oo),
                     Int(sp.exp(t) * delta(P2, Q2)(t), t, -sp.oo, sp.oo))), BOTH_WAYS),
    "an undefined constant": (dominance(Le(delta(P1, Q1)(t) + 1 / d, delta(P2, Q2)(t) + 1 / d)),
                              ()),
    "squares": (dominance(Le(delta(P1, Q1)(t)**2, delta(P2, Q2)(t) - 1)), ()),
    "a third pair": (dominance(Le(delta(P1, Q1)(t), delta(P3, Q3)(t))), ()),
    "a factor of the dominated product": (
        dominance(Le(delta(P3, Q3)(t), delta(P2, Q2)(t) / 2),
                  Le(delta(*PRODUCT)(e), delta(P2, Q2)(e))), ()),
    "an event at another place": (Le(P(S), sp.exp(t) * Q(S) + d), (*RANGE, FORWARD)),
    "an event without Q": (Le(P(S), d), (*RANGE, FORWARD)),
    "an event the other way round": (Ge(P(S), sp.exp(eps) * Q(S) - d), (*RANGE, FORWARD)),
    "one direction only": (Le(delta(P, Q)(t), COIN), (THERE,)),
    "the other direction only": (Le(delta(P, Q)(t), COIN), (BACK,)),
    "a guarantee below": (Ge(delta(P, Q)(t), COIN), (THERE, BACK)),
    "the same delta everywhere": (Le(delta(P, Q)(t), d), (*RANGE, FORWARD, BACKWARD)),
    "strictly": (Lt(delta(P, Q)(t), COIN), (THERE, BACK)),
    "strictly below 1": (Lt(delta(P, Q)(t), 1), (*RANGE, FORWARD, BACKWARD)),
    "guarantees of another pair": (
        Le(delta(P, Q)(t), COIN),
        (Le(delta(P1, Q1)(sp.log(3)), LEAK), Le(delta(Q1, P1)(sp.log(3)), LEAK))),
    "lower guarantees": (
        Le(delta(P, Q)(t), COIN),
        (Ge(delta(P, Q)(sp.log(3)), LEAK), Ge(delta(Q, P)(sp.log(3)), LEAK))),
    "a moment under (eps, delta)": (
        Le(E(2, P, Q), CHORD.subs(q, 2)), (*RANGE, FORWARD, BACKWARD)),
    "a moment under one direction": (Le(E(q, P, Q), CHORD), (PURE[0], Gt(q, 1), Ge(eps, 0))),
    "a concave moment": (Le(E(q, P, Q), CHORD), (*PURE, Gt(q, 0), Lt(q, 1))),
    "a chord that is too low": (Le(E(q, P, Q), CHORD - sp.exp(-eps)), (*PURE, Gt(q, 1))),
    "all orders": (Le(R(q, P, Q), sp.log(CHORD) / (q - 1)), PURE),
    "orders below 1": (Le(R(q, P, Q), sp.log(CHORD) / (q - 1) - 1), (*PURE, Lt(q, 1), Gt(q, 0))),
    "undefined on both sides": (Le(delta(P, Q)(t) + 1 / d, d + 1 / d),
                                (*RANGE, FORWARD, BACKWARD, Ge(t, eps))),
}


@pytest.mark.parametrize("name", FALSE)
def test_never_proved(name):
    assert verdict(*FALSE[name]) not in HOLDS


@pytest.mark.parametrize("where", [
    (*PURE, Lt(eps, 0)),
    (Ge(eps, 0), Le(delta(P, Q)(eps), d), Lt(d, 0)),
])
def test_guarantees_that_contradict_each_other_prove_nothing(where):
    assert verdict(Le(delta(P, Q)(t), -1), where) is Kind.ILL_FORMED


def test_a_bound_variable_is_not_a_parameter_of_that_name():
    """The refutation must look at every e, not at the value of the parameter e."""
    found = judge(Statement("test/claim", dominance(Le(delta(P1, Q1)(t), delta(P2, Q2)(t))),
                            where=(Gt(e, 0),)), numeric=False, patience=0.5)
    assert found.kind is not Kind.REFUTED
