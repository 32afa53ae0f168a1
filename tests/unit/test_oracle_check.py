"""The oracle reads statements: true ones hold, false ones fail, the rest is unknown."""

from __future__ import annotations

from collections import Counter

import pytest
import sympy as sp

from lapdp.calculus.nodes import Impulse, Indicator, Lim, Linv, Primitive
from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import (
    PLD,
    B,
    BigO,
    Complement,
    Continuous,
    Converges,
    D,
    Defined,
    Diverges,
    E,
    Eq,
    Event,
    Ex,
    Exists,
    F,
    Gt,
    Implies,
    Int,
    L,
    Le,
    Lt,
    Ne,
    NoAtom,
    Omega,
    OneWayContinuous,
    Pr,
    R,
    Sup,
    ac,
    complexes,
    conv,
    delta,
    f,
    functions,
    mechanism_pair,
    pair,
    positives,
    product_pair,
    reals,
)
from lapdp.theory.statement import Statement
from tests.mutation.mutants import mutants
from tests.mutation.oracle_check import oracle_report, oracle_verdict

P, Q = pair()
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
PP, QQ = product_pair((P1, Q1), (P2, Q2))
eps, t, z, a, y = reals("eps t z a y")
q, s = complexes("q s")
c = positives("c")
g, h = functions("g h")
S = Event("S")
Z, W, Z2 = PLD(P, Q), PLD(Q, P), PLD(P2, Q2)
e = sp.exp
D2 = D(delta(P2, Q2)(eps), eps, 2) - D(delta(P2, Q2)(eps), eps)
SECOND = e(eps) * L(F(W)(-t - eps), t)(-1)
FROM_PROFILE = q * (q - 1) * B(delta(P, Q)(t), t)(1 - q)
BY_ATOMS = 1 - F(Z)(eps) - e(eps) * F(W)(-eps)
RR = mechanism_pair(randomized_response(c, a))
RR_PROFILE = sp.Piecewise(
    (a, t > c), (1 - (e(t) + 1) / (e(c) + 1) * (1 - a), t > -c), (1 - e(t) * (1 - a), True))

