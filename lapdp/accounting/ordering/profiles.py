"""Dominance of privacy profiles: decided, with a reason or with the points where they cross.

(P, Q) dominates (A, B) when delta_{P|Q}(t) >= delta_{A|B}(t) for every real t, Chourasia et al.
2024, equation (42).
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, NamedTuple

import sympy as sp

from lapdp.accounting.ordering.lemmas import beyond, reason
from lapdp.accounting.ordering.points import point_below
from lapdp.accounting.ordering.values import profile_at, separated
from lapdp.balls.decimals import Enclosure
from lapdp.balls.evaluate import bits_of
from lapdp.calculus.sign_patterns import SignPattern, point_with
from lapdp.calculus.zeros import Zero
from lapdp.core.calls import fitting
from lapdp.core.errors import InputError, Undefined, Unsupported, called
from lapdp.privacy.comparison import profile_signs
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.finite_comparison import finite_signs
from lapdp.privacy.pair import Pair

PROVED, REFUTED, UNDECIDED = "proved", "refuted", "undecided"


class Crossing(NamedTuple):
    """Where the difference changes its sign: at one point, or at an interval where it is 0."""

    at: Enclosure
    until: Enclosure
    exact: Any
    """The point in SymPy, where a formula is known; else None."""


class Failure(NamedTuple):
    """An exact point t, or order q, at which the order fails, and both values there.

    A Renyi divergence may be ``oo``.
    """

    at: Any
    larger: Any
    smaller: Any


@dataclass(frozen=True)
class Dominance:
    """The answer of :func:`dominates`.

    True in a condition only where dominance is proved.  ``verdict`` tells "refuted" from
    "undecided", which a condition does not.
    """

    larger: Pair
    smaller: Pair
    verdict: str
    method: str
    reason: str = ""
    pattern: SignPattern | None = None
    """The sign of the difference on the whole line, where it was worked out."""
    fails_at: Fraction | None = None
    """A point known beforehand at which the order fails."""

    letter: ClassVar[str] = "t"

    def __bool__(self) -> bool:
        return self.verdict == PROVED

    @property
    def relation(self) -> str:
        """"equal", "above", "below", "crossing", or "open" where the signs are not known."""
        if self.pattern is None:
            known = PROVED if self else REFUTED if not self.reason else ""
            return {PROVED: "above", REFUTED: "below"}.get(known, "open")
        return {(0, 0): "equal", (0, 1): "above", (-1, 0): "below"}.get(
            (min(0, *self.pattern.signs, 0), max(0, *self.pattern.signs, 0)), "crossing")

    def crossings(self, digits: int = 30) -> tuple[Crossing, ...]:
        """All points where the profiles cross, each enclosed to that many digits.

        Their number is proved.  Where dominance holds there are none: profiles may touch.  Raises
        :class:`Unsupported` where the signs are not known on the whole line.
        """
        if self.pattern is None:
            if self or not self.reason:
                return ()
            raise Unsupported(f"crossings are not known: {self.reason}")
        return tuple(Crossing(_enclosed(first, digits), _enclosed(last, digits), _written(first))
                     for first, last in self.pattern.crossings())

    @cached_property
    def failure(self) -> Failure | None:
        """Where the order fails, if it is refuted: t exact, both values to proved digits.

        Raises :class:`Unsupported` where the values are too close to each other to be told apart.
        """
        if self.verdict != REFUTED:
            return None
        t = self.fails_at
        if t is None:
            assert self.pattern is not None
            t = point_with(self.pattern, -1)
        values = separated(lambda digits: (profile_at(self.larger, t, digits),
                                           profile_at(self.smaller, t, digits)))
        return Failure(sp.Rational(t.numerator, t.denominator), *values)

    @property
    def certificate(self) -> tuple[str, ...]:
        """What was found on each interval, line by line."""
        if self.pattern is None:
            return (self.method,)
        words = {1: "above", 0: "equal", -1: "below"}
        ends = ["-oo", *(_short(zero) for zero in self.pattern.zeros), "oo"]
        return tuple(f"{words[sign]} on ({a}, {b})" for sign, a, b in zip(
            self.pattern.signs, ends, ends[1:], strict=False))

    def explain(self) -> str:
        """The answer in plain lines."""
        lines = [f"{self.larger!r} dominates {self.smaller!r}: {self.verdict}",
                 f"  by {self.method}"]
        if self.reason:
            lines.append(f"  {self.reason}")
        if self.pattern is not None:
            lines += [f"  {line}" for line in self.certificate]
        if self.failure is not None:
            t, larger, smaller = self.failure
            lines.append(f"  at {self.letter} = {t}: {larger} < {smaller}")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"Dominance({self.verdict}: {self.larger!r} over {self.smaller!r})"

    def _repr_html_(self) -> str:
        from lapdp.report.html.comparisons import dominance_card

        return dominance_card(self)


@fitting
def dominates(larger: Any, smaller: Any = None) -> Dominance:
    """Is delta_larger(t) >= delta_smaller(t) for every real t?

    Finite pairs and pairs of the exact class are decided exactly, touching profiles included; a
    Gaussian pair against one of these by balls with proved tails; families with parameters by
    lemmas.  What is not decided is :class:`Dominance` with the verdict "undecided", and false in a
    condition.  Raises :class:`InputError` for what is no pair.

    >>> from lapdp import geometric, laplace, randomized_response
    >>> bool(dominates(randomized_response(1), laplace(1)))
    True
    >>> answer = dominates(laplace(1) ** 2, randomized_response(1))
    >>> answer.verdict, answer.relation, len(answer.crossings())
    ('refuted', 'crossing', 2)
    >>> [round(float(c.at), 9) for c in answer.crossings(digits=40)]
    [-0.137670104, 0.137670104]
    >>> print(dominates(geometric("1/3", 3), laplace(1)).explain())
    geometric(1/3, 3) dominates laplace(1, 1): proved
      by signs of exponential polynomials
      equal on (-oo, -1)
      above on (-1, -1/3)
      above on (-1/3, 1/3)
      above on (1/3, 1)
      equal on (1, oo)
    """
    if smaller is None:
        raise InputError("two pairs are compared: dominates(randomized_response(1), laplace(1))")
    for pair in (larger, smaller):
        if not isinstance(pair, Pair):
            raise InputError(f"{called(pair)} is no pair: write a mechanism such as laplace(1)")
    if isinstance(larger, FinitePair) and isinstance(smaller, FinitePair):
        return _by_signs(larger, smaller, finite_signs(larger, smaller), "exact fractions")
    known = reason(larger, smaller)
    if known:
        return Dominance(larger, smaller, PROVED, f"a lemma: {known}")
    try:
        pattern = profile_signs(larger, smaller)
    except (Unsupported, Undefined) as problem:
        far = beyond(larger, smaller)
        if far is not None:
            return Dominance(larger, smaller, REFUTED, "unbounded losses against bounded ones",
                             str(problem), fails_at=far)
        if reason(smaller, larger) and not larger.free_symbols | smaller.free_symbols:
            return _strictly_below(larger, smaller, problem)
        point = point_below(larger, smaller)
        if point is not None:
            return Dominance(larger, smaller, REFUTED, "values at one point", fails_at=point)
        return Dominance(larger, smaller, UNDECIDED, "no method", str(problem))
    return _by_signs(larger, smaller, pattern, "signs of exponential polynomials"
                     if _exact(larger) and _exact(smaller) else "balls with proved tails")


def _by_signs(larger: Pair, smaller: Pair, pattern: SignPattern, method: str) -> Dominance:
    verdict = PROVED if pattern.nonnegative else REFUTED
    return Dominance(larger, smaller, verdict, method, pattern=pattern)


def _strictly_below(larger: Pair, smaller: Pair, problem: Exception) -> Dominance:
    """The other direction is proved: one point where the profiles differ refutes this one."""
    try:
        separated(lambda digits: (profile_at(larger, Fraction(0), digits),
                                  profile_at(smaller, Fraction(0), digits)))
    except Unsupported:
        return Dominance(larger, smaller, UNDECIDED, "no method", str(problem))
    return Dominance(larger, smaller, REFUTED, "the opposite lemma and the values at t = 0",
                     fails_at=Fraction(0))


def _exact(pair: Pair) -> bool:
    try:
        pair.model()
    except Unsupported:
        return False
    return True


@fitting
def crossings(first: Any, second: Any, digits: int = 30) -> tuple[Crossing, ...]:
    """The points where two privacy profiles cross, each enclosed; their number is proved.

    Raises :class:`Unsupported` where that is not decided, :class:`InputError` for what is no pair.

    >>> from lapdp import gaussian, randomized_response
    >>> [round(float(c.at), 9) for c in crossings(gaussian(1), randomized_response(1))]
    [-0.701477659, 0.701477659]
    """
    return dominates(first, second).crossings(digits)


def _enclosed(zero: Zero, digits: int) -> Enclosure:
    bits_of(digits)  # refuses what is no number of digits
    return Enclosure.of_ball(zero.enclosure(digits + 2), digits)


def _written(zero: Zero) -> Any:
    if zero.exact is None:
        return None
    found = zero.exact.to_sympy()
    return -found if zero.mirrored else found


def _short(zero: Zero) -> str:
    exact = _written(zero)
    return str(exact) if exact is not None else str(zero.enclosure(12).str(12, radius=False))


__all__ = ["PROVED", "REFUTED", "UNDECIDED", "Crossing", "Dominance", "Failure", "crossings",
           "dominates"]
