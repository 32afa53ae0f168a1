"""Equations between sums of integrals over the line."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.theory import *
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

STEPS, FEWER = 6_000, 1_000
s, t = reals("s t")
f, g = functions("f g")
BOTH, FIRST, SECOND = (B(h, t) for h in (f(t) - sp.exp(t) * g(t), f(t), sp.exp(t) * g(t)))
WHERE = [Converges(B(h, t, s)) for h in (f(t), sp.exp(t) * g(t))]
AHEAD, BACK = B(g(t), t), B(g(-t), t)
BESIDE = [Converges(B(f(t), t, s)), Converges(B(g(t), t, s))]
TRUE = {
    "turned round beside another": (Eq(FIRST(s) - BACK(-s), FIRST(s) - AHEAD(s)), BESIDE),
    "one as the difference of two": (Eq(BOTH(s), FIRST(s) - SECOND(s)), WHERE),
    "one of the two": (Eq(FIRST(s), BOTH(s) + SECOND(s)), WHERE),
}
FALSE = {
    "turned round at the same place": (Eq(FIRST(s) - BACK(s), FIRST(s) - AHEAD(s)), BESIDE),
    "turned round, the other sign": (Eq(FIRST(s) - BACK(-s), FIRST(s) + AHEAD(s)), BESIDE),
    "the sum": (Eq(BOTH(s), FIRST(s) + SECOND(s)), WHERE),
    "twice": (Eq(BOTH(s), FIRST(s) - 2 * SECOND(s)), WHERE),
    "at another place": (Eq(BOTH(s), FIRST(s) - SECOND(s + 1)), WHERE),
    "where the whole converges": (Eq(BOTH(s), FIRST(s) - SECOND(s)), [
        Converges(B(f(t) - sp.exp(t) * g(t), t, s))]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], STEPS))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert searched(*FALSE[name], FEWER)[0] is None
