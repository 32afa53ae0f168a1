"""Divergences of mixtures below a number that no loss exceeds."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import *
from lapdp.theory.engine import judge
from tests.oracle import finite as oracle

P, Q = pair("P", "Q")
e, p, q = reals("e p q")
MIXED = p * P + (1 - p) * Q
WEIGHT = [Ge(p, 0), Lt(p, 1)]
NO_LOSS_ABOVE = Le(delta(P, Q)(e), 0)


def judged(claim_, *where):
    return judge(claim("test", claim_, where=list(where)), numeric=False)


@pytest.mark.parametrize(("relation", "where"), [
    (Le(R(q, Q, MIXED), -sp.log(1 - p)), [*WEIGHT, Gt(q, 1)]),
    (Le(R(q, Q, MIXED), -sp.log(1 - p)), [*WEIGHT, Lt(q, 1)]),
    (Le(KL(Q, MIXED), -sp.log(1 - p)), WEIGHT),
    (Le(KL(P, P / 2 + Q / 2), sp.log(2)), []),
    (Le(R(q, MIXED, Q), sp.log(1 + p * (sp.exp(e) - 1))), [*WEIGHT, NO_LOSS_ABOVE, Ne(q, 1)]),
    (Le(R(q, P, Q), e), [NO_LOSS_ABOVE, Ne(q, 1)]),
])
def test_no_divergence_exceeds_the_largest_loss(relation, where):
    assert judged(relation, *where).kind in HOLDS


@pytest.mark.parametrize(("relation", "where"), [
    # at q = 1, at p = 1, beyond it, the other member, attained, the other way round
    (Le(R(q, Q, MIXED), -sp.log(1 - p)), WEIGHT),
    (Le(R(q, Q, MIXED), -sp.log(1 - p)), [Ge(p, 0), Le(p, 1), Gt(q, 1)]),
    (Le(R(q, Q, MIXED), -sp.log(1 - p)), [Lt(p, 1), Gt(q, 1)]),
    (Le(R(2, Q, MIXED), -sp.log(p)), [Gt(p, 0), Lt(p, 1)]),
    (Lt(KL(Q, MIXED), -sp.log(1 - p)), WEIGHT),
    (Le(KL(P / 2 + Q / 2, P), sp.log(2)), []),
    (Le(R(q, Q, P), e), [NO_LOSS_ABOVE, Ne(q, 1)]),
])
def test_what_exceeds_it(relation, where):
    assert judged(relation, *where).kind is Kind.REFUTED


@pytest.mark.parametrize("order", ["-2", "0", "1/2", "3", "20"])
def test_the_theorem_at_pairs(order):
    half, third = oracle.Fraction(1, 2), oracle.Fraction(1, 3)
    first, second = (half, half / 2, half / 2), (third, third, third)  # no ratio above 3/2
    moment = oracle.moment(first, second, oracle.Fraction(order))
    gap = oracle.Fraction(order) - 1
    divergence = -oracle.mp.inf if moment == oracle.mp.inf else oracle.mp.log(moment) / gap
    assert divergence < oracle.mp.log(1.5)
