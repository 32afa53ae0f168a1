"""Functions seen at points only: impulses and their derivatives against arbitrary functions."""

import pytest
import sympy as sp

from lapdp.core.verdict import HOLDS, Kind
from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *
from lapdp.theory.engine import judge
from lapdp.theory.witness import search

t, u, x, c, eps = reals("t u x c eps")
g, h = functions("g h")
C0 = [Continuous(g(u), u)]
C1 = [*C0, Continuous(D(g(u), u), u)]
C2 = [*C0, Continuous(D(g(u), u, 2), u)]


def hit(place, order=0):
    return sp.DiracDelta(u - place, order) if order else sp.DiracDelta(u - place)


def rate(point, order=1):
    return D(g(u), u, order).subs(u, point)


def judged(form, where):
    return judge(claim("it", form, where=where), numeric=False, patience=2)


TRUE = {
    "value": (Eq(Int(g(x - u) * hit(c), u), g(x - c)), C0),
    "weight": (Eq(Int(g(x - u) * sp.exp(u) * hit(c), u), sp.exp(c) * g(x - c)), C0),
    "derivative": (Eq(Int(g(u) * hit(c, 1), u), -rate(c)), C1),
    "derivative of a reflection": (Eq(Int(g(x - u) * hit(c, 1), u), rate(x - c)), C1),
    "derivative, scaled": (Eq(Int(g(2 * u) * hit(c, 1), u), -2 * rate(2 * c)), C1),
    "the derivative in the integral": (
        Eq(Int(D(g(x - 3 * u), u) * hit(c), u), -3 * rate(x - 3 * c)), C1),
    "second derivative": (Eq(Int(g(x - u) * hit(c, 2), u), rate(x - c, 2)), C2),
    "a factor that vanishes takes an order away": (
        Eq(Int(g(u) * (sp.exp(u) - sp.exp(c)) * hit(c, 1), u), -sp.exp(c) * g(c)), C0),
    "product rule": (
        Eq(Int(g(u) * sp.exp(u) * hit(0, 1), u), -g(0) - rate(0)), C1),
    "two functions": (
        Eq(Int((g(u) + h(u)) * hit(c), u), g(c) + h(c)), [*C0, Continuous(h(u), u)]),
    "square of a value": (Eq(Int(g(u) * hit(c), u) ** 2, g(c) ** 2), C0),
}
FALSE = {
    "sign": (Eq(Int(g(u) * hit(0, 1), u), rate(0)), C1),
    "sign of a reflection": (Eq(Int(g(-u) * hit(0, 1), u), -rate(0)), C1),
    "scale": (Eq(Int(g(2 * u) * hit(0, 1), u), -rate(0)), C1),
    "other point": (Eq(Int(g(u) * hit(c), u), g(-c)), C0),
    "forgotten order": (Eq(Int(g(u) * sp.exp(u) * hit(0, 1), u), -rate(0)), C1),
    "continuous only": (Eq(Int(g(u) * hit(c, 1), u), -rate(c)), C0),
    "no hypothesis": (Eq(Int(g(u) * hit(c), u), g(c)), []),
    "no hypothesis, derivative": (Eq(Int(g(u) * hit(c, 1), u), -rate(c)), []),
    "derivative continuous, function not said to be": (
        Eq(Int(g(u) * hit(c, 1), u), -rate(c)), [Continuous(D(g(u), u), u)]),
    "one derivative of two": (Eq(Int(g(u) * hit(c, 2), u), rate(c, 2)), C1),
    "hypothesis on another function": (
        Eq(Int(h(u) * hit(c), u), h(c)), C0),
    "hypothesis on a shifted function": (
        Eq(Int(h(u) * hit(c), u), h(c)), [Continuous(g(u), u), Continuous(h(u) ** 2, u)]),
    "undefined terms that cancel": (
        Eq(Int(g(u) * sp.exp(u) * hit(c, 1) - sp.exp(c) * g(u) * hit(c, 1), u),
           -sp.exp(c) * g(c)), C0),
    "points that may coincide": (Ne(g(x), g(c)), C0),
    "more than impulses": (Eq(Int(g(u) * (hit(c) + sp.exp(-sp.Abs(u))), u), g(c)), C0),
    "half a line": (Eq(Int(g(u) * hit(c), u, 0, sp.oo), g(c)), C0),
}


