"""Where delta has a given size, nearly, by the saddle point approximation in doubles.

With phi(g) = log E_g - log(g (g - 1)) the saddle for eps = phi'(g) is g, and delta(eps) is about
e^(phi - (g - 1) eps)/sqrt(2 pi phi'') (1 + phi''''/(8 phi''^2) - 5 phi'''^2/(24 phi''^3)), which
falls as g grows.  Losses of subsampled Gaussians that are too rare to be seen in delta are left
out: far out the moments are theirs.  A choice: nothing is proved here.
"""

from __future__ import annotations

import math

from lapdp.accounting.inversion.saddle import right_of_one
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum

STEPS = 60
CLOSE = 2e-3
ROUNDS, BEYOND = 6, 5.0


def level(factors: Factors, log_size: float) -> tuple[float, float] | None:
    """(eps, slope of log delta there), nearly, where log delta is ``log_size``; None where doubles
    fail."""
    most = math.log(factors.upper - 1) - 0.1 if math.isfinite(factors.upper) else 40.0
    t, low, high = min(0.0, most - 0.6), -40.0, most
    for _ in range(STEPS):
        gap = math.exp(t)
        here, first, second, third, correction = _expansion(factors, gap, log_size)
        if not (math.isfinite(first) and second > 0):
            high, t = t, max((low + t) / 2, t - 1)
            continue
        size = here - gap * first - math.log(2 * math.pi * second) / 2 + correction
        low, high = (t, high) if size > log_size else (low, t)
        step = (size - log_size) / (gap * gap * second)
        if abs(step) < CLOSE or high - low < CLOSE:
            # the derivative of what is above, but for that of the last factor
            slope = min(-gap / 2, -gap - third / (2 * second**2))
            return first + (log_size - size) / slope, slope
        # Newton's step, kept inside what is known: log E may bend sharply
        t = t + max(-2.0, min(2.0, step))
        if not low < t < high:
            t = (low + high) / 2 if high - low < 4 else low + 2 if t <= low else high - 2
    return None


def likely_size(factors: Factors, eps: float, most: float) -> float:
    """log delta, nearly, where e^most is the size of the integrand at its saddle."""
    found = most
    for _ in range(ROUNDS):
        def size(g: float, rare: float = found - BEYOND) -> float:
            return (1 - g) * eps + _log_moment(factors, g, rare) - math.log(g * (g - 1))

        gap, curvature = right_of_one(size, factors.upper - 1)
        here = size(1 + gap) - math.log(2 * math.pi * max(1.0, curvature)) / 2
        before, found = found, min(here, most) if math.isfinite(here) else most
        if abs(found - before) < 1:
            break
    return max(before, found)


def normal_level(kappa: float, size: float) -> tuple[float, float] | None:
    """The same for a loss N(kappa, 2 kappa) and delta itself: Newton's method on the closed form,
    near to the last places; None where doubles fail."""
    root = math.sqrt(kappa)
    x, low, high = kappa, 0.0, kappa + 80 * root
    for _ in range(STEPS):
        a = (x - kappa) / (2 * root)
        fall = math.exp(min(x, 700.0)) * math.erfc(a + root) / 2
        here = math.erfc(a) / 2 - fall
        if not (here > 0 and fall > 0):
            high = x
        else:
            slope, gap = -fall / here, math.log(here / size)
            low, high = (x, high) if gap > 0 else (low, x)
            step = -gap / slope
            # the closed form cancels a little
            if abs(step) < 1e-11 * x:
                return x + step, slope
            x += step
        if not low < x < high:
            x = (low + high) / 2
    return None


def normal_strength(eps: float, size: float) -> tuple[float, float]:
    """The kappa at which delta of N(kappa, 2 kappa) is ``size`` at an eps, and the derivative of
    log delta by kappa there, near to the last places; ArithmeticError where doubles fail."""
    low, high, x = 1e-12, 1e6, eps / 4 + 0.1
    for _ in range(4 * STEPS):
        root = math.sqrt(x)
        a = (eps - x) / (2 * root)
        here = math.erfc(a) / 2 - math.exp(min(eps, 700.0)) * math.erfc(a + root) / 2
        if not here > 0:
            low = x
        else:
            # the derivative of delta by kappa is that of its normal density
            slope = math.exp(-a * a) / (2 * math.sqrt(math.pi * x)) / here
            gap = math.log(here / size)
            low, high = (low, x) if gap > 0 else (x, high)
            step = -gap / slope
            if abs(step) < 1e-12 * x:
                return x + step, slope
            x += step
        if not low < x < high:
            x = math.sqrt(low * high)
    raise ArithmeticError("no kappa is found")


def _log_moment(factors: Factors, order: float, log_size: float) -> float:
    return sum(k * (s.log_usual_moment(order, log_size - math.log(k))
                    if isinstance(s, MixedNormalSpectrum) else s.log_moment(order))
               for s, k in factors.parts)


def _expansion(factors: Factors, gap: float, log_size: float
               ) -> tuple[float, float, float, float, float]:
    """phi, phi', phi'', phi''' and the log of the correction at 1 + gap."""
    h, order = gap / 16, 1 + gap
    a, b, c, d, e = (_log_moment(factors, order + j * h, log_size) for j in (-2, -1, 0, 1, 2))
    # the logarithms have their derivatives in closed form, differences are for log E
    first = (8 * (d - b) - (e - a)) / (12 * h) - 1 / order - 1 / gap
    second = (16 * (d + b) - (e + a) - 30 * c) / (12 * h * h) + order**-2 + gap**-2
    third = (e - a - 2 * (d - b)) / (2 * h**3) - 2 * order**-3 - 2 * gap**-3
    fourth = (e + a - 4 * (d + b) + 6 * c) / h**4 + 6 * order**-4 + 6 * gap**-4
    correction = fourth / (8 * second**2) - 5 * third**2 / (24 * second**3) if second > 0 else 0.0
    return (c - math.log(order * gap), first, second, third,
            math.log1p(correction) if abs(correction) < 0.5 else 0.0)


__all__ = ["level", "likely_size", "normal_level",
           "normal_strength"]
