"""Laws at points, by enclosures with proved radii: violations are proved, the rest is local."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise, product
from typing import Any

import flint
import sympy as sp

from lapdp.balls.compiler import exact_ball
from lapdp.core.errors import InputError, Unsupported
from lapdp.core.precision import workdps
from lapdp.privacy.pair import Pair
from lapdp.testing.law_routes.symbolically import partner

POINTS = tuple(sp.Rational(x) for x in ("-5/2", "-1", "-1/3", "0", "1/5", "1", "2"))
DIGITS = 20
CANDIDATES = (sp.Rational(1, 2), sp.Integer(1), sp.Integer(2), sp.Integer(3), sp.Rational(1, 5))


def instance(pair: Pair) -> Pair:
    """The pair itself, or with numbers for its symbols."""
    symbols = sorted(pair.free_symbols, key=str)
    for values in product(CANDIDATES, repeat=len(symbols)):
        found = pair.substitute(dict(zip(symbols, values, strict=True))) if symbols else pair
        if isinstance(found, Pair) and not found.free_symbols:
            return found
    raise Unsupported("no numbers for the parameters were found")


def _ball(value: Any) -> Any:
    return exact_ball(value).real


def _at(pair: Pair, t: Any) -> Any:
    return pair.profile.at(t, digits=DIGITS).ball()


def _decided(test: Callable[..., str]) -> Callable[..., str]:
    """A test on numbers, at a working precision above that of the values."""
    def route(pair: Pair, *others: Pair) -> str:
        given = instance(pair)
        with workdps(2 * DIGITS):
            found = test(given, *map(instance, others))
        return f"{found} at {given!r}" if found and given is not pair else found

    return route


@_decided
def limits(pair: Pair) -> str:
    """The profile tends to Pr[Z = oo] from above."""
    lost = _ball(sp.sympify(pair.mass_at_infinity))
    for far in (50, *(10**j for j in range(3, 13))):
        # far out values are tiny: their own digits are not wanted
        gap = pair.profile.at(far, digits=2).ball() - lost
        if gap < 0:
            return f"the profile at {far} lies below Pr[Z = oo]"
        if gap < flint.arb(1) / 1000:
            return ""
    return f"the profile is far from Pr[Z = oo] = {lost} still at {far}"


@_decided
def convexity(pair: Pair) -> str:
    """Slopes in e^t between neighbouring points."""
    values = [(_ball(sp.exp(t)), _at(pair, t)) for t in POINTS]
    slopes = [(v - u) / (b - a) for (a, u), (b, v) in pairwise(values)]
    for k, (a, b) in enumerate(pairwise([*slopes, flint.arb(0)])):
        if a > b:
            return f"the profile is not convex and falling in e^t near {POINTS[k + 1]}"
    return ""


@_decided
def bounds(pair: Pair) -> str:
    """At the points."""
    for t in POINTS:
        value = _at(pair, t)
        if value > 1 or value < 0 or value < 1 - _ball(sp.exp(t)):
            return f"the profile is {value} at {t}"
    return ""


@_decided
def reversal(pair: Pair) -> str:
    """Both sides at the points."""
    backward = pair.reverse()
    for t in POINTS:
        alpha = _ball(sp.exp(t))
        if not (_at(backward, t) - (1 - alpha + alpha * _at(pair, -t))).contains(0):
            return f"(7) fails at {t}"
    return ""


@_decided
def composition(pair: Pair, other: Pair | None = None) -> str:
    """The mean of the profile over the loss of a partner that has atoms."""
    other = other or partner()
    if other.loss.pieces:
        raise Unsupported("a partner with atoms alone is needed")
    both = pair * other
    for t in POINTS[1:-1]:
        mean = sum((_ball(mass) * _at(pair, t - z) for z, mass in other.loss.atoms),
                   _ball(other.mass_at_infinity))
        if not (_at(both, t) - mean).contains(0):
            return f"(47) fails at {t}"
    return ""


@_decided
def commutes(pair: Pair, other: Pair | None = None) -> str:
    """Both products at the points."""
    other = other or partner()
    one, two = pair * other, other * pair
    for t in POINTS[1:-1]:
        if not (_at(one, t) - _at(two, t)).contains(0):
            return f"the factors in the other order have another profile at {t}"
    return ""


@_decided
def dominance(pair: Pair, other: Pair | None = None) -> str:
    """The product with a partner, at the points."""
    both = pair * (other or partner())
    for t in POINTS:
        if _at(both, t) < _at(pair, t):
            return f"the product has the smaller profile at {t}"
    return ""


@_decided
def data_processing(pair: Pair) -> str:
    """The view that tells only whether Z > c: its profile is the largest of four lines in e^t."""
    try:
        below = [(c, pair.loss.cdf_at(c, digits=DIGITS).ball()) for c in POINTS]
    except InputError as problem:
        raise Unsupported(str(problem)) from None
    for c, mass in below:
        p = 1 - mass
        # P - e^c Q on the event Z > c is the profile at c
        q = (p - _at(pair, c)) / _ball(sp.exp(c))
        for t in POINTS:
            alpha, value = _ball(sp.exp(t)), _at(pair, t)
            if value < p - alpha * q or value < (1 - p) - alpha * (1 - q):
                return f"whether Z > {c} has the larger profile at {t}"
    return ""


__all__ = ["POINTS", "bounds", "commutes", "composition", "convexity", "data_processing",
           "dominance", "instance", "limits", "reversal"]
