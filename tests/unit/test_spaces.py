"""Events, likelihood ratios and losses on the sample space; integrals over events."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.numeric import column
from lapdp.theory import (
    PLD,
    B,
    Complement,
    Converges,
    D,
    Defined,
    E,
    Eq,
    Event,
    Ge,
    Gt,
    Impulse,
    Indicator,
    Int,
    Le,
    LossAt,
    Lt,
    Ne,
    Omega,
    Pr,
    Ratio,
    Where,
    ac,
    complexes,
    delta,
    f,
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
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
PP, QQ = product_pair((P1, Q1), (P2, Q2))
Z, Zp = PLD(P, Q), PLD(Q, P)
S, T = Event("S"), Event("T")
eps, t, u = reals("eps t u")
q = complexes("q")
e = sp.exp
STAR = Where(Gt(P, e(eps) * Q))
LP, LQ = LossAt(P, Q), LossAt(Q, P)
ROC = [Converges(B(f(Zp)(t), t, q))]

PROVED = {
    "any event": (Le(P(S) - e(eps) * Q(S), delta(P, Q)(eps)), []),
    "best event": (Le(P(S) - e(eps) * Q(S), P(STAR) - e(eps) * Q(STAR)), []),
    "two events": (Le(P(S) - P(T), delta(P, Q)(eps) + e(eps) * Q(S) - P(T)), []),
    "complement": (Eq(P(S) + P(Complement(S)), 1), []),
    "both constants": (Eq(Q(S) + Q(Complement(S)), 1), []),
    "complements": (Eq(Q(S) - P(S), P(Complement(S)) - Q(Complement(S))), []),
    "a bound for every event": (Le(P(S) + Q(Complement(S)), 1 + delta(P, Q)(0)), []),
    "both measures": (Ge(P(S) + Q(Complement(S)), P(Where(Gt(P, Q))) * 0), []),
    "loss and density": (Eq(P(Where(Gt(LP, eps))), P(STAR)), []),
    "infinite loss": (Eq(P(Where(Eq(LP, sp.oo))), Pr(Z, "==", sp.oo)), []),
    "complement of a level": (Eq(Q(Complement(STAR)), 1 - Q(STAR)), []),
    "over an event": (Eq(P(S), Omega(P, S)), []),
    "ratio where P lives": (Eq(Q(STAR), Omega(Ratio(Q, P) * P, STAR)), []),
    "ratio under P << Q": (Eq(P(S), Omega(Ratio(P, Q) * Q, S)), [ac(P, Q)]),
    "ratio is the loss": (Eq(Omega(Ratio(P, Q) * Q, STAR), Omega(e(-LQ) * Q, STAR)), []),
    "layers": (Eq(Omega(e(-LQ) * Q, STAR),
                  Int(e(t) * D(Omega(Q, Where(Ge(LQ, -t))), t), t, eps, sp.oo)), []),
    "moving point": (Eq(Int(Impulse(f(Z)(u), u, -t), t), 0), []),
    "squares of densities": (Eq(Omega((P - Q)**2 / Q), E(2, P, Q) - 1), [Defined(E(2, P, Q))]),
    "moment": (Eq(E(q, P, Q), Omega(Ratio(P, Q)**(q - 1) * P)),
               [Defined(E(q, P, Q)), Ne(q, 0)]),
    "moment as an integral": (Eq(Omega(e((q - 1) * LP) * P), Int(e((q - 1) * t) * f(Z)(t), t)),
                              [*ROC, ac(P, Q)]),
    "losses add": (Eq(PP(Where(Eq(LossAt(PP, QQ), LossAt(P1, Q1) + LossAt(P2, Q2)))), 1), []),
    "product": (Eq(PP(S), Omega(PP, S)), []),
    "an event of a product": (Le(PP(S) - e(eps) * QQ(S), delta(PP, QQ)(eps)), []),
}

REFUTED = {
    "strict": (Lt(P(S) - e(eps) * Q(S), delta(P, Q)(eps)), []),
    "other orientation": (Le(P(S) - e(eps) * Q(S), delta(Q, P)(eps)), []),
    "another event": (Le(P(S) - Q(S), P(T) - Q(T)), []),
    "bound too small": (Le(P(S) + Q(Complement(S)), 1), []),
    "one constant": (Eq(Q(S) + Q(Complement(S)), 2), []),
    "events parted": (Eq(Q(S) + Q(Complement(T)), 1), []),
    "closed level": (Eq(P(Where(Ge(P, e(eps) * Q))), P(STAR)), []),
    "mass where Q vanishes": (Eq(P(S), Omega(Ratio(P, Q) * Q, S)), []),
    "wrong direction": (Eq(P(S), Omega(Ratio(P, Q) * Q, S)), [ac(Q, P)]),
    "mass where P vanishes": (Eq(1, Omega(Ratio(Q, P) * P)), [ac(P, Q)]),
    "loss under P": (Eq(P(STAR), Omega(e(-LP) * P, STAR)), []),
    "level sets of no measure": (Eq(Q(STAR), Int(Omega(Q, Where(Eq(LP, t))), t, eps, sp.oo)),
                                 []),
    "layers at the edge": (Eq(Q(Where(Ge(LP, eps))),
                              Int(-D(Omega(Q, Where(Ge(LP, t))), t), t, eps, sp.oo)), []),
    "moving point against the whole": (Eq(Int(Impulse(f(Z)(u), u, t), t), Pr(Z, "<", sp.oo)), []),
    "fixed point": (Eq(Int(Impulse(f(Z)(u), u, 0 * t) * Indicator(Gt(t, 0)), t, -1, 1), 0), []),
    "moment at 0": (Eq(E(q, P, Q), Omega(Ratio(P, Q)**(q - 1) * P)), [Defined(E(q, P, Q))]),
    "moment at 1": (Eq(E(q, P, Q), Omega(Ratio(P, Q)**q * Q)), [Defined(E(q, P, Q))]),
    "complex orders of infinite losses": (
        Eq(Omega(Ratio(P, Q)**(q - 1) * P), Omega(e((q - 1) * LP) * P)), ROC),
    "losses add everywhere": (
        Eq(QQ(Where(Eq(LossAt(PP, QQ), LossAt(P1, Q1)))), 1), []),
    "squares": (Le(P(S), P(S)**2), []),
}

ILL_FORMED = {
    "two spaces": Le(P1(S), P2(S)),
    "of a factor": Le(P1(S), PP(S)),
    "an event of another space": Eq(P1(Where(Gt(P2, Q2))), 0),
    "densities of two degrees": Eq(P(Where(Gt(P, 1))), 1),
    "a product with a factor": Eq(Omega(PP * Q2), 1),
    "degree 2": Eq(Omega(P * Q), 1),
    "degree 0": Eq(Omega(LP), 1),
}


def judged(form, where=()):
    statement = Statement("test/s", form, tuple(where))
    return statement, judge(statement, numeric=False)


@pytest.mark.parametrize("name", PROVED)
def test_proved(name):
    statement, found = judged(*PROVED[name])
    assert found.kind in HOLDS, found.reason
    assert oracle_verdict(statement, 40) == "holds"
    assert contradiction(statement, 0.3) is None


@pytest.mark.parametrize("name", REFUTED)
def test_never_proved(name):
    statement, found = judged(*REFUTED[name])
    assert found.kind is Kind.REFUTED, found.reason
    told = replay(statement, found.witness)
    assert told in ("confirmed", "undefined") or told.startswith("beyond: 0^0"), told


@pytest.mark.parametrize("name", ILL_FORMED)
def test_ill_formed(name):
    assert judged(ILL_FORMED[name])[1].kind is Kind.ILL_FORMED


def test_a_tail_that_may_be_infinite_has_no_derivative():
    # the integral of e^L over L >= t is E_2 beyond t, +oo for some pairs
    tail = Omega(e(LP) * P, Where(Ge(LP, t)))
    form = Eq(Int(-e(-t) * D(tail, t), t), Pr(Z, "<", sp.oo))
    assert judged(form)[1].kind not in HOLDS
    assert judged(form, [Defined(E(2, P, Q))])[1].kind in HOLDS
    head = Omega(e(-LP) * P, Where(Le(LP, t)))
    assert judged(Eq(Int(e(t) * D(head, t), t), Pr(Z, "<", sp.oo)))[1].kind in HOLDS


def test_an_undefined_ratio_counts_where_its_density_lives():
    # e^(-L) is oo where P = 0 < Q, and 0 where Q vanishes
    _, found = judged(Eq(Omega(e(-LP) * Q), 1))
    assert found.kind is Kind.REFUTED
    _, found = judged(Eq(Omega((e(-LP) - e(LP)) * P), 0))
    assert found.kind not in HOLDS


@pytest.mark.parametrize("name", PROVED)
def test_the_numeric_column_does_not_contradict(name):
    statement = Statement("test/s", PROVED[name][0], tuple(PROVED[name][1]))
    assert column(statement, instances=4, digits=20).agrees is not False


@pytest.mark.parametrize("name", ["closed level", "loss under P", "mass where Q vanishes",
                                  "other orientation", "another event"])
def test_the_numeric_column_sees_false_claims(name):
    statement = Statement("test/s", REFUTED[name][0], tuple(REFUTED[name][1]))
    assert column(statement, instances=40, digits=20).agrees is False


ABSOLUTE = sp.Abs(P - Q)


@pytest.mark.parametrize(("name", "claimed"), [
    ("half of the distance", Eq(delta(P, Q)(0), Omega(ABSOLUTE) / 2)),
    ("at most 2", Le(Omega(ABSOLUTE), 2)), ("with a weight", Le(Omega(sp.Abs(2 * P - Q)), 3)),
    ("a part of the ratio", Eq(Omega(Q * sp.Abs(P / Q - 1)), Omega(ABSOLUTE, Where(Gt(Q, 0)))))])
def test_absolute_values_of_combinations(name, claimed):
    assert judge(Statement("abs/true", claimed)).kind.value in ("proved", "derived"), name


@pytest.mark.parametrize("claimed", [
    Eq(delta(P, Q)(0), Omega(ABSOLUTE)), Eq(delta(P, Q)(0), Omega(ABSOLUTE) / 3),
    Le(Omega(ABSOLUTE), 1), Le(Omega(sp.Abs(2 * P - Q)), 2)])
def test_wrong_claims_of_absolute_values(claimed):
    assert judge(Statement("abs/false", claimed)).kind.value == "refuted"


def test_an_absolute_value_beside_a_number_depends_on_the_measure():
    assert judge(Statement("abs/no", Eq(Omega(sp.Abs(P - 1)), 0))).kind.value not in (
        "proved", "derived", "refuted")
