"""delta of one release of subsampled Gaussian noise beside few losses with corners: an integral.

With R the likelihood ratio of the sample, and delta' the profile of all other releases,

    delta(eps) = the mean of delta'(eps - log R) under P of the sample,

as in :mod:`lapdp.accounting.inversion.two_samples`.  Here delta' is analytic between the corners of
the other losses only, where :mod:`lapdp.accounting.inversion.corner_profiles` has a short
polynomial for it; it is 1 - e^t below all of them and 0 above.  R rises, so each corner is met at
one deviation of the sample, and between these deviations Gauss-Legendre rules have proved errors.
No moment is asked to decay: neither how rare a hit is counts, nor how sharp the corners are.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import Any

import flint

from lapdp.accounting.inversion import corner_profiles
from lapdp.accounting.inversion.corner_profiles import Profile
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.inversion.two_samples import Sample
from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum, right_tail
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

QUICK, MOST_WORK = 0.1, 0.6
"""Seconds that polynomials may take, where other rules follow and where none do."""
LENGTH, FINEST, ARCS, ROUGH = 2.0, 12, 12, 64
"""Of a panel at most, times it is halved at most, and how its ellipses are looked at."""
RHOS = (12.0, 7.0, 4.5, 3.2, 2.4, 1.8)
MOST_NODES, ROUNDS, ROOM, FARTHEST = 400, 3, 12, 10_000
"""On one panel; attempts; a logarithm for what is not foreseen; deviations."""


@lru_cache(maxsize=64)
def parted(factors: Factors) -> tuple[MixedNormalSpectrum, Factors] | None:
    """The sample, and all others as atoms and pieces; None where that is not what there is.

    >>> from lapdp import gaussian, laplace, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> noise = poisson(gaussian(1), "0.1", direction="add")
    >>> sample, others = parted(releases(laplace(2)**3 * noise))
    >>> sample.is_sample, others.count
    (True, 3)
    """
    samples = [(s, k) for s, k in factors.parts if isinstance(s, MixedNormalSpectrum)]
    if len(samples) != 1 or samples[0][1] != 1 or not samples[0][0].is_sample:
        return None
    rest = tuple(part for part in factors.parts if part != samples[0])
    others = corner_profiles.few(Factors(rest))
    return None if others is None else (samples[0][0], others)


def quickly(factors: Factors, eps: Any, bits: int) -> Any:
    """The same, where that takes next to no time."""
    return delta(factors, eps, bits, QUICK)


def delta(factors: Factors, eps: Any, bits: int, seconds: float = MOST_WORK) -> Any:
    """A ball around delta(eps), to about ``bits`` bits, by work of so many seconds at most, nearly.

    Raises :class:`Unsupported` unless this is one subsampled Gaussian beside few losses with
    corners.
    """
    found = parted(factors)
    if found is None:
        raise Unsupported("this is no subsampled Gaussian beside few losses with corners")
    sample, others = found
    if not (1 - others.finite_mass()).is_zero():
        raise Unsupported("losses beside a subsampled Gaussian may be infinite")
    most = _most(sample, others, eps)
    size = min(most, saddle(factors, float(eps), bits * LOG2).size)
    for _ in range(ROUNDS):
        total = _integral(sample, others, eps, bits, (size, most), seconds)
        if total.rel_accuracy_bits() >= bits:
            break
        # far below what moments say
        here = float(total.upper().log()) if total.upper() > 0 else -math.inf
        if not here < size - 1 or not math.isfinite(here):
            break
        size = here
    return total


def _most(sample: MixedNormalSpectrum, others: Factors, eps: Any) -> float:
    """The logarithm of the P-mass of the sample where delta' is not 0, nearly."""
    largest = others.largest()
    if largest is None:
        return 0.0
    with workprec(_bits_of_rate(sample)):
        release = Sample.of(sample)
        place = _place(release, eps - enclose(largest, {}).real, -flint.arb(FARTHEST),
                       flint.arb(FARTHEST))
        mass = right_tail(place.lower())
        if release.removed:
            mass = (1 - release.rate) * mass + release.rate * right_tail(
                place.lower() - release.root)
        return min(0.0, float(mass.log()))


def _bits_of_rate(sample: MixedNormalSpectrum) -> int:
    """Places next to the ends of the losses are told by the digits of the rate."""
    w = min(1.0, abs(sample.doubles[0] - sample.doubles[1]))
    return ROUGH + math.ceil(-math.log2(w))


