"""delta of rare subsampled Gaussians where one huge loss decides and no line has a saddle.

For k pairs (w P + (1 - w) Q, Q) with a normal loss l = sqrt(2 kappa) n - kappa of (P, Q), n normal
under Q, let z = 1 - w + w e^l and L = log z, which grows with n.  A release is *hit* if n > c.
With S the sum of L(c) over all releases, for t >= S

    delta(t) = sum over the releases of E[e^s g(t - s); no other one is hit] + R,

where s is the sum of L over the others, under Q, and g the profile of the release itself: without a
hit no sum exceeds S, and as t - s >= L(c) the release has to be hit for any excess.  R is what two
hits and more add (:mod:`lapdp.accounting.inversion.several_hits`).  A tail of g lies far out
in a normal law, and log g may be convex; where it is, moments with hits have no saddle.

Over the range s0 +- r of s, g(t - s) e^(-u s) is a polynomial, nearly, if u is the slope of log g:
its Taylor series at s0 has coefficients, and bounds of its rest by Cauchy's on a wider disk, and
E[e^((1+u) s) (s - s0)^j; no hit] is a derivative of the moment of usual losses, which is a power
series.  With a = (l - kappa)/(2 sqrt(kappa)) at g's place and the scaled error function erfcx,

    g = (w/2) e^(-a^2) (erfcx(a) - erfcx(a + sqrt(kappa))),

where the difference is largest, in the half-plane Re a >= x > 0, at x: it is the integral of
2/sqrt(pi) e^(-v^2 - 2 a v) (1 - e^(-2 sqrt(kappa) v)) over v > 0.
"""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any

import flint

from lapdp.accounting.inversion.hit_windows import has_hits
from lapdp.accounting.inversion.rare import log_odds
from lapdp.accounting.inversion.several_hits import several
from lapdp.accounting.inversion.usual_losses import ROUGH, Release, center, usual
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.panel_series import moments_about
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec, workterms

MOST_TERMS, DISKS = 240, (0.6, 0.5, 0.3)
"""Of the Taylor series; radii of disks that are tried, as shares of the place."""
WIDER = (1.5, 2.0, 3.0, 4.0, 6.0, 9.0, 14.0)
"""Radii of Cauchy's disk that are tried, as multiples of r."""
NEXT, NEAR, FIRST_CUT, CUT = 24, 0.75, 4.0, 1.0
"""Coefficients of the exponent that are summed, on such a share of a disk; places c that are
tried."""
MARGIN, LOST, MOST_CELL, SPARE = 24.0, 0.5, 1.0, 0.25
"""A logarithm by which two hits are to be less likely, beside what bounds on intervals of them
lose; that for which intervals are short enough, where they are not shorter still; and of eps,
beyond what usual losses may add up to."""
STEP, ROOM = 0.5, 20.0
"""Of places at which two hits are looked at, and a logarithm by which that may be wrong."""


def delta(factors: Factors, eps: Any, bits: int) -> Any:
    """A ball around delta(eps), to about ``bits`` bits; ``eps`` is a ball of many more.

    Raises :class:`Unsupported` where one hit does not decide, or is not told from usual losses.

    >>> from lapdp import gaussian, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> few = releases(poisson(gaussian(10), "1e-4", direction="remove")**3)
    >>> with workprec(128):
    ...     print(delta(few, flint.arb(8), 40).str(8, radius=False))
    6.0736807e-6438
    """
    chosen = _chosen(factors, float(eps), bits)
    _refuse_two(chosen, float(eps), bits)
    total = flint.arb(0)
    slopes = []
    for i, release in enumerate(chosen):
        others = [r.times(r.copies - (i == j)) for j, r in enumerate(chosen)]
        slope, share = _one(release, others, eps, bits)
        total += release.copies * share
        slopes.append(slope)
    with workprec(ROUGH):
        rest = several(chosen, eps, max(slopes), float(total.mid().log()) - (bits + 4) * LOG2)
    if not rest < total * flint.arb(2) ** -(bits + 1):
        raise Unsupported("more hits than one are not seen to add next to nothing")
    return total + flint.arb(0).union(rest.upper())


# -- choices --------------------------------------------------------------------------------------