HOLDS = {
    "6": (Eq(Sup(P(S) - e(eps) * Q(S), S), Omega(sp.Max(0, P - e(eps) * Q))),),
    "7": (Eq(delta(Q, P)(eps), 1 - e(eps) + e(eps) * delta(P, Q)(-eps)),),
    "7-events": (Eq(delta(Q, P)(eps), 1 - e(eps) + e(eps) * Sup(
        P(Complement(S)) - e(-eps) * Q(Complement(S)), S)),),
    "8": (Eq(E(q, P, Q), Omega(P**q * Q ** (1 - q))),),
    "8-renyi": (Eq(R(q, P, Q), sp.log(E(q, P, Q)) / (q - 1)), Gt(q, 1)),
    "9": (Eq(E(q, P, Q), E(1 - q, Q, P)),),
    "19": (Eq(f(Z)(z), e(z) * f(W)(-z)),),
    "20-first": (Eq(delta(P, Q)(eps), Ex(sp.Max(0, 1 - e(eps - Z)), Z)),),
    "20-second": (Eq(delta(P, Q)(eps), Ex(sp.Max(0, e(-W) - e(eps)), W)), ac(P, Q)),
    "20-third": (Eq(delta(P, Q)(eps), Pr(Z, ">", eps) - e(eps) * Pr(W, "<", -eps)),),
    "22": (Eq(delta(P, Q)(eps), L(1 - F(Z)(t + eps), t)(1)),),
    "23": (Eq(delta(P, Q)(eps), SECOND), ac(P, Q)),
    "24": (Eq(delta(P, Q)(eps), e(eps) * L(f(W)(-t - eps), t)(-1) - L(f(Z)(t + eps), t)(1)),
           ac(P, Q)),
    "25": (Eq(delta(P, Q)(eps), L(f(Z)(t + eps), t)(0) - e(eps) * L(f(W)(-t - eps), t)(0)),
           ac(P, Q)),
    "26": (Eq(E(q, P, Q), B(f(Z)(t), t)(1 - q)), ac(P, Q), Gt(sp.re(q), 0)),
    "27": (Eq(E(q, P, Q), FROM_PROFILE), Converges(B(delta(P, Q)(t), t)(1 - q))),
    "27-oo": (Eq(E(q, P, Q), FROM_PROFILE), Gt(sp.re(q), 1)),
    "30": (Eq(delta(P, Q)(eps), BY_ATOMS), NoAtom(Z, eps)),
    "44": (Implies(Le(delta(P1, Q1)(eps), delta(P2, Q2)(eps)), Le(R(q, P1, Q1), R(q, P2, Q2)),
                   over=(eps,)), Gt(q, 1)),
    "47": (Eq(delta(PP, QQ)(eps), conv(delta(P1, Q1)(eps), D2, eps)), ac(P2, Q2)),
    "47-every-pair": (Eq(delta(PP, QQ)(eps), Pr(Z2, "==", sp.oo) + conv(
        delta(P1, Q1)(eps), f(Z2)(eps), eps)),),
    "51": (Eq(R(q, PP, QQ), R(q, P1, Q1) + R(q, P2, Q2)), Gt(q, 1)),
    "15": (Eq(B(g(t), t)(s), L(g(t), t)(s) + Impulse(g(t), t, 0) + L(g(-t), t)(-s)),
           Converges(B(g(t), t)(s))),
    "69-one": (Eq(L(g(t - c) * Indicator(t > c), t)(s), e(-c * s) * L(g(t), t)(s)),),
    "69-two": (Eq(B(g(t - a), t)(s), e(-a * s) * B(g(t), t)(s)),),
    "70": (Eq(L(e(a * t) * g(t), t)(s), L(g(t), t)(s - a)),),
    "71": (Eq(L(g(c * t), t)(s), L(g(t), t)(s / c) / c),),
    "72": (Eq(B(g(-t), t)(s), B(g(t), t)(-s)),),
    "73": (Eq(L(D(g(t), t), t)(s), s * L(g(t), t)(s) - Lim(g(t), t, 0, "+")),
           Converges(L(g(t), t)(s))),
    "74": (Eq(B(Primitive(g(t), t, -sp.oo), t)(s), B(g(t), t)(s) / s), Gt(sp.re(s), 0),
           Converges(B(g(t), t)(s))),
    "75": (Eq(B(conv(g(t), h(t), t), t)(s), B(g(t), t)(s) * B(h(t), t)(s)),
           Converges(B(g(t), t)(s)), Converges(B(h(t), t)(s))),
    "integral": (Eq(Int(f(Z)(t), t), 1 - Pr(Z, "==", sp.oo)),),
    "limit": (Eq(Lim(delta(P, Q)(t), t, sp.oo), Pr(Z, "==", sp.oo)),),
    "kinks": (Eq(abs(t), sp.Piecewise((t, t > 0), (-t, True))),),
    "continuous": (Continuous(delta(P, Q)(t), t),),
    "rate": (BigO(1 - delta(P, Q)(t), e(t), t, -sp.oo),),
    "exists": (Exists(q, Converges(B(delta(P, Q)(t), t)(1 - q))), ac(P, Q)),
    "diverges": (Diverges(B(delta(P, Q)(t), t)(1)),),
    "defined": (Defined(E(sp.Rational(1, 2), P, Q)), OneWayContinuous(P, Q)),
    "randomized response": (Eq(delta(*RR)(t), RR_PROFILE),),
    "37": (Eq(delta(P, Q)(eps), Linv(E(1 - s, P, Q) / (s * (s - 1)), s, eps, y)), ac(P, Q),
           Lt(y, 0)),
    "37-renyi": (Eq(delta(P, Q)(eps), Linv(
        e(-s * R(1 - s, P, Q)) / (s * (s - 1)), s, eps, y)), ac(P, Q), Lt(y, 0)),
    "17": (Eq(Linv(B(g(t), t)(s), s, z, y), (Lim(g(t), t, z, "-") + Lim(g(t), t, z, "+")) / 2),
           Continuous(Primitive(g(t), t, 0), t), Converges(B(g(t), t)(y)),
           Converges(B(D(g(t), t), t)(y))),
    "strip": (Eq(Linv(1 / s, s, y, c), 1), Gt(y, 0)),
    "largest": (Eq(Int(sp.Max(0, 1 - e(2 * t)), t, -1, 1), sp.Rational(1, 2) + e(-2) / 2),),
    "numeric": (Lt(sp.exp(-1), sp.Rational(37, 100)),),
}
FAILS = {
    "20-second": (Eq(delta(P, Q)(eps), Ex(sp.Max(0, e(-W) - e(eps)), W)),),
    "23": (Eq(delta(P, Q)(eps), SECOND),),
    "26": (Eq(E(q, P, Q), B(f(Z)(t), t)(1 - q)),),
    "30": (Eq(delta(P, Q)(eps), BY_ATOMS),),
    "47": (Eq(delta(PP, QQ)(eps), conv(delta(P1, Q1)(eps), D2, eps)),),
    "69-two": (Eq(B(g(t - a), t)(s), e(a * s) * B(g(t), t)(s)),),
    "71-sign": (Eq(B(g(a * t), t)(s), B(g(t), t)(s / a) / a), Ne(a, 0)),
    "45": (Le(delta(P1, Q1)(eps), delta(P2, Q2)(eps)), Le(E(2, P1, Q1), E(2, P2, Q2))),
    "continuous": (Continuous(F(Z)(t), t),),
    "rate": (BigO(delta(P, Q)(t), e(-t), t),),
    "defined": (Defined(E(2, P, Q)),),
    "log": (Eq(sp.log(delta(P, Q)(eps)) - sp.log(delta(P, Q)(eps) / 2), sp.log(2)),),
    "37": (Eq(delta(P, Q)(eps), Linv(E(1 - s, P, Q) / (s * (s - 1)), s, eps, y)), ac(P, Q),
           Gt(y, 1)),
    "strip": (Eq(Linv(1 / s, s, y, -c), 1), Gt(y, 0)),
    "strict": (Lt(delta(P, Q)(eps), 1),),
    "zero of a moment": (Eq(E(q, P, Q), e((q - 1) * R(q, P, Q))), Defined(E(q, P, Q)), Ne(q, 1)),
    "randomized response": (Eq(delta(*RR)(t), RR_PROFILE + c),),
}
UNKNOWN = {
    "foreign function": (Eq(sp.zeta(c), 1),),
    "never": (Eq(delta(P, Q)(eps), 7), Lt(delta(P, Q)(eps), 0)),
    "foreign": (Eq(delta(*mechanism_pair(object()))(eps), 1),),  # no masses to read
    "never-found": (Exists(q, Eq(q, 77)),),
}


