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
"""

from __future__ import annotations

from functools import reduce
from itertools import pairwise
from typing import Any

import flint

from lapdp.accounting.inversion import cell_profiles, corner_profiles
from lapdp.accounting.inversion.cell_profiles import Smooth
from lapdp.accounting.inversion.faint_densities import BITS, moment
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec

SECONDS, PLACES = 0.6, 4
"""For polynomials; intervals on which the third derivative is bounded."""
SHARES = (0.9, 0.3, 0.1, 0.03, 0.01)
"""Of the distance of the next corner, for h."""
EVEN, MORE = (4, 6, 8), 8
"""2 m; bits more than delta is to have."""


def delta(little: Factors, others: Factors, point: Any, bits: int, size: float, order: float = 1.0
          ) -> Any:
    """A ball around delta(eps), of about e^size; the order is that of the line of the others.

    Raises :class:`Unsupported` where these are no few losses with corners, nor copies of one.
    """
    known, wanted = corner_profiles.few(others), bits + max(0, int(-size / LOG2)) + 8
    found, share = _around(known, point, wanted) if known is not None else (
        _on_cell(others, point, bits, order), flint.arb(0))
    with workprec(max(BITS, wanted + 64)):
        spread, *more = (_central(little, n) for n in (2, *EVEN))
        bent, cubes = found.curve(point), (spread * more[0]).upper().max(flint.arb(0)).sqrt()
        middle, steep, best = found.value(point), 2 + abs(found.slope(point)), flint.arb.nan()
        for part in SHARES:
            h = found.gap * part
            most = reduce(flint.arb.max, (
                abs(_on(found.third, point, h, j)).upper() for j in range(PLACES)))
            c = 1 - (-h).exp()
            far = [reduce(flint.arb.min, ((x / c ** (n - k)).upper() for n, x in zip(
                EVEN, more, strict=True))) for k in (1, 2)]
            slack = 3 * found.off + most * cubes / 6 + steep * far[0] + abs(bent) * far[1] / 2
            total = middle + bent * spread / 2 + flint.arb(0, slack.upper())
            if not best.is_finite() or total.rad() < best.rad():
                best = total
        return best * (1 + flint.arb(0, share))


def _around(known: Factors, point: Any, bits: int) -> tuple[Smooth, Any]:
    """What is known between the next corners, and the share of delta by which that may be off."""
    found = corner_profiles.profile(known, bits)
    found.prepare(point, point, SECONDS)
    for j, (a, b) in enumerate(pairwise(found.corners)):
        if a < point < b:
            with workprec(max(BITS, bits + 64)):
                return Smooth((point - a).min(b - point).lower(), found.piece(j),
                              *found.slopes(j)), found.share
    raise Unsupported("eps is next to a corner, or beyond all of them")


def _on_cell(others: Factors, point: Any, bits: int, order: float) -> Smooth:
    """The same for copies of one loss with a density between two atoms."""
    known = cell_profiles.parted(others)
    if known is None or known[2].parts:
        raise Unsupported("these are no few losses with corners, nor copies of one")
    found = cell_profiles.profile(others, order, bits + MORE)
    with workprec(max(BITS, found.precision)):
        return found.around(point)


def _on(third: Any, point: Any, h: Any, j: int) -> Any:
    """(f''' - f')/r^2 on one of the parts of |t - eps| <= h."""
    t = h * flint.arb(flint.fmpq(2 * j + 1 - PLACES, PLACES), flint.fmpq(1, PLACES))
    return third(point + t) * (2 * t).exp()


def _central(factors: Factors, n: int) -> Any:
    """The mean of (R - 1)^n under Q."""
    total = flint.arb(0)
    for j in range(n + 1):
        # E_0 and E_1 are 1
        total += (-1) ** (n - j) * flint.arb.bin_uiui(n, j) * (
            moment(factors, float(j)) if j > 1 else 1)
    return total


__all__ = ["delta"]
