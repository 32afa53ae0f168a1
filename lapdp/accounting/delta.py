"""delta at one eps, to any number of digits, with a proof: which method answers."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import flint
from sympy import Integer, Rational

from lapdp.accounting.answers import Answer
from lapdp.accounting.method_names import ASSUMED, CHOICES, CLOSED, TRUSTED
from lapdp.balls.compiler import exact_ball
from lapdp.balls.decimals import certified
from lapdp.balls.evaluate import bits_of
from lapdp.calculus.convert import to_form
from lapdp.calculus.ordering import Cell
from lapdp.core.effort import TooLong, at_most, spend
from lapdp.core.errors import InputError, TooManyDigits, Unsupported
from lapdp.privacy.pair import Pair
from lapdp.privacy.parameters import exact_parameter, exceeds

if TYPE_CHECKING:
    from lapdp.accounting.question import Method

NEARBY = 0.5
"""Of an eps: so far from it others are nearby."""
SHOWN, FEW_DIGITS = 60, 3
"""Letters of a pair in a refusal; digits that it advises to ask for."""
USUAL = (15, 10, 5, FEW_DIGITS)
"""Digits of a number where none are asked for: the most of these that a method gives soon."""
AT_ONCE, SOON, ENOUGH = 200_000, 450_000, 700_000
"""Steps in which the most of them are to be had before the fewest, for which there is no limit, and
more after few; in which the fewest, few and more are to be had together; and in which the fewest
and few are."""
ROUNDS = (400_000, 4e6, 4e7, math.inf)
"""Steps of each method in the first round, the second, ...: what takes long waits for others."""
LONGER = 1e6
"""Steps in the first round of what is trusted most where few digits are enough."""


@dataclass
class Tried:
    """The methods that refused at the places of a search: they come last at the places nearby,
    unless they answered at one that is no farther.  What takes long comes last everywhere, unless
    it has answered anywhere.

    What is answered is as certified as ever; only the order in which methods are asked changes.
    """

    refused: dict[tuple[Pair, str, int], tuple[float, int]] = field(default_factory=dict)
    """(eps, digits) by pair, name, and how often the name came before."""
    answered: dict[tuple[Pair, str, int], list[float]] = field(default_factory=dict)
    """Where they did."""
    slow: set[tuple[Pair, str, int]] = field(default_factory=set)
    """What the first round was too short for."""
    needed: dict[tuple[Pair, str, int], float] = field(default_factory=dict)
    """Steps that they were given where the first round was too short."""
    quickly: bool = False
    """Are only methods asked that take no time?"""
    roughly: bool = False
    """Are few digits enough?"""

    def in_order(self, pair: Pair, eps: float, digits: int, ways: Iterator[Method]
                 ) -> Iterator[tuple[tuple[Pair, str, int], Method]]:
        """The methods with their keys: those that refused as much nearby come last."""
        names: dict[str, int] = {}
        later = []
        for way in ways:
            names[way[0]] = names.get(way[0], 0) + 1
            key = pair, way[0], names[way[0]]
            if not (self.refused or self.slow):
                yield key, way  # nothing to look up
                continue
            place, asked = self.refused.get(key, (0.0, 0))
            far = abs(eps - place)
            good = self.answered.get(key, ())
            refused = asked and digits >= asked and far <= NEARBY * abs(place) and not any(
                abs(eps - other) <= far for other in good)
            if refused or (key in self.slow and not good):
                later.append((key, way))
            else:
                yield key, way
        yield from later


def delta(pair: Pair, eps: Any, digits: int | None = None, method: str | None = None,
          tried: Tried | None = None) -> Answer:
    """delta(eps) of a pair without parameters, to ``digits`` relative digits; 15 where none are
    asked for and a formula, a lattice or a short line gives them, else 10 or 5 where they do not
    take long, or 3: the radius tells.

    ``eps`` is any exact real number; ``method`` one of :data:`CHOICES`, or None: the one that is
    thought fastest.  A search says what it has ``tried``.  Raises :class:`InputError` for floats
    and symbols, :class:`Unsupported` where none reaches the pair: its note names what each method
    lacks.

    >>> from lapdp import gaussian, geometric
    >>> print(delta(gaussian(10)**100, 20))
    2.664706705365498e-86 +/- 5.01e-102
    >>> print(delta(geometric("0.1", 2)**1000, 30).method)
    lattice sum
    >>> print(delta(gaussian(10)**100, 1, method="characteristic"))
    0.1269367375066439 +/- 5.01e-17
    """
    point = exact_parameter("eps", eps)
    if not point.is_Rational and point.free_symbols:
        raise InputError(f"eps = {point} must be a number")
    place = settled(point)
    return to_digits(lambda many, known: _delta(pair, place, many, method, known), digits, tried)


def settled(x: Any) -> Any:
    """The number; 0 if the calculus knows that it is 0, of which no ball tells the sign.

    >>> from sympy import log
    >>> settled(2 * log(9) - log(81)), settled(log(2))
    (0, log(2))
    """
    if not isinstance(x, Rational):
        with suppress(Unsupported):
            if exact_ball(x).real.contains(0) and Cell().sign(to_form(x)) == 0:
                return Integer(0)
    return x


def to_digits(compute: Callable[[int, Tried], Answer], digits: int | None,
              tried: Tried | None = None) -> Answer:
    """An answer to so many digits, or to as many of the usual ones as are reached soon.

    >>> from fractions import Fraction
    >>> from lapdp.balls.decimals import Enclosure
    >>> def ten(digits, tried):
    ...     if digits > 10:
    ...         raise TooManyDigits("11 digits or more")
    ...     return Answer(Enclosure(Fraction(1), Fraction(1, 10**digits)), "ten", 0.0)
    >>> print(to_digits(ten, None))
    1 +/- 1e-10
    """
    if digits is not None:
        bits_of(digits)  # refuses what is no number of digits
        return compute(digits, tried or Tried())
    most, more, few, fewest = USUAL
    with suppress(TooManyDigits, TooLong), at_most(AT_ONCE):
        return compute(most, Tried(quickly=True))
    # the fewest before more of them: what takes long for these is not waited for twice
    known = Tried(roughly=True)
    with at_most(math.inf) as budget:
        found = compute(fewest, known)
    with suppress(Unsupported, TooLong), at_most(ENOUGH - budget.taken) as second:
        found = compute(few, known)
        known.roughly = False
        with at_most(min(AT_ONCE, SOON - budget.taken - second.taken)):
            return compute(more, known)
    return found


def _delta(pair: Pair, point: Any, digits: int, method: str | None, tried: Tried) -> Answer:
    start, problems, near = time.perf_counter(), [], nearly(point)
    ways = _methods(pair, point, digits, tried) if method is None else _named(pair, point, method)
    asked = tried.in_order(pair, near, digits, ways)
    for steps in ROUNDS:
        again = []
        for key, (name, compute) in asked:
            given = max(steps, tried.needed.get(key, 0.0)) if tried.needed else steps
            if tried.roughly and name in TRUSTED:
                given = max(given, LONGER)
            try:
                with at_most(given):
                    found = compute(digits)
            except Unsupported as problem:
                problems.append(f"{name}: {problem}")
                tried.refused[key] = near, digits
                continue
            except TooLong:
                spend(0)  # it is over here, too, where this was all that is left
                tried.slow.add(key)
                again.append((key, (name, compute)))
                continue
            tried.answered.setdefault(key, []).append(near)
            if given > ROUNDS[0]:
                tried.needed[key] = given
            # sums of queries note what these rest on
            noted = {ASSUMED.get(name, ""), *getattr(compute, "noted", ())} - {""}
            return Answer(found, name, time.perf_counter() - start, "; ".join(sorted(noted)))
        asked = iter(again)
    if tried.quickly:
        raise TooManyDigits("not in no time")
    raise _refusal(pair, point, digits, problems)


def _refusal(pair: Pair, eps: Any, digits: int, problems: list[str]) -> Unsupported:
    """One short line with a way out; what each method lacks is a note of the error."""
    from lapdp.accounting.delta_rules import upper_bound
    from lapdp.accounting.moments.releases import releases

    shown = str(pair) if len(str(pair)) <= SHOWN else str(pair)[:SHOWN - 3] + "..."
    if len(problems) == 1:
        return Unsupported(f"delta of {shown} is not reached ({problems[0]})")
    fewer = f"{FEW_DIGITS} digits or " if digits > FEW_DIGITS else ""
    said = "bounds by its Renyi divergences are"
    with suppress(Unsupported):
        bound = upper_bound(releases(pair), eps)
        if bound is not None:
            # a hundredth more, as three digits may be rounded downwards
            most = (bound[0] * 101 / 100).str(3, radius=False)
            said = f"it is at most {most} by Chernoff's bound of order {bound[1]:.6g}"
    found = TooManyDigits(f"delta of {shown} is not reached to {digits} digits by any of "
                          f"{len(problems)} methods: {fewer}fewer releases may be; {said}")
    found.add_note("; ".join(problems))
    return found


def nearly(eps: Any) -> float:
    """As a double; infinite where it is none."""
    try:
        return eps.p / eps.q if isinstance(eps, Rational) else float(exact_ball(eps).real)
    except OverflowError:
        return math.inf


def _methods(pair: Pair, eps: Any, digits: int, tried: Tried | None = None
             ) -> Iterator[Method]:
    if exceeds(-eps, 3 * digits + 10):
        # max(0, 1 - e^eps) <= delta <= 1, for every pair
        yield "bounds of every profile", lambda _: certified(
            lambda bits: (1 - exact_ball(eps).real.exp()).union(flint.arb(1)), digits)
    closed: Method = (CLOSED, lambda digits: pair.profile.at(eps, digits))
    short = pair.has_short_profile() and not pair.may_vanish(eps)
    if short:
        yield closed
    from lapdp.accounting.delta_methods import methods

    yield from methods(pair, eps, closed, short, tried)


def _named(pair: Pair, eps: Any, method: str) -> Iterator[Method]:
    """The method that is asked for."""
    if method not in CHOICES:
        raise InputError(f"method = {method!r} must be one of {', '.join(CHOICES)}")
    if method == CLOSED:
        yield CLOSED, lambda digits: pair.profile.at(eps, digits)
        return
    from lapdp.accounting.delta_methods import named

    yield named(pair, eps, method)


__all__ = ["CHOICES", "Tried", "delta", "nearly"]
