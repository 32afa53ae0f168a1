"""RDP and zCDP give (eps, delta) with a logarithm; smaller shifts and constants do not hold."""

from __future__ import annotations

import pytest
import sympy as sp

from lapdp.theory import *
from tests.unit.proving.searching import assert_derived, assert_not_derived, of_form, of_texts

P, Q = pair("P", "Q")
d, e, q, rho, xi = reals("d e q rho xi")
RDP = ["q > 1", "d > 0", "d < 1", "R(P, Q)(q) <= r"]
TRUE = {
    "Mironov": ["delta(P, Q)(r + log(1/d)/(q - 1)) <= d", *RDP],
    "Mironov, written otherwise": ["d >= delta(P, Q)(r - log(d)/(q - 1))", *RDP],
    "Canonne": ["delta(P, Q)(r + log((q - 1)/q) - (log(d) + log(q))/(q - 1)) <= d", *RDP],
    "Canonne, written otherwise": [
        "delta(P, Q)(r + log(1 - 1/q) + log(1/(d*q))/(q - 1)) <= d", *RDP],
    "order 2": ["delta(P, Q)(r + log(1/d)) <= d", "d > 0", "R(P, Q)(2) <= r"],
    "the mass of a large loss": ["Pr(PLD(P, Q) >= r + log(1/d)/(q - 1)) <= d", *RDP],
    "the mass beyond it": ["d >= Pr(PLD(P, Q) > r - log(d)/(q - 1))", *RDP],
}
ORDER_2 = ["d > 0", "d < 1", "R(P, Q)(2) <= r"]
FALSE = {
    "a ninth of it": ["delta(P, Q)(r + log(1/d)) <= d/9", *ORDER_2],
    "half the logarithm": ["delta(P, Q)(r + log(1/d)/2) <= d", *ORDER_2],
    "the other pair": ["delta(Q, P)(r + log(1/d)) <= d", *ORDER_2],
    "an order below 1": ["delta(P, Q)(r + log(1/d)) <= d", *ORDER_2[:2], "R(P, Q)(1/2) <= r"],
    "Canonne, a larger shift": [
        "delta(P, Q)(r + 101/100*log((q - 1)/q) - (log(d) + log(q))/(q - 1)) <= d", *RDP],
    "Canonne, a smaller logarithm": [
        "delta(P, Q)(r + log((q - 1)/q) - 101/100*log(q)/(q - 1) - log(d)/(q - 1)) <= d", *RDP],
    "Canonne, the other order": [
        "delta(P, Q)(r + log((q - 1)/q) - (log(d) + log(q))/q) <= d", *RDP],
    "a mass with half the logarithm": ["Pr(PLD(P, Q) >= r + log(1/d)/2) <= d", *ORDER_2],
    "a strict bound of a mass": ["Pr(PLD(P, Q) >= r + log(1/d)) < d", "d > 0", "d <= 1", RDP[-1],
                                 "q > 1"],
    "a mass under the other member": ["Pr(PLD(Q, P) >= r + log(1/d)) <= d", *ORDER_2],
    "no bound": ["delta(P, Q)(r + log(1/d)) <= d", *ORDER_2[:2]],
}
ALL_ORDERS = [Gt(rho, 0), Gt(d, 0), Lt(d, 1),
              ForAll((q,), Le(R(q, P, Q), xi + rho * q), [Gt(q, 1)])]
ROOT = sp.sqrt(rho * sp.log(1 / d))


@pytest.mark.parametrize("name", TRUE)
def test_true_statements_are_derived(name: str) -> None:
    assert_derived(of_texts(TRUE[name], 4_000))


@pytest.mark.parametrize("name", FALSE)
def test_false_statements_are_not(name: str) -> None:
    assert_not_derived(of_texts(FALSE[name], 800))


@pytest.mark.parametrize("claim", [
    Le(delta(P, Q)(xi + rho + 2 * ROOT), d),
    Le(delta(P, Q)(xi + rho + sp.sqrt(4 * rho * sp.log(1 / d))), d),
    Le(Pr(PLD(P, Q), ">=", xi + rho + 2 * ROOT), d),
])
def test_bounds_for_all_orders(claim) -> None:
    assert_derived(of_form(claim, ALL_ORDERS, 6_000))


@pytest.mark.parametrize("claim", [
    Le(delta(P, Q)(xi + rho + ROOT), d),
    Le(delta(P, Q)(xi + 2 * ROOT), d / 4),
    Le(Pr(PLD(P, Q), ">=", xi + rho + ROOT), d),
])
def test_smaller_bounds_for_all_orders(claim) -> None:
    assert of_form(claim, ALL_ORDERS, 800)[0] is None
