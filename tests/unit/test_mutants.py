"""Mutants: what is changed, that trees stay well-formed, and that the list is always the same."""

from __future__ import annotations

import sympy as sp

from lapdp.theory import (
    PLD,
    B,
    Converges,
    E,
    Eq,
    Ex,
    F,
    Gt,
    Implies,
    L,
    Le,
    NoAtom,
    Pr,
    ac,
    complexes,
    delta,
    pair,
    positives,
    reals,
)
from lapdp.theory.statement import Statement
from tests.mutation.mutants import mutants

P, Q = pair()
eps, t = reals("eps t")
q = complexes("q")
Z, W = PLD(P, Q), PLD(Q, P)

REVERSAL = Statement(
    "eq-7", Eq(delta(Q, P)(eps), 1 - sp.exp(eps) + sp.exp(eps) * delta(P, Q)(-eps)))
SURVIVAL = Statement(
    "eq-22", Eq(delta(P, Q)(eps), L(1 - F(Z)(t + eps), t)(1)), where=(NoAtom(Z, eps),))
MOMENT = Statement(
    "eq-27", Eq(E(q, P, Q), q * (q - 1) * B(delta(P, Q)(t), t)(1 - q)),
    where=(Gt(sp.re(q), 1), ac(P, Q), Converges(B(delta(P, Q)(t), t)(1 - q))))
ALL = [REVERSAL, SURVIVAL, MOMENT]


def claims(statement):
    return {m.claim for _, m in mutants(statement)}


def test_each_kind_of_change_to_a_sum():
    lhs, e = delta(Q, P)(eps), sp.exp(eps)
    expected = {
        Eq(lhs, 1 + e + e * delta(P, Q)(-eps)): "sign",
        Eq(lhs, 1 + e * delta(P, Q)(-eps)): "dropped term",
        Eq(lhs, 1 - e + delta(P, Q)(-eps)): "dropped factor",
        Eq(lhs, 2 - e + e * delta(P, Q)(-eps)): "constant",
        Eq(lhs, sp.Rational(3, 2) - e + e * delta(P, Q)(-eps)): "rational constant",
        Eq(lhs, 1 - e + sp.exp(eps + 1) * delta(P, Q)(-eps)): "exponent",
        Eq(lhs, 1 - e + e * delta(Q, P)(-eps)): "swapped P and Q",
        Eq(lhs, 1 - e + e * delta(P, Q)(eps)): "argument",
    }
    assert set(expected) <= claims(REVERSAL)


def test_changes_inside_a_transform():
    lhs = delta(P, Q)(eps)
    expected = {
        Eq(lhs, L(1 - F(Z)(t - eps), t)(1)): "shift",
        Eq(lhs, L(1 - F(Z)(t + eps, strict=True), t)(1)): "strict for weak",
        Eq(lhs, L(1 - F(W)(t + eps), t)(1)): "Z for Z'",
        Eq(lhs, L(1 - F(Z)(t + eps), t)(2)): "frequency",
        Eq(lhs, B(1 - F(Z)(t + eps), t)(1)): "transform",
    }
    assert set(expected) <= claims(SURVIVAL)


def test_hypotheses_are_weakened_and_dropped():
    wheres = {m.where for _, m in mutants(MOMENT)}
    wider, continuous, converges = MOMENT.where
    assert (continuous, converges) in wheres
    assert (sp.Ge(sp.re(q), 1, evaluate=False), continuous, converges) in wheres
    assert (wider, ac(Q, P), converges) in wheres
    assert (wider, continuous) in wheres
    assert (NoAtom(W, eps),) in {m.where for _, m in mutants(SURVIVAL)}


def test_domains_are_widened():
    x = positives("x")
    statement = Statement("s", Le(delta(P, Q)(sp.log(x)), 1))
    real = sp.Symbol("x", real=True)
    assert Le(delta(P, Q)(sp.log(real)), 1) in claims(statement)
    assert sp.Lt(delta(P, Q)(sp.log(x)), 1, evaluate=False) in claims(statement)


def test_expectations_keep_their_variable_bound():
    statement = Statement("s", Eq(delta(P, Q)(eps), Ex(sp.Max(0, 1 - sp.exp(eps - Z)), Z)))
    for _, mutant in mutants(statement):
        for node in mutant.claim.atoms(type(Ex(Z, Z))):
            assert node.args[0].atoms(type(Z)) <= {node.args[1]}


def test_relations_of_probabilities_and_nested_forms():
    probability = Statement("s", Eq(Pr(Z, ">", eps), 0))
    assert Eq(Pr(Z, ">=", eps), 0) in claims(probability)
    dominance = Statement("s", Implies(Le(delta(P, Q)(eps), 0), Le(E(2, P, Q), 1), over=(eps,)))
    assert Implies(Le(delta(P, Q)(eps), 0), sp.Lt(E(2, P, Q), 1, evaluate=False), over=(eps,)) in (
        claims(dominance))


def test_mutants_differ_from_their_statement_and_each_other():
    for statement in ALL:
        found = mutants(statement)
        keys = [(m.claim, m.where) for _, m in found]
        assert len(found) > 15
        assert len(set(keys)) == len(keys)
        assert (statement.claim, statement.where) not in keys
        assert [name for name, _ in found] == [name for name, _ in mutants(statement)]
        assert len({m.id for _, m in found}) == len(found)
