"""Trade-off functions by optimal tests: what is true of them, and what is almost."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.proving.derivation import Derivation
from lapdp.proving.models import POINTS, FinitePairs
from lapdp.theory import *
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
a, b, eps, d, w = reals("a b eps d w")
LEVEL = (Ge(a, 0), Le(a, 1))
GUARANTEE = Le(delta(P, Q)(eps), d)
LINE = (1 - d - a) * sp.exp(-eps)
TRUE = {
    "one line": (Ge(T(P, Q)(a), LINE), [*LEVEL, GUARANTEE]),
    "falls": (Le(T(P, Q)(b), T(P, Q)(a)), [Ge(a, 0), Le(a, b), Le(b, 1)]),
    "at most guessing": (Le(b, 1 - a), [*LEVEL, Ge(T(P, Q)(a), b)]),
    "all levels": (ImpliesOn(Ge(T(P1, Q1)(w), T(P2, Q2)(w)), Le(
        delta(P1, Q1)(eps), delta(P2, Q2)(eps)), w, 0, 1), []),
    "all orders": (Implies(Le(delta(P1, Q1)(eps), delta(P2, Q2)(eps)), Ge(
        T(P1, Q1)(a), T(P2, Q2)(a)), over=(eps,)), LEVEL),
    "inverse": (Eq(Inf(b, b, Le(T(P, Q)(b), a), 0, 1), T(Q, P)(a)), LEVEL),
}
FALSE = {
    "below guessing": (Le(b, (1 - a) ** 2), [*LEVEL, Ge(T(P, Q)(a), b)]),
    "all levels, the other order": (ImpliesOn(Ge(T(P1, Q1)(w), T(P2, Q2)(w)), Le(
        delta(P2, Q2)(eps), delta(P1, Q1)(eps)), w, 0, 1), []),
    "all orders, the other order": (Implies(Le(delta(P1, Q1)(eps), delta(P2, Q2)(eps)), Le(
        T(P1, Q1)(a), T(P2, Q2)(a)), over=(eps,)), LEVEL),
    "inverse of the same pair": (Eq(Inf(b, b, Le(T(P, Q)(b), a), 0, 1), T(P, Q)(a)), LEVEL),
    "another slope": (Ge(T(P, Q)(a), (1 - d - a) * sp.exp(eps)), [*LEVEL, GUARANTEE]),
    "the other order": (Ge(T(Q, P)(a), LINE), [*LEVEL, GUARANTEE]),
    "rises": (Ge(T(P, Q)(b), T(P, Q)(a)), [Ge(a, 0), Le(a, b), Le(b, 1)]),
    "concave": (Ge(T(P, Q)(w * a), w * T(P, Q)(a)), [*LEVEL, Ge(w, 0), Le(w, 1)]),
    "two slopes": (Ge(T(P, Q)(a), 1 - d - sp.exp(eps) * a), [*LEVEL, GUARANTEE]),
}
STEPS = 30_000


NIGHT = {"inverse"}
"""A search of minutes: once a night, never drawn."""


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=pytest.mark.nightly) if name in NIGHT else name for name in TRUE])
def test_true_statements_are_derived(name):
    assert_derived(searched(*TRUE[name], STEPS))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name):
    assert searched(*FALSE[name], 3_000)[0] is None


def test_finite_pairs_add_up_over_outcomes():
    d = Derivation()
    m = FinitePairs(d)
    p = d.mk("dens", d.b.letter("P", "D"), d.b.bound(0, "O"))
    q = d.mk("dens", d.b.letter("Q", "D"), d.b.bound(0, "O"))
    one, zero = d.num(1), d.num(0)
    assert all(abs(x - 1) < 1e-12 for x in m.values(d.mk("oint", p)))
    more = d.mk("oint", d.mk("max", zero, d.sub(p, q)))
    yes, no = m.masks(d.mk("le", more, one))
    assert not no and yes
    larger = d.mk("le", more, d.mk("oint", d.mk("max", zero, d.sub(q, p))))
    assert m.masks(d.mk("eq", more, d.kids(larger)[1]))[1] == 0  # total variation, either way
    assert m.masks(d.mk("le", d.mk("oint", d.mk("max", p, q)), one))[1].bit_count() > POINTS // 2
