"""A release with a guarantee at one point after another one: replaced by a randomized response."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp import randomized_response
from lapdp.theory import *
from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_form as searched

STEPS, FEWER = 8_000, 600
e, c, t = reals("e c t")
g = functions("g")
x = outcome("x")
P0, Q0 = pair("P0", "Q0")
P1, Q1 = family("P1", "Q1", x)
J, K = adaptive_pair((P0, Q0), (P1, Q1), names=("J", "K"))
RANGES = [Ge(e, 0), Ge(c, 0), Le(c, 1)]
ONE = ForAll(x, Le(delta(P1, Q1)(e), c))
BOTH = [ONE, ForAll(x, Le(delta(Q1, P1)(e), c))]
SUPPOSED = ForAll(t, Le(delta(P0, Q0)(t), g(t)))
EXCHANGED = ForAll(t, Le(delta(Q0, P0)(t), g(t)))
WHERE = [*RANGES, *BOTH, SUPPOSED]
SHARE = (1 - c) / (sp.exp(e) + 1)
BOUND = c + SHARE * (sp.exp(e) * g(t - e) + g(t + e))


def with_response(eps, leak):
    """The profile of the first release and a randomized response."""
    response = mechanism_pair(randomized_response(eps, leak), "R", "S")
    return delta(*product_pair((P0, Q0), response))(t)


TRUE = {
    "any bound of the first profile": (Le(delta(J, K)(t), BOUND), WHERE),
    "the product with a randomized response": (
        Le(delta(J, K)(t), with_response(e, c)), [*RANGES, *BOTH]),
}
FALSE = {
    "half of what is lost": (Le(delta(J, K)(t), BOUND - c / 2), WHERE),
    "nothing lost": (Le(delta(J, K)(t), BOUND - c), WHERE),
    "moved the other way": (Le(delta(J, K)(t), c + SHARE * (
        sp.exp(e) * g(t + e) + g(t - e))), WHERE),
    "one direction": (Le(delta(J, K)(t), BOUND), [*RANGES, ONE, SUPPOSED]),
    "the other profile of the first release": (
        Le(delta(J, K)(t), BOUND), [*RANGES, *BOTH, EXCHANGED]),
    "the other composition": (Le(delta(K, J)(t), BOUND), WHERE),
    "strictly": (Lt(delta(J, K)(t), BOUND), WHERE),
    "a response that loses half": (Le(delta(J, K)(t), with_response(e, c / 2)), [*RANGES, *BOTH]),
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(searched(*TRUE[name], STEPS))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert searched(*FALSE[name], FEWER)[0] is None
