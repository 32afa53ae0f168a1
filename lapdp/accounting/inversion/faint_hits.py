"""Rare subsampled Gaussians and discrete Gaussians that leak next to nothing: bounds of theirs.

For a sample (w P + (1 - w) Q, Q), or (P, (1 - w) P + w Q), the total variation is w times that of
(P, Q).  With n the noise in deviations, from the mean of Q on, and root the distance of the means
in deviations, log(P/Q) is root n - root^2/2, which rises: while n is at most c + root, |log R| is
at most the larger one of its bounds at both ends.
"""

from __future__ import annotations

from typing import Any, TypeGuard

import flint

from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, right_tail
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.accounting.moments.theta import all_masses, mass_beyond

Sample = MixedNormalSpectrum | MixedThetaSpectrum


def is_hit(s: Any) -> TypeGuard[Sample]:
    """Has it huge losses that are rare, or is it at least such a mixture?"""
    return isinstance(s, Sample)


def is_sample(s: Sample) -> bool:
    """One of (w P + (1 - w) Q, Q), or of (P, (1 - w) P + w Q), 0 < w < 1?"""
    w, v, _ = s.doubles
    return bool((s.second.exact == 0 and 0 < w < 1) or (s.first.exact == 1 and 0 < v < 1))


def variation(s: Sample) -> Any:
    """A ball around the total variation of one release."""
    return abs(s.first.ball() - s.second.ball()) * _of_two(s)


def _of_two(s: Sample) -> Any:
    """That of (P, Q): whole numbers from m to m + d have it, P having more than Q from m + d on."""
    if isinstance(s, MixedNormalSpectrum):
        return (s.kappa.ball().sqrt() / 2).erf()
    first = s.shift // 2 + 1 - s.shift
    variance = s.variance.ball()
    return sum(((-flint.arb(x) ** 2 / (2 * variance)).exp() for x in range(
        first, first + s.shift)), flint.arb(0)) / all_masses(variance)


def beyond(s: Sample, place: float) -> tuple[Any, Any, Any]:
    """A bound of |log R| while the noise lies no farther than ``place`` deviations from the mean of
    P, and of the P-mass and the Q-mass of all that lies there."""
    is_first = s.second.exact == 0
    w = s.first.ball() if is_first else 1 - s.second.ball()
    root, tail, other = (_beyond_normal if isinstance(s, MixedNormalSpectrum) else _beyond_whole)(
        s, flint.arb(place))
    # of the other member it lies c away
    large = (w * (root * (flint.arb(place) + root) - root * root / 2).expm1()).log1p()
    both = (1 - w) * tail + w * other
    p, q = (both, tail) if is_first else (tail, both)
    return large.max(-(-w).log1p()).upper(), p.upper(), q.upper()


def _beyond_normal(s: Any, place: Any) -> tuple[Any, Any, Any]:
    """The distance of the means, and the masses of Q and P beyond."""
    root = (2 * s.kappa.ball()).sqrt()
    return root, right_tail(place + root), right_tail(place)


def _beyond_whole(s: Any, place: Any) -> tuple[Any, Any, Any]:
    """The same for whole numbers."""
    variance = s.variance.ball()
    deviation = variance.sqrt()
    # the first one beyond, of P: at most that of the other law
    last = max(1, int((place * deviation).lower().floor().unique_fmpz()) + 1)
    return s.shift / deviation, mass_beyond(variance, last + s.shift), mass_beyond(variance, last)


__all__ = ["Sample", "beyond", "is_hit", "is_sample", "variation"]