def _integral(sample: MixedNormalSpectrum, others: Factors, eps: Any, bits: int,
              sizes: tuple[float, float], seconds: float) -> Any:
    """For an answer of about the first size, where the sample has a mass of about the other one."""
    goal = sizes[0] - (bits + 4) * LOG2
    far = math.ceil(math.sqrt(2 * (ROOM - goal)))
    profile = corner_profiles.profile(others, math.ceil(4 + (sizes[1] - goal) / LOG2))
    with workprec(bits + _bits_of_rate(sample)):
        release = Sample.of(sample)
        low, high = flint.arb(-far), (far + release.root).upper()
        if not release.removed:
            low, high = -high, -low
        profile.prepare(eps - release.ratio(high).log(), eps - release.ratio(low).log(), seconds)
        total = flint.arb(0)
        for start, end, rule in _parts(release, profile, eps, low, high):
            total += _panel(release, eps, (start, end), rule, goal, FINEST)
        total = total / (2 * flint.arb.pi()).sqrt()
        beyond = 2 * right_tail(flint.arb(far))
        return total * (1 + flint.arb(0, profile.share)) + flint.arb(0, beyond.upper())


Part = tuple[Any, Any, Callable[[Any], Any]]


def _parts(release: Sample, profile: Profile, eps: Any, low: Any, high: Any) -> Iterator[Part]:
    """Deviations between which delta' is one function of t = eps - log R, with it."""
    corners = profile.corners
    # the largest loss is met first
    places = [_place(release, eps - c, low, high) for c in reversed(corners)]
    for i, (start, end) in enumerate(pairwise(places)):
        if end > start:
            yield from _cut(start, end, profile.piece(len(corners) - 2 - i))
        elif not end <= start:
            # corners that balls do not tell apart
            yield start, end, lambda t: flint.arb(0).union(flint.arb(1))
    if not places[-1] >= high:
        yield from _cut(places[-1], high, lambda t: -t.expm1())


def _place(release: Sample, loss: Any, low: Any, high: Any) -> Any:
    """Where log R is so large, between two ends."""
    try:
        return release.place(loss.exp()).max(low).min(high)
    except Unsupported:
        # at an end of the losses, as far as balls tell
        ends = (release.place((loss + side * abs(loss).rad()).exp()) for side in (-2, 2))
        first, last = (x.max(low).min(high) for x in ends)
        return first.union(last)


def _cut(start: Any, end: Any, rule: Callable[[Any], Any]) -> Iterator[Part]:
    many = max(1, math.ceil(float(end - start) / LENGTH))
    step = (end - start) / many
    for k in range(many):
        yield start + k * step, start + (k + 1) * step, rule


def _panel(release: Sample, eps: Any, ends: tuple[Any, Any], rule: Callable[[Any], Any],
           goal: float, left: int) -> Any:
    """The integral over one panel, to e^goal."""
    start, end = ends
    middle, half = (start + end) / 2, (end - start) / 2

    def value(n: Any) -> Any:
        ratio = release.ratio(n)
        found = rule(eps - ratio.log()) * (-n * n / 2).exp()
        return found * ratio if release.removed else found

    if half.rad() > abs(half.mid()) / 4:
        # so short that its ends are not told apart
        return value(start.union(end)) * (end - start).upper() * flint.arb(0.5, 0.5)
    best: tuple[int, float, Any] | None = None
    with workprec(ROUGH):
        for rho in RHOS:
            bound = _bound(value, release, middle, half, flint.arb(rho))
            if bound is None:
                continue
            over = float((bound * half).log()) - goal if bound > 0 else 0.0
            count = legendre.nodes_for(max(8.0, over + 4), rho)
            if best is None or count < best[0]:
                best = count, rho, bound
    if (best is None or best[0] > MOST_NODES) and left:
        return sum((_panel(release, eps, part, rule, goal, left - 1) for part in (
            (start, middle), (middle, end))), flint.arb(0))
    if best is None:
        raise Unsupported("the integrand is not seen to be analytic")
    count, rho, bound = best
    total = flint.arb(0)
    for x, weight in legendre.rule(count):
        total += weight * value(middle + half * x)
    return half * (total + flint.arb(0, legendre.error(count, flint.arb(rho), bound).upper()))


def _bound(value: Callable[[Any], Any], release: Sample, middle: Any, half: Any, rho: Any
           ) -> Any | None:
    """Of the integrand on an ellipse, inside which it is seen to be analytic."""
    size = flint.arb(0)
    for arc in legendre.arcs(rho, ARCS):
        n = middle + half * arc
        ratio = release.ratio(n)
        # a real part that is positive on the ellipse is so inside: it is harmonic
        if not (ratio if release.removed else 1 / ratio).real > 0:
            return None
        size = size.max(abs(value(n)).upper())
    return size if size.is_finite() else None


__all__ = ["delta", "parted", "quickly"]
