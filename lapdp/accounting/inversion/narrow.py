"""delta of losses with corners beside narrow ones: those that hardly carry a corner to eps.

Let X be a bounded loss with corners (see :mod:`lapdp.accounting.inversion.residues`), and Y that of
all other releases.  Where both are finite,

    delta(eps) = the mean of delta_X(eps - Y),

and delta_X(t) is an integral over a circle |q - 1/2| = r, of the corners above t.  If no corner
lies between eps - b and eps + a, those above eps - Y are those above eps while -a < Y < b: then
delta_X is F(eps - Y), F the integral of the corners above eps whatever t is.  The mean of it may
be taken under the integral, where e^(-t (q - 1)) becomes e^(-eps (q - 1)) E_q[Y]: it is the
integral of X, times the moment of Y.  No line and no decay is asked for, of either.

Where Y may reach farther, F is off delta_X by at most 1 + |F|, and with M a bound of the integrand
at eps on the circle, |F(eps - y)| <= r M e^((r + 1/2) |y|).  So by Chernoff's bound, for all s > 0,

    |delta(eps) - the integral| <= (1 + r M) (e^(-s b) E_(3/2 + r + s) + e^(-s a) E_(1/2 - r - s)).

Subsampled Gaussians have no such moments, or huge ones.  They are cut at some deviations: the rest,
a P-mass that is told, adds at most itself.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion import residues
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.corners import Corners, corners_of
from lapdp.accounting.moments.entire import EntireMoments
from lapdp.accounting.moments.exact import ExactSpectrum, double
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

FAR_GAP = 600.0
"""A distance from eps that no huge loss is seen to reach."""
PLACE_BITS, ROUGH = 128, 64
GRADES = 40
"""Orders tried for what lies beyond, each sqrt(2) times the one before."""
HALF, NOISE, SHARE = 0.25, 1e-11, 0.25
"""Of a difference of logarithms of moments, what of it is rounding, for each release, and of the
exponent that is needed, the part from which on others may be narrow enough."""
FARTHEST = 60
"""Deviations at which normal losses are cut, at most."""


class Beside:
    """The moments of narrow releases as a factor of the integrand."""

    def __init__(self, factors: Factors, deviations: int) -> None:
        self.moments = EntireMoments(factors, deviations)
        self.values = self.moments.values
        self.sizes: dict[float, Any] = {}

    def size(self, radius: Any) -> Any:
        """|E_q| is at most the moment at the real part of q, a convex function of it."""
        key = float(radius)
        if key not in self.sizes:
            self.sizes[key] = self.moments.bound(radius).max(self.moments.bound(-radius))
        return self.sizes[key]


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps) of the finite losses, to about ``bits`` bits.

    Raises :class:`Unsupported` where corners lie too near to eps, or there are none.
    """
    found = parted(factors)
    if found is None:
        raise Unsupported("no losses with corners stand beside others")
    exact, rest = found
    corners, goal = corners_of(exact), (bits + factors.count.bit_length()) * LOG2
    with workprec(PLACE_BITS):
        places = residues.Balls(corners)
        gaps = places.gaps(eps)
        if not (gaps[0] > 0 and gaps[1] > 0):
            raise Unsupported("eps is next to a corner")
        if not any(places.above(eps).counts):
            raise Unsupported("no corner lies above eps")
    size = min(0.0, saddle(factors, float(eps), goal).size)
    if _reaches(rest, float(gaps[0]), size - goal) or _spreads(
            rest, (float(gaps[0]), float(gaps[1])), goal - size):
        raise Unsupported("other losses carry a corner to eps")
    beside = _beside(rest, _deviations(rest, goal - size))
    moments = beside.moments
    radius = residues.radius_for(Factors((*exact.parts, *moments.parts)), corners, eps)
    error = moments.left_out
    with workprec(ROUGH):
        largest = radius * residues.size_at(corners, eps, radius)
        for side, gap, farthest in ((1, gaps[0], moments.high), (-1, gaps[1], -moments.low)):
            if farthest < gap:
                continue
            start = side * radius + (1 if side > 0 else 0)
            order = _order(moments, side, start, float(gap))
            error += (1 + largest) * (-order * gap).exp() * moments.bound(
                flint.arb(start) + side * order)
        if not error < flint.arb(size - goal).exp():
            raise Unsupported("other losses may carry a corner to eps")
    return flint.arb(0, error.upper()) + residues.around(
        corners, eps, bits, factors.count.bit_length(), radius, beside)


