"""delta where one huge loss decides, beside sums of other losses that spread far.

As in :mod:`lapdp.accounting.inversion.one_hit` a rare subsampled Gaussian is hit if n > c, and

    delta(t) = sum over the releases of E[e^s g(t - s); no other one is hit] + D + R,

where s is the sum of all losses but that of the hit, now with samples in the direction "add",
normal losses and bounded ones among them, g the profile of the release that is hit, D delta without
a hit, and R what two hits and more add; D and R are bounded by moments.  Neither need s be below t
always, nor has it a bounded range: where its law, tilted by e^(u s), is no farther than r from s0,
with u the slope of log g there, g(t - s) e^(-u s) is a polynomial, nearly, whose mean is known from
the power series of the moment.  With a bound M of it on the disk of radius R > r, Cauchy's estimate
is that the terms from an even J on add at most M (x/R)^J/(1 - r/R) for x = |s - s0| <= r, and their
mean is no more than that for all x: a few terms do where most sums lie far nearer than r.  Beyond,
for x > r and h r > J, a polynomial of J terms is at most the sum of |c_j| r^j times e^(h (x - r)),
and on any cell a < s <= b

    E[e^s g(t - s)] <= sup of g(t - s) e^(-v s) there times E[e^((1+v) s)]

for every v: with the v whose tilted law lies there this is as small as what is there.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.inversion import one_hit
from lapdp.accounting.inversion.hit_sums import Rest, chosen_cuts, log_profile, log_size
from lapdp.accounting.inversion.hit_windows import has_hits
from lapdp.accounting.inversion.several_hits import several
from lapdp.accounting.inversion.usual_losses import Release
from lapdp.accounting.moments.bounded_series import bounded
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2, NormalSpectrum
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.core.effort import finishing
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

LESS = 25.0
"""A logarithm by which delta may be less than it seems."""
ROOM, FARTHER, FINER, PARTS = 10, (1.0, 1.5, 2.5, 4.0), 24, 8
"""Bits by which what is beyond r is less, or so many times more; steps to r; of r, for the first
cell beyond."""
MOST_CELLS, BELOW, SHARP, TIMES = 120, 8, 2, (64.0, 1024.0)
"""Cells beyond r; bits by which each of them is below the goal; of places in them, over radii; of
slopes beyond r, over that at s0."""
ROUGH, CLOSE, SEEING, MOST_TERMS = 64, 1.0, 550_000, 240
"""Of bounds; an exponent that differs by so much hardly does within r; steps for the hits of one
release; of the Taylor series."""


def reaches(factors: Factors) -> bool:
    """Are there rare huge losses beside nothing but normal ones, bounded ones and samples that are
    added?"""
    kinds: list[Any] = [s for s, _ in factors.parts]
    return any(map(has_hits, kinds)) and all(
        has_hits(s) or isinstance(s, NormalSpectrum) or (
            s.is_sample if isinstance(s, MixedNormalSpectrum) else bounded(s) is not None)
        for s in kinds)


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps), to about ``bits`` bits; ``eps`` is a ball of many more.

    Raises :class:`Unsupported` where one hit does not decide, or is not told from usual losses.
    """
    if not reaches(factors) or not eps > 0:
        raise Unsupported("there are no rare huge losses beside losses of other kinds")
    others = Factors(tuple(part for part in factors.parts if not has_hits(part[0])))
    chosen, slopes = chosen_cuts(factors, others, float(eps), bits)
    if not min(slopes) > 0:
        raise Unsupported("sums reach eps without a huge loss")
    _refuse_two(chosen, slopes, others, float(eps), bits)
    rests = [Rest(tuple(r.times(r.copies - (i == j)) for j, r in enumerate(chosen)), others)
             for i in range(len(chosen))]
    # about as large as it is, or somewhat less
    likely = max(math.log(r.copies) + log_size(r, rest, float(eps), math.log(slope))
                 for r, rest, slope in zip(chosen, rests, slopes, strict=True)) - LESS
    with workprec(ROUGH + factors.count.bit_length()):
        left = flint.arb(0)
        if sum(r.copies for r in chosen) > 1:
            left = several(chosen, eps, max(slopes), likely - (bits + 4) * LOG2, others)
        left += _alone(Rest(tuple(chosen), others), eps, max(slopes))
    if left > 0 and float(left.log()) > likely + LESS - bits * LOG2:
        raise Unsupported("more hits than one, or none, are not seen to add next to nothing")
    total = flint.arb(0)
    # what is not refused by now hardly ever is
    finishing(SEEING * len(chosen))
    for release, rest, slope in zip(chosen, rests, slopes, strict=True):
        total += release.copies * _seen(release, rest, slope, eps, bits)
    if not left < total * flint.arb(2) ** -(bits + 1):
        raise Unsupported("more hits than one, or none, are not seen to add next to nothing")
    return total + flint.arb(0).union(left.upper())