@pytest.mark.parametrize("name", TRUE)
def test_true(name):
    form, where = TRUE[name]
    found = judged(form, where)
    assert found.kind in HOLDS, found.reason
    witness, _ = search(claim("it", form, where=where), ["g", "h"], 1.0)
    assert witness is None, witness


@pytest.mark.parametrize("name", FALSE)
def test_false_claims_are_never_proved(name):
    form, where = FALSE[name]
    assert judged(form, where).kind not in HOLDS


def test_false_claims_have_witnesses():
    for name in ("sign", "other point", "continuous only", "forgotten order"):
        assert judged(*FALSE[name]).kind is Kind.REFUTED, name


def test_the_loss_of_a_mechanism_smooths_nothing():
    """(delta'' - delta') of randomized response holds impulses only."""
    P, Q = mechanism_pair(randomized_response(sp.log(3)))
    loss = D(delta(P, Q)(u), u, 2) - D(delta(P, Q)(u), u)
    values = sp.Rational(3, 4) * g(x - sp.log(3)) + sp.Rational(1, 4) * g(x + sp.log(3))
    assert judged(Eq(Int(g(x - u) * loss, u), values), C0).kind in HOLDS
    assert judged(Eq(Int(g(x + u) * loss, u), values), C0).kind not in HOLDS


IMPULSES = {
    "order zero": (Eq(sp.DiracDelta(t) * sp.exp(t), sp.DiracDelta(t)), [], Kind.DERIVED),
    "order one": (Eq(sp.DiracDelta(t, 1) * t, -sp.DiracDelta(t)), [], Kind.DERIVED),
    "second derivative": (Eq(D(sp.Abs(t), t, 2), 2 * sp.DiracDelta(t)), [], Kind.DERIVED),
    "away from its place": (Eq(sp.DiracDelta(t - c), 0), [Ne(t, c)], Kind.DERIVED),
    "weight": (Eq(sp.DiracDelta(t) * sp.exp(t - 1), sp.DiracDelta(t)), [], Kind.REFUTED),
    "sign": (Eq(sp.DiracDelta(t, 1) * t, sp.DiracDelta(t)), [], Kind.REFUTED),
    "lost term": (Eq(sp.DiracDelta(t, 1) * sp.exp(t), sp.DiracDelta(t, 1)), [], Kind.REFUTED),
    "half the jump": (Eq(D(sp.Abs(t), t, 2), sp.DiracDelta(t)), [], Kind.REFUTED),
    "not zero": (Eq(sp.DiracDelta(t), 0), [], Kind.REFUTED),
    "place allowed": (Eq(sp.DiracDelta(t), 0), [Ge(t, 0)], Kind.UNDECIDED),
}


@pytest.mark.parametrize("name", IMPULSES)
def test_equalities_of_impulses(name):
    form, where, kind = IMPULSES[name]
    assert judged(form, where).kind is kind


@pytest.mark.parametrize("form", [
    Eq(D(Indicator(Gt(t, c)) * (t - c), t, 2), sp.DiracDelta(t - c)),
    Eq(D(Indicator(Gt(t, c)) * (t - c), t), Indicator(Gt(t, c)) + sp.DiracDelta(t - c) * (t - c)),
])
def test_the_numeric_column_compares_generalised_functions(form):
    """c is a parameter, t the variable; an impulse of mass 0 is written, so a kink has no value."""
    found = judge(claim("it", form, where=[Ge(c, 0)]))
    assert found.kind in HOLDS
    assert found.numeric is not None and found.numeric.agrees is True
