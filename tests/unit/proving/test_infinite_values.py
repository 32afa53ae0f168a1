"""Claims about values that may be infinite, tails by logarithms: what is true, and slips away."""

from __future__ import annotations

import pytest

from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_texts as searched

LOG = "log(p) - log(q)"
TRUE = [
    ("E(2, P, Q) == Ex(exp(PLD(P, Q)), PLD(P, Q))",),
    ("Pr(PLD(P, Q) >= 1) <= exp(-1)*E(2, P, Q)",),
    (f"p <= exp(-g*w)*p*exp(w*({LOG}))", "p > 0", "q > 0", "w > 0", "exp(g)*q <= p"),
    (f"p*exp(w*({LOG})) <= exp(w*g)*p", "p > 0", "q > 0", "w > 0", "p <= exp(g)*q"),
    (f"p*({LOG}) >= p - q", "p > 0", "q > 0"),
]
FALSE = [
    ("E(2, P, Q) == Ex(exp(PLD(P, Q)/2), PLD(P, Q))",),
    ("E(2, P, Q) == Ex(exp(PLD(Q, P)), PLD(Q, P))",),
    ("E(2, P, Q) <= 4",),
    ("Pr(PLD(P, Q) >= 1) <= exp(-2)*E(2, P, Q)",),
    ("Pr(PLD(P, Q) > eps) <= exp(-eps*w)*E(w, P, Q)", "w > 0"),
    (f"p <= exp(-g*w)*p*exp(w*({LOG}))", "p > 0", "q > 0", "exp(g)*q <= p"),
    (f"p <= exp(-g*w)*p*exp(w*({LOG}))", "p > 0", "q > 0", "w > 0", "exp(g)*q >= p"),
    (f"p*exp(w*({LOG})) <= exp(w*g)*q", "p > 0", "q > 0", "w > 0", "p <= exp(g)*q"),
    (f"p*({LOG}) >= p", "p > 0", "q > 0"),
    (f"p*({LOG}) <= p - q", "p > 0", "q > 0"),
]


@pytest.mark.parametrize("texts", TRUE, ids=" | ".join)
def test_true_statements_are_derived(texts) -> None:
    assert_derived(searched(texts, 20_000))


@pytest.mark.parametrize("texts", FALSE, ids=" | ".join)
def test_false_statements_are_not(texts) -> None:
    assert searched(texts, 1_000)[0] is None
