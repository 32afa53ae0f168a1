"""Integrals of mixtures: rates, domination, non-negativity, and claims whose exchange is not
earned."""

from __future__ import annotations

from fractions import Fraction as Fr

import pytest
import sympy as sp

from lapdp.calculus.convert import to_scalar
from lapdp.calculus.exact import Exact
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell, NeedSplit
from lapdp.core.errors import Unsupported
from lapdp.core.verdict import HOLDS
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.exchange import (
    absolute_rates,
    bounded_side,
    dominated,
    growth,
    guaranteed,
    nonnegative,
)
from lapdp.theory.interpret import Exchange

P, Q = pair()
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
Z, Zp, Z1, Z2 = PLD(P, Q), PLD(Q, P), PLD(P1, Q1), PLD(P2, Q2)
t, eps, z, w, a, b, q, x = reals("t eps z w a b q x")
r, s = complexes("r s")
g, h = functions("g h")
e, oo = sp.exp, sp.oo
F_ = Form.of
CELL = Cell()


def rates(expression):
    return {(rate.to_sympy(), n) for rate, n in growth(to_scalar(expression), z)}


@pytest.mark.parametrize(("expression", "expected"), [
    (sp.Integer(3), {(0, 0)}), (e(2 * z) - e(-z), {(2, 0), (-1, 0)}), (z * e(z), {(1, 1)}),
    (z**2 + a * z, {(0, 2), (0, 1)}), (e(q * z) / (1 + a), {(q, 0)}), (e(sp.I * z), {(0, 0)}),
    ((e(z) + 1) / e(3 * z), {(-2, 0), (-3, 0)}),
])
def test_growth(expression, expected):
    assert rates(expression) == expected


@pytest.mark.parametrize("expression", [1 / (1 + e(z)), e(z**2)])
def test_growth_of_other_elements_is_refused(expression):
    with pytest.raises(Unsupported):
        growth(to_scalar(expression), z)


@pytest.mark.parametrize(("expression", "constraints", "expected"), [
    (e(2 * z), [], {2}), (3 * e(z) - e(-z), [], {1, -1}), (sp.sin(z).rewrite(e), [], set()),
    (e(sp.I * z), [], {0}), (a * e(z), [(a, ">")], {1}), (a * e(z), [(a, "=")], set()),
    (e(a * z) - e(b * z), [(a - b, ">")], {a, b}), (e(a * z) - e(b * z), [(a - b, "=")], set()),
    (z * e(z), [], {1}), (z * e(z) + 1, [], set()), (a * z**2, [(a, ">")], {0}),
    (1 / (1 + e(z)), [], None),
])
def test_guaranteed_rates(expression, constraints, expected):
    cell = Cell([(F_(f), rel) for f, rel in constraints])
    if expected is None:
        assert guaranteed(to_scalar(expression), z, cell) == []
        return
    found = {rate.to_sympy() for rate, _ in guaranteed(to_scalar(expression), z, cell)}
    assert {sp.sympify(v).subs({a: b} if ("=" in dict(constraints).values()) else {})
            for v in found} == {sp.sympify(v) for v in expected}


def test_coefficients_that_may_vanish_split():
    with pytest.raises(NeedSplit):
        guaranteed(to_scalar(a * e(z)), z, CELL)


def box_to(end):
    return Exact.step(0) - Exact.step(end)


@pytest.mark.parametrize(("f", "s", "worst"), [
    (Exact.impulse(z), F_(q), {(-q, 0)}),
    (box_to(z), F_(1), {(0, 0), (-1, 0)}),
    (box_to(z), F_(0), {(0, 1)}),
    (box_to(z), F_(sp.I * q), {(0, 1)}),
    (Exact.impulse(z, to_scalar(z**2)), F_(0), {(0, 2)}),
    (Exact.step(z, 1, -1), F_(0), {(0, 0)}),
    (Exact.step(z, 1, -1), F_(3), {(-3, 0)}),
    (Exact.step(0, 1, -1).scale(to_scalar(e(2 * z))), F_(1), {(2, 0)}),
])
def test_rates_of_absolute_integrals(f, s, worst):
    cell = Cell([(F_(z), ">")])
    found = {(rate.to_sympy(), n) for rate, n in absolute_rates(
        Exchange(frozenset(), f, s, "transform"), z, cell)}
    assert worst <= found
    assert all(any(v == rate and n <= m for v, m in worst) for rate, n in found)


