"""Finite pairs with exact masses, channels, and values of e^eps.

Masses are integer weights normalised to Fractions and drawn outcome by outcome, so that failures
shrink to few outcomes and small weights.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from hypothesis import strategies as st
from hypothesis.errors import InvalidArgument

from lapdp.privacy.finite import FinitePair
from lapdp.testing.strategies.bounds import ordered, positive

_CONTINUITY = (None, "forward", "backward", "both", "neither")


def _normalised(weights: Sequence[int]) -> tuple[Fraction, ...]:
    return tuple(Fraction(w, sum(weights)) for w in weights)


def _pair(rows: Sequence[tuple[int, int]]) -> FinitePair:
    P, Q = (_normalised(column) for column in zip(*rows, strict=True))
    return FinitePair(tuple(zip(P, Q, strict=True)))


def finite_pairs(
    *,
    min_size: int = 1,
    max_size: int = 4,
    absolutely_continuous: str | None = None,
    max_weight: int = 12,
) -> st.SearchStrategy[FinitePair]:
    """Pairs (P, Q) of distributions on ``min_size`` to ``max_size`` outcomes, masses exact.

    ``absolutely_continuous`` is ``None`` for every pair, ``"forward"`` for P << Q,
    ``"backward"`` for Q << P, ``"both"``, or ``"neither"`` for pairs where each has mass that
    the other has not.  Masses are integer weights up to ``max_weight``, normalised; no outcome is
    null under both.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes, weights or names without meaning.

    >>> from hypothesis import find
    >>> find(finite_pairs(absolutely_continuous="forward"), lambda pair: pair.P != pair.Q)
    finite([0, 1], ["1/2", "1/2"])
    """
    ordered(min_size, max_size, "size")
    positive(max_weight, "max_weight")
    if absolutely_continuous not in _CONTINUITY:
        raise InvalidArgument(
            f"absolutely_continuous={absolutely_continuous!r} must be one of {_CONTINUITY}"
        )
    if absolutely_continuous == "neither" and max_size < 2:
        raise InvalidArgument("absolutely_continuous='neither' needs max_size >= 2")
    least_p = 1 if absolutely_continuous in ("backward", "both") else 0
    least_q = 1 if absolutely_continuous in ("forward", "both") else 0
    row = st.tuples(st.integers(least_p, max_weight), st.integers(least_q, max_weight))
    rows = st.lists(row.filter(any), min_size=min_size, max_size=max_size)
    if absolutely_continuous == "neither":
        alone = st.integers(1, max_weight)
        others = st.lists(row.filter(any), min_size=max(0, min_size - 2), max_size=max_size - 2)
        rows = st.builds(lambda p, q, more: [(0, q), (p, 0), *more], alone, alone, others)
    return rows.filter(_all_have_mass).map(_pair)


def _all_have_mass(rows: Sequence[tuple[int, ...]]) -> bool:
    return all(sum(column) > 0 for column in zip(*rows, strict=True))


def channels(
    n_in: int, *, min_out: int = 1, max_out: int = 4, max_weight: int = 12
) -> st.SearchStrategy[tuple[tuple[Fraction, ...], ...]]:
    """Stochastic matrices with ``n_in`` rows, for ``FinitePair.post_process``; entries exact.

    Raises ``hypothesis.errors.InvalidArgument`` for sizes or weights without meaning.

    >>> from hypothesis import find
    >>> find(channels(2, min_out=2), lambda channel: channel[0] != channel[1])
    ((Fraction(0, 1), Fraction(1, 1)), (Fraction(1, 1), Fraction(0, 1)))
    """
    ordered(n_in, n_in, "in")
    ordered(min_out, max_out, "out")
    positive(max_weight, "max_weight")
    column = st.tuples(*[st.integers(0, max_weight)] * n_in)
    columns = st.lists(column, min_size=min_out, max_size=max_out).filter(_all_have_mass)
    return columns.map(lambda drawn: tuple(map(_normalised, zip(*drawn, strict=True))))


def alphas(*, max_value: int = 12) -> st.SearchStrategy[Fraction]:
    """Positive Fractions for e^eps; below and above 1 alike, so that every sign of eps occurs.

    >>> from hypothesis import find
    >>> find(alphas(), lambda alpha: alpha < 1)
    Fraction(1, 2)
    """
    positive(max_value, "max_value")
    part = st.integers(1, max_value)
    return st.builds(Fraction, part, part)


__all__ = ["alphas", "channels", "finite_pairs"]
