"""A bound of delta of subsampled Gaussians without their rare huge losses, which rule all moments.

For k pairs (w P + (1 - w) Q, Q) with a normal loss l of (P, Q), some l exceeds the last c of c_0 <
c_1 < ... < c with a probability of at most k p. Elsewhere Chernoff's bound holds with the moments
over l <= c. For l <= c_0 there z^s, z = 1 - w + w e^l and s >= 1, is convex in x = e^l, so below
its chord from x = 0, and E_Q[x] = 1; on each further interval it is largest at the end. So

    delta(t) <= k p + e^((1 - s) t) M^k,
    M = (1 - w)^s + e^-c_0 (z(c_0)^s - (1 - w)^s) + sum of Q[c_i < l <= c_(i+1)] z(c_(i+1))^s.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.core.precision import workprec

ORDERS = [2.0 ** (j / 2) for j in range(2, 80)]
BITS, STEPS, FIRST, LARGEST = 128, 24, 3.0, 700.0
"""Intervals above c_0, which lies so many deviations above the mean; logarithms of doubles."""


def is_rare(factors: Factors) -> bool:
    """Are all of them such pairs?"""
    return all(isinstance(s, MixedNormalSpectrum) and s.second.exact == 0 and 0 < s.doubles[0] < 1
               for s, _ in factors.parts)


def bound(factors: Factors, t: Any, level: float) -> Any:
    """At least delta(t), t > 0; orders and intervals are chosen for about e^level."""
    near = float(t)
    chosen = min(_moments(factors, level), key=lambda row: row[1] + (1 - row[0]) * near)[0]
    with workprec(BITS):
        total, log, order = flint.arb(0), flint.arb(0), flint.arb(chosen)
        for s, k in factors.parts:
            assert isinstance(s, MixedNormalSpectrum)
            w, kappa, ends = s.first.ball(), s.kappa.ball(), [flint.arb(c) for c in _ends(
                s, k, level)]
            root = 2 * kappa.sqrt()
            tails = [((c + kappa) / root).erfc() / 2 for c in ends]
            powers = [(order * (1 - w + w * c.exp()).log()).exp() for c in ends]
            low = (order * (-w).log1p()).exp()
            moment = low + (-ends[0]).exp() * (powers[0] - low)
            moment += sum(((a - b) * x for a, b, x in zip(
                tails, tails[1:], powers[1:], strict=False)), flint.arb(0))
            total += k * (w * ((ends[-1] - kappa) / root).erfc() / 2 + (1 - w) * tails[-1])
            log += k * moment.log()
        return (total + ((1 - order) * t + log).exp()).upper()


def reach(factors: Factors, level: float) -> float:
    """About the least t at which the bound is e^level: a choice."""
    return min(((log - level) / (order - 1) for order, log in _moments(factors, level)),
               default=math.inf)


@lru_cache(maxsize=128)
def _moments(factors: Factors, level: float) -> list[tuple[float, float]]:
    """(s, log of the product of M^k) in doubles."""
    found = [(1.0 + 2.0**-20, 0.0)]
    if any(_ends(s, k, level)[-1] > LARGEST for s, k in factors.parts
           if isinstance(s, MixedNormalSpectrum)):
        return found
    for order in ORDERS:
        total = 0.0
        for s, k in factors.parts:
            assert isinstance(s, MixedNormalSpectrum)
            w, _, kappa = s.doubles
            ends = _ends(s, k, level)
            logs = [order * math.log1p(w * math.expm1(c)) for c in ends]
            if logs[-1] > LARGEST:
                return found
            low, tails = order * math.log1p(-w), [math.erfc((c + kappa) / (
                2 * math.sqrt(kappa))) / 2 for c in ends]
            more = math.expm1(low) + math.exp(-ends[0]) * (math.exp(logs[0]) - math.exp(low)) + sum(
                (a - b) * math.exp(x) for a, b, x in zip(tails, tails[1:], logs[1:], strict=False))
            total += k * math.log1p(more)
        found.append((order, total))
    return found


def _ends(s: MixedNormalSpectrum, copies: int, level: float) -> list[float]:
    """c_0, ..., c: beyond the last one so little is left."""
    kappa = s.doubles[2]
    root = math.sqrt(2 * kappa)
    far = math.sqrt(2 * max(FIRST**2, 2 + math.log(copies) - level))
    return [kappa + root * (FIRST + (far - FIRST) * j / STEPS) for j in range(STEPS + 1)]


__all__ = ["bound", "is_rare", "reach"]
