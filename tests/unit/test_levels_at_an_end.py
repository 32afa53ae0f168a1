"""Trade-off functions at the level 0, and at levels outside [0, 1] whatever the pair is."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import gaussian
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
both = product_pair((P1, Q1), (P2, Q2))
a = reals("a")
sigma = positives("sigma")
M, N = mechanism_pair(gaussian(sigma), "M", "N")


def judged(claim_, *where):
    return judge(claim("test", claim_, where=list(where)), numeric=False)


@pytest.mark.parametrize(("relation", "where"), [
    (Eq(T(P, Q)(0), 1), [ac(Q, P)]),
    (Eq(T(P, Q)(0), Q(Where(Gt(P, 0)))), []),
    (Eq(T(*both)(0), T(P1, Q1)(0) * T(P2, Q2)(0)), []),
    (Iff(Eq(T(P, Q)(0), 1), Eq(Pr(PLD(Q, P), "==", sp.oo), 0)), []),
])
def test_no_test_of_size_zero_rejects_where_the_first_distribution_is(relation, where):
    assert judged(relation, *where).kind in HOLDS


@pytest.mark.parametrize(("relation", "where"), [
    (Eq(T(P, Q)(0), 1), [ac(P, Q)]),
    (Eq(T(P, Q)(0), 1), []),
    (Gt(T(P, Q)(0), 0), []),
    (Eq(T(P, Q)(0), T(Q, P)(0)), []),
    (Eq(T(P, Q)(0), P(Where(Gt(Q, 0)))), []),
    (Eq(T(P, P / 2 + Q / 2)(0), 1), []),
    (Ge(T(M, N)(a), 0), []),
    (Ge(T(M, N)(a), 0), [Ge(a, 0)]),
])
def test_what_fails_at_an_end(relation, where):
    assert judged(relation, *where).kind is Kind.REFUTED


def test_levels_in_range_have_values():
    assert judged(Ge(T(M, N)(a), 0), Ge(a, 0), Le(a, 1)).kind in HOLDS
