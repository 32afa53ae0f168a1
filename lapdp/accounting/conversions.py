"""From Renyi bounds to (eps, delta): the conversions of the field, each with its proofs.

R_q(P||Q) <= r for one or several orders q > 1 implies bounds of delta(eps); each name here states
which statements of the library prove it for every pair.  Values have a proved error bound, and
none is below the largest delta(eps) that the bounds allow: that is ``optimal``.

Bounds of one direction give delta of that direction: an (eps, delta) guarantee needs both.

``optimal`` is for one order the lossless conversion of Asoodeh, Liao, Calmon, Kosut and Sankar 2021
(Three Variants of Differential Privacy, Theorem 2), for several orders its like with all of them at
once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import pairwise
from typing import Any

import sympy as sp
from flint import arb

from lapdp.accounting.crossing import Bracket, Place, crossing
from lapdp.accounting.epsilon import enclosed
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import Enclosure, certified
from lapdp.balls.evaluate import bits_of
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.duality.implied import ImpliedProfile, implied_profile
from lapdp.privacy.parameters import exact_parameter

DIGITS = 15
MOST_POINTS = 1000
"""Points of a discretised tail."""


@dataclass(frozen=True)
class Conversion:
    """A bound of delta(eps) by R_q <= r: closed forms, a source, and what proves it."""

    name: str
    delta: Callable[[Any, Any, Any], Any]
    """(q, r, eps) -> the bound, an expression."""
    epsilon: Callable[[Any, Any, Any], Any]
    """(q, r, delta) -> the eps at which the bound is delta."""
    statements: tuple[str, ...]
    source: str


CONVERSIONS = {c.name: c for c in (
    Conversion(
        "mironov",
        lambda q, r, eps: sp.exp((q - 1) * (r - eps)),
        lambda q, r, delta: r - sp.log(delta) / (q - 1),
        ("laws/renyi-bounds.mironov", "laws/renyi-bounds.tail"),
        "Mironov 2017, Proposition 3; the moments accountant of Abadi et al. 2016, Theorem 2"),
    Conversion(
        "canonne",
        lambda q, r, eps: sp.exp((q - 1) * (r - eps)) * (1 - 1 / q) ** q / (q - 1),
        lambda q, r, delta: r + sp.log(1 - 1 / q) - (sp.log(delta) + sp.log(q)) / (q - 1),
        ("laws/renyi-bounds.canonne",),
        "Canonne, Kamath, Steinke 2020, Proposition 12; Balle et al. 2020, Theorem 21"),
)}
"""Closed forms for one order; ``optimal`` is :func:`lapdp.implied_profile`."""
OPTIMAL = ("Asoodeh, Liao, Calmon, Kosut, Sankar 2021, Theorem 2: the largest delta of all pairs "
           "with the bounds")
"""Where the best conversion is from; each value is proved by convex duality, checked in balls."""
METHODS = (*CONVERSIONS, "optimal")


@fitting
def renyi_to_delta(bounds: Any, eps: Any, method: str = "optimal", digits: int = DIGITS
                   ) -> Enclosure:
    """The bound of delta(eps) that R_q <= r implies, the least over the orders given, at most 1.

    ``bounds`` is (q, r), or several of these.  ``method`` is "mironov", "canonne" or "optimal",
    each never above the one before: the last is the largest delta(eps) of all pairs with these
    bounds together.  Raises :class:`InputError` for orders up to 1, negative bounds, floats.

    >>> for method in METHODS:
    ...     print(method, renyi_to_delta((2, "1/2"), 1, method, digits=8))
    mironov 0.60653066 +/- 5.01e-10
    canonne 0.151632665 +/- 5.01e-10
    optimal 0.089702291 +/- 5.01e-11
    """
    given, t = _implied(bounds), _number("eps", eps)
    if _known(method) == "optimal":
        return given.at(t, digits)
    rule = CONVERSIONS[method]
    return _least([sp.Integer(1), *(rule.delta(q, r, t) for q, r in given.bounds)], digits)


@fitting
def renyi_to_epsilon(bounds: Any, delta: Any, method: str = "optimal", digits: int = 8
                     ) -> Enclosure:
    """The least eps >= 0 at which the bound of :func:`renyi_to_delta` is at most delta.

    delta lies in (0, 1).  "optimal" lies between two certified values.

    >>> for method in METHODS:
    ...     print(method, renyi_to_epsilon((2, "1/2"), "1e-3", method))
    mironov 7.40775528 +/- 5.01e-9
    canonne 6.02146092 +/- 5.01e-9
    optimal 5.09484971 +/- 2.02e-8
    """
    given, mass = _implied(bounds), _level(delta)
    if _known(method) == "optimal":
        return _inverse(lambda eps, places: given.at(sp.Rational(eps), places), mass, digits)
    rule = CONVERSIONS[method]
    values = [rule.epsilon(q, r, mass) for q, r in given.bounds]
    if any(bool(sp.N(x) <= 0) for x in values):
        # near 0 the largest of (0, eps) is taken by balls
        return _least([sp.Max(0, x) for x in values], digits)
    return _least(values, digits)


@fitting
def concentrated_to_delta(rho: Any, eps: Any, xi: Any = 0, method: str = "canonne",
                          digits: int = DIGITS) -> Enclosure:
    """The bound of delta(eps) under zero-concentrated privacy, R_q <= xi + rho q for all q > 1.

    The order is the best one, also near 1: for "mironov" e^(-(eps - xi - rho)^2/(4 rho)), and 1 up
    to eps = xi + rho; for "canonne", below 1 at every eps, the logarithm of the bound is convex in
    q, with second derivative 2 rho + 1/(q (q-1)), and its minimum lies between a tangent and a
    value.

    >>> print(concentrated_to_delta("1/2", 5, method="mironov", digits=8))
    0.0000400652974 +/- 5.01e-14
    >>> print(concentrated_to_delta("1/2", 5, digits=8))
    2.89612281e-6 +/- 5.01e-15
    >>> print(concentrated_to_delta("1/2", 0, digits=8))
    0.558835639 +/- 5.01e-10
    """
    r, t, shift = _concentrated(rho, eps, xi)
    if _known(method, CONVERSIONS) == "mironov":
        if not t > shift + r:
            return Enclosure(Fraction(1), Fraction(0))
        return _least([sp.exp(-(t - shift - r) ** 2 / (4 * r))], digits)
    return certified(lambda bits: _convex_minimum(r, t, shift, bits), digits)


@fitting
def concentrated_to_epsilon(rho: Any, delta: Any, xi: Any = 0, method: str = "canonne",
                            digits: int = 8) -> Enclosure:
    """The least eps >= 0 at which the bound of :func:`concentrated_to_delta` is at most delta.

    delta lies in (0, 1).  For "mironov" it is xi + rho + 2 sqrt(rho log(1/delta)), Bun and Steinke
    2016, Proposition 1.3; "canonne" lies between two certified values.

    >>> for method in CONVERSIONS:
    ...     print(method, concentrated_to_epsilon("1/2", "1e-6", method=method))
    mironov 5.75652177 +/- 5.01e-9
    canonne 5.22153444 +/- 2.59e-8
    """
    mass = _level(delta)
    if _known(method, CONVERSIONS) == "mironov":
        r, _, shift = _concentrated(rho, 0, xi)
        return _least([shift + r + 2 * sp.sqrt(-r * sp.log(mass))], digits)
    return _inverse(lambda eps, places: concentrated_to_delta(
        rho, sp.Rational(eps), xi, method, places), mass, digits)


@fitting
def markov_adp(bounds: Any, points: Sequence[Any], digits: int = DIGITS) -> Enclosure:
    """The Markov-ADP bound of delta(points[0]), with tails of "mironov" at rising ``points``.

    T(y_k) + sum over j = 1, ..., k of (1 - e^(y_0 - y_j)) (T(y_(j-1)) - T(y_j)), T(y) the least of
    1 and e^((q-1)(r-y)): Sommer, Meiser, Mohammadi 2020, Theorem 3, its signs mended.  Every choice
    of points is valid; with one point it is "mironov".

    >>> print(markov_adp((2, "1/2"), [1, "3/2", 2, 3, 5, 8], digits=8))
    0.388133111 +/- 5.01e-10
    """
    given = _implied(bounds)
    levels = [_number("a point", y) for y in points]
    if not 0 < len(levels) <= MOST_POINTS:
        raise InputError(f"give 1 to {MOST_POINTS} points")
    if any(not a < b for a, b in pairwise(levels)):
        raise InputError("the points rise")

    def value(bits: int) -> Any:
        places = [exact_ball(y).real for y in levels]
        tails = [reduce(lambda a, b: a.min(b), (
            exact_ball((q - 1) * (r - y)).real.exp() for q, r in given.bounds), arb(1))
            for y in levels]
        # by parts all tails count positively: T_j (e^(y_0 - y_j) - e^(y_0 - y_(j+1)))
        weights = [(places[0] - y).exp() for y in places] + [arb(0)]
        return sum((tail * (weights[j] - weights[j + 1]) for j, tail in enumerate(tails)), arb(0))
    return certified(value, digits)


def _convex_minimum(rho: Any, eps: Any, xi: Any, bits: int) -> Any:
    """exp of the minimum of (q-1)(xi + rho q - eps) + (q-1) log(q-1) - q log q over q > 1.

    Its slope rises from -oo at q = 1 to oo, so there is one; where b = q - 1 is exp(eps - xi - 3
    rho), and at most 1, the slope is negative: log(b/(1+b)) < log(b) = eps - xi - rho - 2 rho.
    """
    r, t, x = (exact_ball(e).real for e in (rho, eps, xi))

    def slope(b: Any) -> Any:
        return x + r * (2 * b + 1) - t + b.log() - (1 + b).log()

    def value(b: Any) -> Any:
        return b * (x + r * (b + 1) - t) + b * b.log() - (1 + b) * (1 + b).log()

    low, high = (t - x - 3 * r).min(arb(0)).exp().lower(), arb(1)
    if not low > 0:
        # too small for balls; at the minimum b/(1+b) = exp(eps - xi - rho (2b+1)), so that b is at
        # most twice exp(eps - xi - rho) if that is small, and the value -rho b^2 - log(1+b)
        least = 2 * (t - x - r).exp().upper()
        if not least < 0.5:
            raise Unsupported("rho and eps are both beyond all that is computed with")
        return (-r * least**2 - (1 + least).log()).union(arb(0)).exp()
    while not slope(low) < 0:
        low = low / 2
    while not slope(high) > 0:
        high = 2 * high
    for _ in range(bits):
        middle = ((low + high) / 2).mid()
        found = slope(middle)
        if found < 0:
            low = middle
        elif found > 0:
            high = middle
        else:
            break
    # a convex function lies above its tangent at ``low``
    return value(low).union(value(low) + slope(low) * (high - low)).exp()


def _inverse(bound: Callable[[Fraction, int], Enclosure], delta: Any, digits: int) -> Enclosure:
    """The least eps >= 0 with bound(eps, digits) <= delta: the bound falls in eps."""
    if not delta.is_Rational:
        raise InputError("delta is a rational number here")
    bits_of(digits)  # refuses what is no number of digits
    mass = Fraction(int(delta.p), int(delta.q))

    def look(eps: Fraction, wanted: int) -> Place:
        found = bound(eps, wanted)
        side = 1 if found.lower > mass else -1 if found.upper <= mass else None
        return Place(eps, found.middle / mass or None, side)

    known = Bracket(look, digits, first=Fraction(0))
    known.see(Fraction(1))
    low, high = crossing(known)
    return enclosed(low.x, high.x, digits) if high.x else Enclosure(Fraction(0), Fraction(0))


def _least(values: Sequence[Any], digits: int) -> Enclosure:
    """The least of some numbers."""
    return certified(lambda bits: reduce(lambda a, b: a.min(b), (
        exact_ball(x).real for x in values)), digits)


def _implied(bounds: Any) -> ImpliedProfile:
    if isinstance(bounds, tuple) and len(bounds) == 2 and not isinstance(bounds[0], (tuple, list)):
        return implied_profile([bounds])
    return implied_profile(bounds)


def _number(name: str, value: Any) -> Any:
    found = exact_parameter(name, value)
    if found.free_symbols:
        raise InputError(f"{name} = {found} must be a number")
    return found


def _level(delta: Any) -> Any:
    mass = _number("delta", delta)
    if not 0 < mass < 1:
        raise InputError("delta lies in (0, 1)")
    return mass


def _concentrated(rho: Any, eps: Any, xi: Any) -> tuple[Any, Any, Any]:
    if isinstance(xi, str) and xi in METHODS:
        raise InputError(f'xi = {xi!r} is not a number: the way to convert is named, method="{xi}"')
    r, t, shift = _number("rho", rho), _number("eps", eps), _number("xi", xi)
    if not r > 0 or not shift >= 0:
        raise InputError("rho is positive, xi is not negative")
    return r, t, shift


def _known(method: str, methods: Iterable[str] = METHODS) -> str:
    if not isinstance(method, str) or method not in methods:
        raise InputError(f"method is one of {', '.join(methods)}")
    return method


__all__ = ["CONVERSIONS", "METHODS", "OPTIMAL", "Conversion", "concentrated_to_delta",
           "concentrated_to_epsilon", "markov_adp", "renyi_to_delta", "renyi_to_epsilon"]
