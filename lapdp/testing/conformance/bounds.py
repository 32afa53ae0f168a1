"""What bounds are of: what is drawn, what a bound claims of it, and what is true.

A bound of a number (delta, epsilon, a Renyi divergence ...) of a pair is compared with that number.
A bound that follows from guarantees claims that whatever keeps them is (eps, delta)-private: it is
compared with delta(eps) of the worst pair that keeps them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp
from hypothesis import strategies as st

from lapdp.accounting import notions
from lapdp.core.errors import InputError
from lapdp.privacy.finite import FinitePair
from lapdp.privacy.pair import Pair
from lapdp.testing.conformance.guarantees import (
    MOST_GROUP,
    composed,
    concentrated,
    exactly,
    grouped,
    implied,
    sampled,
    some_bounds,
    some_eps,
    some_guarantees,
    some_rates,
    some_rhos,
    some_small,
)
from lapdp.testing.conformance.handed import pairs_from
from lapdp.testing.conformance.printing import Case
from lapdp.testing.conformance.questions import Drawn, Question, Wants, true_delta, true_epsilon
from lapdp.testing.conformance.values import Real
from lapdp.testing.strategies import finite_pairs

CH, DRS = "Chourasia et al. 2024", "Dong, Roth, Su 2022"
KOV, BBG = "Kairouz, Oh, Viswanath 2015", "Balle, Barthe, Gaboardi 2018"
CKS, BS = "Canonne, Kamath, Steinke 2020", "Bun and Steinke 2016"


@dataclass(frozen=True)
class Arguments(Case):
    """What a bound is called with, by name.

    >>> print(Arguments(("eps", "rate"), (0.5, 0.25)))
    eps = 0.5
    rate = 0.25
    """

    names: tuple[str, ...]
    values: tuple[Any, ...]

    def shown(self) -> dict[str, Any]:
        """The arguments by name."""
        return dict(zip(self.names, self.values, strict=True))

    def smaller(self) -> Iterator[Arguments]:
        """The same with fewer members in one of the lists: the first 1, 2, 4, ..., all but some.

        >>> [len(each.values[0]) for each in Arguments(("bounds",), ((7,) * 8,)).smaller()]
        [1, 2, 4, 6, 7]
        """
        for place, value in enumerate(self.values):
            if not isinstance(value, tuple):
                continue
            size = len(value)
            doubled = [2**k for k in range(size.bit_length()) if 2 * 2**k <= size]
            for count in dict.fromkeys((*doubled, *(size - n for n in doubled[::-1]))):
                if 0 < count < size:
                    values = (*self.values[:place], value[:count], *self.values[place + 1:])
                    yield Arguments(self.names, values)


Truth = Callable[..., Real]


@dataclass(frozen=True)
class Subject:
    """What a bound is of."""

    names: tuple[str, ...]
    """The arguments that the bound is called with."""
    drawn: Callable[[bool], st.SearchStrategy[tuple[Any, ...]]]
    """Random arguments, in doubles or exact."""
    says: str
    citation: str
    latex: str
    truth: Truth
    """Of a number: the number, from the arguments.  Of a guarantee: delta at an eps that comes
    first, of the worst pair."""
    guarantee: Callable[..., tuple[Any, Any]] | None = None
    """The (eps, delta) that a single returned number means, from it and the arguments; None for
    bounds of a number."""
    worst: bool = True
    """Is the truth attained by some pair?  Else it is a lower bound of the worst case."""


# -- numbers of one pair ---------------------------------------------------------------------------


def _asked(wants: Wants, over: Any) -> Callable[[bool], Any]:
    def drawn(doubles: bool) -> st.SearchStrategy[tuple[Any, ...]]:
        return Drawn("pair", over, doubles).questions(wants, negative=True).map(_pair_and_place)

    return drawn


def _pair_and_place(question: Question) -> tuple[Any, ...]:
    return question.pairs[0], question.at


def _with_number(numbers: Sequence[Any], over: Any) -> Callable[[bool], Any]:
    def drawn(doubles: bool) -> st.SearchStrategy[tuple[Any, ...]]:
        pairs = finite_pairs(max_size=3, max_weight=6) if over is None else pairs_from(over)
        found = st.sampled_from(numbers)
        return st.tuples(pairs, found.map(float) if doubles else found)

    return drawn


ORDERS = tuple(Fraction(n, d) for n, d in ((2, 1), (3, 1), (3, 2), (4, 1), (1, 2), (5, 4), (10, 1),
                                             (64, 1), (1, 16)))
LEVELS = tuple(Fraction(n, d) for n, d in (
    (1, 2), (1, 4), (3, 4), (1, 8), (0, 1), (1, 1), (1, 16), (1, 1024), (1, 10**6),
    (10**6 - 1, 10**6)))


def true_moment(pair: Pair, q: Any) -> Real:
    """E_q at a double or an exact number."""
    order = Fraction(q)
    if isinstance(pair, FinitePair) and order.denominator == 1:
        found = pair.moment(int(order))
        return Real.of(math.inf if found == sp.oo else found)
    return Real.certified(lambda digits: notions.moment(pair, order, digits))


def true_renyi(pair: Pair, q: Any) -> Real:
    """R_q at a double or an exact number; exactly 0 for equal distributions."""
    if isinstance(pair, FinitePair) and len(pair.merge().masses) == 1:
        return Real.of(0)
    return Real.certified(lambda digits: notions.renyi(pair, Fraction(q), digits))


def true_tradeoff(pair: Pair, a: Any) -> Real:
    """f(a) at a double or an exact number."""
    if isinstance(pair, FinitePair):
        return Real.of(sp.sympify(pair.tradeoff(Fraction(a))))
    return Real.certified(lambda digits: notions.tradeoff(pair, Fraction(a), digits))


def _at_last(returned: Any, *arguments: Any) -> tuple[Any, Any]:
    """eps at the delta that was asked for."""
    return returned, arguments[-1]


def _at_scaled(returned: Any, eps0: Any, delta0: Any, rate: Any) -> tuple[Any, Any]:
    """eps at rate * delta, which is rounded by nobody."""
    return returned, Fraction(delta0) * Fraction(rate)


def _at_multiple(returned: Any, eps0: Any, delta0: Any, k: int) -> tuple[Any, Any]:
    """delta at k eps."""
    return k * exactly(eps0), returned


def subjects(over: Any = None) -> dict[str, Subject]:
    """What a bound may be of, by name; pairs are drawn from ``over``."""
    levels = (Fraction(1, 4), Fraction(1, 100))
    return {
        "delta": Subject(("pair", "eps"), _asked("delta", over), "delta(eps) of a pair",
                         f"{CH}, (6)", r"\delta(\varepsilon)", true_delta),
        "epsilon": Subject(("pair", "delta"), _asked("epsilon", over), "epsilon(delta) of a pair",
                           f"{CH}, (6)", r"\varepsilon(\delta)", true_epsilon),
        "renyi": Subject(("pair", "q"), _with_number(ORDERS, over), "R_q of a pair",
                         f"{CH}, (8)", "R_q", true_renyi),
        "moment": Subject(("pair", "q"), _with_number(ORDERS, over), "E_q of a pair",
                          f"{CH}, (8)", "E_q", true_moment),
        "tradeoff": Subject(("pair", "a"), _with_number(LEVELS, over), "f(a) of a pair",
                            f"{CH}, (11)", "f(a)", true_tradeoff),
        "composed_delta": Subject(
            ("guarantees", "eps"),
            lambda doubles: st.tuples(
                some_guarantees(doubles),
                st.just(0.0 if doubles else sp.Integer(0)) | some_eps(doubles)),
            "delta(eps) of a composition of (eps_i, delta_i) guarantees", f"{KOV}, Theorem 3.3",
            r"\delta(\varepsilon)", lambda guarantees, eps: composed(eps, guarantees)),
        "composition": Subject(
            ("guarantees", "delta"),
            lambda doubles: st.tuples(some_guarantees(doubles), some_small(doubles, *levels)),
            "a composition of (eps_i, delta_i) guarantees", f"{KOV}, Theorem 3.3",
            r"\delta(\varepsilon)", composed, _at_last),
        "amplification": Subject(
            ("eps", "delta", "rate"),
            lambda doubles: st.tuples(some_eps(doubles), some_small(doubles, Fraction(0), *levels),
                                      some_rates(doubles)),
            "an (eps, delta) guarantee on a Poisson sample", f"{BBG}, Theorem 8",
            r"\delta(\varepsilon)", sampled, _at_scaled),
        "group": Subject(
            ("eps", "delta", "k"),
            lambda doubles: st.tuples(some_eps(doubles), some_small(doubles, *levels, Fraction(0)),
                                      st.integers(1, MOST_GROUP)),
            "an (eps, delta) guarantee for groups of k", f"{DRS}, Theorem 2.14",
            r"\delta(k \varepsilon)", grouped, _at_multiple),
        "conversion": Subject(
            ("bounds", "delta"),
            lambda doubles: st.tuples(some_bounds(doubles), some_small(doubles, *levels)),
            "what R_q <= r, for each (q, r) of bounds, implies", f"{CKS}, Proposition 12",
            r"\delta(\varepsilon)", implied, _at_last),
        "zcdp": Subject(
            ("rho", "delta"),
            lambda doubles: st.tuples(some_rhos(doubles), some_small(doubles, *levels)),
            "rho-zero-concentrated privacy, as of a Gaussian", f"{BS}, Proposition 1.6",
            r"\delta(\varepsilon)", concentrated, _at_last, worst=False),
    }


def subject_of(of: Any, over: Any) -> Subject:
    """By its name, or for a function that gives the truth; :class:`InputError` for others."""
    known = subjects(over)
    if isinstance(of, str):
        if of not in known:
            raise InputError(f"of={of!r} must be a function or one of {', '.join(known)}")
        found = known[of]
        if over is not None and found.names[0] != "pair":
            return Subject(found.names, lambda _: over, found.says, found.citation, found.latex,
                           found.truth, found.guarantee, found.worst)
        return found
    if not callable(of):
        raise InputError(f"of={str(of)[:40]} must be a function or one of {', '.join(known)}")
    if over is None:
        raise InputError("of=function needs over=, a strategy of tuples of its arguments")
    return given_truth(of, over)


def given_truth(of: Callable[..., Any], over: Any) -> Subject:
    """A function of the user that is meant as it is."""
    import inspect

    from lapdp.testing.conformance.values import EXACT, read

    names = tuple(inspect.signature(of).parameters)
    called = getattr(of, "__name__", "the truth")
    return Subject(names, lambda _: over, called, "the function given by of=",
                   rf"\text{{{called}}}", lambda *arguments: read(of(*arguments), EXACT).low)


__all__ = ["Arguments", "Subject", "subject_of", "subjects"]
