"""Conditions on outcomes: And, Or, Not; case distinctions and indicators as functions on a space;
spaces of independent pairs."""

from __future__ import annotations

from fractions import Fraction

import pytest
import sympy as sp

from lapdp import finite
from lapdp.core.errors import InputError
from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import (
    PLD,
    Eq,
    Ge,
    Gt,
    Indicator,
    Le,
    LossAt,
    Lt,
    Ne,
    Omega,
    Pr,
    Where,
    adaptive_pair,
    family,
    mechanism_pair,
    outcome,
    pair,
    product_pair,
    reals,
)
from lapdp.theory.engine import judge
from lapdp.theory.statement import Statement
from tests.mutation.campaign import contradiction
from tests.mutation.oracle_check import oracle_verdict
from tests.mutation.replay import replay

P, Q = pair("P", "Q")
A, B = pair("A", "B")
PP, QQ = product_pair((P, Q), (A, B), names=("PP", "QQ"))
Z, Z2, Zc = PLD(P, Q), PLD(A, B), PLD(PP, QQ)
y = reals("y")


def loss(p, q, last=-sp.oo):
    """The loss with ``last`` where p vanishes, q or not."""
    return sp.Piecewise((sp.oo, sp.And(Ne(p, 0), Eq(q, 0))),
                        (sp.log(p / q), sp.And(Ne(p, 0), Ne(q, 0))), (last, True), evaluate=False)


BOTH = sp.And(Ne(P, 0), Ne(Q, 0))
FOUR = sp.And(BOTH, Ne(A, 0), Ne(B, 0))
ADDED = Eq(LossAt(P, Q) + LossAt(A, B), y)

PROVED = {
    "common support": Eq(P(Where(BOTH)), Pr(Z, "<", sp.oo)),
    "either": Eq(Q(Where(sp.Or(Eq(P, 0), Gt(P, Q)))) + Q(Where(sp.And(Ne(P, 0), Le(P, Q)))), 1),
    "not": Eq(P(Where(sp.Not(Eq(Q, 0)))), Pr(Z, "<", sp.oo)),
    "cases": Eq(loss(P, Q), LossAt(P, Q)),
    "cases in an event": Eq(P(Where(Eq(loss(P, Q), y))), Pr(Z, "==", y)),
    "never -oo": Eq(PP(Where(Eq(loss(PP, QQ), -sp.oo))), 0),
    "indicators": Eq(Indicator(Eq(P, 0)) + Indicator(Ne(P, 0)), 1),
    "independent densities": Eq(Omega(P * A), 1),
    "either is 0": Eq(Indicator(Eq(PP, 0)), Indicator(sp.Or(Eq(P, 0), Eq(A, 0)))),
    "product of spaces": Eq(Omega(P * A, Where(sp.And(FOUR, ADDED))), Pr(Zc, "==", y)),
    "logs of products": Eq(P(Where(BOTH)) * A(Where(sp.And(Ne(A, 0), Ne(B, 0)))),
                           Omega(P * A, Where(Eq(Indicator(FOUR), 1)))),
    "half of a square": Eq(Omega(P * B, Where(Gt(Q * A, 0))),
                           Pr(Z, "<", sp.oo) * B(Where(Ne(A, 0)))),
}

