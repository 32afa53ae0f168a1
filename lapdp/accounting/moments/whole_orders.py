"""Moments of subsampled Gaussians at whole orders: finite binomial sums, all orders at once.

For (w P + (1 - w) Q, Q) and a loss N(kappa, 2 kappa) of (P, Q), the binomial theorem gives

    E_n = sum over j of C(n, j) w^j (1 - w)^(n - j) e^(kappa j (j - 1)),

n! (1 - w)^n times the coefficient of x^n in e^x sum of (w/(1 - w))^j e^(kappa j (j - 1)) x^j/j!:
one product of polynomials with positive coefficients.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments.lines import Number
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum

MOST_ORDER = 512
LEAST_LENGTH = 64


def whole_moment(spectrum: MixedNormalSpectrum, order: int) -> Any:
    """E at a whole order, a ball at the working precision; None where there is no finite sum."""
    if spectrum.second.exact == 0 and spectrum.first.exact != 1:
        weight, n = spectrum.first, order
    elif spectrum.first.exact == 1 and spectrum.second.exact != 0:
        # E_q of (P, v P + (1 - v) Q) is E_(1 - q) of the mixture against P
        weight, n = Number(1 - spectrum.second.exact), 1 - order
    else:
        return None
    if not 0 <= n <= MOST_ORDER or weight.exact == 1:
        return None
    length = max(LEAST_LENGTH, 1 << (n + 1).bit_length())
    return _moments(weight, spectrum.kappa, length, flint.ctx.prec)[n]


@lru_cache(maxsize=32)
def _moments(weight: Number, kappa: Number, length: int, precision: int) -> list[Any]:
    """E_0, E_1, ... at the working precision, which is named because results are kept."""
    w, k = weight.ball(), kappa.ball()
    odds, root = w / (1 - w), k.exp()
    one, other, power, size, left = [flint.arb(1)], [flint.arb(1)], flint.arb(1), flint.arb(1), 1
    for j in range(1, length):
        # e^(k j (j - 1)) grows by e^(2 k (j - 1)) from one to the next
        power *= odds * size / j
        size *= root * root
        left *= j
        one.append(flint.arb(1) / left)
        other.append(power)
    found: list[Any] = (flint.arb_poly(one) * flint.arb_poly(other)).coeffs()[:length]
    scale = flint.arb(1)
    for n in range(1, length):
        scale *= (1 - w) * n
        found[n] *= scale
    return found


__all__ = ["MOST_ORDER", "whole_moment"]
