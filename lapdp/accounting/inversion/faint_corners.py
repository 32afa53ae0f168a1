"""delta of few losses with corners beside factors that leak next to nothing, by Taylor's formula.

As in :mod:`lapdp.accounting.inversion.faint`, R is the likelihood ratio of the faint factors and
delta(eps) the mean under Q of g(R), g(r) = r delta_G(eps - log r).  Where no corner of G lies
within h of eps, an entire function f differs from delta_G by no more than some e there
(:mod:`lapdp.accounting.inversion.corner_profiles`, or for many copies of one loss
:mod:`lapdp.accounting.inversion.cell_profiles`).  Let a_n be the Taylor coefficients of
r f(eps - log r) at 1, and b_N a bound of that of degree N, even, at all r with |log r| <= h.  The
mean of R is 1, so with M_n the mean of (R - 1)^n and F_n that of |R - 1|^n where |log R| > h,

    |delta(eps) - sum of a_n M_n over n < N| <= 3 e + b_N M_N + 2 F_1 + sum of |a_n| F_n, 0 < n < N,

as g rises by no more than r does.  Where |log R| > h, |R - 1| is at least c = 1 - e^-h, and so F_n
is at most M_(2 m)/c^(2 m - n) for 2 m >= n.

Where one corner z lies within h of eps, there is such a function on either side of it, and R passes
it at r = e^(eps - z).  There g bends, by about the mass p of an atom, which adds p psi(eps - z)
(:mod:`lapdp.accounting.inversion.faint_densities`).  What is left of g is as steep as it; where its
Taylor coefficients at r jump by d_n, which moves delta by the sum of |d_n| times the mean of
|R - r|^n beyond r: that is less than |R - 1|^n, and |R - 1| at least |r - 1|.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import pairwise
from typing import Any

import flint

from lapdp.accounting.inversion import cell_profiles, corner_profiles
from lapdp.accounting.inversion.cell_profiles import Smooth
from lapdp.accounting.inversion.faint_densities import BITS, Profile, moment, psi
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.releases import releases
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec, workterms
from lapdp.privacy.pair import Pair

SECONDS, PLACES = 0.6, 4
"""For polynomials; intervals on which the coefficient of degree N is bounded."""
SHARES = (0.9, 0.3, 0.1, 0.03, 0.01)
"""Of the distance of the next corner, for h."""
DEGREES, MOST, MORE = (4, 6, 10), 10, 8
"""N; M_n up to which are worked out; bits more than delta is to have."""


@dataclass(frozen=True)
class Near:
    """delta of the others next to eps."""

    here: Smooth
    """On the side of eps."""
    sides: tuple[tuple[int, Smooth], ...]
    """On each side of the corner, below it and above it; else one of these with 0."""
    corner: Any = None
    share: Any = 0
    """Of delta, by which all of that may be off."""


def delta(little: Pair, others: Factors, point: Any, bits: int, size: float, profile: Profile,
          order: float = 1.0) -> Any:
    """A ball around delta(eps), of about e^size; the order is that of the line of the others.

    Raises :class:`Unsupported` where these are no few losses with corners, nor copies of one.
    """
    best, problem = flint.arb.nan(), Unsupported("no side of a corner is known")
    known, wanted = corner_profiles.few(others), bits + max(0, int(-size / LOG2)) + 8
    for bent in (False, True):
        try:
            near = _around(known, point, wanted, bent) if known is not None else _on_cell(
                others, point, bits, order, bent)
            with workprec(max(BITS, wanted + 64)):
                found = _by_taylor(little, near, point, bits, profile)
        except Unsupported as refused:
            problem = refused if not bent else problem
            continue
        if not best.is_finite() or found.rad() < best.rad():
            best = found
        if best.rel_accuracy_bits() >= bits:
            break
    if not best.is_finite():
        raise problem
    return best


def _by_taylor(little: Pair, near: Near, point: Any, bits: int, profile: Profile) -> Any:
    means = _means(releases(little))
    here = _in_ratio(near.here, point, flint.arb(1), MOST)
    bend, jumps = (None, [flint.arb(0)]) if near.corner is None else _at_corner(
        near, point, means)
    off = reduce(flint.arb.max, (side.off for _, side in near.sides))
    best = flint.arb.nan()
    for degree in DEGREES:
        whole = here[0] + sum((here[n] * means[n] for n in range(2, degree)), flint.arb(0))
        for part in SHARES:
            h = near.here.gap * part
            most = reduce(flint.arb.max, (abs(_in_ratio(side, point, box, degree + 1)[degree])
                                          for side, box in _boxes(near, point, h))).upper()
            c = 1 - (-h).exp()
            far = 2 * _least(means, c, 1) + sum(
                (abs(here[n]) * _least(means, c, n) for n in range(1, degree)), flint.arb(0))
            slack = 3 * off + most * means[degree] + far + sum(jumps[:degree], flint.arb(0))
            total = whole + flint.arb(0, slack.upper())
            if not best.is_finite() or total.rad() < best.rad():
                best = total
        if best.rel_accuracy_bits() >= bits:
            break
    if bend is not None:
        best += _bent_by(little, bend, point - near.corner, best, bits, profile)
    return best * (1 + flint.arb(0, 1) * near.share)


def _means(factors: Factors) -> list[Any]:
    """M_0, M_1, ..."""
    whole = [moment(factors, float(j)) if j > 1 else flint.arb(1) for j in range(MOST + 1)]
    found = [sum(((-1) ** (n - j) * math.comb(n, j) * whole[j] for j in range(n + 1)),
                 flint.arb(0)) for n in range(MOST + 1)]
    return [x.max(flint.arb(0)) if n % 2 == 0 else x for n, x in enumerate(found)]


def _least(means: list[Any], c: Any, n: int) -> Any:
    """A bound of the mean of |R - 1|^n where |R - 1| >= c >= 0."""
    even = n + n % 2
    found = [means[even] if n == even else (means[n - 1] * means[even]).sqrt()]
    if c > 0:
        found += [means[m] / c ** (m - n) for m in range(even, MOST + 1, 2)]
    return reduce(flint.arb.min, (x.upper() for x in found))


def _in_ratio(smooth: Smooth, point: Any, r: Any, count: int) -> list[Any]:
    """The Taylor coefficients of r f(eps - log r) at a ball r."""
    with workterms(count):
        log = flint.arb_series([1, 1 / r], count).log()
        found, power = flint.arb_series([0], count), flint.arb_series([1], count)
        for c in smooth.series(point - r.log(), count):
            found, power = found + c * power, -log * power
        found = found * flint.arb_series([r, 1], count)
        return [found[k] for k in range(count)]


def _boxes(near: Near, point: Any, h: Any) -> Iterator[tuple[Smooth, Any]]:
    """Parts of |log r| <= h, with the function on each."""
    for side, smooth in near.sides:
        low = near.corner if side > 0 else point - h
        high = near.corner if side < 0 else point + h
        half = (high - low) / (2 * PLACES)
        for j in range(PLACES):
            yield smooth, (point - low - (2 * j + 1) * half + flint.arb(0, 1) * half).exp()


def _at_corner(near: Near, point: Any, means: list[Any]) -> tuple[tuple[Any, Any], list[Any]]:
    """p with a bound of what it adds next to eps, and what each jump adds at most, by M_n."""
    passed = (point - near.corner).exp()
    gap = abs(passed - 1).lower()
    # a loss on the left of the corner is where r is large
    left, right = (_in_ratio(side, point, passed, MOST) for _, side in near.sides)
    bend = left[1] - right[1]
    mass = bend.mid()
    if not abs(mass) < 1:
        raise Unsupported("what bends at a corner is not seen")
    sizes = [abs(x - y) for x, y in zip(left, right, strict=True)]
    sizes[1] = bend.rad()
    return (mass, (abs(mass) * _least(means, gap, 1)).upper()), [
        size * _least(means, gap, n) for n, size in enumerate(sizes)]


def _bent_by(little: Pair, bend: tuple[Any, Any], t: Any, beside: Any, bits: int,
             profile: Profile) -> Any:
    """p psi(t), where all others add up to a ball: by a bound where that is wider than is asked for
    anyway."""
    mass, most = bend
    goal = (abs(beside) * flint.arb(2) ** -(bits + MORE)).upper()
    if most < goal or beside.rel_accuracy_bits() < bits - MORE:
        return flint.arb(0, most)
    wanted = max(MORE, int(float((most / goal).log()) / LOG2) + MORE)
    return mass * psi(little, t, wanted, profile)


def _around(known: Factors, point: Any, bits: int, bent: bool) -> Near:
    """What is known between the next corners, or on both sides of the next one."""
    found = corner_profiles.profile(known, bits)
    found.prepare(point, point, SECONDS)
    pieces = [(a, b, j) for j, (a, b) in enumerate(pairwise(found.corners)) if a < b]
    with workprec(max(BITS, bits + 64)):
        for a, b, j in pieces:
            if not bent and a < point < b:
                here = found.smooth(j, (point - a).min(b - point).lower())
                return Near(here, ((0, here),), share=found.share)
        for (a, b, j), (c, d, k) in pairwise(pieces):
            if bent and a < point < d and not (
                    (b - point).abs_lower() > (point - a).min(d - point)):
                gap = (point - a).min(d - point).lower()
                left, right = (found.smooth(i, gap) for i in (j, k))
                return _bent(point, b.union(c), left, right, found.share)
    raise Unsupported("eps is next to a corner, or beyond all of them")


def _bent(point: Any, corner: Any, left: Smooth, right: Smooth, share: Any = 0) -> Near:
    # where balls do not tell, either side will do
    return Near(left if point.mid() < corner.mid() else right, ((-1, left), (1, right)), corner,
                share)


def _on_cell(others: Factors, point: Any, bits: int, order: float, bent: bool) -> Near:
    """The same for copies of one loss with a density between two atoms."""
    known = cell_profiles.parted(others)
    if known is None or known[2].parts:
        raise Unsupported("these are no few losses with corners, nor copies of one")
    found = cell_profiles.profile(others, order, bits + MORE)
    with workprec(max(BITS, found.precision)):
        if bent:
            return _bent(point, *found.next_end(point))
        here = found.around(point)
        return Near(here, ((0, here),))


__all__ = ["delta"]
