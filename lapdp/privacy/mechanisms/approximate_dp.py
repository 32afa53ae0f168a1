"""The worst case of an (eps, delta) guarantee: randomized response with leakage."""

from __future__ import annotations

from typing import Any

import sympy as sp

from lapdp.core.calls import fitting
from lapdp.privacy.mechanism import Card
from lapdp.privacy.mechanisms.randomized_response import RandomizedResponse, randomized_response


@fitting
def approximate_dp(eps: Any, delta: Any = 0) -> RandomizedResponse:
    """Any mechanism of which no more is known than that it is (eps, delta)-DP.

    Arguments: ``eps`` >= 0 and ``delta`` in [0, 1], exact or symbolic; delta = 0 is pure DP.
    Raises InputError for anything else.  Source: Kairouz, Oh, Viswanath 2015; Chourasia et al.
    2024, Theorem 4.5.

    >>> approximate_dp(1, "1e-6")
    randomized_response(1, 1/1000000)
    """
    return randomized_response(eps, delta)


CARD = Card(
    make=approximate_dp,
    says="`randomized_response(eps, delta)`: the worst case of an (eps, delta) guarantee",
    source="Kairouz, Oh, Viswanath 2015; Chourasia et al. 2024, Theorem 4.5",
    direction="P and Q are the outputs on any two neighbours, in either order",
    dominating="a pair that is (eps, delta)-DP in both directions is a post-processing of "
               "randomized response; `decompose` finds it for finite pairs",
    pitfall="The guarantee taken to hold in one direction only.",
    examples=((1,), ("0.1", "1e-8"), (0, "1/2"),
              (sp.Symbol("eps", positive=True), sp.Symbol("delta", real=True))),
    symmetric=True,
)
