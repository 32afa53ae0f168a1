"""What accountants are asked by laws: compositions of pairs, an eps or a delta; and the truth."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache, partial, reduce
from operator import mul
from typing import Any, Literal

import sympy as sp
from hypothesis import strategies as st

from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair
from lapdp.testing.conformance.handed import pairs_from
from lapdp.testing.conformance.printing import Case
from lapdp.testing.conformance.values import Real
from lapdp.testing.strategies import alphas, deltas, epsilons, finite_pairs

Wants = Literal["delta", "epsilon"]
Form = Literal["pair", "copies", "pairs"]
MOST_OUTCOMES = 256
"""Outcomes of a random composition of finite pairs."""
MOST_PAIRS = 3
"""Pairs in a list that is composed."""
MOST_KINKS = 12
"""Kinks that are looked at."""


@dataclass(frozen=True)
class Question(Case):
    """A composition of pairs, and delta at an eps or epsilon at a delta.

    ``form`` says how an accountant takes it: one pair, one with a number of ``copies``, or a list.

    >>> from lapdp import finite
    >>> print(Question((finite([0, 1], [1, 0]),), "delta", 0.5, copies=2, form="copies"))
    from lapdp import finite
    pair = finite([0, 1], [1, 0])
    copies = 2
    eps = 0.5
    """

    pairs: tuple[Pair, ...]
    wants: Wants
    at: Any
    copies: int = 1
    form: Form = "pair"

    def shown(self) -> dict[str, Any]:
        """Its parts by name."""
        what: dict[str, Any] = ({"pairs": list(self.pairs)} if self.form == "pairs" else
                                {"pair": self.pairs[0]})
        if self.form == "copies":
            what["copies"] = self.copies
        return {**what, "eps" if self.wants == "delta" else "delta": self.at}

    @property
    def arguments(self) -> tuple[Any, ...]:
        """What the function under test is called with."""
        what: Any = list(self.pairs) if self.form == "pairs" else self.pairs[0]
        return (what, self.at, self.copies) if self.form == "copies" else (what, self.at)

    @property
    def call(self) -> str:
        """The call in words."""
        what = "pairs" if self.form == "pairs" else "pair"
        more = f", {self.copies}" if self.form == "copies" else ""
        return f"{self.wants}({what}, {self.at!r}{more})"

    @property
    def composed(self) -> Pair:
        """The pair of the whole composition."""
        return _composed(self.pairs, self.copies)

    def truth(self) -> Real:
        """What is true, exact for finite pairs at logs of rational numbers and at deltas."""
        pair = self.composed
        if self.wants == "delta":
            return true_delta(pair, self.at)
        return true_epsilon(pair, self.at)


@lru_cache(maxsize=256)
def _composed(pairs: tuple[Pair, ...], copies: int) -> Pair:
    found: Pair = reduce(mul, pairs) ** copies
    return found


@dataclass(frozen=True)
class Couple(Case):
    """Two questions whose answers a law compares."""

    first: Any
    second: Any

    def shown(self) -> dict[str, Any]:
        """The parts of the first, and those of the second that differ."""
        found = dict(self.first.shown())
        return {**found, **{f"other_{name}": value for name, value in self.second.shown().items()
                            if value != found[name]}}


def true_delta(pair: Pair, eps: Any) -> Real:
    """delta at a double or Fraction, which it is exactly, or at an exact expression.

    >>> from lapdp import finite
    >>> print(true_delta(finite(["1/2", "1/2"], [1, 0]), sp.log(3)))
    1/2
    """
    point = eps if isinstance(eps, sp.Basic) else sp.Rational(*Fraction(eps).as_integer_ratio())
    odds = sp.exp(point)
    if isinstance(pair, FinitePair) and odds.is_Rational:
        return Real.of(pair.hockey_stick(Fraction(int(odds.p), int(odds.q))))
    return Real.certified(lambda digits: pair.delta(point, digits))


def true_epsilon(pair: Pair, delta: Any) -> Real:
    """The least eps >= 0 with delta(eps) <= delta, for a double or an exact number.

    >>> from lapdp import finite
    >>> print(true_epsilon(finite(["2/3", "1/3"], ["1/3", "2/3"]), Fraction(1, 6)))
    log(3/2)
    """
    level = Fraction(str(delta)) if isinstance(delta, sp.Basic) else Fraction(delta)
    if isinstance(pair, FinitePair):
        odds = least_odds(pair, level)
        return Real.of(math.inf if odds is None else sp.log(sp.Rational(*odds.as_integer_ratio())))
    return Real.certified(lambda digits: pair.epsilon(level, digits))


def least_odds(pair: FinitePair, level: Fraction) -> Fraction | None:
    """The least e^eps >= 1 with delta(eps) <= level; None if there is none.

    >>> from lapdp import finite
    >>> least_odds(finite(["1/2", "1/2"], [1, 0]), Fraction(1, 4)) is None
    True
    """
    # from above: delta is lost + p - alpha q, with the masses p and q of the ratios above alpha
    p, q = pair.mass_at_infinity, Fraction(0)
    if p > level:
        return None
    rows = sorted(((a, b) for a, b in pair.merge().masses if a and b),
                  key=lambda row: row[0] / row[1], reverse=True)
    for a, b in rows:
        if p - (a / b) * q > level:
            break
        if a <= b:
            return Fraction(1)
        p, q = p + a, q + b
    return max(Fraction(1), (p - level) / q) if q else Fraction(1)


# -- what is drawn -------------------------------------------------------------------------------


@dataclass(frozen=True)
class Place:
    """Where a composition is asked: at one of its own kinks, or beside it, or anywhere."""

    kink: int | None
    way: int = 0
    free: Any = None


@dataclass(frozen=True)
class Drawn:
    """How questions are drawn: over which pairs, in which form, in doubles or exact.

    Pairs and places are drawn apart, so that failures shrink in each of them.
    """

    form: Form = "pair"
    over: st.SearchStrategy[Any] | None = None
    doubles: bool = True
    max_copies: int = 6

    def questions(self, wants: Wants, *, negative: bool = False, losing: bool = False
                  ) -> st.SearchStrategy[Question]:
        """Random questions; ``losing``: of pairs with mass at infinite loss."""
        return st.builds(partial(self._placed, negative), self._compositions(wants, losing),
                         self.places(wants, negative))

    def couples(self, wants: Wants, negative: bool = False) -> st.SearchStrategy[Couple]:
        """The same composition at two places, the lower one first."""
        places = self.places(wants, negative)
        return st.builds(partial(self._two, negative), self._compositions(wants, False), places,
                         places)

    def places(self, wants: Wants, negative: bool) -> st.SearchStrategy[Place]:
        """Where to ask; kinks come first."""
        kinks = st.builds(Place, st.integers(0, MOST_KINKS), st.sampled_from((0, 1, -1)))
        if wants == "epsilon":
            free = st.sampled_from([Fraction(n, 8) for n in (4, 2, 1, 6)]) | deltas(min_exponent=-6)
        elif self.doubles:
            free = epsilons(doubles=True, max_exponent=0, negative=negative)
        else:
            free = alphas().map(lambda x: x if negative else max(x, 1 / x))
        return kinks | free.map(lambda x: Place(None, 0, x))

    def _compositions(self, wants: Wants, losing: bool) -> st.SearchStrategy[Question]:
        pair: st.SearchStrategy[Any] = (
            finite_pairs(max_size=3, max_weight=6) if self.over is None else pairs_from(self.over))
        if losing:
            pair = pair.filter(_loses)
        if self.form == "pairs":
            return st.lists(pair, min_size=1, max_size=MOST_PAIRS).map(
                lambda pairs: Question(tuple(pairs), wants, None, form="pairs"))
        if self.form == "pair":
            return pair.map(lambda one: Question((one,), wants, None))
        return st.builds(lambda one, count: Question(
            (one,), wants, None, min(count, self.most_copies(one)), "copies"),
            pair, st.integers(1, self.max_copies))

    def most_copies(self, pair: Pair) -> int:
        """As many copies as leave the composition small."""
        if not isinstance(pair, FinitePair) or len(pair.masses) == 1:
            return self.max_copies
        return min(self.max_copies, int(math.log(MOST_OUTCOMES, len(pair.masses))))

    def _placed(self, negative: bool, question: Question, place: Place) -> Question:
        resolved = self._eps if question.wants == "delta" else self._delta
        return replace(question, at=resolved(question.composed, place, negative))

    def _two(self, negative: bool, question: Question, one: Place, other: Place) -> Couple:
        found = [self._placed(negative, question, each) for each in (one, other)]
        return Couple(*sorted(found, key=lambda each: each.at))

    def _eps(self, pair: Pair, place: Place, negative: bool) -> Any:
        if place.kink is None:
            return place.free if self.doubles else _log(place.free)
        odds = _kinks(pair, negative)
        found = odds[place.kink % len(odds)]
        if not self.doubles:
            return _log(found)
        eps = math.log(found)
        beside = math.nextafter(eps, place.way * math.inf) if place.way and eps else eps
        return beside if negative else max(0.0, beside)

    def _delta(self, pair: Pair, place: Place, _: bool) -> Any:
        found = place.free
        if place.kink is not None:
            known = _levels(pair)
            found = known[place.kink % len(known)]
        return float(found) if self.doubles else found


def _kinks(pair: Pair, negative: bool) -> list[Fraction]:
    """1, and the likelihood ratios, the simplest first."""
    known = set(pair.breakpoints()) if isinstance(pair, FinitePair) else set()
    return sorted({x for x in known if negative or x >= 1} | {Fraction(1)}, key=_size)


def _levels(pair: Pair) -> list[Fraction]:
    """The profile at some kinks, the mass at infinite loss and its half, the simplest first."""
    if not isinstance(pair, FinitePair):
        return [Fraction(0)]
    lost = pair.mass_at_infinity
    found = {pair.hockey_stick(x) for x in _kinks(pair, False)[:MOST_KINKS]}
    return sorted(found | {lost, lost / 2}, key=_size)


def _size(x: Fraction) -> tuple[int, Fraction]:
    return x.numerator + x.denominator, x


def _log(odds: Fraction) -> Any:
    return sp.log(sp.Rational(*odds.as_integer_ratio()))


def _loses(pair: Pair) -> bool:
    mass = pair.mass_at_infinity if isinstance(pair, FinitePair) else pair.loss.mass_at_infinity
    return bool(mass > 0)


__all__ = ["Couple", "Drawn", "Question", "Wants", "least_odds", "true_delta",
           "true_epsilon"]
