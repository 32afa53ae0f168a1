"""Tight composition of mechanisms of which only (eps_i, delta_i) is known.

Randomized response with leak dominates every pair that is (eps, delta)-DP in both directions
(Kairouz, Oh, Viswanath 2015), and dominance survives composition, adaptive too: what k mechanisms
with such guarantees satisfy together is the profile of a product, Chourasia et al. 2024, Theorem
4.6, and no smaller one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.mechanisms.randomized_response import randomized_response
from lapdp.privacy.pair import Pair


@fitting
def point_guarantees(guarantees: Iterable[tuple[Any, Any]]) -> Pair:
    """The dominating pair of a composition of (eps_i, delta_i)-DP mechanisms.

    ``guarantees`` are pairs of exact numbers, texts or expressions, eps_i >= 0 and delta_i in
    [0, 1]; the answer is the product of ``randomized_response(eps_i, delta_i)``, equal ones as
    powers.  Its ``profile.at(t)`` is certified for hundreds of guarantees whose eps_i are multiples
    of a common step, and for forty without one.  Raises :class:`InputError` for anything else.

    >>> found = point_guarantees([("0.1", "1e-6"), ("0.3", 0), ("0.1", "1e-6")])
    >>> found
    randomized_response(1/10, 1/1000000)**2*randomized_response(3/10, 0)
    >>> found.mass_at_infinity
    1999999/1000000000000
    """
    if isinstance(guarantees, (str, dict)) or not isinstance(guarantees, Iterable):
        raise InputError("point_guarantees takes a list of pairs (eps, delta)")
    counts: dict[Pair, int] = {}
    for i, one in enumerate(guarantees):
        if isinstance(one, str) or not isinstance(one, Iterable) or len(tuple(one)) != 2:
            raise InputError(f"guarantee {i} is {str(one)[:40]}, no pair (eps, delta)")
        coin = randomized_response(*one)
        counts[coin] = counts.get(coin, 0) + 1
    if not counts:
        raise InputError("point_guarantees takes at least one pair (eps, delta)")
    return _product([coin**count for coin, count in counts.items()])


def _product(pairs: list[Pair]) -> Pair:
    """The product, nested no deeper than it must be."""
    if len(pairs) == 1:
        return pairs[0]
    half = (len(pairs) + 1) // 2
    return _product(pairs[:half]) * _product(pairs[half:])


__all__ = ["point_guarantees"]