def test_a_bound_by_another_kernel_is_none():
    cell = Cell([(F_(w - z), ">"), (F_(5 - w), ">")])
    assert bounded_side(z, cell, 1)
    assert not bounded_side(z, cell, 1, [w])
    assert bounded_side(w, cell, 1, [z])
    assert not bounded_side(z, cell, -1)


@pytest.mark.parametrize(("rate", "allowed", "answer"), [
    (0, [(0, 0)], True), (-1, [(0, 0), (-1, 0)], True), (1, [(0, 0), (-1, 0)], False),
    (-2, [(0, 0), (-1, 0)], False), (Fr(-1, 2), [(0, 0), (-1, 0)], True), (0, [], False),
    (1, [(0, 0), (2, 0)], True),
])
def test_domination(rate, allowed, answer):
    size = Exchange(frozenset(), None, F_(0), "value", to_scalar(e(sp.Rational(rate) * z)))
    available = {z: [(F_(v), n) for v, n in allowed]}
    assert dominated(size, [z], available, CELL) is answer


def test_a_power_needs_a_strict_gap():
    size = Exchange(frozenset(), None, F_(0), "value", to_scalar(z))
    right = Cell([(F_(z), ">")])
    assert not dominated(size, [z], {z: [(F_(0), 0)]}, right)
    assert dominated(size, [z], {z: [(F_(1), 0)]}, right)
    assert dominated(size, [z], {z: [(F_(0), 0)]}, Cell([(F_(z), ">"), (F_(3 - z), ">")]))


@pytest.mark.parametrize(("f", "answer"), [
    (box_to(1), True), (Exact.step(1) - Exact.step(0), False),
    (Exact.term(1) - Exact.term(1, 1), False), (Exact.impulse(0), True),
    (Exact.impulse(0, -1), False), (Exact.impulse(0, 1, 1), False), (Exact(), True),
    ((Exact.term(1) - Exact.term(1, 1)).before(Form({}), CELL), True),
    ((Exact.term(1) - Exact.term(1, 1)).after(Form({}), CELL), False),
])
def test_non_negative_functions(f, answer):
    assert nonnegative(f, CELL) is answer


