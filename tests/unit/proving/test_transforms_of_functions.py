"""Transforms of functions of which only integrability is known: what follows, and slips away."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.theory import *
from tests.unit.proving.searching import assert_derived, assert_not_derived
from tests.unit.proving.searching import of_form as searched

g, h = functions("g h")
t, a, b, q, e, lam = reals("t a b q e lambda")
s = sp.Symbol("s", complex=True)
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
BG, BH = B(g(t), t, s), B(h(t), t, s)
LG, LH = L(g(t), t, s), L(h(t), t, s)
DOMINATED = ForAll((e,), Le(delta(P1, Q1)(e), delta(P2, Q2)(e)))
PROFILES = [sp.exp((q - 1) * t) * delta(*pq)(t) for pq in ((P1, Q1), (P2, Q2))]
GIVEN = Converges(B(delta(P2, Q2)(t), t, 1 - q))
LEFT, RIGHT = (Int(f, t, -sp.oo, sp.oo) for f in PROFILES)

TRUE = {
    "linear": (Eq(B(a * g(t) + b * h(t), t, s), a * BG + b * BH), [Converges(BG), Converges(BH)]),
    "linear, one-sided": (Eq(L(a * g(t) + b * h(t), t, s), a * LG + b * LH),
                          [Converges(LG), Converges(LH)]),
    "scaled": (Eq(B(g(a * t), t, s), B(g(t), t, s / a) / sp.Abs(a)),
               [Ne(a, 0), Converges(B(g(t), t, s / a))]),
    "reflected": (Eq(B(g(-t), t, -s), BG), [Converges(BG)]),
    "shifted": (Eq(B(g(t - a), t, s), sp.exp(-a * s) * BG), [Converges(BG)]),
    "damped": (Eq(B(g(t) * sp.exp(a * t), t, s), B(g(t), t, s - a)),
               [Converges(B(g(t), t, s - a))]),
    "one-sided, shifted": (Eq(L(g(t - a) * Indicator(t > a), t, s), sp.exp(-a * s) * LG),
                           [Gt(a, 0), Converges(LG)]),
    "profiles in order": (Le(LEFT, RIGHT), [Gt(q, 1), DOMINATED, GIVEN]),
}
FALSE = {
    "linear, a sign": (Eq(B(a * g(t) + b * h(t), t, s), a * BG - b * BH),
                       [Converges(BG), Converges(BH)]),
    "linear, one converges": (Eq(B(a * g(t) + b * h(t), t, s), a * BG + b * BH), [Converges(BG)]),
    "linear, one-sided, a sign": (Eq(L(a * g(t) + b * h(t), t, s), a * LG - b * LH),
                                  [Converges(LG), Converges(LH)]),
    "scaled, a factor with a sign": (Eq(B(g(a * t), t, s), B(g(t), t, s / a) / a),
                                     [Ne(a, 0), Converges(B(g(t), t, s / a))]),
    "reflected, a sign": (Eq(B(g(-t), t, s), BG), [Converges(BG)]),
    "shifted, a sign": (Eq(B(g(t - a), t, s), sp.exp(a * s) * BG), [Converges(BG)]),
    "scaled, no factor": (Eq(L(g(a * t), t, s), L(g(t), t, s / a)),
                          [Gt(a, 0), Converges(L(g(t), t, s / a))]),
    "scaled, a may be negative": (Eq(L(g(a * t), t, s), L(g(t), t, s / a) / a),
                                  [Ne(a, 0), Converges(L(g(t), t, s / a))]),
    "damped, another place": (Eq(B(g(t) * sp.exp(a * t), t, s), B(g(t), t, s + a)),
                              [Converges(B(g(t), t, s + a))]),
    "one-sided, shifted to the left": (
        Eq(L(g(t - a) * Indicator(t > a), t, s), sp.exp(-a * s) * LG), [Lt(a, 0), Converges(LG)]),
    "profiles in order, the other way": (Ge(LEFT, RIGHT), [Gt(q, 1), DOMINATED, GIVEN]),
    "profiles in order, strictly": (Lt(LEFT, RIGHT), [Gt(q, 1), DOMINATED, GIVEN]),
    "profiles in order, the smaller converges": (
        Le(LEFT, RIGHT), [Gt(q, 1), DOMINATED, Converges(B(delta(P1, Q1)(t), t, 1 - q))]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], 40_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert_not_derived(searched(*FALSE[name], 3_000))
