"""Copies of a pair with two opposite finite losses, in balls: Corollary 4.7 by hypergeometric sums.

With Y copies of the loss a > 0 and k - Y of -a, Y is Binomial(k, p), p = e^a/(1 + e^a), under P and
Binomial(k, 1 - p) under Q, so that

    delta(t) = P(Y >= j) - e^t Q(Y >= j),   j the least whole number with a (2 j - k) > t.

The tail is binomial(k, j) p^j (1 - p)^(k-j) 2F1(1, j - k; j + 1; -p/(1 - p)), a finite sum of
positive terms.  Where it is long, :mod:`lapdp.privacy.binomial_circle` has a sum that is not.
"""

from __future__ import annotations

from typing import Any

import flint

from lapdp.privacy import binomial_circle

MOST_TERMS = 200
"""Of a tail that is added up term by term."""
MOST_SHORT = 20_000
"""Copies of which whole binomial coefficients are written out."""
MOST_COPIES = 10**15
"""Beyond, places of the losses are too far out for doubles."""


def profile(k: int, a: Any, t: Any) -> Any:
    """delta(t) for k copies with the losses a >= 0 and -a, no mass at infinity.

    >>> print(profile(3, flint.arb(1), flint.arb(3) / 2))
    [0.303532217325103 +/- 9.03e-16]
    """
    if a.is_zero():
        return (1 - t.exp()).max(flint.arb(0))
    if t < 0:
        # P and Q are alike up to the order of their outcomes: the reversal law (7)
        return 1 - t.exp() + t.exp() * profile(k, a, -t)
    place = (t / a + k) / 2
    low, high = (end.floor().unique_fmpz() for end in (place.lower(), place.upper()))
    if low is None or high is None or high > low + 1:
        return flint.arb.nan()
    first, total = max(int(high) + 1, 0), flint.arb(0)
    short = k - first < MOST_TERMS and k < MOST_SHORT
    if first <= k:
        total = _tails(k, a, t, first) if short else binomial_circle.above(k, a, t, first)
    if high > low and 0 <= high <= k:
        # a loss next to t, on either side of it: its weight is between 0 and that at |t - loss|
        last = int(high)
        weight = (t - a * (2 * last - k)).expm1().abs_upper()
        total += flint.arb(0, (binomial_circle.mass_bound(k, a, last) * weight).upper())
    return total


def _tails(k: int, a: Any, t: Any, first: int) -> Any:
    """All terms from the first one on, under P less e^t times those under Q."""
    odds = a.exp()
    p, q = odds / (1 + odds), 1 / (1 + odds)
    ways = flint.arb(flint.fmpz.bin_uiui(k, first))
    above = p**first * q ** (k - first) * _from(first, k, odds)
    below = q**first * p ** (k - first) * _from(first, k, 1 / odds)
    return ways * (above - t.exp() * below)


def _from(first: int, k: int, odds: Any) -> Any:
    """2F1(1, first - k; first + 1; -odds), all its terms."""
    # left to itself the library would transform the sum where -odds is near the unit circle
    return flint.acb(-odds).hypgeom([1, first - k], [first + 1], n=k - first + 1).real


__all__ = ["MOST_COPIES", "profile"]