KL = [ac(P, Q), ac(Q, P)]
NOT_EARNED = {
    # E_P[Z] may be +oo although P << Q << P
    "tail of the loss": (Converges(L(1 - F(Z)(t), t, 0)), KL),
    "mean loss": (Converges(B(t * f(Z)(t), t, 0)), KL),
    "profile at 0": (Converges(L(delta(P, Q)(t), t, 0)), KL),
    "oo - oo": (Eq(Ex(Z, Z) - Ex(sp.Max(0, Z), Z), Ex(sp.Min(0, Z), Z)), KL),
    "mean by parts": (Eq(Int(t * f(Z)(t), t), L(1 - F(Z)(t), t, 0) - L(F(Z)(-t), t, 0)), KL),
    "transform of the profile": (Converges(B(delta(P, Q)(t), t, 1 - q)), [Gt(q, 1), ac(P, Q)]),
    "moment above 1": (Defined(E(q, P, Q)), [Gt(q, 1), ac(P, Q), ac(Q, P)]),
    "R above 1": (Defined(R(q, P, Q)), [Gt(q, 1), ac(P, Q), ac(Q, P)]),
    "negative factor": (Eq(E(q, P, Q) + a * E(q, P, Q), (1 + a) * E(q, P, Q)),
                        [ac(P, Q), Gt(q, 1)]),
    "0 times oo": (Eq(E(2, P1, Q1) * delta(P2, Q2)(eps), delta(P2, Q2)(eps) * E(-1, Q1, P1)), []),
    "subtracted": (Eq(2 * E(2, P, Q) - E(-1, Q, P), E(2, P, Q)), []),
    "transform of a density": (Eq(B(f(Z)(t), t, -1), E(2, P, Q)), [ac(P, Q)]),
    "bounded by the other kernel": (Converges(B(f(Z1)(t) * delta(P2, Q2)(t), t, -5)),
                                    [ac(P1, Q1), ac(P2, Q2)]),
    "limit of a product": (Eq(Lim(e(t) * delta(P, Q)(t), t, oo), 0), [ac(P, Q)]),
    "running integral": (Eq(D(Primitive(e(-5 * t) * f(Z)(t), t, -oo), t), e(-5 * t) * f(Z)(t)), []),
    "density at a point": (Eq(D(F(Z)(eps), eps), 0), [NoAtom(Z, eps)]),
    "second derivative": (Eq(D(delta(P, Q)(eps), eps, 2), D(delta(P, Q)(eps), eps)),
                          [NoAtom(Z, eps)]),
    "density of a sum": (Eq(conv(f(Z1)(t), f(Z2)(t), t), 0),
                         [NoAtom(PLD(*product_pair((P1, Q1), (P2, Q2))), t)]),
    "limit of a density": (Eq(Lim(f(Z)(t), t, eps, "+"), 0), []),
    "density at infinity": (Eq(Lim(f(Z)(t), t, oo), 0), []),
    "every function": (Converges(B(g(t) * delta(P, Q)(eps), t, 0)), []),
    "signed": (Le(B(g(t) * Indicator(Gt(t, 0)), t, x), B(g(t), t, x)), [Converges(B(g(t), t, x))]),
    "no region": (Eq(B(g(-t), t, x), B(g(t), t, -x)), []),
    "oscillating weight": (Converges(B(g(t), t, s)), [Converges(B(sp.sin(t) * g(t), t, s))]),
    "weight that may vanish": (Converges(B(g(t), t, s)), [Converges(B(a * g(t), t, s))]),
    "difference of weights": (Converges(B(g(t), t, s)),
                              [Converges(B((e(a * t) - e(b * t)) * g(t), t, s))]),
    "sum of functions": (Converges(B(g(t), t, s)), [Converges(B(g(t) + h(t), t, s))]),
    "period": (Converges(B(g(t), t, 1)), [Converges(B(g(t) - g(t + 1), t, 1))]),
    "window": (Converges(B(g(t), t, 0)),
               [Converges(B(conv(g(t), Indicator(Gt(t, 0)) * Indicator(Lt(t, 1)), t), t, 0))]),
    "derivative": (Converges(B(g(t), t, s)), [Converges(B(D(g(t), t), t, s)), Gt(sp.re(s), 0)]),
    "no derivative": (Converges(B(D(g(t), t), t, s)), [Converges(B(g(t), t, s))]),
    "larger order": (Defined(E(2 * q, P, Q)), [Defined(E(q, P, Q)), Gt(q, 1)]),
    "next order": (Defined(E(1 + q, P, Q)), [Defined(E(q, P, Q)), Gt(q, 0), Lt(q, 1)]),
    "other function": (Converges(B(h(t), t, s)), [Converges(B(g(t), t, s))]),
    "half the axis": (Converges(B(f(Z)(t), t, 1 - q)),
                      [Converges(B(f(Z)(t) * Indicator(Lt(t, 7)), t, 1 - q)), Gt(q, 1)]),
}


@pytest.mark.parametrize("name", NOT_EARNED)
def test_what_is_not_earned_is_not_proved(name):
    form, where = NOT_EARNED[name]
    claim = Statement(id="test/claim", claim=form, where=tuple(where))
    assert judge(claim, numeric=False, patience=0.05).kind not in HOLDS


EARNED = {
    "masses": (Converges(L(delta(P, Q)(t), t, x)), [Gt(x, 0)]),
    "between": (Converges(B(g(t), t, x)),
                [Converges(B(g(t), t, a)), Converges(B(g(t), t, b)), Lt(a, x), Lt(x, b)]),
    "both ends": (Converges(B(g(t), t, s)), [Converges(B((e(t) + e(-t)) * g(t), t, s))]),
    "values in [0, oo]": (Eq(Ex(e(Z), Z), E(2, P, Q)), [ac(P, Q)]),
    "positive factors": (Eq(2 * E(2, P, Q) + delta(P, Q)(eps), E(-1, Q, P) + E(2, P, Q)
                            + delta(P, Q)(eps)), [ac(P, Q)]),
    "smaller order": (Defined(E(q / 2, P, Q)), [Defined(E(q, P, Q)), Gt(q, 2)]),
}


@pytest.mark.parametrize("name", EARNED)
def test_what_is_earned_is_proved(name):
    form, where = EARNED[name]
    claim = Statement(id="test/claim", claim=form, where=tuple(where))
    assert judge(claim, numeric=False, patience=0.0).kind in HOLDS


def test_a_finite_mean_loss_bounds_what_grows_like_the_loss():
    area = Int(delta(P, Q)(t) - sp.Max(0, 1 - e(t)), t, -oo, oo)
    mean = Ex(Z, Z)
    assert judge(Statement("own/x", Eq(mean, area), where=(Defined(mean),)),
                 numeric=False).kind in HOLDS
    assert judge(Statement("own/y", Eq(mean, area + 1), where=(Defined(mean),)),
                 numeric=False).kind not in HOLDS
