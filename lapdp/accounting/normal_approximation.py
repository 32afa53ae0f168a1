"""delta of many releases by the normal law of the same mean and variance, with a proved error.

Let the loss of release i, given that it is finite, have mean m_i, variance v_i and absolute central
third moment b_i, and let w be the probability that all losses are finite.  With m, v, b their sums
over all releases and N ~ N(m, v), the theorem of Berry and Esseen says

    |Pr[sum <= x] - Pr[N <= x]| <= r for every x,  r = C b/v^(3/2),

C = 0.4748 for copies of one release, 0.56 for unlike ones; for n copies and x >= m also

    r(x) = 25.80 b/v^(3/2)/(1 + t^3),  t = (x - m)/sqrt(v).

delta(x) is 1 - w plus w times a mean of Pr[sum > y] over y > x with weight e^(x - y), so it lies
within w r of 1 - w + (w/2) (erfc(u) - e^(x - m + v/2) erfc(u + sqrt(v/2))), u = (x - m)/sqrt(2 v).
Source: Sommer, Meiser and Mohammadi 2020, Theorem 6, mended: with the central moment, and sqrt(v)
for v in t.  The bounds fall like 1/sqrt(n): they tell something of large numbers of releases only.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import flint

from lapdp.accounting.answers import Answer
from lapdp.accounting.moments.releases import refuse_symbols
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import Enclosure, certified, fraction_ball
from lapdp.balls.evaluate import bits_of
from lapdp.calculus.enclose import enclose
from lapdp.calculus.exact import ZERO, Exact
from lapdp.calculus.field import Scalar
from lapdp.calculus.ordering import Cell
from lapdp.calculus.transform import bilateral, multiply
from lapdp.core import facts as known
from lapdp.core.errors import InputError, Undefined, Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.mechanisms.gaussian import Gaussian
from lapdp.privacy.model import Model
from lapdp.privacy.operations import counted
from lapdp.privacy.pair import Pair
from lapdp.privacy.pair import copies as checked_copies
from lapdp.privacy.parameters import exact_parameter

UNIFORM, UNLIKE, FALLING = Fraction(4748, 10000), Fraction(56, 100), Fraction(2580, 100)
GUARD = 40


@dataclass(frozen=True)
class _Class:
    """Privacy loss class and third moment of one release, in balls."""

    kept: Any
    mean: Any
    variance: Any
    third: Any


def normal_approximation(pair: Pair, eps: Any, copies: Any = 1, digits: int = 15) -> Answer:
    """Bounds of delta(eps) of ``copies`` of a pair by its class and third moment.

    The answer encloses delta: ``answer.lower <= delta <= answer.upper``.  It rests on the theorem
    named in ``answer.assumes``.  ``pair`` may be a product of unlike releases; ``digits`` are those
    of the two ends.  Raises :class:`InputError` for floats and symbols, :class:`Undefined` where no
    loss is finite, :class:`Unsupported` where all finite losses are one number, or moments are not
    reached.  Source: Sommer, Meiser and Mohammadi 2020, Theorem 6, mended.

    >>> from lapdp import randomized_response
    >>> one = randomized_response("0.01")
    >>> found = normal_approximation(one, "0.2", copies=100)
    >>> true = (one**100).delta("0.2")
    >>> found.lower <= true.lower and true.upper <= found.upper
    True
    >>> float(found.upper) < 0.05, found.method
    (True, 'Berry-Esseen')
    """
    start = time.perf_counter()
    point, parts = _question(pair, eps, copies)
    alike = len(parts) == 1
    bits = bits_of(digits) + GUARD
    with workprec(bits):
        sums = _sums(parts)
        x = exact_ball(point).real
        centre = _normal_delta(sums, x)
        rate = sums.kept * sums.third / (sums.variance * sums.variance.sqrt())
        name, fact = "Berry-Esseen", known.BERRY_ESSEEN if alike else known.BERRY_ESSEEN_UNLIKE
        radius = fraction_ball(UNIFORM if alike else UNLIKE) * rate
        t = (x - sums.mean) / sums.variance.sqrt()
        if alike and t >= 0:
            falling = fraction_ball(FALLING) * rate / (1 + t**3)
            if falling < radius:
                name, fact, radius = "nonuniform Berry-Esseen", known.NAGAEV, falling
        low = (centre - radius).max(1 - sums.kept).max(flint.arb(0))
        high = (centre + radius).min(flint.arb(1))
        ends = [Enclosure.of_ball(end, digits) for end in (low, high)]
    # every profile lies between max(0, 1 - e^eps) and 1
    lower, upper = max(ends[0].lower, Fraction(0)), min(ends[1].upper, Fraction(1))
    found = Enclosure((lower + upper) / 2, (upper - lower) / 2)
    return Answer(found, name, time.perf_counter() - start, assumes=f"{fact.name} ({fact.source})")


def class_estimate(pair: Pair, eps: Any, copies: Any = 1, digits: int = 15) -> Answer:
    """delta(eps) of the normal loss of the same privacy loss class: an estimate, no bound.

    The class is (mean, variance, mass at infinity).  ``answer.certified`` is False: its radius is
    that of the estimate, not its distance from delta.  Errors are those of
    :func:`normal_approximation`.  Source: Sommer, Meiser and Mohammadi 2020, Section 5.

    >>> from lapdp import gaussian, laplace
    >>> print(class_estimate(gaussian(3), 1, copies=10, digits=5))
    0.146343 +/- 5.01e-7
    >>> print((gaussian(3)**10).delta(1, digits=5))
    0.146343 +/- 5.01e-7
    >>> class_estimate(laplace(10), 1, copies=100).certified
    False
    """
    start = time.perf_counter()
    point, parts = _question(pair, eps, copies)
    found = certified(lambda bits: _normal_delta(_sums(parts), exact_ball(point).real), digits)
    return Answer(found, "normal law of the same class", time.perf_counter() - start,
                  doubt="the distance of delta from it is not bounded")


def _question(pair: Pair, eps: Any, count: Any) -> tuple[Any, dict[Pair, int]]:
    """The point, and the different releases with their numbers."""
    point = exact_parameter("eps", eps)
    if point.free_symbols:
        raise InputError(f"eps = {point} must be a number")
    refuse_symbols(pair)
    number = checked_copies(count)
    if not isinstance(number, int):
        raise InputError(f"copies = {count} must be a number")
    return point, {factor: k * number for factor, k in counted(pair).items()}


def _sums(parts: dict[Pair, int]) -> _Class:
    """Mass of the finite losses, mean, variance and third moment, at the working precision."""
    kept, total = flint.arb(1), [flint.arb(0)] * 3
    for pair, count in parts.items():
        one = _class_of(pair)
        kept *= one.kept**count
        total = [x + count * y for x, y in zip(
            total, (one.mean, one.variance, one.third), strict=True)]
    if not total[1] > 0:
        raise Unsupported("all finite losses are one number: no normal law is like them")
    return _Class(kept, *total)


def _class_of(pair: Pair) -> _Class:
    if isinstance(pair, Gaussian):
        kappa = exact_ball(pair.kappa).real
        spread = (2 * kappa).sqrt()
        third = spread**3 * (8 / flint.arb.pi()).sqrt()
        return _Class(flint.arb(1), kappa, 2 * kappa, third)
    model = pair.model_in(Cell())
    kept = enclose(Scalar.of(1) - model.p_infinite, {}).real
    if (Scalar.of(1) - model.p_infinite).is_zero() or not kept > 0:
        raise Undefined("no loss is finite: there is no inner distribution")
    if model.atoms is not None:
        return _of_atoms(model, kept)
    raw = [enclose(_moment(model, k), {}).real / kept for k in range(1, 5)]
    mean = raw[0]
    variance = raw[1] - mean**2
    fourth = raw[3] - 4 * mean * raw[2] + 6 * mean**2 * raw[1] - 3 * mean**4
    # E|X|^3 <= sqrt(E X^2 E X^4), by Cauchy and Schwarz
    return _Class(kept, mean, variance, (variance * fourth).sqrt())


def _of_atoms(model: Model, kept: Any) -> _Class:
    """Exact sums over the finite losses."""
    law = [(enclose(a, {}).real / kept, enclose(Scalar.of(z), {}).real)
           for a, _, z in model.atoms or ()]
    mean = sum((p * z for p, z in law), flint.arb(0))
    around = [(p, abs(z - mean)) for p, z in law]
    variance, third = (sum((p * d**k for p, d in around), flint.arb(0)) for k in (2, 3))
    return _Class(kept, mean, variance, third)


def _moment(model: Model, k: int) -> Scalar:
    """The integral of z^k over the finite losses."""
    cell, total = Cell(), Scalar.of(0)
    for at, orders in model.loss.impulses.items():
        total = total + orders[0] * Scalar.of(at) ** k
    smooth = Exact(model.loss.germ, model.loss.jumps)
    return total + bilateral(multiply(Exact.term(1, 0, k), smooth, cell), ZERO, cell)


def _normal_delta(sums: _Class, x: Any) -> Any:
    """delta of the normal loss: mean and variance of the finite losses, mass 1 - kept at +oo."""
    gap, spread = x - sums.mean, (2 * sums.variance).sqrt()
    tail = (gap / spread).erfc()
    far = (gap + sums.variance / 2).exp() * ((gap + sums.variance) / spread).erfc()
    return 1 - sums.kept + sums.kept * (tail - far) / 2


__all__ = ["class_estimate", "normal_approximation"]
