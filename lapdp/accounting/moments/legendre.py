"""Gauss-Legendre rules with proved errors.

If F is analytic inside the Bernstein ellipse with the foci +-1 and semi-axes that add up to rho,
and |F| <= M there, its Chebyshev coefficients are at most 2 M rho^-k.  The rule of n >= 2 nodes is
exact up to degree 2n - 1, errs by at most 2 + 2/(4n^2 - 1) <= 32/15 on T_k, k >= 2n even, and not
at all for k odd.  So it errs by at most (64/15) M rho^(-2n)/(1 - rho^-2) in all (Trefethen,
Approximation Theory and Approximation Practice, Theorem 19.3).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import flint

from lapdp.core.effort import spend
from lapdp.core.precision import workprec

ROUND = 32
"""Rules are kept at precisions that are multiples of this."""
SLOWEST = 512
"""Up to so many nodes one of them takes the longer, the more there are."""


def rule(count: int) -> tuple[tuple[Any, Any], ...]:
    """Nodes on [-1, 1] and weights, at the working precision or a higher one.

    >>> (x, w), _ = rule(2)
    >>> float(x), float(w)
    (0.5773502691896257, 1.0)
    """
    return _rule(count, ROUND * -(-flint.ctx.prec // ROUND))


@lru_cache(maxsize=256)
def _rule(count: int, bits: int) -> tuple[tuple[Any, Any], ...]:
    spend(count * (7 + min(count, SLOWEST) * (0.06 + bits / 5000)))
    with workprec(bits):
        # the other half of the nodes lies at the opposite places
        right = [flint.arb.legendre_p_root(count, k, weight=True) for k in range((count + 1) // 2)]
        # a negative is rounded too
        left = [(-x, weight) for x, weight in right[:count // 2]]
    return (*right, *reversed(left))


def error(count: int, rho: Any, size: Any) -> Any:
    """The bound above for |F| <= ``size`` on the ellipse of ``rho`` > 1; ``count`` >= 2."""
    return 64 * size * rho ** (-2 * count) / (15 * (1 - rho**-2))


def nodes_for(goal: float, rho: float) -> int:
    """How many nodes make rho^(-2n) at most e^-goal, nearly; many only in steps of a quarter, so
    that a rule serves more than one interval."""
    count = max(2, math.ceil(goal / (2 * math.log(rho))))
    step = 1 << max(0, count.bit_length() - 3)
    return step * -(-count // step)


def arcs(rho: Any, count: int) -> list[Any]:
    """Balls that cover the upper half of the ellipse."""
    return [arc(rho, j, count) for j in range(count)]


def arc(rho: Any, j: int, count: int) -> Any:
    """One of them, from the right."""
    s, c = _turned(j, count, flint.ctx.prec)
    return flint.acb(c * (rho + 1 / rho) / 2, s * (rho - 1 / rho) / 2)


@lru_cache(maxsize=4096)
def _turned(j: int, count: int, bits: int) -> tuple[Any, Any]:
    """Sine and cosine on that part of the half circle."""
    with workprec(bits):
        found: tuple[Any, Any] = (
            flint.arb.pi() * (flint.arb(j) + flint.arb(0.5, 0.5)) / count).sin_cos()
        return found


__all__ = ["arc", "arcs", "error", "nodes_for", "rule"]
