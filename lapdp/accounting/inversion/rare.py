"""A bound of delta of subsampled Gaussians without their rare huge losses, which rule all moments.

For k pairs (w P + (1 - w) Q, Q) with a normal loss l of (P, Q), some l exceeds c with a probability
of at most k p. Elsewhere Chernoff's bound holds with the moments over l <= c. There z^s, z = 1 - w
+ w e^l and s >= 1, is convex in x = e^l, so below its chord between any 0 = x_0 < x_1 < ... < e^c:

    delta(t) <= k p + e^((1 - s) t) M^k,
    M = sum of (Q_i (Z_i x_(i+1) - Z_(i+1) x_i) + P_i (Z_(i+1) - Z_i))/(x_(i+1) - x_i),

with Z_i = z^s at x_i, as Q_i and P_i, the masses of x_i < x <= x_(i+1), are the means of 1 and of x
under Q.  Bounded losses beside them have moments of their own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.core.effort import spend
from lapdp.core.precision import workprec

ORDERS = [2.0 ** (j / 2) for j in range(2, 80)]
BITS, LARGEST, SEEN = 128, 700.0, 30.0
"""Of balls; logarithms of doubles, and of what 1 is next to nothing beside."""
FAR, FARTHEST = 8.0, 64.0
"""From where on a tail is its series; orders so many times as large as the best one are too large.
"""
PLACE = 60
"""Steps that one of the places takes."""
FIRST, STEP, LEAST = 3.0, 0.25, 3.0
"""Deviations: how far x_1 lies below the mean, from one place to the next, and above the mean of
the least c."""


def is_rare(factors: Factors) -> bool:
    """Are all of them such pairs?"""
    return all(isinstance(s, MixedNormalSpectrum) and s.second.exact == 0 and 0 < s.doubles[0] < 1
               for s, _ in factors.parts)


@lru_cache(maxsize=128)
def is_bounded(factors: Factors) -> bool:
    """Are there such pairs, beside nothing but bounded losses?

    >>> from lapdp import gaussian, laplace, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> hits = poisson(gaussian(1), "0.01", direction="remove")
    >>> [is_bounded(releases(hits * noise)) for noise in (laplace(1), gaussian(1))]
    [True, False]
    """
    pairs, others = _parted(factors)
    return bool(pairs) and is_rare(Factors(pairs)) and all(
        s.largest is not None and math.isinf(s.lower) and math.isinf(s.upper)
        and (1 - s.finite_mass()).is_zero() for s, _ in others)


@lru_cache(maxsize=128)
def _parted(factors: Factors) -> tuple[tuple[tuple[MixedNormalSpectrum, int], ...],
                                       tuple[tuple[Any, int], ...]]:
    """Mixtures of normal laws, and all others."""
    return (tuple((s, k) for s, k in factors.parts if isinstance(s, MixedNormalSpectrum)),
            tuple((s, k) for s, k in factors.parts if not isinstance(s, MixedNormalSpectrum)))


@lru_cache(maxsize=256)
def _moment(s: Any, order: float) -> Any:
    """A bound of that of a bounded loss."""
    return moment_bound(Factors(((s, 1),)), order)


def bound(factors: Factors, t: Any, level: float) -> Any:
    """At least delta(t), t > 0; orders and intervals are chosen for about e^level."""
    near = float(t)
    chosen = min(_moments(factors, level), key=lambda row: row[1] + (1 - row[0]) * near)[0]
    with workprec(BITS):
        total, log, order = flint.arb(0), flint.arb(0), flint.arb(chosen)
        pairs, others = _parted(factors)
        for s, k in pairs:
            w, (places, first, other) = s.first.ball(), _beyond(s, k, level)
            powers = [(order * (1 - w + w * x).log()).exp() for x in places]
            moment = sum(_chords(places, powers, first, other), flint.arb(0))
            total += k * (w * first[-1] + (1 - w) * other[-1])
            log += k * moment.log()
        for single, k in others:
            log += k * _moment(single, chosen).log()
        return (total + ((1 - order) * t + log).exp()).upper()


@lru_cache(maxsize=64)
def _beyond(s: MixedNormalSpectrum, copies: int, level: float
            ) -> tuple[list[Any], list[Any], list[Any]]:
    """Places of e^l, and the P-masses and Q-masses beyond each: the same for many t."""
    with workprec(BITS):
        kappa, ends = s.kappa.ball(), [flint.arb(c) for c in _ends(s, copies, level)]
        spend(PLACE * len(ends))
        root = 2 * kappa.sqrt()
        first, other = ([flint.arb(1), *(((c + side * kappa) / root).erfc() / 2 for c in ends)]
                        for side in (-1, 1))
        return [flint.arb(0), *(c.exp() for c in ends)], first, other


def log_odds(w: float, t: float) -> float:
    """About the log of (e^t - 1)/w + 1, the least e^l with a loss above t; -inf where all are.

    >>> log_odds(0.5, 0.0), log_odds(0.5, -1.0), log_odds(1.0, 1e5)
    (0.0, -inf, 100000.0)
    """
    if t > LARGEST / 2:
        return t - math.log(w)
    odds = math.expm1(t) / w
    return math.log1p(odds) if odds > -1 else -math.inf


def log_hit(factors: Factors, t: float) -> float:
    """About the logarithm of what one huge loss adds to delta(t), t > 0: a choice."""
    found: list[float] = []
    for s, k in factors.parts:
        assert isinstance(s, MixedNormalSpectrum)
        w, _, kappa = s.doubles
        a = max(0.0, (log_odds(w, t) - kappa) / (2 * math.sqrt(kappa)))
        found.append(math.log(k * w) - a * a)
    return max(found)


def rates(factors: Factors) -> Any:
    """At least the total variation: the sum of all rates, and for bounded losses that of moments,
    by Cauchy and Schwarz."""
    total = flint.arb(0)
    with workprec(BITS):
        pairs, others = _parted(factors)
        for s, k in pairs:
            total += k * s.first.ball()
        if others:
            total += _variation(Factors(others))
    return total.upper()


def _variation(factors: Factors) -> Any:
    """A bound for bounded losses: its square is at most 1 - E_(1/2)^2."""
    affinity = flint.arb(1)
    for s, k in factors.parts:
        affinity *= s.line(flint.arb(0.5), 0.0, BITS).at(flint.arb(0)).real ** k
    if not affinity.is_finite():
        # at a pole that cancels: those of so simple a law leak much
        return flint.arb(1)
    return (1 - affinity * affinity).upper().max(flint.arb(0)).sqrt().upper()


def reach(factors: Factors, level: float) -> float:
    """About the least t at which the bound is e^level: a choice."""
    return min(((log - level) / (order - 1) for order, log in _moments(factors, level)),
               default=math.inf)


def _chords(places: list[Any], powers: list[Any], first: list[Any], other: list[Any]
            ) -> Iterator[Any]:
    """The terms of M, by the P-masses and Q-masses beyond each place."""
    for i in range(len(places) - 1):
        p, q = first[i] - first[i + 1], other[i] - other[i + 1]
        low, high, z, y = places[i], places[i + 1], powers[i], powers[i + 1]
        yield (q * (z * high - y * low) + p * (y - z)) / (high - low)


@lru_cache(maxsize=128)
def _moments(factors: Factors, level: float) -> list[tuple[float, float]]:
    """(s, log of the product of M^k) in doubles, up to orders that are far too large."""
    pairs, others = _parted(factors)
    known, beside = [(k, *_cells(s, k, level)) for s, k in pairs], Factors(others)
    found, best = [(1.0 + 2.0**-20, 0.0)], (math.inf, math.inf)
    for order in ORDERS:
        log = sum(k * _log_moment(order, logs, cells, left) for k, logs, cells, left in known)
        log += beside.log_moment(order)
        found.append((order, log))
        best = min(best, ((log - level) / (order - 1), order))
        if order > FARTHEST * best[1]:
            break
    return found


def _cells(s: MixedNormalSpectrum, copies: int, level: float
           ) -> tuple[list[float], list[tuple[float, float]], float]:
    """log z at all places, then for each interval the logarithm of its Q-mass and where between its
    ends the mean of x lies, and the Q-mass beyond all.

    Logarithms, as doubles hold neither such masses nor powers.
    """
    w, _, kappa = s.doubles
    ends, root = _ends(s, copies, level), math.sqrt(2 * kappa)
    first, other = ([0.0, *(_log_tail((c + side * kappa) / root) for c in ends)]
                    for side in (-1, 1))
    logs = [math.log1p(-w), *(math.log1p(w * math.expm1(c)) if c < LARGEST else c + math.log(w)
                              for c in ends)]
    cells = []
    for i, end in enumerate(ends):
        p, q = (row[i] + math.log(-math.expm1(min(row[i + 1] - row[i], -1e-300)))
                for row in (first, other))
        # over the right end
        mean, low = math.exp(min(0.0, p - q - end)), math.exp(ends[i - 1] - end) if i else 0.0
        cells.append((q, min(1.0, max(0.0, (mean - low) / (1 - low)))))
    return logs, cells, math.exp(other[-1])


def _log_moment(order: float, logs: list[float], cells: list[tuple[float, float]], left: float
                ) -> float:
    """log M, which may be next to 0: z^s is 1 and more."""
    small, large = -left, [0.0]
    for (q, share), low, high in zip(cells, logs, logs[1:], strict=False):
        if order * high < SEEN:
            small += math.exp(q) * ((1 - share) * math.expm1(order * low) + share * math.expm1(
                order * high))
        else:
            large.append(q + order * low)
            if share > 0:
                large.append(q + order * high + math.log(share))
    top = max(large)
    if top > SEEN:
        return top + math.log(sum(math.exp(x - top) for x in large))
    return math.log1p(max(small + sum(map(math.exp, large[1:])), -0.5))


def _log_tail(x: float) -> float:
    """The logarithm of the right tail of a normal law."""
    if x < FAR:
        return math.log(math.erfc(x / math.sqrt(2)) / 2)
    y = 1 / (x * x)
    return -x * x / 2 - math.log(x * math.sqrt(2 * math.pi)) + math.log1p(-y * (1 - 3 * y))


def _ends(s: MixedNormalSpectrum, copies: int, level: float) -> list[float]:
    """The logarithms of x_1, x_2, ...: beyond the last one so little is left."""
    kappa = s.doubles[2]
    root = math.sqrt(2 * kappa)
    far = math.sqrt(2 * max(LEAST**2, 2 + math.log(copies) - level))
    steps = math.ceil((far + FIRST) / STEP)
    return [kappa + root * (far - STEP * j) for j in range(steps, -1, -1)]


__all__ = ["bound", "is_bounded", "is_rare", "log_hit", "log_odds", "rates", "reach"]
