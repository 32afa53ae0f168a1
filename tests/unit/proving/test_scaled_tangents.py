"""The best bound of a profile by one moment; smaller constants and other orders do not hold."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.theory import *
from tests.unit.proving.searching import assert_derived, assert_not_derived
from tests.unit.proving.searching import of_form as searched

P, Q = pair("P", "Q")
eps, q = reals("eps q")


def bound(constant, order, rate):
    """delta(eps) <= constant e^(-rate eps) E_order, where that is finite."""
    claim = Le(delta(P, Q)(eps), constant * sp.exp(-rate * eps) * E(order, P, Q))
    return claim, [Defined(E(order, P, Q))]


BEST = (1 - 1 / q) ** q / (q - 1)
TRUE = {
    "order 2": bound(sp.Rational(1, 4), 2, 1),
    "order 2, infinite or not": (bound(sp.Rational(1, 4), 2, 1)[0], []),
    "order 3": bound(sp.Rational(4, 27), 3, 2),
    "every order": (bound(BEST, q, q - 1)[0], [Gt(q, 1), *bound(BEST, q, q - 1)[1]]),
}
FALSE = {
    "order 2, too small": bound(sp.Rational(1, 5), 2, 1),
    "order 2, another rate": bound(sp.Rational(1, 4), 2, 2),
    "order 3, too small": bound(sp.Rational(1, 7), 3, 2),
    "every order, half of it": (bound(BEST / 2, q, q - 1)[0], [Gt(q, 1), *bound(BEST, q, 1)[1]]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], 6_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert_not_derived(searched(*FALSE[name], 1_500))