def _chosen(factors: Factors, t: float, bits: int) -> list[Release]:
    """Where hits begin: as near as one more hit is unlikely beside the large one."""
    if not t > 0 or not all(has_hits(s) for s, _ in factors.parts):
        raise Unsupported("not all releases have rare huge losses")
    found = []
    far = float(math.ceil(math.sqrt(2 * (bits * LOG2 + math.log(factors.count) + 4))))
    for s, k in factors.parts:
        assert isinstance(s, MixedNormalSpectrum)
        w, _, kappa = s.doubles
        u = max(_slope(*other.doubles, t) for other, _ in factors.parts
                if isinstance(other, MixedNormalSpectrum))
        c, root = FIRST_CUT, math.sqrt(2 * kappa)
        most = log_odds(w, t)
        # the second derivative of the loss is at most kappa/2
        cell = min(MOST_CELL, math.sqrt(16 * LOST / ((1 + u) * kappa)))
        goal = bits * LOG2 + MARGIN + math.log(factors.count)
        while c * c / 2 - (1 + u) * math.log1p(w * math.expm1(root * c - kappa)) < goal:
            c += CUT
            if not root * c - kappa < most:
                raise Unsupported("hits are not told from usual losses")
        found.append(Release(s, k, c, far, cell))
    total = sum(r.copies * math.log1p(r.spectrum.doubles[0] * math.expm1(
        math.sqrt(2 * r.spectrum.doubles[2]) * r.cut - r.spectrum.doubles[2])) for r in found)
    if not total < t * (1 - SPARE):
        raise Unsupported("usual losses may add up to eps")
    return found


def _refuse_two(chosen: list[Release], t: float, bits: int) -> None:
    """:class:`Unsupported` where two hits are seen in delta: in doubles, before any is bounded."""
    def log_size(r: Release, x: float) -> float:
        """About log of g at x, times the copies."""
        w, _, kappa = r.spectrum.doubles
        a = max(0.0, (log_odds(w, x) - kappa) / (2 * math.sqrt(kappa)))
        return math.log(r.copies * w) - a * a

    one = max(log_size(r, t) for r in chosen)
    for r in chosen:
        n, (w, _, kappa) = r.cut, r.spectrum.doubles
        others = [o for o in chosen if o is not r or r.copies > 1]
        while others and (x := math.log1p(w * math.expm1(
                math.sqrt(2 * kappa) * n - kappa))) < t / 2:
            two = log_size(r, x) + max(log_size(o, t - x) for o in others)
            if two > one - bits * LOG2 + ROOM:
                raise Unsupported("two hits are seen beside one")
            n += STEP


def _slope(w: float, _: float, kappa: float, t: float) -> float:
    """That of -log g at t, nearly."""
    return max(0.0, (log_odds(w, t) - kappa) / (2 * kappa) / (w - (1 - w) * math.expm1(-t)))


# -- one hit --------------------------------------------------------------------------------------


def _one(release: Release, others: list[Release], eps: Any, bits: int) -> tuple[float, Any]:
    """u, and what a hit of one release contributes beside the usual losses of the others."""
    with workprec(ROUGH + bits):
        ranges = [(r.ends, r.copies) for r in others]
        low, high = (sum((ends[j] * k for ends, k in ranges), flint.arb(0)) for j in (0, 1))
        if not eps - high - release.ends[1] > 0:
            raise Unsupported("usual losses may add up to eps")
        # an exact number: the same center for all that follows
        middle = ((low + high) / 2).mid()
        reach = flint.arb.max((high - middle).upper(), (middle - low).upper())
    w, _, kappa = release.spectrum.doubles
    slope = float(f"{_slope(w, 0.0, kappa, float(eps - middle)):.4g}")
    # orders 1 + u are doubles: no number is rounded, but u
    slope = (1 + slope) - 1
    terms, size, wide = _terms(release, eps - middle, slope, reach, bits)
    lost = terms * math.log2(max(2.0, 2 * slope * float(reach) * math.e / terms))
    more = others[0].copies.bit_length() + sum(r.copies for r in others).bit_length()
    with workprec(bits + more + 64 + math.ceil(lost)):
        series = _around(release, eps - middle, slope, terms)
        off = size * (reach / wide) ** terms / (1 - reach / wide)
        moments = _moments(tuple(others), slope, middle, terms, bits + more)
        found = sum((c * m for c, m in zip(series, moments, strict=True)), flint.arb(0))
        found += flint.arb(0, (off * moments[0]).upper())
        # smaller losses add no more than what is left of as many others
        missing = sum((r.copies * r.left_out.log1p() for r in others), flint.arb(0)).exp()
        found *= flint.arb(1).union(missing.upper())
        return slope, (-slope * middle).exp() * found


