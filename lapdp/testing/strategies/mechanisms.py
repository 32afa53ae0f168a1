"""Mechanisms of the catalogue, and what is made of them: subsamples, reversals, powers, products.

Each prints as it is typed.  Families whose parameters are numbers or lists print in the language of
the command line, so that ``lapdp.theory.parse.parse_mechanism`` reads them back; the others, which
the command line does not have, as Python after ``from sympy import *``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache, reduce
from math import floor, log
from operator import mul
from typing import Any

import sympy as sp
from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.privacy.finite import LISTED, FinitePair
from lapdp.privacy.mechanisms import CARDS
from lapdp.privacy.operations import reverse
from lapdp.privacy.pair import Pair
from lapdp.privacy.subsampled import poisson
from lapdp.testing.strategies.bounds import positive
from lapdp.testing.strategies.finite import finite_pairs
from lapdp.testing.strategies.losses import laws
from lapdp.testing.strategies.naming import called
from lapdp.testing.strategies.points import copies, magnitudes

Pairs = st.SearchStrategy[Pair]


def mechanisms(*, families: Iterable[str] | None = None, max_factors: int = 2,
               max_copies: int = 1000, subsampled: bool = True, reversed: bool = True) -> Pairs:
    """Pairs without parameters: products of at most ``max_factors`` powers of mechanisms.

    Each factor is of one of the ``families``, names of ``lapdp mechanisms`` (all by default), with
    exact parameters over wide ranges, the extremes of its card included; then, unless switched off,
    Poisson-subsampled in either direction or reversed, and taken up to ``max_copies`` times, on a
    logarithmic scale.  Failures shrink to one mechanism with small parameters.

    Mechanisms that only Python can write are drawn without partners.

    Raises ``hypothesis.errors.InvalidArgument`` for bounds that are no integers >= 1, for an
    unknown family and for none.

    >>> from hypothesis import find
    >>> find(mechanisms(families=["laplace", "geometric"]), lambda pair: pair.mass_at_infinity == 0)
    laplace(1, 1)
    >>> find(mechanisms(families=["exponential"]), lambda pair: "**" in str(pair))
    exponential(1, 2)**2
    """
    families = None if families is None else tuple(families)
    given = locals()
    positive(max_factors, "max_factors")
    positive(max_copies, "max_copies")
    names = tuple(CARDS) if families is None else families
    unknown = [name for name in names if name not in CARDS]
    if unknown or not names:
        raise InvalidArgument(f"families={list(names)} must name some of {', '.join(CARDS)}")

    def factors(alone: bool) -> Pairs | None:
        chosen = [_family(name) for name in names if CARDS[name].in_formulas is not alone]
        if not chosen:
            return None
        found: Pairs = st.one_of(chosen)
        if subsampled and not alone:
            found |= st.builds(poisson, found, _rates(), st.sampled_from(("remove", "add")))
        if reversed:
            found |= found.map(reverse)
        return st.builds(_power, found, copies(max_copies=max_copies))

    # both as lists: what is drawn in fewer steps would count as simpler
    parts = [st.lists(found, min_size=1, max_size=most)
             for found, most in ((factors(False), max_factors), (factors(True), 1))
             if found is not None]
    return called(mechanisms, given, st.one_of(parts).map(lambda drawn: reduce(mul, drawn)))


def families(*, formulas: bool | None = None) -> tuple[str, ...]:
    """The names of the catalogue; with ``formulas``, those that the command line has, or has not.

    >>> families(formulas=False)
    ('densities', 'law', 'outcomes')
    """
    return tuple(name for name, card in CARDS.items()
                 if formulas is None or card.in_formulas is formulas)


_FEW = 4
"""Outcomes of a power of a finite pair that are printed one by one."""


def _power(pair: Pair, k: int) -> Pair:
    if k == 1:
        return pair
    if isinstance(pair, FinitePair) and len(pair.masses) ** min(k, _FEW) > _FEW:
        # written out it is unreadable: at least as many copies as are held as a power
        k = max(k, floor(log(LISTED, len(pair.masses))) + 1)
    return pair**k


def _rates() -> st.SearchStrategy[Fraction]:
    return st.sampled_from((Fraction(1, 2), Fraction(1), Fraction(0))) | magnitudes(-6, -1)


@lru_cache
def _family(name: str) -> Pairs:
    """Random parameters, and the examples of the card that have no symbols."""
    examples = [pair for pair in CARDS[name].pairs() if not pair.free_symbols]
    drawn = _DRAWN.get(name)
    given = st.sampled_from(examples)
    return given if drawn is None else drawn() | given


def _made(name: str, **parameters: st.SearchStrategy[Any]) -> Callable[[], Pairs]:
    """Independent parameters."""
    return lambda: st.builds(CARDS[name].make, **parameters)


_LOGS = st.sampled_from([sp.log(2), sp.log(3), 2 * sp.log(2)])
_EPS = magnitudes(-4, 1) | _LOGS
_EPS_OR_0 = magnitudes(-4, 1) | _LOGS | st.just(0)
_LEAK = st.sampled_from((0, 1)) | magnitudes(-12, -1)
_MOVE = st.just(1) | magnitudes(-1, 1)
_STEPS = st.integers(1, 40)


def _exponential() -> Pairs:
    return st.builds(lambda rate, more: CARDS["exponential"].make(rate, rate * (1 + more)),
                     magnitudes(-2, 2), magnitudes(-3, 2))


def _truncated_laplace() -> Pairs:
    return st.builds(lambda scale, move, more: CARDS["truncated_laplace"].make(
        scale, move * (1 + more), move), magnitudes(-1, 2), _MOVE, st.just(0) | magnitudes(-2, 1))


def _outcomes() -> Pairs:
    def named(pair: FinitePair) -> Pair:
        return CARDS["outcomes"].make({f"x{n}": row for n, row in enumerate(pair.masses)})

    return finite_pairs().map(named)


_DRAWN: dict[str, Callable[[], Pairs]] = {
    "approximate_dp": _made("approximate_dp", eps=_EPS_OR_0, delta=_LEAK),
    "discrete_gaussian": _made("discrete_gaussian", sigma=magnitudes(-1, 2), sensitivity=_STEPS),
    "exponential": _exponential,
    "exponential_mechanism": _made("exponential_mechanism", eps=_EPS),
    "finite": finite_pairs,
    "gaussian": _made("gaussian", sigma=magnitudes(-1, 4), sensitivity=_MOVE),
    "geometric": _made("geometric", eps=_EPS, sensitivity=_STEPS),
    "kary_response": _made("kary_response", k=copies(min_copies=2, max_copies=10**9),
                           eps=_EPS_OR_0),
    "laplace": _made("laplace", scale=magnitudes(-2, 3), sensitivity=_MOVE),
    "law": laws,
    "outcomes": _outcomes,
    "randomized_response": _made("randomized_response", eps=_EPS_OR_0, delta=_LEAK),
    "staircase": _made("staircase", eps=_EPS,
                       gamma=st.none() | st.sampled_from((0, 1)) | magnitudes(-2, -1)),
    "truncated_laplace": _truncated_laplace,
}
"""Random parameters; a family that is missing here is drawn from the examples of its card."""

__all__ = ["families", "mechanisms"]
