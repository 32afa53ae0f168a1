"""Questions about the plainest mechanisms: randomized response, of two answers and of several.

Random finite pairs have few outcomes of like weights, and an accountant that answers 1 for other
mechanisms is asked little by them.  Here the odds go from 3 to 1000, the eps from 1 to 4, or it is
a part of the largest loss, in both directions.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from lapdp.privacy.finite import FinitePair
from lapdp.testing.conformance.questions import Form, Question, Wants

ODDS = (20, 3, 5, 10, 50, 100, 400, 1000)
"""Of the true answer against another; failures shrink to the first."""
ANSWERS = (2, 3, 10)
"""How many there are."""
AGAINST = ("another", "uniform")
"""What the answers of one dataset are compared with: those of another, or uniform ones."""
PLACES = (2, 1, 3, 4)
"""An eps, as it is where it is below the largest loss."""
PARTS = (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4))
"""Of the largest loss."""
COPIES = (1, 2, 4)
"""Of two answers, for accountants that take a number of copies, or lists."""


@lru_cache
def response(odds: int, answers: int, against: str, reverse: bool) -> FinitePair:
    """The true answer comes ``odds`` times as often as each other one.

    >>> response(20, 2, "another", False)
    finite(["20/21", "1/21"], ["1/21", "20/21"])
    >>> response(3, 3, "uniform", True)
    finite(["1/3", "1/3", "1/3"], ["3/5", "1/5", "1/5"])
    """
    from lapdp import finite

    other = Fraction(1, odds + answers - 1)
    first = [odds * other, *[other] * (answers - 1)]
    second = ([Fraction(1, answers)] * answers if against == "uniform" else
              [other, odds * other, *[other] * (answers - 2)])
    pair: FinitePair = finite(second, first) if reverse else finite(first, second)
    return pair


def response_questions(form: Form, wants: Wants, doubles: bool) -> st.SearchStrategy[Question]:
    """Questions about randomized response; delta is asked for by the eps where it is the truth.

    >>> from hypothesis import find
    >>> print(find(response_questions("pair", "delta", True), lambda _: True))
    from lapdp import finite
    pair = finite(["20/21", "1/21"], ["1/21", "20/21"])
    eps = 2.0
    """
    several = st.sampled_from(COPIES if form != "pair" else COPIES[:1])
    return st.builds(partial(_asked, form, wants, doubles), st.sampled_from(ODDS),
                     st.sampled_from(ANSWERS), st.sampled_from(AGAINST), st.booleans(),
                     st.sampled_from((*PLACES, *PARTS)), several)


def _asked(form: Form, wants: Wants, doubles: bool, odds: int, answers: int, against: str,
           reverse: bool, place: int | Fraction, several: int) -> Question:
    pair = response(odds, answers, against, reverse)
    many = several if answers == 2 else min(several, 2)
    made = Question((pair,) * many if form == "pairs" else (pair,), wants, None,
                    many if form == "copies" else 1, form)
    largest = math.log(max(pair.breakpoints())) * many
    part = place if isinstance(place, Fraction) else Fraction(place, 5)
    eps = place if isinstance(place, int) and place < largest else float(part) * largest
    power = Fraction(math.exp(eps)).limit_denominator(100)
    at: Any = float(eps) if doubles else sp.log(sp.Rational(*power.as_integer_ratio()))
    if wants == "epsilon":
        composed = made.composed
        assert isinstance(composed, FinitePair)
        level = composed.hockey_stick(power)
        at = float(level) if doubles else level
    return Question(made.pairs, wants, at, made.copies, form)


__all__ = ["response", "response_questions"]
