"""Copies of a pair with two opposite finite losses, in balls: Corollary 4.7 by hypergeometric sums.

With Y copies of the loss a > 0 and k - Y of -a, Y is Binomial(k, p), p = e^a/(1 + e^a), under P and
Binomial(k, 1 - p) under Q, so that

    delta(t) = P(Y >= j) - e^t Q(Y >= j),   j the least whole number with a (2 j - k) > t.

The tail is binomial(k, j) p^j (1 - p)^(k-j) 2F1(1, j - k; j + 1; -p/(1 - p)), a finite sum of
positive terms.
"""

from __future__ import annotations

from typing import Any

import flint

MOST_COPIES = 2000
"""Beyond, sums over the lattice of losses that leave out what is negligible are shorter."""


def profile(k: int, a: Any, t: Any) -> Any:
    """delta(t) for k copies with the losses a >= 0 and -a, no mass at infinity.

    >>> print(profile(3, flint.arb(1), flint.arb(3) / 2))
    [0.303532217325103 +/- 9.03e-16]
    """
    if a.is_zero():
        return (1 - t.exp()).max(flint.arb(0))
    odds = a.exp()
    p, q = odds / (1 + odds), 1 / (1 + odds)
    place = (t / a + k) / 2
    low, high = (end.floor().unique_fmpz() for end in (place.lower(), place.upper()))
    if low is None or high is None or high > low + 1:
        return flint.arb.nan()
    first, total = max(int(high) + 1, 0), flint.arb(0)
    if first <= k:
        ways = flint.arb(flint.fmpz.bin_uiui(k, first))
        above = p**first * q ** (k - first) * _from(first, k, odds)
        below = q**first * p ** (k - first) * _from(first, k, 1 / odds)
        total = ways * (above - t.exp() * below)
    if high > low and 0 <= high <= k:
        # a loss next to t, on either side of it: its weight is between 0 and that at |t - loss|
        last = int(high)
        weight = (t - a * (2 * last - k)).expm1().abs_upper()
        mass = flint.arb(flint.fmpz.bin_uiui(k, last)) * p**last * q ** (k - last)
        total += flint.arb(0, (mass * weight).upper())
    return total


def _from(first: int, k: int, odds: Any) -> Any:
    """2F1(1, first - k; first + 1; -odds), all its terms."""
    # left to itself the library would transform the sum where -odds is near the unit circle
    return flint.acb(-odds).hypgeom([1, first - k], [first + 1], n=k - first + 1).real


__all__ = ["MOST_COPIES", "profile"]
