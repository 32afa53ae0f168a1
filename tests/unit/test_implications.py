"""Equivalences and implications: by halves, bounds and moved hypotheses; never when false."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import (
    PLD,
    B,
    Converges,
    Defined,
    E,
    Eq,
    Event,
    Ge,
    Gt,
    Iff,
    Implies,
    Le,
    Lt,
    Ne,
    Pr,
    Statement,
    Sup,
    ac,
    delta,
    f,
    pair,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.render import latex_of_form, text_of_form
from tests.mutation.oracle_check import oracle_verdict

P, Q = pair("P", "Q")
S, A = Event("S"), Event("A")
eps, d, x, t, q = reals("eps delta x t q")
Z = PLD(P, Q)
GUARANTEE = Le(P(S), sp.exp(eps) * Q(S) + d)


def kind(claim, where=()):
    return judge(Statement("test/claim", claim, where=tuple(where)), numeric=False,
                 patience=2).kind


@pytest.mark.parametrize("claim", [
    Iff(GUARANTEE, Le(delta(P, Q)(eps), d), over=(S,)),
    Iff(Le(delta(P, Q)(eps), d), GUARANTEE, over=(S,)),
    Iff(Ge(sp.exp(eps) * Q(S) + d, P(S)), Ge(d, delta(P, Q)(eps)), over=(S,)),
    Iff(GUARANTEE, Le(Sup(P(A) - sp.exp(eps) * Q(A), A), d), over=(S,)),
    Implies(Le(delta(P, Q)(eps), d), GUARANTEE),
    Implies(Lt(delta(P, Q)(eps), d), Lt(Pr(Z, ">", eps) - sp.exp(eps), d)),
    Implies(Le(Pr(Z, ">", x), d), Le(Pr(Z, ">", x) - 1, d)),
])
def test_true_ones_are_proved(claim):
    assert kind(claim) in HOLDS


@pytest.mark.parametrize("claim", [
    # the other order of the pair
    Iff(GUARANTEE, Le(delta(Q, P)(eps), d), over=(S,)),
    # twice as strong, half as strong
    Iff(GUARANTEE, Le(2 * delta(P, Q)(eps), d), over=(S,)),
    Iff(GUARANTEE, Le(delta(P, Q)(eps) / 2, d), over=(S,)),
    # the converse order relations
    Iff(Ge(P(S), sp.exp(eps) * Q(S) + d), Le(delta(P, Q)(eps), d), over=(S,)),
    # strict for weak
    Implies(GUARANTEE, Lt(delta(P, Q)(eps), d), over=(S,)),
    Implies(Le(delta(P, Q)(eps), d), Lt(P(S), sp.exp(eps) * Q(S) + d)),
    # at another eps
    Implies(Le(delta(P, Q)(x), d), GUARANTEE),
    # one event, the same on both sides
    Implies(GUARANTEE, Le(Q(S), sp.exp(eps) * P(S) + d), over=(S,)),
    Iff(GUARANTEE, Le(Q(S), sp.exp(eps) * P(S) + d), over=(S,)),
    # a false bound
    Implies(Le(Pr(Z, ">", x), d), Le(delta(P, Q)(eps), d)),
    # nothing bounds an equality
    Implies(Eq(delta(P, Q)(0), 0), Eq(E(2, P, Q), 2)),
])
def test_false_ones_are_not_proved(claim):
    assert kind(claim) not in HOLDS


def test_false_equivalences_are_refuted():
    found = judge(Statement("test/claim", Iff(GUARANTEE, Le(delta(Q, P)(eps), d), over=(S,))),
                  numeric=False)
    assert found.kind is Kind.REFUTED and {found.witness.lhs, found.witness.rhs} == {
        "true", "false"}


def test_a_hypothesis_may_not_restrict_the_bound_event():
    only = [Le(P(S), 0)]
    claim = Implies(GUARANTEE, Le(delta(P, Q)(eps), d), over=(S,))
    assert kind(claim, only) not in HOLDS


def test_a_hypothesis_more():
    region = Converges(B(f(Z)(t), t, 1 - q))
    other = Converges(B(f(PLD(Q, P))(t), t, q))
    assert kind(Iff(region, other)) in HOLDS
    assert kind(Implies(ac(P, Q), Eq(E(1, P, Q), Pr(Z, "<", sp.oo)))) in HOLDS
    assert kind(Implies(ac(Q, P), Eq(E(1, P, Q), Pr(Z, "<", sp.oo)))) not in HOLDS
    assert kind(Implies(Gt(q, 1), Ne(q, 2))) not in HOLDS
    assert kind(Iff(region, Defined(E(q, P, Q)))) not in HOLDS


@pytest.mark.parametrize(("claim", "verdict"), [
    (Iff(GUARANTEE, Le(delta(P, Q)(eps), d), over=(S,)), "holds"),
    (Iff(GUARANTEE, Le(delta(Q, P)(eps), d), over=(S,)), "fails"),
    (Implies(GUARANTEE, Lt(delta(P, Q)(eps), d), over=(S,)), "fails"),
])
def test_the_oracle_reads_them_too(claim, verdict):
    places = [Ge(d, 0), Le(d, 1)]
    assert oracle_verdict(Statement("test/claim", claim, where=tuple(places)), 60) == verdict


def test_rendering():
    claim = Iff(Le(t, 1), Le(x, 2), over=(t,))
    assert text_of_form(claim) == "t <= 1 if and only if x <= 2 (each for all its t)"
    assert r"\iff" in latex_of_form(claim)
    assert text_of_form(Iff(Le(t, 1), Le(x, 2))) == "t <= 1 if and only if x <= 2"
