"""Integrals of exponentials of quadratics over the line; relations at named pairs and numbers."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import finite, gaussian, laplace, randomized_response
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.statement import Statement

a, b, t, eps = reals("a b t eps")
c = positives("c")
P, Q = pair("P", "Q")


def kind(claim, *where, **hints):
    return judge(Statement("t/x", claim, where=where, hints=hints), numeric=False, patience=3).kind


def over_line(exponent, factor=1):
    return Int(factor * sp.exp(exponent), t, -sp.oo, sp.oo)


@pytest.mark.parametrize(("claim", "where"), [
    (Eq(over_line(-a * t**2), sp.oo), (Le(a, 0),)),
    (Eq(over_line(-a * t**2 + b * t), sp.oo), (Le(a, 0),)),
    (Eq(over_line(-(t**2) / 2 + t), sp.exp(sp.Rational(1, 2)) * over_line(-(t**2) / 2)), ()),
])
def test_proved(claim, where):
    assert kind(claim, *where) in HOLDS


@pytest.mark.parametrize(("claim", "where"), [
    (Eq(over_line(-a * t**2), sp.oo), (Ge(a, 0),)),
    (Eq(over_line(-a * t**2), sp.oo), (Gt(a, 0),)),
    (Defined(over_line(-a * t**2)), (Ge(a, 0),)),
    (Eq(over_line(-a * t**2, -1), sp.oo), (Le(a, 0),)),
    (Eq(over_line(-a * t**2, b), sp.oo), (Le(a, 0), Ge(b, 0))),
    (Eq(over_line(-(t**2) / 2 + t), over_line(-(t**2) / 2)), ()),
    (Eq(over_line(sp.I * t**2), sp.oo), ()),
])
def test_false_neighbours_are_not_proved(claim, where):
    assert kind(claim, *where) not in HOLDS


def test_numbers_of_pairs_that_are_not_finite():
    M, N = mechanism_pair(gaussian(5) ** 3 * randomized_response("0.1"))
    value, less = sp.Rational("0.00497"), sp.Rational("0.00496")
    found = (gaussian(5) ** 3 * randomized_response("0.1")).delta("0.7", digits=10)
    assert less < sp.Rational(str(found).split()[0]) < value
    point = sp.Rational("0.7")
    assert kind(Lt(delta(M, N)(point), value)) in HOLDS
    assert kind(Gt(delta(N, M)(point), less)) in HOLDS
    assert kind(Gt(delta(M, N)(point), value)) is Kind.REFUTED
    assert kind(Eq(delta(M, N)(point), value)) is Kind.REFUTED
    E1, E2 = mechanism_pair(laplace(1))
    assert kind(Lt(delta(E1, E2)(sp.pi / 7), sp.Rational(1, 4))) in HOLDS


def test_relations_fail_at_named_pairs_that_satisfy_the_hypotheses_only():
    half = finite(["1/2", "1/2"], ["1/4", "3/4"])
    claim = Le(delta(P, Q)(eps), 0)
    assert kind(claim, ac(P, Q), pairs={"P": half}, witness={"eps": 0}) is Kind.REFUTED
    # the hinted pair has a mass at infinity, so it is no witness; whether another is found or not
    one = finite([1, 0], ["1/2", "1/2"])
    found = judge(Statement("t/x", Le(delta(P, Q)(0), 1), where=[ac(Q, P)],
                            hints={"pairs": {"P": one}}), numeric=False)
    assert found.kind in HOLDS
