"""delta of few losses with corners beside factors that leak next to nothing, by Taylor's formula.

As in :mod:`lapdp.accounting.inversion.faint`, R is the likelihood ratio of the faint factors and
delta(eps) the mean under Q of g(R), g(r) = r delta_G(eps - log r).  Where no corner of G lies
within h of eps, an entire function f differs from delta_G by no more than some e there
(:mod:`lapdp.accounting.inversion.corner_profiles`), and with t = eps - log r

    (r f(t))'' = (f''(t) - f'(t))/r.

Let this lie in [a, b] for |log r| <= h.  The mean of R is 1, so with chi2 the mean of (R - 1)^2 and
F_n at least that of |R - 1|^n where |log R| > h,

    |delta(eps) - f(eps) - x chi2/2| <= 3 e + (2 + |f(eps) - f'(eps)|) F_1 + |x| F_2/2,

for some x from a to b, as g rises by no more than r does.  Where |log R| > h, |R - 1| is at least
c = 1 - e^-h, and so F_n is at most the mean of (R - 1)^(2 m) over c^(2 m - n).
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import Any

import flint

from lapdp.accounting.inversion import corner_profiles
from lapdp.accounting.inversion.faint_densities import BITS, moment
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

SECONDS, PLACES = 0.6, 4
"""For polynomials; intervals on which the second derivative is bounded."""
SHARES = (0.9, 0.3, 0.1, 0.03, 0.01)
"""Of the distance of the next corner, for h."""
EVEN = (4, 6)
"""2 m."""


def delta(little: Factors, others: Factors, point: Any, bits: int, size: float) -> Any:
    """A ball around delta(eps), of about e^size.

    Raises :class:`Unsupported` where the others are no few losses with corners.
    """
    known = corner_profiles.few(others)
    if known is None:
        raise Unsupported("these are no few losses with corners")
    wanted = bits + max(0, int(-size / LOG2)) + 8
    found = corner_profiles.profile(known, wanted)
    found.prepare(point, point, SECONDS)
    with workprec(max(BITS, wanted + 64)):
        gap, rule, (slope, curve, off) = _around(found, point)
        spread, *more = (_central(little, n) for n in (2, *EVEN))
        middle, steep, best = rule(point), 2 + abs(slope(point)), flint.arb.nan()
        for share in SHARES:
            h = gap * share
            near = reduce(flint.arb.union, (_on(curve, point, h, j) for j in range(PLACES)))
            c = 1 - (-h).exp()
            far = [reduce(flint.arb.min, ((x / c ** (n - k)).upper() for n, x in zip(
                EVEN, more, strict=True))) for k in (1, 2)]
            slack = 3 * off + steep * far[0] + abs(near) * far[1] / 2
            total = middle + near * spread / 2 + flint.arb(0, slack.upper())
            if not best.is_finite() or total.rad() < best.rad():
                best = total
        return best * (1 + flint.arb(0, found.share))


def _around(found: corner_profiles.Profile, point: Any) -> tuple[Any, Any, Any]:
    """A distance to the next corner at most, and what is known between these."""
    for j, (a, b) in enumerate(pairwise(found.corners)):
        if a < point < b:
            return ((point - a).min(b - point).lower(), found.piece(j), found.slopes(j))
    raise Unsupported("eps is next to a corner, or beyond all of them")


def _on(curve: Any, point: Any, h: Any, j: int) -> Any:
    """(f'' - f')/r on one of the parts of |t - eps| <= h."""
    t = h * flint.arb(flint.fmpq(2 * j + 1 - PLACES, PLACES), flint.fmpq(1, PLACES))
    return curve(point + t) * t.exp()


def _central(factors: Factors, n: int) -> Any:
    """The mean of (R - 1)^n under Q."""
    total = flint.arb(0)
    for j in range(n + 1):
        # E_0 and E_1 are 1
        total += (-1) ** (n - j) * flint.arb.bin_uiui(n, j) * (
            moment(factors, float(j)) if j > 1 else 1)
    return total


__all__ = ["delta"]
