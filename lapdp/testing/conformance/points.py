"""Where curves are asked: eps of a profile, levels of a trade-off function, as code takes them.

Errors sit at the atoms of the privacy loss, at eps = 0, on the negative side and beyond the largest
loss: these are drawn on purpose.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any

import sympy as sp
from flint import arb, fmpq
from hypothesis import strategies as st

from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair
from lapdp.testing.conformance.values import Real
from lapdp.testing.strategies import alphas

Drawn = st.SearchStrategy[Any]
LARGEST = 50
"""No eps is beyond: e^710 is no double."""
SMALLEST = 1e-200
"""No eps is nearer to 0: e^eps is told from 1 by some hundred bits."""


@dataclass(frozen=True)
class Axis:
    """The points of a curve, as the function under test is given them."""

    letter: str
    """Their name in cases."""
    drawn: Callable[[Pair | None], Drawn]
    """Points that matter for a pair, or for any."""
    place: Callable[[Any], Real]
    """Where a point lies on the line on which the curve is convex."""
    exact: Callable[[Any], Any]
    """The exact number that a point is, for this package."""
    opposite: Callable[[Any], Any] = operator.neg
    """-eps for eps."""
    outward: Callable[[Fraction, bool], Any] = lambda level, up: level
    """The next level that is handed over, not below a number or not above it."""

    @property
    def is_exact(self) -> bool:
        """Are its points those that a pair has, and not doubles near them?"""
        return self.outward is Axis.outward


def profile_axis(at: str, negative: bool) -> Axis:
    """Points eps of a profile: doubles ``"eps"``, SymPy numbers ``"exact"``, Fractions ``"alpha"``
    for e^eps; :class:`InputError` for other words.
    """
    if at == "alpha":
        def near(pair: Pair | None) -> Drawn:
            return _alphas(pair, negative)

        return Axis("alpha", near, Real.of, lambda a: sp.log(_rational(a)),
                    lambda a: 1 / a)
    if at == "exact":
        return Axis("eps", lambda pair: _exact_eps(pair, negative),
                    lambda eps: Real.of(sp.exp(eps)), lambda eps: eps)
    if at == "eps":
        return Axis("eps", lambda pair: _double_eps(pair, negative), _power_of_e,
                    lambda eps: _rational(Fraction(eps)))
    raise InputError(f'at={at!r} must be "eps", "exact" or "alpha"')


def level_axis(at: str) -> Axis:
    """Levels a in [0, 1]: Fractions ``"exact"`` or doubles ``"float"``."""
    if at == "exact":
        return Axis("a", _levels, Real.of, _rational)
    if at == "float":
        return Axis("a", lambda pair: _levels(pair).map(float) | st.floats(0, 1),
                    lambda a: Real.of(Fraction(a)), lambda a: _rational(Fraction(a)),
                    outward=_next_double)
    raise InputError(f'at={at!r} must be "exact" or "float"')


def _next_double(level: Fraction, up: bool) -> float:
    near = float(level)
    right = Fraction(near) >= level if up else Fraction(near) <= level
    return near if right else math.nextafter(near, 2.0 if up else -1.0)


def _rational(number: Fraction) -> Any:
    return sp.Rational(number.numerator, number.denominator)


def _power_of_e(eps: float) -> Real:
    if not eps:
        return Real.of(1)
    n, d = Fraction(eps).as_integer_ratio()
    return Real(None, lambda: arb(fmpq(n, d)).exp())


_FEW = tuple(Fraction(n, d) for n, d in (
    (1, 1), (2, 1), (1, 2), (3, 1), (1, 3), (3, 2), (2, 3), (10, 1), (1, 10), (10**9, 1),
    (1, 10**9)))
"""Failures shrink to the first of them."""
_ANY = alphas()
_AT_LEAST_1 = _ANY.map(lambda a: max(a, 1 / a))


def _alphas(pair: Pair | None, negative: bool) -> Drawn:
    """e^eps at, between and beyond the ratios P/Q, their inverses, 1, and far away."""
    ratios = _ratios(pair)
    cuts = sorted({a for r in ratios for a in (r, 1 / r)}, key=lambda a: (a.denominator, a))
    between = [(a + b) / 2 for a, b in pairwise(sorted(cuts))]
    beyond = [a * k for a in cuts for k in (2, Fraction(1001, 1000))]
    # one choice among all: a strategy for each kind would cost more than the law
    chosen = st.sampled_from([a for a in (*_FEW, *cuts, *between, *beyond) if negative or a >= 1])
    return chosen | (_ANY if negative else _AT_LEAST_1)


def _ratios(pair: Pair | None) -> tuple[Fraction, ...]:
    if isinstance(pair, FinitePair):
        return pair.breakpoints()
    powers = (sp.exp(kink) for kink in _kinks(pair))
    return tuple(Fraction(int(r.p), int(r.q)) for r in powers if r.is_Rational)


@lru_cache(maxsize=256)
def _kinks(pair: Pair | None) -> tuple[Any, ...]:
    """Where the profile has kinks; none where they are not known."""
    if pair is None:
        return ()
    try:
        return tuple(k for k in pair.profile.kinks if not k.free_symbols)
    except Unsupported:
        return ()


def _exact_eps(pair: Pair | None, negative: bool) -> Drawn:
    """Rational numbers, logarithms of the Fractions above, and kinks."""
    few = {Fraction(n, d) for d in (1, 2, 3) for n in range(-6 if negative else 0, 7)}
    found = [st.sampled_from([_rational(x) for x in sorted(few, key=lambda x: (abs(x), x < 0))]),
             _alphas(pair, negative).map(lambda a: sp.log(_rational(a)))]
    kinks = [k for k in _kinks(pair) if negative or k.is_nonnegative]
    return st.one_of([*found, st.sampled_from(kinks)] if kinks else found)


def _double_eps(pair: Pair | None, negative: bool) -> Drawn:
    """Doubles next to the logarithms above, where code in doubles has its atoms; and any."""
    few = [0.0, *(x * s for x in (1.0, 0.5, 2.0, 0.1, 5.0, 10.0, 20.0) for s in (1, -1)
                  if negative or s > 0)]
    near = _alphas(pair, negative).map(math.log)
    return st.one_of(st.sampled_from(few), near, st.floats(
        -LARGEST if negative else 0.0, LARGEST).map(lambda x: x if abs(x) > SMALLEST else 0.0))


def _levels(pair: Pair | None) -> Drawn:
    """Levels at the vertices of the curve, between them, both ends, and near them."""
    corners = vertices(pair) if isinstance(pair, FinitePair) else ()
    between = [(a + b) / 2 for a, b in pairwise(corners)]
    return st.sampled_from([*_FEW_LEVELS, *corners, *between]) | _ANY_LEVEL


_FEW_LEVELS = tuple(Fraction(n, d) for n, d in (
    (0, 1), (1, 1), (1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (1, 10**9), (10**9 - 1, 10**9)))
_ANY_LEVEL = _ANY.map(lambda a: a / (1 + a))


def vertices(pair: FinitePair) -> tuple[Fraction, ...]:
    """The levels at which the trade-off function has vertices: sums of P-masses by the ratio."""
    return tuple(sorted({Fraction(0), *accumulate(mass for _, mass in pair.loss_masses())}))


__all__ = ["Axis", "level_axis", "profile_axis", "vertices"]