def _terms(release: Release, at: Any, slope: float, reach: Any, bits: int
           ) -> tuple[int, Any, Any]:
    """How many terms of the Taylor series, a bound on the disk, and its radius."""
    best: tuple[int, Any, Any] | None = None
    if not reach > 0:
        return 1, flint.arb(0), flint.arb(1)
    for wide, bound, grows in disks(release, at, slope, reach):
        terms = math.ceil((bits * LOG2 + grows + 6) / math.log(float(wide / reach)))
        if best is None or terms < best[0]:
            best = terms, bound, wide
    if best is None or best[0] > MOST_TERMS:
        raise Unsupported("usual losses spread too far for one huge loss beside them")
    return best


def disks(release: Release, at: Any, slope: float, reach: Any) -> list[tuple[Any, Any, float]]:
    """Radii of disks beyond r, and bounds of |g e^(u x)| on them, with the logarithm by which that
    is more than in the middle."""
    found: list[tuple[Any, Any, float]] = []
    with workprec(ROUGH + 64):
        # inside, the exponential of the loss has a positive real part
        here = _place(release, flint.acb(at))
        widest, size = _disk(release, at)
        with workterms(NEXT):
            place = _place(release, flint.arb_series([at, -1], NEXT))
            exponent = -place * place - flint.arb_series([0, slope], NEXT)
        for share in WIDER:
            wide = reach * share
            q = wide / widest
            if not q < NEAR or not size.is_finite():
                break
            grows = sum((abs(exponent[j]) * wide**j for j in range(1, NEXT)), flint.arb(0))
            grows += size * q**NEXT / (1 - q)
            near = _place(release, flint.acb(at + flint.arb(0, wide.upper()),
                                             flint.arb(0, wide.upper()))).real.lower()
            if not near > 0 or not grows.is_finite():
                break
            bound = (release.weight / 2 * _scaled(release, near)
                     * (grows - here.real ** 2).exp()).upper()
            found.append((wide, bound, float(grows.upper())))
    return found


def _disk(release: Release, at: Any) -> tuple[Any, Any]:
    """A radius within which the exponential of the loss has a positive real part, and a bound of
    |a|^2 there."""
    for share in DISKS:
        # balls of wider ones hold 0
        wide = flint.arb.min(at * share, flint.arb("0.5")).upper()
        with suppress(Unsupported):
            size = abs(_place(release, flint.acb(at + flint.arb(0, wide), flint.arb(0, wide)))) ** 2
            if size.is_finite():
                return wide, size
    raise Unsupported("a loss next to eps is not seen to be analytic")


def _place(release: Release, t: Any) -> Any:
    """a at a number, a disk or a series."""
    odds = (t.exp() - 1 + release.weight) / release.weight
    if isinstance(odds, flint.acb) and not odds.real > 0:
        raise Unsupported("a loss next to eps is not seen to be analytic")
    return (odds.log() - release.kappa) / (2 * release.kappa.sqrt())


def _scaled(release: Release, a: Any) -> Any:
    """erfcx(a) - erfcx(a + sqrt(kappa))."""
    with workprec(ROUGH + 64 + 2 * max(0, math.ceil(math.log2(float(a) + 2)))):
        b = a + release.kappa.sqrt()
        return (a * a).exp() * a.erfc() - (b * b).exp() * b.erfc()


def _around(release: Release, at: Any, slope: float, terms: int) -> list[Any]:
    """The Taylor series of g(t - x) at a place t e^(-u x)."""
    with workterms(terms):
        t = flint.arb_series([at, -1], terms)
        odds = (t.exp() - 1 + release.weight) / release.weight
        root = release.kappa.sqrt()
        a = (odds.log() - release.kappa) / (2 * root)
        found = release.weight / 2 * (a.erfc() - odds * (a + root).erfc())
        found = found * (flint.arb_series([0, -slope], terms)).exp()
        return [found[j] for j in range(terms)]


def _moments(others: tuple[Release, ...], slope: float, middle: Any, terms: int, bits: int
             ) -> list[Any]:
    """E[e^((1+u) s) (s - s0)^j; no hit] for each j."""
    with workterms(terms):
        total = flint.arb_series([1], terms)
        for r in others:
            if r.copies:
                one = flint.arb_series(usual(r.single, 1 + slope, terms, bits), terms)
                total = total * one ** r.copies
        shift = sum((r.copies * center(r) for r in others), flint.arb(0)) - middle
        return moments_about(total, shift, terms)


__all__ = ["delta"]
