"""Calibration: the least noise whose privacy profile lies under a target.

A parameter is enclosed between a value that provably fails and one that provably meets the target.
Whether everything beyond the second one meets it too is another question: it is answered by a lemma
for families that are known to be monotone, and named as open otherwise.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

import sympy as sp

from lapdp.accounting.budgets import Guarantee, guarantee, most_over
from lapdp.accounting.crossing import Bracket, Place, crossing
from lapdp.accounting.inversion.level import normal_strength
from lapdp.accounting.ordering.lemmas import FAMILIES, beyond, reason
from lapdp.accounting.ordering.profiles import PROVED, REFUTED, dominates
from lapdp.balls.decimals import Enclosure
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, LapdpError, Unsupported
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.privacy.notions.profile import PrivacyProfile
from lapdp.privacy.operations import factors
from lapdp.privacy.pair import Pair

Family = Callable[[Any], Pair]
Target = Pair | Sequence[Guarantee]
_LARGEST = 60
SHARP = 1e-9
"""Relative error of a guess for Gaussians, nearly."""


@dataclass(frozen=True, repr=False)
class Calibration:
    """A parameter between two exact values, one of which meets the target.

    ``fails`` and ``holds`` are proved, each by itself.  ``monotone`` says why all values beyond
    ``holds`` meet the target as well, for the formula that the family is; where it is empty nothing
    is known of them, and there may be more changes in between.  ``exact`` is the optimum in closed
    form, where there is one.
    """

    fails: Fraction
    holds: Fraction
    monotone: str
    exact: Any = None
    method: str = ""
    seconds: float = 0.0

    @property
    def value(self) -> Fraction:
        """The middle of :attr:`enclosure`."""
        return self.enclosure.middle

    @property
    def radius(self) -> Fraction:
        """How far the optimum may lie from ``value``."""
        return self.enclosure.radius

    @property
    def enclosure(self) -> Enclosure:
        """The optimum, if the family is monotone; else :class:`Unsupported`."""
        if not self.monotone:
            raise Unsupported("the family is not known to be monotone: fails and holds are a "
                              "bracket of one change, no optimum")
        if self.exact is not None and self.exact.is_Rational:
            return Enclosure(Fraction(int(self.exact.p), int(self.exact.q)), Fraction(0))
        middle = (self.fails + self.holds) / 2
        return Enclosure(middle, abs(self.holds - self.fails) / 2)

    def __str__(self) -> str:
        if self.exact is not None:
            return str(self.exact)
        text = f"between {float(self.fails)!r} (fails) and {float(self.holds)!r} (holds)"
        return text if self.monotone else f"{text}; not known to be monotone"

    def __repr__(self) -> str:
        return f"Calibration({self}, by {self.method}, {self.seconds:.3g} s)"

    def _repr_html_(self) -> str:
        from lapdp.report.html.comparisons import calibration_card

        return calibration_card(self)


@fitting
def least(family: Family, under: Any, digits: int = 10, both_directions: bool = False
          ) -> Calibration:
    """The least positive parameter for which the profile of ``family(s)`` lies under a target.

    ``under`` is a pair, its profile, or a list of point guarantees (eps, delta), each of which the
    profile must meet: delta(eps) <= delta.  ``family`` makes a pair from an exact number, however
    many releases it is; with ``both_directions`` the reversed pair must lie under the target too.
    Raises :class:`InputError` for a target of another kind, :class:`Unsupported` where no parameter
    between 2^-60 and 2^60 fails or meets it, or where a comparison stays undecided.

    >>> from lapdp import gaussian, laplace, poisson, randomized_response
    >>> least(lambda b: laplace(b), under=randomized_response("1/3")).exact
    3
    >>> sigma = least(lambda s: gaussian(s), under=[(1, "1e-5")], digits=8)
    >>> round(float(sigma.value), 6), sigma.monotone
    (3.730632, 'the profile of the family grows with kappa')
    >>> def training(s):
    ...     return poisson(gaussian(s), "0.01", direction="remove") ** 1000
    >>> found = least(training, under=[(1, "1e-5")], digits=6, both_directions=True)
    >>> round(float(found.value), 4), found.method
    (1.4146, 'bracket, contour integral in doubles')
    """
    return _calibrate(family, under, digits, both_directions, rising=False)


@fitting
def greatest(family: Family, under: Any, digits: int = 10, both_directions: bool = False
             ) -> Calibration:
    """The greatest positive parameter for which the profile of ``family(s)`` lies under a target.

    As :func:`least`, with the same errors, for parameters such as eps that make a mechanism less
    private.

    >>> from lapdp import laplace, randomized_response
    >>> found = greatest(lambda eps: randomized_response(eps), under=laplace(1), digits=8)
    >>> round(float(found.value), 6)
    0.831797
    """
    return _calibrate(family, under, digits, both_directions, rising=True)


def _calibrate(family: Family, under: Any, digits: int, both: bool, rising: bool) -> Calibration:
    if not isinstance(digits, int) or not 1 <= digits <= 1000:
        raise InputError("digits must be a whole number between 1 and 1000")
    if not callable(family):
        raise InputError(f"{str(family)[:40]} makes no pairs: give a function such as laplace")
    target, start, methods = _target(under), time.perf_counter(), [""]

    def look(s: Fraction, wanted: int) -> Place:
        # with u = 1/s for rising families, larger u means more privacy
        pair = family(_number(1 / s if rising else s))
        if not isinstance(pair, Pair):
            raise InputError(f"the family gives {str(pair)[:40]}, which is no pair")
        pairs = [pair, pair.reverse()] if both else [pair]
        if isinstance(target, Pair):
            methods[0] = "dominance"
            return Place(s, None, -1 if all(_lies_under(p, target) for p in pairs) else 1)
        size, order, methods[0] = most_over(pairs, target, wanted)
        return Place(s, size, None if order is None else 1 if order > 0 else -1)

    first: tuple[Fraction, float | None, float] = Fraction(1), None, 1.0
    if not (isinstance(target, Pair) or rising or both):
        first = _guess(family, target, digits) or first
    known = Bracket(look, digits, first[1], first[2], farthest=_LARGEST)
    fails, holds = (place.x for place in _bracketed(known, first[0]))
    if rising:
        fails, holds = 1 / fails, 1 / holds
    written = _written(family, (fails, holds))
    monotone = _monotone(*written, rising) if written else ""
    closed = _closed(*written, target) if written and monotone and not both else None
    return Calibration(fails, holds, monotone, closed, f"bracket, {methods[0]}",
                       time.perf_counter() - start)


def _guess(family: Family, target: Sequence[Guarantee], digits: int
           ) -> tuple[Fraction, float | None, float] | None:
    """A parameter near the one sought, the slope of log delta there and how rough that is; for
    Gaussians whose kappa is about 1/s^2, None for others.  Choices only."""
    try:
        one = _kappa(family(_number(Fraction(1))))
        if one is None:
            return None
        kappa, slope = min(normal_strength(float(eps), float(delta)) for eps, delta in target)
        # somewhat to one side, so that the first look decides
        place = Fraction(math.sqrt(one / kappa)) * (1 + Fraction(2, 5 * 10**digits))
        found = _kappa(family(_number(place)))
    except (ArithmeticError, ValueError):
        return None
    if found is None or abs(found - kappa) > SHARP * kappa:
        return None
    return place, -2 * kappa * slope / float(place), SHARP


def _kappa(pair: Pair) -> float | None:
    """That of a Gaussian or a product of them, nearly."""
    total = 0.0
    for factor, count in factors(pair):
        if not isinstance(factor, Gaussian):
            return None
        total += float(factor.kappa) * count
    return total


def _bracketed(known: Bracket, first: Fraction) -> tuple[Place, Place]:
    known.see(first)
    try:
        return crossing(known)
    except Unsupported:
        # a comparison that is open on the way says nothing of the parameters beyond
        end = Fraction(2) ** (_LARGEST - 2)
        if known.low is None and known.high is not None and known.high.x * end < 1:
            raise Unsupported("every parameter that was tried meets the target, down to "
                              f"{float(known.high.x):.3g}: no least one is found; where a larger "
                              "parameter means less privacy, greatest() is meant") from None
        if known.high is None and known.low is not None and known.low.x > end:
            raise Unsupported("no parameter that was tried meets the target, up to "
                              f"{float(known.low.x):.3g}: where a larger parameter means less "
                              "privacy, greatest() is meant") from None
        raise


def _target(under: Any) -> Target:
    if isinstance(under, PrivacyProfile):
        under = under.pair
    if isinstance(under, Pair):
        if under.free_symbols:
            raise InputError(f"the target {under!r} has free parameters: give them numbers")
        return under
    if isinstance(under, (list, tuple)) and under and all(
            isinstance(point, (list, tuple)) and len(point) == 2 for point in under):
        asked = [guarantee(eps, delta) for eps, delta in under]
        if all(delta == 1 for _, delta in asked):
            raise InputError("delta = 1 is kept by every mechanism: a guarantee is (eps, delta), "
                             "in this order, such as (1, \"1e-5\")")
        return asked
    raise InputError("the target is a pair, its profile, or a list of guarantees (eps, delta)")


def _number(x: Fraction) -> Any:
    return sp.Rational(x.numerator, x.denominator)


def _lies_under(pair: Pair, target: Pair) -> bool:
    if beyond(target, pair) is not None:
        return False
    found = dominates(target, pair)
    if found.verdict not in (PROVED, REFUTED):
        raise Unsupported(f"{pair!r} under {target!r} is undecided: {found.reason}")
    return bool(found)


def _written(family: Family, ends: tuple[Fraction, Fraction]) -> tuple[Any, Pair] | None:
    """A symbol and the pair of the family there, if it is that pair at both ends as well.

    A function may do anything: what it does with a symbol speaks for its numbers only if it is a
    formula, and this is checked at the two ends.
    """
    s = sp.Symbol("s", positive=True)
    try:
        pair = family(s)
        if all(pair.substitute({s: _number(x)}) == family(_number(x)) for x in ends):
            return s, pair
    except (LapdpError, TypeError, ValueError, AttributeError):
        pass  # not a formula: then there is only the bracket
    return None


@lru_cache(maxsize=64)
def _monotone(s: Any, pair: Pair, rising: bool) -> str:
    """The lemma by which more noise means a lower profile, for all parameters, or nothing."""
    more = pair.substitute({s: s + sp.Symbol("gap", positive=True)})
    if more is None:
        return ""
    return (reason(more, pair) if rising else reason(pair, more)) or ""


def _closed(s: Any, pair: Pair, target: Target) -> Any:
    """The optimum by an equation, where dominance is the order of one number.

    In a family of one strength a larger strength means a strictly larger profile.  A Laplace
    profile is positive up to its shift: it lies under a guarantee (eps, 0), or under randomized
    response without leak, exactly when the shift is at most eps.
    """
    bound = _bound(type(pair), target)
    strength = None if bound is None else _strength(pair)
    if strength is None:
        return None
    try:
        found = sp.solve(sp.Eq(strength, bound), s)
    except NotImplementedError:  # SymPy knows no formula: the bracket is the answer
        return None
    return found[0] if len(found) == 1 else None


def _strength(pair: Pair) -> Any:
    if type(pair) not in FAMILIES:
        return None
    strengths = FAMILIES[type(pair)][0](pair)
    return strengths[0] if len(strengths) == 1 else None


def _bound(kind: type, target: Target) -> Any:
    """The largest strength that the target allows."""
    from lapdp.privacy.mechanisms.laplace import Laplace
    from lapdp.privacy.mechanisms.randomized_response import RandomizedResponse

    if isinstance(target, Pair):
        if type(target) is kind:
            return _strength(target)
        if kind is Laplace and isinstance(target, RandomizedResponse) and target.leak == 0:
            return target.eps
        return None
    pure = [eps for eps, delta in target if delta == 0]
    if kind is Laplace and len(pure) == len(target):
        return min(pure)
    return None


__all__ = ["Calibration", "greatest", "least"]
