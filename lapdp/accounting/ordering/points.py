"""Points at which one profile provably lies below another: refutations of an order, no proofs."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.ordering.values import formula_at
from lapdp.balls.smooth import Compiled
from lapdp.core.errors import LapdpError
from lapdp.core.precision import workprec
from lapdp.privacy.comparison import written_profile
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair

MOST = 18
"""Powers of 2 that are looked at, on either side of 0."""
BITS = (64, 256, 1024)


def point_below(larger: Pair, smaller: Pair) -> Fraction | None:
    """A point where the profile of ``larger`` is provably less than that of ``smaller``, if one of
    some is such; None says nothing.

    >>> from lapdp import gaussian, laplace, poisson
    >>> point_below(gaussian(1), laplace(1))
    Fraction(0, 1)
    >>> point_below(gaussian(1), poisson(gaussian("0.9"), "0.1", direction="remove"))
    Fraction(32, 1)
    """
    if larger.free_symbols | smaller.free_symbols or any(
            isinstance(pair, FinitePair) for pair in (larger, smaller)):
        return None
    x = sp.Symbol("t", real=True)
    try:
        pieces = [written_profile(pair, x) for pair in (smaller, larger)]
    except LapdpError:
        return None
    compiled: dict[Any, Compiled] = {}
    for point in _points():
        formulas = [sp.sympify(formula_at(found, point)) for found in pieces]
        for f in formulas:
            if f not in compiled:
                compiled[f] = Compiled(f, x)
        for bits in BITS:
            with workprec(bits + 4 * point.numerator.bit_length()):
                below, above = (_value(compiled[f], point) for f in formulas)
                gap = below - above
                if gap > 0:
                    return point
                if gap < 0:
                    break
    return None


def _points() -> Iterator[Fraction]:
    yield Fraction(0)
    for power in range(-3, MOST):
        yield Fraction(2) ** power
        yield -(Fraction(2) ** power)


def _value(f: Compiled, point: Fraction) -> Any:
    return f.ball(flint.arb(flint.fmpq(point.numerator, point.denominator)))


__all__ = ["point_below"]
