"""Total variation, the mean of the loss, the affinity and E_2 in order; losses bounded both ways.

With other constants, in the other direction and without a hypothesis these do not hold."""

from __future__ import annotations

import pytest

from tests.unit.proving.searching import assert_derived, assert_not_derived, of_texts

TV, KL, A = "delta(P, Q)(0)", "Ex(PLD(P, Q), PLD(P, Q))", "E(P, Q)(1/2)"
FINITE = f"Defined({KL})"
M = "E(P, Q)(2)"
PURE = ["delta(P, Q)(eps) == 0", "delta(Q, P)(eps) == 0"]
TRUE = {
    "Pinsker": [f"{TV} <= sqrt({KL}/2)", FINITE],
    "Pinsker, squared": [f"2*{TV}**2 <= {KL}", FINITE],
    "Pinsker, for all l": [f"4*l*{TV} - 2*l**2 <= {KL}", FINITE],
    "Pinsker, the l1 distance": [f"Omega(Abs(P - Q)) <= sqrt(2*{KL})", FINITE],
    "Pinsker, the overlap": [f"1 - Omega(Min(P, Q)) <= sqrt({KL}/2)", FINITE],
    "Pinsker, the other direction": [f"delta(Q, P)(0) <= sqrt({KL}/2)", FINITE],
    "Bretagnolle and Huber": [f"{TV} <= sqrt(1 - exp(-{KL}))", FINITE],
    "Bretagnolle and Huber, errors": [f"exp(-{KL})/2 <= 1 - {TV}", FINITE],
    "Le Cam, above": [f"{TV} <= sqrt((1 - {A})*(1 + {A}))"],
    "Le Cam, squared": [f"{TV}**2 <= 1 - {A}**2"],
    "Le Cam, below": [f"1 - {A} <= {TV}"],
    "chi squared": [f"4*{TV}**2 <= {M} - 1"],
    "chi squared, the other direction": ["4*delta(Q, P)(0)**2 <= E(P, Q)(2) - 1"],
    "chi squared, turned pair": [f"1 + 4*{TV}**2 <= E(Q, P)(2)"],
    "chi squared, a root": [f"{TV} <= sqrt({M} - 1)/2", f"Defined({M})"],
    "chi squared, the l1 distance": [f"Omega(Abs(P - Q))**2 <= {M} - 1"],
    "chi squared, for all l": [f"8*l*{TV} - 4*l**2 <= {M} - 1", f"Defined({M})"],
    "mean, tanh": [f"{KL} <= eps*tanh(eps/2)", *PURE],
    "mean, a quotient": [f"{KL} <= eps*(exp(eps) - 1)/(exp(eps) + 1)", *PURE],
    "mean, a square": [f"{KL} <= eps**2/2", *PURE],
    "Renyi": ["R(P, Q)(q) <= q*eps**2/2", *PURE, "q > 1"],
}
FALSE = {
    "Pinsker, a smaller constant": [f"{TV} <= 99/100*sqrt({KL}/2)", FINITE],
    "Pinsker, squared, a larger constant": [f"202/100*{TV}**2 <= {KL}", FINITE],
    "Pinsker, turned": [f"{TV} >= sqrt({KL}/2)", FINITE],
    "Pinsker, an infinite mean": [f"{TV} <= sqrt({KL}/2)"],
    "Pinsker, the l1 distance, a smaller constant": [
        f"Omega(Abs(P - Q)) <= 99/100*sqrt(2*{KL})", FINITE],
    "Bretagnolle and Huber, a smaller exponent": [f"{TV} <= sqrt(1 - exp(-49/100*{KL}))", FINITE],
    "Bretagnolle and Huber, a larger factor": [f"{TV} <= sqrt(1 - 101/100*exp(-{KL}))", FINITE],
    "Bretagnolle and Huber, turned": [f"{TV} >= sqrt(1 - exp(-{KL}))", FINITE],
    "Le Cam, above, a larger factor": [f"{TV}**2 <= 1 - 101/100*{A}**2"],
    "Le Cam, above, turned": [f"{TV}**2 >= 1 - {A}**2"],
    "Le Cam, below, a larger factor": [f"101/100*(1 - {A}) <= {TV}"],
    "Le Cam, below, turned": [f"1 - {A} >= {TV}"],
    "chi squared, a larger factor": [f"401/100*{TV}**2 <= {M} - 1"],
    "chi squared, without the 1": [f"{TV} <= sqrt({M})/4", f"Defined({M})"],
    "chi squared, a root, a smaller factor": [f"{TV} <= 49/100*sqrt({M} - 1)", f"Defined({M})"],
    "chi squared, no square": [f"2*{TV} <= {M} - 1", f"Defined({M})"],
    "chi squared, another order": [f"4*{TV}**2 <= E(P, Q)(3/2) - 1"],
    "chi squared, turned": [f"4*{TV}**2 >= {M} - 1", f"Defined({M})"],
    "mean, tanh, a smaller factor": [f"{KL} <= 99/100*eps*tanh(eps/2)", *PURE],
    "mean, tanh, one direction": [f"{KL} <= eps*tanh(eps/2)", *PURE[:1]],
    "mean, tanh, turned": [f"{KL} >= eps*tanh(eps/2)", *PURE],
    "mean, a square, a smaller factor": [f"{KL} <= 99/200*eps**2", *PURE],
    "mean, a square, one direction": [f"{KL} <= eps**2/2", *PURE[:1]],
    "Renyi, a smaller factor": ["R(P, Q)(q) <= 99/200*q*eps**2", *PURE, "q > 1"],
    "Renyi, one direction": ["R(P, Q)(q) <= q*eps**2/2", *PURE[:1], "q > 1"],
    "Renyi, turned": ["R(P, Q)(q) >= q*eps**2/2", *PURE, "q > 1"],
}


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(of_texts(TRUE[name], 30_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert_not_derived(of_texts(FALSE[name], 6_000))
