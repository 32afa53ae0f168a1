"""KL <= R_q and R_a <= R_b, infinite values included; other directions and orders do not hold."""

from __future__ import annotations

import pytest

from tests.unit.proving.searching import assert_derived, assert_not_derived, of_texts

MEAN = "Ex(PLD(P, Q), PLD(P, Q))"
TRUE = {
    "mean, order 2": [f"{MEAN} <= R(P, Q)(2)"],
    "mean, orders above 1": [f"{MEAN} <= R(P, Q)(q)", "q > 1"],
    "mean, order 1/2": [f"R(P, Q)(1/2) <= {MEAN}"],
    "mean, orders below 1": [f"R(P, Q)(q) <= {MEAN}", "q > 0", "q < 1"],
    "mean of a bounded loss": [f"{MEAN} <= eps", "delta(P, Q)(eps) == 0"],
    "numbers": ["R(P, Q)(2) <= R(P, Q)(3)"],
    "above 1": ["R(P, Q)(a) <= R(P, Q)(b)", "1 < a", "a <= b"],
    "below 1": ["R(P, Q)(a) <= R(P, Q)(b)", "0 < a", "a <= b", "b < 1"],
    "across 1": ["R(P, Q)(a) <= R(P, Q)(b)", "0 < a", "a < 1", "1 < b"],
}
FALSE = {
    "mean, order 2, turned": [f"R(P, Q)(2) <= {MEAN}"],
    "mean, order 1/2, turned": [f"{MEAN} <= R(P, Q)(1/2)"],
    "mean, order 2, of the other pair": [f"{MEAN} <= R(Q, P)(2)"],
    "mean, half of it": [f"{MEAN} <= R(P, Q)(2)/2"],
    "mean of a bounded loss, half of it": [f"{MEAN} <= eps/2", "delta(P, Q)(eps) == 0"],
    "mean of the other bounded loss": [
        "Ex(PLD(Q, P), PLD(Q, P)) <= eps", "delta(P, Q)(eps) == 0"],
    "numbers, turned": ["R(P, Q)(3) <= R(P, Q)(2)"],
    "above 1, turned": ["R(P, Q)(a) <= R(P, Q)(b)", "1 < b", "b <= a"],
    "below 1, turned": ["R(P, Q)(a) <= R(P, Q)(b)", "0 < b", "b <= a", "a < 1"],
    "logarithms of moments without their factors": [
        "(b - 1)*R(P, Q)(a) <= (a - 1)*R(P, Q)(b)", "1 < a", "a <= b"],
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(of_texts(TRUE[name], 8_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert_not_derived(of_texts(FALSE[name], 1_500))
