"""Curves that obey the laws of Renyi divergences, of which some belong to no pair.

What is known of a mechanism is often such a curve only: the largest Renyi divergence over its
neighbours, order by order.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from typing import Any

import sympy as sp
from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument
from hypothesis.strategies import DrawFn

from lapdp.core.errors import InputError
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.notions.tradeoff_order import sign_of
from lapdp.privacy.parameters import exact_parameter
from lapdp.testing.strategies.bounds import among, positive
from lapdp.testing.strategies.finite import finite_pairs
from lapdp.testing.strategies.naming import called


@dataclass(frozen=True)
class RenyiCurve:
    """The largest Renyi divergence of some finite pairs, for orders q from 1 to oo.

    Called with an exact order it gives an exact number in SymPy, or oo.  At q = 1 it is the largest
    E[Z], at q = oo the largest loss.  As that of one pair (van Erven and Harremoes 2014) the curve
    is at least 0, non-decreasing, and (q - 1) R_q is convex; R_1 and R_oo are its limits, unless it
    is oo beyond q = 1.  For orders below 1 the maximum need not be so: ask ``pairs``.

    Raises :class:`InputError` for orders below 1 and floats, :class:`Unsupported` where balls do
    not tell which of two irrational values is larger.

    >>> from lapdp import finite
    >>> curve = RenyiCurve((finite(["1/2", "1/2"], ["1/3", "2/3"]),))
    >>> curve(2), curve(sp.oo)
    (log(9/8), log(3/2))
    """

    pairs: tuple[FinitePair, ...]

    def __call__(self, q: Any) -> Any:
        """R_q."""
        if q == sp.oo:
            return self._at_oo()
        order = exact_parameter("q", q)
        if order.free_symbols:
            raise InputError(f"q = {order} must be a number")
        if sign_of(order - 1) < 0:
            raise InputError(f"q = {order} must be at least 1, where the curve is one")
        if not self._is_finite():
            return sp.oo
        if order == 1:
            return reduce(_larger, map(_mean, self.pairs))
        # R_q increases with E_q for q > 1; E_q is what is compared, being rational at integers
        return sp.log(reduce(_larger, (sp.sympify(pair.moment_value(order)) for pair in self.pairs))
                      ) / (order - 1)

    def _at_oo(self) -> Any:
        if not self._is_finite():
            return sp.oo
        return sp.log(sp.Rational(max(map(_largest_ratio, self.pairs))))

    def _is_finite(self) -> bool:
        return all(pair.absolutely_continuous for pair in self.pairs)


def _mean(pair: FinitePair) -> Any:
    """E[Z], where it is finite."""
    return sum(sp.Rational(p) * sp.log(sp.Rational(p / q)) for p, q in pair.masses if p)


def _larger(x: Any, y: Any) -> Any:
    return y if sign_of(y - x) > 0 else x


def renyi_curves(
    *, realizable: bool | None = None, max_size: int = 3, max_weight: int = 12
) -> st.SearchStrategy[RenyiCurve]:
    """Functions q -> R_q on [1, oo] that obey what :class:`RenyiCurve` says.

    ``realizable=True`` draws curves of one pair, which may be oo beyond q = 1.  ``False`` draws
    maxima of two finite curves that no pair has: one of them is the larger at q = 2, the other one
    towards oo.  If a pair had the maximum, its E_q, which is analytic for q > 1, would be that of
    either pair near 2, hence everywhere; but it is not towards oo.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes without meaning.

    >>> from hypothesis import find
    >>> find(renyi_curves(realizable=True), lambda R: R(2) > 0).pairs
    (finite([0, 1], ["1/2", "1/2"]),)
    >>> curve = find(renyi_curves(realizable=False), lambda R: True)
    >>> [curve(q) == max(pair.renyi(q) for pair in curve.pairs) > 0 for q in (2, 9)]
    [True, True]
    """
    given = locals()
    among(realizable, (None, True, False), "realizable")
    positive(max_size, "max_size")
    positive(max_weight, "max_weight")
    if realizable is not True and max_size < 3:
        raise InvalidArgument(f"max_size={max_size}: two curves that cross need max_size >= 3")
    found = []
    if realizable is not False:
        found.append(finite_pairs(max_size=max_size, max_weight=max_weight).map(_curve))
    if realizable is not True:
        found.append(_crossing(max_size=max_size, max_weight=max_weight))
    return called(renyi_curves, given, st.one_of(found))


def _curve(pair: FinitePair) -> RenyiCurve:
    return RenyiCurve((pair,))


@st.composite
def _crossing(draw: DrawFn, *, max_size: int, max_weight: int) -> RenyiCurve:
    pairs = finite_pairs(min_size=2, max_size=max_size - 1, max_weight=max_weight,
                         absolutely_continuous="forward")
    near, far = sorted((draw(pairs), draw(pairs)), key=_largest_ratio)
    assume(1 < _largest_ratio(near) < _largest_ratio(far))
    here, there = Fraction(far.moment_value(2)), Fraction(near.moment_value(2))
    share = Fraction(1)
    while 1 + share * (here - 1) >= there:
        share /= 2
    if share < 1:
        # beside an outcome of loss 0 the largest ratio is the same and E_2 is as near to 1 as need
        far = FinitePair((*((share * p, share * q) for p, q in far.masses),
                          (1 - share, 1 - share)))
    return RenyiCurve((near, far))


def _largest_ratio(pair: FinitePair) -> Fraction:
    return pair.breakpoints()[-1]


__all__ = ["RenyiCurve", "renyi_curves"]
