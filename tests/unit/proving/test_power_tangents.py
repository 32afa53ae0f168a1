"""A power lies above its tangent line, or below: what follows for moments, and what does not."""

from __future__ import annotations

import pytest

from tests.unit.proving.searching import assert_derived
from tests.unit.proving.searching import of_texts as searched

POWER = "p*exp((w - 1)*(log(p) - log(q)))"
LINE = "w*p - (w - 1)*q"
TRUE = [
    (f"{POWER} >= {LINE}", "p > 0", "q > 0", "w > 1"),
    (f"{POWER} >= {LINE}", "p > 0", "q > 0", "w < 0"),
    (f"{POWER} <= {LINE}", "p > 0", "q > 0", "w > 0", "w < 1"),
    ("p*p/q >= 2*p - q", "p > 0", "q > 0"),
    ("p*p*p/q/q >= 3*p - 2*q", "p > 0", "q > 0"),
    ("exp((w - 1)*(log(p)/(w - 1))) == p", "p > 0", "w > 1"),
    ("E(2, P, Q) >= 1",),
    ("E(w, P, Q) >= 1", "w > 1"),
    ("R(2, P, Q) >= 0",),
    ("R(w, P, Q) >= 0", "w > 1"),
]
FALSE = [
    (f"{POWER} <= {LINE}", "p > 0", "q > 0", "w > 1"),
    (f"{POWER} >= {LINE}", "p > 0", "q > 0", "w > 0", "w < 1"),
    (f"{POWER} >= {LINE}", "p > 0", "q > 0"),
    (f"{POWER} >= {LINE}", "q > 0", "w > 1"),
    (f"{POWER} >= {LINE} + p", "p > 0", "q > 0", "w > 1"),
    ("p*p/q >= 2*p - q", "p > 0", "q < 0"),
    ("p*p/q >= 2*p", "p > 0", "q > 0"),
    ("p*p*p/q/q >= 3*p - q", "p > 0", "q > 0"),
    ("exp((w - 1)*(log(p)/(w - 1))) == p*p", "p > 0", "w > 1"),
    ("exp((w - 1)*(log(p)/w)) == p", "p > 0", "w > 1"),
    ("E(2, P, Q) > 1",),
    ("E(2, P, Q) >= 9/8",),
    ("E(w, P, Q) <= 1", "w > 1"),
    ("E(w, P, Q) >= 2", "w > 1"),
    ("R(w, P, Q) <= 0", "w > 1"),
    ("R(w, P, Q) >= 1/100", "w > 1"),
]


@pytest.mark.parametrize("texts", TRUE, ids=" | ".join)
def test_true_statements_are_derived(texts) -> None:
    assert_derived(searched(texts, 20_000))


@pytest.mark.parametrize("texts", FALSE, ids=" | ".join)
def test_false_statements_are_not(texts) -> None:
    assert searched(texts, 1_000)[0] is None
