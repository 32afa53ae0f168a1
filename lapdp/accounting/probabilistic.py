"""Probabilistic differential privacy, certified: the tail of the privacy loss, and its inverse.

With probability 1 - delta the loss is at most eps: a pair is (eps, delta)-PDP in its direction iff
Pr[Z > eps] <= delta (Sommer, Meiser and Mohammadi 2020, Lemma 7).  The tail falls and is continuous
from the right, so the eps for which this holds have a least one, the (1 - delta)-quantile of Z:

    an atom b of the loss where Pr[Z > b] <= delta < Pr[Z >= b], found exactly;
    else the one place where a continuous piece of the tail crosses delta, found by a bracket.

Where the tail is delta on a whole interval, the quantile is its left end: an atom, or the end of a
piece of the density.  Such ties are decided exactly: balls never tell equal numbers.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
import sympy as sp

from lapdp.accounting.answers import Answer
from lapdp.accounting.crossing import Bracket, Place, crossing
from lapdp.accounting.epsilon import against_mass_at_infinity, enclosed, level_of
from lapdp.accounting.moments.releases import refuse_symbols
from lapdp.accounting.notions import end_of_losses, largest_finite_loss
from lapdp.balls.decimals import Enclosure, certified
from lapdp.balls.evaluate import bits_of
from lapdp.calculus.enclose import enclose, sign_of_number
from lapdp.calculus.export import ordered
from lapdp.calculus.field import Scalar
from lapdp.calculus.form import Form
from lapdp.calculus.ordering import Cell
from lapdp.core.errors import Unsupported
from lapdp.core.precision import workprec
from lapdp.privacy.ball_values import Point, expression_ball
from lapdp.privacy.notions.tradeoff_order import sign_of
from lapdp.privacy.pair import Pair

MOST_BITS = 1 << 13
"""Precision at which a tail and delta are told apart."""
MOST_PLACES = 5000
"""Atoms and ends of pieces that are put in order."""
FARTHEST = 10_000
"""Tails below 2^-FARTHEST of the level say nothing of where it is crossed."""
NOTHING = Enclosure(Fraction(0), Fraction(0))


def probabilistic_delta(pair: Pair, eps: Any, digits: int = 15) -> Answer:
    """Pr[Z > eps], the least delta of (eps, delta)-PDP in this direction, infinite losses counted.

    ``eps`` is any exact real number.  Raises :class:`InputError` for floats and symbols,
    :class:`Unsupported` where the distribution of the loss is not reached.

    >>> from lapdp import gaussian, laplace
    >>> print(probabilistic_delta(gaussian(10) ** 100, 3))
    0.006209665325776135 +/- 5.01e-19
    >>> print(probabilistic_delta(laplace(1), "0.999", 5), probabilistic_delta(laplace(1), 1))
    0.50025 +/- 5.01e-7 0
    """
    start = time.perf_counter()
    point = Point.of("eps", eps)
    refuse_symbols(pair)
    if _is_beyond(pair, point):
        lost = pair.infinite_mass()
        found = certified(lambda _: expression_ball(lost), digits)
        return Answer(found, "mass at infinity", time.perf_counter() - start)
    found = pair.loss.tail_at(point.exact, digits)
    return Answer(found, "tail of the loss", time.perf_counter() - start)


def probabilistic_epsilon(pair: Pair, delta: Any, digits: int = 15) -> Answer:
    """The least eps >= 0 with Pr[Z > eps] <= ``delta``, to ``digits`` relative digits.

    ``delta`` is an exact number in [0, 1].  The answer is infinite where ``delta`` is below the
    mass at infinite loss, or equal to it and the finite losses are unbounded; where they are
    bounded, the largest of them; 0 from Pr[Z > 0] on.  Where it is an atom of the loss, or an end
    of its density, ``answer.method`` names that number exactly.  It is never below
    ``epsilon(delta)``, the least eps of approximate privacy.

    Raises :class:`InputError` for floats, symbols and numbers out of range, :class:`Unsupported`
    where the distribution of the loss is not reached, or a comparison with ``delta`` stays open.

    >>> from lapdp import finite, gaussian, laplace
    >>> print(probabilistic_epsilon(gaussian(1), "1e-5", 10))
    4.7648907939 +/- 2.41e-10
    >>> pair = finite(["3/4", "1/4"], ["1/4", "3/4"])
    >>> [probabilistic_epsilon(pair, delta, 5).method for delta in ("1/2", "3/4")]
    ['atom log(3)', 'delta is at least Pr[Z > 0]']
    >>> for delta in ("1/2", "0.55"):  # half of the losses are 1
    ...     print(probabilistic_epsilon(laplace(1), delta, 8))
    1
    0.789278969 +/- 3.66e-9
    """
    target = level_of(delta)
    refuse_symbols(pair)
    bits_of(digits)  # refuses what is no number of digits
    start = time.perf_counter()

    def answer(found: Enclosure | None, method: str) -> Answer:
        return Answer(found, method, time.perf_counter() - start)

    if target == 1:
        return answer(NOTHING, "delta is at most 1")
    lost = against_mass_at_infinity(pair, target)
    if lost > 0:
        return answer(None, "mass at infinity")
    if lost == 0:
        return answer(largest_finite_loss(pair, digits), "largest loss")
    tail = _Tail(pair, target)
    places = tail.places()
    first = Form({})
    if places is not None and tail.order(first) <= 0:
        return answer(NOTHING, "delta is at least Pr[Z > 0]")
    begin = Fraction(1)
    if places:
        at = tail.first(places)
        if at is not None and tail.crosses_at(at):
            found = certified(lambda _: enclose(at, {}).real, digits)
            return answer(found, f"{'atom' if tail.has_atom(at) else 'end of the density'} "
                                 f"{at.to_sympy()}")
        begin = _beside(places, at)
    known = Bracket(tail.look, digits, first=Fraction(0))
    known.see(begin)
    low, high = crossing(known)
    if not high.x:
        return answer(NOTHING, "delta is at least Pr[Z > 0]")
    return answer(enclosed(low.x, high.x, digits), "bracket, tail of the loss")


@dataclass(frozen=True, eq=False)
class _Tail:
    """Pr[Z > x] of a pair without parameters against a level above Pr[Z = oo]."""

    pair: Pair
    level: Fraction

    @cached_property
    def _exact(self) -> Any:
        """Pr[Z <= x] in the exact class, None outside of it."""
        model = self.pair.modelled(Cell())
        return None if model is None else model.cdf(Cell())

    def places(self) -> list[Form] | None:
        """Atoms and ends of pieces of the loss that are positive, in increasing order; None where
        they are not known, or too many."""
        model = self.pair.modelled(Cell())
        if model is None or len(found := model.loss.places()) > MOST_PLACES:
            return None
        return [group[0] for group in ordered(found, Cell()) if sign_of_number(group[0]) > 0]

    def has_atom(self, at: Form) -> bool:
        """Has the loss an atom there?"""
        return not self.pair.model_in(Cell()).loss.mass_at(at, Cell()).is_zero()

    def crosses_at(self, at: Form) -> bool:
        """At the first place with a tail of at most the level: does no point before it do?

        Between places a density is analytic, so the tail falls strictly or is constant; if it is
        constant up to here, the place before would do.
        """
        return self.order(at) == 0 or (self.has_atom(at) and self.order(at, before=True) >= 0)

    def first(self, places: list[Form]) -> Form | None:
        """The first place at which the tail is at most the level, None where there is none."""
        low, high = 0, len(places)
        while low < high:
            middle = (low + high) // 2
            low, high = (low, middle) if self.order(places[middle]) <= 0 else (middle + 1, high)
        return places[low] if low < len(places) else None

    def order(self, at: Form, before: bool = False) -> int:
        """The sign of Pr[Z > at] - level; of Pr[Z >= at] - level for ``before``."""
        if not before:
            found = self._by_balls(Point.of("z", at))
            if found is not None:
                return found
        value = Scalar.of(1 - self.level) - self._exact.limit(at, -1 if before else 1, Cell())
        return sign_of_number(value)

    def _by_balls(self, point: Point) -> int | None:
        for bits in (64, 256):
            with workprec(bits):
                gap = 1 - _ball(self.level) - self.pair.cdf_ball(point)
                if gap > 0 or gap < 0:
                    return 1 if gap > 0 else -1
        return None

    def look(self, x: Fraction, digits: int) -> Place:
        """The tail over the level, nearly, and the side of the crossing."""
        bits = bits_of(digits) + 64
        point = Point.of("z", sp.Rational(x.numerator, x.denominator))
        while True:
            with workprec(bits):
                share = (1 - self.pair.cdf_ball(point)) / _ball(self.level)
                gap = share - 1
                side = 1 if gap > 0 else -1 if gap < 0 else None
                if side is not None and share.rad() < flint.arb(2) ** -bits_of(digits):
                    return Place(x, _size(share), side)
            bits *= 2
            if bits > MOST_BITS + 8 * bits_of(digits):
                return Place(x, None, side)


def _is_beyond(pair: Pair, point: Point) -> bool:
    """Is no finite loss above the point, for certain?"""
    try:
        end = end_of_losses(pair)
        if end is None:
            return False
        if isinstance(end, Form) and point.form is not None:
            return sign_of_number(point.form - end) >= 0
        return sign_of(point.exact - (end.to_sympy() if isinstance(end, Form) else end)) >= 0
    except Unsupported:
        return False


def _beside(places: list[Form], at: Form | None) -> Fraction:
    """A place to begin with: just before the first one that does, else beyond all."""
    middle = enclose(places[-1] if at is None else at, {}).real.mid() * (1.5 if at is None else 0.9)
    return Fraction(float(middle)) or Fraction(1)


def _size(share: Any) -> Fraction | None:
    """About how large a ball is, where it is no extreme number."""
    middle = share.mid()
    if not flint.arb(2) ** -FARTHEST < middle:
        return None
    found = middle.fmpq()
    return Fraction(int(found.p), int(found.q))


def _ball(x: Fraction) -> Any:
    return flint.arb(flint.fmpq(x.numerator, x.denominator))


__all__ = ["probabilistic_delta", "probabilistic_epsilon"]
