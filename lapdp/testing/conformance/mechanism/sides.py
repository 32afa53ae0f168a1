"""The two output distributions of a mechanism under test, and what is true of them.

A pair of this package, or two tables of masses.  Tables of exact masses become a pair; rounded
ones, given up to an accuracy, have hockey-stick values between two ends.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from operator import attrgetter
from typing import Any

import sympy as sp
from flint import arb

from lapdp.accounting.answers import Answer
from lapdp.core.errors import InputError, Unsupported
from lapdp.privacy.finite import FinitePair, finite
from lapdp.privacy.mechanisms.outcomes import outcomes
from lapdp.privacy.operations import Power, Product, Reversed
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter
from lapdp.testing.conformance.findings import Misbehaved, Violation
from lapdp.testing.conformance.search import Undecided
from lapdp.testing.conformance.values import Accuracy, NoNumber, Real, Value, read, relation

ZERO, ONE = Value.of(0), Value.of(1)


class Sides(ABC):
    """Two distributions; the notions of a pair, as values that laws compare."""

    @abstractmethod
    def as_pair(self) -> Pair:
        """The pair, for notions that need exact masses; :class:`Unsupported` without them."""

    def known(self, form: Callable[[], Any], answer: Callable[[int], Answer]) -> Value:
        """The exact value where the pair is simple and has a closed form, else a certified one.

        Only exact values can be found equal to a claim.
        """
        if _is_simple(self.as_pair()):
            try:
                return Value.of(sp.sympify(form()))
            except Unsupported:
                pass
        return Value.of(Real.certified(answer))

    @property
    def is_rational(self) -> bool:
        """Are there finitely many outcomes of rational masses?"""
        return isinstance(self.as_pair(), FinitePair)

    @abstractmethod
    def reverse(self) -> Sides:
        """Both distributions exchanged."""

    def power(self, copies: int) -> Sides:
        """Independent releases of the same two datasets."""
        return PairSides(self.as_pair()**copies)

    def delta(self, eps: Real) -> Value:
        """The privacy profile at an exact point, which may be an infinity."""
        if eps.is_infinite:
            return self.infinite_mass() if eps.exact > 0 else ONE
        if eps.exact is None:
            raise Undecided("eps is no exact number")
        return self.profile_at(eps)

    def least_epsilon(self, delta: Real) -> Value:
        """The least eps at which the profile is at most delta; needs exact masses."""
        pair, level = self.as_pair(), sp.sympify(delta.exact)
        if isinstance(pair, FinitePair) and isinstance(delta.exact, Fraction):
            return Value.of(_least_epsilon(pair, delta.exact))
        return Value.of(Real.certified(lambda digits: pair.epsilon(level, digits)))

    @abstractmethod
    def profile_at(self, eps: Real) -> Value:
        """The privacy profile at a finite point."""

    def event(self, eps: Real) -> str:
        """Which outcomes make the profile, where they have names."""
        return ""

    @abstractmethod
    def infinite_mass(self) -> Value:
        """Pr[Z = oo]: what only the first distribution can give."""


@dataclass(frozen=True)
class PairSides(Sides):
    """A pair of this package."""

    pair: Pair

    def as_pair(self) -> Pair:
        """The pair itself."""
        return self.pair

    def reverse(self) -> PairSides:
        """The pair (Q, P)."""
        return PairSides(self.pair.reverse())

    def profile_at(self, eps: Real) -> Value:
        """In Fractions where e^eps is one, else certified to as many digits as a law asks for."""
        alpha = odds(eps).rational
        if isinstance(self.pair, FinitePair) and alpha is not None:
            return Value.of(self.pair.hockey_stick(alpha))
        point = sp.sympify(eps.exact)
        return self.known(lambda: self.pair.profile(point),
                          lambda digits: self.pair.delta(point, digits))

    def infinite_mass(self) -> Value:
        """As the pair knows it."""
        mass = self.pair.mass_at_infinity
        return Value.of(mass if isinstance(mass, Fraction) else sp.sympify(mass))

    def __str__(self) -> str:
        return f"P, Q = {self.pair!r}"


@dataclass(frozen=True)
class Tables(Sides):
    """Rows (outcome, P-mass, Q-mass), masses as values."""

    rows: tuple[tuple[Any, Value, Value], ...]

    def as_pair(self) -> Pair:
        """Finite where all masses are rational, else with named outcomes."""
        if not all(v.is_point for _, *both in self.rows for v in both):
            raise Unsupported("rounded masses decide deltas only: return exact ones, int, "
                              "Fraction or SymPy")
        masses = [(p.low.exact, q.low.exact) for _, p, q in self.rows]
        try:
            if self.is_rational:
                return finite(*zip(*masses, strict=True))
            return outcomes({f"{n}: {row[0]!r}": both
                             for n, (row, both) in enumerate(zip(self.rows, masses, strict=True))})
        except InputError as problem:
            raise Unsupported(f"the masses are no pair: {problem}") from None

    @property
    def is_rational(self) -> bool:
        """Is every mass a Fraction?"""
        return all(v.is_point and v.low.rational is not None
                   for _, *both in self.rows for v in both)

    def reverse(self) -> Tables:
        """Both distributions exchanged."""
        return Tables(tuple((name, q, p) for name, p, q in self.rows))

    def profile_at(self, eps: Real) -> Value:
        """The sum of max(0, P - e^eps Q) over the outcomes."""
        return sum((_positive_part(gap) for _, gap in self._gaps(eps)), ZERO)

    def event(self, eps: Real) -> str:
        """The outcomes that P likes too much, and their masses."""
        if eps.is_infinite or eps.exact is None:
            return ""
        liked = [name for name, gap in self._gaps(eps) if gap.low.compare(ZERO.low) == 1]
        p, q = (sum((row[side] for row in self.rows if row[0] in liked), ZERO) for side in (1, 2))
        shown = ", ".join(map(repr, liked))
        return f"\nS = {{{shown}}} has {p} against {q}" if liked else ""

    def _gaps(self, eps: Real) -> list[tuple[Any, Value]]:
        alpha = odds(eps)
        return [(name, p - q.times(alpha)) for name, p, q in self.rows]

    def infinite_mass(self) -> Value:
        """The P-masses where Q has none; where Q may have some, between both."""
        none, maybe = ([p for _, p, q in self.rows if (low := end(q).compare(ZERO.low)) is not None
                        and low <= 0] for end in (attrgetter("high"), attrgetter("low")))
        return Value(sum(none, ZERO).low, sum(maybe, ZERO).high)

    def violation(self) -> Violation | None:
        """What is wrong with the masses: a negative one, or a sum that is not 1."""
        for name, side in (("P", 1), ("Q", 2)):
            for row in self.rows:
                if relation(row[side], ">=", ZERO) is False:
                    return Violation(row[side], ">=", ZERO, f"{self}\n{name}({row[0]!r}) >= 0")
            total = sum((row[side] for row in self.rows), ZERO)
            if relation(total, "==", ONE) is False:
                return Violation(total, "==", ONE, f"{self}\nthe masses of {name} sum to 1")
        return None

    def __str__(self) -> str:
        shown = (f"{name} = {{" + ", ".join(f"{row[0]!r}: {row[side]}" for row in self.rows) + "}"
                 for name, side in (("P", 1), ("Q", 2)))
        return "\n".join(shown)


def _is_simple(pair: Pair) -> bool:
    base = pair.pair if isinstance(pair, Reversed) else pair
    return not isinstance(base, (Product, Power))


def _least_epsilon(pair: FinitePair, delta: Fraction) -> Any:
    """Exactly: between two breakpoints the profile is a line in e^eps, beyond the last constant.

    >>> _least_epsilon(finite(["2/3", "1/3"], ["1/3", "2/3"]), Fraction(1, 3))
    0
    """
    if delta >= 1:
        return -math.inf
    for low, high in pairwise((Fraction(0), *pair.breakpoints())):
        start, end = (pair.hockey_stick(a) if a else Fraction(1) for a in (low, high))
        if end <= delta:
            return sp.log(sp.Rational(low + (high - low) * (start - delta) / (start - end)))
    return math.inf


def _positive_part(value: Value) -> Value:
    def part(real: Real) -> Real:
        order = real.compare(ZERO.low)
        if order is None:
            return Real(None, lambda: real.ball().max(arb(0)))
        return real if order > 0 else ZERO.low

    low = part(value.low)
    return Value(low, low if value.is_point else part(value.high))


def odds(eps: Real) -> Real:
    """e^eps of an exact number.

    >>> odds(Real.of(2 * sp.log(3))).rational
    Fraction(9, 1)
    """
    return Real.of(sp.exp(sp.sympify(eps.exact)))


def table_sides(tables: Sequence[Any], accuracy: Accuracy | None, said: Sequence[str]) -> Tables:
    """Two tables {outcome: mass}, read; :class:`Misbehaved` for what is none.

    Masses are ints, Fractions, exact SymPy numbers, text such as "1/3", or rounded numbers given
    with an accuracy.
    """
    P, Q = (_table(table, accuracy, call) for table, call in zip(tables, said, strict=True))
    return Tables(tuple((n, P.get(n, ZERO), Q.get(n, ZERO)) for n in dict.fromkeys([*P, *Q])))


def _table(table: Any, accuracy: Accuracy | None, said: str) -> dict[Any, Value]:
    if not isinstance(table, Mapping) or not table:
        raise Misbehaved(Violation(None, "==", None, f"{said} is {str(table)[:80]}: a mechanism "
                                   "gives a table {outcome: mass}, the probability of every "
                                   "outcome; a sample of one proves nothing"))
    return {name: _mass(mass, accuracy, f"{said}[{name!r}]") for name, mass in table.items()}


def _mass(mass: Any, accuracy: Accuracy | None, said: str) -> Value:
    try:
        return read(exact_parameter(said, mass) if isinstance(mass, str) else mass, accuracy)
    except (NoNumber, InputError) as problem:
        if not isinstance(problem, NoNumber) and not isinstance(mass, str):
            raise
        raise Misbehaved(Violation(None, "==", None, f"{said} is no number: {problem}")) from None


def number(value: Any, accuracy: Accuracy | None, said: str) -> Value:
    """A number of a claim: exact, text such as "0.1", +oo, or rounded with an accuracy."""
    if isinstance(value, str):
        return Value.of(exact_parameter(said, value))
    try:
        return read(value, accuracy)
    except NoNumber as problem:
        raise Misbehaved(Violation(None, "==", None, f"{said} is no number: {problem}")) from None


INFINITY = Real.of(math.inf)

__all__ = ["INFINITY", "ONE", "ZERO", "PairSides", "Sides", "Tables", "number", "odds",
           "table_sides"]
