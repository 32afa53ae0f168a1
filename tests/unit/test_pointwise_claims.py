"""Claims about every outcome, and inequalities that need both masses to be 1: false ones near."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.pointwise_claims import is_pointwise
from tests.mutation.oracle_check import oracle_report
from tests.mutation.replay import replay

P, Q = pair("P", "Q")
eps, x, lam = reals("eps x lam")
M = lam * P + (1 - lam) * Q
CLOSED, HALF_OPEN = [Ge(lam, 0), Le(lam, 1)], [Gt(lam, 0), Le(lam, 1)]
LOSS = LossAt(Q, P)
MIXED_LOSS = -sp.log(1 - lam + lam * sp.exp(-LOSS))


def verdict(form, where=()):
    return judge(claim("x", form, where=list(where)), numeric=False, patience=2).kind


def test_what_is_pointwise():
    assert is_pointwise(Eq(LOSS, -LossAt(P, Q))) and is_pointwise(Le(P, Q))
    assert not is_pointwise(Eq(Omega(P * LOSS), 0)) and not is_pointwise(Eq(delta(P, Q)(eps), 0))


@pytest.mark.parametrize("form, where", [
    (Eq(LOSS, -LossAt(P, Q)), []),
    (Eq(LossAt(Q, M), MIXED_LOSS), HALF_OPEN),
    (Eq(LossAt(M, Q), -MIXED_LOSS), HALF_OPEN),
    (Le(LossAt(M, Q), sp.Max(0, LossAt(P, Q))), HALF_OPEN),
    (Eq(LossAt(M, Q), LossAt(P, Q)), [Eq(lam, 1)]),
])
def test_true_claims_about_outcomes(form, where):
    assert verdict(form, where) in HOLDS
    assert oracle_report(claim("x", form, where=where), 20).verdict == "holds"


@pytest.mark.parametrize("form, where", [
    (Eq(LOSS, LossAt(P, Q)), []),
    # lambda = 0: 0/0 where Q vanishes
    (Eq(LossAt(Q, M), MIXED_LOSS), CLOSED),
    (Eq(LossAt(Q, M), -MIXED_LOSS), HALF_OPEN),
    (Lt(LossAt(M, Q), sp.Max(0, LossAt(P, Q))), HALF_OPEN),
    (Le(LossAt(M, Q), LossAt(P, Q)), HALF_OPEN),
    (Le(LossAt(M, Q), 100), [Eq(lam, sp.Rational(1, 2))]),
    (Ge(LOSS, 0), []),
])
def test_false_claims_about_outcomes(form, where):
    found = judge(claim("x", form, where=where), numeric=False)
    assert found.kind is Kind.REFUTED
    assert replay(claim("x", form, where=where), found.witness) not in ("denied", "outside")


def test_a_density_by_itself_depends_on_the_base_measure():
    assert verdict(Le(P, 1)) is Kind.ILL_FORMED
    assert verdict(Eq(P, Q)) is Kind.ILL_FORMED


@pytest.mark.parametrize("form, where", [
    (Le(delta(M, Q)(eps), delta(P, Q)(eps)), CLOSED),
    (Le(delta(Q, M)(eps), delta(Q, P)(eps)), CLOSED),
    (Ge(delta(P, Q)(eps), 1 - sp.exp(eps)), []),
    (Ge(1, delta(P, Q)(eps)), []),
])
def test_true_inequalities(form, where):
    assert verdict(form, where) in HOLDS


@pytest.mark.parametrize("form, where", [
    (Le(delta(P, Q)(eps), delta(M, Q)(eps)), CLOSED),
    (Lt(delta(M, Q)(eps), delta(P, Q)(eps)), [Gt(lam, 0), Lt(lam, 1)]),
    (Le(delta(M, Q)(eps), delta(Q, P)(eps)), CLOSED),
    (Le(delta(Q, M)(eps), lam * delta(Q, P)(eps)), CLOSED),
    (Ge(delta(P, Q)(eps), 1), []),
    (Gt(delta(P, Q)(eps), 1 - sp.exp(eps)), []),
    (Ge(delta(P, Q)(eps), 1 - sp.exp(eps) + sp.exp(-9)), []),
    (Le(delta(P, Q)(eps), 1 - sp.exp(eps)), [Lt(eps, 0)]),
])
def test_false_inequalities_are_never_proved(form, where):
    assert verdict(form, where) not in HOLDS
