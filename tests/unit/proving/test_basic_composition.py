"""Releases with a guarantee each: the sums of eps and of delta hold for all of them together."""

from __future__ import annotations

import pytest
from sympy import exp

from lapdp.privacy.mechanisms import randomized_response
from lapdp.theory import *
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

STEPS = 8_000
k = naturals("k")
i, j = naturals("i j", start=1)
eps, mass = reals("eps delta")
e, d = sequences("varepsilon gamma")
x = outcome("x")
CHOSEN = composition("P", "Q")
PAIR, (P, Q) = CHOSEN(k), CHOSEN.release(i, x)
A, B = pair("A", "B")
COPIES = composition("A^n", "B^n", each=(A, B))(k)
RESPONSES = composition("R^n", "S^n", mechanism=lambda j: randomized_response(eps, mass))(k)
RANGES = [Ge(eps, 0), Ge(mass, 0), Le(mass, 1)]


def total(s):
    return FiniteSum(s[j], j, 1, k)


def each(bound=mass, at=eps, two=(P, Q)):
    return [ForAll((i, x), Le(delta(*two)(at), bound))]


TRUE = {
    "sums": (Le(delta(*PAIR)(total(e)), total(d)), each(d[i], e[i])),
    "sums, exchanged": (Le(delta(*PAIR[::-1])(total(e)), total(d)), each(d[i], e[i], (Q, P))),
    "equal": (Le(delta(*PAIR)(k * eps), k * mass), each()),
    "equal, more": (Le(delta(*PAIR)(k * eps), k * mass + 1), each()),
    "copies": (Le(delta(*COPIES)(k * eps), k * mass), [Le(delta(A, B)(eps), mass)]),
    "copies, pure": (Le(delta(*COPIES)(k * eps), 0), [Eq(delta(A, B)(eps), 0)]),
    "copies, exactly": (Eq(delta(*COPIES)(k * eps), 0), [Eq(delta(A, B)(eps), 0)]),
    "chosen, exactly": (Eq(delta(*PAIR)(k * eps), 0), [
        ForAll((i, x), Eq(delta(P, Q)(eps), 0))]),
    "chosen, sums, exactly": (Eq(delta(*PAIR)(total(e)), 0), [
        ForAll((i, x), Eq(delta(P, Q)(e[i]), 0))]),
    "responses": (Le(delta(*RESPONSES)(k * eps), k * mass), RANGES),
}
FALSE = {
    "sums, half": (Le(delta(*PAIR)(total(e)), total(d) / 2), each(d[i], e[i])),
    "sums, at less": (Le(delta(*PAIR)(total(e) / 2), total(d)), each(d[i], e[i])),
    "the other direction": (Le(delta(*PAIR)(total(e)), total(d)), each(d[i], e[i], (Q, P))),
    "no guarantee": (Le(delta(*PAIR)(k * eps), k * mass), []),
    "copies, one less": (Le(delta(*COPIES)(k * eps), (k - 1) * mass), [
        Le(delta(A, B)(eps), mass)]),
    "copies, at less": (Le(delta(*COPIES)((k - 1) * eps), k * mass), [
        Le(delta(A, B)(eps), mass)]),
    "copies, exactly, one less": (Eq(delta(*COPIES)((k - 1) * eps), 0), [
        Eq(delta(A, B)(eps), 0)]),
    "copies, exactly, turned": (Eq(delta(*COPIES)(k * eps), 0), [Eq(delta(B, A)(eps), 0)]),
    "copies, exactly, with a mass": (Eq(delta(*COPIES)(k * eps), 0), [
        Le(delta(A, B)(eps), mass)]),
    "chosen, exactly, at less": (Eq(delta(*PAIR)(k * eps / 2), 0), [
        ForAll((i, x), Eq(delta(P, Q)(eps), 0))]),
    "chosen, sums, exactly, others": (Eq(delta(*PAIR)(total(d)), 0), [
        ForAll((i, x), Eq(delta(P, Q)(e[i]), 0))]),
    "responses, half": (Le(delta(*RESPONSES)(k * eps), k * mass / 2), RANGES),
    "responses, at less": (Le(delta(*RESPONSES)(k * eps / 2), k * mass), RANGES),
}


def test_an_exponential_in_the_level_is_no_fault() -> None:
    """It stands in the exponent of another one, which was taken for two."""
    level = exp(eps)
    found = searched(Le(delta(*COPIES)(k * level), k * mass), [Le(delta(A, B)(level), mass)], STEPS)
    assert "failed" not in found[1]


@pytest.mark.parametrize("name", TRUE)
def test_true_bounds_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], STEPS))


@pytest.mark.parametrize("name", FALSE)
def test_false_bounds_are_not(name: str) -> None:
    assert searched(*FALSE[name], STEPS)[0] is None