def _refuse_two(chosen: list[Release], slopes: list[float], others: Factors, t: float, bits: int
                ) -> None:
    """:class:`Unsupported` where two hits are seen, beside sums as they are with one."""
    left = t - min(Rest(tuple(chosen), others).tilted(slope)[1] for slope in slopes)
    if not left > 0:
        raise Unsupported("sums reach eps without a huge loss")
    one_hit._refuse_two(chosen, left, bits)


def _seen(release: Release, rest: Rest, slope: float, eps: Any, bits: int) -> Any:
    """What a hit of one release contributes beside all others: sums that hardly spread are told
    from larger ones by far larger slopes."""
    *first, last = (slope * times for times in TIMES)
    for most in first:
        with suppress(Unsupported):
            return _one(release, rest, (slope, most), eps, bits)
    return _one(release, rest, (slope, last), eps, bits)


def _one(release: Release, rest: Rest, slopes: tuple[float, float], eps: Any, bits: int) -> Any:
    """The same by slopes up to the second one, that at the mean being the first."""
    slope, largest = slopes
    t, mean = float(eps), rest.tilted(slope)[1]
    middle = flint.arb(mean)
    known = None
    for share in FARTHER:
        ends = [_far(release, rest, t, slopes, share * (bits + ROOM) * LOG2, side)
                for side in (-1, 1)]
        far, steep = max(abs(place - mean) for _, place in ends), 0.0
        if far < CLOSE / slope:
            # sums are next to one place: slopes of so much tell others from it
            far = CLOSE / slope
            steep = share * (bits + ROOM) * LOG2 / far
        try:
            near = _near(release, rest, eps, (slope, mean, far), bits)
        except Unsupported:
            if known is None:
                raise
            break
        known = near, far, steep, ends
        if min(abs(v - slope) for v, _ in ends) * far > len(near.polynomial):
            break
    assert known is not None
    # the polynomial beyond so narrow a range may be more than it would be beyond a wider one
    near, far, steep, ends = known
    reach = flint.arb(far)
    gaps = [max(len(near.polynomial) / far, abs(v - slope), steep) for v, _ in ends]
    with workprec(near.precision):
        found, off = near.mean, near.off
        # the polynomial itself beyond r
        most = sum((abs(c) * reach**j for j, c in enumerate(near.polynomial)), flint.arb(0))
        order = 1 + slope
        for side, h in zip((-1, 1), gaps, strict=True):
            off += most * rest.bound(order + side * h) * (-h * reach - side * h * middle).exp()
        found = (-slope * middle).exp() * (found + flint.arb(0, off.upper()))
        if not found > 0:
            raise Unsupported("one huge loss is not seen beside the others")
        goal = found.lower() * flint.arb(2) ** -(bits + BELOW)
        low, high = middle - reach, middle + reach
        found += flint.arb(0).union((
            _beyond(release, rest, eps, (high, 1), far / PARTS, largest, goal)
            + _beyond(release, rest, eps, (low, -1), far / PARTS, largest, goal)).upper())
        missing = sum((r.copies * r.left_out.log1p() for r in rest.rare), flint.arb(0)).exp()
        return found * flint.arb(1).union(missing.upper())


@dataclass(frozen=True)
class Near:
    """g(t - s) e^(-u (s - s0)) as a polynomial of s - s0, and its mean."""

    polynomial: list[Any]
    mean: Any
    off: Any
    """Of the mean, what the rest of the series is at most within r."""
    precision: int


def _near(release: Release, rest: Rest, eps: Any, line: tuple[float, float, float], bits: int
          ) -> Near:
    """For (u, s0, r), by as few terms as the powers of s - s0 that follow are small in the mean."""
    slope, mean, far = line
    middle, reach = flint.arb(mean), flint.arb(far)
    with workprec(ROUGH + bits + 64):
        if not eps - middle - reach > release.ends[1]:
            raise Unsupported("usual losses may add up to eps")
        disks = one_hit.disks(release, eps - middle, slope, reach)
    if not disks:
        raise Unsupported("usual losses spread too far for one huge loss beside them")
    spread = math.sqrt(rest.tilted(slope)[2])
    # as many as for a normal law, and somewhat more
    steep = math.log(max(2.0, float(disks[-1][0]) / max(spread, 1e-300)))
    most, more = 2 * math.ceil(bits * LOG2 / steep) + 4, (
        release.copies.bit_length() + sum(r.copies for r in rest.rare).bit_length())
    while most <= MOST_TERMS:
        lost = most * math.log2(max(2.0, 2 * slope * far * math.e / most))
        precision = bits + more + ROUGH + math.ceil(lost)
        with workprec(precision):
            polynomial = one_hit._around(release, eps - middle, slope, most)
            moments = rest.moments(1 + slope, middle, most + 1, bits + more + 16, far)
            goal = abs(polynomial[0] * moments[0]) * flint.arb(2) ** -(bits + BELOW)
            for terms in range(2, most + 1, 2):
                off = min((size / wide**terms / (1 - reach / wide) for wide, size, _ in disks),
                          key=float) * moments[terms].upper()
                if off < goal:
                    found = sum((c * m for c, m in zip(
                        polynomial[:terms], moments, strict=False)), flint.arb(0))
                    return Near(polynomial[:terms], found, off, precision)
        most *= 2
    raise Unsupported("usual losses spread too far for one huge loss beside them")


