"""delta of few losses with corners beside factors that leak next to nothing, by Taylor's formula.

As in :mod:`lapdp.accounting.inversion.faint`, R is the likelihood ratio of the faint factors and
delta(eps) the mean under Q of g(R), g(r) = r delta_G(eps - log r).  Where no corner of G lies
within h of eps, an entire function f differs from delta_G by no more than some e there
(:mod:`lapdp.accounting.inversion.corner_profiles`, or for many copies of one loss
:mod:`lapdp.accounting.inversion.cell_profiles`), and with t = eps - log r

    (r f(t))'' = (f''(t) - f'(t))/r,    (r f(t))''' = (f'(t) - f'''(t))/r^2.

Let the latter be at most b for |log r| <= h.  The mean of R is 1, so with chi2 the mean of
(R - 1)^2 and F_n at least that of |R - 1|^n where |log R| > h,

    |delta(eps) - f(eps) - x chi2/2| <= 3 e + b M/6 + (2 + |f(eps) - f'(eps)|) F_1 + |x| F_2/2,

for x = f''(eps) - f'(eps) and M the mean of |R - 1|^3, whose square is at most the product of those
of (R - 1)^2 and (R - 1)^4, as g rises by no more than r does.  Where |log R| > h, |R - 1| is at
least c = 1 - e^-h, and so F_n is at most the mean of (R - 1)^(2 m) over c^(2 m - n).

Where one corner z lies within h of eps, there is such a function on either side of it, and R passes
it at r = e^(eps - z).  There g bends, by about the mass p of an atom, which adds p psi(eps - z)
(:mod:`lapdp.accounting.inversion.faint_densities`).  What is left of g is as steep as it; at r it
jumps by no more than some d_0, its slope by d_1 and its second derivative by d_2, that of the
density, which moves delta by no more than d_0 + d_1 sqrt(chi2) + d_2 chi2/2 in addition.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from lapdp.core.precision import workprec
from lapdp.privacy.pair import Pair

SECONDS, PLACES = 0.6, 4
"""For polynomials; intervals on which the third derivative is bounded."""
SHARES = (0.9, 0.3, 0.1, 0.03, 0.01)
"""Of the distance of the next corner, for h."""
EVEN, MORE = (4, 6, 8), 8
"""2 m; bits more than delta is to have."""


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
    factors = releases(little)
    spread, *more = (_central(factors, n) for n in (2, *EVEN))
    found = near.here
    curve, cubes = found.curve(point), (spread * more[0]).upper().max(flint.arb(0)).sqrt()
    middle, steep, best = found.value(point), 2 + abs(found.slope(point)), flint.arb.nan()
    added = flint.arb(0) if near.corner is None else _at_corner(
        little, near, point, (spread, more[0]), bits, profile)
    off = reduce(flint.arb.max, (side.off for _, side in near.sides))
    for part in SHARES:
        h = found.gap * part
        most = reduce(flint.arb.max, (
            abs(third(box) * (2 * (box - point)).exp()).upper()
            for third, box in _boxes(near, point, h)))
        c = 1 - (-h).exp()
        far = [reduce(flint.arb.min, ((x / c ** (n - k)).upper() for n, x in zip(
            EVEN, more, strict=True))) for k in (1, 2)]
        slack = 3 * off + most * cubes / 6 + steep * far[0] + abs(curve) * far[1] / 2
        total = middle + curve * spread / 2 + added + flint.arb(0, slack.upper())
        if not best.is_finite() or total.rad() < best.rad():
            best = total
    return best * (1 + flint.arb(0, 1) * near.share)


def _boxes(near: Near, point: Any, h: Any) -> Iterator[tuple[Callable[[Any], Any], Any]]:
    """f''' - f', and parts of |t - eps| <= h on which it is that."""
    for side, smooth in near.sides:
        low = near.corner if side > 0 else point - h
        high = near.corner if side < 0 else point + h
        half = (high - low) / (2 * PLACES)
        for j in range(PLACES):
            yield smooth.third, low + (2 * j + 1) * half + flint.arb(0, 1) * half


def _at_corner(little: Pair, near: Near, point: Any, means: tuple[Any, Any], bits: int,
               profile: Profile) -> Any:
    """What a corner adds next to eps; the means are those of (R - 1)^2 and (R - 1)^4."""
    z, (spread, fourth) = near.corner, means
    (left, right), t = (side for _, side in near.sides), point - z
    jumps = [abs(f(z) - g(z)).upper() for f, g in (
        (left.value, right.value), (left.curve, right.curve))]
    bend = left.slope(z) - right.slope(z)
    mass, slip = bend.mid(), bend.rad()
    if not mass < 1:
        raise Unsupported("what bends at a corner is not seen")
    passed, root = t.exp(), spread.upper().max(flint.arb(0)).sqrt()
    # (x - a)^2 <= x^4/(16 a^2) for x >= a
    gap = abs(passed - 1).lower()
    beyond = spread.min(fourth / (16 * gap * gap)) if gap > 0 else spread
    slack = passed * jumps[0] + slip * root + jumps[1] / passed * beyond / 2
    goal = (abs(near.here.value(point)) * flint.arb(2) ** -(bits + MORE)).upper()
    most = (abs(mass) * root).upper()
    if most < goal:
        slack += most
    elif not goal > 0:
        raise Unsupported("delta is not told from 0 next to a corner")
    else:
        wanted = max(MORE, int(float((most / goal).log()) / LOG2) + MORE)
        return mass * psi(little, t, wanted, profile) + flint.arb(0, slack.upper())
    return flint.arb(0, slack.upper())


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


def _central(factors: Factors, n: int) -> Any:
    """The mean of (R - 1)^n under Q."""
    total = flint.arb(0)
    for j in range(n + 1):
        # E_0 and E_1 are 1
        total += (-1) ** (n - j) * flint.arb.bin_uiui(n, j) * (
            moment(factors, float(j)) if j > 1 else 1)
    return total


__all__ = ["delta"]
