"""Dominance under further integrals and suprema over neighbours: what is true, and slips away."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.theory import *
from tests.unit.proving.searching import assert_derived, assert_not_derived
from tests.unit.proving.searching import of_form as searched

P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P3, Q3 = pair("P3", "Q3")
n, o = outcome("n"), outcome("o")
S = Event("S")
Mn, Nn = family("M", "N", n)
P2o, Q2o = family("P2o", "Q2o", o)
P13, Q13 = product_pair((P1, Q1), (P3, Q3))
P23, Q23 = product_pair((P2, Q2), (P3, Q3))
P31, Q31 = product_pair((P3, Q3), (P1, Q1))
JOINT = adaptive_pair((P1, Q1), (P2o, Q2o))
e, eps, alpha, d, lam = reals("e eps alpha d lambda")
INSIDE = (Ge(lam, 0), Le(lam, 1))


def smaller(first, second, over=(e,), at=e):
    return ForAll(over, Le(delta(*first)(at), delta(*second)(at)))


def hockey(first, second, order):
    return Omega(sp.Max(0, first - order * second))


def mixed(p, q):
    return p * lam + q * (1 - lam), q


ALPHA = Ge(alpha, 0)
TRUE = {
    "product": (Le(delta(P13, Q13)(eps), delta(P23, Q23)(eps)), [smaller((P1, Q1), (P2, Q2))]),
    "order of factors": (Eq(delta(P13, Q13)(eps), delta(P31, Q31)(eps)), []),
    "adaptive": (Le(delta(*JOINT)(eps), delta(*product_pair((P1, Q1), (P3, Q3)))(eps)),
                 [smaller((P2o, Q2o), (P3, Q3), (e, o))]),
    "sampled": (Le(delta(*mixed(P1, Q1))(eps), delta(*mixed(P2, Q2))(eps)),
                [*INSIDE, smaller((P1, Q1), (P2, Q2))]),
    "equal profiles": (Eq(delta(P13, Q13)(eps), delta(P23, Q23)(eps)),
                       [ForAll((e,), Eq(delta(P1, Q1)(e), delta(P2, Q2)(e)))]),
    "sum of orders": (Le(delta(*product_pair((P1, Q1), (P2, Q2)))(eps + e),
                         delta(P1, Q1)(eps) + delta(P2, Q2)(e)), []),
    "what one does, the other does": (Implies(Gt(P1(S), 0), Gt(Q1(S), 0)), [ac(P1, Q1)]),
    "the larger of two": (Le(delta(P2, Q2)(eps), delta(P1, Q1)(eps)), [ForAll((e,), Le(
        sp.Max(delta(P1, Q1)(e), delta(P2, Q2)(e)), delta(P1, Q1)(e)))]),
    "exchanged, at one order": (Le(delta(Q1, P1)(-eps), delta(Q2, P2)(-eps)),
                                [Le(delta(P1, Q1)(eps), delta(P2, Q2)(eps))]),
    "exchanged, at all orders": (Le(delta(Q1, P1)(eps), delta(Q2, P2)(eps)),
                                 [smaller((P1, Q1), (P2, Q2))]),
    "mixed the other way": (Le(delta(P1, P1 * (1 - lam) + Q1 * lam)(eps), delta(
        P2, Q2 * lam + P2 * (1 - lam))(eps)), [*INSIDE, smaller((P1, Q1), (P2, Q2))]),
    "mixed with the other": (Le(delta(*mixed(P1, Q1))(eps), delta(P1, Q1)(eps)), INSIDE),
    "characteristic function": (Le(sp.Abs(B(f(PLD(P1, Q1))(d), d, -sp.I * lam)),
                                   1 - Pr(PLD(P1, Q1), "==", sp.oo)), []),
    "supremum at most 1": (Le(Sup(hockey(Mn, Nn, alpha), n), 1), [ALPHA]),
    "supremum at least 1 - alpha": (Ge(Sup(hockey(Mn, Nn, alpha), n), 1 - alpha), [ALPHA]),
    "supremum of bounds": (Le(Sup(hockey(Mn, Nn, alpha), n), d),
                           [ForAll((n,), Le(hockey(Mn, Nn, alpha), d))]),
    "below the supremum": (Le(hockey(Mn, Nn, alpha), d), [Le(Sup(hockey(Mn, Nn, alpha), n), d)]),
    "errors at most 1": (Le(T(P1, Q1)(d), 1), [Ge(d, 0), Le(d, 1)]),
    "no error left": (Eq(T(P1, Q1)(1), 0), []),
}
FALSE = {
    "product, the other way": (Le(delta(P23, Q23)(eps), delta(P13, Q13)(eps)),
                               [smaller((P1, Q1), (P2, Q2))]),
    "product, at one order": (Le(delta(P13, Q13)(eps), delta(P23, Q23)(eps)),
                              [Le(delta(P1, Q1)(eps), delta(P2, Q2)(eps))]),
    "product, another pair": (Le(delta(P13, Q13)(eps), delta(P23, Q23)(eps)),
                              [smaller((P1, Q1), (P3, Q3))]),
    "product, exchanged": (Le(delta(P13, Q13)(eps), delta(P23, Q23)(eps)),
                           [smaller((P1, Q1), (Q2, P2))]),
    "product, orders from 0": (Le(delta(P13, Q13)(eps), delta(P23, Q23)(eps)),
                               [ForAll((e,), Le(delta(P1, Q1)(e), delta(P2, Q2)(e)),
                                       (Ge(e, 0),))]),
    "product is its factor": (Eq(delta(P13, Q13)(eps), delta(P1, Q1)(eps)), []),
    "order of the pair": (Eq(delta(P13, Q13)(eps), delta(Q31, P31)(eps)), []),
    "adaptive, the other way": (Ge(delta(*JOINT)(eps), delta(P13, Q13)(eps)),
                                [smaller((P2o, Q2o), (P3, Q3), (e, o))]),
    "adaptive, one outcome": (Le(delta(*JOINT)(eps), delta(P13, Q13)(eps)),
                              [smaller((P2, Q2), (P3, Q3))]),
    "sampled, weight beyond 1": (Le(delta(*mixed(P1, Q1))(eps), delta(*mixed(P2, Q2))(eps)),
                                 [Le(lam, 2), smaller((P1, Q1), (P2, Q2))]),
    "sampled, the other way": (Ge(delta(*mixed(P1, Q1))(eps), delta(*mixed(P2, Q2))(eps)),
                               [*INSIDE, smaller((P1, Q1), (P2, Q2))]),
    "equal at one order": (Eq(delta(P13, Q13)(eps), delta(P23, Q23)(eps)),
                           [Eq(delta(P1, Q1)(eps), delta(P2, Q2)(eps))]),
    "sum of orders, one of them": (Le(delta(*product_pair((P1, Q1), (P2, Q2)))(eps + e),
                                      delta(P1, Q1)(eps)), []),
    "what one does, the other does not": (Implies(Gt(P1(S), 0), Gt(Q1(S), 0)), [ac(Q1, P1)]),
    "the smaller of two": (Le(delta(P2, Q2)(eps), delta(P1, Q1)(eps)), [ForAll((e,), Le(
        sp.Min(delta(P1, Q1)(e), delta(P2, Q2)(e)), delta(P1, Q1)(e)))]),
    "characteristic function, strictly": (Lt(sp.Abs(B(f(PLD(P1, Q1))(d), d, -sp.I * lam)),
                                             1 - Pr(PLD(P1, Q1), "==", sp.oo)), []),
    "supremum is 0": (Le(Sup(hockey(Mn, Nn, alpha), n), 0), [ALPHA]),
    "supremum at least 1": (Ge(Sup(hockey(Mn, Nn, alpha), n), 1), [ALPHA]),
    "supremum below a bound": (Lt(Sup(hockey(Mn, Nn, alpha), n), d),
                               [ForAll((n,), Le(hockey(Mn, Nn, alpha), d))]),
    "supremum of other bounds": (Le(Sup(hockey(Mn, Nn, alpha), n), d),
                                 [ForAll((n,), Le(hockey(Nn, Mn, alpha), d))]),
    "exchanged, at the same order": (Le(delta(Q1, P1)(eps), delta(Q2, P2)(eps)),
                                     [Le(delta(P1, Q1)(eps), delta(P2, Q2)(eps))]),
    "exchanged, the other order": (Le(delta(Q2, P2)(eps), delta(Q1, P1)(eps)),
                                   [smaller((P1, Q1), (P2, Q2))]),
    "mixed the other way, in other proportion": (Le(
        delta(P1, P1 * (1 - lam) + Q1 * lam)(eps), delta(P2, P2 * lam + Q2 * (1 - lam))(eps)),
        [*INSIDE, smaller((P1, Q1), (P2, Q2))]),
    "mixed, in proportion": (Le(delta(*mixed(P1, Q1))(eps), lam * delta(P1, Q1)(eps)), INSIDE),
    "mixed, above": (Ge(delta(*mixed(P1, Q1))(eps), delta(P1, Q1)(eps)), INSIDE),
    "below another supremum": (Le(hockey(Nn, Mn, alpha), d),
                               [Le(Sup(hockey(Mn, Nn, alpha), n), d)]),
    "each is the supremum": (Ge(hockey(Mn, Nn, alpha), Sup(hockey(Mn, Nn, alpha), n)), [ALPHA]),
    "errors are 1": (Eq(T(P1, Q1)(d), 1), [Ge(d, 0), Le(d, 1)]),
    "errors below 1": (Lt(T(P1, Q1)(d), 1), [Ge(d, 0), Le(d, 1)]),
    "no level, no error": (Eq(T(P1, Q1)(0), 0), []),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], 40_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert_not_derived(searched(*FALSE[name], 3_000))
