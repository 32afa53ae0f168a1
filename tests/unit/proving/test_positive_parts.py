"""The profile beside that of two equal distributions, integrated over all orders."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.theory import *
from tests.unit.proving.searching import assert_derived, assert_not_derived
from tests.unit.proving.searching import of_form as searched

P, Q = pair("P", "Q")
Z = PLD(P, Q)
t = reals("t")
EQUAL = sp.Max(0, 1 - sp.exp(t))
EXCESS = delta(P, Q)(t) - EQUAL
MEAN = Defined(Ex(Z, Z))


def area(excess, low=-sp.oo, weight=1):
    return Int(weight * excess, t, low, sp.oo)


TRUE = {
    "mean": (Eq(Ex(Z, Z), area(EXCESS)), [MEAN]),
}
FALSE = {
    "mean, orders from 0": (Eq(Ex(Z, Z), area(EXCESS, 0)), [MEAN]),
    "mean, twice": (Eq(Ex(Z, Z), 2 * area(EXCESS)), [MEAN]),
    "mean, the other way": (Eq(Ex(Z, Z), area(delta(Q, P)(t) - EQUAL)), [MEAN]),
    "mean, nothing taken away": (Eq(Ex(Z, Z), area(delta(P, Q)(t))), [MEAN]),
    "mean, too much taken away": (Eq(Ex(Z, Z), area(EXCESS - EQUAL)), [MEAN]),
    "mean, perhaps infinite": (Eq(Ex(Z, Z), area(EXCESS)), []),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], 40_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert_not_derived(searched(*FALSE[name], 6_000))