def _reaches(factors: Factors, gap: float, least: float) -> bool:
    """Does a huge loss of one release exceed the gap with more than e^``least`` probability?  No
    bound is below that then: a choice, in doubles."""
    for s, _ in factors.parts:
        if isinstance(s, MixedNormalSpectrum) and s.second.exact == 0 and gap < FAR_GAP:
            w, _, kappa = s.doubles
            place = math.log1p(math.expm1(gap) / w) - kappa
            if w * math.erfc(place / (2 * math.sqrt(kappa))) / 2 > math.exp(max(least, -700.0)):
                return True
    return False


def _spreads(factors: Factors, gaps: tuple[float, float], exponent: float) -> bool:
    """Do subsampled Gaussians reach a corner on either side by far more often than e^-exponent, as
    normal losses of the variance that they have at order 1/2 do?  A choice, in doubles, before
    moments of what is cut are made, which takes long."""
    high, low, log = 0.0, 0.0, factors.log_moment
    for s, k in factors.parts:
        if isinstance(s, MixedNormalSpectrum):
            w, v, _ = s.doubles
            high += k * math.log(w / v) if v else math.inf
            low += k * (math.log1p(-v) - math.log1p(-w)) if w < 1 else math.inf
    variance = (log(0.5 + HALF) + log(0.5 - HALF) - 2 * log(0.5)) / HALF**2
    return variance > NOISE * factors.count and any(
        reach > gap and gap**2 < 2 * SHARE * exponent * variance
        for gap, reach in zip(gaps, (high, low), strict=True))


def _order(moments: EntireMoments, side: int, start: float, gap: float) -> float:
    """The s with about the least e^(-s gap) E_(1/2 + start + side s), whose logarithm is convex."""
    def size(j: int) -> float:
        s = math.sqrt(2.0**j) / gap
        return moments.log_moment(0.5 + start + side * s) - s * gap

    low, high = 0, GRADES - 1
    while low < high:
        middle = (low + high) // 2
        if size(middle) <= size(middle + 1):
            high = middle
        else:
            low = middle + 1
    return math.sqrt(2.0**low) / gap


def _deviations(factors: Factors, goal: float) -> int:
    """Where normal losses are cut: so that what is left out is below e^-goal."""
    many = sum(k for s, k in factors.parts if isinstance(s, MixedNormalSpectrum))
    found = 2 * math.ceil(math.sqrt(2 * (goal + math.log(2 * many))) / 2 + 0.5) if many else 0
    if found > FARTHEST:
        raise Unsupported("normal losses would be cut too far out")
    return found


@lru_cache(maxsize=64)
def _beside(factors: Factors, deviations: int) -> Beside:
    return Beside(factors, deviations)


@lru_cache(maxsize=64)
def parted(factors: Factors) -> tuple[Factors, Factors] | None:
    """The losses with corners, and all others: those that have none, or whose corners would be too
    many, those that reach least first.  None where either is missing.

    >>> from lapdp import laplace, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> found = parted(releases(laplace(2)**9 * poisson(laplace(2), "0.001", direction="add")))
    >>> found[0].count, found[1].count
    (9, 1)
    """
    exact: list[tuple[Any, int]] = []
    rest: list[tuple[Any, int]] = []
    for s, k in factors.parts:
        if _corners(Factors(((s, k),))):
            exact.append((s, k))
        elif isinstance(s, ExactSpectrum | PiecewiseSpectrum) or _is_mixture(s):
            rest.append((s, k))
        else:
            return None
    exact.sort(key=lambda part: part[1] * max(abs(double(x)) for x in (
        *part[0].loss.impulses, *part[0].loss.jumps)))
    while exact and not _corners(Factors(tuple(exact))):
        rest.append(exact.pop(0))
    if not exact or not rest or any(s.largest is None for s, _ in rest if not _is_mixture(s)):
        return None
    return Factors(tuple(exact)), Factors(tuple(rest))


def _is_mixture(spectrum: Any) -> bool:
    """Are both mixtures of two normal laws, so that cuts of these bound what is left out?"""
    return isinstance(spectrum, MixedNormalSpectrum) and spectrum.doubles[:2] != (1.0, 0.0)


def _corners(factors: Factors) -> Corners | None:
    try:
        return corners_of(factors)
    except Unsupported:
        return None


def is_short(factors: Factors) -> bool:
    """Do few corners stand beside others?"""
    found = parted(factors)
    return found is not None and residues.is_short(found[0])


__all__ = ["delta", "is_short", "parted"]
