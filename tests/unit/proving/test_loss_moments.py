"""Means and variances of the losses of independent releases."""

from __future__ import annotations

import pytest

from lapdp.kernel import Bank
from lapdp.proving.derivation import Derivation, NotFound
from lapdp.theory import *
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

n = naturals("n", start=1)
P, Q = pair("P", "Q")
P1, Q1 = pair("P1", "Q1")
P2, Q2 = pair("P2", "Q2")
BOTH = PLD(*product_pair((P1, Q1), (P2, Q2)))
Z, Z1, Z2 = PLD(P, Q), PLD(P1, Q1), PLD(P2, Q2)
RELEASES = composition("P^n", "Q^n", each=(P, Q))
MANY = PLD(*RELEASES(n))
MEANS = [Defined(inner_mean(Z1)), Defined(inner_mean(Z2))]
VARIANCES = [Defined(inner_variance(Z1)), Defined(inner_variance(Z2))]
ONE = [Defined(inner_variance(Z))]
TRUE = {
    "means of two": (Eq(inner_mean(BOTH), inner_mean(Z1) + inner_mean(Z2)), MEANS),
    "means of two with variances": (Eq(inner_mean(BOTH), inner_mean(Z1) + inner_mean(Z2)),
                                    VARIANCES),
    "variances of two": (Eq(inner_variance(BOTH), inner_variance(Z1) + inner_variance(Z2)),
                         VARIANCES),
    "mean of n": (Eq(inner_mean(MANY), n * inner_mean(Z)), ONE),
    "variance of n": (Eq(inner_variance(MANY), n * inner_variance(Z)), ONE),
}
FALSE = {
    "one mean twice": (Eq(inner_mean(BOTH), 2 * inner_mean(Z1)), MEANS),
    "means subtracted": (Eq(inner_mean(BOTH), inner_mean(Z1) - inner_mean(Z2)), MEANS),
    "a mean that may not exist": (Eq(inner_mean(BOTH), inner_mean(Z1) + inner_mean(Z2)),
                                  MEANS[:1]),
    "variances of means only": (Eq(inner_variance(BOTH), inner_variance(Z1) + inner_variance(Z2)),
                                MEANS),
    "mean of n + 1": (Eq(inner_mean(MANY), (n + 1) * inner_mean(Z)), ONE),
    "variance of n^2": (Eq(inner_variance(MANY), n**2 * inner_variance(Z)), ONE),
    "mean of the reverse": (Eq(inner_mean(MANY), n * inner_mean(PLD(Q, P))), [
        *ONE, Defined(inner_mean(PLD(Q, P)))]),
}


@pytest.mark.parametrize("name", TRUE)
def test_what_is_true_is_found(name):
    assert_derived(searched(*TRUE[name], 20_000))


@pytest.mark.parametrize("name", FALSE)
def test_what_is_false_is_not(name):
    assert searched(*FALSE[name], 2_000)[0] is None


def test_a_step_is_asked_of_the_kernel_once():
    d = Derivation(Bank())
    x = d.b.letter("x", "R")
    goal = d.mk("lt", d.num(0), d.mk("exp", x))
    first = d.do("law", goal, [], ["exp positive", x])
    assert d.do("law", goal, [], ["exp positive", x]) == first
    assert len(d.record) == 1
    for _ in range(2):
        with pytest.raises(NotFound):
            d.do("law", d.mk("lt", d.num(1), d.mk("exp", x)), [], ["exp positive", x])
    assert len(d.record) == 1
