"""Releases without their largest losses, where these hardly ever occur.

Sampled noise that is cut off far out has a largest loss whose probability may be below all that
counts, and far larger than all others.  Without it the losses end where their profile nearly does.
What it adds to delta is at least 0, and at most the probability that some release has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import Any

import flint

from lapdp.accounting.moments.factors import Factors, kept
from lapdp.accounting.moments.piecewise import PiecewiseSpectrum
from lapdp.calculus.enclose import enclose
from lapdp.core.precision import workprec

BITS = 64
"""Of a probability that is left out."""
MOST_RARE = 64
"""Largest losses that occur beside the usual ones."""


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
                left, total = usual(s), more
        parts.append((left, k))
    return (kept(tuple(parts)), total) if total > 0 else None


@dataclass(frozen=True)
class End:
    """Where the losses nearly end: some releases have rare largest ones, all others usual ones."""

    rare: Any
    """The sum of the rare largest losses."""
    usual: Factors
    """The releases without these."""
    weight: Any
    """A bound from below of the probability of the rare ones, in any of the releases."""
    excess: Any
    """A bound of what larger losses add to delta at that end or beyond."""


def end(factors: Factors, most: Any) -> End | None:
    """The least sum of largest losses beyond which delta is at most ``most`` more than the
    probability of infinite losses; None where none is less than the largest loss.

    With m the probability of the largest loss, d above the usual ones, and J the number of the k
    releases that have it, delta at the end with j of them is at most the mean of
    1 - e^(-d max(J - j, 0)) <= C(J, j + 1) (1 - e^-d), which is C(k, j + 1) m^(j + 1) (1 - e^-d).
    What several factors add is no more than the sum.

    >>> from lapdp import poisson, truncated_laplace
    >>> from lapdp.accounting.moments.releases import releases
    >>> noise = releases(poisson(truncated_laplace(2, 100), "1/10", direction="add")**30)
    >>> found = end(noise, flint.arb("1e-30"))
    >>> f"{float(found.weight):.2g}", f"{float(found.excess):.2g}"
    ('1.9e-21', '1.1e-43')
    """
    parts, loss, weight, total = [], flint.arb(0), flint.arb(1), flint.arb(0)
    for s, k in factors.parts:
        parts.append((s, k))
        if not (isinstance(s, PiecewiseSpectrum) and s.usual is not None
                and s.largest is not None and k * _rare(s) < 1):
            continue
        top, mass = enclose(s.largest, {}).real, s.mass_of_largest()
        share = -(enclose(s.usual, {}).real - top).expm1()
        for j in range(min(k, MOST_RARE)):
            more = (total + comb(k, j + 1) * mass ** (j + 1) * share).upper()
            if more < most:
                parts[-1], total = (usual(s), k - j), more
                loss, weight = loss + j * top, weight * comb(k, j) * mass**j
                break
    return End(loss, kept(tuple(parts)), weight, total) if total > 0 else None


def _rare(s: PiecewiseSpectrum) -> Any:
    with workprec(BITS):
        return s.mass_of_largest().upper()


@lru_cache(maxsize=64)
def usual(s: PiecewiseSpectrum) -> PiecewiseSpectrum:
    """One release without its largest loss: one object, whose nodes are kept."""
    return s.without_largest()


__all__ = ["End", "end", "usual", "without"]
