"""Where delta has a given size, nearly, by the saddle point approximation in doubles.

With phi(g) = log E_g - log(g (g - 1)) the saddle for eps = phi'(g) is g, and delta(eps) is about
e^(phi - (g - 1) eps)/sqrt(2 pi phi''), which falls as g grows.  A choice: nothing is proved here.
"""

from __future__ import annotations

import math

from lapdp.accounting.moments.factors import Factors

STEPS = 30
CLOSE = 1e-3


def level(factors: Factors, log_size: float) -> tuple[float, float] | None:
    """(eps, slope of log delta there), nearly, where log delta is ``log_size``; None where doubles
    fail."""
    upper = factors.upper
    t = 0.0 if math.isinf(upper) else min(0.0, math.log((upper - 1) / 2))
    found: tuple[float, float] | None = None
    for _ in range(STEPS):
        gap = math.exp(t)
        if not math.isinf(upper) and gap >= (upper - 1) * 0.999:
            t = math.log(upper - 1) - 0.1
            gap = math.exp(t)
        h = gap / 256
        low, here, high = (_exponent(factors, 1 + gap + d) for d in (-h, 0.0, h))
        first, second = (high - low) / (2 * h), (high - 2 * here + low) / (h * h)
        if not (math.isfinite(first) and second > 0):
            t -= 1
            continue
        found = first, -gap
        miss = here - gap * first - math.log(2 * math.pi * second) / 2 - log_size
        step = miss / (gap * gap * second)
        t += max(-2.0, min(2.0, step))
        if abs(step) < CLOSE:
            break
    return found


def _exponent(factors: Factors, order: float) -> float:
    return factors.log_moment(order) - math.log(order * (order - 1))


__all__ = ["level"]