FALSE = {
    "common support under Q": Eq(Q(Where(BOTH)), Pr(Z, "<", sp.oo)),
    "or for and": Eq(P(Where(sp.Or(Ne(P, 0), Ne(Q, 0)))), Pr(Z, "<", sp.oo)),
    "P and Q exchanged": Eq(P(Where(Eq(loss(Q, P), y))), Pr(Z, "==", y)),
    "closed for open": Eq(P(Where(sp.And(Gt(LossAt(P, Q), y), Ne(Q, 0)))),
                          P(Where(sp.And(Ge(LossAt(P, Q), y), Ne(Q, 0))))),
    "mass at +oo forgotten": Eq(P(Where(Ge(loss(P, Q), y))), P(Where(sp.And(
        Ge(loss(P, Q), y), Lt(loss(P, Q), sp.oo))))),
    "0 for -oo": Eq(loss(P, Q, sp.Integer(0)), LossAt(P, Q)),
    "both zero": Eq(loss(PP, QQ), LossAt(PP, QQ)),
    "indicator of one factor": Eq(Indicator(Eq(PP, 0)), Indicator(Eq(P, 0))),
    "no case": Eq(sp.Piecewise((1, Ne(P, 0)), evaluate=False), Indicator(Ne(P, 0))),
    "wrong sign of a loss": Eq(Omega(P * A, Where(sp.And(
        FOUR, Eq(LossAt(P, Q) - LossAt(A, B), y)))), Pr(Zc, "==", y)),
    "infinite losses of a product": Eq(Omega(P * A, Where(Eq(Q, 0))), Pr(Zc, "==", sp.oo)),
    "an outcome that never occurs": Eq(Indicator(Eq(QQ, 0)), Indicator(Eq(loss(PP, QQ), sp.oo))),
    "not at all": Eq(P(Where(sp.Not(BOTH))), 0),
}

ILL_FORMED = {
    "a density beside a number": Eq(P(Where(sp.And(Ne(P, 1), Ne(Q, 0)))), 1),
    "cases of densities": Eq(sp.Piecewise((1, Ne(P, 1)), (0, True), evaluate=False), 1),
    "another space": Eq(P(Where(sp.And(Ne(P, 0), Ne(A, 0)))), 1),
    "a pair and its product": Eq(Omega(PP * P), 1),
}


@pytest.mark.parametrize("name", PROVED)
def test_proved(name):
    statement = Statement("test/s", PROVED[name])
    found = judge(statement, numeric=False)
    assert found.kind in HOLDS, found.reason
    assert oracle_verdict(statement, 12) == "holds"
    assert contradiction(statement, 0.1) is None


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours_are_refuted(name):
    statement = Statement("test/s", FALSE[name])
    found = judge(statement)
    assert found.kind is Kind.REFUTED, found.reason
    assert replay(statement, found.witness) in ("confirmed", "undefined")


@pytest.mark.parametrize("name", ILL_FORMED)
def test_ill_formed(name):
    assert judge(Statement("test/s", ILL_FORMED[name])).kind is Kind.ILL_FORMED


def test_dependent_pairs_have_no_product_space():
    x = outcome("x")
    P2, Q2 = family("P2", "Q2", x)
    adaptive_pair((P, Q), (P2, Q2))
    found = judge(Statement("test/s", Eq(Omega(P * P2, Where(Ne(Q * Q2, 0))), 1)))
    assert found.kind not in HOLDS


def test_events_take_conditions_only():
    for make in (Where, Indicator):
        with pytest.raises(InputError, match="And, Or, Not"):
            make(P + Q)


@pytest.mark.parametrize("seed", range(6))
def test_masses_of_events_by_fractions(seed):
    # a second route: the event is listed by hand, outcome by outcome
    rows = [(Fraction((3 * k + seed) % 4), Fraction((k * k + 2 * seed + 1) % 3))
            for k in range(6)]
    p, q = ([r[side] / sum(s[side] for s in rows) for r in rows] for side in (0, 1))
    a, b = mechanism_pair(finite(p, q), "a", "b")
    event = Where(sp.Or(sp.And(Ne(a, 0), Lt(a, 2 * b)), sp.Not(Ne(b, 0))))
    expected = sum((x for x, z in zip(p, q, strict=True) if (x and x < 2 * z) or not z),
                   Fraction(0))
    claims = {Eq: expected, Ne: expected + Fraction(1, 7)}
    for relation, value in claims.items():
        form = relation(a(event), sp.Rational(value.numerator, value.denominator))
        assert judge(Statement("test/s", form)).kind in HOLDS
