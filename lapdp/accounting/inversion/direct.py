"""Profiles with a formula in balls: of normal losses, and of one subsampled Gaussian, discrete
Gaussian (:mod:`lapdp.accounting.inversion.whole_tails`) or Laplace.

For P and Q with losses N(kappa, 2 kappa), delta(t) is D(t) = (erfc(a) - e^t erfc(a + r))/2 with r =
sqrt(kappa) and a = (t - kappa)/(2 r) (Balle and Wang 2018, Theorem 8).  For Laplace noise of scale
b, a the sensitivity over b, it is 1 - e^t below -a, 1 - e^((t - a)/2) from there to a, and 0 above.
For w P + (1 - w) Q against
v P + (1 - v) Q, w > v, it is the integral of max(0, x p - y q), x = w - e^t v and y = e^t (1 - v) -
(1 - w): x D(log(y/x)) where both are positive, 0 where x <= 0, and x - y = 1 - e^t where y <= 0.
Other bounded losses with few corners on one lattice have a short sum over these
(:mod:`lapdp.accounting.inversion.residues`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import flint

from lapdp.accounting.inversion import residues, whole_tails
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import NormalSpectrum, Number
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.mixed_theta import MixedThetaSpectrum
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.mechanisms.laplace import Laplace
from lapdp.privacy.operations import Reversed
from lapdp.privacy.overlapping import OverlappingMixtures
from lapdp.privacy.pair import Pair

MOST_BITS, CORNER_BITS, SPARE = 1 << 12, 1 << 10, 30
"""Precision up to which a difference of nearly equal numbers is taken; bits more of a place beside
corners, and of the sum over them."""
NOTHING = 8
"""So many times the bits that are asked for are as good as all of 0."""

Profile = Callable[[Callable[[], Any], int], Any]
"""delta at a number, which is given by what encloses it at the working precision of the moment, to
so many relative bits."""


def profile(factors: Factors, pair: Pair | None = None) -> Profile | None:
    """The profile of all releases together, where it has such a formula; those of one Laplace
    release need the pair.

    >>> from lapdp import gaussian, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> found = profile(releases(poisson(gaussian(1), "1/2", direction="remove")))
    >>> print(found(lambda: flint.arb("1/2"), 30).str(8, radius=False))
    0.079944625
    >>> profile(releases(gaussian(1) * poisson(gaussian(1), "1/2", direction="remove")))
    """
    known = [s.kappa for s, _ in factors.parts if isinstance(s, NormalSpectrum)]
    if len(known) == len(factors.parts):
        def total() -> Any:
            return sum((kappa.ball() * k for kappa, (_, k) in zip(
                known, factors.parts, strict=True)), flint.arb(0))

        return _sharp(lambda t: _normal(total(), t))
    if factors.count == 1 and isinstance(factors.parts[0][0], MixedNormalSpectrum):
        spectrum = factors.parts[0][0]
        return _sharp(lambda t: _mixed((spectrum.first, spectrum.second), t, lambda x: _normal(
            spectrum.kappa.ball(), x)))
    if factors.count == 1 and isinstance(factors.parts[0][0], MixedThetaSpectrum):
        found = factors.parts[0][0]
        return _sharp(lambda t: _mixed((found.first, found.second), t, lambda x: (
            whole_tails.profile(found.variance, found.shift, x))))
    shift = _shift(pair.pair if isinstance(pair, OverlappingMixtures) else pair)
    if shift is None:
        return _by_corners(factors) if has_corners(factors) else None
    if not isinstance(pair, OverlappingMixtures):
        return _sharp(lambda t: _laplace(shift.ball(), t))
    weights = Number(pair.first), Number(pair.second)
    return _sharp(lambda t: _mixed(weights, t, lambda x: _laplace(shift.ball(), x)))


def _shift(pair: Pair | None) -> Number | None:
    """The largest loss of Laplace noise, whose reversed pair is its mirror image."""
    single = pair.pair if isinstance(pair, Reversed) else pair
    return Number(single.shift) if isinstance(single, Laplace) else None


def has_corners(factors: Factors) -> bool:
    """Is it a sum over few corners on one lattice?"""
    return residues.is_short(factors) and not residues.has_families(factors)


def _by_corners(factors: Factors) -> Profile:
    """At rising precisions as well."""
    largest = factors.largest()

    def compute(point: Callable[[], Any], bits: int) -> Any:
        more = bits
        while more <= MOST_BITS:
            with workprec(more + CORNER_BITS):
                place = point()
                if largest is not None and place > enclose(largest, {}).real:
                    # no circle is found around nothing
                    return flint.arb(0)
            with workprec(more + SPARE):
                found = residues.delta(factors, place, more)
            if found.is_exact() or found.rel_accuracy_bits() >= bits:
                return found
            more *= 2
        return _nothing(found, bits)

    return compute


def _sharp(rule: Callable[[Any], Any]) -> Profile:
    """At rising precisions."""
    def compute(point: Callable[[], Any], bits: int) -> Any:
        precision = bits + 64
        while precision <= MOST_BITS:
            with workprec(precision):
                found = rule(point())
            if found.is_exact() or found.rel_accuracy_bits() >= bits:
                return found
            precision *= 2
        return _nothing(found, bits)

    return compute


def _nothing(found: Any, bits: int) -> Any:
    """What is 0 as far as balls tell, such as the profile at the largest loss itself."""
    if not (found.contains(0) and found.rad() < flint.arb(2) ** (-NOTHING * bits)):
        raise Unsupported(f"a profile beside a lattice cancels to more than {MOST_BITS} bits")
    return found


def _normal(kappa: Any, t: Any) -> Any:
    """D."""
    root = kappa.sqrt()
    place = (t - kappa) / (2 * root)
    return (place.erfc() - t.exp() * (place + root).erfc()) / 2


def _laplace(shift: Any, t: Any) -> Any:
    """By the two places at which the formula changes, where both are 0, or the same."""
    if t >= shift:
        return flint.arb(0)
    if t <= -shift:
        return -t.expm1()
    inside = -((t - shift) / 2).expm1()
    if t < shift and t > -shift:
        return inside
    # next to one of them, as far as balls tell
    return inside.union(-t.expm1()) if t < 0 else inside.union(flint.arb(0))


def _mixed(weights: tuple[Number, Number], t: Any, base: Callable[[Any], Any]) -> Any:
    """By the signs of x and y; not finite where balls do not tell them."""
    w, v, ratio = weights[0].ball(), weights[1].ball(), t.exp()
    x, y = w - ratio * v, ratio * (1 - v) - (1 - w)
    if x <= 0:
        return flint.arb(0)
    if y <= 0:
        return -t.expm1()
    if x > 0 and y > 0:
        return x * base((y / x).log())
    return flint.arb.nan()


__all__ = ["Profile", "has_corners", "profile"]
