"""P(S) and Q(S) under a bound of Renyi: probability preservation.

At other exponents, in the other direction, at orders below 1 or without a finite bound it does not
hold."""

from __future__ import annotations

import pytest

from tests.unit.proving.searching import assert_derived, assert_not_derived, of_texts

ORDER, BOUND = "q > 1", "R(P, Q)(q) <= r"
SOME = ["Q(S) > 0", "P(S) > 0"]
TRUE = {
    "as printed": ["P(S) <= (exp(R(P, Q)(q))*Q(S))**((q - 1)/q)", ORDER, "Defined(R(P, Q)(q))",
                   SOME[0]],
    "by a bound": ["P(S) <= (exp(r)*Q(S))**((q - 1)/q)", ORDER, BOUND, SOME[0]],
    "from below": ["Q(S) >= exp(-r)*P(S)**(q/(q - 1))", ORDER, BOUND, SOME[1]],
    "powers": ["P(S)**q <= E(P, Q)(q)*Q(S)**(q - 1)", ORDER, "Defined(E(P, Q)(q))", *SOME],
    "turned": ["Q(S) <= (exp(r)*P(S))**((q - 1)/q)", ORDER, "R(Q, P)(q) <= r", SOME[1]],
}
FALSE = {
    "the other pair": ["Q(S) <= (exp(r)*P(S))**((q - 1)/q)", ORDER, BOUND, SOME[1]],
    "the other direction": ["P(S) >= (exp(r)*Q(S))**((q - 1)/q)", ORDER, BOUND, SOME[0]],
    "a smaller bound": ["P(S) <= (exp(99/100*r)*Q(S))**((q - 1)/q)", ORDER, BOUND, SOME[0]],
    "another exponent": ["P(S) <= (exp(r)*Q(S))**(q/(q + 1))", ORDER, BOUND, SOME[0]],
    "an order below 1": ["P(S) <= (exp(r)*Q(S))**((q - 1)/q)", "q > 0", "q < 1", BOUND, SOME[0]],
    "no bound": ["P(S) <= (exp(r)*Q(S))**((q - 1)/q)", ORDER, SOME[0]],
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(of_texts(TRUE[name], 30_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert_not_derived(of_texts(FALSE[name], 6_000))
