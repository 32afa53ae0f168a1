"""Bounds of the moments' integrand of two overlapping mixtures, far out on either side.

With z1 = 1 - w + w e^l and z2 = 1 - v + v e^l it is z1^g z2^(1-g).  z^p = e^(p w l) for w = 0 and
w = 1.  Else z^p <= 2^p ((1-w)^p + w^p e^(p l)) for p >= 0; for p < 0, z^p <= (1-w)^p and e^(p l)
w^p, the first for the left side, the second for the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import flint

from lapdp.core.errors import Unsupported


def bounds(weights: Sequence[Any], exponents: Sequence[Any], side: int) -> list[tuple[Any, Any]]:
    """Numbers (c, d) such that the sum of c e^(d l) is at least z1^g z2^(1-g), on the left for
    ``side`` -1 and on the right for 1; ``weights`` are w and v, ``exponents`` g and 1 - g.

    Raises :class:`Unsupported` where a ball of a weight is not told from 0 or 1.

    >>> bounds((flint.arb("1/4"), flint.arb(0)), (flint.arb(2), flint.arb(-1)), 1)
    [(2.25000000000000, 0), (0.250000000000000, 2.00000000000000)]
    """
    terms: list[tuple[Any, Any]] = [(flint.arb(1), flint.arb(0))]
    for w, p in zip(weights, exponents, strict=True):
        if w in (0, 1):
            powers = [(flint.arb(1), p * w)]
        elif p >= 0:
            two = flint.arb(2) ** p
            powers = [(two * _power(1 - w, p), flint.arb(0)), (two * _power(w, p), p)]
        elif w < 1 and (side < 0 or not w > 0):
            powers = [((1 - w) ** p, flint.arb(0))]
        elif w > 0 and (side > 0 or w == 1):
            powers = [(w**p, p)]
        else:
            raise Unsupported("a weight is not told from 0 or 1")
        terms = [(c * x, d + y) for c, d in terms for x, y in powers]
    return terms


def _power(x: Any, p: Any) -> Any:
    """x^p for p >= 0 and a ball of numbers >= 0, the power of the upper end."""
    top = x.upper()
    return flint.arb(0) if not top > 0 and p > 0 else top**p


__all__ = ["bounds"]
