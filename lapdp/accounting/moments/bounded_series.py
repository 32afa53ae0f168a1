"""Moments of bounded losses as power series in their order.

With the nodes of a rule on the line of a real order q, for any |x| <= h and m near the mean,

    E[e^((q - 1) L + x (L - m))] = sum of w_n e^(x (l_n - m)), nearly:

on the ellipses of the rule e^(x (l - m)) is at most e^(h |l - m|), and by Cauchy's estimate the
coefficient of x^j is off by no more than the error for all |x| <= h over h^j.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments import legendre
from lapdp.accounting.moments.entire import losses_between
from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.lines import LOG2
from lapdp.accounting.moments.mixed_exact import in_pieces
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.precision import workprec

MOST_GROWTH = 300.0
"""A logarithm by which e^(x (l - m)) may grow."""


@lru_cache(maxsize=256)
def bounded(s: Any) -> PiecewiseSpectrum | None:
    """A factor as atoms and bounded pieces; None where it is not that.

    >>> from lapdp import gaussian, laplace, poisson
    >>> from lapdp.accounting.moments.releases import releases
    >>> noise = poisson(laplace(1), "0.1", direction="add")
    >>> [bounded(s) is None for s, _ in releases(noise * gaussian(1)).parts]
    [False, True]
    """
    found = in_pieces(Factors(((s, 1),)))
    if found is None:
        return None
    spectrum = found.parts[0][0]
    assert isinstance(spectrum, PiecewiseSpectrum)
    if any(None in piece.breakpoints for piece in spectrum.pieces):
        return None
    return spectrum if (1 - spectrum.finite_mass()).is_zero() else None


@lru_cache(maxsize=32)
def series(s: PiecewiseSpectrum, order: float, mean: float, terms: int, bits: int, reach: float
           ) -> list[Any]:
    """The coefficients for m, which is about the mean of the tilted loss; what they are off is
    small beside sums of losses up to ``reach``.
    """
    wanted = terms / reach
    h = min(wanted, MOST_GROWTH / s.extent) if s.extent > 0 else wanted
    inner = bits + math.ceil(h * s.extent / LOG2 + terms * (2 + math.log2(wanted / h)))
    with workprec(inner + 64):
        rules = s.rules(order, inner)
        chosen, middle, radius = rules.chosen(h, 0.0), flint.arb(mean), flint.arb(h)
        # where pieces are cut any loss may be
        low, high = losses_between(s)
        error = rules.missing * (radius * (high - middle).max(middle - low)).exp()
        for panel, count, e in chosen:
            farthest = e.spread + abs(panel.piece.loss(flint.acb(panel.middle)).real - middle)
            error += legendre.error(count, e.rho, e.size) * (radius * farthest).exp()
        sums = [flint.arb(0)] * terms
        for weight, loss in rules.nodes(chosen).pairs:
            step, term = loss - middle, weight
            for j in range(terms):
                sums[j] = sums[j] + term
                term = term * step / (j + 1)
        return [x + flint.arb(0, (error / radius**j).upper()) for j, x in enumerate(sums)]


__all__ = ["bounded", "series"]
