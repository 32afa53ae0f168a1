"""Questions on a logarithmic scale: deltas of 1e-2 to 1e-30, where accountants are used.

Random finite pairs at random eps hardly ever have a small delta.  Here the delta comes first, and
the eps is where the truth has that size: far out in the tails, or just below the largest loss.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from lapdp.core.precision import workprec
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair
from lapdp.testing.conformance.questions import (
    Form,
    Question,
    Wants,
    least_odds,
    true_epsilon,
)
from lapdp.testing.conformance.values import Real

EXPONENTS = (3, 6, 9, 12, 15, 30)
"""A delta is 1/10^n or 5/10^n for one of these n."""
FEW_SMALL = 60
"""Of these questions are asked at once, and of more a share; each costs more than one about a
random finite pair."""
COPIES = (1, 10, 100)
"""Of mechanisms that are not finite, for accountants that take a number of copies."""
FEW_COPIES = 3
"""Of a finite pair."""
FAR = 20.0
"""An eps beyond the losses, where mass at infinite loss leaves no smaller delta."""
ALL = Fraction(10**9)
"""The odds of such an eps, where it is exact."""


def _leak(exponent: int) -> Pair:
    from lapdp import finite

    tiny = Fraction(1, 10**exponent)
    rest = (1 - tiny) / 3
    pair: Pair = finite([tiny, 2 * rest, rest], [0, 2 * rest + tiny, rest])
    return pair


def _heavy(exponent: int) -> Pair:
    """A rare outcome of large, finite loss."""
    from lapdp import finite

    tiny = Fraction(1, 10**exponent)
    pair: Pair = finite([tiny, 1 - tiny], [tiny / 1000, 1 - tiny / 1000])
    return pair


def _response() -> Pair:
    from lapdp import finite

    pair: Pair = finite(["3/4", "1/4"], ["1/4", "3/4"])
    return pair


def _mechanisms() -> list[Callable[[], Pair]]:
    """Mechanisms of the field, single, sampled in both directions, composed."""
    from lapdp import gaussian, geometric, laplace, poisson

    def sampled(noise: Pair, direction: str, copies: int = 1) -> Pair:
        drawn: Pair = poisson(noise, "1/10", direction=direction)
        return drawn**copies
    return [
        partial(gaussian, 1), partial(laplace, 1), lambda: gaussian(10) ** 100,
        lambda: sampled(gaussian(1), "remove"), lambda: sampled(gaussian(1), "add"),
        lambda: laplace(4) ** 10, lambda: gaussian(2) * laplace(3),
        lambda: sampled(gaussian(2), "remove", 100), lambda: sampled(gaussian(2), "add", 100),
        partial(geometric, 1), lambda: sampled(laplace(1), "add"), lambda: gaussian("1/2")]


FINITE = 7
"""Of the numbers of pairs, the first ones are finite."""
MECHANISMS = 12


@lru_cache
def pair_of(number: int) -> Pair:
    """A pair by number, the simplest first.

    >>> pair_of(0), pair_of(FINITE)
    (finite(["3/4", "1/4"], ["1/4", "3/4"]), gaussian(1, 1))
    """
    if number >= FINITE:
        return _mechanisms()[number - FINITE]()
    made = (_response, partial(_leak, 4), partial(_heavy, 4), partial(_leak, 8),
            partial(_heavy, 8), partial(_leak, 13), partial(_heavy, 13))[number]
    return made()


@lru_cache(maxsize=4096)
def place(question: Question, level: Fraction) -> float:
    """The double eps at which delta is about ``level``; 0 where it is less from there on.

    >>> print(f"{place(Question((pair_of(FINITE),), 'delta', None), Fraction(1, 10**12)):.4f}")
    7.2385
    """
    eps = true_epsilon(question.composed, level)
    if eps.is_infinite:
        return FAR
    with workprec(64):
        return float(eps.ball().mid())


def exact_place(pair: Pair, level: Fraction) -> Any:
    """The eps of :func:`place` for a finite pair, the log of a rational number.

    >>> exact_place(pair_of(0), Fraction(1, 8))
    log(5/2)
    """
    assert isinstance(pair, FinitePair)
    odds = least_odds(pair, level)
    return sp.log(sp.Rational(*(ALL if odds is None else odds).as_integer_ratio()))


def small_questions(form: Form, wants: Wants, finite_only: bool, doubles: bool = True
                    ) -> st.SearchStrategy[Question]:
    """Questions whose deltas lie on a logarithmic scale; exact ones are of finite pairs.

    >>> from hypothesis import find
    >>> find(small_questions("pair", "delta", True, False), lambda q: q.pairs[0] == pair_of(0)).at
    log(749/250)
    """
    last = FINITE if finite_only else FINITE + MECHANISMS
    return st.builds(partial(_asked, form, wants, doubles), st.sampled_from(range(last)),
                     st.sampled_from(EXPONENTS), st.sampled_from((1, 5)),
                     st.sampled_from(range(len(COPIES) if form == "copies" else 1)))


def _asked(form: Form, wants: Wants, doubles: bool, number: int, exponent: int, digit: int,
           copies: int) -> Question:
    pair = pair_of(number)
    many = min(COPIES[copies], FEW_COPIES) if isinstance(pair, FinitePair) else (
        COPIES[copies] if repr(pair).count("(") == 1 else 1)
    asked = Question((pair,), wants, None, many if form == "copies" else 1, form)
    level = Fraction(digit, 10**exponent)
    at: Any = level
    if wants == "delta":
        at = place(asked, level) if doubles else exact_place(asked.composed, level)
    elif doubles:
        at = float(level)
    return Question(asked.pairs, wants, at, asked.copies, form)


@dataclass
class Range:
    """What was asked so far, for the report: sizes of delta, eps, and of which pairs."""

    deltas: list[float] = field(default_factory=list)
    places: list[float] = field(default_factory=list)
    kinds: Counter[str] = field(default_factory=Counter)

    def add(self, wants: Wants, at: Any, truth: Real, kind: str) -> None:
        """A question that was answered."""
        number = _double(truth)
        delta, eps = (number, _double(_real(at))) if wants == "delta" else (
            _double(_real(at)), number)
        self.deltas.append(delta)
        self.places.append(eps)
        self.kinds[kind] += 1

    def __str__(self) -> str:
        if not self.deltas:
            return ""
        positive = [delta for delta in self.deltas if delta > 0]
        least = f"{min(positive):.1e}" if positive else "0"
        small = sum(0 < delta < 0.01 for delta in self.deltas)
        kinds = ", ".join(f"{kind} {n}" for kind, n in sorted(self.kinds.items()))
        return (f"asked: delta from {least} to {max(self.deltas):.2g}, {small} of "
                f"{len(self.deltas)} between 0 and 0.01;\n"
                f"eps from {min(self.places):.3g} to {max(self.places):.3g}; of {kinds}")


def _real(at: Any) -> Real:
    return at if isinstance(at, Real) else Real.of(
        Fraction(at) if isinstance(at, float) else at)


def _double(number: Real) -> float:
    if number.is_infinite:
        return float(number.exact)
    with workprec(64):
        return float(number.ball().mid())


def kind_of(question: Any) -> str:
    """The mechanism that is asked about, in a word; "product" for several."""
    if not isinstance(question, Question):
        return "+".join(sorted({release.mechanism for release in question.query.releases}))
    names = {repr(pair).split("(")[0] for pair in question.pairs}
    return names.pop() if len(names) == 1 else "product"


__all__ = ["EXPONENTS", "FEW_SMALL", "FINITE", "Range", "kind_of", "pair_of", "place",
           "small_questions"]
