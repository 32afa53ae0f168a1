"""Uniqueness, improper integrals, positive kernels, moving ends: true ones only are proved."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.theory import (
    PLD,
    B,
    Continuous,
    Converges,
    Defined,
    Eq,
    Event,
    F,
    Ge,
    Gt,
    Implies,
    Int,
    L,
    Le,
    Lim,
    Lt,
    Pr,
    Statement,
    ac,
    complexes,
    delta,
    functions,
    pair,
    positives,
    product_pair,
    reals,
)
from lapdp.theory.engine import judge

P, Q = pair("P", "Q")
Z = PLD(P, Q)
S, A = Event("S"), Event("A")
g, h, k = functions("g h k")
t, c, d, w, x, a, b, y = reals("t c d omega x a b y")
u, v = positives("u v")
s = complexes("s")

ON = [Converges(B(g(t), t, c)), Converges(B(h(t), t, c))]
HALF = [Converges(L(g(t), t, c)), Converges(L(h(t), t, c))]
SMOOTH = [Continuous(g(t), t), Continuous(h(t), t)]
SAME = Eq(B(g(t), t)(c + sp.I * w), B(h(t), t)(c + sp.I * w))
SAME_L = Eq(L(g(t), t)(c + sp.I * w), L(h(t), t)(c + sp.I * w))


def kind(claim, where=()):
    return judge(Statement("test/claim", claim, where=tuple(where)), numeric=False,
                 patience=1).kind


@pytest.mark.parametrize(("claim", "where"), [
    (Implies(SAME, Eq(g(x), h(x)), over=(w,)), [*ON, *SMOOTH]),
    (Implies(SAME_L, Eq(g(u), h(u)), over=(w,)), [*HALF, *SMOOTH]),
    (Implies(SAME, Eq(Int(g(t), t, a, b), Int(h(t), t, a, b)), over=(w,)), ON),
    (Implies(SAME_L, Eq(Int(g(t), t, 0, v), Int(h(t), t, 0, v)), over=(w,)), HALF),
    (Implies(SAME.subs(c, 0), Eq(g(x), h(x)), over=(w,)),
     [*SMOOTH, Converges(B(g(t), t, 0)), Converges(B(h(t), t, 0))]),
])
def test_equal_transforms_equal_functions(claim, where):
    assert kind(claim, where) in HOLDS


@pytest.mark.parametrize(("claim", "where"), [
    # values without continuity of both
    (Implies(SAME, Eq(g(x), h(x)), over=(w,)), ON),
    (Implies(SAME, Eq(g(x), h(x)), over=(w,)), [*ON, SMOOTH[0]]),
    # a one-sided transform does not see t <= 0
    (Implies(SAME_L, Eq(g(x), h(x)), over=(w,)), [*HALF, *SMOOTH]),
    (Implies(SAME_L, Eq(Int(g(t), t, a, b), Int(h(t), t, a, b)), over=(w,)), HALF),
    # at one frequency only, or at real ones, or on half of the line, or at w = 0 by hypothesis
    (Implies(SAME, Eq(g(x), h(x))), [*ON, *SMOOTH]),
    (Implies(SAME.subs(w, u), Eq(g(x), h(x)), over=(u,)), [*ON, *SMOOTH]),
    (Implies(Eq(B(g(t), t)(c), B(h(t), t)(c)), Eq(g(x), h(x)), over=(w,)), [*ON, *SMOOTH]),
    (Implies(SAME, Eq(g(x), h(x)), over=(w,)), [*ON, *SMOOTH, Le(w, 0)]),
    # on two different lines; transforms of two kinds
    (Implies(Eq(B(g(t), t)(c + sp.I * w), B(h(t), t)(d + sp.I * w)), Eq(g(x), h(x)), over=(w,)),
     [*ON, *SMOOTH]),
    (Implies(Eq(B(g(t), t)(c + sp.I * w), L(h(t), t)(c + sp.I * w)), Eq(g(u), h(u)), over=(w,)),
     [*ON, *SMOOTH]),
    # convergence of one only; of another line
    (Implies(SAME, Eq(g(x), h(x)), over=(w,)), [ON[0], *SMOOTH]),
    (Implies(SAME, Eq(g(x), h(x)), over=(w,)),
     [Converges(B(g(t), t, d)), Converges(B(h(t), t, d)), *SMOOTH]),
    # another point, another function, another relation
    (Implies(SAME, Eq(g(x), h(y)), over=(w,)), [*ON, *SMOOTH]),
    (Implies(SAME, Eq(g(x), k(x)), over=(w,)), [*ON, *SMOOTH, Continuous(k(t), t)]),
    (Implies(SAME, Lt(g(x), h(x)), over=(w,)), [*ON, *SMOOTH]),
    (Implies(SAME, Eq(Int(g(t), t, a, b), Int(h(t), t, a, d)), over=(w,)), ON),
    # the conclusion speaks of the bound variable
    (Implies(SAME, Eq(g(w), h(w) + w), over=(w,)), [*ON, *SMOOTH]),
])
def test_uniqueness_needs_its_hypotheses(claim, where):
    assert kind(claim, where) not in HOLDS


def improper(lower, upper, point=sp.oo):
    return Lim(Int(sp.exp(-s * t) * g(t), t, lower, upper), c, point)


@pytest.mark.parametrize(("claim", "where", "true"), [
    (Eq(improper(-c, c), B(g(t), t)(s)), [Converges(B(g(t), t, s))], True),
    (Eq(improper(0, c), L(g(t), t)(s)), [Converges(L(g(t), t, s))], True),
    (Eq(improper(-c, c), B(g(t), t)(s)), [Converges(L(g(t), t, s))], False),
    (Eq(improper(-c, c), L(g(t), t)(s)), [Converges(B(g(t), t, s))], False),
    (Eq(improper(0, c), B(g(t), t)(s)), [Converges(B(g(t), t, s))], False),
    (Eq(improper(-c, c, -sp.oo), B(g(t), t)(s)), [Converges(B(g(t), t, s))], False),
    (Eq(improper(-c, c), B(g(t), t)(s)), [], False),
])
def test_improper_integrals(claim, where, true):
    assert (kind(claim, where) in HOLDS) == true


def test_conditional_convergence_is_no_strip():
    def at(point):
        return Defined(Lim(Int(sp.exp(-point * t) * g(t), t, -c, c), c, sp.oo))
    found = judge(Statement("test/claim", Implies(at(sp.Integer(0)), at(sp.I * x)),
                            hints={"witness": {"x": 1}}), numeric=False)
    assert found.kind is Kind.REFUTED and "g(t) = t" in found.witness.text


@pytest.mark.parametrize(("claim", "where", "true"), [
    (Implies(Gt(P(S), 0), Gt(Q(S), 0)), [ac(P, Q)], True),
    (Implies(Gt(Q(S), 0), Gt(P(S), 0)), [ac(Q, P)], True),
    (Implies(Gt(P(S), 0), Gt(Q(S), 0)), [], False),
    (Implies(Gt(P(S), 0), Gt(Q(S), 0)), [ac(Q, P)], False),
    (Implies(Gt(P(S), 0), Gt(Q(A), 0)), [ac(P, Q)], False),
    (Implies(Gt(P(S) - Q(S), 0), Gt(Q(S), 0)), [ac(P, Q)], False),
    (Implies(Gt(P(S) - sp.Rational(1, 2), 0), Gt(Q(S) - sp.Rational(1, 4), 0)), [ac(P, Q)], False),
    (Implies(Gt(P(S), 0), Gt(Q(S) - P(S), 0)), [ac(P, Q)], False),
    (Implies(Ge(P(S), 0), Gt(Q(S), 0)), [ac(P, Q)], False),
    (Implies(Gt(Pr(Z, ">", x), 0), Gt(delta(P, Q)(x), 0)), [], True),
    (Implies(Gt(delta(P, Q)(x), 0), Gt(Pr(Z, ">", x), 0)), [], True),
    (Implies(Gt(Pr(Z, ">=", x), 0), Gt(delta(P, Q)(x), 0)), [], False),
])
def test_positive_kernels(claim, where, true):
    assert (kind(claim, where) in HOLDS) == true


def test_positive_kernels_of_products_are_left_alone():
    R, T = product_pair(pair("P1", "Q1"), pair("P2", "Q2"))
    assert kind(Implies(Gt(R(S), 0), Gt(T(S), 0))) not in HOLDS


def test_integrals_with_moving_ends():
    window = Int(F(Z)(t), t, x - u, x + u)
    assert kind(Eq(Lim(Int(F(Z)(t), t, x - a, x + a), a, 0, "+"), 1)) is Kind.REFUTED
    assert kind(Le(window, 2 * u)) is not Kind.REFUTED
    # an impulse counts once it is inside
    ramp = Int(sp.DiracDelta(t - 1), t, 0, x)
    assert kind(Eq(Lim(ramp, x, 1, "-"), 0)) in HOLDS
    assert kind(Eq(Lim(ramp, x, 1, "+"), 1)) in HOLDS
    assert kind(Eq(Lim(ramp, x, 1, "+"), 0)) not in HOLDS
    assert kind(Eq(Lim(Int(t, t, -x, x), x, sp.oo), 0)) in HOLDS
    assert kind(Eq(Lim(Int(t, t, 0, x), x, 2, "-"), 2)) in HOLDS
    assert kind(Eq(Lim(Int(t, t, x, 3), x, 1, "-"), 4)) in HOLDS
    assert kind(Eq(Lim(Int(sp.DiracDelta(t - 3), t, x, 3), x, 1, "-"), 1)) not in HOLDS
