"""The sums beside a release that is hit, and where hits begin, as they seem to be in doubles.

What :mod:`lapdp.accounting.inversion.hit_beside` chooses by them it proves afterwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import flint

from lapdp.accounting.inversion import one_hit
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.hit_windows import has_hits
from lapdp.accounting.inversion.rare import log_odds
from lapdp.accounting.inversion.usual_losses import (
    Release,
    bound,
    bound_within,
    log_usual,
    usual,
)
from lapdp.accounting.moments import bounded_series
from lapdp.accounting.moments.bounded_series import bounded
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2, NormalSpectrum
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.panel_series import moments_about
from lapdp.accounting.moments.sample_series import series
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec, workterms

ROUNDS, GRID, HALVES = 4, 48, 40
"""Looks at where hits begin; slopes that are tried, and steps to the best of them."""
LEAST, MOST, STEP = 1e-2, 1e10, 1 / 64
"""Slopes; differences for derivatives, as a share of it."""
FIRST_CUT, CUT, MARGIN = 4.0, 0.5, 24.0
"""Places where hits begin that are tried, and a logarithm by which one more is less likely."""
ROUGH = 64


@dataclass(frozen=True)
class Rest:
    """All releases but one that is hit: those that may be hit without a hit, and others."""

    rare: tuple[Release, ...]
    others: Factors

    def log_moment(self, order: float) -> float:
        """In doubles."""
        return self.others.log_moment(order) + sum(
            r.copies * log_usual(r.spectrum, r.far, r.cut, order) for r in self.rare)

    def tilted(self, slope: float) -> tuple[float, float, float]:
        """log E_(1+u), and mean and variance of s tilted by u."""
        h = STEP * (abs(slope) + 1)
        low, here, high = (self.log_moment(1 + slope + x) for x in (-h, 0.0, h))
        return here, (high - low) / (2 * h), max((high - 2 * here + low) / h**2, 0.0)

    def bound(self, order: float, whole: bool = False) -> Any:
        """Of E at a real order, with the smallest losses or without."""
        found = moment_bound(self.others, order) if self.others.parts else flint.arb(1)
        with workprec(ROUGH + sum(r.copies for r in self.rare).bit_length()):
            for r in self.rare:
                if r.copies:
                    found *= (bound if whole else bound_within)(r, order) ** r.copies
        return found.upper()

    def moments(self, order: float, middle: Any, terms: int, bits: int, reach: float) -> list[Any]:
        """E[e^(order s) (s - middle)^j]."""
        with workterms(terms):
            total, shift, q = flint.arb_series([1], terms), -middle, flint.arb(order)
            for r in self.rare:
                if r.copies:
                    # of many the powers of what lies between their means and m would cancel
                    near = Rest((r.single,), Factors(())).tilted(order - 1)[1]
                    one = flint.arb_series(usual(r.single, order, terms, bits, near), terms)
                    total, shift = total * one**r.copies, shift + r.copies * flint.arb(near)
            for s, k in self.others.parts:
                if isinstance(s, NormalSpectrum):
                    # E_q is e^(q (q - 1) kappa); the powers of its mean would cancel, too
                    kappa = k * s.kappa.ball()
                    total = total * flint.arb_series([
                        q * (q - 1) * kappa, 0, kappa], terms).exp()
                    shift += (2 * q - 1) * kappa
                else:
                    near, one = self._one(s, order, terms, bits, reach)
                    total, shift = total * flint.arb_series(one, terms)**k, shift + k * near
            return moments_about(total, shift, terms)

    @staticmethod
    def _one(s: Any, order: float, terms: int, bits: int, reach: float) -> tuple[Any, list[Any]]:
        """A place, and the power series about it, of one loss."""
        if isinstance(s, MixedNormalSpectrum):
            return series(s, order, terms, bits, reach)
        found = bounded(s)
        assert found is not None
        near = Rest((), Factors(((s, 1),))).tilted(order - 1)[1]
        return flint.arb(near), bounded_series.series(found, order, near, terms, bits, reach)


def chosen_cuts(factors: Factors, others: Factors, t: float, bits: int
                ) -> tuple[list[Release], list[float]]:
    """Where hits begin, as near as one more hit is unlikely beside the large one, and the slope for
    each release."""
    rare = [(s, k) for s, k in factors.parts if isinstance(s, MixedNormalSpectrum) and has_hits(s)]
    far = float(math.ceil(math.sqrt(2 * (bits * LOG2 + math.log(factors.count) + 4))))
    cuts, slopes = [FIRST_CUT] * len(rare), [LEAST] * len(rare)
    for _ in range(ROUNDS):
        found = [Release(s, k, c, far, 0.0) for (s, k), c in zip(rare, cuts, strict=True)]
        slopes = [_best(r, Rest(tuple(o.times(o.copies - (o is r)) for o in found), others), t)
                  for r in found]
        new = [_cut(s, k, max(slopes), t, bits, sum(n for _, n in rare)) for s, k in rare]
        if new == cuts:
            break
        cuts = [max(pair) for pair in zip(new, cuts, strict=True)]
    u = max(slopes)
    return [Release(s, k, c, far, min(one_hit.MOST_CELL, math.sqrt(16 * one_hit.LOST / (
        (1 + u) * s.doubles[2])))) for (s, k), c in zip(rare, cuts, strict=True)], slopes


def _cut(s: MixedNormalSpectrum, k: int, u: float, t: float, bits: int, count: int) -> float:
    w, _, kappa = s.doubles
    c, root = FIRST_CUT, math.sqrt(2 * kappa)
    goal = bits * LOG2 + MARGIN + math.log(count)
    most = log_odds(w, t)
    while c * c / 2 - (1 + u) * math.log1p(w * math.expm1(root * c - kappa)) < goal:
        c += CUT
        if not root * c - kappa < most:
            raise Unsupported("hits are not told from usual losses")
    return c


def log_profile(r: Release, x: float) -> tuple[float, float]:
    """About the logarithm of g at x, and the slope of -log g there; no slope at x <= 0, where sums
    need no huge loss."""
    w, _, kappa = r.spectrum.doubles
    if not x > 0:
        return math.log(w), 0.0
    a = max(0.0, (log_odds(w, x) - kappa) / (2 * math.sqrt(kappa)))
    return math.log(w) - a * a - math.log1p(2 * a), one_hit._slope(w, 0.0, kappa, x)


def log_size(r: Release, rest: Rest, t: float, log_u: float) -> float:
    """About the logarithm of what a hit of one release adds where sums are as tilted by u."""
    u = math.exp(log_u)
    here, mean, _ = rest.tilted(u)
    if not (math.isfinite(here) and t - mean > 0):
        return -math.inf
    return here - u * mean + log_profile(r, t - mean)[0]


def _best(r: Release, rest: Rest, t: float) -> float:
    """The u whose tilted mean s0 has the most of e^s g(t - s) near."""
    def size(log_u: float) -> float:
        return -log_size(r, rest, t, log_u)

    places = [math.log(LEAST) + j * math.log(MOST / LEAST) / GRID for j in range(GRID + 1)]
    best = min(places, key=size)
    if not math.isfinite(size(best)):
        raise Unsupported("no slope is found for one huge loss")
    low, high = best - math.log(MOST / LEAST) / GRID, best + math.log(MOST / LEAST) / GRID
    golden = (math.sqrt(5) - 1) / 2
    for _ in range(HALVES):
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if size(a) < size(b) else (a, high)
    s0 = rest.tilted(math.exp((low + high) / 2))[1]
    # at the best place that is the slope there, too; what others add hardly changes it where they
    # spread little
    u = float(f"{log_profile(r, t - s0)[1]:.5g}")
    # orders 1 + u are doubles: no number is rounded, but u
    return (1 + u) - 1


__all__ = ["Rest", "chosen_cuts", "log_profile", "log_size"]
