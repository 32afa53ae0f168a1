"""Geometric sums beside other recursions; complex numbers that do not vanish because others do not.
"""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.theory import *
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

STEPS, FEW = 8_000, 2_000
d, x, r = reals("delta x r")
n, i = naturals("n i")
q = complexes("q")
mixed = recursion("v", sp.exp, lambda n, x, before: d + (1 - d) * before(x))


def level(power=n, least=1, sign=1, ratio=1 - d):
    """A recursion that mixes with a constant, by a geometric sum and a power."""
    total = FiniteSum(ratio ** (i - 1), i, least, n)
    return Eq(mixed(n, x), sign * d * total + (1 - d) ** power * sp.exp(x))


def inverse(w, t):
    """Equal logarithms where w does not vanish."""
    return Eq(sp.log(w), sp.log(t)), [Ne(w, 0)]


SOME = [Ge(n, 1)]
WAVE = sp.exp(q * r)
TRUE = {
    "a geometric sum": (level(), SOME),
    "its power": (Eq(d * FiniteSum((1 - d) ** (i - 1), i, 1, n), 1 - (1 - d) ** n), SOME),
    "zeros": inverse(WAVE * (1 + WAVE), WAVE + sp.exp(2 * q * r)),
}
FALSE = {
    "one member more": (level(least=0), SOME),
    "another power": (level(power=n + 1), SOME),
    "another sign": (level(sign=-1), SOME),
    "another ratio": (level(ratio=1 + d), SOME),
    "the sum without its factor": (
        Eq(FiniteSum((1 - d) ** (i - 1), i, 1, n), 1 - (1 - d) ** n), SOME),
    "zeros of others": inverse(WAVE * (1 + WAVE), WAVE - sp.exp(2 * q * r)),
    "zeros at all": (inverse(WAVE * (1 + WAVE), WAVE + sp.exp(2 * q * r))[0], []),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name) -> None:
    assert_derived(searched(*TRUE[name], STEPS))


@pytest.mark.parametrize("name", FALSE)
def test_false_neighbours_are_not(name) -> None:
    assert searched(*FALSE[name], FEW)[0] is None
