"""Moments, Renyi divergences and trade-off functions as certified numbers.

A moment of independent releases is the product of theirs, so that the number of copies costs
nothing: E_q of each factor comes from its closed form, or else from the moments on vertical lines
that the inversion integral uses, at the real point of the line.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.answers import Answer
from lapdp.accounting.delta import delta
from lapdp.accounting.moments.mixed_normal import MixedNormalSpectrum
from lapdp.accounting.moments.releases import refuse_symbols, releases
from lapdp.accounting.moments.whole_orders import whole_moment
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import Enclosure, certified
from lapdp.calculus.enclose import enclose
from lapdp.calculus.form import Form
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.ball_values import expression_ball
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.privacy.notions.tradeoff_at import tradeoff_at
from lapdp.privacy.operations import factors
from lapdp.privacy.overlapping import OverlappingMixtures
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter

MOST_BITS = 1 << 14
DECIMAL = 0.301
"""Digits that a bit holds."""
LOOK_BITS = 64
"""The precision at which a method shows that it reaches an order, or the side of an edge."""
CLOSED, LINE = "closed form", "moments on a line"
Compute = Callable[[int], Any]
"""A number in balls, good to about so many bits."""


def moment(pair: Pair, q: Any, digits: int = 15) -> Answer:
    """E_q at an exact real order, infinite where the integral diverges.

    Raises :class:`InputError` for floats, symbols and complex orders, :class:`Unsupported` where
    no method reaches a factor.

    >>> from lapdp import gaussian, laplace, poisson
    >>> print(moment(poisson(gaussian(1), "0.01", direction="remove") ** 1000, "5/2"))
    1.385918363754288 +/- 5.01e-16
    >>> print(moment(laplace(1) ** 10**5, 2, digits=5))
    1.5762e26888 +/- 5.01e26882
    """
    refuse_symbols(pair)
    order, start = _order(q), time.perf_counter()
    found = [(_moment(factor, order), count) for factor, count in factors(pair)]
    if any(part is None for part, _ in found):
        return Answer(None, "the integral diverges", time.perf_counter() - start)
    parts = [(*part, count) for part, count in found if part is not None]

    def compute(bits: int) -> Any:
        value = flint.arb(1)
        for _, run, count in parts:
            with workprec(bits + count.bit_length() + 10):
                value *= run(bits + count.bit_length()) ** count
        return value

    return Answer(certified(compute, digits, MOST_BITS), _names(parts),
                  time.perf_counter() - start)


def renyi(pair: Pair, q: Any, digits: int = 15) -> Answer:
    """R_q = log(E_q)/(q - 1) at an exact real order; its limits at 1 and oo too.

    At 1 it is E[Z], the Kullback-Leibler divergence, at oo the largest loss.  Infinite where E_q is
    infinite and q > 1, or 0 and q < 1.  Raises as :func:`moment`, and :class:`Undefined` where R_q
    is -oo.

    >>> from lapdp import gaussian, laplace, poisson
    >>> sampled = poisson(gaussian(1), "0.01", direction="remove") ** 1000
    >>> for order in (1, "3/2", 2, sp.oo):
    ...     print(renyi(sampled, order, digits=10))
    0.083812207651 +/- 5.01e-13
    0.12725374333 +/- 5.01e-12
    0.17181342207 +/- 5.01e-12
    oo
    >>> print(renyi(laplace(1) ** 10**6, sp.oo))
    1000000
    """
    refuse_symbols(pair)
    if isinstance(q, (float, sp.Basic)) and q == sp.oo:
        return largest_loss(pair, digits)
    order, start = _order(q), time.perf_counter()
    if order == 1:
        return _mean(pair, digits)
    found = [(_moment(factor, order), count) for factor, count in factors(pair)]
    infinite = any(part is None for part, _ in found)
    parts = [(*part, count) for part, count in found if part is not None]
    if infinite and (order - 1).is_negative:
        raise Undefined(f"R_q is -oo at q = {order}: E_q is infinite")
    # what is summed on a line has a radius
    if infinite or any(name == CLOSED and run(LOOK_BITS).is_zero() for name, run, _ in parts):
        return Answer(None, "the integral diverges" if infinite else "disjoint supports",
                      time.perf_counter() - start)

    def compute(bits: int) -> Any:
        return sum((run(bits).log() * count for _, run, count in parts), flint.arb(0)) / (
            exact_ball(order).real - 1)

    return Answer(certified(compute, digits, MOST_BITS), _names(parts),
                  time.perf_counter() - start)


def tradeoff(pair: Pair, a: Any, digits: int = 15) -> Answer:
    """f_{P|Q}(a) at an exact level: tangents of the profile below, chords of it above.

    >>> from lapdp import laplace
    >>> print(tradeoff(laplace(1) ** 10, "1/3"))
    0.01010081706256122 +/- 5.05e-18
    """
    def profile(eps: Any) -> Any:
        found = delta(pair, eps, max(1, int(flint.ctx.prec * DECIMAL))).enclosure
        assert found is not None  # delta is at most 1
        return found.ball()

    start = time.perf_counter()
    level = exact_parameter("a", a)
    try:
        found = tradeoff_at(pair, level, digits)
    except Unsupported:
        found = tradeoff_at(pair, level, digits, profile)
    return Answer(found, "tangents and chords of the profile", time.perf_counter() - start)


def largest_loss(pair: Pair, digits: int = 15) -> Answer:
    """The least upper bound of the losses, R_oo; infinite with mass at infinite loss.

    >>> from lapdp import randomized_response
    >>> print(largest_loss(randomized_response("0.1") ** 10**9))
    100000000
    """
    start = time.perf_counter()
    found = largest_finite_loss(pair, digits) if pair.is_absolutely_continuous else None
    return Answer(found, "largest loss", time.perf_counter() - start)


def largest_finite_loss(pair: Pair, digits: int) -> Enclosure | None:
    """The least upper bound of the finite losses, and of 0; None where there is none."""
    end = end_of_losses(pair)
    if end is None:
        return None
    found = certified(lambda _: expression_ball(end) if isinstance(end, sp.Basic)
                      else enclose(end, {}).real, digits)
    return Enclosure(Fraction(0), Fraction(0)) if found.middle <= 0 else found


def end_of_losses(pair: Pair) -> Any:
    """The least upper bound of the finite losses, a form or an expression; None where there is
    none, 0 or less where no loss is finite."""
    try:
        parts = releases(pair)
        parts.refuse_open_ends()
        return Form({}) if parts.finite_mass().is_zero() else parts.largest()
    except Unsupported:
        end = pair.profile.plateau
        return None if end == sp.oo else sp.sympify(end)


def _order(q: Any) -> Any:
    order = exact_parameter("q", q)
    if order.free_symbols:
        raise InputError(f"q = {order}: a certified value needs a number")
    return order


def _names(parts: list[tuple[str, Compute, int]]) -> str:
    return " and ".join(dict.fromkeys(name for name, *_ in parts))


def _moment(factor: Pair, order: Any) -> tuple[str, Compute] | None:
    """What gives E_q of one factor, with its name; None where it is infinite."""
    quick = _of_mixture(factor, order)
    if quick is not None:
        return quick
    try:
        balls = factor.moment_balls(order)
        balls()
        return CLOSED, lambda bits: balls()
    except Undefined:
        return None
    except Unsupported as problem:
        reason = problem
    try:
        if not _inside(factor, order):
            return None
        (spectrum, _), = releases(factor).parts
    except Unsupported as problem:
        raise Unsupported(f"E_q of {factor} at q = {order} is not reached ({CLOSED}: {reason}; "
                          f"{LINE}: {problem})") from None

    def compute(bits: int) -> Any:
        return spectrum.line(exact_ball(order).real, 0.0, bits).at(flint.arb(0)).real

    compute(LOOK_BITS)
    return LINE, compute


def _of_mixture(factor: Pair, order: Any) -> tuple[str, Compute] | None:
    """E_q of a subsampled Gaussian, by a finite sum at whole orders; None for other pairs."""
    if not (isinstance(factor, OverlappingMixtures) and isinstance(factor.pair, Gaussian)):
        return None
    try:
        (spectrum, _), = releases(factor).parts
    except Unsupported:
        return None
    if not isinstance(spectrum, MixedNormalSpectrum):
        return None
    if order.is_Integer:
        known = spectrum
        return None if whole_moment(known, int(order)) is None else (
            CLOSED, lambda bits: whole_moment(known, int(order)))
    return LINE, lambda bits: spectrum.line(exact_ball(order).real, 0.0, bits).at(flint.arb(0)).real


def _inside(factor: Pair, order: Any) -> bool:
    """Does E_q converge there, strictly inside the strip?  :class:`Unsupported` at an edge."""
    strip = factor.moment_region()
    if strip.empty:
        return False
    with workprec(4 * LOOK_BITS):
        place = exact_ball(order).real
        for edge, sign in ((strip.lower, 1), (strip.upper, -1)):
            room = place if edge is None else sign * (place - enclose(edge, {}).real)
            if edge is not None and room.contains(0):
                raise Unsupported(f"q = {order} is an edge of the strip, or next to it")
            if edge is not None and room < 0:
                return False
    return True


def _mean(pair: Pair, digits: int) -> Answer:
    """E[Z], the sum over the factors."""
    start = time.perf_counter()
    if not pair.is_absolutely_continuous:
        return Answer(None, "mass at infinity", time.perf_counter() - start)
    parts = [(*_mean_of(factor), count) for factor, count in factors(pair)]

    def compute(bits: int) -> Any:
        return sum((run(bits) * count for _, run, count in parts), flint.arb(0))

    return Answer(certified(compute, digits, MOST_BITS), f"mean loss, {_names(parts)}",
                  time.perf_counter() - start)


def _mean_of(factor: Pair) -> tuple[str, Compute]:
    try:
        mean = factor.loss.mean
        expression_ball(mean)
        return CLOSED, lambda bits: expression_ball(mean)
    except Unsupported:
        return "derivative of the moment", lambda bits: derivative_at_one(factor, bits)


def derivative_at_one(factor: Pair, bits: int) -> Any:
    """A ball around E'_1 = E[Z], from moments at real orders, good to about ``bits`` bits.

    The polynomial through f(1 + j h), |j| <= m, has the slope sum over j of w_j (f(1 + j h) -
    f(1 - j h)) at 1.  Where f is analytic within R > m h of 1 and at most M on that circle, the
    slope of f differs by (m! h^m)^2 f[...], and by Cauchy's formula the divided difference is at
    most M/(R prod_j (R^2 - j^2 h^2)).  |E_q| <= E_(Re q), which is convex: M is E at 1 +- R.
    """
    reach = sp.Rational(1, 2)
    while (edge := _moment(factor, 1 + reach)) is None:
        reach /= 2
        if reach < sp.Rational(1, 2**20):
            raise Unsupported(f"the mean loss of {factor}: no moment beyond order 1 is seen to "
                              "be finite")
    below = _moment(factor, 1 - reach)
    assert below is not None  # E_q <= 1 between 0 and 1
    size = edge[1](LOOK_BITS).max(below[1](LOOK_BITS)).upper()
    m = math.ceil(bits * math.log(2) / 3.2) + 2
    with workprec(bits + m.bit_length() + 10):
        h = reach / (2 * m)
        total, weight, error = flint.arb(0), Fraction(1), size / _ball(reach)
        for j in range(1, m + 1):
            # w_j h = (-1)^(j+1) (m!)^2/((m-j)! (m+j)! j)
            weight *= Fraction(m - j + 1, m + j) * (-1 if j > 1 else 1)
            right, left = _moment(factor, 1 + j * h), _moment(factor, 1 - j * h)
            assert right is not None and left is not None  # inside the strip
            total += _ball(weight / j) * (right[1](bits + 8) - left[1](bits + 8))
            step = _ball(j * h) ** 2
            error *= step / (_ball(reach) ** 2 - step)
        return total / _ball(h) + flint.arb(0, error.upper())


def _ball(x: Any) -> Any:
    return exact_ball(sp.sympify(x)).real


__all__ = ["derivative_at_one", "end_of_losses", "largest_finite_loss", "largest_loss", "moment",
           "renyi", "tradeoff"]