def statement(label, forms):
    return Statement(label, forms[0], where=tuple(forms[1:]))


@pytest.mark.parametrize("label", HOLDS)
def test_true_statements_hold(label):
    assert oracle_verdict(statement(label, HOLDS[label]), instances=25) == "holds"


@pytest.mark.parametrize("label", FAILS)
def test_false_statements_fail(label):
    assert oracle_verdict(statement(label, FAILS[label])) == "fails"


@pytest.mark.parametrize("label", UNKNOWN)
def test_what_is_beyond_the_oracle_is_unknown(label):
    report = oracle_report(statement(label, UNKNOWN[label]), instances=10)
    assert report.verdict == "unknown" and report.reasons


def test_a_failure_carries_its_instance():
    report = oracle_report(statement("30", FAILS["30"]))
    assert report.failed == 1 and eps in report.witness.symbols


def test_both_sides_undefined_is_left_out_and_counted():
    both = statement("s", (Eq(R(1, P, Q), R(1, P, Q) + 1),))
    report = oracle_report(both, instances=10)
    assert (report.verdict, report.agreed, report.undefined) == ("unknown", 0, 10)


def test_verdicts_do_not_depend_on_the_run():
    one, two = (oracle_report(statement("30", FAILS["30"]), seed=3) for _ in range(2))
    assert (one.agreed, one.witness.symbols) == (two.agreed, two.witness.symbols)


@pytest.mark.parametrize(
    ("label", "equivalent"),
    [("7", 0), ("9", 0), ("22", 1), ("20-third", 0)],
)
def test_nearly_every_mutant_fails(label, equivalent):
    """The equivalent one: F_Z strict or weak is the same almost everywhere, so under L."""
    found = Counter(oracle_verdict(m, instances=40)
                    for _, m in mutants(statement(label, HOLDS[label])))
    assert found == Counter({"fails": sum(found.values()) - equivalent, "holds": equivalent})