def _far(release: Release, rest: Rest, t: float, slopes: tuple[float, float], fall: float,
         side: int) -> tuple[float, float]:
    """(v, tilted mean) on one side of s0 where next to nothing of E[e^s g(t - s)] is left."""
    def size(v: float) -> tuple[float, float]:
        here, mean, _ = rest.tilted(v)
        return here - v * mean + (log_profile(release, t - mean)[0] if t > mean else 0.0), mean

    slope, largest = slopes
    first, _ = size(slope)
    low, high = 0.0, 1.0
    while size(slope + side * slope * high)[0] > first - fall and (
            slope * high < largest):
        low, high = high, 2 * high
    for _ in range(FINER):
        middle = (low + high) / 2
        low, high = (middle, high) if size(slope + side * slope * middle)[0] > first - fall else (
            low, middle)
    v = slope + side * slope * high
    return v, size(v)[1]


def _beyond(release: Release, rest: Rest, eps: Any, start: tuple[Any, int], width: float,
            largest: float, goal: Any) -> Any:
    """A bound of E[e^s g(t - s)] beyond a place on one side of s0."""
    (place, side), total, least = start, flint.arb(0), width / MOST_CELLS
    hit = release.likely(flint.arb(release.cut))[0]
    for _ in range(MOST_CELLS):
        # all further on at once
        v = _order_for(rest, float(place), largest)
        if side > 0:
            if not v >= 0:
                raise Unsupported("no order bounds the sums beside one huge loss")
            last = hit * (-v * place).exp() * rest.bound(1 + v)
        else:
            a = one_hit._place(release, eps - place)
            last = release.weight / 2 * (-a * a).exp() * one_hit._scaled(release, a)
        if last < goal:
            return total + last
        while True:
            end = place + side * flint.arb(width)
            x = eps - (place + end) / 2 + flint.arb(0, width / 2)
            here = _on_cell(release, rest, eps, x, v)
            if here is not None and here < goal:
                break
            width /= 2
            if width < least:
                raise Unsupported("what is beyond one huge loss and the sums beside it is no less")
        total, place, width = total + here, end, width * 2
    raise Unsupported("the sums beside one huge loss need too many cells")


def _on_cell(release: Release, rest: Rest, eps: Any, x: Any, v: float) -> Any | None:
    """The bound on a cell, x = t - s a ball: by the mean value of log g + v x."""
    kappa, w = release.kappa, release.weight
    middle, half = x.mid(), x.rad()
    odds, here = (x.exp() - 1 + w) / w, (middle.exp() - 1 + w) / w
    if not odds > 0:
        return None
    root = 2 * kappa.sqrt()
    a, at = (odds.log() - kappa) / root, (here.log() - kappa) / root
    if not a > SHARP * a.rad():
        return None
    # the derivative of -a^2 + v x
    steep = abs(v - 2 * a * x.exp() / (w * odds) / root).upper()
    log = v * (middle - eps) - at * at + steep * half
    # falls as a grows
    return (log.exp() * w / 2 * one_hit._scaled(release, a.lower()) * rest.bound(1 + v)).upper()


@lru_cache(maxsize=512)
def _order_for(rest: Rest, place: float, largest: float) -> float:
    """The v whose tilted mean is a place, nearly, not too far from the slope."""
    low, high = -largest, largest
    for _ in range(2 * FINER):
        middle = (low + high) / 2
        # where doubles hold no moment it is far too low
        low, high = (low, middle) if rest.tilted(middle)[1] >= place else (middle, high)
    return float(f"{low:.4g}")


def _alone(rest: Rest, eps: Any, slope: float) -> Any:
    """Chernoff's bound without a hit."""
    t = float(eps)

    def found(v: float) -> float:
        return rest.log_moment(1 + v) - v * t

    best = min((slope * 2.0 ** (j / 2) for j in range(-12, 13)), key=found)
    return ((-flint.arb(best) * eps).exp() * rest.bound(1 + best, whole=True)).upper()


__all__ = ["delta", "reaches"]
