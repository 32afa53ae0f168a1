"""KL of mixtures is at most the mean of KL; smaller bounds, and other weights, do not hold."""

from __future__ import annotations

import pytest

from tests.unit.proving.searching import assert_derived, assert_not_derived, of_texts

WEIGHT = ["p > 0", "p < 1"]
FINITE = [*WEIGHT, "Defined(KL(P, Q))"]
TURNED = [*WEIGHT, "Defined(KL(Q, P))"]
TRUE = {
    "mixed with the second": ["KL(p*P + (1 - p)*Q, Q) <= p*KL(P, Q)", *FINITE],
    "mixed with the first": ["KL(Q, p*P + (1 - p)*Q) <= p*KL(Q, P)", *TURNED],
    "weights of 0 and 1": ["KL(p*P + (1 - p)*Q, Q) <= p*KL(P, Q)", "p >= 0", "p <= 1", FINITE[-1]],
    "numbers": ["(p*x + (1 - p)*y)*(log(p*x + (1 - p)*y) - log(y)) <= p*x*(log(x) - log(y))",
                "x > 0", "y > 0", *WEIGHT],
}
FALSE = {
    "a power of the weight": ["KL(p*P + (1 - p)*Q, Q) <= p**2*KL(P, Q)", *FINITE],
    "the other weight": ["KL(p*P + (1 - p)*Q, Q) <= (1 - p)*KL(P, Q)", *FINITE],
    "the other pair": ["KL(p*P + (1 - p)*Q, Q) <= p*KL(Q, P)", *FINITE, TURNED[-1]],
    "half": ["KL(Q, p*P + (1 - p)*Q) <= p*KL(Q, P)/2", *TURNED],
    "from below": ["KL(p*P + (1 - p)*Q, Q) >= p*KL(P, Q)", *FINITE],
    "no weight": ["KL(p*P + (1 - p)*Q, Q) <= p*KL(P, Q)", "p > 0", "p < 2", FINITE[-1]],
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(of_texts(TRUE[name], 8_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert_not_derived(of_texts(FALSE[name], 1_500))
