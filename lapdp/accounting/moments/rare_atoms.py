"""Releases without their largest losses, where these hardly ever occur.

Sampled noise that is cut off far out has a largest loss whose probability may be below all that
counts, and far larger than all others.  Without it the losses end where their profile nearly does.
What it adds to delta is at least 0, and at most the probability that some release has it.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import flint

from lapdp.accounting.moments.factors import Factors
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.core.precision import workprec

BITS = 64
"""Of a probability that is left out."""


def without(factors: Factors, most: Any) -> tuple[Factors, Any] | None:
    """What is left of all releases, as ones with more infinite losses, and a bound of the
    probability of what is left out, at most ``most``; None where nothing is.

    >>> from lapdp import poisson, truncated_laplace
    >>> from lapdp.accounting.moments.releases import releases
    >>> noise = releases(poisson(truncated_laplace(1, 90), "1/10", direction="add")**2)
    >>> found = without(noise, flint.arb("1e-30"))
    >>> found[0].largest(), f"{float(found[1]):.2g}"
    (-2*log((1 + 9*E)*exp(-1)/10), '1.4e-39')
    """
    parts, total = [], flint.arb(0)
    for s, k in factors.parts:
        left: Any = s
        if isinstance(s, PiecewiseSpectrum) and s.usual is not None:
            more = (total + k * _rare(s)).upper()
            if more < most:
                left, total = _cut(s), more
        parts.append((left, k))
    return (_same(tuple(parts)), total) if total > 0 else None


def _rare(s: PiecewiseSpectrum) -> Any:
    with workprec(BITS):
        return s.mass_of_largest().upper()


@lru_cache(maxsize=64)
def _cut(s: PiecewiseSpectrum) -> PiecewiseSpectrum:
    return s.without_largest()


@lru_cache(maxsize=64)
def _same(parts: tuple[Any, ...]) -> Factors:
    """The same for the same parts: what is known of a line serves other places, too."""
    return Factors(parts)


__all__ = ["without"]
