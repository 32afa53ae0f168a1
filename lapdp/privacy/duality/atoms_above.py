"""Pairs of atoms that dominate: the largest of several profiles, interpolated from above.

A profile is convex over x = e^eps, so between two places it lies below its chord.  The worst
profile under its values at some places is the interpolant by chords, level after the last one, and
the pair of atoms that has it dominates; with values rounded up it still does, since these are
guarantees that every one of the pairs satisfies.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import sympy as sp

from lapdp.core.calls import fitting
from lapdp.core.errors import InputError
from lapdp.privacy.duality.guarantees import worst_profile
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter


@fitting
def dominating_atoms(*pairs: Pair, ratios: Iterable[Any], digits: int = 15) -> Pair:
    """A finite pair whose profile is nowhere below those of the given pairs.

    It touches the largest of them, up to ``digits`` digits, at eps = log x for each of the
    ``ratios`` x, which are rational and positive.  As a pair of atoms it goes into products, and
    by Zhu, Dong, Wang 2021, Theorem 10, its powers dominate adaptive compositions.  Raises
    :class:`InputError` for other ratios or without pairs.

    >>> from lapdp import gaussian, laplace
    >>> above = dominating_atoms(gaussian(1), laplace(1), ratios=["1/2", 1, 2], digits=3)
    >>> above.profile(0), (above**2).profile(0)
    (197/500, 17211/31250)
    """
    if not pairs or not all(isinstance(pair, Pair) for pair in pairs):
        raise InputError("dominating_atoms takes one or more pairs, such as laplace(1)")
    guarantees = []
    for x in _read(ratios):
        at = sp.log(x)
        top = max(_above(pair, at, digits) for pair in pairs)
        guarantees.append((at, sp.Rational(top.numerator, top.denominator)))
    return worst_profile(guarantees).pair


def _read(ratios: Iterable[Any]) -> list[Any]:
    if isinstance(ratios, str) or not isinstance(ratios, Iterable):
        raise InputError("ratios must be a list of numbers, the values of e^eps")
    found = [exact_parameter(f"ratios[{k}]", x) for k, x in enumerate(ratios)]
    if not found or not all(x.is_Rational and x > 0 for x in found):
        raise InputError("ratios must be rational numbers > 0, one or more of them")
    return found


def _above(pair: Pair, at: Any, digits: int) -> Fraction:
    """A short decimal that delta(at) is not above, and that is at most 1."""
    enclosure = pair.profile.at(at, digits)
    unit = 10 ** digits
    return min(Fraction(1), Fraction(-(-enclosure.upper * unit // 1), unit))


__all__ = ["dominating_atoms"]
