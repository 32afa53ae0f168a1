"""delta of a product some factors of which leak next to nothing: they move it by next to nothing.

Let F be the product of these factors, R its likelihood ratio, whose mean under Q is 1, and G the
product of all others.  Then delta(eps) is the mean under Q of g(R), where

    g(r) = r delta_G(eps - log r)

is the mean of max(0, r p - e^eps q) under G, a convex function of r that rises.  So the mean is at
least g(1), which is delta_G(eps).  While |log R| <= h, it lies below the chords from 1 to e^-h and
to e^h, whose slopes are a <= b.  The means of max(0, R - 1) and of max(0, 1 - R) are the total
variation V of F, whose square is at most 1 - E_(1/2)^2, so that where F reaches no farther

    0 <= delta(eps) - delta_G(eps) <= (b - a) V.

The bound is of the second order in what F leaks.  Where F may reach beyond h, that adds at most

    e^((1 - q) eps) E_q[G] (E_(q + s)[F] + E_(q - s)[F]) e^(-s h) + a E_(-s)[F] e^(-s h)

for any s > 0, as delta_G(t) <= e^((1 - q) t) E_q for every q >= 1, and as less of max(0, 1 - R)
is left below the chord.  Subsampled Gaussians have no such moments.  Of these, while no normal loss
lies farther than c deviations from where it leaks nothing, |log R| is at most the sum of bounds;
elsewhere, an event of the masses p and q under P and Q, g(R) <= R adds at most p, and what the
chords lack adds at most a q.

An atom of G with the mass p, t below eps, adds p max(0, r - e^t) to g(r), which bends there, and

    p E_Q[max(0, R - e^t)] = p delta_F(t)

to delta(eps).  Where one lies so near that R may reach it, this is taken apart, and the bounds hold
for what is left of g: it is as convex, rises, and lies below r.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.inversion import faint_corners, faint_densities, faint_hits
from lapdp.accounting.inversion.contour import moment_bound
from lapdp.accounting.inversion.faint_hits import Sample
from lapdp.accounting.inversion.near_atoms import near
from lapdp.accounting.inversion.saddle import saddle
from lapdp.accounting.moments.exact import ExactSpectrum
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.accounting.moments.releases import releases
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import fraction_ball
from lapdp.calculus.enclose import enclose
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.operations import factors as factors_of
from lapdp.privacy.pair import Pair

FAINT, BITS = 1e-4, 256
"""Total variation up to which a factor may be one of these; bits in which it is worked out."""
HALF = 0.5
"""Of the product of h, the total variation and g'': half of the bound."""
ENOUGH, MORE = 4, 4
"""Of the bits asked for those that are for rounding; a logarithm for what lies beyond h."""
MOST_BENT, FEWEST, SEEN = 4, 8, 40
"""Places next to eps at which g bends; bits of the profile there; bits of a place: nearer to 0 it
is 0, and such a share of h away it may be anywhere."""

Profile = Callable[[Pair, Any, int], Any]


@dataclass(frozen=True)
class Faint:
    """Factors that leak little, and the others."""

    little: Pair
    others: Pair
    variation: Any
    """A bound of the total variation of the first."""
    reach: Any
    """The largest loss in either direction of those that are bounded."""
    hits: tuple[tuple[Sample, int], ...] = ()
    """Subsampled Gaussians among them."""


@lru_cache(maxsize=64)
def ways(pair: Pair) -> tuple[Faint, ...]:
    """The most factors first.

    >>> from lapdp import gaussian, poisson, randomized_response
    >>> found = ways(gaussian(1) * poisson(randomized_response(1), "1e-6", direction="add")**2)
    >>> found[0].others, float(found[0].variation) < 1e-6
    (gaussian(1, 1), True)
    """
    powers = [factor**count for factor, count in factors_of(pair)]
    if len(powers) < 2:
        return ()
    groups = sorted(((_variation(power), power) for power in powers), key=lambda group: group[0])
    many = sum(variation < FAINT for variation, _ in groups)
    found = []
    for count in range(min(many, len(groups) - 1), 0, -1):
        little, others = (reduce(operator.mul, (power for _, power in part))
                          for part in (groups[:count], groups[count:]))
        bounded = [power for _, power in groups[:count] if not _has_hits(power)]
        hits = tuple((s, k) for s, k in releases(little).parts if faint_hits.is_hit(s))
        with workprec(BITS):
            # each factor has its own largest losses: their sums are no less than those of all
            reach = sum((_reach(power) for power in bounded), flint.arb(0))
            found.append(Faint(little, others, _bound(releases(little)), reach.upper(), hits))
    return tuple(found)


def _has_hits(power: Pair) -> bool:
    """Are they subsampled Gaussians?"""
    return any(faint_hits.is_hit(s) for s, _ in releases(power).parts)


def _reach(power: Pair) -> Any:
    ends = [releases(side).largest() for side in (power, power.reverse())]
    return reduce(flint.arb.max, (enclose(end, {}).real for end in ends if end is not None))


def _variation(power: Pair) -> float:
    """About its total variation; infinite where it is none of these."""
    try:
        parts, back = releases(power), releases(power.reverse())
        if _has_hits(power):
            # that of many releases is not below that of one
            rare = all(faint_hits.is_hit(s) and faint_hits.is_sample(s) and bool(
                faint_hits.variation(s) < FAINT) for s, _ in parts.parts)
            return float(_bound(parts)) if rare else math.inf
        parts.refuse_open_ends()
        back.refuse_open_ends()
        if None in (parts.largest(), back.largest()) or not all(
                isinstance(s, ExactSpectrum | PiecewiseSpectrum) for s, _ in parts.parts):
            return math.inf
        if not (1 - parts.finite_mass()).is_zero() or not (1 - back.finite_mass()).is_zero():
            return math.inf
        found = float(_bound(parts))
        # next to a pole of the moment nothing is seen; nothing there leaks so little
        return found if math.isfinite(found) else math.inf
    except Unsupported:
        return math.inf


def _bound(parts: Factors) -> Any:
    """A bound of the total variation, by Cauchy and Schwarz; for rare subsampled Gaussians the sum
    of theirs is less, as few of them are hit."""
    whole = _by_affinity(parts)
    hits = [(s, k) for s, k in parts.parts if faint_hits.is_hit(s)]
    others = tuple(part for part in parts.parts if not faint_hits.is_hit(part[0]))
    with workprec(BITS):
        alone = sum((k * faint_hits.variation(s) for s, k in hits), flint.arb(0))
        if others and hits:
            alone += _by_affinity(Factors(others))
        return whole.min(alone.upper()) if hits else whole


def _by_affinity(parts: Factors) -> Any:
    with workprec(BITS + parts.count.bit_length()):
        affinity = reduce(operator.mul, (
            s.line(flint.arb("0.5"), 0.0, BITS).at(flint.arb(0)).real ** k for s, k in parts.parts))
        return (1 - affinity * affinity).upper().max(flint.arb(0)).sqrt().upper()


def delta(pair: Pair, eps: Any, bits: int, profile: Profile) -> Any:
    """A ball around delta(eps), eps exact, where no loss is infinite.

    ``profile(pair, t, bits)`` is a ball around the profile of the others to so many relative bits.
    Raises :class:`Unsupported` where no factors leak so little that so many bits are left.
    """
    if not (1 - releases(pair).finite_mass()).is_zero():
        raise Unsupported("losses beside those that leak little may be infinite")
    for found in ways(pair):
        whole = _closely(found, eps, bits, profile)
        if whole is not None:
            return whole
        chosen = _chosen(found, float(exact_ball(eps).real), bits)
        if chosen is not None:
            return _moved(found, eps, chosen, bits, profile)
    raise Unsupported("no factors leak next to nothing")


def _closely(found: Faint, eps: Any, bits: int, profile: Profile) -> Any | None:
    """By a density of the others: where it says that the faint factors add next to nothing, or
    where it is known, as for few losses with corners."""
    with suppress(Unsupported):
        moved = faint_densities.added(found.little, found.others, found.variation, eps,
                                      bits - ENOUGH - 1, profile)
        if moved is not None:
            return profile(found.others, eps, bits) + moved
    with suppress(Unsupported):
        others = releases(found.others)
        place = exact_ball(eps).real
        line = saddle(others, float(place), bits * LOG2)
        whole = faint_corners.delta(found.little, others, place, bits, min(0.0, line.size),
                                    profile, line.gamma)
        if whole.rel_accuracy_bits() >= bits - ENOUGH:
            return whole
    return None


def _chosen(found: Faint, eps: float, bits: int) -> tuple[Fraction, float | None, float] | None:
    """(h, an order for what lies beyond it, None where nothing does, and c), in doubles."""
    line = saddle(releases(found.others), eps, bits * LOG2)
    reach, variation, place = float(found.reach), float(found.variation), 0.0
    if found.hits:
        many = math.log(sum(k for _, k in found.hits))
        small = min(line.size, 0.0) if line.gamma > 1 else 0.0
        place = math.sqrt(2 * max(1.0, bits * LOG2 + MORE + many - small))
        with workprec(BITS):
            reach += float(_beside_hits(found, place)[0])
    # a normal law of this total variation
    far = variation * math.sqrt(2 * math.pi) * math.sqrt(2 * (bits * LOG2 + MORE))
    near = reach if found.hits else min(reach, far)
    # near a normal law the density is that at its middle, and less where delta is small
    if line.gamma > 1:
        bent = HALF * near * line.gamma * (line.gamma - 1)
    else:
        # where it is nearly 1 all slopes are: they differ by what it lacks
        bent = min(HALF * near * min(1.0, line.width), 1.0) * math.exp(min(line.size, 0.0))
    if not 0 < variation * bent < 2.0 ** (ENOUGH - bits):
        return None
    h = Fraction(2) ** (math.floor(math.log2(near)) - 4)
    h *= math.ceil(Fraction(near) / h) + (1 if near == reach else 0)
    return h, None if near == reach else max(1.0, line.gamma), place


def _beside_hits(found: Faint, place: float) -> tuple[Any, Any, Any]:
    """A bound of |log R| of the subsampled Gaussians while no loss lies beyond a place, and of the
    P-mass and the Q-mass of all that lies there."""
    rows = [(faint_hits.beyond(s, place), k) for s, k in found.hits]
    reach, p, q = (sum((k * row[j] for row, k in rows), flint.arb(0)).upper() for j in range(3))
    return reach, p, q


def _moved(found: Faint, eps: Any, chosen: tuple[Fraction, float | None, float], bits: int,
           profile: Profile) -> Any:
    exact, order, place = chosen
    h = fraction_ball(exact)
    step = sp.Rational(exact.numerator, exact.denominator)
    here, slopes = profile(found.others, eps, bits), []
    bends, added = _bends(found, eps, h, bits, float(here.mid().log()), profile)
    flat = here - _beyond_bends(bends, flint.arb(0))
    for side in (-1, 1):
        end = (side * h).exp()
        above = end * profile(found.others, eps - side * step, bits) - _beyond_bends(
            bends, side * h)
        slopes.append((above - flat) / (end - 1))
    rest = (slopes[1] - slopes[0]).upper().max(flint.arb(0)) * found.variation
    if order is None:
        with workprec(BITS):
            more, p, q = _beside_hits(found, place)
        rest += p + slopes[0].upper().max(flint.arb(0)) * q
        if not h >= found.reach + more:
            raise Unsupported("the losses are not seen to be as small as doubles say")
    else:
        rest += _beyond(found, eps, h, order, slopes[0])
    return flat + added + flint.arb(0).union(rest.upper())


def _bends(found: Faint, eps: Any, h: Any, bits: int, size: float, profile: Profile
           ) -> tuple[list[tuple[Any, Any]], Any]:
    """(t, p) of the atoms next to eps, and what they add to a delta of about e^size."""
    point, others = exact_ball(eps).real, releases(found.others)
    gamma = saddle(others, float(point), bits * LOG2).gamma
    try:
        atoms = near(others, point, h, gamma, bits)
    except Unsupported:
        # the bounds hold as they are
        return [], flint.arb(0)
    places: dict[Fraction, tuple[Any, Any]] = {}
    for t, p in atoms:
        at = _place(t, h)
        mass, off = places.get(at, (flint.arb(0), flint.arb(0)))
        places[at] = mass + p, off.max(abs(t - fraction_ball(at)).upper())
    if len(places) > MOST_BENT:
        return [], flint.arb(0)
    added = flint.arb(0)
    for at, (p, off) in places.items():
        if not p > 0:
            # nothing is seen to be there; delta_F is at most the total variation and 1 - e^t
            added += p.upper().max(flint.arb(0)) * flint.arb(0).union(
                found.variation + abs(fraction_ball(at)) + off)
            continue
        share = float(p.mid().log()) + math.log(float(found.variation)) - size
        # at 0 it is that of the reversed pair, which may have no huge losses
        turned = not at and any(s.second.exact == 0 for s, _ in found.hits)
        value = profile(found.little.reverse() if turned else found.little,
                        sp.Rational(at.numerator, at.denominator),
                        max(FEWEST, bits + 2 + math.ceil(share / LOG2)))
        # it falls by no more than the place rises
        added += p * (value + flint.arb(0, off.upper()))
    return atoms, added


def _place(t: Any, h: Any) -> Fraction:
    """An exact number near the middle of a ball."""
    middle = (t.mid() / h.mid() * 2**SEEN).mid().fmpq() + flint.fmpq(1, 2)
    size = h.mid().fmpq()
    return Fraction(int(middle.p // middle.q), 2**SEEN) * Fraction(int(size.p), int(size.q))


def _beyond_bends(bends: list[tuple[Any, Any]], x: Any) -> Any:
    """What these atoms are of g at e^x."""
    return sum((p * (x.exp() - t.exp()).max(flint.arb(0)) for t, p in bends), flint.arb(0))


def _beyond(found: Faint, eps: Any, h: Any, order: float, slope: Any) -> Any:
    """What ratios beyond h add at most."""
    others, little = releases(found.others), releases(found.little)
    # for a normal law of this total variation the best distance of the orders
    gap = 2.0 ** round(math.log2(float(h) / (2 * math.pi * float(found.variation) ** 2)))
    size = flint.arb(1) if order == 1 else ((1 - flint.arb(order)) * exact_ball(eps).real).exp() * (
        moment_bound(others, order))
    above, below, all_below = (moment_bound(little, x) for x in (
        order + gap, order - gap, -gap))
    return (-gap * h).exp() * (size * (above + below) + abs(slope) * all_below)


__all__ = ["Faint", "delta", "ways"]
