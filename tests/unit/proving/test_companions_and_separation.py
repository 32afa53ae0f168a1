"""Recursions beside one another, moments of independent releases, profiles below guarantees."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import randomized_response
from lapdp.theory import *
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

k = naturals("k")
t, eps, d, shift = reals("t eps delta c")
Y = reals("Y")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
P, Q = product_pair((P1, Q1), (P2, Q2))
chance = sp.exp(eps) / (1 + sp.exp(eps))
RANGES = [Ge(eps, 0), Ge(d, 0), Le(d, 1)]
RR = composition("R", "S", mechanism=lambda j: randomized_response(eps, d))
R_k, S_k = RR(k)


def released(less, more):
    """The recursion of Theorem 4.6 for one guarantee, with weights of the two places."""
    return recursion("d", lambda t: sp.Max(0, 1 - sp.exp(t)), lambda l, t, before: d + (
        1 - d) / (sp.exp(eps) + 1) * (sp.exp(eps) * before(t - less) + before(t + more)))


def closed(at):
    return 1 - (1 - d)**k * (1 - BinomialMean(
        sp.Max(0, 1 - sp.exp(t - eps * (2 * Y - at))), Y, k, chance))


def mean(at, p):
    return BinomialMean(sp.Max(0, at - Y), Y, k, p)


def infinite(p, q):
    return Pr(PLD(p, q), "==", sp.oo)


CONVERGES = [Converges(B(f(PLD(*p))(t), t, d)) for p in ((P1, Q1), (P2, Q2))]
RESPONSE = delta(*mechanism_pair(randomized_response(eps, d), "R0", "R1"))
GUARANTEES = [Le(delta(P1, Q1)(eps), d), Le(delta(Q1, P1)(eps), d), *RANGES]
TRUE = {
    "by a divergence": (Le(delta(P1, Q1)(eps), sp.exp(t - eps)), [Le(R(2, P1, Q1), t)]),
    "two guarantees": (Le(delta(P1, Q1)(t), RESPONSE(t)), GUARANTEES),
    "composed": (Eq(delta(R_k, S_k)(t), released(eps, eps)(k, t)), RANGES),
    "closed form": (Eq(released(eps, eps)(k, t), closed(k)), RANGES),
    "one law": (Eq(mean(2, chance), mean(2, 1 - 1 / (1 + sp.exp(eps)))), []),
    "infinite loss": (Eq(infinite(P, Q), infinite(P1, Q1) + infinite(P2, Q2)
                         - infinite(P1, Q1) * infinite(P2, Q2)), []),
    "transforms": (Eq(B(f(PLD(P, Q))(t), t, d), B(f(PLD(P1, Q1))(t), t, d)
                      * B(f(PLD(P2, Q2))(t), t, d)), CONVERGES),
}
FALSE = {
    "by a divergence, at twice the order": (
        Le(delta(P1, Q1)(eps), sp.exp(t - 2 * eps)), [Le(R(2, P1, Q1), t)]),
    "by a divergence of less": (Le(delta(P1, Q1)(eps), sp.exp(t - eps)), [Le(R(2, P1, Q1), 2 * t)]),
    "one guarantee": (Le(delta(P1, Q1)(t), RESPONSE(t)), [GUARANTEES[0], *RANGES]),
    "two guarantees, elsewhere": (Le(delta(P1, Q1)(t), RESPONSE(t + 1)), GUARANTEES),
    "composed, other places": (Eq(delta(R_k, S_k)(t), released(eps, 2 * eps)(k, t)), RANGES),
    "composed, elsewhere": (Eq(delta(R_k, S_k)(t), released(eps, eps)(k, t + 1)), RANGES),
    "closed form, one less": (Eq(released(eps, eps)(k, t), closed(k + 1)), RANGES),
    "another law": (Eq(mean(2, chance), mean(2, 1 / (1 + sp.exp(eps)))), []),
    "infinite losses add": (Eq(infinite(P, Q), infinite(P1, Q1) + infinite(P2, Q2)), []),
    "of the reverse": (Eq(B(f(PLD(P, Q))(t), t, d), B(f(PLD(P1, Q1))(t), t, d)
                          * B(f(PLD(Q2, P2))(t), t, d)), CONVERGES),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_found(name):
    assert_derived(searched(*TRUE[name], 20_000))


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not(name):
    assert searched(*FALSE[name], 2_000)[0] is None
